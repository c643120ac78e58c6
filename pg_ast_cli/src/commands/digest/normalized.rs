//! Normalized statements that PostgreSQL's grammar does not accept: `pg_stat_statements` writes parameters wherever a
//! constant or a name was, as in `SAVEPOINT $1`.

use pg_ast::{Digest, DigestOptions, Error, Version};

/// The maximum number of attempts to find what a parameter stands for.
const MAX_ATTEMPTS: usize = 100;

/// What a parameter may stand for: a name, a string, a number.
const MEANINGS: [&str; 3] = ["p", "'1'", "1"];

/// Computes the digest of a statement, with names and constants in place of the parameters that are not accepted.
pub(super) fn digest(sql: &str, options: DigestOptions, version: Version) -> Result<Digest, Error> {
    let first = match version.digest(sql, options) {
        Ok(digest) => return Ok(digest),
        Err(error) => error,
    };
    let mut sql = sql.to_owned();
    let mut at = first.cursor();
    let mut attempts = 0;
    while let Some(parameter) = at.and_then(|at| parameter(&sql, at)) {
        let mut best: Option<(usize, String)> = None;
        for meaning in MEANINGS {
            attempts += 1;
            if attempts > MAX_ATTEMPTS {
                return Err(first);
            }
            let mut tried = sql.clone();
            tried.replace_range(parameter.clone(), meaning);
            let error = match version.digest(&tried, options) {
                Ok(digest) => return Ok(digest),
                Err(error) => error,
            };
            // The further, the better.
            let cursor = error.cursor().unwrap_or(0);
            let reached = cursor.saturating_sub(parameter.start + meaning.len());
            if cursor > parameter.start && best.as_ref().is_none_or(|(best, _)| reached > *best) {
                best = Some((reached, tried));
                at = Some(cursor);
            }
        }
        let Some((_, tried)) = best else { break };
        sql = tried;
    }
    Err(first)
}

/// Returns the range of the parameter at a place.
fn parameter(sql: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let number = sql.get(at..)?.strip_prefix('$')?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some(at..at + 1 + digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_may_stand_for_anything() {
        let version = Version::newest();
        let options = DigestOptions::default().fingerprint(true);
        let value = |sql: &str| digest(sql, options, version).unwrap().fingerprint.unwrap().value;
        for (normalized, sent) in [
            ("SAVEPOINT $1", "SAVEPOINT a"),
            ("RELEASE $1", "RELEASE a"),
            ("ROLLBACK TO $1", "ROLLBACK TO a"),
            ("SET x = $1", "SET x = 'a'"),
            ("PREPARE TRANSACTION $1", "PREPARE TRANSACTION 'a'"),
            ("FETCH $1 IN c", "FETCH 1 IN c"),
            ("FETCH FORWARD $1 FROM c", "FETCH FORWARD 1 FROM c"),
            (
                "SELECT a + interval $1 FROM t WHERE b = $2",
                "SELECT a + interval '1 day' FROM t WHERE b = 1",
            ),
            ("DECLARE $1 CURSOR FOR SELECT $2", "DECLARE c CURSOR FOR SELECT 1"),
            ("SELECT date $1, date $2", "SELECT date '2026-01-01', date '2026-01-02'"),
        ] {
            let sent = version.digest(sent, options).unwrap().fingerprint.unwrap().value;
            assert_eq!(value(normalized), sent, "{normalized}");
        }
        assert!(digest("ALTER ROLE a PASSWORD $1", options, version).is_ok());
        let error = digest("SELECT $1 FORM $2 x", options, version).unwrap_err();
        assert_eq!(
            error.message(),
            version.digest("SELECT $1 FORM $2 x", options).unwrap_err().message()
        );
    }
}

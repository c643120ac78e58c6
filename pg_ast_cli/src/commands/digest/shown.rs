//! What is shown of text that is not normalized: nothing that may be a constant.

use pg_ast::{Error, TokenText, TokenTexts, Version};

/// The mark of what is left out.
const HIDDEN: &str = "…";

/// The ends of the words after which a password comes, which somebody may have forgotten to quote.
const BEFORE_SECRET: [&str; 4] = ["password", "passwd", "pwd", "secret"];

/// The words before the token that an error message quotes.
const NEAR: &str = " at or near \"";

/// Returns the message of an error, and the wrong statement up to the token that is wrong, with parameters in place of
/// constants.
///
/// PostgreSQL's grammar has accepted what is before that token. What is behind it may be anything: with a quote too much,
/// even what seems to be a name is part of a string.
pub(super) fn of_error(error: &Error, sql: &str, version: Version) -> (String, String) {
    let scan = version.scan_lossy(sql);
    let (shown, at_error) = up_to(error.cursor().unwrap_or(sql.len()), sql, &scan);
    let message = error.message();
    let Some((reason, near)) = message.split_once(NEAR) else {
        return (without_hidden(message, sql, &shown), shown);
    };
    let near = near.strip_suffix('"').unwrap_or(near);
    // Of an error after the statement, only the message is known.
    let is_keyword = || {
        let tokens = version.scan_lossy(near).tokens;
        matches!(tokens.as_slice(), [token] if token.is_keyword && token.range.len() == near.len())
    };
    let near = at_error.as_deref().or_else(|| is_keyword().then_some(near));
    let message = near.map_or(reason.to_owned(), |near| [reason, NEAR, near, "\""].concat());
    (message, shown)
}

/// Returns a message without what it quotes of SQL, unless that is shown.
fn without_hidden(message: &str, sql: &str, shown: &str) -> String {
    let quotes = message.find('"').zip(message.rfind('"')).filter(|(start, end)| start < end);
    let Some((start, end)) = quotes else { return message.to_owned() };
    let name = message[start + 1..end].to_lowercase();
    if sql.to_lowercase().contains(&name) && !shown.to_lowercase().contains(&name) {
        return [&message[..=start], HIDDEN, &message[end..]].concat();
    }
    message.to_owned()
}

/// Returns SQL with parameters in place of constants.
pub(super) fn sql(sql: &str, version: Version) -> String {
    up_to(sql.len(), sql, &version.scan_lossy(sql)).0
}

/// Returns SQL up to a token, and what is shown of that; `None` if the scanner rejects it, or if there is none.
fn up_to(last: usize, sql: &str, scan: &TokenTexts) -> (String, Option<String>) {
    let tokens = || scan.tokens.iter().filter(|token| !token.is_comment());
    let text = |token: &TokenText| &sql[token.range.clone()];
    let known = tokens().filter(|token| token.name == "PARAM");
    let known = known.filter_map(|token| text(token)[1..].parse::<u64>().ok()).max();
    let mut next = known.unwrap_or(0);
    // From the first mistake of the scanner on, strings may be inside out.
    let end = scan.errors.first().map_or(sql.len(), |error| error.range.start);
    let (mut shown, mut before, mut at_last) = (String::new(), None, None);
    for token in tokens() {
        let range = token.range.clone();
        if range.start > last || range.start >= end || is_ambiguous(text(token)) {
            break;
        }
        let is_behind_string = before.is_some_and(|before: &TokenText| is_string(before));
        let is_adjacent = before.is_some_and(|before| before.range.end == range.start);
        let is_last = range.contains(&last);
        // Probably part of a string with a quote in it, and what follows as well.
        let is_in_string = is_behind_string
            && (is_adjacent || !scan.errors.is_empty())
            && text(token).starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let part = if is_constant(token) && !is_in_string {
            next = next.saturating_add(1);
            format!("${next}")
        } else if is_in_string || before.is_some_and(|before| is_before_secret(text(before))) {
            HIDDEN.to_owned()
        } else {
            text(token).to_owned()
        };
        if before.is_some() && !is_adjacent {
            shown.push(' ');
        }
        shown += &part;
        before = Some(token);
        if is_last {
            at_last = Some(part);
        }
        if is_last || is_in_string {
            break;
        }
    }
    let is_end = tokens().next_back() == before && scan.errors.is_empty();
    if !is_end && !shown.ends_with(HIDDEN) {
        shown.push(' ');
        shown += HIDDEN;
    }
    (shown, at_last)
}

fn is_string(token: &TokenText) -> bool {
    matches!(token.name, "SCONST" | "USCONST" | "BCONST" | "XCONST")
}

fn is_constant(token: &TokenText) -> bool {
    is_string(token) || matches!(token.name, "ICONST" | "FCONST")
}

/// Returns whether the end of a string depends on `standard_conforming_strings`.
fn is_ambiguous(token: &str) -> bool {
    token.starts_with('\'') && token.contains("\\'")
}

fn is_before_secret(token: &str) -> bool {
    let token = token.trim_matches('"').to_ascii_lowercase();
    BEFORE_SECRET.iter().any(|end| token.ends_with(end))
}

/// Returns a line of a log with its words, but without what is quoted, and with zeros in place of digits. Nothing follows a
/// word before a password, or a quote without an end.
pub(super) fn line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut word = 0;
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        let ends_word = !(first.is_alphanumeric() || first == '_');
        if ends_word && is_before_secret(&shown[word..]) {
            return shown + HIDDEN;
        }
        match first {
            '\'' | '"' => {
                shown.push(first);
                shown += HIDDEN;
                let Some(end) = rest.find(first) else { return shown };
                if is_before_secret(&rest[..end]) {
                    return shown;
                }
                shown.push(first);
                rest = &rest[end + 1..];
            }
            _ if first.is_ascii_digit() => shown.push('0'),
            // Nothing in a log is a command to a terminal.
            _ if first.is_control() => shown.push(char::REPLACEMENT_CHARACTER),
            _ => shown.push(first),
        }
        if ends_word {
            word = shown.len();
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(sql: &str) -> String {
        let version = Version::newest();
        let (message, shown) = of_error(&version.check(sql).expect_err(sql), sql, version);
        format!("{message}, in {shown}")
    }

    #[test]
    fn wrong_statements_are_shown_without_constants() {
        for (sql, expected) in [
            ("SELEC 1", "syntax error at or near \"SELEC\", in SELEC …"),
            (
                "SELECT * FROM t WHERE a = 'x' AND b = 5 ORDR BY c",
                "syntax error at or near \"ORDR\", in SELECT * FROM t WHERE a = $1 AND b = $2 ORDR …",
            ),
            (
                "SELECT a FROM t WHERE b = $2 AND c = 'x' FROM 'y'",
                "syntax error at or near \"FROM\", in SELECT a FROM t WHERE b = $2 AND c = $3 FROM …",
            ),
            ("SELECT 1 +", "syntax error at end of input, in SELECT $1 +"),
            ("SELECT a /* x */ b c", "syntax error at or near \"c\", in SELECT a b c"),
            ("SELECT a b 12", "syntax error at or near \"$1\", in SELECT a b $1"),
            (
                "ALTER ROLE a PASSWORD 'b' SUPER",
                "unrecognized role option \"super\", in ALTER ROLE a PASSWORD $1 SUPER",
            ),
            ("SELECT E'\\xff'", "invalid byte sequence for encoding \"UTF8\": 0xff, in SELECT …"),
            ("SELECT (a b", "syntax error at or near \"b\", in SELECT (a b"),
        ] {
            assert_eq!(shown(sql), expected, "{sql}");
        }
    }

    /// The word `Hunter` is in no normalized text, and `2000` is no number that anybody should read.
    #[test]
    fn nothing_secret_is_shown() {
        for sql in [
            "ALTER ROLE a PASSWRD 'Hunter2000'",
            "ALTER ROLE a PASSWORD Hunter2000",
            "ALTER ROLE a PASSWORD \"Hunter2000\"",
            "ALTER ROLE a PASSWORD = 'Hunter2000'",
            "ALTER ROLE a ENCRYPTED PASSWORD Hunter2000 x",
            "ALTER ROLE a SET password Hunter2000",
            "ALTER ROLE a PASSWORD 'Hunter2000",
            "ALTER ROLE a PASSWORD 'o'Hunter2000'",
            "ALTER ROLE a PASSWORD 'o' Hunter2000'",
            "ALTER ROLE a PASSWORD Hunter$2000 Hunter",
            "ALTER ROLE a PASSWORD /* Hunter */ b",
            "ALTER ROLE a PASSWORD 'b\\' Hunter2000'",
            "CREATE USER a IDENTIFIED BY 'Hunter2000'",
            "CREATE USER a IDENTIFIED BY Hunter2000",
            "CREATE USER MAPPING FOR a SERVER s OPTIONS (user 'b', password Hunter2000)",
            "CREATE USER MAPPING FOR a SERVER s OPTIONS (user 'b', db_password 'c' 'Hunter2000')",
            "INSERT INTO t VALUES (2000, 'it's Hunter', 'b')",
            "INSERT INTO t VALUES ('it's Hunter', 'isn't 2000')",
            "SELECT 'it's Hunter'",
            "SELECT 'it' s Hunter'",
            "SELECT 'it's Hunter', 'isn't 2000' x y",
            "INSERT INTO t VALUES (1, 2000Hunter)",
            "INSERT INTO t VALUES (1, 'Hunter",
            "INSERT INTO t VALUES (1, 'Hunter'",
            "INSERT INTO t VALUES (1) 'Hunter'",
            "INSERT INTO t VALUES (1) -- Hunter\n x",
            "INSERT INTO t VALUES (1, $$Hunter$$ x)",
            "INSERT INTO t VALUES (1, E'\\xff', 'Hunter')",
            "SELECT U&'\\Hunter'",
            "SELECT X'2000' x y z",
        ] {
            let shown = shown(sql);
            assert!(!shown.contains("Hunter") && !shown.contains("2000"), "{sql}: {shown}");
        }
        let shown = sql("SELECT 'Hunter' FROM t WHERE a = 2000 -- Hunter", Version::newest());
        assert_eq!(shown, "SELECT $1 FROM t WHERE a = $2");
    }

    #[test]
    fn an_error_after_a_statement_is_not_in_it() {
        let version = Version::newest();
        for (next, near) in [("UPDATE t SET a = 'x'", " at or near \"UPDATE\""), ("\"Hunter\"", "")]
        {
            let stmt = "SELECT a FROM t WHERE b = 'x'";
            let error = version.check(&format!("{stmt}\n{next}")).unwrap_err();
            let expected = format!("syntax error{near}");
            let shown = of_error(&error, stmt, version);
            assert_eq!(shown, (expected, "SELECT a FROM t WHERE b = $1".to_owned()), "{next}");
        }
    }

    #[test]
    fn lines_are_shown_by_their_form() {
        for (text, expected) in [
            ("what is this", "what is this"),
            ("2026-01-01 10:00:00.000 UTC [7] x", "0000-00-00 00:00:00.000 UTC [0] x"),
            ("{\"level\":\"info\",\"n\":5}", "{\"…\":\"…\",\"…\":0}"),
            ("{\"password\":\"Hunter\"}", "{\"…"),
            ("archive: --password=Hunter x", "archive: --password…"),
            ("archive: PASSWORD Hunter", "archive: PASSWORD…"),
            ("it's Hunter", "it'…"),
            ("ä 'Hunter' é", "ä '…' é"),
            ("\u{1b}[2Ja", "\u{fffd}[0Ja"),
        ] {
            assert_eq!(line(text), expected, "{text}");
        }
    }
}

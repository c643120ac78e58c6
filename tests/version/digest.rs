//! A digest equals the results of the separate calls.

use pg_ast::{DigestOptions, Error, ErrorKind, FingerprintOptions, ParserOptions};

use super::NAME;
use super::pg::{self, view};
use crate::common::corpus;

const LENGTH: usize = 40;

/// The grammar of digests.
fn grammar() -> ParserOptions {
    ParserOptions::default().normalized(true)
}

/// Returns all parts, each from its separate call.
fn singly(sql: &str) -> Result<pg_ast::Digest, Error> {
    let mut digest = pg_ast::Digest::default();
    digest.fingerprint = Some(pg::fingerprint(sql)?);
    digest.normalized = Some(pg::normalize(sql)?);
    let tree = view::parse_with(sql, grammar())?;
    digest.analysis = Some(tree.analyze());
    digest.statement_types = Some(tree.statement_types());
    digest.truncated = Some(tree.deparse_truncated(LENGTH)?);
    digest.warnings = tree.warnings().to_vec();
    Ok(digest)
}

fn everything() -> DigestOptions {
    let options = DigestOptions::default().fingerprint(true).normalized(true).analysis(true);
    options.statement_types(true).truncated(Some(LENGTH))
}

#[test]
fn all_at_once_over_the_corpora() {
    let mut statements = corpus::statements();
    statements.extend(corpus::own_statements());
    let compare = |part: &[String]| {
        let mut counts = (0, 0);
        for sql in part {
            let (digest, expected) = (pg::digest(sql, everything()), singly(sql));
            assert_eq!(digest, expected, "{sql}");
            if digest.is_ok() { counts.0 += 1 } else { counts.1 += 1 }
        }
        counts
    };
    let (first, second) = statements.split_at(statements.len() / 2);
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(|| compare(second));
        (compare(first), other.join().expect("no panic"))
    });
    let (right, wrong) = (first.0 + second.0, first.1 + second.1);
    println!("{NAME}: {right} digests, {wrong} errors");
    assert!(right > 36_000 && wrong > 300, "{right} {wrong}");
}

#[test]
fn each_by_itself() {
    let none = DigestOptions::default();
    let more = [
        // The first is rejected only by calls that read the strings of the tree.
        r"SELECT E'\xc3', a FROM t",
        "SELECT 'a\0b'",
        "SELEC 1",
        "",
        "-- nothing",
        "SELECT 1 FROM t GROUP BY 1; COMMENT ON TABLE t IS ''",
    ];
    for sql in corpus::own_statements().into_iter().chain(more.map(str::to_owned)) {
        let ask = |options: DigestOptions| pg::digest(&sql, options);
        let fingerprint = ask(none.fingerprint(true)).map(|digest| digest.fingerprint);
        assert_eq!(fingerprint, pg::fingerprint(&sql).map(Some), "{sql}");
        let normalized = ask(none.normalized(true)).map(|digest| digest.normalized);
        assert_eq!(normalized, pg::normalize(&sql).map(Some), "{sql}");
        let analysis = ask(none.analysis(true)).map(|digest| digest.analysis);
        let expected = pg::parse_with(&sql, grammar()).map(|tree| tree.analyze());
        assert_eq!(analysis, expected.map(Some), "{sql}");
        let types = ask(none.statement_types(true)).map(|digest| digest.statement_types);
        let expected = view::parse_with(&sql, grammar()).map(|tree| tree.statement_types());
        // These do not read any strings.
        if expected.as_ref().err().is_none_or(|e| e.kind() != ErrorKind::InvalidEncoding) {
            assert_eq!(types, expected.map(Some), "{sql}");
        }
        let truncated = ask(none.truncated(Some(30))).map(|digest| digest.truncated);
        let expected =
            view::parse_with(&sql, grammar()).and_then(|tree| tree.deparse_truncated(30));
        assert_eq!(truncated, expected.map(Some), "{sql}");
        let nothing = ask(none);
        let expected = pg::view::parse_with(&sql, grammar()).map(|tree| tree.warnings().to_vec());
        if expected.as_ref().err().is_none_or(|e| e.kind() != ErrorKind::InvalidEncoding) {
            assert_eq!(nothing.map(|digest| digest.warnings), expected, "{sql}");
        }
    }
}

#[test]
fn settings_are_followed() {
    let sql = r"SELECT 'it\'s', 'a\nb' FROM t_10";
    let parser = ParserOptions::default().standard_conforming_strings(false);
    let options = everything().parser(parser);
    let digest = pg::digest(sql, options).expect("parses");
    // The scan for the constants has the same settings.
    assert_eq!(digest.normalized.as_deref(), Some("SELECT $1, $2 FROM t_10"));
    assert_eq!(
        digest.normalized,
        pg::normalize_with(sql, parser, pg_ast::NormalizeOptions::default()).ok()
    );
    assert_eq!(digest.warnings.len(), 2);
    let error = pg::parse_with(sql, grammar()).unwrap_err();
    assert_eq!(pg::digest(sql, everything()).unwrap_err(), error);

    let full = FingerprintOptions::default().full_relname(true);
    let expected = pg::fingerprint_with("TABLE t_10", ParserOptions::default(), full);
    let digest = pg::digest("TABLE t_10", DigestOptions::default().fingerprint_with(full));
    assert_eq!(digest.map(|digest| digest.fingerprint), expected.map(Some));

    let short = everything().parser(ParserOptions::default().max_bytes(8));
    assert_eq!(pg::digest("SELECT 10", short).unwrap_err().kind(), ErrorKind::TooLarge);
}

/// One after another on a small stack, as deep as the parser allows.
#[test]
fn deep_statements() {
    let run = || {
        for sql in [
            format!("SELECT a{} FROM t WHERE b = 1", " + c".repeat(20_000)),
            format!("SELECT 1 FROM t{}", " UNION SELECT 1 FROM t".repeat(1_500)),
        ] {
            assert_eq!(pg::digest(&sql, everything()), singly(&sql));
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn shared_nodes_are_bounded() {
    let columns: Vec<_> = (0..2_000).map(|number| format!("c{number}")).collect();
    let values: Vec<_> = (0..2_000).map(|number| format!("a{number}")).collect();
    let sql = format!("UPDATE t SET ({}) = ROW ({})", columns.join(", "), values.join(", "));
    for options in [
        DigestOptions::default().fingerprint(true),
        DigestOptions::default()
            .normalized_with(pg_ast::NormalizeOptions::default().as_libpg_query(true)),
        DigestOptions::default().analysis(true),
        DigestOptions::default().truncated(Some(100)),
    ] {
        let error = pg::digest(&sql, options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooLarge, "{options:?}");
    }
    // This walks the source of the columns once.
    assert!(pg::digest(&sql, DigestOptions::default().normalized(true)).is_ok());
}

#[test]
fn versions_have_the_call() {
    let version: pg_ast::Version = NAME.parse().expect("a version");
    let sql = "SELECT a FROM t WHERE b = 1; BEGIN";
    assert_eq!(version.digest(sql, everything()), pg::digest(sql, everything()));
}

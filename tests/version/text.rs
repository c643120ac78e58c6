//! The results of libpg_query's own functions, for PostgreSQL's entire regression SQL.

use std::fmt::Debug;

use pg_ast::{Error, ErrorKind, FingerprintOptions, NormalizeOptions, ParserOptions};

use super::pg::{self, protobuf::Token};
use super::{MAJOR, NAME, c_route};
use crate::common::corpus;

/// Processes the corpus on two threads; returns the number of statements and the differences.
fn over_corpus(differs: impl Fn(&str) -> Option<String> + Sync) -> (usize, Vec<String>) {
    let mut statements = corpus::statements();
    statements.extend(corpus::own_statements());
    // Input that a C string cannot hold has no counterpart.
    statements.retain(|sql| !sql.contains('\0'));
    let (first, second) = statements.split_at(statements.len() / 2);
    let found = |part: &[String]| part.iter().filter_map(|sql| differs(sql)).collect::<Vec<_>>();
    let differences = std::thread::scope(|scope| {
        let other = scope.spawn(|| found(second));
        let mut differences = found(first);
        differences.extend(other.join().expect("no panic"));
        differences
    });
    (statements.len(), differences)
}

#[track_caller]
fn none(what: &str, (statements, differences): (usize, Vec<String>)) {
    println!("{NAME}: {statements} statements, {} differences: {what}", differences.len());
    assert!(statements > 37_000, "{statements}");
    assert!(differences.is_empty(), "{what}: {:#?}", &differences[..differences.len().min(10)]);
}

/// The same value, or the same message.
fn difference<T: PartialEq + Debug>(
    sql: &str,
    ours: &Result<T, Error>,
    theirs: &Result<T, c_route::Error>,
) -> Option<String> {
    let same = match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => ours == theirs,
        (Err(ours), Err(theirs)) => ours.message() == theirs.message,
        _ => false,
    };
    (!same).then(|| format!("{sql}\n  ours   {ours:?}\n  theirs {theirs:?}"))
}

#[test]
fn fingerprints() {
    let differs = |sql: &str| {
        let ours = pg::fingerprint(sql).map(|fingerprint| fingerprint.to_string());
        difference(sql, &ours, &c_route::fingerprint(sql, 0, 0))
    };
    none("fingerprint", over_corpus(differs));
}

#[test]
fn shipped_fingerprints() {
    let major = super::raw::PG_VERSION_NUM / 10_000;
    // The later packages have no tests.
    let cases = corpus::fingerprint_cases(major.min(16));
    assert!(cases.len() > 60, "{}", cases.len());
    // 18 has settings that should return the results of earlier versions.
    let options = match major {
        18.. => FingerprintOptions::pg17_compat(),
        _ => FingerprintOptions::default(),
    };
    let other = cases.iter().filter(|(sql, expected)| {
        let ours = pg::fingerprint_with(sql, ParserOptions::default(), options);
        ours.unwrap_or_else(|error| panic!("{sql}: {error}")).to_string() != *expected
    });
    let words = |sql: &str| sql.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let other: Vec<_> = other.map(|(sql, _)| words(sql)).collect();
    // Their trees differ in later versions.
    let changed: &[&str] = match major {
        17 => &["DEALLOCATE ALL", "MERGE into", "MERGE INTO"],
        18.. => &[
            "DEALLOCATE ALL",
            "START TRANSACTION",
            "CREATE TEMPORARY",
            "MERGE into",
            "ALTER TABLE",
            "MERGE INTO",
        ],
        _ => &[],
    };
    assert_eq!(other, changed);
}

/// An empty string that is not a separate node is absent in the tree.
const EMPTY_STRINGS: &str = "''";
/// The places of such a string.
const WITH_EMPTY_STRINGS: [&str; 5] =
    ["CommentStmt", "CreateConversionStmt", "CreateSubscriptionStmt", "NotifyStmt", "SecLabelStmt"];

#[test]
fn fingerprints_of_trees() {
    let differs = |sql: &str| {
        let tree = pg::parse(sql).ok()?;
        let (ours, texts) = (Ok(tree.fingerprint()), pg::fingerprint(sql));
        let types = tree.statement_types();
        let excused = sql.contains(EMPTY_STRINGS)
            && types.iter().any(|stmt| WITH_EMPTY_STRINGS.contains(stmt));
        let same = ours == texts || excused;
        (!same).then(|| format!("{sql}\n  tree {ours:?}\n  text {texts:?}"))
    };
    none("fingerprint of the tree", over_corpus(differs));
}

#[test]
fn fingerprint_options() {
    for bits in 1..8 {
        let on = |bit: u32| bits >> bit & 1 == 1;
        let options = FingerprintOptions::default()
            .ignore_aliases(on(0))
            .include_schema(on(1))
            .full_relname(on(2));
        let theirs = (bits & 3) | (bits & 4) << 2;
        let ours = |sql: &str| pg::fingerprint_with(sql, ParserOptions::default(), options);
        if MAJOR < 18 {
            assert_eq!(ours("SELECT 1").unwrap_err().kind(), ErrorKind::Unsupported);
            continue;
        }
        for sql in corpus::own_statements().iter().chain(&FINGERPRINTED.map(str::to_owned)) {
            let ours = ours(sql).map(|fingerprint| fingerprint.to_string());
            let found = difference(sql, &ours, &c_route::fingerprint(sql, 0, theirs));
            assert_eq!(found, None, "{options:?}");
            if let Ok(tree) = pg::parse(sql)
                && !sql.contains(EMPTY_STRINGS)
            {
                let of_tree = tree.protobuf.fingerprint_with(options).map(|f| f.to_string());
                assert_eq!(of_tree.ok(), ours.ok(), "{options:?}: {sql}");
            }
        }
    }
}

/// Nodes below a hundred levels do not count; the exact limit depends on the kind of nesting.
#[test]
fn fingerprints_end_at_a_depth() {
    type Shape = fn(usize) -> String;
    let shapes: [Shape; 9] = [
        |n| format!("SELECT {}x{}", "f(".repeat(n), ")".repeat(n)),
        |n| format!("SELECT {}x", "NOT ".repeat(n)),
        |n| format!("SELECT x{}", " + y".repeat(n)),
        |n| format!("SELECT x{}", " UNION SELECT y".repeat(n)),
        |n| format!("{}SELECT x{}", "SELECT (".repeat(n), ")".repeat(n)),
        |n| format!("{}SELECT DISTINCT x{}", "SELECT DISTINCT (".repeat(n), ")".repeat(n)),
        |n| {
            format!(
                "{}t CROSS JOIN u{}",
                "SELECT * FROM ".to_owned() + &"(".repeat(n),
                " AS a)".repeat(n)
            )
        },
        |n| format!("SELECT * FROM t WHERE x IN {}1, y{}", "(".repeat(n), ")".repeat(n)),
        |n| {
            format!(
                "WITH {}a AS (SELECT 1) TABLE a",
                "a AS (WITH ".repeat(n) + &") SELECT 1), ".repeat(n)
            )
        },
    ];
    let mut compared = 0;
    for shape in shapes {
        for n in 1..130 {
            let sql = shape(n);
            let ours = pg::fingerprint(&sql).map(|fingerprint| fingerprint.to_string());
            assert_eq!(difference(&sql, &ours, &c_route::fingerprint(&sql, 0, 0)), None);
            if let Ok(tree) = pg::parse(&sql) {
                assert_eq!(Ok(tree.fingerprint()), pg::fingerprint(&sql), "{sql}");
                compared += 1;
            }
        }
    }
    assert!(compared > 800, "{compared}");
}

fn rename(select: &mut pg::protobuf::SelectStmt, name: &str) {
    let Some(pg::NodeEnum::RangeVar(table)) =
        &mut select.larg.as_mut().unwrap().from_clause[0].node
    else {
        panic!()
    };
    name.clone_into(&mut table.relname);
}

/// The tree need not come from the parser.
#[test]
fn fingerprints_of_changed_trees() {
    let tree = pg::parse("SELECT a FROM t UNION SELECT b").unwrap();
    let change = |f: fn(&mut pg::protobuf::SelectStmt)| {
        let mut tree = tree.clone();
        let node = tree.protobuf.stmts[0].stmt.as_mut().unwrap().node.as_mut();
        let Some(pg::NodeEnum::SelectStmt(select)) = node else { panic!() };
        f(select);
        tree.fingerprint()
    };
    let unchanged = tree.fingerprint();
    assert_eq!(change(|_| {}), unchanged);
    // Missing nodes are not nodes.
    assert_eq!(change(|select| select.where_clause = Some(Box::default())), unchanged);
    let nothing = |select: &mut pg::protobuf::SelectStmt| {
        select.group_clause = vec![pg::Node::default(), pg::Node::default()];
    };
    assert_eq!(change(nothing), unchanged);
    assert_ne!(change(|select| select.distinct_clause = vec![pg::Node::default()]), unchanged);
    // A value that is not a constant is the first one.
    let other = change(|select| select.op = 77);
    assert_ne!(other, unchanged);
    assert_eq!(other, change(|select| select.op = pg::protobuf::SetOperation::SetopNone as i32));
    assert_eq!(other, change(|select| select.op = 0));
    // A string that C cannot hold counts anyway.
    assert_ne!(change(|select| rename(select, "a\0b")), change(|select| rename(select, "a")));
}

const FINGERPRINTED: [&str; 4] = [
    "SELECT * FROM s.t_2024_01 a JOIN public.u_77 ON a.id = u_77.id",
    "UPDATE s.t_01 AS a SET b = 1 FROM s.c_99",
    "MERGE INTO s.t_10 a USING s.u_20 b ON a.i = b.i WHEN MATCHED THEN DELETE",
    "CREATE TABLE s.t_2024_01 (LIKE s.u_2023)",
];

/// Normalized SQL as libpg_query returns it.
fn libpg_query_s(sql: &str, options: NormalizeOptions) -> Result<String, Error> {
    pg::normalize_with(sql, ParserOptions::default(), options.as_libpg_query(true))
}

#[test]
fn normalized() {
    let differs = |sql: &str| {
        let ours = libpg_query_s(sql, NormalizeOptions::default());
        difference(sql, &ours, &c_route::normalize(sql, false))
    };
    none("normalize", over_corpus(differs));
}

#[test]
fn normalized_utility() {
    let options = NormalizeOptions::default().utility(true);
    if MAJOR < 17 {
        let error = libpg_query_s("SELECT 1", options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        return;
    }
    let differs =
        |sql: &str| difference(sql, &libpg_query_s(sql, options), &c_route::normalize(sql, true));
    none("normalize_utility", over_corpus(differs));
}

#[test]
fn tokens() {
    let differs = |sql: &str| {
        let ours = pg::scan(sql).map(|scan| {
            let token = |token: &pg::ScanToken| {
                // A character that is not a token of the grammar is its own code in C.
                let code = match token.token {
                    Token::Nul => i32::from(sql.as_bytes()[token.start as usize]),
                    token => token as i32,
                };
                let offset = |offset: u32| offset.cast_signed();
                (code, token.keyword_kind as i32, offset(token.start), offset(token.end))
            };
            scan.tokens.iter().map(token).collect::<Vec<_>>()
        });
        let theirs = c_route::scan(sql).map(|scan| {
            let token = |token: &pg::protobuf::ScanToken| {
                (token.token, token.keyword_kind, token.start, token.end)
            };
            scan.tokens.iter().map(token).collect::<Vec<_>>()
        });
        difference(sql, &ours, &theirs).filter(|_| match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => !ours.iter().map(cut_short).eq(theirs.iter().map(cut_short)),
            _ => true,
        })
    };
    none("scan", over_corpus(differs));
}

/// Before 17, libpg_query's strings and names with Unicode escapes (`U&'..'`) end at their start.
fn cut_short(token: &(i32, i32, i32, i32)) -> (i32, i32, i32, i32) {
    let &(code, kind, start, end) = token;
    let unicode = [Token::Usconst as i32, Token::Uident as i32].contains(&code);
    (code, kind, start, if unicode && MAJOR < 17 { start } else { end })
}

#[test]
fn split_by_the_parser() {
    let differs = |sql: &str| {
        difference(sql, &places(sql, pg::split_with_parser(sql)), &c_route::split(sql, false))
    };
    none("split_with_parser", over_corpus(differs));
}

#[test]
fn split_by_the_scanner() {
    let differs = |sql: &str| {
        let ours = places(sql, pg::split_with_scanner(sql));
        let theirs = c_route::split(sql, true);
        difference(sql, &ours, &theirs).filter(|_| match (ours, theirs) {
            // If libpg_query omits a statement, ours has it in addition.
            (Ok(ours), Ok(theirs)) => {
                let more: Vec<_> = ours.iter().filter(|place| !theirs.contains(place)).collect();
                let as_well = theirs.iter().all(|place| ours.contains(place));
                !as_well || !more.iter().all(|(start, len)| is_left_out(&sql[*start..start + len]))
            }
            _ => true,
        })
    };
    none("split_with_scanner", over_corpus(differs));
}

/// The tokens that libpg_query's scanner omits: not a keyword, or an unbalanced parenthesis.
fn is_left_out(stmt: &str) -> bool {
    let tokens = pg::scan(stmt).expect("it has been scanned").tokens;
    let count = |kind| tokens.iter().filter(|token| token.token == kind).count();
    let keyword = |token: &pg::ScanToken| token.keyword_kind as i32 != 0;
    !tokens.iter().any(keyword) || count(Token::Ascii40) != count(Token::Ascii41)
}

fn places(sql: &str, stmts: Result<Vec<&str>, Error>) -> Result<Vec<(usize, usize)>, Error> {
    let place = |stmt: &&str| (stmt.as_ptr() as usize - sql.as_ptr() as usize, stmt.len());
    Ok(stmts?.iter().map(place).collect())
}

#[test]
fn long_and_deep() {
    // Deeper than the thread's own stack allows.
    let chain = format!("SELECT 1{}", " UNION SELECT 1".repeat(3_000));
    let normalized = pg::normalize(&chain).expect("it is deep, and correct");
    assert!(normalized.ends_with("SELECT $3001"), "{}", &normalized[normalized.len() - 20..]);
    pg::fingerprint(&chain).expect("it is deep, and correct");
    // Deeper than any stack.
    let nested = format!("SELECT {}1{}", "(SELECT ".repeat(100_000), ")".repeat(100_000));
    for kind in [pg::normalize(&nested).map(drop), pg::fingerprint(&nested).map(drop)] {
        assert_eq!(kind.unwrap_err().kind(), ErrorKind::TooDeep);
    }
    for sql in ["SELECT '", "SELECT \0", "SELEC"] {
        assert!(pg::normalize(sql).is_err() && pg::fingerprint(sql).is_err(), "{sql}");
    }
    for empty in ["", "-- nothing", ";;"] {
        assert_eq!(pg::normalize(empty).as_deref(), Ok(empty));
        assert_eq!(pg::split_with_scanner(empty), Ok(vec![]));
        assert_eq!(pg::split_with_parser(empty), Ok(vec![]));
        assert_eq!(pg::fingerprint(empty), Ok(pg::parse(empty).unwrap().fingerprint()));
    }
}

#[test]
fn constants_that_overlap() {
    // Before 17, libpg_query searches for the SQL of some constants, and may find it in another one.
    for sql in [
        "CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p WITH (a = 'x x')",
        "CREATE SUBSCRIPTION x CONNECTION 'x' PUBLICATION x",
        "CREATE SUBSCRIPTION s CONNECTION '' PUBLICATION p",
        "ALTER SUBSCRIPTION é CONNECTION 'é'",
        "ALTER ROLE \"é'é\" PASSWORD 'é'",
        "CREATE FUNCTION \"$\"() RETURNS int LANGUAGE \"'\" AS 'a', 'b'",
        "/* 'p' */ SELECT 'a'; ALTER SUBSCRIPTION s CONNECTION 'a'",
        "SELECT 'a x b', 1; CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p",
    ] {
        assert!(pg::normalize(sql).is_ok(), "{sql}");
        match libpg_query_s(sql, NormalizeOptions::default()) {
            Ok(normalized) => assert_ne!(normalized, "", "{sql}"),
            Err(error) if MAJOR < 17 => {
                let kinds = [ErrorKind::Unsupported, ErrorKind::InvalidEncoding];
                assert!(kinds.contains(&error.kind()), "{sql}: {error:?}");
            }
            Err(error) => panic!("{sql}: {error}"),
        }
    }
}

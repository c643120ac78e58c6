//! Scripts: the statements, their places, and errors in some.

use std::time::Instant;

use pg_ast::ErrorKind;

use super::pg::{self, ScriptStmt, parse_script};
use crate::common::{corpus, without_locations};

fn texts<'a>(script: &'a str, stmts: &[ScriptStmt]) -> Vec<&'a str> {
    stmts.iter().map(|stmt| stmt.text(script)).collect()
}

#[test]
fn statements_are_what_psql_takes_for_them() {
    let script = r#"\set ON_ERROR_STOP on
-- a comment; with a semicolon
SELECT ';', E'\';', "a;b", $$;$$, $x$ ; $$ $x$, $1; /* ; /* ; */ ; */ SELECT (1);
SELECT 2 \gset
BEGIN\; SELECT 3\; END;;
CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END;
create table "begin" (a int);
SELECT 4 -- the last one
"#;
    let stmts = parse_script(script);
    let expected = [
        r#"SELECT ';', E'\';', "a;b", $$;$$, $x$ ; $$ $x$, $1"#,
        "SELECT (1)",
        "SELECT 2",
        "BEGIN",
        "SELECT 3",
        "END",
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END",
        "create table \"begin\" (a int)",
        "SELECT 4",
    ];
    assert_eq!(texts(script, &stmts), expected);
    assert!(stmts.iter().all(|stmt| stmt.result.is_ok()), "{stmts:#?}");
}

#[test]
fn data_of_copy_is_passed_over() {
    let script = "COPY t FROM stdin;\n1;2'\n\\N\n\\.\nSELECT 1;\nCOPY t FROM 'file';\nSELECT 2;\n\
                  COPY t (a FROM stdin;\nSELECT 3;\nCOPY t TO stdout;\nCOPY t FROM stdin;\r\nx\r\n\\.\r\n\
                  SELECT 4;\nCOPY t FROM stdin;\nSELECT 5";
    let stmts = parse_script(script);
    let selects: Vec<_> =
        texts(script, &stmts).into_iter().filter(|text| text.starts_with("SELECT")).collect();
    assert_eq!(selects[..2], ["SELECT 1", "SELECT 2"]);
    // In unclosed parentheses, a semicolon ends nothing.
    let rest = &script[script.find("COPY t (a").unwrap()..];
    let broken = stmts.iter().find(|stmt| stmt.result.is_err()).expect("an error");
    assert!(rest.starts_with(broken.text(script)));
    let script = &script[script.find("COPY t TO").unwrap()..];
    let stmts = parse_script(script);
    let expected = ["COPY t TO stdout", "COPY t FROM stdin", "SELECT 4", "COPY t FROM stdin"];
    assert_eq!(texts(script, &stmts), expected);
}

#[test]
fn data_is_where_it_is() {
    let script = "COPY t FROM stdin; SELECT 1;\n1\t'\n2\n\\.\nCOPY v TO stdout\nSELECT 2;\n\
                  COPY t FROM stdin;\n\\.\nCOPY t FROM 'f';\nCOPY (SELECT 3) TO stdout;\nCOPY t FROM stdin;\n4\n";
    let data: Vec<_> = parse_script(script)
        .into_iter()
        .map(|stmt| (stmt.text(script), stmt.copy_data.as_ref().map(|data| &script[data.clone()])))
        .collect();
    let expected = [
        ("COPY t FROM stdin", Some("1\t'\n2\n\\.")),
        ("SELECT 1", None),
        // It lacks its semicolon.
        ("COPY v TO stdout", None),
        ("SELECT 2", None),
        ("COPY t FROM stdin", Some("\\.")),
        ("COPY t FROM 'f'", None),
        ("COPY (SELECT 3) TO stdout", None),
        // Without a line that is `\.`, the rest is data.
        ("COPY t FROM stdin", Some("4\n")),
    ];
    assert_eq!(data, expected);
    let script = "COPY t FROM stdin;\r\n1\r\n\\.\r\nSELECT 1";
    let checked = pg_ast::Version::newest().parse_script(script);
    assert_eq!(checked[0].copy_data.as_ref().map(|data| &script[data.clone()]), Some("1\r\n\\.\r"));
    assert_eq!(checked[1].copy_data, None);
}

#[test]
fn data_may_end_with_the_script() {
    let found = |script: &'static str| {
        let stmts = parse_script(script);
        let stmt = |stmt: &ScriptStmt| {
            let data = stmt.copy_data.clone().map(|data| &script[data]);
            (&script[stmt.range.clone()], stmt.result.is_ok(), data)
        };
        stmts.iter().map(stmt).collect::<Vec<_>>()
    };
    let copy = "COPY t FROM stdin";
    assert_eq!(found("COPY t FROM stdin;\n1\t'\n(;"), [(copy, true, Some("1\t'\n(;"))]);
    assert_eq!(found("COPY t FROM stdin;\n\n"), [(copy, true, Some("\n"))]);
    for script in ["COPY t FROM stdin", "COPY t FROM stdin;", "COPY t FROM stdin;\n"] {
        assert_eq!(found(script), [(copy, true, None)], "{script:?}");
    }
    // The rest of the line is not data. What does not end on it goes on after the data, which does not end.
    assert_eq!(
        found("COPY t FROM stdin; SELECT 1; SELECT\n2;\n"),
        [(copy, true, Some("2;\n")), ("SELECT 1", true, None), ("SELECT", true, None)]
    );
    assert_eq!(found("SELECT 1;\n\\copy t from stdin\nSELECT 2;\n"), [("SELECT 1", true, None)]);
    // A second COPY has the data after that of the first one.
    assert_eq!(
        found("COPY t FROM stdin; COPY t FROM stdin;\n1\n\\.\n2\n"),
        [(copy, true, Some("1\n\\.")), (copy, true, Some("2\n"))]
    );
}

#[test]
fn a_wrong_copy_may_have_data() {
    let found = |script: &str| {
        let stmts = parse_script(script);
        let stmt = |stmt: &ScriptStmt| {
            let data = stmt.copy_data.clone().map(|data| &script[data]);
            (script[stmt.range.clone()].to_owned(), stmt.result.is_ok(), data.map(str::to_owned))
        };
        stmts.iter().map(stmt).collect::<Vec<_>>()
    };
    let with_data = |copy: &str| {
        let stmts = found(&format!("{copy};\r\n1\t';\r\n\\.\r\nSELECT 1;"));
        assert_eq!(stmts.len(), 2, "{stmts:?}");
        assert_eq!(stmts[0], (copy.to_owned(), false, Some("1\t';\r\n\\.\r".to_owned())));
        assert_eq!(stmts[1], ("SELECT 1".to_owned(), true, None));
    };
    with_data("COPY t FRM stdin");
    with_data("COPY :t FROM STDIN");
    with_data("copy\nt (a, 'b') from /* ; */ stdin");
    with_data("COPY t (a FROM stdin");
    // No other statement is taken for data, if it has none.
    for (script, count) in [
        ("COPY t FRM stdin;\nSELECT 1;\nSELECT 2;\n", 3),
        ("COPY t FRM stdin;\nSELECT 1;\nCOPY t FROM stdin;\n\\.\nSELECT 2;\n", 4),
        ("COPY t FRM stdin;\nSELECT 1;\n\\copy t from stdin\n\\.\nSELECT 2;\n", 3),
        ("COPY t FRM 'stdin';\nSELECT 1;\n\\.\n", 2),
        ("COPY t FRM \"stdin\";\nSELECT 1;\n\\.\n", 2),
        ("COPY t FRM /* stdin */ 'f';\nSELECT 1;\n\\.\n", 2),
        ("SELEC stdin;\nSELECT 1;\n\\.\n", 2),
        // Without a semicolon, it has not ended.
        ("COPY t FRM stdin\nSELECT 1;\n\\.\nSELECT 2;", 3),
    ] {
        let stmts = found(script);
        assert_eq!(stmts.len(), count, "{script}: {stmts:?}");
        assert!(!stmts[0].1 && stmts.iter().all(|stmt| stmt.2.as_deref() != Some("SELECT 1;")));
    }
}

#[test]
fn an_error_is_its_statements_own() {
    let script =
        "SELECT 'é'; SELECT 'ü' FROM FROM; SELECT E'\\xff'; SELECT 3; SELECT 'no end; SELECT 4";
    let stmts = parse_script(script);
    let found: Vec<_> = stmts
        .iter()
        .map(|stmt| stmt.result.as_ref().map_err(|error| (error.kind(), error.cursor())).err())
        .collect();
    let second = script.find("FROM;").unwrap();
    assert_eq!(found[0], None);
    assert_eq!(found[1], Some((ErrorKind::Syntax, Some(second))));
    assert!(found[2].is_some());
    assert_eq!(found[3], None);
    assert_eq!(found[4], Some((ErrorKind::Syntax, Some(script.find("'no end").unwrap()))));
    assert_eq!(stmts[4].text(script), "SELECT 'no end; SELECT 4");
}

#[test]
fn settings_and_warnings() {
    let script = r"SET standard_conforming_strings TO off;
SELECT 'a\';b';
SET standard_conforming_strings = 'on';
SELECT 'a\'; SELECT 1";
    let stmts = parse_script(script);
    assert_eq!(stmts.len(), 5);
    assert!(stmts.iter().all(|stmt| stmt.result.is_ok()), "{stmts:#?}");
    let warning = &stmts[1].result.as_ref().unwrap().warnings[0];
    assert_eq!(warning.cursor, script.find(r"'a\';b'"));
    for text in ["", " ", "-- a", "/* */", "\\", "\\;", ";;", "\\.\n"] {
        assert_eq!(parse_script(text), [], "{text}");
    }
    // A comment that nothing ends, which contains what follows.
    for (script, expected) in [
        ("/* ", &["/*"][..]),
        ("SELECT 1 /* a", &["SELECT 1 /* a"]),
        ("SELECT 1; /* a; SELECT 2;\n", &["SELECT 1", "/* a; SELECT 2;"]),
        ("SELECT 1 /* a /* b */; SELECT 2; \n", &["SELECT 1 /* a /* b */; SELECT 2;"]),
        ("SELECT 1 /* a\nSELECT 2;", &["SELECT 1 /* a", "SELECT 2"]),
    ] {
        let stmts = parse_script(script);
        assert_eq!(texts(script, &stmts), expected);
        let messages = stmts.iter().filter_map(|stmt| Some(stmt.result.as_ref().err()?.message()));
        let messages: Vec<_> = messages.collect();
        assert!(
            matches!(messages[..], [message] if message.starts_with("unterminated /* comment")),
            "{script}: {messages:?}"
        );
    }
    // Multi-byte characters in every place.
    for text in ["é", "'é", "\"é", "E'\\é", "$é", "$é$é", "\\é", "--é", "/*é", "(é", "é$é;é"]
    {
        for stmt in parse_script(text) {
            assert!(!stmt.text(text).is_empty());
        }
    }
}

#[test]
fn commands_of_psql_end_a_statement_or_stand_in_it() {
    // The statements of a script, with blanks in place of other parts.
    for (script, expected) in [
        ("SELECT 1 \\pset x\n + 1;", &["SELECT 1         \n + 1"][..]),
        // Arguments end at the next command, and `\\` ends the last.
        ("SELECT 1 \\echo a \\echo b \\\\ + 2;", &["SELECT 1                     + 2"]),
        (
            "SELECT 1 \\echo 'a\\\\b''' \"\\\\\" `\\\\` \\\\ , 2;",
            &["SELECT 1                                 , 2"],
        ),
        ("\\echo '\nSELECT 1;", &["SELECT 1"]),
        // The rest of the line, for commands that psql does not know.
        ("SELECT 1 \\ \\\\ 2\n, 3;", &["SELECT 1       \n, 3"]),
        ("SELECT 1 \\g; \\\\ 2\n, 3;", &["SELECT 1         \n, 3"]),
        ("SELECT 1 \\! ls \\\\ 2\n, 3;", &["SELECT 1           \n, 3"]),
        ("SELECT 1 \\o |cat \\\\ 2\n, 3;", &["SELECT 1             \n, 3"]),
        ("SELECT 1 \\o cat \\\\ , 2\n, 3;", &["SELECT 1            , 2\n, 3"]),
        ("SELECT 1 \\é \\\\ é\n, 2;", &["SELECT 1          \n, 2"]),
        // These send the statement.
        (
            "SELECT 1 \\g SELECT\nSELECT 2 \\gx\nSELECT 3 \\gset x_ \\\\ SELECT 4",
            &["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4"],
        ),
        (
            "SELECT 1\\gexec\nSELECT 2\\gdesc\nSELECT 3 \\crosstabview\nSELECT 4 \\watch 1\nSELECT 5",
            &["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4", "SELECT 5"],
        ),
        (
            "SELECT $1 \\bind 1 \\g\nSELECT $1 \\parse p\nSELECT 2 \\g |cat \\\\ SELECT 3\nSELECT 4",
            &["SELECT $1", "SELECT $1", "SELECT 2", "SELECT 4"],
        ),
        // Also in parentheses, which are then forgotten.
        ("SELECT (1 \\g\nSELECT 2; SELECT 3", &["SELECT (1", "SELECT 2", "SELECT 3"]),
        // These discard the statement.
        ("SELECT ( \\r\nSELECT 2; SELECT 3 \\reset \\\\ SELECT 4", &["SELECT 2", "SELECT 4"]),
        // For the server, a semicolon and a colon.
        ("SELECT 1 \\; SELECT 2\\;", &["SELECT 1", "SELECT 2"]),
        ("SELECT (1 \\; SELECT 2);", &["SELECT (1  ; SELECT 2)"]),
        ("SELECT a[1\\:2], '1'\\:\\:int, '2':\\:int", &["SELECT a[1 :2], '1'  ::int, '2' ::int"]),
        (
            "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1\\; END; SELECT 1",
            &["CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1 ; END", "SELECT 1"],
        ),
    ] {
        let stmts = parse_script(script);
        assert_eq!(stmts.len(), expected.len(), "{script}\n{stmts:#?}");
        for (stmt, expected) in stmts.iter().zip(expected) {
            let start = stmt.range.start;
            let tree = stmt.result.as_ref().map(|tree| without_locations(&tree.protobuf));
            match (tree, pg::parse(expected)) {
                (Ok(tree), Ok(alone)) => {
                    assert_eq!(tree, without_locations(&alone.protobuf), "{script}");
                }
                (Err(error), Err(alone)) => {
                    assert_eq!(error.message(), alone.message(), "{script}");
                    assert_eq!(error.cursor(), alone.cursor().map(|at| at + start), "{script}");
                }
                (ours, alone) => panic!("{script}\n{ours:?}\n{alone:?}"),
            }
        }
    }
    // Locations are those in the script.
    let script = "SELECT 'ä';\nSELECT \\echo ä\n a, '1'\\:\\:int";
    let stmts = parse_script(script);
    let tree = &stmts[1].result.as_ref().expect("parses").protobuf;
    let column = tree.nodes().find_map(|node| match node {
        pg::NodeRef::ColumnRef(column) => Some(column.location),
        _ => None,
    });
    assert_eq!(column, script.find("a, ").and_then(|at| i32::try_from(at).ok()));
    assert_eq!(stmts[1].text(script), &script[script.rfind("SELECT").unwrap()..]);
}

#[test]
fn strings_and_comments_end_where_they_do_for_the_server() {
    for (script, expected) in [
        ("SELECT 1 -- a; b\r+ 2; SELECT 3", &["SELECT 1 -- a; b\r+ 2", "SELECT 3"][..]),
        ("SELECT E'a''\\';'; SELECT 2", &["SELECT E'a''\\';'", "SELECT 2"]),
        (
            "SELECT E'a' -- b'\n\n 'c\\';d'; SELECT 2",
            &["SELECT E'a' -- b'\n\n 'c\\';d'", "SELECT 2"],
        ),
        ("SELECT 1$$;$$; SELECT 2", &["SELECT 1$$;$$", "SELECT 2"]),
        ("\u{FEFF}SELECT 1;\u{FEFF}SELECT 2", &["SELECT 1", "\u{FEFF}SELECT 2"]),
        (
            "SET standard_conforming_strings = off; SELECT b'1\\', U&'\\', x'\\'; SELECT '\\';'",
            &[
                "SET standard_conforming_strings = off",
                "SELECT b'1\\', U&'\\', x'\\'",
                "SELECT '\\';'",
            ],
        ),
        (
            "SET standard_conforming_strings = off; SELECT 'a\\';' -- '\n '\\';'; SELECT 2",
            &["SET standard_conforming_strings = off", "SELECT 'a\\';' -- '\n '\\';'", "SELECT 2"],
        ),
    ] {
        assert_eq!(texts(script, &parse_script(script)), expected, "{script}");
    }
    assert!(parse_script("\u{FEFF}SELECT 1")[0].result.is_ok());
}

#[test]
fn the_line_of_a_copy_goes_on_after_it() {
    let script = "COPY t FROM stdin; SELECT 1;\n;\n\\.\nSELECT 2;\n\
                  COPY t FROM stdin; COPY u FROM stdin; SELECT\n1'\n\\.\n2'\n\\.\r\n3; -- a\n\
                  COPY t FROM stdin; -- the data\n'\n\\.\n\
                  \\copy t (a) from stdin with (delimiter ';') \\.\n'\n\\.\n\
                  \\COPY t FROM STDIN;\n'\n\\.\n\
                  \\copy t from stdin.csv\n\\copy (select a from stdin) to x\nSELECT 4;\n\
                  COPY t FROM PROGRAM 'stdin';\nSELECT 5;\n";
    let stmts = parse_script(script);
    let expected = [
        "COPY t FROM stdin",
        "SELECT 1",
        "SELECT 2",
        "COPY t FROM stdin",
        "COPY u FROM stdin",
        "SELECT\n1'\n\\.\n2'\n\\.\r\n3",
        "COPY t FROM stdin",
        "SELECT 4",
        "COPY t FROM PROGRAM 'stdin'",
        "SELECT 5",
    ];
    assert_eq!(texts(script, &stmts), expected);
    assert!(stmts.iter().all(|stmt| stmt.result.is_ok()), "{stmts:#?}");
    assert_eq!(stmts[5].result.as_ref().unwrap().to_string(), "SELECT 3");
    // SQL that only resembles it has no data.
    let script = "COPY t FROM PROGRAM 'x';\nSELECT 1;\n\\.\n\\copy t from f\nSELECT 2;\n\\.\n";
    assert_eq!(parse_script(script).len(), 3);
}

#[test]
fn copies_take_no_longer_than_other_statements() {
    const COUNT: usize = 10_000;
    let time = |script: &str| {
        let start = Instant::now();
        assert_eq!(parse_script(script).len(), COUNT);
        start.elapsed()
    };
    let usual = time(&"COPY t FROM 'stdin';\n".repeat(COUNT));
    // Without data and with it, on many lines and on one; and wrong ones.
    for script in [
        "COPY t FROM stdin;".repeat(COUNT),
        "COPY t FROM stdin;\nx\n\\.\n".repeat(COUNT),
        "COPY t FROM stdin;".repeat(COUNT) + &"\nx\n\\.".repeat(COUNT),
        "COPY t FROM stdin;\n\\.\n".repeat(COUNT - 1)
            + "COPY t FROM stdin;\n"
            + &"1\n;".repeat(COUNT),
        "COPY t FRM stdin;\n".repeat(COUNT),
        "COPY t FRM stdin;".repeat(COUNT),
        "COPY t FRM stdin;".repeat(COUNT) + &"\nx\n\\.".repeat(COUNT),
        "SELECT 1;COPY t FRM stdin;\n".repeat(COUNT / 2),
    ] {
        let taken = time(&script);
        assert!(taken < usual * 8, "{taken:?}, and {usual:?} for others: {}", &script[..30]);
    }
}

#[test]
fn what_becomes_of_standard_conforming_strings() {
    const OFF: &str = "SET standard_conforming_strings TO off;";
    // Tests whether a backslash is an escape after these.
    for (statements, escapes) in [
        ("SET Standard_Conforming_Strings TO 'OF';", true),
        ("SET standard_conforming_strings = 0;", true),
        ("SET standard_conforming_strings = 'fal';", true),
        // These are errors.
        ("SET standard_conforming_strings = o;", false),
        ("SET standard_conforming_strings = 2;", false),
        ("SET standard_conforming_strings = off, off;", false),
        // Only in a transaction.
        ("SET LOCAL standard_conforming_strings = off;", false),
        ("{off} RESET standard_conforming_strings;", false),
        ("{off} SET standard_conforming_strings TO DEFAULT;", false),
        ("{off} SET standard_conforming_strings = perhaps;", true),
        ("{off} RESET ALL;", false),
        ("{off} DISCARD ALL;", false),
        ("{off} DISCARD PLANS;", true),
        ("{off} BEGIN; RESET ALL; ROLLBACK;", true),
        ("{off} SET other = on; RESET other;", true),
        ("{off}\n\\c db\n", false),
        ("BEGIN; {off} COMMIT;", true),
        ("BEGIN; {off} PREPARE TRANSACTION 'x';", true),
        ("BEGIN; {off} ROLLBACK;", false),
        ("BEGIN; {off} ROLLBACK AND CHAIN;", false),
        ("BEGIN; SET LOCAL standard_conforming_strings = off;", true),
        ("BEGIN; SET LOCAL standard_conforming_strings = off; COMMIT;", false),
        ("BEGIN; {off} SET LOCAL standard_conforming_strings = on; END;", true),
        ("BEGIN; {off} COMMIT AND CHAIN; SET standard_conforming_strings = on; ABORT;", true),
        ("BEGIN; SAVEPOINT a; {off} ROLLBACK TO a;", false),
        ("BEGIN; {off} SAVEPOINT a; RESET ALL; SAVEPOINT b; ROLLBACK TO a;", true),
        ("BEGIN; SAVEPOINT a; {off} SAVEPOINT a; RELEASE a; ROLLBACK TO a;", false),
        ("BEGIN; SAVEPOINT a; {off} RELEASE a; ROLLBACK TO a;", true),
        ("ROLLBACK; {off} ROLLBACK; COMMIT;", true),
    ] {
        // With escapes it is one string, without them two statements.
        let script = statements.replace("{off}", OFF) + r"SELECT '\', ';'";
        let stmts = parse_script(&script);
        let last = stmts.last().expect("a statement");
        assert_eq!(last.text(&script) == "'", escapes, "{script}");
        assert_eq!(last.result.is_err(), escapes, "{script}");
    }
}

/// Returns whether the lines after a statement may be its data.
fn has_data(sql: &str) -> bool {
    let lower = sql.to_lowercase();
    lower.contains("copy") && lower.contains("std")
}

/// PostgreSQL parses several statements as a whole, with locations that count from its start.
#[test]
fn trees_are_those_of_the_whole_text() {
    let mut statements = corpus::own_statements();
    statements.extend(corpus::statements());
    statements.sort();
    statements.dedup();
    // Only in scripts does a statement affect the next ones.
    statements.retain(|sql| {
        let lower = sql.to_lowercase();
        !lower.contains("standard_conforming_strings") && !has_data(sql) && pg::parse(sql).is_ok()
    });
    let mut count = 0;
    for statements in statements.chunks(500) {
        let script = statements.join("\n;\n");
        let whole = pg::parse(&script).expect("parses");
        let stmts = parse_script(&script);
        let parts = stmts.iter().flat_map(|stmt| {
            let trees = &stmt.result.as_ref().expect("parses").protobuf.stmts;
            trees.iter().map(move |tree| (stmt, tree))
        });
        let mut all = whole.protobuf.stmts.iter();
        for ((stmt, tree), whole) in parts.zip(all.by_ref()) {
            assert!(tree.stmt == whole.stmt, "{}", stmt.text(&script));
            let start = usize::try_from(tree.stmt_location).unwrap();
            let end = start + usize::try_from(tree.stmt_len).unwrap();
            assert!(stmt.range.start <= start && end <= stmt.range.end, "{}", stmt.text(&script));
            count += 1;
        }
        assert_eq!(all.len(), 0);
    }
    assert!(count > 35_000, "{count}");
}

#[test]
fn trees_are_those_of_the_statements_alone() {
    let mut own = corpus::own_statements();
    own.retain(|sql| !has_data(sql));
    let script = own.join(";\n");
    let stmts = parse_script(&script);
    let alone = |sql: &str| pg::parse(sql).map(|tree| without_locations(&tree.protobuf));
    for stmt in &stmts {
        let tree = stmt.result.as_ref().map(|tree| without_locations(&tree.protobuf));
        match (tree, alone(stmt.text(&script))) {
            (Ok(tree), Ok(alone)) => assert_eq!(tree, alone),
            (Err(error), Err(alone)) => {
                assert_eq!(error.message(), alone.message());
                // An error without a place is at the statement.
                let moved = stmt.range.start + alone.cursor().unwrap_or(0);
                assert_eq!(error.cursor(), Some(moved));
            }
            (tree, alone) => panic!("{}: {tree:?} {alone:?}", stmt.text(&script)),
        }
    }
    assert!(stmts.len() >= own.len(), "{} of {}", stmts.len(), own.len());
}

//! Whole scripts: errors, comments that silence rules, and all fixes.

use pg_ast::Expected;
use pg_ast_lint::{Applicability, Options, Rule, fix, lint};

use crate::{every_rule, finds, passes};

fn all(script: &str) -> Vec<(Rule, &str)> {
    let found = lint(script, &every_rule());
    found.iter().map(|finding| (finding.rule, &script[finding.range.clone()])).collect()
}

#[test]
fn errors_are_findings() {
    let script = "SELECT 'ä';\nSELECT a FORM t;\nDELETE FROM t;\nALTER TABLE t ALTER c;\nSELECT 'x";
    let found = lint(script, &every_rule());
    let parts: Vec<_> = found.iter().map(|it| (it.rule, &script[it.range.clone()])).collect();
    assert_eq!(
        parts,
        [
            (Rule::SyntaxError, "t"),
            (Rule::DeleteWithoutWhere, "t"),
            (Rule::SyntaxError, ""),
            (Rule::SyntaxError, "'"),
        ]
    );
    assert_eq!(found[0].message, "syntax error at or near \"t\"");
    assert_eq!(found[0].help.as_deref(), Some("did you mean FROM?"));
    assert!(found[0].expected.contains(&Expected::Keyword("FROM")));
    let guess = found[0].fix.as_ref().unwrap();
    assert_eq!(guess.applicability, Applicability::Guess);
    assert_eq!(guess.changes, [(22..26, "FROM".to_owned())]);
    assert_eq!(&script[22..26], "FORM");
    assert!(found[2].expected.contains(&Expected::Keyword("TYPE")) && found[2].help.is_none());
    assert!(found[3].message.starts_with("unterminated quoted string"));
    assert!(found[3].expected.is_empty());

    let lower = lint("select a form t", &every_rule());
    assert_eq!(lower[0].fix.as_ref().unwrap().changes[0].1, "from");
}

/// The SQL that they name may have several lines.
#[test]
fn messages_have_one_line() {
    for script in
        ["SELECT 1 \"a\nb\" \"c\rd\"", "SELECT 1 1\n'\t\n\u{1}'", "SELECT U&'a\nb' UESCAPE 'x\ny'"]
    {
        let found = lint(script, &every_rule());
        assert_eq!(found.len(), 1, "{script}");
        for line in [Some(&found[0].message), found[0].help.as_ref()].into_iter().flatten() {
            assert!(!line.contains(char::is_control), "{line:?}");
        }
    }
    let found = lint("SELECT 1 1 \"a\nb\"", &every_rule());
    assert_eq!(found[0].message, "syntax error at or near \"1\"");
    let found = lint("SELECT a b \"c\nd\"", &every_rule());
    assert_eq!(found[0].message, "syntax error at or near \"\"c\\nd\"\"");
}

#[test]
fn what_psql_alone_knows_is_passed_over() {
    let script = "\\set x 1\nCOPY t FROM stdin;\n1\tDELETE FROM t;\n\\.\nDELETE FROM u \\g\nSELECT *\n\\echo\nFROM v;";
    // The last one has a command in it, and no ranges.
    let last = "SELECT *\n\\echo\nFROM v";
    assert_eq!(all(script), [(Rule::DeleteWithoutWhere, "u"), (Rule::SelectStar, last)]);
    let escapes = "SET standard_conforming_strings = off; SELECT '\\'', * FROM t";
    assert_eq!(all(escapes), [(Rule::SelectStar, "*")]);
}

#[test]
fn comments_silence_rules() {
    let rule = Rule::DeleteWithoutWhere;
    passes(rule, "-- pgast-ignore\nDELETE FROM t");
    passes(rule, "-- pgast-ignore delete-without-where\nDELETE FROM t");
    passes(rule, "/* pgast-ignore select-star, delete-without-where */ DELETE FROM t");
    passes(
        rule,
        "SELECT 1; --  pgast-ignore  delete-without-where since it is meant, and\n\nDELETE FROM t",
    );
    // The next statement alone, and these rules alone.
    let after = "-- pgast-ignore delete-without-where\nDELETE FROM t; DELETE FROM u";
    finds(rule, after, &["u"]);
    finds(rule, "-- pgast-ignore select-star\nDELETE FROM t", &["t"]);
    finds(rule, "-- pgast-ignored\nDELETE FROM t", &["t"]);
    finds(rule, "-- no pgast-ignore\nDELETE FROM t", &["t"]);
    finds(rule, "SELECT '-- pgast-ignore'; DELETE FROM t", &["t"]);
    finds(Rule::SyntaxError, "-- pgast-ignore syntax-error\nSELEC 1; SELEC 2", &["SELEC"]);

    finds(Rule::UnknownRule, "-- pgast-ignore select-stars, x\nSELECT 1", &["select-stars", "x"]);
    let found = lint("-- pgast-ignore select-stars\nSELECT 1", &every_rule());
    assert!(found[0].message.ends_with("did you mean `select-star`?"));
}

/// Why nothing else is found below it.
#[test]
fn copy_data_without_an_end() {
    let rule = Rule::OpenCopyData;
    let copy = "COPY t FROM stdin";
    finds(rule, "SELECT 1;\nCOPY t FROM stdin; SELECT 2;\n1\t2\nSELEC 1;\n", &[copy]);
    finds(rule, "COPY t FROM stdin;\n1\n\\.\nCOPY t FROM stdin;\n1\n\\. \n", &[copy]);
    finds(rule, "SELECT 1;\n\\COPY t from stdin\n1\n", &["\\COPY t from stdin"]);
    for script in [
        "COPY t FROM stdin;\n1\n\\.",
        "COPY t FROM stdin;\r\n1\r\n\\.\r\n",
        "COPY t FROM stdin;\n\\.\r",
        // Nothing is data.
        "SELECT 1; COPY t FROM stdin;\n",
        "COPY t TO stdout;\nSELECT 1;\n",
        "-- pgast-ignore open-copy-data\nCOPY t FROM stdin;\n1\n",
    ] {
        finds(rule, script, &[]);
    }
}

#[test]
fn all_fixes_at_once() {
    let script = "\
-- People.
CREATE TABLE users (
    id serial PRIMARY KEY, -- the key
    name varchar(50) NOT NULL,
    seen timestamp without time zone
);
CREATE INDEX ON users (name);
create index posts_user on posts (user_id);
ALTER TABLE posts ADD FOREIGN KEY (user_id) REFERENCES users;
DROP INDEX old /* unused */;
SELECT id FROM users WHERE seen = NULL; -- never seen
DELETE FROM posts;
SELEC 1;
";
    let expected = "\
-- People.
CREATE TABLE IF NOT EXISTS users (
    id bigint generated by default as identity PRIMARY KEY, -- the key
    name text NOT NULL,
    seen timestamptz
);
CREATE INDEX ON users (name);
create index concurrently if not exists posts_user on posts (user_id);
ALTER TABLE posts ADD FOREIGN KEY (user_id) REFERENCES users NOT VALID;
DROP INDEX CONCURRENTLY IF EXISTS old /* unused */;
SELECT id FROM users WHERE seen IS NULL; -- never seen
DELETE FROM posts;
SELEC 1;
";
    let fixed = fix(script, &every_rule().unsafe_fixes(true));
    assert_eq!(fixed.text, expected);
    let left: Vec<_> = fixed.findings.iter().map(|it| it.rule).collect();
    assert_eq!(left, [Rule::PreferIfExists, Rule::DeleteWithoutWhere, Rule::SyntaxError]);
    assert_eq!(fixed.count, 11);
    // There is nothing left to do.
    assert_eq!(fix(expected, &every_rule()).count, 0);
}

#[test]
fn rules_have_names_and_texts() {
    let mut names = std::collections::HashSet::new();
    for rule in Rule::ALL {
        assert_eq!(rule.name().parse(), Ok(*rule));
        assert!(names.insert(rule.name()));
        assert!(rule.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        assert!(!rule.description().ends_with('.') && rule.explanation().ends_with('.'), "{rule}");
    }
    assert!(names.len() > 30);
}

/// Many findings in one statement, with fixes that exclude each other, and deep ones, take linear time and no stack.
#[test]
fn large_and_deep_scripts() {
    let columns = vec!["a serial, b timestamp, c varchar(5)"; 250].join(", ");
    let comparisons = vec!["a = NULL IS TRUE"; 250].join(") AND (");
    let deep = format!("SELECT {}a = NULL{}", "(NOT ".repeat(1_000), ")".repeat(1_000));
    let ignored = "-- pgast-ignore x\n".repeat(500);
    let errors = "SELEC 1; ".repeat(500);
    let script =
        format!("CREATE TABLE t ({columns}); SELECT ({comparisons}); {deep}; {ignored}{errors}");
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let found = small.spawn(move || lint(&script, &every_rule()).len()).unwrap().join();
    // All but the first of its columns have the names of others.
    assert_eq!(found.unwrap(), 4 * 250 + 3 * 249 + 1 + 250 + 1 + 500 + 500);
}

/// A line with many comments, each of which silences nothing, takes linear time.
#[test]
fn many_comments_on_a_line() {
    let script = "/* pgast-ignore drop-table */SELECT 1;".repeat(20_000);
    let options = Options::default().only([Rule::UnusedIgnore]);
    assert_eq!(lint(&script, &options).len(), 20_000);
}

/// The time is linear in the number of variables of a statement: that of the square would be noticed.
#[test]
fn many_variables_of_a_statement() {
    let script = format!("SELECT {}1; DELETE FROM t;", ":a, ".repeat(40_000));
    finds(Rule::DeleteWithoutWhere, &script, &["t"]);
}

/// As above, for the constraints of a table.
#[test]
fn many_constraints_of_a_table() {
    let each = |i| {
        format!(
            "ALTER TABLE t ADD CONSTRAINT c{i} CHECK (a{i} IS NOT NULL) NOT VALID;
            ALTER TABLE t VALIDATE CONSTRAINT c{i};
            ALTER TABLE t ALTER a{i} SET NOT NULL;
            ALTER TABLE t RENAME a{i} TO b{i};\n"
        )
    };
    let script: String = (0..5_000).map(each).collect();
    passes(Rule::SetNotNull, &script);
}

//! Options: which rules are on, how bad their findings are, and for which version.

use pg_ast_lint::{Options, Rule, Selector, Severity, fix, lint};

fn rules(script: &str, options: &Options) -> Vec<Rule> {
    lint(script, options).iter().map(|finding| finding.rule).collect()
}

#[test]
fn sets_and_rules_are_selected() {
    let script =
        "SET lock_timeout = 9; SET statement_timeout = 9; DROP TABLE s.t; SELECT * FROM s.u;";
    let options = Options::default();
    assert_eq!(rules(script, &options), [Rule::DropTable]);
    assert_eq!(options, options.clone().only([Selector::Recommended]));
    let with = options.clone().with([Rule::SelectStar]);
    assert_eq!(rules(script, &with), [Rule::DropTable, Rule::SelectStar]);
    let all = options.clone().only([Selector::All]);
    let found = [Rule::DropTable, Rule::PreferIfExists, Rule::SelectStar];
    assert_eq!(rules(script, &all), found);
    let rest = all.without([Selector::Recommended, Rule::PreferIfExists.into()]);
    assert_eq!(rules(script, &rest), [Rule::SelectStar]);
    assert_eq!(rules(script, &options.without([Selector::All])), []);
}

#[test]
fn names_of_sets_are_not_those_of_rules() {
    for set in Selector::SETS {
        assert!(set.name().parse::<Rule>().is_err());
        assert_eq!(set.name().parse(), Ok(*set));
    }
    for (name, message) in [
        ("al", "unknown rule or set `al`; did you mean `all`?"),
        ("droptable", "unknown rule or set `droptable`; did you mean `drop-table`?"),
        ("x", "unknown rule or set `x`"),
    ] {
        assert_eq!(name.parse::<Selector>().unwrap_err().to_string(), message);
    }
}

#[test]
fn severities_are_set() {
    let script = "SELEC 1; DROP TABLE t; DELETE FROM t;";
    let severities = |options: &Options| {
        lint(script, options).iter().map(|finding| finding.severity).collect::<Vec<_>>()
    };
    let options = Options::default();
    assert_eq!(severities(&options), [Severity::Error, Severity::Warning, Severity::Warning]);
    let options = options.severity([Selector::All], Severity::Info);
    let options = options.severity([Rule::DropTable], Severity::Error);
    assert_eq!(severities(&options), [Severity::Info, Severity::Error, Severity::Info]);
    assert!(Severity::Info < Severity::Warning && Severity::Warning < Severity::Error);
}

#[cfg(all(feature = "pg15", feature = "pg18"))]
#[test]
fn an_older_version_decides_what_is_correct() {
    use pg_ast_lint::pg_ast::Version;
    let script = "SELECT JSON_VALUE(a, '$.b' RETURNING int) FROM t; DELETE FROM t; SELEC 1;";
    let found = |version| rules(script, &Options::default().version(version));
    let newest = [Rule::DeleteWithoutWhere, Rule::SyntaxError];
    assert_eq!(found(Version::Pg18), newest);
    let old = lint(script, &Options::default().version(Version::Pg15));
    assert_eq!(old[0].message, "syntax error at or near \"RETURNING\"");
    assert_eq!(&script[old[0].range.clone()], "RETURNING");
    assert_eq!(old[1..].iter().map(|it| it.rule).collect::<Vec<_>>(), newest);
}

/// The findings of the whole file, wherever the comment is.
#[test]
fn a_comment_silences_a_rule_in_the_whole_file() {
    let script = "DROP TABLE t;\n-- pgast-ignore-file drop-table, set-not-null: test data\nDO $$ BEGIN DROP TABLE u; END $$;";
    let found = lint(script, &Options::default());
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(
        found[0].message,
        "`set-not-null` finds nothing here that the comment could silence"
    );
    let all = "DROP TABLE t;\nSELEC 1;\n/* pgast-ignore-file */";
    assert_eq!(rules(all, &Options::default()), []);
    // Not in data, in commands, and in statements.
    for script in [
        "COPY t FROM stdin;\n-- pgast-ignore-file\n\\.\nDROP TABLE t;",
        "\\echo -- pgast-ignore-file\nDROP TABLE t;",
        "DROP /* pgast-ignore-file */ TABLE t;",
        "-- pgast-ignore-files\nDROP TABLE t;",
    ] {
        assert_eq!(rules(script, &Options::default()), [Rule::DropTable], "{script}");
    }
    assert_eq!(
        rules("-- pgast-ignore-file drop-tables\nSELECT 1", &Options::default()),
        [Rule::UnknownRule]
    );
}

/// Each script, and what becomes of it if that is safe.
#[test]
fn unused_comments_are_removed() {
    for (script, fixed) in [
        ("SELECT 1;\n-- pgast-ignore drop-table\nSELECT 2;\n", "SELECT 1;\nSELECT 2;\n"),
        (
            "-- pgast-ignore set-not-null, drop-table, select-star\nDROP TABLE t;",
            "-- pgast-ignore drop-table\nDROP TABLE t;",
        ),
        (
            "/* pgast-ignore drop-table , drop-tables */ SELECT 1;",
            "/* pgast-ignore drop-tables */ SELECT 1;",
        ),
        ("SELECT 1;/* pgast-ignore */SELECT 2;", "SELECT 1; SELECT 2;"),
        ("SELECT 1; -- pgast-ignore drop-table\nSELECT 2;", "SELECT 1;\nSELECT 2;"),
        ("SELECT 1;\n  -- pgast-ignore", "SELECT 1;\n"),
        (
            "DO $$ BEGIN\n  -- pgast-ignore drop-table\n  PERFORM 1;\nEND $$;",
            "DO $$ BEGIN\n  PERFORM 1;\nEND $$;",
        ),
        ("-- pgast-ignore-file drop-table\nSELECT 1;", "SELECT 1;"),
        ("-- pgast-ignore unused-ignore\nSELECT 1;", "SELECT 1;"),
    ] {
        let options = Options::default().only([Rule::UnusedIgnore]);
        assert_eq!(rules(script, &options), [Rule::UnusedIgnore], "{script}");
        let done = fix(script, &options);
        assert_eq!((done.text.as_str(), done.findings.len()), (fixed, 0), "{script}");
        assert!(!done.is_refused);
    }
}

#[test]
fn a_fix_may_add_a_statement() {
    let script = "BEGIN;\nDELETE FROM t WHERE a = 1;\n";
    let options = Options::default().only([Rule::TransactionLeftOpen]).unsafe_fixes(true);
    let done = fix(script, &options);
    assert!(!done.is_refused, "{done:?}");
    let has_fix =
        |it: &pg_ast_lint::Finding| it.fix.as_ref().is_some_and(|fix| options.applies(fix));
    assert!(!done.findings.iter().any(has_fix), "{done:?}");
}

#[test]
fn what_a_person_wrote_is_not_removed() {
    for script in [
        "-- pgast-ignore drop-table: nobody uses it\nSELECT 1;",
        "/* pgast-ignore drop-table\n   nobody uses it */\nSELECT 1;",
        // As it is quoted here, a comment may end elsewhere.
        "DO E'BEGIN\\n -- pgast-ignore drop-table\\n PERFORM 1; END';",
    ] {
        let options = Options::default();
        let done = fix(script, &options);
        assert_eq!(done.text, script);
        let fixed = fix(script, &options.unsafe_fixes(true)).text;
        assert_eq!(fixed == script, script.contains("DO"), "{fixed}");
    }
}

/// A rule that is off may be on for another run.
#[test]
fn comments_for_rules_that_are_off_have_a_use() {
    for script in [
        "-- pgast-ignore select-star\nSELECT * FROM t;",
        "-- pgast-ignore\nSELECT * FROM t;",
        "-- pgast-ignore-file select-star\nSELECT * FROM t;",
        "DO $$ BEGIN\n-- pgast-ignore select-star\nPERFORM a FROM (SELECT * FROM t) u; END $$",
        // That of the statement is around that of the body.
        "-- pgast-ignore drop-table\nDO $$ BEGIN DROP TABLE t; END $$",
        "COPY t FROM stdin;\n-- pgast-ignore drop-table\n\\.\n",
    ] {
        assert_eq!(rules(script, &Options::default()), [], "{script}");
    }
}

#[test]
fn fingerprints_tell_findings_again() {
    let of = |script: &str| {
        let found = lint(script, &Options::default().fingerprints(true));
        found.iter().map(|finding| finding.fingerprint.unwrap()).collect::<Vec<_>>()
    };
    let first = of("DELETE FROM t; UPDATE t SET a = 1; SELEC 1;");
    assert_eq!(first.len(), 3);
    assert!(first.iter().all(|it| *it != 0) && first[0] != first[1] && first[1] != first[2]);
    let moved = of("-- more\nSELECT 1;\ndelete  from t;\nUPDATE t SET a\n= 2;\nSELEC  1;");
    assert_eq!(first, moved);
    let function = |more: &str, loose: &str| {
        of(&format!(
            "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN\n{more}DELETE{loose} FROM t;\nEND $$"
        ))
    };
    assert_eq!(function("", ""), function("PERFORM 1;\n", "  "));
}

#[test]
fn what_the_database_has_before() {
    let database = "
        CREATE SCHEMA app;
        CREATE TABLE t (a int NOT NULL, b int, c int CHECK (c IS NOT NULL), d int GENERATED ALWAYS AS IDENTITY);
        ALTER TABLE t ADD CONSTRAINT has_b NOT NULL b NOT VALID;
        CREATE TABLE app.parted (a int PRIMARY KEY, b int) PARTITION BY LIST (a);
        CREATE TABLE app.part PARTITION OF app.parted DEFAULT;
        BEGIN;
        ALTER TABLE t ADD CONSTRAINT gone CHECK (b IS NOT NULL);
        ROLLBACK;
    ";
    let only = |rule: Rule| Options::default().only([rule]).database(database);
    let count = |rule: Rule, script: &str| lint(script, &only(rule)).len();
    for (script, expected) in [
        ("ALTER TABLE t ALTER a SET NOT NULL", 0),
        ("ALTER TABLE public.t ALTER c SET NOT NULL, ALTER d SET NOT NULL", 0),
        ("ALTER TABLE app.part ALTER a SET NOT NULL", 0),
        ("SET search_path = app; ALTER TABLE parted ALTER a SET NOT NULL", 0),
        ("SET search_path = app; ALTER TABLE parted ALTER b SET NOT NULL", 1),
        ("ALTER TABLE t ALTER b SET NOT NULL", 1),
        ("ALTER TABLE t VALIDATE CONSTRAINT has_b; ALTER TABLE t ALTER b SET NOT NULL", 0),
        (
            "BEGIN; ALTER TABLE t VALIDATE CONSTRAINT has_b; ROLLBACK; ALTER TABLE t ALTER b SET NOT NULL",
            1,
        ),
        (
            "ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME a TO z; ALTER TABLE u ALTER z SET NOT NULL",
            0,
        ),
        ("ALTER TABLE t DROP CONSTRAINT t_c_check; ALTER TABLE t ALTER c SET NOT NULL", 1),
        ("BEGIN; DROP TABLE t; ROLLBACK; ALTER TABLE t ALTER a SET NOT NULL", 0),
    ] {
        assert_eq!(count(Rule::SetNotNull, script), expected, "{script}");
    }
    // The script has not added it.
    assert_eq!(count(Rule::DropConstraint, "ALTER TABLE t DROP CONSTRAINT has_b"), 1);
    let again = "ALTER TABLE t ADD CONSTRAINT new CHECK (b > 0); ALTER TABLE t RENAME TO u;
        ALTER TABLE u DROP CONSTRAINT new, DROP CONSTRAINT has_b";
    assert_eq!(count(Rule::DropConstraint, again), 1);
    assert_eq!(
        count(
            Rule::ValidateInTransaction,
            "BEGIN; ALTER TABLE t VALIDATE CONSTRAINT has_b; COMMIT"
        ),
        0
    );

    // What is partitioned is not changed CONCURRENTLY.
    let fixed = |rule: Rule, script: &str| fix(script, &only(rule).unsafe_fixes(true)).text;
    let index = "CREATE INDEX i ON app.parted (b)";
    assert_eq!(fixed(Rule::CreateIndexLocks, index), index);
    assert_ne!(fixed(Rule::CreateIndexLocks, "CREATE INDEX i ON t (b)"), "CREATE INDEX i ON t (b)");
    let drop = "DROP INDEX app.parted_pkey";
    assert_eq!(fixed(Rule::DropIndexLocks, drop), drop);
    assert_eq!(fixed(Rule::DropIndexLocks, "DROP INDEX i"), "DROP INDEX CONCURRENTLY i");
    let detach = "ALTER TABLE app.parted DETACH PARTITION app.part";
    assert_eq!(fixed(Rule::DetachPartitionLocks, detach), detach);
}

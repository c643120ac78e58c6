//! Code in strings: the rules of scripts, in bodies of functions and of `DO`.

use pg_ast_lint::{Options, Rule, fix, lint};

use crate::{becomes, by, every_rule, finds, has_no_fix, passes};

/// A function in PL/pgSQL.
fn function(body: &str) -> String {
    format!("CREATE FUNCTION f(a int) RETURNS void LANGUAGE plpgsql AS $f$ {body} $f$")
}

fn sql_function(body: &str) -> String {
    format!("CREATE FUNCTION g() RETURNS void LANGUAGE sql AS '{body}'")
}

fn all(script: &str) -> Vec<(Rule, &str)> {
    let found = lint(script, &every_rule());
    found.iter().map(|finding| (finding.rule, &script[finding.range.clone()])).collect()
}

#[test]
fn errors_of_bodies() {
    let script = "\
-- Three of them are wrong.
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RETURN 1 + ;
END $$;
CREATE FUNCTION g() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN ''a'' || FROM; END';
DO $$ BEGIN DELETE FROM t; END $$;
CREATE PROCEDURE h() LANGUAGE plpgsql AS $$ BEGIN x := 1; END $$;
CREATE FUNCTION i() RETURNS int LANGUAGE sql AS 'SELECT 1; SELECT ''a'' FROM FROM';";
    let found = lint(script, &every_rule());
    let parts: Vec<_> = found.iter().map(|it| (it.rule, &script[it.range.clone()])).collect();
    assert_eq!(
        parts,
        [
            (Rule::SyntaxError, ""),
            (Rule::SyntaxError, "FROM"),
            (Rule::DeleteWithoutWhere, "t"),
            (Rule::SyntaxError, "x"),
            (Rule::SyntaxError, "FROM"),
        ]
    );
    assert_eq!(found[0].message, "syntax error at end of input");
    assert_eq!(found[0].range.start, script.find(" ;\nEND").unwrap());
    assert_eq!(found[3].message, "\"x\" is not a known variable");
    assert_eq!(found[4].range.start, script.rfind("FROM").unwrap());
    // Constants are PostgreSQL's own matter.
    let constant = "DO $$ DECLARE c CONSTANT int := 1; BEGIN c := 2; END $$";
    assert_eq!(by(Rule::SyntaxError, constant)[0].message, "variable \"c\" is declared CONSTANT");
    finds(Rule::SyntaxError, constant, &["c"]);
}

/// PostgreSQL only has the line of some errors.
#[test]
fn errors_with_a_line() {
    finds(Rule::SyntaxError, "DO $$\nDECLARE\n  a int;\n  b void;\nBEGIN\nEND $$", &["b"]);
    finds(Rule::SyntaxError, "DO 'DECLARE b void; BEGIN END'", &["DECLARE"]);
}

#[test]
fn what_is_no_plpgsql_is_let_be() {
    for script in [
        "CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'x', 'y'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpython3u AS 'return 1 +'",
        "CREATE FUNCTION f() RETURNS int RETURN 1",
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END",
        "DO LANGUAGE plperl 'x'",
    ] {
        assert_eq!(all(script), [], "{script}");
    }
    finds(
        Rule::SelectStar,
        "CREATE FUNCTION f() RETURNS SETOF t BEGIN ATOMIC SELECT * FROM t; END",
        &["*"],
    );
}

/// Each at its place, however the body is quoted.
#[test]
fn queries_in_bodies() {
    let body = "BEGIN
        DELETE FROM u;
        IF a = NULL THEN
            UPDATE u SET b = 'ä''ß' RETURNING c INTO a;
        END IF;
        a := (SELECT max(x) FROM (SELECT * FROM v WHERE y <> NULL) AS z);
        PERFORM 1 FROM u WHERE NULL = w;
        TRUNCATE u CASCADE;
    END";
    let expected = [
        (Rule::DeleteWithoutWhere, "u"),
        (Rule::NullComparison, "a = NULL"),
        (Rule::UpdateWithoutWhere, "u"),
        (Rule::SelectStar, "*"),
        (Rule::NullComparison, "y <> NULL"),
        (Rule::NullComparison, "NULL = w"),
        (Rule::TruncateCascade, "CASCADE"),
    ];
    let header = "CREATE FUNCTION f(a int) RETURNS void LANGUAGE plpgsql AS ";
    let quoted = body.replace('\'', "''");
    for string in [
        format!("$$ {body} $$"),
        format!("' {quoted} '"),
        format!("E' {} '", quoted.replace('B', r"\x42").replace('\n', r"\n")),
        format!("U&' {} '", quoted.replace("ä", r"\00e4")),
        format!("U&' {} ' UESCAPE '!'", quoted.replace("ä", "!00e4").replace('\n', "!000a")),
        quoted.split("  ").map(|part| format!("'{part}'\n")).collect::<Vec<_>>().concat(),
    ] {
        let script = format!("SELECT 1;\n{header}{string};");
        assert_eq!(all(&script), expected, "{script}");
    }
    let sql = "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS '
        DELETE FROM t; UPDATE t SET a = ''''; SELECT b FROM t WHERE b = NULL'";
    let expected = [
        (Rule::DeleteWithoutWhere, "t"),
        (Rule::UpdateWithoutWhere, "t"),
        (Rule::NullComparison, "b = NULL"),
    ];
    assert_eq!(all(sql), expected);
}

/// Names of schemas that `CREATE EXTENSION` puts there.
#[test]
fn scripts_of_extensions() {
    let script = function("BEGIN DELETE FROM @extschema@.t WHERE @extschema:x-y@.g(a) = NULL; END");
    assert_eq!(all(&script), [(Rule::NullComparison, "@extschema:x-y@.g(a) = NULL")]);
}

/// Where whatever columns there are, are wanted.
#[test]
fn all_columns() {
    let rule = Rule::SelectStar;
    for body in [
        "DECLARE r record; s t; BEGIN SELECT * INTO r FROM t; SELECT * INTO s FROM t; END",
        "DECLARE r record; BEGIN FOR r IN SELECT * FROM t UNION SELECT * FROM u LOOP NULL; END LOOP; END",
        "DECLARE c CURSOR FOR SELECT * FROM t; BEGIN OPEN c; END",
        "DECLARE c refcursor; BEGIN OPEN c FOR SELECT * FROM t; PERFORM * FROM t; END",
        "BEGIN IF EXISTS (SELECT * FROM t) THEN NULL; END IF; END",
    ] {
        passes(rule, &function(body));
    }
    let create = "CREATE FUNCTION f() RETURNS";
    for (result, is_found) in [("SETOF t", false), ("TABLE (a int)", true)] {
        let star: &[&str] = if is_found { &["*"] } else { &[] };
        let query = "BEGIN RETURN QUERY SELECT * FROM t; END";
        finds(rule, &format!("{create} {result} LANGUAGE plpgsql AS $$ {query} $$"), star);
        finds(rule, &format!("{create} {result} LANGUAGE sql AS 'SELECT * FROM t'"), star);
    }
    for body in [
        "DECLARE b int; c int; BEGIN SELECT * INTO b, c FROM t; END",
        "BEGIN INSERT INTO t SELECT * FROM u; END",
        "DECLARE r record; BEGIN SELECT b INTO r FROM (SELECT * FROM t) u; END",
        "BEGIN a := (SELECT count(*) FROM (SELECT * FROM t) u); END",
    ] {
        finds(rule, &function(body), &["*"]);
    }
    let sql =
        "CREATE FUNCTION f() RETURNS SETOF t LANGUAGE sql AS 'SELECT * FROM u; SELECT * FROM t'";
    finds(rule, sql, &["*"]);
    assert_eq!(by(rule, sql)[0].range.start, sql.find('*').unwrap());
}

/// A `DO` runs with the script, in a transaction; a function later.
#[test]
fn changes_of_tables() {
    let change = "BEGIN
        ALTER TABLE t ADD COLUMN a timestamp NOT NULL;
        CREATE INDEX i ON t (a);
        DROP TABLE u;
    END";
    let found = [
        (Rule::AddRequiredColumn, "NOT NULL"),
        (Rule::PreferTimestamptz, "timestamp"),
        (Rule::CreateIndexLocks, "CREATE INDEX i ON t (a)"),
        (Rule::DropTable, "DROP TABLE u"),
    ];
    let now = format!("DO $$ {change} $$");
    let mut all_now = all(&now);
    all_now.sort_by_key(|(rule, _)| found.iter().position(|(it, _)| it == rule));
    assert_eq!(all_now, found);
    assert_eq!(all(&function(change)), [(Rule::UnusedParameter, "a int")]);
    becomes(
        Rule::PreferTimestamptz,
        "DO 'BEGIN CREATE TABLE t (a timestamp without time zone DEFAULT ''now''); END'",
        "DO 'BEGIN CREATE TABLE t (a timestamptz DEFAULT ''now''); END'",
    );

    let concurrently = "BEGIN CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON t (a); END";
    for script in [format!("DO $$ {concurrently} $$"), function(concurrently)] {
        finds(Rule::ConcurrentlyInTransaction, &script, &["CONCURRENTLY"]);
    }
    // The script goes on as it was.
    passes(Rule::ConcurrentlyInTransaction, "DO 'BEGIN END'; DROP INDEX CONCURRENTLY i");
    finds(Rule::TransactionNesting, "DO 'BEGIN END'; COMMIT", &["COMMIT"]);
}

/// What a `DO` creates is new to the script, and what it says of tables counts.
#[test]
fn what_a_do_says() {
    let create = "DO $$ BEGIN CREATE TABLE t (a int); END $$;";
    passes(Rule::CreateIndexLocks, &format!("{create} CREATE INDEX i ON t (a)"));
    passes(
        Rule::CreateIndexLocks,
        "CREATE TABLE t (a int); DO 'BEGIN CREATE INDEX i ON t (a); END'",
    );
    for (rule, rename, new) in [
        (Rule::RenameTable, "ALTER TABLE t RENAME TO u;", "CREATE VIEW t AS SELECT 1;"),
        (Rule::RenameColumn, "ALTER TABLE t RENAME a TO b;", "ALTER TABLE t ADD a int;"),
    ] {
        passes(rule, &format!("DO $$ BEGIN {rename} {new} END $$"));
        finds(
            rule,
            &format!("DO $$ BEGIN {rename} END $$; {new}"),
            &[rename.trim_end_matches(';')],
        );
    }
    // A function may never be called.
    let later = function("BEGIN CREATE TABLE t (a int); END");
    let script = format!("{later}; CREATE INDEX i ON t (a)");
    finds(Rule::CreateIndexLocks, &script, &["CREATE INDEX i ON t (a)"]);

    let attach = "DO 'BEGIN ALTER TABLE t ATTACH PARTITION p FOR VALUES IN (1); END'";
    let script = format!("CREATE INDEX i ON t (a); {attach}");
    let help = by(Rule::CreateIndexLocks, &script)[0].help.clone().unwrap();
    assert!(help.contains("ON ONLY"), "{help}");
}

/// The text around them is that of the string.
#[test]
fn fixes_in_bodies() {
    let rule = Rule::NullComparison;
    let quoted = |cond: &str| format!("DO 'BEGIN IF {cond} THEN NULL; END IF; END'");
    becomes(rule, &quoted("''x'' = NULL"), &quoted("''x'' IS NULL"));
    let escaped =
        |cond: &str| format!("DO U&'BEGIN IF !0061 {cond} THEN NULL; END IF; END' UESCAPE '!'");
    becomes(rule, &escaped("= NULL"), &escaped("IS NULL"));
    becomes(rule, &quoted("''x'' || a<>NULL"), &quoted("''x'' || a IS NOT NULL"));
    becomes(rule, &quoted("NULL = ''x''"), &quoted("''x'' IS NULL"));
    becomes(
        rule,
        &function("BEGIN RETURN; -- 'x\nWHILE a = NULL LOOP END LOOP; END"),
        &function("BEGIN RETURN; -- 'x\nWHILE a IS NULL LOOP END LOOP; END"),
    );
    becomes(rule, r"DO E'BEGIN ASSERT \x61 = NULL; END'", r"DO E'BEGIN ASSERT \x61 IS NULL; END'");
    // The operator itself is not written as it is.
    has_no_fix(rule, r"DO E'BEGIN ASSERT a \x3d NULL; END'");

    let script =
        "DO $$ BEGIN\n  IF a = NULL THEN -- why\n    NULL; END IF;\nEND $$; SELECT b = NULL";
    let fixed = fix(script, &every_rule());
    assert_eq!(fixed.text, script.replace("= NULL", "IS NULL"));
    assert_eq!((fixed.count, fixed.findings.len()), (2, 0));
}

#[test]
fn comments_silence_rules_in_bodies() {
    let rule = Rule::DeleteWithoutWhere;
    let body = |inner: &str| function(&format!("BEGIN {inner} END"));
    // All of it.
    passes(rule, &format!("-- pgast-ignore delete-without-where\n{}", body("DELETE FROM t;")));
    // One statement, with what is in it.
    let one =
        body("-- pgast-ignore delete-without-where: all of them\n DELETE FROM t; DELETE FROM u;");
    finds(rule, &one, &["u"]);
    let branch = body("IF true THEN /* pgast-ignore */ DELETE FROM t; DELETE FROM u; END IF;");
    finds(rule, &branch, &["u"]);
    let loops = body(
        "-- pgast-ignore delete-without-where\n FOR i IN 1 .. 2 LOOP DELETE FROM t; END LOOP; DELETE FROM u;",
    );
    finds(rule, &loops, &["u"]);
    let nested = body(
        "-- pgast-ignore select-star\n LOOP -- pgast-ignore delete-without-where\n DELETE FROM t WHERE a IN (SELECT * FROM u);
         DELETE FROM u WHERE a IN (SELECT * FROM v); DELETE FROM v; EXIT; END LOOP;",
    );
    let found = lint(&nested, &Options::default().only([rule, Rule::SelectStar]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(&nested[found[0].range.clone()], "v");
    let handler = body(
        "NULL; EXCEPTION -- pgast-ignore delete-without-where\n WHEN others THEN DELETE FROM t; WHEN division_by_zero THEN DELETE FROM u;",
    );
    finds(rule, &handler, &["u"]);
    // All of the block.
    let declared = function("-- pgast-ignore\n DECLARE b int; BEGIN DELETE FROM t; END");
    finds(rule, &declared, &[]);
    let variable =
        function("DECLARE b int; -- pgast-ignore unused-variable\n c int; d int; BEGIN END");
    finds(Rule::UnusedVariable, &variable, &["b", "d"]);
    // Not one in SQL, or in a string.
    finds(rule, &body("PERFORM 1 -- pgast-ignore\n; DELETE FROM t;"), &["t"]);
    finds(rule, &body("RAISE NOTICE '-- pgast-ignore'; DELETE FROM t;"), &["t"]);
    finds(rule, "DO '-- pgast-ignore delete-without-where\nBEGIN DELETE FROM t; END'", &[]);
    finds(
        rule,
        "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'DELETE FROM t; -- pgast-ignore\n DELETE FROM u'",
        &["t"],
    );
    finds(Rule::UnknownRule, &body("-- pgast-ignore drop-tables\n NULL;"), &["drop-tables"]);
}

/// Many findings, fixes that exclude each other, and comments in one body, and a deep one, take linear time and no stack.
#[test]
fn large_and_deep_bodies() {
    let ignored = "-- pgast-ignore x\n-- pgast-ignore select-star\nDELETE FROM t;".repeat(500);
    let comparisons = "ASSERT a = NULL IS TRUE;".repeat(500);
    let variables = (0..500).map(|i| format!("v{i} int;")).collect::<Vec<_>>().concat();
    let deep = format!("{}b := 1;{}", "DECLARE b int; BEGIN ".repeat(500), "END;".repeat(500));
    let deep = format!("{deep}{}NULL;{}", "IF a THEN ".repeat(500), "END IF;".repeat(500));
    let body = format!("DECLARE {variables} BEGIN {ignored} {comparisons} {deep} END");
    let script = function(&body) + ";" + &function(&body).replace('\'', "''").replace("$f$", "'");
    let script = script + ";" + &sql_function(&"DELETE FROM t; SELECT a = NULL; ".repeat(500));
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let found = small.spawn(move || lint(&script, &every_rule()).len()).unwrap().join();
    // Half of the comments silence nothing. Of the names, one is assigned and never read, and all but one hide another.
    assert_eq!(found.unwrap(), 2 * (500 + 500 + 500 + 500 + 500 + 500 + 499) + 2 * 500);
}

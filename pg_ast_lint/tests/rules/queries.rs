//! Queries.

use pg_ast_lint::{Options, Rule, lint};

use crate::{becomes, finds, has_no_fix, passes};

#[test]
fn all_rows() {
    finds(Rule::UpdateWithoutWhere, "UPDATE t SET a = 1 FROM u", &["t"]);
    finds(
        Rule::UpdateWithoutWhere,
        "WITH x AS (UPDATE ONLY s.t SET a = 1) SELECT 1",
        &["ONLY s.t"],
    );
    passes(Rule::UpdateWithoutWhere, "UPDATE t SET a = 1 WHERE true");
    passes(
        Rule::UpdateWithoutWhere,
        "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1",
    );
    finds(Rule::DeleteWithoutWhere, "DELETE FROM t USING u", &["t"]);
    passes(Rule::DeleteWithoutWhere, "DELETE FROM t WHERE CURRENT OF c; TRUNCATE t");
}

#[test]
fn all_columns() {
    let rule = Rule::SelectStar;
    finds(rule, "SELECT * FROM t", &["*"]);
    finds(rule, "SELECT a, t.*, * FROM (SELECT u.* FROM u) t", &["t.*", "u.*"]);
    finds(rule, "TABLE t", &["TABLE t"]);
    finds(rule, "CREATE VIEW v AS SELECT * FROM t", &["*"]);
    passes(rule, "SELECT count(*), a * b, (t).a FROM t");
    passes(rule, "SELECT 1 WHERE EXISTS (SELECT * FROM t)");
    passes(rule, "INSERT INTO t DEFAULT VALUES RETURNING *");
}

#[test]
fn nulls() {
    let rule = Rule::NullComparison;
    becomes(rule, "SELECT 1 WHERE a = NULL AND b", "SELECT 1 WHERE a IS NULL AND b");
    becomes(rule, "DELETE FROM t WHERE a != null", "DELETE FROM t WHERE a is not null");
    becomes(rule, "SELECT a<>NULL", "SELECT a IS NOT NULL");
    becomes(rule, "SELECT a /* why */ = -- it\n NULL", "SELECT a /* why */ IS -- it\n NULL");
    becomes(rule, "SELECT NULL = (a + b), c", "SELECT (a + b) IS NULL, c");
    becomes(
        rule,
        "SELECT NULL /* 1 */ <> /* 2 */ a || b",
        "SELECT  /* 1 */  /* 2 */ a || b IS NOT NULL",
    );
    becomes(rule, "SELECT NOT a = NULL", "SELECT NOT a IS NULL");
    becomes(rule, "SELECT a = NULL IS TRUE", "SELECT a IS NULL IS TRUE");
    // What would not be the same, or not parse.
    has_no_fix(rule, "SELECT a = NULL::int");
    has_no_fix(rule, "SELECT a = (NULL)");
    has_no_fix(rule, "CREATE TABLE t (a int CHECK (a = 1 OR a = NULL))");
    has_no_fix(rule, "SELECT (NULL) = a");
    has_no_fix(rule, "SELECT NULL = NOT a");
    has_no_fix(rule, "SELECT NULL <> - NOT a");
    has_no_fix(rule, "SELECT a IS TRUE = NULL");
    becomes(rule, "SELECT NULL = (NOT a)", "SELECT (NOT a) IS NULL");
    has_no_fix(rule, "SELECT 1 FROM t WHERE a IN (NULL)");
    passes(rule, "SELECT 1 FROM t WHERE a IN (1, NULL)");
    passes(rule, "SELECT a IS NULL, a IS DISTINCT FROM NULL, a > NULL, f(a => NULL)");
    passes(rule, "UPDATE t SET a = NULL WHERE true; SET x = DEFAULT");
}

#[test]
fn lists_with_null() {
    let rule = Rule::NotInNull;
    finds(rule, "SELECT 1 FROM t WHERE a NOT IN (1, NULL, 2)", &["NULL"]);
    passes(rule, "SELECT 1 FROM t WHERE a IN (1, NULL) OR a NOT IN (1, 2) OR a NOT IN (b)");
    finds(rule, "SELECT a <> ALL (ARRAY[1, NULL]), a != ALL ('{1}')", &["NULL"]);
    finds(rule, "SELECT NOT (a IN (1, NULL)), NOT (a = ANY (ARRAY[null]))", &["NULL", "null"]);
    passes(rule, "SELECT a = ANY (ARRAY[NULL]), a > ALL (ARRAY[NULL]), NOT a > ANY (ARRAY[NULL])");
    let function = "CREATE FUNCTION f(a int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN
        RETURN a NOT IN (1, null); END $$";
    finds(rule, function, &["null"]);
}

#[test]
fn subqueries_with_null() {
    let rule = Rule::NotInSubquery;
    finds(rule, "DELETE FROM t WHERE a NOT IN (SELECT b FROM u)", &["a NOT IN (SELECT b FROM u)"]);
    finds(
        rule,
        "SELECT NOT (a IN (SELECT u.b FROM u WHERE c IS NOT NULL))",
        &["NOT (a IN (SELECT u.b FROM u WHERE c IS NOT NULL))"],
    );
    passes(rule, "SELECT 1 FROM t WHERE a NOT IN (SELECT b FROM u WHERE c AND u.b IS NOT NULL)");
    passes(rule, "SELECT 1 FROM t WHERE a IN (SELECT b FROM u) AND a NOT IN (SELECT id FROM u)");
    finds(rule, "SELECT a <> ALL (SELECT b FROM u)", &["a <> ALL (SELECT b FROM u)"]);
    finds(rule, "SELECT NOT a = ANY (SELECT b FROM u)", &["NOT a = ANY (SELECT b FROM u)"]);
    finds(
        rule,
        "SELECT (a, b) NOT IN (SELECT id, c FROM u)",
        &["(a, b) NOT IN (SELECT id, c FROM u)"],
    );
    passes(rule, "SELECT (a, b) NOT IN (SELECT id, c FROM u WHERE c IS NOT NULL)");
    passes(rule, "SELECT a > ALL (SELECT b FROM u), a = ANY (SELECT b FROM u)");
    passes(rule, "SELECT 1 FROM t WHERE a NOT IN (VALUES (1), (2))");
    passes(rule, "SELECT 1 FROM t WHERE a NOT IN (SELECT max(b) FROM u GROUP BY c)");
}

#[test]
fn constant_conditions() {
    let rule = Rule::ConstantCondition;
    for (condition, is_found) in [
        ("true", true),
        ("1 = 1", true),
        ("'a' <> 'a'", true),
        ("NULL", true),
        ("a = 1 OR true", true),
        ("a = 1 AND false", true),
        ("1 = 1 AND 2 = 2", true),
        ("1 <> 2.5", true),
        ("NOT false", true),
        ("NOT NULL", true),
        ("NOT a", false),
        // Their texts differ.
        ("1 = '1'", false),
        ("1.0 <> 1.00", false),
        ("true = 't'", false),
        ("a = a", false),
        ("a = 1 AND true", false),
        ("a", false),
        ("1 < 2", false),
        ("$1 = 1", false),
    ] {
        for verb in ["DELETE FROM t", "UPDATE t SET b = 1", "SELECT 1 FROM t"] {
            let sql = format!("{verb} WHERE {condition}");
            let parts = [condition];
            finds(rule, &sql, if is_found { &parts } else { &[] });
        }
    }
    passes(rule, "SELECT 1 FROM t JOIN u ON true");
    for (condition, help) in [
        ("1 = 1", "it holds for every row"),
        ("1 = 2", "it holds for no row"),
        ("NULL = NULL", "it holds for no row"),
        ("1 <> NULL", "it holds for no row"),
    ] {
        let sql = format!("SELECT 1 FROM t WHERE {condition}");
        let findings = lint(&sql, &Options::default().only([rule]));
        assert_eq!(findings[0].help.as_deref(), Some(help), "{sql}");
    }
}

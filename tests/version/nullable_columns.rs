//! Which columns of queries can be NULL, and why.

use pg_ast_names::DdlCatalog;
use pg_ast_types::Nullability;

use super::pg::parse;
use super::pg_names::define;
use super::pg_types::types;

/// Returns the reasons for the columns of a query, those that cannot be NULL with an exclamation mark.
fn of(sql: &str, catalog: &DdlCatalog) -> String {
    let types = types(&parse(sql).expect("SQL"), catalog);
    let columns = types.stmts[0].columns.as_ref().expect("columns").iter();
    let reasons = columns.map(|column| match column.nullability {
        Nullability::NotNull(reason) => format!("{reason:?}!"),
        Nullability::Nullable(reason) => format!("{reason:?}"),
    });
    reasons.collect::<Vec<_>>().join(" ")
}

#[test]
fn columns_that_can_be_null() {
    let mut catalog = DdlCatalog::new();
    let schema =
        "CREATE TABLE t (k int NOT NULL, a int); CREATE TABLE u (k int NOT NULL, b int NOT NULL);
        CREATE VIEW v AS SELECT k FROM t";
    define(&parse(schema).expect("SQL"), &mut catalog);
    for (sql, expected) in [
        ("SELECT k, a, 1, NULL, $1::int FROM t", "Column! Column Constant! Null Parameter"),
        ("SELECT t.k, u.k FROM t LEFT JOIN u ON t.k = u.b", "Column! OuterJoin"),
        ("SELECT t.k, u.b FROM t LEFT JOIN u USING (k) WHERE u.k > 1", "Column! Column!"),
        ("SELECT k, t.k, u.k FROM t FULL JOIN u USING (k)", "Column! OuterJoin OuterJoin"),
        ("SELECT j.k FROM (t FULL JOIN u USING (k)) AS j FULL JOIN v USING (k)", "OuterJoin"),
        ("SELECT a FROM t WHERE a = 1 AND k > 0", "Condition!"),
        ("SELECT a FROM t WHERE a = 1 OR k > 0", "Column"),
        ("SELECT a FROM t WHERE NOT (a IN (1, 2))", "Condition!"),
        ("SELECT a FROM t WHERE a IS DISTINCT FROM 1", "Column"),
        ("SELECT a FROM t WHERE EXISTS (SELECT FROM u WHERE u.k = a)", "Column"),
        (
            "SELECT k + 1, k + a, coalesce(a, 0), nullif(k, 1) FROM t",
            "Operator! Column Alternative! Null",
        ),
        ("SELECT count(a), sum(k), max(a) FROM t", "Aggregate! NoRows NoRows"),
        ("SELECT count(a), sum(k), sum(a) FROM t GROUP BY k", "Aggregate! Aggregate! Column"),
        ("SELECT k, sum(k) FROM t GROUP BY ROLLUP (k)", "GroupingSets NoRows"),
        (
            "SELECT (SELECT max(k) FROM u), (SELECT count(*) FROM u), (SELECT k FROM u)",
            "NoRows Aggregate! Subquery",
        ),
        (
            "SELECT CASE WHEN k > 1 THEN 1 ELSE 2 END, CASE WHEN k > 1 THEN 1 END FROM t",
            "Case! Null",
        ),
        ("SELECT k FROM t UNION SELECT a FROM t", "Column"),
        ("SELECT k FROM v", "View"),
        ("INSERT INTO t VALUES (1, 2) RETURNING k, a", "Column! Column"),
        (
            "SELECT random(), gen_random_uuid(), pg_typeof(a), to_json(a) FROM t",
            "Function! Function! Function! Column",
        ),
        (
            "SELECT lower(int4range(1, 2)), lower('A'), '1'::jsonb::text",
            "Function Function! Function",
        ),
    ] {
        assert_eq!(of(sql, &catalog), expected, "{sql}");
    }
}

/// It is never NULL for other arguments, but it is strict.
#[test]
fn a_strict_function_of_null_is_null() {
    let mut catalog = DdlCatalog::new();
    define(&parse("CREATE TABLE t (a float8)").expect("SQL"), &mut catalog);
    // Version 15 does not have it, so nothing is promised there, either.
    let reasons = of("SELECT random_normal(a) FROM t", &catalog);
    assert!(!reasons.ends_with('!'), "{reasons}");
}

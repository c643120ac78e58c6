//! The values of a column in the rows of a table that statements need. `tests/server/shards.rs` compares them with a server.

use std::fmt::Write as _;

use pg_ast::QualifiedName;
use pg_ast_names::{Catalog, ColumnValues, DdlCatalog, NoCatalog, PossibleValues};

use super::{pg, pg_names as names};
use crate::common::corpus;

const SCHEMA: &str = "CREATE TABLE a (k int, v int); CREATE TABLE b (v int, k bigint); CREATE TABLE s (k text, d date);
    CREATE TABLE z (k text, d timestamp); CREATE TABLE e (k int); CREATE VIEW w AS SELECT * FROM a";

fn found(sql: &str, table: &str, catalog: &dyn Catalog) -> ColumnValues {
    let tree = pg::view::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    names::column_values(&tree, &QualifiedName::new("public", table), "k", catalog)
}

/// The values of each use: separated by `|`, `any` and `unknown`.
fn text(found: &ColumnValues) -> String {
    let uses = found.uses.iter().map(|used| match &used.values {
        PossibleValues::These(values) => {
            let values: Vec<_> = values.iter().map(ToString::to_string).collect();
            values.join(" ")
        }
        PossibleValues::Any => "any".to_owned(),
        PossibleValues::Unknown => "unknown".to_owned(),
    });
    uses.collect::<Vec<_>>().join(" | ")
}

fn catalog() -> DdlCatalog {
    let mut catalog = DdlCatalog::new();
    names::define(&pg::parse(SCHEMA).expect("parses"), &mut catalog);
    catalog
}

/// Without a catalog.
#[track_caller]
fn has(sql: &str, expected: &str) {
    assert_eq!(text(&found(sql, "a", &NoCatalog)), expected, "{sql}");
}

#[track_caller]
fn has_with_catalog(sql: &str, table: &str, expected: &str) {
    assert_eq!(text(&found(sql, table, &catalog())), expected, "{sql}");
}

#[track_caller]
fn in_a(sql: &str, expected: &str) {
    has_with_catalog(sql, "a", expected);
}

#[test]
fn conditions() {
    has("SELECT * FROM a WHERE k = 1", "1");
    has("SELECT * FROM a WHERE 1 = a.k AND v", "1");
    has("SELECT * FROM a WHERE k IN (1, $1, NULL)", "1 $1");
    has("SELECT * FROM a WHERE k = NULL", "");
    has("SELECT * FROM a WHERE k = ANY ($1)", "ANY ($1)");
    has("SELECT * FROM a WHERE k = ANY ($1::int[])", "ANY ($1)");
    has("SELECT * FROM a WHERE k = ANY (ARRAY[1, 2]::int[])", "1 2");
    has("SELECT * FROM a WHERE k = ANY ('{1}')", "unknown");
    has("SELECT * FROM a WHERE (k, v) = (1, 2)", "1");
    has("SELECT * FROM a WHERE ROW(v, k) = ROW(1, 2)", "2");
    has("SELECT * FROM a WHERE (k, v) IN ((1, 2), (3, w))", "1 3");
    has("SELECT * FROM a WHERE k IS NOT DISTINCT FROM 3", "3");
    has("SELECT * FROM a WHERE k IS NOT DISTINCT FROM $1", "unknown");
    has("SELECT * FROM a WHERE k IS NOT DISTINCT FROM NULL", "unknown");
    has("SELECT * FROM a WHERE (k = 1 AND v) OR (v AND k IN (2, 3))", "2 3 1");
    has("SELECT * FROM a WHERE k = 1 OR v", "unknown");
    has("SELECT * FROM a WHERE NOT k = 1", "unknown");
    has("SELECT * FROM a WHERE k > 1 AND k IN (4, 5)", "4 5");
    has("SELECT * FROM a WHERE v = 1", "any");
    has("SELECT k FROM a ORDER BY k", "any");
    has("SELECT * FROM a WHERE k OPERATOR(pg_catalog.=) 3", "3");
    has("SELECT * FROM a WHERE k OPERATOR(my.=) 3", "unknown");
    has("SELECT * FROM a WHERE k::text = '3'", "unknown");
}

#[test]
fn values_that_a_cast_may_change_are_unknown() {
    has("SELECT * FROM a WHERE k = '3'::int AND v", "'3'");
    has("SELECT * FROM a WHERE k = $1::uuid", "$1");
    has("SELECT * FROM a WHERE k = -3", "-3");
    has("SELECT * FROM a WHERE k = 3.5", "3.5");
    for value in [
        "3.7::int",
        "-(3.7::int)",
        "'abc'::varchar(2)",
        "'abc'::char",
        "'pg_class'::regclass",
        "'2024-01-01 10:00'::date",
        "$1::date",
        "'x'::my.text",
        "'7'::text::int",
        "'a' COLLATE c",
    ] {
        has(&format!("SELECT * FROM a WHERE k = {value}"), "unknown");
    }
}

#[test]
fn values_are_those_of_the_table() {
    has("SELECT * FROM a, b WHERE b.k = 1", "any");
    has("DELETE FROM a USING b WHERE b.k = 1", "any");
    has("SELECT * FROM a, b WHERE k = 1", "unknown");
    has("SELECT * FROM a x, a y WHERE y.k = 2", "any | 2");
    has("WITH a AS (SELECT 1 AS k) SELECT * FROM a WHERE k = 1", "");
    has("SELECT * FROM other.a WHERE k = 1", "");
    has("SELECT * FROM a AS x (k) WHERE k = 1", "unknown");
    has_with_catalog("SELECT * FROM a AS x (p, k) WHERE p = 1", "a", "1");
    has_with_catalog("SELECT * FROM a AS x (p, k) WHERE k = 1", "a", "any");
    has_with_catalog("SELECT * FROM a, s WHERE v = 1 AND d = '2024-01-01'", "a", "any");
}

#[test]
fn joins() {
    in_a("SELECT * FROM a JOIN b ON a.k = b.k AND b.k = 3", "3");
    in_a("SELECT * FROM b JOIN a ON a.k = b.k WHERE b.k = 3", "3");
    in_a("SELECT * FROM b LEFT JOIN a ON a.k = b.k WHERE b.k = 3", "3");
    in_a("SELECT * FROM a LEFT JOIN b ON a.k = b.k AND b.k = 3", "unknown");
    in_a("SELECT * FROM a LEFT JOIN b ON a.k = 3", "unknown");
    in_a("SELECT * FROM b LEFT JOIN a ON a.k = 3", "3");
    in_a("SELECT * FROM a RIGHT JOIN b ON a.k = 3", "3");
    in_a("SELECT * FROM a FULL JOIN b ON a.k = b.k AND a.k = 3", "unknown");
    in_a("SELECT * FROM a FULL JOIN b ON a.k = b.k WHERE a.k = 3", "3");
    in_a("SELECT * FROM a JOIN e USING (k) WHERE e.k = 3", "3");
    in_a("SELECT * FROM a JOIN b USING (k) WHERE k = 3", "unknown");
    in_a("SELECT * FROM e LEFT JOIN a USING (k) WHERE k = 3", "3");
    has("SELECT * FROM a JOIN b ON a.k = b.k WHERE b.k = 3", "unknown");
    in_a("SELECT * FROM b FULL JOIN a USING (k) JOIN c ON c.k = b.k WHERE c.k = 3", "unknown");
    in_a("SELECT * FROM b LEFT JOIN (a JOIN c ON a.v = c.v) ON b.k = a.k WHERE b.k = 7", "7");
}

#[test]
fn texts_pass_between_columns_of_one_type() {
    has("SELECT * FROM a JOIN b ON a.k = b.k WHERE b.k = $1", "unknown");
    has_with_catalog("SELECT * FROM a JOIN b ON a.k = b.k WHERE b.k = $1", "a", "$1");
    has_with_catalog("SELECT * FROM s JOIN z ON s.k = z.k WHERE z.k = 'x'", "s", "'x'");
    let dates = "SELECT * FROM s AS x (d, k) JOIN z AS y (j, k) ON x.k = y.k WHERE x.k = '2024-01-01 10:00'";
    let schema = "CREATE TABLE s (d text, k date); CREATE TABLE z (j text, k timestamp)";
    let mut catalog = DdlCatalog::new();
    names::define(&pg::parse(schema).expect("parses"), &mut catalog);
    assert_eq!(text(&found(dates, "s", &catalog)), "'2024-01-01 10:00'");
    assert_eq!(text(&found(dates, "z", &catalog)), "unknown");
}

#[test]
fn queries_within() {
    in_a("SELECT * FROM (SELECT * FROM a) x WHERE x.k = 1", "1");
    in_a("SELECT * FROM (SELECT k AS q FROM a) x WHERE q = 1", "1");
    in_a("SELECT * FROM (SELECT * FROM a LIMIT 3) x WHERE x.k = 1", "any");
    in_a("SELECT * FROM (SELECT k, count(*) FROM a GROUP BY k) x WHERE x.k = 1", "any");
    in_a("SELECT * FROM (SELECT k, sum(v) OVER () FROM a) x WHERE x.k = 1", "any");
    in_a("SELECT * FROM (SELECT k FROM a UNION SELECT k FROM b) x WHERE x.k = 1", "unknown");
    in_a("WITH w AS (SELECT * FROM a) SELECT * FROM w WHERE k = 1", "1");
    in_a("WITH w AS (SELECT * FROM a) SELECT * FROM w, w x WHERE w.k = 1", "any");
    in_a("WITH w AS (SELECT k FROM b WHERE k = 2) SELECT * FROM a JOIN w ON a.k = w.k", "2");
    in_a("SELECT * FROM b WHERE k = 1 AND EXISTS (SELECT 1 FROM a WHERE a.k = b.k)", "1");
    in_a("SELECT (SELECT v FROM a WHERE a.k = b.k) FROM b WHERE k = 1", "1");
    in_a("SELECT * FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.k = 1)", "unknown");
    in_a("SELECT * FROM a WHERE k IN (SELECT b.k FROM b WHERE b.k IN (1, 2))", "1 2");
    in_a("SELECT * FROM a WHERE k NOT IN (SELECT k FROM b WHERE b.k = 1)", "unknown");
    in_a("SELECT * FROM (VALUES (1), (2)) x (k) JOIN a ON a.k = x.k", "1 2");
    in_a(
        "WITH RECURSIVE w AS (SELECT k FROM b WHERE k = 1 UNION ALL SELECT w.k + 1 FROM w) SELECT * FROM a JOIN w ON a.k = w.k",
        "unknown",
    );
}

#[test]
fn rows_that_are_written() {
    in_a("INSERT INTO a (v, k) VALUES (1, 2), (3, $1), (4, NULL)", "2 $1 NULL");
    in_a("INSERT INTO a (k) VALUES (DEFAULT)", "unknown");
    in_a("INSERT INTO a (k) VALUES (1.5)", "unknown");
    has("INSERT INTO a VALUES (1, 2)", "unknown");
    has_with_catalog("INSERT INTO a VALUES (1, 2)", "a", "1");
    has_with_catalog("INSERT INTO b VALUES (1)", "b", "unknown");
    in_a("INSERT INTO a DEFAULT VALUES", "unknown");
    in_a("INSERT INTO a (k) SELECT 1 UNION SELECT 2", "1 2");
    in_a("INSERT INTO a (k, v) SELECT '1', 2", "'1'");
    in_a("INSERT INTO a (k) SELECT k FROM b WHERE k = 7", "7");
    in_a("INSERT INTO a (k) SELECT k FROM b", "unknown");
    in_a("INSERT INTO a (k) OVERRIDING USER VALUE VALUES (1)", "unknown");
    in_a("INSERT INTO a (k) VALUES (1) ON CONFLICT DO NOTHING", "unknown");
    in_a("INSERT INTO a (k) VALUES (1) ON CONFLICT (k, v) DO NOTHING", "1");
    in_a("INSERT INTO a (k) VALUES (1) ON CONFLICT (v) DO UPDATE SET v = 1", "unknown");
    in_a("UPDATE a SET v = 1 FROM b WHERE a.k = b.k AND b.k = 4", "4");
    let merge = "MERGE INTO a USING (VALUES (1, 2)) s (k, v) ON a.k = s.k";
    in_a(&format!("{merge} WHEN MATCHED THEN UPDATE SET v = 1"), "1");
    in_a(&format!("{merge} WHEN NOT MATCHED THEN INSERT (k) VALUES (s.k)"), "1 NULL");
    in_a(&format!("{merge} WHEN NOT MATCHED THEN INSERT (k) VALUES (5)"), "5 1");
    in_a(&format!("{merge} WHEN NOT MATCHED THEN INSERT (k) VALUES (s.v + 1)"), "unknown");
}

#[test]
fn what_changes_the_column() {
    let changes = |sql: &str| found(sql, "a", &NoCatalog).is_changed;
    assert!(changes("UPDATE a SET k = 9 WHERE k = 3"));
    assert!(changes("UPDATE a SET (v, k) = (1, 2)"));
    assert!(changes("INSERT INTO a (k) VALUES (1) ON CONFLICT (k) DO UPDATE SET k = 9"));
    assert!(changes("MERGE INTO a USING b ON a.k = 1 WHEN MATCHED THEN UPDATE SET k = 2"));
    assert!(!changes("UPDATE b SET k = 9 FROM a WHERE a.k = 3"));
    assert!(!changes("UPDATE a SET v = 9"));
}

#[test]
fn statements_around_a_query() {
    for before in
        ["EXPLAIN", "EXPLAIN ANALYZE", "PREPARE p AS", "DECLARE c CURSOR FOR", "CREATE TABLE n AS"]
    {
        has(&format!("{before} SELECT * FROM a WHERE k = 1"), "1");
    }
    has("COPY (SELECT * FROM a WHERE k = 1) TO STDOUT", "1");
    for sql in [
        "CREATE VIEW v AS SELECT * FROM a WHERE k = 1",
        "CREATE MATERIALIZED VIEW v AS SELECT * FROM a WHERE k = 1",
        "TRUNCATE a",
        "COPY a TO STDOUT",
        "LOCK a",
    ] {
        has(sql, "unknown");
        assert!(!found(sql, "a", &NoCatalog).is_complete, "{sql}");
    }
    assert!(!found("CALL p()", "a", &NoCatalog).is_complete);
    assert!(!found("SELECT * FROM w WHERE k = 1", "a", &catalog()).is_complete);
    assert!(found("SELECT * FROM b", "a", &catalog()).is_complete);
}

#[test]
fn both_kinds_of_trees_have_the_same_values() {
    let mut count = 0;
    let statements = corpus::statements().into_iter().step_by(5);
    for sql in corpus::own_statements().into_iter().chain(statements) {
        let (Ok(tree), Ok(view)) = (pg::parse(&sql), pg::view::parse(&sql)) else { continue };
        let resolution = names::resolve(&view, &NoCatalog);
        let Some(table) = resolution.tables.first() else { continue };
        for column in ["a", "f1", "id"] {
            let of_view = names::column_values(&view, &table.name, column, &NoCatalog);
            assert_eq!(
                of_view,
                names::column_values(&tree, &table.name, column, &NoCatalog),
                "{sql}"
            );
            let is_these = |used: &&_| matches!(used, PossibleValues::These(_));
            count += of_view.uses.iter().map(|used| &used.values).filter(is_these).count();
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn deep_and_long_statements() {
    let deep = format!(
        "SELECT 1 FROM a WHERE {}k = 1{}",
        "(v AND (".repeat(1_000),
        " OR k = 2))".repeat(1_000)
    );
    // Each query names the one before it twice, so that the values could double.
    let mut doubling = "WITH w0 AS (VALUES (1), (2))".to_owned();
    for level in 1..500 {
        let before = level - 1;
        let _ = write!(
            doubling,
            ", w{level} (column1) AS (SELECT column1 FROM w{before} UNION ALL SELECT column1 FROM w{before})"
        );
    }
    doubling += " SELECT * FROM a JOIN w499 ON a.k = w499.column1";
    let thread = std::thread::Builder::new().stack_size(256 * 1024);
    let texts =
        thread.spawn(move || [deep, doubling].map(|sql| text(&found(&sql, "a", &catalog()))));
    let [deep, doubling] = texts.expect("a thread").join().expect("no panic");
    assert_eq!(deep.split(' ').count(), 1_001);
    assert_eq!(doubling, "1 2");
}

/// Each lost rows, or had another value than the one that is stored.
#[test]
fn what_is_not_certain_is_unknown() {
    // NULL is a value of a row that is written.
    in_a("INSERT INTO a (k) SELECT e.k FROM b LEFT JOIN e ON e.k = 1", "1 NULL");
    in_a("INSERT INTO a (k) SELECT k FROM e WHERE k = 1 GROUP BY ROLLUP (k)", "1 NULL");
    in_a("INSERT INTO a (k) SELECT 5 FROM b GROUP BY ROLLUP (1)", "5 NULL");
    // Windows.
    if pg::view::parse("SELECT json_arrayagg(v) OVER () FROM a").is_ok() {
        in_a("SELECT * FROM (SELECT k, json_arrayagg(v) OVER () FROM a) x WHERE x.k = 1", "any");
    }
    // A star is several values.
    in_a("SELECT a.k FROM a, (VALUES (1, 2)) x WHERE (x.*, a.k) IN ((1, 2, 1))", "unknown");
    in_a("SELECT a.k FROM a, (VALUES (1, 2)) x WHERE (x.*, a.k) IN (SELECT 1, 2, 1)", "unknown");
    in_a(
        "SELECT a.k FROM a, (VALUES (1, 5)) x, (VALUES (1, 1)) y WHERE (x.*, a.k, a.v) = (1, 5, y.*)",
        "unknown",
    );
    in_a(
        "SELECT a.k FROM a, (VALUES (1, 2)) x, LATERAL (VALUES (x.*, 5)) y WHERE a.k = y.column2",
        "unknown",
    );
    has("INSERT INTO a (v, k) VALUES (((7, 2)::ct).*, 9)", "unknown");
    in_a(
        "MERGE INTO a USING (VALUES (7, 2)) s ON a.k = 4 WHEN NOT MATCHED THEN INSERT (v, k) VALUES (s.*, 9)",
        "unknown",
    );
    // Two columns of one name.
    in_a("SELECT * FROM (SELECT * FROM a x (v)) y (k1, k2) WHERE k2 = 3", "unknown");
    // Texts that are read by another type.
    has("INSERT INTO a (k) VALUES ('007'::int4)", "unknown");
    has("INSERT INTO a (k) VALUES ('007'), (2) ORDER BY 1", "unknown");
    has("INSERT INTO a (k) VALUES ('007'), (2)", "'007' 2");
    has("INSERT INTO a (k) VALUES (TRUE)", "unknown");
    has("SELECT * FROM a WHERE k IN ('1.0', 2.5)", "unknown");
    has("SELECT * FROM a WHERE k = ANY (ARRAY['1.0', 2::numeric])", "unknown");
    has("INSERT INTO a (k) VALUES (1) ON CONFLICT (k COLLATE c) DO NOTHING", "unknown");
    // A parameter has one type.
    has("PREPARE p (date) AS SELECT * FROM a WHERE k = $1", "unknown");
    has("SELECT * FROM a, b WHERE a.k = $1 AND b.d = $1", "unknown");
    in_a("SELECT * FROM a, b WHERE a.k = $1 AND b.k = $1", "$1");
    in_a("SELECT * FROM a NATURAL JOIN b WHERE k = 1", "unknown");
}

#[test]
fn partitions_have_rows_of_their_table() {
    let mut catalog = DdlCatalog::new();
    let sql = "CREATE TABLE a (k int, v int) PARTITION BY LIST (v); CREATE TABLE a1 PARTITION OF a FOR VALUES IN (1)
            PARTITION BY LIST (v); CREATE TABLE a11 PARTITION OF a1 DEFAULT; CREATE TABLE a2 PARTITION OF a DEFAULT;
        CREATE TABLE b (v int, k int); ALTER TABLE b INHERIT a2";
    names::define(&pg::parse(sql).expect("parses"), &mut catalog);
    let has = |sql: &str, table: &str, expected: &str| {
        assert_eq!(text(&found(sql, table, &catalog)), expected, "{sql}");
    };
    has("SELECT * FROM a WHERE k = 1", "a11", "1");
    has("SELECT * FROM a11 WHERE k = 1", "a", "1");
    has("SELECT * FROM a11, a2 WHERE a11.k = 1", "a1", "1");
    has("INSERT INTO b VALUES (1, 7)", "a", "7");
    has("INSERT INTO b VALUES (1, 7)", "a1", "");
    assert!(found("UPDATE a1 SET k = 2", "a11", &catalog).is_changed);
    assert!(!found("UPDATE a2 SET k = 2", "a11", &catalog).is_changed);
    assert_eq!(found("SELECT * FROM a1", "a", &NoCatalog).uses.len(), 0);
}

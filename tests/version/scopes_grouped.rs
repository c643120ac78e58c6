//! What is grouped, where calls cannot be, and objects that are not there: each with the server's message, SQLSTATE and place.

use pg_ast_names::{
    Catalog as _, DdlCatalog, FunctionKind, MistakeKind, NoCatalog, ParameterMode, Relation,
    RelationKind, Routine, RoutineParameter,
};

use super::NAME;
use super::pg;
use super::pg_names::{define, resolve};

const TABLES: &str = "CREATE TABLE keyed (id serial PRIMARY KEY, a int UNIQUE, b text);
    CREATE TABLE plain (id int, a int, b text);
    CREATE INDEX on_a ON plain (a);
    CREATE FUNCTION doubled(int) RETURNS int LANGUAGE sql AS 'SELECT $1';
    CREATE AGGREGATE total(int) (sfunc = int4pl, stype = int)";

fn catalog(more: &str) -> DdlCatalog {
    let mut catalog = DdlCatalog::new();
    define(&pg::parse(&format!("{TABLES};{more}")).expect("tables"), &mut catalog);
    catalog
}

/// Returns the mistakes of a statement: SQLSTATE, message and what stands at the place.
fn mistakes(sql: &str, catalog: &DdlCatalog) -> Vec<String> {
    let names = resolve(&pg::parse(sql).expect("parses"), catalog);
    let shown = names.mistakes.iter().map(|it| {
        let place = it.location.map_or("", |at| &sql[at..]);
        let place = place.split([' ', ',', ')', '(']).next().unwrap_or_default();
        format!("{} {} @{place}", it.kind.sqlstate(), it.message)
    });
    shown.collect()
}

#[test]
fn columns_beside_groups_are_mistakes() {
    let catalog = catalog("");
    for (sql, columns) in [
        ("SELECT a, count(*) FROM plain", "plain.a"),
        ("SELECT p.a, p.b FROM plain p GROUP BY p.a", "p.b"),
        ("SELECT b FROM keyed GROUP BY id", ""),
        ("SELECT b FROM keyed GROUP BY a", "keyed.b"),
        ("SELECT b FROM keyed GROUP BY ROLLUP (id)", "keyed.b"),
        ("SELECT k.b, p.b FROM keyed k, plain p GROUP BY k.id", "p.b"),
        ("SELECT * FROM plain GROUP BY id", "plain.a"),
        ("SELECT p FROM plain p GROUP BY id", "p.*"),
        ("SELECT a + 1 FROM plain GROUP BY a + 1", ""),
        ("SELECT a, a + 1 FROM plain GROUP BY a + 1", "plain.a"),
        ("SELECT a FROM plain GROUP BY a::int", ""),
        ("SELECT a AS x, b FROM plain GROUP BY x, 2", ""),
        ("SELECT sum(a) OVER (ORDER BY b) FROM plain GROUP BY a", "plain.b"),
        ("SELECT a FROM plain GROUP BY a HAVING b > 'x' ORDER BY max(b), id", "plain.b plain.id"),
        ("SELECT sum(a) FILTER (WHERE b > 'x') FROM plain", ""),
        ("SELECT percentile_cont(a) WITHIN GROUP (ORDER BY id) FROM plain", "plain.a"),
        ("SELECT x.b FROM plain x WHERE (SELECT sum(x.a + y.a) FROM plain y) > 1", ""),
        ("SELECT total(a), b FROM plain", "plain.b"),
        ("SELECT doubled(a) FROM plain GROUP BY b", "plain.a"),
        // It may be an aggregate.
        ("SELECT nowhere.f(a) FROM plain GROUP BY b", ""),
        ("SELECT a FROM nowhere.t GROUP BY b", ""),
        ("SELECT a FROM keyed WHERE id IN (SELECT id FROM plain GROUP BY id)", ""),
    ] {
        let found = mistakes(sql, &catalog);
        let expected = columns.split(' ').filter(|name| !name.is_empty()).map(|name| {
            format!(
                "42803 column \"{name}\" must appear in the GROUP BY clause or be used in an aggregate function"
            )
        });
        let found: Vec<_> = found.iter().map(|it| it.split(" @").next().unwrap()).collect();
        assert_eq!(found, expected.collect::<Vec<_>>(), "{NAME}: {sql}");
    }
    let sql = "SELECT (SELECT x.b FROM keyed LIMIT 1) FROM plain x GROUP BY x.a";
    let message = "42803 subquery uses ungrouped column \"x.b\" from outer query @x.b";
    assert_eq!(mistakes(sql, &catalog), [message], "{NAME}");
    let names = resolve(&pg::parse("SELECT a, count(*) FROM t").expect("parses"), &NoCatalog);
    assert_eq!(names.mistakes[0].kind, MistakeKind::UngroupedColumn, "{NAME}");
}

#[test]
fn calls_are_refused_where_they_cannot_be() {
    let catalog = catalog("");
    for (sql, expected) in [
        (
            "SELECT 1 FROM plain WHERE sum(a) > 1",
            "42803 aggregate functions are not allowed in WHERE @sum",
        ),
        (
            "SELECT 1 FROM plain WHERE total(a) > 1",
            "42803 aggregate functions are not allowed in WHERE @total",
        ),
        (
            "SELECT 1 FROM plain x JOIN plain y ON max(x.a) = 1",
            "42803 aggregate functions are not allowed in JOIN conditions @max",
        ),
        (
            "SELECT 1 FROM plain x, LATERAL (SELECT max(x.a)) y",
            "42803 aggregate functions are not allowed in FROM clause of their own query level @max",
        ),
        ("SELECT sum(max(a)) FROM plain", "42803 aggregate function calls cannot be nested @max"),
        ("SELECT sum((SELECT max(y.a) FROM plain y)) FROM plain", ""),
        ("UPDATE plain SET a = max(a)", "42803 aggregate functions are not allowed in UPDATE @max"),
        (
            "INSERT INTO plain VALUES (count(*))",
            "42803 aggregate functions are not allowed in VALUES @count",
        ),
        (
            "DELETE FROM plain RETURNING count(*)",
            "42803 aggregate functions are not allowed in RETURNING @count",
        ),
        ("SELECT 1 LIMIT count(*)", "42803 aggregate functions are not allowed in LIMIT @count"),
        (
            "SELECT 1 FROM plain HAVING rank() OVER () > 1",
            "42P20 window functions are not allowed in HAVING @rank",
        ),
        ("SELECT rank()", "42809 window function rank requires an OVER clause @rank"),
        (
            "SELECT sum(rank() OVER ()) OVER () FROM plain",
            "42P20 window function calls cannot be nested @rank",
        ),
        (
            "SELECT 1 FROM plain WHERE generate_series(1, 2) = 1",
            "0A000 set-returning functions are not allowed in WHERE @generate_series",
        ),
        ("INSERT INTO plain VALUES (generate_series(1, 2))", ""),
        (
            "INSERT INTO plain VALUES (generate_series(1, 2)), (1)",
            "0A000 set-returning functions are not allowed in VALUES @generate_series",
        ),
        (
            "SELECT CASE WHEN true THEN generate_series(1, 2) END",
            "0A000 set-returning functions are not allowed in CASE @generate_series",
        ),
        (
            "CREATE TABLE x (a int CHECK (max(a) > 1))",
            "42803 aggregate functions are not allowed in check constraints @max",
        ),
        (
            "CREATE INDEX ON plain (count(*))",
            "42803 aggregate functions are not allowed in index expressions @count",
        ),
        (
            "SELECT grouping(a) FROM plain",
            "42803 arguments to GROUPING must be grouping expressions of the associated query level @a",
        ),
    ] {
        let expected: Vec<_> = Some(expected).filter(|it| !it.is_empty()).into_iter().collect();
        assert_eq!(mistakes(sql, &catalog), expected, "{NAME}: {sql}");
    }
}

#[test]
fn an_overloaded_aggregate_is_not_certain() {
    let more = "CREATE FUNCTION sum(keyed) RETURNS int LANGUAGE sql AS 'SELECT 1'";
    let catalog = catalog(more);
    assert!(mistakes("SELECT 1 FROM keyed k WHERE sum(k) > 1", &catalog).is_empty(), "{NAME}");
    let mut own = DdlCatalog::new();
    own.add_relation(Relation::new("public", "t", RelationKind::Table, ["a", "b"]));
    let parameter = RoutineParameter::new(ParameterMode::In, None);
    let mut routine = Routine::new("public", "f", vec![parameter], None);
    own.add_routine(routine.clone());
    let sql = "SELECT b FROM t WHERE f(a) > 1";
    assert!(mistakes(sql, &own).is_empty(), "{NAME}");
    routine.kind = Some(FunctionKind::Aggregate);
    own.add_routine(routine);
    assert_eq!(mistakes(sql, &own).len(), 1, "{NAME}");
    // Its keys are not known.
    assert!(mistakes("SELECT b FROM t GROUP BY a", &own).is_empty(), "{NAME}");
}

#[test]
fn objects_that_are_not_there_are_mistakes() {
    let catalog = catalog("");
    for (sql, expected) in [
        ("SELECT nextval('keyed_id_seq'), 'on_a'::regclass, 'keyed_pkey'::regclass", ""),
        ("SELECT nextval('nothing')", "42P01 relation \"nothing\" does not exist @'nothing'"),
        (
            "SELECT 'nothing'::regclass",
            "42P01 relation \"nothing\" does not exist @'nothing'::regclass",
        ),
        ("SELECT 'nothing'::regtype", "42704 type \"nothing\" does not exist @'nothing'::regtype"),
        (
            "SELECT 'nothing'::regproc",
            "42883 function \"nothing\" does not exist @'nothing'::regproc",
        ),
        ("SELECT 'other.nothing'::regclass, 'pg_class_oid_index'::regclass", ""),
        ("DROP INDEX on_a", ""),
        ("DROP INDEX nothing", "42704 index \"nothing\" does not exist @"),
        ("DROP SEQUENCE nothing", "42P01 sequence \"nothing\" does not exist @"),
        ("DROP TYPE nothing", "42704 type \"nothing\" does not exist @"),
        ("DROP FUNCTION nothing", "42883 could not find a function named \"nothing\" @"),
        ("ALTER INDEX nothing RENAME TO x", "42P01 relation \"nothing\" does not exist @nothing"),
        ("ALTER SEQUENCE nothing RESTART", "42P01 relation \"nothing\" does not exist @nothing"),
        ("REINDEX INDEX nothing", "42P01 relation \"nothing\" does not exist @nothing"),
        ("COMMENT ON INDEX nothing IS 'x'", "42P01 relation \"nothing\" does not exist @"),
        (
            "CREATE FUNCTION f(a nothing) RETURNS int LANGUAGE sql AS ''",
            "42704 type nothing does not exist @nothing",
        ),
        ("CREATE DOMAIN d AS nothing", "42704 type \"nothing\" does not exist @nothing"),
    ] {
        let expected: Vec<_> = Some(expected).filter(|it| !it.is_empty()).into_iter().collect();
        assert_eq!(mistakes(sql, &catalog), expected, "{NAME}: {sql}");
    }
}

#[test]
fn a_catalog_has_keys_indexes_and_sequences() {
    let steps = [
        "ALTER TABLE plain ADD CONSTRAINT one PRIMARY KEY (id)",
        "ALTER TABLE plain RENAME COLUMN id TO number",
        "ALTER INDEX on_a RENAME TO on_b",
        "CREATE INDEX ON plain (b)",
        "ALTER TABLE keyed RENAME CONSTRAINT keyed_pkey TO named",
        "CREATE VIEW of_b AS SELECT b FROM plain",
        "ALTER TABLE plain DROP COLUMN b CASCADE",
    ];
    let mut catalog = catalog(&steps.join(";"));
    let key = catalog.relation("public", "plain").and_then(|table| table.primary_key());
    assert_eq!(key.unwrap(), ["number"], "{NAME}");
    let has = |catalog: &DdlCatalog, name| catalog.has_index("public", name);
    assert_eq!(
        ["on_b", "named", "one", "keyed_a_key"].map(|it| has(&catalog, it)),
        [Some(true); 4]
    );
    assert_eq!(["on_a", "keyed_pkey"].map(|it| has(&catalog, it)), [Some(false); 2]);
    // It went with its column.
    assert_eq!(has(&catalog, "plain_b_idx"), Some(false), "{NAME}");
    let indexed = "CREATE INDEX ON plain (a); CREATE INDEX ON plain (a)";
    define(&pg::parse(indexed).expect("parses"), &mut catalog);
    assert_eq!(["plain_a_idx", "plain_a_idx1"].map(|it| has(&catalog, it)), [Some(true); 2]);
    assert!(catalog.relation("public", "of_b").is_none(), "{NAME}");
    define(&pg::parse("DROP TABLE keyed").expect("parses"), &mut catalog);
    assert_eq!(has(&catalog, "named"), Some(false), "{NAME}");
    assert!(catalog.relation("public", "keyed_id_seq").is_none(), "{NAME}");
}

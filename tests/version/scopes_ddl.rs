//! What statements define: the catalog that they fill, what they need, and their order by that.

use pg_ast_names::{DdlCatalog, NoCatalog};

use super::NAME;
use super::pg::{self, view};
use super::pg_names::{define, dependencies, resolve};

#[test]
fn a_catalog_follows_migrations() {
    let mut catalog = DdlCatalog::new();
    let steps = [
        "CREATE TABLE t (a int, b int)",
        "CREATE TABLE heir (c int) INHERITS (t)",
        "ALTER TABLE t ADD COLUMN d int, DROP COLUMN b",
        "ALTER TABLE t RENAME COLUMN a TO k",
        "CREATE TABLE copy (LIKE t, z int)",
        "CREATE TABLE made AS SELECT k AS m, 1 AS n FROM t",
        "ALTER TABLE copy RENAME TO other",
        "CREATE SCHEMA app CREATE TABLE inner_one (i int)",
        "ALTER TABLE other SET SCHEMA app",
        "CREATE TABLE parted (p int, q int) PARTITION BY LIST (p)",
        "CREATE TABLE part PARTITION OF parted FOR VALUES IN (1)",
        "CREATE MATERIALIZED VIEW mv AS SELECT * FROM part",
        "SELECT 1 AS one INTO into_one",
        "SET search_path = app, public",
        "CREATE TABLE here (h int)",
        "DROP TABLE made",
        "ALTER TRIGGER g ON here RENAME TO other_trigger",
        "CREATE TABLE own (k int, d int) INHERITS (public.t)",
        "ALTER TABLE public.t DROP COLUMN k",
        // One of the same name has no column of its own.
        "CREATE TABLE base (z int, y int)",
        "CREATE TABLE again (z int) INHERITS (base)",
        "DROP TABLE again",
        "CREATE TABLE again () INHERITS (base)",
        "ALTER TABLE base DROP COLUMN z",
    ];
    for step in steps {
        define(&pg::parse(step).expect("parses"), &mut catalog);
    }
    let mut tables: Vec<_> = catalog
        .relations()
        .map(|relation| {
            let columns: Vec<_> = relation.columns.iter().map(|it| it.name.as_str()).collect();
            format!("{}({})", relation.name, columns.join(" "))
        })
        .collect();
    tables.sort();
    let expected = [
        "app.again(y)",
        "app.base(y)",
        "app.here(h)",
        "app.inner_one(i)",
        "app.other(k d z)",
        "app.own(k d)",
        "public.heir(c d)",
        "public.into_one(one)",
        "public.mv(p q)",
        "public.part(p q)",
        "public.parted(p q)",
        "public.t(d)",
    ];
    assert_eq!(tables, expected, "{NAME}");
}

/// Whether a `DO` changes something may depend on what there is.
#[test]
fn after_a_do_that_alters_a_table_nothing_about_it_is_a_mistake() {
    let mistakes = |body: &str, sql: &str| {
        let mut catalog = DdlCatalog::new();
        let schema = "CREATE SCHEMA s; CREATE TABLE t (a int); CREATE TABLE s.u (a int); CREATE TABLE s.v (a int)";
        let changes = pg::parse(&format!("{schema}; DO $do$ {body} $do$")).expect("parses");
        define(&changes, &mut catalog);
        let names = resolve(&pg::parse(sql).expect("parses"), &catalog);
        names.mistakes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let sql = "SELECT t.b, u.b FROM t, s.u";
    let of_u = "column u.b does not exist";
    assert_eq!(mistakes("BEGIN PERFORM 1 FROM t; END", sql), ["column t.b does not exist", of_u]);
    assert_eq!(mistakes("BEGIN ALTER TABLE T RENAME a TO b; END", sql), [of_u]);
    assert_eq!(
        mistakes("BEGIN EXECUTE 'alter table s.u add b int'; ALTER TABLE t ADD b int; END", sql),
        [""; 0]
    );
    assert_eq!(mistakes("BEGIN ALTER TABLE s.u ADD b int; END", "SELECT * FROM s.w, s.v"), [""; 0]);
    assert_eq!(
        mistakes("BEGIN ALTER TABLE s.u ADD b int; END", "SELECT b FROM s.v"),
        ["column \"b\" does not exist"]
    );
    assert_eq!(mistakes("BEGIN CREATE TABLE n (a int); END", "SELECT b FROM n"), [""; 0]);
}

/// Returns the order of statements by their numbers, with cycles.
fn order(stmts: &[&str]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let sql = stmts.join(";");
    let tree = view::parse(&sql).unwrap_or_else(|error| panic!("{NAME}: {sql}: {error}"));
    let found = dependencies(&tree, &NoCatalog);
    let owned = pg::parse(&sql).expect("parses");
    assert_eq!(dependencies(&owned, &NoCatalog), found, "{NAME}: {sql}");
    let order = found.order();
    (order.stmts, order.cycles)
}

#[test]
fn statements_are_ordered_by_what_they_need() {
    let sorted = order(&[
        "CREATE TRIGGER g BEFORE INSERT ON s.t FOR EACH ROW EXECUTE FUNCTION s.f()",
        "CREATE VIEW s.w AS SELECT k FROM s.v",
        "CREATE VIEW s.v AS SELECT a AS k, s.h(c) FROM s.t",
        "ALTER TABLE s.t ADD COLUMN c int",
        "CREATE POLICY p ON s.t USING (s.h(a) = 1)",
        "CREATE TABLE s.u (a int REFERENCES s.t (a), m s.mood DEFAULT 'x', n int DEFAULT nextval('s.q'))",
        "CREATE TABLE s.t (a int PRIMARY KEY)",
        "CREATE FUNCTION s.h(int) RETURNS int LANGUAGE sql AS 'SELECT count(*)::int FROM s.base'",
        "CREATE FUNCTION s.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'",
        "CREATE TABLE s.base ()",
        "CREATE TYPE s.mood AS ENUM ('x')",
        "CREATE SEQUENCE s.q",
        "CREATE SCHEMA s",
    ]);
    assert_eq!(sorted, (vec![12, 6, 3, 8, 0, 9, 7, 2, 1, 4, 10, 11, 5], vec![]), "{NAME}");
    let quoted = order(&[
        "CREATE TABLE t (n int DEFAULT nextval('S . \"a.b\"'))",
        "CREATE SEQUENCE s.\"a.b\"",
    ]);
    assert_eq!(quoted.0, [1, 0], "{NAME}");
    // What needs nothing stays.
    assert_eq!(order(&["SELECT 1", "CREATE TABLE t ()", "SELECT 2"]).0, [0, 1, 2], "{NAME}");
    let cycle = order(&[
        "CREATE VIEW z AS SELECT 1 FROM b",
        "CREATE TABLE a (k int REFERENCES b (k))",
        "CREATE TABLE b (k int REFERENCES a (k))",
        "CREATE TABLE self (k int REFERENCES self (k))",
    ]);
    assert_eq!(cycle, (vec![1, 2, 0, 3], vec![vec![1, 2]]), "{NAME}");
}

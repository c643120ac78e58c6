//! What statements define: the catalog that they fill, what they need, and their order by that.

use pg_ast_names::{Catalog as _, DdlCatalog, NoCatalog, Relation, Volatility};

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
/// Returns the relations of a catalog that statements fill, with their columns and triggers.
fn defined(stmts: &[&str]) -> Vec<String> {
    let mut catalog = DdlCatalog::new();
    for stmt in stmts {
        define(&pg::parse(stmt).expect("parses"), &mut catalog);
    }
    let of = |relation: &Relation| {
        let columns: Vec<_> = relation.columns.iter().map(|it| &*it.name).collect();
        let triggers: Vec<_> = relation.triggers.iter().map(|it| &*it.name).collect();
        format!("{}({}) {}", relation.name, columns.join(" "), triggers.join(" "))
    };
    let mut relations: Vec<_> = catalog.relations().map(of).collect();
    relations.sort();
    relations
}

const OF_A_SCHEMA: [&str; 8] = [
    "CREATE SCHEMA s CREATE TABLE r (a int)",
    "CREATE TYPE s.mood AS ENUM ('calm')",
    "CREATE DOMAIN s.base AS int; CREATE DOMAIN over AS s.base; CREATE DOMAIN lists AS over[]",
    "CREATE FUNCTION s.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "CREATE FUNCTION s.f(int) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE TABLE t (a int, b s.mood, c s.r, d over, e lists, f s.base[], CHECK (a > 0))",
    "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION s.f()",
    "CREATE VIEW v AS SELECT c FROM t",
];

#[test]
fn what_a_schema_has_is_dropped_elsewhere() {
    let after = |stmt| defined(&[&OF_A_SCHEMA[..], &[stmt]].concat());
    assert_eq!(after("SELECT 1"), ["public.t(a b c d e f) g", "public.v(c) ", "s.r(a) "]);
    assert_eq!(after("DROP SCHEMA s CASCADE"), ["public.t(a) "]);
    assert_eq!(after("DROP TABLE s.r CASCADE"), ["public.t(a b d e f) g"]);
    assert_eq!(after("DROP DOMAIN over CASCADE").len(), 3);
    assert_eq!(after("DROP DOMAIN over CASCADE")[0], "public.t(a b c f) g");
    assert_eq!(after("DROP DOMAIN s.base CASCADE")[0], "public.t(a b c) g");
    assert_eq!(
        after("ALTER DOMAIN s.base SET SCHEMA public; DROP DOMAIN base CASCADE")[0],
        "public.t(a b c) g"
    );
    assert_eq!(after("DROP FUNCTION s.f() CASCADE")[0], "public.t(a b c d e f) ");
    // Triggers call the one without parameters.
    assert_eq!(after("DROP FUNCTION s.f(int)")[0], "public.t(a b c d e f) g");
}

#[test]
fn functions_are_altered() {
    let mut catalog = DdlCatalog::new();
    let mut define = |sql| define(&pg::parse(sql).expect("parses"), &mut catalog);
    define("CREATE FUNCTION f(int) RETURNS int LANGUAGE sql SET search_path = a AS 'SELECT 1'");
    define("CREATE FUNCTION f(text) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1'");
    define("CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
    define("CREATE TABLE t (a int)");
    define("CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()");
    define("ALTER FUNCTION f(int) IMMUTABLE RESET search_path; ALTER FUNCTION f(int) RENAME TO h");
    define("ALTER FUNCTION f(text) VOLATILE STRICT SET search_path = b, c");
    let of = |name: &str| {
        let routines = catalog.routines("public", name).iter();
        let mut found: Vec<_> = routines
            .map(|it| {
                let path = it.body.as_ref().and_then(|body| body.search_path.clone());
                (it.parameters.len(), it.volatility, path)
            })
            .collect();
        found.sort_by_key(|it| it.0);
        found
    };
    let path = vec!["b".to_owned(), "c".to_owned()];
    assert_eq!(of("h"), [(1, Some(Volatility::Immutable), None)]);
    assert_eq!(
        of("f"),
        [(0, Some(Volatility::Volatile), None), (1, Some(Volatility::Volatile), Some(path))]
    );
    let trigger = &catalog.relation("public", "t").expect("a table").triggers[0];
    assert_eq!(trigger.function.name, "f");
}

#[test]
fn a_multirange_has_a_schema_of_its_own() {
    let mut catalog = DdlCatalog::new();
    let sql = "CREATE SCHEMA a; CREATE SCHEMA b;
        CREATE TYPE a.one AS RANGE (SUBTYPE = int, MULTIRANGE_TYPE_NAME = b.many);
        CREATE TYPE a.two AS RANGE (SUBTYPE = int, MULTIRANGE_TYPE_NAME = here)";
    define(&pg::parse(sql).expect("parses"), &mut catalog);
    let found = [("a", "one"), ("b", "many"), ("a", "many"), ("public", "here"), ("a", "here")];
    let found = found.map(|(schema, name)| catalog.has_type(schema, name));
    assert_eq!(found, [Some(true), Some(true), Some(false), Some(true), Some(false)]);
}

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

/// Asserts the order of statements, without cycles.
fn assert_order(stmts: &[&str], expected: &[usize]) {
    let (found, cycles) = order(stmts);
    assert_eq!(found, expected, "{NAME}: {stmts:#?}");
    assert!(cycles.is_empty(), "{NAME}: {cycles:?}");
}

#[test]
fn keys_come_before_what_refers_to_them() {
    let foreign = "ALTER TABLE u ADD CONSTRAINT u_a FOREIGN KEY (a) REFERENCES t";
    let tables = "CREATE TABLE t (a int, b int)";
    let other = "CREATE TABLE u (a int)";
    let primary = "ALTER TABLE t ADD PRIMARY KEY (a)";
    assert_order(&[foreign, other, primary, tables], &[1, 3, 2, 0]);
    // Of several keys, that of the columns.
    let of_b = "ALTER TABLE u ADD FOREIGN KEY (a) REFERENCES t (b)";
    let index = "CREATE UNIQUE INDEX ON t (b)";
    assert_order(&[tables, primary, of_b, other, index], &[0, 1, 3, 4, 2]);
    let comment = "COMMENT ON CONSTRAINT u_a ON u IS ''";
    assert_order(&[tables, other, primary, comment, foreign], &[0, 1, 2, 4, 3]);
    // A column that depends on the grouped ones.
    let depends = "CREATE VIEW v AS SELECT a, b FROM t GROUP BY a";
    assert_order(&[tables, depends, primary], &[0, 2, 1]);
    // Without one, the text stays as it is.
    let all = "CREATE VIEW v AS SELECT a, b, count(*) FROM t GROUP BY a, b";
    assert_order(&[tables, all, primary], &[0, 1, 2]);
}

#[test]
fn functions_are_told_apart_by_their_arguments() {
    let of_text = "CREATE FUNCTION f(text) RETURNS int LANGUAGE internal AS 'x'";
    let of_int = "CREATE FUNCTION f(int, OUT a int) LANGUAGE internal AS 'x'";
    let comment = "COMMENT ON FUNCTION f(int4) IS ''";
    assert_order(&[of_text, comment, of_int], &[0, 2, 1]);
    let renamed = "ALTER FUNCTION f(int) RENAME TO g";
    let granted = "GRANT ALL ON FUNCTION g(int) TO public";
    assert_order(&[of_text, granted, renamed, comment, of_int], &[0, 4, 3, 2, 1]);
    // One calls another one of its name.
    let calls = "CREATE FUNCTION f(text, int) RETURNS int LANGUAGE sql AS 'SELECT f($1)'";
    assert_order(&[calls, of_text], &[1, 0]);
    let operator =
        "CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = f, NEGATOR = !==)";
    assert_order(&["COMMENT ON OPERATOR === (int, int) IS ''", operator, of_int], &[2, 1, 0]);
    // The server reads bodies, unless it is told not to.
    let body = "CREATE FUNCTION h() RETURNS int LANGUAGE sql AS 'SELECT a FROM t'";
    let table = "CREATE TABLE t (a int)";
    assert_order(&[body, table], &[1, 0]);
    assert_order(&["SET check_function_bodies = off", body, table], &[0, 1, 2]);
    let body = "CREATE FUNCTION h() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN a FROM t; END'";
    assert_order(&[body, table], &[0, 1]);
    #[cfg(feature = "plpgsql")]
    {
        let body =
            "CREATE FUNCTION h() RETURNS int LANGUAGE plpgsql AS 'DECLARE a t.a%TYPE; BEGIN END'";
        assert_order(&[body, table], &[1, 0]);
    }
}

#[test]
fn what_is_renamed_or_dropped_is_used_before_it() {
    let table = "CREATE TABLE t (a int)";
    let view = "CREATE VIEW v AS SELECT a FROM t";
    let renamed = "ALTER TABLE t RENAME TO u";
    let of_new = "CREATE VIEW w AS SELECT a FROM u";
    assert_order(&[of_new, renamed, view, table], &[3, 2, 1, 0]);
    let column = "ALTER TABLE t RENAME COLUMN a TO b";
    let of_column = "CREATE VIEW w AS SELECT b FROM t";
    assert_order(&[of_column, column, view, table], &[3, 2, 1, 0]);
    assert_order(&[view, table, "DROP VIEW v"], &[1, 0, 2]);
    // Of what was there before, or may have been.
    for drop in ["DROP VIEW IF EXISTS v", "DROP VIEW v"] {
        assert_order(&[drop, table, view], &[0, 1, 2]);
        assert_order(&[drop, view, table], &[0, 2, 1]);
    }
    let again = [table, view, "DROP VIEW v", "DROP TABLE t", table, view];
    assert_order(&again, &[0, 1, 2, 3, 4, 5]);
    // A star stands for what there is.
    let star = "CREATE VIEW v AS SELECT * FROM t";
    assert_order(&[table, star, "ALTER TABLE t ADD COLUMN c int"], &[0, 1, 2]);
    assert_order(&[star, "ALTER TABLE t ADD COLUMN c int", table], &[2, 1, 0]);
}

#[test]
fn objects_of_all_kinds_are_ordered() {
    let pairs = [
        ("COMMENT ON TYPE m IS ''", "CREATE TYPE m AS ENUM ('a')"),
        ("CREATE TABLE x (a text COLLATE c)", "CREATE COLLATION c FROM \"C\""),
        ("CREATE DOMAIN e AS d", "CREATE DOMAIN d AS int"),
        (
            "ALTER DOMAIN d VALIDATE CONSTRAINT k",
            "CREATE DOMAIN d AS int CONSTRAINT k CHECK (value > 0)",
        ),
        ("CREATE VIEW r.v AS SELECT 1", "CREATE SCHEMA AUTHORIZATION r"),
        ("CREATE SCHEMA AUTHORIZATION r", "CREATE ROLE r"),
        ("SELECT a FROM r.t", "CREATE SCHEMA AUTHORIZATION r CREATE TABLE t (a int)"),
        (
            "ALTER TABLE x ENABLE TRIGGER g",
            "CREATE TRIGGER g AFTER INSERT ON x EXECUTE FUNCTION f()",
        ),
        ("COMMENT ON POLICY p ON x IS ''", "CREATE POLICY p ON x"),
        ("ALTER TABLE x DISABLE RULE u", "CREATE RULE u AS ON DELETE TO x DO NOTHING"),
        ("ALTER TABLE x CLUSTER ON i", "CREATE INDEX i ON x (a)"),
        ("ALTER TABLE x REPLICA IDENTITY USING INDEX i", "CREATE INDEX i ON x (a)"),
        ("ALTER INDEX i ATTACH PARTITION j", "CREATE INDEX j ON x (a)"),
        ("ALTER TABLE x ATTACH PARTITION y DEFAULT", "CREATE TABLE y ()"),
        ("ALTER SEQUENCE q OWNED BY y.a", "CREATE TABLE y (a int)"),
        ("ALTER TABLE x ALTER a SET DEFAULT nextval('q'::regclass)", "CREATE SEQUENCE q"),
        (
            "CREATE AGGREGATE g (int) (SFUNC = f, STYPE = int)",
            "CREATE FUNCTION f(int, int) RETURNS int LANGUAGE internal AS ''",
        ),
        (
            "CREATE CAST (m AS int) WITH FUNCTION f(m)",
            "CREATE FUNCTION f(m) RETURNS int LANGUAGE internal AS ''",
        ),
        ("COMMENT ON CAST (m AS int) IS ''", "CREATE CAST (m AS int) WITHOUT FUNCTION"),
        (
            "CREATE OPERATOR CLASS o FOR TYPE m USING btree FAMILY n AS STORAGE m",
            "CREATE OPERATOR FAMILY n USING btree",
        ),
        ("CREATE INDEX ON x (a o)", "CREATE OPERATOR CLASS o FOR TYPE m USING btree AS STORAGE m"),
        (
            "CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = s)",
            "CREATE TEXT SEARCH TEMPLATE s (LEXIZE = l)",
        ),
        (
            "ALTER TEXT SEARCH CONFIGURATION c ADD MAPPING FOR a WITH d",
            "CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = simple)",
        ),
        ("COMMENT ON EXTENSION e IS ''", "CREATE EXTENSION e"),
        ("CREATE EXTENSION e SCHEMA s", "CREATE SCHEMA s"),
        ("CREATE FUNCTION f() RETURNS int LANGUAGE l AS ''", "CREATE LANGUAGE l HANDLER h"),
        ("COMMENT ON STATISTICS s IS ''", "CREATE STATISTICS s ON a, b FROM x"),
        ("ALTER PUBLICATION p ADD TABLE x", "CREATE PUBLICATION p"),
        (
            "ALTER EVENT TRIGGER e DISABLE",
            "CREATE EVENT TRIGGER e ON sql_drop EXECUTE FUNCTION f()",
        ),
        (
            "CREATE EVENT TRIGGER e ON sql_drop EXECUTE FUNCTION f()",
            "CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'",
        ),
        ("CREATE SERVER s FOREIGN DATA WRAPPER w", "CREATE FOREIGN DATA WRAPPER w"),
        ("CREATE FOREIGN TABLE x () SERVER s", "CREATE SERVER s FOREIGN DATA WRAPPER w"),
        ("ALTER TABLE x OWNER TO r", "CREATE ROLE r"),
        (
            "ALTER DEFAULT PRIVILEGES IN SCHEMA s GRANT SELECT ON TABLES TO public",
            "CREATE SCHEMA s",
        ),
        ("COMMENT ON CONVERSION c IS ''", "CREATE CONVERSION c FOR 'a' TO 'b' FROM f"),
        ("CREATE TABLE x () USING a", "CREATE ACCESS METHOD a TYPE TABLE HANDLER h"),
        (
            "COMMENT ON TRANSFORM FOR m LANGUAGE l IS ''",
            "CREATE TRANSFORM FOR m LANGUAGE l (FROM SQL WITH FUNCTION f(internal))",
        ),
        (
            "SELECT 1::spans",
            "CREATE TYPE span AS RANGE (SUBTYPE = int, MULTIRANGE_TYPE_NAME = spans)",
        ),
    ];
    for (needs, defines) in pairs {
        assert_order(&[needs, "SELECT 1", defines], &[1, 2, 0]);
        assert_order(&[defines, "SELECT 1", needs], &[0, 1, 2]);
    }
    // A type has two statements, and functions between them.
    let function = "CREATE FUNCTION i(cstring) RETURNS x LANGUAGE internal AS ''";
    let stmts = [
        "CREATE TYPE x (INPUT = i, OUTPUT = o)",
        "CREATE TABLE t (a x)",
        function,
        "CREATE TYPE x",
    ];
    assert_order(&stmts, &[3, 2, 0, 1]);
    // Extensions have what nothing else creates.
    assert_order(
        &[
            "CREATE TABLE t (a b.c)",
            "SELECT a FROM u",
            "CREATE TABLE u (a int)",
            "CREATE EXTENSION b",
        ],
        &[2, 1, 3, 0],
    );
}

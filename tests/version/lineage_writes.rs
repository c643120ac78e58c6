//! Where the values of columns come from: views, rows that are written, and tables that are not known.

use pg_ast_names::NoCatalog;

use super::lineage::{bare, catalog, found, is};
use super::{pg, pg_names as names};

#[test]
fn views() {
    is("SELECT a, n FROM v", "a: t.a=, n: t.b~ | t.c/F");
    is("SELECT * FROM vv", "k: t.a=, m: t.b+ | t.a/JG t.c/F u.a/J");
    is("SELECT m FROM vv x (y, m) WHERE y > 1", "m: t.b+ | t.a/JGF t.c/F u.a/J");
    is("SELECT sum(m) FROM (SELECT k, m + 1 AS m FROM vv) x", "sum: t.b+ | t.a/JG t.c/F u.a/J");
}

/// What is applied to the catalog.
#[track_caller]
fn after(definitions: &str, sql: &str, expected: &str) {
    let mut catalog = catalog();
    names::define(&pg::parse(definitions).expect("parses"), &mut catalog);
    assert_eq!(found(sql, &catalog), expected, "{definitions}: {sql}");
}

#[test]
fn changed_views() {
    after("ALTER TABLE t RENAME COLUMN a TO k", "SELECT * FROM v", "a: t.k=, n: t.b~ | t.c/F");
    after(
        "ALTER TABLE t RENAME TO s; CREATE TABLE t (a int)",
        "SELECT * FROM v",
        "a: s.a=, n: s.b~ | s.c/F",
    );
    after("ALTER TABLE t SET SCHEMA s", "SELECT a FROM v", "a: s.t.a= | s.t.c/F");
    after(
        "ALTER SCHEMA public RENAME TO o; SET search_path = o",
        "SELECT m FROM vv",
        "m: o.t.b+ | o.t.a/JG o.t.c/F o.u.a/J",
    );
    after("ALTER VIEW v RENAME COLUMN n TO m", "SELECT m FROM v", "m: t.b~ | t.c/F");
    after("ALTER VIEW v RENAME COLUMN n TO o", "SELECT m FROM vv", "m: t.b+ | t.a/JG t.c/F u.a/J");
    after(
        "ALTER VIEW v RENAME TO v2",
        "SELECT v2.n, m FROM v2, vv",
        "n: t.b~, m: t.b+ | t.a/JG t.c/F u.a/J",
    );
    after(
        "CREATE OR REPLACE VIEW v AS SELECT b AS a, a AS n FROM t",
        "SELECT * FROM vv",
        "k: t.b=, m: t.a+ | t.b/JG u.a/J",
    );
    after(
        "ALTER TABLE t DROP COLUMN b CASCADE; ALTER TABLE t ADD COLUMN b int",
        "SELECT n FROM v",
        "n: v.n=",
    );
    after(
        "ALTER TABLE t DROP COLUMN b CASCADE; DROP VIEW v CASCADE; CREATE VIEW v AS SELECT a, a AS n FROM t",
        "SELECT n FROM v",
        "n: t.a=",
    );
    after(
        "DO $$ BEGIN EXECUTE 'ALTER TABLE t RENAME a TO x'; END $$",
        "SELECT n FROM v",
        "n: v.n=",
    );
    after("CREATE VIEW o AS SELECT * FROM missing", "SELECT z FROM o", "z: o.z=");
    after(
        "CREATE VIEW o AS SELECT z + a AS y FROM s.missing, t",
        "SELECT y FROM o",
        "y: t.a~ s.missing.z~",
    );
    after(
        "CREATE VIEW o AS SELECT z FROM s.m1, s.m2",
        "SELECT z + 1 AS y FROM o",
        "y: ?z(s.m1,s.m2)~",
    );
    after(
        "CREATE VIEW o AS SELECT z, m1.y FROM s.m1, s.m2; CREATE TABLE s.m1 (z int); ALTER TABLE s.m1 RENAME z TO x",
        "SELECT z FROM o",
        "z: ?z(s.m1,s.m2)=",
    );
    after("CREATE MATERIALIZED VIEW m AS SELECT n FROM v", "SELECT n FROM m", "n: t.b~ | t.c/F");
    after("CREATE TABLE m AS SELECT n FROM v", "SELECT n FROM m", "n: m.n=");
    after(
        "CREATE TEMP TABLE h (x int); CREATE VIEW hv AS SELECT x AS y FROM h",
        "SELECT y FROM hv",
        "y: pg_temp.h.x=",
    );
    after(
        "CREATE TABLE p (k int); CREATE VIEW pv AS SELECT k FROM p; CREATE TABLE c () INHERITS (p); CREATE VIEW cv AS SELECT k FROM c; ALTER TABLE p RENAME k TO l",
        "SELECT pv.k, cv.k FROM pv, cv",
        "k: p.l=, k: c.l=",
    );
}

#[test]
fn definitions() {
    is("CREATE VIEW x AS SELECT a, b FROM t", "x AS a: t.a=, b: t.b=");
    is(
        "CREATE VIEW s.x (k) AS SELECT a, b FROM t WHERE c = 'x'",
        "s.x AS k: t.a=, b: t.b= | t.c/F",
    );
    is("CREATE MATERIALIZED VIEW x AS SELECT sum(a) FROM t", "x AS sum: t.a+");
    is("CREATE TABLE x (k) AS SELECT a FROM t", "x AS k: t.a=");
    is("SELECT a INTO x FROM t UNION SELECT d FROM u", "x AS a: t.a= u.d= | t.a/G u.d/G");
    is("CREATE SCHEMA s CREATE VIEW x AS SELECT a FROM public.t", "x AS a: t.a=");
    is("EXPLAIN SELECT a FROM t", "a: t.a=");
    is("EXPLAIN CREATE TABLE x AS SELECT a FROM t", "x AS a: t.a=");
    is("PREPARE p AS SELECT a + $1 AS n FROM t", "n: t.a~");
    is("DECLARE c CURSOR FOR SELECT a FROM t", "a: t.a=");
    is("COPY (SELECT a FROM t WHERE b = 1) TO STDOUT", "a: t.a= | t.b/F");
    is("SELECT 1; CREATE TABLE x (a int); DELETE FROM t; SELECT a FROM t", "?column? && a: t.a=");
    is("CREATE TABLE x AS EXECUTE p", "");
}

#[test]
fn writes() {
    is(
        "INSERT INTO t SELECT d, a + 1, e FROM u WHERE d > 1",
        "t SET a: u.d=, b: u.a~, c: u.e= | u.d/F",
    );
    is("INSERT INTO t (c, a) SELECT e, d FROM u", "t SET c: u.e=, a: u.d=");
    is("INSERT INTO t VALUES (1, (SELECT max(x) FROM w))", "t SET a, b: w.x+");
    is(
        "INSERT INTO t (a) SELECT d FROM u RETURNING a, b + a AS n",
        "t SET a: u.d= && a: u.d=, n: u.d~ ?default b~",
    );
    is("INSERT INTO t DEFAULT VALUES RETURNING a", "a: ?default a=");
    is("INSERT INTO q (id, p.l, p.r) SELECT a, b, c FROM t", "q SET id: t.a=, p: t.b~ t.c~");
    is(
        "INSERT INTO t (a, b) SELECT x, y FROM w ON CONFLICT (a) DO UPDATE SET b = excluded.b + t.b WHERE t.c = 'x' RETURNING a, b, c",
        "t SET a: w.x=, b: t.b~ w.y=~ | t.a/F t.c/F && a: t.a= w.x=, b: t.b~ w.y=~, c: t.c= ?default c= | t.a/F t.c/F",
    );
    is(
        "UPDATE t SET a = d, b = b + 1 FROM u WHERE u.a = t.a",
        "t SET a: u.d=, b: t.b~ | t.a/F u.a/F",
    );
    is(
        "UPDATE t SET (a, b) = (SELECT d, u.a FROM u WHERE e = t.c)",
        "t SET a: t.c/F u.d= u.e/F, b: t.c/F u.a= u.e/F",
    );
    is("UPDATE t SET (a, c) = (b + 1, c), b = DEFAULT", "t SET a: t.b~, c: t.c=, b");
    is("UPDATE q SET p.l = id, ids[1] = 2", "q SET p: q.id~ q.p~, ids: q.ids~");
    is(
        "UPDATE t SET a = d FROM u RETURNING t.a, b, t.c, d, (SELECT t.a)",
        "t SET a: u.d= && a: u.d=, b: t.b=, c: t.c=, d: u.d=, a: u.d=",
    );
    is(
        "UPDATE t SET a = b RETURNING t, t.*",
        "t SET a: t.b= && t: t.b~ t.c~, a: t.b=, b: t.b=, c: t.c=",
    );
    is("DELETE FROM t USING u WHERE t.a = u.a RETURNING b, d", "b: t.b=, d: u.d= | t.a/F u.a/F");
    is(
        "WITH d AS (DELETE FROM t WHERE a = 1 RETURNING b) INSERT INTO w (x) SELECT b FROM d",
        "w SET x: t.b= | t.a/F",
    );
    is(
        "WITH n AS (INSERT INTO t (a) SELECT d FROM u RETURNING a) UPDATE w SET x = n.a FROM n WHERE y = n.a RETURNING x, z",
        "t SET a: u.d= && w SET x: u.d= | u.d/F w.y/F && x: u.d=, z: w.z= | u.d/F w.y/F",
    );
    is("INSERT INTO v (a, n) SELECT x, y FROM w", "v SET a: w.x=, n: w.y=");
    is(
        "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND d > 1 THEN UPDATE SET b = d WHEN MATCHED THEN DELETE
         WHEN NOT MATCHED THEN INSERT (a, c) VALUES (u.a, e)",
        "t SET b: u.d=, a: u.a=, c: u.e= | t.a/J u.a/J u.d/F",
    );
}

#[test]
fn unknown_tables() {
    bare("SELECT a, t.b FROM t", "a: t.a=, b: t.b=");
    bare("SELECT a, t.b FROM t, u", "a: ?a(t,u)=, b: t.b=");
    bare("SELECT * FROM t", "*: ?t.*=");
    bare(
        "SELECT *, a + 1 AS n FROM t, s.u WHERE b = 1",
        "*: ?t.*= ?s.u.*=, n: ?a(t,s.u)~ | ?b(t,s.u)/F",
    );
    bare("SELECT x.a, y FROM (SELECT * FROM t) x", "a: t.a=, y: t.y=");
    bare("SELECT x.a FROM (SELECT * FROM t, u) x", "a: ?t.*= ?u.*=");
    bare("SELECT k, z FROM t AS x (k)", "k: ?t as k=, z: t.z=");
    bare(
        "SELECT a, t.a AS l, b FROM t JOIN u USING (a)",
        "a: t.a=, l: t.a=, b: ?b(t,u)= | t.a/J u.a/J",
    );
    bare("SELECT a FROM t FULL JOIN u USING (a)", "a: t.a= u.a= | t.a/J u.a/J");
    bare("SELECT t FROM t", "t: ?t.*~");
    bare("SELECT count(x) FROM (SELECT a FROM t) x", "count: t.a+");
    bare("INSERT INTO t SELECT a, b + 1 FROM u", "t SET *: u.a=, *: u.b~");
    bare("INSERT INTO t (a, b) SELECT * FROM u", "t SET a: ?u.*=, b: ?u.*=");
    bare("SELECT * FROM t UNION ALL SELECT a, b FROM u", "*: u.a= u.b= ?t.*=");
    bare("SELECT a, b FROM u UNION ALL SELECT * FROM t", "a: u.a= ?t.*=, b: u.b= ?t.*=");
    bare(
        "WITH w AS (SELECT * FROM t) SELECT a, w.b FROM w WHERE c = 1",
        "a: t.a=, b: t.b= | t.c/F",
    );
    bare("SELECT f.x FROM t, f(t.a) WHERE f.y = 1", "x: t.a~ | t.a/JF");
    is("SELECT missing, t.z FROM t", "missing: ?missing=, z: ?z=");
    is("SELECT m FROM s.t, u", "m: s.t.m=");
}

#[test]
fn deep_statements_on_a_small_stack() {
    let run = || {
        let deep = |open: &str, inside: &str, close: &str| {
            format!("{}{inside}{}", open.repeat(900), close.repeat(900))
        };
        let with = |index: usize| {
            format!(
                "x{} AS (SELECT l.a + r.b AS a, l.b FROM x{index} l JOIN x{index} r USING (b))",
                index + 1
            )
        };
        let ctes: Vec<_> = (0..1000).map(with).collect();
        for (sql, count) in [
            (deep("SELECT a FROM (", "SELECT * FROM t", ") x"), 1),
            (
                deep("SELECT * FROM (", "SELECT * FROM t JOIN u USING (a)", ") x JOIN v USING (a)"),
                3,
            ),
            (deep("SELECT (", "SELECT a FROM t", ")"), 1),
            (deep("SELECT a FROM t WHERE a IN (", "SELECT a FROM t", ")"), 1),
            (
                format!(
                    "{}SELECT t.a FROM t{}",
                    "SELECT sum(t.a) OVER (ORDER BY (".repeat(400),
                    ")) FROM t".repeat(400)
                ),
                1,
            ),
            (format!("SELECT {} FROM t", deep("f(", "a", ")")), 1),
            (format!("SELECT a FROM {}", deep("(", "t", " FULL JOIN u USING (a))")), 2),
            (format!("{}SELECT a FROM t", "SELECT a FROM u UNION ".repeat(900)), 2),
            (
                format!(
                    "WITH x0 AS (SELECT t.a, t.b FROM t), {} SELECT a FROM x1000",
                    ctes.join(", ")
                ),
                2,
            ),
        ] {
            let tree = pg::view::parse(&sql).unwrap_or_else(|error| panic!("{error}"));
            let lineage = names::lineage(&tree, &NoCatalog);
            let column = lineage.results[0].columns.last().expect("a column");
            assert_eq!(lineage.sources(column).len(), count, "{}", &sql[..80]);
            let _ = lineage.influences(&lineage.results[0]);
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024);
    thread.spawn(run).expect("a thread").join().expect("no panic");
}

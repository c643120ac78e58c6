//! Where the values of columns come from: queries. `tests/server/lineage_data.rs` compares it with a server, by what changes.

use std::fmt::Write as _;

use pg_ast_names::{
    Catalog, DdlCatalog, Lineage, LineageFlow, LineageKind, LineageOrigin, LineageSource,
    NoCatalog, UnknownOrigin,
};

use super::{pg, pg_names as names};

const SCHEMA: &str = "CREATE TABLE t (a int, b int, c text); CREATE TABLE u (a int, d int, e text);
    CREATE TABLE w (x int, y int, z int); CREATE TYPE pair AS (l int, r text);
    CREATE TABLE q (id int, p pair, ids int[], js jsonb);
    CREATE VIEW v AS SELECT a, b + 1 AS n FROM t WHERE c = 'x';
    CREATE VIEW vv (k, m) AS SELECT v.a, max(v.n) FROM v JOIN u ON u.a = v.a GROUP BY v.a";

pub fn catalog() -> DdlCatalog {
    let mut catalog = DdlCatalog::new();
    names::define(&pg::parse(SCHEMA).expect("parses"), &mut catalog);
    catalog
}

/// How values come: `=` for the same value, `~` for one that is computed, `+` for an aggregate; behind `/` the first letters of what
/// has an influence.
fn flows(source: &LineageSource) -> String {
    let mut text = String::new();
    for flow in source.flows.iter() {
        match flow {
            LineageFlow::Identity => text.push('='),
            LineageFlow::Transformation => text.push('~'),
            LineageFlow::Aggregation => text.push('+'),
            other => {
                if !text.contains('/') {
                    text.push('/');
                }
                text += &other.name()[..1];
            }
        }
    }
    text
}

fn sources(sources: &[LineageSource]) -> String {
    let texts = sources.iter().map(|source| {
        let origin = match &source.origin {
            LineageOrigin::Column(column) => {
                let table = column.table.to_string().replace("public.", "");
                format!("{table}.{}", column.column)
            }
            LineageOrigin::Unknown(UnknownOrigin::OneOf { column, candidates }) => {
                let of: Vec<_> = candidates.iter().map(ToString::to_string).collect();
                format!("?{column}({})", of.join(","))
            }
            LineageOrigin::Unknown(UnknownOrigin::ColumnsOf(table)) => format!("?{table}.*"),
            LineageOrigin::Unknown(UnknownOrigin::Renamed { table, column }) => {
                format!("?{table} as {column}")
            }
            LineageOrigin::Unknown(UnknownOrigin::Default(column)) => {
                format!("?default {}", column.column)
            }
            LineageOrigin::Unknown(UnknownOrigin::Name(name)) => format!("?{name}"),
            other => format!("{other:?}"),
        };
        origin + &flows(source)
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// Each result: what happens to its rows, its columns, and behind `|` what decides about them.
fn text(lineage: &Lineage) -> String {
    let mut text = String::new();
    for result in &lineage.results {
        if !text.is_empty() {
            text += " && ";
        }
        match &result.kind {
            LineageKind::Returned => {}
            LineageKind::Defined(table) => write!(text, "{table} AS ").unwrap(),
            LineageKind::Written(table) => write!(text, "{} SET ", table.name).unwrap(),
            other => write!(text, "{other:?} ").unwrap(),
        }
        let columns = result.columns.iter().map(|column| {
            let found = sources(&lineage.sources(column));
            let name = column.name.as_deref().unwrap_or("*");
            if found.is_empty() { name.to_owned() } else { format!("{name}: {found}") }
        });
        text += &columns.collect::<Vec<_>>().join(", ");
        let influences = lineage.influences(result);
        assert!(influences.iter().all(|source| !source.flows.is_direct()), "{influences:?}");
        if !influences.is_empty() {
            write!(text, " | {}", sources(&influences)).unwrap();
        }
    }
    text
}

pub fn found(sql: &str, catalog: &dyn Catalog) -> String {
    let owned = pg::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let lineage = text(&names::lineage(&owned, catalog));
    let view = pg::view::parse(sql).expect("parses");
    assert_eq!(text(&names::lineage(&view, catalog)), lineage, "{sql}");
    lineage
}

#[track_caller]
pub fn is(sql: &str, expected: &str) {
    assert_eq!(found(sql, &catalog()), expected, "{sql}");
}

/// Without a catalog.
#[track_caller]
pub fn bare(sql: &str, expected: &str) {
    assert_eq!(found(sql, &NoCatalog), expected, "{sql}");
}

#[test]
fn expressions() {
    is("SELECT a, b AS x, c FROM t", "a: t.a=, x: t.b=, c: t.c=");
    is("SELECT a + b, a::text, 1, $1::int FROM t", "?column?: t.a~ t.b~, a: t.a~, ?column?, int4");
    is("SELECT c COLLATE \"C\" FROM t", "c: t.c=");
    is("SELECT CASE WHEN a > 1 THEN b ELSE 2 END FROM t", "case: t.a/C t.b~");
    is("SELECT CASE a WHEN b THEN c ELSE a::text END AS x FROM t", "x: t.a~/C t.b/C t.c~");
    is(
        "SELECT coalesce(a, b), greatest(a, 1), nullif(a, b) FROM t",
        "coalesce: t.a~ t.b~, greatest: t.a~, nullif: t.a~ t.b~",
    );
    is("SELECT a + CASE WHEN b > 1 THEN 1 END AS x FROM t WHERE b = 1", "x: t.a~ t.b/C | t.b/F");
    is(
        "SELECT a IN (1, b), c LIKE 'x', c IS NULL FROM t",
        "?column?: t.a~ t.b~, ?column?: t.c~, ?column?: t.c~",
    );
    is("SELECT ROW(a, t.*) AS r, ARRAY[a, b] AS s FROM t", "r: t.a~ t.b~ t.c~, s: t.a~ t.b~");
    is(
        "SELECT current_date, a FROM t LIMIT (SELECT max(x) FROM w WHERE y = 1)",
        "current_date, a: t.a= | w.x/F w.y/F",
    );
}

#[test]
fn aggregates() {
    is("SELECT count(*), sum(a), max(b + 1) AS m FROM t", "count, sum: t.a+, m: t.b+");
    is("SELECT b, sum(a) FROM t GROUP BY b", "b: t.b=, sum: t.a+ | t.b/G");
    is("SELECT sum(a) FILTER (WHERE b > 1) FROM t", "sum: t.a+ t.b/F");
    is("SELECT array_agg(a ORDER BY b) FROM t", "array_agg: t.a+ t.b/S");
    is(
        "SELECT mine(a ORDER BY b), mine(a), mine(DISTINCT a) FROM t",
        "mine: t.a+ t.b/S, mine: t.a~, mine: t.a+",
    );
    is("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t", "percentile_cont: t.a+");
    is("SELECT sum(a) + min(b) AS s FROM t HAVING count(c) > 1", "s: t.a+ t.b+ | t.c/F");
    is("SELECT sum(n) FROM (SELECT a + b AS n FROM t) x", "sum: t.a+ t.b+");
    is("SELECT n + 1 AS m FROM (SELECT sum(a) AS n FROM t) x", "m: t.a+");
    is(
        "SELECT grouping(a), a FROM t GROUP BY ROLLUP (a, b)",
        "grouping: t.a/G, a: t.a= | t.a/G t.b/G",
    );
    is("SELECT a AS k, count(*) FROM t GROUP BY k ORDER BY 2, k", "k: t.a=, count | t.a/GS");
    is(
        "SELECT a + 1 AS k, max(b) AS m FROM t GROUP BY 1 ORDER BY m DESC",
        "k: t.a~, m: t.b+ | t.a/G t.b/S",
    );
    is("SELECT pg_catalog.count(a), s.count(a) FROM t", "count: t.a+, count: t.a~");
}

#[test]
fn windows() {
    is("SELECT sum(a) OVER (PARTITION BY b ORDER BY c) FROM t", "sum: t.a+ t.b/W t.c/W");
    is(
        "SELECT lag(a) OVER w, rank() OVER w FROM t WINDOW w AS (ORDER BY b)",
        "lag: t.a~ t.b/W, rank: t.b/W",
    );
    is(
        "SELECT lag(a) OVER (p ORDER BY c) FROM t WINDOW p AS (PARTITION BY b)",
        "lag: t.a~ t.b/W t.c/W",
    );
    is(
        "SELECT first_value(a) OVER w2 FROM t WINDOW w1 AS (PARTITION BY b), w2 AS (w1 ORDER BY c)",
        "first_value: t.a~ t.b/W t.c/W",
    );
    is("SELECT a FROM t WINDOW w AS (ORDER BY b)", "a: t.a=");
    is(
        "SELECT a FROM (SELECT a, row_number() OVER (ORDER BY b) AS n FROM t) x WHERE n = 1",
        "a: t.a= | t.b/F",
    );
}

#[test]
fn joins() {
    is("SELECT t.a, u.d FROM t JOIN u ON t.a = u.a", "a: t.a=, d: u.d= | t.a/J u.a/J");
    is("SELECT t.a, u.d FROM t, u WHERE t.a = u.a", "a: t.a=, d: u.d= | t.a/F u.a/F");
    is("SELECT t.a, d FROM t CROSS JOIN u", "a: t.a=, d: u.d=");
    is("SELECT a, d FROM t JOIN u USING (a)", "a: t.a=, d: u.d= | t.a/J u.a/J");
    is(
        "SELECT a, t.a AS l, u.a AS r FROM t LEFT JOIN u USING (a)",
        "a: t.a=, l: t.a=, r: u.a= | t.a/J u.a/J",
    );
    is(
        "SELECT a, t.a AS l, u.a AS r FROM t RIGHT JOIN u USING (a)",
        "a: u.a=, l: t.a=, r: u.a= | t.a/J u.a/J",
    );
    is(
        "SELECT a, t.a AS l, u.a AS r FROM t FULL JOIN u USING (a)",
        "a: t.a= u.a=, l: t.a=, r: u.a= | t.a/J u.a/J",
    );
    is(
        "SELECT * FROM t FULL JOIN u USING (a)",
        "a: t.a= u.a=, b: t.b=, c: t.c=, d: u.d=, e: u.e= | t.a/J u.a/J",
    );
    is(
        "SELECT t.*, u.a FROM t FULL JOIN u USING (a)",
        "a: t.a=, b: t.b=, c: t.c=, a: u.a= | t.a/J u.a/J",
    );
    is(
        "SELECT * FROM t NATURAL JOIN u",
        "a: t.a=, b: t.b=, c: t.c=, d: u.d=, e: u.e= | t.a/J u.a/J",
    );
    is("SELECT a, b FROM t NATURAL FULL JOIN u", "a: t.a= u.a=, b: t.b= | t.a/J u.a/J");
    is("SELECT a FROM t NATURAL RIGHT JOIN u", "a: u.a= | t.a/J u.a/J");
    is("SELECT a FROM t NATURAL LEFT JOIN u", "a: t.a= | t.a/J u.a/J");
    is("SELECT b FROM t NATURAL JOIN w", "b: t.b=");
    is(
        "SELECT a FROM t FULL JOIN u USING (a) FULL JOIN (SELECT x AS a FROM w) s USING (a)",
        "a: t.a= u.a= w.x= | t.a/J u.a/J w.x/J",
    );
    is(
        "SELECT a FROM t FULL JOIN u USING (a) RIGHT JOIN (SELECT x AS a FROM w) s USING (a)",
        "a: w.x= | t.a/J u.a/J w.x/J",
    );
    is(
        "SELECT j.a, t.a AS l, (j).a AS k FROM t FULL JOIN u USING (a) AS j",
        "a: t.a= u.a=, l: t.a=, k: t.a= u.a= | t.a/J u.a/J",
    );
    is(
        "SELECT j.a, j.d FROM (t FULL JOIN u USING (a)) AS j",
        "a: t.a= u.a=, d: u.d= | t.a/J u.a/J",
    );
    is("SELECT t.a FROM (t FULL JOIN u USING (a)) AS t", "a: t.a= u.a= | t.a/J u.a/J");
    is("SELECT j.k FROM (t FULL JOIN u USING (a)) AS j (k)", "k: t.a= u.a= | t.a/J u.a/J");
    is(
        "SELECT (t).a, a(t), t.a FROM t FULL JOIN u USING (a)",
        "a: t.a=, a: t.a=, a: t.a= | t.a/J u.a/J",
    );
    is(
        "SELECT 1 FROM (t JOIN w ON a = x) FULL JOIN u USING (a) WHERE a > 1",
        "?column? | t.a/JF u.a/JF w.x/J",
    );
    is(
        "SELECT l.a, r.b FROM t l LEFT JOIN t r ON l.b = r.a AND r.c = 'x'",
        "a: t.a=, b: t.b= | t.a/J t.b/J t.c/J",
    );
    is("SELECT k FROM t AS x (k, l) WHERE l = 1", "k: t.a= | t.b/F");
    is("SELECT x FROM t TABLESAMPLE bernoulli (10) JOIN w ON x = t.a", "x: w.x= | t.a/J w.x/J");
}

#[test]
fn subqueries() {
    is("SELECT x.n FROM (SELECT a AS n, b FROM t WHERE c = 'x') x", "n: t.a= | t.c/F");
    is("SELECT * FROM (SELECT a, a, b AS a FROM t) x", "a: t.a=, a: t.a=, a: t.b=");
    is(
        "SELECT * FROM (SELECT * FROM t, u) x",
        "a: t.a=, b: t.b=, c: t.c=, a: u.a=, d: u.d=, e: u.e=",
    );
    is(
        "SELECT (SELECT max(d) FROM u WHERE u.a = t.a) AS m, b FROM t",
        "m: t.a/F u.a/F u.d+, b: t.b=",
    );
    is("SELECT (SELECT d FROM u LIMIT 1) FROM t", "d: u.d=");
    is("SELECT a FROM t WHERE EXISTS (SELECT d FROM u WHERE u.a = t.b)", "a: t.a= | t.b/F u.a/F");
    is("SELECT a FROM t WHERE b IN (SELECT d FROM u WHERE e = 'x')", "a: t.a= | t.b/F u.d/F u.e/F");
    is(
        "SELECT a = ANY (SELECT d FROM u) AS y, ARRAY(SELECT e FROM u ORDER BY a) AS z FROM t",
        "y: t.a~ u.d~, z: u.a/S u.e+",
    );
    is("SELECT EXISTS (SELECT FROM u WHERE u.a = t.a) FROM t", "exists: t.a/F u.a/F");
    is(
        "SELECT a, s.m FROM t, LATERAL (SELECT d + b AS m FROM u WHERE u.a = t.a) s",
        "a: t.a=, m: t.b~ u.d~ | t.a/F u.a/F",
    );
    is(
        "SELECT s.m FROM t LEFT JOIN LATERAL (SELECT max(d) AS m FROM u WHERE d < t.b) s ON s.m > 1",
        "m: u.d+ | t.b/F u.d/JF",
    );
    is("SELECT a FROM (SELECT a, b FROM t ORDER BY c LIMIT 3) x", "a: t.a= | t.c/S");
    is("SELECT DISTINCT a, b + 1 AS n FROM t", "a: t.a=, n: t.b~ | t.a/G t.b/G");
    is("SELECT DISTINCT ON (b) a FROM t ORDER BY b, c", "a: t.a= | t.b/GS t.c/S");
    is("VALUES (1, 2), (3, (SELECT a FROM t))", "column1, column2: t.a=");
    is("SELECT column2 FROM t, LATERAL (VALUES (a, b), (t.b, 1)) x", "column2: t.b=");
    is(
        "SELECT column2, column4 FROM t, LATERAL (VALUES (t.*, a + 1)) x",
        "column2: t.b=, column4: t.a~",
    );
}

#[test]
fn set_operations() {
    is("SELECT a, b FROM t UNION ALL SELECT d, 1 FROM u", "a: t.a= u.d=, b: t.b=");
    is("SELECT a FROM t UNION SELECT d + 1 FROM u", "a: t.a= u.d~ | t.a/G u.d/G");
    is("SELECT a FROM t EXCEPT SELECT d FROM u", "a: t.a= | t.a/F u.d/F");
    is(
        "SELECT a FROM t INTERSECT SELECT d FROM u WHERE e = 'x'",
        "a: t.a= u.d= | t.a/F u.d/F u.e/F",
    );
    is(
        "(SELECT a FROM t ORDER BY b LIMIT 1) UNION ALL SELECT x FROM w ORDER BY a",
        "a: t.a= w.x= | t.a/S t.b/S w.x/S",
    );
    is(
        "SELECT a FROM t UNION ALL SELECT a FROM u UNION ALL VALUES (1) ORDER BY 1",
        "a: t.a= u.a= | t.a/S u.a/S",
    );
    is(
        "SELECT n FROM (SELECT a AS n, b FROM t UNION ALL SELECT d, a FROM u) s WHERE b = 1",
        "n: t.a= u.d= | t.b/F u.a/F",
    );
}

#[test]
fn common_tables() {
    is("WITH s AS (SELECT a AS n FROM t WHERE b = 1) SELECT n + 1 AS m FROM s", "m: t.a~ | t.b/F");
    is("WITH s (k) AS (SELECT a, b FROM t) SELECT k, b FROM s", "k: t.a=, b: t.b=");
    is(
        "WITH s AS (SELECT a FROM t), r AS (SELECT a FROM s WHERE a > 1) SELECT l.a, r.a FROM s l JOIN r ON true",
        "a: t.a=, a: t.a= | t.a/F",
    );
    is("WITH s AS (SELECT a FROM t WHERE b = 1) SELECT d FROM u", "d: u.d=");
    is(
        "WITH RECURSIVE r AS (SELECT a, b FROM t UNION ALL SELECT w.x, r.b + w.y FROM r JOIN w ON w.z = r.a) SELECT * FROM r",
        "a: t.a= w.x=, b: t.b=~ w.y~ | t.a/J w.x/J w.z/J",
    );
    is(
        "WITH RECURSIVE r (n) AS (VALUES (1) UNION SELECT n + x FROM r, w) SELECT n FROM r",
        "n: w.x~ | w.x/G",
    );
    is(
        "WITH RECURSIVE f AS (SELECT m FROM g), g AS (SELECT a AS m FROM t) SELECT m FROM f",
        "m: t.a=",
    );
    is(
        "WITH RECURSIVE r AS (SELECT a, b FROM t UNION ALL SELECT r.a, r.b FROM r) SEARCH DEPTH FIRST BY b SET s
         CYCLE a SET y USING p SELECT a, s, y, p FROM r",
        "a: t.a=, s: t.b~, y: t.a~, p: t.a~ | t.a/F",
    );
    is("WITH s AS (SELECT 1 AS t) SELECT s.t, t.a FROM s, t", "t, a: t.a=");
}

#[test]
fn rows_and_fields() {
    is("SELECT t FROM t", "t: t.a~ t.b~ t.c~");
    is("SELECT count(t), count(t.*) FROM t", "count: t.a+ t.b+ t.c+, count: t.a+ t.b+ t.c+");
    is("SELECT (t).b, (t.*).a, t.a FROM t", "b: t.b=, a: t.a=, a: t.a=");
    is("SELECT (x).n FROM (SELECT a + b AS n, c FROM t) x", "n: t.a~ t.b~");
    is("SELECT (p).l, (q.p).r, (p).*, id FROM q", "l: q.p~, r: q.p~, l: q.p~, r: q.p~, id: q.id=");
    is("SELECT (t).*, u.d FROM t, u", "a: t.a=, b: t.b=, c: t.c=, d: u.d=");
    is("SELECT (p).*, u.* FROM q, u", "l: q.p~, r: q.p~, a: u.a=, d: u.d=, e: u.e=");
    is("SELECT ids[id], js -> 'k' AS k, js['x'] FROM q", "ids: q.id~ q.ids~, k: q.js~, js: q.js~");
    is("SELECT a(t), b(t.*) FROM t", "a: t.a=, b: t.b=");
    is("SELECT row_to_json(x) AS j FROM (SELECT a, b FROM t) x", "j: t.a~ t.b~");
}

#[test]
fn functions() {
    is("SELECT f(a, 1) FROM t WHERE g(b)", "f: t.a~ | t.b/F");
    is("SELECT n FROM t, generate_series(a, b) AS n", "n: t.a~ t.b~ | t.a/J t.b/J");
    is(
        "SELECT i, j, o FROM q, u, unnest(ids, ARRAY[d]) WITH ORDINALITY AS x (i, j, o)",
        "i: q.ids~, j: u.d~, o | q.ids/J u.d/J",
    );
    is(
        "SELECT x.k, x.l FROM t, ROWS FROM (f(a) AS (k int), g(b) AS (l int)) AS x",
        "k: t.a~, l: t.b~ | t.a/J t.b/J",
    );
    is("SELECT key, value FROM q, jsonb_each(js)", "key: q.js~, value: q.js~ | q.js/J");
    is(
        "SELECT v FROM q, XMLTABLE('/r' PASSING (js::text::xml) COLUMNS v int PATH 'x') AS x",
        "v: q.js~ | q.js/J",
    );
    is("SELECT a FROM t, f(b) AS x", "a: t.a= | t.b/J");
    is("SELECT unnest(ids), id FROM q", "unnest: q.ids~, id: q.id= | q.ids/J");
}

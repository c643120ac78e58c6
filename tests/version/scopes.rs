//! What names mean: each rule of PostgreSQL's scopes, with a catalog and without.

use std::collections::BTreeSet;

use pg_ast::Context;
use pg_ast_names::{
    Catalog, ColumnMeaning, DdlCatalog, NoCatalog, Resolution, SourceKind, StarPart, TableMeaning,
};

use super::pg::{self, view};
use super::pg_names::{define, dependencies, resolve};
use super::{MAJOR, NAME};
use crate::common::{corpus, on_thread};

const TABLES: &str = "CREATE TABLE t (a int, b int, c text);
    CREATE TABLE u (a int, d int);
    CREATE TABLE w (b int, d int, e int);
    CREATE SCHEMA s;
    CREATE TABLE s.t (x int, y int);
    CREATE TYPE pair AS (l int, r int);
    CREATE TABLE p (id int, q pair);
    CREATE VIEW v AS SELECT a AS va, b FROM t;
    CREATE FUNCTION f(n int) RETURNS TABLE (fa int, fb text) LANGUAGE sql AS 'SELECT 1, $$a$$';
    CREATE FUNCTION g() RETURNS SETOF t LANGUAGE sql AS 'TABLE t';
    CREATE FUNCTION h(int, int DEFAULT 1) RETURNS int LANGUAGE sql AS 'SELECT 1'";

pub(super) fn catalog() -> DdlCatalog {
    let mut catalog = DdlCatalog::new();
    define(&pg::parse(TABLES).expect("tables"), &mut catalog);
    catalog
}

/// Returns the name of a source, with what it is.
fn source(names: &Resolution, index: usize) -> String {
    let source = &names.sources[index];
    let name = source.name.clone().unwrap_or_default();
    match &source.kind {
        SourceKind::Table(table) if table.name == name => table.to_string(),
        SourceKind::Table(table) => format!("{name}:{table}"),
        SourceKind::Cte(cte) if *cte == name => format!("with {name}"),
        SourceKind::RowOf(table) => format!("{name} of {table}"),
        _ => name,
    }
}

pub(super) fn meaning(names: &Resolution, meaning: &ColumnMeaning) -> String {
    let column = |column: &pg_ast_names::SourceColumn| {
        format!("{}.{}", source(names, column.source), column.name)
    };
    match meaning {
        ColumnMeaning::Column(it) => column(it),
        ColumnMeaning::Both(both) => both.iter().map(column).collect::<Vec<_>>().join("="),
        ColumnMeaning::Row(it) => format!("row of {}", source(names, *it)),
        ColumnMeaning::All(parts) => {
            let parts = parts.iter().map(|part| match part {
                StarPart::Column(it) => column(it),
                StarPart::AllOf(it) => format!("{}.*", source(names, *it)),
                _ => "?".to_owned(),
            });
            format!("[{}]", parts.collect::<Vec<_>>().join(" "))
        }
        ColumnMeaning::Output(index) => format!("output {index}"),
        ColumnMeaning::Field(of, field) => format!("field {of}.{field}"),
        ColumnMeaning::Variable(name) => format!("variable {name}"),
        ColumnMeaning::OneOf(one) => {
            let output = one.output().map(|index| format!("output {index}"));
            output.unwrap_or_default()
        }
        _ => "?".to_owned(),
    }
}

/// Returns what the columns of SQL mean, one after the other.
fn meanings(sql: &str, catalog: &dyn Catalog) -> String {
    let tree = view::parse(sql).unwrap_or_else(|error| panic!("{NAME}: {sql}: {error}"));
    let names = resolve(&tree, catalog);
    let owned = resolve(&pg::parse(sql).expect("parses as well"), catalog);
    assert_eq!(owned, names, "{NAME}: {sql}");
    let mut all = Vec::new();
    for column in &names.columns {
        let mut text = meaning(&names, &column.meaning);
        if matches!(column.meaning, ColumnMeaning::OneOf(_)) {
            let of: Vec<_> = names.candidates(column).map(|it| source(&names, it)).collect();
            text = format!("{{{}}}{text}", of.join(" "));
        }
        all.push(format!("{}={text}", column.names.join(".")));
    }
    all.extend(names.mistakes.iter().map(|mistake| format!("!{mistake}")));
    all.join(", ")
}

#[track_caller]
fn known(sql: &str, expected: &str) {
    assert_eq!(meanings(sql, &catalog()), expected, "{NAME}: {sql}");
}

#[track_caller]
fn shown(sql: &str, expected: &str) {
    assert_eq!(meanings(sql, &NoCatalog), expected, "{NAME}: {sql}");
}

#[test]
fn sources_and_aliases() {
    known("SELECT a, t.b, c FROM t", "a=public.t.a, t.b=public.t.b, c=public.t.c");
    known("SELECT x.a, b FROM t AS x", "x.a=x:public.t.a, b=x:public.t.b");
    known("SELECT k, l, c FROM t AS x (k, l)", "k=x:public.t.k, l=x:public.t.l, c=x:public.t.c");
    known("SELECT t.a, u.a FROM t, u", "t.a=public.t.a, u.a=public.u.a");
    known("SELECT s.t.x, public.t.a FROM t, s.t", "s.t.x=s.t.x, public.t.a=public.t.a");
    known("SELECT v.va FROM v", "v.va=public.v.va");
    known("SELECT t FROM t", "t=row of public.t");
    known("SELECT ctid, t.xmin FROM t", "ctid=public.t.ctid, t.xmin=public.t.xmin");
    known("SELECT x.a FROM t x", "x.a=x:public.t.a");
    known("SELECT t.a FROM t x", "t.a=?, !invalid reference to FROM-clause entry for table \"t\"");
}

#[test]
fn stars() {
    known("SELECT * FROM u", "*=[public.u.a public.u.d]");
    known("SELECT u.* FROM t, u", "u.*=[public.u.a public.u.d]");
    known("SELECT * FROM u x(k)", "*=[x:public.u.k x:public.u.d]");
    shown("SELECT * FROM k", "*=[k.*]");
    shown("SELECT x.* FROM (SELECT a, b FROM k) x", "x.*=[x.a x.b], a=k.a, b=k.b");
    known("SELECT count(u.*) FROM u", "u.*=row of public.u");
    known("SELECT ROW(u.*, 1) FROM u", "u.*=[public.u.a public.u.d]");
}

#[test]
fn joins() {
    known(
        "SELECT a, b, t.a FROM t JOIN u USING (a)",
        "a=public.t.a=public.u.a, a=public.t.a, b=public.t.b, t.a=public.t.a",
    );
    known(
        "SELECT * FROM t NATURAL JOIN u",
        "a=public.t.a=public.u.a, *=[public.t.a public.t.b public.t.c public.u.d]",
    );
    known(
        "SELECT * FROM t JOIN u USING (a) JOIN w USING (b, d)",
        "a=public.t.a=public.u.a, b=public.t.b=public.w.b, d=public.u.d=public.w.d, \
         *=[public.t.b public.u.d public.t.a public.t.c public.w.e]",
    );
    known(
        "SELECT a FROM t JOIN u ON t.a = u.a",
        "a=?, t.a=public.t.a, u.a=public.u.a, !column reference \"a\" is ambiguous",
    );
    known("SELECT j.d FROM (t JOIN u USING (a)) AS j", "a=public.t.a=public.u.a, j.d=public.u.d");
    known(
        "SELECT t.a FROM (t JOIN u USING (a)) AS j",
        "a=public.t.a=public.u.a, t.a=?, !missing FROM-clause entry for table \"t\"",
    );
    known(
        "SELECT j.a, t.b FROM t JOIN u USING (a) AS j",
        "a=public.t.a=public.u.a, j.a=public.t.a, t.b=public.t.b",
    );
    known(
        "SELECT 1 FROM t RIGHT JOIN u USING (a) WHERE a = 1",
        "a=public.t.a=public.u.a, a=public.u.a",
    );
    // Only the arms of a join are visible in its condition.
    known(
        "SELECT 1 FROM p, t JOIN u ON p.id = t.a",
        "p.id=?, t.a=public.t.a, !invalid reference to FROM-clause entry for table \"p\"",
    );
    known(
        "SELECT 1 FROM t JOIN u USING (e)",
        "e=, !column \"e\" specified in USING clause does not exist in left table, \
         !column \"e\" specified in USING clause does not exist in right table",
    );
}

#[test]
fn lateral() {
    known("SELECT 1 FROM t, LATERAL (SELECT t.a) x", "t.a=public.t.a");
    known(
        "SELECT 1 FROM t, (SELECT t.a) x",
        "t.a=?, !invalid reference to FROM-clause entry for table \"t\"",
    );
    known("SELECT fa, x.fb FROM t, f(t.a) x", "fa=x.fa, x.fb=x.fb, t.a=public.t.a");
    known("SELECT 1 FROM t JOIN LATERAL (SELECT a) x ON true", "a=public.t.a");
    // A query around it is visible, whether LATERAL or not.
    known("SELECT (SELECT x.k FROM (SELECT t.a AS k) x) FROM t", "x.k=x.k, t.a=public.t.a");
}

#[test]
fn functions_in_from() {
    known("SELECT * FROM f(1) WITH ORDINALITY", "*=[f.fa f.fb f.ordinality]");
    known("SELECT * FROM g() AS k", "*=[k.a k.b k.c]");
    known("SELECT k, h FROM h(1) k", "k=k.k, h=?, !column \"h\" does not exist");
    known("SELECT * FROM ROWS FROM (f(1), h(2)) AS r", "*=[r.fa r.fb r.h]");
    shown("SELECT n FROM generate_series(1, 3) AS n", "n=n.n");
    shown("SELECT key, value FROM json_each('{}')", "key=json_each.key, value=json_each.value");
    shown("SELECT x, n FROM unnest($1) WITH ORDINALITY AS y(x, n)", "x=y.x, n=y.n");
    shown("SELECT b FROM whatever() AS r(a int, b text)", "b=r.b");
    shown(
        "SELECT i, j FROM XMLTABLE('/r' PASSING k.x COLUMNS i int, j FOR ORDINALITY) z",
        "i=z.i, j=z.j, k.x=?, !missing FROM-clause entry for table \"k\"",
    );
    if MAJOR >= 17 {
        shown(
            "SELECT i, n, m FROM k, JSON_TABLE(k.j, '$' COLUMNS (i int, NESTED PATH '$.x' COLUMNS (n int), m FOR ORDINALITY)) z",
            "i=z.i, n=z.n, m=z.m, k.j=k.j",
        );
    }
}

#[test]
fn with_queries() {
    known("WITH t AS (SELECT 1 AS z) SELECT z FROM t", "z=with t.z");
    known(
        "WITH x AS (SELECT 1 AS z), y AS (SELECT z FROM x) SELECT * FROM y",
        "z=with x.z, *=[with y.z]",
    );
    known(
        "WITH t AS (SELECT * FROM t) SELECT a FROM t",
        "*=[public.t.a public.t.b public.t.c], a=with t.a",
    );
    shown(
        "WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
        "n=with r.n, n=with r.n",
    );
    // One that is behind it.
    shown(
        "WITH RECURSIVE x AS (SELECT k FROM y), y AS (SELECT 1 AS k) SELECT k FROM x",
        "k=with y.k, k=with x.k",
    );
    known(
        "WITH d AS (DELETE FROM t RETURNING a AS gone) SELECT gone FROM d",
        "a=public.t.a, gone=with d.gone",
    );
    shown(
        "WITH RECURSIVE r AS (SELECT 1 AS a UNION SELECT a FROM r) SEARCH DEPTH FIRST BY a SET o \
         CYCLE a SET is_cycle USING path SELECT a, o, is_cycle, path FROM r",
        "a=with r.a, a=with r.a, o=with r.o, is_cycle=with r.is_cycle, path=with r.path",
    );
    let tree = pg::parse("WITH c AS (SELECT 1) SELECT 1 FROM c, s.c, d").expect("parses");
    let names = resolve(&tree, &NoCatalog);
    let meanings: Vec<_> = names.tables.iter().map(|table| table.meaning.clone()).collect();
    let unknown = TableMeaning::Unknown;
    assert_eq!(meanings, [TableMeaning::Cte("c".to_owned()), unknown.clone(), unknown]);
}

#[test]
fn subselects() {
    known(
        "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND d = c)",
        "u.a=public.u.a, t.a=public.t.a, d=public.u.d, c=public.t.c",
    );
    known("SELECT (SELECT a FROM u) FROM t", "a=public.u.a");
    shown("SELECT (SELECT a FROM k) FROM m", "a={k m}");
    shown("SELECT (SELECT a FROM k, l) FROM (SELECT 1 AS a) m", "a={l k m}");
    shown("SELECT a FROM k, (SELECT 1 AS a) m", "a=m.a");
    shown("SELECT a FROM k, l", "a={l k}");
    shown("SELECT a FROM k JOIN l ON x = y", "a={l k}, x={l k}, y={l k}");
    shown("SELECT a FROM k WHERE b IN (SELECT c FROM l WHERE d)", "a=k.a, b=k.b, c={l k}, d={l k}");
}

#[test]
fn output_names() {
    known("SELECT a AS b, c FROM t ORDER BY b", "a=public.t.a, c=public.t.c, b=output 0");
    known("SELECT max(a) AS b FROM t GROUP BY b", "a=public.t.a, b=public.t.b");
    known("SELECT a AS k FROM t GROUP BY k", "a=public.t.a, k=output 0");
    shown("SELECT f(a) AS k FROM m GROUP BY k", "a=m.a, k={m}output 0");
    shown("SELECT a FROM m GROUP BY a", "a=m.a, a=m.a");
    known("SELECT a AS b FROM t ORDER BY b + 1", "a=public.t.a, b=public.t.b");
    known(
        "SELECT a FROM t UNION SELECT d FROM u ORDER BY a",
        "a=public.t.a, d=public.u.d, a=output 0",
    );
    known("SELECT DISTINCT ON (k) a AS k FROM t", "k=output 0, a=public.t.a");
    known(
        "SELECT sum(a) OVER (PARTITION BY b ORDER BY c) FROM t WINDOW x AS (ORDER BY a)",
        "a=public.t.a, b=public.t.b, c=public.t.c, a=public.t.a",
    );
    known(
        "SELECT a AS k, b FROM t GROUP BY GROUPING SETS ((k), (b), ())",
        "a=public.t.a, b=public.t.b, k=output 0, b=public.t.b",
    );
}

#[test]
fn statements_that_write() {
    known(
        "INSERT INTO t AS x (a, b) SELECT d, a FROM u ON CONFLICT (a) WHERE b > 0 DO UPDATE SET b = excluded.b + x.b RETURNING c, x.a",
        "a=x:public.t.a, a=x:public.t.a, b=x:public.t.b, d=public.u.d, a=public.u.a, b=x:public.t.b, \
         b=x:public.t.b, excluded.b=excluded of public.t.b, x.b=x:public.t.b, c=x:public.t.c, x.a=x:public.t.a",
    );
    known(
        "UPDATE t SET b = u.d, c = t.c FROM u WHERE t.a = u.a RETURNING *",
        "b=public.t.b, u.d=public.u.d, c=public.t.c, t.c=public.t.c, t.a=public.t.a, u.a=public.u.a, \
         *=[public.t.a public.t.b public.t.c public.u.a public.u.d]",
    );
    known(
        "UPDATE t SET (a, b) = (SELECT d, a FROM u)",
        "a=public.t.a, b=public.t.b, d=public.u.d, a=public.u.a",
    );
    known("DELETE FROM t USING u WHERE t.a = d", "t.a=public.t.a, d=public.u.d");
    known("UPDATE t SET z = 1", "z=?, !column \"z\" of relation \"t\" does not exist");
    known(
        "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND d > 1 THEN UPDATE SET b = d WHEN NOT MATCHED THEN INSERT (a, b) VALUES (u.a, d)",
        "t.a=public.t.a, u.a=public.u.a, d=public.u.d, b=public.t.b, d=public.u.d, a=public.t.a, \
         b=public.t.b, u.a=public.u.a, d=public.u.d",
    );
    known(
        "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED THEN INSERT (a) VALUES (t.a)",
        "t.a=public.t.a, u.a=public.u.a, a=public.t.a, t.a=?, !invalid reference to FROM-clause entry for table \"t\"",
    );
    if MAJOR >= 18 {
        known(
            "UPDATE t SET b = 1 RETURNING old.b, new.b, b",
            "b=public.t.b, old.b=old of public.t.b, new.b=new of public.t.b, b=public.t.b",
        );
        known(
            "DELETE FROM t RETURNING WITH (OLD AS o) o.a, o.*",
            "o.a=o of public.t.a, o.*=[o of public.t.a o of public.t.b o of public.t.c]",
        );
    }
}

#[test]
fn rows_and_fields() {
    known(
        "SELECT (q).l, (p.q).r, (p).id FROM p",
        "l=field public.pair.l, r=field public.pair.r, id=public.p.id, q=public.p.q, p.q=public.p.q, p=row of public.p",
    );
    known("SELECT (q).* FROM p", "*=field public.pair.l, *=field public.pair.r, q=public.p.q");
    known("SELECT (g()).b", "b=field public.t.b");
    known(
        "SELECT (x.k).l FROM (SELECT q AS k FROM p) x",
        "l=field public.pair.l, x.k=x.k, q=public.p.q",
    );
}

#[test]
fn utility_statements() {
    known("CREATE VIEW n AS SELECT a FROM t", "a=public.t.a");
    known(
        "CREATE INDEX ON t (a, lower(c)) INCLUDE (b) WHERE b > 0",
        "a=public.t.a, b=public.t.b, c=public.t.c, b=public.t.b",
    );
    known(
        "CREATE TABLE n (k int CHECK (k > 0), m int REFERENCES t (a), UNIQUE (k, m))",
        "a=public.t.a, k=n.k, m=n.m, k=n.k",
    );
    known(
        "CREATE RULE r AS ON UPDATE TO t DO INSTEAD INSERT INTO u VALUES (old.a, new.b)",
        "old.a=old of public.t.a, new.b=new of public.t.b",
    );
    known(
        "CREATE TRIGGER g BEFORE UPDATE OF b ON t FOR EACH ROW WHEN (old.b <> new.b) EXECUTE FUNCTION tsvector_update_trigger()",
        "b=public.t.b, old.b=old of public.t.b, new.b=new of public.t.b",
    );
    known(
        "CREATE POLICY p ON t USING (a = 1) WITH CHECK (b IN (SELECT d FROM u))",
        "a=public.t.a, b=public.t.b, d=public.u.d",
    );
    known(
        "ALTER TABLE t ADD CONSTRAINT k CHECK (a > b), DROP COLUMN c",
        "c=public.t.c, a=public.t.a, b=public.t.b",
    );
    known("COPY t (a, b) FROM stdin", "a=public.t.a, b=public.t.b");
    known("EXPLAIN SELECT a FROM t", "a=public.t.a");
    known(
        "CREATE FUNCTION k(n int) RETURNS int BEGIN ATOMIC SELECT a FROM t WHERE b = n; END",
        "a=public.t.a, b=public.t.b, n=variable n",
    );
    known("CREATE DOMAIN o AS int CHECK (value > 0)", "value=variable value");
}

#[test]
fn mistakes_have_ranges_and_suggestions() {
    let catalog = catalog();
    for (sql, message, range, suggestion) in [
        (
            "SELECT nme FROM (SELECT 1 AS name) x",
            "column \"nme\" does not exist",
            "nme",
            Some("name"),
        ),
        (
            "SELECT * FROM public . \"usres\"",
            "relation \"public.usres\" does not exist",
            "\"usres\"",
            Some("users"),
        ),
        (
            "SELECT * FROM public /* a /* b */ . */ . -- c\n usres",
            "relation \"public.usres\" does not exist",
            "usres",
            Some("users"),
        ),
        ("SELECT * FROM usres", "relation \"usres\" does not exist", "usres", Some("users")),
        (
            "SELECT userz.id FROM users",
            "missing FROM-clause entry for table \"userz\"",
            "userz",
            Some("users"),
        ),
        (
            "SELECT 1 FROM users, users",
            "table name \"users\" specified more than once",
            "users",
            None,
        ),
        ("SELECT s.nothing()", "function s.nothing does not exist", "nothing", None),
    ] {
        let mut catalog = catalog.clone();
        define(&pg::parse("CREATE TABLE users (id int)").expect("a table"), &mut catalog);
        let names = resolve(&pg::parse(sql).expect("parses"), &catalog);
        let mistake = &names.mistakes[0];
        assert_eq!(mistake.message, message, "{NAME}: {sql}");
        assert_eq!(mistake.range(sql).map(|range| &sql[range]), Some(range), "{NAME}: {sql}");
        assert_eq!(mistake.suggestion.as_deref(), suggestion, "{NAME}: {sql}");
        let nodes = pg::parse(sql).expect("parses").nodes().count();
        assert!(mistake.node.is_some_and(|node| node < nodes), "{NAME}: {sql}");
    }
}

#[test]
fn uses_have_their_nodes() {
    let sql = "SELECT a, f(b) FROM t JOIN u USING (a) WHERE EXISTS (SELECT 1 FROM w)";
    let tree = pg::parse(sql).expect("parses");
    let names = resolve(&tree, &NoCatalog);
    let of = |node: Option<usize>| tree.node_at(node.expect("a node")).expect("there").name();
    assert!(names.tables.iter().all(|table| of(table.node) == "RangeVar"));
    assert!(names.functions.iter().all(|function| of(function.node) == "FuncCall"));
    let columns: Vec<_> = names.columns.iter().map(|column| of(column.node)).collect();
    assert_eq!(columns, ["String", "ColumnRef", "ColumnRef"]);
    let places: Vec<_> =
        names.tables.iter().map(|table| &sql[table.location.unwrap()..][..1]).collect();
    assert_eq!(places, ["t", "u", "w"]);
}

#[test]
fn owned_trees_and_views_mean_the_same() {
    let catalog = catalog();
    let mut columns = 0;
    for sql in corpus::statements().into_iter().chain(corpus::own_statements()) {
        let Ok(tree) = view::parse(&sql) else { continue };
        for catalog in [&NoCatalog as &dyn Catalog, &catalog] {
            let names = resolve(&tree, catalog);
            columns += names.columns.len();
            drop(dependencies(&tree, catalog).order());
            define(&tree, &mut DdlCatalog::new());
            let owned = pg::parse(&sql).map(|tree| resolve(&tree, catalog));
            if let Ok(owned) = owned {
                assert_eq!(owned, names, "{NAME}: {sql}");
            }
            for mistake in &names.mistakes {
                let range = mistake.range(&sql);
                assert!(range.is_none_or(|range| sql.get(range).is_some()), "{NAME}: {sql}");
            }
        }
    }
    assert!(columns > 20_000, "{NAME}: only {columns} columns");
}

/// Which tables are read and written is told as by the analysis. What a statement is about differs: names have the sequences and
/// indexes as well.
#[test]
fn tables_are_those_of_the_analysis() {
    let reads_or_writes = |context| matches!(context, Context::Select | Context::Dml);
    let (mut count, mut differences) = (0, Vec::new());
    for sql in corpus::own_statements().into_iter().chain(corpus::statements()) {
        let Ok(tree) = view::parse(&sql) else { continue };
        let tables = resolve(&tree, &NoCatalog).tables.into_iter();
        let tables = tables.filter(|table| !matches!(table.meaning, TableMeaning::Cte(_)));
        let tables: BTreeSet<_> = tables
            .filter(|table| reads_or_writes(table.context))
            .map(|table| (table.name, table.context))
            .collect();
        let expected = tree.analyze().tables.into_iter();
        let expected: BTreeSet<_> = expected
            .filter(|table| reads_or_writes(table.context))
            .map(|table| (table.name, table.context))
            .collect();
        count += expected.len();
        if tables != expected {
            let more: Vec<_> = tables.difference(&expected).collect();
            let less: Vec<_> = expected.difference(&tables).collect();
            differences.push(format!("{more:?} {less:?} {sql}"));
        }
    }
    assert!(count > 10_000, "{NAME}: {count}");
    assert!(differences.is_empty(), "{NAME}: {} {differences:#?}", differences.len());
}

#[test]
fn deep_statements_on_a_small_stack() {
    on_thread(256 * 1024, || {
        let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(900), close.repeat(900));
        let catalog = catalog();
        for sql in [
            format!("SELECT {}", deep("(SELECT a FROM t WHERE b = ", ")")),
            format!("SELECT {}", deep("(((SELECT ROW(q) FROM p WHERE ", ")).l).r")),
            format!("SELECT * FROM {} x", deep("(SELECT * FROM (SELECT ", " AS a) x) ")),
            format!("SELECT 1 {}", "UNION SELECT a FROM t ".repeat(3_000)),
            format!("SELECT * FROM t t0 {}", "NATURAL JOIN t ".repeat(300)),
            format!("SELECT {} FROM p", deep("h(", ")")),
        ] {
            let Ok(tree) = view::parse(&sql) else { panic!("{NAME}: {}", &sql[..100]) };
            drop(resolve(&tree, &catalog));
            drop(resolve(&tree, &NoCatalog));
        }
    });
}

#[test]
fn a_source_says_which_query_it_is() {
    let sql =
        "WITH w AS (SELECT 1 AS a), x AS (SELECT * FROM w) SELECT * FROM x, (VALUES (2)) y, t, x z";
    let tree = view::parse(sql).expect("parses");
    let names = resolve(&tree, &NoCatalog);
    let text = |source: &pg_ast_names::ColumnSource| {
        let query = source.query.and_then(|query| tree.node_at(query)).map(view::Node::deparse);
        let query = query.map(|query| query.expect("prints"));
        (source.name.clone().unwrap_or_default(), query.unwrap_or_default())
    };
    let mut found: Vec<_> = names.sources.iter().map(text).collect();
    found.sort();
    let expected = [
        ("t", ""),
        ("w", "SELECT 1 AS a"),
        ("x", "SELECT * FROM w"),
        ("y", "VALUES (2)"),
        ("z", "SELECT * FROM w"),
    ];
    assert_eq!(found, expected.map(|(name, query)| (name.to_owned(), query.to_owned())));
}

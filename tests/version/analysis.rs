//! The names in statements, and SQL cut to a length, in each version.

use std::collections::{BTreeMap, BTreeSet};

use pg_ast::Context::{self, Call, Ddl, Dml, Select};
use pg_ast::QualifiedName;

use super::pg::{self, NodeRef, ParseResult, make};
use crate::common::corpus;
use crate::common::deep::DEEP;

#[track_caller]
fn parse(sql: &str) -> ParseResult {
    pg::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// Returns the tables of each context, ordered by name.
#[track_caller]
fn assert_tables(sql: &str, expected: &[(&str, Context)]) {
    let tree = parse(sql);
    let found = tree.analyze();
    let mut tables: Vec<_> =
        found.tables.iter().map(|table| (table.name.to_string(), table.context)).collect();
    tables.sort_unstable();
    let tables: Vec<_> = tables.iter().map(|(name, context)| (name.as_str(), *context)).collect();
    assert_eq!(tables, expected, "{sql}");
    let of = |context| {
        let tables = found.tables.iter().filter(move |table| table.context == context);
        tables.map(|table| table.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(tree.select_tables(), of(Select));
    assert_eq!(tree.dml_tables(), of(Dml));
    assert_eq!(tree.ddl_tables(), of(Ddl));
    let mut all: Vec<_> = [of(Select), of(Dml), of(Ddl)].concat();
    all.sort_unstable();
    all.dedup();
    let mut tables = tree.tables();
    tables.sort_unstable();
    assert_eq!(tables, all);
}

#[test]
fn tables_of_queries_wherever_they_stand() {
    let all = "SELECT DISTINCT ON ((SELECT 1 FROM a)) (SELECT 1 FROM b), \
               count(*) FILTER (WHERE EXISTS (SELECT 1 FROM c)) OVER (ORDER BY (SELECT 1 FROM d)), \
               ARRAY[(SELECT 1 FROM e)], CASE (SELECT 1 FROM f) WHEN 1 THEN (SELECT 1 FROM g) END \
               FROM h CROSS JOIN LATERAL unnest((SELECT 1 FROM i)) JOIN (j JOIN k USING (x)) ON \
               (SELECT true FROM l), m TABLESAMPLE system ((SELECT 1 FROM n)) \
               WHERE x IN (SELECT 1 FROM o) GROUP BY ROLLUP ((SELECT 1 FROM p)) \
               HAVING (SELECT true FROM q) WINDOW w AS (PARTITION BY (SELECT 1 FROM r)) \
               ORDER BY (SELECT 1 FROM s) LIMIT (SELECT 1 FROM t) OFFSET (SELECT 1 FROM u) FOR UPDATE";
    let names: Vec<_> = ('a'..='u').map(String::from).collect();
    let expected: Vec<_> = names.iter().map(|name| (name.as_str(), Select)).collect();
    assert_tables(all, &expected);
    assert_tables("VALUES ((SELECT 1 FROM a))", &[("a", Select)]);
    assert_tables("SELECT 1 FROM a UNION (SELECT 2 FROM b EXCEPT TABLE c)", &expected[..3]);
    assert_tables("SELECT * INTO b FROM a", &[("a", Select), ("b", Ddl)]);
    // A name in FOR UPDATE OF is one from FROM.
    assert_tables("SELECT 1 FROM a AS x FOR UPDATE OF x", &[("a", Select)]);
}

#[test]
fn tables_that_are_written() {
    assert_tables(
        "INSERT INTO s.a AS x SELECT * FROM b ON CONFLICT DO UPDATE SET c = (SELECT 1 FROM d) \
         RETURNING (SELECT 1 FROM e)",
        &[("b", Select), ("d", Select), ("e", Select), ("s.a", Dml)],
    );
    assert_tables(
        "UPDATE a SET x = (SELECT 1 FROM b) FROM c WHERE EXISTS (SELECT 1 FROM a)",
        &[("a", Select), ("a", Dml), ("b", Select), ("c", Select)],
    );
    assert_tables(
        "DELETE FROM a USING b JOIN c ON true",
        &[("a", Dml), ("b", Select), ("c", Select)],
    );
    assert_tables(
        "MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE",
        &[("a", Dml), ("b", Select)],
    );
    assert_tables("COPY a FROM stdin", &[("a", Dml)]);
    assert_tables("COPY a TO stdout", &[("a", Select)]);
    assert_tables("COPY (SELECT * FROM a) TO stdout", &[("a", Select)]);
}

#[test]
fn names_of_with_follow_their_scope() {
    // In a query that is not recursive, its own name is a table.
    assert_tables("WITH a AS (SELECT * FROM a) SELECT * FROM a", &[("a", Select)]);
    assert_tables("WITH RECURSIVE a AS (SELECT * FROM a) SELECT * FROM a", &[]);
    assert_tables(
        "WITH a AS (SELECT * FROM b), b AS (SELECT * FROM a) SELECT * FROM b",
        &[("b", Select)],
    );
    assert_tables("WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a, b", &[]);
    // Only tables that are read can be one, and only without a schema.
    assert_tables(
        "WITH a AS (SELECT 1) INSERT INTO a SELECT * FROM a, s.a",
        &[("a", Dml), ("s.a", Select)],
    );
    assert_tables("WITH a AS (SELECT 1) SELECT (SELECT 1 FROM a) UNION SELECT 1 FROM a", &[]);
    assert_tables("SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) x, a", &[("a", Select)]);
    assert_tables("WITH a AS (SELECT 1) SELECT * FROM a; SELECT * FROM a", &[("a", Select)]);
    let tree = parse("WITH a AS (WITH b AS (SELECT 1) SELECT * FROM b) SELECT * FROM a AS x");
    assert_eq!(tree.cte_names(), ["a", "b"]);
    assert!(tree.aliases().is_empty());
}

#[test]
fn tables_of_utility_statements() {
    for (sql, expected) in [
        (
            "CREATE TABLE a (LIKE b, c int REFERENCES s.d DEFAULT (SELECT 1 FROM e)) INHERITS (f)",
            &[("a", Ddl), ("b", Ddl), ("e", Select), ("f", Ddl), ("s.d", Ddl)][..],
        ),
        ("CREATE TABLE a AS SELECT * FROM b", &[("a", Ddl), ("b", Select)]),
        ("CREATE VIEW a AS SELECT * FROM b", &[("a", Ddl), ("b", Select)]),
        ("CREATE INDEX i ON a (b) WHERE c", &[("a", Ddl)]),
        ("CREATE TRIGGER t AFTER INSERT ON a EXECUTE FUNCTION f()", &[("a", Ddl)]),
        ("CREATE RULE r AS ON INSERT TO a DO INSTEAD DELETE FROM b", &[("a", Ddl), ("b", Dml)]),
        ("CREATE POLICY p ON a USING (EXISTS (SELECT 1 FROM b))", &[("a", Ddl), ("b", Select)]),
        (
            "CREATE SCHEMA s CREATE TABLE a (b int) CREATE VIEW c AS TABLE d",
            &[("a", Ddl), ("c", Ddl), ("d", Select)],
        ),
        ("ALTER TABLE a ATTACH PARTITION b DEFAULT", &[("a", Ddl), ("b", Ddl)]),
        ("ALTER TABLE s.a RENAME TO b", &[("s.a", Ddl)]),
        ("ALTER TABLE a RENAME COLUMN b TO c", &[("a", Ddl)]),
        ("ALTER INDEX a RENAME TO b", &[]),
        ("ALTER SEQUENCE a RENAME TO b", &[]),
        ("CREATE SEQUENCE a", &[]),
        ("DROP TABLE a, s.b", &[("a", Ddl), ("s.b", Ddl)]),
        ("DROP VIEW a", &[("a", Ddl)]),
        ("DROP INDEX a", &[]),
        ("DROP TRIGGER t ON db.s.a", &[("s.a", Ddl)]),
        ("COMMENT ON COLUMN s.a.b IS 'x'", &[("s.a", Ddl)]),
        ("GRANT SELECT ON a, b TO c", &[("a", Ddl), ("b", Ddl)]),
        ("GRANT USAGE ON SEQUENCE a TO c", &[]),
        ("TRUNCATE a, b", &[("a", Ddl), ("b", Ddl)]),
        ("LOCK a", &[("a", Ddl)]),
        ("VACUUM a, b", &[("a", Ddl), ("b", Ddl)]),
        ("REFRESH MATERIALIZED VIEW a", &[("a", Ddl)]),
        ("EXPLAIN SELECT * FROM a", &[("a", Select)]),
        ("PREPARE p AS DELETE FROM a", &[("a", Dml)]),
        ("DECLARE c CURSOR FOR SELECT * FROM a", &[("a", Select)]),
        ("CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1 FROM a; END", &[("a", Select)]),
        ("CREATE PUBLICATION p FOR TABLE a", &[("a", Ddl)]),
        ("SET CONSTRAINTS a DEFERRED", &[]),
    ] {
        assert_tables(sql, expected);
    }
}

#[test]
fn functions_by_what_is_done_with_them() {
    for (sql, expected) in [
        (
            "SELECT a(b(c)) FROM s.d() WHERE e() GROUP BY f()",
            &[("a", Call), ("b", Call), ("e", Call), ("f", Call), ("s.d", Call)][..],
        ),
        ("CALL a(b())", &[("a", Call), ("b", Call)]),
        ("CREATE TABLE t (a int DEFAULT b() CHECK (c(a)))", &[("b", Call), ("c", Call)]),
        ("CREATE FUNCTION s.a() RETURNS int RETURN b()", &[("b", Call), ("s.a", Ddl)]),
        ("ALTER FUNCTION s.a RENAME TO b", &[("s.a", Ddl)]),
        ("ALTER FUNCTION s.a() OWNER TO b", &[("s.a", Ddl)]),
        ("DROP FUNCTION s.a, b", &[("b", Ddl), ("s.a", Ddl)]),
        ("DROP PROCEDURE a", &[("a", Ddl)]),
        ("GRANT EXECUTE ON FUNCTION s.a TO b", &[("s.a", Ddl)]),
        ("CREATE AGGREGATE a (int) (SFUNC = b, STYPE = int)", &[("a", Ddl)]),
        (
            "CREATE TRIGGER t AFTER INSERT ON x WHEN (a(1)) EXECUTE FUNCTION s.b()",
            &[("a", Call), ("s.b", Ddl)],
        ),
    ] {
        let tree = parse(sql);
        let found = tree.analyze();
        let mut functions: Vec<_> =
            found.functions.iter().map(|f| (f.name.to_string(), f.context)).collect();
        functions.sort_unstable();
        let functions: Vec<_> = functions.iter().map(|(name, use_)| (&**name, *use_)).collect();
        assert_eq!(functions, expected, "{sql}");
        let of = |context| {
            let of: Vec<_> = found.functions.iter().filter(|f| f.context == context).collect();
            of.into_iter().map(|f| f.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(tree.call_functions(), of(Call));
        assert_eq!(tree.ddl_functions(), of(Ddl));
        assert_eq!(tree.functions().len(), expected.len());
    }
    let found = parse("SELECT pg_catalog.now()").analyze();
    assert_eq!(found.functions[0].name, QualifiedName::new("pg_catalog", "now"));
}

#[test]
fn columns_that_filter() {
    let column = |column: &str| {
        let mut parts = column.rsplitn(2, '.').map(str::to_owned);
        (parts.next().expect("a column"), parts.next())
    };
    for (sql, expected) in [
        (
            "SELECT a FROM t WHERE b = 1 AND (c IS NULL OR t.d IN (1, e))",
            &["b", "c", "t.d", "e"][..],
        ),
        ("SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE d) AND e", &["b", "d", "e"]),
        ("SELECT a FROM t JOIN u ON t.b = u.b GROUP BY c HAVING d ORDER BY e", &[]),
        ("SELECT a FROM t WHERE t.* IS NULL AND s.t.b = 1", &["t.b"]),
        ("UPDATE t SET a = b WHERE c", &["c"]),
        ("DELETE FROM t WHERE a = lower(b)", &["a", "b"]),
        (
            "INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE b DO UPDATE SET c = d WHERE e",
            &["b", "e"],
        ),
        ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND b THEN UPDATE SET c = d", &["b"]),
        ("CREATE INDEX i ON t (a) WHERE b", &["b"]),
        ("COPY t FROM stdin WHERE a", &["a"]),
        ("SELECT a FROM t WHERE b = 1 AND b = 2", &["b"]),
    ] {
        let expected: Vec<_> = expected
            .iter()
            .map(|name| column(name))
            .map(|(column, table)| (table, column))
            .collect();
        assert_eq!(parse(sql).filter_columns(), expected, "{sql}");
    }
    let found = parse("SELECT 1 FROM s.t WHERE s.t.a").analyze();
    assert_eq!(found.filter_columns[0].table, Some(QualifiedName::new("s", "t")));
}

#[test]
fn aliases_and_names_in_quotes() {
    let tree = parse(r#"SELECT * FROM "S".t AS x JOIN "select" y ON true, plain, "a""b""#);
    let expected = [
        ("x".to_owned(), QualifiedName::new("S", "t")),
        ("y".to_owned(), QualifiedName::unqualified("select")),
    ];
    let found = tree.analyze();
    assert_eq!(found.aliases, BTreeMap::from(expected));
    let names: Vec<_> = found.tables.into_iter().map(|table| table.name).collect();
    assert_eq!(names, [r#""S".t"#, r#""select""#, "plain", r#""a""b""#]);
    assert_eq!(tree.tables(), names);
    assert_eq!(
        names.iter().map(QualifiedName::plain).collect::<Vec<_>>(),
        ["S.t", "select", "plain", "a\"b"]
    );
    assert_eq!(tree.aliases(), found.aliases);
    // A dot in a name is none between names.
    let tables = parse(r#"SELECT FROM "x.y"."z.w", x."y.z.w", "x.y.z".w"#).tables();
    assert_eq!(tables, [r#""x.y"."z.w""#, r#"x."y.z.w""#, r#""x.y.z".w"#]);
    assert_eq!(tables.iter().map(QualifiedName::plain).collect::<BTreeSet<_>>().len(), 1);
    // A tree that was not parsed may contain names that no identifier can have.
    let mut tree = parse("SELECT * FROM t");
    let _ = tree.walk_mut(|node| {
        if let pg::NodeMut::RangeVar(table) = node {
            table.relname = String::new();
        }
        std::ops::ControlFlow::<()>::Continue(())
    });
    assert_eq!(tree.analyze().tables[0].name, "\"\"");
}

#[test]
fn types_of_statements() {
    let sql = "EXPLAIN SELECT (SELECT 1); CREATE LANGUAGE l HANDLER h; ALTER TEXT SEARCH DICTIONARY d (a = b)";
    let tree = parse(sql);
    let types = ["ExplainStmt", "CreatePLangStmt", "AlterTSDictionaryStmt"];
    assert_eq!(tree.statement_types(), types);
    let [explain, language, dictionary] = types;
    let all = [explain, "SelectStmt", language, dictionary];
    assert_eq!(tree.analyze().statement_types, all);
    assert_eq!(pg::summary(sql, None).expect("a summary").statement_types, all);
    let tree = parse("SELECT 1; SELECT 2");
    assert_eq!(tree.statement_types(), ["SelectStmt", "SelectStmt"]);
}

#[test]
fn utility_statements() {
    let sql = "SELECT 1; TABLE t; VALUES (1); INSERT INTO t VALUES (1); UPDATE t SET a = 1; \
               DELETE FROM t; MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE; BEGIN; \
               COPY t TO stdout; EXPLAIN SELECT 1; CREATE TABLE u AS SELECT 1; CALL f()";
    let expected = [[false; 7].as_slice(), &[true; 5]].concat();
    assert_eq!(pg::is_utility_stmt(sql).as_ref(), Ok(&expected));
    assert_eq!(parse(sql).is_utility_stmt(), expected);
    assert_eq!(pg::is_utility_stmt("").as_deref(), Ok(&[][..]));
    assert_eq!(pg::is_utility_stmt("SELEC 1").expect_err("no SQL").cursor(), Some(0));
}

#[test]
fn texts_are_cut() {
    for (sql, length, expected) in [
        ("SELECT a FROM t WHERE b = 1", 27, "SELECT a FROM t WHERE b = 1"),
        ("SELECT a FROM t WHERE b = 1", 26, "SELECT a FROM t WHERE ..."),
        ("SELECT a, b FROM t WHERE b = 1", 28, "SELECT a, b FROM t WHERE ..."),
        ("SELECT aaaa, bbbb FROM t WHERE b = 1", 27, "SELECT ... FROM t WHERE ..."),
        ("SELECT a, b, c FROM t WHERE b = 1", 29, "SELECT ... FROM t WHERE b = 1"),
        ("SELECT DISTINCT aaa, bbb, ccc FROM t", 33, "SELECT DISTINCT ... AS ... FROM t"),
        (
            "UPDATE t SET a = 1, b = 2 WHERE c = 'xxxxx'",
            40,
            "UPDATE t SET ... = ... WHERE c = 'xxxxx'",
        ),
        ("UPDATE t SET a = 100, b = 2, c = 3 WHERE c", 35, "UPDATE t SET ... = ... WHERE c"),
        ("INSERT INTO t VALUES (1, 2), (3, 4)", 30, "INSERT INTO t VALUES (...)"),
        ("WITH a AS (SELECT 1) SELECT * FROM a", 35, "WITH a AS (...) SELECT * FROM a"),
        (
            "SELECT 1 WHERE a IN (SELECT b WHERE c = 1)",
            41,
            "SELECT 1 WHERE a IN (SELECT b WHERE ...)",
        ),
        ("SELECT 1; SELECT aaaaaaaaaa", 20, "SELECT 1; SELECT ..."),
        ("UPDATE t SET (a, b) = (SELECT c, d)", 25, "UPDATE t SET ... = ..."),
        ("DELETE FROM t WHERE CURRENT OF c", 20, "DELETE FROM t WHE..."),
        ("SELECT 'ääääää' FROM tttttttttttt", 12, "SELECT ....."),
        ("SELECT \"ää\" FROM \"öööööööö\"", 20, "SELECT ... FROM \"..."),
        ("CREATE TABLE t (a int, b int)", 20, "CREATE TABLE t (a..."),
        ("SELECT 1", 0, "..."),
        ("SELECT 1", 3, "..."),
        ("SELECT 1", 4, "S..."),
        ("", 0, ""),
    ] {
        let tree = parse(sql);
        assert_eq!(tree.deparse_truncated(length).as_deref(), Ok(expected), "{length}: {sql}");
        let summary = pg::summary(sql, Some(length)).expect("a summary");
        assert_eq!(summary.truncated_query.as_deref(), Some(expected));
    }
}

/// A name that looks like a placeholder, regardless of the actual placeholders.
#[test]
fn texts_with_any_character_are_cut() {
    let sql = "SELECT \"\u{E000}0\" AS \"\u{E000}0\", '\u{E001}' FROM t WHERE \"…\" = 1";
    let tree = parse(sql);
    assert_eq!(tree.deparse_truncated(30).as_deref(), Ok("SELECT ... FROM t WHERE ..."));
    assert_eq!(tree.deparse_truncated(37).as_deref(), Ok("SELECT ... FROM t WHERE \"…\" = 1"));
}

#[test]
fn deep_statements() {
    let run = || {
        for (sql, tables) in [
            (format!("SELECT * FROM t WHERE a{}", " + 1".repeat(DEEP / 2)), 1),
            (format!("SELECT 1 FROM t{}", " UNION SELECT 1 FROM t".repeat(DEEP / 2)), 1),
            (format!("SELECT 1 FROM t{}", " JOIN t ON true".repeat(DEEP / 2)), 1),
            (format!("{}SELECT 1 FROM t{}", "SELECT (".repeat(1_000), ")".repeat(1_000)), 1),
            (
                format!(
                    "{}SELECT 1 FROM t{}",
                    "WITH a AS (".repeat(1_000),
                    ") SELECT * FROM a".repeat(1_000)
                ),
                1,
            ),
        ] {
            let options = pg_ast::ParserOptions::default().max_depth(200_000);
            let tree = pg::parse_with(&sql, options).expect("parses");
            assert_eq!(tree.tables().len(), tables);
            for limit in [0, 1_000, sql.len() - 20] {
                let text = tree.deparse_truncated(limit).expect("prints");
                assert!(text.len() <= limit.max(3));
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(128 << 20).spawn(run).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn a_million_elements() {
    let list: Vec<_> = (1..=1_000_000).map(|n| n.to_string()).collect();
    let sql = format!("SELECT * FROM t WHERE id IN ({}) AND at > now()", list.join(", "));
    let tree = parse(&sql);
    let found = tree.analyze();
    assert_eq!(found.filter_columns.len(), 2);
    assert_eq!(found.functions[0].name, "now");
    assert_eq!(tree.deparse_truncated(100).as_deref(), Ok("SELECT * FROM t WHERE ..."));
}

#[test]
fn versions_have_the_same_calls() {
    let version: pg_ast::Version = super::NAME.parse().expect("a version");
    let sql = "SELECT a FROM t WHERE b = 1; BEGIN";
    assert_eq!(version.is_utility_stmt(sql), pg::is_utility_stmt(sql));
    assert_eq!(version.summary(sql, Some(20)), pg::summary(sql, Some(20)));
    assert_eq!(parse(sql).protobuf.analyze(), parse(sql).analyze());
}

/// Returns the places where `walk_tables_mut` finds tables, with the name of each.
fn named_tables(tree: &mut ParseResult) -> BTreeSet<(String, Context)> {
    let mut found = BTreeSet::new();
    tree.walk_tables_mut(|table, context| {
        let name = match table.schemaname.as_str() {
            "" => table.relname.clone(),
            schema => format!("{schema}.{}", table.relname),
        };
        found.insert((name, context));
    });
    found
}

/// Adds a schema to all tables.
#[track_caller]
fn in_schema(sql: &str, expected: &str) {
    let mut tree = parse(sql);
    tree.walk_tables_mut(|table, _| "z".clone_into(&mut table.schemaname));
    assert_eq!(pg::deparse(&tree).as_deref(), Ok(expected));
}

#[test]
fn tables_are_changed_where_they_are_named() {
    in_schema(
        "SELECT a.x FROM a AS b, s.c JOIN d ON true",
        "SELECT a.x FROM z.a b, z.c JOIN z.d ON true",
    );
    in_schema(
        "WITH a AS (SELECT * FROM a), b AS (SELECT * FROM a) SELECT * FROM a, b, s.a, c",
        "WITH a AS (SELECT * FROM z.a), b AS (SELECT * FROM a) SELECT * FROM a, b, z.a, z.c",
    );
    in_schema(
        "WITH RECURSIVE a AS (SELECT 1 UNION SELECT * FROM a, b) SELECT * FROM a",
        "WITH RECURSIVE a AS (SELECT 1 UNION SELECT * FROM a, z.b) SELECT * FROM a",
    );
    in_schema(
        "SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) t, a",
        "SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) t, z.a",
    );
    in_schema(
        "WITH a AS (SELECT 1) UPDATE a SET x = 1 FROM a b",
        "WITH a AS (SELECT 1) UPDATE z.a SET x = 1 FROM a b",
    );
    in_schema("SELECT * FROM a FOR UPDATE OF a", "SELECT * FROM z.a FOR UPDATE OF a");
    // Statements with names as lists of strings.
    in_schema("DROP TABLE a, s.b, c.s.d", "DROP TABLE z.a, z.b, c.z.d");
    in_schema("COMMENT ON COLUMN a.b IS 'x'", "COMMENT ON COLUMN z.a.b IS 'x'");
    in_schema("DROP TRIGGER g ON s.t", "DROP TRIGGER g ON z.t");
    in_schema("DROP INDEX i", "DROP INDEX i");
    in_schema("ALTER TABLE a RENAME TO b", "ALTER TABLE z.a RENAME TO b");
    in_schema("ALTER INDEX i RENAME TO j", "ALTER INDEX i RENAME TO j");
    in_schema("CREATE VIEW v AS SELECT * FROM t", "CREATE VIEW z.v AS SELECT * FROM z.t");
}

#[test]
fn contexts_of_tables_are_those_of_the_analysis() {
    let mut tree = parse("INSERT INTO a SELECT * FROM b; TRUNCATE c");
    let mut found = Vec::new();
    tree.walk_tables_mut(|table, context| found.push((table.relname.clone(), context)));
    assert_eq!(found, [("a".into(), Dml), ("b".into(), Select), ("c".into(), Ddl)]);

    let mut tables = 0;
    let regression = corpus::statements().into_iter().step_by(10);
    for sql in corpus::own_statements().into_iter().chain(regression) {
        let Ok(mut tree) = pg::parse(&sql) else { continue };
        let analysis = tree.analyze().tables;
        let expected = analysis.iter().map(|table| (table.name.plain(), table.context)).collect();
        let before = tree.clone();
        assert_eq!(named_tables(&mut tree), expected, "{sql}");
        assert!(tree == before, "{sql}");
        tables += expected.len();

        // Each statement separately.
        let mut of_stmts = BTreeSet::new();
        for stmt in tree.stmts_mut() {
            of_stmts.extend(stmt.tables());
            let names = stmt.tables();
            let mut again = Vec::new();
            stmt.walk_tables_mut(|table, _| again.push(table.relname.clone()));
            assert!(names.iter().all(|name| again.contains(&name.name)), "{sql}");
        }
        assert_eq!(of_stmts, tree.tables().into_iter().collect(), "{sql}");
    }
    assert!(tables > 500, "{tables}");
}

#[test]
fn tables_of_parts_of_statements() {
    let tree = parse("SELECT (SELECT 1 FROM a) FROM b JOIN LATERAL (SELECT 2 FROM c) d ON x, e");
    let select = tree.stmts().next().and_then(NodeRef::as_select_stmt).expect("a SELECT");
    assert_eq!(select.target_list[0].tables(), ["a"]);
    assert_eq!(select.from_clause[0].tables(), ["b", "c"]);
    assert_eq!(select.from_clause[1].tables(), ["e"]);
    assert_eq!(tree.stmts().next().map(NodeRef::tables), Some(tree.tables()));
    assert!(pg::Node::default().tables().is_empty());

    // A missing WITH defines nothing.
    let tree = parse("WITH a AS (SELECT 1) SELECT * FROM a");
    assert!(tree.tables().is_empty());
    let select = tree.stmts().next().and_then(NodeRef::as_select_stmt).expect("a SELECT");
    assert_eq!(select.from_clause[0].tables(), ["a"]);

    // Trees that no SQL has: a table in a header, and invalid names.
    let mut odd = make::and_expr(make::bool_const(true), make::bool_const(false));
    odd.xpr = Some(Box::new(make::range_var(None, "t").into()));
    pg::Node::from(odd).walk_tables_mut(|table, _| panic!("{table:?}"));
    let mut drop = parse("DROP TABLE t");
    let stmt = drop.stmts_mut().next().and_then(pg::Node::as_drop_stmt_mut).expect("a DROP");
    stmt.objects[0].as_list_mut().expect("a name").items.push(pg::Node::default());
    let before = drop.clone();
    assert!(named_tables(&mut drop).is_empty() && drop == before);
}

/// Languages and bodies of routines, as owned trees and views have them.
#[test]
fn bodies_of_routines() {
    let mut found = 0;
    for sql in corpus::own_statements().into_iter().chain(corpus::statements()) {
        let Ok(view) = pg::view::parse(&sql) else { continue };
        let of_views: Vec<_> =
            view.stmts().filter_map(|stmt| stmt.stmt()?.routine_body()).collect();
        if !of_views.is_empty() {
            found += of_views.len();
            let tree = parse(&sql);
            let owned: Vec<_> = tree.stmts().filter_map(NodeRef::routine_body).collect();
            assert_eq!(of_views, owned, "{sql}");
        }
    }
    assert!(found > 300, "{found}");
    let language = |sql| {
        let tree = parse(sql);
        tree.stmts().find_map(NodeRef::routine_body).expect(sql).language.map(str::to_owned)
    };
    assert_eq!(language("CREATE FUNCTION f() RETURNS int AS 'SELECT 1'"), None);
    let atomic = "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql RETURN 1";
    assert_eq!(language(atomic).as_deref(), Some("plpgsql"));
}

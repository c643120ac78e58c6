//! What the SQL in functions names.

#![cfg(feature = "plpgsql")]

use pg_ast::{Context, QualifiedName};

use super::pg::plpgsql::{self, Function, Part};
use super::pg_plpgsql::{self, Facts};

fn function(header: &str, body: &str) -> Function {
    let sql = format!("CREATE {header} LANGUAGE plpgsql AS $f$ {body} $f$");
    let mut parsed = plpgsql::parse(&sql).unwrap_or_else(|error| panic!("{sql:.200}: {error:#}"));
    let parsed = parsed.functions.pop().expect("a function");
    parsed.function.unwrap_or_else(|error| panic!("{sql:.200}: {error:#}"))
}

fn with<R>(stmts: &str, f: impl FnOnce(Facts<'_>) -> R) -> R {
    let body = format!("DECLARE r record; s text; c refcursor; BEGIN {stmts} END");
    let function = function("PROCEDURE p(t text, id int, INOUT n int)", &body);
    f(pg_plpgsql::facts(&function))
}

#[test]
fn names_of_all_statements() {
    let sql = "DECLARE c CURSOR (k int) FOR SELECT * FROM cursors WHERE key = k; d int := (SELECT max(x) FROM defaults);
        s text;
    BEGIN
        INSERT INTO a.inserted SELECT * FROM read AS q WHERE q.b = id AND e = 1;
        UPDATE updated SET x = f1(y);
        n := s.f2(n);
        IF EXISTS (SELECT 1 FROM conditions) THEN PERFORM f3(); END IF;
        FOR n IN SELECT 1 FROM loops LOOP DELETE FROM deleted WHERE CURRENT OF c; END LOOP;
        CREATE TEMP TABLE created (a int);
        EXECUTE format('TRUNCATE truncated') ;
        EXECUTE 'SELECT f4() FROM ' || quote_ident(t) || ', known' INTO s;
        CALL proc(n);
        RAISE NOTICE '%', f5(n);
        EXCEPTION WHEN OTHERS THEN SELECT x INTO s FROM handlers;
    END";
    let function = function("PROCEDURE p(t text, id int, INOUT n int)", sql);
    let facts = pg_plpgsql::facts(&function);
    let names = facts.analyze();
    assert_eq!(names.dml_tables(), ["a.inserted", "updated", "deleted"]);
    assert_eq!(names.ddl_tables(), ["created", "truncated"]);
    assert_eq!(
        names.select_tables(),
        ["cursors", "defaults", "read", "conditions", "loops", "known", "handlers"]
    );
    assert_eq!(
        names.call_functions(),
        ["max", "f1", "s.f2", "f3", "format", "quote_ident", "f4", "proc", "f5"]
    );
    assert_eq!(names.tables().len(), 12);
    // `id` and `k` are variables.
    let columns = names.filter_columns.iter().map(|it| (it.table.as_ref(), &*it.column));
    let q = QualifiedName::unqualified("q");
    assert_eq!(columns.collect::<Vec<_>>(), [(None, "key"), (Some(&q), "b"), (None, "e")]);
    let dynamic: Vec<_> = facts.sql.iter().filter(|sql| sql.is_dynamic).collect();
    assert_eq!(dynamic.len(), 2);
    let computed = &dynamic[1].computed.tables;
    assert_eq!((computed[0].name.name.as_str(), computed[0].context), ("dyn_1", Context::Select));
    assert!(facts.unread.is_empty());

    assert_eq!(names.aliases["q"], "read");
    assert_eq!(names.tables.len(), 12);
    // Those of expressions do not count.
    assert_eq!(
        names.statement_types,
        [
            "SelectStmt",
            "InsertStmt",
            "UpdateStmt",
            "DeleteStmt",
            "CreateStmt",
            "TruncateStmt",
            "CallStmt"
        ]
    );
    // What writes a table.
    let update =
        facts.sql.iter().find(|sql| sql.names.tables.iter().any(|it| it.name == "updated"));
    assert!(matches!(update.unwrap().stmt, Some(Part::Execsql(_))));
}

#[test]
fn variables_are_no_columns_unless_they_are_to_be() {
    let body = "BEGIN SELECT 1 INTO n FROM t WHERE id = a; END";
    let columns = |options: &str| {
        let function = function("FUNCTION f(id int, OUT n int)", &format!("{options} {body}"));
        let columns = pg_plpgsql::facts(&function).analyze().filter_columns;
        columns.into_iter().map(|it| it.column).collect::<Vec<_>>()
    };
    assert_eq!(columns(""), ["a"]);
    assert_eq!(columns("#variable_conflict use_variable\n"), ["a"]);
    assert_eq!(columns("#variable_conflict use_column\n"), ["id", "a"]);
}

#[test]
fn transactions_and_unread_sql() {
    with(
        "COMMIT; IF n > 1 THEN ROLLBACK AND CHAIN; END IF; EXECUTE t; EXECUTE 'x y z';",
        |facts| {
            let names: Vec<_> = facts.transactions.iter().map(|part| part.name()).collect();
            assert_eq!(names, ["PLpgSQL_stmt_commit", "PLpgSQL_stmt_rollback"]);
            let unread: Vec<_> =
                facts.unread.iter().map(|dynamic| dynamic.expr.query.as_str()).collect();
            assert_eq!(unread, ["t", "'x y z'"]);
        },
    );
    // The same SQL is listed once.
    let stmts = format!("s := 'INSERT INTO a TABLE b'; {}", "EXECUTE s; ".repeat(2_000));
    with(&stmts, |facts| {
        assert_eq!((facts.sql.len(), facts.unread.len()), (1, 0));
        assert_eq!(facts.analyze().tables(), ["a", "b"]);
    });
}

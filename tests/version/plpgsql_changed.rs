//! Trees of PL/pgSQL that were changed: printed, they mean what they say, or there is an error.

#![cfg(feature = "plpgsql")]

use super::pg::plpgsql::{self, Datum, Dno, Expr, Function, Stmt};
use super::pg::protobuf::FetchDirection;
use super::pg_plpgsql;

const HEADER: &str = "CREATE FUNCTION f(INOUT p int, OUT q int)";

fn function(body: &str) -> Function {
    plpgsql::parse_body(body, Some(HEADER)).unwrap_or_else(|error| panic!("{body}: {error:#}"))
}

/// Changes the tree of a body with one statement; returns the message of the error.
#[track_caller]
fn refused(stmt: &str, change: impl FnOnce(&mut Function)) -> String {
    let mut function = function(&format!(
        "<<b>> DECLARE a int; r record; c refcursor; d CURSOR FOR SELECT 1; BEGIN {stmt} END"
    ));
    pg_plpgsql::deparse(&function).expect("a tree that was parsed");
    change(&mut function);
    let error = pg_plpgsql::deparse(&function).expect_err("a tree without text");
    error.message().strip_prefix("deparse: ").expect("an error of the printer").to_owned()
}

macro_rules! stmt {
    ($function:ident, $kind:ident) => {
        match &mut $function.action.body[0] {
            Stmt::$kind(stmt) => stmt,
            other => panic!("{other:?}"),
        }
    };
}

/// Another expression, with the text of this query.
fn expr(query: &str) -> Expr {
    Expr { query: query.to_owned(), ..Expr::default() }
}

/// What is read up to a word would end there.
#[test]
fn text_that_ends_elsewhere() {
    let ends = |text: &str| format!("\"{text}\" would end elsewhere when it is read");
    for query in ["1; COMMIT", "(1", "1)", "a[1", "'a", "/* a */", "", "1 -- ;\n; COMMIT"] {
        let change = |f: &mut Function| stmt!(f, Perform).expr.query = format!("SELECT {query}");
        if !["/* a */", ""].contains(&query) {
            assert_eq!(refused("PERFORM 1;", change), ends(&format!("PERFORM {query}")));
        }
        let change = |f: &mut Function| stmt!(f, Exit).cond = Some(expr(query));
        assert_eq!(refused("EXIT b WHEN true;", change), ends(query));
    }
    let change = |f: &mut Function| stmt!(f, If).cond.query = "a THEN COMMIT; IF a".to_owned();
    assert_eq!(refused("IF a > 1 THEN END IF;", change), ends("a THEN COMMIT; IF a"));
    let change = |f: &mut Function| stmt!(f, Fors).query.query = "1 .. 2".to_owned();
    assert_eq!(refused("FOR r IN SELECT 1 LOOP END LOOP;", change), ends("1 .. 2"));
    let change = |f: &mut Function| stmt!(f, Raise).params[0].query = "1, 2".to_owned();
    assert_eq!(refused("RAISE '%', 1;", change), ends("1, 2"));
    let change = |f: &mut Function| stmt!(f, Dynexecute).query.query = "q INTO a".to_owned();
    assert_eq!(refused("EXECUTE 'q';", change), ends("q INTO a"));
    let change = |f: &mut Function| match &mut f.datums[4] {
        Datum::Var(var) => "int := 1".clone_into(&mut var.datatype.text),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused("NULL;", change), ends("int := 1"));

    // In these it does not end.
    let body = "BEGIN
    CREATE FUNCTION g() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; END;
    CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);
    PERFORM a.then, ';', $x$;$x$ /* ; */ FROM t;
END";
    let body = &body.replace("a.then", "a.\"then\"");
    assert_eq!(pg_plpgsql::deparse(&function(body)).expect("a tree that was parsed"), *body);
}

/// What is not printed is not lost.
#[test]
fn fields_that_no_text_has() {
    let no_text = |what: &str| format!("PLpgSQL_stmt_{what} has no text");
    let change = |f: &mut Function| stmt!(f, Case).have_else = false;
    let case = "CASE WHEN true THEN NULL; ELSE NULL; END CASE;";
    assert_eq!(refused(case, change), no_text("case with else_stmts, not have_else,"));
    let change = |f: &mut Function| stmt!(f, Execsql).into = false;
    let into = "SELECT 1 INTO a;";
    assert_eq!(refused(into, change), no_text("execsql with a target, not into,"));
    let change = |f: &mut Function| stmt!(f, Execsql).target = None;
    assert_eq!(refused(into, change), "PLpgSQL_stmt_execsql without target has no SQL");
    let change = |f: &mut Function| stmt!(f, Execsql).sqlstmt.query += " INTO t";
    assert_eq!(refused(into, change), no_text("execsql with INTO in its query"));
    let change = |f: &mut Function| stmt!(f, Dynexecute).into = false;
    let execute = "EXECUTE 'q' INTO a;";
    assert_eq!(refused(execute, change), no_text("dynexecute with a target, not into,"));
    let change = |f: &mut Function| stmt!(f, Fetch).is_move = true;
    assert_eq!(refused("FETCH c INTO a;", change), no_text("fetch with is_move and a target"));
    for (direction, how_many) in
        [(FetchDirection::FetchForward, 5), (FetchDirection::FetchAbsolute, 3)]
    {
        let change = |f: &mut Function| {
            let fetch = stmt!(f, Fetch);
            (fetch.direction, fetch.how_many) = (direction, how_many);
        };
        let expected = no_text("fetch with this direction, expr and how_many");
        assert_eq!(refused("FETCH c INTO a;", change), expected);
    }
    let change = |f: &mut Function| stmt!(f, Open).params = vec![expr("1")];
    assert_eq!(refused("OPEN c FOR SELECT 1;", change), no_text("open with params, no dynquery,"));
    let change = |f: &mut Function| stmt!(f, Open).cursor_options |= 2;
    assert_eq!(refused("OPEN d;", change), no_text("open with cursor_options, no query,"));
    let change = |f: &mut Function| stmt!(f, Raise).elog_level = 18;
    assert_eq!(refused("RAISE;", change), "PLpgSQL_stmt_raise without message has no SQL");
    let change = |f: &mut Function| stmt!(f, Raise).elog_level = 22;
    assert_eq!(refused("RAISE 'a';", change), no_text("raise with elog_level 22"));
    let change = |f: &mut Function| stmt!(f, Return).retvarno = Some(Dno::default());
    assert_eq!(refused("RETURN;", change), "RETURN with another OUT variable has no text");
    let change = |f: &mut Function| stmt!(f, Raise).message = Some("a\0".to_owned());
    assert_eq!(refused("RAISE 'a';", change), "a NUL character has no text");
}

/// A name is that of the variable which the tree has.
#[test]
fn names_of_other_variables() {
    let change = |f: &mut Function| stmt!(f, Assign).varno = f.params[0].dno.expect("a variable");
    let message = "the variable p is not what the query assigns to here";
    assert_eq!(refused("a := 1;", change), message);
    // The declaration of `b.a` is gone; the text is that of the parameter `p` then.
    let change = |f: &mut Function| f.action.decls.clear();
    let message = "the variable a is not what the query assigns to here";
    assert_eq!(refused("a := 1;", change), message);
    let change = |f: &mut Function| f.action.decls[0].name = "other".to_owned();
    assert_eq!(refused("NULL;", change), "the variable a is declared as other");
    let long = "x".repeat(64);
    let change = |f: &mut Function| stmt!(f, Block).label = Some(long.clone());
    assert_eq!(refused("BEGIN END;", change), format!("\"{long}\" cannot be a name"));
    for target in ["a", "b.a", "r.x", "b.r.x", "a[1]", "r.x[1].y", "p", "f.p", "\"$1\"", "$1"] {
        let body =
            format!("<<b>>\nDECLARE\n    a int;\n    r record;\nBEGIN\n    {target} := 1;\nEND");
        assert_eq!(pg_plpgsql::deparse(&function(&body)).expect("a tree that was parsed"), body);
    }
}

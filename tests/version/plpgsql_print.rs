//! Printed bodies of PL/pgSQL: parsed again they are the same trees, with the same comments.

#![cfg(feature = "plpgsql")]

use pg_ast::DeparseOptions;

use super::pg::plpgsql::{self, Function, Stmt};
use super::pg::{self, NodeEnum};
use super::pg_plpgsql;
use crate::common::corpus;
use crate::common::plpgsql::valid;
use crate::common::split::split;

/// The body of a statement in PL/pgSQL.
pub(super) fn body_of(stmt: &mut NodeEnum) -> Option<&mut String> {
    let options = match stmt {
        NodeEnum::CreateFunctionStmt(stmt) => &mut stmt.options,
        NodeEnum::DoStmt(stmt) => &mut stmt.args,
        _ => return None,
    };
    options.iter_mut().find_map(|option| match &mut option.node {
        Some(NodeEnum::DefElem(option)) if option.defname == "as" => {
            match &mut option.arg.as_mut()?.node {
                Some(NodeEnum::String(string)) => Some(&mut string.sval),
                Some(NodeEnum::List(list)) => match &mut list.items.first_mut()?.node {
                    Some(NodeEnum::String(string)) => Some(&mut string.sval),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    })
}

pub(super) fn compiled(stmt: &NodeEnum) -> Option<Function> {
    match stmt {
        NodeEnum::CreateFunctionStmt(stmt) => Function::of(stmt),
        NodeEnum::DoStmt(stmt) => Function::of_do(stmt),
        _ => None,
    }
    .and_then(Result::ok)
}

/// What has to be the same: all but places, and text as it was written: that of expressions, whose trees are there, and that of
/// names, whose variables are.
pub(super) fn shape(function: &Function) -> String {
    let mut shape = String::new();
    let text = format!("{function:?}");
    let mut rest = text.as_str();
    let fields =
        ["location: ", "end: ", "lineno: ", "stmt_len: ", "query: ", "list_start: ", "list_end: "];
    while let Some((at, field)) =
        fields.iter().filter_map(|field| Some((rest.find(field)?, *field))).min()
    {
        let (before, after) = rest.split_at(at + field.len());
        shape += before;
        rest = if let Some(string) = after.strip_prefix('"') {
            let mut escaped = false;
            let end = string.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            &string[end.expect("a closed string") + 1..]
        } else {
            after.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit())
        };
    }
    shape += rest;
    let mut without_names = String::new();
    for (index, part) in shape.split("fieldnames: [").enumerate() {
        without_names += if index == 0 { part } else { part.split_once(']').expect("a list").1 };
    }
    without_names
}

fn comment_texts(sql: &str) -> Vec<String> {
    let comments = pg::comments(sql).expect("tokens");
    let mut texts: Vec<_> =
        comments.into_iter().map(|comment| comment.text.trim_end().to_owned()).collect();
    texts.sort();
    texts
}

/// Prints the functions of a statement, without and with comments; returns how many.
fn check(sql: &str) -> usize {
    let Ok(tree) = pg::parse(sql) else { return 0 };
    let mut count = 0;
    for stmt in &tree.protobuf.stmts {
        let Some(mut stmt) = stmt.stmt.as_ref().and_then(|stmt| stmt.node.clone()) else {
            continue;
        };
        let Some(function) = compiled(&stmt) else { continue };
        let Some(body) = body_of(&mut stmt).map(|body| body.clone()) else { continue };
        let comments = pg::comments(&body).expect("the tokens of a body");
        for options in [
            DeparseOptions::default(),
            DeparseOptions::default().indent_size(1).comments(comments.clone()),
        ] {
            let has_comments = !options_are_default(&options);
            let printed = pg_plpgsql::deparse_with(&function, &options)
                .unwrap_or_else(|error| panic!("{error:#}:\n{body}"));
            body_of(&mut stmt).expect("the body").clone_from(&printed);
            let again =
                compiled(&stmt).unwrap_or_else(|| panic!("not accepted:\n{body}\n=>\n{printed}"));
            let (expected, found) = (shape(&function), shape(&again));
            assert!(expected == found, "another tree:\n{body}\n=>\n{printed}\n{expected}\n{found}");
            if has_comments {
                assert_eq!(comment_texts(&printed), comment_texts(&body), "{body}\n=>\n{printed}");
                let options = DeparseOptions::default()
                    .indent_size(1)
                    .comments(pg::comments(&printed).expect("tokens"));
                let twice =
                    pg_plpgsql::deparse_with(&again, &options).expect("a tree that was parsed");
                assert_eq!(twice, printed, "printed twice");
            }
        }
        count += 1;
    }
    count
}

fn options_are_default(options: &DeparseOptions) -> bool {
    *options == DeparseOptions::default()
}

#[test]
fn own_functions() {
    let stmts = valid().into_iter().flat_map(|(_, sql)| split(&sql));
    let count: usize = stmts.map(|sql| check(&sql)).sum();
    assert!(count > 200, "{count}");
    let reached = split(include_str!("../plpgsql/reached.sql"));
    let count: usize = reached.iter().map(|sql| check(sql)).sum();
    assert!(count > 3, "{count}");
}

#[test]
fn regression_functions() {
    let count: usize = corpus::statements().iter().map(|sql| check(sql)).sum();
    assert!(count > 400, "{count}");
}

fn printed(body: &str, header: Option<&str>) -> String {
    let function = plpgsql::parse_body(body, header).expect("a right body");
    let comments = pg::comments(body).expect("tokens");
    pg_plpgsql::deparse_with(&function, &DeparseOptions::default().comments(comments))
        .expect("a body")
}

/// A name that is hidden by another one is written with its label.
#[test]
fn hidden_names() {
    let body = "<<o>>\nDECLARE\n    x int;\nBEGIN\n    DECLARE\n        x int;\n    BEGIN\n        \
        SELECT 1, 2, 3 INTO o.x, x, f.p;\n        FETCH ABSOLUTE -1 FROM c INTO \"begin\";\n    END;\nEND";
    let header = "CREATE FUNCTION f(p int, c refcursor, \"begin\" int) RETURNS void";
    assert_eq!(printed(body, Some(header)), body.replace("f.p", "p"));
    let body = body.replace("x int;\n    BEGIN", "x int;\n        p int;\n    BEGIN");
    assert_eq!(printed(&body, Some(header)), body);
}

/// Prints a body that was printed before: it is the same.
#[track_caller]
fn unchanged(header: &str, body: &str) {
    assert_eq!(printed(body, Some(header)), body);
}

/// What a variable is written as means it, as PL/pgSQL looks names up.
#[test]
fn names_as_they_are_looked_up() {
    let header = "CREATE FUNCTION f(a int, o int) RETURNS void";
    let body = |declared: &str, target: &str| {
        format!(
            "<<o>>\nDECLARE\n    x int;\n    r record;\nBEGIN\n    {declared}\n    BEGIN\n        \
            SELECT 1 INTO {target};\n    END{};\nEND",
            declared
                .strip_prefix("<<")
                .and_then(|it| it.split_once(">>"))
                .map_or(String::new(), |(label, _)| format!(" {label}"))
        )
    };
    // The label of a block is looked for in it, a variable of that name is not a record.
    unchanged(header, &body("DECLARE\n        x int;", "o.x"));
    // A record, and a block with its name that has a variable with the name of its field.
    unchanged(header, &body("<<r>>\n    DECLARE\n        f int;", "o.r.f"));
    unchanged(header, &body("<<r>>\n    DECLARE\n        g int;", "r.f"));
    // A parameter that is hidden, as is the function's name, has its number.
    unchanged(
        header,
        &body("<<f>>\n    DECLARE\n        a int;", "\"$1\"").replace("\"$1\"", "$1"),
    );
    unchanged(header, &body("<<f>>\n    DECLARE\n        b int;", "a"));
    // An inner label without such a variable hides none.
    unchanged(
        header,
        "<<o>>\nDECLARE\n    x int;\nBEGIN\n    <<o>>\n    DECLARE\n        y int;\n    BEGIN\n        \
        DECLARE\n            x int;\n        BEGIN\n            SELECT 1 INTO o.x;\n        END;\n    END o;\nEND",
    );
    // The variable for the result of a polymorphic function; a name with a dot.
    let header = "CREATE FUNCTION s.\"a.b\"(p anyelement) RETURNS anyelement";
    unchanged(
        header,
        "DECLARE\n    p int;\nBEGIN\n    SELECT 1, 2 INTO $0, \"a.b\".p;\n    \
        DECLARE\n        r ALIAS FOR $0;\n    BEGIN\n        RETURN r;\n    END;\n    RETURN $0;\nEND",
    );
}

/// `INTO` after a name that begins a statement would be that of SQL.
#[test]
fn into_after_names() {
    let header = "CREATE FUNCTION f(OUT x int)";
    for (body, expected) in [
        ("SELECT INTO x a AS insert FROM t;", "SELECT a AS INTO x insert FROM t;"),
        ("SELECT INTO x a merge;", "SELECT a INTO x merge;"),
        (
            "DELETE FROM t INTO x RETURNING (r).insert;",
            "DELETE FROM t RETURNING (r). INTO x insert;",
        ),
        ("SELECT INTO x a \"insert\" FROM t;", "SELECT a \"insert\" INTO x FROM t;"),
    ] {
        let text = printed(&format!("BEGIN {body} END"), Some(header));
        assert_eq!(text, format!("BEGIN\n    {expected}\nEND"));
        unchanged(header, &text);
    }
}

/// Each name of a condition, which may be that of several, as often as it was written.
#[test]
fn repeated_conditions() {
    unchanged(
        "CREATE FUNCTION f() RETURNS void",
        "BEGIN\n    NULL;\nEXCEPTION\n    WHEN no_data_found OR no_data_found OR null_value_not_allowed \
        OR null_value_not_allowed OR SQLSTATE '22004' OR SQLSTATE '22004' THEN\n        NULL;\nEND",
    );
}

/// Comments in types and in `INTO` are there once, and stay there.
#[test]
fn comments_in_types_and_targets() {
    let body = "DECLARE
    a numeric(10 /* a */, 2); -- b
    b /* c */ int := /* d */ 1; -- e
BEGIN
    SELECT 1 -- f
        INTO a /* g */ FROM t; -- h
    SELECT 1 INTO a -- i
        FROM t;
    SELECT 1 INTO a; -- j
    RAISE NOTICE '%', -- k
    a;
    IF a > 1 THEN
        NULL; -- l
    ELSE
        NULL; -- m
    END IF;
END";
    unchanged("CREATE FUNCTION f() RETURNS void", body);
    let moved = "BEGIN SELECT 1 INTO x /* a */ -- b\n; END";
    let header = "CREATE FUNCTION f(OUT x int)";
    let text = printed(moved, Some(header));
    assert_eq!(text, "BEGIN\n    SELECT 1 INTO x; /* a */ -- b\nEND");
    unchanged(header, &text);
}

/// A line comment ends before what follows it.
#[test]
fn comments_in_lines() {
    let body = "BEGIN\n    IF a -- is it\n    THEN\n        b := 1 -- one\n        ;\n        -- c\n    END IF; -- d\n    /* e */\nEND -- f";
    let header = "CREATE FUNCTION f(a bool, b int) RETURNS void";
    let text = printed(body, Some(header));
    assert_eq!(printed(&text, Some(header)), text);
    assert_eq!(comment_texts(&text), comment_texts(body));
    assert!(text.contains("END IF; -- d\n    /* e */\nEND -- f"), "{text}");
}

/// What has no text is an error.
#[test]
fn made_by_hand() {
    let mut function =
        plpgsql::parse_body("DECLARE a int; BEGIN SELECT 1 INTO a; END", None).expect("a body");
    let mut unreadable = function.clone();
    if let Stmt::Execsql(stmt) = &mut unreadable.action.body[0] {
        stmt.sqlstmt.query = "SELECT 'a".to_owned();
    }
    let error = pg_plpgsql::deparse(&unreadable).expect_err("no SQL");
    assert_eq!(error.message(), "deparse: PLpgSQL_stmt_execsql without a query in SQL has no SQL");
    function.action.decls.clear();
    let error = pg_plpgsql::deparse(&function).expect_err("no declaration");
    assert_eq!(error.message(), "deparse: the variable a has no name here");
    assert!(pg_plpgsql::deparse(&Function::default()).is_ok_and(|body| body == "BEGIN\nEND"));
}

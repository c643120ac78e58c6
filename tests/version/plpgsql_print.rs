//! Printed bodies of PL/pgSQL: parsed again they are the same trees, with the same comments.

#![cfg(feature = "plpgsql")]

use pg_ast::DeparseOptions;

use super::pg::plpgsql::{self, Function, Stmt};
use super::pg::{self, NodeEnum};
use crate::common::corpus;
use crate::common::plpgsql::valid;
use crate::common::split::split;

/// The body of a statement in PL/pgSQL.
fn body_of(stmt: &mut NodeEnum) -> Option<&mut String> {
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

fn compiled(stmt: &NodeEnum) -> Option<Function> {
    match stmt {
        NodeEnum::CreateFunctionStmt(stmt) => Function::of(stmt),
        NodeEnum::DoStmt(stmt) => Function::of_do(stmt),
        _ => None,
    }
    .and_then(Result::ok)
}

/// What has to be the same: all but places, and text as it was written: that of expressions, whose trees are there, and that of
/// names, whose variables are.
fn shape(function: &Function) -> String {
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
            let printed = function
                .deparse_with(&options)
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
                let twice = again.deparse_with(&options).expect("a tree that was parsed");
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
    function.deparse_with(&DeparseOptions::default().comments(comments)).expect("a body")
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
    let error = unreadable.deparse().expect_err("no SQL");
    assert_eq!(error.message(), "deparse: PLpgSQL_stmt_execsql without a query in SQL has no SQL");
    function.action.decls.clear();
    let error = function.deparse().expect_err("no declaration");
    assert_eq!(error.message(), "deparse: the variable a has no name here");
    assert!(Function::default().deparse().is_ok_and(|body| body == "BEGIN\nEND"));
}

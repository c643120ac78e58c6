//! Types of a user's own that are as odd as safe code can make them: they are read, or refused, and never misread.
#![forbid(unsafe_code)]

use std::panic;

use pg_ast::{ErrorKind, FromNode, FromRaw, Node, raw, view};

/// Only a variant for others.
#[derive(Debug, FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Anything<'a> {
    #[pg_ast(other)]
    Is(view::Node<'a>),
}

/// A type without a byte.
#[derive(Debug, FromRaw)]
#[pg_ast(raw = raw::ResTarget, partial)]
struct Nothing {
    #[pg_ast(skip)]
    _nothing: (),
}

/// Enums that leave the rest to each other.
#[derive(Debug, FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Outer {
    #[pg_ast(raw = raw::ColumnRef)]
    Column(pg_ast::protobuf::ColumnRef),
    #[pg_ast(other)]
    Other(Box<Inner>),
}

#[derive(Debug, FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Inner {
    #[pg_ast(raw = raw::A_Const)]
    Const(pg_ast::protobuf::AConst),
    #[pg_ast(other)]
    Many(Vec<Outer>),
}

/// Code of the user runs in the middle of a conversion: it parses, frees memory, and panics below the last operator.
#[derive(Debug)]
struct Interrupts;

impl Default for Interrupts {
    fn default() -> Self {
        let tree = view::parse("SELECT 1 FROM a, b").expect("parses");
        pg_ast::release_memory();
        assert!(tree.nodes().count() > 3);
        Self
    }
}

#[derive(Debug)]
struct Panics;

impl Default for Panics {
    fn default() -> Self {
        panic!("on purpose")
    }
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Expr<'a> {
    #[pg_ast(raw = raw::A_Expr)]
    Operator(Box<Operator<'a>>),
    #[pg_ast(raw = raw::ParamRef)]
    Param(Param),
    #[pg_ast(other)]
    Other(view::Node<'a>),
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::A_Expr, partial)]
struct Operator<'a> {
    #[pg_ast(skip)]
    _first: Interrupts,
    name: Vec<Name<'a>>,
    lexpr: Option<Expr<'a>>,
    rexpr: Option<Box<Expr<'a>>>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::String, partial)]
struct Name<'a> {
    sval: &'a str,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::ParamRef, partial)]
struct Param {
    #[pg_ast(skip)]
    _panics: Panics,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::SelectStmt, partial)]
struct Where<'a> {
    #[pg_ast(name = "whereClause")]
    condition: Option<Expr<'a>>,
}

/// Structs with a list of targets.
macro_rules! selects {
    ($($select:ident: $item:ty;)*) => {$(
        #[derive(Debug, FromRaw)]
        #[pg_ast(raw = raw::SelectStmt, partial)]
        struct $select {
            #[pg_ast(name = "targetList")]
            items: Vec<$item>,
        }
    )*};
}
selects! {
    OfNothing: Nothing;
    OfOptions: Option<Option<Box<Option<Nothing>>>>;
    OfOuter: Outer;
    OfBoxes: Box<Box<Node>>;
}

fn read<T: for<'t> FromNode<'t, raw::Node>>(sql: &str) -> Result<T, pg_ast::Error> {
    Ok(pg_ast::parse_as::<T>(sql)?.remove(0).expect("a SELECT"))
}

#[test]
fn odd_items() {
    let sql = "SELECT 1, a, b";
    assert_eq!(read::<OfNothing>(sql).unwrap().items.len(), 3);
    assert!(read::<OfOptions>(sql).unwrap().items.iter().all(|item| matches!(item, Some(Some(_)))));
    assert_eq!(read::<OfBoxes>(sql).unwrap().items[2].depth(), 2);
    let error = read::<OfOuter>(sql).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnmappedNode);

    // All nodes, as everything that reads nodes.
    let tree = view::parse("SELECT DISTINCT a, 'b' FROM c WHERE d IN (1, $1); CREATE FOREIGN TABLE t () SERVER s; UPDATE t SET (a, b) = (SELECT 1, 2); DROP OPERATOR + (NONE, int)").unwrap();
    for node in tree.nodes() {
        let anything = node.read_as::<Anything>().unwrap();
        assert!(
            matches!(anything, Some(Anything::Is(is)) if is == node)
                || node.as_create_stmt().is_some()
        );
        let same = node.read_as::<view::Node>().unwrap();
        assert!(same == Some(node) || node.as_create_stmt().is_some(), "{node:?}");
        let _ = node.read_as::<Outer>();
        let _ = node.read_as::<Vec<Option<Outer>>>();
        let _ = node.read_as::<Vec<view::List>>();
        let owned = node.read_as::<Option<Box<Node>>>().unwrap();
        assert!(
            owned.is_none() || owned.flatten().map(|owned| *owned) == node.to_owned_tree().ok()
        );
    }
}

#[test]
fn a_user_interrupts_a_conversion() {
    let run = || {
        let sum = |last: &str| format!("SELECT WHERE {last}{}", " + (1)".repeat(1_000));
        let tree = view::parse(&sum("a")).unwrap();
        let stmt = tree.stmts().next().unwrap().stmt().unwrap();
        let mut next = stmt.read_as::<Where>().unwrap().unwrap().condition;
        let mut levels = 0;
        while let Some(Expr::Operator(operator)) = next {
            assert_eq!(operator.name[0].sval, "+");
            assert!(matches!(operator.rexpr.as_deref(), Some(Expr::Other(view::Node::AConst(_)))));
            next = operator.lexpr;
            levels += 1;
        }
        assert_eq!(levels, 1_000);
        assert!(matches!(next, Some(Expr::Other(view::Node::ColumnRef(_)))));

        let tree = view::parse(&sum("$1")).unwrap();
        let stmt = tree.stmts().next().unwrap().stmt().unwrap();
        let panicked =
            panic::catch_unwind(panic::AssertUnwindSafe(|| stmt.read_as::<Where>().is_ok()));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"on purpose"));
        // Nothing of it is left.
        assert_eq!(pg_ast::parse("SELECT 1").unwrap().to_string(), "SELECT 1");
        assert!(tree.deparse().unwrap().starts_with("SELECT WHERE $1 + 1"));
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap();
}

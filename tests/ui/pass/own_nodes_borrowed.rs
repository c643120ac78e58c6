//! Types of a user's own that borrow from a view: nothing is copied.

use pg_ast::{ErrorKind, FromRaw, raw, view};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt<'a> {
    #[pg_ast(raw = raw::SelectStmt)]
    Select(Box<Select<'a>>),
    #[pg_ast(raw = raw::DeleteStmt)]
    Delete(view::DeleteStmt<'a>),
    #[pg_ast(other)]
    Other(view::Node<'a>),
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::SelectStmt, partial)]
struct Select<'tree> {
    #[pg_ast(name = "targetList")]
    targets: view::List<'tree>,
    #[pg_ast(name = "fromClause")]
    from: Vec<Item<'tree>>,
    #[pg_ast(name = "whereClause")]
    condition: Option<view::Node<'tree>>,
    #[pg_ast(name = "valuesLists")]
    values: Vec<view::List<'tree>>,
    #[pg_ast(name = "withClause")]
    with: Option<view::WithClause<'tree>>,
    #[pg_ast(skip)]
    seen: &'tree str,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Item<'a> {
    #[pg_ast(raw = raw::RangeVar)]
    Table(Table<'a>),
    #[pg_ast(other)]
    Other(Option<view::Node<'a>>),
}

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table<'a> {
    schemaname: Option<&'a str>,
    relname: &'a str,
    relpersistence: &'a str,
    alias: Option<view::Alias<'a>>,
}

fn stmts<'a>(tree: &'a view::Tree) -> impl Iterator<Item = Stmt<'a>> {
    tree.stmts().map(|stmt| stmt.stmt().unwrap().read_as().unwrap().unwrap())
}

#[test]
fn fields_are_views() {
    let sql = "WITH w AS (SELECT 1) SELECT 1, 2 FROM s.é AS x, f() WHERE a; DELETE FROM t; BEGIN; VALUES (1, 2), (3, 4)";
    let tree = view::parse(sql).unwrap();
    let stmts: Vec<_> = stmts(&tree).collect();
    let Stmt::Select(select) = &stmts[0] else { panic!() };
    assert_eq!((select.targets.len(), select.from.len(), select.seen), (2, 2, ""));
    let Item::Table(table) = &select.from[0] else { panic!() };
    assert_eq!((table.schemaname, table.relname, table.relpersistence), (Some("s"), "é", "p"));
    assert_eq!(table.alias.unwrap().aliasname(), "x");
    assert!(matches!(select.from[1], Item::Other(Some(view::Node::RangeFunction(_)))));
    assert_eq!(select.condition.unwrap().name(), "ColumnRef");
    assert_eq!(select.with.unwrap().ctes().len(), 1);
    let Stmt::Delete(delete) = &stmts[1] else { panic!() };
    assert_eq!(delete.relation().unwrap().relname(), "t");
    assert!(matches!(stmts[2], Stmt::Other(view::Node::TransactionStmt(_))));
    let Stmt::Select(values) = &stmts[3] else { panic!() };
    assert_eq!(values.values.iter().map(|row| row.len()).collect::<Vec<_>>(), [2, 2]);
    assert!(values.condition.is_none() && values.with.is_none());
}

#[test]
fn what_is_borrowed_lives_as_long_as_the_tree() {
    let tree = view::parse("SELECT FROM a, b").unwrap();
    let names: Vec<&str> = {
        let Some(Stmt::Select(select)) = stmts(&tree).next() else { panic!() };
        let tables = select.from.into_iter().filter_map(|item| match item {
            Item::Table(table) => Some(table.relname),
            Item::Other(_) => None,
        });
        tables.collect()
    };
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn a_list_of_one_type_refuses_others() {
    #[derive(Debug, FromRaw)]
    #[pg_ast(raw = raw::SelectStmt, partial)]
    struct Tables<'a> {
        #[pg_ast(name = "fromClause")]
        _from: Vec<Table<'a>>,
    }

    let tree = view::parse("SELECT FROM a, f()").unwrap();
    let stmt = tree.stmts().next().unwrap().stmt().unwrap();
    assert_eq!(stmt.read_as::<Tables>().unwrap_err().kind(), ErrorKind::UnmappedNode);
    assert!(stmt.read_as::<Table>().unwrap().is_none());
    assert!(view::Node::Null.read_as::<Table>().unwrap().is_none());
    assert!(view::Node::Null.read_as::<Option<Table>>().unwrap().unwrap().is_none());
    let numbers = tree.nodes().filter_map(|node| node.read_as::<pg_ast::Node>().unwrap());
    assert_eq!(numbers.count(), tree.nodes().count());
}

#[test]
fn during_an_edit_too() {
    let mut tree = view::parse("SELECT FROM a").unwrap();
    tree.edit(|mut stmts, arena| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            let name = slot
                .get()
                .and_then(|node| node.read_as::<Table>().unwrap())
                .map(|table| table.relname.len());
            if name == Some(1) {
                slot.set(arena.own(&pg_ast::make::range_var(None, "b")).unwrap());
            }
        }
    });
    assert_eq!(tree.deparse().unwrap(), "SELECT FROM b");
}

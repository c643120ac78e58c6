//! A user's own structs and enums, read with `parse_as`.

use pg_ast::protobuf::SetOperation;
use pg_ast::{FromRaw, IntoRaw, Node, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::SelectStmt, partial)]
struct Select {
    #[pg_ast(name = "fromClause")]
    from_clause: Vec<Node>,
    op: SetOperation,
    #[pg_ast(skip)]
    seen: u64,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::DeleteStmt, partial)]
struct Delete {
    relation: Option<Table>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table {
    relname: String,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = raw::SelectStmt)]
    Select(Box<Select>),
    #[pg_ast(raw = raw::DeleteStmt)]
    Delete(Delete),
}

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::Alias)]
struct Alias {
    aliasname: String,
    colnames: Vec<Node>,
}

#[test]
fn own_types() -> Result<(), pg_ast::Error> {
    let stmts = pg_ast::parse_as::<Stmt>("SELECT 1 FROM a UNION SELECT 2; DELETE FROM b; BEGIN")?;
    let Some(Stmt::Select(select)) = &stmts[0] else { panic!() };
    assert_eq!(
        (select.op, select.from_clause.len(), select.seen),
        (SetOperation::SetopUnion, 0, 0)
    );
    let Some(Stmt::Delete(delete)) = &stmts[1] else { panic!() };
    assert_eq!(delete.relation.as_ref().unwrap().relname, "b");
    assert!(stmts[2].is_none());
    assert!(pg_ast::parse_as::<Alias>("SELECT 1")?[0].is_none());
    let alias = Alias { aliasname: String::new(), colnames: Vec::new() };
    let _ = (alias.aliasname, alias.colnames);
    Ok(())
}

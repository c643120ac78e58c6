//! A C struct that is several nodes: which one, the tag says.
#![forbid(unsafe_code)]

use pg_ast::{FromRaw, protobuf, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::OpExpr, partial)]
struct Operator {
    opno: u32,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Found {
    #[pg_ast(raw = raw::OpExpr)]
    Op(Operator),
    #[pg_ast(raw = raw::OpExpr, tag = "T_DistinctExpr")]
    Distinct(Operator),
    #[pg_ast(raw = raw::NullIfExpr)]
    NullIf(Operator),
    #[pg_ast(raw = raw::List)]
    Nodes(protobuf::List),
    #[pg_ast(raw = raw::List, tag = "T_IntList")]
    Numbers(protobuf::IntList),
    #[pg_ast(raw = raw::DropStmt)]
    Drop(Objects),
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::DropStmt, partial)]
struct Objects {
    objects: Vec<pg_ast::Node>,
}

#[test]
fn several_tags() {
    let stmts = pg_ast::parse_as::<Found>("DROP TABLE a.b; SELECT 1").unwrap();
    let Some(Found::Drop(drop)) = &stmts[0] else { panic!() };
    assert_eq!(drop.objects.len(), 1);
    assert!(stmts[1].is_none());
    let _ = |found: Found| match found {
        Found::Op(op) | Found::Distinct(op) | Found::NullIf(op) => op.opno as usize,
        Found::Nodes(list) => list.items.len(),
        Found::Numbers(list) => list.items.len(),
        Found::Drop(_) => 0,
    };
}

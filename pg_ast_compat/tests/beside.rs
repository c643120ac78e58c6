//! Programs that use pg_ast as well: while they move over, a file at a time.
#![cfg(feature = "v6")]

use pg_ast::protobuf::CreateStmt;
use pg_ast::{Node, make, pg17};
use pg_ast_compat::v6 as pg_query;
use prost::Message as _;

#[test]
fn trees_go_over_as_bytes() -> Result<(), Box<dyn std::error::Error>> {
    let sql = "SELECT a FROM t WHERE b = ANY('{1}'::int[])";
    let native = pg17::parse(sql)?;
    let bytes = pg_ast::prost::Message::encode_to_vec(&native.protobuf);
    let tree = pg_query::protobuf::ParseResult::decode(bytes.as_slice())?;
    assert_eq!(tree, pg_query::parse(sql)?.protobuf);
    assert_eq!(pg17::ParseResult::decode(&tree.encode_to_vec())?.protobuf, native.protobuf);
    Ok(())
}

#[test]
fn the_trees_of_pg_ast_are_as_without() -> Result<(), pg_ast::Error> {
    let table = CreateStmt { relation: Some(make::range_var(None, "t")), ..Default::default() };
    assert_eq!(Node::from(table).deparse()?, "CREATE TABLE t ()");
    assert!(size_of::<pg17::NodeEnum>() < size_of::<pg_query::NodeEnum>());
    Ok(())
}

//! Pointers in a user's own structs: NULL, and what else they lead to.

use pg_ast::{FromRaw, Node, NodeEnum, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::CommentStmt, partial)]
struct CommentOn {
    comment: Option<String>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::CopyStmt, partial)]
struct Copy {
    relation: Option<Table>,
    filename: Option<String>,
    query: Option<Node>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
#[expect(clippy::box_collection, reason = "a box is read like what is in it")]
struct Table {
    schemaname: Box<Option<String>>,
    relname: Box<String>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::SelectStmt, partial)]
struct Select {
    #[pg_ast(name = "limitCount")]
    limit_count: Option<Test>,
}

/// What reads `Node *` reads `Expr *` as well.
#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Test {
    #[pg_ast(raw = raw::ParamRef)]
    Param(Param),
    #[pg_ast(other)]
    Other,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::ParamRef, partial)]
struct Param {
    number: i32,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::NullTest, partial)]
struct NullTest {
    arg: Option<Test>,
}

fn one<T: for<'t> pg_ast::FromNode<'t, raw::Node>>(sql: &str) -> T {
    pg_ast::parse_as(sql).unwrap().remove(0).unwrap()
}

#[test]
fn null_is_none_and_an_empty_string_is_not() {
    let comment = |value| one::<CommentOn>(&format!("COMMENT ON TABLE t IS {value}")).comment;
    assert_eq!(comment("NULL"), None);
    assert_eq!(comment("''").as_deref(), Some(""));
    assert_eq!(comment("'é'").as_deref(), Some("é"));
    let long = "é".repeat(100);
    assert_eq!(comment(&format!("'{long}'")).as_deref(), Some(&*long));
}

#[test]
fn boxes_are_what_is_in_them() {
    let copy: Copy = one("COPY été FROM STDIN");
    let table = copy.relation.unwrap();
    assert_eq!((*table.schemaname, &**table.relname), (None, "été"));
    assert!(copy.filename.is_none() && copy.query.is_none());
    let copy: Copy = one("COPY s.t FROM ''");
    assert_eq!(copy.relation.unwrap().schemaname.as_deref(), Some("s"));
    assert_eq!(copy.filename.as_deref(), Some(""));
    let copy: Copy = one("COPY (SELECT 1) TO STDOUT");
    assert!(matches!(copy.query.unwrap().node, Some(NodeEnum::SelectStmt(_))));
}

#[test]
fn a_pointer_to_the_header_of_a_node_leads_to_the_node() {
    let select: Select = one("SELECT 1 LIMIT $3");
    assert!(matches!(select.limit_count, Some(Test::Param(Param { number: 3 }))));
    let tree = pg_ast::view::parse("SELECT $5 IS NULL, a IS NULL").unwrap();
    let tests = tree.nodes().filter_map(|node| node.read_as::<NullTest>().unwrap());
    let tests: Vec<_> = tests.map(|test| test.arg).collect();
    assert!(matches!(tests[..], [Some(Test::Param(Param { number: 5 })), Some(Test::Other)]));
}

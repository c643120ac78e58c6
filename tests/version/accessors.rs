//! Shortcuts to statements, nodes of a given type, names and constants.

use pg_ast::Literal;
use prost_reflect::DynamicMessage;

use super::pg::protobuf::{ParamRef, RangeVar};
use super::pg::{self, NodeEnum, NodeMut, NodeRef, make, view};
use super::schema;
use crate::common::corpus;

#[test]
fn statements_are_nodes() {
    let mut tree = pg::parse("SELECT 1; DELETE FROM t; SELECT 2").expect("parses");
    let names: Vec<_> = tree.stmts().map(NodeRef::name).collect();
    assert_eq!(names, ["SelectStmt", "DeleteStmt", "SelectStmt"]);
    assert_eq!(tree.stmts().next_back().map(NodeRef::deparse), Some(Ok("SELECT 2".to_owned())));
    // Another type can replace a statement.
    let last = tree.stmts().next_back().map(NodeRef::to_enum);
    let delete = tree.stmts_mut().find(|stmt| stmt.as_delete_stmt().is_some()).expect("a DELETE");
    delete.node = last;
    assert_eq!(pg::deparse(&tree).as_deref(), Ok("SELECT 1; SELECT 2; SELECT 2"));
    assert_eq!(pg::parse("-- nothing").expect("parses").stmts().count(), 0);
}

/// The parts of owned trees and of their views, over all of our statements.
#[test]
fn parts_of_views_are_those_of_owned_trees() {
    let mut counts = [0; 5];
    for sql in corpus::own_statements() {
        let (Ok(tree), Ok(view)) = (pg::parse(&sql), view::parse(&sql)) else { continue };
        for (owned, viewed) in tree.nodes().zip(view.nodes()) {
            match (owned, viewed) {
                (NodeRef::SelectStmt(owned), view::Node::SelectStmt(viewed)) => {
                    let names = owned.targets().map(|target| target.name.as_str());
                    assert!(names.eq(viewed.targets().map(view::ResTarget::name)), "{sql}");
                    assert_eq!(owned.targets().count(), owned.target_list.len(), "{sql}");
                    let rows = owned.rows().map(<[_]>::len);
                    assert!(rows.eq(viewed.rows().map(view::List::len)), "{sql}");
                    assert_eq!(owned.rows().count(), owned.values_lists.len(), "{sql}");
                    counts[0] += owned.targets().count();
                    counts[1] += owned.rows().count();
                }
                (NodeRef::InsertStmt(owned), view::Node::InsertStmt(viewed)) => {
                    assert!(owned.columns().eq(viewed.columns()), "{sql}");
                    assert_eq!(owned.source().is_some(), viewed.source().is_some(), "{sql}");
                    assert_eq!(owned.source().is_some(), owned.select_stmt.is_some(), "{sql}");
                    counts[2] += owned.columns().count();
                }
                (NodeRef::UpdateStmt(owned), view::Node::UpdateStmt(viewed)) => {
                    let names = owned.targets().map(|target| target.name.as_str());
                    assert!(names.eq(viewed.targets().map(view::ResTarget::name)), "{sql}");
                    counts[3] += owned.targets().count();
                }
                (NodeRef::AExpr(owned), view::Node::AExpr(viewed)) => {
                    assert_eq!(owned.operator(), viewed.operator(), "{sql}");
                    let is_plain = owned.kind() == pg::AExprKind::AexprOp;
                    let operator = owned.operator();
                    assert_eq!(operator.is_some_and(|name| !name.is_empty()), is_plain, "{sql}");
                    counts[4] += 1;
                }
                _ => {}
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

#[test]
fn statements_of_views_are_those_of_owned_trees() {
    for sql in corpus::own_statements() {
        let (Ok(mut tree), Ok(view)) = (pg::parse(&sql), view::parse(&sql)) else { continue };
        let names: Vec<_> = tree.stmts().map(NodeRef::name).collect();
        let of_view: Vec<_> = view.stmts().filter_map(|stmt| Some(stmt.stmt()?.name())).collect();
        assert_eq!(names, of_view, "{sql}");
        assert_eq!(tree.stmts_mut().count(), names.len());
    }
}

/// A node of one type is not one of any other type.
#[test]
fn a_node_is_of_one_type() {
    // A boxed type, one that is not boxed, and a list.
    let mut select = pg::parse("SELECT 1").expect("parses");
    let mut select = select.stmts_mut().next().expect("a statement").clone();
    let mut param = pg::Node::from(make::param_ref(1));
    let items = vec![param.clone()];
    let mut list = pg::Node::from(pg::protobuf::List { items });

    assert!(select.as_select_stmt().is_some() && select.as_select_stmt_mut().is_some());
    assert!(select.as_param_ref().is_none() && select.as_param_ref_mut().is_none());
    assert!(param.as_param_ref().is_some() && param.as_param_ref_mut().is_some());
    assert!(param.as_select_stmt().is_none() && param.as_list().is_none());
    assert!(list.as_list().is_some_and(|list| list.items[0] == param));
    assert!(list.as_int_list().is_none() && list.as_list_mut().is_some());
    let mut nothing = pg::Node::default();
    assert!(nothing.as_list().is_none() && nothing.as_list_mut().is_none());
    assert!(nothing.as_str().is_none() && nothing.literal().is_none());

    // All four types return the same.
    let node: &mut NodeEnum = param.node.as_mut().expect("a node");
    assert!(node.as_param_ref().is_some_and(|param| param.number == 1));
    node.as_param_ref_mut().expect("a parameter").number = 2;
    assert!(node.to_ref().as_param_ref().is_some_and(|param| param.number == 2));
    assert!(node.to_ref().as_string().is_none());
    let mut borrowed: NodeMut<'_> = node.to_mut();
    assert!(borrowed.as_param_ref().is_some() && borrowed.as_list().is_none());
    assert!(borrowed.reborrow().as_list_mut().is_none());
    borrowed.as_param_ref_mut().expect("a parameter").number = 3;
    assert_eq!(param, make::param_ref(3).into());
}

/// The enums of nodes have the same variant for each node of the schema.
#[test]
fn each_node_is_the_same_in_all_enums() {
    for message in schema::node_types() {
        let name = message.name().to_owned();
        let empty = DynamicMessage::new(message);
        let mut node = schema::node(Some(empty)).node.expect("a node");
        assert_eq!(node.to_ref().name(), name);
        assert_eq!(node.to_mut().to_ref().name(), name);
        assert_eq!(node.to_mut().to_enum(), node, "{name}");
    }
}

#[test]
fn a_message_becomes_a_node_and_is_found_in_it() {
    // A type that is not boxed, and one that is.
    let param = ParamRef { number: 1, location: -1 };
    let table = RangeVar { relname: "t".to_owned(), ..RangeVar::default() };
    let mut nodes = [NodeEnum::from(param), NodeEnum::from(table.clone())];
    assert_eq!(nodes, [NodeEnum::ParamRef(param), NodeEnum::RangeVar(Box::new(table.clone()))]);
    assert_eq!(nodes[0].as_param_ref(), Some(&param));
    assert_eq!(nodes[1].as_range_var(), Some(&table));
    assert_eq!(NodeRef::from(&table), NodeRef::RangeVar(&table));

    if let NodeEnum::ParamRef(param) = &mut nodes[0] {
        NodeMut::from(param).as_param_ref_mut().expect("a parameter").number = 2;
    }
    if let NodeEnum::RangeVar(table) = &mut nodes[1] {
        NodeMut::from(&mut **table).as_range_var_mut().expect("a table").inh = true;
    }
    assert_eq!(nodes[0].as_param_ref().map(|param| param.number), Some(2));
    assert_eq!(nodes[1].as_range_var().map(|table| table.inh), Some(true));
}

// Allows a literal in the call.
#[allow(clippy::needless_pass_by_value)]
#[track_caller]
fn is(expr: &str, expected: Option<Literal<'_>>) {
    let node = pg::parse_expr(expr).unwrap_or_else(|error| panic!("{expr}: {error}"));
    assert_eq!(node.literal(), expected, "{expr}");
    let node = node.node.expect("an expression");
    assert_eq!(node.to_ref().literal(), expected, "{expr}");
    let of_view = node.to_ref().with_view(|view| assert_eq!(view.literal(), expected, "{expr}"));
    of_view.expect("a C tree");
}

#[test]
fn literals_are_read_through_casts_and_signs() {
    is("NULL", Some(Literal::Null));
    is("NULL::int", Some(Literal::Null));
    is("- NULL", Some(Literal::Null));
    is("true", Some(Literal::Boolean(true)));
    is("false::text", Some(Literal::Boolean(false)));
    is("- true", None);
    is("7", Some(Literal::Integer(7)));
    is("-7", Some(Literal::Integer(-7)));
    is("+7", Some(Literal::Integer(7)));
    is("- - - 7::int", Some(Literal::Integer(-7)));
    is("- + - 7::int", Some(Literal::Integer(7)));
    is("-(-(7::int)::bigint)", Some(Literal::Integer(7)));
    is("-2147483648", Some(Literal::Integer(-2_147_483_648)));
    is("9000000000", Some(Literal::Integer(9_000_000_000)));
    is("-9223372036854775808", Some(Literal::Integer(i64::MIN)));
    is("9223372036854775808", Some(Literal::Float("9223372036854775808".into())));
    is("-9223372036854775809", Some(Literal::Float("-9223372036854775809".into())));
    is("-(-9223372036854775808)", Some(Literal::Float("9223372036854775808".into())));
    is("- -1.5", Some(Literal::Float("1.5".into())));
    is("1.50", Some(Literal::Float("1.50".into())));
    is("-1.5e3", Some(Literal::Float("-1.5e3".into())));
    is("- 1.5::numeric", Some(Literal::Float("-1.5".into())));
    is("'it''s'", Some(Literal::String("it's")));
    is("''", Some(Literal::String("")));
    is("'7'::int", Some(Literal::String("7")));
    is("- '7'::int", None);
    is("+ '7'::int", None);
    is("interval '1' day", Some(Literal::String("1")));
    is("cast('a' as text)", Some(Literal::String("a")));
    is("b'101'", Some(Literal::BitString("b101")));
    is("x'1F'", Some(Literal::BitString("x1F")));
    is("a", None);
    is("$1", None);
    is("1 - 1", None);
    is("! 1", None);
    is("f(1)", None);
    is("array[1]", None);
}

#[test]
fn whole_numbers_are_those_of_64_bits() {
    for (text, expected) in [
        ("0", Some(0)),
        ("9223372036854775807", Some(i64::MAX)),
        ("9223372036854775808", None),
        ("-9223372036854775808", Some(i64::MIN)),
        ("-9223372036854775809", None),
        ("0xFF_ff", Some(0xFFFF)),
        ("-0o17", Some(-15)),
        ("0b101", Some(5)),
        ("1_000", Some(1_000)),
        ("1.0", None),
        ("1e3", None),
        ("0x", None),
        ("-", None),
        ("", None),
        ("é", None),
    ] {
        let number = pg::Node::from(pg::make::float_const(text));
        let expected = expected.map_or(Literal::Float(text.into()), Literal::Integer);
        assert_eq!(number.literal(), Some(expected));
    }
}

#[test]
fn views_have_the_names_and_literals_of_owned_trees() {
    let (mut names, mut literals) = (0, 0);
    let regression = corpus::statements().into_iter().step_by(10);
    for sql in corpus::own_statements().into_iter().chain(regression) {
        let (Ok(tree), Ok(view)) = (pg::parse(&sql), view::parse(&sql)) else { continue };
        for (node, of_view) in tree.nodes().zip(view.nodes()) {
            assert_eq!(node.literal(), of_view.literal(), "{sql}");
            assert_eq!(node.as_str(), of_view.as_str(), "{sql}");
            literals += usize::from(node.literal().is_some());
            match (node, of_view) {
                (NodeRef::ColumnRef(column), view::Node::ColumnRef(of_view)) => {
                    assert!(column.names().eq(of_view.names()), "{sql}");
                    assert_eq!(column.names().count(), column.fields.len(), "{sql}");
                    assert_eq!(column.is_star(), of_view.is_star(), "{sql}");
                    names += 1;
                }
                (NodeRef::TypeName(name), view::Node::TypeName(of_view)) => {
                    assert!(name.names().eq(of_view.names().strs()), "{sql}");
                }
                (NodeRef::FuncCall(call), view::Node::FuncCall(of_view)) => {
                    assert!(call.names().eq(of_view.names()), "{sql}");
                }
                _ => {}
            }
        }
    }
    assert!(names > 1_000 && literals > 1_000, "{names} {literals}");
}

/// Signs and casts take no stack.
#[test]
fn literals_can_be_deep() {
    let mut node = pg::Node::from(make::int_const(1));
    for _ in 0..100_000 {
        let cast = make::type_cast(node, make::type_name(["int8"]));
        node = make::a_expr("-", pg::Node::default(), cast).into();
        node.as_a_expr_mut().expect("an operator").lexpr = None;
    }
    assert_eq!(node.literal(), Some(Literal::Integer(1)));
    node.drop_iteratively();
}

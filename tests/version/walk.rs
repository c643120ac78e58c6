//! Compares the walks over a tree with its schema.

use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::ops::ControlFlow;

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage as _, Value};

use super::maker::{Maker, path};
use super::pg::protobuf::{self, Integer, ParseResult, SelectStmt};
use super::pg::{self, Node, NodeEnum, NodeMut, NodeRef, Visit, VisitMut};
use super::schema;
use crate::common::corpus;

/// Returns the nodes in the fields of a message, and their fields, by the schema: all but the source of a column that is
/// not the first of an assignment.
fn children(message: &DynamicMessage) -> Vec<(FieldDescriptor, DynamicMessage)> {
    let mut children = Vec::new();
    let colno = message.get_field_by_name("colno").and_then(|number| number.as_i32());
    for (field, value) in message.fields() {
        if field.name() == "source" && colno > Some(1) {
            continue;
        }
        let items = match value {
            Value::List(items) => items.as_slice(),
            value => std::slice::from_ref(value),
        };
        for item in items.iter().filter_map(Value::as_message) {
            // A `Node` is its only value, if it has one.
            let node = if item.descriptor().name() == "Node" {
                item.fields().next().map(|(_, value)| value.as_message().expect("a node").clone())
            } else {
                Some(item.clone())
            };
            children.extend(node.map(|node| (field.clone(), node)));
        }
    }
    children
}

/// Returns a message and all of its nodes, top down, with their depths.
fn nodes(message: &DynamicMessage, depth: usize, into: &mut Vec<(DynamicMessage, usize)>) {
    into.push((message.clone(), depth));
    for (_, child) in children(message) {
        nodes(&child, depth + 1, into);
    }
}

fn typed(message: &DynamicMessage) -> NodeEnum {
    schema::node(Some(message.clone())).node.expect("a node")
}

/// Returns every field of the schema that leads to a node: of each node type and of the entire tree.
fn node_fields() -> BTreeSet<String> {
    let messages = schema::node_types().into_iter().chain([schema::message("ParseResult")]);
    messages
        .flat_map(|message| message.fields().collect::<Vec<_>>())
        .filter(|field| matches!(field.kind(), Kind::Message(_)))
        .map(|field| path(&field))
        .collect()
}

/// Returns each node type with all of its fields set, to that many levels.
fn filled(depth: usize) -> impl Iterator<Item = DynamicMessage> {
    let mut maker = Maker { headers: true, ..Maker::default() };
    schema::node_types().into_iter().map(move |node| maker.message(&node, depth))
}

/// Returns our own statements, and every 10th of PostgreSQL's.
pub fn trees() -> impl Iterator<Item = pg::ParseResult> {
    let regression = corpus::statements().into_iter().step_by(10);
    corpus::own_statements().into_iter().chain(regression).filter_map(|sql| pg::parse(&sql).ok())
}

#[test]
fn every_field_is_reached() {
    let mut reached = BTreeSet::new();
    for message in filled(1) {
        let expected = children(&message);
        let node = typed(&message);
        let mut found = Vec::new();
        node.to_ref().children(|child| found.push(child.to_enum()));
        let expected_nodes: Vec<_> = expected.iter().map(|(_, child)| typed(child)).collect();
        assert_eq!(found, expected_nodes, "{}", message.descriptor().name());
        reached.extend(expected.iter().map(|(field, _)| path(field)));
    }
    // The root's fields, whose message is not a node.
    let stmts = pg::parse("SELECT 1; SELECT 2").expect("parses").into_protobuf().stmts;
    let tree = ParseResult { version: 0, stmts };
    let roots: Vec<_> = tree.nodes().with_depth().filter(|(_, depth)| *depth == 0).collect();
    assert_eq!(roots.len(), 2);
    assert!(roots.iter().zip(&tree.stmts).all(|((root, _), stmt)| *root == NodeRef::from(stmt)));
    reached.insert("ParseResult.stmts".to_owned());

    // The first column of an assignment has the source.
    let mut first = Maker::default().message(&schema::message("MultiAssignRef"), 1);
    first.set_field_by_name("colno", Value::I32(1));
    let (source, child) = children(&first).pop().expect("the source");
    let mut found = Vec::new();
    typed(&first).to_ref().children(|child| found.push(child.to_enum()));
    assert_eq!(found, [typed(&child)]);
    reached.insert(path(&source));

    // A oneof's fields exclude each other, so only the last one is set.
    let constant = schema::message("A_Const");
    for field in constant.fields().filter(|field| field.containing_oneof().is_some()) {
        let Kind::Message(value) = field.kind() else { panic!("no message") };
        let value = Maker::default().message(&value, 0);
        let mut message = DynamicMessage::new(constant.clone());
        message.set_field(&field, Value::Message(value.clone()));
        let mut found = Vec::new();
        typed(&message).to_ref().children(|child| found.push(child.to_enum()));
        assert_eq!(found, [typed(&value)]);
        reached.insert(path(&field));
    }

    let all = node_fields();
    println!("{} fields", all.len());
    assert!(all.len() > 500, "{}", all.len());
    let missing: Vec<_> = all.difference(&reached).collect();
    assert!(missing.is_empty() && reached.len() == all.len(), "not reached: {missing:?}");
}

#[test]
fn nodes_are_those_of_the_schema() {
    for depth in 0..3 {
        for message in filled(depth) {
            let mut expected = Vec::new();
            nodes(&message, 0, &mut expected);
            let node = typed(&message);
            let found: Vec<_> = node.to_ref().nodes().with_depth().collect();
            assert_eq!(found.len(), expected.len());
            for ((found, depth), (expected, expected_depth)) in found.into_iter().zip(&expected) {
                assert_eq!(depth, *expected_depth);
                assert!(found == typed(expected).to_ref(), "{found:?}\n{expected:#?}");
            }
        }
    }
}

/// Returns the name of a node's type: the start of its Debug output.
fn name(node: NodeRef<'_>) -> String {
    /// Stops at the start of the fields.
    struct Name(String);

    impl Write for Name {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            if text.starts_with('(') {
                return Err(fmt::Error);
            }
            self.0.push_str(text);
            Ok(())
        }
    }

    let mut name = Name(String::new());
    write!(name, "{node:?}").expect_err("fields");
    name.0
}

/// Records the calls of a walk, in order; breaks before the call number `limit`.
#[derive(Default)]
struct Calls {
    entered: Vec<String>,
    left: Vec<String>,
    selects: usize,
    slots: usize,
    limit: Option<usize>,
}

impl Calls {
    fn enter(&mut self, node: NodeRef<'_>) -> ControlFlow<usize> {
        if self.limit == Some(self.entered.len()) {
            return ControlFlow::Break(self.entered.len());
        }
        self.entered.push(name(node));
        ControlFlow::Continue(())
    }

    fn leave(&mut self, node: NodeRef<'_>) -> ControlFlow<usize> {
        self.left.push(name(node));
        ControlFlow::Continue(())
    }
}

impl<'a> Visit<'a> for Calls {
    type Break = usize;

    fn enter(&mut self, node: NodeRef<'a>) -> ControlFlow<usize> {
        self.enter(node)
    }

    fn leave(&mut self, node: NodeRef<'a>) -> ControlFlow<usize> {
        self.leave(node)
    }

    fn visit_select_stmt(&mut self, node: &'a SelectStmt) -> ControlFlow<usize> {
        self.selects += 1;
        Visit::visit_children(self, node.into())
    }
}

impl VisitMut for Calls {
    type Break = usize;

    fn enter(&mut self, node: NodeMut<'_>) -> ControlFlow<usize> {
        self.enter(node.to_ref())
    }

    fn leave(&mut self, node: NodeMut<'_>) -> ControlFlow<usize> {
        self.leave(node.to_ref())
    }

    fn visit_node(&mut self, slot: &mut Node) -> ControlFlow<usize> {
        self.slots += usize::from(slot.node.is_some());
        self.visit_slot(slot)
    }

    fn visit_select_stmt(&mut self, node: &mut SelectStmt) -> ControlFlow<usize> {
        self.selects += 1;
        VisitMut::visit_children(self, node.into())
    }
}

/// Returns the types of a tree's nodes in the order of each walk: all must be equal.
fn all_walks(tree: &mut pg::ParseResult) -> (Vec<String>, usize) {
    let nodes: Vec<_> =
        tree.nodes().with_depth().map(|(node, depth)| (name(node), depth)).collect();
    let names: Vec<_> = nodes.iter().map(|(name, _)| name.clone()).collect();

    let mut shared = Calls::default();
    assert!(tree.visit(&mut shared).is_continue());
    let mut exclusive = Calls::default();
    let before = tree.clone();
    assert!(tree.visit_mut(&mut exclusive).is_continue());
    let mut walked = Vec::new();
    let end = tree.walk_mut(|node| {
        walked.push(name(node.to_ref()));
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_continue());
    assert!(*tree == before, "a walk that changes nothing changes nothing");
    assert_eq!(shared.entered, names);
    assert_eq!(exclusive.entered, names);
    assert_eq!(walked, names);

    // A walk leaves a node if the next one is not below it.
    let mut left = Vec::new();
    let mut open: Vec<&(String, usize)> = Vec::new();
    for node in &nodes {
        while let Some(last) = open.pop_if(|last| last.1 >= node.1) {
            left.push(last.0.clone());
        }
        open.push(node);
    }
    left.extend(open.into_iter().rev().map(|last| last.0.clone()));
    assert_eq!(shared.left, left);
    assert_eq!(exclusive.left, left);

    let selects = names.iter().filter(|name| *name == "SelectStmt").count();
    assert_eq!((shared.selects, exclusive.selects), (selects, selects));
    (names, exclusive.slots)
}

/// Returns a tree with one node as its statement.
fn tree_of(message: &DynamicMessage) -> pg::ParseResult {
    let stmt = Some(Box::new(Node { node: Some(typed(message)) }));
    let stmts = vec![protobuf::RawStmt { stmt, stmt_location: 0, stmt_len: 0 }];
    let mut tree = pg::ParseResult::default();
    tree.protobuf.stmts = stmts;
    tree
}

#[test]
fn all_walks_agree() {
    let mut trees: Vec<_> = trees().chain(filled(2).map(|message| tree_of(&message))).collect();
    assert!(trees.len() > 3_000, "{}", trees.len());
    let mut seen = BTreeSet::new();
    for tree in &mut trees {
        let (names, slots) = all_walks(tree);
        let mut transformed = 0;
        let mut same = tree.clone();
        same.transform(|node| {
            transformed += 1;
            assert!(node.node.is_some());
            node
        });
        assert!(same == *tree);
        assert_eq!(transformed, slots);
        seen.extend(names);
    }
    assert_eq!(seen.len(), schema::node_types().len());
}

/// Returns the places that can hold any node, and do: bottom up, in the order of `transform`.
fn slots(message: &DynamicMessage, into: &mut Vec<NodeEnum>) {
    for (field, child) in children(message) {
        slots(&child, into);
        if matches!(field.kind(), Kind::Message(kind) if kind.name() == "Node") {
            into.push(typed(&child));
        }
    }
}

#[test]
fn transform_goes_from_the_bottom_up() {
    for message in filled(2) {
        let mut expected = Vec::new();
        slots(&message, &mut expected);
        expected.push(typed(&message));
        let node = Node { node: Some(typed(&message)) };
        let mut given = Vec::new();
        let mut same = node.clone();
        same.transform(|node| {
            given.extend(node.node.clone());
            node
        });
        assert!(same == node);
        assert!(given == expected, "{}", message.descriptor().name());
    }
}

#[test]
fn transform_replaces() {
    let one = |node: Node| match node.node {
        Some(NodeEnum::Integer(_)) => Node::from(Integer { ival: 1 }),
        Some(NodeEnum::List(_)) => Node::default(),
        node => Node { node },
    };
    for message in filled(2) {
        let mut node = Node { node: Some(typed(&message)) };
        node.transform(one);
        for child in node.nodes() {
            match child {
                NodeRef::Integer(integer) => assert_eq!(integer.ival, 1),
                NodeRef::List(_) => panic!("{}", message.descriptor().name()),
                _ => {}
            }
        }
    }
    let mut nothing = Node::default();
    nothing.transform(|_| panic!("there is no node"));
    assert_eq!(nothing, Node::default());
}

/// A node's index leads back to the node, in owned trees and in views, and to the same one in both.
#[test]
fn nodes_have_indexes() {
    for tree in trees() {
        let view = tree.to_view().expect("a view");
        let (nodes, in_view): (Vec<_>, Vec<_>) = (tree.nodes().collect(), view.nodes().collect());
        assert_eq!(nodes.len(), in_view.len());
        // The time of a look-up depends on the index.
        for index in (0..nodes.len()).step_by(1 + nodes.len() / 50) {
            let (node, viewed) = (nodes[index], in_view[index]);
            assert_eq!(node.name(), viewed.name());
            assert_eq!(tree.node_at(index), Some(node));
            assert_eq!(tree.node_index(node), Some(index));
            assert_eq!((view.node_at(index), view.node_index(viewed)), (Some(viewed), Some(index)));
        }
        assert_eq!((tree.node_at(nodes.len()), view.node_at(nodes.len())), (None, None));
        let copy = tree.clone();
        assert_eq!(tree.node_index(copy.nodes().next().expect("a statement")), None);
    }
}

#[test]
fn walks_end_where_they_break() {
    let sql = "SELECT DISTINCT a, ARRAY[1, 2] FROM t JOIN (SELECT 1 UNION SELECT 2) u ON true; \
               INSERT INTO t SELECT 1";
    let mut tree = pg::parse(sql).expect("parses");
    let count = tree.nodes().count();
    assert!(count > 20, "{count}");
    for limit in 0..=count {
        let expected =
            if limit < count { ControlFlow::Break(limit) } else { ControlFlow::Continue(()) };
        let calls = || Calls { limit: Some(limit), ..Calls::default() };

        let mut shared = calls();
        assert_eq!(tree.visit(&mut shared), expected);
        let mut exclusive = calls();
        assert_eq!(tree.visit_mut(&mut exclusive), expected);
        let mut walked = calls();
        assert_eq!(tree.walk_mut(|node| walked.enter(node.to_ref())), expected);
        for calls in [shared, exclusive, walked] {
            assert_eq!(calls.entered.len(), limit);
            assert!(calls.left.len() <= limit);
        }
    }
}

#[test]
fn a_walk_sees_the_children_that_it_made() {
    let mut tree = pg::parse("SELECT a FROM t").expect("parses");
    let mut columns = 0;
    let end = tree.walk_mut(|node| {
        match node {
            NodeMut::SelectStmt(select) => {
                let again = select.target_list.clone();
                select.target_list.extend(again);
            }
            NodeMut::ColumnRef(_) => columns += 1,
            _ => {}
        }
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_continue());
    assert_eq!(columns, 2);
    assert_eq!(pg::deparse(&tree).as_deref(), Ok("SELECT a, a FROM t"));
}

#[test]
fn what_is_not_visited_is_left_out() {
    /// Skips subselects.
    struct Outer(usize);

    impl Visit<'_> for Outer {
        type Break = ();

        fn enter(&mut self, node: NodeRef<'_>) -> ControlFlow<()> {
            self.0 += usize::from(matches!(node, NodeRef::ColumnRef(_)));
            ControlFlow::Continue(())
        }

        fn visit_sub_link(&mut self, _: &protobuf::SubLink) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    let tree = pg::parse("SELECT a, (SELECT b) FROM t WHERE c IN (SELECT d)").expect("parses");
    let mut outer = Outer(0);
    // A visitor can be a trait object.
    let visitor: &mut dyn Visit<'_, Break = ()> = &mut outer;
    assert!(tree.visit(visitor).is_continue());
    assert_eq!(outer.0, 1);
}

#[test]
fn borrowed_nodes_print_and_copy() {
    for sql in corpus::own_statements() {
        let Ok(tree) = pg::parse(&sql) else { continue };
        for stmt in &tree.protobuf.stmts {
            let stmt = stmt.stmt.as_deref().expect("a statement");
            let node = stmt.to_ref().expect("a statement");
            assert_eq!(Some(node.to_enum()), stmt.node);
            assert_eq!(node.deparse(), pg::deparse_stmt(stmt, pg_ast::DeparseOptions::default()));
        }
    }
    let tree = pg::parse("SELECT a FROM t").expect("parses");
    let no_statement = tree.nodes().find(|node| matches!(node, NodeRef::ResTarget(_)));
    let error = no_statement.expect("a column").deparse().expect_err("no statement");
    assert_eq!(error.kind(), pg_ast::ErrorKind::Deparse);
}

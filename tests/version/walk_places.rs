//! The places of walks, and the nodes that they skip.

use super::pg::{self, Node, NodeMut, NodeRef, view};
use super::walk::trees;
/// A node's name, and the names of its ancestors.
type Place = (&'static str, Vec<&'static str>);

/// Returns the places of the nodes in a walk over the owned tree, one over a view,
/// and a mutable one. They skip the nodes below those with a name in `skipped`.
fn places(tree: &mut pg::ParseResult, skipped: fn(&str) -> bool) -> [Vec<Place>; 3] {
    let mut places = [const { Vec::new() }; 3];
    let mut nodes = tree.nodes();
    // There is no last node yet whose children it could skip.
    nodes.skip_children();
    assert!(nodes.ancestors().is_empty());
    while let Some(node) = nodes.next() {
        let above = nodes.ancestors().iter().map(|node| node.name()).collect();
        places[0].push((node.name(), above));
        if skipped(node.name()) {
            nodes.skip_children();
        }
    }
    let of_view = tree.with_view(|stmts| {
        for stmt in stmts {
            let mut nodes = view::Node::from(*stmt).nodes();
            while let Some(node) = nodes.next() {
                let above = nodes.ancestors().iter().map(|node| node.name()).collect();
                places[1].push((node.name(), above));
                if skipped(node.name()) {
                    nodes.skip_children();
                }
            }
        }
    });
    of_view.expect("a C tree");
    let mut nodes = tree.nodes_mut();
    nodes.skip_children();
    while let Some(node) = nodes.next() {
        let name = node.to_ref().name();
        places[2].push((name, nodes.ancestors().to_vec()));
        if skipped(name) {
            nodes.skip_children();
        }
    }
    assert!(nodes.next().is_none());
    places
}

#[test]
fn walks_know_where_they_are_and_leave_out_what_they_are_told_to() {
    let skipped: fn(&str) -> bool = |name| name.len().is_multiple_of(4);
    let mut left_out = 0;
    for mut tree in trees() {
        let [owned, view, exclusive] = places(&mut tree, |_| false);
        assert!(owned == view && owned == exclusive);
        let depths = tree.nodes().with_depth().map(|(_, depth)| depth);
        assert!(owned.iter().map(|(_, above)| above.len()).eq(depths));

        let all = owned.len();
        let expected: Vec<_> = owned
            .into_iter()
            .filter(|(_, above)| !above.iter().any(|name| skipped(name)))
            .collect();
        left_out += all - expected.len();
        for found in places(&mut tree, skipped) {
            assert_eq!(found, expected);
        }
    }
    assert!(left_out > 1_000, "{left_out}");
}

#[test]
fn nodes_can_be_asked_for_more_or_changed_on_the_way() {
    let mut tree = pg::parse("SELECT a, (SELECT b) FROM t").expect("parses");
    let mut nodes = tree.nodes().with_depth();
    assert!(nodes.any(|(node, depth)| node.as_sub_link().is_some() && depth == 3));
    assert_eq!(nodes.ancestors().last().map(|node| node.name()), Some("ResTarget"));
    nodes.skip_children();
    assert!(nodes.next().is_some_and(|(node, depth)| node.as_range_var().is_some() && depth == 2));

    // The children of a node are those that it has when the next one is requested.
    let mut nodes = tree.nodes_mut();
    while let Some(node) = nodes.next() {
        if let NodeMut::SelectStmt(select) = node {
            select.from_clause.clear();
        }
    }
    assert_eq!(tree.nodes().filter_map(NodeRef::as_range_var).count(), 0);
    let mut stmt = tree.protobuf.stmts.pop().and_then(|stmt| stmt.stmt).expect("a statement");
    assert!(stmt.nodes_mut().next().is_some_and(|node| node.as_select_stmt_mut().is_some()));
    assert!(Node::default().nodes_mut().next().is_none());
}

//! Trees with nodes that the grammar shares, changed in their place.

use pg_ast::HeapSize as _;

use super::edit::{SHARED, assert_same, owned, parse};
use super::pg::protobuf;
use super::pg::view::Node;
use super::pg::view::edit::NodeMut;
use super::pg::{self, NodeEnum, make};

/// What the grammar shares is changed in all its places, whatever kind of tree it is in.
#[test]
fn shared_nodes() {
    for sql in SHARED {
        let mut expected = owned(sql);
        expected.transform(|mut node| {
            match &mut node.node {
                Some(NodeEnum::AConst(_)) => return make::param_ref(1).into(),
                Some(NodeEnum::String(string)) if string.sval.starts_with(char::is_alphabetic) => {
                    string.sval += "_";
                }
                _ => {}
            }
            node
        });
        let expected = expected.to_view().expect("a view");
        let trees = [parse(sql), parse(sql).compact(), owned(sql).to_view().expect("a view")];
        for mut tree in trees {
            for _ in 0..2 {
                // Without a change first.
                let before = tree.clone();
                let mut met = 0;
                tree.edit(|mut stmts, _| {
                    let mut nodes = stmts.nodes_mut();
                    while nodes.next().is_some() {
                        met += 1;
                    }
                });
                assert_eq!(met, before.nodes().count(), "{sql}");
                assert_same(&tree, &before, sql);
            }
            tree.edit(|mut stmts, arena| {
                stmts.transform(|mut node| match node.as_mut() {
                    NodeMut::AConst(_) => arena.own(&make::param_ref(1)).expect("a node").into(),
                    NodeMut::String(mut string)
                        if string.view().sval().starts_with(char::is_alphabetic) =>
                    {
                        let longer = format!("{}_", string.view().sval());
                        string.set_sval(&longer);
                        node
                    }
                    _ => node,
                });
            });
            assert_eq!(tree.encode_to_vec(), expected.encode_to_vec(), "{sql}");
            assert_eq!(tree.deparse(), expected.deparse(), "{sql}");
            assert!(tree.deparse().is_ok(), "{sql}");
        }
    }
}

/// Nested assignments to several columns neither grow nor take long: the source of each level is there once.
#[test]
fn nested_shared_nodes_do_not_grow() {
    let mut sql = "SELECT 1, 2".to_owned();
    for _ in 0..6 {
        sql = format!("WITH w AS (UPDATE t SET (a, b) = ({sql}) RETURNING 1) SELECT x, y FROM w");
    }
    let mut tree = parse(&sql);
    let before = tree.heap_size();
    tree.edit(|mut stmts, arena| {
        stmts.transform(|node| match node.view() {
            Node::AConst(_) => arena.own(&make::param_ref(1)).expect("a node").into(),
            _ => node,
        });
    });
    assert!(tree.heap_size() < 2 * before);
    assert_eq!(
        tree.deparse(),
        Ok(pg::deparse(&owned(
            &sql.replace("SELECT 1, 2", "SELECT $1, $1").replace("RETURNING 1", "RETURNING $1")
        ))
        .expect("SQL"))
    );
}

/// A recursive view that is none any more keeps its columns; and a column without its first one has no source.
#[test]
fn what_is_not_shared_any_more() {
    let mut tree = parse("CREATE RECURSIVE VIEW v (a, b) AS SELECT 1, 2");
    tree.edit(|mut stmts, arena| {
        let other = parse("SELECT 3, 4");
        let mut view =
            stmts.get_mut(0).and_then(NodeMut::into_type::<protobuf::ViewStmt>).expect("a view");
        assert!(view.view().aliases().is_empty());
        view.query_mut().set(arena.copy(other.node().expect("a query")));
    });
    assert_eq!(tree.deparse().as_deref(), Ok("CREATE VIEW v (a, b) AS SELECT 3, 4"));
    tree.edit(|mut stmts, _| {
        let mut nodes = stmts.nodes_mut();
        while nodes.next().is_some() {}
    });
    assert_eq!(tree.deparse().as_deref(), Ok("CREATE VIEW v (a, b) AS SELECT 3, 4"));
}

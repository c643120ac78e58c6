//! Lists of trees that are changed in their place: of nodes, of numbers, and of statements.

use pg_ast::HeapSize as _;

use super::edit::parse;
use super::pg::protobuf;
use super::pg::view::edit::NodeMut;
use super::pg::view::{self, Tree};
use super::pg::{NodeEnum, make};

#[test]
fn lists() {
    let names = |tree: &Tree| tree.deparse().expect("SQL");
    let mut tree = parse("SELECT a, b, c, d");
    let target = |name: &str| protobuf::ResTarget {
        val: Some(Box::new(make::column_ref([name]).into())),
        location: -1,
        ..protobuf::ResTarget::default()
    };
    tree.edit(|mut stmts, arena| {
        let mut select =
            stmts.get_mut(0).and_then(NodeMut::into_type::<protobuf::SelectStmt>).expect("a query");
        let mut targets = select.target_list_mut();
        assert_eq!(targets.len(), 4);
        assert!(
            targets.slot(4).is_none() && targets.remove(4).is_none() && targets.get(4).is_none()
        );
        // b, c, d
        let first = targets.remove(0).expect("a target");
        // b, c, d, a, x, y
        targets.push(first);
        targets.extend(["x", "y"].map(|name| arena.own(&target(name)).expect("a node")));
        // w, b, c, d, a, x, y
        targets.insert(0, arena.own(&target("w")).expect("a node"));
        // w, y, c, d, a, x, b
        targets.swap(1, 6);
        targets.swap(1, 7);
        let rest = targets.split_off(5);
        assert_eq!((rest.view().len(), targets.len()), (2, 5));
        // w, y, c, d, a, x, b, w, y, c, d, a
        targets.append(rest);
        for index in 0..5 {
            let copy = arena.copy(targets.get(index).expect("a target"));
            targets.push(copy);
        }
        let mut index = 0;
        targets.retain(|_| {
            index += 1;
            index % 3 != 0
        });
        for mut slot in targets.iter_mut().skip(6) {
            slot.set(arena.own(&target("z")).expect("a node"));
        }
        assert!(targets.pop().is_some());
    });
    assert_eq!(names(&tree), "SELECT w, y, d, a, b, w, z");
    tree.edit(|mut stmts, arena| {
        let mut select =
            stmts.get_mut(0).and_then(NodeMut::into_type::<protobuf::SelectStmt>).expect("a query");
        while select.target_list_mut().pop().is_some() {}
        assert!(select.view().target_list().is_empty());
        assert!(select.target_list_mut().split_off(0).view().is_empty());
        select.target_list_mut().push(arena.own(&target("again")).expect("a node"));
        let mut all = select.target_list_mut().take();
        all.as_mut().push(arena.own(&target("more")).expect("a node"));
        select.target_list_mut().set(all);
        select.target_list_mut().retain(|_| true);
    });
    assert_eq!(names(&tree), "SELECT again, more");
    tree.edit(|mut stmts, _| {
        let mut select =
            stmts.get_mut(0).and_then(NodeMut::into_type::<protobuf::SelectStmt>).expect("a query");
        select.target_list_mut().retain(|_| false);
    });
    assert_eq!(names(&tree), "SELECT");
    // A row is a list in a list: without items it is an empty cell.
    let mut tree = parse("VALUES (1, 2), (3, 4)");
    tree.edit(|mut stmts, arena| {
        let mut select =
            stmts.get_mut(0).and_then(NodeMut::into_type::<protobuf::SelectStmt>).expect("a query");
        let mut rows = select.values_lists_mut();
        let mut row = rows.get_mut(1).and_then(NodeMut::into_list).expect("a row");
        row.clear();
        assert!(row.is_empty());
        row.push(arena.own(&make::int_const(5)).expect("a node"));
        rows.push(
            arena
                .list(["a", "b"].map(|text| arena.own(&make::string_const(text)).expect("a node"))),
        );
    });
    assert_eq!(names(&tree), "VALUES (1, 2), (5), ('a', 'b')");
}

/// Many items, one after the other: a list grows by doubling.
#[test]
fn a_list_grows() {
    let mut tree = parse("SELECT 1 WHERE a IN (0)");
    let sizes = [1_000_i64, 2_000].map(|count| {
        tree.edit(|mut stmts, arena| {
            let mut select = stmts
                .get_mut(0)
                .and_then(NodeMut::into_type::<protobuf::SelectStmt>)
                .expect("a query");
            let mut place = select.where_clause_mut();
            let mut expr = place
                .get_mut()
                .and_then(NodeMut::into_type::<protobuf::AExpr>)
                .expect("an expression");
            let mut place = expr.rexpr_mut();
            let mut items = place.get_mut().and_then(NodeMut::into_list).expect("a list");
            for number in 0..count {
                items.push(arena.own(&make::int_const(number)).expect("a node"));
            }
        });
        tree.heap_size()
    });
    assert!(sizes[1] < 4 * sizes[0], "{sizes:?}");
    assert_eq!(
        tree.node().map(|node| node.nodes().filter(|node| node.as_a_const().is_some()).count()),
        Some(3_002)
    );
    assert!(tree.compact().heap_size() < tree.heap_size());
}

#[test]
fn statements() {
    let mut tree = parse("SELECT 1; SELECT 2; SELECT 3");
    tree.edit(|mut stmts, arena| {
        assert_eq!((stmts.len(), stmts.iter().len()), (3, 3));
        let second = stmts.remove(1).expect("a statement");
        stmts.push(second);
        assert!(stmts.remove(7).is_none() && stmts.get(7).is_none() && stmts.get_mut(7).is_none());
        stmts.insert(
            0,
            arena.stmt(
                arena
                    .own(&protobuf::NotifyStmt {
                        conditionname: "n".to_owned(),
                        ..Default::default()
                    })
                    .expect("a node"),
            ),
        );
        stmts.retain(|mut stmt| {
            stmt.set_stmt_len(0);
            stmt.view().stmt().is_some_and(|stmt| stmt.name() != "NotifyStmt")
        });
    });
    assert_eq!(tree.deparse().as_deref(), Ok("SELECT 1; SELECT 3; SELECT 2"));
    tree.edit(|mut stmts, _| while stmts.remove(0).is_some() {});
    assert_eq!((tree.stmts().len(), tree.deparse().as_deref()), (0, Ok("")));
    tree.edit(|mut stmts, arena| {
        assert!(stmts.is_empty());
        stmts.push(arena.copy(parse("SELECT 4").stmts().next().expect("a statement")));
    });
    assert_eq!(tree.deparse().as_deref(), Ok("SELECT 4"));
    let mut empty = parse("");
    empty.edit(|mut stmts, arena| {
        stmts.push(arena.copy(parse("SELECT 5").stmts().next().expect("a statement")));
    });
    assert_eq!(empty.deparse().as_deref(), Ok("SELECT 5"));
}

/// A list of numbers is no list of nodes.
#[test]
fn lists_of_numbers() {
    let numbers = |items: &[i32]| protobuf::Node {
        node: Some(NodeEnum::IntList(protobuf::IntList {
            items: items
                .iter()
                .map(|ival| NodeEnum::Integer(protobuf::Integer { ival: *ival }))
                .map(|node| protobuf::Node { node: Some(node) })
                .collect(),
        })),
    };
    let mut tree = Tree::build(|arena| arena.own(&numbers(&[1, 2, 3])).expect("a node"));
    let values = |tree: &Tree| -> Vec<_> {
        tree.nodes().filter_map(|node| Some(node.as_integer()?.ival())).collect()
    };
    assert_eq!(values(&tree), [1, 2, 3]);
    tree.edit(|mut stmts, arena| {
        let mut list = stmts.get_mut(0).and_then(NodeMut::into_list).expect("a list");
        assert!(list.slot(0).is_none() && list.iter_mut().next().is_none());
        let removed = list.remove(1).expect("a number");
        assert_eq!(removed.view().as_integer().map(view::Integer::ival), Some(2));
        list.push(removed);
        list.push(arena.own(&numbers(&[7])).expect("a node"));
    });
    assert_eq!(values(&tree), [1, 3, 2]);
    assert!(tree.deparse().is_err());
}

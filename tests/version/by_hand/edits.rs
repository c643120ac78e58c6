//! Changes of the nodes that are made by hand: in a copy, and where they lie.

use std::thread;

use pg_ast::HeapSize as _;

use super::super::pg;
use super::super::pg::protobuf::ParamRef;
use super::super::pg::view::edit::NodeMut;
use super::super::pg::view::{self, Node};
use super::Memory;

/// A copy is changed, and the tree stays.
#[test]
fn changes() {
    let mut memory = Memory::default();
    let tree = memory.tree();
    let before = format!("{tree:?}");
    let mut copy = tree.clone();
    let (mut tables, mut constants) = (0, 0);
    copy.edit(|mut stmts, arena| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            match slot.get_mut() {
                Some(NodeMut::AConst(_)) => {
                    constants += 1;
                    let parameter = ParamRef { number: constants, location: -1 };
                    slot.set(arena.own(&parameter).expect("a parameter"));
                }
                Some(NodeMut::RangeVar(mut table)) => {
                    tables += 1;
                    let name = format!("{}_new", table.view().relname());
                    table.set_relname(&name);
                }
                _ => {}
            }
        }
    });
    assert!(constants > 10 && tables == 4, "{constants} {tables}");
    assert!(copy.nodes().all(|node| node.as_a_const().is_none()));
    let params = copy.nodes().filter(|node| node.as_param_ref().is_some()).count();
    assert_eq!(params, usize::try_from(constants).expect("few"));
    let names = copy.nodes().filter_map(|node| Some(node.as_range_var()?.relname()));
    let names: Vec<_> = names.collect();
    assert!(names.len() == tables && names.iter().all(|name| name.ends_with("_new")), "{names:?}");
    assert!(!format!("{copy:?}").is_empty());
    assert_eq!(format!("{tree:?}"), before);
}

/// Changes where the nodes lie, and whatever else an edit does with memory.
#[test]
#[allow(clippy::too_many_lines, reason = "one edit after the other, of one tree")]
fn edits() {
    let mut memory = Memory::default();
    let mut tree = memory.tree();
    let expected = tree.to_owned_tree().expect("an owned tree");
    // Nothing is changed; what is shared is taken out and comes back.
    let nodes = tree.nodes().count();
    let met = tree.edit(|mut stmts, _| {
        let (mut nodes, mut met) = (stmts.nodes_mut(), 0);
        while let Some(mut slot) = nodes.next() {
            met += 1;
            let name = slot.get().map_or("", Node::name);
            assert_eq!(slot.get_mut().map(|node| node.view().name()), Some(name));
        }
        met
    });
    // Three numbers are items of lists of numbers.
    assert_eq!(met + 3 * lists_of_numbers(&tree), nodes);
    assert_eq!(tree.to_owned_tree().as_ref(), Ok(&expected));
    // Each node is replaced by a copy, in both orders.
    tree.edit(|mut stmts, arena| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(node) = slot.get().filter(|node| node.as_a_const().is_some()) {
                let copy = arena.copy(node);
                slot.set(copy);
            }
        }
        stmts.transform(|node| arena.copy(node.view()));
    });
    assert_eq!(tree.to_owned_tree().as_ref(), Ok(&expected));
    // Lists in memory of others grow, shrink and are cut; values and nodes are set.
    tree.edit(|mut stmts, arena| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            match slot.get_mut() {
                Some(NodeMut::SelectStmt(mut select)) => {
                    let mut targets = select.target_list_mut();
                    let count = targets.len();
                    let first = targets.remove(0).expect("a target");
                    targets.push(first);
                    targets.insert(1, arena.own(&ParamRef::default()).expect("a node"));
                    let rest = targets.split_off(3);
                    targets.append(rest);
                    targets.swap(0, 1);
                    for index in 0..10 {
                        let copy = arena.copy(targets.get(index).expect("a target"));
                        targets.push(copy);
                    }
                    targets.retain(|slot| {
                        slot.get().is_some_and(|node| node.as_param_ref().is_none())
                    });
                    assert!(targets.len() > count);
                    let last = targets.iter_mut().last().map(|mut slot| slot.take());
                    assert!(last.flatten().is_some());
                    while targets.len() > count {
                        let _ = targets.pop();
                    }
                    select.set_all(true);
                    let mut distinct = select.distinct_clause_mut();
                    let taken = distinct.take();
                    assert!(distinct.is_empty() && taken.view().len() == 1);
                    distinct.push(arena.string("x"));
                    select.limit_count_mut().set(arena.list([arena.string("y")]));
                    select.limit_count_mut().update(|node| arena.list([node]));
                }
                Some(NodeMut::RangeVar(mut table)) => {
                    table.set_relname("new");
                    table.set_relpersistence("t");
                    let alias = table.alias_mut().take().expect("an alias");
                    table.alias_mut().set(alias);
                    let mut alias = table.alias_mut();
                    alias.get_mut().expect("an alias").set_aliasname("");
                }
                Some(NodeMut::AConst(mut constant)) => {
                    if let Some(NodeMut::String(mut text)) = constant.val_mut() {
                        text.set_sval("longer than before");
                    }
                    constant.set_location(9);
                }
                // The last item takes the list along.
                Some(NodeMut::IntList(mut list) | NodeMut::OidList(mut list)) if list.len() > 1 => {
                    let number = list.remove(0).expect("a number");
                    list.push(number);
                    assert!(list.slot(0).is_none());
                }
                Some(NodeMut::CreateForeignTableStmt(mut stmt)) => {
                    stmt.base_stmt_mut().set_if_not_exists(true);
                }
                _ => {}
            }
        }
        let stmt = stmts.remove(0).expect("a statement");
        stmts.push(stmt);
        stmts.walk_tables_mut(|table, _| table.set_schemaname("s"));
    });
    let kept = tree.compact();
    assert_eq!(kept, tree);
    let owned = tree.to_owned_tree();
    // What is new is in the tree; what was there is in its memory.
    let names: Vec<_> =
        tree.nodes().filter_map(|node| Some(node.as_range_var()?.relname())).collect();
    assert!(names.len() == 4 && names.iter().all(|name| *name == "new"), "{names:?}");
    // It goes to another thread.
    thread::scope(|scope| {
        let read = || (tree.nodes().count(), format!("{tree:?}"), tree.fingerprint());
        let other = scope.spawn(read);
        assert_eq!(read(), other.join().expect("no panic"));
    });
    assert!(tree.heap_size() > 0);
    drop(tree);
    drop(memory);
    assert_eq!(kept.to_owned_tree(), owned);
    let piece = kept.nodes().find(|node| node.as_a_expr().is_some()).map(Node::to_tree);
    drop(kept);
    assert_eq!(piece.and_then(|piece| Some(piece.node()?.name())), Some("A_Expr"));
    let built = view::Tree::build(|arena| arena.make::<pg::protobuf::SelectStmt>().into());
    assert_eq!(built.nodes().count(), 2);
}

/// A panic leaves a whole tree.
#[test]
fn a_panic_in_an_edit() {
    let mut memory = Memory::default();
    let mut tree = memory.tree();
    let mut left = 25;
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        tree.edit(|mut stmts, arena| {
            stmts.transform(|node| {
                left -= 1;
                assert!(left > 0, "stop");
                arena.copy(node.view())
            });
        });
    }));
    assert!(result.is_err());
    assert!(tree.compact().nodes().count() > 10);
}

/// The number of lists of numbers with items, counted as what has three of them.
fn lists_of_numbers(tree: &view::Tree) -> usize {
    tree.nodes().filter(|node| matches!(node, Node::OidList(_))).count()
}

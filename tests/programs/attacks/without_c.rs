//! Handles of edits of trees that were made in Rust: what Miri runs.

use std::mem;

use pg_ast::view::edit::{New, Slot};
use pg_ast::{make, protobuf, view};

use super::may_panic;

fn tree() -> view::Tree {
    let sum = make::a_expr("+", make::int_const(1), make::column_ref(["a", "b"]));
    let call = make::func_call(["s", "f"], [make::string_const("x"), make::string_const("")]);
    let targets = [make::res_target(Some("n"), sum), make::res_target(None, call)];
    make::tree(make::select_stmt(targets)).to_view().expect("a view")
}

/// Reads all of a tree.
fn read(tree: &view::Tree) {
    let copy = tree.clone();
    assert!(copy == *tree);
    assert_eq!(copy.encode_to_vec(), tree.encode_to_vec());
    let _ = (tree.compact().nodes().count(), format!("{tree:?}"), tree.to_owned_tree());
}

/// New nodes are swapped, replaced, forgotten, put somewhere and taken out again.
#[test]
fn new_nodes() {
    let mut tree = tree();
    tree.edit(|mut stmts, arena| {
        let mut one = arena.make::<protobuf::ColumnRef>();
        let mut other = arena.make::<protobuf::ColumnRef>();
        one.as_mut().fields_mut().push(arena.string("x"));
        mem::swap(&mut one, &mut other);
        {
            let (mut a, mut b) = (one.as_mut(), other.as_mut());
            mem::swap(&mut a, &mut b);
            a.set_location(5);
            b.fields_mut().push(arena.string("y"));
        }
        mem::forget(arena.make::<protobuf::SelectStmt>());
        drop(mem::replace(&mut other, arena.make()));
        let mut list = arena.list([one, other]);
        mem::forget(list.as_mut());
        let rest = list.as_mut().split_off(1);
        list.as_mut().append(rest);
        let empty = list.as_mut().take();
        list.as_mut().append(empty);
        let mut select = stmts
            .get_mut(0)
            .and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>())
            .expect("one");
        select.group_clause_mut().set(list);
        let taken: Vec<New<'_>> = std::iter::from_fn(|| select.target_list_mut().pop()).collect();
        for (index, node) in taken.into_iter().enumerate() {
            match node.into_type::<protobuf::ResTarget>() {
                Ok(mut target) if index == 0 => {
                    let inner = target.as_mut().val_mut().take();
                    select.target_list_mut().push(target);
                    select.where_clause_mut().set(inner.expect("a value"));
                }
                other => mem::forget(other),
            }
        }
    });
    read(&tree);
}

/// All slots of a list at once, swapped as handles, and swapped as nodes.
#[test]
fn slots_of_a_list() {
    let mut tree = tree();
    tree.edit(|mut stmts, arena| {
        let mut select = stmts
            .get_mut(0)
            .and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>())
            .expect("one");
        let mut targets = select.target_list_mut();
        targets.push(arena.string("s"));
        let mut slots: Vec<Slot<'_, '_>> = targets.iter_mut().collect();
        slots.swap(0, 2);
        let (first, rest) = slots.split_first_mut().expect("slots");
        mem::swap(first, &mut rest[0]);
        let taken = first.take();
        if let Some(taken) = taken {
            let back = rest[1].replace(taken);
            back.into_iter().for_each(|node| first.set(node));
        }
        rest[0].update(|_| arena.string("dropped the old one"));
        // Miri would report the memory of the list itself.
        slots.drain(..).for_each(mem::forget);
        targets.retain(|slot| !slot.is_empty());
        targets.swap(0, usize::MAX.min(1));
        assert!(targets.get(usize::MAX).is_none() && targets.remove(9).is_none());
        let _ = targets.split_off(usize::MAX);
    });
    read(&tree);
}

/// A node of each type is offered to each place of a walk, which takes what fits; and walks continue in what came.
#[test]
fn nodes_in_all_places() {
    let offered = tree();
    let kinds = offered.nodes().count();
    for kind in 0..kinds {
        let mut tree = tree();
        let _ = may_panic(|| {
            tree.edit(|mut stmts, arena| {
                let mut nodes = stmts.nodes_mut();
                let mut met = 0;
                while let Some(mut slot) = nodes.next() {
                    met += 1;
                    if met > 4 {
                        let copy = arena.copy(offered.nodes().nth(kind).expect("a node"));
                        let _ = slot.replace(copy);
                        let _ = slot.take();
                    }
                    assert!(met < 12, "a walk that ends in a panic");
                }
            });
        });
        read(&tree);
        let _ = tree.compact();
    }
}

/// An iterator that lies about its length, and one that panics.
#[test]
fn iterators_that_lie() {
    struct Lies<'t>(Vec<New<'t>>, usize);

    impl<'t> Iterator for Lies<'t> {
        type Item = New<'t>;

        fn next(&mut self) -> Option<New<'t>> {
            assert!(self.0.len() != self.1, "an iterator that panics");
            self.0.pop()
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            (usize::MAX, Some(0))
        }
    }

    for panics in [0, 1, 9] {
        let mut tree = tree();
        let _ = may_panic(|| {
            tree.edit(|mut stmts, arena| {
                let nodes = ["a", "b", "c"].map(|name| arena.string(name).into()).into();
                let list = arena.list(Lies(nodes, panics));
                let mut select = stmts
                    .get_mut(0)
                    .and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>())
                    .expect("one");
                select.target_list_mut().append(list);
            });
        });
        read(&tree);
    }
}

/// A conversion that changes its mind: it is asked for the node when the place is taken already.
#[test]
fn conversions_with_side_effects() {
    struct Late<'a, 't>(Option<New<'t>>, &'a std::cell::Cell<usize>);

    impl<'t> From<Late<'_, 't>> for New<'t> {
        fn from(late: Late<'_, 't>) -> Self {
            late.1.set(late.1.get() + 1);
            late.0.expect("a conversion that panics")
        }
    }

    let calls = std::cell::Cell::new(0);
    let mut tree = tree();
    let _ = may_panic(|| {
        tree.edit(|mut stmts, arena| {
            let mut nodes = stmts.nodes_mut();
            let _ = nodes.next();
            let mut slot = nodes.next().expect("a statement");
            slot.set(Late(Some(arena.make::<protobuf::SelectStmt>().into()), &calls));
            slot.update(|old| Late(Some(old), &calls));
            slot.update(|_| Late(None, &calls));
        });
    });
    assert_eq!(calls.get(), 3);
    read(&tree);
}

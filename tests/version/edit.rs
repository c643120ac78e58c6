//! Trees that are changed in their place, against the same changes of owned trees.

use std::collections::HashSet;
use std::panic::{self, AssertUnwindSafe};
use std::thread;

use pg_ast::{Context, ErrorKind, HeapSize as _};

use super::pg::protobuf::{self, ParamRef};
use super::pg::view::edit::{NodeMut, Slot};
use super::pg::view::{self, Node, Tree};
use super::pg::{self, NodeEnum, ParseResult, make};
use crate::common::corpus;

pub(super) fn parse(sql: &str) -> Tree {
    view::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

pub(super) fn owned(sql: &str) -> ParseResult {
    pg::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// Trees that are the same in every way that there is.
pub(super) fn assert_same(tree: &Tree, expected: &Tree, sql: &str) {
    assert_eq!(tree, expected, "{sql}");
    assert_eq!(tree.encode_to_vec(), expected.encode_to_vec(), "{sql}");
    assert_eq!(tree.fingerprint(), expected.fingerprint(), "{sql}");
    assert_eq!(tree.deparse(), expected.deparse(), "{sql}");
    assert!(tree.nodes().map(Node::name).eq(expected.nodes().map(Node::name)), "{sql}");
}

fn sqls(step: usize) -> impl Iterator<Item = String> {
    let regression = corpus::statements().into_iter().step_by(step);
    regression.chain(corpus::own_statements())
}

/// The walk meets the nodes of a view, each in a place of its own; and what ends without a change has changed nothing.
#[test]
fn a_walk_meets_each_node_once() {
    let mut count = 0;
    for sql in sqls(1) {
        let Ok(mut tree) = view::parse(&sql) else { continue };
        let before = parse(&sql);
        // The numbers in lists of numbers have no place.
        let expected: Vec<_> = before.nodes().map(Node::name).collect();
        let names = tree.edit(|mut stmts, _| {
            let (mut names, mut seen) = (Vec::new(), HashSet::new());
            let mut nodes = stmts.nodes_mut();
            while let Some(mut slot) = nodes.next() {
                let name = slot.get().map_or("", Node::name);
                assert_eq!(slot.get_mut().map(|node| node.view().name()), Some(name), "{sql}");
                assert!(
                    seen.insert((name, slot.get().map(address))),
                    "{name} is in two places: {sql}"
                );
                names.push(name);
            }
            names
        });
        count += names.len();
        assert_eq!(names, expected, "{sql}");
        assert_same(&tree, &before, &sql);
    }
    assert!(count > 200_000, "{count}");
}

/// The address of a node.
fn address(node: Node<'_>) -> *const () {
    #[repr(C)]
    struct Words(u32, *const ());

    assert_eq!(size_of::<Node<'_>>(), size_of::<Words>());
    // SAFETY: a `#[repr(u32)]` enum of pointers is laid out like that.
    let Words(_, address) = unsafe { std::mem::transmute_copy(&node) };
    address
}

/// Each node is replaced by a copy of itself, from the top down and from the bottom up.
#[test]
fn a_copy_changes_nothing() {
    let mut count = 0;
    for sql in sqls(3) {
        let Ok(mut tree) = view::parse(&sql) else { continue };
        let before = parse(&sql);
        count += tree.edit(|mut stmts, arena| {
            let mut count = 0;
            let mut nodes = stmts.nodes_mut();
            while let Some(mut slot) = nodes.next() {
                let copy = slot.get().map(|node| arena.copy(node));
                if !is_part(&slot) {
                    slot.set(copy.expect("a node"));
                    count += 1;
                }
            }
            count
        });
        assert_same(&tree, &before, &sql);
        tree.edit(|mut stmts, arena| stmts.transform(|node| arena.copy(node.view())));
        assert_same(&tree, &before, &sql);
        let compact = tree.compact();
        assert_same(&compact, &before, &sql);
        assert_eq!(compact.heap_size(), before.compact().heap_size(), "{sql}");
    }
    assert!(count > 50_000, "{count}");
}

fn is_part(slot: &Slot<'_, '_>) -> bool {
    matches!(
        slot.get(),
        Some(
            Node::Integer(_)
                | Node::Float(_)
                | Node::Boolean(_)
                | Node::BitString(_)
                | Node::CreateStmt(_)
                | Node::String(_)
        )
    )
}

/// Each node is replaced by what its owned copy is written as.
#[test]
fn an_owned_copy_changes_nothing() {
    let mut count = 0;
    for sql in sqls(20) {
        let Ok(mut tree) = view::parse(&sql) else { continue };
        // An owned tree does not distinguish an empty string from NULL.
        let Ok(expected) = owned(&sql).to_view() else { continue };
        count += tree.edit(|mut stmts, arena| {
            let mut count = 0;
            let mut nodes = stmts.nodes_mut();
            while let Some(mut slot) = nodes.next() {
                if !is_part(&slot) {
                    let node = slot.get().map(|node| node.to_owned_tree().expect("a copy"));
                    slot.set(arena.own(&node.expect("a node")).expect("a node of C"));
                    count += 1;
                }
            }
            count
        });
        assert_eq!(tree.encode_to_vec(), expected.encode_to_vec(), "{sql}");
        assert_eq!(tree.deparse(), expected.deparse(), "{sql}");
    }
    assert!(count > 10_000, "{count}");
}

/// Changes that both kinds of tree have.
#[test]
fn the_changes_are_those_of_an_owned_tree() {
    let mut count = [0; 3];
    for sql in sqls(2) {
        let Ok(mut tree) = pg::parse(&sql) else { continue };
        let mut view = parse(&sql);
        if tree.deparse() != view.deparse() {
            continue;
        }
        let (mut met, mut met_in_place) = (Vec::new(), Vec::new());
        tree.walk_tables_mut(|table, context| {
            met.push((table.relname.clone(), context));
            "z".clone_into(&mut table.schemaname);
        });
        view.edit(|mut stmts, _| {
            stmts.walk_tables_mut(|table, context| {
                met_in_place.push((table.view().relname().to_owned(), context));
                table.set_schemaname("z");
            });
        });
        assert_eq!(met, met_in_place, "{sql}");
        count[0] += met.len();

        let mut number = 0;
        let mut parameter = || {
            number += 1;
            ParamRef { number, location: -1 }
        };
        tree.transform(|node| match node.node {
            Some(NodeEnum::AConst(_)) => parameter().into(),
            _ => node,
        });
        let last = number;
        number = 0;
        let mut parameter = || {
            number += 1;
            ParamRef { number, location: -1 }
        };
        view.edit(|mut stmts, arena| {
            stmts.transform(|node| match node.view() {
                Node::AConst(_) => arena.own(&parameter()).expect("a parameter").into(),
                _ => node,
            });
        });
        assert_eq!(number, last, "{sql}");
        count[1] += usize::try_from(number).expect("few");
        let expected = tree.to_view().expect("a view");
        assert_eq!(view.encode_to_vec(), expected.encode_to_vec(), "{sql}");
        match (view.deparse(), tree.deparse()) {
            (Ok(sql), Ok(expected)) => {
                count[2] += 1;
                assert_eq!(sql, expected);
            }
            (Err(error), Err(expected)) => assert_eq!(error.kind(), expected.kind(), "{sql}"),
            (sql, expected) => panic!("{sql:?}, {expected:?}"),
        }
        // A tree that has been changed can be changed again.
        view.edit(|mut stmts, _| {
            stmts.walk_tables_mut(|table, _| table.set_schemaname(""));
        });
        tree.walk_tables_mut(|table, _| table.schemaname.clear());
        assert_eq!(view.encode_to_vec(), tree.to_view().expect("a view").encode_to_vec(), "{sql}");
    }
    assert!(count[0] > 4_000 && count[1] > 5_000 && count[2] > 5_000, "{count:?}");
}

pub(super) const SHARED: [&str; 9] = [
    "UPDATE t SET (a, b) = (SELECT x + 1, y FROM u WHERE z = 2), c = 3",
    "UPDATE t SET (a, b, c) = ROW(1, 2, 3), (d, e) = (SELECT f, 4 FROM v)",
    "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET (a, b) = (SELECT x, 2 FROM u)",
    "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET (b, c) = (SELECT 1, 2)",
    "DROP FUNCTION f(int, text), s.g(IN a numeric(5), OUT b int)",
    "COMMENT ON AGGREGATE a(int ORDER BY text) IS 'x'",
    "CREATE RECURSIVE VIEW v (a, b) AS SELECT 1, 2",
    "CREATE FUNCTION f(a int) RETURNS TABLE (b s.t(3)[]) AS $$x$$ LANGUAGE sql",
    "CREATE FUNCTION f() RETURNS TABLE (a int, b s.t) RETURN 1",
];

#[test]
fn values_that_c_cannot_hold() {
    let changed = |change: fn(&mut view::edit::RangeVarMut<'_, '_>)| {
        let mut tree = parse("SELECT * FROM t");
        tree.edit(|mut stmts, _| stmts.walk_tables_mut(|table, _| change(table)));
        tree
    };
    let tree = changed(|table| table.set_relname("a\0b"));
    let error = tree.deparse().expect_err("a NUL");
    assert_eq!(error.kind(), ErrorKind::Nul);
    assert_eq!(tree.to_owned_tree().expect_err("a NUL"), error);
    assert_eq!(tree.clone().deparse().expect_err("a NUL"), error);
    assert_eq!(tree.tables()[0].name, "a\u{FFFD}b");
    let tree = changed(|table| table.set_relpersistence("permanent"));
    assert_eq!(tree.deparse().expect_err("a long text").kind(), ErrorKind::Deparse);
    let tree = changed(|table| table.set_relpersistence("\u{e9}"));
    assert!(tree.deparse().is_err());
    assert!(changed(|table| table.set_relpersistence("t")).deparse().is_ok());

    // A node of another type is refused.
    let mut tree = parse("INSERT INTO t VALUES (1)");
    tree.edit(|mut stmts, arena| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(Node::RangeVar(_)) = slot.get() {
                slot.set(arena.string("t"));
                assert!(matches!(slot.get(), Some(Node::RangeVar(_))));
            }
        }
    });
    let error = tree.deparse().expect_err("another type");
    assert!(error.message().contains("type"), "{error}");
    for name in ["RawStmt", "Integer"] {
        let mut tree = parse("INSERT INTO t VALUES (1)");
        tree.edit(|mut stmts, arena| {
            let mut nodes = stmts.nodes_mut();
            while let Some(mut slot) = nodes.next() {
                if slot.get().map(Node::name) == Some(name) {
                    assert!(slot.take().is_none());
                    slot.set(arena.string("t"));
                    slot.update(|_| arena.string("t"));
                }
            }
        });
        assert!(tree.deparse().is_err());
        assert_eq!(tree.nodes().filter(|node| node.name() == name).count(), 1);
    }
    // What an owned tree is not printed without.
    let mut tree = parse("SELECT f(1)");
    tree.edit(|mut stmts, _| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(NodeMut::FuncCall(mut call)) = slot.get_mut() {
                call.funcname_mut().clear();
            }
        }
    });
    let mut expected = owned("SELECT f(1)");
    expected.transform(|mut node| {
        if let Some(NodeEnum::FuncCall(call)) = &mut node.node {
            call.funcname.clear();
        }
        node
    });
    assert_eq!(tree.deparse(), expected.deparse());
    assert!(tree.deparse().is_err() && tree.clone().deparse().is_err());
    // Numbers that do not fit, and lists of numbers.
    let refused = protobuf::Node::from(protobuf::String { sval: "\0".to_owned() });
    let mut tree = parse("SELECT 1");
    let result = tree.edit(|_, arena| arena.own(&refused).map(drop));
    assert_eq!(result.expect_err("a NUL").kind(), ErrorKind::Nul);
    assert!(tree.deparse().is_ok());
}

/// What a panic leaves is a tree, with the changes before it.
#[test]
fn a_panic_in_an_edit() {
    for sql in SHARED.into_iter().chain(["SELECT a, b, c, d FROM t"]) {
        let count = parse(sql).nodes().count();
        for stop in 0..count {
            let mut tree = parse(sql);
            let (mut met, limits) = (0, tree.nodes().count());
            let result = panic::catch_unwind(AssertUnwindSafe(|| {
                tree.edit(|mut stmts, arena| {
                    stmts.transform(|node| {
                        assert!(met < stop, "stop");
                        met += 1;
                        arena.copy(node.view())
                    });
                });
            }));
            let _ = (result, limits);
            // The node that was taken out is lost; the others are there.
            assert!(tree.nodes().count() <= count);
            let _ = (tree.deparse(), tree.encode_to_vec(), tree.clone(), tree.fingerprint());
        }
    }
    let mut tree = parse("SELECT a, b, c, d");
    let result = panic::catch_unwind(AssertUnwindSafe(|| {
        tree.edit(|mut stmts, _| {
            let mut select = stmts
                .get_mut(0)
                .and_then(NodeMut::into_type::<protobuf::SelectStmt>)
                .expect("a query");
            let mut index = 0;
            select.target_list_mut().retain(|_| {
                index += 1;
                assert!(index < 3, "stop");
                index == 2
            });
        });
    }));
    assert!(result.is_err());
    assert_eq!(tree.deparse().as_deref(), Ok("SELECT b, c, d"));
}

#[test]
fn deep_trees() {
    let sql = format!("SELECT a{}", " + 1".repeat(20_000));
    let run = move || {
        let mut tree = parse(&sql);
        tree.edit(|mut stmts, arena| {
            stmts.transform(|node| match node.view() {
                Node::AConst(_) => arena.own(&make::param_ref(1)).expect("a node").into(),
                _ => node,
            });
            let mut nodes = stmts.nodes_mut();
            let mut count = 0;
            while let Some(mut slot) = nodes.next() {
                count += 1;
                if let Some(Node::ColumnRef(_)) = slot.get() {
                    slot.set(arena.own(&make::bool_const(true)).expect("a node"));
                }
            }
            assert!(count > 60_000, "{count}");
            let all = stmts.get(0).map(|stmt| arena.copy(stmt));
            stmts.push(all.expect("a statement"));
        });
        assert_eq!(tree.nodes().filter(|node| node.as_param_ref().is_some()).count(), 40_000);
        assert_eq!(tree.compact().nodes().count(), tree.nodes().count());
    };
    thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no panic");
}

/// A changed tree is a tree: it goes to other threads, and is kept.
#[test]
fn a_changed_tree_can_be_sent() {
    let mut tree = parse("SELECT a FROM t");
    tree.edit(|mut stmts, _| stmts.walk_tables_mut(|table, _| table.set_relname("u")));
    let (size, kept) = (tree.heap_size(), tree.compact());
    assert!(kept.heap_size() < size);
    thread::scope(|scope| {
        let read = || (tree.deparse(), tree.fingerprint(), tree.tables());
        let other = scope.spawn(read);
        assert_eq!(read(), other.join().expect("no panic"));
    });
    let text = thread::spawn(move || {
        tree.edit(|mut stmts, _| stmts.walk_tables_mut(|table, _| table.set_schemaname("s")));
        tree.deparse()
    });
    assert_eq!(text.join().expect("no panic").as_deref(), Ok("SELECT a FROM s.u"));
    assert_eq!(kept.deparse().as_deref(), Ok("SELECT a FROM u"));
}

/// Ranges belong to the text that was parsed; locations and warnings stay.
#[test]
fn ranges_are_dropped() {
    let sql = "SELECT a FROM t";
    let mut tree = view::parse_with_ranges(sql, pg_ast::ParserOptions::default()).expect("a tree");
    let range = |tree: &Tree| tree.nodes().find_map(|node| tree.range(node));
    assert!(range(&tree).is_some());
    tree.edit(|mut stmts, _| {
        stmts.walk_tables_mut(|_, context| assert_eq!(context, Context::Select));
    });
    assert!(range(&tree).is_none());
    assert_eq!(tree, parse(sql));
}

/// Every node can be kept alone.
#[test]
fn a_piece_can_be_kept() {
    for sql in sqls(50) {
        let Ok(tree) = view::parse(&sql) else { continue };
        for node in tree.nodes() {
            let piece = node.to_tree();
            if let Node::RawStmt(_) = node {
                assert_eq!(piece.stmts().next().map(Node::from), Some(node), "{sql}");
            } else if node != Node::Null {
                assert_eq!(piece.node(), Some(node), "{sql}");
                assert_eq!(piece.node().map(Node::encode_to_vec), Some(node.encode_to_vec()));
            }
        }
    }
    assert!(Node::Null.to_tree().node().is_none());
}

/// The parts of nodes that are no pointers.
#[test]
fn parts_of_nodes() {
    let mut tree = parse("SELECT 1, 'a', 1.5, true, B'1'");
    tree.edit(|mut stmts, _| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            let Some(NodeMut::AConst(mut constant)) = slot.get_mut() else { continue };
            match constant.val_mut() {
                Some(NodeMut::Integer(mut number)) => number.set_ival(2),
                Some(NodeMut::String(mut text)) => text.set_sval(""),
                Some(NodeMut::Float(mut number)) => number.set_fval("2.5"),
                Some(NodeMut::Boolean(mut value)) => value.set_boolval(false),
                Some(NodeMut::BitString(mut bits)) => bits.set_bsval("x1f"),
                _ => unreachable!("all constants have a value"),
            }
        }
    });
    assert_eq!(tree.deparse().as_deref(), Ok("SELECT 2, '', 2.5, false, x'1f'"));
    tree.edit(|mut stmts, _| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(NodeMut::AConst(mut constant)) = slot.get_mut() {
                let value = protobuf::Float { fval: "7.5".to_owned() };
                constant.set_val(Some(protobuf::a_const::Val::Fval(value)));
            }
        }
    });
    assert_eq!(tree.deparse().as_deref(), Ok("SELECT 7.5, 7.5, 7.5, 7.5, 7.5"));
    tree.edit(|mut stmts, _| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(NodeMut::AConst(mut constant)) = slot.get_mut() {
                constant.set_val(None);
                constant.set_isnull(true);
                assert!(constant.val_mut().is_none());
            }
        }
    });
    assert_eq!(tree.deparse().as_deref(), Ok("SELECT NULL, NULL, NULL, NULL, NULL"));

    let mut tree = parse("CREATE FOREIGN TABLE t (a int) SERVER s");
    tree.edit(|mut stmts, _| {
        let mut stmt = stmts
            .get_mut(0)
            .and_then(NodeMut::into_type::<protobuf::CreateForeignTableStmt>)
            .expect("a statement");
        let mut base = stmt.base_stmt_mut();
        assert_eq!(base.view().table_elts().len(), 1);
        base.set_if_not_exists(true);
        let mut table = base.relation_mut();
        table.get_mut().expect("a table").set_relname("u");
    });
    assert_eq!(
        tree.deparse().as_deref(),
        Ok("CREATE FOREIGN TABLE IF NOT EXISTS u (a int) SERVER s")
    );
}

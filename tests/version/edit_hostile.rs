//! Edits that try to make something else than a tree: too large, too deep, or with nodes where none belong.

use std::thread;

use pg_ast::HeapSize as _;

use super::pg::protobuf;
use super::pg::view::edit::{AConstMut, Arena, New, NodeMut, SelectStmtMut, StmtsMut};
use super::pg::view::{self, Node, Tree};
use super::pg::{self, make};

fn parse(sql: &str) -> Tree {
    view::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

fn select<'m, 't>(stmts: &'m mut StmtsMut<'_, 't>) -> SelectStmtMut<'m, 't> {
    stmts.get_mut(0).and_then(NodeMut::into_type::<protobuf::SelectStmt>).expect("a query")
}

/// A short statement becomes a long one: no limit is that of the text that it once was.
#[test]
fn a_short_statement_becomes_a_long_one() {
    const ITEMS: i64 = 30_000;
    for sql in ["SELECT 1 WHERE a IN (0)", "UPDATE t SET (a, b) = (SELECT 1, 2) WHERE a IN (0)"] {
        let mut tree = parse(sql);
        tree.edit(|mut stmts, arena| {
            let mut nodes = stmts.nodes_mut();
            while let Some(mut slot) = nodes.next() {
                if let Some(NodeMut::AExpr(mut expr)) = slot.get_mut() {
                    let mut place = expr.rexpr_mut();
                    let mut items = place.get_mut().and_then(NodeMut::into_list).expect("a list");
                    for number in 0..ITEMS {
                        items.push(arena.own(&make::int_const(number)).expect("a node"));
                    }
                    nodes.skip_children();
                }
            }
        });
        for tree in [&tree, &tree.clone()] {
            let text = tree.deparse().expect("SQL");
            let owned = tree.to_owned_tree().expect("a tree");
            assert_eq!(pg::deparse(&owned).as_deref(), Ok(&*text), "{sql}");
            assert_eq!(parse(&text).nodes().count(), tree.nodes().count());
        }
    }
}

/// Nodes that share a source again and again are refused, however much is added: that would be exponential.
#[test]
fn shared_sources_in_each_other() {
    let mut tree = parse("UPDATE t SET (a, b) = (SELECT 1, 2)");
    tree.edit(|mut stmts, arena| {
        for _ in 0..40 {
            let mut nodes = stmts.nodes_mut();
            let mut inner = None;
            while let Some(slot) = nodes.next() {
                if let Some(Node::UpdateStmt(_)) = slot.get() {
                    inner = slot.get().map(|update| arena.copy(update));
                    break;
                }
            }
            let mut slot = stmts
                .get_mut(0)
                .and_then(NodeMut::into_type::<protobuf::UpdateStmt>)
                .expect("an update");
            let mut targets = slot.target_list_mut();
            let mut target = targets
                .get_mut(0)
                .and_then(NodeMut::into_type::<protobuf::ResTarget>)
                .expect("a target");
            let mut place = target.val_mut();
            let mut column = place
                .get_mut()
                .and_then(NodeMut::into_type::<protobuf::MultiAssignRef>)
                .expect("a column");
            let mut query = arena.make::<protobuf::SelectStmt>();
            let mut with = arena.make::<protobuf::WithClause>();
            let mut cte = arena.make::<protobuf::CommonTableExpr>();
            cte.as_mut().set_ctename("w");
            cte.as_mut().ctequery_mut().set(inner.expect("an update"));
            with.as_mut().ctes_mut().push(cte);
            query.as_mut().with_clause_mut().set(with);
            column.source_mut().set(query);
        }
    });
    // What it costs is bounded, whether it is refused or not.
    let _ = (tree.deparse(), tree.fingerprint(), tree.clone().heap_size(), tree.to_owned_tree());
    assert!(tree.to_owned_tree().is_err());
}

/// What a program may do with any tree.
fn all_calls(tree: &Tree) {
    use std::hash::{DefaultHasher, Hash as _};

    let copy = tree.compact();
    assert!(copy == *tree);
    assert_eq!(copy.encode_to_vec().len(), tree.encode_to_vec().len());
    assert_eq!(copy.fingerprint(), tree.fingerprint());
    let _ = (tree.deparse(), tree.to_owned_tree().map(|_| ()), tree.tables(), tree.analyze());
    let mut hasher = DefaultHasher::new();
    tree.stmts().for_each(|stmt| Node::from(stmt).hash(&mut hasher));
    let piece = tree.stmts().next().and_then(view::RawStmt::stmt).map(Node::to_tree);
    let count = tree.stmts().next().map(|stmt| Node::from(stmt).nodes().count());
    assert_eq!(piece.map(|piece| piece.nodes().count()), count);
}

#[test]
fn trees_of_many_levels() {
    const LEVELS: usize = 100_000;
    let around = |kind: usize| {
        Tree::build(|arena| {
            let mut node: New<'_> = arena.string("a").into();
            for _ in 0..LEVELS {
                node = match kind {
                    0 => {
                        let mut not = arena.make::<protobuf::BoolExpr>();
                        not.as_mut().set_boolop(protobuf::BoolExprType::NotExpr);
                        not.as_mut().args_mut().push(node);
                        not.into()
                    }
                    1 => arena.list([node]).into(),
                    _ => {
                        let mut query = arena.make::<protobuf::SelectStmt>();
                        query.as_mut().where_clause_mut().set(node);
                        query.into()
                    }
                };
            }
            node
        })
    };
    let run = move || {
        for kind in 0..3 {
            let mut tree = around(kind);
            all_calls(&tree);
            // A part of it, and the whole in itself.
            tree.edit(|mut stmts, arena| {
                let copy = stmts.get(0).map(|stmt| arena.copy(stmt)).expect("a statement");
                let mut nodes = stmts.nodes_mut();
                let mut count = 0;
                while let Some(mut slot) = nodes.next() {
                    count += 1;
                    if count == LEVELS / 2 {
                        let _ = slot.take();
                    }
                }
                stmts.push(copy);
                stmts.transform(|node| node);
            });
            assert_eq!(tree.stmts().len(), 2);
            let _ = (tree.deparse(), tree.clone().fingerprint(), tree.to_owned_tree().map(|_| ()));
        }
    };
    let thread = thread::Builder::new().stack_size(256 * 1024);
    thread.spawn(run).expect("a thread").join().expect("no panic");
}

/// The parts of nodes are copied as the nodes that they are alone.
#[test]
fn copies_of_parts() {
    let other = parse("CREATE FOREIGN TABLE t (a int) SERVER s; SELECT 1, 'a', 1.5, true, B'1'");
    let tree = Tree::build(|arena| {
        let table =
            other.nodes().find_map(Node::as_create_foreign_table_stmt).expect("a statement");
        arena.copy(table.base_stmt().expect("a part")).into()
    });
    assert_eq!(tree.deparse().as_deref(), Ok("CREATE TABLE t (a int)"));
    all_calls(&tree);
    let constants = || other.nodes().filter_map(Node::as_a_const);
    let values = |arena: &Arena<'_>| {
        let copies: Vec<_> = constants().map(|it| arena.copy(Node::from(it))).collect();
        copies.len()
    };
    let tree = Tree::build(|arena| {
        assert_eq!(values(arena), 5);
        let parts = other.nodes().filter(|node| {
            matches!(
                node,
                Node::Integer(_)
                    | Node::Float(_)
                    | Node::Boolean(_)
                    | Node::BitString(_)
                    | Node::String(_)
            )
        });
        let copies: Vec<_> = parts.map(|part| arena.copy(part)).collect();
        arena.list(copies).into()
    });
    let names: Vec<_> = tree.nodes().map(Node::name).collect();
    assert!(names.ends_with(&["Integer", "String", "Float", "Boolean", "BitString"]), "{names:?}");
    all_calls(&tree);
}

/// A column of an assignment to several is not worth much without the first one; its source is not lost silently.
#[test]
fn one_column_of_several() {
    let other = parse("UPDATE t SET (a, b) = (SELECT 1, 2)");
    let mut tree = parse("UPDATE u SET c = 3");
    tree.edit(|mut stmts, arena| {
        let mut update = stmts
            .get_mut(0)
            .and_then(NodeMut::into_type::<protobuf::UpdateStmt>)
            .expect("an update");
        let mut targets = update.target_list_mut();
        targets.clear();
        for target in other.nodes().filter_map(Node::as_res_target).filter(|it| it.name() == "b") {
            targets.push(arena.copy(target));
        }
    });
    let error = tree.deparse().expect_err("no SQL has the second column alone");
    assert_eq!(error.message(), "deparse: a MultiAssignRef without the others has no SQL");
    all_calls(&tree);
}

fn change_constants(stmts: &mut StmtsMut<'_, '_>, change: impl Fn(AConstMut<'_, '_>)) {
    let mut nodes = stmts.nodes_mut();
    while let Some(mut slot) = nodes.next() {
        if let Some(NodeMut::AConst(node)) = slot.get_mut() {
            change(node);
        }
    }
}

/// A node that has no SQL is an error wherever its copies go; so is what could not be put into a tree.
#[test]
fn what_has_no_sql_stays_an_error() {
    let mut lacking = parse("SELECT f(1)");
    let mut with_nul = parse("SELECT a FROM t");
    lacking.edit(|mut stmts, _| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(NodeMut::FuncCall(mut call)) = slot.get_mut() {
                call.funcname_mut().clear();
            }
        }
    });
    with_nul.edit(|mut stmts, _| stmts.walk_tables_mut(|table, _| table.set_relname("a\0b")));
    // The value of a constant is no node of its own.
    let [mut without_value, mut emptied] = [parse("SELECT 1"), parse("SELECT 1.5")];
    without_value.edit(|mut stmts, _| {
        let float = protobuf::Float { fval: String::new() };
        change_constants(&mut stmts, |mut node| {
            node.set_val(Some(protobuf::a_const::Val::Fval(float.clone())));
        });
    });
    emptied.edit(|mut stmts, _| {
        change_constants(&mut stmts, |mut node| match node.val_mut() {
            Some(NodeMut::Float(mut float)) => float.set_fval(""),
            _ => panic!("no number"),
        });
    });
    for tree in [&lacking, &with_nul, &without_value, &emptied] {
        assert!(tree.deparse().is_err() && tree.clone().deparse().is_err());
    }
    let call = || lacking.nodes().find(|node| node.as_func_call().is_some()).expect("a call");
    assert!(call().to_tree().deparse().is_err());
    assert!(lacking.node().expect("a query").to_tree().clone().deparse().is_err());
    assert!(Tree::build(|arena| arena.copy(lacking.node().expect("a query"))).deparse().is_err());
    let mut other = parse("SELECT 1 WHERE b");
    other.edit(|mut stmts, arena| select(&mut stmts).where_clause_mut().set(arena.copy(call())));
    assert!(other.deparse().is_err());
    let owned = lacking.to_owned_tree().expect("a tree");
    assert!(pg::deparse(&owned).is_err());
    assert!(owned.to_view().expect("a view").deparse().is_err());
    // What has SQL has it there as well.
    let whole = parse("SELECT f(1)");
    assert_eq!(whole.node().map(|node| node.to_tree().deparse()), Some(whole.deparse()));
    let owned = whole.to_owned_tree().expect("a tree");
    assert_eq!(owned.to_view().expect("a view").deparse(), whole.deparse());
}

/// Nodes go from place to place; none is lost, and none is in two places.
#[test]
fn nodes_that_move() {
    let mut tree = parse("SELECT a, b, c FROM t WHERE d; SELECT 1");
    let before = tree.nodes().count();
    tree.edit(|mut stmts, arena| {
        for round in 0..100_usize {
            let mut select = select(&mut stmts);
            let mut targets = select.target_list_mut();
            let node = targets.remove(round % 3).expect("a target");
            targets.insert(round % 2, node);
            let rest = targets.split_off(1);
            targets.append(rest);
            targets.swap(0, 2);
            targets.swap(0, 7);
            let all = targets.take();
            assert!(targets.is_empty() && targets.pop().is_none());
            targets.set(all);
            select.where_clause_mut().update(|node| {
                let mut not = arena.make::<protobuf::BoolExpr>();
                not.as_mut().args_mut().push(node);
                not.as_mut().args_mut().pop().expect("the node")
            });
            stmts.transform(|node| node);
        }
    });
    assert_eq!(tree.nodes().count(), before);
    let mut names: Vec<_> =
        tree.nodes().filter_map(|node| Some(node.as_string()?.sval().to_owned())).collect();
    names.sort();
    assert_eq!(names, ["a", "b", "c", "d"]);
    all_calls(&tree);
}

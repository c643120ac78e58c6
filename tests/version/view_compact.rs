//! Compact trees equal their source, in their own memory.

use std::ops::ControlFlow;
use std::thread;

use pg_ast::{DeparseOptions, ErrorKind, HeapSize, ParserOptions};
use prost_reflect::DynamicMessage;

use super::maker::Maker;
use super::pg::protobuf::{ParseResult, RawStmt};
use super::pg::view::{self, Node, Tree};
use super::pg::{self, NodeEnum};
use super::schema;
use crate::common::deep::DEEP;
use crate::common::{corpus, on_thread};

/// A compact copy of a tree that was freed, and whose memory the next tree has taken.
fn compact(sql: &str) -> Option<Tree> {
    let tree = view::parse(sql).ok()?;
    let compact = tree.compact();
    assert_eq!(compact, tree, "{sql}");
    drop(tree);
    let next = view::parse("SELECT 'other memory', 2, 3 FROM x, y, z WHERE a = b AND c IS NULL");
    drop(next.expect("parses"));
    Some(compact)
}

#[test]
fn regression_statements() {
    let options = DeparseOptions::default();
    let (mut count, mut bytes, mut owned_bytes) = (0, 0, 0);
    for sql in corpus::own_statements().into_iter().chain(corpus::statements()) {
        let Some(tree) = compact(&sql) else { continue };
        let owned = pg::parse(&sql).expect("parses");
        assert_eq!(tree.to_owned_tree().expect("an owned tree"), owned, "{sql}");
        assert_eq!(tree.deparse(), pg::reformat(&sql, &options), "{sql}");
        count += 1;
        bytes += tree.heap_size();
        owned_bytes += owned.heap_size();
    }
    println!("{count} statements, {bytes} bytes; as owned trees {owned_bytes}");
    assert!(count > 30_000, "{count}");
    assert!(bytes < owned_bytes);
}

/// The statements of the benches, each as kept in a cache.
#[test]
fn smaller_than_the_owned_tree() {
    for (path, sql) in corpus::benches() {
        for sql in pg::split_with_parser(&sql).expect("parses") {
            let tree = view::parse(sql).expect("parses");
            let sizes = [tree.compact().heap_size(), pg::parse(sql).expect("parses").heap_size()];
            println!("{}: {sizes:?}", path.display());
            assert!(sizes[0] <= sizes[1], "{sizes:?}: {sql}");
            assert!(tree.heap_size() >= 8 << 10);
        }
    }
}

/// Each node type, with all of its fields and with none.
#[test]
fn every_field() {
    let mut maker = Maker::default();
    for message in schema::node_types() {
        for value in [maker.message(&message, 2), DynamicMessage::new(message)] {
            let stmt = Some(Box::new(schema::node(Some(value))));
            let owned =
                ParseResult { stmts: vec![RawStmt { stmt, ..RawStmt::default() }], version: 0 };
            let tree = owned.to_view().expect("a view");
            let (mut nodes, mut copies) = (0, 0);
            owned
                .with_view(|stmts| {
                    let node = Node::from(stmts[0]);
                    assert_eq!(tree.stmts().next().map(Node::from), Some(node), "{node:?}");
                    nodes = node.nodes().count();
                    // A copy of the copy, and one of that.
                    let copy = tree.compact().clone();
                    assert_eq!(copy, tree);
                    assert_eq!(copy.heap_size(), tree.heap_size());
                    copies = copy.nodes().count();
                    let back = copy.to_owned_tree().expect("an owned tree");
                    assert_eq!(Ok(&back), tree.to_owned_tree().as_ref());
                })
                .expect("a view");
            assert_eq!(nodes, copies);
        }
    }
}

#[test]
fn of_owned_trees() {
    let sql = r"SELECT 'a\\b', e FROM t; DELETE FROM u WHERE c = 'd'";
    let options = ParserOptions::default().standard_conforming_strings(false);
    let owned = pg::parse_with(sql, options).expect("parses");
    assert!(!owned.warnings.is_empty());
    let tree = owned.to_view().expect("a view");
    assert_eq!(tree.warnings(), owned.warnings);
    assert_eq!(tree.to_owned_tree().expect("an owned tree"), owned);
    assert_eq!(tree.deparse(), owned.deparse());
    assert_eq!(
        format!("{:?}", tree.stmts().collect::<Vec<_>>()),
        format!("{:?}", owned.protobuf.stmts)
    );

    let mut owned = pg::parse("SELECT a").expect("parses");
    let changed = owned.walk_mut(|mut node| {
        if let pg::NodeMut::String(text) = &mut node {
            text.sval = "a\0b".to_owned();
        }
        ControlFlow::<()>::Continue(())
    });
    assert!(changed.is_continue());
    assert_eq!(owned.to_view().map(drop).expect_err("a NUL").kind(), ErrorKind::Nul);
    let empty = ParseResult::default().to_view().expect("a view");
    assert_eq!((empty.stmts().len(), empty.heap_size()), (0, 0));
}

/// A node that several others point to is copied once: the copy is not larger than its source.
#[test]
fn shared_nodes_are_copied_once() {
    let sql = (0..3).fold("SELECT 1".to_owned(), |inner, _| {
        format!("WITH x AS (UPDATE t SET (a,b,c,d,e,f,g,h,i,j)=({inner}))SELECT 1")
    });
    let options = ParserOptions::default().max_nodes(100_000);
    let tree = view::parse_with(&sql, options).expect("parses").compact();
    let owned = pg::parse_with(&sql, options).expect("parses");
    assert_eq!(tree.to_owned_tree().expect("an owned tree"), owned);
    assert!(tree.heap_size() * 20 < owned.heap_size(), "{}", tree.heap_size());
    let again = tree.compact();
    assert_eq!(again.heap_size(), tree.heap_size());
    assert_eq!(again, tree);
}

#[test]
fn deep_trees() {
    for part in [" + 1", " UNION SELECT 1", "::int"] {
        let sql = format!("SELECT 1{}", part.repeat(DEEP));
        let tree = view::parse(&sql).expect("parses");
        on_thread(256 << 10, || {
            let compact = tree.compact();
            assert!(compact == tree && compact.clone().heap_size() == compact.heap_size());
            assert!(compact.heap_size() < tree.heap_size());
        });
    }
}

/// It is sent to other threads, and outlives the thread that made it.
#[test]
fn other_threads() {
    let sql = "SELECT a, b FROM t JOIN u USING (id) WHERE c = 1";
    let make = move || view::parse(sql).expect("parses").compact();
    let tree = thread::spawn(make).join().expect("a tree");
    // Joined, because ThreadSanitizer does not see that a scope waits.
    thread::scope(|scope| {
        let copy = || assert_eq!(tree.clone().deparse().expect("prints"), sql);
        let threads = [(); 4].map(|()| scope.spawn(copy));
        for thread in threads {
            thread.join().expect("copies");
        }
    });
    let Some(Node::SelectStmt(select)) = tree.stmts().next().and_then(view::RawStmt::stmt) else {
        panic!("no SELECT")
    };
    let owned = select.to_owned_tree().expect("an owned node");
    thread::spawn(move || drop(tree)).join().expect("a drop");
    assert_eq!(NodeEnum::from(owned).deparse().expect("prints"), sql);
}

//! A statement may be as deep as it likes: each step succeeds, or says that it is too deep.

use std::ops::ControlFlow;

use pg_ast::{ErrorKind, HeapSize as _, NodeMut, NodeRef, ParseResult, Visit, VisitMut};
use prost::Message as _;

type Shape = fn(usize) -> String;

/// Statements of a given depth, by the thing that nests.
const SHAPES: &[(&str, Shape)] = &[
    ("parentheses", |n| format!("SELECT {}1{}", "(".repeat(n), ")".repeat(n))),
    ("NOT", |n| format!("SELECT {}true", "NOT ".repeat(n))),
    ("+ 1", |n| format!("SELECT 1{}", " + 1".repeat(n))),
    ("::int", |n| format!("SELECT 1{}", "::int".repeat(n))),
    ("UNION", |n| format!("SELECT 1{}", " UNION SELECT 1".repeat(n))),
    ("subselects", |n| format!("{}SELECT 1{}", "SELECT (".repeat(n), ")".repeat(n))),
    ("FROM subselects", |n| {
        format!("{}SELECT 1{}", "SELECT * FROM (".repeat(n), ") AS t".repeat(n))
    }),
];

/// Every operation on a tree; false if the statement is too deep.
fn survives(sql: &str) -> bool {
    let tree = match pg_ast::parse(sql) {
        Ok(tree) => tree,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::TooDeep, "{error:?}");
            return false;
        }
    };
    let copy = tree.clone();
    assert!(copy == tree);
    let shown = format!("{tree:?}");
    assert!(shown.ends_with("warnings: [] }"), "{}", &shown[shown.len().saturating_sub(80)..]);
    let bytes = tree.protobuf.encode_to_vec();
    assert_eq!(bytes.len(), tree.protobuf.encoded_len());
    let text = pg_ast::deparse(&tree).expect("what can be parsed can be printed");
    // The text has parentheses that the tree has not, so it may be the one that is too deep.
    match pg_ast::parse(&text) {
        Ok(again) => assert_eq!(pg_ast::deparse(&again).as_ref(), Ok(&text)),
        Err(error) => assert_eq!(error.kind(), ErrorKind::TooDeep, "{error:?}"),
    }
    assert_eq!(tree.fingerprint(), pg_ast::fingerprint(sql));
    drop::<ParseResult>(copy);
    true
}

fn on_thread(stack: usize, f: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, f);
        thread.expect("a thread").join().expect("no panic");
    });
}

/// Every shape at every depth; up to `at_least` levels, none may be refused.
fn every_shape(stack: &str, at_least: usize) {
    for (name, sql) in SHAPES {
        for levels in [1, 1_000, 10_000, 100_000] {
            let survived = survives(&sql(levels));
            let outcome = if survived { "ok" } else { "too deep" };
            println!("{stack}: {levels} levels of {name}: {outcome}");
            assert!(survived || levels > at_least, "{levels} levels of {name} on {stack}");
        }
    }
}

/// What the grammar reads without a stack of its own is only bounded by the thread's stack.
fn more_with_more_stack() {
    for (name, sql) in SHAPES.iter().filter(|(name, _)| ["+ 1", "::int", "UNION"].contains(name)) {
        assert!(survives(&sql(100_000)), "100,000 levels of {name} on 128 MiB");
    }
}

/// A tree is cloned, printed and encoded on less stack than it was parsed on; only dropping it needs
/// as much.
fn less_stack_than_the_parser_had() {
    let tree = pg_ast::parse(&format!("SELECT 1{}", " + 1".repeat(20_000))).expect("parses");
    on_thread(256 << 10, || {
        let text = pg_ast::deparse(&tree).expect("prints");
        assert_eq!(text.matches('+').count(), 20_000);
        assert!(!tree.protobuf.encode_to_vec().is_empty());
        assert!(format!("{tree:?}").contains("AExpr"));
        let copy = Box::new(tree.clone());
        assert!(*copy == tree);
        // Dropping it here is what needs the stack.
        std::mem::forget(copy);
    });
}

/// Counts the nodes and the levels of a tree.
#[derive(Default)]
struct Counts {
    nodes: usize,
    level: usize,
    deepest: usize,
}

impl Counts {
    fn enter(&mut self) -> ControlFlow<()> {
        self.nodes += 1;
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        ControlFlow::Continue(())
    }

    fn leave(&mut self) -> ControlFlow<()> {
        self.level -= 1;
        ControlFlow::Continue(())
    }
}

impl<'a> Visit<'a> for Counts {
    type Break = ();

    fn enter(&mut self, _: NodeRef<'a>) -> ControlFlow<()> {
        self.enter()
    }

    fn leave(&mut self, _: NodeRef<'a>) -> ControlFlow<()> {
        self.leave()
    }
}

impl VisitMut for Counts {
    type Break = ();

    fn enter(&mut self, _: NodeMut<'_>) -> ControlFlow<()> {
        self.enter()
    }

    fn leave(&mut self, _: NodeMut<'_>) -> ControlFlow<()> {
        self.leave()
    }
}

/// Every walk over a tree that is too deep to be dropped here.
fn walks_on_less_stack(name: &str, tree: &mut ParseResult, levels: usize) {
    let count = tree.nodes().count();
    let deepest = tree.nodes().map(|(_, depth)| depth + 1).max();
    assert!(count > levels && deepest > Some(levels), "{name}: {count}, {deepest:?}");

    let mut counts = Counts::default();
    assert!(tree.visit(&mut counts).is_continue());
    assert_eq!((counts.nodes, Some(counts.deepest)), (count, deepest), "{name}");
    let mut counts = Counts::default();
    assert!(tree.visit_mut(&mut counts).is_continue());
    assert_eq!((counts.nodes, Some(counts.deepest)), (count, deepest), "{name}");

    let mut walked = 0;
    let end = tree.walk_mut(|_| {
        walked += 1;
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_continue());
    assert_eq!(walked, count, "{name}");

    let size = tree.heap_size();
    assert!(size > levels * size_of::<usize>(), "{name}: {size}");
    let mut given = 0;
    *tree = std::mem::take(tree).transform(|node| {
        given += 1;
        node
    });
    assert!(given > 0 && given < count, "{name}: {given} of {count}");
    assert_eq!(tree.nodes().count(), count, "{name}");
    assert_eq!(tree.heap_size(), size, "{name}");
}

/// What walks a tree takes the stack that it needs from the heap.
fn walks() {
    for (name, sql) in SHAPES.iter().filter(|(name, _)| ["+ 1", "::int", "UNION"].contains(name)) {
        let mut tree = pg_ast::parse(&sql(100_000)).expect("parses");
        on_thread(2 << 20, || walks_on_less_stack(name, &mut tree, 100_000));
        println!("2 MiB: walks over 100,000 levels of {name}: ok");
    }
}

/// Wide is not deep.
fn a_million_elements() {
    let list: Vec<_> = (1..=1_000_000).map(|n| n.to_string()).collect();
    let sql = format!("SELECT * FROM t WHERE id IN ({})", list.join(", "));
    let tree = pg_ast::parse(&sql).expect("parses");
    assert!(pg_ast::deparse(&tree).as_deref() == Ok(&sql));
    assert!(tree.clone() == tree);
    assert!(tree.nodes().count() > 2_000_000);
}

// Without the test harness, which runs everything on threads of its own: the main thread counts.
fn main() {
    every_shape("main thread", 1_000);
    on_thread(2 << 20, || every_shape("2 MiB", 1_000));
    on_thread(128 << 20, more_with_more_stack);
    on_thread(64 << 20, less_stack_than_the_parser_had);
    on_thread(128 << 20, walks);
    a_million_elements();
    on_thread(2 << 20, a_million_elements);
    println!("7 passed, 0 failed");
}

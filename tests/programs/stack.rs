//! Stacks other than the thread's own: those of coroutines, small ones, anywhere in the address space.

use std::ops::ControlFlow;
use std::sync::mpsc;
use std::thread;

use crate::alone::{is_child, run_alone};
use corosensei::stack::{DefaultStack, Stack as _};
use corosensei::{Coroutine, CoroutineResult, on_stack};
use pg_ast::protobuf::{ResTarget, SelectStmt};
use pg_ast::{DeparseOptions, HeapSize as _, Node, NodeMut, NodeRef, ParseResult, Visit};
use prost::Message as _;

/// Too little for a statement of some hundred levels.
const SMALL: usize = 128 << 10;

const LEVELS: usize = 3_000;

fn deep(levels: usize) -> String {
    format!("SELECT {}true, 1{}", "NOT ".repeat(levels), " + 1".repeat(levels))
}

fn address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}

#[derive(Default)]
struct Count(usize);

impl<'a> Visit<'a> for Count {
    type Break = ();

    fn enter(&mut self, _: NodeRef<'a>) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

/// Runs every call on a deep statement, and on the resulting trees.
fn every_verb(levels: usize) -> Vec<ParseResult> {
    let sql = deep(levels);
    let tree = pg_ast::parse(&sql).expect("parses");
    let mut copy = tree.clone();
    assert!(copy == tree);
    assert!(format!("{tree:?}").contains("BoolExpr"));
    let text = tree.deparse().expect("prints");
    assert_eq!(text.matches("NOT").count(), levels);
    let pretty = pg_ast::deparse_with(&tree, DeparseOptions::default().pretty_print(true));
    assert_eq!(pretty.expect("prints").matches('+').count(), levels);
    assert!(pg_ast::normalize(&sql).expect("normalizes").contains("$1"));
    assert_eq!(pg_ast::fingerprint(&sql), Ok(tree.fingerprint()));
    assert_eq!(pg_ast::scan(&sql).expect("scans").tokens.len(), 4 + 3 * levels);
    assert_eq!(pg_ast::split_with_parser(&sql).expect("parses").len(), 1);
    assert!(pg_ast::check(&sql).expect("parses").is_empty());

    let nodes = tree.nodes().count();
    let mut count = Count::default();
    assert!(tree.visit(&mut count).is_continue());
    assert_eq!(count.0, nodes);
    let mut walked = 0;
    let _ = copy.walk_mut(|_: NodeMut<'_>| {
        walked += 1;
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(walked, nodes);
    copy.transform(|node| node);
    assert_eq!(copy.heap_size(), tree.heap_size());
    assert_eq!(tree.analyze().statement_types, ["SelectStmt"]);

    let bytes = copy.protobuf.encode_to_vec();
    assert_eq!(bytes.len(), tree.protobuf.encoded_len());
    vec![tree, copy]
}

fn small_stack() -> DefaultStack {
    DefaultStack::new(SMALL).expect("a stack")
}

/// The stack of a thread between others: larger than that of any other thread
/// here, so it is neither a stack that the C library kept from an earlier
/// thread, nor in one of the gaps in the address space that small stacks fill.
const BETWEEN: usize = 32 << 20;

/// Stacks on both sides of the thread's own: older ones are on one
/// side, and new ones, after the gaps there are full, on the other.
fn around(before: Vec<DefaultStack>) -> [DefaultStack; 2] {
    let own = address();
    let is_below = |stack: &DefaultStack| stack.base().get() < own;
    let mut stacks = before;
    for _ in 0..2_000 {
        stacks.push(small_stack());
        let below = stacks.iter().position(is_below);
        let above = stacks.iter().position(|stack| !is_below(stack));
        if let (Some(below), Some(above)) = (below, above) {
            let (first, second) = (below.max(above), below.min(above));
            return [stacks.remove(first), stacks.remove(second)];
        }
    }
    panic!("all stacks are on one side of the thread's")
}

/// In a process of its own: what other tests free are gaps in the address space, which stacks fill one after the other.
#[test]
fn every_verb_on_stacks_below_and_above_the_threads_own() {
    if !is_child() {
        let output = run_alone("stack::every_verb_on_stacks_below_and_above_the_threads_own");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{output:?}");
        return;
    }
    let before = (0..8).map(|_| small_stack()).collect();
    let thread = thread::Builder::new().stack_size(BETWEEN).spawn(|| {
        for stack in around(before) {
            let kept = on_stack(stack, || every_verb(LEVELS));
            assert!(kept.iter().all(|tree| tree.deparse().is_ok()));
            // The thread's own stack is again known to be in use.
            every_verb(10);
        }
    });
    thread.expect("a thread").join().expect("all verbs");
}

#[test]
fn what_parses_and_drops_in_one_call() {
    for _ in 0..2 {
        on_stack(small_stack(), || {
            let sql = deep(100);
            assert!(pg_ast::reformat(&sql, DeparseOptions::default()).is_ok());
            assert!(pg_ast::summary(&sql, Some(100)).is_ok());
            let script = format!("{sql};\n{sql};");
            assert_eq!(pg_ast::parse_script(&script).len(), 2);
            #[cfg(feature = "serde")]
            {
                let tree = pg_ast::parse(&sql).expect("parses");
                let json = pg_ast::json::to_string(&tree.protobuf).expect("JSON");
                let read = pg_ast::json::from_str::<pg_ast::protobuf::ParseResult>(&json);
                assert!(read.expect("a tree") == tree.protobuf);
            }
            #[cfg(feature = "plpgsql")]
            {
                let blocks = format!("DO $${} NULL; {} $$", "BEGIN ".repeat(8), "END; ".repeat(8));
                pg_ast::parse_plpgsql(&blocks).expect("parses");
            }
        });
    }
}

/// A coroutine in the middle of a transformation, suspended at every hundredth node.
type Transformation = Coroutine<(), (), ParseResult, DefaultStack>;

fn transformation() -> Transformation {
    Coroutine::with_stack(small_stack(), |yielder, ()| {
        let mut tree = pg_ast::parse(&deep(LEVELS)).expect("parses");
        let mut given = 0;
        tree.transform(|node: Node| {
            given += 1;
            if given % 100 == 0 {
                yielder.suspend(());
            }
            node
        });
        tree
    })
}

#[test]
fn coroutines_that_suspend_in_the_middle_of_a_call() {
    let mut coroutines: Vec<_> = (0..4).map(|_| transformation()).collect();
    let mut results = Vec::new();
    let mut rounds = 0;
    while !coroutines.is_empty() {
        // In a different order each time, with calls on this thread's own stack in between.
        let coroutine = rounds % coroutines.len();
        if let CoroutineResult::Return(tree) = coroutines[coroutine].resume(()) {
            results.push(tree);
            drop(coroutines.swap_remove(coroutine));
        }
        rounds += 1;
        assert_eq!(
            pg_ast::parse("SELECT 1").and_then(|tree| tree.deparse()).as_deref(),
            Ok("SELECT 1")
        );
    }
    assert!(rounds > 4 * LEVELS / 100, "{rounds} rounds");
    for tree in &results {
        assert_eq!(tree.deparse().expect("prints").matches("NOT").count(), LEVELS);
    }
}

#[test]
fn a_coroutine_that_is_dropped_in_the_middle_of_a_call() {
    // The remaining coroutine has a tree that needs more than a small stack to drop.
    let shallow = |yielder: &corosensei::Yielder<(), ()>, ()| {
        let mut tree = pg_ast::parse("SELECT a + 1 FROM t WHERE NOT b").expect("parses");
        tree.transform(|node| {
            yielder.suspend(());
            node
        });
        tree
    };
    for _ in 0..10 {
        let stack = small_stack();
        let mut coroutine = Coroutine::with_stack(stack, shallow);
        assert!(matches!(coroutine.resume(()), CoroutineResult::Yield(())));
        drop(coroutine);
        assert!(pg_ast::parse(&deep(10)).is_ok());
    }
}

/// A coroutine that is resumed on another thread.
struct Moved(Transformation);

// SAFETY: its closure only holds a tree and a number. The state that pg_ast
// keeps on the stack may move to another thread: this test checks that.
unsafe impl Send for Moved {}

#[test]
fn a_coroutine_that_is_resumed_by_other_threads() {
    let (to_second, second) = mpsc::channel::<Moved>();
    let (to_first, first) = mpsc::channel::<Moved>();
    let (to_main, main) = mpsc::channel();
    let pass_on = |from: mpsc::Receiver<Moved>, to: mpsc::Sender<Moved>, done: mpsc::Sender<_>| {
        move || {
            while let Ok(mut moved) = from.recv() {
                match moved.0.resume(()) {
                    CoroutineResult::Yield(()) => to.send(moved).expect("the other thread"),
                    CoroutineResult::Return(tree) => {
                        done.send(tree).expect("the main thread");
                        return;
                    }
                }
                // Its own stacks, possibly at the address of an old segment of the other thread.
                on_stack(small_stack(), || {
                    assert!(pg_ast::parse("SELECT 1").is_ok());
                });
                pg_ast::release_memory();
            }
        }
    };
    to_first.send(Moved(transformation())).expect("the channel is open");
    let threads = [
        thread::spawn(pass_on(first, to_second, to_main.clone())),
        thread::spawn(pass_on(second, to_first, to_main)),
    ];
    let tree = main.recv().expect("a tree");
    assert_eq!(tree.deparse().expect("prints").matches("NOT").count(), LEVELS);
    for thread in threads {
        thread.join().expect("no panic");
    }
}

/// A panic of a user's closure crosses our stacks, and the thread continues.
#[test]
fn panics_come_out_of_a_new_stack() {
    let panic = std::panic::catch_unwind(|| {
        on_stack(small_stack(), || {
            let mut tree = pg_ast::parse("SELECT 1").expect("parses");
            tree.transform(|_| std::panic::resume_unwind(Box::new("mine")));
        });
    });
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"mine"));
    assert!(pg_ast::parse(&deep(10)).is_ok());
}

/// C's recursion does not grow its stack: calls that need more are repeated on a large one.
#[test]
fn a_hundred_thousand_levels_from_a_small_thread() {
    const LEVELS: usize = 100_000;
    let sql = format!("SELECT 1{}", " + 1".repeat(LEVELS));
    let mut expr = Node::from(pg_ast::make::int_const(1));
    for _ in 0..LEVELS {
        expr = pg_ast::make::a_expr("+", expr, pg_ast::make::int_const(1)).into();
    }
    let target = ResTarget { val: Some(Box::new(expr)), ..ResTarget::default() };
    let stmt: Node =
        SelectStmt { target_list: vec![target.into()], ..SelectStmt::default() }.into();
    thread::scope(|scope| {
        let small = thread::Builder::new().stack_size(256 << 10);
        let run = || {
            let text = pg_ast::deparse_stmt(&stmt, DeparseOptions::default()).expect("prints");
            assert_eq!(text.matches('+').count(), LEVELS);
            let normalized = pg_ast::normalize(&sql).expect("normalizes");
            assert!(normalized.ends_with(&format!("${}", LEVELS + 1)));
        };
        small.spawn_scoped(scope, run).expect("a thread").join().expect("no panic");
    });
    // This test is not about drops.
    std::mem::forget(stmt);
}

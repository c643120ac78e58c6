//! The memory that a thread keeps between calls does not grow with their number.
//!
//! Measured as the memory of the entire process, which only Linux reports in a file.

use std::sync::Barrier;
use std::thread;

use pg_ast::protobuf::SelectStmt;
use pg_ast::{ErrorKind, HeapSize as _, ParserOptions, Version, view};

use crate::alone::{is_child, run_alone};

/// Returns the resident memory of this process, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    let kilobytes = line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number");
    kilobytes * 1024
}

/// Returns the memory that 100,000 calls leave.
fn left_behind(mut call: impl FnMut()) -> usize {
    (0..1_000).for_each(|_| call());
    let before = resident();
    (0..100_000).for_each(|_| call());
    resident().saturating_sub(before)
}

/// The tolerance for what the allocator keeps.
const NOISE: usize = 16 << 20;

fn truncated_identifier() {
    let sql = format!("SELECT {}", "x".repeat(70));
    let left = left_behind(|| {
        let tree = pg_ast::parse(&sql).expect("parses");
        assert_eq!(tree.warnings.len(), 1);
    });
    assert!(left < NOISE, "truncated identifiers: {left} bytes");
}

fn escape_warning() {
    let options = ParserOptions::default().standard_conforming_strings(false);
    let left = left_behind(|| {
        let tree = pg_ast::parse_with(r"SELECT '\n'", options).expect("parses");
        assert_eq!(tree.warnings.len(), 1);
    });
    assert!(left < NOISE, "escapes: {left} bytes");
}

fn errors() {
    let sql = format!("SELECT {} FROM", "x".repeat(70));
    let left = left_behind(|| {
        assert_eq!(pg_ast::parse(&sql).map_err(|e| e.kind()), Err(ErrorKind::Syntax));
    });
    assert!(left < NOISE, "errors: {left} bytes");
}

#[test]
fn warnings_and_errors_leave_nothing_behind() {
    if !is_alone("memory::warnings_and_errors_leave_nothing_behind") {
        return;
    }
    truncated_identifier();
    escape_warning();
    errors();
}

/// Calls that collect no warnings do not build any.
#[test]
fn warnings_that_nobody_wants_take_no_memory() {
    if !is_alone("memory::warnings_that_nobody_wants_take_no_memory") {
        return;
    }
    let sql = "CREATE GLOBAL TEMP TABLE t (a int);".repeat(20_000);
    // The tree and the SQL are freed before, so that only the warnings are measured.
    assert_eq!(pg_ast::normalize(&sql).as_deref(), Ok(&*sql));
    pg_ast::release_memory();
    let before = resident();
    for _ in 0..5 {
        assert!(pg_ast::normalize(&sql).is_ok());
    }
    pg_ast::release_memory();
    let left = resident().saturating_sub(before);
    assert!(left < NOISE, "{left} bytes");
}

/// Runs a test in a process of its own, in which no other one takes memory. Returns whether this is it.
fn is_alone(test: &str) -> bool {
    if !is_child() {
        let output = run_alone(test);
        let streams = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        assert!(output.status.success(), "{}", streams.concat());
    }
    is_child()
}

/// Returns the addresses that this process has mapped, in bytes.
fn mapped() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("sizes");
    statm.split(' ').next().and_then(|pages| pages.parse::<usize>().ok()).expect("pages") * 4096
}

/// A view holds little more than its nodes, whatever the thread has parsed before.
#[test]
fn small_views_are_small() {
    const VIEWS: usize = 20_000;
    if !is_alone("memory::small_views_are_small") {
        return;
    }
    let sql = "SELECT name, id FROM users WHERE id = $1";
    let large = format!("SELECT 1{}", ", a".repeat(100_000));
    assert!(view::parse(&large).is_ok());
    let before = (resident(), mapped());
    let views: Vec<_> = (0..VIEWS).map(|_| view::parse(sql).expect("parses")).collect();
    let each = (resident().saturating_sub(before.0) / VIEWS, (mapped() - before.1) / VIEWS);
    println!("{each:?}");
    assert!(each.0 <= 9 << 10 && each.1 <= 9 << 10, "{each:?}");
    assert!(views.iter().all(|view| view.heap_size() == 8 << 10));
    // The next statement has what the large one took.
    let medium = view::parse(&format!("SELECT 1{}", ", a".repeat(40))).expect("parses");
    assert!((8 << 10..=56 << 10).contains(&medium.heap_size()), "{}", medium.heap_size());
}

/// What the threads of a pool keep after a large statement each.
#[test]
fn idle_threads_keep_what_the_limits_say() {
    const THREADS: usize = 16;
    if !is_alone("memory::idle_threads_keep_what_the_limits_say") {
        return;
    }
    let large = format!("SELECT 1{}", ", a".repeat(250_000));
    let wrong = format!("{large} FROM FROM");
    let calls: [fn(&str); 7] = [
        |sql| drop(view::parse(sql)),
        |sql| Version::ALL.iter().for_each(|version| drop(version.check(sql))),
        |sql| {
            // On another stack.
            let deep = format!("SELECT {}true", "NOT ".repeat(4_000));
            drop((view::parse(sql), pg_ast::parse(&deep).map(|tree| tree.deparse())));
        },
        |sql| drop(pg_ast::check(sql)),
        |sql| drop(pg_ast::normalize(sql)),
        |sql| drop(pg_ast::fingerprint(sql).map(|_| ())),
        |sql| drop(view::parse(sql).map(|tree| tree.deparse())),
    ];
    for call in calls {
        for sql in [&large, &wrong] {
            // What a call leaves to the allocator is the same for one thread and for many.
            let barrier = Barrier::new(THREADS + 1);
            let before = kept();
            let kept = thread::scope(|scope| {
                for _ in 0..THREADS {
                    scope.spawn(|| {
                        call(sql);
                        call(sql);
                        barrier.wait();
                        barrier.wait();
                    });
                }
                barrier.wait();
                let kept = kept().saturating_sub(before);
                // A failure before this would leave the threads waiting.
                barrier.wait();
                kept
            });
            let each = kept / THREADS;
            println!("{each} bytes for each thread");
            // 2 MiB of C's, whatever the number of versions, 1 MiB of Rust's, of the stack what is kept and what the thread's own one
            // has, and pieces of pages.
            assert!(each < 6_000_000, "{each}");
        }
    }
}

/// Edits of one tree reuse its memory: 100,000 of them leave it as large as a few do.
#[test]
fn a_tree_does_not_grow_by_edits() {
    type Change = fn(view::edit::StmtsMut<'_, '_>, usize);
    let changes: [(&str, Change); 5] = [
        ("SELECT a FROM t WHERE b = 1", |mut stmts, number| {
            stmts.walk_tables_mut(|table, _| table.set_relname(&format!("table_{number}")));
        }),
        ("SELECT a, b FROM t WHERE c = 1", |mut stmts, _| {
            let arena = stmts.arena();
            stmts.transform(|node| arena.copy(node.view()));
        }),
        ("SELECT a FROM t", |mut stmts, _| {
            let arena = stmts.arena();
            let select =
                stmts.get_mut(0).and_then(pg_ast::view::edit::NodeMut::into_type::<SelectStmt>);
            let mut select = select.expect("a SELECT");
            let mut targets = select.target_list_mut();
            let first = arena.copy(targets.get(0).expect("a target"));
            targets.push(first);
            let _ = targets.remove(0);
        }),
        ("UPDATE t SET (a, b) = (SELECT 1, 2); DROP FUNCTION f(int)", |mut stmts, _| {
            stmts.walk_names_mut(|name, _| name.set_name("n"));
        }),
        ("CREATE FUNCTION f() RETURNS TABLE (a int) RETURN 1", |mut stmts, _| {
            stmts.walk_names_mut(|name, _| name.set_name("n"));
        }),
    ];
    for (sql, change) in changes {
        let mut tree = view::parse(sql).expect("parses");
        let (before, mut most) = (tree.heap_size(), 0);
        for number in 0..100_000 {
            tree.edit(|stmts, _| change(stmts, number));
            most = most.max(tree.heap_size());
        }
        println!("{sql}: {before} bytes, {most} at most, {} at the end", tree.heap_size());
        assert!(most <= before + (36 << 10), "{sql}: {most} bytes");
        assert!(tree.deparse().is_ok(), "{sql}");
    }
}

/// Returns the resident memory without what malloc keeps of freed memory, which differs from run to run.
fn kept() -> usize {
    #[cfg(target_env = "gnu")]
    // SAFETY: it may be called at any time.
    unsafe {
        libc::malloc_trim(0);
    }
    resident()
}

/// What owned trees had is the allocator's, which may keep it: none of it is in use.
#[test]
#[cfg(target_env = "gnu")]
fn trees_leave_nothing_in_use() {
    const THREADS: usize = 8;
    if !is_alone("memory::trees_leave_nothing_in_use") {
        return;
    }
    let in_use = || {
        // SAFETY: it may be called at any time.
        let info = unsafe { libc::mallinfo2() };
        info.uordblks + info.hblkhd
    };
    let large = format!("SELECT 1{}", ", a".repeat(250_000));
    let barrier = Barrier::new(THREADS + 1);
    let before = (resident(), in_use());
    let (kept, used) = thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..3 {
                    drop(pg_ast::parse(&large).map(|tree| tree.deparse()));
                }
                barrier.wait();
                barrier.wait();
            });
        }
        barrier.wait();
        let after = (resident(), in_use());
        barrier.wait();
        (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1))
    });
    println!("{} bytes for each thread, {} of them in use", kept / THREADS, used / THREADS);
    assert!(used / THREADS < 2 << 20, "{}", used / THREADS);
}

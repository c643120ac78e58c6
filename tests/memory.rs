//! The memory that a thread keeps between calls does not grow with their number.
//!
//! Measured as the memory of the entire process, which only Linux reports in a file.
#![cfg(target_os = "linux")]

use pg_ast::{ErrorKind, ParserOptions};

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

/// Tests run in parallel, each on its thread: the tolerance for the other ones.
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
    truncated_identifier();
    escape_warning();
    errors();
}

/// Calls that collect no warnings do not build any.
#[test]
fn warnings_that_nobody_wants_take_no_memory() {
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

//! Shared by several tests.
#![allow(dead_code, unreachable_pub)]

pub mod corpus;
pub mod deep;
pub mod list_items;
pub mod mends;
pub mod peak;
pub mod split;

use std::fmt::Debug;
use std::sync::Mutex;

use pg_ast::ParseResult;

/// Held while libpg_query's parser runs, since it redirects the stderr of the entire process.
pub static STDERR: Mutex<()> = Mutex::new(());

/// Parses a statement, checks that it is printed
/// unchanged, and that the output parses to the same tree.
#[track_caller]
pub fn verified(sql: &str) -> ParseResult {
    verified_as(sql, sql)
}

/// Like [`verified`], for SQL that is printed differently.
#[track_caller]
pub fn verified_as(sql: &str, canonical: &str) -> ParseResult {
    let tree = pg_ast::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let text = pg_ast::deparse(&tree).unwrap_or_else(|error| panic!("{sql}: {error}"));
    assert_eq!(text, canonical);
    let again = pg_ast::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(
        without_locations(&again.protobuf),
        without_locations(&tree.protobuf),
        "{sql}\n{text}"
    );
    tree
}

/// Returns a tree in Debug format without locations.
pub fn without_locations(tree: &impl Debug) -> String {
    let shown = format!("{tree:?}");
    let mut rest = shown.as_str();
    let mut kept = String::with_capacity(rest.len());
    // `location: 12`, `stmt_location: 0`, `stmt_len: 7`, ..: a name, a colon, a number.
    while let Some(found) = rest.find(": ") {
        let (name, value) = rest.split_at(found + 2);
        kept.push_str(name);
        let is_location = ["location: ", "stmt_len: ", "list_start: ", "list_end: "]
            .iter()
            .any(|end| name.ends_with(end));
        rest = if is_location {
            value.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit())
        } else {
            value
        };
    }
    kept + rest
}

/// Runs `f` on a thread with a stack of that many bytes.
pub fn on_thread(stack: usize, f: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, f);
        thread.expect("a thread").join().expect("no panic");
    });
}

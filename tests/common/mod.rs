//! Shared by several tests.
#![allow(dead_code, unreachable_pub)]

pub mod bison_tables;
pub mod corpus;
pub mod deep;
pub mod list_items;
pub mod name_places;
pub mod patched;
pub mod peak;
pub mod plpgsql;
pub mod scripts;
pub mod split;

use std::fmt::Debug;
use std::sync::{LazyLock, Mutex};

use memchr::memmem::Finder;
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
    // `stmt_location` is one of the first, too.
    const NAMES: [&str; 4] = ["location: ", "stmt_len: ", "list_start: ", "list_end: "];
    static FINDERS: LazyLock<[Finder<'_>; 4]> = LazyLock::new(|| NAMES.map(Finder::new));
    FINDERS.iter().fold(format!("{tree:?}"), |shown, name| {
        let mut kept = String::with_capacity(shown.len());
        let mut end = 0;
        for found in name.find_iter(shown.as_bytes()) {
            let value = found + name.needle().len();
            kept.push_str(&shown[end..value]);
            let number = shown[value..].bytes();
            end = value + number.take_while(|byte| *byte == b'-' || byte.is_ascii_digit()).count();
        }
        kept + &shown[end..]
    })
}

/// Runs `f` on a thread with a stack of that many bytes.
pub fn on_thread(stack: usize, f: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, f);
        thread.expect("a thread").join().expect("no panic");
    });
}

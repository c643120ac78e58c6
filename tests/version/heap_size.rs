//! Compares the heap size of a tree with the allocator's count.

use pg_ast::{HeapSize, ParserOptions};

use super::maker::Maker;
use super::pg::{self, Node, view};
use super::schema;
use crate::common::corpus;
use crate::common::peak::held;

/// Checks the heap size of a value, and of its copy.
#[track_caller]
fn holds_what_it_says<T: HeapSize + Clone>(value: T, what: &str) -> usize {
    let before = held();
    let copy = value.clone();
    assert_eq!((held() - before).cast_unsigned(), copy.heap_size(), "a copy of {what}");
    let said = value.heap_size();
    let before = held();
    drop(value);
    assert_eq!((before - held()).cast_unsigned(), said, "{what}");
    said
}

#[test]
fn trees_hold_what_they_say() {
    let regression = corpus::statements().into_iter().step_by(5);
    let (mut count, mut bytes) = (0, 0);
    for sql in corpus::own_statements().into_iter().chain(regression) {
        let Ok(tree) = pg::parse(&sql) else { continue };
        let of_tree = tree.protobuf.heap_size();
        assert!(of_tree <= tree.heap_size());
        bytes += holds_what_it_says(tree, &sql);
        count += 1;
    }
    println!("{count} trees, {bytes} bytes");
    assert!(count > 6_000, "{count}");
}

/// A copy of a view is one allocation, plus its list of warnings.
#[test]
fn compact_views_hold_what_they_say() {
    let regression = corpus::statements().into_iter().step_by(5);
    let mut count = 0;
    for sql in corpus::own_statements().into_iter().chain(regression) {
        let Ok(tree) = view::parse(&sql) else { continue };
        let compact = tree.compact();
        assert!(compact.heap_size() < tree.heap_size());
        holds_what_it_says(compact, &sql);
        count += 1;
    }
    assert!(count > 6_000, "{count}");
}

/// The sizes of the parser's memory context: a first block, and more for longer SQL.
#[test]
fn views_say_what_c_holds() {
    let size = |sql: &str| view::parse(sql).expect("parses").heap_size();
    pg_ast::release_memory();
    let small = size("SELECT 1");
    assert_eq!(small, 8 << 10);
    let large = format!("SELECT 1{}", ", 2".repeat(10_000));
    assert!(size(&large) > 1 << 20, "{}", size(&large));
    // One string with its own block.
    let long = format!("SELECT '{}'", "x".repeat(1 << 20));
    pg_ast::release_memory();
    assert!(size(&long) > small + (1 << 20));
}

#[test]
fn files_hold_what_they_say() {
    for (path, sql) in corpus::own() {
        // These statements are those of the newest version.
        let Ok(tree) = pg::parse(&sql) else { continue };
        holds_what_it_says(tree, &path.display().to_string());
    }
}

#[test]
fn warnings_count() {
    let options = ParserOptions::default().standard_conforming_strings(false);
    let tree = pg::parse_with(r"SELECT 'a\nb', 'c\\d'", options).expect("parses");
    assert_eq!(tree.warnings.len(), 2);
    assert!(tree.heap_size() > tree.protobuf.heap_size() + tree.warnings[0].message.len());
    holds_what_it_says(tree, "a tree with warnings");
}

#[test]
fn every_field_counts() {
    let mut maker = Maker { headers: true, ..Maker::default() };
    for message in schema::node_types() {
        let node = schema::node(Some(maker.message(&message, 2)));
        holds_what_it_says(node, message.name());
    }
    assert_eq!(Node::default().heap_size(), 0);
}

#[test]
fn room_to_spare_counts() {
    let mut node = pg::protobuf::List::default();
    node.items.reserve_exact(10);
    assert_eq!(node.heap_size(), 10 * size_of::<Node>());
    let mut table = pg::protobuf::RangeVar::default();
    table.relname.reserve_exact(100);
    assert_eq!(table.heap_size(), 100);
}

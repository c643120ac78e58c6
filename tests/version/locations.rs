//! Trees without locations.

use super::pg::{self, Node};
use crate::common::{corpus, without_locations};

/// All places are unknown, and nothing else has changed.
#[test]
fn all_locations_are_cleared() {
    let mut statements = corpus::own_statements();
    statements.extend(corpus::statements().into_iter().step_by(3));
    let mut count = 0;
    for sql in &statements {
        let Ok(mut tree) = pg::parse(sql) else { continue };
        let before = without_locations(&tree.protobuf);
        tree.clear_locations();
        assert_eq!(without_locations(&tree.protobuf), before, "{sql}");
        let shown = format!("{:?}", tree.protobuf);
        for (name, unknown) in [
            ("location: ", "-1"),
            ("list_start: ", "-1"),
            ("list_end: ", "-1"),
            ("stmt_len: ", "0"),
        ] {
            for (at, _) in shown.match_indices(name) {
                let value = &shown[at + name.len()..];
                // A tablespace has a folder of that name; a constant may contain anything.
                let is_number = value.starts_with(|c: char| c == '-' || c.is_ascii_digit());
                let is_unknown = value.starts_with(&format!("{unknown},"))
                    || value.starts_with(&format!("{unknown} }}"));
                assert!(!is_number || is_unknown, "{sql}: {name}{value:.20}");
            }
        }
        count += 1;
    }
    assert!(count > 3_000, "{count}");
}

/// A layout of a statement is the same statement, in bytes.
#[test]
fn equal_statements_are_equal_without_locations() {
    let bytes = |sql: &str| {
        let mut tree = pg::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        tree.clear_locations();
        tree.encode_to_vec()
    };
    let mut count = 0;
    for sql in corpus::own_statements().iter().filter(|sql| pg::parse(sql).is_ok()) {
        let spaced = format!("  /* a */ {sql} -- b");
        assert_eq!(bytes(sql), bytes(&spaced), "{sql}");
        count += 1;
    }
    assert!(count > 300, "{count}");
    assert_ne!(bytes("SELECT 1"), bytes("SELECT 2"));
    assert_ne!(bytes("SELECT a AS b"), bytes("SELECT a AS c"));
}

#[test]
fn parts_and_deep_trees_have_locations_too() {
    let [mut a, mut b]: [Node; 2] = ["a + 1", "a+1"].map(|sql| pg::parse_expr(sql).unwrap());
    assert_ne!(a, b);
    a.clear_locations();
    b.clear_locations();
    assert_eq!(a, b);
    let sql = format!("SELECT {}1{}", "(".repeat(3_000), ")".repeat(3_000));
    let chain = format!("SELECT 1{}", " + 1".repeat(6_000));
    for sql in [sql, chain] {
        let tree = || pg::parse(&sql).unwrap();
        // On a small stack.
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        std::thread::scope(|scope| {
            let clear = || {
                let mut tree = tree();
                tree.clear_locations();
            };
            thread.spawn_scoped(scope, clear).unwrap().join().unwrap();
        });
    }
}

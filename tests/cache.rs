//! Tests the contents of the cache in the example `cache`.

#[path = "../examples/cache.rs"]
#[allow(dead_code)]
mod cache;

use std::sync::Arc;

use cache::Trees;

#[test]
fn a_tree_is_kept() {
    let trees = Trees::new(1 << 20);
    let first = trees.parse("SELECT 1").unwrap();
    assert!(Arc::ptr_eq(&first, &trees.parse("SELECT 1").unwrap()));
    assert_eq!((trees.hits(), trees.misses()), (1, 1));
    assert!(trees.parse("SELEC").is_err());
    assert!(trees.parse("SELEC").is_err());
}

#[test]
fn memory_is_bounded() {
    const MAX: u64 = 200_000;
    let trees = Trees::new(MAX);
    let mut largest = 0;
    for n in 0..5_000 {
        trees.parse(&format!("SELECT a, b, c FROM t WHERE id IN ({n}, 2, 3)")).unwrap();
        assert!(trees.bytes() <= MAX, "{}", trees.bytes());
        largest = largest.max(trees.bytes());
    }
    assert!(largest > MAX / 2, "{largest}");
    // A tree larger than the whole cache is parsed, but not kept.
    let long = format!("SELECT {}", vec!["1"; 100_000].join(", "));
    assert_eq!(trees.parse(&long).unwrap().stmts().len(), 1);
    assert!(trees.bytes() <= MAX);
}

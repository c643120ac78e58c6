//! The cache of shapes: what it returns, what it keeps, and that nothing can make it return something else.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::thread;

use pg_ast::{HeapSize, ParserOptions, ShapeOptions};

use super::pg::view::{self, Tree};
use super::pg::{self, ShapeCache};
use super::{MAJOR, NAME};
use crate::common::{corpus, on_thread};

/// What a program would keep: here, all that is the same for a shape.
#[derive(Debug, PartialEq)]
struct Facts {
    stmts: usize,
    types: String,
}

impl HeapSize for Facts {
    fn heap_size(&self) -> usize {
        self.types.heap_size()
    }
}

/// The types of casts count, since the grammar makes another type of `float(24)`.
fn facts(tree: &Tree) -> Facts {
    let types = tree
        .nodes()
        .filter_map(view::Node::as_type_name)
        .filter_map(|name| Some(name.names().iter().next_back()?.as_string()?.sval().to_owned()));
    // Of any number of items.
    let types: Vec<_> = types.collect::<BTreeSet<_>>().into_iter().collect();
    Facts { stmts: tree.stmts().len(), types: types.join(" ") }
}

fn cache(bytes: usize) -> ShapeCache<Facts> {
    ShapeCache::new(bytes, ShapeOptions::default())
}

/// Looks SQL up, and compares everything with the parser.
#[track_caller]
fn check(cache: &ShapeCache<Facts>, sql: &str) -> Option<bool> {
    check_with(cache, sql, ParserOptions::default())
}

#[track_caller]
fn check_with(cache: &ShapeCache<Facts>, sql: &str, parser: ParserOptions) -> Option<bool> {
    match (cache.get(sql, facts), view::parse_with(sql, parser)) {
        (Ok(hit), Ok(tree)) => {
            let is_hit = hit.is_hit();
            assert_eq!(*hit.value(), facts(&tree), "{NAME}: {sql}");
            assert_eq!(*hit.tree().expect("a tree"), tree, "{NAME}: {sql}");
            assert_eq!(hit.fingerprint(), Ok(tree.fingerprint()), "{NAME}: {sql}");
            assert_eq!(hit.into_tree().expect("a tree"), tree);
            Some(is_hit)
        }
        (Err(ours), Err(theirs)) => {
            assert_eq!(
                (ours.message(), ours.cursor()),
                (theirs.message(), theirs.cursor()),
                "{sql}"
            );
            None
        }
        (ours, theirs) => panic!("{NAME}: {sql}: {ours:?} {theirs:?}"),
    }
}

#[test]
fn third_statement_of_a_shape_is_not_parsed() {
    let cache = cache(1 << 20);
    let sql = |id: usize| format!("SELECT a FROM t WHERE id IN ({id}, 2{})", ", 3".repeat(id));
    let hits: Vec<_> = (0..5).map(|id| check(&cache, &sql(id))).collect();
    assert_eq!(hits, [Some(false), Some(false), Some(true), Some(true), Some(true)]);
    let stats = cache.stats();
    assert_eq!((stats.hits, stats.misses, stats.entries, stats.evictions), (3, 2, 1, 0));
    assert!(stats.bytes > 500 && stats.bytes < 5_000, "{stats:?}");
    cache.clear();
    assert_eq!(cache.stats().entries, 0);
    assert_eq!(check(&cache, &sql(1)), Some(false));
}

#[test]
fn what_depends_on_constants() {
    let cache = cache(1 << 20);
    // All but the first one are known by their own text.
    for round in 0..4 {
        for sql in ["SELECT a::float(24)", "SELECT a::float(25)", "SELECT a::float(1)"] {
            let is_hit = check(&cache, sql);
            assert!(round < 3 || is_hit == Some(true), "{round}: {sql}");
        }
    }
    for _ in 0..3 {
        for sql in
            ["COMMENT ON TABLE t IS 'a'", "COMMENT ON TABLE t IS 'b'", "COMMENT ON TABLE t IS ''"]
        {
            assert!(check(&cache, sql).is_some());
        }
    }
    if MAJOR >= 15 {
        let sql = "MERGE INTO t USING s ON t.a = s.a WHEN NOT MATCHED THEN INSERT VALUES (1, 2)";
        let hits = [0, 1, 2].map(|_| check(&cache, sql));
        assert_eq!(hits, [Some(false), Some(false), Some(true)]);
        assert_eq!(check(&cache, &format!("{sql}, (3, 4)")), None);
    }
}

#[test]
fn errors_are_not_kept() {
    let cache = cache(1 << 20);
    for sql in
        ["SELECT 'a", "SELECT FROM FROM 1", "SELECT FROM FROM 'a", "SELECT '\0'", "SELECT E'\\xff'"]
    {
        for _ in 0..3 {
            assert_eq!(check(&cache, sql), None);
        }
    }
    let stats = cache.stats();
    assert_eq!((stats.entries, stats.hits, stats.misses), (0, 0, 15));
}

/// With few of them at a time, so that most are evicted and made again.
#[test]
fn all_statements_in_a_small_cache() {
    const MAX: usize = 200_000;
    for options in [ShapeOptions::default(), ShapeOptions::default().ignore_layout(true)] {
        let cache = ShapeCache::new(MAX, options);
        let mut hits = 0;
        let statements: Vec<_> =
            corpus::own_statements().into_iter().chain(corpus::statements()).collect();
        for window in statements.chunks(3).step_by(2) {
            for sql in window.iter().chain(window).chain(window) {
                hits += usize::from(check(&cache, sql) == Some(true));
            }
            assert!(cache.stats().bytes <= MAX as u64, "{:?}", cache.stats());
        }
        let stats = cache.stats();
        println!("{NAME}: {hits} hits, {stats:?}");
        assert!(hits > 20_000 && stats.evictions > 4_000, "{stats:?}");
    }
}

#[test]
fn hostile_statements() {
    const MAX: usize = 500_000;
    on_thread(256 << 10, || {
        let cache = cache(MAX);
        for n in 0..20_000 {
            assert!(cache.get(&format!("SELECT a{n} FROM t"), facts).is_ok());
            assert!(cache.stats().bytes <= MAX as u64);
        }
        assert!(cache.stats().evictions > 10_000);
        let deep = format!("SELECT {}1{}", "(".repeat(2_000), ")".repeat(2_000));
        let wide = format!("SELECT a IN (1{})", ", 2".repeat(200_000));
        let unlike = format!("SELECT a IN (1{}, b)", ", 2".repeat(200_000));
        let long = format!("SELECT '{}'", "a".repeat(1 << 20));
        let names = format!("SELECT {}b", "a, ".repeat(200_000));
        let rows = format!("VALUES (1, 'a'){}", ", (2, 'b''c')".repeat(50_000));
        for sql in [deep, wide, unlike, long, names, rows] {
            for _ in 0..3 {
                assert!(check(&cache, &sql).is_some());
                assert!(cache.stats().bytes <= MAX as u64);
            }
        }
    });
}

/// A value that takes more the longer it is kept, as one that is completed when it is needed.
#[derive(Default)]
struct Growing(AtomicUsize);

impl HeapSize for Growing {
    fn heap_size(&self) -> usize {
        self.0.load(Relaxed)
    }
}

#[test]
fn values_that_grow() {
    const MAX: usize = 100_000;
    let cache = ShapeCache::new(MAX, ShapeOptions::default());
    for round in 0..3 {
        for n in 0..200 {
            for _ in 0..3 {
                let sql = format!("SELECT a{n} FROM t");
                let hit = cache.get(&sql, |_| Growing::default()).expect("parses");
                hit.value().0.fetch_add(1_000 << round, Relaxed);
            }
            assert!(cache.stats().bytes <= MAX as u64, "{:?}", cache.stats());
        }
    }
    let stats = cache.stats();
    assert!(stats.entries > 10 && stats.evictions > 100, "{stats:?}");
    cache.clear();
    assert_eq!((cache.stats().bytes, cache.stats().entries), (0, 0));
}

/// A value that does not know what it takes.
struct Unknown;

impl HeapSize for Unknown {
    fn heap_size(&self) -> usize {
        panic!("unknown");
    }
}

#[test]
fn a_value_that_panics() {
    let cache = ShapeCache::new(1 << 20, ShapeOptions::default());
    let get = |sql: &str| cache.get(sql, |_| Unknown).is_ok();
    assert!(get("SELECT 1"));
    for _ in 0..3 {
        let result = panic::catch_unwind(AssertUnwindSafe(|| get("SELECT 2")));
        assert!(result.is_err());
        // Nothing was locked.
        assert!(get(&format!("SELECT a{}", cache.stats().misses)));
    }
    assert_eq!(cache.stats().entries, 4);
    let result = panic::catch_unwind(AssertUnwindSafe(|| cache.get("SELECT b", |_| panic!("no"))));
    assert!(result.is_err() && get("SELECT b"));
}

/// A value that looks something up when it is dropped.
struct Dropped(Weak<ShapeCache<Self>>);

impl HeapSize for Dropped {
    fn heap_size(&self) -> usize {
        0
    }
}

impl Drop for Dropped {
    fn drop(&mut self) {
        if let Some(cache) = self.0.upgrade() {
            assert!(cache.get("SELECT 1", |_| Self(Weak::new())).is_ok());
        }
    }
}

#[test]
fn a_value_uses_the_cache_when_it_is_dropped() {
    let cache = Arc::new(ShapeCache::new(50_000, ShapeOptions::default()));
    let hits = |from: usize| {
        for n in from..from + 100 {
            for _ in 0..2 {
                let sql = format!("SELECT a{n} FROM t");
                assert!(cache.get(&sql, |_| Dropped(Arc::downgrade(&cache))).is_ok());
            }
        }
    };
    hits(0);
    assert!(cache.stats().evictions > 0);
    cache.clear();
    assert!(cache.stats().entries < 3, "{:?}", cache.stats());
    hits(100);
}

/// A template that nearly fills a shard is not made each time, either.
#[test]
fn templates_of_about_the_size_of_a_shard() {
    let sql = format!("SELECT {}b FROM t WHERE c = 1", "a, ".repeat(200));
    let made = |bytes: usize| {
        let cache = cache(bytes);
        let made = |_| cache.get(&sql, facts).is_ok_and(|hit| hit.template().is_some());
        (0..6).filter(|round| made(*round)).count()
    };
    // Either it is kept, or it was made once.
    let found: BTreeSet<_> = (8_000..60_000).step_by(100).map(made).collect();
    assert_eq!(found, BTreeSet::from([1, 5]));
}

/// A template that is too large is not made each time: only the second statement takes longer.
#[test]
fn too_large_templates() {
    let cache = cache(20_000);
    let sql = |id: usize| format!("SELECT {}b FROM t WHERE c = {id}", "a, ".repeat(1_000));
    let found: Vec<_> =
        (0..5).map(|id| cache.get(&sql(id), facts).expect("parses").template().is_some()).collect();
    assert_eq!(found, [false, true, false, false, false]);
    assert!((0..5).all(|id| check(&cache, &sql(id)) == Some(false)));
    assert_eq!(cache.stats().entries, 1);
}

#[test]
fn limits_hold_for_each_statement() {
    let parser = ParserOptions::default().max_nodes(40).max_bytes(400);
    let cache = ShapeCache::new(1 << 20, ShapeOptions::default().parser(parser));
    let sql = |count: usize| format!("SELECT E'a\\n', a IN (1{})", ", 2".repeat(count));
    let found: Vec<_> =
        [1, 2, 3, 100, 4, 1_000, 5].map(|count| check_with(&cache, &sql(count), parser)).into();
    let (hit, miss) = (Some(true), Some(false));
    assert_eq!(found, [miss, miss, hit, None, hit, None, hit]);
}

#[test]
fn several_threads() {
    let cache = cache(300_000);
    let statements: Vec<_> = corpus::own_statements().into_iter().step_by(17).take(200).collect();
    thread::scope(|scope| {
        for first in 0..4 {
            let (cache, statements) = (&cache, &statements);
            scope.spawn(move || {
                for round in 0..3 {
                    for index in 0..statements.len() {
                        let index = (index * 7 + first * round) % statements.len();
                        check(cache, &statements[index]);
                        check(
                            cache,
                            &format!(
                                "SELECT a FROM t WHERE b = {index} AND c IN ({first}, {round})"
                            ),
                        );
                    }
                }
            });
        }
    });
    let stats = cache.stats();
    assert!(stats.hits > 1_000 && stats.bytes <= 300_000, "{stats:?}");
    assert!(pg::check("SELECT 1").is_ok());
}

//! Tests the example `cache`.

use pg_ast::QualifiedName;

use super::cache::{Route, Routes};

#[test]
fn statements_of_a_shape_are_parsed_twice() {
    let routes = Routes::new(1 << 20);
    for id in 0..100 {
        let sql = format!("SELECT * FROM users WHERE id = {id} /* request {id} */");
        let (route, key) = routes.route(&sql).unwrap();
        assert_eq!(route, Route { reads: true, tables: vec![QualifiedName::unqualified("users")] });
        assert_eq!(key, Some(id.to_string()));
        let sql = format!("SELECT * FROM users WHERE id = {id} FOR UPDATE");
        assert!(!routes.route(&sql).unwrap().0.reads);
    }
    let stats = routes.stats();
    assert_eq!((stats.hits, stats.misses, stats.entries), (196, 4, 2));
    assert!(routes.route("SELEC").is_err());
    assert!(routes.route("SELEC").is_err());
}

#[test]
fn memory_is_bounded() {
    const MAX: usize = 200_000;
    let routes = Routes::new(MAX);
    let mut largest = 0;
    for n in 0..5_000 {
        let sql = format!("SELECT a, b, c{n} FROM t WHERE id IN ({n}, 2, 3)");
        for _ in 0..2 {
            routes.route(&sql).unwrap();
            assert!(routes.stats().bytes <= MAX as u64, "{:?}", routes.stats());
            largest = largest.max(routes.stats().bytes);
        }
    }
    assert!(largest > MAX as u64 / 2, "{largest}");
    // A shape larger than the whole cache is parsed, but not kept.
    let long = format!("SELECT {}", vec!["a"; 100_000].join(", "));
    assert_eq!(routes.route(&long).unwrap().0.tables.len(), 0);
    assert!(routes.stats().bytes <= MAX as u64);
}

//! Digests by way of a cache of shapes, against those without it.

use pg_ast::{Digest, DigestOptions, Error, FingerprintOptions, ParserOptions, ShapeOptions};

use super::pg::{self, Shape, ShapeCache};
use super::shape_bind::{edges, replaced};
use super::{MAJOR, NAME};
use crate::common::corpus;

type Cache = ShapeCache<pg_ast::Analysis>;

fn everything() -> DigestOptions {
    let options = DigestOptions::default().fingerprint(true).normalized(true).analysis(true);
    options.statement_types(true).truncated(Some(40))
}

#[track_caller]
fn check(cache: &Cache, sql: &str, options: DigestOptions) -> Result<Digest, Error> {
    let digest = cache.digest(sql, options);
    assert_eq!(digest, pg::digest(sql, options), "{NAME}: {sql}");
    digest
}

/// With other constants, and with the runs of other statements of the same shape.
#[test]
fn all_statements() {
    let statements = corpus::own_statements().into_iter().chain(corpus::statements());
    let statements: Vec<_> = statements.collect();
    let part = |statements: &[String]| {
        let options = ShapeOptions::default().ignore_layout(true);
        let cache = Cache::new(256 << 20, options);
        let mut right = 0;
        for (index, sql) in statements.iter().enumerate() {
            for _ in 0..2 {
                right += usize::from(check(&cache, sql, everything()).is_ok());
            }
            let Ok(shape) = Shape::of_with(sql, options) else { continue };
            for round in 0..3 {
                let mut next = index + round;
                let other = replaced(&shape, |constant| {
                    next += 1;
                    let edges = edges(constant.kind());
                    edges[next % edges.len()].to_owned()
                });
                right += usize::from(check(&cache, &other, everything()).is_ok());
            }
        }
        (right, cache.stats())
    };
    let (first, second) = statements.split_at(statements.len() / 2);
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(|| part(second));
        (part(first), other.join().expect("no panic"))
    });
    println!("{NAME}: {first:?} {second:?}");
    assert!(first.0 + second.0 > 170_000);
    assert!(first.1.hits + second.1.hits > 100_000);
    assert_eq!(first.1.evictions + second.1.evictions, 0);
}

/// A hit that needs no tree, and what is not the same for all SQL of a shape.
#[test]
fn what_a_shape_does_not_determine() {
    for (sqls, hits) in [
        (["SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = 2"].as_slice(), true),
        // Each statement in it counts.
        (&["VALUES ((SELECT 1))", "VALUES ((SELECT 1)), ((SELECT 2)), ((SELECT 3))"], true),
        (&["VALUES (now(), 1)", "VALUES (now(), 1), (now(), 2)"], true),
        (&["SELECT a WHERE b IN (c + 1)", "SELECT a WHERE b IN (c + 1, c + 2)"], true),
        (&["COMMENT ON TABLE t IS 'a'", "COMMENT ON TABLE t IS ''"], true),
        (&["SELECT a + 1 GROUP BY a + 1", "SELECT a + 1 GROUP BY a + 2"], true),
        // The numbers of parameters go on behind those of lists, and behind the highest one.
        (
            &[
                "SELECT -1, a IN (1, (2)), $3, b IN ($1, $2), f(1) LIMIT 2",
                "SELECT - 10, a IN (1), $30, b IN ($1), f(-1) LIMIT(20)",
                "SELECT -(2), a IN (1, 2, 3, 4), $1, b IN ($1, $2, $9), f(1)LIMIT 2",
                "SELECT -2, a IN (1,2,-3,(4)), $2147483640, b IN ($1, $2, $9), f(1) LIMIT 2",
                "SELECT -2, a IN (1, 2, 3, 4), $2147483647, b IN ($1, $2, $9), f(1) LIMIT 2",
            ],
            true,
        ),
        (
            &[
                "INSERT INTO t VALUES (1, NULL, DATE '2026-01-01') RETURNING 1",
                "INSERT INTO t VALUES (1, NULL, DATE 'x'), (2, NULL, DATE 'y'), (3, NULL, DATE 'z') RETURNING 1",
                "INSERT INTO t VALUES (1, TRUE, DATE 'x'), (2, FALSE, DATE 'y') RETURNING 1",
            ],
            true,
        ),
        (&["SELECT 1 WHERE b='x'or c", "SELECT 10 WHERE b=''or c"], true),
        (&["UPDATE t SET (a, b) = (SELECT 1, f())", "UPDATE t SET (a, b) = (SELECT 2, f())"], true),
        (&["SELECT a::float(24)", "SELECT a::float(25)"], true),
        // The scanner warns about the length of the name.
        (
            &[
                "SELECT 1 AS a23456789012345678901234567890123456789012345678901234567890123456789",
                "SELECT 20 AS a23456789012345678901234567890123456789012345678901234567890123456789",
            ],
            true,
        ),
        (&["SELECT 'a", "SELECT FROM FROM 1", "SELECT E'\\xff'"], false),
    ] {
        let cache = Cache::new(1 << 20, ShapeOptions::default());
        for _ in 0..4 {
            for sql in sqls {
                let all = check(&cache, sql, everything());
                assert_eq!(all.is_ok(), hits);
                for options in [
                    DigestOptions::default(),
                    DigestOptions::default().fingerprint(true),
                    DigestOptions::default().analysis(true),
                    DigestOptions::default().statement_types(true),
                ] {
                    let _ = check(&cache, sql, options);
                }
            }
        }
        assert_eq!(cache.stats().hits > 0, hits, "{sqls:?}");
    }
}

#[test]
fn settings_are_followed() {
    let cache = Cache::new(1 << 20, ShapeOptions::default());
    for _ in 0..3 {
        let full = DigestOptions::default()
            .fingerprint_with(FingerprintOptions::default().full_relname(true));
        assert_eq!(check(&cache, "TABLE t_10", full).is_ok(), MAJOR >= 18);
        let parser = ParserOptions::default().standard_conforming_strings(false);
        let digest = check(&cache, r"SELECT 'it\'s', 1", everything().parser(parser));
        assert_eq!(digest.expect("parses").warnings.len(), 1);
        let small = everything().parser(ParserOptions::default().max_nodes(5));
        assert!(check(&cache, "SELECT a, b, c, d, e", small).is_err());
        // The same settings as those of the cache.
        let limited = ParserOptions::default().max_nodes(5);
        let limited = Cache::new(1 << 20, ShapeOptions::default().parser(limited));
        assert!(check(&limited, "SELECT a, b, c, d, e", small).is_err());
    }
    let many = "SELECT a, b, c, d, e";
    let limited = ParserOptions::default().max_nodes(5);
    let cache = ShapeCache::new(1 << 20, ShapeOptions::default().parser(limited));
    for _ in 0..3 {
        let fingerprint = cache.get(many, |_| ()).and_then(|hit| hit.fingerprint());
        assert_eq!(fingerprint, pg::fingerprint_with(many, limited, FingerprintOptions::default()));
    }
}

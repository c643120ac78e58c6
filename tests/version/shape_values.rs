//! Values of any kind in the items of runs, against the parser.

use pg_ast::{Analysis, DigestOptions, ShapeOptions};

use super::NAME;
use super::pg::view::{self, Tree};
use super::pg::{self, Shape, ShapeCache, Template};

type Cache = ShapeCache<Analysis>;

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 32) % limit as u64).expect("small")
    }

    fn of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

/// Looks SQL up, and compares everything with the parser. Returns whether it was a hit; `None` for an error.
#[track_caller]
fn check(cache: &Cache, sql: &str) -> Option<bool> {
    let options = DigestOptions::default().fingerprint(true).normalized(true).analysis(true);
    let options = options.statement_types(true).truncated(Some(60));
    let parsed = view::parse(sql);
    let is_hit = match (cache.get(sql, Tree::analyze), &parsed) {
        (Ok(hit), Ok(parsed)) => {
            assert_eq!(hit.tree().expect("a tree"), parsed, "{NAME}: {sql}");
            assert_eq!(hit.fingerprint(), pg::fingerprint(sql), "{NAME}: {sql}");
            assert_eq!(hit.normalize(), pg::normalize(sql), "{NAME}: {sql}");
            let is_hit = hit.is_hit();
            let tree = hit.into_tree().expect("a tree");
            let [a, b] = [&tree, parsed].map(|tree| {
                let owned = tree.to_owned_tree().expect("an owned tree");
                (owned.encode_to_vec(), tree.deparse(), tree.analyze(), tree.nodes().count())
            });
            assert_eq!(a, b, "{NAME}: {sql}");
            assert_eq!(&tree.compact(), parsed);
            Some(is_hit)
        }
        (Err(_), Err(_)) => None,
        (ours, _) => panic!("{NAME}: {sql}: {ours:?}"),
    };
    assert_eq!(cache.digest(sql, options), pg::digest(sql, options), "{NAME}: {sql}");
    is_hit
}

#[test]
fn rows_of_mixed_kinds_are_one_shape() {
    for options in [ShapeOptions::default(), ShapeOptions::default().ignore_layout(true)] {
        let cache: ShapeCache<usize> = ShapeCache::new(1 << 20, options);
        let mut random = Random(53);
        for _ in 0..2_000 {
            let rows: Vec<_> = (0..20)
                .map(|_| {
                    let number = random.below(1_000_000).to_string();
                    format!(
                        "({}, {}, {}, {})",
                        random.of(&["NULL", &number]),
                        random.of(&["true", "false"]),
                        random.of(&["-1", "1"]),
                        random.of(&["1", "1.5"]),
                    )
                })
                .collect();
            let sql = format!("INSERT INTO t VALUES {}", rows.join(", "));
            let hit = cache.get(&sql, |_| 0).expect("parses");
            assert_eq!(*hit.tree().expect("a tree"), view::parse(&sql).expect("parses"));
        }
        let stats = cache.stats();
        assert_eq!((stats.hits, stats.misses, stats.entries), (1_998, 2, 1));
    }
}

/// What a value can be. The last ones are of another shape.
const VALUES: [&str; 42] = [
    "1",
    "0",
    "2147483647",
    "2147483648",
    "-1",
    "-0",
    "- 5",
    "-\n7",
    "-2147483648",
    "-99999999999999999999",
    "1.5",
    "-1.5",
    "-0.0",
    "-  .5",
    "1e5",
    "-1E-5",
    "NULL",
    "null",
    "Null",
    "TRUE",
    "false",
    "tRUE",
    "''",
    "'a'",
    "'it''s'",
    "E'\\n'",
    "E'\\xff'",
    "$$a$$",
    "'a'\n'b'",
    "$b$c$b$",
    "B'0101'",
    "b''",
    "X'fF'",
    "'a longer string than most others, with (1, 2), -- and '' in it'",
    "+1",
    "- -1",
    "-'a'",
    "-(1)",
    "$1",
    "-- a\n1",
    "- /* a */ 1",
    "DEFAULT",
];

/// Statements with values for `@`, and items of them between braces.
const PLACES: [&str; 20] = [
    "INSERT INTO t VALUES {(@, @, @)}",
    "INSERT INTO t (a, b) VALUES {( @ , now(), @ )} ON CONFLICT DO NOTHING RETURNING a + 1",
    "VALUES {(@)}",
    "VALUES {(@::text, f(@), @ + 1)} LIMIT 5",
    "SELECT * FROM t WHERE a IN ({@}) AND b = 1",
    "SELECT * FROM t WHERE a NOT IN ({@::text}) ORDER BY 1 LIMIT 2",
    "SELECT * FROM t WHERE (a, b) IN ({(@, @)})",
    "SELECT * FROM t WHERE (a, b) IN ({ROW(@, @)}) AND c IN ({@}) GROUP BY 1, a + 1",
    "SELECT ARRAY[{@}], ARRAY[{[@, @]}]",
    "UPDATE t SET a = 1 WHERE b IN ({( @ )}) AND c = ANY (ARRAY[{@}])",
    "DELETE FROM t WHERE a IN ({(@) + 1})",
    "SELECT a IN ({(@)::numeric(10, 2)})",
    "SELECT a + 1 IN ({@}) FROM t GROUP BY a + 1",
    "SELECT position('a' IN ({@}))",
    "SELECT '{}'::int ARRAY[{@}]",
    "MERGE INTO t USING s ON t.a = s.a WHEN NOT MATCHED THEN INSERT VALUES (@, @)",
    "SELECT $3, a IN ({@}), b IN ({$1}), 'x'",
    "CREATE TABLE p PARTITION OF t FOR VALUES IN ({@})",
    "SELECT a IN ({cast(@ AS varchar(10))}); SELECT -1, b IN ({-@})",
    "SELECT a IN ({(SELECT b FROM c WHERE d IN (@, 1))})",
];

fn statement(place: &str, random: &mut Random, values: &[&str]) -> String {
    let mut sql = String::new();
    let mut rest = place;
    let separators: &[&str] = if place.contains(';') { &[", "] } else { &[", ", ",", " ,\n"] };
    while let Some((before, behind)) = rest.split_once('{') {
        // `'{}'` is a string.
        if let Some(behind) = behind.strip_prefix('}') {
            sql.extend([before, "{}"]);
            rest = behind;
            continue;
        }
        let (item, behind) = behind.split_once('}').expect("its end");
        let items: Vec<_> = (0..=random.below(5)).map(|_| item).collect();
        sql.extend([before, &items.join(random.of(separators))]);
        rest = behind;
    }
    sql.push_str(rest);
    let mut parts = sql.split('@');
    let mut filled = parts.next().expect("a part").to_owned();
    for part in parts {
        filled.extend([random.of(values), part]);
    }
    filled
}

#[test]
fn values_of_any_kind() {
    for options in [ShapeOptions::default(), ShapeOptions::default().ignore_layout(true)] {
        let cache = Cache::new(64 << 20, options);
        let mut random = Random(59);
        let (mut hits, mut count) = (0, 0);
        for place in PLACES {
            for round in 0..150 {
                // Mostly of one shape.
                let values = if round % 5 == 0 { &VALUES[..] } else { &VALUES[..34] };
                let sql = statement(place, &mut random, values);
                if let Some(is_hit) = check(&cache, &sql) {
                    count += 1;
                    hits += usize::from(is_hit);
                }
            }
        }
        println!("{NAME}: {hits} hits of {count}");
        assert!(count > 2_000 && hits * 10 > count * 6, "{hits} of {count}");
    }
}

/// Each value for each other, so that what one leaves in memory shows in the next one.
#[test]
fn one_value_after_another() {
    let template = Template::new("SELECT a IN (1, 2)").expect("parses");
    assert!(!template.is_exact());
    let mut tree = view::parse("").expect("parses");
    for a in &VALUES[..34] {
        for b in &VALUES[..34] {
            let sql = format!("SELECT a IN ({a}, {b})");
            let parsed = view::parse(&sql).ok();
            let Ok(shape) = Shape::of(&sql) else {
                assert_eq!(parsed, None, "{sql}");
                continue;
            };
            assert_eq!(shape.key(), template.key(), "{sql}");
            assert_eq!(template.bind(&shape), parsed, "{NAME}: {sql}");
            let is_bound = template.bind_into(&shape, &mut tree);
            assert_eq!(is_bound.then_some(&tree), parsed.as_ref(), "{NAME}: {sql}");
        }
    }
}

/// Lists of items that begin with a word, a sign, a parenthesis.
const ITEMS: [&str; 36] = [
    "1",
    "+1",
    "a + 1",
    "b * 2.5",
    "- 'a'",
    "a = 'b'",
    "'a'",
    "-1",
    "1.5",
    "B'1'",
    "X'1'",
    "E'a'",
    "$$a$$",
    "U&'a'",
    "$1",
    "NULL",
    "true",
    "false",
    "DATE '2026-01-01'",
    "interval '1' day",
    "cast('a' AS uuid)",
    "cast(NULL AS int)",
    "now()",
    "current_date",
    "lower('a')",
    "coalesce(NULL, 1)",
    "f(1, 'a')",
    "'a'::uuid",
    "NULL::int",
    "(1)",
    "(1, 'a')",
    "ROW(1, 'a')",
    "ARRAY[1, 2]",
    "CASE WHEN true THEN 1 END",
    "NOT true",
    "a.b",
];

/// Looks up lists of one to six items, and returns which of them were hits.
#[track_caller]
fn lists(item: &str, [open, close]: [&str; 2]) -> Vec<bool> {
    let cache = Cache::new(1 << 20, ShapeOptions::default());
    let hits = (1..=6).map(|length| {
        let list = vec![item; length].join(", ");
        let sql = format!("SELECT x FROM t WHERE y {open}{list}{close}");
        check(&cache, &sql).expect("parses")
    });
    hits.collect()
}

const IN: [&str; 2] = ["IN (", ")"];
const ARRAY: [&str; 2] = ["= ANY (ARRAY[", "])"];
const ROWS: [&str; 2] = ["IN (VALUES (", "))"];

#[test]
fn lists_of_any_length_are_one_shape() {
    // The second look of `check` makes the template.
    let all = [false, true, true, true, true, true];
    for item in ITEMS {
        assert_eq!(lists(item, IN), all, "{NAME}: {item}");
        assert_eq!(lists(item, ARRAY), all, "{NAME}: {item}");
    }
    assert_eq!(lists("(SELECT 1)", ARRAY), all);
    assert_eq!(lists("(SELECT a FROM b WHERE c = 'd') || 'e'", ARRAY), all);
}

/// A list in parentheses that begins with a query may be that query, so its length counts, as does that of a row.
#[test]
fn lists_whose_length_counts() {
    for item in ["(SELECT 1)", "(SELECT 1) + 1", "((VALUES (1)))"] {
        assert_eq!(lists(item, IN), [false; 6], "{NAME}: {item}");
    }
    assert_eq!(lists("1", ROWS), [false; 6]);
    let kind = |sql| {
        let tree = view::parse(sql).expect("parses");
        tree.nodes().any(|node| node.as_sub_link().is_some_and(|link| link.testexpr().is_some()))
    };
    assert!(kind("SELECT x IN ((SELECT 1))") && !kind("SELECT x IN ((SELECT 1), (SELECT 2))"));
}

/// Lists in which the grammar takes constants of one kind: the others are errors, and not bound.
#[test]
fn lists_of_one_kind() {
    for (sql, same, others) in [
        (
            "SELECT a::int ARRAY[4]",
            vec!["SELECT a::int ARRAY[12]"],
            vec!["-4", "'4'", "NULL", "4.5"],
        ),
        (
            "CREATE TABLE t (a int ARRAY[4], b text DEFAULT 'c')",
            vec!["CREATE TABLE t (a int ARRAY[0], b text DEFAULT '')"],
            vec!["4, 4", "-4", "true", "1e5"],
        ),
        (
            "CREATE EVENT TRIGGER e ON sql_drop WHEN tag IN ('a') EXECUTE FUNCTION f()",
            vec![
                "CREATE EVENT TRIGGER e ON sql_drop WHEN tag IN ('x', 'it''s', E'\\n') EXECUTE FUNCTION f()",
            ],
            vec!["1", "-1", "B'1'", "NULL", "'a', 1", "'a', X'1'"],
        ),
    ] {
        let template = Template::new(sql).expect("parses");
        assert!(!template.is_exact(), "{NAME}: {sql}");
        let cache = Cache::new(1 << 20, ShapeOptions::default());
        for sql in [&[sql][..], &same].concat() {
            let shape = Shape::of(sql).expect("a shape");
            assert_eq!(template.bind(&shape), view::parse(sql).ok(), "{NAME}: {sql}");
            check(&cache, sql);
        }
        for other in others {
            let item = if sql.contains("'a'") { "'a'" } else { "4" };
            let sql = sql.replacen(item, other, 1);
            let shape = Shape::of(&sql).expect("a shape");
            assert!(view::parse(&sql).is_err() && template.bind(&shape).is_none(), "{NAME}: {sql}");
            assert_eq!(check(&cache, &sql), None);
        }
        assert_eq!(check(&cache, sql), Some(true));
        assert_eq!(cache.stats().entries, 1, "{NAME}: {sql}");
    }
}

/// A list of items like none before it is read twice, and no item of it more often.
#[test]
fn hostile_lists() {
    let nested =
        |depth: usize| format!("SELECT {}1{}", "a IN (b, ".repeat(depth), ")".repeat(depth));
    let open = |count: usize| format!("SELECT a IN {}", "(".repeat(count));
    for sql in [nested(2_000), open(200_000), format!("VALUES {}", "(-".repeat(100_000))] {
        assert!(Shape::of(&sql).is_ok());
    }
}

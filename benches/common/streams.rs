//! Statements of which no two are the same, and what a cache makes of them.

use std::collections::HashMap;
use std::ffi::CString;
use std::fmt::Write as _;
use std::hint::black_box;

use pg_ast::view::{self, Tree};
use pg_ast::{Analysis, DigestOptions, ShapeCache, ShapeOptions};

use super::peers;

/// The streams.
pub const STREAMS: [&str; 4] =
    ["unique constants", "IN (1 to 1,000)", "20 rows", "20 rows of mixed kinds"];

/// The ways to read a stream, in the order of the table's columns. The first one is the divisor.
pub const WAYS: [&str; 7] = [
    "C parse",
    "view::parse",
    "trees by text",
    "value by shape",
    "and tree",
    "fingerprint, analysis",
    "and normalized",
];

/// A way that only makes the statements, as all of them do first.
pub const MAKING: &str = "making";

/// The statements of a part of a stream.
pub const PART: usize = 200;

/// Returns the first parts of a stream.
pub fn texts(stream: &str, parts: usize) -> Vec<String> {
    let one = match stream {
        "unique constants" => with_constants,
        "IN (1 to 1,000)" => with_list,
        "20 rows" => with_rows,
        _ => with_mixed_rows,
    };
    (0..parts * PART).map(one).collect()
}

/// A statement of one of ten shapes as a driver without parameters sends it, by its index.
fn with_constants(index: usize) -> String {
    let (id, shape) = (1_000_000 + index * 37, index % 10);
    let mut sql = String::from("SELECT u.id, u.name, u.email, o.id, o.total, o.created_at");
    for column in 0..shape {
        write!(sql, ", o.column_{column}").expect("a string");
    }
    write!(
        sql,
        " FROM users u LEFT JOIN orders o ON o.user_id = u.id AND o.state = 'open' WHERE u.id = {id} \
         AND u.email = 'user{id}@example.com' AND o.created_at > '2026-01-01 00:00:{:02}' ORDER BY o.id LIMIT {}",
        index % 60,
        index + 1,
    )
    .expect("a string");
    sql
}

/// A statement as an ORM writes it, with a list of parameters, by its index.
fn with_list(index: usize) -> String {
    // Of each length once in 1,000 statements, and of all lengths in each part.
    let length = (index % PART) * 5 + index / PART % 5 + 1;
    let list: Vec<_> = (1..=length).map(|number| format!("${number}")).collect();
    format!(
        "SELECT u.id, u.name, u.email FROM users u WHERE u.id IN ({}) AND u.tenant_id = ${} ORDER BY u.id",
        list.join(", "),
        length + 1
    )
}

/// An insert of 20 rows of numbers and strings, by its index.
fn with_rows(index: usize) -> String {
    insert(index, |random| {
        let (number, other) = (random(1_000_000), random(1_000));
        format!("({number}, 'name {other}', {other}.5, '2026-01-{:02}')", other % 28 + 1)
    })
}

/// An insert of 20 rows whose values are of one kind or another, by its index.
fn with_mixed_rows(index: usize) -> String {
    insert(index, |random| {
        let one_of = |kinds: [&'static str; 2], choice: usize| kinds[choice % 2];
        let number = random(1_000_000).to_string();
        let note = if random(2) == 0 { "NULL" } else { &number };
        let (sold, sign) = (one_of(["true", "false"], random(2)), one_of(["-1", "1"], random(2)));
        format!("({note}, {sold}, {sign}, {})", one_of(["1", "1.5"], random(2)))
    })
}

/// An insert of 20 rows, each made from numbers below given ones that look random.
fn insert(index: usize, mut row: impl FnMut(&mut dyn FnMut(usize) -> usize) -> String) -> String {
    let mut state = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as usize % below
    };
    let rows: Vec<_> = (0..20).map(|_| row(&mut random)).collect();
    format!("INSERT INTO items (note, sold, sign, price) VALUES {}", rows.join(", "))
}

/// Returns the hits and the entries of a cache of shapes that has seen 2,000 statements of a stream.
#[must_use]
pub fn hits(stream: &str) -> (u64, usize) {
    let cache = ShapeCache::new(64 << 20, ShapeOptions::default());
    for sql in texts(stream, 2_000 / PART) {
        cache.get(&sql, |_| ()).expect("parses");
    }
    (cache.stats().hits, cache.stats().entries)
}

/// Reads the first parts of a stream.
pub fn run(stream: &str, way: &str, parts: usize) {
    let texts = texts(stream, parts);
    let each = |f: &mut dyn FnMut(&str)| {
        for sql in &texts {
            f(black_box(sql));
        }
    };
    let options = ShapeOptions::default().ignore_layout(true);
    match way {
        MAKING => drop(black_box(texts)),
        "C parse" => {
            let texts: Vec<_> =
                texts.iter().map(|sql| CString::new(sql.as_str()).expect("no NUL")).collect();
            for sql in &texts {
                peers::c_parse(sql);
            }
        }
        "view::parse" => each(&mut |sql| drop(black_box(view::parse(sql).expect("parses")))),
        "trees by text" => {
            let mut trees: HashMap<String, Tree> = HashMap::new();
            each(&mut |sql| {
                if black_box(trees.get(sql)).is_none() {
                    let tree = view::parse(sql).expect("parses").compact();
                    trees.insert(sql.to_owned(), black_box(tree));
                }
            });
        }
        "value by shape" | "and tree" => {
            let cache = ShapeCache::new(64 << 20, options);
            each(&mut |sql| {
                let hit = cache.get(sql, |_| ()).expect("parses");
                if way == "and tree" {
                    drop(black_box(hit.into_tree()));
                }
            });
        }
        _ => {
            let cache: ShapeCache<Analysis> = ShapeCache::new(64 << 20, options);
            let options = DigestOptions::default().fingerprint(true).analysis(true);
            let options = options.normalized(way == "and normalized");
            each(&mut |sql| drop(black_box(cache.digest(sql, options).expect("parses"))));
        }
    }
}

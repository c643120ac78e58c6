//! Times fingerprints, normalized SQL, tokens, summaries and splitting, compared with
//! libpg_query's own functions, which return Protobuf if the result is more than a string.
//!
//! ```text
//! cargo bench --bench verbs
//! ```

mod common;

use std::ffi::CString;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use common::{Group, peers};

/// The measurement of libpg_query: SQL, and the operation on it.
type Theirs = fn(&std::ffi::CStr);
/// The same operation of ours.
type Ours = fn(&str);

const VERBS: [(&str, Ours, Theirs); 7] = [
    ("fingerprint", |sql| drop(black_box(pg_ast::fingerprint(sql))), peers::fingerprint),
    ("normalize", |sql| drop(black_box(pg_ast::normalize(sql))), peers::normalize),
    ("scan", |sql| drop(black_box(pg_ast::scan(sql))), peers::scan),
    ("summary", |sql| drop(black_box(pg_ast::summary(sql, None))), peers::summary),
    (
        "is_utility_stmt",
        |sql| drop(black_box(pg_ast::is_utility_stmt(sql))),
        peers::is_utility_stmt,
    ),
    (
        "split_with_scanner",
        |sql| drop(black_box(pg_ast::split_with_scanner(sql))),
        |sql| {
            peers::split(sql, true);
        },
    ),
    (
        "split_with_parser",
        |sql| drop(black_box(pg_ast::split_with_parser(sql))),
        |sql| {
            peers::split(sql, false);
        },
    ),
];

fn verbs(criterion: &mut Criterion) {
    peers::init();
    for (verb, ours, theirs) in VERBS {
        for Group { name, statements, protobuf } in common::groups() {
            let c_texts: Vec<_> =
                statements.iter().map(|sql| CString::new(sql.as_str()).expect("no NUL")).collect();
            let mut group = criterion.benchmark_group(format!("{verb}/{name}"));
            group.sample_size(10);
            group
                .throughput(Throughput::Bytes(statements.iter().map(|sql| sql.len() as u64).sum()));
            group.bench_function("c_parse", |b| {
                b.iter(|| c_texts.iter().for_each(|sql| peers::c_parse(black_box(sql))));
            });
            group.bench_function("pg_ast", |b| {
                b.iter(|| statements.iter().for_each(|sql| ours(black_box(sql))));
            });
            if protobuf {
                group.bench_function("libpg_query", |b| {
                    b.iter(|| c_texts.iter().for_each(|sql| theirs(black_box(sql))));
                });
            }
        }
    }
}

/// The fingerprint of a tree, compared with its parse.
fn trees(criterion: &mut Criterion) {
    for Group { name, statements, .. } in common::groups() {
        let mut group = criterion.benchmark_group(format!("fingerprint_of_tree/{name}"));
        group.sample_size(10);
        group.throughput(Throughput::Bytes(statements.iter().map(|sql| sql.len() as u64).sum()));
        group.bench_function("parse", |b| {
            b.iter(|| {
                for sql in &statements {
                    drop(black_box(pg_ast::parse(black_box(sql))));
                }
            });
        });
        let trees: Vec<_> =
            statements.iter().map(|sql| pg_ast::parse(sql).expect("parses")).collect();
        group.bench_function("fingerprint", |b| {
            b.iter(|| trees.iter().for_each(|tree| _ = black_box(black_box(tree).fingerprint())));
        });
    }
}

criterion_group!(benches, verbs, trees);
criterion_main!(benches);

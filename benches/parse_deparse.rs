//! Times parsing and deparsing, compared with the C library alone and libpg_query's Protobuf route.
//!
//! ```text
//! cargo bench --bench parse_deparse
//! ```

mod common;

use std::ffi::CString;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use common::{Group, peers};

fn parse(criterion: &mut Criterion) {
    peers::init();
    for Group { name, statements, protobuf } in common::groups() {
        let c_texts: Vec<_> =
            statements.iter().map(|sql| CString::new(sql.as_str()).expect("no NUL")).collect();
        let mut group = criterion.benchmark_group(format!("parse/{name}"));
        group.sample_size(10);
        group.throughput(Throughput::Bytes(statements.iter().map(|sql| sql.len() as u64).sum()));
        group.bench_function("c", |b| {
            b.iter(|| c_texts.iter().for_each(|sql| peers::c_parse(black_box(sql))));
        });
        group.bench_function("pg_ast", |b| {
            b.iter(|| {
                for sql in &statements {
                    black_box(pg_ast::parse(black_box(sql)).expect("parses"));
                }
            });
        });
        group.bench_function("view", |b| {
            b.iter(|| {
                for sql in &statements {
                    black_box(pg_ast::view::parse(black_box(sql)).expect("parses"));
                }
            });
        });
        if protobuf {
            group.bench_function("protobuf", |b| {
                b.iter(|| {
                    for sql in &c_texts {
                        black_box(peers::protobuf_parse(black_box(sql)));
                    }
                });
            });
        }
    }
}

fn deparse(criterion: &mut Criterion) {
    peers::init();
    for Group { name, statements, protobuf } in common::groups() {
        let trees: Vec<_> =
            statements.iter().map(|sql| pg_ast::parse(sql).expect("parses")).collect();
        let mut group = criterion.benchmark_group(format!("deparse/{name}"));
        group.sample_size(10);
        group.throughput(Throughput::Bytes(statements.iter().map(|sql| sql.len() as u64).sum()));
        let c_trees: Vec<_> = statements.iter().map(|sql| peers::CTree::new(sql)).collect();
        group.bench_function("c", |b| b.iter(|| c_trees.iter().for_each(peers::CTree::deparse)));
        group.bench_function("pg_ast", |b| {
            b.iter(|| {
                for tree in &trees {
                    black_box(pg_ast::deparse(black_box(tree)).expect("prints"));
                }
            });
        });
        let views: Vec<_> =
            statements.iter().map(|sql| pg_ast::view::parse(sql).expect("parses")).collect();
        group.bench_function("view", |b| {
            b.iter(|| {
                for tree in &views {
                    black_box(black_box(tree).deparse().expect("prints"));
                }
            });
        });
        if protobuf {
            group.bench_function("protobuf", |b| {
                b.iter(|| {
                    for tree in &trees {
                        black_box(peers::protobuf_deparse(black_box(&tree.protobuf)));
                    }
                });
            });
        }
    }
}

criterion_group!(benches, parse, deparse);
criterion_main!(benches);

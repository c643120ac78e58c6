//! Times the analysis of trees, and cuts of SQL, compared with parsing and deparsing.
//!
//! ```text
//! cargo bench --bench analysis
//! ```

mod common;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use common::Group;

fn analysis(criterion: &mut Criterion) {
    for Group { name, statements, .. } in common::groups() {
        let trees: Vec<_> =
            statements.iter().map(|sql| pg_ast::parse(sql).expect("parses")).collect();
        let mut group = criterion.benchmark_group(format!("analysis/{name}"));
        group.sample_size(10);
        group.throughput(Throughput::Bytes(statements.iter().map(|sql| sql.len() as u64).sum()));
        group.bench_function("parse", |b| {
            b.iter(|| {
                for sql in &statements {
                    black_box(pg_ast::parse(black_box(sql)).expect("parses"));
                }
            });
        });
        group.bench_function("analyze", |b| {
            b.iter(|| {
                for tree in &trees {
                    black_box(black_box(tree).analyze());
                }
            });
        });
        group.bench_function("tables", |b| {
            b.iter(|| trees.iter().for_each(|tree| drop(black_box(black_box(tree).tables()))));
        });
        group.bench_function("summary", |b| {
            b.iter(|| {
                for sql in &statements {
                    black_box(pg_ast::summary(black_box(sql), None).expect("parses"));
                }
            });
        });
        group.bench_function("deparse", |b| {
            b.iter(|| {
                for tree in &trees {
                    black_box(pg_ast::deparse(black_box(tree)).expect("prints"));
                }
            });
        });
        group.bench_function("deparse_truncated", |b| {
            b.iter(|| {
                for tree in &trees {
                    black_box(black_box(tree).deparse_truncated(30).expect("prints"));
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, analysis);
criterion_main!(benches);

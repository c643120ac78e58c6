//! Bound templates, against the parser.

use pg_ast::{ConstantKind, HeapSize as _, ParserOptions, ShapeOptions};

use super::pg::view::{self, Tree};
use super::pg::{self, ConstantToken, Shape, Template};
use super::{MAJOR, NAME};
use crate::common::corpus;

/// Checks that both trees are the same, in each way that they can be read.
#[track_caller]
fn same(bound: &Tree, parsed: &Tree, sql: &str) {
    assert_eq!(bound, parsed, "{NAME}: {sql}");
    assert_eq!(bound.warnings(), parsed.warnings(), "{sql}");
    let [a, b] = [bound, parsed].map(|tree| {
        tree.stmts().map(|stmt| (stmt.stmt_location(), stmt.stmt_len())).collect::<Vec<_>>()
    });
    assert_eq!(a, b, "{sql}");
}

/// Checks what a template makes of SQL. Returns whether it binds.
#[track_caller]
fn check(template: &Template, shape: &Shape<'_>, tree: &mut Tree) -> Option<bool> {
    let sql = shape.sql();
    let parsed = view::parse_with(sql, template_parser(template));
    let bound = template.bind(shape);
    let is_bound = template.bind_into(shape, tree);
    assert_eq!(is_bound, bound.is_some(), "{sql}");
    match (&bound, parsed) {
        (Some(bound), Ok(parsed)) => {
            same(bound, &parsed, sql);
            same(tree, &parsed, sql);
            Some(true)
        }
        (None, Ok(_)) => Some(false),
        (Some(_), Err(error)) => panic!("{NAME}: {sql}: {error}"),
        (None, Err(_)) => None,
    }
}

fn template_parser(_: &Template) -> ParserOptions {
    ParserOptions::default()
}

/// Constants at the edges of each kind.
pub(super) fn edges(kind: ConstantKind) -> &'static [&'static str] {
    match kind {
        ConstantKind::Integer if MAJOR >= 16 => {
            &["0", "2147483647", "7", "0007", "0x1F", "1_000", "999999999", "1000000000"]
        }
        ConstantKind::Integer => &["0", "2147483647", "7", "0007", "999999999", "1000000000"],
        ConstantKind::Number => {
            &["2147483648", "1e400", "0.0", ".5", "5.", "99999999999999999999", "1E-5"]
        }
        ConstantKind::BitString => &["B''", "b'0101'", "B'1'\n'0'"],
        ConstantKind::HexString => &["X''", "x'fF'", "X'1234567890'"],
        ConstantKind::Parameter => &["$0", "$2147483647", "$10", "$00001"],
        _ => &[
            "''",
            "'a''b'",
            "E'\\n'",
            "$$..$$",
            "$a$ $$ '' $a$",
            "''''",
            "'x'\n  'y''z'",
            "E'it\\'s \\u00e9'",
            "'é'",
            "'a longer string that is longer than many others, with (1, 2, 3) and -- in it'",
            "e''",
            "E'\\xff'",
        ],
    }
}

/// Replaces the constants of SQL.
pub(super) fn replaced(
    shape: &Shape<'_>,
    mut by: impl FnMut(ConstantToken<'_>) -> String,
) -> String {
    let (sql, mut out, mut end) = (shape.sql(), String::new(), 0);
    for constant in shape.constants() {
        let range = constant.range();
        out.push_str(&sql[end..range.start]);
        out.push_str(&by(constant));
        end = range.end;
    }
    out + &sql[end..]
}

#[derive(Debug, Default)]
struct Counts {
    statements: usize,
    exact: usize,
    without_constants: usize,
    texts: usize,
    refused: usize,
    both_refuse: usize,
    other_shapes: usize,
    fingerprints: usize,
}

fn statements() -> Vec<String> {
    corpus::own_statements()
        .into_iter()
        .chain(corpus::statements())
        .chain(corpus::benches().into_iter().map(|(_, sql)| sql))
        .collect()
}

fn over_the_corpora(options: ShapeOptions) -> Counts {
    let mut counts = Counts::default();
    let mut tree = view::parse("").expect("parses");
    for (index, sql) in statements().iter().enumerate() {
        let Ok(template) = Template::new_with(sql, options) else { continue };
        let shape = Shape::of_with(sql, options).expect("a shape");
        counts.statements += 1;
        counts.exact += usize::from(template.is_exact());
        if shape.constants().next().is_none() {
            counts.without_constants += 1;
            assert!(!template.is_exact(), "{sql}");
        }
        assert_eq!(check(&template, &shape, &mut tree), Some(true), "{NAME}: {sql}");
        if let Some(fingerprint) = template.fingerprint() {
            assert_eq!(Ok(fingerprint), pg::fingerprint(sql), "{NAME}: {sql}");
            counts.fingerprints += 1;
        }
        for round in 0..3 {
            let mut next = index + round;
            let other = replaced(&shape, |constant| {
                next += 1;
                let edges = edges(constant.kind());
                edges[next % edges.len()].to_owned()
            });
            let Ok(shape) = Shape::of_with(&other, options) else { continue };
            if shape.key() != template.key() {
                counts.other_shapes += 1;
                continue;
            }
            counts.texts += 1;
            match check(&template, &shape, &mut tree) {
                Some(true) => {
                    if let Some(fingerprint) = template.fingerprint() {
                        assert_eq!(Ok(fingerprint), pg::fingerprint(&other), "{NAME}: {other}");
                    }
                }
                Some(false) => {
                    counts.refused += 1;
                    assert!(template.is_exact(), "{NAME}: {other}");
                }
                None => counts.both_refuse += 1,
            }
        }
    }
    println!("{NAME}: {counts:?}");
    counts
}

#[test]
fn bound_trees_are_those_of_the_parser() {
    let counts = over_the_corpora(ShapeOptions::default());
    assert!(counts.statements > 30_000 && counts.texts > 90_000, "{counts:?}");
    assert!(counts.exact * 1_000 < counts.statements, "{counts:?}");
    assert!(counts.other_shapes * 100 < counts.texts, "{counts:?}");
}

#[test]
fn without_layout_and_without_runs() {
    for options in [
        ShapeOptions::default().ignore_layout(true),
        ShapeOptions::default().ignore_layout(true).runs(false),
    ] {
        let counts = over_the_corpora(options);
        assert!(counts.exact * 1_000 < counts.statements, "{counts:?}");
    }
}

/// Layout between any two tokens.
#[test]
fn other_layouts() {
    let options = ShapeOptions::default().ignore_layout(true);
    let layouts = ["\n", "  ", " /* a */ ", " -- b\n", "\t/* c /* d */ */", "\r\n"];
    let mut tree = view::parse("").expect("parses");
    let mut count = 0;
    for (index, sql) in statements().iter().step_by(3).enumerate() {
        let Ok(template) = Template::new_with(sql, options) else { continue };
        let Ok(scan) = pg::scan(sql) else { continue };
        let (mut other, mut end) = (String::new(), 0);
        for (place, token) in scan.tokens.iter().enumerate() {
            let gap = &sql[end..token.range().start];
            if !gap.is_empty() {
                other.push_str(layouts[(index + place) % layouts.len()]);
            }
            other.push_str(&sql[token.range()]);
            end = token.range().end;
        }
        // A blank may be a part of a token, as that after the name of a dollar-quoted string.
        let Ok(shape) = Shape::of_with(&other, options) else { continue };
        if shape.key() != template.key() {
            continue;
        }
        match check(&template, &shape, &mut tree) {
            Some(true) => count += 1,
            Some(false) => assert!(template.is_exact(), "{other}"),
            None => {}
        }
    }
    println!("{count} statements");
    assert!(count > 8_000, "{count}");
}

#[track_caller]
fn binds(sql: &str, others: &[&str]) {
    let template = Template::new(sql).expect("parses");
    assert!(!template.is_exact(), "{sql}");
    let mut tree = view::parse("").expect("parses");
    for other in others.iter().chain([&sql]) {
        let shape = Shape::of(other).expect("a shape");
        assert_eq!(template.key(), shape.key(), "{other}");
        assert_eq!(check(&template, &shape, &mut tree), Some(true), "{other}");
        let bound = template.bind(&shape).expect("binds");
        let parsed = view::parse(other).expect("parses");
        let [a, b] = [&bound, &parsed].map(|tree| {
            let tree = tree.to_owned_tree().expect("an owned tree");
            (tree.encode_to_vec(), tree.fingerprint(), tree.deparse())
        });
        assert_eq!(a, b, "{other}");
        assert_eq!(bound.compact(), parsed);
        assert_eq!(bound.fingerprint(), parsed.fingerprint());
        assert_eq!(bound.analyze(), parsed.analyze());
        assert_eq!(bound.nodes().count(), parsed.nodes().count());
        assert!(bound.heap_size() > 0);
    }
}

#[test]
fn runs() {
    binds(
        "SELECT * FROM t WHERE a IN (1, 2) AND b = 'x'; DELETE FROM u",
        &[
            "SELECT * FROM t WHERE a IN (1) AND b = 'x'; DELETE FROM u",
            "SELECT * FROM t WHERE a IN (1,20,300,4000,50000) AND b = 'it''s'; DELETE FROM u",
            "SELECT * FROM t WHERE a IN ( 1 , 2 ) AND b = ''; DELETE FROM u",
        ],
    );
    binds(
        "INSERT INTO t (a, b) VALUES (1, 'x'::text), (2, 'y'::text) RETURNING a",
        &[
            "INSERT INTO t (a, b) VALUES (1, 'x'::text) RETURNING a",
            "INSERT INTO t (a, b) VALUES (1, 'x'::text),\n(2, ''::text), (3, E'\\n'::text), (4, 'a''b'::text) RETURNING a",
        ],
    );
    binds("SELECT ARRAY['a', 'b'], ARRAY[1]", &["SELECT ARRAY['a'], ARRAY[1, 2, 3]"]);
    binds(
        "SELECT a IN ($1, $2)",
        &["SELECT a IN ($3)", "SELECT a IN ($1, $2, $3, $4, $5, $6, $7)"],
    );
    binds("SELECT a IN (-1, -2)", &["SELECT a IN (-5)"]);
    binds("SELECT (a, b) IN ((1, 2.5), (3, 4.5))", &["SELECT (a, b) IN ((1, 2.5))"]);
    binds("VALUES (1)", &["VALUES (1), (2), (3)"]);
    let many = |count: usize| {
        let ids: Vec<_> = (0..count).map(|id| (id * 37).to_string()).collect();
        format!("SELECT * FROM t WHERE a IN ({}) AND b = $1", ids.join(", "))
    };
    binds(&many(10), &[&many(1), &many(1_000)]);
}

#[test]
fn utility_statements() {
    binds("FETCH 5 FROM c", &["FETCH 500 FROM c"]);
    binds("MOVE BACKWARD 5 FROM c", &["MOVE BACKWARD 50 FROM c"]);
    binds("SET work_mem = '8MB'", &["SET work_mem = '16 MB'"]);
    binds(
        "COMMENT ON TABLE t IS 'a'",
        &["COMMENT ON TABLE t IS ''", "COMMENT ON TABLE t IS 'it''s'"],
    );
    binds(
        "CREATE TABLE t (a numeric(10, 2) DEFAULT -1)",
        &["CREATE TABLE t (a numeric(5, 10) DEFAULT -100)"],
    );
    binds("SELECT -1, - -2, -1.5, - - 1.5", &["SELECT -0, - -20, -10.5, - - 0.5"]);
    binds("ALTER SEQUENCE s INCREMENT BY -5", &["ALTER SEQUENCE s INCREMENT BY -55"]);
}

/// The grammar reads these values.
#[test]
fn exact_templates() {
    for (sql, other) in [
        ("SELECT a::float(24)", "SELECT a::float(25)"),
        ("SELECT a::float(30)", "SELECT a::float(31)"),
        (
            "ALTER INDEX i ALTER COLUMN 1 SET STATISTICS 5",
            "ALTER INDEX i ALTER COLUMN 99999 SET STATISTICS 5",
        ),
    ] {
        let template = Template::new(sql).expect("parses");
        assert!(template.is_exact(), "{sql}");
        let [shape, other] = [sql, other].map(|sql| Shape::of(sql).expect("a shape"));
        assert_eq!(template.key(), other.key());
        assert_eq!(template.bind(&shape), view::parse(sql).ok());
        assert!(template.bind(&other).is_none());
    }
    let sql = "SELECT U&'a!0041' UESCAPE '!'";
    assert_eq!(
        Template::new(sql).expect("parses").bind(&Shape::of(sql).unwrap()),
        view::parse(sql).ok()
    );
}

#[test]
fn what_the_parser_rejects() {
    let template = Template::new("SELECT 'a'").expect("parses");
    let sql = "SELECT E'\\xff'";
    assert!(view::parse(sql).is_err());
    assert!(Shape::of(sql).map_or(true, |shape| template.bind(&shape).is_none()));
    assert!(Template::new("SELECT FROM FROM 1").is_err());
    // An empty tree is one.
    for sql in ["", " ", ";", "-- a"] {
        let template = Template::new(sql).expect("parses");
        assert_eq!(template.bind(&Shape::of(sql).expect("a shape")), view::parse(sql).ok());
    }
}

#[test]
fn options_are_a_part_of_the_template() {
    let off = ParserOptions::default().standard_conforming_strings(false);
    let off = ShapeOptions::default().parser(off);
    let sql = "SELECT 'a\\\\b', 1";
    let template = Template::new_with(sql, off).expect("parses");
    let shape = Shape::of_with(sql, off).expect("a shape");
    let bound = template.bind(&shape).expect("binds");
    assert_eq!(bound, view::parse_with(sql, off_parser()).expect("parses"));
    assert_eq!(bound.warnings().len(), 1);
    assert!(template.bind(&Shape::of(sql).expect("a shape")).is_none());
    let nodes = ShapeOptions::default().parser(ParserOptions::default().max_nodes(50));
    let template = Template::new_with("SELECT E'a\\n', x IN (1)", nodes).expect("parses");
    let many = format!("SELECT E'a\\n', x IN (1{})", ", 1".repeat(100));
    assert!(view::parse_with(&many, ParserOptions::default().max_nodes(50)).is_err());
    assert!(template.bind(&Shape::of_with(&many, nodes).expect("a shape")).is_none());
}

fn off_parser() -> ParserOptions {
    ParserOptions::default().standard_conforming_strings(false)
}

/// Assignments to several columns share their source.
#[test]
fn shared_nodes() {
    binds(
        "UPDATE t SET (a, b) = (SELECT 1, 'x')",
        &["UPDATE t SET (a, b) = (SELECT 100, 'a longer one')"],
    );
}

#[test]
fn small_and_sent_to_other_threads() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Template>();
    for (path, sql) in corpus::benches() {
        let (mut bytes, mut compact, mut count) = (0, 0, 0);
        for sql in sql.split(";\n").map(|sql| sql.trim().trim_end_matches(';')) {
            let Ok(template) = Template::new(sql) else { continue };
            bytes += template.heap_size() + size_of::<Template>();
            compact += view::parse(sql).expect("parses").compact().heap_size();
            count += 1;
        }
        println!("{}: {} bytes, {} compact", path.display(), bytes / count, compact / count);
        if path.ends_with("orm.sql") {
            assert!(bytes * 100 < compact * 132, "{bytes} {compact}");
        }
    }
}

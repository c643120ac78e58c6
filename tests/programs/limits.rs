//! An exceeded limit is a separate kind of error, returned at once and with little memory.

use std::fmt::Write as _;

use pg_ast::{
    ErrorKind, FingerprintOptions, HeapSize as _, NodeRef, NormalizeOptions, ParserOptions,
};

use crate::common;

/// `(a, b, ..)`.
fn columns(count: usize) -> String {
    (0..count).map(|column| format!("c{column}")).collect::<Vec<_>>().join(", ")
}

/// Each column of an assignment points to the same source, here to the entire statement below.
fn nested_assignments(columns_each: usize, levels: usize) -> String {
    let columns = columns(columns_each);
    (0..levels).fold("SELECT 1".to_owned(), |sql, _| {
        format!("WITH x AS (UPDATE t SET ({columns}) = ({sql})) SELECT 1")
    })
}

/// A row for many columns.
fn flat_assignment(count: usize) -> String {
    format!("UPDATE t SET ({}) = ROW({})", columns(count), columns(count))
}

fn large() -> [(&'static str, String); 4] {
    [
        ("two columns, 20 levels", nested_assignments(2, 20)),
        ("ten columns, 7 levels", nested_assignments(10, 7)),
        ("8,000 columns", flat_assignment(8_000)),
        // Few nodes with a long string.
        (
            "1,000 columns, 1 MB",
            format!("UPDATE t SET ({}) = (SELECT '{}')", columns(1_000), "x".repeat(1_000_000)),
        ),
    ]
}

/// Returns the resident memory of this process, in bytes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

#[test]
fn a_tree_that_is_no_tree() {
    for (name, sql) in large() {
        let sql = format!("SELECT 1; {sql}");
        let error = pg_ast::parse(&sql).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::TooLarge, "{name}");
        assert_eq!(error.cursor(), Some(10), "{name}");
        let max = |bytes: usize| {
            let (short, long) = (bytes.clamp(1_024, 16_384), bytes.max(16_384));
            28_672 + 64 * (short - 1_024) + 16 * (long - 16_384)
        };
        let max = max(sql.len());
        assert_eq!(error.message(), format!("the tree has more than {max} nodes"), "{name}");
        // Calls that parse as a first step.
        assert_eq!(pg_ast::summary(&sql, None).expect_err(name).kind(), ErrorKind::TooLarge);
        let script = pg_ast::parse_script(&sql);
        let error = script[1].result.as_ref().expect_err(name);
        assert_eq!((error.kind(), error.cursor()), (ErrorKind::TooLarge, Some(10)), "{name}");
        // The parser alone makes trees as large as the SQL.
        assert_eq!(pg_ast::check(&sql), Ok(Vec::new()), "{name}");
        assert!(pg_ast::reformat(&sql, pg_ast::DeparseOptions::default()).is_ok(), "{name}");
    }
    assert!(resident() < 2 << 30, "{}", resident());
}

/// Calls that read the C tree itself.
#[test]
fn fingerprint_and_normalize() {
    for (name, sql) in large() {
        let fingerprint = pg_ast::fingerprint(&sql);
        // A constant does not count in a fingerprint, and what is too deep does not, either.
        if matches!(name, "1,000 columns, 1 MB" | "two columns, 20 levels") {
            assert!(fingerprint.is_ok(), "{name}");
        } else {
            let error = fingerprint.expect_err(name);
            assert_eq!((error.kind(), error.cursor()), (ErrorKind::TooLarge, Some(0)), "{name}");
        }
        // The source of several columns is walked once, but not by libpg_query.
        assert!(pg_ast::normalize(&sql).is_ok(), "{name}");
        // One constant, at one place.
        if name != "1,000 columns, 1 MB" {
            let options = NormalizeOptions::default().as_libpg_query(true);
            let error =
                pg_ast::normalize_with(&sql, ParserOptions::default(), options).expect_err(name);
            assert_eq!(error.kind(), ErrorKind::TooLarge, "{name}: {error}");
        }
    }
    // GROUP BY needs the fingerprints of all targets.
    let select = format!("SELECT ({}), a FROM t GROUP BY a", nested_assignments(10, 7));
    assert_eq!(pg_ast::normalize(&select).unwrap_err().kind(), ErrorKind::TooLarge);
}

/// A configured limit is exact, and applies to each call that takes settings.
#[test]
fn max_nodes() {
    let sql = "SELECT a, 1 FROM t WHERE b IN (1, 2); DROP TABLE a, b.c";
    let accepts = |max| pg_ast::parse_with(sql, ParserOptions::default().max_nodes(max)).is_ok();
    let max = (1..100).find(|max| accepts(*max)).expect("less than a hundred nodes");
    assert!((max..100).all(accepts));
    // Lists are nodes, too: four in the first statement, three in the second.
    assert!(max > pg_ast::parse(sql).unwrap().nodes().count(), "{max}");

    let options = ParserOptions::default().max_nodes(5);
    let error = pg_ast::fingerprint_with(sql, options, FingerprintOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert_eq!(error.message(), "the tree has more than 5 nodes");
    let error = pg_ast::normalize_with(sql, options, NormalizeOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert_eq!(error.message(), "the tree has more than 5 nodes");

    // With more than the default, a tree that the default rejects is returned, with the source for each column.
    let sql = flat_assignment(600);
    assert_eq!(pg_ast::parse(&sql).unwrap_err().kind(), ErrorKind::TooLarge);
    let options = ParserOptions::default().max_nodes(usize::MAX);
    let tree = pg_ast::parse_with(&sql, options).expect("as many nodes as it likes");
    let debug = format!("{:?}", tree.protobuf);
    assert_eq!(debug.matches("RowExpr {").count(), 600);
    // A walk visits it once.
    let rows = tree.nodes().filter(|node| matches!(node, NodeRef::RowExpr(_))).count();
    assert_eq!(rows, 1);
    assert_eq!(
        pg_ast::fingerprint_with(&sql, options, FingerprintOptions::default()),
        Ok(tree.fingerprint())
    );
    assert!(pg_ast::normalize_with(&sql, options, NormalizeOptions::default()).is_ok());
}

/// Returns the largest number of columns that can be assigned by default.
fn most(assign: impl Fn(usize) -> String) -> usize {
    let counts: Vec<_> = (1..1_000).collect();
    counts.partition_point(|count| pg_ast::parse(&assign(*count)).is_ok())
}

/// A short text has few nodes, however they are shared; and as many columns can be assigned as in LIMITS.md.
#[test]
fn short_texts() {
    for (columns, levels) in [(2, 4), (2, 11), (2, 18), (3, 8), (3, 16), (10, 4), (10, 9), (40, 3)]
    {
        let sql = nested_assignments(columns, levels).replace(", ", ",");
        if let Ok(tree) = pg_ast::parse(&sql) {
            // A node is encoded in two bytes or more.
            let bytes = pg_ast::prost::Message::encoded_len(&tree.protobuf);
            assert!(
                bytes < 32 * 20 * sql.len() + 20_000,
                "{columns} columns, {levels} levels: {bytes}"
            );
        }
        // What only prints, and what only walks, does not depend on the number of copies.
        if let Ok(tree) = pg_ast::view::parse(&sql) {
            assert!(tree.nodes().count() <= sql.len(), "{columns} columns, {levels} levels");
        }
    }
    let row = |value: &'static str| {
        move |count: usize| {
            let columns: Vec<_> = (0..count).map(|n| format!("customer_{n}")).collect();
            let values: Vec<_> = (0..count).map(|n| format!("{value}{n}")).collect();
            format!("UPDATE t SET ({}) = ROW ({})", columns.join(", "), values.join(", "))
        }
    };
    let found = [most(flat_assignment), most(row("previous_")), most(row("$1"))];
    println!("columns with short names, with longer names, and from parameters: {found:?}");
    assert!(found[0] >= 80 && found[1] >= 450 && found[2] >= 600, "{found:?}");
    // A row of parameters, for the shortest names.
    let (columns, values): (Vec<_>, Vec<_>) =
        (0..100).map(|n| (format!("c{n:02}"), format!("${}", n + 1))).unzip();
    let sql = format!("UPDATE t SET ({}) = ROW ({})", columns.join(", "), values.join(", "));
    assert!(sql.len() <= 1_024 && pg_ast::parse(&sql).is_ok());
    assert!(pg_ast::fingerprint(&sql).is_ok() && pg_ast::normalize(&sql).is_ok());
}

/// SQL in which every byte makes as many nodes as possible is far from the limit.
#[test]
fn honest_texts() {
    type Shape = (&'static str, &'static str, &'static str);
    let shapes: [Shape; 14] = [
        ("SELECT a", "+a", ""),
        ("SELECT a", ",a", ""),
        ("SELECT *", ",*", ""),
        ("SELECT ", "+", "a"),
        ("SELECT a", "::a", ""),
        ("SELECT a", "::bit", ""),
        ("SELECT a", "[a]", ""),
        ("SELECT a", "::a[]", ""),
        ("DROP FUNCTION f(a", ",a", ")"),
        ("DROP FUNCTION f(bit", ",bit", ")"),
        ("COMMENT ON AGGREGATE f(a ORDER BY a", ",a", ") IS 'x'"),
        ("CREATE RECURSIVE VIEW v(a", ",a", ") AS SELECT 1"),
        ("TABLE a", ";TABLE a", ""),
        ("VALUES(1)", ",(1)", ""),
    ];
    let mut most = (0, 0);
    for (start, again, end) in shapes {
        let sql = format!("{start}{}{end}", again.repeat(1_000));
        let accepts = |max| {
            let options = ParserOptions::default().max_depth(50_000).max_nodes(max);
            pg_ast::parse_with(&sql, options).is_ok()
        };
        // Tenths of a node per byte, without the few at the start.
        let tenths: Vec<_> = (1..100).collect();
        let tenths = tenths.partition_point(|tenths| !accepts(tenths * sql.len() / 10 + 30)) + 1;
        let options = ParserOptions::default().max_depth(50_000);
        let bytes = pg_ast::parse_with(&sql, options).expect("parses").heap_size() / sql.len();
        println!("{again:10} {tenths:3} tenths of a node, {bytes:4} bytes of heap for each byte");
        most = (most.0.max(tenths), most.1.max(bytes));
    }
    // As in LIMITS.md, rounded up.
    assert_eq!((most.0, most.1.next_multiple_of(10)), (35, 210));

    let mut sql = "SELECT 1 WHERE a IN (1".to_owned();
    for number in 0..1_000_000 {
        write!(sql, ", {number}").unwrap();
    }
    sql += ")";
    assert!(pg_ast::parse(&sql).is_ok() && pg_ast::fingerprint(&sql).is_ok());
    assert!(pg_ast::normalize(&sql).is_ok());
}

#[test]
fn max_bytes() {
    let options = ParserOptions::default().max_bytes(12);
    let cases = [
        ("SELECT 'abc'", None),
        ("SELECT 'abcd'", Some(12)),
        // Inside of a character.
        ("SELECT 'abc\u{1F418}'", Some(11)),
        // Before all other errors: a NUL, a syntax error.
        ("SELECT 'a\0bcdef'", Some(12)),
        ("FROM FROM FROM", Some(12)),
    ];
    for (sql, cursor) in cases {
        let error = pg_ast::parse_with(sql, options).err();
        assert_eq!(error.as_ref().map(pg_ast::Error::cursor), cursor.map(Some), "{sql:?}");
        let fingerprint = pg_ast::fingerprint_with(sql, options, FingerprintOptions::default());
        assert_eq!(fingerprint.err(), error, "{sql:?}");
        assert_eq!(
            pg_ast::normalize_with(sql, options, NormalizeOptions::default()).err(),
            error,
            "{sql:?}"
        );
        if let Some(error) = error {
            assert_eq!(error.kind(), ErrorKind::TooLarge);
            assert_eq!(error.message(), "the text is longer than 12 bytes");
        }
    }

    // The default is 64 MiB.
    let mut sql = format!("SELECT 1{}", " ".repeat((64 << 20) - 8));
    assert!(pg_ast::check(&sql).is_ok());
    sql.push(' ');
    let too_large = |result: Option<pg_ast::Error>| {
        let error = result.expect("too large");
        assert_eq!((error.kind(), error.cursor()), (ErrorKind::TooLarge, Some(64 << 20)));
    };
    too_large(pg_ast::check(&sql).err());
    too_large(pg_ast::parse(&sql).err());
    too_large(pg_ast::parse_expr(&sql).err());
    too_large(pg_ast::fingerprint(&sql).err());
    too_large(pg_ast::normalize(&sql).err());
    too_large(pg_ast::normalize_utility(&sql).err());
    too_large(pg_ast::reformat(&sql, pg_ast::DeparseOptions::default()).err());
    too_large(pg_ast::summary(&sql, None).err());
    too_large(pg_ast::is_utility_stmt(&sql).err());
    too_large(pg_ast::split_with_parser(&sql).err());
    // A script is not one input of the parser, and input that is only scanned is not parsed.
    assert!(pg_ast::parse_script(&sql)[0].result.is_ok());
    assert!(pg_ast::scan(&sql).is_ok());
    let options = ParserOptions::default().max_bytes(usize::MAX);
    assert!(pg_ast::parse_with(&sql, options).is_ok());
}

/// PostgreSQL's own limit for a text that it puts together, a gigabyte.
#[test]
fn printed_texts() {
    let levels = 250;
    let sql = format!("{}SELECT 1{}", "SELECT a FROM (".repeat(levels), ") t".repeat(levels));
    let tree = pg_ast::parse(&sql).expect("parses");
    let indented = |spaces| {
        let options = pg_ast::DeparseOptions::default().pretty_print(true);
        tree.deparse_with(options.indent_size(spaces))
    };
    assert!(indented(100).is_ok());
    let error = indented(u16::MAX).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
}

/// No statement of the corpora is near a limit.
#[test]
fn corpora() {
    let (mut parsed, mut ratios) = (0, Vec::new());
    for sql in common::corpus::statements() {
        let options = ParserOptions::default().max_depth(400).max_nodes(4 * sql.len() + 100);
        match pg_ast::parse_with(&sql, options) {
            Ok(tree) => {
                parsed += 1;
                ratios.push(tree.heap_size() / sql.len());
            }
            Err(error) => assert_ne!(error.kind(), ErrorKind::TooLarge, "{sql}"),
        }
    }
    assert!(parsed > 35_000, "{parsed}");
    // As in LIMITS.md for nine statements in ten.
    ratios.sort_unstable();
    let usual = (ratios[parsed / 20], ratios[parsed - parsed / 20]);
    println!("{} to {} bytes of heap for each byte", usual.0, usual.1);
    assert!(usual.0 >= 3 && usual.1 <= 35, "{usual:?}");
}

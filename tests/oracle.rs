//! Over the whole of PostgreSQL's regression SQL, ours is what libpg_query's own Protobuf route
//! makes: the same trees, the same texts, the same errors.

mod common;

use common::corpus;
use common::oracle::{self, Options};
use pg_ast::{ErrorKind, ParseResult};

/// What a statement turned out to be.
#[derive(Default)]
struct Counts {
    statements: usize,
    syntax_errors: usize,
    deparse_errors: usize,
    /// The deparser would dereference NULL: libpg_query's own ends the process, so it is not asked.
    null: usize,
    /// An assertion of the C deparser fails. libpg_query's own is compiled without, and prints.
    assertions: Vec<String>,
    /// The text parses to the same tree.
    kept: usize,
    differences: Vec<String>,
}

#[test]
fn regression_statements() {
    let statements = corpus::statements();
    let half = statements.len() / 2;
    let (first, second) = statements.split_at(half);
    let counts = std::thread::scope(|scope| {
        let other = scope.spawn(|| check(second));
        let mut counts = check(first);
        let other = other.join().expect("no panic");
        counts.statements += other.statements;
        counts.syntax_errors += other.syntax_errors;
        counts.deparse_errors += other.deparse_errors;
        counts.null += other.null;
        counts.kept += other.kept;
        counts.assertions.extend(other.assertions);
        counts.differences.extend(other.differences);
        counts
    });
    report("regression SQL", &counts);
    assert!(counts.statements > 41_000, "{}", counts.statements);
    assert!(counts.kept > 35_000, "{}", counts.kept);
}

#[test]
fn own_statements() {
    let mut statements = Vec::new();
    for (path, sql) in corpus::own() {
        let tree = pg_ast::parse(&sql).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        for stmt in &tree.protobuf.stmts {
            let start = usize::try_from(stmt.stmt_location).expect("a location");
            let len = usize::try_from(stmt.stmt_len).expect("a length");
            statements.push(sql[start..start + len].to_owned());
        }
    }
    let counts = check(&statements);
    report("own statements", &counts);
    assert!(counts.statements >= 1_400, "{}", counts.statements);
    assert_eq!(counts.syntax_errors, 0);
}

fn report(name: &str, counts: &Counts) {
    println!(
        "{name}: {} statements, of which {} do not parse, {} do not print, {} would dereference \
         NULL, {} fail an assertion of the deparser; {} keep their tree; {} differences",
        counts.statements,
        counts.syntax_errors,
        counts.deparse_errors,
        counts.null,
        counts.assertions.len(),
        counts.kept,
        counts.differences.len(),
    );
    for assertion in &counts.assertions {
        println!("assertion: {assertion}");
    }
    for difference in counts.differences.iter().take(20) {
        println!("{difference}\n");
    }
    assert!(counts.differences.is_empty(), "{} differences", counts.differences.len());
}

fn check(statements: &[String]) -> Counts {
    let mut counts = Counts::default();
    for sql in statements {
        counts.statements += 1;
        match (pg_ast::parse(sql), oracle::parse(sql, 0)) {
            (Ok(ours), Ok(theirs)) => {
                if ours.protobuf != theirs {
                    counts
                        .differences
                        .push(format!("tree of {sql}\n{:?}\n{theirs:?}", ours.protobuf));
                }
                check_text(sql, &ours, &mut counts);
            }
            (Err(ours), Err(theirs)) => {
                counts.syntax_errors += 1;
                let source = ours.source_location().expect("C says where");
                let ours = oracle::Error {
                    message: ours.message().to_owned(),
                    function: source.function.clone(),
                    file: source.file.clone(),
                    line: source.line,
                    cursor: ours.cursor().map_or(0, |offset| sql[..offset].chars().count() + 1),
                };
                // The symbols' prefix is in __func__, too.
                let function = theirs.function.trim_start_matches("pg18_").to_owned();
                let theirs = oracle::Error { function, ..theirs };
                if ours != theirs {
                    counts.differences.push(format!("error of {sql}\n{ours:?}\n{theirs:?}"));
                }
            }
            (ours, theirs) => {
                let (ours, theirs) = (ours.map(|_| "a tree"), theirs.map(|_| "a tree"));
                counts.differences.push(format!("{sql}\n{ours:?}\n{theirs:?}"));
            }
        }
    }
    counts
}

fn check_text(sql: &str, tree: &ParseResult, counts: &mut Counts) {
    let ours = pg_ast::deparse(tree);
    if let Err(error) = &ours {
        assert_eq!(error.kind(), ErrorKind::Deparse, "{sql}\n{error:?}");
        if error.message().contains("NULL where there must be") {
            counts.null += 1;
            return;
        }
    }
    match (ours, oracle::deparse(&tree.protobuf, Options::default())) {
        (Ok(ours), Ok(theirs)) if ours == theirs => {
            let again = pg_ast::parse(&ours);
            let kept = again.is_ok_and(|again| {
                common::without_locations(&again) == common::without_locations(tree)
            });
            counts.kept += usize::from(kept);
        }
        (Err(ours), Err(theirs)) if ours.message() == theirs.message => counts.deparse_errors += 1,
        (Err(ours), Ok(theirs)) if ours.message().starts_with("deparse: malformed tree: ") => {
            // Rightly so: what is printed without the assertion is another statement, or none.
            let again = pg_ast::parse(&theirs);
            let kept = again.is_ok_and(|again| {
                common::without_locations(&again) == common::without_locations(tree)
            });
            let case = format!("{} in {sql}\n    {theirs}", ours.message());
            if kept { &mut counts.differences } else { &mut counts.assertions }.push(case);
        }
        (ours, theirs) => counts.differences.push(format!("text of {sql}\n{ours:?}\n{theirs:?}")),
    }
}

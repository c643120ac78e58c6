//! Over the whole of PostgreSQL's regression SQL, ours is what libpg_query's own Protobuf route
//! makes: the same trees, the same texts, the same errors.

use pg_ast::ErrorKind;

use super::pg::{self, ParseResult};
use super::{NAME, c_route};
use crate::common::mends::{Mend, Theirs, mends};
use crate::common::{corpus, without_locations};

/// Statements where an assertion of the C deparser fails. Without assertions it prints another
/// statement, or what is none; we give an error. Not every version knows, or gets wrong, all of them.
const ASSERTIONS: &[(&str, &str)] = &[
    // deparseAlterExtensionContentsStmt has no word for these types of object, and leaves all out.
    ("ALTER EXTENSION e ADD INDEX sch.i", "ALTER EXTENSION e ADD"),
    ("ALTER EXTENSION e ADD STATISTICS sch.st", "ALTER EXTENSION e ADD"),
    ("ALTER EXTENSION e ADD PUBLICATION p", "ALTER EXTENSION e ADD"),
    ("ALTER EXTENSION e ADD SUBSCRIPTION s", "ALTER EXTENSION e ADD"),
    ("ALTER EXTENSION e ADD ROLE r", "ALTER EXTENSION e ADD"),
    ("ALTER EXTENSION e ADD DATABASE d", "ALTER EXTENSION e ADD"),
    ("ALTER EXTENSION e ADD TABLESPACE ts", "ALTER EXTENSION e ADD"),
    // deparseSeqOptElem does not know the option, and leaves it out.
    ("CREATE SEQUENCE s AS bigint MINVALUE +1 LOGGED", "CREATE SEQUENCE s AS bigint MINVALUE 1"),
    ("CREATE SEQUENCE s UNLOGGED", "CREATE SEQUENCE s"),
    // deparsePrivilegeTarget does not know parameters, and leaves them out.
    (
        "GRANT SET, ALTER SYSTEM ON PARAMETER work_mem, x.y TO r",
        "GRANT set, \"alter system\" ON  TO r",
    ),
    // deparseXmlExpr takes each version for a constant.
    (
        "SELECT xmlroot(x, VERSION '1.0'), xmlroot(x, VERSION NO VALUE), xmlroot(x, VERSION '1.1', \
         STANDALONE YES), xmlroot(x, VERSION NO VALUE, STANDALONE NO), xmlroot(x, VERSION a || b, \
         STANDALONE NO VALUE) FROM t",
        "SELECT xmlroot(x, version '1.0'), xmlroot(x, version NO VALUE), xmlroot(x, version '1.1', \
         STANDALONE YES), xmlroot(x, version NO VALUE, STANDALONE NO), xmlroot(x, version NO VALUE, \
         STANDALONE NO VALUE) FROM t",
    ),
    // deparseCopyStmt prints FORMAT's value where an option beside it is one of these.
    (
        "COPY x to stdin (format TEXT, force_quote(a))",
        "COPY x TO STDOUT WITH (FORMAT , FORCE_QUOTE (a))",
    ),
    (
        "COPY x to stdout (format TEXT, force_not_null(a))",
        "COPY x TO STDOUT WITH (FORMAT , FORCE_NOT_NULL (a))",
    ),
    (
        "COPY x to stdout (format TEXT, force_null(a))",
        "COPY x TO STDOUT WITH (FORMAT , FORCE_NULL (a))",
    ),
];

/// How many statements are what, by version.
struct Expected {
    version: &'static str,
    regression: Exceptions,
    own: Exceptions,
}

#[derive(Debug, PartialEq)]
struct Exceptions {
    syntax_errors: usize,
    deparse_errors: usize,
    /// ROLLBACK PREPARED '' and CREATE DEFAULT CONVERSION .. TO '': the grammar's empty string is a
    /// null pointer where the deparser wants a string.
    null: usize,
    assertions: usize,
    lost: usize,
}

const fn exceptions(
    syntax_errors: usize,
    deparse_errors: usize,
    null: usize,
    assertions: usize,
    lost: usize,
) -> Exceptions {
    Exceptions { syntax_errors, deparse_errors, null, assertions, lost }
}

const EXPECTED: [Expected; 4] = [
    Expected {
        version: "pg15",
        regression: exceptions(950, 0, 0, 0, 0),
        own: exceptions(114, 0, 0, 0, 0),
    },
    Expected {
        version: "pg16",
        regression: exceptions(788, 0, 0, 0, 0),
        own: exceptions(68, 0, 0, 0, 0),
    },
    Expected {
        version: "pg17",
        regression: exceptions(786, 0, 0, 0, 0),
        own: exceptions(21, 0, 0, 0, 0),
    },
    Expected {
        version: "pg18",
        regression: exceptions(786, 0, 0, 0, 0),
        own: exceptions(0, 0, 0, 0, 0),
    },
];

/// What a statement turned out to be.
#[derive(Default)]
struct Counts {
    statements: usize,
    syntax_errors: usize,
    deparse_errors: usize,
    /// The deparser would dereference NULL: libpg_query's own ends the process, so it is not asked.
    null: usize,
    /// An assertion of the C deparser fails. libpg_query's own is compiled without, and prints:
    /// the statement, and that.
    assertions: Vec<(String, String)>,
    /// The text parses to the same tree.
    kept: usize,
    /// The text parses to another tree, or not at all, and is libpg_query's own to the letter: the
    /// statement and the text.
    lost: Vec<(String, String)>,
    /// The text parses to the same tree, and is not libpg_query's, which is wrong: both are in the
    /// table of mends.
    mended: usize,
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
        counts.mended += other.mended;
        counts.lost.extend(other.lost);
        counts.assertions.extend(other.assertions);
        counts.differences.extend(other.differences);
        counts
    });
    report("regression SQL", &counts, |expected| &expected.regression);
    assert!(counts.statements > 84_000, "{}", counts.statements);
}

#[test]
fn own_statements() {
    let counts = check(&corpus::own_statements());
    report("own statements", &counts, |expected| &expected.own);
    assert!(counts.statements >= 1_400, "{}", counts.statements);
}

/// The table says what both print. What it says of libpg_query is wrong, and of us right.
#[test]
fn mends_are_as_listed() {
    let mends = mends(NAME);
    let mut sqls: Vec<_> = mends.iter().map(|mend| &mend.sql).collect();
    sqls.sort();
    sqls.dedup();
    assert_eq!(sqls.len(), mends.len(), "a statement is listed twice");
    for Mend { sql, theirs, ours, .. } in &mends {
        let tree = pg::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert_eq!(pg::deparse(&tree).as_deref(), Ok(ours.as_str()), "{sql}");
        assert!(keeps(&tree, ours), "{sql}\n{ours}");
        match theirs {
            Theirs::Null => {}
            Theirs::Error(message) => {
                let error = c_route::deparse(&tree.protobuf, c_route::options());
                assert!(
                    error.is_err_and(|error| without_folder(&error.message) == *message),
                    "{sql}"
                );
            }
            Theirs::Text(text) => {
                let printed = c_route::deparse(&tree.protobuf, c_route::options());
                assert_eq!(printed.as_deref(), Ok(text.as_str()), "{sql}");
                assert!(!keeps(&tree, text), "{sql}\n{text}");
            }
        }
    }
}

/// Whether a text parses to a tree again, locations aside.
fn keeps(tree: &ParseResult, text: &str) -> bool {
    pg::parse(text)
        .is_ok_and(|again| without_locations(&again.protobuf) == without_locations(&tree.protobuf))
}

/// A message without the folder of the C file that it names, which is that of the stock build.
fn without_folder(message: &str) -> String {
    let folder = message.rfind('/').and_then(|end| Some((message[..end].rfind('(')?, end)));
    match folder {
        Some((start, end)) => message[..=start].to_owned() + &message[end + 1..],
        None => message.to_owned(),
    }
}

fn report(name: &str, counts: &Counts, which: impl Fn(&Expected) -> &Exceptions) {
    println!(
        "{NAME}, {name}: {} statements, of which {} do not parse, {} do not print, {} would dereference \
         NULL, {} fail an assertion of the deparser; {} keep their tree, {} more by a mend, {} do not; \
         {} differences",
        counts.statements,
        counts.syntax_errors,
        counts.deparse_errors,
        counts.null,
        counts.assertions.len(),
        counts.kept,
        counts.mended,
        counts.lost.len(),
        counts.differences.len(),
    );
    for (sql, text) in &counts.assertions {
        println!("fails an assertion: {sql}\n    without, it is: {text}");
    }
    for (sql, text) in &counts.lost {
        println!("becomes another statement: {sql}\n    {text}");
    }
    for difference in counts.differences.iter().take(20) {
        println!("{difference}\n");
    }
    assert!(counts.differences.is_empty(), "{} differences", counts.differences.len());
    for (sql, text) in &counts.assertions {
        let known = |&(known, printed): &(&str, &str)| {
            known == sql.trim_end_matches(';') && printed.trim_end() == text.trim_end()
        };
        assert!(ASSERTIONS.iter().any(known), "{sql}\n{text}");
    }
    let found = exceptions(
        counts.syntax_errors,
        counts.deparse_errors,
        counts.null,
        counts.assertions.len(),
        counts.lost.len(),
    );
    let expected = EXPECTED.iter().find(|expected| expected.version == NAME).expect("a version");
    assert_eq!(&found, which(expected));
}

fn check(statements: &[String]) -> Counts {
    let mut counts = Counts::default();
    let mends = mends(NAME);
    for sql in statements {
        counts.statements += 1;
        match (pg::parse(sql), c_route::parse(sql, 0)) {
            (Ok(ours), Ok(theirs)) => {
                if ours.protobuf != theirs {
                    counts
                        .differences
                        .push(format!("tree of {sql}\n{:?}\n{theirs:?}", ours.protobuf));
                }
                check_text(sql, &ours, &mends, &mut counts);
            }
            (Err(ours), Err(theirs)) => {
                counts.syntax_errors += 1;
                let source = ours.source_location().expect("C says where");
                let ours = c_route::Error {
                    message: ours.message().to_owned(),
                    function: source.function.clone(),
                    file: source.file.clone(),
                    line: source.line,
                    cursor: ours.cursor().map_or(0, |offset| sql[..offset].chars().count() + 1),
                };
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

fn check_text(sql: &str, tree: &ParseResult, mends: &[Mend], counts: &mut Counts) {
    let ours = pg::deparse(tree);
    if let Err(error) = &ours {
        assert_eq!(error.kind(), ErrorKind::Deparse, "{sql}\n{error:?}");
        if error.message().contains("NULL where there must be") {
            counts.null += 1;
            return;
        }
    }
    if let Ok(text) = &ours {
        let is_null = |mend: &Mend| mend.theirs == Theirs::Null && mend.ours == *text;
        if mends.iter().any(is_null) {
            assert!(keeps(tree, text), "{sql}\n{text}");
            counts.mended += 1;
            return;
        }
    }
    match (ours, c_route::deparse(&tree.protobuf, c_route::options())) {
        (Ok(ours), Ok(theirs)) if ours == theirs => {
            if keeps(tree, &ours) {
                counts.kept += 1;
            } else {
                counts.lost.push((sql.to_owned(), ours));
            }
        }
        (Ok(ours), theirs) => {
            let theirs = match theirs {
                Ok(text) => Theirs::Text(text),
                Err(error) => Theirs::Error(without_folder(&error.message)),
            };
            let is_listed = |mend: &Mend| mend.theirs == theirs && mend.ours == ours;
            if mends.iter().any(is_listed) && keeps(tree, &ours) {
                counts.mended += 1;
            } else {
                counts.differences.push(format!("text of {sql}\n{ours}\n{theirs:?}"));
            }
        }
        (Err(ours), Err(theirs)) if ours.message() == without_folder(&theirs.message) => {
            counts.deparse_errors += 1;
        }
        (Err(ours), Ok(theirs)) if ours.message().starts_with("deparse: malformed tree: ") => {
            // Rightly so: what is printed without the assertion is another statement, or none.
            if keeps(tree, &theirs) {
                counts.differences.push(format!("{} in {sql}\n{theirs}", ours.message()));
            } else {
                counts.assertions.push((sql.to_owned(), theirs));
            }
        }
        (ours, theirs) => counts.differences.push(format!("text of {sql}\n{ours:?}\n{theirs:?}")),
    }
}

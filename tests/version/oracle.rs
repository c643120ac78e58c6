//! For PostgreSQL's entire regression SQL, our results equal those of libpg_query's
//! own Protobuf route: the same trees, the same SQL, the same errors.

use super::pg::{self, ParseResult};
use super::{MAJOR, NAME, c_route};
use crate::common::patched::{PatchedText, Theirs, patched_texts};
use crate::common::{corpus, without_locations};
use pg_ast::{Error, ParserOptions};

/// The number of statements that a version's grammar rejects.
struct Refused {
    /// The first version that this applies to.
    since: u32,
    regression: usize,
    own: usize,
}

const REFUSED: [Refused; 4] = [
    Refused { since: 15, regression: 517, own: 114 },
    Refused { since: 16, regression: 349, own: 68 },
    Refused { since: 17, regression: 348, own: 21 },
    Refused { since: 18, regression: 348, own: 0 },
];

/// The numbers of statements by result.
#[derive(Default)]
struct Counts {
    /// Both return the same error.
    refused: usize,
    /// The SQL equals libpg_query's, and parses to the same tree.
    kept: usize,
    /// The SQL parses to the same tree, and differs from
    /// libpg_query's, which is wrong: both are in the table of patched texts.
    patched: usize,
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
        counts.refused += other.refused;
        counts.kept += other.kept;
        counts.patched += other.patched;
        counts.differences.extend(other.differences);
        counts
    });
    assert!(statements.len() > 35_800, "{}", statements.len());
    report("regression SQL", &statements, &counts, |refused| refused.regression);
}

#[test]
fn own_statements() {
    let statements = corpus::own_statements();
    assert!(statements.len() >= 1_390, "{}", statements.len());
    report("own statements", &statements, &check(&statements), |refused| refused.own);
    let normalized: Vec<_> = corpus::NORMALIZED.iter().map(|sql| (*sql).to_owned()).collect();
    report("normalized SQL", &normalized, &check(&normalized), |_| 0);
}

/// The table has the output of both. That of libpg_query is wrong, and ours is right.
#[test]
fn patched_texts_are_as_listed() {
    let patched = patched_texts(NAME);
    let mut sqls: Vec<_> = patched.iter().map(|entry| &entry.sql).collect();
    sqls.sort();
    sqls.dedup();
    assert_eq!(sqls.len(), patched.len(), "a statement is listed twice");
    for PatchedText { sql, theirs, ours, .. } in &patched {
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

/// `OPERATOR(-)` before a number is not the sign of the number, whatever is around it.
#[test]
fn operators_before_numbers() {
    for before in ["OPERATOR(-)", "OPERATOR(+)", "OPERATOR(s.-)", "OPERATOR(*)", "-", "@"] {
        for number in ["4", "4.5", "x", "4::int", "NULL", "'4'"] {
            let expr = format!("{before} {number}");
            let places = [
                format!("({expr}) + 2, x - ({expr}), ({expr}) * 2, {expr} + 2, 2 ^ ({expr})"),
                format!("({expr})::int, - ({expr}), ({expr}) COLLATE \"C\", ({expr}) IS NULL"),
                format!("a[{expr}], ({expr})[1], ({expr}) BETWEEN {expr} AND ({expr}) + 1"),
                format!("{expr} OPERATOR(-) 5, NOT {expr}, ({expr}) AT TIME ZONE 'x', f({expr})"),
            ];
            for place in places {
                let sql = format!("SELECT {place}");
                let tree = pg::parse(&sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
                let printed = pg::deparse(&tree).unwrap_or_else(|error| panic!("{sql}: {error}"));
                assert!(keeps(&tree, &printed), "{NAME}: {sql}\n{printed}");
            }
        }
    }
}

/// Parses SQL with the grammar of libpg_query, which is that for normalized SQL.
fn as_theirs(sql: &str) -> Result<ParseResult, Error> {
    pg::parse_with(sql, ParserOptions::default().normalized(true))
}

/// Returns whether SQL parses to a tree again, apart from locations.
fn keeps(tree: &ParseResult, text: &str) -> bool {
    as_theirs(text)
        .is_ok_and(|again| without_locations(&again.protobuf) == without_locations(&tree.protobuf))
}

/// Returns a message without the folder of its C file, which is that of the stock build.
fn without_folder(message: &str) -> String {
    let folder = message.rfind('/').and_then(|end| Some((message[..end].rfind('(')?, end)));
    match folder {
        Some((start, end)) => message[..=start].to_owned() + &message[end + 1..],
        None => message.to_owned(),
    }
}

fn report(name: &str, statements: &[String], counts: &Counts, refused: impl Fn(&Refused) -> usize) {
    println!(
        "{NAME}, {name}: {} statements, of which {} do not parse; {} keep their tree, {} more by a patch; \
         {} differences",
        statements.len(),
        counts.refused,
        counts.kept,
        counts.patched,
        counts.differences.len(),
    );
    for difference in counts.differences.iter().take(20) {
        println!("{difference}\n");
    }
    assert!(counts.differences.is_empty(), "{} differences", counts.differences.len());
    let expected = REFUSED.iter().rfind(|refused| refused.since <= MAJOR).expect("a version");
    assert_eq!(counts.refused, refused(expected));
    assert_eq!(counts.refused + counts.kept + counts.patched, statements.len());
}

fn check(statements: &[String]) -> Counts {
    let mut counts = Counts::default();
    let patched = patched_texts(NAME);
    for sql in statements {
        match (as_theirs(sql), c_route::parse(sql, 0)) {
            (Ok(ours), Ok(theirs)) => {
                if ours.protobuf != theirs {
                    counts
                        .differences
                        .push(format!("tree of {sql}\n{:?}\n{theirs:?}", ours.protobuf));
                }
                check_text(sql, &ours, &patched, &mut counts);
            }
            (Err(ours), Err(theirs)) => {
                counts.refused += 1;
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

fn check_text(sql: &str, tree: &ParseResult, patched: &[PatchedText], counts: &mut Counts) {
    let ours = pg::deparse(tree);
    if !ours.as_ref().is_ok_and(|text| keeps(tree, text)) {
        counts.differences.push(format!("another statement: {sql}\n{ours:?}"));
        return;
    }
    let ours = ours.unwrap_or_default();
    // libpg_query's deparser would dereference NULL, so it is not called.
    if patched.iter().any(|entry| entry.theirs == Theirs::Null && entry.ours == ours) {
        counts.patched += 1;
        return;
    }
    let theirs = match c_route::deparse(&tree.protobuf, c_route::options()) {
        Ok(text) => Theirs::Text(text),
        Err(error) => Theirs::Error(without_folder(&error.message)),
    };
    if theirs == Theirs::Text(ours.clone()) {
        counts.kept += 1;
    } else if patched.iter().any(|entry| entry.theirs == theirs && entry.ours == ours) {
        counts.patched += 1;
    } else {
        counts.differences.push(format!("text of {sql}\n{ours}\n{theirs:?}"));
    }
}

//! What the grammar accepts, beside servers: the regression SQL, and statements with parameters put in anywhere.
//!
//! A server is asked to prepare each statement, which runs nothing. Its scanner and its grammar come first: whether they
//! accept the statement, their message and its place are compared. Other releases of a version say some things otherwise:
//! `is_known` has these.
//!
//! ```text
//! GRAMMAR_ONLY=1 cargo test --test server
//! GRAMMAR_MUTANTS=200000 GRAMMAR_SEED=2 cargo test ..      # more statements
//! PG_BIN_18=/folder GRAMMAR_ONLY=1 cargo test --features pg15,pg16,pg17 ..   # with other servers
//! ```

use std::fmt::Write as _;

use pg_ast::Version;

use crate::common::corpus;
use crate::connection::{Fields, Server};
use crate::number;

/// The files of PostgreSQL that a mistake is found in before a statement is analyzed.
const FILES: [&str; 4] = ["gram.y", "scan.l", "parser.c", "scansup.c"];

/// Statements are sent in such parts, so that neither side waits with a full buffer.
const PART: usize = 50;

/// Compares each version for which there is a server.
pub fn main() -> Vec<String> {
    let mut mistakes = Vec::new();
    for version in Version::ALL {
        match Server::of(version.major()) {
            Ok(mut server) => mistakes.extend(compare(*version, &mut server)),
            Err(why) => println!("grammar of {}: not compared: {why}", version.major()),
        }
    }
    mistakes
}

fn compare(version: Version, server: &mut Server) -> Vec<String> {
    let mut statements = corpus::statements();
    statements.extend(corpus::own_statements());
    statements.retain(|sql| !sql.contains('\0'));
    let count = statements.len();
    statements.extend(mutants(&statements));

    let mut mistakes = Vec::new();
    let (mut refused, mut only_normalized) = (0, 0);
    for part in statements.chunks(PART) {
        for (sql, theirs) in part.iter().zip(server.prepare(part)) {
            let theirs = theirs.filter(|error| FILES.contains(&error.get(b'F')));
            let ours = version.check(sql).err();
            refused += usize::from(ours.is_some());
            let normalized = version.is_utility_stmt(sql).is_ok();
            only_normalized += usize::from(ours.is_some() && normalized);
            let ours = ours.map(|error| {
                let place = error.cursor().map(|place| sql[..place].chars().count() + 1);
                (error.message().to_owned(), place)
            });
            let theirs = theirs.as_ref().map(told);
            if ours != theirs && !is_known(version.major(), ours.as_ref(), theirs.as_ref()) {
                let mut text = String::new();
                write!(
                    text,
                    "grammar of {}: {sql}\n  server: {theirs:?}\n  ours: {ours:?}",
                    version.major()
                )
                .expect("writing to a String");
                mistakes.push(text);
            }
        }
    }
    println!(
        "grammar of {}: {count} statements and {} with parameters put in, of which {refused} are refused, \
         {only_normalized} of these only without the option for normalized SQL; {} differences",
        version.major(),
        statements.len() - count,
        mistakes.len()
    );
    mistakes
}

fn told(error: &Fields) -> (String, Option<usize>) {
    (error.get(b'M').to_owned(), error.number(b'P'))
}

type Told = (String, Option<usize>);

/// What later releases say otherwise than 15.1 and 16.1, which the parser is from.
fn is_known(major: u32, ours: Option<&Told>, theirs: Option<&Told>) -> bool {
    let message =
        |told: Option<&'_ Told>| told.map_or(String::new(), |(message, _)| message.clone());
    let (ours, theirs) = (message(ours), message(theirs));
    // A word after a number is quoted as a whole, and that of `1e5$1` has the exponent.
    let junk = theirs.starts_with("trailing junk after numeric literal")
        && (ours.starts_with("syntax error at or near \"$") || (major == 16 && !ours.is_empty()));
    let words = ours == format!("{theirs} at or near")
        || theirs == "FOREIGN KEY constraints cannot be marked NO INHERIT";
    // Sequences may be LOGGED, and an encoding is looked at later.
    let accepted = theirs.is_empty()
        && (ours.ends_with("LOGGED\"") || ours.starts_with("unrecognized JSON encoding"));
    major < 17 && (junk || words || accepted)
}

/// Puts parameters into statements, between tokens and for tokens.
fn mutants(statements: &[String]) -> Vec<String> {
    let mut state = number("GRAMMAR_SEED", 1) as u64 | 1;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below.max(1) as u64).expect("a small number")
    };
    let mut mutants = Vec::new();
    for _ in 0..number("GRAMMAR_MUTANTS", 20_000) {
        let sql = &statements[random(statements.len())];
        let tokens = pg_ast::scan_lossy(sql).scan.tokens;
        if tokens.is_empty() || sql.len() > 10_000 {
            continue;
        }
        let range = tokens[random(tokens.len())].range();
        let (before, token, after) = (&sql[..range.start], &sql[range.clone()], &sql[range.end..]);
        let parameter = format!("${}", 1 + random(3));
        mutants.push(match random(6) {
            0 | 1 => format!("{before}{parameter} {token}{after}"),
            2 | 3 => format!("{before}{token} {parameter} {after}"),
            4 => format!("{before}{parameter}{after}"),
            _ => format!("{before}{parameter}{token}{after}"),
        });
    }
    mutants
}

//! Misspelt names in the statements of a project: what the server does not find is a mistake, and what it accepts is none.

use pg_ast::view;
use pg_ast_names::{DdlCatalog, resolve};

use super::connection::Server;
use super::project_statements::{Statement, Tally, hash};

/// How many misspelt copies a statement has.
const COPIES: usize = 4;

/// The SQLSTATEs of names that mean nothing.
const ABSENT: [&str; 5] = ["42P01", "42703", "42883", "42704", "3F000"];

/// Returns the byte ranges of the words in SQL outside of strings and comments.
fn words(sql: &str) -> Vec<core::ops::Range<usize>> {
    let Ok(tokens) = pg_ast::scan(sql) else { return Vec::new() };
    let ranges = tokens.tokens.iter().filter_map(|token| {
        let range = usize::try_from(token.start).ok()?..usize::try_from(token.end).ok()?;
        let text = sql.get(range.clone())?;
        let is_word = text.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '"');
        let is_name = is_word && !text.starts_with(|it: char| it.is_ascii_digit());
        (is_name && text.trim_matches('"').len() > 1).then_some(range)
    });
    ranges.collect()
}

/// Returns a word with a letter twice.
fn misspelt(sql: &str, range: &core::ops::Range<usize>) -> Option<String> {
    let word = &sql[range.clone()];
    let place = word.len() / 2;
    let letter = word.get(place..=place)?;
    Some(format!(
        "{}{}{letter}{}{}",
        &sql[..range.start],
        &word[..place],
        &word[place..],
        &sql[range.end..]
    ))
}

pub fn compare(
    server: &mut Server,
    statement: &Statement<'_>,
    catalog: &DdlCatalog,
    tally: &mut Tally,
) {
    let sql = statement.sql;
    // Long statements have many names that are alike.
    if sql.len() > 20_000 {
        return;
    }
    let words = words(sql);
    let original = resolve(statement.tree, catalog);
    if !original.mistakes.is_empty() {
        let all: Vec<_> = original.mistakes.iter().map(ToString::to_string).collect();
        tally.wrong("names", format!("{all:?}, and it is accepted"));
        return;
    }
    tally.right("names");
    // The same ones for each version: by the text.
    let mut state = hash(sql);
    let mut copies = 0;
    for _ in 0..COPIES * 6 {
        if words.is_empty() || copies == COPIES {
            break;
        }
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let place = usize::try_from(state >> 33).expect("31 bits") % words.len();
        let Some(copy) = misspelt(sql, &words[place]) else { continue };
        let Ok(tree) = view::parse(&copy) else { continue };
        copies += 1;
        server.query("BEGIN").expect("a transaction begins");
        let error = server.query(&copy).err();
        server.query("ROLLBACK").expect("it ends");
        let names = resolve(&tree, catalog);
        let word = &sql[words[place].clone()];
        let Some(error) = error else {
            let wrong = !names.mistakes.is_empty();
            let wrong = wrong
                .then(|| format!("{word}: {:?}, and it is accepted", names.mistakes[0].message));
            tally.answer("misspelt, accepted", wrong, None);
            continue;
        };
        if !ABSENT.contains(&error.get(b'C')) {
            continue;
        }
        let message = error.get(b'M');
        let part = if is_of_others(message) { "misspelt, other objects" } else { "misspelt" };
        if names.mistakes.is_empty() {
            if std::env::var_os("NAMES_ALL").is_some() {
                println!("missed: {message}: {}", statement.shortly());
            }
            tally.unknown(part, format!("{} {}", error.get(b'C'), shape(message)));
        } else {
            tally.right(part);
        }
    }
}

/// Returns whether a message is about an object that `resolve` does not look up: it is none of a schema, or a part of a table
/// other than a column.
fn is_of_others(message: &str) -> bool {
    const OTHERS: [&str; 18] = [
        "role ",
        "access method ",
        "unrecognized configuration parameter ",
        "extension ",
        "language ",
        "operator ",
        "collation ",
        "constraint ",
        "trigger ",
        "policy ",
        "rule ",
        "publication ",
        "server ",
        "foreign-data wrapper ",
        "text search ",
        "aggregate ",
        "database ",
        "tablespace ",
    ];
    OTHERS.iter().any(|start| message.starts_with(start))
}

/// Returns a message without its names.
fn shape(message: &str) -> String {
    let mut parts = message.split('"').enumerate();
    let text: String =
        parts.by_ref().map(|(place, part)| if place % 2 == 0 { part } else { ".." }).collect();
    text.split_once('(').map_or(text.clone(), |(before, _)| {
        before.split_whitespace().next().unwrap_or_default().to_owned()
    })
}

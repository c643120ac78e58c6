//! A script or a log, and what `pgast` makes of it.
//!
//! Each property is determined anew, and not by the code that the tools check themselves by. `pg_ast_cli/tests/tools/`
//! runs the same properties over the corpora and the inputs that were found.

pub mod digest;
pub mod format;
pub mod lint;
pub mod split;

use std::ops::Range;

/// What is wrong with a result, for a person.
pub type Result<T = ()> = std::result::Result<T, String>;

/// Runs all tools over an input. The first byte says what it is.
pub fn run(data: &[u8]) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let done = match digest::FORMATS.iter().find(|(letter, _)| letter == first) {
        Some((_, format)) => digest::of_log(format, rest),
        None => script(&String::from_utf8_lossy(rest)),
    };
    if let Err(what) = done {
        panic!("{what}");
    }
}

/// Runs all tools over a script.
pub fn script(script: &str) -> Result {
    split::of(script)?;
    format::of(script)?;
    lint::of(script)?;
    digest::of_script(script)
}

/// Returns an error unless the condition is met.
fn ensure(condition: bool, what: impl FnOnce() -> String) -> Result {
    if condition { Ok(()) } else { Err(what()) }
}

/// Returns the text before, between and after ranges.
fn between<'a>(text: &'a str, ranges: &[Range<usize>]) -> Vec<&'a str> {
    let starts = ranges.iter().map(|range| range.start).chain([text.len()]);
    let ends = [0].into_iter().chain(ranges.iter().map(|range| range.end));
    ends.zip(starts).map(|(end, start)| &text[end..start]).collect()
}

/// Returns the comments in SQL, without the blanks at their ends.
fn comments(sql: &str) -> Vec<&str> {
    let tokens = pg_ast::scan_lossy(sql).scan.tokens.into_iter().filter(|it| it.is_comment());
    tokens.map(|token| sql[token.range()].trim_end()).collect()
}

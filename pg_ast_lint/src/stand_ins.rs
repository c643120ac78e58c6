//! Variables of psql and placeholders of tools: a script is checked with what they may stand for.

use core::ops::Range;
use std::collections::{HashMap, HashSet};

use pg_ast::{Error, ScriptStmt};
use pg_ast_syntax::{Placeholders, Script, ScriptOptions, WrittenSql};

use crate::{Finding, Fix, Rule};

/// Returns a script with tokens in place of variables and placeholders, and its statements; `None` if it has none. `any` is any
/// statement.
pub(crate) fn written(
    script: &str,
    placeholders: Placeholders,
    any: &ScriptStmt,
) -> Option<(WrittenSql, Vec<ScriptStmt>)> {
    if !placeholders.may_be_in(script) {
        return None;
    }
    let options = ScriptOptions::default().placeholders(placeholders);
    let script = Script::parse_with(script, options).ok()?;
    let written = script.written();
    let stmts = written.has_replaced().then(|| stmts(&script, &written, any))?;
    Some((written, stmts))
}

/// Parses the statements that a script has, at their places in `written`.
///
/// A wrong statement, such as one with a quote too much, may seem to end elsewhere once those after it are correct: then it is
/// as it was checked, and all others are parsed without it.
fn stmts(script: &Script, written: &WrittenSql, any: &ScriptStmt) -> Vec<ScriptStmt> {
    let mut stmts = pg_ast::parse_script(written.text());
    if stmts.iter().all(|stmt| stmt.result.is_ok()) {
        return stmts;
    }
    let replaced: Vec<_> = written.replaced().collect();
    let place = |range: &Range<usize>| {
        written_place(&replaced, range.start)..written_place(&replaced, range.end)
    };
    let checked = script.check();
    let ends: HashMap<usize, usize> = stmts
        .iter()
        .filter(|stmt| stmt.result.is_err())
        .map(|stmt| (stmt.range.start, stmt.range.end))
        .collect();
    let wrong = checked.iter().filter_map(|stmt| {
        let (range, error) = (place(&stmt.range), stmt.result.as_ref().err()?);
        let is_there = ends.get(&range.start) == Some(&range.end);
        (!is_there).then(|| {
            let at = error.cursor().map(|at| written_place(&replaced, at));
            let mut wrong = any.clone();
            // What is expected there is not known: that error is of a text with other places.
            wrong.result = Err(Error::new(error.kind(), error.message()).with_cursor(at));
            wrong.copy_data = stmt.copy_data.as_ref().map(place);
            wrong.range = range;
            wrong
        })
    });
    let wrong: Vec<_> = wrong.collect();
    if !wrong.is_empty() {
        let mut text = written.text().as_bytes().to_vec();
        for range in
            wrong.iter().flat_map(|stmt| [Some(&stmt.range), stmt.copy_data.as_ref()]).flatten()
        {
            let bytes = text.get_mut(range.clone()).into_iter().flatten();
            bytes.filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        stmts = pg_ast::parse_script(&String::from_utf8_lossy(&text));
        stmts.extend(wrong);
        stmts.sort_by_key(|stmt| stmt.range.start);
    }
    stmts
}

/// Returns the place in SQL that is written with tokens of a place in the original.
fn written_place(replaced: &[(Range<usize>, Range<usize>)], original: usize) -> usize {
    let before = replaced.partition_point(|(it, _)| it.start <= original);
    match before.checked_sub(1).and_then(|it| replaced.get(it)) {
        Some((it, written)) if original >= it.end => written.end + (original - it.end),
        Some((_, written)) => written.start,
        None => original,
    }
}

/// Moves findings to their places in the original script.
pub(crate) fn of_original(
    mut found: Vec<Finding>,
    script: &str,
    written: &WrittenSql,
) -> Vec<Finding> {
    let replaced: Vec<_> = written.replaced().map(|(_, here)| here).collect();
    let tokens: HashSet<_> = replaced.iter().map(|range| &written.text()[range.clone()]).collect();
    for finding in &mut found {
        let range = written.original(&finding.range);
        if finding.rule == Rule::SyntaxError {
            // The message quotes what is wrong.
            let token = written.text().get(finding.range.clone());
            let [token, original] = [token, script.get(range.clone())]
                .map(|text| format!("near \"{}\"", text.unwrap_or_default()));
            finding.message = finding.message.replace(&token, &original);
        }
        finding.range = range;
        let fix = finding.fix.take();
        finding.fix = fix.and_then(|fix| fix_of_original(fix, written, &replaced, &tokens));
    }
    found
}

/// Moves a fix, if it neither changes nor repeats what has been replaced.
fn fix_of_original(
    mut fix: Fix,
    written: &WrittenSql,
    replaced: &[Range<usize>],
    tokens: &HashSet<&str>,
) -> Option<Fix> {
    for (range, text) in &mut fix.changes {
        let next = replaced.partition_point(|it| it.end <= range.start);
        let touches = replaced.get(next).is_some_and(|it| it.start < range.end);
        if touches || has_token(text, tokens) {
            return None;
        }
        *range = written.original(range);
    }
    Some(fix)
}

/// Returns whether one of some tokens is in a text.
fn has_token(text: &str, tokens: &HashSet<&str>) -> bool {
    let scan = pg_ast::scan_lossy(text);
    scan.scan.tokens.iter().any(|token| tokens.contains(&text[token.range()]))
}

//! A function in PL/pgSQL with changes to the tokens of its body: rarely valid, and never far from it.

use super::tokens::mutate;
use super::verbs::{is_refusal, warnings_are_placed};
use super::{Source, split};

/// A statement, or a body alone; followed by the bytes that select the changes to the body.
pub fn run(data: &[u8]) {
    let (sql, rest) = split(data);
    let sql: &str = &Box::<str>::from(sql);
    check(sql);
    let mut source = Source::new(rest);
    let mut number = |end: usize| source.below(end);
    let changed = match body(sql) {
        Some((before, body, after)) => [before, &mutate(body, &mut number), after].concat(),
        None => format!("DO $body${}$body$", mutate(sql, &mut number)),
    };
    check(&changed);
}

/// Splits SQL at the first dollar-quoted string.
fn body(sql: &str) -> Option<(&str, &str, &str)> {
    let tokens = pg_ast::scan_lossy(sql).scan.tokens;
    let mut ranges = tokens.iter().map(|token| token.range());
    let range = ranges.find(|range| {
        let text = &sql[range.clone()];
        text.starts_with('$') && text.len() > 2 && text.ends_with('$')
    })?;
    let tag = 2 + sql[range.start + 1..range.end].find('$')?;
    let content = (range.start + tag)..range.end.checked_sub(tag)?;
    Some((&sql[..content.start], sql.get(content.clone())?, &sql[content.end..]))
}

fn check(sql: &str) {
    if let Err(error) = pg_ast::parse_plpgsql(sql) {
        is_refusal(&error, sql);
    }
    match pg_ast::plpgsql::parse(sql) {
        Ok(parsed) => {
            let mut end = 0;
            for function in parsed.functions {
                assert!(end <= function.range.start, "{:?} of {sql:?}", function.range);
                assert!(
                    sql.get(function.range.clone()).is_some(),
                    "{:?} of {sql:?}",
                    function.range
                );
                end = function.range.end;
                warnings_are_placed(&function.warnings, sql);
                if let Err(error) = function.function {
                    is_refusal(&error, sql);
                }
            }
        }
        Err(error) => is_refusal(&error, sql),
    }
}

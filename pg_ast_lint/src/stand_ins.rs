//! Variables of psql and placeholders of tools: a script is checked with what they may stand for.

use core::ops::Range;
use std::collections::HashSet;

use pg_ast::syntax::{Placeholders, Script, ScriptOptions, WrittenSql};

use crate::{Finding, Fix, Rule};

/// Returns a script with tokens in place of variables and placeholders; `None` if it has none.
pub(crate) fn written(script: &str, placeholders: Placeholders) -> Option<WrittenSql> {
    if !placeholders.may_be_in(script) {
        return None;
    }
    let options = ScriptOptions::default().placeholders(placeholders);
    let written = Script::parse_with(script, options).ok()?.written();
    written.has_replaced().then_some(written)
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

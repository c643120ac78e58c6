//! The linter, and its fixes.

use pg_ast::{CheckedStmt, NodeRef};
use pg_ast_lint::{Applicability, Finding, Options, Rule, Selector};
use pg_ast_syntax::Script;

use super::{Result, between, comments, ensure};

fn is_fixable(finding: &Finding) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.applicability != Applicability::Guess)
}

/// Returns whether a statement has code in a string, which may be wrong.
fn has_body(sql: &str) -> bool {
    let written = Script::parse(sql).map(|script| script.written()).unwrap_or_default();
    pg_ast::parse(written.text()).is_ok_and(|tree| {
        let mut stmts = tree.stmts();
        stmts.any(|stmt| matches!(stmt, NodeRef::CreateFunctionStmt(_) | NodeRef::DoStmt(_)))
    })
}

/// Returns the statements; variables of psql are no errors.
fn stmts_of(script: &str) -> Vec<CheckedStmt> {
    Script::parse(script).map(|script| script.check()).unwrap_or_default()
}

/// Lints and fixes a script.
pub fn of(script: &str) -> Result {
    // The fix of one rule adds a statement.
    let options = Options::default().only([Selector::All]).without([Rule::TransactionLeftOpen]);
    let options = options.unsafe_fixes(true);
    let stmts = stmts_of(script);
    let found = pg_ast_lint::lint(script, &options);
    let of_finding = |finding: &Finding| {
        let range = &finding.range;
        stmts.iter().position(|it| it.range.start <= range.start && range.end <= it.range.end)
    };
    let mut is_fixed = vec![false; stmts.len()];
    let mut wrong = 0;
    let ignores = script.contains("pgast-ignore");
    for finding in &found {
        // A comment is in none.
        if ignores && matches!(finding.rule, Rule::UnusedIgnore | Rule::UnknownRule) {
            continue;
        }
        let stmt = of_finding(finding).ok_or_else(|| format!("in no statement: {finding:?}"))?;
        let is_of_error = finding.rule == Rule::SyntaxError;
        let is_of_body = stmts[stmt].result.is_ok() && has_body(&script[stmts[stmt].range.clone()]);
        wrong += usize::from(is_of_error && !is_of_body);
        let is_found = stmts[stmt].result.is_err() == is_of_error || is_of_body;
        ensure(is_found, || format!("not found: {finding:?}"))?;
        for (range, _) in finding.fix.iter().flat_map(|fix| &fix.changes) {
            let of = &stmts[stmt].range;
            let is_inside = of.start <= range.start && range.end <= of.end;
            ensure(is_inside, || format!("changes other statements: {finding:?}"))?;
        }
        is_fixed[stmt] |= is_fixable(finding);
    }
    let errors = stmts.iter().filter(|stmt| stmt.result.is_err()).count();
    ensure(wrong == errors || ignores, || format!("{wrong} of {errors} errors are found"))?;

    let fixed = pg_ast_lint::fix(script, &options);
    let left = fixed.findings.iter().find(|finding| is_fixable(finding));
    ensure(!fixed.is_refused, || "the fixes are refused".to_owned())?;
    ensure(left.is_none(), || format!("left to fix: {left:?}"))?;
    let again = pg_ast_lint::fix(&fixed.text, &options);
    ensure(again.count == 0 && again.text == fixed.text, || format!("fixed again: {again:?}"))?;
    let new_stmts = stmts_of(&fixed.text);
    ensure(stmts.len() == new_stmts.len(), || format!("other statements in {:?}", fixed.text))?;
    let gaps = [(script, &stmts), (fixed.text.as_str(), &new_stmts)].map(|(script, stmts)| {
        let ranges: Vec<_> = stmts.iter().map(|stmt| stmt.range.clone()).collect();
        between(script, &ranges)
    });
    ensure(gaps[0] == gaps[1] || ignores, || format!("between statements: {:?}", fixed.text))?;
    for ((old, new), is_fixed) in stmts.iter().zip(&new_stmts).zip(is_fixed) {
        let (old_sql, new_sql) = (&script[old.range.clone()], &fixed.text[new.range.clone()]);
        let is_right = if is_fixed {
            new.result.is_ok() && comments(old_sql) == comments(new_sql)
        } else {
            old_sql == new_sql
        };
        ensure(is_right, || format!("{old_sql:?} became {new_sql:?}"))?;
    }
    Ok(())
}

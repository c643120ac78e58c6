//! Fixes every script that there is: nothing else changes, and there is nothing left to fix.

mod common;

use std::collections::HashSet;

use common::{corpus, scripts};
use pg_ast::ScriptStmt;
use pg_ast_lint::{Applicability, Finding, Options, Rule, Selector, fix, lint};

/// Returns the parts of a script between its statements: semicolons, comments, psql commands, data.
fn between<'a>(script: &'a str, stmts: &[ScriptStmt]) -> Vec<&'a str> {
    let starts = stmts.iter().map(|stmt| stmt.range.start).chain([script.len()]);
    let ends = [0].into_iter().chain(stmts.iter().map(|stmt| stmt.range.end));
    ends.zip(starts).map(|(end, start)| &script[end..start]).collect()
}

fn comments(script: &str) -> Vec<String> {
    pg_ast::comments_lossy(script).into_iter().map(|comment| comment.text).collect()
}

fn is_fixable(finding: &Finding) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.applicability != Applicability::Guess)
}

#[test]
fn fixes_change_nothing_else() {
    // The fix of one rule adds a statement.
    let options = Options::default().only([Selector::All]).without([Rule::TransactionLeftOpen]);
    let options = options.unsafe_fixes(true);
    let mut scripts = scripts::regression();
    scripts.extend(corpus::own());
    let (mut seen, mut fixes, mut unchanged) = (HashSet::new(), 0, 0);
    for (path, script) in scripts {
        if !seen.insert(script.clone()) {
            continue;
        }
        let name = path.display();
        let found: Vec<_> = lint(&script, &options).into_iter().filter(is_fixable).collect();
        let done = fix(&script, &options);
        let left: Vec<_> = done.findings.iter().filter(|finding| is_fixable(finding)).collect();
        assert!(left.is_empty(), "{name}: {left:?}");
        assert!(done.count >= found.len(), "{name}");

        let (before, after) = (pg_ast::parse_script(&script), pg_ast::parse_script(&done.text));
        assert_eq!(before.len(), after.len(), "{name}");
        assert_eq!(between(&script, &before), between(&done.text, &after), "{name}");
        for (before, after) in before.iter().zip(&after) {
            let (old, new) = (before.text(&script), after.text(&done.text));
            let range = &before.range;
            let is_fixed =
                found.iter().any(|it| range.start <= it.range.start && it.range.end <= range.end);
            if is_fixed {
                assert!(before.result.is_ok() && after.result.is_ok(), "{name}: {old}\n{new}");
                assert_eq!(comments(old), comments(new), "{name}: {old}\n{new}");
                // The lines are those that there were.
                assert_eq!(old.lines().count(), new.lines().count(), "{name}: {old}\n{new}");
            } else {
                assert_eq!(old, new, "{name}");
                unchanged += 1;
            }
        }

        let again = fix(&done.text, &options);
        assert_eq!((again.count, &again.text), (0, &done.text), "{name}");
        fixes += done.count;
    }
    println!("{} scripts, {fixes} fixes, {unchanged} statements unchanged", seen.len());
    assert!(seen.len() > 200 && fixes > 2_000 && unchanged > 20_000, "{fixes} {unchanged}");
}

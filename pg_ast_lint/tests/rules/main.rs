//! Each rule: what it finds, what it lets pass, and the text that its fix gives.

mod bodies;
mod changes;
mod columns;
mod created;
mod edits;
mod functions;
mod locks;
mod names;
mod objects;
mod options;
mod pages;
mod queries;
mod recommended;
mod scripts;
mod security;
mod tables;

/// The command that makes the files of a rule, with its tests.
#[path = "../../examples/new_rule.rs"]
#[allow(dead_code)]
mod new_rule;

use pg_ast::Edits;
use pg_ast_lint::{Finding, Options, Rule, Selector, lint};

/// All rules but those that are about nearly every statement, and those that ask whether all rows are meant.
fn every_rule() -> Options {
    Options::default().only([Selector::All]).without([
        Rule::RequireSchema,
        Rule::RequireLockTimeout,
        Rule::RequireStatementTimeout,
        Rule::FunctionSearchPath,
        Rule::UnqualifiedFunction,
        Rule::UnqualifiedOperator,
        Rule::UnqualifiedName,
        Rule::UnqualifiedCase,
        Rule::ConstantCondition,
        Rule::TruncateTable,
        // What other rules recommend changes something for programs, too.
        Rule::AddColumn,
        Rule::NewRestriction,
        Rule::ChangeDefault,
        Rule::DropIndex,
        Rule::DropTrigger,
    ])
}

/// What a rule finds in a script, alone.
fn by(rule: Rule, script: &str) -> Vec<Finding> {
    let found = lint(script, &Options::default().only([rule]));
    assert!(found.iter().all(|finding| finding.rule == rule));
    found
}

/// A rule finds these parts of a script.
#[track_caller]
fn finds(rule: Rule, script: &str, parts: &[&str]) {
    let found = by(rule, script);
    let found: Vec<_> = found.iter().map(|finding| &script[finding.range.clone()]).collect();
    assert_eq!(found, parts, "{rule}: {script}");
}

/// A rule finds nothing in a script that is correct.
#[track_caller]
fn passes(rule: Rule, script: &str) {
    for stmt in pg_ast::parse_script(script) {
        assert!(stmt.result.is_ok(), "{script}: {:?}", stmt.result);
    }
    finds(rule, script, &[]);
}

/// The fix of the one finding makes this text, which PostgreSQL takes, and in which the rule finds nothing.
#[track_caller]
fn becomes(rule: Rule, script: &str, expected: &str) {
    let found = by(rule, script);
    assert_eq!(found.len(), 1, "{rule}: {script}: {found:?}");
    let fix = found[0].fix.as_ref().unwrap_or_else(|| panic!("{rule}: no fix: {script}"));
    let mut edits = Edits::new(script);
    fix.edit(&mut edits);
    assert_eq!(edits.apply().as_deref(), Ok(expected), "{rule}");
    passes(rule, expected);
}

/// The rule finds something that only a person can mend.
#[track_caller]
fn has_no_fix(rule: Rule, script: &str) {
    let found = by(rule, script);
    assert_eq!(found.len(), 1, "{rule}: {script}: {found:?}");
    assert_eq!(found[0].fix, None, "{rule}: {script}");
    assert!(found[0].help.is_some(), "{rule}: {script}");
}

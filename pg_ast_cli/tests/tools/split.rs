//! Statements of scripts with mistakes: the others stay whole, and a comment changes none.

use std::fs;
use std::ops::Range;
use std::process::Command;

use pg_ast::{CheckedStmt, Version};
use pg_ast_syntax::Script;

use crate::cases::{Case, Change, Steps, all_scripts, each};
use crate::mutate::{self, Mutation, tokens};
use crate::properties::split;

/// Splits and checks a script, and compares it with the script before the change.
fn split(case: &Case<'_>) -> Result<(), String> {
    split::of(case.script)?;
    let Some(change) = &case.change else { return Ok(()) };
    let version = Version::newest();
    let old = version.parse_script(change.old);
    let new = version.parse_script(case.script);
    if change.kind.adds_comment() {
        // In a command of psql, it is an argument; between two strings, it is no blank.
        if change.old.contains('\\') || is_between_strings(change) {
            return Ok(());
        }
        let shape = |stmts: &[CheckedStmt], moved: &dyn Fn(usize) -> usize| {
            let of = |stmt: &CheckedStmt| {
                let error = stmt.result.as_ref().err();
                let cursor = error.and_then(pg_ast::Error::cursor).map(moved);
                (moved(stmt.range.start), error.map(|it| it.message().to_owned()), cursor)
            };
            stmts.iter().map(of).collect::<Vec<_>>()
        };
        let moved = |place: usize| {
            if place >= change.at { place.saturating_add_signed(change.added) } else { place }
        };
        let (old, new) = (shape(&old, &moved), shape(&new, &|place| place));
        return if old == new { Ok(()) } else { Err(format!("{old:?} became {new:?}")) };
    }
    // Data of a statement that is no longer a COPY are statements, and backslashes are escapes if a SET is wrong.
    let is_of = |stmt: &CheckedStmt| stmt.range == change.stmt && stmt.copy_data.is_some();
    if old.iter().any(is_of) || change.old.contains("standard_conforming_strings")
        // In parentheses, it does not end a statement.
        || change.old.contains("\\;")
    {
        return Ok(());
    }
    let is_whole = |range: &Range<usize>| new.iter().any(|stmt| stmt.range == *range);
    for stmt in &old {
        let range = stmt.range.clone();
        let is_ended = stmt.result.is_ok() || change.old[range.end..].starts_with(';');
        let moved = if range.end <= change.stmt.start && is_ended {
            range
        } else if range.start >= change.stmt.end && !may_go_on(change, stmt) {
            let moved = |place: usize| place.saturating_add_signed(change.added);
            moved(range.start)..moved(range.end)
        } else {
            continue;
        };
        if !is_whole(&moved) {
            return Err(format!("not whole: {:?}", &case.script[moved]));
        }
    }
    Ok(())
}

/// Returns whether the changed statement may contain one after it: a quote that is open ends where the next one is, and
/// one that stays open at a correct statement that begins a line with a word.
fn may_go_on(change: &Change<'_>, stmt: &CheckedStmt) -> bool {
    let Mutation::Quote(quote) = change.kind else { return false };
    let end = if quote == "/*" { "*/" } else { quote };
    let (before, after) = change.old.split_at(stmt.range.start);
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    change.old[change.at..].contains(end)
        || stmt.result.is_err()
        || !line.is_empty()
        || !after.starts_with(|first: char| first.is_ascii_alphabetic())
        // One word may be the end of a body. A statement with comments may seem to be several.
        || !change.old[stmt.range.clone()].contains(' ')
        || change.old[stmt.range.clone()].contains("/*")
}

fn is_between_strings(change: &Change<'_>) -> bool {
    let (before, after) = change.old.split_at(change.at);
    before.trim_end().ends_with('\'') && after.starts_with('\'')
}

/// What `split`, `check`, and `digest` print for a folder.
#[test]
fn the_commands_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut stmts, mut errors, mut counted) = (0, 0, 0);
    for (index, (_, script)) in all_scripts().iter().step_by(30).enumerate() {
        let all = Version::newest().parse_script(script);
        let Some(stmt) = all.get(all.len() / 2) else { continue };
        let tokens = tokens(script, stmt.range.clone());
        let text = mutate::ALL[index % mutate::ALL.len()].apply(script, &tokens, index % 3);
        fs::write(folder.path().join(format!("{index}.sql")), &text).expect("written");
        // With variables of psql, a statement may be correct.
        let is_wrong = |stmt: &&CheckedStmt| stmt.result.is_err();
        let check = |text: &str| Script::parse(text).expect("read").check();
        let found = check(&text);
        stmts += found.len();
        errors += found.iter().filter(is_wrong).count();
        // Its statements are those without regard for them.
        let plain = Version::newest().parse_script(&text);
        counted += plain
            .iter()
            .filter(is_wrong)
            .filter(|stmt| {
                let sql = &text[stmt.range.clone()];
                Version::newest().check(sql).is_ok()
                    || check(sql).iter().any(|it| it.result.is_err())
            })
            .count();
    }
    assert!(stmts > 1_000 && errors > 5, "{stmts} {errors}");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgast"));
        let output = command.args(args).arg(folder.path()).output().expect("runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert_eq!(run(&["split", "--json"]).lines().count(), stmts);
    let printed = run(&["check", "--output", "json"]);
    assert_eq!(printed.matches("\"error\"").count(), errors);
    let printed = run(&["digest", "--json"]);
    assert!(printed.contains(&format!("\"errors\":{counted},")), "{printed:.300}");
}

#[test]
fn other_statements_stay_whole() {
    each(Steps { scripts: 16, mutated: 40, stmts: 20 }, split);
}

#[test]
#[ignore = "several minutes"]
fn other_statements_stay_whole_in_all_scripts() {
    each(Steps::ALL, split);
}

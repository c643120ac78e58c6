//! Fixes, applied to a script.

use core::ops::Range;
use std::cell::OnceCell;

use pg_ast::{Edits, ParserOptions, Version, view};

use crate::check::lint;
use crate::{Applicability, Finding, Fix, Options, Rule};

/// A script with fixes applied: the result of [`fix`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixed {
    /// The new script.
    pub text: String,
    /// The number of fixes that were applied.
    pub count: usize,
    /// The findings that remain; their ranges are those of the new script.
    pub findings: Vec<Finding>,
    /// True if the fixes would change more than they say, so that the script stays as it is.
    pub is_refused: bool,
}

/// The maximum number of passes over a script: fixes that touch each other are applied in different passes.
const ROUNDS: usize = 16;

/// Applies the safe fixes, and returns the new script with the findings that remain. [`Options::unsafe_fixes`] applies the others
/// as well, except guesses.
///
/// Statements that were correct stay correct, and everything else stays as it is. The result is checked for that, and refused if it
/// is not so: see [`Fixed::is_refused`].
///
/// ```
/// use pg_ast_lint::{Options, Rule, fix};
///
/// let script = "SELECT a FROM t WHERE b = NULL -- missing";
/// let fixed = fix(script, &Options::default().unsafe_fixes(true));
/// assert_eq!(fixed.text, "SELECT a FROM t WHERE b IS NULL -- missing");
/// assert_eq!((fixed.count, fixed.findings.len()), (1, 0));
/// ```
#[must_use]
pub fn fix(script: &str, options: &Options) -> Fixed {
    fix_some(script, options, |findings| findings)
}

/// Like [`fix`], for some of the findings: a function takes those of the script as it is at the time, and returns those that
/// matter. The others are neither fixed nor returned.
///
/// ```
/// use pg_ast_lint::{Options, fix_some};
///
/// let script = "SELECT a FROM t WHERE b = NULL;\nSELECT a FROM u WHERE b = NULL;";
/// let fixed = fix_some(script, &Options::default().unsafe_fixes(true), |mut findings| {
///     findings.retain(|finding| finding.range.start > 32);
///     findings
/// });
/// assert_eq!(fixed.text, "SELECT a FROM t WHERE b = NULL;\nSELECT a FROM u WHERE b IS NULL;");
/// ```
#[must_use]
pub fn fix_some(
    script: &str,
    options: &Options,
    mut select: impl FnMut(Vec<Finding>) -> Vec<Finding>,
) -> Fixed {
    let findings = select(lint(script, options));
    let mut fixed = Fixed { text: script.to_owned(), count: 0, findings, is_refused: false };
    let (errors, mut added) = (OnceCell::new(), 0);
    for _ in 0..ROUNDS {
        let changes = changes(&fixed.findings, options);
        let mut edits = Edits::new(&fixed.text);
        for (range, by) in changes.iter().flat_map(|fix| &fix.changes) {
            edits.replace(range.clone(), by.as_str());
        }
        let Some(text) = edits.apply().ok().filter(|_| !changes.is_empty()) else { break };
        let errors = errors.get_or_init(|| Errors::of(script, options));
        // Some add a statement.
        let texts = changes.iter().flat_map(|fix| &fix.changes).map(|(_, by)| by);
        added += texts.map(|by| by.matches(';').count()).sum::<usize>();
        let is_kept = keeps_tokens(&fixed.text, &text, &changes);
        if !is_kept || !errors.are_those_of(&text, added, options) {
            let findings = select(lint(script, options));
            return Fixed { text: script.to_owned(), count: 0, findings, is_refused: true };
        }
        let (findings, count) = (select(lint(&text, options)), fixed.count + changes.len());
        fixed = Fixed { text, count, findings, is_refused: false };
    }
    fixed
}

/// Returns the fixes to apply that do not touch each other.
fn changes<'a>(findings: &'a [Finding], options: &Options) -> Vec<&'a Fix> {
    let mut end = None;
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    let fixes = fixes.filter(|fix| options.applies(fix)).filter(|fix| {
        let (Some((first, _)), Some((last, _))) = (fix.changes.first(), fix.changes.last()) else {
            return false;
        };
        let is_free = end.is_none_or(|end| end < first.start);
        if is_free {
            end = Some(last.end);
        }
        is_free
    });
    fixes.collect()
}

/// The statements of a script, and the errors in them.
struct Errors {
    stmts: usize,
    errors: usize,
}

impl Errors {
    fn of(script: &str, options: &Options) -> Self {
        let errors =
            lint(script, &options.clone().only([Rule::SyntaxError]).fingerprints(false)).len();
        Self { stmts: pg_ast::parse_script(script).len(), errors }
    }

    /// Returns whether another script has as many statements, with at most some that are added, and no other errors.
    fn are_those_of(&self, text: &str, added: usize, options: &Options) -> bool {
        let new = Self::of(text, options);
        let stmts = self.stmts..=self.stmts + added;
        stmts.contains(&new.stmts) && new.errors <= self.errors
    }
}

/// Returns whether a text with fixes has the tokens and comments of the old one, except where the fixes are.
fn keeps_tokens(old: &str, new: &str, fixes: &[&Fix]) -> bool {
    let mut changes = fixes.iter().flat_map(|fix| &fix.changes).peekable();
    let new = pg_ast::scan_lossy(new).scan.tokens;
    let mut new = new.iter().map(|token| (token.token, token.range())).peekable();
    // What the changes so far have added and removed.
    let (mut added, mut removed) = (0, 0);
    pg_ast::scan_lossy(old).scan.tokens.iter().all(|token| {
        let range = token.range();
        while let Some((change, by)) = changes.next_if(|(change, _)| change.end <= range.start) {
            added += by.len();
            removed += change.len();
        }
        // A part of it may be changed, and what follows in it as well.
        if changes.peek().is_some_and(|(change, _)| change.start < range.end) {
            return true;
        }
        let place = range.start + added - removed..range.end + added - removed;
        while new.next_if(|(_, new)| new.start < place.start).is_some() {}
        new.next_if(|it| *it == (token.token, place.clone())).is_some()
    })
}

/// Removes the fixes that would make a statement incorrect.
pub(crate) fn keep_correct(
    script: &str,
    stmt: &Range<usize>,
    version: Version,
    options: ParserOptions,
    found: &mut [Finding],
) {
    let len = stmt.end - stmt.start;
    // Many wrong ones would take quadratic time; short statements may have as many as they like.
    let mut budget = len.saturating_mul(64).saturating_add(1 << 20);
    let mut groups = vec![found];
    // All of them together, which takes one parse; if that fails, halves of them.
    while let Some(group) = groups.pop() {
        let fixes = || {
            group
                .iter()
                .filter_map(|it| it.fix.as_ref())
                .filter(|fix| fix.applicability != Applicability::Guess)
        };
        let count = fixes().count();
        if count == 0
            || (budget >= len && parses(script, stmt, version, options, fixes(), &mut budget))
        {
            continue;
        }
        if count > 1 && budget >= len {
            let (left, right) = group.split_at_mut(group.len() / 2);
            groups.extend([left, right]);
        } else {
            for finding in group {
                finding.fix =
                    finding.fix.take().filter(|fix| fix.applicability == Applicability::Guess);
            }
        }
    }
}

/// Returns whether a statement with fixes is still a single statement.
fn parses<'a>(
    script: &str,
    stmt: &Range<usize>,
    version: Version,
    options: ParserOptions,
    fixes: impl Iterator<Item = &'a Fix>,
    budget: &mut usize,
) -> bool {
    let Some(text) = script.get(stmt.clone()) else { return false };
    *budget = budget.saturating_sub(text.len());
    let mut edits = Edits::new(text);
    for (range, by) in fixes.flat_map(|fix| &fix.changes) {
        let (Some(start), Some(end)) =
            (range.start.checked_sub(stmt.start), range.end.checked_sub(stmt.start))
        else {
            return false;
        };
        edits.replace(start..end, by.as_str());
    }
    let Ok(text) = edits.apply() else { return false };
    if options == ParserOptions::default() {
        // Without a tree.
        return version.check(&text).is_ok();
    }
    view::parse_with(&text, options).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{Errors, Fix, Options, keeps_tokens};

    /// What is said about a change of `a` to another text.
    fn keeps(old: &str, by: &str) -> bool {
        let place = old.find('a').unwrap();
        let fix = Fix::new("test", vec![(place..place + 1, by.to_owned())]);
        let new = old.replacen('a', by, 1);
        keeps_tokens(old, &new, &[&fix])
    }

    #[test]
    fn tokens_are_kept_outside_of_changes() {
        for by in ["b", "", "b c", "'b'", "b /* c */"] {
            assert!(keeps("SELECT a, 'x' -- y\n;", by), "{by}");
        }
        for by in ["'", "--", "/*", "$$", "\""] {
            assert!(!keeps("SELECT a, 'x' -- y\n;", by), "{by}");
        }
        // It becomes a part of the next one.
        assert!(!keeps("SELECT a'x'", "E"));
    }

    #[test]
    fn statements_stay_correct() {
        let options = Options::default();
        let errors = Errors::of("SELECT 1; SELEC 2; DO $$ BEGIN NULL; END $$;", &options);
        let same = "SELECT 1 ; SELEC 3; DO $$ BEGIN END $$;";
        assert!(errors.are_those_of(same, 0, &options));
        let more = format!("{same} COMMIT;");
        assert!(errors.are_those_of(&more, 1, &options));
        assert!(!errors.are_those_of(&more, 0, &options));
        for other in [
            "SELECT 1; SELEC 2; DO $$ BEGIN NUL; END $$;",
            "SELEC 1; SELEC 2; DO $$ BEGIN NULL; END $$;",
            "SELECT 1; DO $$ BEGIN NULL; END $$;",
        ] {
            assert!(!errors.are_those_of(other, 1, &options), "{other}");
        }
    }
}

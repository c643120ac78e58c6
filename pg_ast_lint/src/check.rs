//! Checks scripts, statement by statement.

use core::ops::Range;

use pg_ast::view::{self, Nodes, Tree};
use pg_ast::{Edits, Error, ParseResult, ParserOptions, ScriptStmt, Version};

use crate::body::{Body, options_of};
use crate::check_body::WithBody;
use crate::ignore::Ignored;
use crate::open_copy::open_copy;
use crate::overview::Overview;
use crate::stmt::{State, Stmt};
use crate::{Finding, Fix, Options, Rule, rules, stand_ins};

/// Checks all statements of a script, with or without psql commands, and returns the findings in order.
///
/// The script is split as by [`pg_ast::parse_script`]: psql commands and `COPY` data are skipped, and an
/// error in one statement does not affect the others. This takes time linear in the length of the script.
///
/// ```
/// use pg_ast_lint::{Options, Rule, lint};
///
/// let script = "BEGIN; CREATE INDEX CONCURRENTLY i ON t (a); COMMIT";
/// let findings = lint(script, &Options::default());
/// assert_eq!(findings.len(), 1);
/// assert_eq!(findings[0].to_string(), "concurrently-in-transaction: CONCURRENTLY fails in a transaction");
/// assert_eq!(&script[findings[0].range.clone()], "CONCURRENTLY");
/// ```
#[must_use]
pub fn lint(script: &str, options: &Options) -> Vec<Finding> {
    let stmts = pg_ast::parse_script(script);
    let is_wrong = stmts.iter().any(|stmt| stmt.result.is_err());
    let written = is_wrong.then(|| stand_ins::written(script, options.placeholders)).flatten();
    match written {
        Some(written) => {
            let stmts = pg_ast::parse_script(written.text());
            let found = lint_stmts(written.text(), &stmts, options);
            stand_ins::of_original(found, script, &written)
        }
        None => lint_stmts(script, &stmts, options),
    }
}

/// Checks the statements of a script.
fn lint_stmts(script: &str, stmts: &[ScriptStmt], options: &Options) -> Vec<Finding> {
    let mut all = Vec::new();
    let mut state = State::new(options.in_transaction);
    let mut end = 0;
    let body =
        |stmt: &ScriptStmt| Body::of(script.get(stmt.range.clone())?, stmt.result.as_ref().ok()?);
    let bodies: Vec<_> = stmts.iter().map(body).collect();
    let overview = Overview::new(script, stmts, &bodies, options.in_transaction);
    let data = stmts.iter().map(|stmt| (stmt.range.clone(), stmt.copy_data.clone()));
    let mut open_data = open_copy(Version::newest(), script, data)
        .map(|copy| Finding::of(Rule::OpenCopyData, copy).help("a line \\. ends its data"));
    for (number, stmt) in stmts.iter().enumerate() {
        let ignored = Ignored::read(script, end..stmt.range.start, &mut all);
        end = stmt.range.end;
        let mut found = Vec::new();
        match &stmt.result {
            Ok(tree) => {
                let place = (&overview, number);
                check(script, &stmt.range, tree, place, &mut state, &mut found);
            }
            Err(error) => found.push(syntax_error(script, &stmt.range, error)),
        }
        found.extend(open_data.take_if(|finding| finding.range == stmt.range));
        found.retain(|finding| options.has(finding.rule) && !ignored.has(finding.rule));
        keep_correct(script, &stmt.range, ParserOptions::default(), &mut found);
        if let (Ok(tree), Some(body)) = (&stmt.result, &bodies[number]) {
            let place = (&overview, number);
            let stmt = WithBody { script, range: &stmt.range, tree, place, options };
            let mut inside = Vec::new();
            stmt.check(body, &mut state, &mut inside);
            inside.retain(|finding| !ignored.has(finding.rule));
            found.append(&mut inside);
        }
        all.append(&mut found);
    }
    // That of a `\\copy`.
    all.extend(open_data);
    all.retain(|finding| options.has(finding.rule));
    all.sort_by_key(|finding| finding.range.start);
    all
}

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
}

/// The maximum number of passes over a script: fixes that touch each other are applied in different passes.
const ROUNDS: usize = 16;

/// Applies the safe fixes, and returns the new script with the findings that remain. [`Options::unsafe_fixes`] applies the others
/// as well, except guesses.
///
/// Statements that were correct stay correct. Comments and layout do not change.
///
/// ```
/// use pg_ast_lint::{Options, Rule, fix};
///
/// let script = "ALTER TABLE t ADD IF NOT EXISTS at timestamp; -- when";
/// let fixed = fix(script, &Options::default());
/// assert_eq!(fixed.text, "ALTER TABLE t ADD IF NOT EXISTS at timestamptz; -- when");
/// assert_eq!((fixed.count, fixed.findings.len()), (1, 0));
/// ```
#[must_use]
pub fn fix(script: &str, options: &Options) -> Fixed {
    let mut fixed = Fixed { text: script.to_owned(), count: 0, findings: lint(script, options) };
    for _ in 0..ROUNDS {
        let Some((text, count)) = apply(&fixed.text, &fixed.findings, options) else { break };
        let findings = lint(&text, options);
        fixed = Fixed { text, count: fixed.count + count, findings };
    }
    fixed
}

/// Applies the fixes that do not touch each other; `None` if there are none.
fn apply(text: &str, findings: &[Finding], options: &Options) -> Option<(String, usize)> {
    let mut edits = Edits::new(text);
    let (mut end, mut count) = (None, 0);
    for fix in findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        let (Some((first, _)), Some((last, _))) = (fix.changes.first(), fix.changes.last()) else {
            continue;
        };
        if options.applies(fix) && end.is_none_or(|end| end < first.start) {
            fix.edit(&mut edits);
            (end, count) = (Some(last.end), count + 1);
        }
    }
    if count == 0 {
        return None;
    }
    Some((edits.apply().ok()?, count))
}

/// Removes the fixes that would make a statement incorrect.
pub(crate) fn keep_correct(
    script: &str,
    stmt: &Range<usize>,
    options: ParserOptions,
    found: &mut [Finding],
) {
    let len = stmt.end - stmt.start;
    // Many wrong ones would take quadratic time; short statements may have as many as they like.
    let mut budget = len.saturating_mul(64).saturating_add(1 << 20);
    let mut groups = vec![found];
    // All of them together, which takes one parse; if that fails, halves of them.
    while let Some(group) = groups.pop() {
        let fixes = || group.iter().filter_map(|it| it.fix.as_ref()).filter(|fix| !fix.is_guess);
        let count = fixes().count();
        if count == 0 || (budget >= len && parses(script, stmt, options, fixes(), &mut budget)) {
            continue;
        }
        if count > 1 && budget >= len {
            let (left, right) = group.split_at_mut(group.len() / 2);
            groups.extend([left, right]);
        } else {
            for finding in group {
                finding.fix = finding.fix.take().filter(|fix| fix.is_guess);
            }
        }
    }
}

/// Returns whether a statement with fixes is still a single statement.
fn parses<'a>(
    script: &str,
    stmt: &Range<usize>,
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
        return pg_ast::check(&text).is_ok();
    }
    view::parse_with(&text, options).is_ok()
}

/// Runs the rules over a statement.
fn check(
    script: &str,
    range: &Range<usize>,
    tree: &ParseResult,
    place: (&Overview, usize),
    state: &mut State,
    found: &mut Vec<Finding>,
) {
    // The script's own tree has no ranges. A statement with psql commands in it has none here either.
    let text = script.get(range.clone()).unwrap_or_default();
    let mut check = |tree: &Tree| {
        run(&Stmt::new(script, range.clone(), tree, place), tree.nodes(), state, found);
    };
    match view::parse_with_ranges(text, options_of(tree)) {
        Ok(tree) => check(&tree),
        // A value that C cannot hold cannot have come from C.
        Err(_) => tree.to_view().iter().for_each(check),
    }
}

/// Runs the rules over the nodes of a statement.
pub(crate) fn run(
    stmt: &Stmt<'_>,
    mut nodes: Nodes<'_>,
    state: &mut State,
    found: &mut Vec<Finding>,
) {
    while let Some(node) = nodes.next() {
        rules::check(stmt, state, node, nodes.ancestors(), found);
        state.follow(node);
    }
}

/// Makes the finding for a statement that PostgreSQL does not accept.
fn syntax_error(script: &str, stmt: &Range<usize>, error: &Error) -> Finding {
    let at = error.cursor().unwrap_or(stmt.start).clamp(stmt.start, stmt.end);
    let mut finding = error_at(script, stmt, at, error);
    // Statements after this one do not matter for its grammar.
    let script = script.get(..stmt.end).unwrap_or_default();
    finding.expected = error.expected(script);
    if let Some(suggestion) = error.suggestion(script) {
        finding.help = Some(format!("did you mean {}?", suggestion.keyword));
        let word = script.get(suggestion.range.clone()).unwrap_or_default();
        let upper = word.chars().any(char::is_uppercase);
        let keyword = suggestion.keyword;
        let keyword = if upper { keyword.to_owned() } else { keyword.to_ascii_lowercase() };
        let title = format!("Replace with {keyword}");
        finding.fix = Some(Fix::new(title, vec![(suggestion.range, keyword)]).guess());
    }
    finding
}

/// Makes the finding for an error at a place of a statement: it is at the token there.
pub(crate) fn error_at(script: &str, stmt: &Range<usize>, at: usize, error: &Error) -> Finding {
    let rest = script.get(at..stmt.end).unwrap_or_default();
    let token = || match pg_ast::scan(rest) {
        Ok(scan) => Some(scan.tokens.first()?.range()),
        // What ends the body of a function begins a string here.
        Err(_) => {
            let line = rest.lines().next().unwrap_or_default();
            Some(pg_ast::scan_lossy(line).scan.tokens.first()?.range())
        }
    };
    let len = match rest.chars().next() {
        // Something is missing.
        None | Some(' ' | '\t' | '\r' | '\n') => 0,
        Some(first) => {
            token().filter(|token| token.start == 0).map_or(first.len_utf8(), |token| token.end)
        }
    };
    let mut finding = Finding::new(Rule::SyntaxError, at..at + len, one_line(error.message()));
    finding.help = error.hint().map(one_line);
    finding
}

/// Writes line breaks and other control characters as Rust does: the message may contain a part of the SQL.
fn one_line(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    text.chars().map(escaped).collect()
}

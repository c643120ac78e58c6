//! Checks scripts, statement by statement.

use core::ops::Range;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use pg_ast::view::{self, Node, Nodes, Tree};
use pg_ast::{Error, Expected, ParseResult, ParserOptions, Version};

use crate::body::{options_of, with_schema};
use crate::check_body::WithBody;
use crate::fixed::keep_correct;
use crate::ignore::{Comments, Ignored};
use crate::open_copy::open_copy;
use crate::overview::{Overview, is_extension};
use crate::state::State;
use crate::stmt::Stmt;
use crate::unit::{Kept, Parsed, Unit, units_of};
use crate::{Finding, Fix, Options, Rule, fingerprint, rules, stand_ins, unused_ignore};

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
    let original = script;
    // Of the same length, so that all places stay.
    let script = &*with_schema(script);
    let stmts = pg_ast::parse_script(script);
    let wrong = stmts.iter().find(|stmt| stmt.result.is_err());
    let written = wrong.and_then(|any| stand_ins::written(script, options.placeholders, any));
    match written {
        Some((written, stmts)) => {
            let units = units_of(written.text(), stmts);
            let found = lint_units(written.text(), &units, (original, options), None);
            stand_ins::of_original(found, script, &written)
        }
        None => lint_units(script, &units_of(script, stmts), (original, options), None),
    }
}

/// Checks the statements of a script, which may have other words than the original in places. With a number for this check, what is
/// found in a statement is kept.
pub(crate) fn lint_units(
    script: &str,
    units: &[Unit],
    (original, options): (&str, &Options),
    kept_by: Option<u64>,
) -> Vec<Finding> {
    let mut all = Vec::new();
    let mut state = State::of_script(options);
    let mut open_transaction = None;
    let mut overview = Overview::new(script, units, (options.in_transaction, options.version));
    overview.is_extension = is_extension(original);
    overview.database = options.database.clone();
    let keys = kept_by.map(|_| overview.keys());
    let data = units.iter().map(|unit| (unit.range.clone(), unit.copy_data.clone()));
    let mut open_data = open_copy(Version::newest(), script, data)
        .map(|copy| Finding::of(Rule::OpenCopyData, copy).help("a line \\. ends its data"));
    let of_version = OfVersion::new(script, options.version);
    let mut sets = HashSet::new();
    let (mut comments, ignored) = Comments::of_script(script, units, &mut all);
    for ((number, unit), ignored) in units.iter().enumerate().zip(&ignored) {
        let was_in_transaction = state.in_transaction;
        let error = of_version.error(unit);
        let is_open = open_data.as_ref().is_some_and(|finding| finding.range == unit.range);
        let checker = Checker { script, options, unit, place: (&overview, number) };
        // Comments and errors are looked at again.
        let is_kept = error.is_none() && !is_open && comments.have_no_effect(script, unit, ignored);
        let key = keys.as_ref().filter(|_| is_kept).map(|keys| (keys.at(number), state.key()));
        let kept = key.zip(unit.result.as_ref().ok());
        let known = kept.and_then(|(key, parsed)| parsed.found(key, kept_by));
        if let Some(known) = known {
            state.restore(&known.events, &known.catalog);
            all.extend(known.found.iter().map(|finding| finding.moved(|at| at + unit.range.start)));
        } else {
            let mut found = Vec::new();
            checker.stmt(&mut state, &mut found);
            found.extend(error.map(|error| syntax_error(script, &unit.range, error, &mut sets)));
            found.extend(open_data.take_if(|_| is_open));
            found.retain(|finding| !comments.silences(ignored, finding.rule));
            checker.finish(&mut found);
            checker.body(&mut state, (&mut comments, ignored), &mut found);
            let tree = unit.result.as_ref().ok().map(|parsed| &parsed.tree);
            options.exceptions.apply(script, tree, &mut found);
            let events = state.take_events();
            let is_inside = found.iter().all(|finding| finding.is_in(&unit.range));
            if let Some((key, parsed)) = kept.filter(|_| is_inside) {
                let found = found.iter().map(|it| it.moved(|at| at - unit.range.start)).collect();
                parsed.keep(key, kept_by, Kept { found, events, catalog: state.catalog.clone() });
            }
            all.append(&mut found);
        }
        if state.in_transaction != was_in_transaction {
            open_transaction = state.in_transaction.then_some(number);
        }
    }
    if let Some(number) = open_transaction
        && !options.in_transaction
        && !comments.silences(&ignored[number], Rule::TransactionLeftOpen)
    {
        all.push(rules::left_open(script, units, number));
    }
    // That of a `\\copy`.
    all.extend(open_data.filter(|_| !comments.silences(&Ignored::default(), Rule::OpenCopyData)));
    unused_ignore::check(script, &comments, &mut all);
    all.retain(|finding| options.has(finding.rule));
    all.sort_by_key(|finding| finding.range.start);
    for finding in &mut all {
        finding.severity = options.severity_of(finding.rule);
        if options.fingerprints && finding.fingerprint.is_none() {
            finding.fingerprint = Some(fingerprint::of_lines(script, &finding.range));
        }
    }
    all
}

/// A statement to check.
struct Checker<'a> {
    script: &'a str,
    options: &'a Options,
    unit: &'a Unit,
    /// What the whole script says, and the number of the statement in it.
    place: (&'a Overview, usize),
}

impl Checker<'_> {
    /// Runs the rules over the statement, without its body.
    fn stmt(&self, state: &mut State, found: &mut Vec<Finding>) {
        if let Ok(parsed) = &self.unit.result {
            check(self.script, &self.unit.range, &parsed.tree, self.place, state, found);
        }
    }

    /// Removes wrong fixes, and adds fingerprints.
    fn finish(&self, found: &mut [Finding]) {
        let Self { script, options, unit, .. } = self;
        options.drop_fixes(found);
        let (version, parser) = (options.version, ParserOptions::default());
        keep_correct(script, &unit.range, version, parser, found);
        if options.fingerprints && found.iter().any(|finding| options.has(finding.rule)) {
            let fingerprint = fingerprint::of_stmt(script, &unit.range, unit.result.is_ok());
            for finding in found {
                finding.fingerprint = Some(fingerprint);
            }
        }
    }

    /// Checks the body.
    fn body(
        &self,
        state: &mut State,
        (comments, ignored): (&mut Comments, &Ignored),
        found: &mut Vec<Finding>,
    ) {
        let Self { script, options, unit, place } = *self;
        let Ok(Parsed { tree, body: Some(body), .. }) = unit.result.as_deref() else { return };
        let stmt = WithBody { script, range: &unit.range, tree, place, options };
        let mut inside = Vec::new();
        stmt.check(body, state, comments, &mut inside);
        inside.retain(|finding| !comments.silences(ignored, finding.rule));
        found.append(&mut inside);
    }
}

/// Which statements a version of PostgreSQL accepts; the newest one has parsed them.
struct OfVersion {
    /// By the places of statements; `None` for the newest version.
    results: Option<HashMap<usize, Result<(), Error>>>,
}

impl OfVersion {
    fn new(script: &str, version: Version) -> Self {
        let results = (version != Version::newest()).then(|| {
            let stmts = version.parse_script(script).into_iter();
            stmts.map(|stmt| (stmt.range.start, stmt.result.map(drop))).collect()
        });
        Self { results }
    }

    /// Returns the error of a statement.
    fn error<'a>(&'a self, stmt: &'a Unit) -> Option<&'a Error> {
        let newest = stmt.result.as_ref().map(|_| ());
        let of_version = self.results.as_ref().and_then(|it| it.get(&stmt.range.start));
        of_version.map_or(newest, |result| result.as_ref().map(|&()| ())).err()
    }
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
        state.define(text, tree);
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
        if let Node::RawStmt(raw) = node {
            let effects = stmt.effects_of(raw);
            rules::check_stmt(stmt, state, raw, &effects, found);
            state.follow_stmt(raw.stmt().unwrap_or(Node::Null), &effects);
        }
        rules::check(stmt, state, node, nodes.ancestors(), found);
        state.follow(node);
    }
}

/// Makes the finding for a statement that PostgreSQL does not accept.
fn syntax_error(
    script: &str,
    stmt: &Range<usize>,
    error: &Error,
    sets: &mut HashSet<Arc<[Expected]>>,
) -> Finding {
    let at = error.cursor().unwrap_or(stmt.start).clamp(stmt.start, stmt.end);
    let mut finding = error_at(script, stmt, at, error);
    // Statements after this one do not matter for its grammar.
    let script = script.get(..stmt.end).unwrap_or_default();
    let expected = error.expected(script);
    finding.expected = sets.get(&*expected).cloned().unwrap_or_else(|| expected.into());
    sets.insert(Arc::clone(&finding.expected));
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

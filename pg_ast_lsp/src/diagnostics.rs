//! The errors in a document.

use core::ops::Range;

use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString};
use pg_ast::scopes::MistakeKind;
use pg_ast::{CheckedStmt, ParserOptions, Version, with_version};
use pg_ast_lint::{Finding, Rule, lint};

use crate::Settings;
use crate::context::Context;
use crate::lines::Lines;
use crate::names::Mistake;

/// The maximum number of expected tokens to list.
const EXPECTED: usize = 8;

/// What is wrong in a text by itself, without other documents.
pub(crate) struct Findings {
    pub(crate) all: Vec<Finding>,
    /// The errors by the version of the settings, if that is not the newest one, which the findings are by.
    errors: Option<Vec<VersionError>>,
}

struct VersionError {
    range: Range<usize>,
    message: String,
}

impl Findings {
    pub(crate) fn of(text: &str, settings: &Settings) -> Self {
        let mut all = lint(text, &settings.lint);
        let errors = (settings.version != Version::newest()).then(|| {
            all.retain(|finding| finding.rule != Rule::SyntaxError);
            let stmts = settings.version.parse_script(text);
            let stmts = if stmts.iter().all(|stmt| stmt.result.is_ok()) {
                stmts
            } else {
                with_stand_ins(text, settings).unwrap_or(stmts)
            };
            stmts.iter().filter_map(|stmt| error(text, stmt)).collect()
        });
        Self { all, errors }
    }
}

/// Returns the statements, of which those with variables of psql and placeholders are no errors.
fn with_stand_ins(text: &str, settings: &Settings) -> Option<Vec<CheckedStmt>> {
    let options = pg_ast::syntax::ScriptOptions::default()
        .parser(ParserOptions::default())
        .placeholders(settings.format.placeholders);
    with_version!(settings.version, pg => {
        pg::syntax::Script::parse_with(text, options).map(|script| script.check())
    })
    .ok()
}

fn error(text: &str, stmt: &CheckedStmt) -> Option<VersionError> {
    let error = stmt.result.as_ref().err()?;
    let at = error.cursor().unwrap_or(stmt.range.start).clamp(stmt.range.start, stmt.range.end);
    let word = text.get(at..stmt.range.end)?;
    let len = word.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(word.len());
    let len = len.max(word.chars().next().map_or(0, char::len_utf8));
    Some(VersionError { range: at..at + len, message: error.message().to_owned() })
}

/// Returns the diagnostics of a document.
pub(crate) fn diagnostics(cx: &Context<'_>, findings: &Findings) -> Vec<Diagnostic> {
    let lines = cx.document.lines();
    let mut all: Vec<_> = findings.all.iter().map(|finding| diagnostic(lines, finding)).collect();
    for error in findings.errors.iter().flatten() {
        all.push(Diagnostic {
            range: lines.range(&error.range),
            severity: Some(DiagnosticSeverity::ERROR),
            code: Some(NumberOrString::String(Rule::SyntaxError.name().to_owned())),
            source: Some("pgast".to_owned()),
            message: format!("{} (PostgreSQL {})", error.message, cx.settings.version),
            ..Diagnostic::default()
        });
    }
    for (placed, names) in cx.document.stmts().iter().zip(cx.all_names()) {
        all.extend(names.mistakes.iter().map(|it| of_name(lines, placed.range.start, it)));
    }
    all.sort_by_key(|diagnostic| (diagnostic.range.start, diagnostic.range.end));
    all
}

/// Returns the diagnostic of a name in a statement that begins at a place.
pub(crate) fn of_name(lines: &Lines, start: usize, mistake: &Mistake) -> Diagnostic {
    let range = start + mistake.range.start..start + mistake.range.end;
    let mut message = mistake.message.clone();
    if let Some(suggestion) = &mistake.suggestion {
        message = format!("{message}\ndid you mean {suggestion}?");
    }
    Diagnostic {
        range: lines.range(&range),
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(code(mistake.kind).to_owned())),
        source: Some("pgast".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

fn code(kind: MistakeKind) -> &'static str {
    match kind {
        MistakeKind::MissingColumn => "missing-column",
        MistakeKind::MissingTable => "missing-table",
        MistakeKind::MissingSource => "missing-from-item",
        MistakeKind::MissingFunction => "missing-function",
        MistakeKind::AmbiguousColumn => "ambiguous-column",
        MistakeKind::DuplicateSource => "duplicate-from-item",
        _ => "wrong-name",
    }
}

pub(crate) fn diagnostic(lines: &Lines, finding: &Finding) -> Diagnostic {
    let mut message = finding.message.clone();
    if !finding.expected.is_empty() {
        let names: Vec<_> =
            finding.expected.iter().take(EXPECTED).map(ToString::to_string).collect();
        message = format!("{message}\nexpected {}", names.join(", "));
        if finding.expected.len() > EXPECTED {
            message += ", ..";
        }
    }
    if let Some(help) = &finding.help {
        message = format!("{message}\n{help}");
    }
    let severity = match finding.rule {
        Rule::SyntaxError => DiagnosticSeverity::ERROR,
        _ => DiagnosticSeverity::WARNING,
    };
    Diagnostic {
        range: lines.range(&finding.range),
        severity: Some(severity),
        code: Some(NumberOrString::String(finding.rule.name().to_owned())),
        source: Some("pgast".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

//! The errors in a document.

use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString};
use pg_ast::Version;
use pg_ast_lint::{Finding, Rule, Severity};
use pg_ast_names::MistakeKind;

use crate::context::Context;
use crate::lines::Lines;
use crate::names::Mistake;

/// The maximum number of expected tokens to list.
const EXPECTED: usize = 8;

/// Returns the diagnostics of a document.
pub(crate) fn diagnostics(cx: &Context<'_>, findings: &[Finding]) -> Vec<Diagnostic> {
    let lines = cx.document.lines();
    let mut all: Vec<_> = findings.iter().map(|finding| diagnostic(cx, finding)).collect();
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

pub(crate) fn diagnostic(cx: &Context<'_>, finding: &Finding) -> Diagnostic {
    let mut message = finding.message.clone();
    let version = cx.settings.version;
    if finding.rule == Rule::SyntaxError && version != Version::newest() {
        message = format!("{message} (PostgreSQL {version})");
    }
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
    let severity = match finding.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
    };
    Diagnostic {
        range: cx.document.lines().range(&finding.range),
        severity: Some(severity),
        code: Some(NumberOrString::String(finding.rule.name().to_owned())),
        source: Some("pgast".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

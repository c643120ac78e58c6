//! The errors in a document.

use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString};
use pg_ast::{LineIndex, Version};
use pg_ast_ide::{DocumentContext, WrongName};
use pg_ast_lint::{Finding, Rule, Severity};
use pg_ast_names::MistakeKind;

use crate::to_lsp;

/// The maximum number of expected tokens to list.
const EXPECTED: usize = 8;

/// Returns the diagnostics of a document.
pub(crate) fn diagnostics(cx: &DocumentContext<'_>, findings: &[Finding]) -> Vec<Diagnostic> {
    let lines = cx.document().lines();
    let mut all: Vec<_> = findings.iter().map(|finding| diagnostic(cx, finding)).collect();
    let wrong_names = cx.wrong_names(&(0..lines.text().len()));
    all.extend(wrong_names.iter().map(|wrong| of_name(lines, wrong)));
    all.sort_by_key(|diagnostic| (diagnostic.range.start, diagnostic.range.end));
    all
}

/// Returns the diagnostic of a name.
pub(crate) fn of_name(lines: &LineIndex<'_>, wrong: &WrongName) -> Diagnostic {
    let mut message = wrong.message.clone();
    if let Some(suggestion) = &wrong.suggestion {
        message = format!("{message}\ndid you mean {suggestion}?");
    }
    Diagnostic {
        range: to_lsp::range(lines, &wrong.range),
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(code(wrong.kind).to_owned())),
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
        MistakeKind::MissingType => "missing-type",
        MistakeKind::MissingIndex => "missing-index",
        MistakeKind::MissingSchema => "missing-schema",
        MistakeKind::UngroupedColumn => "ungrouped-column",
        MistakeKind::MisplacedAggregate => "misplaced-aggregate",
        MistakeKind::MisplacedWindow => "misplaced-window",
        MistakeKind::AmbiguousColumn => "ambiguous-column",
        MistakeKind::DuplicateSource => "duplicate-from-item",
        _ => "wrong-name",
    }
}

pub(crate) fn diagnostic(cx: &DocumentContext<'_>, finding: &Finding) -> Diagnostic {
    let mut message = finding.message.clone();
    let version = cx.workspace().version();
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
        range: to_lsp::range(cx.document().lines(), &finding.range),
        severity: Some(severity),
        code: Some(NumberOrString::String(finding.rule.name().to_owned())),
        source: Some("pgast".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

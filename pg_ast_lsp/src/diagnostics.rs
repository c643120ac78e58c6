//! The errors in a document, and their fixes.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic,
    DiagnosticSeverity, NumberOrString, TextEdit, Uri, WorkspaceEdit,
};
use pg_ast_lint::{Finding, Options, Rule, fix, lint};

use crate::document::Lines;
use crate::formatting;

/// The maximum number of expected tokens to list.
const EXPECTED: usize = 8;

pub(crate) fn diagnostics(text: &str) -> Vec<Diagnostic> {
    let lines = Lines::new(text);
    let findings = lint(text, &Options::default());
    findings.iter().map(|finding| diagnostic(&lines, finding)).collect()
}

fn diagnostic(lines: &Lines<'_>, finding: &Finding) -> Diagnostic {
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
        source: Some("pg_ast".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// Returns the fixes for the findings in a range, and one for the entire document.
pub(crate) fn actions(text: &str, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    let lines = Lines::new(text);
    let uri = &params.text_document.uri;
    let wanted = lines.offset(params.range.start)..lines.offset(params.range.end);
    // A requested kind includes its sub-kinds.
    let asked = |kind: &CodeActionKind| {
        params.context.only.as_ref().is_none_or(|only| {
            let below = |asked: &CodeActionKind| {
                let rest = kind.as_str().strip_prefix(asked.as_str());
                rest.is_some_and(|rest| {
                    asked.as_str().is_empty() || rest.is_empty() || rest.starts_with('.')
                })
            };
            only.iter().any(below)
        })
    };
    let mut actions = Vec::new();
    if asked(&CodeActionKind::QUICKFIX) {
        let touched = |finding: &&Finding| {
            finding.range.start <= wanted.end && wanted.start <= finding.range.end
        };
        let findings = lint(text, &Options::default());
        let touched: Vec<_> = findings.iter().filter(touched).collect();
        for finding in &touched {
            let Some(fix) = &finding.fix else { continue };
            let edit = |(range, new_text): &(std::ops::Range<usize>, String)| TextEdit {
                range: lines.range(range),
                new_text: new_text.clone(),
            };
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic(&lines, finding)]),
                edit: Some(edits(uri, fix.changes.iter().map(edit).collect())),
                is_preferred: Some(!fix.is_guess),
                ..CodeAction::default()
            }));
        }
        let stmts = if touched.is_empty() { Vec::new() } else { pg_ast::parse_script(text) };
        for finding in touched {
            let next = stmts.partition_point(|stmt| stmt.range.start <= finding.range.start);
            let stmt = stmts.get(next.wrapping_sub(1));
            let Some(stmt) = stmt.filter(|_| finding.rule != Rule::UnknownRule) else { continue };
            let start = stmt.range.start;
            let comment = format!("-- pgast-ignore {}\n", finding.rule);
            let edit = TextEdit { range: lines.range(&(start..start)), new_text: comment };
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("Silence {} for this statement", finding.rule),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic(&lines, finding)]),
                edit: Some(edits(uri, vec![edit])),
                ..CodeAction::default()
            }));
        }
    }
    if asked(&CodeActionKind::SOURCE_FIX_ALL) {
        let fixed = fix(text, &Options::default());
        if fixed.count > 0 {
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("Mend all that can be mended ({})", fixed.count),
                kind: Some(CodeActionKind::SOURCE_FIX_ALL),
                edit: Some(edits(uri, formatting::change(text, &fixed.text))),
                ..CodeAction::default()
            }));
        }
    }
    actions
}

// A URI caches its parts, which are not part of its hash.
#[allow(clippy::mutable_key_type)]
fn edits(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit { changes: Some(HashMap::from([(uri.clone(), edits)])), ..Default::default() }
}

//! Changes that fix what is wrong.

use core::ops::Range;
use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic, TextEdit, Uri,
    WorkspaceEdit,
};
use pg_ast::quote_identifier;
use pg_ast_ide::DocumentContext;
use pg_ast_lint::{Applicability, Finding, Rule, fix};

use crate::diagnostics::{diagnostic, of_name};
use crate::server::Server;
use crate::{Settings, formatting, to_lsp};

/// Returns the fixes for what is wrong in a range, and one for the entire document.
pub(crate) fn actions(
    cx: &DocumentContext<'_>,
    server: &Server,
    findings: &[Finding],
    params: &CodeActionParams,
) -> Vec<CodeActionOrCommand> {
    let wanted = to_lsp::offsets(cx.document().lines(), params.range);
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
    let mut actions = Actions { cx, uri: &params.text_document.uri, all: Vec::new() };
    if asked(&CodeActionKind::QUICKFIX) {
        let is_touched =
            |range: &Range<usize>| range.start <= wanted.end && wanted.start <= range.end;
        let touched: Vec<_> = findings.iter().filter(|it| is_touched(&it.range)).collect();
        for finding in &touched {
            actions.fix(finding);
        }
        actions.names(&wanted);
        for finding in touched {
            actions.silence(finding);
        }
    }
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    let count = fixes.filter(|fix| fix.applicability != Applicability::Guess).count();
    if count > 0 && asked(&CodeActionKind::SOURCE_FIX_ALL) {
        actions.fix_all(server, count);
    }
    actions.all
}

struct Actions<'a> {
    cx: &'a DocumentContext<'a>,
    uri: &'a Uri,
    all: Vec<CodeActionOrCommand>,
}

impl Actions<'_> {
    fn add(
        &mut self,
        title: String,
        about: Diagnostic,
        edits: Vec<TextEdit>,
        is_preferred: Option<bool>,
    ) {
        self.all.push(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![about]),
            edit: Some(workspace_edit(self.uri, edits)),
            is_preferred,
            ..CodeAction::default()
        }));
    }

    /// A fix that may change what a statement does is offered, but not the preferred one.
    fn fix(&mut self, finding: &Finding) {
        let Some(fix) = &finding.fix else { return };
        let lines = self.cx.document().lines();
        let edits = fix.changes.iter().map(|it| to_lsp::edit(lines, it.clone())).collect();
        let about = diagnostic(self.cx, finding);
        self.add(fix.title.clone(), about, edits, Some(fix.applicability == Applicability::Safe));
    }

    /// The names that were probably meant.
    fn names(&mut self, wanted: &Range<usize>) {
        let lines = self.cx.document().lines();
        for wrong in self.cx.wrong_names(wanted) {
            let (range, Some(suggestion)) = (&wrong.range, &wrong.suggestion) else { continue };
            if range.start > wanted.end || wanted.start > range.end {
                continue;
            }
            let new_text = quote_identifier(suggestion);
            let title = format!("Replace with {new_text}");
            let edits = vec![to_lsp::edit(lines, (range.clone(), new_text))];
            self.add(title, of_name(lines, &wrong), edits, Some(false));
        }
    }

    fn silence(&mut self, finding: &Finding) {
        let document = self.cx.document();
        let Some(stmt) = document.stmt_before(finding.range.start) else { return };
        if finding.rule == Rule::UnknownRule {
            return;
        }
        let is_crlf = document.text().split('\n').next().is_some_and(|it| it.ends_with('\r'));
        let end = if is_crlf { "\r\n" } else { "\n" };
        let new_text = format!("-- pgast-ignore {}{end}", finding.rule);
        let edits = vec![to_lsp::edit(document.lines(), (stmt.start..stmt.start, new_text))];
        let title = format!("Silence {} for this statement", finding.rule);
        self.add(title, diagnostic(self.cx, finding), edits, None);
    }

    /// All fixes at once. Making them takes several passes, so a client that can asks for them later.
    fn fix_all(&mut self, server: &Server, count: usize) {
        let mut action = CodeAction {
            title: format!("Fix all that can be fixed ({count})"),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            ..CodeAction::default()
        };
        if server.resolves_edits {
            action.data = Some(self.cx.path().into());
        } else {
            action.edit = all_fixed(self.cx, &server.settings);
        }
        self.all.push(CodeActionOrCommand::CodeAction(action));
    }
}

/// Returns the changes that apply all fixes, except those that are guesses.
pub(crate) fn all_fixed(cx: &DocumentContext<'_>, settings: &Settings) -> Option<WorkspaceEdit> {
    let fixed = fix(cx.document().text(), &settings.lint_of(cx.path())?);
    let edits = formatting::change(cx.document().lines(), &fixed.text);
    Some(workspace_edit(&cx.path().parse().ok()?, edits))
}

// A URI caches its parts, which are not part of its hash.
#[allow(clippy::mutable_key_type)]
fn workspace_edit(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    let changes = HashMap::from([(uri.clone(), edits)]);
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

//! Places and answers as the protocol has them: lines, and columns in UTF-16.

use core::ops::Range;
use std::collections::HashMap;

use lsp_types::{
    CompletionItemKind, CompletionTextEdit, DocumentHighlight, DocumentHighlightKind,
    DocumentSymbol, FoldingRange, FoldingRangeKind, HoverContents, InlayHintKind, InlayHintLabel,
    InlayHintTooltip, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, Position,
    PrepareRenameResponse, SelectionRange, SignatureInformation, SymbolKind, TextEdit, Uri,
    WorkspaceEdit,
};
use pg_ast::{ColumnUnit, LineColumn, LineIndex};
use pg_ast_ide::{
    CompletionItem, CompletionList, Fold, Highlight, Hover, InlayHint, Location, OutlineItem,
    OutlineKind, RenameEdits, RenameTarget, Signature, SignatureHelp, WordKind, Workspace,
};

pub(crate) fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(crate) fn position(lines: &LineIndex<'_>, offset: usize) -> Position {
    let place = lines.line_column(offset, ColumnUnit::Utf16);
    Position { line: number(place.line), character: number(place.column) }
}

pub(crate) fn range(lines: &LineIndex<'_>, range: &Range<usize>) -> lsp_types::Range {
    lsp_types::Range { start: position(lines, range.start), end: position(lines, range.end) }
}

/// Returns the offset of a position. One after the end of its line counts as the end of the line, one after the end of the text as
/// the end of the text.
pub(crate) fn offset(lines: &LineIndex<'_>, position: Position) -> usize {
    let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
    let place = LineColumn { line: number(position.line), column: number(position.character) };
    lines.offset(place, ColumnUnit::Utf16).unwrap_or(lines.text().len())
}

pub(crate) fn offsets(lines: &LineIndex<'_>, range: lsp_types::Range) -> Range<usize> {
    let (start, end) = (offset(lines, range.start), offset(lines, range.end));
    start..end.max(start)
}

pub(crate) fn edit(lines: &LineIndex<'_>, (place, text): (Range<usize>, String)) -> TextEdit {
    TextEdit { range: range(lines, &place), new_text: text }
}

pub(crate) fn completions(
    lines: &LineIndex<'_>,
    list: CompletionList,
) -> Vec<lsp_types::CompletionItem> {
    let range = range(lines, &list.range);
    let item = |item: CompletionItem| lsp_types::CompletionItem {
        label: item.label,
        kind: Some(match item.kind {
            WordKind::Keyword => CompletionItemKind::KEYWORD,
            WordKind::Table => CompletionItemKind::STRUCT,
            WordKind::Column => CompletionItemKind::FIELD,
            WordKind::Function => CompletionItemKind::FUNCTION,
            WordKind::Type => CompletionItemKind::CLASS,
            _ => CompletionItemKind::VARIABLE,
        }),
        detail: item.detail,
        sort_text: Some(item.order),
        // Clients compare it with what is there, quotes included.
        filter_text: item.is_quoted.then(|| item.text.clone()),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: item.text })),
        ..lsp_types::CompletionItem::default()
    };
    list.items.into_iter().map(item).collect()
}

pub(crate) fn hover(lines: &LineIndex<'_>, hover: Hover) -> lsp_types::Hover {
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: hover.markdown };
    let range = Some(range(lines, &hover.range));
    lsp_types::Hover { contents: HoverContents::Markup(contents), range }
}

pub(crate) fn locations(workspace: &Workspace, found: Vec<Location>) -> Vec<lsp_types::Location> {
    let location = |found: Location| {
        let range = range(workspace.document(&found.path)?.lines(), &found.range);
        Some(lsp_types::Location { uri: found.path.parse().ok()?, range })
    };
    found.into_iter().filter_map(location).collect()
}

pub(crate) fn highlight(lines: &LineIndex<'_>, found: &Highlight) -> DocumentHighlight {
    let kind =
        if found.is_write { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ };
    DocumentHighlight { range: range(lines, &found.range), kind: Some(kind) }
}

pub(crate) fn rename_target(lines: &LineIndex<'_>, target: RenameTarget) -> PrepareRenameResponse {
    let range = range(lines, &target.range);
    PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: target.name }
}

// A URI caches its parts, which are not part of its hash.
#[allow(clippy::mutable_key_type)]
pub(crate) fn renamed(workspace: &Workspace, edits: RenameEdits) -> Result<WorkspaceEdit, String> {
    let mut changes = HashMap::new();
    for (path, edits) in edits {
        let (Ok(uri), Some(document)) = (path.parse::<Uri>(), workspace.document(&path)) else {
            return Err(format!("{path} is not a file"));
        };
        changes.insert(uri, edits.into_iter().map(|it| edit(document.lines(), it)).collect());
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

pub(crate) fn signature_help(help: SignatureHelp) -> lsp_types::SignatureHelp {
    let information = |Signature { label, parameters, .. }| {
        let units = |offset: usize| number(label[..offset].encode_utf16().count());
        let parameter = |range: &Range<usize>| ParameterInformation {
            label: ParameterLabel::LabelOffsets([units(range.start), units(range.end)]),
            documentation: None,
        };
        let parameters: Vec<_> = parameters.iter().map(parameter).collect();
        let last = parameters.len().saturating_sub(1);
        SignatureInformation {
            label,
            documentation: None,
            parameters: Some(parameters),
            active_parameter: Some(number(help.argument.min(last))),
        }
    };
    lsp_types::SignatureHelp {
        signatures: help.signatures.into_iter().map(information).collect(),
        active_signature: Some(number(help.active)),
        active_parameter: Some(number(help.argument)),
    }
}

pub(crate) fn inlay_hint(lines: &LineIndex<'_>, hint: InlayHint) -> lsp_types::InlayHint {
    lsp_types::InlayHint {
        position: position(lines, hint.offset),
        label: InlayHintLabel::String(hint.label),
        kind: hint.is_of_value.then_some(InlayHintKind::PARAMETER),
        text_edits: None,
        tooltip: hint.tooltip.map(InlayHintTooltip::String),
        padding_left: Some(!hint.is_of_value),
        padding_right: Some(hint.is_of_value),
        data: None,
    }
}

// `deprecated` is a required field.
#[allow(deprecated)]
pub(crate) fn symbol(lines: &LineIndex<'_>, item: OutlineItem) -> DocumentSymbol {
    let children = item.children.map(|it| it.into_iter().map(|child| symbol(lines, child)));
    DocumentSymbol {
        name: item.name,
        detail: item.detail,
        kind: match item.kind {
            OutlineKind::Table => SymbolKind::STRUCT,
            OutlineKind::View => SymbolKind::INTERFACE,
            OutlineKind::Sequence => SymbolKind::NUMBER,
            OutlineKind::Index | OutlineKind::Constraint => SymbolKind::KEY,
            OutlineKind::Function => SymbolKind::FUNCTION,
            OutlineKind::Enum => SymbolKind::ENUM,
            OutlineKind::Domain => SymbolKind::TYPE_PARAMETER,
            OutlineKind::CompositeType => SymbolKind::CLASS,
            OutlineKind::Schema => SymbolKind::NAMESPACE,
            OutlineKind::Extension => SymbolKind::PACKAGE,
            OutlineKind::Column => SymbolKind::FIELD,
            OutlineKind::EnumValue => SymbolKind::ENUM_MEMBER,
            OutlineKind::Variable => SymbolKind::VARIABLE,
            _ => SymbolKind::EVENT,
        },
        tags: None,
        deprecated: None,
        range: range(lines, &item.range),
        selection_range: range(lines, &item.place),
        children: children.map(Iterator::collect),
    }
}

pub(crate) fn fold(lines: &LineIndex<'_>, fold: &Fold) -> FoldingRange {
    let range = range(lines, &fold.range);
    FoldingRange {
        start_line: range.start.line,
        end_line: range.end.line,
        kind: fold.is_comment.then_some(FoldingRangeKind::Comment),
        ..FoldingRange::default()
    }
}

/// Puts ranges around a place into each other, the inner ones first.
pub(crate) fn selection(lines: &LineIndex<'_>, ranges: &[Range<usize>]) -> SelectionRange {
    let around = |parent: Option<SelectionRange>, place: &Range<usize>| {
        Some(SelectionRange { range: range(lines, place), parent: parent.map(Box::new) })
    };
    let nothing = SelectionRange { range: range(lines, &(0..0)), parent: None };
    ranges.iter().rev().fold(None, around).unwrap_or(nothing)
}

#[cfg(test)]
mod tests {
    use super::{LineIndex, offset, position};

    #[test]
    fn positions_and_offsets_agree() {
        let long = format!("SELECT '{}', 1;\nSELECT 2", "ä🐘x".repeat(200));
        for text in ["", "a", "a\nb", "a\r\nb\rc\n", "ä🐘\n🐘", &long] {
            let lines = LineIndex::new(text);
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                // Between the two characters of a line break there is no position.
                if !text[..at].ends_with('\r') || !text[at..].starts_with('\n') {
                    assert_eq!(offset(&lines, position(&lines, at)), at, "{text:?} {at}");
                }
            }
            let before: usize = text.lines().last().unwrap_or("").encode_utf16().count();
            if text.ends_with(['a', 'b', '2', '🐘']) {
                assert_eq!(position(&lines, text.len()).character as usize, before);
            }
        }
    }
}

//! What the words of a document are, as the protocol wants them.

use core::ops::Range;

use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensEdit,
    SemanticTokensLegend,
};
use pg_ast::LineIndex;
use pg_ast_ide::{DocumentContext, SemanticWord};

use crate::to_lsp::number;

const DECLARATION: u32 = 1;
const BUILT_IN: u32 = 2;

/// The kinds are in the order of `WordKind`.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::KEYWORD,
            SemanticTokenType::STRING,
            SemanticTokenType::NUMBER,
            SemanticTokenType::OPERATOR,
            SemanticTokenType::COMMENT,
            SemanticTokenType::TYPE,
            SemanticTokenType::CLASS,
            SemanticTokenType::PROPERTY,
            SemanticTokenType::FUNCTION,
            SemanticTokenType::VARIABLE,
            SemanticTokenType::PARAMETER,
            SemanticTokenType::MACRO,
        ],
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::DEFAULT_LIBRARY,
        ],
    }
}

/// Returns the words of a document, or of those of its statements that touch a range.
pub(crate) fn tokens(
    cx: &DocumentContext<'_>,
    wanted: Option<&Range<usize>>,
) -> Vec<SemanticToken> {
    let lines = cx.document().lines();
    let mut encoder = Encoder { lines, tokens: Vec::new(), line: 0, last: (0, 0) };
    cx.words(wanted).iter().for_each(|word| encoder.add(word));
    encoder.tokens
}

/// Writes words as the protocol wants them: each relative to the one before, and on one line.
struct Encoder<'a> {
    lines: &'a LineIndex<'a>,
    tokens: Vec<SemanticToken>,
    /// The line at which the last word ends.
    line: usize,
    /// Where the last token begins: its line, and its offset.
    last: (usize, usize),
}

impl Encoder<'_> {
    /// Adds a word that begins behind the last one.
    fn add(&mut self, word: &SemanticWord) {
        while let Some(line) = self.lines.line(self.line) {
            let (start, end) = (word.range.start.max(line.start), word.range.end.min(line.end));
            if start < end {
                self.on_line(line.start, start..end, word);
            }
            let next = self.lines.line(self.line + 1);
            if next.is_none_or(|next| next.start >= word.range.end) {
                break;
            }
            self.line += 1;
        }
    }

    fn on_line(&mut self, line_start: usize, range: Range<usize>, word: &SemanticWord) {
        let delta_line = self.line - self.last.0;
        let before = if delta_line == 0 { self.last.1 } else { line_start };
        self.tokens.push(SemanticToken {
            delta_line: number(delta_line),
            delta_start: self.units(before..range.start),
            length: self.units(range.clone()),
            token_type: word.kind as u32,
            token_modifiers_bitset: u32::from(word.is_definition) * DECLARATION
                + u32::from(word.is_built_in) * BUILT_IN,
        });
        self.last = (self.line, range.start);
    }

    fn units(&self, range: Range<usize>) -> u32 {
        let text = self.lines.text().get(range).unwrap_or_default();
        number(if text.is_ascii() { text.len() } else { text.encode_utf16().count() })
    }
}

/// Returns what changes the tokens that a client has into others.
pub(crate) fn edits(old: &[SemanticToken], new: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let before = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[before..], &new[before..]);
    let behind = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - behind], &new[..new.len() - behind]);
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    // Counted in numbers, five per token.
    let count = |tokens: usize| number(5 * tokens);
    vec![SemanticTokensEdit {
        start: count(before),
        delete_count: count(old.len()),
        data: Some(new.to_vec()),
    }]
}

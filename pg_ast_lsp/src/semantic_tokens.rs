//! What the words of a document are, for colours.

use core::ops::Range;

use lsp_types::{
    Position, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensEdit,
    SemanticTokensLegend,
};
use pg_ast::ScanToken;
use pg_ast::protobuf::{KeywordKind, Token};
use pg_ast_syntax::SyntaxKind;

use crate::context::Context;
use crate::functions;
use crate::lines::Lines;
use crate::names::{LocalKind, Name, Names, Role, Symbol};
use crate::stmt::Stmt;

/// The kinds, in the order of the legend.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Keyword,
    String,
    Number,
    Operator,
    Comment,
    Type,
    Table,
    Column,
    Function,
    Variable,
    Parameter,
    Command,
}

const DECLARATION: u32 = 1;
const BUILT_IN: u32 = 2;

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

/// A word of a statement.
#[derive(Clone)]
pub(crate) struct Word {
    range: Range<usize>,
    kind: Kind,
    modifiers: u32,
}

/// Returns the words of a statement.
pub(crate) fn words(stmt: &Stmt, names: &Names) -> Vec<Word> {
    let mut words = Vec::new();
    let mut names = names.all.iter().filter(|name| !name.range.is_empty()).peekable();
    for token in &stmt.tokens().all {
        let range = token.range();
        while names.next_if(|name| name.range.start < range.start).is_some() {}
        if let Some(name) = names.next_if(|name| name.range == range)
            && let Some((kind, modifiers)) = of_name(name)
        {
            words.push(Word { range, kind, modifiers });
        } else if let Some(kind) = of_token(*token) {
            words.push(Word { range, kind, modifiers: 0 });
        }
    }
    words
}

fn of_name(name: &Name) -> Option<(Kind, u32)> {
    let mut modifiers = if name.role == Role::Definition { DECLARATION } else { 0 };
    let kind = match &name.symbol {
        Symbol::Relation(_) | Symbol::Local(LocalKind::Cte, _) => Kind::Table,
        Symbol::Column(..) | Symbol::Local(LocalKind::Column, _) => Kind::Column,
        Symbol::Routine(name) => {
            if !functions::named(&name.name).is_empty() {
                modifiers |= BUILT_IN;
            }
            Kind::Function
        }
        Symbol::Type(_) => Kind::Type,
        Symbol::Object(..) => return None,
        Symbol::Local(LocalKind::Alias | LocalKind::Variable, _) => Kind::Variable,
        Symbol::Local(LocalKind::Parameter, _) => Kind::Parameter,
    };
    Some((kind, modifiers))
}

fn of_token(token: ScanToken) -> Option<Kind> {
    if token.is_comment() {
        return Some(Kind::Comment);
    }
    if token.keyword_kind != KeywordKind::NoKeyword {
        return Some(Kind::Keyword);
    }
    match token.token {
        Token::Sconst | Token::Usconst | Token::Bconst | Token::Xconst => Some(Kind::String),
        Token::Iconst | Token::Fconst => Some(Kind::Number),
        Token::Param => Some(Kind::Parameter),
        Token::Op
        | Token::LessEquals
        | Token::GreaterEquals
        | Token::NotEquals
        | Token::EqualsGreater
        | Token::Typecast
        | Token::ColonEquals => Some(Kind::Operator),
        _ => None,
    }
}

/// Returns the words of a document, or of those of its statements that touch a range.
pub(crate) fn tokens(cx: &Context<'_>, wanted: Option<&Range<usize>>) -> Vec<SemanticToken> {
    let document = cx.document;
    let mut encoder = Encoder::new(document.lines());
    let is_wanted = |range: &Range<usize>| {
        wanted.is_none_or(|wanted| range.start <= wanted.end && wanted.start <= range.end)
    };
    let mut others = between(cx).into_iter().filter(|(range, _)| is_wanted(range)).peekable();
    for (index, placed) in document.stmts().iter().enumerate() {
        if !is_wanted(&placed.range) {
            continue;
        }
        let start = placed.range.start;
        while let Some((range, kind)) = others.next_if(|(range, _)| range.start < start) {
            encoder.add(range, kind, 0);
        }
        for word in cx.names(index).words(&placed.stmt) {
            let range = start + word.range.start..start + word.range.end;
            encoder.add(range, word.kind, word.modifiers);
        }
    }
    for (range, kind) in others {
        encoder.add(range, kind, 0);
    }
    encoder.tokens
}

/// Returns comments and commands of psql between the statements.
fn between(cx: &Context<'_>) -> Vec<(Range<usize>, Kind)> {
    let Some(script) = cx.document.script() else { return Vec::new() };
    let parts = script.root().children_with_tokens().filter_map(|part| {
        let kind = match part.kind() {
            SyntaxKind::SQL_COMMENT | SyntaxKind::C_COMMENT => Kind::Comment,
            SyntaxKind::PSQL_COMMAND => Kind::Command,
            SyntaxKind::COPY_DATA => Kind::String,
            _ => return None,
        };
        let range = part.text_range();
        Some((usize::from(range.start())..usize::from(range.end()), kind))
    });
    parts.collect()
}

/// Writes words as the protocol wants them: each relative to the one before, and on one line.
struct Encoder<'a> {
    lines: &'a Lines,
    tokens: Vec<SemanticToken>,
    /// The line of the last word.
    line: usize,
    /// Where that begins.
    last: Position,
}

impl<'a> Encoder<'a> {
    fn new(lines: &'a Lines) -> Self {
        Self { lines, tokens: Vec::new(), line: 0, last: Position::default() }
    }

    /// Adds a word that begins behind the last one.
    fn add(&mut self, range: Range<usize>, kind: Kind, modifiers: u32) {
        let first = self.lines.line_from(self.line, range.start);
        for line in first..=self.lines.line_from(first, range.end) {
            let start = range.start.max(self.lines.line_start(line));
            let end = range.end.min(self.lines.line_end(line));
            if start < end {
                self.on_line(line, start..end, kind, modifiers);
            }
        }
    }

    fn on_line(&mut self, line: usize, range: Range<usize>, kind: Kind, modifiers: u32) {
        let place = |offset| self.lines.position_on(line, offset);
        let (start, end) = (place(range.start), place(range.end));
        let delta_line = start.line - self.last.line;
        let before = if delta_line == 0 { self.last.character } else { 0 };
        self.tokens.push(SemanticToken {
            delta_line,
            delta_start: start.character.saturating_sub(before),
            length: end.character - start.character,
            token_type: kind as u32,
            token_modifiers_bitset: modifiers,
        });
        (self.line, self.last) = (line, start);
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
    let count = |tokens: usize| u32::try_from(5 * tokens).unwrap_or(u32::MAX);
    vec![SemanticTokensEdit {
        start: count(before),
        delete_count: count(old.len()),
        data: Some(new.to_vec()),
    }]
}

//! What the words of a document are, for colours.

use core::ops::Range;

use pg_ast::protobuf::{KeywordKind, Token};
use pg_ast::{ScanToken, Version};
use pg_ast_syntax::SyntaxKind;

use crate::answers::functions;
use crate::names::{LocalKind, NameAt, NameRole, Names, SymbolId};
use crate::stmt::StmtFacts;
use crate::workspace::context::DocumentContext;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WordKind {
    /// A word of the grammar.
    Keyword,
    /// A string, in any notation.
    String,
    /// A number.
    Number,
    /// An operator.
    Operator,
    /// A comment.
    Comment,
    /// The name of a type.
    Type,
    /// The name of a table, a view, or a query of `WITH`.
    Table,
    /// The name of a column.
    Column,
    /// The name of a function or a procedure.
    Function,
    /// A variable of PL/pgSQL or of psql, or an alias.
    Variable,
    /// A parameter: `$1`, or that of a function.
    Parameter,
    /// A command of psql.
    Command,
}

/// A word, a comment or another token.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SemanticWord {
    /// Where it is.
    pub range: Range<usize>,
    /// What it is.
    pub kind: WordKind,
    /// Whether it is a name that is defined there.
    pub is_definition: bool,
    /// Whether it is the name of a function that PostgreSQL has itself.
    pub is_built_in: bool,
}

impl SemanticWord {
    fn new(range: Range<usize>, kind: WordKind) -> Self {
        Self { range, kind, is_definition: false, is_built_in: false }
    }
}

/// Returns the words of a statement.
pub(crate) fn words(stmt: &StmtFacts, names: &Names, version: Version) -> Vec<SemanticWord> {
    let mut words = Vec::new();
    let mut names = names.all.iter().filter(|name| !name.range.is_empty()).peekable();
    for token in &stmt.tokens().all {
        let range = token.range();
        while names.next_if(|name| name.range.start < range.start).is_some() {}
        if let Some(name) = names.next_if(|name| name.range == range)
            && let Some(kind) = of_name(name)
        {
            let is_definition = name.role == NameRole::Definition;
            let is_built_in = matches!(&name.symbol, SymbolId::Routine(it) if !functions::named(version, &it.name).is_empty());
            words.push(SemanticWord { range, kind, is_definition, is_built_in });
        } else if let Some(kind) = of_token(*token) {
            words.push(SemanticWord::new(range, kind));
        }
    }
    words
}

fn of_name(name: &NameAt) -> Option<WordKind> {
    Some(match &name.symbol {
        SymbolId::Relation(_) | SymbolId::Local(LocalKind::Cte, _) => WordKind::Table,
        SymbolId::Column(..) | SymbolId::Local(LocalKind::Column, _) => WordKind::Column,
        SymbolId::Routine(_) => WordKind::Function,
        SymbolId::Type(_) => WordKind::Type,
        SymbolId::Object(..) => return None,
        SymbolId::Local(LocalKind::Alias | LocalKind::Variable, _) => WordKind::Variable,
        SymbolId::Local(LocalKind::Parameter, _) => WordKind::Parameter,
    })
}

fn of_token(token: ScanToken) -> Option<WordKind> {
    if token.is_comment() {
        return Some(WordKind::Comment);
    }
    if token.keyword_kind != KeywordKind::NoKeyword {
        return Some(WordKind::Keyword);
    }
    match token.token {
        Token::Sconst | Token::Usconst | Token::Bconst | Token::Xconst => Some(WordKind::String),
        Token::Iconst | Token::Fconst => Some(WordKind::Number),
        Token::Param => Some(WordKind::Parameter),
        Token::Op
        | Token::LessEquals
        | Token::GreaterEquals
        | Token::NotEquals
        | Token::EqualsGreater
        | Token::Typecast
        | Token::ColonEquals => Some(WordKind::Operator),
        _ => None,
    }
}

impl DocumentContext<'_> {
    /// Returns the words of the document, or of those of its statements that touch a range, in their order.
    #[must_use]
    pub fn words(&self, wanted: Option<&Range<usize>>) -> Vec<SemanticWord> {
        let is_wanted = |range: &Range<usize>| {
            wanted.is_none_or(|wanted| range.start <= wanted.end && wanted.start <= range.end)
        };
        let mut found = Vec::new();
        let mut others = between(self).into_iter().filter(|it| is_wanted(&it.range)).peekable();
        for (index, placed) in self.document.stmts().iter().enumerate() {
            if !is_wanted(&placed.range) {
                continue;
            }
            while let Some(word) = others.next_if(|it| it.range.start < placed.range.start) {
                found.push(word);
            }
            let names = self.names(index);
            let words = names.words(&placed.stmt, self.workspace.version());
            found.extend(words.iter().map(|word| SemanticWord {
                range: placed.in_document(&word.range),
                ..word.clone()
            }));
        }
        found.extend(others);
        found
    }
}

/// Returns comments and commands of psql between the statements.
fn between(cx: &DocumentContext<'_>) -> Vec<SemanticWord> {
    let Some(script) = cx.document.script() else { return Vec::new() };
    let parts = script.root().children_with_tokens().filter_map(|part| {
        let kind = match part.kind() {
            SyntaxKind::SQL_COMMENT | SyntaxKind::C_COMMENT => WordKind::Comment,
            SyntaxKind::PSQL_COMMAND => WordKind::Command,
            SyntaxKind::COPY_DATA => WordKind::String,
            _ => return None,
        };
        let range = part.text_range();
        Some(SemanticWord::new(usize::from(range.start())..usize::from(range.end()), kind))
    });
    parts.collect()
}

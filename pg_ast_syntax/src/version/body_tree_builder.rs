//! Builds the concrete tree of a body in PL/pgSQL: its own tokens, and the trees of the SQL in it.

use core::ops::Range;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use pg_ast::{Error, ParseMode, ParserOptions};
use rowan::{GreenNode, GreenToken, Language, NodeOrToken};

use super::pg::protobuf::{KeywordKind, Token};
use super::pg::seam::{scan_lossy_with, sort_by_key};
use super::syntax_kind::{SqlLanguage, SyntaxKind};
use super::tree_source::TreeSource;

/// How deep the nodes of PL/pgSQL are at most. What is deeper is in the node around it, and so that the whole tree has at most
/// [`MAX_DEPTH`](super::MAX_DEPTH).
const MAX_BODY_DEPTH: usize = 150;

/// A token of a body.
pub(super) struct BodyToken {
    pub(super) range: Range<usize>,
    pub(super) kind: SyntaxKind,
    /// Whether it is a word without quotes, or a name.
    pub(super) is_name: bool,
}

/// A piece of SQL.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum BodySql {
    Stmt,
    Expr,
    Type,
    /// An assignment to a target with so many dots.
    Assign(usize),
}

/// A node that is too deep for the tree, with its range.
pub(super) type DeeperNode = (SyntaxKind, Range<usize>);

type BodyPart = NodeOrToken<GreenNode, GreenToken>;

/// A node that is not complete.
struct OpenBodyNode {
    kind: SyntaxKind,
    parts: Vec<BodyPart>,
}

pub(super) struct BodyBuilder<'a> {
    text: &'a str,
    pub(super) tokens: Vec<BodyToken>,
    /// What is between them: comments, and what the scanner rejects.
    between: Vec<(Range<usize>, SyntaxKind)>,
    next_between: usize,
    /// The index of the next token.
    pub(super) at: usize,
    /// The place up to which all is in the tree.
    written: usize,
    open: Vec<OpenBodyNode>,
    /// Nodes that are too deep for the tree and are not complete, by their places among all such nodes.
    hidden: Vec<usize>,
    deeper: Vec<DeeperNode>,
    /// For each parenthesis, the one that closes it.
    closing: HashMap<usize, usize>,
    /// The number of semicolons before each token.
    semicolons: Vec<u32>,
}

impl<'a> BodyBuilder<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let lossy = scan_lossy_with(text, ParserOptions::default());
        let errors = lossy.errors.into_iter().map(|error| (error.range, SyntaxKind::ERROR));
        let mut between: Vec<_> = errors.collect();
        let mut tokens = Vec::new();
        for token in lossy.scan.tokens {
            let range = token.range();
            match token.token {
                Token::SqlComment => between.push((range, SyntaxKind::SQL_COMMENT)),
                Token::CComment => between.push((range, SyntaxKind::C_COMMENT)),
                _ => {
                    let is_name = token.keyword_kind != KeywordKind::NoKeyword
                        || matches!(token.token, Token::Ident | Token::Uident | Token::Param);
                    tokens.push(BodyToken { range, kind: kind_of(token.token), is_name });
                }
            }
        }
        sort_by_key(&mut between, |(range, _)| (range.start as u64, 0));
        let root = OpenBodyNode { kind: SyntaxKind::pl_function, parts: Vec::new() };
        let mut builder = Self {
            text,
            tokens,
            between,
            next_between: 0,
            at: 0,
            written: 0,
            open: vec![root],
            hidden: Vec::new(),
            deeper: Vec::new(),
            closing: HashMap::new(),
            semicolons: Vec::new(),
        };
        builder.match_parentheses();
        builder
    }

    fn match_parentheses(&mut self) {
        let (mut open, mut semicolons) = (Vec::new(), 0);
        for index in 0..self.tokens.len() {
            self.semicolons.push(semicolons);
            match self.text_of(index) {
                "(" | "[" => open.push(index),
                ")" | "]" => {
                    if let Some(first) = open.pop() {
                        self.closing.insert(first, index);
                    }
                }
                ";" => semicolons += 1,
                _ => {}
            }
        }
    }

    /// Returns the token behind the parentheses that a token opens.
    pub(super) fn behind_parentheses(&self, index: usize, may_have_semicolons: bool) -> usize {
        let closing = self.closing.get(&index).copied();
        let closing = closing.filter(|closing| {
            may_have_semicolons || self.semicolons[index] == self.semicolons[*closing]
        });
        closing.unwrap_or(index) + 1
    }

    pub(super) fn text_of(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| &self.text[token.range.clone()])
    }

    /// Returns whether a token is a word, without quotes, in any case.
    pub(super) fn is(&self, index: usize, word: &str) -> bool {
        self.text_of(index).eq_ignore_ascii_case(word)
    }

    pub(super) fn is_one_of(&self, index: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(index, word))
    }

    pub(super) fn is_name(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is_name)
    }

    pub(super) fn is_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    fn push(&mut self, part: BodyPart) {
        if let Some(open) = self.open.last_mut() {
            open.parts.push(part);
        }
    }

    fn push_token(&mut self, kind: SyntaxKind, text: &str) {
        self.push(GreenToken::new(SqlLanguage::kind_to_raw(kind), text).into());
    }

    /// Writes what is before a place, and no token.
    fn trivia(&mut self, end: usize) {
        while let Some((range, kind)) = self.between.get(self.next_between).cloned()
            && range.start < end
        {
            self.next_between += 1;
            if range.start < self.written {
                continue;
            }
            self.blank(range.start);
            self.push_token(kind, &self.text[range.clone()]);
            self.written = range.end;
        }
        self.blank(end);
    }

    fn blank(&mut self, end: usize) {
        if self.written < end {
            self.push_token(SyntaxKind::BLANK, &self.text[self.written..end]);
            self.written = end;
        }
    }

    fn trivia_before_next(&mut self) {
        if let Some(next) = self.tokens.get(self.at) {
            self.trivia(next.range.start);
        }
    }

    pub(super) fn start(&mut self, kind: SyntaxKind) {
        self.trivia_before_next();
        if self.open.len() >= MAX_BODY_DEPTH {
            self.hidden.push(self.deeper.len());
            self.deeper.push((kind, self.written..self.written));
        } else {
            self.open.push(OpenBodyNode { kind, parts: Vec::new() });
        }
    }

    pub(super) fn finish(&mut self) {
        if let Some(hidden) = self.hidden.pop() {
            self.deeper[hidden].1.end = self.written;
        } else if self.open.len() > 1
            && let Some(OpenBodyNode { kind, parts }) = self.open.pop()
            && !parts.is_empty()
        {
            self.push(GreenNode::new(SqlLanguage::kind_to_raw(kind), parts).into());
        }
    }

    /// Writes the next token, of its own kind or of another.
    fn token_as(&mut self, kind: Option<SyntaxKind>) {
        self.trivia_before_next();
        if let Some(token) = self.tokens.get(self.at) {
            let (range, kind) = (token.range.clone(), kind.unwrap_or(token.kind));
            self.push_token(kind, &self.text[range.clone()]);
            self.written = range.end;
            self.at += 1;
        }
    }

    /// Writes the next token. A word is a name: PL/pgSQL does not know the keywords of SQL.
    pub(super) fn token(&mut self) {
        let names = [SyntaxKind::IDENT, SyntaxKind::UIDENT, SyntaxKind::PARAM];
        let token = self.tokens.get(self.at);
        let is_keyword = token.is_some_and(|it| it.is_name && !names.contains(&it.kind));
        self.token_as(is_keyword.then_some(SyntaxKind::IDENT));
    }

    /// Writes the next token as a keyword.
    pub(super) fn keyword(&mut self) {
        let is_word = self.tokens.get(self.at).is_some_and(|it| it.kind == SyntaxKind::IDENT);
        self.token_as(is_word.then_some(SyntaxKind::PLPGSQL_KEYWORD));
    }

    pub(super) fn tokens_up_to(&mut self, end: usize) {
        while self.at < end {
            self.token();
        }
    }

    /// Writes a token that is missing.
    pub(super) fn missing(&mut self, kind: SyntaxKind) {
        self.push_token(kind, "");
    }

    /// Writes tokens that nothing accepts.
    pub(super) fn skipped(&mut self, end: usize) {
        if self.at < end {
            self.start(SyntaxKind::ERROR);
            self.tokens_up_to(end);
            self.finish();
        }
    }

    /// Writes the tree of SQL up to a token. `into` are the tokens of an `INTO` that the grammar does not see.
    pub(super) fn sql(
        &mut self,
        end: usize,
        sql: BodySql,
        into: Option<Range<usize>>,
    ) -> Result<(), Error> {
        if self.at >= end {
            self.missing(SyntaxKind::IDENT);
            return Ok(());
        }
        self.trivia_before_next();
        let start = self.tokens[self.at].range.start;
        let text = &self.text[start..self.tokens[end - 1].range.end];
        let mode = match sql {
            BodySql::Stmt => ParseMode::Default,
            BodySql::Expr => ParseMode::PlPgSqlExpr,
            BodySql::Type => ParseMode::TypeName,
            BodySql::Assign(0) => ParseMode::PlPgSqlAssign1,
            BodySql::Assign(1) => ParseMode::PlPgSqlAssign2,
            BodySql::Assign(_) => ParseMode::PlPgSqlAssign3,
        };
        let options = ParserOptions::default().mode(mode);
        let mut source =
            TreeSource { text, clean: Cow::Borrowed(text), options, ..TreeSource::default() };
        source.depth = self.open.len();
        if self.is(self.at, "perform") && sql == BodySql::Stmt {
            // To PL/pgSQL, it is a SELECT.
            source.clean.to_mut().replace_range(..PERFORM.len(), PERFORM);
            source.extras.push((0..1, None));
            source.kinds.push((0..PERFORM.len(), SyntaxKind::PLPGSQL_KEYWORD));
        }
        if let Some(into) = into {
            let first = self.tokens[into.start].range.start - start;
            let last = self.tokens[into.end - 1].range.end - start;
            source.clean.to_mut().replace_range(first..last, &" ".repeat(last - first));
            source.extras.push((first..last, Some(SyntaxKind::PLPGSQL_INTO)));
        }
        let root =
            if sql == BodySql::Stmt { SyntaxKind::SCRIPT_STMT } else { SyntaxKind::parse_toplevel };
        let tree = source.derive(root)?;
        for part in tree.children() {
            self.push(part.to_owned());
        }
        self.at = end;
        self.written = start + text.len();
        Ok(())
    }

    /// Writes the rest, and returns the root, and the nodes that are too deep.
    pub(super) fn end(mut self) -> (GreenNode, Vec<DeeperNode>) {
        while self.open.len() > 1 {
            self.finish();
        }
        self.skipped(self.tokens.len());
        self.trivia(self.text.len());
        let root = self.open.pop().map(|root| root.parts).unwrap_or_default();
        let root = GreenNode::new(SqlLanguage::kind_to_raw(SyntaxKind::pl_function), root);
        (root, self.deeper)
    }
}

/// What stands in the place of `PERFORM`.
const PERFORM: &str = " SELECT";

/// Returns the kind of a token.
fn kind_of(token: Token) -> SyntaxKind {
    static KINDS: LazyLock<HashMap<&'static str, SyntaxKind>> = LazyLock::new(SyntaxKind::by_name);
    let name = token.as_str_name();
    let sign = name.strip_prefix("ASCII_").and_then(|number| number.parse::<u8>().ok());
    let kind = match sign {
        Some(sign) => KINDS.get(format!("'{}'", char::from(sign)).as_str()),
        None => KINDS.get(name),
    };
    kind.copied().unwrap_or(SyntaxKind::ERROR)
}

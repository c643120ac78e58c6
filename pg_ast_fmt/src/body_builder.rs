//! Puts the layout of a body together: its own tokens, and pieces of SQL, which are laid out as statements are.

use std::ops::Range;

use pg_ast::Version;

use crate::layout::lay_out;
use crate::ops::{Break, FILL_INSIDE, Gap, Group, Indent, LINE, Op};
use crate::options::{Options, Style};
use crate::rules::TokenRole;
use crate::tree::{BODY_KEYWORD, BODY_TEXT, Comment, Kinds, Part, Tree, count};

/// A blank.
pub(crate) const BLANK: Gap = Gap { break_: Break::Never, ..LINE };
/// Nothing.
pub(crate) const NOTHING: Gap = Gap { break_: Break::Never, blank: false, ..LINE };

/// A token of a body.
pub(crate) struct Token {
    pub(crate) range: Range<usize>,
    /// Whether it is a word, or a parameter.
    is_name: bool,
}

/// What a piece of SQL is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Piece {
    Stmt,
    /// Expressions with commas between them.
    Exprs,
    Type,
}

impl Piece {
    /// What makes a statement of it.
    fn prefix(self) -> &'static str {
        match self {
            Self::Stmt => "",
            Self::Exprs => "SELECT ",
            Self::Type => "SELECT NULL::",
        }
    }
}

/// Text for a token of the body, of the same length, with which its piece is a statement.
pub(crate) struct Substitute {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

pub(crate) struct Builder<'a> {
    version: Version,
    options: &'a Options,
    /// The body in its quotes.
    pub(crate) sql: &'a str,
    /// The tokens, with the quotes as the first and the last.
    pub(crate) tokens: Vec<Token>,
    comments: Vec<Comment>,
    kinds: &'static Kinds,
    keyword: u16,
    text: u16,
    /// Signs that begin no line, with their kinds.
    signs: [(&'static str, u16); 3],
    parts: Vec<Part>,
    ops: Vec<Op>,
    /// The text that is not understood as SQL, and stays as it is.
    pub(crate) verbatim: Vec<Range<usize>>,
}

impl<'a> Builder<'a> {
    /// `None` if it is not what PostgreSQL's scanner accepts, or has no token. `tag` is the length of a quote.
    pub(crate) fn new(
        version: Version,
        options: &'a Options,
        kinds: &'static Kinds,
        sql: &'a str,
        tag: usize,
    ) -> Option<Self> {
        let (start, end) = (tag, sql.len().checked_sub(tag)?);
        let quote = |range| Token { range, is_name: false };
        let mut tokens = vec![quote(0..start)];
        let mut comments = Vec::new();
        for token in version.scan(sql.get(start..end)?).ok()? {
            let range = token.range.start + start..token.range.end + start;
            if token.is_comment() {
                let is_line = token.name == "SQL_COMMENT";
                let (start, end) = (count(range.start), count(range.end));
                comments.push(Comment { start, end, is_line });
            } else {
                let is_name =
                    token.is_keyword || matches!(token.name, "IDENT" | "UIDENT" | "PARAM");
                tokens.push(Token { range, is_name });
            }
        }
        let is_empty = tokens.len() == 1;
        tokens.push(quote(end..sql.len()));
        let (keyword, text) = (kinds.index(BODY_KEYWORD), kinds.index(BODY_TEXT));
        let signs = [(";", "';'"), (",", "','"), (")", "')'")];
        let signs = signs.map(|(sign, name)| (sign, kinds.index(name)));
        let (parts, ops) = (Vec::with_capacity(tokens.len() * 4), Vec::new());
        let builder = Self {
            version,
            options,
            sql,
            tokens,
            comments,
            kinds,
            keyword,
            text,
            signs,
            parts,
            ops,
            verbatim: Vec::new(),
        };
        (!is_empty).then_some(builder)
    }

    /// Returns the tree and its layout.
    pub(crate) fn finish(mut self) -> (Tree<'a>, Vec<Op>) {
        let mut open: Vec<usize> = Vec::new();
        for index in 0..self.ops.len() {
            match self.ops[index] {
                Op::Open(_) => open.push(index),
                Op::Close => {
                    if let Some(Op::Open(group)) =
                        open.pop().and_then(|open| self.ops.get_mut(open))
                    {
                        group.close = count(index);
                    }
                }
                _ => {}
            }
        }
        let mut verbatim = self.verbatim.iter().peekable();
        self.comments.retain(|comment| {
            while verbatim.next_if(|range| range.end <= comment.start as usize).is_some() {}
            verbatim.peek().is_none_or(|range| range.start > comment.start as usize)
        });
        let tree =
            Tree { sql: self.sql, kinds: self.kinds, parts: self.parts, comments: self.comments };
        (tree, self.ops)
    }

    pub(crate) fn text_of(&self, token: usize) -> &'a str {
        self.tokens.get(token).map_or("", |token| &self.sql[token.range.clone()])
    }

    /// Whether a token is a word, without quotes, in any case.
    pub(crate) fn is(&self, token: usize, word: &str) -> bool {
        self.text_of(token).eq_ignore_ascii_case(word)
    }

    pub(crate) fn is_one_of(&self, token: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(token, word))
    }

    pub(crate) fn is_name(&self, token: usize) -> bool {
        self.tokens.get(token).is_some_and(|token| token.is_name)
    }

    pub(crate) fn open(&mut self, indents: bool, always: bool) {
        let indent = if indents { Indent::Level } else { Indent::No };
        self.ops.push(Op::Open(Group { always, ..Group::new(indent) }));
    }

    pub(crate) fn close(&mut self) {
        self.ops.push(Op::Close);
    }

    pub(crate) fn gap(&mut self, gap: Gap) {
        self.ops.push(Op::Gap(gap));
    }

    fn part(&self, kind: u16, range: &Range<usize>) -> Part {
        let (start, end) = (count(range.start), count(range.end));
        Part { kind, is_node: false, start, end, next: count(self.parts.len() + 1) }
    }

    fn push(&mut self, kind: u16, range: &Range<usize>) {
        self.ops.push(Op::Token(count(self.parts.len())));
        self.parts.push(self.part(kind, range));
    }

    pub(crate) fn keyword(&mut self, token: usize) {
        let range = self.tokens[token].range.clone();
        self.push(self.keyword, &range);
    }

    pub(crate) fn token(&mut self, token: usize) {
        let range = self.tokens[token].range.clone();
        let text = &self.sql[range.clone()];
        let sign = self.signs.iter().find(|(sign, _)| *sign == text);
        let kind = sign.map_or(self.text, |(_, kind)| *kind);
        self.push(kind, &range);
    }

    /// Tokens with the blanks between them that they had, or that names need.
    pub(crate) fn words(&mut self, tokens: Range<usize>, keywords: &[&str]) {
        for index in tokens.clone() {
            if index > tokens.start {
                let (last, next) = (self.text_of(index - 1), self.text_of(index));
                let had_blank = self.tokens[index - 1].range.end < self.tokens[index].range.start;
                let gap = match (last, next) {
                    (_, "," | "." | "%" | ")" | "]" | "[") | ("." | "%" | "(" | "[", _) => NOTHING,
                    (",", _) => FILL_INSIDE,
                    _ => Gap { blank: had_blank, ..BLANK },
                };
                self.gap(gap);
            }
            if self.is_one_of(index, keywords) {
                self.keyword(index);
            } else {
                self.token(index);
            }
        }
    }

    /// Text that stays as it is, with the comments in it.
    fn stays(&mut self, range: &Range<usize>) {
        self.verbatim.push(range.clone());
        self.push(self.text, range);
    }

    /// A piece of SQL, laid out. `into` are tokens that are no SQL, such as the targets of an `INTO`.
    pub(crate) fn piece(
        &mut self,
        tokens: Range<usize>,
        piece: Piece,
        substitute: Option<&Substitute>,
        into: Option<Range<usize>>,
    ) {
        if tokens.is_empty() {
            return;
        }
        if !self.try_piece(tokens.clone(), piece, substitute, into) {
            let range =
                self.tokens[tokens.start].range.start..self.tokens[tokens.end - 1].range.end;
            self.stays(&range);
        }
    }

    /// Returns whether it is SQL.
    pub(crate) fn try_piece(
        &mut self,
        tokens: Range<usize>,
        piece: Piece,
        substitute: Option<&Substitute>,
        into: Option<Range<usize>>,
    ) -> bool {
        let start = self.tokens[tokens.start].range.start;
        let end = self.tokens[tokens.end - 1].range.end;
        let prefix = piece.prefix();
        let mut text = [prefix, &self.sql[start..end]].concat();
        let into = into.map(|into| {
            let range = self.tokens[into.start].range.start..self.tokens[into.end - 1].range.end;
            let text = self.sql[range.clone()].bytes();
            // Comments in it are no SQL either.
            let text: String = text.map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
            (into, Substitute { range, text })
        });
        for substitute in substitute.into_iter().chain(into.iter().map(|(_, blanks)| blanks)) {
            let range = &substitute.range;
            let at = |place: usize| place - start + prefix.len();
            text.replace_range(at(range.start)..at(range.end), &substitute.text);
        }
        let Ok(Some(tree)) = Tree::parse(self.version, &text, self.options.placeholders) else {
            return false;
        };
        // Only statements have clauses.
        let style = if piece == Piece::Stmt { self.options.style } else { Style::Block };
        let options = self.options.clone().style(style);
        let mut ops = without_prefix(lay_out(&tree, &options), &tree, prefix.len());
        if piece != Piece::Stmt && has_clauses(&tree) {
            // They are deeper than the line on which the expression begins.
            for op in &mut ops {
                match op {
                    Op::Open(group) => group.indent = Indent::Level,
                    Op::Gap(_) => {}
                    _ => break,
                }
            }
        }
        let base = self.parts.len();
        let place = |place: u32| count((place as usize).saturating_sub(prefix.len()) + start);
        let mut parts = tree.parts;
        for part in &mut parts {
            (part.start, part.end) = (place(part.start), place(part.end));
        }
        if let Some(substitute) = substitute
            && let Some(part) = parts
                .iter_mut()
                .find(|part| !part.is_node && part.start as usize == substitute.range.start)
        {
            part.end = count(substitute.range.end);
            part.kind = self.keyword;
        }
        if let Some((into, blanks)) = into {
            self.insert_into(&mut parts, &mut ops, into, &blanks.range);
        }
        for part in &mut parts {
            part.next += count(base);
        }
        for op in &mut ops {
            if let Op::Token(index) = op {
                *index += count(base);
            }
        }
        self.parts.extend(parts);
        self.ops.extend(ops);
        true
    }

    /// Inserts the tokens of an `INTO` into the statement that was parsed without it.
    fn insert_into(
        &self,
        parts: &mut Vec<Part>,
        ops: &mut Vec<Op>,
        into: Range<usize>,
        range: &Range<usize>,
    ) {
        let place = parts.iter().position(|part| part.start as usize >= range.end);
        let place = place.unwrap_or(parts.len());
        let added = into.len();
        for part in &mut *parts {
            if part.next as usize > place {
                part.next += count(added);
            }
        }
        for op in &mut *ops {
            if let Op::Token(index) = op
                && *index as usize >= place
            {
                *index += count(added);
            }
        }
        let mut own = Vec::new();
        for (number, token) in into.enumerate() {
            let is_keyword = number == 0 || (number == 1 && self.is(token, "strict"));
            let kind = if is_keyword { self.keyword } else { self.text };
            let mut part = self.part(kind, &self.tokens[token].range);
            part.next = count(place + number + 1);
            let gap = match self.text_of(token) {
                _ if number == 0 => LINE,
                "," | "." | "[" | "]" | ")" => NOTHING,
                _ if matches!(self.text_of(token - 1), "." | "[" | "(") => NOTHING,
                _ if self.text_of(token - 1) == "," => FILL_INSIDE,
                _ => BLANK,
            };
            own.push((part, gap));
        }
        let next = ops.iter().position(|op| matches!(op, Op::Token(at) if *at as usize >= place));
        // Before the gap of the next token, or at the end of the statement.
        let next = match next {
            Some(next) => {
                let gap = ops[..next].iter().rposition(|op| matches!(op, Op::Gap(_)));
                gap.unwrap_or(next)
            }
            None => ops.len().saturating_sub(1),
        };
        let is_second = ops[..next].iter().filter(|op| matches!(op, Op::Token(_))).count() == 1;
        let steps = own.iter().enumerate().flat_map(|(number, (_, gap))| {
            let gap = if number == 0 && is_second { BLANK } else { *gap };
            [Op::Gap(gap), Op::Token(count(place + number))]
        });
        let steps: Vec<_> = steps.collect();
        ops.splice(next..next, steps);
        parts.splice(place..place, own.into_iter().map(|(part, _)| part));
    }
}

/// Returns the layout without the tokens of a prefix.
fn without_prefix(ops: Vec<Op>, tree: &Tree<'_>, prefix: usize) -> Vec<Op> {
    if prefix == 0 {
        return ops;
    }
    let mut is_first = true;
    let kept = ops.into_iter().filter(|op| match op {
        Op::Token(index) => {
            let is_kept = tree.parts[*index as usize].start as usize >= prefix;
            is_first &= !is_kept;
            is_kept
        }
        Op::Gap(_) => !is_first,
        _ => true,
    });
    kept.collect()
}

/// Whether an expression has clauses of a query behind it: `a := count(*) FROM t`.
fn has_clauses(tree: &Tree<'_>) -> bool {
    let mut depth = 0_usize;
    tree.parts.iter().any(|part| match tree.role(part) {
        _ if part.is_node => depth == 0 && tree.name(part) == "from_clause",
        TokenRole::Open => {
            depth += 1;
            false
        }
        TokenRole::Close => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => false,
    })
}

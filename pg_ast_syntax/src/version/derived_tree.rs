//! Makes the concrete tree of the steps of a derivation.

use core::ops::Range;
use std::borrow::Cow;

use pg_ast::{Error, ParserOptions};
use rowan::{GreenNode, GreenToken, Language, NodeOrToken};

use super::pg::protobuf::Token;
use super::pg::raw::{ShimStepKind, ShimTerminal};
use super::pg::seam::{self, Derivation, lex, scan_lossy_with, sort_by_key};
use super::pg::{ScanResult, ScanToken, scan_lossy};
use super::syntax_kind::{SqlLanguage, SyntaxKind, SyntaxNode};
use super::tree_source::TreeSource;

/// How deep the tree is at most, in nodes: to drop it takes stack for each of them.
pub const MAX_DEPTH: usize = 250;

/// Parses SQL into a concrete tree. It may be wrong.
///
/// ```
/// use pg_ast_syntax::SyntaxKind;
///
/// let sql = "SELECT count(*  FROM t WHERE";
/// let root = pg_ast_syntax::parse(sql)?;
/// assert_eq!(root.text(), sql);
/// let missing = root.descendants_with_tokens().filter_map(|it| it.into_token());
/// let missing: Vec<_> = missing.filter(|it| it.text().is_empty()).map(|it| it.kind()).collect();
/// assert_eq!(missing, [SyntaxKind::CLOSE_PAREN, SyntaxKind::IDENT]);
/// assert!(root.descendants().any(|node| node.kind() == SyntaxKind::where_clause));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The SQL is too long for PostgreSQL, or there is not enough memory.
pub fn parse(sql: &str) -> Result<SyntaxNode, Error> {
    let options = ParserOptions::default();
    seam::check_length(sql, options)?;
    let source =
        TreeSource { text: sql, clean: Cow::Borrowed(sql), options, ..TreeSource::default() };
    Ok(SyntaxNode::new_root(source.derive(SyntaxKind::parse_toplevel)?))
}

/// How many tokens at most are taken out because the parser's filter rejects them; what follows has no nodes then.
const MAX_FILTERED: usize = 16;

/// SQL that the scanner accepts.
pub(super) struct Scanned<'a> {
    /// With blanks instead of the errors.
    pub(super) sql: Cow<'a, str>,
    /// What the scanner rejects, in order.
    pub(super) errors: Vec<Range<usize>>,
}

impl Scanned<'_> {
    pub(super) fn take_errors_out(
        &mut self,
        sql: &str,
        options: ParserOptions,
    ) -> Result<(), Error> {
        let lossy = scan_lossy_with(sql, options);
        for error in lossy.errors {
            self.take_out(error.range);
        }
        // A comment up to the end of its line ends at a NUL as well.
        for comment in lossy.scan.tokens.iter().filter(|it| it.token == Token::SqlComment) {
            let end = comment.range().end;
            if sql.as_bytes().get(end) == Some(&0) {
                self.sql.to_mut().replace_range(end..=end, "\n");
            }
        }
        let tokens: Vec<_> = tokens_of(&lossy.scan).map(|token| token.range()).collect();
        // What the parser's filter behind the scanner rejects: a wrong escape in U&'..'.
        for count in 0..=MAX_FILTERED {
            let (terminals, mistake) = seam::terminals(&self.sql, options)?;
            if mistake.is_none() {
                break;
            }
            let end = terminals.last().map_or(0, |last| last.end);
            let next = tokens.partition_point(|token| token.start < end);
            let most = if count < MAX_FILTERED { 1 } else { usize::MAX };
            let left =
                tokens[next..].iter().filter(|token| !self.sql[token.start..].starts_with(' '));
            let left: Vec<_> = left.take(most).cloned().collect();
            for token in left {
                self.take_out(token);
            }
        }
        sort_by_key(&mut self.errors, |error| (error.start as u64, 0));
        Ok(())
    }

    fn take_out(&mut self, error: Range<usize>) {
        self.sql.to_mut().replace_range(error.clone(), &" ".repeat(error.len()));
        self.errors.push(error);
    }
}

pub(super) fn tokens_of(scan: &ScanResult) -> impl DoubleEndedIterator<Item = &ScanToken> {
    scan.tokens.iter().filter(|it| !matches!(it.token, Token::SqlComment | Token::CComment))
}

/// Builds nodes from their last part to the first. The builder of rowan looks for equal nodes to share them, which takes
/// longer than to make them, and for a deep tree much longer.
#[derive(Default)]
pub(super) struct TreeBuilder {
    /// The parts of the nodes that are not complete, the last one first.
    pub(super) parts: Vec<NodeOrToken<GreenNode, GreenToken>>,
    /// Tokens by their kinds: keywords, signs and most blanks are the same again.
    recent: [Option<GreenToken>; RECENT],
}

/// How many tokens may be used again.
const RECENT: usize = 32;

impl TreeBuilder {
    /// Makes a node of the parts from an index on.
    fn node(&mut self, kind: SyntaxKind, start: usize) -> GreenNode {
        GreenNode::new(SqlLanguage::kind_to_raw(kind), self.parts.drain(start..).rev())
    }

    fn token(&mut self, kind: SyntaxKind, text: &str) {
        let kind = SqlLanguage::kind_to_raw(kind);
        let recent = &mut self.recent[usize::from(kind.0) % RECENT];
        let token = match recent {
            Some(token) if token.kind() == kind && token.text() == text => token.clone(),
            _ => recent.insert(GreenToken::new(kind, text)).clone(),
        };
        self.parts.push(token.into());
    }
}

/// A node that has not got all of its parts.
struct OpenNode {
    kind: SyntaxKind,
    /// Otherwise its parts are those of the node around it.
    is_there: bool,
    /// Whether its first symbol is the beginning of the same list.
    extends: bool,
    /// The number of symbols that it lacks.
    left: usize,
    /// The index of its last part, if it has one.
    start: usize,
}

/// Writes a tree from the last step to the first: then it is known of each node what it is in, and how deep.
pub(super) struct TreeWriter<'a> {
    sql: &'a str,
    extras: &'a [(Range<usize>, Option<SyntaxKind>)],
    /// The errors, the terminals, and the stand-ins in them that are not in the tree yet.
    errors: &'a [Range<usize>],
    terminals: &'a [ShimTerminal],
    stand_ins: &'a [(Range<usize>, SyntaxKind)],
    /// The place from which on all is in the tree.
    at: usize,
    open: Vec<OpenNode>,
    /// How many of them have a part.
    begun: usize,
    /// How many of them are there.
    pub(super) depth: usize,
    /// The index of the last part of skipped terminals.
    skipped: Option<usize>,
    pub(super) builder: TreeBuilder,
}

impl<'a> TreeWriter<'a> {
    pub(super) fn new(
        sql: &'a str,
        extras: &'a [(Range<usize>, Option<SyntaxKind>)],
        errors: &'a [Range<usize>],
        terminals: &'a [ShimTerminal],
        stand_ins: &'a [(Range<usize>, SyntaxKind)],
    ) -> Self {
        Self {
            sql,
            extras,
            errors,
            terminals,
            stand_ins,
            at: sql.len(),
            open: Vec::new(),
            begun: 0,
            // The root.
            depth: 1,
            skipped: None,
            builder: TreeBuilder::default(),
        }
    }

    pub(super) fn write(mut self, derivation: &Derivation, root: SyntaxKind) -> GreenNode {
        // A statement of a script is in a node, and contains what the symbols above statements would.
        let is_of_script = root == SyntaxKind::SCRIPT_STMT;
        self.depth += usize::from(is_of_script);
        // The end of the SQL makes the whole of it, if the grammar accepts it there. Otherwise something is missing, of which no
        // token is known: the search for it has a limit.
        let last = derivation.steps().last().map(|step| SyntaxKind::of_symbol(step.symbol));
        if last != Some(SyntaxKind::parse_toplevel) {
            self.missing(SyntaxKind::ERROR);
        }
        for step in derivation.steps().iter().rev() {
            let kind = SyntaxKind::of_symbol(step.symbol);
            match ShimStepKind(u32::from(step.kind)) {
                ShimStepKind::SHIM_STEP_TAKE => {
                    self.end_skipped();
                    let terminal = self.next_terminal();
                    self.trivia(terminal.end);
                    self.begin();
                    self.terminal(&terminal, kind);
                    self.end_symbol();
                }
                ShimStepKind::SHIM_STEP_SKIP => {
                    let terminal = self.next_terminal();
                    self.trivia(terminal.end);
                    self.skipped.get_or_insert(self.builder.parts.len());
                    self.terminal(&terminal, kind);
                }
                ShimStepKind::SHIM_STEP_MISSING => {
                    self.end_skipped();
                    self.missing(kind);
                    self.end_symbol();
                }
                made => {
                    let is_root = kind == SyntaxKind::parse_toplevel
                        || (is_of_script && kind == SyntaxKind::stmtmulti);
                    let extends = made == ShimStepKind::SHIM_STEP_EXTEND;
                    self.make(kind, is_root, extends, step.length.into());
                }
            }
        }
        self.end_skipped();
        while self.end_node() {}
        self.trivia(0);
        self.builder.node(root, 0)
    }

    /// A rule has made a symbol of others.
    fn make(&mut self, kind: SyntaxKind, is_root: bool, extends: bool, length: usize) {
        // The beginning of the same list is no node of its own.
        let around = self.open.last();
        let is_merged = around.is_some_and(|it| it.extends && it.left == 1 && it.kind == kind);
        let is_there = !is_merged && !is_root && self.depth < MAX_DEPTH;
        self.depth += usize::from(is_there);
        self.open.push(OpenNode { kind, is_there, extends, left: length, start: 0 });
        self.end_nodes();
    }

    /// The next part is the last one of all open nodes that have none.
    fn begin(&mut self) {
        for node in &mut self.open[self.begun..] {
            node.start = self.builder.parts.len();
        }
        self.begun = self.open.len();
    }

    /// The innermost node has got another symbol.
    fn end_symbol(&mut self) {
        if let Some(node) = self.open.last_mut() {
            node.left = node.left.saturating_sub(1);
        }
        self.end_nodes();
    }

    /// Ends the nodes that lack nothing.
    fn end_nodes(&mut self) {
        while self.open.last().is_some_and(|node| node.left == 0) {
            self.end_node();
            if let Some(around) = self.open.last_mut() {
                around.left = around.left.saturating_sub(1);
            }
        }
    }

    /// Ends the innermost node, if one is open.
    fn end_node(&mut self) -> bool {
        let Some(OpenNode { kind, is_there, start, .. }) = self.open.pop() else { return false };
        self.depth -= usize::from(is_there);
        // One without tokens is none.
        let has_parts = self.begun > self.open.len();
        self.begun = self.begun.min(self.open.len());
        if is_there && has_parts {
            let node = self.builder.node(kind, start);
            self.builder.parts.push(node.into());
        }
        true
    }

    /// Writes a token without text, right behind the terminal to the left.
    fn missing(&mut self, kind: SyntaxKind) {
        self.trivia(self.terminals.last().map_or(0, |before| range_of(before).end));
        self.begin();
        self.builder.token(kind, "");
    }

    fn end_skipped(&mut self) {
        if let Some(start) = self.skipped.take() {
            let node = self.builder.node(SyntaxKind::ERROR, start);
            self.builder.parts.push(node.into());
        }
    }

    /// Returns the range of the next terminal to the left.
    fn next_terminal(&mut self) -> Range<usize> {
        let Some((terminal, before)) = self.terminals.split_last() else { return 0..0 };
        self.terminals = before;
        range_of(terminal)
    }

    /// Writes a terminal: a token, or several with what is between them, as `U&'..' UESCAPE '!'`.
    fn terminal(&mut self, range: &Range<usize>, kind: SyntaxKind) {
        let kind = self.stand_in(range).unwrap_or(kind);
        let text = self.sql.as_bytes().get(range.start..).unwrap_or_default();
        let may_be_several = matches!(text, [b'U' | b'u', b'&', b'\'' | b'"', ..]);
        // Without an error between them, two strings may be one.
        if may_be_several || self.errors.last().is_some_and(|error| error.start >= range.start) {
            let scan = scan_lossy(self.sql.get(range.clone()).unwrap_or_default()).scan;
            for token in tokens_of(&scan).rev() {
                let kind = match token.token {
                    _ if token.start == 0 => kind,
                    Token::Uescape => SyntaxKind::UESCAPE,
                    _ => SyntaxKind::SCONST,
                };
                self.trivia(range.start + token.range().end);
                self.up_to(range.start + token.range().start, kind);
            }
        }
        self.up_to(range.start, kind);
    }

    /// Returns the kind of the stand-in in a terminal.
    fn stand_in(&mut self, terminal: &Range<usize>) -> Option<SyntaxKind> {
        let mut kind = None;
        while let Some(((range, stands), before)) = self.stand_ins.split_last()
            && range.start >= terminal.start
        {
            // One in an error is a part of that.
            kind = (range.start < terminal.end).then_some(*stands).or(kind);
            self.stand_ins = before;
        }
        kind
    }

    /// Writes what comes after a place and is no part of a terminal.
    pub(super) fn trivia(&mut self, start: usize) {
        while let Some((error, before)) = self.errors.split_last() {
            if error.start < start {
                break;
            }
            self.errors = before;
            self.layout(error.end);
            self.up_to(error.start, SyntaxKind::ERROR);
        }
        self.layout(start);
    }

    /// Writes the blanks, the comments, and what is not for the grammar, after a place.
    fn layout(&mut self, start: usize) {
        if start >= self.at {
            return;
        }
        let text = self.sql.get(start..self.at).unwrap_or_default();
        let mut parts = Vec::new();
        let mut at = 0;
        let first = self.extras.partition_point(|(extra, _)| extra.start < start);
        let mut extras = self.extras[first..].iter();
        let mut next_extra = || {
            let (extra, kind) =
                extras.next().filter(|(extra, _)| extra.start < start + text.len())?;
            Some((extra.clone(), (*kind)?))
        };
        let mut extra = next_extra();
        loop {
            let end = extra.as_ref().map_or(text.len(), |(extra, _)| extra.start - start).max(at);
            let found = text.as_bytes()[at..end].iter().position(|it| matches!(it, b'-' | b'/'));
            let Some(found) = found else {
                let Some((range, kind)) = extra else { break };
                // One in a comment is a part of that.
                if range.start >= start + at {
                    at = range.end.min(start + text.len()) - start;
                    parts.push((range, kind));
                }
                extra = next_extra();
                continue;
            };
            at += found;
            let rest = &text[at..];
            let (length, kind) = match rest.as_bytes() {
                [b'-', b'-', ..] => (lex::line_comment(rest), SyntaxKind::SQL_COMMENT),
                [b'/', b'*', ..] => {
                    (lex::comment(rest).unwrap_or(rest.len()), SyntaxKind::C_COMMENT)
                }
                _ => {
                    at += 1;
                    continue;
                }
            };
            parts.push((start + at..start + at + length, kind));
            at += length;
        }
        for (part, kind) in parts.into_iter().rev() {
            self.up_to(part.end, SyntaxKind::BLANK);
            self.up_to(part.start, kind);
        }
        self.up_to(start, SyntaxKind::BLANK);
    }

    /// Writes the text after a place as one token.
    fn up_to(&mut self, start: usize, kind: SyntaxKind) {
        if let Some(text) = self.sql.get(start..self.at).filter(|text| !text.is_empty()) {
            self.builder.token(kind, text);
            self.at = start;
        }
    }
}

pub(super) fn range_of(terminal: &ShimTerminal) -> Range<usize> {
    let place = |place| usize::try_from(place).unwrap_or(0);
    place(terminal.start)..place(terminal.end)
}

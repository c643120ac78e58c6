//! Makes the concrete tree of the steps of a derivation.

use core::ops::Range;
use std::borrow::Cow;

use rowan::{GreenNode, GreenToken, Language, NodeOrToken};

use super::editor::scan_lossy::{LossyScan, scan_lossy};
use super::ffi::derivation::Derivation;
use super::names::protobuf::Token;
use super::names::raw::{ShimStep, ShimStepKind};
use super::read::expect::{self, symbols};
use super::syntax_kind::{SqlLanguage, SyntaxKind, SyntaxNode};
use crate::types::error::Error;
use crate::types::options::ParserOptions;

/// How deep the tree is at most, in nodes: to drop it takes stack for each of them.
pub const MAX_DEPTH: usize = 250;

/// Parses SQL into a concrete tree. It may be wrong.
///
/// ```
/// use pg_ast::syntax::{self, SyntaxKind};
///
/// let sql = "SELECT count(*  FROM t WHERE";
/// let root = syntax::parse(sql)?;
/// assert_eq!(root.text(), sql);
/// let missing = root.descendants_with_tokens().filter_map(|it| it.into_token());
/// let missing: Vec<_> = missing.filter(|it| it.text().is_empty()).map(|it| it.kind()).collect();
/// assert_eq!(missing, [SyntaxKind::ASCII_41, SyntaxKind::IDENT]);
/// assert!(root.descendants().any(|node| node.kind() == SyntaxKind::where_clause));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The SQL is too long for PostgreSQL, or there is not enough memory.
pub fn parse(sql: &str) -> Result<SyntaxNode, Error> {
    crate::foundation::limits::check_length(sql, ParserOptions::default())?;
    let mut pieces = pieces(scan_lossy(sql));
    let mut clean = Cow::Borrowed(sql);
    let errors = pieces.iter().filter(|piece| piece.kind == PieceKind::Error);
    errors.for_each(|error| blank_out(&mut clean, &error.range));
    let (mut terminals, mut mistake) = expect::terminals(&clean, ParserOptions::default())?;
    // What the parser's filter behind the scanner rejects: a wrong escape in U&'..'.
    for _ in 0..MAX_FILTERED {
        let last = terminals.last().and_then(|terminal| terminal.start);
        let index =
            pieces.partition_point(|piece| last.is_some_and(|last| piece.range.start <= last));
        let next = pieces[index..].iter_mut().find(|piece| piece.kind == PieceKind::Token);
        let (Some(_), Some(piece)) = (mistake, next) else { break };
        piece.kind = PieceKind::Error;
        blank_out(&mut clean, &piece.range);
        (terminals, mistake) = expect::terminals(&clean, ParserOptions::default())?;
    }
    let derivation = Derivation::new(&symbols(&terminals))?;
    // What follows another error has no terminals.
    let starts = terminals.iter().map(|terminal| terminal.start.unwrap_or(0));
    let starts = starts.chain(mistake).collect();
    let leaves = Leaves::new(derivation.steps());
    let mut writer =
        TreeWriter { sql, pieces, next: 0, at: 0, starts, builder: TreeBuilder::default() };
    writer.write(&leaves);
    Ok(SyntaxNode::new_root(writer.builder.finish()))
}

/// How many tokens at most are taken out because the parser's filter rejects them; what follows has no nodes then.
const MAX_FILTERED: usize = 16;

fn blank_out(sql: &mut Cow<'_, str>, range: &Range<usize>) {
    sql.to_mut().replace_range(range.clone(), &" ".repeat(range.len()));
}

/// A token, a comment or an error.
struct Piece {
    range: Range<usize>,
    kind: PieceKind,
}

#[derive(Clone, Copy, PartialEq)]
enum PieceKind {
    Token,
    SqlComment,
    CComment,
    Error,
}

fn pieces(scan: LossyScan) -> Vec<Piece> {
    let mut errors = scan.errors.into_iter().peekable();
    let mut pieces = Vec::with_capacity(scan.scan.tokens.len() + errors.len());
    for token in scan.scan.tokens {
        let range = token.range();
        while let Some(error) = errors.next_if(|error| error.range.start < range.start) {
            pieces.push(Piece { range: error.range, kind: PieceKind::Error });
        }
        let kind = match token.token {
            Token::SqlComment => PieceKind::SqlComment,
            Token::CComment => PieceKind::CComment,
            _ => PieceKind::Token,
        };
        pieces.push(Piece { range, kind });
    }
    pieces.extend(errors.map(|error| Piece { range: error.range, kind: PieceKind::Error }));
    pieces
}

/// A terminal of the derivation.
struct Leaf {
    kind: SyntaxKind,
    is: LeafIs,
    /// The outermost node that begins here.
    first: Option<u32>,
}

#[derive(Clone, Copy)]
enum LeafIs {
    /// The terminal with this index.
    Taken(usize),
    Skipped(usize),
    Missing,
}

/// A node, by its leaves.
struct DerivedNode {
    kind: SyntaxKind,
    end: usize,
    /// The next one inside that begins at the same leaf.
    inner: Option<u32>,
    /// Whether it is a part of the node around it: the beginning of the same list.
    is_merged: bool,
}

/// A symbol on the stack of the derivation.
#[derive(Clone, Copy)]
struct DerivedSymbol {
    start: usize,
    end: usize,
    node: Option<u32>,
}

/// The leaves of a derivation, and the nodes that begin at them.
struct Leaves {
    leaves: Vec<Leaf>,
    nodes: Vec<DerivedNode>,
}

impl Leaves {
    fn new(steps: &[ShimStep]) -> Self {
        let mut this = Self { leaves: Vec::new(), nodes: Vec::new() };
        let mut stack: Vec<DerivedSymbol> = Vec::new();
        for step in steps {
            let index = step.of as usize;
            let is = match ShimStepKind(u32::from(step.kind)) {
                ShimStepKind::SHIM_STEP_TAKE => LeafIs::Taken(index),
                ShimStepKind::SHIM_STEP_SKIP => LeafIs::Skipped(index),
                ShimStepKind::SHIM_STEP_MISSING => LeafIs::Missing,
                _ => {
                    this.make(step, &mut stack);
                    continue;
                }
            };
            let start = this.leaves.len();
            this.leaves.push(Leaf { kind: SyntaxKind::of_symbol(step.symbol), is, first: None });
            if !matches!(is, LeafIs::Skipped(_)) {
                stack.push(DerivedSymbol { start, end: start + 1, node: None });
            }
        }
        this
    }

    /// A rule makes a symbol of the last ones.
    fn make(&mut self, step: &ShimStep, stack: &mut Vec<DerivedSymbol>) {
        let base = stack.len().saturating_sub(usize::from(step.length));
        let symbols = &stack[base..];
        let mut with_leaves = symbols.iter().filter(|symbol| symbol.start < symbol.end);
        let first = with_leaves.next();
        let here = self.leaves.len();
        let mut made = DerivedSymbol {
            start: first.map_or(here, |first| first.start),
            end: with_leaves.next_back().or(first).map_or(here, |last| last.end),
            node: None,
        };
        let kind = SyntaxKind::of_symbol(step.symbol);
        match symbols {
            _ if first.is_none() => {}
            [only] if step.keeps && only.node.is_some() => made.node = only.node,
            [_] if step.is_keyword => {}
            _ => {
                // The beginning of the same list is no node of its own.
                if let Some(inner) =
                    symbols[0].node.and_then(|node| self.nodes.get_mut(node as usize))
                {
                    inner.is_merged |= step.extends && inner.kind == kind;
                }
                let node = u32::try_from(self.nodes.len()).ok();
                let leaf = &mut self.leaves[made.start];
                let inner = core::mem::replace(&mut leaf.first, node);
                self.nodes.push(DerivedNode { kind, end: made.end, inner, is_merged: false });
                made.node = node;
            }
        }
        stack.truncate(base);
        stack.push(made);
    }
}

/// Builds a tree from the left to the right. That of rowan looks for equal nodes to share them, which takes longer than to make
/// them, and for a deep tree much longer.
#[derive(Default)]
struct TreeBuilder {
    /// The open nodes, each with the number of parts before its own.
    open: Vec<(SyntaxKind, usize)>,
    parts: Vec<NodeOrToken<GreenNode, GreenToken>>,
    /// The last token of each kind: keywords, signs and most blanks are the same again.
    last: Vec<Option<GreenToken>>,
}

impl TreeBuilder {
    fn start_node(&mut self, kind: SyntaxKind) {
        self.open.push((kind, self.parts.len()));
    }

    fn finish_node(&mut self) {
        let Some((kind, start)) = self.open.pop() else { return };
        let node = GreenNode::new(SqlLanguage::kind_to_raw(kind), self.parts.drain(start..));
        self.parts.push(node.into());
    }

    fn token(&mut self, kind: SyntaxKind, text: &str) {
        let last = kind.index();
        if self.last.len() <= last {
            self.last.resize(SyntaxKind::COUNT, None);
        }
        let token = match &self.last[last] {
            Some(token) if token.text() == text => token.clone(),
            _ => {
                let token = GreenToken::new(SqlLanguage::kind_to_raw(kind), text);
                self.last[last] = Some(token.clone());
                token
            }
        };
        self.parts.push(token.into());
    }

    /// Returns the root.
    fn finish(mut self) -> GreenNode {
        match self.parts.pop() {
            Some(NodeOrToken::Node(root)) => root,
            _ => GreenNode::new(SqlLanguage::kind_to_raw(SyntaxKind::parse_toplevel), []),
        }
    }
}

/// Writes a tree, with everything between the leaves.
struct TreeWriter<'a> {
    sql: &'a str,
    pieces: Vec<Piece>,
    /// The index of the next piece, and the place that has been reached.
    next: usize,
    at: usize,
    /// The starts of the terminals.
    starts: Vec<usize>,
    builder: TreeBuilder,
}

impl TreeWriter<'_> {
    fn write(&mut self, all: &Leaves) {
        let root = SyntaxKind::parse_toplevel;
        self.builder.start_node(root);
        // The nodes that are open: their ends, and whether they are in the tree.
        let mut open: Vec<(usize, bool)> = Vec::new();
        let (mut depth, mut in_error) = (1, false);
        for (index, leaf) in all.leaves.iter().enumerate() {
            let is_skipped = matches!(leaf.is, LeafIs::Skipped(_));
            if in_error && !is_skipped {
                self.builder.finish_node();
                in_error = false;
            }
            if let LeafIs::Taken(terminal) | LeafIs::Skipped(terminal) = leaf.is {
                self.trivia(self.starts[terminal]);
            }
            let mut next = leaf.first;
            while let Some(node) = next.and_then(|node| all.nodes.get(node as usize)) {
                let is_there = !node.is_merged && node.kind != root && depth < MAX_DEPTH;
                if is_there {
                    self.builder.start_node(node.kind);
                    depth += 1;
                }
                open.push((node.end, is_there));
                next = node.inner;
            }
            if is_skipped && !in_error {
                self.builder.start_node(SyntaxKind::ERROR);
                in_error = true;
            }
            match leaf.is {
                LeafIs::Taken(terminal) | LeafIs::Skipped(terminal) => {
                    self.terminal(terminal, leaf.kind);
                }
                LeafIs::Missing => self.token(leaf.kind, ""),
            }
            while let Some((_, is_there)) = open.pop_if(|(end, _)| *end <= index + 1) {
                if is_there {
                    self.builder.finish_node();
                    depth -= 1;
                }
            }
        }
        if in_error {
            self.builder.finish_node();
        }
        for _ in open.iter().filter(|(_, is_there)| *is_there) {
            self.builder.finish_node();
        }
        self.trivia(self.sql.len());
        self.builder.finish_node();
    }

    fn token(&mut self, kind: SyntaxKind, text: &str) {
        self.builder.token(kind, text);
    }

    /// Writes what comes before a place and is no part of a terminal.
    fn trivia(&mut self, end: usize) {
        while let Some(Piece { range, kind }) = self.pieces.get(self.next) {
            if range.start >= end {
                break;
            }
            let (range, kind) = (range.clone(), *kind);
            self.next += 1;
            self.blank(range.start);
            let kind = match kind {
                PieceKind::SqlComment => SyntaxKind::SQL_COMMENT,
                PieceKind::CComment => SyntaxKind::C_COMMENT,
                PieceKind::Token | PieceKind::Error => SyntaxKind::ERROR,
            };
            self.up_to(range.end, kind);
        }
        self.blank(end);
    }

    fn blank(&mut self, end: usize) {
        self.up_to(end, SyntaxKind::BLANK);
    }

    /// Writes the text up to a place as one token.
    fn up_to(&mut self, end: usize, kind: SyntaxKind) {
        if let Some(text) = self.sql.get(self.at..end).filter(|text| !text.is_empty()) {
            self.token(kind, text);
            self.at = end;
        }
    }

    /// Writes a terminal: a token, or several with what is between them, as `U&'..' UESCAPE '!'`.
    fn terminal(&mut self, terminal: usize, kind: SyntaxKind) {
        let end = self.starts.get(terminal + 1).copied().unwrap_or(self.sql.len());
        let is_of = |piece: &Piece| piece.kind == PieceKind::Token && piece.range.start < end;
        let rest = &self.pieces[self.next..];
        let count = rest.iter().take_while(|piece| piece.range.start < end).count();
        let Some(last) = rest[..count].iter().rposition(is_of) else { return };
        let mut kind = kind;
        for index in self.next..=self.next + last {
            let Piece { range, kind: of } = &self.pieces[index];
            let (range, of) = (range.clone(), *of);
            if of != PieceKind::Token {
                self.trivia(range.end);
                continue;
            }
            self.next = index + 1;
            self.blank(range.start);
            self.up_to(range.end, kind);
            // Only UESCAPE and a string can follow.
            kind =
                if kind == SyntaxKind::UESCAPE { SyntaxKind::SCONST } else { SyntaxKind::UESCAPE };
        }
    }
}

//! What can be folded, and what is around a place.

use core::ops::Range;
use std::collections::HashSet;

use pg_ast::view::Node;
use pg_ast::{ColumnUnit, LineIndex};
use pg_ast_syntax::SyntaxKind;

use crate::stmt::StmtFacts;
use crate::stmt::bodies;
use crate::workspace::context::DocumentContext;
use crate::workspace::document::Document;

/// The maximum number of steps of a selection: editors may read them recursively.
const STEPS: usize = 64;

/// A part of a document that has several lines. No other one begins on the same line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fold {
    /// From its first line to its last one.
    pub range: Range<usize>,
    /// Whether it has comments only.
    pub is_comment: bool,
}

impl DocumentContext<'_> {
    /// Returns statements, subselects and comments of several lines.
    #[must_use]
    pub fn folds(&self) -> Vec<Fold> {
        let lines = self.document.lines();
        let mut folding = Folding { lines, seen: HashSet::new(), all: Vec::new() };
        folding.comments(self.document);
        for placed in self.document.stmts() {
            if folding.line(placed.range.start) == folding.line(placed.range.end) {
                continue;
            }
            folding.add(placed.range.clone(), false);
            for range in placed.stmt.regions() {
                folding.add(placed.in_document(range), false);
            }
        }
        folding.all.sort_by_key(|fold| fold.range.start);
        folding.all
    }

    /// Returns the ranges around a place, from the smallest node to the entire document.
    #[must_use]
    pub fn selection(&self, offset: usize) -> Vec<Range<usize>> {
        let document = self.document;
        let holds = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        let mut ranges = Vec::new();
        if let Some(index) = document.stmt_at(offset) {
            let placed = &document.stmts()[index];
            let start = placed.range.start;
            let place = |range: Range<usize>| start + range.start..start + range.end;
            if let Some(tree) = placed.stmt.tree() {
                let nodes = tree.nodes().filter_map(|node| tree.range(node));
                ranges.extend(nodes.map(place).filter(holds));
            }
            if let Some(function) = placed.stmt.body().and_then(|body| body.function()) {
                ranges.extend(bodies::regions(function).map(place).filter(holds));
            }
            ranges.push(placed.range.clone());
        }
        ranges.sort_by_key(Range::len);
        // Two adjacent nodes may both touch the position.
        let mut chain: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            let last = chain.last().cloned().unwrap_or(offset..offset);
            let is_around = range.start <= last.start && last.end <= range.end;
            if is_around && range != last && chain.len() < STEPS {
                chain.push(range);
            }
        }
        chain.push(0..document.text().len());
        chain
    }
}

/// Returns the ranges of queries and of statements in a body that have several lines.
pub(crate) fn regions(stmt: &StmtFacts) -> Vec<Range<usize>> {
    let mut regions = Vec::new();
    let breaks = stmt.sql().bytes().enumerate().filter(|(_, byte)| matches!(byte, b'\n' | b'\r'));
    let breaks: Vec<_> = breaks.map(|(at, _)| at).collect();
    if breaks.is_empty() {
        return regions;
    }
    if let Some(tree) = stmt.tree() {
        let nodes = tree.nodes().filter(|node| {
            matches!(node, Node::SelectStmt(_) | Node::CommonTableExpr(_) | Node::CaseExpr(_))
        });
        regions.extend(nodes.filter_map(|node| tree.range(node)));
    }
    if let Some(function) = stmt.body().and_then(|body| body.function()) {
        regions.extend(bodies::stmts(function));
    }
    regions.retain(|range| {
        let next = breaks.partition_point(|at| *at < range.start);
        breaks.get(next).is_some_and(|at| *at < range.end)
    });
    regions
}

struct Folding<'a> {
    lines: &'a LineIndex<'a>,
    /// The lines at which something begins.
    seen: HashSet<usize>,
    all: Vec<Fold>,
}

impl Folding<'_> {
    fn line(&self, offset: usize) -> usize {
        self.lines.line_column(offset, ColumnUnit::Bytes).line
    }

    fn add(&mut self, range: Range<usize>, is_comment: bool) {
        let start = self.line(range.start);
        if start < self.line(range.end) && self.seen.insert(start) {
            self.all.push(Fold { range, is_comment });
        }
    }

    /// Consecutive comments between statements are one region.
    fn comments(&mut self, document: &Document) {
        let Some(script) = document.script() else { return };
        let mut block: Option<Range<usize>> = None;
        for part in script.root().children_with_tokens() {
            if part.kind() == SyntaxKind::BLANK {
                continue;
            }
            let is_comment = matches!(part.kind(), SyntaxKind::SQL_COMMENT | SyntaxKind::C_COMMENT);
            let range = part.text_range();
            let place = usize::from(range.start())..usize::from(range.end());
            let follows = |block: &Range<usize>| self.line(place.start) <= self.line(block.end) + 1;
            block = match block {
                Some(block) if is_comment && follows(&block) => Some(block.start..place.end),
                last => {
                    if let Some(last) = last {
                        self.add(last, true);
                    }
                    is_comment.then_some(place)
                }
            };
        }
        if let Some(last) = block {
            self.add(last, true);
        }
    }
}

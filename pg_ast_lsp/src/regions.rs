//! Folding ranges and selection ranges.

use core::ops::Range;
use std::collections::HashSet;

use lsp_types::{FoldingRange, FoldingRangeKind, Position, SelectionRange};
use pg_ast::view::Node;
use pg_ast_syntax::SyntaxKind;

use crate::bodies;
use crate::document::Document;
use crate::lines::Lines;
use crate::stmt::Stmt;

/// The maximum number of steps of a selection: each is an object in another one, which clients read recursively.
const STEPS: usize = 64;

/// Returns statements, subselects and comments of several lines.
pub(crate) fn folding(document: &Document) -> Vec<FoldingRange> {
    let lines = document.lines();
    let mut folding = Folding { lines, seen: HashSet::new(), all: Vec::new() };
    folding.comments(document);
    for placed in document.stmts() {
        let on = lines.lines(&placed.range);
        if on.start() == on.end() {
            continue;
        }
        folding.add(&placed.range, None);
        let start = placed.range.start;
        for range in placed.stmt.regions() {
            folding.add(&(start + range.start..start + range.end), None);
        }
    }
    folding.all.sort_by_key(|range| (range.start_line, range.end_line));
    folding.all
}

/// Returns the ranges of queries and of statements in a body that have several lines.
pub(crate) fn regions(stmt: &Stmt) -> Vec<Range<usize>> {
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
    lines: &'a Lines,
    /// The lines at which something begins.
    seen: HashSet<u32>,
    all: Vec<FoldingRange>,
}

impl Folding<'_> {
    fn add(&mut self, range: &Range<usize>, kind: Option<FoldingRangeKind>) {
        let number = |line: &usize| u32::try_from(*line).unwrap_or(u32::MAX);
        let lines = self.lines.lines(range);
        let (start, end) = (number(lines.start()), number(lines.end()));
        if start < end && self.seen.insert(start) {
            self.all.push(FoldingRange {
                start_line: start,
                end_line: end,
                kind,
                ..FoldingRange::default()
            });
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
            let follows = |block: &Range<usize>| {
                self.lines.line(place.start) <= self.lines.line(block.end) + 1
            };
            block = match block {
                Some(block) if is_comment && follows(&block) => Some(block.start..place.end),
                last => {
                    if let Some(last) = last {
                        self.add(&last, Some(FoldingRangeKind::Comment));
                    }
                    is_comment.then_some(place)
                }
            };
        }
        if let Some(last) = block {
            self.add(&last, Some(FoldingRangeKind::Comment));
        }
    }
}

/// Returns the ranges around each position, from the smallest node to the entire document.
pub(crate) fn selections(document: &Document, positions: &[Position]) -> Vec<SelectionRange> {
    let lines = document.lines();
    let selection = |position: &Position| selection(document, lines.offset(*position));
    positions.iter().map(selection).collect()
}

fn selection(document: &Document, offset: usize) -> SelectionRange {
    let lines = document.lines();
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
    let whole = SelectionRange { range: lines.range(&(0..lines.text().len())), parent: None };
    chain.iter().rev().fold(whole, |parent, range| SelectionRange {
        range: lines.range(range),
        parent: Some(Box::new(parent)),
    })
}

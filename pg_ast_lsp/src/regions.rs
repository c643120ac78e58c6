//! Folding ranges and selection ranges.

use core::ops::Range;
use std::collections::HashSet;

use lsp_types::{FoldingRange, FoldingRangeKind, Position, SelectionRange};
use pg_ast::view::Node;

use crate::bodies::Body;
use crate::document::{self, Lines, Stmt};

/// The maximum number of steps of a selection: each is an object in another one, which clients read recursively.
const STEPS: usize = 64;

/// Returns statements, subselects and comments of several lines.
pub(crate) fn folding(text: &str) -> Vec<FoldingRange> {
    let lines = Lines::new(text);
    let mut folding = Folding { lines: &lines, seen: HashSet::new(), all: Vec::new() };
    let mut end = 0;
    for stmt in document::stmts(text) {
        folding.comments(text, end..stmt.range.start);
        folding.add(&stmt.range, None);
        let nodes = stmt.tree.iter().flat_map(|tree| tree.nodes());
        for node in nodes {
            if matches!(node, Node::SelectStmt(_) | Node::CommonTableExpr(_) | Node::CaseExpr(_))
                && let Some(range) = stmt.place(node)
            {
                folding.add(&range, None);
            }
        }
        if let Some(body) = Body::of(text, &stmt) {
            body.stmts().for_each(|range| folding.add(&range, None));
        }
        end = stmt.range.end;
    }
    folding.comments(text, end..text.len());
    folding.all.sort_by_key(|range| (range.start_line, range.end_line));
    folding.all
}

struct Folding<'a> {
    lines: &'a Lines<'a>,
    /// Returns the lines at which something begins.
    seen: HashSet<u32>,
    all: Vec<FoldingRange>,
}

impl Folding<'_> {
    fn add(&mut self, range: &Range<usize>, kind: Option<FoldingRangeKind>) {
        let (start, end) =
            (self.lines.position(range.start).line, self.lines.position(range.end).line);
        if start < end && self.seen.insert(start) {
            self.all.push(FoldingRange {
                start_line: start,
                end_line: end,
                kind,
                ..FoldingRange::default()
            });
        }
    }

    /// Consecutive comments are one region.
    fn comments(&mut self, text: &str, range: Range<usize>) {
        let Some(scan) = text.get(range.clone()).and_then(|part| pg_ast::scan(part).ok()) else {
            return;
        };
        let mut block: Option<Range<usize>> = None;
        for token in scan.tokens {
            let place = range.start + token.range().start..range.start + token.range().end;
            let follows = |block: &Range<usize>| {
                text[block.end..place.start].bytes().filter(|byte| *byte == b'\n').count() <= 1
            };
            block = match block {
                Some(block) if token.is_comment() && follows(&block) => {
                    Some(block.start..place.end)
                }
                last => {
                    if let Some(last) = last {
                        self.add(&last, Some(FoldingRangeKind::Comment));
                    }
                    token.is_comment().then_some(place)
                }
            };
        }
        if let Some(last) = block {
            self.add(&last, Some(FoldingRangeKind::Comment));
        }
    }
}

/// Returns the ranges around each position, from the smallest node to the entire document.
pub(crate) fn selections(text: &str, positions: &[Position]) -> Vec<SelectionRange> {
    let lines = Lines::new(text);
    let stmts = document::stmts(text);
    let selection = |position: &Position| selection(text, &lines, &stmts, lines.offset(*position));
    positions.iter().map(selection).collect()
}

fn selection(text: &str, lines: &Lines<'_>, stmts: &[Stmt], offset: usize) -> SelectionRange {
    let holds = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    let mut ranges = Vec::new();
    if let Some(stmt) = stmts.iter().find(|stmt| holds(&stmt.range)) {
        let nodes = stmt.tree.iter().flat_map(|tree| tree.nodes());
        ranges.extend(nodes.filter_map(|node| stmt.place(node)).filter(holds));
        if let Some(body) = Body::of(text, stmt) {
            ranges.extend(body.regions().filter(holds));
        }
        ranges.push(stmt.range.clone());
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
    let whole = SelectionRange { range: lines.range(&(0..text.len())), parent: None };
    chain.iter().rev().fold(whole, |parent, range| SelectionRange {
        range: lines.range(range),
        parent: Some(Box::new(parent)),
    })
}

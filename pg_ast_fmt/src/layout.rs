//! Decides where lines may begin, and where blanks stand.

mod bodies;
mod gaps;

use crate::ops::{Break, FILL, Gap, Group, Indent, LINE, OUTSIDE, Op};
use crate::options::{Options, Style};
use crate::rules::{Always, Rule, Section, Shape, TokenRole};
use crate::spacing::Neighbor;
use crate::tree::Tree;

/// Lists of at least so many short constants fill their lines.
const FILLED: usize = 6;
/// The length of a short constant, in bytes.
const SHORT: usize = 24;
/// Nodes that are deeper keep their blanks: the tree has none below [`pg_ast_syntax::MAX_DEPTH`], so that a call cannot be
/// told from a list.
const DEPTH: usize = 240;
/// Nodes of PL/pgSQL are in no tree if they are deeper.
const BODY_DEPTH: usize = 150;

#[derive(Clone, Copy, PartialEq)]
enum List {
    No,
    /// Each item begins a line if the group is broken.
    Lines,
    /// The items fill the lines.
    Fill,
}

/// A node that is being laid out.
struct Frame {
    node: u32,
    /// The index of the next part in it, and of the first one behind it.
    at: u32,
    end: u32,
    rule: Rule,
    name: &'static str,
    list: List,
    /// The part of it before which the group of a list begins.
    first_item: Option<u32>,
    previous: Option<u32>,
    /// The number of groups to close at its end.
    groups: u32,
    /// For each parenthesis that is open in it, whether a group is.
    brackets: Vec<bool>,
    /// The operator of a chain.
    operator: Option<u16>,
    /// Whether there is a `BETWEEN` before its `AND`.
    after_between: bool,
    /// How deep it is in its tree.
    depth: usize,
    /// The sections of it that are open.
    sections: Vec<&'static Section>,
}

pub(crate) struct Layout<'a, 't> {
    tree: &'a Tree<'t>,
    options: &'a Options,
    pub(crate) ops: Vec<Op>,
    /// The indices of the groups that are open.
    groups: Vec<usize>,
    frames: Vec<Frame>,
    /// What is asked for before the next token.
    next: Gap,
    /// Whether it is so whatever the tokens are.
    is_exact: bool,
    /// The number of expressions of PL/pgSQL that are open.
    exprs: usize,
    /// The groups that begin behind the next gap.
    queued: Vec<Group>,
    last: Option<Neighbor<'t>>,
}

/// An expression in PL/pgSQL.
const EXPR: &str = "PLpgSQL_Expr";
/// The `INTO` of PL/pgSQL in a statement of SQL.
const INTO: &str = "PLPGSQL_INTO";

const TIGHT: Gap = Gap { break_: Break::Never, ..FILL };

/// Lays out a statement.
pub(crate) fn lay_out(tree: &Tree<'_>, options: &Options) -> Vec<Op> {
    let mut layout = Layout {
        tree,
        options,
        ops: Vec::with_capacity(tree.parts.len() * 2),
        groups: Vec::new(),
        frames: Vec::new(),
        next: FILL,
        is_exact: false,
        exprs: 0,
        queued: Vec::new(),
        last: None,
    };
    layout.run();
    layout.ops
}

impl Layout<'_, '_> {
    fn run(&mut self) {
        if self.tree.parts.is_empty() {
            return;
        }
        self.open(self.group_of_all());
        self.enter(0, None);
        while let Some(frame) = self.frames.last_mut() {
            if frame.at >= frame.end {
                self.exprs -= usize::from(frame.name == EXPR);
                for _ in 0..frame.groups {
                    self.close();
                }
                self.frames.pop();
                continue;
            }
            let child = frame.at;
            frame.at = self.tree.parts[child as usize].next;
            if self.is_in_body() {
                self.part_of_body(child);
            } else if self.tree.name(&self.tree.parts[child as usize]) == INTO {
                // All else is laid out as without it.
                self.into(child);
                continue;
            } else {
                self.child(child);
            }
            if let Some(frame) = self.frame_of(child) {
                frame.previous = Some(child);
            }
        }
        self.close();
    }

    /// The frame whose part an index is.
    fn frame_of(&mut self, child: u32) -> Option<&mut Frame> {
        self.frames.iter_mut().rev().find(|frame| frame.node < child)
    }

    fn child(&mut self, child: u32) {
        let Some(around) = self.frames.last() else { return };
        let part = &self.tree.parts[child as usize];
        let role = if part.is_node { TokenRole::Other } else { self.tree.role(part) };
        if around.previous.is_some() {
            self.next = self.gap_before(around, child, role);
        }
        let opens_list = around.first_item == Some(child);
        // What follows WITH is a group of its own.
        if self.follows_with(around) {
            let indent = self.indent_of(around.rule.shape);
            self.queued.push(Group::new(indent));
            if let Some(frame) = self.frames.last_mut() {
                frame.groups += 1;
            }
        }
        if opens_list && self.in_river() {
            self.next = TIGHT;
            self.queued.push(Group::new(Indent::No));
            if let Some(frame) = self.frames.last_mut() {
                frame.groups += 1;
            }
        } else if opens_list {
            // Behind a group that begins behind the gap, no group can begin before it.
            if self.queued.is_empty() && self.next.break_ == Break::Fill && self.last.is_some() {
                self.next = LINE;
                self.open(Group::new(Indent::Level));
            } else {
                self.queued.push(Group::new(Indent::Level));
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.groups += 1;
            }
        }
        if part.is_node {
            self.enter(child, Some(self.frames.len() - 1));
            return;
        }
        match role {
            TokenRole::Open | TokenRole::OpenBracket => self.open_bracket(child, role),
            TokenRole::Close | TokenRole::CloseBracket => self.close_bracket(child, role),
            _ => self.token(child, role),
        }
        let Some(frame) = self.frames.last_mut() else { return };
        match role {
            TokenRole::Between => frame.after_between = true,
            TokenRole::Logical => frame.after_between = false,
            _ => {}
        }
    }

    /// Whether the next part of a node follows its `WITH`.
    fn follows_with(&self, frame: &Frame) -> bool {
        let previous = frame.previous.map(|index| &self.tree.parts[index as usize]);
        previous.is_some_and(|part| part.is_node && self.tree.rule(part).shape == Shape::With)
    }

    fn enter(&mut self, node: u32, parent: Option<usize>) {
        let tree = self.tree;
        let part = &tree.parts[node as usize];
        let rule = tree.rule(part);
        let depth = self.frames.last().map_or(0, |frame| frame.depth) + 1;
        let mut frame = Frame {
            node,
            at: node + 1,
            end: part.next,
            rule,
            name: tree.name(part),
            list: List::No,
            first_item: None,
            previous: None,
            groups: 0,
            brackets: Vec::new(),
            operator: None,
            after_between: false,
            depth: if rule.is_of_body() { depth.min(BODY_DEPTH) } else { depth },
            sections: Vec::new(),
        };
        self.exprs += usize::from(frame.name == EXPR);
        if self.is_in_body() && !rule.is_of_body() {
            frame.groups += self.begin_sql(node);
        }
        if !rule.is_of_body() {
            self.read_list(&mut frame);
        }
        let parent = parent.map(|index| &self.frames[index]);
        let in_brackets = parent.is_some_and(|parent| parent.brackets.last() == Some(&true));
        // Whether a group begins here, and is indented.
        let continues_line = self.next.break_ == Break::Fill && self.queued.is_empty();
        let is_qualifier = parent.is_some_and(|parent| {
            parent.rule.shape == Shape::Qualifiers && parent.previous.is_some()
        });
        let opens = match rule.shape {
            _ if continues_line && (is_qualifier || rule.shape == Shape::Hanging) => {
                self.next = LINE;
                self.open(Group::new(Indent::Level));
                frame.groups += 1;
                None
            }
            Shape::Plain
            | Shape::Merged
            | Shape::MergedStmts
            | Shape::Qualifiers
            | Shape::Privilege
            | Shape::With
            | Shape::Ctes
            | Shape::BodyPart => None,
            Shape::Body => self.begins_line().then_some(Indent::Level),
            Shape::Block | Shape::Hanging => Some(Indent::Level),
            Shape::Expr => {
                let continues = parent.is_some_and(|parent| {
                    in_brackets || (parent.previous.is_none() && parent.operator == frame.operator)
                });
                let indent = if self.in_river() { Indent::Column } else { Indent::Level };
                (frame.operator.is_some() && !continues).then_some(indent)
            }
            Shape::Join => {
                // In a join of a join, `table_ref` is between them.
                let around = self.frames.iter().rev().take(2);
                let mut around = around.filter(|frame| frame.rule.shape == Shape::Join);
                let continues =
                    around.any(|join| tree.parts[join.node as usize].start == part.start);
                let is_item = parent.is_some_and(|parent| parent.list != List::No);
                let indent = if self.in_river() && !is_item { Indent::No } else { Indent::Level };
                (!continues).then_some(indent)
            }
            Shape::Stmt | Shape::Query | Shape::IndentedStmt => {
                let continues = parent.is_some_and(|parent| match parent.name {
                    "select_no_parens" => true,
                    "simple_select" => has_set_operation(tree, node),
                    _ => false,
                });
                // What follows WITH is a group of its own.
                let has_with = tree
                    .parts
                    .get(node as usize + 1)
                    .is_some_and(|first| first.is_node && tree.rule(first).shape == Shape::With);
                let indent = if has_with { Indent::No } else { self.indent_of(rule.shape) };
                (!continues).then_some(indent)
            }
        };
        if in_brackets || matches!(rule.shape, Shape::Ctes) || frame.list == List::No {
            frame.first_item = None;
        }
        if let Some(indent) = opens {
            let always = rule.always == Always::Yes;
            self.queued.push(Group { always, ..Group::new(indent) });
            frame.groups += 1;
        } else if rule.always == Always::Several && frame.list != List::No {
            self.break_group();
        }
        self.frames.push(frame);
    }

    /// The group around is broken in any case.
    fn break_group(&mut self) {
        if let Some(group) = self.queued.last_mut() {
            group.always = true;
        } else if let Some(Op::Open(group)) =
            self.groups.last().and_then(|index| self.ops.get_mut(*index))
        {
            group.always = true;
        }
    }

    /// Finds out whether a node is a list, or a chain of operators.
    fn read_list(&self, frame: &mut Frame) {
        let tree = self.tree;
        let (mut depth, mut commas, mut constants, mut after_between) = (0_usize, 0, 0, false);
        let mut first = None;
        for index in tree.children(frame.node as usize) {
            let part = &tree.parts[index];
            if part.is_node {
                first.get_or_insert(index);
                // One token: another one may be on several lines.
                let is_token = part.next as usize <= index + 3;
                let is_short =
                    is_token && tree.name(part) == "AexprConst" && part.range().len() <= SHORT;
                constants += usize::from(is_short && depth == 0);
                continue;
            }
            match tree.role(part) {
                TokenRole::Open => {
                    first.get_or_insert(index);
                    depth += 1;
                }
                TokenRole::Close => depth = depth.saturating_sub(1),
                TokenRole::Comma if depth == 0 => commas += 1,
                TokenRole::Between => after_between = true,
                TokenRole::Logical if frame.rule.shape == Shape::Expr => {
                    if !after_between {
                        frame.operator = Some(part.kind);
                    }
                    after_between = false;
                }
                _ => {}
            }
        }
        if commas > 0 {
            let is_filled = commas + 1 >= FILLED && constants == commas + 1;
            frame.list = if is_filled { List::Fill } else { List::Lines };
            frame.first_item = first.and_then(|index| u32::try_from(index).ok());
        }
    }

    fn open_bracket(&mut self, child: u32, role: TokenRole) {
        self.token(child, role);
        let parts = &self.tree.parts;
        let next = parts.get(child as usize + 1);
        let is_empty = next.is_none_or(|part| {
            !part.is_node
                && matches!(self.tree.role(part), TokenRole::Close | TokenRole::CloseBracket)
        });
        let is_of_river = self.style() == Style::River
            && self.frames.last().is_some_and(|frame| frame.name == "select_with_parens");
        let groups = !is_empty && !self.is_deep() && !is_of_river;
        if groups {
            self.open(Group::new(Indent::Level));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.brackets.push(groups);
        }
    }

    fn close_bracket(&mut self, child: u32, role: TokenRole) {
        let frame = self.frames.last_mut();
        let groups = frame.and_then(|frame| frame.brackets.pop()).unwrap_or(false);
        self.next = TIGHT;
        if groups {
            self.next = OUTSIDE;
            self.gap(child, role);
            self.close();
            self.ops.push(Op::Token(child));
            self.note(child, role);
        } else {
            self.token(child, role);
        }
    }

    /// Where the lines of a statement begin.
    fn indent_of(&self, shape: Shape) -> Indent {
        match shape {
            Shape::Query if self.style() == Style::River => Indent::River,
            Shape::IndentedStmt => Indent::Level,
            _ => Indent::No,
        }
    }

    /// Whether a list or a condition is that of a clause beside a river.
    fn in_river(&self) -> bool {
        let is_stmt = |frame: &&Frame| {
            let rule = &frame.rule;
            rule.is_stmt() || rule.is_of_body() || frame.brackets.last() == Some(&true)
        };
        self.style() == Style::River
            && self.frames.iter().rev().find(is_stmt).is_some_and(|frame| {
                frame.rule.shape == Shape::Query && frame.brackets.last() != Some(&true)
            })
    }

    fn is_deep(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.depth >= DEPTH)
    }

    fn open(&mut self, group: Group) {
        self.groups.push(self.ops.len());
        self.ops.push(Op::Open(group));
    }

    fn close(&mut self) {
        let close = u32::try_from(self.ops.len()).unwrap_or(u32::MAX);
        if let Some(open) = self.groups.pop()
            && let Some(Op::Open(group)) = self.ops.get_mut(open)
        {
            group.close = close;
        }
        self.ops.push(Op::Close);
    }

    fn note(&mut self, child: u32, role: TokenRole) {
        self.last = Some(self.neighbor(child, role));
    }

    fn token(&mut self, child: u32, role: TokenRole) {
        self.gap(child, role);
        self.note(child, role);
        self.ops.push(Op::Token(child));
    }
}

/// Whether a node is `SELECT .. UNION SELECT ..`.
fn has_set_operation(tree: &Tree<'_>, node: u32) -> bool {
    tree.children(node as usize).any(|index| {
        let part = &tree.parts[index];
        !part.is_node && matches!(tree.name(part), "UNION" | "INTERSECT" | "EXCEPT")
    })
}

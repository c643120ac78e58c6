//! The layout of bodies: of what is in PL/pgSQL, around the SQL in it.

use super::{EXPR, Frame, Layout, TIGHT};
use crate::ops::{BLANK, Break, FILL_INSIDE, Gap, Group, Indent, LINE, Level, NOTHING, OUTSIDE};
use crate::options::{Commas, Style};
use crate::rules::{Items, Section, Shape, TokenRole};
use crate::tree::Part;

impl Layout<'_, '_> {
    /// The group of all that is laid out.
    pub(super) fn group_of_all(&self) -> Group {
        let tree = self.tree;
        let Some((root, parts)) = tree.parts.split_first().filter(|_| tree.quote > 0) else {
            return Group::new(Indent::No);
        };
        if tree.rule(root).is_of_body() {
            return Group { always: true, ..Group::new(Indent::No) };
        }
        let is_semicolon = |part: &Part| !part.is_node && tree.role(part) == TokenRole::Semicolon;
        let semicolons = parts.iter().filter(|part| is_semicolon(part)).count();
        // The last token is the quote.
        let last = parts.len().checked_sub(2).and_then(|last| parts.get(last));
        let has_several = semicolons > usize::from(last.is_some_and(is_semicolon));
        let always = has_several || tree.sql.contains('\n');
        Group { always, ..Group::new(Indent::Level) }
    }

    /// Whether the innermost node is one of PL/pgSQL, or has the quotes of a body.
    pub(super) fn is_in_body(&self) -> bool {
        let is_body =
            |frame: &Frame| frame.rule.is_of_body() || (frame.node == 0 && self.tree.quote > 0);
        self.frames.last().is_some_and(is_body)
    }

    pub(super) fn begins_line(&self) -> bool {
        self.next.break_ == Break::Group && self.next.level == Level::Inside
    }

    /// The style of what is laid out: only statements have clauses beside a river.
    pub(super) fn style(&self) -> Style {
        if self.exprs > 0 { Style::Block } else { self.options.style }
    }

    /// Whether a part is a node or a token of this name, or a keyword.
    fn is(&self, part: &Part, name: &str) -> bool {
        self.tree.name(part) == name
            || (!part.is_node
                && self.tree.role(part).is_word()
                && self.tree.text(part).eq_ignore_ascii_case(name))
    }

    /// Begins the group of SQL in PL/pgSQL. Returns the number of groups: the items of a list have none.
    pub(super) fn begin_sql(&mut self, node: u32) -> u32 {
        let is_item = |section: &&Section| section.items == Items::Exprs;
        if self.frames.last().is_some_and(|frame| frame.sections.last().is_some_and(is_item)) {
            return 0;
        }
        let tree = self.tree;
        // Clauses of an expression are deeper than the line on which it begins: `a := count(*) FROM t`.
        let has_clauses = tree.name(&tree.parts[node as usize]) == EXPR
            && tree.children(node as usize).any(|at| tree.name(&tree.parts[at]) == "from_clause");
        let indent = if has_clauses { Indent::Level } else { Indent::No };
        self.queued.push(Group::new(indent));
        1
    }

    /// Lays out the `INTO` in a statement of SQL: on the line of `SELECT` behind that, else as a clause.
    pub(super) fn into(&mut self, child: u32) {
        let tree = self.tree;
        let start_of = |frame: &&Frame| frame.name == "stmt_execsql";
        let stmt = self.frames.iter().rev().find(start_of).map(|frame| frame.node);
        let stmt = stmt.map(|stmt| tree.parts[stmt as usize].start);
        let previous = self.frames.last().and_then(|frame| frame.previous);
        let previous = previous.map(|at| &tree.parts[at as usize]);
        let is_second = previous.is_some_and(|part| !part.is_node && Some(part.start) == stmt);
        (self.next, self.is_exact) = (if is_second { BLANK } else { LINE }, true);
        if is_second {
            self.queued.push(Group::new(Indent::Level));
        }
        self.enter(child, None);
        if let Some(frame) = self.frames.last_mut() {
            frame.groups += u32::from(is_second);
        }
    }

    /// Lays out a part of a node in PL/pgSQL.
    pub(super) fn part_of_body(&mut self, child: u32) {
        let tree = self.tree;
        let part = &tree.parts[child as usize];
        let role = if part.is_node { TokenRole::Other } else { tree.role(part) };
        self.end_sections(part);
        let Some(frame) = self.frames.last() else { return };
        if frame.previous.is_some() {
            (self.next, self.is_exact) = (self.gap_in_body(frame, child, role), true);
        }
        self.begin_section(child);
        if part.is_node {
            self.enter(child, Some(self.frames.len() - 1));
        } else {
            self.token(child, role);
        }
    }

    fn end_sections(&mut self, next: &Part) {
        while let Some(frame) = self.frames.last()
            && let Some(section) = frame.sections.last()
            && section.ends.iter().any(|end| self.is(next, end))
        {
            self.close();
            if let Some(frame) = self.frames.last_mut() {
                frame.sections.pop();
                frame.groups -= 1;
            }
        }
    }

    fn begin_section(&mut self, child: u32) {
        let tree = self.tree;
        let Some(frame) = self.frames.last() else { return };
        let is_label = |part: &Part| tree.name(part) == "block_label";
        let previous = frame.previous.map(|at| &tree.parts[at as usize]);
        let found = frame.rule.sections.iter().find(|section| match previous {
            _ if !section.behind.is_empty() => {
                previous.is_some_and(|part| self.is(part, section.behind))
            }
            Some(part) => is_label(part),
            None => !is_label(&tree.parts[child as usize]),
        });
        let Some(section) = found else { return };
        let parts = tree.parts_from(child as usize, frame.end as usize).map(|at| &tree.parts[at]);
        let mut parts = parts.take_while(|part| !section.ends.iter().any(|end| self.is(part, end)));
        let is_comma = |part: &Part| !part.is_node && tree.role(part) == TokenRole::Comma;
        if section.items == Items::Exprs && !parts.any(is_comma) {
            return;
        }
        self.queued.push(Group::new(section.indent));
        if let Some(frame) = self.frames.last_mut() {
            frame.sections.push(section);
            frame.groups += 1;
        }
    }

    /// What is before a part of a node in PL/pgSQL that is not its first one.
    fn gap_in_body(&self, frame: &Frame, child: u32, role: TokenRole) -> Gap {
        use TokenRole as Role;

        let tree = self.tree;
        let part = &tree.parts[child as usize];
        if frame.node == 0 {
            let mut tokens = tree.parts[child as usize..].iter().filter(|part| !part.is_node);
            let first = tokens.next().map(|token| tree.role(token));
            return match first {
                Some(Role::Semicolon) => NOTHING,
                _ if part.next == frame.end => OUTSIDE,
                _ => LINE,
            };
        }
        let Some(previous) = frame.previous.map(|at| &tree.parts[at as usize]) else { return LINE };
        let before = if previous.is_node { Role::Other } else { tree.role(previous) };
        let items = frame.sections.last().map_or(Items::No, |section| section.items);
        let leads = items == Items::Exprs && self.options.commas == Commas::Leading;
        match (before, role) {
            (_, Role::Comma) if leads => return Gap { blank: false, ..LINE },
            (Role::Comma, _) if leads => return TIGHT,
            (Role::Comma, _) => return if items == Items::No { FILL_INSIDE } else { LINE },
            (Role::Dot | Role::Open | Role::OpenBracket, _) => return NOTHING,
            _ => {}
        }
        let signs = [Role::Comma, Role::Semicolon, Role::Dot, Role::Close];
        if signs.contains(&role) || matches!(role, Role::OpenBracket | Role::CloseBracket) {
            return NOTHING;
        }
        let of_rule = frame.rule.gaps.iter().find(|(last, next, _)| {
            (last.is_empty() || self.is(previous, last)) && (next.is_empty() || self.is(part, next))
        });
        if let Some((.., gap)) = of_rule {
            return *gap;
        }
        // The name of a cursor is on a line of its own, as a query is.
        let is_cursor = || {
            let mut names = tree.children(frame.node as usize).map(|at| tree.name(&tree.parts[at]));
            frame.name == "stmt_for" && self.is(previous, "IN") && names.all(|it| it != "DOT_DOT")
        };
        match (tree.rule(part).shape, tree.name(part)) {
            _ if tree.name(previous) == "block_label" || self.is(part, "END") => OUTSIDE,
            (_, EXPR) if !is_cursor() => FILL_INSIDE,
            (Shape::Body, _) | (_, "proc_sect") => LINE,
            (Shape::BodyPart, _) => BLANK,
            _ if part.is_node => LINE,
            _ if frame.name == "decl_cursor_args" => {
                Gap { blank: previous.end < part.start, ..BLANK }
            }
            _ => BLANK,
        }
    }
}

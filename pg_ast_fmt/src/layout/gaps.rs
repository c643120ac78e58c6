//! What stands between two tokens.

use super::{Frame, Layout, List, TIGHT};
use crate::ops::{Break, FILL, FILL_INSIDE, Gap, LINE, OUTSIDE, Op};
use crate::options::Commas;
use crate::rules::{Shape, TokenRole};
use crate::spacing::{Neighbor, Place, needs_blank};

impl<'t> Layout<'_, 't> {
    /// What is before a part of a node that is not its first one.
    pub(super) fn gap_before(&self, frame: &Frame, child: u32, role: TokenRole) -> Gap {
        let tree = self.tree;
        let part = &tree.parts[child as usize];
        let previous = frame.previous.map(|index| &tree.parts[index as usize]);
        let before =
            previous.filter(|part| !part.is_node).map_or(TokenRole::Other, |part| tree.role(part));
        let name = tree.name(part);
        let in_brackets = frame.brackets.last() == Some(&true);
        let is_item = in_brackets || frame.list != List::No;
        let item = if frame.list == List::Fill { FILL_INSIDE } else { LINE };
        let leads = self.options.commas == Commas::Leading;
        if matches!(before, TokenRole::Open | TokenRole::OpenBracket) {
            return if in_brackets { LINE } else { TIGHT };
        }
        match role {
            TokenRole::Comma if leads && is_item => return item,
            TokenRole::Comma
            | TokenRole::Semicolon
            | TokenRole::Dot
            | TokenRole::Typecast
            | TokenRole::Colon => {
                return TIGHT;
            }
            _ => {}
        }
        match before {
            TokenRole::Comma if is_item => return if leads { TIGHT } else { item },
            TokenRole::Semicolon => return LINE,
            TokenRole::Dot | TokenRole::Typecast | TokenRole::Colon => return TIGHT,
            _ => {}
        }
        let follows_join = previous
            .is_some_and(|part| matches!(tree.name(part), "join_type" | "NATURAL" | "CROSS"));
        if frame.rule.begins_line(name) {
            return if frame.rule.shape == Shape::Join && follows_join { TIGHT } else { LINE };
        }
        if part.is_node {
            let of_child = tree.rule(part);
            let first = tree.parts.get(child as usize + 1);
            let begins_line = first.is_some_and(|first| of_child.begins_line(tree.name(first)));
            if (frame.rule.is_stmt() && of_child.is_stmt())
                || (of_child.shape == Shape::Merged && begins_line)
            {
                return LINE;
            }
        }
        if self.follows_with(frame) {
            return LINE;
        }
        if frame.rule.shape == Shape::Block && name == "END_P" {
            return OUTSIDE;
        }
        let is_operator = |index: u32| {
            let part = &tree.parts[index as usize];
            if part.is_node {
                matches!(tree.name(part), "qual_Op" | "subquery_Op")
            } else {
                tree.role(part).is_operator()
            }
        };
        if frame.rule.shape == Shape::Expr {
            if role == TokenRole::Logical {
                return if frame.after_between { TIGHT } else { LINE };
            }
            if frame.previous.is_some_and(is_operator) || before == TokenRole::Logical {
                return TIGHT;
            }
            return FILL;
        }
        let is_alias = part.is_node
            && matches!(name, "BareColLabel" | "alias_clause" | "func_alias_clause")
            && tree.parts[child as usize..]
                .iter()
                .find(|part| !part.is_node)
                .is_some_and(|first| tree.name(first) != "AS");
        match previous.map(|part| tree.name(part)) {
            _ if role == TokenRole::Equals || is_alias => TIGHT,
            Some("AS") if name == "opclass_item_list" => FILL,
            Some("AS" | "IS" | "REFERENCES") => TIGHT,
            _ => FILL,
        }
    }

    /// Writes the gap before a token.
    pub(super) fn gap(&mut self, child: u32, role: TokenRole) {
        let neighbor = self.neighbor(child, role);
        if let Some(last) = self.last {
            let mut gap = self.next;
            let had_blank = last.end < neighbor.start;
            let needed = needs_blank(&last, &neighbor, self.is_deep());
            gap.blank = needed.unwrap_or(had_blank);
            // `N'..'` is one token more than it looks.
            let looks_like_two = (neighbor.text.starts_with('\'') && last.role.is_word())
                || is_newer_number(last.text, neighbor.text);
            // `-1`, and what would have a blank the next time if a line began here.
            let is_one = last.place == Place::Prefix && last.role.is_operator() && !gap.blank;
            if is_one || (!had_blank && (looks_like_two || needed.is_none())) {
                gap = Gap { break_: Break::Glue, blank: false, ..gap };
            }
            if !gap.blank && gap.break_ == Break::Fill {
                gap.break_ = Break::Never;
            }
            self.ops.push(Op::Gap(if self.is_exact { self.next } else { gap }));
        }
        self.is_exact = false;
        for group in core::mem::take(&mut self.queued) {
            self.open(group);
        }
        self.next = FILL;
    }

    pub(super) fn neighbor(&self, child: u32, role: TokenRole) -> Neighbor<'t> {
        let part = &self.tree.parts[child as usize];
        let frame = self.frames.last();
        let around = self.frames.len().checked_sub(2).map(|index| &self.frames[index]);
        let is_first = |frame: &Frame| self.tree.parts[frame.node as usize].start == part.start;
        let expr = match frame {
            Some(operator) if operator.name == "qual_Op" => around,
            _ => frame,
        };
        let is_prefix = expr.is_some_and(|frame| {
            (frame.rule.shape == Shape::Expr
                || matches!(frame.name, "NumericOnly" | "SignedIconst"))
                && is_first(frame)
        });
        let previous =
            frame.and_then(|frame| frame.previous).map(|index| &self.tree.parts[index as usize]);
        let previous = previous.map(|part| self.tree.name(part));
        let place = match frame {
            Some(frame) if frame.name == "indirection_el" => Place::Slice,
            Some(frame) if frame.name == "func_type" => Place::Type,
            _ if is_prefix => Place::Prefix,
            _ if previous == Some("COLUMNS") => Place::Other,
            Some(frame) if frame.rule.calls || previous == Some("func_name") => Place::Call,
            _ => Place::Other,
        };
        Neighbor { start: part.start, end: part.end, text: self.tree.text(part), role, place }
    }
}

/// Whether two tokens are a number in a newer version: `0xFF`, `1_000`.
fn is_newer_number(last: &str, next: &str) -> bool {
    last.starts_with(|first: char| first.is_ascii_digit())
        && next.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

//! The text between statements.

use pg_ast::{TokenText, Version};

use crate::statements::is_end_of_data;

/// The comments and semicolons between two statements, before the first, or after the last.
#[derive(Debug)]
pub(crate) struct Gap<'a> {
    /// Each with the blanks before it.
    items: Vec<(&'a str, Item<'a>)>,
    /// The blanks at the end.
    rest: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item<'a> {
    Semicolon,
    /// Without blanks at its end.
    LineComment(&'a str),
    BlockComment(&'a str),
}

/// The text before an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Start,
    Stmt,
    Semicolon,
    LineComment,
    BlockComment { begins_line: bool },
}

impl<'a> Item<'a> {
    /// Returns `None` for a token that is part of a statement, or of a command for psql.
    pub(crate) fn of(token: &TokenText, sql: &'a str) -> Option<Self> {
        let text = &sql[token.range.clone()];
        match token.name {
            "SQL_COMMENT" => Some(Self::LineComment(text.trim_ascii_end())),
            "C_COMMENT" => Some(Self::BlockComment(text)),
            _ => (text == ";").then_some(Self::Semicolon),
        }
    }
}

impl<'a> Gap<'a> {
    /// Returns `None` if there is more than comments and semicolons: commands for psql, the data of a `COPY`.
    pub(crate) fn read(version: Version, text: &'a str) -> Option<Self> {
        if text.split_inclusive('\n').any(is_end_of_data) {
            return None;
        }
        let mut items = Vec::new();
        let mut end = 0;
        // The usual one.
        if let Some(rest) = text.strip_prefix(';').filter(|rest| rest.trim_ascii().is_empty()) {
            return Some(Self { items: vec![("", Item::Semicolon)], rest });
        }
        for token in version.scan(text).ok()? {
            items.push((&text[end..token.range.start], Item::of(&token, text)?));
            end = token.range.end;
        }
        Some(Self { items, rest: &text[end..] })
    }

    pub(crate) fn items(&self) -> impl DoubleEndedIterator<Item = Item<'a>> {
        self.items.iter().map(|(_, item)| *item)
    }

    /// Lays it out: before a statement and behind one, if there is one.
    ///
    /// Comments stay on their lines, and keep their indentation. Empty lines stay, except at the start and the end of a
    /// script. A statement begins a line, or follows a comment that begins one. Applied to its result, it returns the
    /// same.
    pub(crate) fn lay_out(&self, behind_stmt: bool, before_stmt: bool, eol: &str) -> String {
        let mut text = String::new();
        let mut before = if behind_stmt { Before::Stmt } else { Before::Start };
        for (blanks, item) in &self.items {
            let line_breaks = count_line_breaks(blanks);
            let must_break = before == Before::LineComment;
            match item {
                Item::Semicolon => {
                    if must_break {
                        text += eol;
                    }
                    text.push(';');
                    before = Before::Semicolon;
                }
                Item::LineComment(comment) | Item::BlockComment(comment) => {
                    let begins_line = line_breaks > 0 || must_break || before == Before::Start;
                    if before != Before::Start && begins_line {
                        text += &eol.repeat(line_breaks.max(1));
                    }
                    let on_line = blanks.rsplit('\n').next().unwrap_or_default();
                    let is_plain = on_line.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
                    text += match on_line {
                        on_line if is_plain && !on_line.is_empty() => on_line,
                        _ if begins_line => "",
                        _ => " ",
                    };
                    text += comment;
                    before = match item {
                        Item::LineComment(_) => Before::LineComment,
                        _ => Before::BlockComment { begins_line },
                    };
                }
            }
        }
        match before {
            _ if !before_stmt => {
                if behind_stmt || !text.is_empty() {
                    text += eol;
                }
            }
            Before::Start => {}
            Before::BlockComment { begins_line: true } if count_line_breaks(self.rest) == 0 => {
                text.push(' ');
            }
            _ => text += &eol.repeat(count_line_breaks(self.rest).max(1)),
        }
        text
    }
}

fn count_line_breaks(blanks: &str) -> usize {
    blanks.bytes().filter(|byte| *byte == b'\n').count()
}

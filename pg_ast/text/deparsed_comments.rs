//! Puts comments into printed SQL.
//!
//! libpg_query's deparser decides where each comment goes. What follows a comment there is sometimes on its line, so
//! that a line comment would hide it. So the deparser receives block comments instead, which hide nothing; they are
//! found among the tokens of its output, and replaced.

use core::ops::Range;

use crate::types::error::{Error, ErrorKind};
use crate::types::options::Comment;

/// Returns the comments to print instead: each is its number.
///
/// # Errors
///
/// The text of one of them is not a comment.
pub(crate) fn placeholders(comments: &[Comment]) -> Result<Vec<Comment>, Error> {
    let placeholder = |(number, comment): (usize, &Comment)| {
        check(&comment.text)?;
        Ok(Comment { text: format!("/*{number}*/"), ..*comment })
    };
    comments.iter().enumerate().map(placeholder).collect()
}

fn number(placeholder: &str) -> Option<usize> {
    placeholder.strip_prefix("/*")?.strip_suffix("*/")?.parse().ok()
}

/// Checks that a text is one comment to PostgreSQL's scanner, and nothing else.
fn check(text: &str) -> Result<(), Error> {
    if text.contains('\0') {
        let message = format!("a comment contains a NUL: {}", shown(text));
        return Err(Error::new(ErrorKind::Nul, message));
    }
    if is_line_comment(text) && !text.contains(['\n', '\r']) || is_block_comment(text) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Deparse, format!("not a single comment: {}", shown(text))))
}

/// Quotes the start of a text.
fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}..", &text[..end]),
        None => format!("{text:?}"),
    }
}

fn is_line_comment(text: &str) -> bool {
    text.starts_with("--")
}

/// Returns whether the text is a block comment, in which others may be nested, from its start to its end.
fn is_block_comment(text: &str) -> bool {
    let (mut rest, mut depth) = (text.as_bytes(), 0_usize);
    loop {
        rest = match rest {
            [b'/', b'*', rest @ ..] => {
                depth += 1;
                rest
            }
            [b'*', b'/', rest @ ..] if depth > 0 => {
                depth -= 1;
                rest
            }
            [_, rest @ ..] if depth > 0 => rest,
            _ => return false,
        };
        if depth == 0 {
            return rest.is_empty();
        }
    }
}

/// Replaces the placeholders in SQL by the comments. A comment without a placeholder goes to the end.
///
/// `tokens` are those of the SQL, in order, each with whether it is a comment.
pub(crate) fn put_back(
    sql: &str,
    tokens: impl Iterator<Item = (bool, Range<usize>)>,
    comments: &[Comment],
) -> String {
    let room: usize = comments.iter().map(|comment| comment.text.len() + 2).sum();
    let mut output = Output { text: String::with_capacity(sql.len() + room), in_line: false };
    let mut left: Vec<_> = comments.iter().map(Some).collect();
    let mut end = 0;
    for (is_comment, range) in tokens {
        output.blanks(&sql[end..range.start]);
        end = range.end;
        let token = &sql[range];
        if !is_comment {
            output.token(token);
        } else if let Some(comment) = number(token).and_then(|n| left.get_mut(n)?.take()) {
            output.comment(comment);
        } else {
            output.blanks(" ");
        }
    }
    // No token follows whose line could be wrong.
    output.text.push_str(&sql[end..]);
    for comment in left.into_iter().flatten() {
        output.last_comment(comment);
    }
    output.text
}

struct Output {
    text: String,
    /// Whether the last line ends in a line comment.
    in_line: bool,
}

impl Output {
    /// Writes what is between two tokens, after a line comment with a line break.
    fn blanks(&mut self, blanks: &str) {
        if self.in_line && !blanks.contains('\n') {
            self.break_line();
        } else {
            self.text.push_str(blanks);
            self.in_line &= blanks.is_empty();
        }
    }

    fn token(&mut self, token: &str) {
        self.text.push_str(token);
        self.in_line = false;
    }

    fn comment(&mut self, comment: &Comment) {
        self.in_line = is_line_comment(&comment.text);
        // A minus would become part of the comment.
        if self.in_line && self.text.ends_with('-') {
            self.text.push(' ');
        }
        self.text.push_str(&comment.text);
    }

    /// Starts a line with the indentation of the last one.
    fn break_line(&mut self) {
        let start = self.text.rfind('\n').map_or(0, |at| at + 1);
        let spaces = self.text[start..].len() - self.text[start..].trim_start_matches(' ').len();
        self.text.push('\n');
        self.text.extend(core::iter::repeat_n(' ', spaces));
        self.in_line = false;
    }

    /// Appends a comment with the line breaks before it.
    fn last_comment(&mut self, comment: &Comment) {
        if self.in_line && comment.newlines_before == 0 {
            self.break_line();
        } else if comment.newlines_before > 0 {
            self.text.extend(core::iter::repeat_n('\n', comment.newlines_before));
        } else if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        self.comment(comment);
        self.text.extend(core::iter::repeat_n('\n', comment.newlines_after));
        self.in_line &= comment.newlines_after == 0;
    }
}

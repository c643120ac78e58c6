//! Cuts SQL to a length so that it stays readable.
//!
//! libpg_query cuts a part, prints the whole statement again to see how long it is, and goes on until
//! it is short enough. Here each part is printed once, with a placeholder in place of each part in it. The
//! length after each cut is then a sum, and the text is put together once.

mod cut_parts;
mod marker;
mod printed;

use super::names::{ParseResult, protobuf};
use super::view::Tree;
use super::{facts, names, tree};
use crate::types::error::Error;
use marker::Marker;
use printed::PrintedParts;

impl ParseResult {
    /// Prints the statements, cut to at most `max_length` bytes if possible.
    ///
    /// Parts of the statements become `...` until the SQL is short enough: lists of targets, conditions, rows of
    /// `VALUES`, columns of `INSERT`, queries of `WITH`. The deepest parts come first, and at the same depth the longest
    /// ones. If that is not enough, the SQL is cut off and ends with `...`; it then has `max_length` characters, but
    /// never fewer than these three.
    ///
    /// Time is linear in the length of the SQL, however many parts are cut.
    ///
    /// Mirrors `pg_query_summary_truncate` of libpg_query's `pg_query_summary_truncate.c`, except for three
    /// things that it gets wrong: it counts 22 bytes too many for the columns of an `INSERT`, fails
    /// where there is a `WHERE CURRENT OF`, and with PostgreSQL 18 does not look into `RETURNING`, where
    /// subselects may have parts to cut.
    ///
    /// ```
    /// let tree = pg_ast::parse("INSERT INTO x (a, b, c, d, e, f) VALUES ($1)")?;
    /// assert_eq!(tree.deparse_truncated(32)?, "INSERT INTO x (...) VALUES ($1)");
    /// assert_eq!(tree.deparse_truncated(20)?, "INSERT INTO x (.....");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`deparse`](super::super::deparse()).
    pub fn deparse_truncated(&self, max_length: usize) -> Result<String, Error> {
        let text = self.deparse()?;
        if text.len() <= max_length {
            return Ok(text);
        }
        cut(self.clone(), text, max_length)
    }
}

impl protobuf::ParseResult {
    /// Prints the statements, cut to at most `max_length` bytes if possible; see
    /// [`ParseResult::deparse_truncated`](super::super::ParseResult::deparse_truncated).
    ///
    /// # Errors
    ///
    /// The errors of [`deparse`](super::super::deparse()).
    pub fn deparse_truncated(&self, max_length: usize) -> Result<String, Error> {
        let text = self.deparse()?;
        if text.len() <= max_length {
            return Ok(text);
        }
        // A copy that knows how to be dropped, however deep it is.
        cut(ParseResult::from(self.clone()), text, max_length)
    }
}

impl Tree {
    /// Prints the statements, cut to at most `max_length` bytes if possible; see
    /// [`ParseResult::deparse_truncated`].
    ///
    /// It builds an owned tree only if the SQL is too long.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT a, b, c FROM t WHERE d = 1")?;
    /// assert_eq!(tree.deparse_truncated(40)?, "SELECT a, b, c FROM t WHERE d = 1");
    /// assert_eq!(tree.deparse_truncated(30)?, "SELECT ... FROM t WHERE d = 1");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`deparse`](Self::deparse).
    pub fn deparse_truncated(&self, max_length: usize) -> Result<String, Error> {
        let text = self.deparse()?;
        if text.len() <= max_length {
            return Ok(text);
        }
        cut(self.to_owned_to_print()?, text, max_length)
    }
}

fn cut(mut tree: ParseResult, text: String, max_length: usize) -> Result<String, Error> {
    let marker = Marker::absent_from(&text);
    let parts = cut_parts::take(&mut tree.protobuf, &marker);
    if parts.is_empty() {
        return Ok(cut_off(text, max_length));
    }
    let printed = tree.deparse()?;
    // The deparser prints a part as it prints it in its statement, so there are pieces.
    let Some(pieces) = PrintedParts::new(&printed, &parts, &marker) else {
        return Ok(cut_off(text, max_length));
    };
    match pieces.cut(max_length) {
        Ok(text) => Ok(text),
        Err(text) => Ok(cut_off(text, max_length)),
    }
}

/// Cuts off a text that is too long, at a character boundary.
fn cut_off(mut text: String, max_length: usize) -> String {
    if text.chars().count() > max_length {
        let kept = max_length.saturating_sub(3);
        let end = text.char_indices().nth(kept).map_or(text.len(), |(offset, _)| offset);
        text.truncate(end);
        text.push_str("...");
    }
    text
}

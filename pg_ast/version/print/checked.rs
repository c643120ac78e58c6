//! Printed SQL is parsed again, and compared with the tree.

use super::view::compare::difference_of_printed;
use super::view::{self, Node};
use crate::types::error::{Error, ErrorKind};
use crate::types::options::ParserOptions;

/// Returns the SQL if its statements are these, apart from what no SQL has.
pub(super) fn checked<'a>(
    sql: String,
    given: impl Iterator<Item = Node<'a>>,
) -> Result<String, Error> {
    let failed = |message: String| Error::new(ErrorKind::Deparse, format!("deparse: {message}"));
    // A tree may have the parameters that only normalized SQL has. The limits are for SQL of strangers; they depend on the length of
    // the text, and a tree that is there may have been parsed with others.
    let options = ParserOptions::default()
        .normalized(true)
        .max_bytes(usize::MAX)
        .max_depth(usize::MAX)
        .max_nodes(usize::MAX);
    let parsed = view::parse_with(&sql, options)
        .map_err(|error| failed(format!("the tree has no SQL: {}", error.message())))?;
    let mut stmts = parsed.stmts();
    for given in given {
        let parsed = stmts.next().and_then(view::RawStmt::stmt).unwrap_or(Node::Null);
        if let Some(place) = difference_of_printed(given, parsed) {
            return Err(failed(format!(
                "the tree is not that of its SQL, which has another {place}"
            )));
        }
    }
    match stmts.next() {
        None => Ok(sql),
        Some(_) => {
            Err(failed("the tree is not that of its SQL, which has another statement".to_owned()))
        }
    }
}

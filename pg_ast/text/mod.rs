//! What can be done with a text without its grammar: the pieces of psql scripts, comments in printed SQL.

pub(crate) mod deparsed_comments;
pub(crate) mod like_item;
pub(crate) mod plain_scan;
pub(crate) mod psql;
pub(crate) mod skeleton;
pub(crate) mod skeleton_builder;

/// Returns the operator that the scanner makes of this one.
pub(crate) fn scanned_operator(operator: &str) -> &str {
    if operator == "!=" { "<>" } else { operator }
}

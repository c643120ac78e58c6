//! What can be done with a text without its grammar: the pieces of psql scripts, comments in printed SQL.

pub(crate) mod deparsed_comments;
pub(crate) mod psql;

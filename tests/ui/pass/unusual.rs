//! What a user's struct may look like: raw identifiers, fields that are not compiled, documentation.

use pg_ast::{FromRaw, IntoRaw, raw};

/// A C struct without a field but its tag.
#[derive(Debug, FromRaw, IntoRaw)]
#[pg_ast(raw = raw::CheckPointStmt)]
struct CheckPoint {}

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
pub(crate) struct Table {
    /// A keyword in Rust, and another name in C.
    #[pg_ast(name = "relname")]
    r#type: String,
    #[cfg(any())]
    nowhere: Never,
    #[allow(dead_code)]
    #[cfg(test)]
    pub inh: bool,
}

#[test]
fn unusual_types() {
    let stmts = pg_ast::parse_as::<CheckPoint>("CHECKPOINT; SELECT 1").unwrap();
    assert!(stmts[0].is_some() && stmts[1].is_none());
    let _ = |table: Table| table.r#type;
}

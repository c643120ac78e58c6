//! What is derived raises no warning.
#![deny(warnings, unused, unsafe_op_in_unsafe_fn, missing_docs)]
// Nobody uses these types.
#![allow(dead_code)]

/// A table.
#[derive(pg_ast::FromRaw)]
#[pg_ast(raw = pg_ast::raw::RangeVar, partial)]
pub struct Table {
    /// Its name.
    pub relname: String,
}

/// An operation.
#[derive(pg_ast::FromRaw, pg_ast::IntoRaw)]
#[pg_ast(raw = pg_ast::raw::SetOperation)]
pub enum Operation {
    /// None.
    #[pg_ast(name = "SETOP_NONE")]
    None,
    /// Another.
    #[pg_ast(skip)]
    Other,
}

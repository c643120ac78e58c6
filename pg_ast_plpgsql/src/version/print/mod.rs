//! Prints bodies.

pub(crate) mod print_body;
mod print_decls;
mod print_exprs;
mod print_loops;
mod print_stmts;

use super::{body, pg};

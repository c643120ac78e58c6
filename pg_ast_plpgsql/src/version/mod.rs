//! The code of one PostgreSQL version: compiled once per version, against that version of pg_ast, which is `pg`.
//!
//! `body/` follows control and names through a body. `dynamic/` and `print/` stand on it, and `facts/` on `dynamic/` as well.

mod body;
mod dynamic;
mod facts;
mod print;

use super::pg;

pub use body::body_flow::{Flow, flow, needs_return};
pub use body::body_variables::{VariableUse, VariableUses, variables};
#[doc(hidden)]
pub use body::{body_variables::each_expr_in_scope, names_in_scope::NamesInScope};
pub use dynamic::dynamic_sql::{
    Dynamic, DynamicKind, DynamicPart, DynamicValue, Quoting, dynamic_sql,
};
pub use dynamic::sql_skeleton::SqlSkeleton;
pub use facts::analysis_with_bodies::{AnalysisWithBodies, analyze_with_bodies};
pub use facts::body_facts::{Facts, SqlFacts, facts};
pub use print::print_body::{deparse, deparse_with};

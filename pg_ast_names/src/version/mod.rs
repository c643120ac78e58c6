//! The code of one PostgreSQL version: compiled once per version, against that version of pg_ast, which is `pg`.

mod aggregates;
mod any_tree;
mod bodies;
mod ddl;
mod expr;
mod flows;
mod lookup;
mod query;
mod resolver;
mod stmts;
#[doc(hidden)]
pub mod types_seam;
mod values;

#[cfg(feature = "plpgsql")]
use super::pg_plpgsql;
use super::{VERSION, pg};

pub use any_tree::AnyTree;
#[cfg(feature = "plpgsql")]
pub use bodies::body_names::{BodyNames, resolve_body};
pub use ddl::apply_ddl::define;
pub use ddl::defined_objects::dependencies;
pub use flows::flow_stmts::lineage;
pub use resolver::resolve;
pub use values::value_flow::column_values;

//! Which type each parameter and each column of a statement has, by PostgreSQL's own rules, without a server.
//!
//! [`types`] reads a tree with a [`Catalog`](pg_ast_names::Catalog) of the database, as PostgreSQL analyses a statement before it
//! plans it: which function or operator a call means, which casts are inserted, what `UNION` and `CASE` make of their arms, and
//! what a parameter stands for.
//!
//! ```
//! use pg_ast_names::{DdlCatalog, define};
//! use pg_ast_types::types;
//!
//! let mut catalog = DdlCatalog::new();
//! define(&pg_ast::parse("CREATE TABLE orders (id int, total numeric(10, 2))")?, &mut catalog);
//!
//! let types = types(&pg_ast::view::parse("SELECT sum(total) FROM orders WHERE id = ANY($1)")?, &catalog);
//! let sum = &types.stmts[0].columns.as_ref().unwrap()[0];
//! assert_eq!((sum.name.as_deref(), sum.sql_type().as_deref()), (Some("sum"), Some("numeric")));
//! assert_eq!(types.stmts[0].parameters[0].sql_type().as_deref(), Some("integer[]"));
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! What depends on something that is not known, such as a function of a schema that the catalog does not have, is `None`.
//!
//! Each version of PostgreSQL is a module with this call, as in [`pg_ast`]; the root re-exports that of the newest one that is
//! enabled.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Each version compiles its own copy of the files in `version/`.
#![allow(clippy::duplicate_mod)]

mod named_types;
mod nullability;
mod rules;
mod stmt_types;
mod type_table;

/// What the list of versions is for.
macro_rules! versions {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        $(
            // The versions are those of pg_ast: features that other crates turn on there count.
            pg_ast::$module! {
                #[doc = concat!("The types of expressions in SQL for PostgreSQL ", $major, ".")]
                ///
                /// The root of the crate re-exports the newest version that is enabled.
                #[path = "version"]
                pub mod $module {
                    use pg_ast::$module as pg;
                    use pg_ast_names::$module as pg_names;

                    #[path = "mod.rs"]
                    mod version;

                    const VERSION: pg_ast::Version = pg_ast::Version::$variant;

                    pub use version::*;
                }
            }
        )*
    };
}
libpg_query::for_each_version! { [versions!] }

/// Re-exports the newest version.
macro_rules! root {
    ($module:ident) => {
        #[doc(inline)]
        pub use $module::*;
    };
}
pg_ast::newest_version! { root }

pub use nullability::{NotNullReason, Nullability, NullableReason};
pub use pg_ast_names;
pub use stmt_types::{ParameterType, SqlType, StmtTypes, TypedColumn, Types};

// Never compiled: rustfmt finds the files of a module, but not in a macro.
#[cfg(any())]
mod version;

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

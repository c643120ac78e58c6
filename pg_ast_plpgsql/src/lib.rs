//! What functions in PL/pgSQL do, from their text alone: control flow, variables, dynamic SQL, the tables and functions that they
//! name; and how they are printed.
//!
//! [`pg_ast::plpgsql`] parses functions into typed trees. The calls here take one of these, a
//! [`Function`](pg_ast::plpgsql::Function):
//!
//! | question | call |
//! |---|---|
//! | where variables are read and assigned | [`variables`] |
//! | whether its end is reached without `RETURN`, and what is not | [`flow`], [`needs_return`] |
//! | how dynamic SQL is built, and whether values are quoted | [`dynamic_sql`] |
//! | which tables and functions it names, whether it writes | [`facts`] |
//! | what statements name, with the bodies in them | [`analyze_with_bodies`] |
//! | how its body is written | [`deparse`], [`deparse_with`] |
//!
//! ```
//! let sql = "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$
//! BEGIN
//!     IF a > 0 THEN
//!         EXECUTE 'TRUNCATE log';
//!         RETURN a;
//!     END IF;
//! END $$";
//! let parsed = pg_ast::plpgsql::parse(sql)?;
//! let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
//! assert!(pg_ast_plpgsql::flow(function).end_is_reached);
//! assert_eq!(pg_ast_plpgsql::facts(function).analyze().tables(), ["log"]);
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! Each version of PostgreSQL is a module with these calls, as in [`pg_ast`]; the root re-exports those of the newest one that is
//! enabled, and [`with_version!`](pg_ast::with_version) chooses one at run time.
//!
//! ```
//! use pg_ast::{Version, with_version};
//!
//! let unreachable = with_version!(Version::newest(), pg, pg_ast_plpgsql as plpgsql => {
//!     let function = pg::plpgsql::parse_body("BEGIN RETURN; COMMIT; END", None)?;
//!     plpgsql::flow(&function).unreachable.len()
//! });
//! assert_eq!(unreachable, 1);
//! # Ok::<(), pg_ast::Error>(())
//! ```

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Each version compiles its own copy of the files in `version/`.
#![allow(clippy::duplicate_mod)]

/// What the list of versions is for.
macro_rules! versions {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        $(
            // The versions are those of pg_ast: features that other crates turn on there count.
            pg_ast::$module! {
                #[doc = concat!("Functions in PL/pgSQL of PostgreSQL ", $major, ".")]
                ///
                /// The root of the crate re-exports the newest version that is enabled.
                #[path = "version"]
                pub mod $module {
                    use pg_ast::$module as pg;

                    #[path = "mod.rs"]
                    mod version;

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

pub use pg_ast;

// Never compiled: rustfmt finds the files of a module, but not in a macro.
#[cfg(any())]
mod version;

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

/// Tests the code in docs/meaning.md.
#[cfg(doctest)]
#[doc = include_str!("../../docs/meaning.md")]
struct MeaningDoctests;

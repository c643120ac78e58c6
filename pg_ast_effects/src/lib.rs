//! What statements do to a server: what they write, lock, rewrite, change in the session, lose and need, from their text alone.
//!
//! The trees and nodes of [`pg_ast`] get two calls with [`FindEffects`], of which the result is [`Effects`]:
//!
//! | question | field |
//! |---|---|
//! | does it write, may a replica run it | [`writes`](Effects::writes), [`on_standby`](Effects::on_standby), [`in_read_only`](Effects::in_read_only) |
//! | may a pool give the session to others | [`session`](Effects::session) |
//! | where does a transaction begin and end | [`transaction`](Effects::transaction), [`block`](Effects::block) |
//! | whom does it keep waiting, and for how long | [`tables`](Effects::tables) |
//! | what is gone then | [`losses`](Effects::losses) |
//! | can it run again | [`repeatable`](Effects::repeatable) |
//! | who may run it | [`privileges`](Effects::privileges) |
//!
//! ```
//! use pg_ast_effects::{Answer, FindEffects as _, LossKind};
//!
//! let effects = pg_ast::parse("DROP TABLE IF EXISTS orders")?.effects();
//! assert_eq!(effects[0].losses[0].kind, LossKind::Relation);
//! assert_eq!(effects[0].repeatable, Answer::Yes);
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! What the database adds, its triggers, foreign keys, views and functions, is told with a catalog of what is in it: `effects_in`,
//! with the feature `catalog`.
//!
//! [`Answer`], [`Volatility`], and [`Which`] are closed: what they answer has no other values.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Each version compiles its own copy of the files in `version/`.
#![allow(clippy::duplicate_mod)]

mod effects;
mod find_effects;
mod functions;
#[cfg(feature = "catalog")]
mod known_relations;
mod privilege;
mod superuser_settings;

/// What the list of versions is for.
macro_rules! versions {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        $(
            // The versions are those of pg_ast: features that other crates turn on there count.
            pg_ast::$module! {
                // Where the files of the module in it are.
                #[path = "version"]
                mod $module {
                    use pg_ast::$module as pg;
                    #[cfg(feature = "plpgsql")]
                    use pg_ast_plpgsql::$module as pg_plpgsql;

                    #[path = "mod.rs"]
                    pub(crate) mod version;
                }
            }
        )*

        /// Returns whether a subcommand of `ALTER TABLE` has a rule in the code of a version.
        #[doc(hidden)]
        #[must_use]
        pub fn has_alter_rule(major: u32, subtype: &str) -> bool {
            $(
                pg_ast::$module! {
                    if major == $major {
                        return $module::version::has_alter_rule(subtype);
                    }
                }
            )*
            false
        }
    };
}
libpg_query::for_each_version! { [versions!] }

pub use effects::{
    Answer, Effects, FunctionCalled, Loss, LossKind, SessionEffect, TableEffect, TransactionBlock,
    TransactionEffect, UnknownSql, Which,
};
pub use find_effects::{FindEffects, effects_of};

pub use pg_ast;
pub use pg_ast_catalog::Volatility;
#[cfg(feature = "catalog")]
pub use pg_ast_names;
pub use privilege::{Privilege, PrivilegeKind};

/// Items that only this crate's tests call.
#[doc(hidden)]
pub mod __testing {
    pub use crate::functions::builtin_functions::functions_without_effect;
}

// Never compiled: rustfmt finds the files of a module, but not in a macro.
#[cfg(any())]
mod version;

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

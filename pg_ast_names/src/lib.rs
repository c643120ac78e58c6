//! What the names in SQL mean: of which table a column is, what `*` stands for, which names are wrong, and what statements define
//! and need.
//!
//! The [tree](pg_ast::parse()) of PostgreSQL has names as they were written. [`resolve`] finds what they mean, as PostgreSQL
//! does before it runs a statement: in the scopes of `FROM`, `WITH`, `LATERAL` and subqueries. It returns a [`Resolution`].
//!
//! ```
//! use pg_ast_names::{DdlCatalog, define, resolve};
//!
//! let mut catalog = DdlCatalog::new();
//! define(&pg_ast::parse("CREATE TABLE users (id int, name text)")?, &mut catalog);
//!
//! let names = resolve(&pg_ast::parse("SELECT * FROM users AS u")?, &catalog);
//! assert!(names.outputs[0].as_ref().unwrap().names().eq(["id", "name"]));
//! let names = resolve(&pg_ast::parse("SELECT u.nmae FROM users AS u")?, &catalog);
//! assert_eq!(names.mistakes[0].to_string(), "column u.nmae does not exist");
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! What it is told about a database is a [`Catalog`]: [nothing](NoCatalog), [what statements define](DdlCatalog), or one of your
//! own.
//!
//! | to | call |
//! |---|---|
//! | tell what names mean, which are wrong, and what `*` stands for | [`resolve`] |
//! | do so in the functions of PL/pgSQL | `resolve_body` (feature `plpgsql`) |
//! | collect the tables and columns that a schema's statements define | [`define`] |
//! | find the values of a column in the rows that a statement reads or writes, to send it to a shard | [`column_values`] |
//! | tell where the values of columns come from, through queries and views | [`lineage`] |
//! | list what statements need, and put them in order | [`dependencies`], [`Dependencies::order`] |
//!
//! Each version of PostgreSQL is a module with these calls, as in [`pg_ast`]; the root re-exports those of the newest one that is
//! enabled, and [`with_version!`](pg_ast::with_version) chooses one at run time. The types of results and of catalogs are the
//! same for all versions.
//!
//! ```
//! use pg_ast::{Version, with_version};
//! use pg_ast_names::NoCatalog;
//!
//! let outputs = with_version!(Version::newest(), pg, pg_ast_names as names => {
//!     names::resolve(&pg::parse("SELECT a, b FROM t")?, &NoCatalog).outputs
//! });
//! assert_eq!(outputs[0].as_ref().unwrap().names().len(), 2);
//! # Ok::<(), pg_ast::Error>(())
//! ```

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Each version compiles its own copy of the files in `version/`.
#![allow(clippy::duplicate_mod)]

mod builtin_names;
mod catalog_operators;
mod catalog_routines;
mod catalog_transactions;
mod catalog_types;
mod column_values;
mod ddl_catalog;
mod extension_contents;
mod lineage;
mod lineage_graph;
mod name_catalog;
mod name_mistakes;
mod persistent_map;
mod relation_parts;
mod resolution;
mod stmt_dependencies;
mod stmt_order;
mod type_users;

/// What the list of versions is for.
macro_rules! versions {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        $(
            // The versions are those of pg_ast: features that other crates turn on there count.
            pg_ast::$module! {
                #[doc = concat!("The names in SQL for PostgreSQL ", $major, ".")]
                ///
                /// The root of the crate re-exports the newest version that is enabled.
                #[path = "version"]
                pub mod $module {
                    use pg_ast::$module as pg;
                    #[cfg(feature = "plpgsql")]
                    use pg_ast_plpgsql::$module as pg_plpgsql;

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

pub use catalog_operators::{CatalogCast, CatalogOperator};
pub use catalog_routines::{Routine, RoutineParameter, RoutineText};
pub use catalog_types::{CatalogType, CatalogTypeKind};
pub use column_values::{ColumnValue, ColumnValues, ColumnValuesOfUse, PossibleValues};
pub use ddl_catalog::DdlCatalog;
pub use lineage::{
    Flows, Lineage, LineageColumn, LineageFlow, LineageKind, LineageOrigin, LineageResult,
    LineageSource, UnknownOrigin,
};
pub use name_catalog::{Catalog, NoCatalog, Relation, RelationColumn, RelationKind};
pub use name_mistakes::{MistakeKind, NameMistake};
pub use pg_ast;
pub use pg_ast_catalog::{CastContext, FunctionKind, ParameterMode, Volatility};
pub use relation_parts::{
    ColumnDefault, ColumnType, ConstraintKind, ConstraintTiming, ForeignKey, ForeignKeyAction,
    RelationConstraint, RelationIndex, RelationRule, RelationTrigger, Relationship, TriggerEvents,
};
pub use resolution::{
    Candidates, ColumnList, ColumnMeaning, ColumnOrigin, ColumnSource, ColumnUse, FunctionMeaning,
    FunctionUse, Resolution, SourceColumn, SourceKind, StarPart, TableMeaning, TableUse,
};
pub use stmt_dependencies::{Dependencies, Object, StmtDependencies, StmtOrder};

// Never compiled: rustfmt finds the files of a module, but not in a macro.
#[cfg(any())]
mod version;

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

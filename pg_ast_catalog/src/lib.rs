//! What PostgreSQL has built in: functions, types, operators, casts, operator classes, the tables of its catalogs; and what
//! its extensions bring. For each version from servers of it, so nobody has to ask one.
//!
//! ```
//! let catalog = pg_ast_catalog::builtin(18).unwrap();
//! let [repeat] = catalog.functions("pg_catalog", "repeat") else { panic!() };
//! assert_eq!(repeat.result, "text");
//! assert!(repeat.inputs().map(|parameter| parameter.type_name).eq(["text", "int4"]));
//! assert!(repeat.is_strict);
//!
//! let class = catalog.relation("pg_catalog", "pg_class").unwrap();
//! assert_eq!(class.columns[1].name, "relname");
//!
//! let hstore = pg_ast_catalog::extension("hstore", 18).unwrap();
//! assert!(hstore.objects.functions("", "akeys").len() == 1);
//! ```
//!
//! The data is compressed in the program (93 KB for all versions and 94 extensions), and read the first time that it is asked
//! for, in one to two milliseconds for each version; see `docs/design/catalog.md` of the repository.
//!
//! # Names of types
//!
//! Types have the names of `pg_type`: `int4`, `_int4` for its array, `timestamptz`. A type of `pg_catalog` is named alone, one
//! of an extension has an `@` before its name (`@hstore`), since `CREATE EXTENSION` says in which schema it is; others have
//! their schema (`information_schema.sql_identifier`).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod catalog_functions;
mod data_lines;
mod extensions;
mod objects;
mod operators;
mod relations;
mod schema_query;
mod types;

pub use catalog_functions::{
    BuiltinFunction, BuiltinParameter, FunctionKind, ParallelSafety, ParameterMode, Volatility,
};
pub use extensions::{Extension, extension, extensions};
pub use objects::{BuiltinObjects, builtin};
pub use operators::{BuiltinCast, BuiltinOperator, CastContext, EqualityOperator, OperatorClass};
pub use relations::{BuiltinColumn, BuiltinRelation};
pub use schema_query::{SCHEMA_QUERY, SCHEMA_TRANSACTION};
pub use types::{BuiltinType, TypeKind, format_type, is_serial};

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The API of pg_query 6, for PostgreSQL 17, and of PgDog's fork.
//!
//! ```
//! use pg_ast_compat::v6 as pg_query;
//!
//! let result = pg_query::parse("SELECT * FROM contacts")?;
//! assert_eq!(result.tables(), ["contacts"]);
//! assert_eq!(result.deparse()?, "SELECT * FROM contacts");
//! # Ok::<(), pg_query::Error>(())
//! ```

use pg_ast::pg17 as native;

/// The messages and enumerations of libpg_query's schema, as prost-build makes them for pg_query.
#[allow(clippy::all, clippy::pedantic, missing_docs, unreachable_pub)]
pub mod protobuf {
    include!(concat!(env!("OUT_DIR"), "/v6.rs"));
}

mod lists {
    include!(concat!(env!("OUT_DIR"), "/v6_lists.rs"));
}

mod error;
mod plpgsql;
mod query;
mod rules;
#[path = "version/mod.rs"]
mod version;

pub use error::{Error, Result};
pub use protobuf::Node;
pub use query::*;
pub use version::*;

/// PostgreSQL's version number: 170000 and the minor version.
pub const PG_VERSION_NUM: u32 = native::raw::PG_VERSION_NUM;

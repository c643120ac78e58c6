//! PostgreSQL 15: its parser and deparser, its tree, and every call.
//!
//! The root of the crate re-exports the newest version that is enabled.
//!
//! ```
//! let tree = pg_ast::pg15::parse("SELECT 1")?;
//! assert_eq!(tree.protobuf.version / 10_000, 15);
//! assert_eq!(pg_ast::pg15::deparse(&tree)?, "SELECT 1");
//! # Ok::<(), pg_ast::Error>(())
//! ```

/// The C structs and enums, as bindgen reads them from PostgreSQL's headers.
#[doc(no_inline)]
pub use libpg_query::pg15 as raw;

#[doc = include_str!("version/tree/protobuf.md")]
#[allow(clippy::all, clippy::pedantic, missing_docs, unreachable_pub)]
pub mod protobuf {
    use pg_ast_derive::{FromRaw, IntoRaw};

    use super::{message, raw};

    include!(concat!(env!("OUT_DIR"), "/pg15.rs"));
}

/// The types of the views, generated from the same schema.
#[allow(clippy::all, clippy::pedantic)]
mod views {
    include!(concat!(env!("OUT_DIR"), "/pg15_view.rs"));
}

/// The tree of PL/pgSQL, generated from the bindings.
#[cfg(feature = "plpgsql")]
#[allow(clippy::all, clippy::pedantic)]
mod plpgsql_tree {
    include!(concat!(env!("OUT_DIR"), "/pg15_plpgsql.rs"));
}

/// The types of its views.
#[cfg(feature = "plpgsql")]
#[allow(clippy::all, clippy::pedantic)]
mod plpgsql_views {
    include!(concat!(env!("OUT_DIR"), "/pg15_plpgsql_view.rs"));
}

#[path = "version/mod.rs"]
mod version;

pub use version::*;

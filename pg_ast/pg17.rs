//! PostgreSQL 17: its parser and deparser, its tree, and every call.
//!
//! The root of the crate re-exports the newest version that is enabled.
//!
//! ```
//! let tree = pg_ast::pg17::parse("SELECT 1")?;
//! assert_eq!(tree.protobuf.version / 10_000, 17);
//! assert_eq!(pg_ast::pg17::deparse(&tree)?, "SELECT 1");
//! # Ok::<(), pg_ast::Error>(())
//! ```

/// The C structs and enums, as bindgen reads them from PostgreSQL's headers.
#[doc(no_inline)]
pub use libpg_query::pg17 as raw;

#[doc = include_str!("version/tree/protobuf.md")]
#[allow(clippy::all, clippy::pedantic, missing_docs, unreachable_pub)]
pub mod protobuf {
    use pg_ast_derive::{FromRaw, IntoRaw};

    use super::{message, raw};

    include!(concat!(env!("OUT_DIR"), "/pg17.rs"));
}

/// The types of the views, generated from the same schema.
#[allow(clippy::all, clippy::pedantic)]
mod views {
    include!(concat!(env!("OUT_DIR"), "/pg17_view.rs"));
}

/// The tree of PL/pgSQL, generated from the bindings.
#[cfg(feature = "plpgsql")]
#[allow(clippy::all, clippy::pedantic)]
mod plpgsql_tree {
    include!(concat!(env!("OUT_DIR"), "/pg17_plpgsql.rs"));
}

/// The types of its views.
#[cfg(feature = "plpgsql")]
#[allow(clippy::all, clippy::pedantic)]
mod plpgsql_views {
    include!(concat!(env!("OUT_DIR"), "/pg17_plpgsql_view.rs"));
}

#[path = "version/mod.rs"]
mod version;

pub use version::*;

//! The tests of `version/`, for PostgreSQL 17.

use libpg_query::pg17 as pg;

/// The name as a literal.
macro_rules! name {
    () => {
        "pg17"
    };
}

const NAME: &str = name!();
const ARCHIVE: &str = env!("LIBPG_QUERY_PG17_ARCHIVE");
const INCLUDE: &str = env!("LIBPG_QUERY_PG17_INCLUDE");

#[path = "../version/mod.rs"]
pub mod version;

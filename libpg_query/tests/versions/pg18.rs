//! The tests of `version/`, for PostgreSQL 18.

use libpg_query::pg18 as pg;

/// The name as a literal.
macro_rules! name {
    () => {
        "pg18"
    };
}

const NAME: &str = name!();
const ARCHIVE: &str = env!("LIBPG_QUERY_PG18_ARCHIVE");
const INCLUDE: &str = env!("LIBPG_QUERY_PG18_INCLUDE");

#[path = "../version/mod.rs"]
pub mod version;

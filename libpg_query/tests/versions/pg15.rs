//! The tests of `version/`, for PostgreSQL 15.

use libpg_query::pg15 as pg;

/// The name as a literal.
macro_rules! name {
    () => {
        "pg15"
    };
}

const NAME: &str = name!();
const ARCHIVE: &str = env!("LIBPG_QUERY_PG15_ARCHIVE");
const INCLUDE: &str = env!("LIBPG_QUERY_PG15_INCLUDE");

#[path = "../version/mod.rs"]
pub mod version;

//! The tests of `version/`, for PostgreSQL 16.

use libpg_query::pg16 as pg;

/// The name as a literal.
macro_rules! name {
    () => {
        "pg16"
    };
}

const NAME: &str = name!();
const ARCHIVE: &str = env!("LIBPG_QUERY_PG16_ARCHIVE");
const INCLUDE: &str = env!("LIBPG_QUERY_PG16_INCLUDE");

#[path = "../version/mod.rs"]
pub mod version;

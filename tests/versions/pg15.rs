//! The tests of `version/`, for PostgreSQL 15.

use libpg_query::pg15 as raw;
use pg_ast::pg15 as pg;

const NAME: &str = "pg15";
const MAJOR: u32 = 15;
const SCHEMA: &str = env!("PG_AST_PG15_SCHEMA");

#[path = "../version/mod.rs"]
pub mod version;

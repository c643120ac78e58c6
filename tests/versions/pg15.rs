//! The tests of `version/`, for PostgreSQL 15.

use libpg_query::pg15 as raw;
use pg_ast::pg15 as pg;
use pg_ast_names::pg15 as pg_names;
use pg_ast_plpgsql::pg15 as pg_plpgsql;
use pg_ast_syntax::pg15 as pg_syntax;
use pg_ast_types::pg15 as pg_types;

const NAME: &str = "pg15";
const MAJOR: u32 = 15;
const SCHEMA: &str = env!("PG_AST_PG15_SCHEMA");
const SOURCE: &str = env!("PG_AST_PG15_SOURCE");

/// What the build script has written: each method that changes a field.
macro_rules! changes {
    () => {
        include!(concat!(env!("OUT_DIR"), "/pg15_changes.rs"));
    };
}

#[path = "../version/mod.rs"]
pub mod version;

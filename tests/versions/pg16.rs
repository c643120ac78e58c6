//! The tests of `version/`, for PostgreSQL 16.

use libpg_query::pg16 as raw;
use pg_ast::pg16 as pg;
use pg_ast_names::pg16 as pg_names;
use pg_ast_plpgsql::pg16 as pg_plpgsql;
use pg_ast_syntax::pg16 as pg_syntax;
use pg_ast_types::pg16 as pg_types;

const NAME: &str = "pg16";
const MAJOR: u32 = 16;
const SCHEMA: &str = env!("PG_AST_PG16_SCHEMA");
const SOURCE: &str = env!("PG_AST_PG16_SOURCE");

/// What the build script has written: each method that changes a field.
macro_rules! changes {
    () => {
        include!(concat!(env!("OUT_DIR"), "/pg16_changes.rs"));
    };
}

#[path = "../version/mod.rs"]
pub mod version;

//! The tests of `version/`, for PostgreSQL 18.

use libpg_query::pg18 as raw;
use pg_ast::pg18 as pg;
use pg_ast_names::pg18 as pg_names;
use pg_ast_plpgsql::pg18 as pg_plpgsql;
use pg_ast_syntax::pg18 as pg_syntax;
use pg_ast_types::pg18 as pg_types;

const NAME: &str = "pg18";
const MAJOR: u32 = 18;
const SCHEMA: &str = env!("PG_AST_PG18_SCHEMA");
const SOURCE: &str = env!("PG_AST_PG18_SOURCE");

/// What the build script has written: each method that changes a field.
macro_rules! changes {
    () => {
        include!(concat!(env!("OUT_DIR"), "/pg18_changes.rs"));
    };
}

#[path = "../version/mod.rs"]
pub mod version;

use version::c_route;

// The parts that libpg_query has since 17.
#[path = "../version/layouts.rs"]
mod layouts;
#[path = "../version/summary.rs"]
mod summary;

//! The tests of `version/`, for PostgreSQL 17.

use libpg_query::pg17 as raw;
use pg_ast::pg17 as pg;
use pg_ast_names::pg17 as pg_names;
use pg_ast_plpgsql::pg17 as pg_plpgsql;
use pg_ast_syntax::pg17 as pg_syntax;
use pg_ast_types::pg17 as pg_types;

const NAME: &str = "pg17";
const MAJOR: u32 = 17;
const SCHEMA: &str = env!("PG_AST_PG17_SCHEMA");
const SOURCE: &str = env!("PG_AST_PG17_SOURCE");

/// What the build script has written: each method that changes a field.
macro_rules! changes {
    () => {
        include!(concat!(env!("OUT_DIR"), "/pg17_changes.rs"));
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

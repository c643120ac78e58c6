//! Files with tests of their own, for which their crates would be compiled again.
#![allow(dead_code)]

#[path = "../../pg_ast_plpgsql/src/version/dynamic/format_specs.rs"]
mod format_specs;
#[path = "../../pg_ast/types/literal_places.rs"]
mod literal_places;
#[path = "../../pg_ast_plpgsql/src/version/dynamic/sql_quotes.rs"]
mod sql_quotes;

use pg_ast_plpgsql as dynamic_sql;

//! Over the whole of PostgreSQL's regression SQL, beside libpg_query's own: summaries, texts cut to a
//! length, utility statements. The versions before 17 have none of their own.

mod common;

each_version! { @ pg17 "pg17" "PG_AST_PG17_SCHEMA" { summary } }
each_version! { @ pg18 "pg18" "PG_AST_PG18_SCHEMA" { summary } }

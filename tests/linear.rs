//! What is done in linear time here gives what libpg_query's own code gives. (`growth.rs` holds that it
//! is linear.)

mod common;

each_version! { @ pg15 "pg15" "PG_AST_PG15_SCHEMA" { linear } }
each_version! { @ pg16 "pg16" "PG_AST_PG16_SCHEMA" { linear } }
// Those before have no layouts.
each_version! { @ pg17 "pg17" "PG_AST_PG17_SCHEMA" { linear layouts } }
each_version! { @ pg18 "pg18" "PG_AST_PG18_SCHEMA" { linear layouts } }

//! The results of PostgreSQL 18, the newest version.

mod bodies;
mod deparse;
mod field_c_types;
mod field_types;
mod name_rules;
mod not_read;
mod parse;
mod statements;

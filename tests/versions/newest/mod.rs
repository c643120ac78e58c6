//! The results of PostgreSQL 18, the newest version.

mod bodies;
mod deparse;
mod field_types;
mod name_rules;
mod parse;
mod statements;

//! The results of PostgreSQL 18, the newest version.

mod deparse;
mod parse;
mod statements;

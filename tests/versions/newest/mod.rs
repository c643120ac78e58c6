//! What PostgreSQL 18, the newest version, makes of texts.

mod deparse;
mod parse;
mod statements;

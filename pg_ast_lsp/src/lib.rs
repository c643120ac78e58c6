//! A language server for PostgreSQL, without a database: all its answers come from the SQL.
//!
//! - **Diagnostics**: errors of PostgreSQL's parser, per statement, with the expected tokens
//!   and a suggestion; findings of the rules of `pg_ast_lint`. Code actions fix them.
//! - **Completion**: the keywords that the grammar accepts, and the names that the
//!   file creates: tables, columns of the tables in the statement, functions, types.
//! - **Hover**: the node under the cursor, with a description and its SQL; the columns of a table.
//! - **Bodies** in PL/pgSQL: all of this inside of them, with variables and parameters.
//! - **Symbols** of the document, **formatting** that keeps comments, of the document, of a
//!   selection, and of a statement whose semicolon is typed, **folding** and **selection** by nodes.
//!
//! `pgast lsp` runs it; README.md shows how editors do.

#![forbid(unsafe_code)]

mod bodies;
mod body_completion;
mod body_names;
mod capabilities;
mod code_actions;
mod column_finder;
mod completion;
mod context;
mod defined;
mod diagnostics;
mod document;
mod files;
mod formatting;
mod functions;
mod hover;
mod identifiers;
mod inlay_hints;
mod lines;
mod linting;
mod name_finder;
mod names;
mod node_docs;
mod one_line;
mod outline;
mod references;
mod regions;
mod rename;
mod requests;
mod semantic_tokens;
mod server;
mod settings;
mod signature_help;
mod stmt;
mod symbols;
mod visible_sources;
mod workspace;

pub use lsp_server;
pub use pg_ast;

pub use crate::server::{run, serve};
pub use crate::settings::Settings;

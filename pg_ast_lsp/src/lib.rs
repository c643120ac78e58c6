//! A language server for PostgreSQL, without a database: all its answers come from the SQL.
//!
//! It answers what editors ask: mistakes and their fixes, completion, hover, definitions, references, rename, highlights, semantic
//! tokens, inlay hints, signatures, symbols, folding, selection and formatting, all of it inside of functions, too. README.md has the
//! list, and how editors run it.
//!
//! The command `pgast lsp` runs it: [`serve`]. A program with another input and output calls [`run`].

#![forbid(unsafe_code)]

mod asked;
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
mod session;
mod settings;
mod signature_help;
mod stmt;
mod symbols;
mod transport;
mod unread;
mod visible_sources;
mod workspace;

pub use pg_ast;

pub use crate::session::{run, serve};
pub use crate::settings::Settings;

//! A language server for PostgreSQL's SQL, which knows no database: what it says, it knows from the text.
//!
//! - **Diagnostics**: errors of PostgreSQL's parser, statement by statement, with what was expected and what seems to be
//!   meant; what the rules of `pg_ast_lint` find. Code actions mend it.
//! - **Completion**: the keywords that the grammar takes, and the names of what the file creates: tables, columns of those
//!   that the statement names, functions, types.
//! - **Hover**: the node under the cursor, in words and as SQL; the columns of a table.
//! - **Symbols** of the document, **formatting** that keeps comments, **folding** and **selection** by nodes.
//!
//! It speaks over standard input and output, and has whole documents sent. README.md says how editors run it.

mod catalog;
mod completion;
mod diagnostics;
mod document;
// That of `pgast fmt`.
#[path = "../../../pg_ast_cli/src/format.rs"]
#[allow(dead_code)]
mod format;
mod formatting;
mod hover;
mod node_docs;
mod regions;
mod server;
mod symbols;

pub use server::run;

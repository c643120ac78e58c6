//! Finds dangerous or rarely intended SQL for PostgreSQL: table changes that lock or rewrite tables, changes that break
//! programs or lose data, queries that do not do what they seem to.
//!
//! It reads whole scripts with PostgreSQL's own parser, [`pg_ast`]. A statement with an error is a finding; the others
//! are checked all the same. Many findings have a [`Fix`], which changes the wrong part and leaves comments and layout
//! as they are.
//!
//! ```
//! use pg_ast_lint::{Options, Rule, fix, lint};
//!
//! let script = "
//! CREATE INDEX IF NOT EXISTS users_name ON users (name); -- for the search
//!
//! -- pgast-ignore drop-table
//! DROP TABLE IF EXISTS old;
//! SELECT id FORM users;
//! ";
//! let findings = lint(script, &Options::default());
//! let found: Vec<_> = findings.iter().map(|it| (it.rule, &script[it.range.clone()])).collect();
//! let index = "CREATE INDEX IF NOT EXISTS users_name ON users (name)";
//! assert_eq!(found, [(Rule::CreateIndexLocks, index), (Rule::SyntaxError, "users")]);
//! assert_eq!(findings[1].help.as_deref(), Some("did you mean FROM?"));
//!
//! let fixed = fix(script, &Options::default());
//! assert!(fixed.text.contains("CREATE INDEX CONCURRENTLY IF NOT EXISTS users_name ON users (name); -- for"));
//! // The keyword is a guess, and left to a person.
//! assert_eq!(fixed.findings.len(), 1);
//! ```
//!
//! # Rules
//!
//! [`Rule`] lists all of them. They know only the script, not a database:
//!
//! - A table that the script has created is new: nobody waits for it, and it has no rows, so rules about locks and
//!   rewrites do not apply to it.
//! - What a script says elsewhere counts: a table with partitions gets no `CONCURRENTLY`, `SET NOT NULL` after a valid
//!   `CHECK` is no finding, and a type is not changed if another statement depends on it.
//! - `BEGIN` and `COMMIT` are tracked. [`Options::in_transaction`] is for scripts that a program runs in a transaction.
//! - Code in strings, such as the body of a function in PL/pgSQL, is not checked.
//!
//! # Comments
//!
//! `-- pgast-ignore select-star, drop-table` before a statement silences these rules for it, and `-- pgast-ignore` all
//! rules. Text after the names, without a comma, is a reason for readers.
//!
//! # Versions
//!
//! Statements are parsed by the newest version of PostgreSQL whose feature is on (`pg18` by default; `pg15`, `pg16`,
//! `pg17`). The rules apply to all of them.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod body;
mod check;
mod check_body;
mod finding;
mod ignore;
mod not_null;
mod open_copy;
mod options;
mod overview;
mod rule;
mod rules;
mod stmt;
mod text_map;

pub use finding::{Finding, Fix};
#[doc(hidden)]
pub use open_copy::open_copy;
pub use options::Options;
pub use pg_ast;
pub use rule::{Rule, UnknownRule};

pub use crate::check::{Fixed, fix, lint};

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

//! Finds what is dangerous or seldom meant in SQL for PostgreSQL: changes of tables that lock or rewrite them, programs
//! that break, data that gets lost, queries that do not do what they seem to.
//!
//! It reads whole scripts with PostgreSQL's own parser, [`pg_ast`]. A statement that is wrong is a finding, and the others
//! are looked at all the same. Many findings have a [`Fix`], which changes what is wrong and leaves comments and layout
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
//! [`Rule`] has all of them. They know the script alone, and no database:
//!
//! - A table that the script has created is new: nobody waits for it, and it has no rows, so that rules about locks and
//!   rewrites do not apply to it.
//! - `BEGIN` and `COMMIT` are followed. [`Options::in_transaction`] is for scripts that a program runs in a transaction.
//! - Code in strings, such as the body of a function in PL/pgSQL, is not looked into.
//!
//! # Comments
//!
//! `-- pgast-ignore select-star, drop-table` before a statement silences these rules for it, and `-- pgast-ignore` all
//! rules. What comes behind the names, without a comma, is a reason for readers.
//!
//! # Versions
//!
//! Statements are parsed by the newest version of PostgreSQL whose feature is on (`pg18` by default; `pg15`, `pg16`,
//! `pg17`). What the rules say holds for all of them.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod check;
mod finding;
mod ignore;
mod options;
mod rule;
mod rules;
mod stmt;

pub use finding::{Finding, Fix};
pub use options::Options;
pub use pg_ast;
pub use rule::{Rule, UnknownRule};

pub use crate::check::{Fixed, fix, lint};

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

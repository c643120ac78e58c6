//! Finds dangerous or rarely intended SQL for PostgreSQL: table changes that lock or rewrite tables, changes that break
//! programs or lose data, queries that do not do what they seem to, mistakes in functions.
//!
//! It reads whole scripts with PostgreSQL's own parser, [`pg_ast`]. A statement with an error is a finding; the others
//! are checked all the same. Many findings have a [`Fix`], which changes the wrong part and leaves comments and layout
//! as they are.
//!
//! ```
//! use pg_ast_lint::{Options, Rule, fix, lint};
//!
//! let script = "
//! CREATE INDEX users_name ON users (name); -- for the search
//!
//! -- pgast-ignore drop-table
//! DROP TABLE old;
//! SELECT id FORM users;
//! ";
//! let findings = lint(script, &Options::default());
//! let found: Vec<_> = findings.iter().map(|it| (it.rule, &script[it.range.clone()])).collect();
//! let index = "CREATE INDEX users_name ON users (name)";
//! assert_eq!(found, [(Rule::CreateIndexLocks, index), (Rule::SyntaxError, "users")]);
//! assert_eq!(findings[1].help.as_deref(), Some("did you mean FROM?"));
//!
//! // The server would refuse it in a transaction.
//! let fixed = fix(script, &Options::default().unsafe_fixes(true));
//! assert!(fixed.text.contains("CREATE INDEX CONCURRENTLY users_name ON users (name); -- for the search"));
//! // The keyword is a guess, and left to a person.
//! assert_eq!(fixed.findings.len(), 1);
//! ```
//!
//! # Rules
//!
//! [`Rule`] lists all of them. Those that are [recommended](Rule::is_recommended) are on by default; [`Options`] turns others on,
//! and sets the [`Severity`] of each. They know only the script, not a database:
//!
//! - A table that the script has created is new: nobody waits for it, and it has no rows, so rules about locks and
//!   rewrites do not apply to it.
//! - What a script says elsewhere counts: a table with partitions gets no `CONCURRENTLY`, `SET NOT NULL` after a valid
//!   `CHECK` is no finding, and a type is not changed if another statement depends on it.
//! - The same goes for everything else that the script has created, and for what is in a schema that it has created: no program
//!   uses it yet. After `ROLLBACK`, it is as if it had not been created.
//! - `BEGIN` and `COMMIT` are tracked. [`Options::in_transaction`] is for scripts that a program runs in a transaction.
//!
//! # Bodies of functions
//!
//! The bodies of functions, of procedures and of `DO` are checked as well, in PL/pgSQL and in SQL. An error in a body is a
//! finding, and the other functions are checked all the same. Places and fixes are exact, however the body is quoted; where
//! a change could not be written there as it is, as for text in escapes, there is no fix.
//!
//! - Queries are checked as those of the script. `SELECT *` is fine where a record or a cursor takes the rows.
//! - A `DO` runs now, in a transaction: all rules apply to it. A function runs later, so rules about locks, rewrites and lost
//!   data do not apply.
//! - Rules such as [`Rule::UnusedVariable`] are about functions in PL/pgSQL. A name that may be that of a column counts as a use
//!   of the variable. Of the SQL that `EXECUTE` runs, only how it is put together is checked.
//! - `@extschema@`, for which `CREATE EXTENSION` puts the name of a schema, is accepted, in the script around them as well.
//!
//! ```
//! use pg_ast_lint::{Options, Rule, fix, lint};
//!
//! let script = "
//! CREATE FUNCTION total(id int) RETURNS numeric LANGUAGE plpgsql AS $$
//! DECLARE
//!     sum numeric;
//!     n int;
//! BEGIN
//!     SELECT sum(price) INTO sum FROM items WHERE order_id = id;
//!     IF sum = NULL THEN
//!         RETURN 0;
//!     END IF;
//! END $$;
//! ";
//! let findings = lint(script, &Options::default());
//! let found: Vec<_> = findings.iter().map(|it| (it.rule, &script[it.range.clone()])).collect();
//! let null = (Rule::NullComparison, "sum = NULL");
//! assert_eq!(found, [(Rule::UnusedVariable, "n"), null, (Rule::MissingReturn, "END")]);
//! assert!(fix(script, &Options::default()).text.contains("IF sum IS NULL THEN"));
//! ```
//!
//! # Variables and placeholders
//!
//! Variables of psql (`:name`, `:'name'`, `:"name"`) are no errors, and neither are the placeholders of
//! [`Options::placeholders`]. A statement with them is checked with what they may stand for: a value, a name, or what else the grammar
//! accepts there. A fix that would change or repeat one of them is not offered.
//!
//! # Comments
//!
//! `-- pgast-ignore select-star, drop-table` before a statement silences these rules for it, and `-- pgast-ignore` all
//! rules. Text after the names, without a comma, is a reason for readers. Before a `CREATE FUNCTION`, it does so for the whole
//! of it; in a body of a function, for the declaration, the statement or the block that follows.
//!
//! `-- pgast-ignore-file drop-table`, anywhere between statements, silences rules in the whole script.
//!
//! A comment that silences nothing is a finding itself, [`Rule::UnusedIgnore`], and so is a name that is not a rule.
//!
//! # Versions
//!
//! Statements are parsed by the newest version of PostgreSQL whose feature is on (`pg18` by default; `pg15`, `pg16`,
//! `pg17`). With [`Options::version`], what an older one does not accept is an error, there are no fixes that it does not
//! accept, and locks, costs and advice are those of that version; functions in PL/pgSQL are read by the newest.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod body;
mod body_places;
mod check;
mod check_body;
mod events;
mod exceptions;
mod finding;
mod fingerprint;
mod fixed;
mod ignore;
mod known_database;
mod linter;
mod open_copy;
mod options;
mod overview;
mod rule;
mod rules;
mod selector;
mod settings;
mod severity;
mod stand_ins;
mod state;
mod stmt;
mod stmt_facts;
mod unit;
mod unused_ignore;

pub use finding::{Applicability, Finding, Fix};
#[doc(hidden)]
pub use open_copy::open_copy;
pub use options::Options;
pub use pg_ast;
pub use pg_ast_syntax;
pub use rule::{Rule, UnknownRule};
pub use selector::{Selector, UnknownSelector};
pub use severity::Severity;

pub use crate::check::lint;
pub use crate::fixed::{Fixed, fix, fix_some};
pub use crate::linter::Linter;

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

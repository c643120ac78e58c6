//! Formats SQL scripts for PostgreSQL, and keeps every token and every comment of them.
//!
//! It reads scripts with PostgreSQL's own parser, [`pg_ast`], and has the [concrete tree](pg_ast_syntax) of each statement. It
//! decides only what stands between tokens.
//!
//! ```
//! use pg_ast_fmt::pg_ast::Version;
//! use pg_ast_fmt::{Options, format};
//!
//! let script = "create table t(id bigint primary key, -- never 0
//!   price numeric(10,2) not null); insert into t values(0xFF,.5);";
//! let formatted = format(Version::newest(), script, &Options::default());
//! let expected = "CREATE TABLE t (
//!   id bigint PRIMARY KEY, -- never 0
//!   price numeric(10, 2) NOT NULL
//! );
//! INSERT INTO t VALUES (0xFF, .5);
//! ";
//! assert_eq!(formatted.text, expected);
//! ```
//!
//! # What stays
//!
//! [`format()`] reads its result again, and [compares](compare) it with the script: it has the same tokens in the same order, the
//! same comments between the same tokens, the same trees and the same errors. If a statement is not the same, it stays as it is,
//! and [`Formatted`] says so. Wrong statements, commands of psql, and the data of `COPY` stay as they are. Variables of psql
//! (`:name`, `:'name'`, `:"name"`) are tokens like others.
//!
//! A comment at the end of a line stays at the end of a line, and one on a line of its own stays on one. An empty line stays, up
//! to one within a statement.
//!
//! # The layout
//!
//! What fits on a line is on one line. Else its parts are on lines of their own, each of which is treated likewise: clauses of
//! a statement, items of a list, operands of `AND` and `OR`, what is in parentheses. Columns of a table, clauses of a function and
//! the cases of a `MERGE` are always on lines of their own.
//!
//! The clauses of queries may stand beside a river instead ([`Style::River`]), and the columns of a table below each other
//! ([`Columns::Aligned`]).
//!
//! The bodies of functions, procedures and `DO` in SQL and PL/pgSQL are laid out inside their dollars, with a statement per line
//! ([`Bodies`]). Wrong ones stay as they are, and so do bodies in other quotes or languages.
//!
//! # Comments that say what to do
//!
//! What follows `-- fmt: off` stays as it is, up to `-- fmt: on`. `-- fmt: skip` is for one statement: before it, in it, or behind
//! it on its last line.
//!
//! ```
//! use pg_ast_fmt::pg_ast::Version;
//! use pg_ast_fmt::{Options, format};
//!
//! let script = "insert into m values (1,0,\n                      0,1); -- fmt: skip\nselect  1;";
//! let formatted = format(Version::newest(), script, &Options::default());
//! assert_eq!(formatted.text, script.replace("select  1;", "SELECT 1;\n"));
//! ```

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bodies;
mod check;
mod columns;
mod deparse;
mod gap;
mod layout;
mod ops;
mod options;
mod printer;
mod reader;
mod rules;
mod script;
mod spacing;
mod statements;
mod switches;
mod tree;

pub use check::{Difference, DifferenceKind, compare};
pub use deparse::{ParsedTree, deparse};
pub use options::{Bodies, Columns, Commas, KeywordCase, Options, Style};
pub use pg_ast;
pub use pg_ast_syntax;
pub use script::{Formatted, format, format_range};

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

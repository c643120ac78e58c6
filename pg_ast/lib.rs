//! PostgreSQL's own parser for Rust: a typed syntax tree that can be read, changed and printed again.
//!
//! ```
//! let mut tree = pg_ast::parse("SELECT name FROM users WHERE id = 1")?;
//! assert_eq!(tree.tables(), ["users"]);
//!
//! tree.walk_tables_mut(|table, _context| table.schemaname = "app".to_owned());
//! assert_eq!(pg_ast::deparse(&tree)?, "SELECT name FROM app.users WHERE id = 1");
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! ```sh
//! cargo add pg_ast
//! ```
//!
//! The parser and the deparser are the C code of PostgreSQL and
//! [libpg_query](https://github.com/pganalyze/libpg_query). C structs become Rust structs, and Rust structs become C
//! structs, field by field, in code that a derive macro generates. Nothing is serialised in between.
//!
//! The names of nodes and fields are PostgreSQL's: [`SelectStmt`](protobuf::SelectStmt),
//! [`RangeVar`](protobuf::RangeVar), [`target_list`](protobuf::SelectStmt::target_list). Their documentation in
//! [`protobuf`] comes from PostgreSQL's headers.
//!
//! # What to call
//!
//! ### Parse
//!
//! | to | call |
//! |---|---|
//! | parse SQL into structs that can be changed, kept and sent | [`parse`], [`parse_with`] |
//! | parse SQL only to read it, at the speed of the C parser | [`view::parse`], [`view::parse_with`] |
//! | read a few fields of each statement into a struct of your own | [`parse_as`], [`parse_as_with`] |
//! | parse an expression | [`parse_expr`] |
//! | parse a psql script statement by statement, with the error of each wrong one | [`parse_script`] |
//! | split a psql script that is too long to be kept in memory | [`Version::split_part`] |
//! | parse functions in PL/pgSQL | [`plpgsql::parse`], or [`parse_plpgsql`] for JSON (feature `plpgsql`) |
//! | parse SQL into a tree with every token, comment and blank | [`parse`](https://docs.rs/pg_ast_syntax/latest/pg_ast_syntax/fn.parse.html) of the crate `pg_ast_syntax` |
//! | do so for a psql script, and keep up with edits of it | [`Script`](https://docs.rs/pg_ast_syntax/latest/pg_ast_syntax/struct.Script.html) of the crate `pg_ast_syntax` |
//! | check whether PostgreSQL accepts SQL | [`check`] |
//! | see what the grammar expected where it rejected SQL, and what was probably meant | [`Error::expected`], [`Error::suggestion`] |
//! | complete SQL in an editor | [`complete`] |
//! | parse SQL that is unfinished or has mistakes | [`parse_lossy`] |
//! | split SQL into statements | [`split_with_scanner`], [`split_with_parser`] |
//! | list the tokens or the comments | [`scan`], [`comments`] |
//! | do so with SQL that the scanner rejects in part | [`scan_lossy`], [`comments_lossy`], [`split_lossy`] |
//!
//! ### Print
//!
//! | to | call |
//! |---|---|
//! | print a tree as SQL, on one line | [`deparse`] |
//! | print it indented, with its comments | [`deparse_with`], [`deparse_stmt`] |
//! | print any tree exactly, or get an error | [`deparse_with`] with [`DeparseOptions::checked`] |
//! | print a part of a statement | [`deparse_expr`], [`deparse_target`], [`deparse_from_item`], [`deparse_type_name`], [`deparse_node`], or `to_string` |
//! | reformat SQL without building a tree in Rust | [`reformat`] |
//! | print a tree as SQL of a limited length | [`ParseResult::deparse_truncated`] |
//!
//! ### Read
//!
//! | to | call |
//! |---|---|
//! | list the tables, functions and columns that statements name | [`ParseResult::tables`], [`functions`](ParseResult::functions), [`aliases`](ParseResult::aliases), [`cte_names`](ParseResult::cte_names), [`filter_columns`](ParseResult::filter_columns), or all at once: [`analyze`](ParseResult::analyze) |
//! | tell the types of statements | [`ParseResult::statement_types`], [`is_utility_stmt`] |
//! | tell what statements do to a server: what they write, lock, rewrite and lose, and who may run them | [`FindEffects`](https://docs.rs/pg_ast_effects/latest/pg_ast_effects/trait.FindEffects.html) of the crate `pg_ast_effects` |
//! | look at every node | [`ParseResult::nodes`], whose iterator can [skip children](Nodes::skip_children) and [tell depths](Nodes::with_depth) |
//! | look at each statement | [`ParseResult::stmts`] |
//! | tell what functions in PL/pgSQL do: control flow, variables, dynamic SQL, the names in it | [`flow`](https://docs.rs/pg_ast_plpgsql/latest/pg_ast_plpgsql/fn.flow.html), [`facts`](https://docs.rs/pg_ast_plpgsql/latest/pg_ast_plpgsql/fn.facts.html) of the crate `pg_ast_plpgsql` |
//! | tell what names mean: of which table a column is, what `*` stands for, which names are wrong | [`resolve`](https://docs.rs/pg_ast_names/latest/pg_ast_names/fn.resolve.html) of the crate `pg_ast_names` |
//! | tell the types of parameters and columns, and which columns can be NULL | [`types`](https://docs.rs/pg_ast_types/latest/pg_ast_types/fn.types.html) of the crate `pg_ast_types` |
//! | collect the tables and columns that a schema's statements define | [`define`](https://docs.rs/pg_ast_names/latest/pg_ast_names/fn.define.html) of the crate `pg_ast_names` |
//! | list what statements need, and put them in order | [`dependencies`](https://docs.rs/pg_ast_names/latest/pg_ast_names/fn.dependencies.html) of the crate `pg_ast_names` |
//! | look at each place where a table is named | [`ParseResult::walk_tables`], [`view::Tree::walk_tables`] |
//! | look at each place where a column is named, with its use | [`ParseResult::walk_columns`], [`view::Tree::walk_columns`] |
//! | do so for functions, types, roles and every other kind of object | [`ParseResult::walk_names`], [`view::Tree::walk_names`] |
//! | read the conditions of a statement: column, operator, value | [`NodeRef::filters`], [`view::Node::filters`] |
//! | tell which columns of tables the columns of a result come from, through queries and views | [`lineage`](https://docs.rs/pg_ast_names/latest/pg_ast_names/fn.lineage.html) of the crate `pg_ast_names` |
//! | find the values of a column in the rows of a table that a statement reads or writes, to send it to a shard | [`column_values`](https://docs.rs/pg_ast_names/latest/pg_ast_names/fn.column_values.html) of the crate `pg_ast_names` |
//! | read a node of a certain type | [`as_select_stmt`](NodeRef::as_select_stmt) and its like, for every type |
//! | read the value of a constant | [`Node::literal`], a [`Literal`] |
//! | walk with a method for each node type | [`ParseResult::visit`] with a [`Visit`] |
//! | find where each node is in the SQL | [`parse_with_ranges`], [`ParseResult::with_ranges`], [`view::Tree::range`], [`NodeRef::location`] |
//! | find where a name is in the SQL | [`Ranges::name`], [`NodeRanges::name`], [`view::Tree::name_range`] |
//! | find where a part of a string's value, such as the body of a function, is written | [`LiteralPlaces`] |
//! | convert a byte offset to a line and a column, in bytes, characters or UTF-16 | [`LineIndex`] |
//! | measure the depth of a tree, or its size on the heap | [`ParseResult::depth`], [`HeapSize::heap_size`] |
//! | get libpg_query's summary of SQL | [`summary`] |
//!
//! ### Change
//!
//! | to | call |
//! |---|---|
//! | change tables where they are named | [`ParseResult::walk_tables_mut`], [`StmtsMut::walk_tables_mut`](view::edit::StmtsMut::walk_tables_mut) |
//! | change columns, functions, types, roles where they are named | [`ParseResult::walk_columns_mut`], [`ParseResult::walk_names_mut`], [`StmtsMut::walk_names_mut`](view::edit::StmtsMut::walk_names_mut) |
//! | write a name in SQL | [`quote_identifier`] |
//! | change nodes in place | [`ParseResult::nodes_mut`], [`ParseResult::walk_mut`], or [`ParseResult::visit_mut`] with a [`VisitMut`] |
//! | change statements | [`ParseResult::stmts_mut`] |
//! | replace nodes from the bottom up | [`ParseResult::transform`] |
//! | build nodes | [`make`], and `From` of every message for [`Node`] |
//! | edit SQL, keeping its comments and layout | [`Edits`] |
//!
//! ### Compare and log
//!
//! | to | call |
//! |---|---|
//! | hash statements, ignoring their constants | [`fingerprint`], [`fingerprint_with`], [`ParseResult::fingerprint`] |
//! | replace constants by `$1`, `$2`, .. | [`normalize`], [`normalize_with`], [`normalize_utility`] |
//! | get several of these from one parse | [`digest`] |
//!
//! ### Exchange and keep
//!
//! | to | call |
//! |---|---|
//! | write and read Protobuf | [`ParseResult::encode_to_vec`], [`ParseResult::decode`] |
//! | write and read JSON | [`json`] (feature `serde`) |
//! | keep trees in less memory | [`view::Tree::compact`], [`ParseResult::to_view`] |
//! | parse statements that differ only in their constants once | [`Shape`], [`Template`] |
//! | keep what was found out about them, as in a proxy, and their fingerprints | [`ShapeCache`] (feature `cache`) |
//! | use code for views on an owned tree | [`ParseResult::with_view`] |
//! | choose the PostgreSQL version at run time | [`Version`], [`with_version!`] |
//! | free the memory that a thread keeps for its next call | [`release_memory`] |
//!
//! # Versions
//!
//! Each PostgreSQL version is a module behind the cargo feature of the same name: `pg15`, `pg16`, `pg17`, `pg18` (on by
//! default). They have the same calls, each for its own grammar and its own tree, and share nothing, so a program can
//! use several. The root re-exports the newest one that is enabled.
//!
//! A call that a version does not support returns an error ([`ErrorKind::Unsupported`]):
//!
//! | | 15 | 16 | 17 | 18 |
//! |---|---|---|---|---|
//! | layouts ([`DeparseOptions::pretty_print`]) and comments put back | no | no | yes | yes |
//! | [`FingerprintOptions`] | no | no | no | yes |
//! | everything else | yes | yes | yes | yes |
//!
//! Enums and structs of this crate that may get more variants or fields are `#[non_exhaustive]`. Closed are those whose
//! contents something else fixes: the nodes and fields of a version, by libpg_query's schema; [`BackslashQuote`],
//! [`LockMode`] and [`TriggerType`], by PostgreSQL; [`ColumnUnit`] and [`LineColumn`], by what they count.
//!
//! # Features
//!
//! | feature | default | |
//! |---|---|---|
//! | `pg18` | yes | PostgreSQL 18 |
//! | `pg15`, `pg16`, `pg17` | no | older versions |
//! | `cache` | no | [`ShapeCache`]: trees by the shape of their SQL |
//! | `serde` | no | [`json`]: the tree as JSON in libpg_query's format, and in serde's other formats; `Serialize` for [`Analysis`], [`Summary`] and what is in them |
//! | `plpgsql` | no | [`plpgsql`]: functions in PL/pgSQL as typed trees; [`parse_plpgsql`]: as JSON |
//!
//! # Errors and limits
//!
//! An [`Error`] has PostgreSQL's message and its position as a byte offset. Printing a malformed tree returns an
//! error; nothing panics.
//!
//! A statement may have 6,500 levels, on every thread; deeper ones are [`ErrorKind::TooDeep`]. [`ParserOptions`] sets
//! this limit, and those on the length of SQL and the size of a tree. All calls take the stack that they need from the
//! heap, and a [`ParseResult`] can be dropped on any thread.
//! [LIMITS.md](https://github.com/pg-ast/pg_ast/blob/main/LIMITS.md) lists every limit, and what to watch for when you
//! take parts out of a deep tree.
//!
#![cfg_attr(
    not(feature = "cache"),
    doc = "[`ShapeCache`]: https://docs.rs/pg_ast/latest/pg_ast/struct.ShapeCache.html"
)]
#![cfg_attr(
    not(feature = "plpgsql"),
    doc = "[`parse_plpgsql`]: https://docs.rs/pg_ast/latest/pg_ast/fn.parse_plpgsql.html"
)]
#![cfg_attr(
    not(feature = "plpgsql"),
    doc = "[`plpgsql`]: https://docs.rs/pg_ast/latest/pg_ast/plpgsql/index.html
[`plpgsql::parse`]: https://docs.rs/pg_ast/latest/pg_ast/plpgsql/fn.parse.html"
)]
#![cfg_attr(
    not(feature = "serde"),
    doc = "[`json`]: https://docs.rs/pg_ast/latest/pg_ast/json/index.html"
)]
// docs.rs shows which feature an item needs. Nearly all items need a version, and the newest one is on by default.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(docsrs, doc(auto_cfg(hide(feature = "pg18", pg_ast_newest = "pg18"))))]
// Each version compiles its own copy of the files in `version/`.
#![allow(clippy::duplicate_mod)]

// The derives emit `::pg_ast::..` in this crate as well.
extern crate self as pg_ast;

mod convert;
mod formats;
mod foundation;
#[cfg(feature = "pg15")]
pub mod pg15;
#[cfg(feature = "pg16")]
pub mod pg16;
#[cfg(feature = "pg17")]
pub mod pg17;
#[cfg(feature = "pg18")]
pub mod pg18;
mod text;
mod types;

#[doc(inline)]
pub use convert::{FromNode, FromRaw, FromRawContext, IntoRaw, IntoRawContext, Pointee, Tagged};
#[cfg(feature = "serde")]
#[doc(inline)]
pub use formats::json;
#[doc = include_str!("derives/from_raw.md")]
#[doc(inline)]
pub use pg_ast_derive::FromRaw;
#[doc = include_str!("derives/into_raw.md")]
#[doc(inline)]
pub use pg_ast_derive::IntoRaw;
/// The version of prost that the messages of the tree are built with.
pub use prost;
#[cfg(any(feature = "plpgsql", feature = "serde"))]
pub use serde_json;
#[doc(inline)]
pub use types::analysis::{Analysis, Context, FilterColumn, Function, Summary, Table};
#[cfg(feature = "cache")]
#[doc(inline)]
pub use types::cache_stats::ShapeCacheStats;
#[doc(inline)]
pub use types::catalog::{LockMode, TriggerType};
#[doc(inline)]
pub use types::digest::{Digest, DigestOptions};
#[doc(inline)]
pub use types::error::{Error, ErrorKind, Result, Severity, SourceLocation, Warning};
#[doc(inline)]
pub use types::expected::{Change, Completion, Expected, NameKind, Suggestion, TableInScope};
#[doc(inline)]
pub use types::filter::{Filter, FilterOperator, FilterValue};
#[doc(inline)]
pub use types::fingerprint::Fingerprint;
#[doc(inline)]
pub use types::heap_size::HeapSize;
#[doc(inline)]
pub use types::lines::{ColumnUnit, LineColumn, LineIndex};
#[doc(inline)]
pub use types::literal::Literal;
#[doc(inline)]
pub use types::literal_places::LiteralPlaces;
#[doc(inline)]
pub use types::object_name::{NameUse, ObjectName};
#[doc(inline)]
pub use types::options::{
    BackslashQuote, Comment, DeparseOptions, FingerprintOptions, NormalizeOptions, ParseMode,
    ParserOptions,
};
#[doc(inline)]
pub use types::qualified_name::QualifiedName;
#[doc(inline)]
pub use types::ranges::{Ranges, RangesIter};
#[doc(inline)]
pub use types::routine_body::RoutineBody;
#[doc(inline)]
pub use types::script_part::{PartEnd, ScriptPart, ScriptState, SplitStmt};
#[doc(inline)]
pub use types::shape_options::{ConstantKind, ShapeOptions};
pub use types::text::{CheckedStmt, ScanError, TokenText, TokenTexts};
#[doc(inline)]
pub use types::versions::{UnknownVersion, Version, release_memory};

/// Items that derived code calls.
#[doc(hidden)]
pub mod __private {
    pub use crate::convert::c_tree::field_type::FromConstant;
}

/// Items that only this crate's tests call.
#[doc(hidden)]
pub mod __testing {
    pub use crate::text::psql::lex;
}

#[cfg(pg_ast_newest = "pg15")]
#[doc(inline)]
pub use pg15::*;
#[cfg(pg_ast_newest = "pg16")]
#[doc(inline)]
pub use pg16::*;
#[cfg(pg_ast_newest = "pg17")]
#[doc(inline)]
pub use pg17::*;
#[cfg(pg_ast_newest = "pg18")]
#[doc(inline)]
pub use pg18::*;

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

/// Tests the code in docs/guide.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
struct GuideDoctests;

/// Tests the code in docs/caching.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/caching.md")]
struct CachingDoctests;

/// Tests the code in docs/versions.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/versions.md")]
struct VersionsDoctests;

/// Tests the code in MIGRATING.md.
#[cfg(doctest)]
#[doc = include_str!("../MIGRATING.md")]
struct MigratingDoctests;

/// Tests the code in docs/from-pg_query.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/from-pg_query.md")]
struct FromPgQueryDoctests;

/// Tests the code in docs/from-pg_raw_parse.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/from-pg_raw_parse.md")]
struct FromPgRawParseDoctests;

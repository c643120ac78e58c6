//! The concrete tree: every token of SQL in its place, with comments and blanks, by PostgreSQL's own grammar.
//!
//! The [tree](pg_ast::parse()) of PostgreSQL has what SQL means, and forgets how it was written. This one has all of it: the
//! text of the tree is the SQL, byte for byte, whatever it is, also if it is wrong or unfinished. It is for formatters,
//! linters and editors. The tree is one of [`rowan`], rust-analyzer's library; its nodes are named as in PostgreSQL's `gram.y`.
//!
//! ```
//! use pg_ast_syntax::SyntaxKind;
//!
//! let sql = "SELECT a, -- the first\n       b + 1 FROM t;";
//! let root = pg_ast_syntax::parse(sql)?;
//! assert_eq!(root.text(), sql);
//!
//! let list = root.descendants().find(|node| node.kind() == SyntaxKind::target_list).unwrap();
//! assert_eq!(list.text(), "a, -- the first\n       b + 1");
//! let items: Vec<_> = list.children().map(|item| item.text().to_string()).collect();
//! assert_eq!(items, ["a", "b + 1"]);
//! let tokens: Vec<_> = list.children_with_tokens().map(|item| item.kind()).collect();
//! let comma = SyntaxKind::COMMA;
//! let (item, blank) = (SyntaxKind::target_el, SyntaxKind::BLANK);
//! assert_eq!(tokens, [item, comma, blank, SyntaxKind::SQL_COMMENT, blank, item]);
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! Each version of PostgreSQL is a module, as in [`pg_ast`]; the root re-exports the newest one that is enabled, and
//! [`with_version!`](pg_ast::with_version) chooses one at run time.
//!
//! ```
//! use pg_ast::{Version, with_version};
//!
//! let text = with_version!(Version::newest(), pg, pg_ast_syntax as syntax => {
//!     syntax::parse("SELECT /* one */ 1")?.text().to_string()
//! });
//! assert_eq!(text, "SELECT /* one */ 1");
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! # Nodes
//!
//! A rule of the grammar makes a node of its symbols, but:
//!
//! - A rule that has one symbol and passes its value on makes none: `a_expr: c_expr`. One for a single token
//!   does, so that a name is a `ColId`, unless it is a class of keywords such as `unreserved_keyword`.
//! - A list is one node with all of its items: `target_list: target_list ',' target_el`.
//! - A rule without tokens makes none.
//! - A node that would be deeper than [`MAX_DEPTH`] is none: its parts are in the node around it.
//!
//! Comments and blanks are never the first or the last part of a node, except of the root. The root is the symbol
//! `parse_toplevel`.
//!
//! [`nodes`] has each kind as a type, by rowan's [`AstNode`](rowan::ast::AstNode), and [`comments`] finds those that are about a node.
//!
//! # Scripts
//!
//! A [`Script`] is read as psql reads it. Its root is a [`SyntaxKind::SCRIPT`], with a node for each statement that
//! [`parse_script`](pg_ast::parse_script) finds, a [`SyntaxKind::SCRIPT_STMT`]: the parts of the symbol that the statement is, and the
//! semicolon or the psql command that ends it.
//!
//! Between statements, and in them, each psql command is a token [`SyntaxKind::PSQL_COMMAND`], and the data of a `COPY` is a token
//! [`SyntaxKind::COPY_DATA`]. A semicolon that ends no statement is a token between statements. What psql's `\r` drops is of the
//! kind [`SyntaxKind::ERROR`]. The backslashes of `\;` and `\:` are parts of the tokens.
//!
//! A variable of psql (`:name`, `:'name'`, `:"name"`, `:{?name}`) is a token [`SyntaxKind::PSQL_VARIABLE`], if the statement is
//! wrong without it. Its place in the tree is that of what it stands for: an identifier, a constant, a string, an operator, a
//! query, a statement, or nothing, whichever lets the grammar accept most of what follows. With options, so are the
//! [`Placeholders`] of tools. A token that has one in it, as `tab_:name`, is of this kind as a whole. In `a[1:b]`, the colon is
//! that of a slice.
//!
//! ```
//! use pg_ast_syntax::{Script, SyntaxKind};
//!
//! let root = Script::parse("SELECT * FROM :tab WHERE a = :'val' LIMIT :n;")?.root();
//! let tokens = root.descendants_with_tokens().filter_map(|it| it.into_token());
//! let found = tokens.filter(|token| token.kind() == SyntaxKind::PSQL_VARIABLE);
//! let places = found.map(|token| (token.to_string(), token.parent().unwrap().kind()));
//! let expected = [
//!     (":tab", SyntaxKind::ColId),
//!     (":'val'", SyntaxKind::Sconst),
//!     (":n", SyntaxKind::ColId),
//! ];
//! assert!(places.eq(expected.map(|(text, kind)| (text.to_owned(), kind))));
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! [`Script::edit`] parses again what an edit touches. [`NodesByRange`] goes from the concrete tree to PostgreSQL's.
//!
//! # Bodies of functions
//!
//! The body of a function is one token. With the feature `plpgsql`, `body_of` makes a tree of it, for SQL and for PL/pgSQL, and tells
//! where its parts are in the tree around it.
//!
//! # Mistakes
//!
//! Where the grammar refuses a token, one is inserted before it, or it is skipped, as in
//! [`parse_lossy`](pg_ast::parse_lossy): an inserted token has no text, and those that are skipped are in a node
//! [`SyntaxKind::ERROR`]. What the scanner rejects, such as a quote that is not closed, is a token of this kind. Where SQL ends too
//! early, and no token is found that would end it, there is one of this kind without text: `REFRESH`. [`mistakes`] finds all of
//! these. [`Script::check`] returns the errors of PostgreSQL; variables and placeholders are none.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Each version compiles its own copy of the files in `version/`.
#![allow(clippy::duplicate_mod)]

mod script_options;
mod written_sql;

/// What the list of versions is for.
macro_rules! versions {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        $(
            // The versions are those of pg_ast: features that other crates turn on there count.
            pg_ast::$module! {
                #[doc = concat!("The concrete tree of PostgreSQL ", $major, ".")]
                ///
                /// The root of the crate re-exports the newest version that is enabled.
                pub mod $module {
                    use pg_ast::$module as pg;

                    mod syntax_kinds;
                    #[path = "../version/mod.rs"]
                    mod version;

                    pub use version::*;
                }
            }
        )*
    };
}
libpg_query::for_each_version! { [versions!] }

/// Re-exports the newest version.
macro_rules! root {
    ($module:ident) => {
        #[doc(inline)]
        pub use $module::*;
    };
}
pg_ast::newest_version! { root }

pub use pg_ast;
/// The version of rowan that the trees are built with.
pub use rowan;
pub use script_options::{Placeholders, ScriptOptions};
pub use written_sql::WrittenSql;

// Never compiled: rustfmt finds the files of a module, but not in a macro.
#[cfg(any())]
mod version;

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

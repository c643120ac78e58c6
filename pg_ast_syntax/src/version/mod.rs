//! The code of one PostgreSQL version: compiled once per version, against that version of pg_ast, which is `pg`.

#[cfg(feature = "plpgsql")]
mod body_grammar;
#[cfg(feature = "plpgsql")]
mod body_grammar_stmts;
#[cfg(feature = "plpgsql")]
mod body_tree_builder;
mod derived_tree;
mod mistakes;
mod nodes_by_range;
mod script_check;
mod script_edit;
mod script_regions;
mod script_tree;
mod stand_in_texts;
mod stand_ins;
#[cfg(feature = "plpgsql")]
mod syntax_body;
mod syntax_kind;
mod tree_source;
mod typed_nodes;

use super::pg;

#[doc(no_inline)]
pub use crate::{Placeholders, ScriptOptions, WrittenSql, rowan};
pub use derived_tree::{MAX_DEPTH, parse};
pub use mistakes::{Mistake, mistakes};
pub use nodes_by_range::{NodesByRange, node_of};
pub use script_check::ReadStmt;
pub use script_tree::Script;
#[cfg(feature = "plpgsql")]
pub use syntax_body::{BodyLanguage, SyntaxBody, body_of};
pub use syntax_kind::{SqlLanguage, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken, nodes};
pub use typed_nodes::{TypedNode, comments};

//! The C tree of PostgreSQL's parser, read in place.
//!
//! A view is the tree of [`parse`](super::parse()) without the copy: [`parse`] returns a [`Tree`], which owns the C nodes.
//! The types here are references to them, with a method for each field, of the same name as in the owned tree. A view
//! costs what PostgreSQL's parser costs, and no more; reading it takes no memory.
//!
//! ```
//! use pg_ast::view;
//!
//! let tree = view::parse("SELECT a, b FROM s.t WHERE a = 1")?;
//! let select = tree.stmts().find_map(|stmt| stmt.stmt()?.as_select_stmt()).unwrap();
//! assert_eq!(select.target_list().len(), 2);
//! let table = select.from_clause().first().and_then(|item| item.as_range_var()).unwrap();
//! assert_eq!((table.schemaname(), table.relname()), ("s", "t"));
//! assert_eq!(tree.deparse()?, "SELECT a, b FROM s.t WHERE a = 1");
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! | | view | owned tree |
//! |---|---|---|
//! | read only: 0.6 times as long as PostgreSQL's parser alone, 0.75 with a visit of all nodes | yes | costs a copy: 1.1 |
//! | change, build | [`Tree::edit`], [`Tree::build`]: in its place | yes |
//! | print | [`Tree::deparse`], [`Node::deparse`] | yes |
//! | keep | [`Tree::compact`]; [`Kept`] for a node of one type | yes |
//! | encode, in Protobuf or JSON | yes | yes |
//! | deep trees | any depth | [`max_depth`](crate::ParserOptions::max_depth) |
//!
//! A view holds the memory that the parser took, at least 8 KiB; when the view is dropped, the next call on the thread
//! uses it. A tree that is kept, as in a cache, should be compact: it takes less memory than the owned tree, and
//! takes no longer to make.

mod accessors;
mod bitmapset;
pub(crate) mod compact;
pub(crate) mod compare;
pub mod edit;
mod encode;
pub(crate) mod fields;
mod integer;
mod kept;
mod layout;
mod list;
pub(crate) mod macros;
pub(crate) mod memory;
pub(crate) mod node;
mod node_ranges;
mod node_shapes;
mod nodes;
mod of_owned;
mod parts;
mod piece;
mod read_as;
mod shared;
#[cfg(feature = "serde")]
mod to_json;
pub(crate) mod to_owned;
mod tree;

pub use super::names::views::*;
use super::{ffi, names};
pub use bitmapset::Bitmapset;
pub use integer::Integer;
pub use kept::Kept;
#[doc(hidden)]
pub use layout::layout;
pub use list::{List, ListIter};
pub use node::Unknown;
pub use node_ranges::parse_with_ranges;
pub use nodes::{Nodes, WithDepth};
pub(crate) use tree::{Excess, measure, start, stmts};
pub use tree::{Tree, parse, parse_with};

/// The value of an [`AConst`].
pub mod a_const {
    use super::{BitString, Boolean, Float, Integer, String};

    /// The value of a constant, by its type.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Val<'a> {
        /// A number that fits into 32 bits.
        Ival(Integer<'a>),
        /// Another number.
        Fval(Float<'a>),
        /// `true` or `false`.
        Boolval(Boolean<'a>),
        /// A string.
        Sval(String<'a>),
        /// `B'..'` or `X'..'`.
        Bsval(BitString<'a>),
    }
}

/// The items that the generated types use.
pub(crate) mod prelude {
    pub(crate) use super::macros::{
        children, enumerations, field, from_node, node, nodes, part, structure,
    };
    pub(crate) use super::names::{protobuf, raw};
    pub(crate) use super::to_owned::{debug, to_owned};
    pub(crate) use super::{Bitmapset, Integer, List, a_const};
    pub(crate) use crate::convert::c_tree::field_type::{FromConstant as _, value};
    pub(crate) use crate::convert::c_tree::in_c::InC;
    pub(crate) use crate::convert::c_tree::table::{
        Counts, Field, Kind, Rule, Struct, fields, links, part, span,
    };
    pub(crate) use crate::convert::name_rules::{KindRule, NamingField, NamingNode};
    pub(crate) use crate::convert::roles::{Kinds, ObjectClass, Role, Statement, SummaryRule};
    pub(crate) use crate::convert::{FromRaw, FromRawContext};
    pub(crate) use crate::foundation::hashing::HashPlace;
    pub(crate) use crate::types::expected::NameKind;
    pub(crate) use crate::types::object_name::NameUse;
}

//! The code of one PostgreSQL version: compiled once per version, against that version's C library.
//!
//! `raw` and `protobuf`, which differ between versions, are in `pg18.rs` and the other files of that kind.

mod editor;
mod facts;
mod ffi;
mod names;
#[cfg(feature = "plpgsql")]
pub mod plpgsql;
mod print;
mod read;
#[doc(hidden)]
pub mod seam;
mod shape;
mod testing;
mod tree;
pub mod view;

pub use editor::complete::complete;
pub use editor::lossy::{LossyParse, parse_lossy};
pub use editor::ranges::{NodeRanges, NodesWithRanges, parse_with_ranges};
pub(crate) use editor::scan_lossy::token_texts_lossy;
pub use editor::scan_lossy::{LossyScan, comments_lossy, scan_lossy, split_lossy};
pub(crate) use facts::analysis::analyze_text;
pub use facts::analysis::found::quote_identifier;
pub use facts::digest::digest;
pub use facts::fingerprint::{fingerprint, fingerprint_with};
pub use facts::normalize::{normalize, normalize_utility, normalize_with};
pub use facts::statements::is_utility_stmt;
pub use facts::summary::summary;
pub(crate) use ffi::release_memory;
#[doc(inline)]
pub use names::Node;
#[doc(inline)]
pub use names::NodeEnum;
#[doc(no_inline)]
pub use names::protobuf::enums::*;
#[cfg(feature = "plpgsql")]
pub use plpgsql::json_call::{parse_plpgsql, parse_plpgsql_with};
pub use print::deparse::{comments, deparse, deparse_stmt, deparse_with, reformat};
pub use print::deparse_part::{
    deparse_expr, deparse_from_item, deparse_node, deparse_target, deparse_type_name,
};
pub use print::edits::Edits;
pub(crate) use read::expect::{expected_at, suggestion_at};
pub use read::parse::{ParseResult, check, parse, parse_as, parse_as_with, parse_expr, parse_with};
pub(crate) use read::scan::token_texts;
pub use read::scan::{ScanResult, ScanToken, scan, split_with_parser, split_with_scanner};
pub(crate) use read::script::checked_stmts;
pub use read::script::{ScriptStmt, parse_script, parse_script_with};
pub(crate) use read::script_parts::split_part;
#[cfg(feature = "cache")]
pub use shape::shape_cache::{Hit, ShapeCache};
pub use shape::shape_of::{ConstantToken, ConstantTokens, Shape};
pub use shape::template::Template;
#[doc(hidden)]
pub use testing::{convert_back, convert_field, tree_of, view_of};
pub use tree::borrowed::{NodeMut, NodeRef};
pub use tree::make;
pub(super) use tree::messages::message;
pub use tree::nodes::{Nodes, WithDepth};
pub use tree::nodes_mut::NodesMut;
pub use tree::visit::{Visit, VisitMut};

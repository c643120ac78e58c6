//! The code of one PostgreSQL version: compiled once per version, against that version's C library.
//!
//! `raw` and `protobuf`, which differ between versions, are in `pg18.rs` and the other files of that kind.

use super::{protobuf, raw, views};

/// The major version.
const MAJOR: u32 = raw::PG_VERSION_NUM / 10_000;

mod analysis;
mod complete;
mod decode;
mod deparse;
mod deparse_part;
mod digest;
mod edits;
mod expect;
mod ffi;
mod fingerprint;
mod lossy;
mod normalize;
mod parse;
#[cfg(feature = "plpgsql")]
mod plpgsql;
mod ranges;
mod recover;
mod scan;
mod scan_lossy;
mod script;
mod script_parts;
mod shapes;
mod statements;
mod summary;
mod tree;
mod truncate;
pub mod view;

#[doc(inline)]
pub use super::protobuf::Node;
#[doc(inline)]
pub use super::protobuf::node::Node as NodeEnum;
pub(crate) use analysis::analyze_text;
pub use complete::complete;
pub use deparse::{comments, deparse, deparse_stmt, deparse_with, reformat};
pub use deparse_part::{
    deparse_expr, deparse_from_item, deparse_node, deparse_target, deparse_type_name,
};
pub use digest::digest;
pub use edits::Edits;
pub(crate) use expect::{expected_at, suggestion_at};
pub(crate) use ffi::release_memory;
pub use fingerprint::{fingerprint, fingerprint_with};
pub use lossy::{LossyParse, parse_lossy};
pub use normalize::{normalize, normalize_utility, normalize_with};
pub use parse::{ParseResult, check, parse, parse_as, parse_as_with, parse_expr, parse_with};
#[cfg(feature = "plpgsql")]
pub use plpgsql::parse_plpgsql;
pub use ranges::{NodesWithRanges, parse_with_ranges};
pub(crate) use scan::token_texts;
pub use scan::{ScanResult, ScanToken, scan, split_with_parser, split_with_scanner};
pub(crate) use scan_lossy::token_texts_lossy;
pub use scan_lossy::{LossyScan, comments_lossy, scan_lossy, split_lossy};
pub(crate) use script::checked_stmts;
pub use script::{ScriptStmt, parse_script, parse_script_with};
pub(crate) use script_parts::split_part;
pub use statements::is_utility_stmt;
pub use summary::summary;
pub use tree::borrowed::{NodeMut, NodeRef};
pub use tree::downcast::NodeMessage;
pub use tree::make;
pub(super) use tree::message;
pub use tree::nodes::{Nodes, WithDepth};
pub use tree::nodes_mut::NodesMut;
#[doc(hidden)]
pub use tree::testing::{convert_back, convert_field, variants};
pub use tree::visit::{Visit, VisitMut};

//! The code that the versions share, compiled once per version against its own messages.

use super::rules::{self, returning};
use super::{Error, Result, lists, native, protobuf};

mod catalog;
mod children;
mod convert;
mod native_calls;
mod nodes;
mod parse_result;
mod references;
mod statement_types;
mod summary;
mod summary_result;
mod truncate;

pub use super::protobuf::node::Node as NodeEnum;
pub use catalog::{LockMode, TriggerType};
pub(super) use native_calls::*;
pub use nodes::Context;
pub use parse_result::ParseResult;
pub use references::{NodeMut, NodeRef};
pub use summary_result::{FilterColumn, Function, SummaryResult, Table};
pub use truncate::truncate;

//! The rules of libpg_query's summary in this version.

use super::NodeRef;
use super::protobuf::Node;

/// The targets of `RETURNING`, which it does not look at.
pub(super) fn returning(_: NodeRef<'_>) -> &[Node] {
    &[]
}

/// A name that `WITH` defines is a table where rows are written, with a schema, and in its own query.
pub(super) const HAS_SCOPES: bool = true;

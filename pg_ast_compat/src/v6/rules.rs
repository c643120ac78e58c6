//! The rules of libpg_query's summary in this version.

use super::NodeRef;
use super::protobuf::Node;

/// The targets of `RETURNING`.
pub(super) fn returning(node: NodeRef<'_>) -> &[Node] {
    match node {
        NodeRef::InsertStmt(stmt) => &stmt.returning_list,
        NodeRef::DeleteStmt(stmt) => &stmt.returning_list,
        NodeRef::UpdateStmt(stmt) => &stmt.returning_list,
        NodeRef::MergeStmt(stmt) => &stmt.returning_list,
        _ => &[],
    }
}

/// A name that `WITH` defines is never a table.
pub(super) const HAS_SCOPES: bool = false;

//! The nodes that PostgreSQL's grammar uses in two places or more.
//!
//! There are four kinds (a test looks for others in all SQL that there is):
//!
//! - `UPDATE t SET (a, b) = (..)` has a `MultiAssignRef` for each column, all with the same `source`.
//! - `DROP FUNCTION f(int)` has the types of the parameters in `objargs` as well as in the parameters, `objfuncargs`.
//! - `CREATE RECURSIVE VIEW v (a) AS ..` has the columns in `aliases` as well as in the `WITH` that it makes.
//! - `CREATE FUNCTION f() RETURNS TABLE (a int)` has the type of its only column in `returnType` as well as in the parameter, and
//!   that of a row, `record`, if there are several.
//!
//! In C, these are the same nodes, or a copy in the last case; an owned tree has copies of them. For all walks, such a node is a child in one
//! place, the one that the deparser prints, and is left out in the others: of the `MultiAssignRef` with the
//! `colno` 1, of the parameter, of the `CommonTableExpr`, of the column. So each node in the SQL is visited once. A walk that can
//! change an owned tree copies what has become of the node to the other places when it is behind them.
//!
//! Whatever treats a tree as data (Protobuf, JSON, comparison, conversion) sees all fields.

/// The fields in which they are left out, by the names in C, and in an owned tree if that is another one.
const FIELDS: [(&str, &str); 5] = [
    ("MultiAssignRef", "source"),
    ("ObjectWithArgs", "objargs"),
    ("ViewStmt", "aliases"),
    ("CreateFunctionStmt", "returnType"),
    ("CreateFunctionStmt", "return_type"),
];

/// Returns whether a field can hold nodes that are in another place as well, and left out here.
pub(crate) const fn is_shared(node: &str, field: &[u8]) -> bool {
    let mut index = 0;
    while index < FIELDS.len() {
        let (of, name) = FIELDS[index];
        if is_same(node.as_bytes(), of.as_bytes()) && is_same(field, name.as_bytes()) {
            return true;
        }
        index += 1;
    }
    false
}

/// The name of the type that a function with several columns returns.
pub(crate) const ROW: [&str; 2] = ["pg_catalog", "record"];

/// The nodes below which there may be copies of others, by the names of their messages.
const ABOVE: [&str; 6] = [
    "UpdateStmt",
    "OnConflictClause",
    "MergeWhenClause",
    "ObjectWithArgs",
    "ViewStmt",
    "CreateFunctionStmt",
];

/// Returns whether there may be copies of nodes below a message.
pub(crate) const fn may_have_copies(message: &str) -> bool {
    let mut index = 0;
    while index < ABOVE.len() {
        if is_same(message.as_bytes(), ABOVE[index].as_bytes()) {
            return true;
        }
        index += 1;
    }
    false
}

/// `==`, which constants cannot use.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

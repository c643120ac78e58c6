//! What is known to be wrong, or slow, and not looked for again.

use pg_ast::{NodeRef, protobuf};

/// Whether a text is one that takes very long.
pub(super) fn text(sql: &str) -> bool {
    let bytes = sql.as_bytes();
    let is_operator = |byte: &u8| b"~!@#^&|`?+-*/%<>=".contains(byte);
    // Comments in comments, and long runs of operators, take quadratic time in the scanner.
    let comments = sql.matches("/*").count();
    let longest_run = bytes.split(|byte| !is_operator(byte)).map(<[u8]>::len).max().unwrap_or(0);
    // `SET (a, b) = (..)`: the tree is a DAG, which conversion expands at each level.
    let mut before = None;
    let mut assignments = 0;
    for byte in bytes.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        assignments += usize::from(before == Some(b')') && *byte == b'=');
        before = Some(*byte);
    }
    comments > 200
        || longest_run > 1_000
        || assignments > 3
        || (assignments > 0 && sql.len() > 1_000)
}

/// Whether a tree is one that takes much memory.
pub(super) fn tree(tree: &protobuf::ParseResult) -> bool {
    let huge = |set: &[u64]| set.iter().any(|&member| member > 100_000);
    tree.nodes().any(|(node, _)| match node {
        // A set of bits as long as its largest member.
        NodeRef::RtepermissionInfo(info) => {
            huge(&info.selected_cols) || huge(&info.inserted_cols) || huge(&info.updated_cols)
        }
        NodeRef::TableFunc(func) => huge(&func.notnulls),
        NodeRef::Var(var) => huge(&var.varnullingrels),
        NodeRef::RangeTblFunction(func) => huge(&func.funcparams),
        _ => false,
    })
}

/// Whether `parse(deparse(tree)) == tree` has to hold. libpg_query's deparser gets some statements wrong.
pub(super) const ROUND_TRIP: bool = false;

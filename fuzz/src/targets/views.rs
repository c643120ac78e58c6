//! Compares views with owned trees.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use pg_ast::view::{self, Node};
use pg_ast::{Error, ErrorKind, ParseResult};

/// SQL: the view has the tree that `parse` returns, and the same errors.
pub(super) fn of_text(sql: &str, parsed: &Result<ParseResult, Error>) {
    match (view::parse(sql), parsed) {
        (Ok(tree), Ok(owned)) => {
            assert!(tree.to_owned_tree().as_ref() == Ok(owned), "{sql:?}");
            let nodes = tree.nodes().with_depth().map(|(node, depth)| (node.name(), depth));
            let expected = owned.nodes().with_depth().map(|(node, depth)| (node.name(), depth));
            assert!(nodes.eq(expected), "{sql:?}");
            assert_eq!(tree.warnings(), owned.warnings);
            for stmt in tree.stmts() {
                read(stmt.into());
            }
            changed(sql, &tree);
        }
        // Views have any depth.
        (Ok(tree), Err(error)) => {
            assert_eq!(error.kind(), ErrorKind::TooDeep, "{sql:?}");
            assert!(
                tree.to_owned_tree().is_err_and(|again| again.kind() == error.kind()),
                "{sql:?}"
            );
            tree.nodes().for_each(drop);
        }
        (Err(error), Ok(_)) => panic!("{error:?} for {sql:?}"),
        (Err(error), Err(expected)) => {
            let bound = expected.kind() == ErrorKind::TooDeep;
            assert!(error == *expected || bound, "{error:?}, parse: {expected:?} for {sql:?}");
        }
    }
}

/// Any tree, including those that no SQL has.
pub(super) fn of_tree(tree: &ParseResult) {
    // Some cannot be written as C nodes.
    let _ = tree.with_view(|stmts| stmts.iter().for_each(|stmt| read((*stmt).into())));
}

/// Runs all calls that read.
fn read(node: Node<'_>) {
    let mut hasher = DefaultHasher::new();
    node.hash(&mut hasher);
    let _ = hasher.finish();
    let same = node;
    assert!(node == same);
    let mut count = 0;
    for (node, depth) in node.nodes().with_depth() {
        assert!(depth == 0 || !matches!(node, Node::Null));
        count += 1;
        if count < 16
            && let Ok(owned) = node.to_owned_tree()
        {
            // The shapes of empty lists differ: in C they are NULL.
            let again = owned.to_ref().map(|owned| owned.with_view(|again| again == node));
            assert!(again.is_none_or(|same| same != Ok(false)), "{node:?}");
            owned.drop_iteratively();
        }
    }
}

/// Replacing each column by its copy changes nothing.
fn changed(sql: &str, tree: &view::Tree) {
    let mut copy = tree.clone();
    copy.edit(|mut stmts, arena| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(Node::ColumnRef(column)) = slot.get()
                && let Ok(column) = column.to_owned_tree()
                && let Ok(new) = arena.own(&column)
            {
                slot.set(new);
            }
        }
    });
    if let (Ok(changed), Ok(text)) = (copy.deparse(), tree.deparse()) {
        assert_eq!(changed, text, "{sql:?}");
    }
}

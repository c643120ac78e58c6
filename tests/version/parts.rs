//! Parts of statements as SQL: they parse to the same part again.

use super::pg::protobuf::List;
use super::pg::{self, Node, NodeEnum, NodeRef, ParseResult};
use crate::common::{corpus, without_locations};

/// Returns everything in the statements' lists of targets, FROMs and conditions.
fn parts(tree: &ParseResult) -> Vec<(&'static str, &Node)> {
    let mut parts = Vec::new();
    for node in tree.nodes() {
        if let NodeRef::SelectStmt(select) = node {
            parts.extend(select.target_list.iter().map(|target| ("target", target)));
            parts.extend(select.from_clause.iter().map(|item| ("from", item)));
            parts.extend(select.where_clause.iter().map(|expr| ("expr", &**expr)));
            parts.extend(select.having_clause.iter().map(|expr| ("expr", &**expr)));
        }
    }
    parts
}

/// Returns the part of a statement that has only this part.
fn again(kind: &str, text: &str) -> Node {
    let sql = match kind {
        "target" => format!("SELECT {text}"),
        "from" => format!("SELECT FROM {text}"),
        _ => format!("SELECT WHERE {text}"),
    };
    let tree = pg::parse(&sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let stmt = tree.into_protobuf().stmts.into_iter().next().unwrap().stmt.unwrap();
    let Some(NodeEnum::SelectStmt(select)) = stmt.node else { panic!("{sql}") };
    let mut select = *select;
    match kind {
        "target" => select.target_list.remove(0),
        "from" => select.from_clause.remove(0),
        _ => *select.where_clause.unwrap(),
    }
}

#[test]
fn parts_are_read_again() {
    let mut counts = std::collections::BTreeMap::new();
    for sql in corpus::own_statements() {
        let Ok(tree) = pg::parse(&sql) else { continue };
        // Errors of the deparser itself do not concern parts.
        let Ok(whole) = pg::deparse(&tree) else { continue };
        let Ok(read) = pg::parse(&whole) else { continue };
        if without_locations(&read.protobuf) != without_locations(&tree.protobuf) {
            continue;
        }
        for (kind, part) in parts(&tree) {
            let text = match kind {
                "from" => pg::deparse_from_item(part),
                _ => pg::deparse_node(part),
            };
            let text = text.unwrap_or_else(|error| panic!("{sql}: {error}\n{part:?}"));
            assert_eq!(part.to_ref().expect("a node").to_string(), part.to_string(), "{sql}");
            let (part, again) = (without_locations(part), without_locations(&again(kind, &text)));
            assert_eq!(part, again, "{sql}\n{text}");
            *counts.entry(kind).or_insert(0) += 1;
        }
    }
    println!("{counts:?}");
    assert!(counts.len() == 3 && counts.values().all(|&count| count > 5), "{counts:?}");
}

#[test]
fn what_has_no_text_of_its_own_is_refused() {
    for node in [
        None,
        Some(NodeEnum::SortBy(Box::default())),
        Some(NodeEnum::WindowDef(Box::default())),
        Some(NodeEnum::List(List::default())),
    ] {
        let node = Node { node };
        assert!(pg::deparse_node(&node).is_err(), "{node:?}");
        assert!(node.to_string().starts_with("/* "), "{node}");
        assert!(node.to_ref().is_none_or(|part| part.to_string() == node.to_string()));
    }
    for sql in ["", "1, 2", "1 AS x", "1 FROM t", "*; SELECT", "1 WHERE true", "SELECT 1"] {
        assert!(pg::parse_expr(sql).is_err(), "{sql}");
    }
    assert_eq!(
        pg::parse_expr("(SELECT 1) + a.*::int").unwrap().to_string(),
        "(SELECT 1) + a.*::int"
    );
}

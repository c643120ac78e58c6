//! The ranges of names.

use pg_ast::{NameKind, ParserOptions};

use super::pg;
use super::pg::view;
use super::pg::{NodeRef, protobuf};
use crate::common::corpus;

/// Whether a word of the SQL is a name.
fn is_name(word: &str, name: &str) -> bool {
    match word.strip_prefix('"').and_then(|word| word.strip_suffix('"')) {
        Some(word) => word.replace("\"\"", "\"") == name,
        None => word.eq_ignore_ascii_case(name) || word.to_lowercase() == name,
    }
}

/// Columns, tables, aliases and what is defined are where they are written.
#[test]
fn names_are_where_they_are_written() {
    let (mut found, mut none, mut other) = (0, 0, Vec::new());
    let regression = corpus::statements().into_iter().step_by(10);
    for sql in corpus::own_statements().into_iter().chain(regression) {
        let options = ParserOptions::default();
        let Ok((tree, ranges)) = pg::parse_with_ranges(&sql, options) else { continue };
        let view = view::parse_with_ranges(&sql, options).expect("parses as well");
        let mut of_view = Vec::new();
        view.walk_names(|name, _| of_view.push(view.name_range(name)));
        let mut of_tree = Vec::new();
        tree.walk_names(|name, _| {
            let range = ranges.name(name);
            of_tree.push(range.clone());
            let Some(range) = range else {
                none += 1;
                return;
            };
            if is_name(&sql[range.clone()], name.name()) {
                found += 1;
            } else {
                other.push((name.kind(), name.name().to_owned(), sql[range].to_owned()));
            }
        });
        assert_eq!(of_view, of_tree, "{sql}");
    }
    other.retain(|(kind, ..)| {
        !matches!(
            kind,
            NameKind::Type | NameKind::Function | NameKind::Operator | NameKind::Setting
        )
    });
    assert!(found > 5_000, "{found}");
    assert!(none * 50 < found, "{none} of {found}");
    assert!(
        other.len() * 200 < found,
        "{} of {found}: {:?}",
        other.len(),
        &other[..other.len().min(60)]
    );
}

/// An alias is without its `AS`.
#[test]
fn an_alias_of_an_insert_is_without_as() {
    for sql in ["INSERT INTO t AS u VALUES (1)", "INSERT INTO t AS \"u\" DEFAULT VALUES"] {
        let view = view::parse_with_ranges(sql, ParserOptions::default()).expect("parses");
        let mut found = Vec::new();
        view.walk_names(|name, _| {
            if name.kind() == NameKind::Alias {
                found.push(&sql[view.name_range(name).expect("a range")]);
            }
        });
        assert_eq!(found, [sql.split(' ').nth(4).expect("an alias")]);
    }
}

#[test]
fn nodes_have_ranges_in_any_order() {
    for sql in corpus::own_statements() {
        let options = ParserOptions::default();
        let Ok((tree, ranges)) = pg::parse_with_ranges(&sql, options) else { continue };
        let by_node = tree.with_ranges(&ranges);
        let nodes: Vec<_> = tree.nodes().with_ranges(&ranges).collect();
        for (node, range) in nodes.into_iter().rev() {
            assert_eq!(by_node.get(node), range, "{sql}: {}", node.name());
        }
        assert_eq!(by_node.get(&protobuf::SelectStmt::default()), None);
    }
    let sql = "SELECT x.a AS \"B\" FROM s.\"T\" AS x (c)";
    let (tree, ranges) = pg::parse_with_ranges(sql, ParserOptions::default()).expect("parses");
    let ranges = tree.with_ranges(&ranges);
    let names = tree.nodes().filter_map(|node| match node {
        NodeRef::ResTarget(_)
        | NodeRef::RangeVar(_)
        | NodeRef::Alias(_)
        | NodeRef::ColumnRef(_) => ranges.name(node).map(|range| &sql[range]),
        _ => None,
    });
    assert_eq!(names.collect::<Vec<_>>(), ["\"B\"", "a", "\"T\"", "x"]);
}

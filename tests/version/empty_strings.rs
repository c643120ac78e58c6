//! `''` where PostgreSQL's grammar tells it from NULL: a view has it, an owned tree does not. docs/exact.md lists where.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use pg_ast::{DeparseOptions, ErrorKind};
use prost_reflect::{DynamicMessage, ReflectMessage as _, Value};

use super::pg::protobuf::a_const::Val;
use super::pg::{self, NodeRef, protobuf::Token, view};
use super::{NAME, schema};
use crate::common::corpus;

const MARK: &str = "zqz";

/// Returns the fields that hold the mark.
fn marked(tree: &DynamicMessage) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    schema::walk(tree, &mut |message| {
        for (field, value) in message.fields() {
            if matches!(value, Value::String(text) if text == MARK) {
                found.insert(format!("{}.{}", message.descriptor().name(), field.name()));
            }
        }
    });
    found
}

/// Puts `''` in place of each string in all SQL of the tests; returns the fields whose text a tree loses, and those whose
/// text it keeps.
fn fields() -> [BTreeMap<String, String>; 2] {
    let [mut lost, mut kept] = [BTreeMap::new(), BTreeMap::new()];
    let statements = corpus::own_statements().into_iter().chain(corpus::statements());
    for sql in statements.collect::<BTreeSet<_>>() {
        let Ok(scan) = pg::scan(&sql) else { continue };
        for token in scan.tokens.iter().filter(|token| token.token == Token::Sconst) {
            let range = token.start as usize..token.end as usize;
            let with = |text: &str| format!("{}{text}{}", &sql[..range.start], &sql[range.end..]);
            let Ok(tree) = pg::parse(&with(&format!("'{MARK}'"))) else { continue };
            // Most strings are nodes, which are never NULL.
            let is_node = |node: NodeRef<'_>| match node {
                NodeRef::String(text) => text.sval == MARK,
                NodeRef::AConst(constant) => {
                    matches!(&constant.val, Some(Val::Sval(text)) if text.sval == MARK)
                }
                _ => false,
            };
            if tree.nodes().any(is_node) {
                continue;
            }
            let names = marked(&schema::dynamic(&tree.protobuf));
            let sql = with("''");
            let (Ok(tree), Ok(view)) = (pg::parse(&sql), view::parse(&sql)) else { continue };
            let exact = view.deparse().expect("SQL");
            let again = view::parse(&exact).unwrap_or_else(|error| panic!("{exact}: {error}"));
            assert_eq!(again.deparse(), Ok(exact.clone()), "{sql}");
            assert_eq!(pg::reformat(&sql, DeparseOptions::default()), Ok(exact.clone()), "{sql}");
            let which = if tree.deparse() == Ok(exact) { &mut kept } else { &mut lost };
            which.extend(names.into_iter().map(|name| (name, sql.clone())));
        }
    }
    [lost, kept]
}

/// Returns the rows of the table in docs/exact.md: a statement, a field, and what an owned tree prints.
fn table() -> Vec<[String; 3]> {
    let text = fs::read_to_string("../docs/exact.md").expect("docs/exact.md");
    let section = text.split("\n## ").find(|text| text.starts_with("Empty strings and NULL"));
    let rows = section.expect("the section").lines().filter(|line| line.starts_with("| `"));
    let cells = |row: &str| {
        let mut cells =
            row.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`').to_owned());
        std::array::from_fn(|_| cells.next().unwrap_or_else(|| panic!("{row}")))
    };
    rows.map(cells).collect()
}

#[test]
fn the_strings_that_a_tree_does_not_tell_from_null_are_documented() {
    let [lost, kept] = fields();
    println!("{NAME}: lost {:?}, kept {:?}", lost.keys(), kept.keys());
    let documented: BTreeSet<_> = table().into_iter().map(|[_, field, _]| field).collect();
    let undocumented: Vec<_> =
        lost.iter().filter(|(name, _)| !documented.contains(*name)).collect();
    assert!(undocumented.is_empty(), "{undocumented:#?}");
    let found: BTreeSet<_> = lost.into_keys().collect();
    assert_eq!(found, documented);
    assert!(kept.contains_key("LoadStmt.filename"), "{kept:?}");
}

#[test]
fn each_of_them_is_printed_as_documented() {
    let table = table();
    assert!(table.len() >= 11, "{}", table.len());
    for [sql, field, printed] in table {
        let exact = view::parse(&sql).expect("parses");
        assert_eq!(exact.deparse().as_ref(), Ok(&sql), "a view of {field}");
        assert_eq!(exact.compact().deparse().as_ref(), Ok(&sql), "a compact view of {field}");
        let owned = pg::parse(&sql).expect("parses");
        match owned.deparse() {
            Ok(text) => assert_eq!(text, printed, "{field}"),
            Err(error) => {
                assert_eq!((error.kind(), &*printed), (ErrorKind::Deparse, "an error"), "{error}");
            }
        }
        // It is the string alone that is lost.
        assert_eq!(exact.to_owned_tree(), Ok(owned));
    }
}

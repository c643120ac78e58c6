//! Changes of views equal those of owned trees.

use std::collections::BTreeSet;

use pg_ast::ErrorKind;

use super::pg;
use super::pg::protobuf::{ParamRef, RangeVar};
use super::pg::view::{self, Node, Tree};
use crate::common::corpus;

fn parse(sql: &str) -> Tree {
    view::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// Replaces each node by its own copy, one after another.
#[test]
fn a_copy_changes_nothing() {
    let (mut count, mut parts) = (0, BTreeSet::new());
    let regression = corpus::statements().into_iter().step_by(100);
    for sql in corpus::own_statements().into_iter().chain(regression) {
        let Ok(tree) = view::parse(&sql) else { continue };
        let Ok(text) = tree.deparse() else { continue };
        // An owned tree does not distinguish an empty string from NULL.
        if pg::parse(&sql).and_then(|tree| tree.deparse()).as_ref() != Ok(&text) {
            continue;
        }
        for node in tree.nodes() {
            let copy = node.to_owned_tree().expect("a copy").node.expect("a node");
            match tree.rewrite().replace(node, copy).deparse() {
                Ok(changed) => assert_eq!(changed, text, "{sql}"),
                Err(error) => {
                    assert!(error.message().contains("part of another node"), "{sql}: {error}");
                    parts.insert(node.name());
                }
            }
            count += 1;
        }
    }
    println!("{count} nodes");
    assert!(count > 10_000, "{count}");
    let expected = ["BitString", "Boolean", "CreateStmt", "Float", "Integer", "String"];
    assert_eq!(Vec::from_iter(parts), expected);
}

#[test]
fn what_is_changed_is_printed() {
    let sql = "WITH x AS (SELECT a FROM t) SELECT t.b + 1, (VALUES (2), (3)) FROM t, x \
               WHERE b IN (4, 5) AND EXISTS (SELECT 6 FROM t AS y) ORDER BY 7; DELETE FROM t";
    let tree = parse(sql);
    let mut rewrite = tree.rewrite();
    let mut number = 0;
    for node in tree.nodes() {
        match node {
            Node::AConst(_) => {
                number += 1;
                rewrite.replace(node, ParamRef { number, location: -1 });
            }
            Node::RangeVar(table) if table.relname() == "t" => {
                let table = table.to_owned_tree().expect("a copy");
                rewrite.replace(node, RangeVar { schemaname: "s".to_owned(), ..table });
            }
            _ => {}
        }
    }
    let expected = "WITH x AS (SELECT a FROM s.t) SELECT t.b + $1, (VALUES ($2), ($3)) FROM s.t, x \
                    WHERE b IN ($4, $5) AND EXISTS (SELECT $6 FROM s.t y) ORDER BY $7; DELETE FROM s.t";
    assert_eq!(rewrite.deparse().as_deref(), Ok(expected));
    // The tree is unchanged.
    assert_eq!(tree, parse(sql));
}

/// The source of an assignment to several columns is visited and printed once.
#[test]
fn shared_nodes_are_changed_wherever_they_are() {
    let tree = parse("UPDATE t SET (a, b) = (SELECT c, d FROM u WHERE e = 1)");
    let mut rewrite = tree.rewrite();
    for node in tree.nodes() {
        if let Node::ColumnRef(_) = node {
            rewrite.replace(node, ParamRef { number: 1, location: -1 });
        }
    }
    let expected = "UPDATE t SET (a, b) = (SELECT $1, $1 FROM u WHERE $1 = 1)";
    assert_eq!(rewrite.deparse().as_deref(), Ok(expected));
}

#[test]
fn the_change_above_counts() {
    let tree = parse("SELECT a FROM (SELECT b FROM t) AS s");
    let mut rewrite = tree.rewrite();
    let parameter = |number| ParamRef { number, location: -1 };
    for (node, depth) in tree.nodes().with_depth() {
        match node {
            Node::ColumnRef(_) => drop(rewrite.replace(node, parameter(1))),
            Node::RangeSubselect(_) => {
                let by = RangeVar {
                    relname: "u".to_owned(),
                    inh: true,
                    relpersistence: "p".to_owned(),
                    ..RangeVar::default()
                };
                assert_eq!(depth, 2);
                rewrite.replace(node, by);
            }
            _ => {}
        }
    }
    assert_eq!(rewrite.deparse().as_deref(), Ok("SELECT $1 FROM u"));
}

#[test]
fn what_cannot_stand_there_is_an_error() {
    let tree = parse("INSERT INTO t VALUES (1)");
    let node = |name| tree.nodes().find(|node| node.name() == name);
    for (name, word) in [("RangeVar", "type"), ("RawStmt", "type"), ("Integer", "part")] {
        let mut rewrite = tree.rewrite();
        rewrite.replace(node(name).expect("a node"), ParamRef { number: 1, location: -1 });
        let error = rewrite.deparse().expect_err("cannot stand there");
        assert_eq!(error.kind(), ErrorKind::Deparse);
        assert!(error.message().contains(word), "{error}");
    }
}

#[test]
fn a_deep_tree_is_changed_at_its_end() {
    let sql = format!("SELECT a{}", " + 1".repeat(3_000));
    let tree = parse(&sql);
    let mut rewrite = tree.rewrite();
    for node in tree.nodes() {
        if let Node::ColumnRef(_) = node {
            rewrite.replace(node, ParamRef { number: 1, location: -1 });
        }
    }
    assert_eq!(rewrite.deparse(), parse(&sql.replace('a', "$1")).deparse());
}

//! The Protobuf encoding of views equals that of owned trees, to the byte.

use pg_ast::ParserOptions;
use prost::Message as _;
use prost_reflect::DynamicMessage;

use super::maker::Maker;
use super::pg::protobuf::ParseResult;
use super::pg::{self, view};
use super::schema;
use crate::common::deep::DEEP;
use crate::common::{corpus, on_thread};

#[test]
fn regression_statements() {
    let mut count = 0;
    for sql in corpus::own_statements().into_iter().chain(corpus::statements()) {
        let Ok(tree) = view::parse(&sql) else { continue };
        let owned = tree.to_owned_tree().expect("an owned tree").into_protobuf();
        assert_eq!(tree.encode_to_vec(), owned.encode_to_vec(), "{sql}");
        count += 1;
    }
    println!("{count} statements");
    assert!(count > 30_000, "{count}");
}

/// Each node type, with all of its fields and with none; and each node below it separately.
#[test]
fn every_field() {
    let mut maker = Maker::default();
    for message in schema::node_types() {
        for value in [maker.message(&message, 2), DynamicMessage::new(message)] {
            let owned = schema::node(Some(value));
            let node = owned.to_ref().expect("a node");
            node.with_view(|view| {
                // Empty values change: C has no empty
                // lists, and constants begin with 0.
                let back = view.to_owned_tree().expect("an owned node");
                assert_eq!(view.encode_to_vec(), back.encode_to_vec(), "{node:?}");
                for child in view.nodes() {
                    let back = child.to_owned_tree().expect("an owned node");
                    assert_eq!(child.encode_to_vec(), back.encode_to_vec(), "{child:?}");
                }
            })
            .expect("a view");
        }
    }
    assert!(view::Node::Null.encode_to_vec().is_empty());
}

/// Also compares the decoded bytes, because an error in both encodings would be equal.
#[test]
fn decodes() {
    let sql = "SELECT DISTINCT a, -1, 1.5, false, '', NULL FROM s.t WHERE b IN (1, 2); VALUES (0)";
    let bytes = view::parse(sql).expect("parses").encode_to_vec();
    let expected = pg::parse(sql).expect("parses").into_protobuf();
    assert_eq!(ParseResult::decode(&*bytes).expect("decodes"), expected);
    let nothing = view::parse("-- nothing").expect("parses").encode_to_vec();
    assert_eq!(ParseResult::decode(&*nothing).expect("decodes").stmts, []);
}

#[test]
fn deep_trees() {
    for part in [" + 1", " UNION SELECT 1", "::int"] {
        let sql = format!("SELECT 1{}", part.repeat(DEEP));
        let tree = view::parse(&sql).expect("parses");
        let options = ParserOptions::default().max_depth(200_000);
        let owned = pg::parse_with(&sql, options).expect("parses");
        on_thread(256 << 10, || {
            assert!(tree.encode_to_vec() == owned.protobuf.encode_to_vec());
            let node = tree.stmts().next().and_then(pg::view::RawStmt::stmt).expect("a statement");
            assert!(node.encode_to_vec().len() > DEEP);
        });
    }
}

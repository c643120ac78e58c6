//! Every number of every tree, as large or as small as possible.

use pg_ast::{DeparseOptions, ErrorKind};
use prost::Message as _;
use prost_reflect::{DynamicMessage, Value};

use super::pg::protobuf::ParseResult as Tree;
use super::pg::{self, ParseResult};
use super::{raw, schema};
use crate::common::corpus;
use crate::common::peak::peak;

/// The additional memory that a tree may take: nodes in C are up to 300 bytes, and small arenas have a minimum size.
fn allowance(encoded: usize) -> usize {
    200_000 + 400 * encoded
}

/// Replaces every number except those of enumerations by `number`.
fn replace(message: &mut DynamicMessage, number: i64) {
    // A 0 is not among the fields of a message; most numbers are locations, which are not 0.
    for (_, value) in message.fields_mut() {
        replace_value(value, number);
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn replace_value(value: &mut Value, number: i64) {
    match value {
        Value::I32(n) => *n = number as i32,
        Value::U32(n) => *n = number as u32,
        Value::I64(n) => *n = number,
        Value::U64(n) => *n = number as u64,
        Value::Message(child) => replace(child, number),
        Value::List(children) => {
            for child in children.iter_mut() {
                replace_value(child, number);
            }
        }
        _ => {}
    }
}

#[test]
fn no_number_of_a_tree_becomes_memory() {
    let layouts = raw::PG_VERSION_NUM >= 170_000;
    let mut trees = 0;
    for sql in corpus::own_statements() {
        // Older versions do not know all of them.
        let Ok(tree) = pg::parse(&sql) else { continue };
        let dynamic = schema::dynamic(&tree.protobuf);
        for number in [i64::MIN, i32::MIN.into(), -1, 1 << 20, i32::MAX.into(), i64::MAX] {
            let mut mutant = dynamic.clone();
            replace(&mut mutant, number);
            let bytes = mutant.encode_to_vec();
            let tree = ParseResult::from(Tree::decode(&*bytes).expect("decodes"));
            let options = DeparseOptions::default().pretty_print(layouts && number != -1);
            let (most, printed) = peak(|| pg::deparse_with(&tree, &options));
            assert!(most < allowance(bytes.len()), "{most} bytes for {number} in {sql}");
            if let Err(error) = printed {
                assert_eq!(error.kind(), ErrorKind::Deparse, "{error:?}: {number} in {sql}");
            }
            let (most, _) =
                peak(|| (tree.fingerprint(), tree.deparse_truncated(20).is_ok(), tree.analyze()));
            assert!(most < allowance(bytes.len()) * 4, "{most} bytes for {number} in {sql}");
            trees += 1;
        }
    }
    assert!(trees > 5_000, "{trees}");
}

/// 14 bytes of Protobuf, which once became 256 MiB in C.
#[test]
fn a_set_takes_no_more_than_its_members() {
    let sets = schema::node_types().into_iter().flat_map(|node| node.fields().collect::<Vec<_>>());
    let sets: Vec<_> = sets
        .filter(|field| field.is_list() && field.kind() == prost_reflect::Kind::Uint64)
        .collect();
    assert!(sets.len() >= 5, "{}", sets.len());
    for field in sets {
        for member in [2_048, 65_535, (1 << 31) - 1, 1 << 31, u64::MAX] {
            let mut node = DynamicMessage::new(field.parent_message().clone());
            node.set_field(&field, Value::List(vec![Value::U64(member)]));
            let node = schema::node(Some(node));
            let (most, printed) = peak(|| pg::deparse_stmt(&node, DeparseOptions::default()));
            assert!(most < 100_000, "{most} bytes for {member} in {}", field.full_name());
            let expected = if i32::try_from(member).is_ok() {
                ErrorKind::TooLarge
            } else {
                ErrorKind::Deparse
            };
            assert_eq!(printed.expect_err("an error").kind(), expected, "{}", field.full_name());
        }
    }
}

#[test]
fn numbers_of_comments() {
    if raw::PG_VERSION_NUM < 170_000 {
        // No comments there, regardless of their numbers.
        return;
    }
    let sql = "-- a\nSELECT 1 -- b\n, 2";
    let tree = pg::parse(sql).expect("parses");
    let comments = pg::comments(sql).expect("comments");
    for pretty in [false, true] {
        for number in [1, 1 << 16, 1 << 20, usize::MAX / 2, usize::MAX] {
            let options = |change: fn(&mut pg_ast::Comment, usize)| {
                let mut comments = comments.clone();
                for comment in &mut comments {
                    change(comment, number);
                }
                DeparseOptions::default().pretty_print(pretty).comments(comments)
            };
            let print = |change| pg::deparse_with(&tree, options(change));
            // A location after the end of the SQL counts as its end.
            assert!(print(|comment, number| comment.match_location = number).is_ok());
            for printed in [
                print(|comment, number| comment.newlines_before = number),
                print(|comment, number| comment.newlines_after = number),
            ] {
                match printed {
                    Ok(text) => assert!(number <= 1 << 16 && text.len() < 4 * number + 100),
                    Err(error) => {
                        assert!(number > 1 << 16, "{error}");
                        assert_eq!(error.kind(), ErrorKind::TooLarge);
                    }
                }
            }
        }
    }
}

#[test]
fn numbers_of_layouts() {
    if raw::PG_VERSION_NUM < 170_000 {
        return;
    }
    let tree = pg::parse("SELECT a FROM (SELECT b FROM t) AS t WHERE x IN (1, 2)").expect("parses");
    for number in [0, 1, u16::MAX] {
        let options = DeparseOptions::default()
            .pretty_print(true)
            .indent_size(number)
            .max_line_length(number);
        let text = pg::deparse_with(&tree, &options).expect("prints");
        let again = pg::parse(&text).expect("parses again");
        assert_eq!(again.deparse(), tree.deparse());
    }
    for limit in [0, 1, usize::MAX / 2, usize::MAX] {
        let _ = tree.deparse_truncated(limit).expect("truncates");
    }
}

//! Every field of every node type survives the round trip through C.
//!
//! The values are generated from the schema, so that
//! fields that no statement of ours sets are tested, too.

use core::ops::RangeInclusive;

use pg_ast::{Error, ErrorKind};
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage as _, Value,
};

use super::MAJOR;
use super::maker::{BY_VALUE, Maker, is_char, is_header, path};
use super::pg::{Node, convert_back};
use super::schema::{self, message};

/// Numbers that are an `int16` in C, or an `AttrNumber`, which is an `int16`.
const SHORTS: &[&str] = &[
    "AlterTableCmd.num",
    "CreateTrigStmt.events",
    "CreateTrigStmt.timing",
    "FieldSelect.fieldnum",
    "TargetEntry.resno",
    "TargetEntry.resorigcol",
    "Var.varattno",
];

/// Those of only some versions.
const SHORTS_OF: &[(RangeInclusive<u32>, &str)] =
    &[(15..=15, "Var.varattnosyn"), (18..=u32::MAX, "ColumnDef.inhcount")];

/// Returns the round trip of a node with this value.
fn back(value: &DynamicMessage) -> Result<Node, Error> {
    convert_back(&schema::node(Some(value.clone())))
}

#[track_caller]
fn comes_back(value: &DynamicMessage) {
    comes_back_as(value, value);
}

#[track_caller]
fn comes_back_as(value: &DynamicMessage, expected: &DynamicMessage) {
    let back = back(value).unwrap_or_else(|error| panic!("{error:?}\n{value:#?}"));
    let expected = schema::node(Some(expected.clone()));
    assert!(back == expected, "{value:#?}\ncomes back as {back:#?}\nand not {expected:#?}");
}

#[track_caller]
fn is_refused(value: &DynamicMessage, kind: ErrorKind) {
    let error = back(value).expect_err("an error");
    assert_eq!(error.kind(), kind, "{error:?}");
}

/// Tests each field of each node type, one by one.
fn fields() -> impl Iterator<Item = FieldDescriptor> {
    let types = schema::node_types().into_iter();
    types.flat_map(|node| node.fields().collect::<Vec<_>>()).filter(|field| !is_header(field))
}

/// Returns an otherwise empty node with this field.
fn only(field: &FieldDescriptor, value: Value) -> DynamicMessage {
    let mut made = DynamicMessage::new(field.parent_message().clone());
    first_constants(&mut made);
    made.set_field(field, value);
    made
}

/// Sets each unset enumeration to its first C constant.
fn first_constants(made: &mut DynamicMessage) {
    for field in made.descriptor().fields() {
        if let Kind::Enum(item) = field.kind()
            && !made.has_field(&field)
        {
            let first = item.values().nth(1).expect("a constant behind the one for 0");
            made.set_field(&field, Value::EnumNumber(first.number()));
        }
        if path(&field) == BY_VALUE && !made.has_field(&field) {
            let mut base = DynamicMessage::new(message("CreateStmt"));
            first_constants(&mut base);
            made.set_field(&field, Value::Message(base));
        }
    }
}

#[test]
fn filled_nodes_come_back() {
    let types = schema::node_types();
    assert!(types.len() > 230, "{}", types.len());
    for depth in 0..3 {
        let mut maker = Maker::default();
        for node in &types {
            comes_back(&maker.message(node, depth));
        }
    }
}

#[test]
fn strings_come_back() {
    for string in ["", "é", "日本語 \u{1F418}", "a\tb\n'\"\\", &"x".repeat(10_000)] {
        let mut maker = Maker { string: Some(string), ..Maker::default() };
        for node in schema::node_types() {
            comes_back(&maker.message(&node, 1));
        }
    }
}

#[test]
fn each_field_comes_back_alone() {
    let mut maker = Maker::default();
    let mut count = 0;
    for field in fields() {
        let value = maker.field(&field, 1).expect("a value");
        comes_back(&only(&field, value));
        count += 1;
    }
    println!("{count} fields");
    assert!(count > 1_200, "{count}");
}

#[test]
fn headers_have_no_place_for_a_child() {
    let types = schema::node_types();
    let headers: Vec<_> =
        types.iter().flat_map(MessageDescriptor::fields).filter(is_header).collect();
    assert!(headers.len() > 40, "{}", headers.len());
    for field in headers {
        let child = Maker::default().integer();
        let node = only(&field, Value::Message(child));
        let mut expected = node.clone();
        expected.clear_field(&field);
        comes_back_as(&node, &expected);
    }
}

#[test]
fn empty_nodes_come_back() {
    // An empty list becomes no list, as in C.
    let is_list = |node: &MessageDescriptor| ["List", "IntList", "OidList"].contains(&node.name());
    for node in schema::node_types() {
        let empty = DynamicMessage::new(node.clone());
        if is_list(&node) {
            assert_eq!(back(&empty), Ok(Node { node: None }));
            continue;
        }
        let mut expected = empty.clone();
        // 0, which is not a constant in C, comes back as the first constant.
        first_constants(&mut expected);
        comes_back_as(&empty, &expected);
    }
    assert_eq!(convert_back(&Node { node: None }), Ok(Node { node: None }));
}

#[test]
fn constants_come_back() {
    let mut count = 0;
    for field in fields() {
        let Kind::Enum(item) = field.kind() else { continue };
        for constant in item.values().filter(|value| value.number() != 0) {
            comes_back(&only(&field, Value::EnumNumber(constant.number())));
            count += 1;
        }
        // A value that the schema does not know counts as 0.
        for unknown in [-1, 9_999, i32::MIN, i32::MAX] {
            let mut expected = DynamicMessage::new(field.parent_message().clone());
            first_constants(&mut expected);
            comes_back_as(&only(&field, Value::EnumNumber(unknown)), &expected);
        }
    }
    println!("{count} constants");
    assert!(count > 700, "{count}");
}

#[test]
fn numbers_come_back_or_are_refused() {
    let of_version = SHORTS_OF.iter().filter(|(versions, _)| versions.contains(&MAJOR));
    let mut shorts: Vec<_> = SHORTS.iter().chain(of_version.map(|(_, short)| short)).collect();
    shorts.sort();
    let mut refused = Vec::new();
    for field in fields().filter(|field| !field.is_list()) {
        let values = match field.kind() {
            Kind::Int32 => [i32::MIN, -1, 0, i32::MAX].map(Value::I32).to_vec(),
            Kind::Int64 => [i64::MIN, -1, i64::MAX].map(Value::I64).to_vec(),
            Kind::Uint32 => [0, u32::MAX].map(Value::U32).to_vec(),
            Kind::Uint64 => [0, u64::MAX].map(Value::U64).to_vec(),
            Kind::Double => [f64::MIN, -0.5, f64::MAX, f64::INFINITY].map(Value::F64).to_vec(),
            Kind::Bool => [true, false].map(Value::Bool).to_vec(),
            _ => continue,
        };
        for value in values {
            let node = only(&field, value);
            match back(&node) {
                Ok(_) => comes_back(&node),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Deparse);
                    assert!(error.message().contains("does not fit into a C i16"), "{error}");
                    refused.push(path(&field));
                }
            }
        }
        if shorts.contains(&&&*path(&field)) {
            comes_back(&only(&field, Value::I32(i16::MIN.into())));
            comes_back(&only(&field, Value::I32(i16::MAX.into())));
        }
    }
    refused.sort();
    refused.dedup();
    assert!(refused.iter().eq(shorts.iter().copied()), "{refused:?}");
}

#[test]
fn one_byte_strings_keep_their_first_byte() {
    for field in fields().filter(is_char) {
        let value = |text: &str| only(&field, Value::String(text.to_owned()));
        for letter in ["a", "\u{1}", "\u{7f}", ""] {
            comes_back(&value(letter));
        }
        comes_back_as(&value("xyz"), &value("x"));
        comes_back_as(&value("\0"), &value(""));
        // Only its first byte is not UTF-8.
        is_refused(&value("é"), ErrorKind::InvalidEncoding);
    }
}

#[test]
fn a_nul_in_a_string_is_refused() {
    let mut count = 0;
    for field in fields().filter(|field| field.kind() == Kind::String && !is_char(field)) {
        is_refused(&only(&field, Value::String("a\0b".to_owned())), ErrorKind::Nul);
        count += 1;
    }
    assert!(count >= 140, "{count}");
}

#[test]
fn constants_of_each_type_come_back() {
    let descriptor = message("A_Const");
    let values: Vec<_> =
        descriptor.fields().filter(|field| field.containing_oneof().is_some()).collect();
    assert_eq!(values.len(), 5);
    for field in values {
        let kind = field.kind();
        let child = kind.as_message().expect("a value node");
        for value in [
            DynamicMessage::new(child.clone()),
            Maker { next: 7, ..Maker::default() }.message(child, 0),
        ] {
            comes_back(&only(&field, Value::Message(value)));
        }
    }
}

#[test]
fn sets_of_numbers_come_back_sorted() {
    let members = |members: &[u64]| Value::List(members.iter().copied().map(Value::U64).collect());
    let sets: Vec<_> =
        fields().filter(|field| field.is_list() && field.kind() == Kind::Uint64).collect();
    assert!(sets.len() >= 5, "{}", sets.len());
    for field in sets {
        for set in [&[][..], &[0], &[63], &[64], &[31, 32, 127, 128, 4_095], &[2_047]] {
            comes_back(&only(&field, members(set)));
        }
        comes_back_as(
            &only(&field, members(&[700, 3, 64, 3])),
            &only(&field, members(&[3, 64, 700])),
        );
        for large in [1 << 31, u64::MAX] {
            is_refused(&only(&field, members(&[large])), ErrorKind::Deparse);
        }
        // In C they would take as much memory as if all lower numbers were members.
        for sparse in [&[2_048][..], &[(1 << 31) - 1], &[0, 4_096], &[7, 7, 7, 6_144 + 2_048]] {
            is_refused(&only(&field, members(sparse)), ErrorKind::TooLarge);
        }
    }
}

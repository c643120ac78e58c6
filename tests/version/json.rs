//! For PostgreSQL's entire regression SQL, our JSON equals libpg_query's, and reads back to the same tree.

#![cfg(feature = "serde")]

use pg_ast::{ParserOptions, json};
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, Value};
use serde_json::Value as Json;

use super::maker::Maker;
use super::pg::protobuf::{ParseResult, SelectStmt};
use super::pg::{self, Node, NodeEnum, view};
use super::{MAJOR, NAME, c_route, schema};
use crate::common::{corpus, on_thread};

/// Before 18, the C library writes an empty string that is not NULL. These fields can have
/// both, and the tree (proto3) does not distinguish them: ours omits it, as C does from 18 on.
const EMPTY_STRINGS: &[(&str, &str)] = &[
    ("COMMENT ON TABLE sch.t IS ''", "comment"),
    ("NOTIFY chan, ''", "payload"),
    ("ROLLBACK PREPARED ''", "gid"),
    ("SECURITY LABEL FOR 'prov' ON FUNCTION f(int) IS ''", "label"),
];

/// Before 17, C only writes the number of a constant if it is greater than zero, and so loses
/// negative ones: `SELECT -1`, and -1 for the bounds of `int[]`. The number of statements with one.
const NEGATIVE: [(u32, usize); 3] = [(15, 819), (16, 821), (17, 0)];

/// Returns the JSON that C before 17 writes instead of ours.
fn without_negative_numbers(json: &str) -> String {
    let mut parts = json.split(r#""ival":-"#);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    kept
}

#[test]
fn regression_statements() {
    let mut statements = corpus::statements();
    statements.extend(corpus::own_statements());
    let (mut trees, mut negative, mut empty) = (0, 0, Vec::new());
    for sql in &statements {
        let Ok(tree) = pg::parse(sql) else { continue };
        let tree = tree.into_protobuf();
        trees += 1;
        let ours = json::to_string(&tree).expect("JSON");
        assert!(json::from_str::<ParseResult>(&ours).is_ok_and(|back| back == tree), "{sql}");

        assert_eq!(view::parse(sql).expect("parses").to_json(), ours, "{sql}");

        let theirs = c_route::json(sql).expect("ours parses");
        if ours == theirs {
            continue;
        }
        if let Some((sql, field)) = EMPTY_STRINGS.iter().find(|(known, _)| known == sql) {
            assert_eq!(theirs.replacen(&format!(r#","{field}":"""#), "", 1), ours);
            assert!(json::from_str::<ParseResult>(&theirs).is_ok_and(|back| back == tree));
            empty.push((*sql, *field));
            continue;
        }
        assert_eq!(without_negative_numbers(&ours), theirs, "{sql}");
        negative += 1;
    }
    println!(
        "{NAME}: {trees} trees; {negative} with numbers that C loses; empty strings: {empty:?}"
    );
    assert!(trees > 36_000, "{trees}");
    let since_18 = MAJOR >= 18;
    empty.sort_unstable();
    assert_eq!(empty, if since_18 { &[] } else { EMPTY_STRINGS });
    let expected = NEGATIVE.iter().rfind(|(since, _)| *since <= MAJOR).map_or(0, |(_, n)| *n);
    assert_eq!(negative, expected);
}

/// Empty strings where the grammar never has NULL, which the corpus lacks.
#[test]
fn empty_strings() {
    for sql in [
        "LOAD ''",
        "CREATE CONVERSION c FOR '' TO '' FROM f",
        "CREATE TABLESPACE t LOCATION ''",
        "CREATE SUBSCRIPTION s CONNECTION '' PUBLICATION p",
        "ALTER TYPE t ADD VALUE ''",
        "ALTER TYPE t RENAME VALUE 'a' TO ''",
        // Here it is a node.
        "SELECT '', B'', X'', E''; SET a = ''; CREATE FUNCTION f() RETURNS int AS '' LANGUAGE sql",
    ] {
        let tree = pg::parse(sql).expect(sql).into_protobuf();
        assert_eq!(json::to_string(&tree).unwrap(), c_route::json(sql).expect(sql));
    }
}

#[test]
fn escapes() {
    let sql = "SELECT '<a href=\"x\">\\ \u{1}\u{8}\t\n\u{c}\r\u{1f}\u{7f} ä\u{1F418}' AS \"\u{2028}</script>\"";
    let tree = pg::parse(sql).expect("parses").into_protobuf();
    let json = json::to_string(&tree).unwrap();
    assert_eq!(json, c_route::json(sql).unwrap());
    assert!(json.contains(r#""\u003ca href=\"x\"\u003e\\ \u0001\b\t\n\f\r\u001f"#), "{json}");
    assert_eq!(json::from_str::<ParseResult>(&json).unwrap(), tree);
    assert_eq!(serde_json::from_str::<ParseResult>(&json).unwrap(), tree);
}

/// An empty statement.
#[test]
fn nothing() {
    let tree = pg::parse(" -- nothing").unwrap().into_protobuf();
    let json = json::to_string(&tree).unwrap();
    assert_eq!(json, c_route::json(" -- nothing").unwrap());
    assert!(json.ends_with(r#","stmts":[]}"#), "{json}");
}

/// Values of all JSON libraries work, with any order of fields.
#[test]
fn by_values() {
    for sql in corpus::own_statements().iter().filter(|sql| sql.len() < 500) {
        let Ok(tree) = pg::parse(sql) else { continue };
        let value = serde_json::to_value(&tree.protobuf).expect("a value");
        let back: ParseResult =
            serde_json::from_value(value).unwrap_or_else(|e| panic!("{sql}: {e}"));
        assert_eq!(back, tree.protobuf);
    }
}

/// Returns a message with every field set, and one more level of messages in it.
fn filled(descriptor: &MessageDescriptor, depth: usize) -> DynamicMessage {
    let mut made = DynamicMessage::new(descriptor.clone());
    let integer = || {
        let mut integer = DynamicMessage::new(schema::message("Integer"));
        integer.set_field_by_name("ival", Value::I32(-7));
        Value::Message(schema::dynamic_node(Some(integer)))
    };
    for (field, number) in descriptor.fields().zip(1_u8..) {
        let value = match field.kind() {
            Kind::Uint64 if field.is_list() => Value::List([0, 1, 200].map(Value::U64).to_vec()),
            Kind::Message(_) if field.is_list() => Value::List(vec![integer(), integer()]),
            Kind::Message(child) if child.name() == "Node" => integer(),
            Kind::Message(_) if depth == 0 => continue,
            Kind::Message(child) => Value::Message(filled(&child, depth - 1)),
            Kind::Enum(item) => {
                Value::EnumNumber(item.values().last().expect("a constant").number())
            }
            Kind::String => Value::String(format!("string {number}")),
            Kind::Bool => Value::Bool(true),
            Kind::Int32 => Value::I32(i32::MIN + i32::from(number)),
            Kind::Int64 => Value::I64(i64::MIN + i64::from(number)),
            Kind::Uint32 => Value::U32(u32::MAX - u32::from(number)),
            Kind::Uint64 => Value::U64(u64::MAX - u64::from(number)),
            Kind::Double => Value::F64(0.1 + f64::from(number)),
            kind => panic!("{kind:?}"),
        };
        made.set_field(&field, value);
    }
    made
}

/// Includes nodes that the grammar never makes: each node with each field, and without any.
#[test]
fn every_field() {
    for descriptor in schema::node_types() {
        for value in [DynamicMessage::new(descriptor.clone()), filled(&descriptor, 1)] {
            let node = schema::node(Some(value));
            let json = json::to_string(&node).expect("JSON");
            assert!(json.starts_with(r#"{""#) && json.ends_with("}}"), "{json}");
            assert_eq!(
                json::from_str::<Node>(&json).unwrap_or_else(|e| panic!("{json}: {e}")),
                node
            );
        }
    }
    let empty = Node { node: None };
    assert_eq!(json::to_string(&empty).unwrap(), "{}");
    assert_eq!(json::from_str::<Node>("{}").unwrap(), empty);
}

/// The same for views: each node type with all of its fields and with none, and each node below.
#[test]
fn every_field_of_views() {
    let mut maker = Maker::default();
    for descriptor in schema::node_types() {
        for value in [maker.message(&descriptor, 2), DynamicMessage::new(descriptor)] {
            let node = schema::node(Some(value));
            let check = |view: view::Node<'_>| {
                for child in view.nodes() {
                    let owned = child.to_owned_tree().expect("an owned node");
                    assert_eq!(child.to_json(), json::to_string(&owned).expect("JSON"));
                }
            };
            node.to_ref().expect("a node").with_view(check).expect("a view");
        }
    }
    assert_eq!(view::Node::Null.to_json(), "{}");
}

#[test]
fn constants_without_a_name() {
    let select = SelectStmt { op: 77, limit_option: -1, ..SelectStmt::default() };
    let json = json::to_string(&select).unwrap();
    assert_eq!(json, r#"{"limitOption":-1,"op":77}"#);
    assert_eq!(json::from_str::<SelectStmt>(&json).unwrap(), select);
    let json = json::to_string(&SelectStmt::default()).unwrap();
    assert_eq!(json, r#"{"limitOption":"LIMIT_OPTION_UNDEFINED","op":"SET_OPERATION_UNDEFINED"}"#);
}

#[test]
fn mistakes() {
    for (json, message) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("[]", "invalid type: sequence, expected a node"),
        ("null", "invalid type: null, expected a node"),
        (r#"{"RangeVar"}"#, "expected `:`"),
        (r#"{"RangeVar":{}}}"#, "trailing characters"),
        (r#"{"RangeVar":{},}"#, "trailing comma"),
        (r#"{"RangeVar":{"inh":true"#, "EOF while parsing an object"),
        (r#"{"NoSuchNode":{}}"#, "unknown variant `NoSuchNode`"),
        (r#"{"RangeVar":{},"Alias":{}}"#, "a node with two types"),
        (r#"{"RangeVar":["catalog"]}"#, "invalid type: sequence, expected the fields of RangeVar"),
        (r#"{"RangeVar":{"":1}}"#, "unknown field ``, expected one of `catalogname`, `schemaname`"),
        (r#"{"RangeVar":{"relname":1}}"#, "invalid type: integer `1`, expected a string"),
        (r#"{"RangeVar":{"relname":null}}"#, "invalid type: null, expected a string"),
        (r#"{"RangeVar":{"rel":[[[[1]]]]}}"#, "unknown field `rel`, expected one of `catalogname`"),
        (r#"{"RangeVar":{"inh":true,"inh":true}}"#, "duplicate field `inh`"),
        (r#"{"RangeVar":{"location":2147483648}}"#, "invalid value: integer `2147483648`"),
        (r#"{"RangeVar":{"relname":"\ud800"}}"#, "unexpected end of hex escape"),
        (
            r#"{"SelectStmt":{"op":"SETOP_JOIN"}}"#,
            "\"SETOP_JOIN\", expected a constant of SetOperation",
        ),
        (r#"{"SelectStmt":{"op":2.5}}"#, "expected a constant of SetOperation"),
        (r#"{"SelectStmt":{"op":99999999999}}"#, "expected a constant of SetOperation"),
        (r#"{"A_Const":{"ival":{},"sval":{}}}"#, "a constant with two values"),
        (r#"{"A_Const":{"ival":1}}"#, "invalid type: integer `1`"),
        (r#"{"A_Const":{"nval":{}}}"#, "unknown field `nval`"),
        (r#"{"IntList":{"items":[1.5]}}"#, "expected i32"),
        (r#"{"List":{"items":[1]}}"#, "expected a node"),
    ] {
        let error = json::from_str::<Node>(json).expect_err(json).to_string();
        assert!(error.contains(message), "{json}: {error}");
    }
    let list = pg::protobuf::IntList { items: vec![Node { node: None }] };
    assert!(json::to_string(&list).is_err());
}

/// Fields in any order, `null` for missing values, a node without the object around it.
#[test]
fn other_ways_to_write_it() {
    let text = r#"{"RangeVar":{"location":7,"alias":null,"inh":true,"relname":"t"}}"#;
    let node = json::from_str::<Node>(text).expect("a node");
    let table = node.as_range_var().expect("a table");
    assert_eq!((&*table.relname, table.inh, table.location, &table.alias), ("t", true, 7, &None));
    let inner = node.node.clone().expect("a node");
    let value = serde_json::to_value(&inner).expect("a value");
    assert_eq!(value, serde_json::to_value(&node).expect("a value"));
    assert_eq!(serde_json::from_value::<NodeEnum>(value).expect("a node"), inner);
    let error = serde_json::from_str::<NodeEnum>("{}").unwrap_err().to_string();
    assert_eq!(error, "the node has no type");
}

/// Any truncated or changed input causes an error, or returns another valid tree.
#[test]
fn cut_and_changed() {
    let mut random = 1_u32;
    for sql in corpus::own_statements().iter().step_by(50) {
        let Ok(tree) = pg::parse(sql) else { continue };
        let json = json::to_string(&tree.protobuf).unwrap();
        for end in (0..json.len()).filter(|end| json.is_char_boundary(*end)) {
            assert!(json::from_str::<ParseResult>(&json[..end]).is_err(), "{}", &json[..end]);
        }
        for _ in 0..json.len() {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (random >> 8) as usize % json.len();
            let mut bytes = json.clone().into_bytes();
            bytes[at] = br#"{}[]":,-1an\ "#[(random >> 4) as usize % 13];
            if let Ok(changed) = String::from_utf8(bytes)
                && let Ok(other) = json::from_str::<ParseResult>(&changed)
            {
                let again = json::from_str(&json::to_string(&other).unwrap());
                assert!(again.is_ok_and(|again: ParseResult| again == other), "{changed}");
            }
        }
    }
}

type Shape = fn(usize) -> String;

const DEEP: [Shape; 3] = [
    |n| format!("SELECT 1{}", " + 1".repeat(n)),
    |n| format!("SELECT 1{}", " UNION SELECT 1".repeat(n)),
    |n| format!("SELECT 1{}", "::int".repeat(n)),
];

/// Everything that can be parsed can be read, up to the same level and on any thread.
#[test]
fn deep() {
    for shape in DEEP {
        let options = ParserOptions::default().max_depth(200_000);
        let tree = pg::parse_with(&shape(20_000), options).expect("parses");
        let json = json::to_string(&tree.protobuf).unwrap();
        on_thread(256 << 10, || {
            assert!(json::to_string(&tree.protobuf).unwrap() == json);
            assert!(tree.to_view().unwrap().to_json() == json);
            let error = json::from_str::<ParseResult>(&json).unwrap_err().to_string();
            assert!(error.starts_with("the tree is more than 6500 levels deep"), "{error}");
            let depth = tree.depth();
            let error = json::from_str_with::<ParseResult>(&json, depth - 1).unwrap_err();
            assert!(error.to_string().contains("levels deep"), "{error}");
            let read = json::from_str_with::<ParseResult>(&json, depth).unwrap();
            assert!(pg::ParseResult::from(read) == tree);
        });
        let tree = pg::parse(&shape(3_900)).expect("parses");
        let json = json::to_string(&tree.protobuf).unwrap();
        on_thread(256 << 10, || {
            let read = json::from_str::<ParseResult>(&json).unwrap();
            assert!(pg::ParseResult::from(read) == tree);
        });
    }
    // Not even brackets that no tree has.
    for text in ["[", "{\"List\":{\"items\":[", "{\"RawStmt\":{\"stmt\":"] {
        on_thread(2 << 20, || {
            assert!(json::from_str::<Node>(&text.repeat(1_000_000)).is_err());
        });
    }
}

/// An error next to a deep part, which has already been read and must be dropped.
#[test]
fn mistake_beside_a_deep_part() {
    for shape in DEEP {
        let options = ParserOptions::default().max_depth(200_000);
        let tree = pg::parse_with(&shape(20_000), options).expect("parses");
        let Some(NodeEnum::SelectStmt(select)) =
            tree.protobuf.stmts[0].stmt.as_ref().and_then(|stmt| stmt.node.as_ref())
        else {
            panic!()
        };
        let target = select.target_list.first().cloned();
        let part = target.unwrap_or_else(|| Node::from((**select).clone()));
        let part_json = json::to_string(&part).unwrap();
        part.drop_iteratively();
        on_thread(256 << 10, || {
            let error = json::from_str_with::<Node>(&format!("{part_json} x"), 200_000);
            assert!(error.unwrap_err().to_string().starts_with("trailing characters"));
            let mut part = json::from_str_with::<Node>(&part_json, 200_000).expect("a node");
            prost::Message::clear(&mut part);
            assert_eq!(part, Node { node: None });
        });
        // In the statement itself, and so deep that the stack has been switched.
        for around in [0, 1_000, 10_000] {
            let open = r#"{"BoolExpr":{"args":["#.repeat(around);
            let text = format!(r#"{open}{{"List":{{"items":[{part_json},"mistake"]}}}}"#);
            on_thread(256 << 10, || {
                let error = json::from_str_with::<Node>(&text, 200_000).unwrap_err();
                assert!(error.to_string().starts_with("invalid type: string"), "{error}");
            });
        }
    }
}

/// Names and values as in C.
#[test]
fn as_documented() {
    let json = json::to_string(&pg::parse("SELECT DISTINCT a FROM t").unwrap().protobuf).unwrap();
    let value: Json = serde_json::from_str(&json).unwrap();
    let select = &value["stmts"][0]["stmt"]["SelectStmt"];
    assert_eq!(select["distinctClause"], serde_json::json!([{}]));
    assert_eq!(select["limitOption"], "LIMIT_OPTION_DEFAULT");
    assert_eq!(select["op"], "SETOP_NONE");
    assert_eq!(select["fromClause"][0]["RangeVar"]["relpersistence"], "p");
}

/// What is told about statements, in serde's formats.
#[test]
fn results_are_objects() {
    let tree = pg::parse("DELETE FROM s.t AS x WHERE x.a = f(1)").expect("parses");
    let names = serde_json::to_value(tree.analyze()).expect("JSON");
    assert_eq!(
        names["tables"],
        serde_json::json!([{"name": {"schema": "s", "name": "t"}, "context": "Dml"}])
    );
    assert_eq!(names["filter_columns"][0]["column"], "a");
    let resolution = super::pg_names::resolve(&tree, &pg_ast_names::NoCatalog);
    let resolution = serde_json::to_value(resolution).expect("JSON");
    assert_eq!(resolution["tables"].as_array().map(Vec::len), Some(1));
    assert_eq!(resolution["functions"].as_array().map(Vec::len), Some(1));
    let version = MAJOR.to_string().parse().expect("a version");
    let effects = pg_ast_effects::effects_of(version, "TRUNCATE t").expect("parses");
    let effects = serde_json::to_value(effects).expect("JSON");
    assert_eq!(effects[0]["tables"][0]["lock"], "AccessExclusiveLock");
    #[cfg(feature = "lint")]
    {
        let findings = pg_ast_lint::lint("DROP TABLE t", &pg_ast_lint::Options::default());
        assert_eq!(serde_json::to_value(findings).expect("JSON")[0]["rule"], "drop-table");
    }
}

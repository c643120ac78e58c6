//! Messages with nothing in them, or with one field: printed, they are an error, or SQL that parses.

use std::collections::BTreeMap;

use pg_ast::{ErrorKind, ParseMode, ParserOptions};
use prost_reflect::{DynamicMessage, Kind, Value};

use super::maker::{is_char, is_header};
use super::pg::{self, Node, NodeMut, NodeRef, view};
use super::{NAME, schema};

/// Returns whether the SQL of a node parses, where such nodes are.
fn parses(node: NodeRef<'_>, sql: &str) -> bool {
    let before: &[&str] = match node {
        NodeRef::TypeName(_) => {
            let options = ParserOptions::default().mode(ParseMode::TypeName);
            return pg::parse_with(sql, options).is_ok();
        }
        // It is a part of a definition as well.
        NodeRef::CollateClause(_) => &["SELECT ", "CREATE DOMAIN d AS text "],
        NodeRef::CurrentOfExpr(_) => &["DELETE FROM t WHERE "],
        _ => &["", "SELECT ", "SELECT FROM "],
    };
    before.iter().any(|before| pg::parse(&format!("{before}{sql}")).is_ok())
}

fn check(
    node: &DynamicMessage,
    what: &str,
    failed: &mut BTreeMap<String, String>,
    counts: &mut (usize, usize),
) {
    let node: Node = schema::node(Some(node.clone()));
    match pg::deparse_node(&node) {
        Err(error) => {
            counts.0 += 1;
            assert_eq!(error.kind(), ErrorKind::Deparse, "{what}: {error:?}");
        }
        Ok(sql) => {
            counts.1 += 1;
            if !parses(node.to_ref().expect("a node"), &sql) {
                failed.insert(what.to_owned(), sql);
            }
        }
    }
}

#[test]
fn messages_with_little_in_them() {
    let mut failed = BTreeMap::new();
    let mut counts = (0, 0);
    for descriptor in schema::node_types() {
        let empty = DynamicMessage::new(descriptor.clone());
        check(&empty, descriptor.name(), &mut failed, &mut counts);
        for field in descriptor.fields().filter(|field| !is_header(field)) {
            let text = |text: &str| {
                let mut string = DynamicMessage::new(schema::message("String"));
                string.set_field_by_name("sval", Value::String(text.to_owned()));
                Value::Message(schema::dynamic_node(Some(string)))
            };
            let column = || {
                let mut column = DynamicMessage::new(schema::message("ColumnRef"));
                column.set_field_by_name("fields", Value::List(vec![text("x")]));
                Value::Message(schema::dynamic_node(Some(column)))
            };
            let values = match field.kind() {
                Kind::Uint64 if field.is_list() => continue,
                Kind::Message(child) if child.name() == "Node" && field.is_list() => {
                    vec![Value::List(vec![text("x")]), Value::List(vec![column()])]
                }
                Kind::Message(child) if child.name() == "Node" => vec![text("x"), column()],
                Kind::Message(child) => vec![Value::Message(DynamicMessage::new(child))],
                Kind::Enum(item) => {
                    item.values().skip(1).map(|value| Value::EnumNumber(value.number())).collect()
                }
                Kind::String if is_char(&field) => vec![Value::String("p".to_owned())],
                Kind::String => vec![Value::String("x".to_owned())],
                Kind::Bool => vec![Value::Bool(true)],
                Kind::Int32 => vec![Value::I32(1), Value::I32(-1)],
                Kind::Int64 => vec![Value::I64(1)],
                Kind::Uint32 => vec![Value::U32(1)],
                Kind::Uint64 => vec![Value::U64(1)],
                Kind::Double => vec![Value::F64(1.0)],
                kind => panic!("{kind:?}"),
            };
            for value in values {
                let mut one = empty.clone();
                let what = format!("{}.{} = {value}", descriptor.name(), field.name());
                one.set_field(&field, value);
                check(&one, &what, &mut failed, &mut counts);
            }
        }
    }
    println!("{NAME}: {} refused, {} printed", counts.0, counts.1);
    assert!(failed.is_empty(), "no SQL: {failed:#?}");
    assert!(counts.0 > 1_000 && counts.1 > 100, "{counts:?}");
}

#[test]
fn what_is_missing_is_said() {
    use super::pg::protobuf::{AlterEnumStmt, FuncCall, RangeVar, String, TruncateStmt};

    let printed = |node: Node| pg::deparse_node(&node).map_err(|error| error.message().to_owned());
    assert_eq!(
        printed(FuncCall::default().into()).unwrap_err(),
        "deparse: FuncCall without funcname has no SQL"
    );
    let name = || vec![String { sval: "e".to_owned() }.into()];
    let add =
        AlterEnumStmt { type_name: name(), new_val: "x".to_owned(), ..AlterEnumStmt::default() };
    assert_eq!(
        printed(add.clone().into()).unwrap_err(),
        "deparse: AlterEnumStmt without oldVal, newValNeighbor or newValIsAfter has no SQL"
    );
    let add = AlterEnumStmt { new_val_is_after: true, ..add };
    assert_eq!(printed(add.into()).unwrap(), "ALTER TYPE e ADD VALUE 'x'");
    // In a statement, in a view of it, and in an edited tree.
    let mut tree = pg::parse("SELECT f(1) FROM t").expect("parses");
    tree.nodes_mut().for_each(|node| {
        if let NodeMut::FuncCall(call) = node {
            call.funcname.clear();
        }
    });
    assert!(tree.deparse().is_err());
    // Calls that do not print it need no more than is there.
    let viewed = tree.protobuf.with_view(|stmts| view::Node::from(stmts[0]).nodes().count());
    assert_eq!(viewed, Ok(tree.nodes().count()));
    let mut view = view::parse("TRUNCATE t").expect("parses");
    let mut replace = |by: &TruncateStmt| {
        view.edit(|mut stmts, arena| {
            let mut stmt = stmts.iter_mut().next().expect("a statement");
            stmt.stmt_mut().set(arena.own(by).expect("a statement"));
        });
        view.deparse()
    };
    assert_eq!(
        replace(&TruncateStmt::default()).unwrap_err().message(),
        "deparse: TruncateStmt without relations has no SQL"
    );
    let table = RangeVar { relname: "u".to_owned(), inh: true, ..RangeVar::default() };
    let stmt = TruncateStmt { relations: vec![table.into()], ..TruncateStmt::default() };
    assert_eq!(replace(&stmt).unwrap(), "TRUNCATE u");
}

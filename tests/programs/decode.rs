//! `ParseResult::decode`: trees of thousands of levels, on a small stack, and malicious bytes.

use crate::common::peak::peak;
use pg_ast::{ErrorKind, NodeEnum, ParseResult, protobuf};
use prost::Message as _;
use prost::encoding::{WireType, encode_key, encode_varint};

/// The maximum memory per byte of input.
const BYTES_PER_BYTE: usize = 200;

/// Runs `f` on a thread with a small stack. Trees are returned, to be dropped elsewhere.
fn on_small_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn_scoped(scope, f);
        thread.expect("a thread").join().expect("no panic")
    })
}

fn kind(bytes: &[u8]) -> ErrorKind {
    on_small_stack(|| ParseResult::decode(bytes).map(drop)).expect_err("an error").kind()
}

/// `SELECT NOT NOT .. x`: each NOT is a level.
fn chain(levels: usize) -> ParseResult {
    let mut tree = pg_ast::parse("SELECT x").expect("parses");
    let mut node = target(&mut tree).val.take().expect("a value");
    for _ in 0..levels {
        let args = vec![std::mem::take(&mut *node)];
        let not = protobuf::BoolExpr {
            boolop: protobuf::BoolExprType::NotExpr.into(),
            args,
            ..protobuf::BoolExpr::default()
        };
        *node = not.into();
    }
    target(&mut tree).val = Some(node);
    tree
}

fn target(tree: &mut ParseResult) -> &mut protobuf::ResTarget {
    let stmt = tree.protobuf.stmts[0].stmt.as_mut().expect("a statement");
    let Some(NodeEnum::SelectStmt(select)) = &mut stmt.node else { unreachable!() };
    let Some(NodeEnum::ResTarget(target)) = &mut select.target_list[0].node else { unreachable!() };
    target
}

/// A field whose value is a message, or a string.
fn field(tag: u32, value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_key(tag, WireType::LengthDelimited, &mut bytes);
    encode_varint(value.len() as u64, &mut bytes);
    bytes.extend_from_slice(value);
    bytes
}

/// Returns the fields of the schema that lead to a statement.
const STMTS: u32 = 2;
const STMT: u32 = 1;

#[test]
fn deep_trees_come_back() {
    for levels in [0, 100, 3_000] {
        let tree = chain(levels);
        let bytes = tree.protobuf.encode_to_vec();
        let decoded = on_small_stack(|| ParseResult::decode(&bytes));
        assert!(decoded.as_ref().is_ok_and(|decoded| *decoded == tree), "{levels} levels");
    }
}

#[test]
fn the_depth_is_bounded_to_the_level() {
    let depth =
        |tree: &ParseResult| tree.nodes().with_depth().map(|(_, depth)| depth).max().unwrap_or(0);
    for levels in [0, 7, 500] {
        let tree = chain(levels);
        let bytes = tree.protobuf.encode_to_vec();
        let depth = depth(&tree);
        assert_eq!(ParseResult::decode_with_max_depth(&bytes, depth).as_ref(), Ok(&tree));
        let error = ParseResult::decode_with_max_depth(&bytes, depth - 1).expect_err("too deep");
        assert_eq!(error.kind(), ErrorKind::TooDeep);
    }
    let base = depth(&chain(0));
    assert!(ParseResult::decode(&chain(6_500 - base).protobuf.encode_to_vec()).is_ok());
    assert_eq!(kind(&chain(6_501 - base).protobuf.encode_to_vec()), ErrorKind::TooDeep);
}

/// The deepest nesting that bytes can contain: a level is two bytes, or a few more for long lengths.
#[test]
fn a_bound_of_any_size_asks_for_no_more_stack_than_the_bytes_can_use() {
    let bytes = pg_ast::parse("SELECT 1").expect("parses").protobuf.encode_to_vec();
    let decoded = on_small_stack(|| ParseResult::decode_with_max_depth(&bytes, usize::MAX));
    assert_eq!(decoded.expect("a tree").protobuf.stmts.len(), 1);
    let cut = &bytes[..bytes.len() - 1];
    let error = on_small_stack(|| ParseResult::decode_with_max_depth(cut, usize::MAX).map(drop));
    assert_eq!(error.expect_err("an error").kind(), ErrorKind::Decode);
}

#[test]
fn far_too_deep_is_refused_early() {
    let mut statement = Vec::new();
    // Node { list: List { items: [Node ..] } }
    let node = protobuf::Node { node: Some(protobuf::List::default().into()) }.encode_to_vec();
    let mut key = &node[..];
    let (list, _) = prost::encoding::decode_key(&mut key).expect("a key");
    for _ in 0..9_000 {
        statement = field(list, &field(1, &statement));
    }
    let bytes = field(STMTS, &field(STMT, &statement));
    let (most, kind) = peak(|| ParseResult::decode(&bytes).expect_err("too deep").kind());
    assert_eq!(kind, ErrorKind::TooDeep);
    assert!(most < BYTES_PER_BYTE * bytes.len(), "{most} bytes for {}", bytes.len());
}

/// prost drops what it has decoded when it finds an error: here a deep sibling that is complete.
#[test]
fn a_mistake_behind_a_deep_sibling() {
    let mut tree = chain(3_000);
    let deep = target(&mut tree).val.take().expect("a value");
    let text: protobuf::String = protobuf::String { sval: "mistake".to_owned() };
    let args = vec![*deep, text.into()];
    let both = protobuf::BoolExpr { args, ..protobuf::BoolExpr::default() };
    target(&mut tree).val = Some(Box::new(both.into()));
    let mut bytes = tree.protobuf.encode_to_vec();
    let at = bytes.windows(7).position(|window| window == b"mistake").expect("the text");
    bytes[at] = 0xff;
    assert_eq!(kind(&bytes), ErrorKind::Decode);
    let message = ParseResult::decode(&bytes).expect_err("an error").message().to_owned();
    assert!(message.len() < 200 && message.contains("UTF-8"), "{message}");
}

/// The part before an error is complete, and dropped with the rest.
#[test]
fn a_mistake_behind_a_deep_statement() {
    let mut bytes = chain(3_500).protobuf.encode_to_vec();
    bytes.extend(field(STMTS, &[0xff]));
    assert_eq!(kind(&bytes), ErrorKind::Decode);
    let one_more = on_small_stack(|| ParseResult::decode_with_max_depth(&bytes, 3_000).map(drop));
    assert_eq!(one_more.expect_err("an error").kind(), ErrorKind::TooDeep);
}

/// Of a repeated node the last one counts; prost drops the first.
#[test]
fn a_node_in_the_place_of_a_deep_one() {
    let mut deep = chain(3_500);
    let deep = deep.protobuf.stmts.remove(0).stmt.expect("a statement");
    let begin = pg_ast::parse("BEGIN").expect("parses");
    let short = begin.protobuf.stmts[0].stmt.as_ref().expect("a statement").encode_to_vec();
    let statement = [deep.encode_to_vec(), short].concat();
    // At deeper levels, where more of the stack is used.
    let bytes = field(STMTS, &field(STMT, &statement));
    let tree = on_small_stack(|| ParseResult::decode(&bytes)).expect("decodes");
    assert_eq!(tree.deparse().as_deref(), Ok("BEGIN"));
}

#[test]
fn unknown_groups_take_no_stack() {
    // Field 15 begins a group, and ends one.
    let groups = 1_000_000;
    let balanced = [vec![0x7b; groups], vec![0x7c; groups]].concat();
    let decoded = on_small_stack(|| ParseResult::decode(&balanced)).expect("decodes");
    assert!(decoded.protobuf.stmts.is_empty());
    assert_eq!(kind(&balanced[..groups]), ErrorKind::Decode);
    assert_eq!(kind(&[0x7c]), ErrorKind::Decode);
    // prost's own call, too.
    let own = on_small_stack(|| protobuf::ParseResult::decode(&*balanced)).expect("decodes");
    assert!(own.stmts.is_empty());
}

#[test]
fn unknown_fields_are_skipped() {
    let tree = pg_ast::parse("SELECT 1").expect("parses");
    let mut bytes = field(100, b"whatever");
    bytes.extend([0x7b, 0x08, 0x96, 0x01, 0x7c]);
    bytes.extend(tree.protobuf.encode_to_vec());
    bytes.extend(field(101, &[]));
    assert_eq!(ParseResult::decode(&bytes), Ok(tree));
}

#[test]
fn prost_keeps_its_bound_or_none() {
    // The tests disable the limit for the whole program; our decoder leaves that setting unchanged.
    let tree = chain(1_000);
    let bytes = tree.protobuf.encode_to_vec();
    assert!(ParseResult::decode_with_max_depth(&bytes, 10).is_err());
    assert_eq!(protobuf::ParseResult::decode(&*bytes).as_ref(), Ok(&tree.protobuf));
}

#[test]
fn bytes_that_are_no_tree() {
    assert_eq!(ParseResult::decode(&[]), Ok(ParseResult::default()));
    for bytes in [
        &b"SELECT 1"[..],
        &[0],
        &[0xff; 20],
        // A statement of 2^63 bytes, of 2^32, and of one byte more than the input has.
        &[0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
        &[0x12, 0xff, 0xff, 0xff, 0xff, 0x0f],
        &[0x12, 0x01],
        // The version is not a message.
        &[0x0a, 0x00],
    ] {
        let (most, result) = peak(|| ParseResult::decode(bytes));
        assert_eq!(result.expect_err("an error").kind(), ErrorKind::Decode, "{bytes:?}");
        assert!(most < 10_000, "{most} bytes for {bytes:?}");
    }
}

/// The input with the most memory per byte: the node types, each empty, in a list.
#[test]
fn memory_grows_as_the_input_does() {
    let list = |node: &[u8]| {
        let items = field(1, node).repeat(20_000);
        let list = protobuf::Node { node: Some(protobuf::List::default().into()) }.encode_to_vec();
        let mut key = &list[..];
        let (tag, _) = prost::encoding::decode_key(&mut key).expect("a key");
        field(STMTS, &field(STMT, &field(tag, &items)))
    };
    let mut worst = (0, 0);
    for tag in 0..300 {
        let node = if tag == 0 { Vec::new() } else { field(tag, &[]) };
        let bytes = list(&node);
        let (most, result) = peak(|| ParseResult::decode(&bytes));
        result.expect("decodes");
        worst = worst.max((most / bytes.len(), tag));
        assert!(most <= BYTES_PER_BYTE * bytes.len(), "{most} for {} of {tag}", bytes.len());
    }
    println!("{} bytes a byte, by node {}", worst.0, worst.1);
    // Statements, and numbers without a key each.
    let set = protobuf::RtePermissionInfo {
        selected_cols: vec![1; 100_000],
        ..protobuf::RtePermissionInfo::default()
    };
    let node = protobuf::Node { node: Some(set.into()) };
    for bytes in
        [field(STMTS, &[]).repeat(100_000), field(STMTS, &field(STMT, &node.encode_to_vec()))]
    {
        let (most, result) = peak(|| ParseResult::decode(&bytes));
        result.expect("decodes");
        assert!(most <= BYTES_PER_BYTE * bytes.len(), "{most} for {}", bytes.len());
    }
}

/// The messages outside of the tree: Protobuf's own descriptors can decode their encoding.
#[test]
fn messages_beside_the_tree_are_written_and_read() {
    use prost_reflect::{DescriptorPool, DynamicMessage};
    use protobuf::summary_result::{Context, FilterColumn, Function, Table};
    use protobuf::{ScanResult, SummaryResult};

    let schema = std::fs::read(env!("PG_AST_SCHEMA")).expect("a schema");
    let pool = DescriptorPool::decode(schema.as_slice()).expect("a pool");
    let again = |name: &str, bytes: &[u8]| {
        let descriptor = pool.get_message_by_name(&format!("pg_query.{name}")).expect("a message");
        let message = DynamicMessage::decode(descriptor, bytes).expect("what encodes decodes");
        (message.encode_to_vec(), format!("{message:?}"))
    };

    let scan = ScanResult::from(pg_ast::scan("SELECT $1, 'é' -- x").expect("scans"));
    let bytes = scan.encode_to_vec();
    assert_eq!(again("ScanResult", &bytes).0, bytes);
    assert_eq!(ScanResult::decode(&*bytes), Ok(scan.clone()));
    assert_eq!(bytes.len(), scan.encoded_len());

    let summary = SummaryResult {
        tables: vec![Table {
            name: "s.t".to_owned(),
            schema_name: "s".to_owned(),
            table_name: "t".to_owned(),
            context: Context::Dml.into(),
        }],
        aliases: [("a".to_owned(), "s.t".to_owned()), ("empty".to_owned(), String::new())].into(),
        // An empty one is not omitted.
        cte_names: vec!["c".to_owned(), String::new(), "d".to_owned()],
        functions: vec![Function { name: "f".to_owned(), ..Function::default() }],
        filter_columns: vec![FilterColumn { column: "x".to_owned(), ..FilterColumn::default() }],
        statement_types: vec!["SelectStmt".to_owned()],
        truncated_query: "SELECT ...".to_owned(),
    };
    let bytes = summary.encode_to_vec();
    assert_eq!(SummaryResult::decode(&*bytes), Ok(summary.clone()));
    assert_eq!(SummaryResult::decode(&*again("SummaryResult", &bytes).0), Ok(summary.clone()));
    assert_eq!(summary.tables[0].context(), Context::Dml);
    assert_eq!(Context::try_from(5).map_err(|error| error.0), Err(5));
    assert!(again("SummaryResult", &bytes).1.contains(r#"String("d")"#));
}

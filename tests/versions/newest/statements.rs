//! Our own statements, and the lists of node types and constants
//! that they must contain: all that the grammar can make.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_int;
use std::path::Path;

use crate::common::corpus;
use crate::pg18::version::{c_route, schema};
use pg_ast::protobuf::{List, ParseResult as Tree};
use pg_ast::{Node, NodeEnum, ParseMode, ParserOptions};
use prost_reflect::{Kind, ReflectMessage as _, Value};

/// The modes of the parser, by their names in modes.txt; their index is libpg_query's number.
const MODES: &[(&str, ParseMode)] = &[
    ("default", ParseMode::Default),
    ("type_name", ParseMode::TypeName),
    ("plpgsql_expr", ParseMode::PlPgSqlExpr),
    ("plpgsql_assign1", ParseMode::PlPgSqlAssign1),
    ("plpgsql_assign2", ParseMode::PlPgSqlAssign2),
    ("plpgsql_assign3", ParseMode::PlPgSqlAssign3),
];

/// Returns a file of the folder, without its comments.
fn list(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("statements").join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// Returns the SQL for the modes other than the default: the mode, libpg_query's number, the SQL.
fn modes() -> Vec<(ParseMode, c_int, String)> {
    let line = |line: String| {
        let (name, text) = line.split_once('\t').unwrap_or_else(|| panic!("no tab in {line:?}"));
        let number = MODES.iter().position(|(mode, _)| *mode == name).expect("a mode");
        (MODES[number].1, c_int::try_from(number).expect("small"), text.to_owned())
    };
    list("modes.txt").into_iter().map(line).collect()
}

/// Returns `Name`, or `EnumType CONSTANT`, without the reason after it.
fn unreachable() -> BTreeSet<String> {
    let entry = |line: String| line.split_once("  ").map(|(entry, _)| entry.to_owned());
    list("unreachable.txt").into_iter().map(|line| entry(line).expect("a reason")).collect()
}

/// Returns the node types and the constants in all of our statements.
fn seen() -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut see = |tree: &pg_ast::ParseResult| {
        schema::walk(&schema::dynamic(&tree.protobuf), &mut |message| {
            seen.insert(message.descriptor().name().to_owned());
            for (field, value) in message.fields() {
                if let (Kind::Enum(item), Value::EnumNumber(number)) = (field.kind(), value) {
                    let constant = item.get_value(*number).expect("a constant of the schema");
                    seen.insert(format!("{} {}", item.name(), constant.name()));
                }
            }
        });
    };
    for (path, sql) in corpus::own() {
        see(&pg_ast::parse(&sql).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    }
    for (mode, _, text) in modes() {
        let options = ParserOptions::default().mode(mode);
        see(&pg_ast::parse_with(&text, options).unwrap_or_else(|error| panic!("{text}: {error}")));
    }
    seen
}

/// Returns all node types and constants of the schema that a list must have.
fn schema_entries() -> BTreeSet<String> {
    // Types of the scanner's results, which are not part of a tree.
    const NOT_OF_TREES: &[&str] = &["Token", "KeywordKind"];
    let nodes = schema::node_types().into_iter().map(|node| node.name().to_owned());
    let file = schema::message("Node").parent_file();
    let constants =
        file.enums().filter(|item| !NOT_OF_TREES.contains(&item.name())).flat_map(|item| {
            let values = item.values().filter(|value| value.number() != 0);
            values.map(|value| format!("{} {}", item.name(), value.name())).collect::<Vec<_>>()
        });
    nodes.chain(constants).collect()
}

#[test]
fn every_entry_of_the_schema_is_on_one_list() {
    let mut lists: BTreeMap<String, usize> = BTreeMap::new();
    for entry in list("nodes.txt").into_iter().chain(list("enums.txt")).chain(unreachable()) {
        *lists.entry(entry).or_default() += 1;
    }
    let twice: Vec<_> = lists.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "on two lists: {twice:?}");
    let listed: BTreeSet<_> = lists.into_keys().collect();
    let schema = schema_entries();
    let missing: Vec<_> = schema.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&schema).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "on no list: {missing:?}\nnot in the schema: {unknown:?}"
    );
}

#[test]
fn what_can_be_reached_is_reached() {
    let seen = seen();
    let mut reached = list("nodes.txt");
    reached.extend(list("enums.txt"));
    println!("{} node types and constants", reached.len());
    let missing: Vec<_> = reached.iter().filter(|entry| !seen.contains(*entry)).collect();
    assert!(missing.is_empty(), "in no statement of ours: {missing:?}");
    let wrong: Vec<_> = unreachable().into_iter().filter(|entry| seen.contains(entry)).collect();
    assert!(wrong.is_empty(), "not unreachable: {wrong:?}");
}

#[test]
fn whole_files_equal_the_oracle() {
    let files = corpus::own();
    assert!(files.len() >= 15, "{}", files.len());
    for (path, sql) in files {
        let ours =
            pg_ast::parse(&sql).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let theirs = c_route::parse(&sql, 0).unwrap_or_else(|error| panic!("{path:?}: {error:?}"));
        assert_eq!(ours.protobuf.stmts.len(), theirs.stmts.len(), "{path:?}");
        for (ours, theirs) in ours.protobuf.stmts.iter().zip(&theirs.stmts) {
            assert_eq!(ours, theirs, "{path:?}");
        }
        assert_eq!(ours.protobuf.version, theirs.version);
    }
}

/// For a type's name, the C parser returns only a `TypeName`. libpg_query
/// treats it as a `RawStmt`, and so reads its names, which are at the place of
/// a `RawStmt`'s statement, as that statement; ours is wrapped in a `RawStmt`.
fn as_theirs(mode: ParseMode, ours: pg_ast::ParseResult) -> Tree {
    let mut tree = ours.into_protobuf();
    if mode == ParseMode::TypeName {
        let stmt = tree.stmts[0].stmt.take().and_then(|stmt| stmt.node);
        let Some(NodeEnum::TypeName(name)) = stmt else { panic!("no type name: {stmt:?}") };
        // The two flags are at the place of a RawStmt's length.
        let flags = [u8::from(name.setof), u8::from(name.pct_type), 0, 0];
        tree.stmts[0].stmt_len = i32::from_ne_bytes(flags);
        let names = NodeEnum::List(List { items: name.names });
        tree.stmts[0].stmt = Some(Box::new(Node { node: Some(names) }));
    }
    tree
}

#[test]
fn modes_equal_the_oracle() {
    let modes = modes();
    assert!(modes.len() >= 28, "{}", modes.len());
    for (mode, number, text) in modes {
        let options = ParserOptions::default().mode(mode);
        let ours = pg_ast::parse_with(&text, options).map(|result| as_theirs(mode, result));
        let theirs = c_route::parse(&text, number);
        assert_eq!(ours.ok(), theirs.ok(), "{mode:?}: {text}");
    }
}

#[test]
fn a_mode_takes_no_text_of_another() {
    for (mode, number, text) in modes() {
        for (other, &(_, other_mode)) in MODES.iter().enumerate() {
            let options = ParserOptions::default().mode(other_mode);
            let ours = pg_ast::parse_with(&text, options);
            let theirs = c_route::parse(&text, c_int::try_from(other).expect("small"));
            match (ours, theirs) {
                (Ok(ours), Ok(theirs)) => {
                    assert_eq!(as_theirs(other_mode, ours), theirs, "{mode:?}: {text}");
                }
                (Err(ours), Err(theirs)) => {
                    assert_eq!(ours.message(), theirs.message, "{other_mode:?}: {text}");
                    assert_ne!(i32::try_from(other), Ok(number), "{text}");
                }
                (ours, theirs) => panic!("{other_mode:?}: {text}\n{ours:?}\n{theirs:?}"),
            }
        }
    }
}

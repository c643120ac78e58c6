//! The parts of the tree that do not count in a fingerprint, or have special rules.

use std::error::Error;

use prost_types::FieldDescriptorProto;

use super::attributes::is_location;
use super::schema::Schema;

/// Nodes that do not count at all: constants and parameters, names that a query defines; and nodes that
/// only parse analysis makes, for which libpg_query has no rules.
const NOTHING: &[&str] = &[
    "A_Const",
    "Alias",
    "DistinctExpr",
    "IntList",
    "NullIfExpr",
    "OidList",
    "ParamRef",
    "SetToDefault",
];

/// Nodes with rules of their own: the constants of `Rule` in `pg_ast/convert/c_tree/table.rs`, of which
/// `pg_ast/version/fingerprint/rules.rs` says what they write. Behind each, what comes after its name if it has a value
/// and nothing else: that of what holds a text is called `str` whatever the version calls it, so that fingerprints stay
/// what they were.
const BY_RULE: &[(&str, &str)] = &[
    ("BitString", "str"),
    ("Boolean", "boolval"),
    ("Float", "str"),
    ("Integer", "ival"),
    ("RangeVar", ""),
    ("String", "str"),
    ("TypeCast", ""),
];

/// Fields with lists in which order and repetition do not count, in any struct.
const SORTED: &[&str] = &["args", "cols", "fromClause", "rexpr", "targetList", "valuesLists"];

/// Fields that libpg_query's generator leaves out (`Intentionally ignoring ..`), besides locations.
const IGNORED: &[(&str, &[&str])] = &[
    ("ClosePortalStmt", &["portalname"]),
    ("CreateFunctionStmt", &["options"]),
    ("CreateTableSpaceStmt", &["location"]),
    ("DeallocateStmt", &["name"]),
    ("DeclareCursorStmt", &["portalname"]),
    ("DoStmt", &["args"]),
    ("ExecuteStmt", &["name"]),
    ("FetchStmt", &["portalname"]),
    ("FunctionParameter", &["name"]),
    ("ListenStmt", &["conditionname"]),
    ("NotifyStmt", &["conditionname"]),
    ("PrepareStmt", &["name"]),
    ("RawStmt", &["stmt_len"]),
    ("TransactionStmt", &["gid", "savepoint_name"]),
    ("UnlistenStmt", &["conditionname"]),
];

/// The same, until PostgreSQL 17.
const IGNORED_UNTIL_17: &[(&str, &[&str])] = &[("TransactionStmt", &["options"])];

/// The same, since PostgreSQL 18.
const IGNORED_SINCE_18: &[(&str, &[&str])] = &[
    ("CreateRoleStmt", &["role"]),
    ("NotifyStmt", &["payload"]),
    ("RenameStmt", &["newname", "subname"]),
    ("RoleSpec", &["rolename"]),
    ("VariableSetStmt", &["jumble_args"]),
];

/// Fields with a relation that a query reads or writes, and not one that is defined.
const QUERIES: &[(&str, &[&str])] = &[
    ("DeleteStmt", &["relation", "usingClause"]),
    ("InsertStmt", &["relation"]),
    ("MergeStmt", &["relation", "sourceRelation"]),
    ("SelectStmt", &["fromClause"]),
    ("UpdateStmt", &["relation", "fromClause"]),
];

/// Nodes that are in queries alone: what is in any of their fields is, too.
const IN_QUERIES: &[&str] = &["JoinExpr", "LockingClause", "RangeTableSample"];

/// Fields in which a name does not count that is in `OUTPUT`; and those that are: what a `SELECT` calls its columns.
const OUTPUTS: &[(&str, &[&str])] = &[("ResTarget", &["name"]), ("SelectStmt", &["targetList"])];

/// What a node writes, as `Counts` in `pg_ast/convert/c_tree/table.rs` has it; and what it writes first: its name, and
/// that of its value if it has nothing else.
pub(crate) fn counts(message: &str) -> (String, String) {
    if NOTHING.contains(&message) {
        return ("Nothing".to_owned(), message.to_owned());
    }
    match BY_RULE.iter().find(|(name, _)| *name == message) {
        // The rule is the one of the node's own name, so that it cannot be that of another struct.
        Some((name, value)) => (format!("ByRule({name})"), format!("{name}{value}")),
        None => ("Fields".to_owned(), message.to_owned()),
    }
}

/// The table of what only this major version ignores: its name, and itself.
fn ignored_by(major: u32) -> (&'static str, &'static [(&'static str, &'static [&'static str])]) {
    if major <= 17 {
        ("IGNORED_UNTIL_17", IGNORED_UNTIL_17)
    } else {
        ("IGNORED_SINCE_18", IGNORED_SINCE_18)
    }
}

/// Whether a table of fields lists a field, by its C name.
fn lists(table: &[(&str, &[&str])], message: &str, field: &str) -> bool {
    table.iter().any(|(name, fields)| *name == message && fields.contains(&field))
}

/// Returns whether a field does not count.
pub(crate) fn is_ignored(major: u32, message: &str, field: &FieldDescriptorProto) -> bool {
    let (_, of_version) = ignored_by(major);
    NOTHING.contains(&message)
        || is_location(field)
        || lists(IGNORED, message, field.json_name())
        || lists(of_version, message, field.json_name())
}

/// Where a field, by its C name, puts what it holds; or, of a text, where it does not count: constants of `HashPlace` in
/// `pg_ast/foundation/hashing.rs`.
pub(crate) fn place(message: &str, field: &str) -> String {
    let places = [
        ("SORTED", SORTED.contains(&field)),
        ("QUERY", lists(QUERIES, message, field) || IN_QUERIES.contains(&message)),
        ("OUTPUT", lists(OUTPUTS, message, field)),
    ];
    let places: Vec<_> = places.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    places.join(" ")
}

/// Holds these tables against the schema.
///
/// # Errors
///
/// An entry is about what the version does not have.
pub(crate) fn check(schema: &Schema) -> Result<(), Box<dyn Error>> {
    for (table, names) in [("NOTHING", NOTHING), ("IN_QUERIES", IN_QUERIES)] {
        for name in names {
            schema.known(table).message(name)?;
        }
    }
    for (name, _) in BY_RULE {
        schema.known("BY_RULE").message(name)?;
    }
    for name in SORTED {
        schema.known("SORTED").field_name(name)?;
    }
    let of_fields = [
        ("IGNORED", IGNORED),
        ignored_by(schema.major),
        ("QUERIES", QUERIES),
        ("OUTPUTS", OUTPUTS),
    ];
    for (table, entries) in of_fields {
        for (message, fields) in entries {
            for field in *fields {
                schema.known(table).field(message, field)?;
            }
        }
    }
    Ok(())
}

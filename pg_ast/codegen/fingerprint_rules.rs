//! What of the tree makes no difference to a fingerprint, or has rules of its own.

use crate::attributes::is_location;
use crate::descriptor::FieldDescriptorProto;

/// Nodes that make no difference at all: constants and parameters, names that a query gives; and what
/// only parse analysis makes, for which libpg_query has no rule.
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

/// Nodes with rules of their own: the constants of `Rule` in `pg_ast/runtime/c_tree/table.rs`, of which
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

/// Fields with lists whose items' order and repetition do not count, in whatever struct.
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
    ("VariableSetStmt", &["jumble_args"]),
];

/// The same, until PostgreSQL 17.
const IGNORED_UNTIL_17: &[(&str, &[&str])] = &[("TransactionStmt", &["options"])];

/// The same, since PostgreSQL 18.
const IGNORED_SINCE_18: &[(&str, &[&str])] = &[
    ("CreateRoleStmt", &["role"]),
    ("NotifyStmt", &["payload"]),
    ("RenameStmt", &["newname", "subname"]),
    ("RoleSpec", &["rolename"]),
];

/// What a node writes, as `Counts` in `pg_ast/runtime/c_tree/table.rs` has it; and what it writes first: its name, and
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

/// Whether a field makes no difference.
pub(crate) fn is_ignored(version: &str, message: &str, field: &FieldDescriptorProto) -> bool {
    let of_version = match version {
        "pg15" | "pg16" | "pg17" => IGNORED_UNTIL_17,
        _ => IGNORED_SINCE_18,
    };
    let mut ignored = IGNORED.iter().chain(of_version);
    let is_listed =
        |(name, fields): &(&str, &[&str])| *name == message && fields.contains(&field.json_name());
    NOTHING.contains(&message) || is_location(field) || ignored.any(is_listed)
}

/// Where a field, by its C name, puts what it holds; or, of a text, where it does not count: constants of `Place` in `pg_ast/runtime/hashing.rs`.
pub(crate) fn place(message: &str, field: &str) -> String {
    let is_query = match message {
        "SelectStmt" => field == "fromClause",
        "InsertStmt" => field == "relation",
        "UpdateStmt" => ["relation", "fromClause"].contains(&field),
        "DeleteStmt" => ["relation", "usingClause"].contains(&field),
        "MergeStmt" => ["relation", "sourceRelation"].contains(&field),
        "JoinExpr" | "RangeTableSample" | "LockingClause" => true,
        _ => false,
    };
    let places = [
        ("SORTED", SORTED.contains(&field)),
        ("QUERY", is_query),
        // What a `SELECT` calls its columns does not count.
        (
            "OUTPUT",
            [("SelectStmt", "targetList"), ("ResTarget", "name")].contains(&(message, field)),
        ),
    ];
    let places: Vec<_> = places.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    places.join(" ")
}

//! What of the tree makes no difference to a fingerprint, or has rules of its own.

use crate::schema::Schema;

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

/// Messages and enumerations for which `pg_ast/version/fingerprint/rules.rs` has code, since what counts depends
/// on more than the field. Two impls do not compile, nor does none: so neither list can lack one of the other.
const BY_HAND: &[&str] = &[
    "A_Expr_Kind",
    "BitString",
    "Boolean",
    "Float",
    "Integer",
    "RangeVar",
    "ResTarget",
    "String",
    "TypeCast",
];

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

/// Whether the rules of a message or an enumeration follow from its fields. Of a node that makes no
/// difference there is something to derive only where a field points to it by its type.
pub(crate) fn is_derived(schema: &Schema, name: &str) -> bool {
    let path = format!(".pg_query.{name}");
    let mut fields = schema.messages.values().flat_map(|message| &message.field);
    !BY_HAND.contains(&name)
        && (!is_nothing(name)
            || fields.any(|field| field.oneof_index.is_none() && field.type_name() == path))
}

/// Whether a node makes no difference.
pub(crate) fn is_nothing(name: &str) -> bool {
    NOTHING.contains(&name)
}

/// Whether a field, by its C name, makes no difference.
pub(crate) fn is_ignored(version: &str, message: &str, field: &str) -> bool {
    let of_version = match version {
        "pg15" | "pg16" | "pg17" => IGNORED_UNTIL_17,
        _ => IGNORED_SINCE_18,
    };
    let mut ignored = IGNORED.iter().chain(of_version);
    is_nothing(message) || ignored.any(|(name, fields)| *name == message && fields.contains(&field))
}

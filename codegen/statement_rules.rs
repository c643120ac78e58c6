//! The fields of statements that tell what these name, by rules over the schema; and the parts that libpg_query
//! looks at. `pg_ast/version/facts/analysis/` and `pg_ast/version/print/truncate/` read these tables.

use std::error::Error;
use std::fmt::Write as _;

use prost_types::{DescriptorProto, FieldDescriptorProto};

use super::objects::OBJECT_TYPE;
use super::schema::{NODE, Schema, Type, is_repeated, last};

/// The types of fields with the kind of an object.
const KINDS: [&str; 2] = [OBJECT_TYPE, "ReindexObjectType"];

/// Fields with the relation that a statement is about, if that is a table.
const TABLES: [&str; 4] = ["constrrel", "relation", "table", "view"];

/// Fields with other relations, or with objects named like one: statements with such a field are not
/// about tables.
const OTHER_RELATIONS: [(&str, &str); 5] = [
    ("AlterSeqStmt", "sequence"),
    ("CompositeTypeStmt", "typevar"),
    ("ConstraintsSetStmt", "constraints"),
    ("CreateSeqStmt", "sequence"),
    // They are on another server.
    ("ImportForeignSchemaStmt", "table_list"),
];

/// Fields in which a walk over the children finds all names.
const WALKED: [&str; 14] = [
    "action",
    "base",
    "funccall",
    "into",
    "pubobjects",
    "query",
    "relations",
    "rels",
    "returnval",
    "schemaElts",
    "selectStmt",
    "sql_body",
    "stmt",
    "val",
];

/// Statements that no rule classifies, since they name neither tables nor functions. A function that is
/// with a special use there, such as the handler of a language, does not count.
const NAME_NOTHING: &[&str] = &[
    "AlterCollationStmt",
    "AlterDatabaseRefreshCollStmt",
    "AlterDatabaseSetStmt",
    "AlterDatabaseStmt",
    "AlterDomainStmt",
    "AlterEnumStmt",
    "AlterEventTrigStmt",
    "AlterExtensionStmt",
    "AlterFdwStmt",
    "AlterForeignServerStmt",
    "AlterOpFamilyStmt",
    "AlterOperatorStmt",
    "AlterRoleSetStmt",
    "AlterRoleStmt",
    "AlterStatsStmt",
    "AlterSubscriptionStmt",
    "AlterSystemStmt",
    "AlterTSConfigurationStmt",
    "AlterTSDictionaryStmt",
    "AlterTableSpaceOptionsStmt",
    "AlterTypeStmt",
    "AlterUserMappingStmt",
    "CheckPointStmt",
    "ClosePortalStmt",
    "CreateAmStmt",
    "CreateConversionStmt",
    "CreateDomainStmt",
    "CreateEnumStmt",
    "CreateExtensionStmt",
    "CreateFdwStmt",
    "CreateForeignServerStmt",
    "CreateOpClassStmt",
    "CreateOpFamilyStmt",
    "CreatePLangStmt",
    "CreateRangeStmt",
    "CreateRoleStmt",
    "CreateSubscriptionStmt",
    "CreateTableSpaceStmt",
    "CreateTransformStmt",
    "CreateUserMappingStmt",
    "CreatedbStmt",
    "DeallocateStmt",
    "DiscardStmt",
    "DoStmt",
    "DropOwnedStmt",
    "DropRoleStmt",
    "DropSubscriptionStmt",
    "DropTableSpaceStmt",
    "DropUserMappingStmt",
    "DropdbStmt",
    "ExecuteStmt",
    "FetchStmt",
    "GrantRoleStmt",
    "ListenStmt",
    "LoadStmt",
    "NotifyStmt",
    "ReassignOwnedStmt",
    "ReplicaIdentityStmt",
    "SetOperationStmt",
    "TransactionStmt",
    "UnlistenStmt",
    "VariableSetStmt",
    "VariableShowStmt",
];

/// The parts that libpg_query's summary looks at (`pg_query_summary.c` and `pg_query_summary_statement_type.c`).
///
/// Of a utility statement these are the paths from the statement to what counts; of other
/// statements, which are looked at as a whole, the conditions whose columns count.
struct SummaryRule {
    stmt: &'static str,
    /// The kinds of objects that this applies to, as `Kinds` of `pg_ast/convert/roles.rs` has it.
    kinds: (&'static str, &'static [&'static str]),
    /// True if the types of the statements in it count.
    types: bool,
    paths: &'static [&'static str],
}

const fn summary(stmt: &'static str, paths: &'static [&'static str]) -> SummaryRule {
    SummaryRule { stmt, kinds: ("AllBut", &[]), types: true, paths }
}

impl SummaryRule {
    const fn only(self, kinds: &'static [&'static str]) -> Self {
        Self { kinds: ("Only", kinds), ..self }
    }

    const fn all_but(self, kinds: &'static [&'static str]) -> Self {
        Self { kinds: ("AllBut", kinds), ..self }
    }

    const fn untyped(self) -> Self {
        Self { types: false, ..self }
    }
}

const SUMMARIES: [SummaryRule; 20] = [
    summary("AlterTableStmt", &["relation"]).all_but(&["OBJECT_INDEX"]),
    summary("CallStmt", &["funccall"]).untyped(),
    summary("CopyStmt", &["relation", "query"]).untyped(),
    summary("CreateFunctionStmt", &["funcname"]),
    summary("CreateStmt", &["relation"]),
    summary("CreateTableAsStmt", &["into.rel", "query"]),
    summary("CreateTrigStmt", &["relation"]),
    summary("DropStmt", &["objects"]).only(&[
        "OBJECT_FUNCTION",
        "OBJECT_RULE",
        "OBJECT_TABLE",
        "OBJECT_TRIGGER",
    ]),
    summary("ExplainStmt", &["query"]),
    summary("GrantStmt", &["objects"]),
    summary("IndexStmt", &["relation", "indexParams.expr", "whereClause"]).untyped(),
    summary("LockStmt", &["relations"]),
    summary("PrepareStmt", &["query"]),
    summary("RefreshMatViewStmt", &["relation"]),
    summary("RenameStmt", &["newname"]).only(&[
        "OBJECT_FUNCTION",
        "OBJECT_PROCEDURE",
        "OBJECT_ROUTINE",
        "OBJECT_TABLE",
    ]),
    summary("RuleStmt", &["relation"]),
    summary("SelectStmt", &["whereClause"]),
    summary("TruncateStmt", &["relations"]),
    summary("VacuumStmt", &["rels.relation"]),
    summary("ViewStmt", &["view", "query"]),
];

/// Nodes whose own fields libpg_query does not cut when it looks for parts to cut
/// (`pg_query_summary_truncate.c`).
const NO_PARTS: [&str; 1] = ["MergeWhenClause"];

/// Nodes of whose lists libpg_query takes the items for being as deep as the node itself, there: it looks through a
/// `CaseWhen`.
const SAME_LEVEL: [&str; 1] = ["CaseExpr"];

/// What can be printed as an item of a `FROM`, as `deparseTableRef` of libpg_query's `postgres_deparse.c` does.
const FROM_ITEMS: [&str; 6] = [
    "JoinExpr",
    "RangeFunction",
    "RangeSubselect",
    "RangeTableFunc",
    "RangeTableSample",
    "RangeVar",
];

/// The same, since PostgreSQL 17.
const FROM_ITEMS_SINCE_17: [&str; 1] = ["JsonTable"];

/// Whether a node is a statement, which its name tells.
pub(crate) fn is_statement(message: &str) -> bool {
    message.ends_with("Stmt")
}

/// The items of a `FROM` that only this major version has.
fn from_items_since(major: u32) -> &'static [&'static str] {
    if major >= 17 { &FROM_ITEMS_SINCE_17 } else { &[] }
}

/// Returns the role of a statement's field, as `Role` of `pg_ast/convert/roles.rs` has it.
fn role(message: &DescriptorProto, field: &FieldDescriptorProto) -> Option<&'static str> {
    let is_list = is_repeated(field);
    let ty = last(field.type_name());
    let (name, is_node) = (field.json_name(), field.type_name() == NODE);
    let has_kind = || message.field.iter().any(is_kind);
    Some(match field.r#type() {
        Type::Enum if is_kind(field) => "Kind",
        Type::Message if OTHER_RELATIONS.contains(&(message.name(), name)) => "OtherRelation",
        Type::Message => match (ty, name) {
            ("RangeVar", _) if TABLES.contains(&name) => "Table",
            ("WithClause", _) => "With",
            ("SelectStmt", _) => "Select",
            ("ObjectWithArgs", "func") => "Function",
            (_, "funcname") if is_list => "Function",
            (_, "object") if is_node && !is_list && has_kind() => "Object",
            (_, "objects") if is_list && has_kind() => "Object",
            (_, "defnames") if is_list && has_kind() => "Name",
            (_, "whereClause") if is_node && !is_list => "Condition",
            _ => return None,
        },
        Type::Bool if name == "is_from" => "IsFrom",
        Type::String if name == "newname" => "NewName",
        _ => return None,
    })
}

/// Returns whether a field has the kind of an object.
fn is_kind(field: &FieldDescriptorProto) -> bool {
    KINDS.iter().any(|kind| field.type_name() == format!(".pg_query.{kind}"))
}

/// Returns whether a rule says what a statement names.
fn is_classified(message: &DescriptorProto) -> bool {
    // A relation in a field of another name could be a table or not.
    let unknown = |field: &&FieldDescriptorProto| {
        field.type_name() == ".pg_query.RangeVar" && role(message, field).is_none()
    };
    let known = |field: &FieldDescriptorProto| {
        role(message, field).is_some()
            || (field.r#type() == Type::Message && WALKED.contains(&field.json_name()))
    };
    !message.field.iter().any(|field| unknown(&field))
        && (message.field.iter().any(known) || NAME_NOTHING.contains(&message.name()))
}

/// The statements of a version, by name.
fn statements(schema: &Schema) -> Vec<&DescriptorProto> {
    let tree = schema.of_tree();
    let messages = tree.iter().map(|path| &schema.messages[*path]);
    let mut stmts: Vec<_> = messages.filter(|message| is_statement(message.name())).collect();
    stmts.sort_unstable_by_key(|message| message.name());
    stmts
}

/// The tables of these rules for the statements of a version.
pub(crate) fn tables(schema: &Schema) -> String {
    let mut code = String::from("pub(crate) static STATEMENTS: &[Statement] = &[\n");
    for message in statements(schema) {
        let name = message.name();
        // Writing to a String cannot fail.
        let _ = write!(code, "Statement {{ name: {name:?}, roles: &[");
        for field in &message.field {
            if let Some(role) = role(message, field) {
                let _ = write!(code, "({:?}, Role::{role}), ", field.json_name());
            }
        }
        let summary = SUMMARIES.iter().find(|summary| summary.stmt == name);
        let summary =
            summary.map_or("None".to_owned(), |SummaryRule { kinds, types, paths, .. }| {
                let (which, kinds) = kinds;
                let kinds = format!("Kinds::{which}(&{kinds:?})");
                format!("Some(SummaryRule {{ kinds: {kinds}, types: {types}, paths: &{paths:?} }})")
            });
        let _ = writeln!(code, "], summary: {summary} }},");
    }
    let from_items = [&FROM_ITEMS, from_items_since(schema.major)].concat();
    let _ = write!(
        code,
        "];\n\
         /// What can be printed as an item of a `FROM`.\n\
         pub(crate) const FROM_ITEMS: &[&str] = &{from_items:?};\n\
         /// Nodes of whose own fields none is cut.\n\
         pub(crate) const NO_PARTS: &[&str] = &{NO_PARTS:?};\n\
         /// Nodes of whose lists the items are as deep as the node itself.\n\
         pub(crate) const SAME_LEVEL: &[&str] = &{SAME_LEVEL:?};\n"
    );
    code
}

/// Checks the names above against the schema.
///
/// # Errors
///
/// A rule is about what the version does not have, or no rule is about what it has.
pub(crate) fn check(schema: &Schema) -> Result<(), Box<dyn Error>> {
    for kind in KINDS {
        if schema.constants(kind).next().is_none() {
            return Err(schema.known("KINDS").missing(&format!("enumeration {kind}")));
        }
    }
    for (table, names) in [("TABLES", &TABLES[..]), ("WALKED", &WALKED)] {
        for name in names {
            schema.known(table).field_name(name)?;
        }
    }
    for (message, name) in OTHER_RELATIONS {
        schema.known("OTHER_RELATIONS").field(message, name)?;
    }
    let of_messages = [
        ("NAME_NOTHING", NAME_NOTHING),
        ("NO_PARTS", &NO_PARTS),
        ("SAME_LEVEL", &SAME_LEVEL),
        ("FROM_ITEMS", &FROM_ITEMS),
        ("FROM_ITEMS_SINCE_17", from_items_since(schema.major)),
    ];
    for (table, names) in of_messages {
        for name in names {
            schema.known(table).message(name)?;
        }
    }
    let known = schema.known("SUMMARIES");
    for SummaryRule { stmt, kinds: (_, kinds), paths, .. } in &SUMMARIES {
        paths.iter().try_for_each(|path| known.path(stmt, path))?;
        kinds.iter().try_for_each(|kind| known.constant(OBJECT_TYPE, kind))?;
    }
    let left = statements(schema).into_iter().filter(|message| !is_classified(message));
    let left = left.map(DescriptorProto::name);
    schema.none_left(left, "statements of which no rule says what they name", "statement_rules.rs")
}

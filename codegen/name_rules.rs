//! Where names are, by rules for all fields that could hold one: `pg_ast/version/facts/analysis/names_found.rs` reads what this
//! writes.

use std::error::Error;
use std::fmt::Write as _;

use heck::ToUpperCamelCase as _;
use prost_types::{DescriptorProto, FieldDescriptorProto};

use super::objects::OBJECT_TYPE;
use super::schema::{NODE, Schema, Type};
use super::statement_rules::is_statement;

/// A line for each message, with all of its fields that hold text, or any node. What is behind a field says what it names:
///
/// - `field`: nothing by itself; what is named in nodes there is said of these.
/// - `field:Use`: the same, and names in nodes there have this use.
/// - `field=Kind`, `field=Kind/Use`: it is a name, as text, as strings, or as a node that takes the kind from here. Without a
///   use it has that of the statement, or of the field that the node is in.
/// - `field*=Kind`: each item of the list is one.
///
/// A kind is one of `NameKind`. `^Kind` is the kind that the node was given by the field that it is in, or else that one; `object`
/// and `relation` follow from the kind of objects that the statement is about, `subtype` from that of `ALTER TABLE`, and `element`
/// and `item` from the name of an option and from the number of an item.
///
/// The messages behind `never` are those that only later stages of PostgreSQL make.
const TABLE: &str = include_str!("names.txt");

/// The line of what the parser does not make.
const NEVER: &str = "never";

/// The enumeration of what `ALTER TABLE` does.
const ALTER_TABLE_TYPE: &str = "AlterTableType";

/// Its constants, by what the name in the command names.
const SUBTYPES: [(&str, &[&str]); 8] = [
    (
        "Column",
        &[
            "AT_AddColumn",
            "AT_AddColumnToView",
            "AT_AddIdentity",
            "AT_AlterColumnGenericOptions",
            "AT_AlterColumnType",
            "AT_CheckNotNull",
            "AT_ColumnDefault",
            "AT_CookedColumnDefault",
            "AT_DropColumn",
            "AT_DropColumnRecurse",
            "AT_AddColumnRecurse",
            "AT_DropExpression",
            "AT_DropIdentity",
            "AT_DropNotNull",
            "AT_ResetOptions",
            "AT_SetCompression",
            "AT_SetExpression",
            "AT_SetIdentity",
            "AT_SetNotNull",
            "AT_SetOptions",
            "AT_SetStatistics",
            "AT_SetStorage",
        ],
    ),
    (
        "Constraint",
        &[
            "AT_AlterConstraint",
            "AT_DropConstraint",
            "AT_DropConstraintRecurse",
            "AT_ValidateConstraint",
            "AT_ValidateConstraintRecurse",
        ],
    ),
    ("Index", &["AT_ClusterOn"]),
    ("AccessMethod", &["AT_SetAccessMethod"]),
    ("Tablespace", &["AT_SetTableSpace"]),
    (
        "Trigger",
        &["AT_DisableTrig", "AT_EnableAlwaysTrig", "AT_EnableReplicaTrig", "AT_EnableTrig"],
    ),
    ("Rule", &["AT_DisableRule", "AT_EnableAlwaysRule", "AT_EnableReplicaRule", "AT_EnableRule"]),
    (
        "",
        &[
            "AT_AddConstraint",
            "AT_AddConstraintRecurse",
            "AT_AddIndex",
            "AT_AddIndexConstraint",
            "AT_AddInherit",
            "AT_AddOf",
            "AT_AttachPartition",
            "AT_ChangeOwner",
            "AT_DetachPartition",
            "AT_DetachPartitionFinalize",
            "AT_DisableRowSecurity",
            "AT_DisableTrigAll",
            "AT_DisableTrigUser",
            "AT_DropCluster",
            "AT_DropInherit",
            "AT_DropOf",
            "AT_DropOids",
            "AT_EnableRowSecurity",
            "AT_EnableTrigAll",
            "AT_EnableTrigUser",
            "AT_ForceRowSecurity",
            "AT_GenericOptions",
            "AT_NoForceRowSecurity",
            "AT_ReAddComment",
            "AT_ReAddConstraint",
            "AT_ReAddDomainConstraint",
            "AT_ReAddIndex",
            "AT_ReAddStatistics",
            "AT_ReplaceRelOptions",
            "AT_ReplicaIdentity",
            "AT_ResetRelOptions",
            "AT_SetLogged",
            "AT_SetRelOptions",
            "AT_SetUnLogged",
        ],
    ),
];

/// The constants of `ObjectType`, by kind; those that are in none are of the kind `Object`.
const OBJECTS: [(&str, &[&str]); 24] = [
    ("Table", &["OBJECT_FOREIGN_TABLE", "OBJECT_MATVIEW", "OBJECT_TABLE", "OBJECT_VIEW"]),
    ("Column", &["OBJECT_ATTRIBUTE", "OBJECT_COLUMN"]),
    ("Function", &["OBJECT_AGGREGATE", "OBJECT_FUNCTION", "OBJECT_PROCEDURE", "OBJECT_ROUTINE"]),
    ("Type", &["OBJECT_DOMAIN", "OBJECT_TYPE"]),
    ("Role", &["OBJECT_ROLE"]),
    ("Schema", &["OBJECT_PUBLICATION_NAMESPACE", "OBJECT_SCHEMA"]),
    ("Index", &["OBJECT_INDEX"]),
    ("Sequence", &["OBJECT_SEQUENCE"]),
    ("Constraint", &["OBJECT_DOMCONSTRAINT", "OBJECT_TABCONSTRAINT"]),
    ("Trigger", &["OBJECT_EVENT_TRIGGER", "OBJECT_TRIGGER"]),
    ("Rule", &["OBJECT_RULE"]),
    ("Policy", &["OBJECT_POLICY"]),
    ("Collation", &["OBJECT_COLLATION"]),
    ("Operator", &["OBJECT_OPERATOR"]),
    ("OperatorClass", &["OBJECT_OPCLASS"]),
    ("OperatorFamily", &["OBJECT_OPFAMILY"]),
    ("Database", &["OBJECT_DATABASE"]),
    ("Extension", &["OBJECT_EXTENSION"]),
    ("Tablespace", &["OBJECT_TABLESPACE"]),
    ("AccessMethod", &["OBJECT_ACCESS_METHOD"]),
    ("Language", &["OBJECT_LANGUAGE"]),
    ("Server", &["OBJECT_FOREIGN_SERVER"]),
    ("ForeignDataWrapper", &["OBJECT_FDW"]),
    (
        "Object",
        &[
            "OBJECT_AMOP",
            "OBJECT_AMPROC",
            "OBJECT_CAST",
            "OBJECT_CONVERSION",
            "OBJECT_DEFACL",
            "OBJECT_DEFAULT",
            "OBJECT_LARGEOBJECT",
            "OBJECT_PARAMETER_ACL",
            "OBJECT_PUBLICATION",
            "OBJECT_PUBLICATION_REL",
            "OBJECT_STATISTIC_EXT",
            "OBJECT_SUBSCRIPTION",
            "OBJECT_TRANSFORM",
            "OBJECT_TSCONFIGURATION",
            "OBJECT_TSDICTIONARY",
            "OBJECT_TSPARSER",
            "OBJECT_TSTEMPLATE",
            "OBJECT_USER_MAPPING",
        ],
    ),
];

/// The use of what a statement names, by how its name begins.
const VERBS: [(&str, &str); 10] = [
    ("Alter", "Alter"),
    ("Comment", "Comment"),
    ("Composite", "Definition"),
    ("Constraints", "Alter"),
    ("Create", "Definition"),
    ("Define", "Definition"),
    ("Drop", "Drop"),
    ("Grant", "Grant"),
    ("Rename", "Alter"),
    ("SecLabel", "Comment"),
];

/// The use of the names of a statement of which neither a field nor the statement says more.
const READ: &str = "Read";

/// What a line says of a field.
#[derive(Clone, Copy)]
struct FieldRule<'a> {
    name: &'a str,
    each: bool,
    kind: Option<&'a str>,
    used: Option<&'a str>,
}

impl<'a> FieldRule<'a> {
    fn new(word: &'a str) -> Self {
        let (place, names) = match word.split_once('=') {
            Some((place, names)) => (place, Some(names)),
            None => (word, None),
        };
        let (place, below) = match place.split_once(':') {
            Some((place, used)) => (place, Some(used)),
            None => (place, None),
        };
        let (kind, used) = match names.map(|names| names.split_once('/').unwrap_or((names, ""))) {
            Some((kind, used)) => (Some(kind), Some(used).filter(|used| !used.is_empty())),
            None => (None, below),
        };
        Self { name: place.trim_end_matches('*'), each: place.ends_with('*'), kind, used }
    }

    fn is_needed(self) -> bool {
        self.kind.is_some() || self.used.is_some()
    }
}

/// The rules for the fields of a message; `None` if it has no line.
fn rules(message: &str) -> Option<impl Iterator<Item = FieldRule<'static>>> {
    let lines = TABLE.lines().filter_map(|line| line.split_once(' ').or(Some((line, ""))));
    let (_, fields) = lines.into_iter().find(|(name, _)| *name == message)?;
    Some(fields.split_whitespace().map(FieldRule::new))
}

/// Whether only later stages of PostgreSQL make a message.
fn is_never_parsed(message: &str) -> bool {
    let lines = TABLE.lines().filter_map(|line| line.split_once(' '));
    lines
        .filter(|(name, _)| *name == NEVER)
        .any(|(_, names)| names.split(' ').any(|n| n == message))
}

/// Whether a field could hold a name by its type: text, or any node. A header holds none.
fn can_name(field: &FieldDescriptorProto) -> bool {
    let is_node = field.r#type() == Type::Message && field.type_name() == NODE;
    let is_text = field.r#type() == Type::String;
    field.oneof_index.is_none() && field.json_name() != "xpr" && (is_node || is_text)
}

/// The messages that a tree consists of, by name, with their rules.
fn messages(schema: &Schema) -> Vec<&DescriptorProto> {
    let tree = schema.of_tree();
    let messages = tree.iter().map(|path| &schema.messages[*path]);
    let mut messages: Vec<_> = messages.filter(|message| message.name() != "Node").collect();
    messages.sort_unstable_by_key(|message| message.name());
    messages
}

/// The use of what a statement names.
fn verb(message: &str) -> &'static str {
    VERBS.iter().find(|(begin, _)| message.starts_with(begin)).map_or(READ, |(_, used)| used)
}

/// The kind as an expression.
fn kind(kind: &str) -> String {
    match kind {
        "object" => "KindRule::OfObject".to_owned(),
        "relation" => "KindRule::OfRelation".to_owned(),
        "subtype" => "KindRule::OfSubtype".to_owned(),
        "element" => "KindRule::OfElement".to_owned(),
        "item" => "KindRule::OfItem".to_owned(),
        "^" => "KindRule::Given(None)".to_owned(),
        _ => match kind.strip_prefix('^') {
            Some(kind) => format!("KindRule::Given(Some(NameKind::{kind}))"),
            None => format!("KindRule::Is(NameKind::{kind})"),
        },
    }
}

/// The table of these rules for a version, and the functions of its enumerations.
pub(crate) fn tables(schema: &Schema) -> String {
    let mut code = String::from(
        "/// Where the nodes have names.\npub(crate) static NAMING_NODES: &[NamingNode] = &[\n",
    );
    for message in messages(schema) {
        let name = message.name();
        let rules = rules(name).into_iter().flatten().filter(|rule| rule.is_needed());
        let mut fields = String::new();
        for rule in rules {
            let Some(field) = message.field.iter().find(|f| f.json_name() == rule.name) else {
                continue;
            };
            let (number, each) = (field.number(), rule.each);
            let of = rule.kind.map_or("None".to_owned(), |name| format!("Some({})", kind(name)));
            let used = rule.used.map_or("None".to_owned(), |used| format!("Some(NameUse::{used})"));
            // Writing to a String cannot fail.
            let _ = write!(
                fields,
                "NamingField {{ number: {number}, each: {each}, kind: {of}, used: {used} }}, "
            );
        }
        let is_stmt = is_statement(name) && name != "RawStmt";
        if is_stmt || !fields.is_empty() {
            let used =
                if is_stmt { format!("Some(NameUse::{})", verb(name)) } else { "None".to_owned() };
            let _ = writeln!(
                code,
                "NamingNode {{ name: {name:?}, used: {used}, fields: &[{fields}] }},"
            );
        }
    }
    code += "];\n";
    code += &function(
        schema,
        "/// What the name in a command of `ALTER TABLE` names.",
        ("subtype_names", ALTER_TABLE_TYPE),
        &SUBTYPES,
    );
    code += &function(
        schema,
        "/// The kind of name that objects have.",
        ("object_names", OBJECT_TYPE),
        &OBJECTS,
    );
    code
}

/// A function over an enumeration.
fn function(
    schema: &Schema,
    doc: &str,
    (function, item): (&str, &str),
    kinds: &[(&str, &[&str])],
) -> String {
    let mut code = format!(
        "{doc}\npub(crate) fn {function}(kind: protobuf::{item}) -> Option<NameKind> {{\nmatch kind {{\n"
    );
    // prost-build drops a prefix that is the name of the enumeration; none of these constants has it but the one for 0.
    let constants = |names: &&[&str]| {
        let of_version = schema.constants(item).map(prost_types::EnumValueDescriptorProto::name);
        let names = of_version.filter(|name| names.contains(name));
        let names = names.map(|name| format!("protobuf::{item}::{}", name.to_upper_camel_case()));
        names.collect::<Vec<_>>().join(" | ")
    };
    for (kind, names) in kinds.iter().filter(|(kind, _)| !kind.is_empty()) {
        let names = constants(names);
        if !names.is_empty() {
            let _ = writeln!(code, "{names} => Some(NameKind::{kind}),");
        }
    }
    code + "_ => None,\n}\n}\n"
}

/// Holds the rules against the schema.
///
/// # Errors
///
/// The version has a field, or a constant, of which no rule says what it names.
pub(crate) fn check(schema: &Schema) -> Result<(), Box<dyn Error>> {
    let mut left = Vec::new();
    for message in messages(schema).into_iter().filter(|it| !is_never_parsed(it.name())) {
        let rules: Vec<_> = rules(message.name()).into_iter().flatten().collect();
        let fields = message.field.iter().filter(|field| can_name(field));
        let fields = fields.map(FieldDescriptorProto::json_name);
        let unknown = fields.filter(|field| !rules.iter().any(|rule| rule.name == *field));
        left.extend(unknown.map(|field| format!("{}.{field}", message.name())));
    }
    let left = left.iter().map(String::as_str);
    schema.none_left(left, "fields of which no rule says what they name", "names.txt")?;
    for (item, kinds) in [(ALTER_TABLE_TYPE, &SUBTYPES[..]), (OBJECT_TYPE, &OBJECTS)] {
        let constants = schema.constants(item).filter(|constant| constant.number() != 0);
        let names = constants.map(prost_types::EnumValueDescriptorProto::name);
        let left = names.filter(|name| !kinds.iter().any(|(_, kinds)| kinds.contains(name)));
        let what = format!("constants of {item} of which no rule says what they name");
        schema.none_left(left, &what, "name_rules.rs")?;
    }
    Ok(())
}

//! The objects that a statement names, of all kinds: what the walk over names tells, with what the walk leaves to the statement.

use pg_ast::{NameKind, NameUse, ObjectName, QualifiedName};

use super::pg::protobuf::{FunctionParameterMode as Mode, ObjectType};
use super::pg::seam::{names_in_nodes, stmt_objects};
use super::pg::view::{DefineStmt, List, Node, RangeVar, TypeName};

/// The kinds of what has a table, or another relation, around it.
const IN_TABLE: [&str; 4] = ["TABCONSTRAINT", "TRIGGER", "RULE", "POLICY"];

/// The kinds of what is in no schema.
const GLOBAL: [&str; 13] = [
    "ACCESS_METHOD",
    "DATABASE",
    "EVENT_TRIGGER",
    "EXTENSION",
    "FDW",
    "FOREIGN_SERVER",
    "LANGUAGE",
    "PUBLICATION",
    "ROLE",
    "SCHEMA",
    "SUBSCRIPTION",
    "TABLESPACE",
    "TRANSFORM",
];

/// An object as a statement names it.
pub(crate) struct Mention<'a> {
    /// Its kind, as `ObjectType` names it; for every relation, `TABLE`.
    pub(crate) kind: &'static str,
    pub(crate) name: QualifiedName,
    /// The table or the domain that it is in.
    pub(crate) owner: Option<QualifiedName>,
    /// The types of the arguments of a function or an operator, if they are named.
    pub(crate) arguments: Option<Vec<String>>,
    pub(crate) used: NameUse,
    /// Whether the statement creates it.
    pub(crate) is_new: bool,
    /// The node that has the name.
    pub(crate) node: Node<'a>,
}

impl<'a> Mention<'a> {
    /// Makes one of an object that a statement needs.
    pub(crate) fn read(kind: &'static str, name: QualifiedName, node: Node<'a>) -> Self {
        let used = NameUse::Read;
        Self { kind, name, owner: None, arguments: None, used, is_new: false, node }
    }
}

pub(crate) fn is_global(kind: &str) -> bool {
    GLOBAL.contains(&kind)
}

/// Returns the name of a kind of objects, without its prefix.
pub(crate) fn kind_name(kind: ObjectType) -> &'static str {
    let name = kind.as_str_name();
    name.strip_prefix("OBJECT_").unwrap_or(name)
}

fn kind_of_stmt(stmt: Node<'_>) -> Option<&'static str> {
    let kind = stmt_objects(stmt)?.kind;
    (kind != ObjectType::Undefined).then(|| kind_name(kind))
}

/// Returns the objects of text search that the options of another one name.
fn in_options<'a>(stmt: Node<'a>) -> impl Iterator<Item = Mention<'a>> {
    let options = match stmt {
        Node::DefineStmt(create) => Some(create.definition()),
        _ => None,
    };
    options.into_iter().flatten().filter_map(|option| {
        let Node::DefElem(of) = option else { return None };
        let kind = match of.defname() {
            "parser" => "TSPARSER",
            "template" => "TSTEMPLATE",
            "copy" => "TSCONFIGURATION",
            _ => return None,
        };
        let name = match of.arg()? {
            Node::TypeName(name) => name.names().qualified_name(),
            Node::List(name) => name.qualified_name(),
            _ => return None,
        };
        Some(Mention::read(kind, name, option))
    })
}

/// Returns the kind of an object that is named; `None` for what is none, or no object of a database.
fn kind_of(kind: NameKind, used: NameUse, stmt: Node<'_>) -> Option<&'static str> {
    Some(match kind {
        NameKind::Table | NameKind::Index | NameKind::Sequence => "TABLE",
        NameKind::Function => "FUNCTION",
        NameKind::Type => "TYPE",
        NameKind::Role => "ROLE",
        NameKind::Schema => "SCHEMA",
        NameKind::Constraint => "TABCONSTRAINT",
        NameKind::Trigger => match stmt {
            Node::CreateEventTrigStmt(_) | Node::AlterEventTrigStmt(_) => "EVENT_TRIGGER",
            _ => kind_of_stmt(stmt).filter(|kind| *kind == "EVENT_TRIGGER").unwrap_or("TRIGGER"),
        },
        NameKind::Rule => "RULE",
        NameKind::Policy => "POLICY",
        NameKind::Collation => "COLLATION",
        NameKind::Operator => "OPERATOR",
        NameKind::OperatorClass => "OPCLASS",
        NameKind::OperatorFamily => "OPFAMILY",
        NameKind::Extension => "EXTENSION",
        NameKind::Tablespace => "TABLESPACE",
        NameKind::AccessMethod => "ACCESS_METHOD",
        NameKind::Language => "LANGUAGE",
        NameKind::Server => "FOREIGN_SERVER",
        NameKind::ForeignDataWrapper => "FDW",
        NameKind::Publication => "PUBLICATION",
        NameKind::Subscription => "SUBSCRIPTION",
        NameKind::Statistics => "STATISTIC_EXT",
        NameKind::Object => match stmt {
            Node::AlterTsconfigurationStmt(_) if used == NameUse::Read => "TSDICTIONARY",
            Node::AlterTsconfigurationStmt(_) => "TSCONFIGURATION",
            Node::AlterTsdictionaryStmt(_) => "TSDICTIONARY",
            Node::CreateConversionStmt(_) => "CONVERSION",
            _ => kind_of_stmt(stmt)?,
        },
        _ => return None,
    })
}

/// Returns the name of a type without its schema: functions of one name hardly ever differ in nothing else.
pub(crate) fn type_word(of: TypeName<'_>) -> String {
    let mut text = of.names().last().and_then(Node::as_str).unwrap_or_default().to_owned();
    for _ in of.array_bounds() {
        text += "[]";
    }
    text
}

/// Returns the types in a list of types or of parameters; of these, of those that take arguments.
fn type_words(list: List<'_>) -> Vec<String> {
    let types = list.iter().filter_map(|item| match item {
        Node::TypeName(of) => Some(of),
        Node::FunctionParameter(parameter)
            if !matches!(parameter.mode(), Mode::FuncParamOut | Mode::FuncParamTable) =>
        {
            parameter.arg_type()
        }
        _ => None,
    });
    types.map(type_word).collect()
}

/// Returns the types of the options of these names.
fn types_of_options(options: List<'_>, names: &[&str]) -> Vec<String> {
    let types = names.iter().filter_map(|name| {
        let mut options = options.iter();
        options.find_map(|option| match option {
            Node::DefElem(option) if option.defname().eq_ignore_ascii_case(name) => {
                match option.arg()? {
                    Node::TypeName(of) => Some(type_word(of)),
                    _ => None,
                }
            }
            _ => None,
        })
    });
    types.collect()
}

fn arguments_of_defined(define: DefineStmt<'_>) -> Option<Vec<String>> {
    match define.kind() {
        ObjectType::ObjectOperator => {
            Some(types_of_options(define.definition(), &["leftarg", "rightarg"]))
        }
        ObjectType::ObjectAggregate if define.oldstyle() => {
            let mut types = types_of_options(define.definition(), &["basetype"]);
            types.retain(|name| name != "any");
            Some(types)
        }
        ObjectType::ObjectAggregate => match define.args().first() {
            Some(Node::List(parameters)) => Some(type_words(parameters)),
            _ => Some(Vec::new()),
        },
        _ => None,
    }
}

/// Returns the types of the arguments that distinguish an object from others of its name.
fn arguments(node: Node<'_>) -> Option<Vec<String>> {
    match node {
        Node::ObjectWithArgs(object) if !object.args_unspecified() => {
            Some(type_words(object.objargs()))
        }
        Node::CreateFunctionStmt(create) => Some(type_words(create.parameters())),
        Node::DefineStmt(define) => arguments_of_defined(define),
        // A trigger calls a function without arguments.
        Node::CreateTrigStmt(_) | Node::CreateEventTrigStmt(_) => Some(Vec::new()),
        _ => None,
    }
}

/// Returns the table that a statement is about, or the domain.
fn owner_in_stmt(stmt: Node<'_>) -> Option<QualifiedName> {
    match stmt {
        Node::AlterDomainStmt(alter) => Some(alter.type_name().qualified_name()),
        Node::CreateDomainStmt(create) => Some(create.domainname().qualified_name()),
        Node::CreateForeignTableStmt(create) => {
            create.base_stmt()?.relation().map(RangeVar::qualified_name)
        }
        Node::CreateStmt(create) => create.relation().map(RangeVar::qualified_name),
        Node::CreateTrigStmt(create) => create.relation().map(RangeVar::qualified_name),
        Node::CreatePolicyStmt(create) => create.table().map(RangeVar::qualified_name),
        Node::RuleStmt(create) => create.relation().map(RangeVar::qualified_name),
        Node::RenameStmt(rename) => match rename.object() {
            Some(Node::List(domain)) if rename.relation().is_none() => {
                Some(domain.qualified_name())
            }
            _ => rename.relation().map(RangeVar::qualified_name),
        },
        _ => stmt_objects(stmt)?.relations.first().map(|table| table.qualified_name()),
    }
}

fn is_of_domain(stmt: Node<'_>) -> bool {
    match stmt {
        Node::AlterDomainStmt(_) | Node::CreateDomainStmt(_) => true,
        Node::RenameStmt(rename) => rename.rename_type() == ObjectType::ObjectDomconstraint,
        _ => false,
    }
}

/// Returns the name that a walk over names has found; a database before the schema is left out.
fn qualified(name: &ObjectName<'_>) -> QualifiedName {
    let schema = name.qualifier().next_back().map(str::to_owned);
    QualifiedName { schema, name: name.name().to_owned() }
}

/// Calls `f` for each object that a statement names, but for columns.
pub(crate) fn mentions<'a>(stmt: Node<'a>, mut f: impl FnMut(Mention<'a>)) {
    let owner = owner_in_stmt(stmt);
    // The table of `COMMENT ON TRIGGER g ON t` comes behind it.
    let mut waiting: Option<Mention<'a>> = None;
    names_in_nodes(stmt, |name, used, node| {
        let Some(mut kind) = kind_of(name.kind(), used, stmt) else { return };
        let is_shell = matches!(node, Node::DefElem(option)
            if matches!(option.defname(), "commutator" | "negator" | "multirange_type_name"));
        if is_shell {
            return;
        }
        let is_written = !matches!(node, Node::ObjectWithArgs(_) | Node::RenameStmt(_));
        let is_new = is_written && used == NameUse::Definition
            || matches!(node, Node::RuleStmt(_)) && kind == "RULE";
        let arguments = match kind {
            "FUNCTION" | "OPERATOR" => arguments(node),
            _ => None,
        };
        let is_part = IN_TABLE.contains(&kind);
        if is_part && is_of_domain(stmt) {
            kind = "DOMCONSTRAINT";
        }
        // An index that is named alone is one of the table.
        let is_index = name.kind() == NameKind::Index
            && matches!(
                node,
                Node::AlterTableCmd(_)
                    | Node::ReplicaIdentityStmt(_)
                    | Node::ClusterStmt(_)
                    | Node::Constraint(_)
            );
        let owner = owner.clone().filter(|_| is_part || is_index);
        let mention = Mention { kind, name: qualified(name), owner, arguments, used, is_new, node };
        if is_part && mention.owner.is_none() {
            waiting = Some(mention);
            return;
        }
        if let Some(mut part) = waiting.take() {
            if kind == "TYPE" {
                part.kind = "DOMCONSTRAINT";
            }
            part.owner = Some(mention.name.clone());
            f(part);
        }
        f(mention);
    });
    in_options(stmt).for_each(f);
}

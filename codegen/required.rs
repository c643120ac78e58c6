//! What a node cannot be printed without: libpg_query's deparser prints a list without items as nothing, and
//! `FuncCall::default()` as `()`.
//!
//! The grammar always fills these fields. Only nodes that a program makes lack them; that is an error when such a node is
//! printed. Where the deparser needs what a pointer leads to, it reports that by itself.

use std::error::Error;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use heck::ToUpperCamelCase as _;

use super::schema::{NODE, Schema, last};

/// The end of a rule's versions, unless a version needs it no more.
const NEWEST: u32 = u32::MAX;

/// Each rule has the major versions that it is for, the node, a field by its name in C, or several, and a condition of
/// Rust: it is true for a node with such a field, and for one that does without it.
#[rustfmt::skip]
const RULES: &[(RangeInclusive<u32>, &str, &str, &str)] = &[
    (18..=NEWEST, "ATAlterConstraint", "conname", "!self.conname.is_empty()"),
    (15..=NEWEST, "A_Indices", "uidx", "self.uidx.is_some() || self.is_slice"),
    (15..=NEWEST, "AccessPriv", "priv_name or cols", "!self.priv_name.is_empty() || !self.cols.is_empty()"),
    (15..=NEWEST, "AlterCollationStmt", "collname", "!self.collname.is_empty()"),
    (15..=NEWEST, "AlterEnumStmt", "typeName", "!self.type_name.is_empty()"),
    // As the grammar makes it: `ADD VALUE 'x'` is at the end, after all others.
    (15..=NEWEST, "AlterEnumStmt", "oldVal, newValNeighbor or newValIsAfter", "!self.old_val.is_empty() \
        || !self.new_val_neighbor.is_empty() || self.new_val_is_after"),
    (15..=NEWEST, "AlterEventTrigStmt", "tgenabled", "!self.tgenabled.is_empty()"),
    (15..=NEWEST, "AlterFdwStmt", "options", "!self.options.is_empty() || !self.func_options.is_empty()"),
    (15..=NEWEST, "AlterForeignServerStmt", "options", "!self.options.is_empty() || self.has_version"),
    (15..=NEWEST, "AlterOpFamilyStmt", "opfamilyname", "!self.opfamilyname.is_empty()"),
    (15..=NEWEST, "AlterOpFamilyStmt", "items", "!self.items.is_empty()"),
    (15..=NEWEST, "AlterStatsStmt", "defnames", "!self.defnames.is_empty()"),
    (15..=NEWEST, "AlterSubscriptionStmt", "options", "!self.options.is_empty() || !matches!(self.kind(), \
        AlterSubscriptionType::Undefined | AlterSubscriptionType::AlterSubscriptionOptions \
        | AlterSubscriptionType::AlterSubscriptionSkip)"),
    (15..=NEWEST, "AlterSubscriptionStmt", "publication", "!self.publication.is_empty() || !matches!(self.kind(), \
        AlterSubscriptionType::AlterSubscriptionSetPublication \
        | AlterSubscriptionType::AlterSubscriptionAddPublication \
        | AlterSubscriptionType::AlterSubscriptionDropPublication)"),
    (15..=NEWEST, "AlterTSConfigurationStmt", "cfgname", "!self.cfgname.is_empty()"),
    (15..=NEWEST, "AlterTSConfigurationStmt", "tokentype", "!self.tokentype.is_empty() \
        || self.kind() == AlterTsConfigType::AlterTsconfigReplaceDict"),
    (15..=NEWEST, "AlterTSConfigurationStmt", "dicts", "!self.dicts.is_empty() \
        || self.kind() == AlterTsConfigType::AlterTsconfigDropMapping"),
    (15..=NEWEST, "AlterTSDictionaryStmt", "dictname", "!self.dictname.is_empty()"),
    (15..=NEWEST, "AlterTSDictionaryStmt", "options", "!self.options.is_empty()"),
    (15..=NEWEST, "AlterTableSpaceOptionsStmt", "options", "!self.options.is_empty()"),
    (15..=NEWEST, "AlterTypeStmt", "typeName", "!self.type_name.is_empty()"),
    (15..=NEWEST, "AlterTypeStmt", "options", "!self.options.is_empty()"),
    (15..=NEWEST, "BoolExpr", "args", "!self.args.is_empty()"),
    (15..=NEWEST, "BooleanTest", "arg", "self.arg.is_some()"),
    (15..=NEWEST, "CaseExpr", "args", "!self.args.is_empty()"),
    (15..=NEWEST, "CaseWhen", "expr", "self.expr.is_some()"),
    (15..=NEWEST, "CaseWhen", "result", "self.result.is_some()"),
    (15..=NEWEST, "ClusterStmt", "relation", "self.relation.is_some() || self.indexname.is_empty()"),
    (15..=NEWEST, "CoalesceExpr", "args", "!self.args.is_empty()"),
    (15..=NEWEST, "CollateClause", "collname", "!self.collname.is_empty()"),
    (15..=NEWEST, "ColumnDef", "colname or typeName", "!self.colname.is_empty() || self.type_name.is_some()"),
    (15..=NEWEST, "CommentStmt", "object", "self.object.is_some()"),
    (15..=NEWEST, "Constraint", "contype", "self.contype() != ConstrType::Undefined"),
    (15..=NEWEST, "CopyStmt", "relation", "self.relation.is_some() || self.query.is_some()"),
    (15..=NEWEST, "CreateAmStmt", "handler_name", "!self.handler_name.is_empty()"),
    (15..=NEWEST, "CreateConversionStmt", "conversion_name", "!self.conversion_name.is_empty()"),
    (15..=NEWEST, "CreateConversionStmt", "func_name", "!self.func_name.is_empty()"),
    (15..=NEWEST, "CreateDomainStmt", "domainname", "!self.domainname.is_empty()"),
    (15..=NEWEST, "CreateEnumStmt", "typeName", "!self.type_name.is_empty()"),
    (15..=NEWEST, "CreateFunctionStmt", "funcname", "!self.funcname.is_empty()"),
    (15..=NEWEST, "CreateOpFamilyStmt", "opfamilyname", "!self.opfamilyname.is_empty()"),
    (15..=NEWEST, "CreatePLangStmt", "plname", "!self.plname.is_empty()"),
    (15..=NEWEST, "CreatePLangStmt", "plhandler", "!self.plhandler.is_empty()"),
    (15..=NEWEST, "CreateRangeStmt", "typeName", "!self.type_name.is_empty()"),
    (15..=NEWEST, "CreateRangeStmt", "params", "!self.params.is_empty()"),
    (15..=NEWEST, "CreateSchemaStmt", "schemaname", "!self.schemaname.is_empty() || self.authrole.is_some()"),
    (15..=NEWEST, "CreateStatsStmt", "exprs", "!self.exprs.is_empty()"),
    (15..=NEWEST, "CreateStatsStmt", "relations", "!self.relations.is_empty()"),
    (15..=NEWEST, "CreateSubscriptionStmt", "publication", "!self.publication.is_empty()"),
    (15..=NEWEST, "DefElem", "defname", "!self.defname.is_empty()"),
    (15..=NEWEST, "DefineStmt", "defnames", "!self.defnames.is_empty()"),
    (15..=NEWEST, "DoStmt", "args", "!self.args.is_empty()"),
    (15..=NEWEST, "DropOwnedStmt", "roles", "!self.roles.is_empty()"),
    (15..=NEWEST, "DropRoleStmt", "roles", "!self.roles.is_empty()"),
    (15..=NEWEST, "DropStmt", "objects", "!self.objects.is_empty()"),
    (15..=NEWEST, "Float", "fval", "!self.fval.is_empty()"),
    (15..=NEWEST, "FuncCall", "funcname", "!self.funcname.is_empty()"),
    (15..=NEWEST, "GrantRoleStmt", "granted_roles", "!self.granted_roles.is_empty()"),
    (15..=NEWEST, "GrantRoleStmt", "grantee_roles", "!self.grantee_roles.is_empty()"),
    (15..=NEWEST, "GrantStmt", "objects", "!self.objects.is_empty() \
        || self.targtype() == GrantTargetType::AclTargetDefaults"),
    (15..=NEWEST, "GrantStmt", "grantees", "!self.grantees.is_empty()"),
    (15..=NEWEST, "GroupingFunc", "args", "!self.args.is_empty()"),
    (16..=NEWEST, "JsonArrayConstructor", "exprs", "!self.exprs.is_empty() || self.absent_on_null"),
    (17..=NEWEST, "JsonFuncExpr", "pathspec", "self.pathspec.is_some()"),
    (16..=NEWEST, "JsonIsPredicate", "expr", "self.expr.is_some()"),
    (16..=NEWEST, "JsonObjectConstructor", "exprs", "!self.exprs.is_empty() || !(self.absent_on_null || self.unique)"),
    (17..=NEWEST, "JsonScalarExpr", "expr", "self.expr.is_some()"),
    (16..=NEWEST, "JsonValueExpr", "raw_expr", "self.raw_expr.is_some()"),
    (15..=NEWEST, "LockStmt", "relations", "!self.relations.is_empty()"),
    (15..=NEWEST, "MinMaxExpr", "args", "!self.args.is_empty()"),
    (15..=NEWEST, "MultiAssignRef", "colno", "self.colno > 0"),
    (15..=NEWEST, "NullTest", "arg", "self.arg.is_some()"),
    (15..=NEWEST, "ObjectWithArgs", "objname", "!self.objname.is_empty()"),
    // Earlier versions read `$2147483648` as a negative number.
    (18..=NEWEST, "ParamRef", "number", "self.number >= 0"),
    (15..=NEWEST, "PartitionElem", "name or expr", "!self.name.is_empty() || self.expr.is_some()"),
    (15..=NEWEST, "PartitionSpec", "partParams", "!self.part_params.is_empty()"),
    (15..=NEWEST, "RangeFunction", "functions", "!self.functions.is_empty()"),
    (15..=NEWEST, "RangeTableFunc", "rowexpr", "self.rowexpr.is_some()"),
    (15..=NEWEST, "RangeTableFunc", "columns", "!self.columns.is_empty()"),
    (15..=15, "ReindexStmt", "relation or name", "self.relation.is_some() || !self.name.is_empty()"),
    (16..=NEWEST, "ReindexStmt", "relation or name", "self.relation.is_some() || !self.name.is_empty() \
        || matches!(self.kind(), ReindexObjectType::ReindexObjectSystem \
        | ReindexObjectType::ReindexObjectDatabase)"),
    (15..=NEWEST, "ReplicaIdentityStmt", "identity_type", "!self.identity_type.is_empty()"),
    (15..=NEWEST, "ReturnStmt", "returnval", "self.returnval.is_some()"),
    (18..=NEWEST, "ReturningClause", "exprs", "!self.exprs.is_empty()"),
    (15..=NEWEST, "RowExpr", "args", "!self.args.is_empty() || self.row_format() != CoercionForm::CoerceImplicitCast"),
    (15..=NEWEST, "SecLabelStmt", "object", "self.object.is_some()"),
    (15..=NEWEST, "SortBy", "node", "self.node.is_some()"),
    (15..=NEWEST, "StatsElem", "name or expr", "!self.name.is_empty() || self.expr.is_some()"),
    (15..=NEWEST, "TruncateStmt", "relations", "!self.relations.is_empty()"),
    (15..=NEWEST, "TypeName", "names", "!self.names.is_empty()"),
    (15..=NEWEST, "VariableSetStmt", "args", "!self.args.is_empty() || !matches!(self.kind(), \
        VariableSetKind::Undefined | VariableSetKind::VarSetValue)"),
    (15..=NEWEST, "WithClause", "ctes", "!self.ctes.is_empty()"),
    (15..=NEWEST, "XmlExpr", "args", "!self.args.is_empty() || !matches!(self.op(), \
        XmlExprOp::Undefined | XmlExprOp::IsXmlconcat)"),
    (15..=NEWEST, "XmlExpr", "named_args", "!self.named_args.is_empty() || self.op() != XmlExprOp::IsXmlforest"),
];

pub(crate) fn has_rule(major: u32, node: &str) -> bool {
    rules(major).any(|(name, ..)| name == node)
}

fn rules(major: u32) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let rules = RULES.iter().filter(move |(versions, ..)| versions.contains(&major));
    rules.map(|&(_, node, field, condition)| (node, field, condition))
}

/// Holds the rules against the schema.
///
/// # Errors
///
/// The version has no such field.
pub(crate) fn check(schema: &Schema) -> Result<(), Box<dyn Error>> {
    rules(schema.major).try_for_each(|(node, fields, _)| {
        let mut fields = fields.split(", ").flat_map(|fields| fields.split(" or "));
        fields.try_for_each(|field| schema.known("RULES").field(node, field))
    })
}

/// Writes the method of each node with a rule.
pub(crate) fn methods(schema: &Schema) -> String {
    let mut code = String::new();
    let rules: Vec<_> = rules(schema.major).collect();
    for of_node in rules.chunk_by(|a, b| a.0 == b.0) {
        let conditions = of_node.iter().map(|(_, field, condition)| {
            format!("if !({condition}) {{ return Some({field:?}); }}\n")
        });
        // Writing to a String cannot fail.
        let _ = writeln!(
            code,
            "impl crate::convert::internal::Complete for {} {{ #[inline] fn missing_field(&self) -> Option<&'static str> {{ {} None }} }}",
            of_node[0].0.to_upper_camel_case(),
            conditions.collect::<String>(),
        );
    }
    code
}

/// Returns whether a field, by its name in Rust, is in a condition of the node's rules.
pub(crate) fn counts(major: u32, node: &str, field: &str) -> bool {
    let mut conditions = rules(major).filter(|(name, ..)| *name == node);
    conditions.any(|(_, _, condition)| names(condition).any(|(_, name, _)| name == field))
}

/// Splits a condition at the names behind `self.`: what is before each, the name, and what is behind it.
fn names(condition: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let mut before = Some(condition);
    core::iter::from_fn(move || {
        let Some((text, rest)) = before?.split_once("self.") else {
            return Some((before.take()?, "", ""));
        };
        let is_part = |char: char| char == '_' || char.is_ascii_alphanumeric();
        let end = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
        before = Some(&rest[end..]);
        Some((text, &rest[..end], &rest[end..]))
    })
}

/// Writes the function with the rules for views.
pub(crate) fn of_views(schema: &Schema) -> String {
    let mut code = String::from(
        "/// Returns the name of a field without which the node has no SQL, if it lacks one.\n\
         pub(crate) fn missing_field(node: Node<'_>) -> Option<&'static str> {\nmatch node {\n",
    );
    let rules: Vec<_> = rules(schema.major).collect();
    for of_node in rules.chunk_by(|a, b| a.0 == b.0) {
        let mut variants = schema.messages[NODE].field.iter();
        let variant = variants.find(|field| last(field.type_name()) == of_node[0].0);
        let variant = variant.map_or("", |field| field.name()).to_upper_camel_case();
        // Writing to a String cannot fail.
        let _ = writeln!(code, "Node::{variant}(node) => {{");
        for (_, field, condition) in of_node {
            let mut of_view = String::new();
            for (text, name, rest) in names(condition) {
                of_view += &with_path(text);
                if !name.is_empty() {
                    of_view += "node.";
                    of_view += name;
                    of_view += if rest.starts_with('(') { "" } else { "()" };
                }
            }
            let _ = writeln!(code, "if !({of_view}) {{ return Some({field:?}); }}");
        }
        code.push_str("}\n");
    }
    // The value is a part of the constant, not a node that a walk visits.
    code.push_str(
        "Node::AConst(node) => {\n\
         if let Some(a_const::Val::Fval(value)) = node.val() { return missing_field(Node::Float(value)); }\n\
         }\n_ => {}\n}\nNone\n}\n",
    );
    code
}

/// Writes the path before each enum.
fn with_path(text: &str) -> String {
    let words = text.split_inclusive(|char: char| !(char == '_' || char.is_ascii_alphanumeric()));
    let mut rest = text;
    let mut code = String::new();
    for word in words {
        rest = &rest[word.len()..];
        if word.starts_with(char::is_uppercase) && word.ends_with(':') && rest.starts_with(':') {
            code.push_str("protobuf::");
        }
        code.push_str(word);
    }
    code
}

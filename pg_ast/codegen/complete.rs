//! What a node cannot be printed without: libpg_query's deparser prints a list without items as nothing, and
//! `FuncCall::default()` as `()`.
//!
//! The grammar always fills these fields. Only nodes that a program makes lack them; that is an error when such a node is
//! printed. Where the deparser needs what a pointer leads to, it reports that by itself.

use std::error::Error;
use std::fmt::Write as _;

use heck::ToUpperCamelCase as _;

use crate::schema::Schema;

/// Each rule has the first major version with the node, the node, a field by its name in C, or several, and a condition of
/// Rust: it is true for a node with such a field, and for one that does without it.
#[rustfmt::skip]
const RULES: &[(u32, &str, &str, &str)] = &[
    (15, "AlterCollationStmt", "collname", "!self.collname.is_empty()"),
    (15, "AlterEnumStmt", "typeName", "!self.type_name.is_empty()"),
    // As the grammar makes it: `ADD VALUE 'x'` is at the end, after all others.
    (15, "AlterEnumStmt", "oldVal, newValNeighbor or newValIsAfter", "!self.old_val.is_empty() \
        || !self.new_val_neighbor.is_empty() || self.new_val_is_after"),
    (15, "AlterEventTrigStmt", "tgenabled", "!self.tgenabled.is_empty()"),
    (15, "AlterFdwStmt", "options", "!self.options.is_empty() || !self.func_options.is_empty()"),
    (15, "AlterForeignServerStmt", "options", "!self.options.is_empty() || self.has_version"),
    (15, "AlterOpFamilyStmt", "opfamilyname", "!self.opfamilyname.is_empty()"),
    (15, "AlterOpFamilyStmt", "items", "!self.items.is_empty()"),
    (15, "AlterStatsStmt", "defnames", "!self.defnames.is_empty()"),
    (15, "AlterSubscriptionStmt", "options", "!self.options.is_empty() || !matches!(self.kind(), \
        AlterSubscriptionType::Undefined | AlterSubscriptionType::AlterSubscriptionOptions \
        | AlterSubscriptionType::AlterSubscriptionSkip)"),
    (15, "AlterSubscriptionStmt", "publication", "!self.publication.is_empty() || !matches!(self.kind(), \
        AlterSubscriptionType::AlterSubscriptionSetPublication \
        | AlterSubscriptionType::AlterSubscriptionAddPublication \
        | AlterSubscriptionType::AlterSubscriptionDropPublication)"),
    (15, "AlterTSConfigurationStmt", "cfgname", "!self.cfgname.is_empty()"),
    (15, "AlterTSConfigurationStmt", "tokentype", "!self.tokentype.is_empty() \
        || self.kind() == AlterTsConfigType::AlterTsconfigReplaceDict"),
    (15, "AlterTSConfigurationStmt", "dicts", "!self.dicts.is_empty() \
        || self.kind() == AlterTsConfigType::AlterTsconfigDropMapping"),
    (15, "AlterTSDictionaryStmt", "dictname", "!self.dictname.is_empty()"),
    (15, "AlterTSDictionaryStmt", "options", "!self.options.is_empty()"),
    (15, "AlterTableSpaceOptionsStmt", "options", "!self.options.is_empty()"),
    (15, "AlterTypeStmt", "typeName", "!self.type_name.is_empty()"),
    (15, "AlterTypeStmt", "options", "!self.options.is_empty()"),
    (15, "CaseExpr", "args", "!self.args.is_empty()"),
    (15, "ClusterStmt", "relation", "self.relation.is_some() || self.indexname.is_empty()"),
    (15, "CoalesceExpr", "args", "!self.args.is_empty()"),
    (15, "CollateClause", "collname", "!self.collname.is_empty()"),
    (15, "CommentStmt", "object", "self.object.is_some()"),
    (15, "CopyStmt", "relation", "self.relation.is_some() || self.query.is_some()"),
    (15, "CreateAmStmt", "handler_name", "!self.handler_name.is_empty()"),
    (15, "CreateConversionStmt", "conversion_name", "!self.conversion_name.is_empty()"),
    (15, "CreateConversionStmt", "func_name", "!self.func_name.is_empty()"),
    (15, "CreateDomainStmt", "domainname", "!self.domainname.is_empty()"),
    (15, "CreateEnumStmt", "typeName", "!self.type_name.is_empty()"),
    (15, "CreateFunctionStmt", "funcname", "!self.funcname.is_empty()"),
    (15, "CreateOpFamilyStmt", "opfamilyname", "!self.opfamilyname.is_empty()"),
    (15, "CreatePLangStmt", "plhandler", "!self.plhandler.is_empty()"),
    (15, "CreateRangeStmt", "typeName", "!self.type_name.is_empty()"),
    (15, "CreateRangeStmt", "params", "!self.params.is_empty()"),
    (15, "CreateSchemaStmt", "schemaname", "!self.schemaname.is_empty() || self.authrole.is_some()"),
    (15, "CreateStatsStmt", "exprs", "!self.exprs.is_empty()"),
    (15, "CreateStatsStmt", "relations", "!self.relations.is_empty()"),
    (15, "CreateSubscriptionStmt", "publication", "!self.publication.is_empty()"),
    (15, "DefineStmt", "defnames", "!self.defnames.is_empty()"),
    (15, "DoStmt", "args", "!self.args.is_empty()"),
    (15, "DropOwnedStmt", "roles", "!self.roles.is_empty()"),
    (15, "DropRoleStmt", "roles", "!self.roles.is_empty()"),
    (15, "DropStmt", "objects", "!self.objects.is_empty()"),
    (15, "FuncCall", "funcname", "!self.funcname.is_empty()"),
    (15, "GrantRoleStmt", "granted_roles", "!self.granted_roles.is_empty()"),
    (15, "GrantRoleStmt", "grantee_roles", "!self.grantee_roles.is_empty()"),
    (15, "GrantStmt", "objects", "!self.objects.is_empty() \
        || self.targtype() == GrantTargetType::AclTargetDefaults"),
    (15, "GrantStmt", "grantees", "!self.grantees.is_empty()"),
    (15, "GroupingFunc", "args", "!self.args.is_empty()"),
    (16, "JsonArrayConstructor", "exprs", "!self.exprs.is_empty() || self.absent_on_null"),
    (17, "JsonFuncExpr", "pathspec", "self.pathspec.is_some()"),
    (16, "JsonObjectConstructor", "exprs", "!self.exprs.is_empty() || !(self.absent_on_null || self.unique)"),
    (17, "JsonScalarExpr", "expr", "self.expr.is_some()"),
    (16, "JsonValueExpr", "raw_expr", "self.raw_expr.is_some()"),
    (15, "LockStmt", "relations", "!self.relations.is_empty()"),
    (15, "MinMaxExpr", "args", "!self.args.is_empty()"),
    (15, "ParamRef", "number", "self.number >= 0"),
    (15, "RangeFunction", "functions", "!self.functions.is_empty()"),
    (15, "RangeTableFunc", "rowexpr", "self.rowexpr.is_some()"),
    (15, "RangeTableFunc", "columns", "!self.columns.is_empty()"),
    (15, "RowExpr", "args", "!self.args.is_empty() || self.row_format() != CoercionForm::CoerceImplicitCast"),
    (15, "SecLabelStmt", "object", "self.object.is_some()"),
    (15, "TruncateStmt", "relations", "!self.relations.is_empty()"),
    (15, "TypeName", "names", "!self.names.is_empty()"),
    (15, "VariableSetStmt", "args", "!self.args.is_empty() || !matches!(self.kind(), \
        VariableSetKind::Undefined | VariableSetKind::VarSetValue)"),
    (15, "WithClause", "ctes", "!self.ctes.is_empty()"),
    (15, "XmlExpr", "args", "!self.args.is_empty() || !matches!(self.op(), \
        XmlExprOp::Undefined | XmlExprOp::IsXmlconcat)"),
    (15, "XmlExpr", "named_args", "!self.named_args.is_empty() || self.op() != XmlExprOp::IsXmlforest"),
];

pub(crate) fn has_rule(node: &str) -> bool {
    RULES.iter().any(|(_, name, ..)| *name == node)
}

fn rules(major: u32) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let rules = RULES.iter().filter(move |(since, ..)| *since <= major);
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
        let _ = write!(
            code,
            "impl {} {{ #[inline] fn missing_field(&self) -> Option<&'static str> {{ {} None }} }}\n",
            of_node[0].0.to_upper_camel_case(),
            conditions.collect::<String>(),
        );
    }
    code
}

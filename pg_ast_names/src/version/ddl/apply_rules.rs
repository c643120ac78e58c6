//! Applies `CREATE RULE`, and what takes rules away or gives them other names.

use pg_ast::QualifiedName;

use super::apply_ddl::{get_mut, key};
use super::pg::protobuf::CmdType;
use super::pg::view::{RangeVar, RuleStmt};
use crate::ddl_catalog::DdlCatalog;
use crate::relation_parts::{RelationRule, TriggerEvents};

pub(crate) fn create_rule(catalog: &mut DdlCatalog, rule: RuleStmt<'_>) {
    let name = rule.relation().map(RangeVar::qualified_name);
    let Some(name) = name.and_then(|name| key(catalog, &name)) else { return };
    let Some(relation) = get_mut(catalog, &name) else { return };
    let events = TriggerEvents {
        insert: rule.event() == CmdType::CmdInsert,
        update: rule.event() == CmdType::CmdUpdate,
        delete: rule.event() == CmdType::CmdDelete,
        truncate: false,
    };
    relation.rules.retain(|other| other.name != rule.rulename());
    let rule =
        RelationRule { is_instead: rule.instead(), ..RelationRule::new(rule.rulename(), events) };
    relation.rules.push(rule);
}

pub(crate) fn drop_rule(catalog: &mut DdlCatalog, table: &QualifiedName, name: &str) {
    if let Some(relation) = get_mut(catalog, table) {
        relation.rules.retain(|rule| rule.name != name);
    }
}

pub(crate) fn rename_rule(catalog: &mut DdlCatalog, table: &QualifiedName, old: &str, new: &str) {
    let rules = get_mut(catalog, table).into_iter().flat_map(|relation| &mut relation.rules);
    for rule in rules.filter(|rule| rule.name == old) {
        new.clone_into(&mut rule.name);
    }
}

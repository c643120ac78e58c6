//! What a catalog tells of the privileges that a statement needs: which objects there are, and what views call.

use pg_ast::QualifiedName;
use pg_ast_names::{ConstraintTiming, Relationship};

use super::expanded_tables::ExpandedTables;
use super::finder::EffectsFinder;
use super::losses::cascades;
use super::pg::protobuf::AlterTableType;
use super::pg::seam::number_field;
use super::pg::view::{AlterTableCmd, AlterTableStmt, Node, RangeVar};
use super::privileges_needed::privilege;
use super::with_catalog::{KnownCatalog, of_kind};
use crate::known_relations::{KnownRelations, NameClass};
use crate::{Privilege, PrivilegeKind, Which};

impl<'a> EffectsFinder<'a> {
    /// Adds and leaves out what the catalog tells. Names have their schemas.
    pub(super) fn known_privileges(&mut self, stmt: Node<'a>, known: KnownCatalog<'a>) {
        let relations = known.relations(self.server);
        let is_guarded =
            ["missing_ok", "replace"].iter().any(|it| number_field(stmt, it) == Some(1));
        if is_guarded {
            // Nobody owns what is not there.
            self.effects.privileges.retain(|it| {
                let name = it.name.as_ref().zip(of_kind(it.on));
                let is_absent = name.is_some_and(|(name, of)| relations.is_absent(name, of));
                it.kind != PrivilegeKind::Owner || it.which != Which::Itself || !is_absent
            });
        }
        if let Node::AlterTableStmt(alter) = stmt {
            self.known_table_needs(alter, relations);
        }
        if let Node::TruncateStmt(truncate) = stmt
            && truncate.restart_seqs()
            && cascades(truncate.behavior())
        {
            // The sequences of all tables that are emptied.
            let expanded = ExpandedTables::new(relations, stmt);
            for table in truncate.relations().iter().filter_map(Node::as_range_var) {
                let name = relations.full_name(&table.qualified_name(), NameClass::Relation);
                for table in name.map(|it| expanded.emptied(&it)).unwrap_or_default() {
                    if relations.related(&table, Relationship::OwnedSequences).is_empty() {
                        continue;
                    }
                    self.related(PrivilegeKind::Owner, Some(table), Which::OwnedSequences);
                }
            }
        }
        self.called_by_views(known);
    }

    fn known_table_needs(&mut self, alter: AlterTableStmt<'a>, relations: KnownRelations<'a>) {
        let Some(table) = alter.relation().map(RangeVar::qualified_name) else { return };
        let Some(table) = relations.full_name(&table, NameClass::Relation) else { return };
        let Some(relation) = relations.relation(&table).filter(|it| it.is_complete) else { return };
        let cmds = || alter.cmds().iter().filter_map(Node::as_alter_table_cmd);
        let has_heirs = !relations.related(&table, Relationship::Children).is_empty();
        let is_typed = |cmd: AlterTableCmd<'_>| cmd.subtype() == AlterTableType::AtAlterColumnType;
        let is_in_key = |cmd: AlterTableCmd<'_>| {
            relations.keys_of(&table).any(|(it, _)| it.columns.iter().any(|it| it == cmd.name()))
        };
        let remakes = has_heirs || cmds().filter(|cmd| is_typed(*cmd)).any(is_in_key);
        // The partition of what no foreign key references.
        let is_referenced = !relations.is_closed(&table, Relationship::Referencing)
            || !relations.keys_to(&table).is_empty()
            || relation.is_partition;
        let detached = cmds().find(|cmd| cmd.subtype() == AlterTableType::AtDetachPartition);
        self.effects.privileges.retain(|it| match it.kind {
            PrivilegeKind::References if it.which == Which::Referenced => remakes,
            PrivilegeKind::Select if detached.is_some() => is_referenced,
            _ => true,
        });
        let of_all = [AlterTableType::AtEnableTrigAll, AlterTableType::AtDisableTrigAll];
        let is_deferrable =
            relation.constraints.iter().any(|it| it.timing != ConstraintTiming::Immediate);
        let has_own = is_deferrable
            || relations.keys_of(&table).next().is_some()
            || !relations.keys_to(&table).is_empty();
        if has_own && cmds().any(|cmd| of_all.contains(&cmd.subtype())) {
            // The triggers of foreign keys are PostgreSQL's.
            self.superuser();
            super::finder::superuser_alone(&mut self.effects.privileges);
        }
    }

    /// Adds the functions that views call: who reads the view has to be allowed to do so.
    fn called_by_views(&mut self, known: KnownCatalog<'a>) {
        let relations = known.relations(self.server);
        let is_read =
            |it: &&Privilege| it.kind == PrivilegeKind::Select && it.which == Which::Itself;
        let read = self.effects.privileges.iter().filter(is_read).filter_map(|it| it.name.clone());
        let mut views: Vec<QualifiedName> = read.filter(|name| relations.is_view(name)).collect();
        for place in 0..views.len() {
            let below = relations.read_by(&views[place]).into_iter().map(|(read, _)| read);
            views.extend(below.filter(|name| relations.is_view(name)));
        }
        for view in views {
            let schema = view.schema.as_deref().unwrap_or_default();
            let calls = known.catalog.view_calls(schema, &view.name).unwrap_or_default();
            for name in calls.iter().map(|(name, _)| name) {
                let full = relations.full_name(name, NameClass::Routine);
                let full = full.unwrap_or_else(|| name.clone());
                if full.schema.as_deref() != Some("pg_catalog") {
                    let execute = privilege(PrivilegeKind::Execute, "FUNCTION", Some(full));
                    self.effects.privileges.push(execute);
                }
            }
        }
    }
}

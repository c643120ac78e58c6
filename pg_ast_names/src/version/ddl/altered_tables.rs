//! What statements do to tables that others need: columns, partitions, and what partitions get from the table above them.

use std::collections::HashSet;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::apply_ddl::schema_name;
use super::apply_objects::{created_columns, defined, find, schema_of};
use super::created_objects::{is_of_column, other};
use super::object_lookup::AllStmts;
use super::object_lookup::IndexOf;
use super::pg::protobuf::{AlterTableType, ObjectType};
use super::pg::view::{AlterTableCmd, AlterTableStmt, Node, RangeVar};
use crate::stmt_dependencies::{Object, StmtDependencies};

/// Returns the group of what makes other tables partitions or heirs of a table.
pub(crate) fn heirs(table: QualifiedName) -> Object {
    other("HEIRS", table, Vec::new())
}

/// Returns the group of what makes a table a partition of another one.
fn attached(table: QualifiedName) -> Object {
    other("ATTACHED", table, Vec::new())
}

fn cmds<'a>(alter: AlterTableStmt<'a>) -> impl Iterator<Item = AlterTableCmd<'a>> {
    alter.cmds().iter().filter_map(|cmd| match cmd {
        Node::AlterTableCmd(cmd) => Some(cmd),
        _ => None,
    })
}

impl AllStmts<'_> {
    /// Adds what a command of `ALTER TABLE` does for other statements.
    pub(crate) fn add_altered(&self, alter: AlterTableStmt<'_>, of: &mut StmtDependencies) {
        let table = alter.relation().map(RangeVar::qualified_name);
        let Some(table) = table.and_then(|table| self.table(&table)) else { return };
        if alter.objtype() == ObjectType::ObjectType {
            of.completes.push(Object::Relation(table.clone()));
        }
        for cmd in cmds(alter) {
            match (cmd.subtype(), cmd.def()) {
                (AlterTableType::AtChangeOwner, _) => {
                    of.completes.push(Object::Relation(table.clone()));
                }
                (AlterTableType::AtAttachPartition, Some(Node::PartitionCmd(part)))
                    if alter.objtype() != ObjectType::ObjectIndex =>
                {
                    let part = part.name().map(RangeVar::qualified_name);
                    if let Some(part) = part.and_then(|part| self.table(&part)) {
                        of.completes.push(heirs(table.clone()));
                        of.completes.push(attached(part));
                    }
                }
                (AlterTableType::AtAddInherit, Some(Node::RangeVar(parent))) => {
                    let parent = self.table(&parent.qualified_name());
                    of.completes.extend(parent.map(heirs));
                }
                // What heirs get with it, they need not have before.
                (AlterTableType::AtAddConstraint | AlterTableType::AtAddColumn, _) => {
                    of.hints.push(heirs(table.clone()));
                }
                _ => {}
            }
        }
    }

    /// Adds what `ALTER INDEX .. ATTACH PARTITION` does: the partition is one before that, and when all have the index, it is a key.
    pub(crate) fn add_attached_index(&self, stmt: Node<'_>, of: &mut StmtDependencies) {
        let Node::AlterTableStmt(alter) = stmt else { return };
        let index = alter.relation().map(RangeVar::qualified_name);
        let Some(index) = index.and_then(|index| self.relation_name(&index)) else { return };
        for cmd in cmds(alter) {
            let Some(Node::PartitionCmd(part)) = cmd.def() else { continue };
            let part = part.name().map(RangeVar::qualified_name);
            let part = part.and_then(|part| self.relation_name(&part));
            let table = part.and_then(|part| self.tables_of_indexes.get(&part));
            let Some(IndexOf { table, .. }) = table else { continue };
            of.hints.push(attached(table.clone()));
            of.completes.push(Object::Relation(index.clone()));
            if let Some(IndexOf { keys, .. }) = self.tables_of_indexes.get(&index) {
                of.completes.extend(keys.iter().cloned());
            }
        }
    }

    /// Adds the triggers of which those of partitions are parts: they are created with that of a table above it.
    pub(crate) fn add_triggers_above(&self, of: &mut StmtDependencies) {
        // No table has more above it.
        const MOST_LEVELS: usize = 100;
        let (mut needs, mut hints) = (Vec::new(), Vec::new());
        for trigger in &of.needs {
            let Object::Other { kind: kind @ "TRIGGER", name, .. } = trigger else { continue };
            let [schema, table, name] = &**name else { continue };
            if self.defined.contains(trigger) {
                continue;
            }
            let mut table = QualifiedName::new(schema, table);
            for _ in 0..MOST_LEVELS {
                hints.push(attached(table.clone()));
                let Some(above) = self.own.heirs.parents(&table).next().cloned() else { break };
                table = above;
                let parts = table.schema.iter().chain([&table.name, name]).cloned().collect();
                let found = Object::Other { kind, name: parts, arguments: Vec::new() };
                if self.defined.contains(&found) {
                    needs.push(found);
                    break;
                }
            }
        }
        of.needs.append(&mut needs);
        of.hints.append(&mut hints);
    }

    /// Adds the columns that a statement creates and ends; the catalog is as it was before.
    pub(crate) fn add_columns(&mut self, stmt: Node<'_>, of: &mut StmtDependencies) {
        match stmt {
            Node::CreateStmt(create) => {
                let Some(table) = create.relation() else { return };
                let name =
                    QualifiedName::new(schema_of(&self.own.search_path, table), table.relname());
                let (columns, _) = created_columns(&self.own, create);
                let columns = columns.into_iter().map(|it| Object::Column(name.clone(), it.name));
                of.defines.extend(columns);
            }
            Node::CreateForeignTableStmt(create) => {
                if let Some(create) = create.base_stmt() {
                    self.add_columns(create.into(), of);
                }
            }
            Node::CreateSchemaStmt(create) => {
                let path = self.own.search_path.clone();
                let schema = schema_name(create).map(str::to_owned);
                Arc::make_mut(&mut self.own.search_path).splice(0..0, schema);
                for element in create.schema_elts() {
                    if matches!(element, Node::CreateStmt(_)) {
                        self.add_columns(element, of);
                    }
                }
                self.own.search_path = path;
            }
            Node::AlterTableStmt(alter) => {
                for cmd in cmds(alter) {
                    match cmd.subtype() {
                        AlterTableType::AtAddColumn => {
                            let columns = defined(&self.own, cmd.def());
                            for table in self.with_heirs(alter.relation()) {
                                let columns = columns.iter().map(|it| it.name.clone());
                                let columns =
                                    columns.map(|name| Object::Column(table.clone(), name));
                                of.defines.extend(columns);
                            }
                        }
                        AlterTableType::AtDropColumn => {
                            let columns = self.with_heirs(alter.relation()).into_iter();
                            let columns =
                                columns.map(|table| Object::Column(table, cmd.name().to_owned()));
                            of.ends.extend(columns);
                            of.drops = true;
                        }
                        _ => {}
                    }
                }
            }
            Node::RenameStmt(rename) if is_of_column(stmt) => {
                for table in self.with_heirs(rename.relation()) {
                    let of_name = |name: &str| Object::Column(table.clone(), name.to_owned());
                    of.defines.push(of_name(rename.newname()));
                    of.ends.push(of_name(rename.subname()));
                }
            }
            _ => {}
        }
    }

    /// Returns a table and those that inherit from it.
    fn with_heirs(&self, table: Option<RangeVar<'_>>) -> Vec<QualifiedName> {
        let table = table.and_then(|table| find(&self.own, &table.qualified_name()));
        let mut names: Vec<_> = table.map(|table| table.name.clone()).into_iter().collect();
        let mut seen: HashSet<_> = names.iter().cloned().collect();
        let mut at = 0;
        while let Some(name) = names.get(at) {
            let heirs = self.own.heirs.children(name);
            let heirs: Vec<_> =
                heirs.filter(|heir| seen.insert((*heir).clone())).cloned().collect();
            names.extend(heirs);
            at += 1;
        }
        names
    }
}

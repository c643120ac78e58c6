//! What a catalog adds to what the text of a statement tells.

use core::cell::RefCell;
use std::collections::HashSet;

use pg_ast::{LockMode, QualifiedName};
use pg_ast_names::{Catalog, RoutineParameter};

use super::expanded_tables::ExpandedTables;
use super::finder::EffectsFinder;
use super::function_calls::first_text;
use super::pg::protobuf::ObjectType;
use super::pg::seam::name_in_string;
use super::pg::view::{FuncCall, Node, RangeVar};
use crate::known_relations::{KnownRelations, NameClass};
use crate::{Answer, PrivilegeKind, TableEffect, Which};

/// A catalog, and what of it is told already.
#[derive(Clone, Copy)]
pub(super) struct KnownCatalog<'c> {
    pub(super) catalog: &'c dyn Catalog,
    pub(super) done: &'c RefCell<Done>,
}

/// What is among the effects of a statement, so that nothing is read twice, and what calls itself ends.
#[derive(Default)]
pub(super) struct Done {
    /// The functions, with the types of their parameters.
    pub(super) routines: HashSet<(QualifiedName, Vec<RoutineParameter>)>,
    /// What is done to the rows of tables.
    pub(super) events: HashSet<super::row_events::RowEvent>,
}

impl<'c> KnownCatalog<'c> {
    pub(super) const fn relations(self, server: u32) -> KnownRelations<'c> {
        KnownRelations { catalog: self.catalog, server }
    }
}

/// Makes an entry of a relation that is reached from another one.
pub(super) fn reached(
    name: QualifiedName,
    which: Which,
    of: &QualifiedName,
    lock: LockMode,
    locked: Answer,
) -> TableEffect {
    let of = Some(of.clone());
    let (rewrites, scans) = (Answer::No, Answer::No);
    TableEffect { name, which, of, lock, locked, rewrites, scans }
}

impl<'a> EffectsFinder<'a> {
    /// Completes what is found with what the catalog tells.
    pub(super) fn complete(&mut self, stmt: Node<'a>, known: KnownCatalog<'a>) {
        let relations = known.relations(self.server);
        let mut tables = ExpandedTables::new(relations, stmt);
        for table in core::mem::take(&mut self.effects.tables) {
            tables.add(table);
        }
        self.effects.tables = tables.finish();
        self.composite_types(stmt, relations);
        self.queried(stmt, known);
        self.full_names(stmt, relations);
        self.known_privileges(stmt, known);
        // There may be several of one relation.
        self.has_bodies = true;
    }

    /// Notes the sequence that a call of `nextval` is of.
    pub(super) fn known_sequence(&mut self, call: FuncCall<'a>) {
        let Some(known) = self.setting.known else { return };
        let Some(name) = first_text(call).and_then(name_in_string) else { return };
        let full = known.relations(self.server).full_name(&name, NameClass::Relation);
        self.inner.tables.push(TableEffect {
            name: full.unwrap_or(name),
            which: Which::Itself,
            of: None,
            lock: LockMode::RowExclusiveLock,
            locked: Answer::Maybe,
            rewrites: Answer::No,
            scans: Answer::No,
        });
        self.has_bodies = true;
    }

    /// Gives the names of what is lost and of what privileges are for their schemas.
    fn full_names(&mut self, stmt: Node<'a>, relations: KnownRelations<'a>) {
        let full = |name: &mut QualifiedName, named: NameClass| {
            if let Some(found) = relations.full_name(name, named) {
                *name = found;
            }
        };
        if let Some(named) = lost(stmt) {
            for name in self.effects.losses.iter_mut().filter_map(|loss| loss.name.as_mut()) {
                full(name, named);
            }
        }
        for privilege in &mut self.effects.privileges {
            if let (Some(name), Some(named)) = (&mut privilege.name, of_kind(privilege.on)) {
                full(name, named);
            }
        }
        let table = match stmt {
            Node::IndexStmt(index) => index.relation().map(RangeVar::qualified_name),
            Node::AlterTableStmt(_) | Node::AlterOwnerStmt(_) | Node::RenameStmt(_) => {
                let mut owned = self.effects.privileges.iter();
                let owned = owned.find(|it| it.kind == PrivilegeKind::Owner);
                owned.and_then(|it| it.name.clone())
            }
            _ => None,
        };
        let is_new = table.is_none();
        let schema = match table {
            Some(table) => {
                relations.full_name(&table, NameClass::Relation).and_then(|table| table.schema)
            }
            None => relations.new_schema().map(str::to_owned),
        };
        let Some(schema) = schema.filter(|_| !is_new || creates(stmt)) else { return };
        for privilege in &mut self.effects.privileges {
            let is_unnamed = privilege.name.as_ref().is_none_or(|name| name.name.is_empty());
            if privilege.kind == PrivilegeKind::Create && privilege.on == "SCHEMA" && is_unnamed {
                privilege.name = Some(QualifiedName::unqualified(&schema));
            }
        }
    }
}

/// Returns whether a statement makes an object where the path says.
fn creates(stmt: Node<'_>) -> bool {
    !matches!(
        stmt,
        Node::AlterTableStmt(_)
            | Node::AlterOwnerStmt(_)
            | Node::RenameStmt(_)
            | Node::AlterObjectSchemaStmt(_)
            | Node::CreateSchemaStmt(_)
    )
}

/// Returns what the names are of what a statement loses.
fn lost(stmt: Node<'_>) -> Option<NameClass> {
    match stmt {
        Node::DropStmt(drop) => of_type(drop.remove_type()),
        Node::AlterDomainStmt(_) => Some(NameClass::Type),
        Node::TruncateStmt(_)
        | Node::RefreshMatViewStmt(_)
        | Node::AlterTableStmt(_)
        | Node::InsertStmt(_)
        | Node::UpdateStmt(_)
        | Node::DeleteStmt(_)
        | Node::MergeStmt(_)
        | Node::SelectStmt(_)
        | Node::ExplainStmt(_)
        | Node::CopyStmt(_)
        | Node::CreateTableAsStmt(_) => Some(NameClass::Relation),
        _ => None,
    }
}

/// Returns what the names of objects of a type are, if those are in schemas and in a catalog.
pub(super) fn of_type(kind: ObjectType) -> Option<NameClass> {
    match kind {
        ObjectType::ObjectTable
        | ObjectType::ObjectView
        | ObjectType::ObjectMatview
        | ObjectType::ObjectForeignTable
        | ObjectType::ObjectSequence
        | ObjectType::ObjectIndex
        | ObjectType::ObjectTrigger
        | ObjectType::ObjectRule
        | ObjectType::ObjectPolicy => Some(NameClass::Relation),
        ObjectType::ObjectType | ObjectType::ObjectDomain => Some(NameClass::Type),
        ObjectType::ObjectFunction
        | ObjectType::ObjectProcedure
        | ObjectType::ObjectRoutine
        | ObjectType::ObjectAggregate => Some(NameClass::Routine),
        _ => None,
    }
}

/// Returns what the names of objects of a kind are, as a privilege has it.
pub(super) fn of_kind(on: &str) -> Option<NameClass> {
    match on {
        "TABLE" | "VIEW" | "MATERIALIZED VIEW" | "FOREIGN TABLE" | "SEQUENCE" | "INDEX" => {
            Some(NameClass::Relation)
        }
        "TYPE" | "DOMAIN" => Some(NameClass::Type),
        "FUNCTION" | "PROCEDURE" | "ROUTINE" | "AGGREGATE" => Some(NameClass::Routine),
        _ => None,
    }
}

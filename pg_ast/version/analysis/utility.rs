//! Utility statements: what they are about, by their own rules.

use super::super::protobuf::{Node, ObjectType, RangeVar, ReindexObjectType, RenameStmt};
use super::super::{NodeEnum, NodeRef};
use super::Reach;
use super::found::{Name, strings};
use super::walk::{Place, Walk};
use crate::analysis::Context;

/// What is no table, though it can be named like one.
fn is_other_relation(kind: ObjectType) -> bool {
    matches!(
        kind,
        ObjectType::ObjectIndex
            | ObjectType::ObjectSequence
            | ObjectType::ObjectType
            | ObjectType::ObjectAttribute
    )
}

fn is_function(kind: ObjectType) -> bool {
    matches!(
        kind,
        ObjectType::ObjectAggregate
            | ObjectType::ObjectFunction
            | ObjectType::ObjectProcedure
            | ObjectType::ObjectRoutine
    )
}

/// Whether the relations in a utility statement are tables.
fn is_about_tables(stmt: NodeRef<'_>) -> bool {
    match stmt {
        NodeRef::AlterTableStmt(stmt) => !is_other_relation(stmt.objtype()),
        NodeRef::AlterObjectSchemaStmt(stmt) => !is_other_relation(stmt.object_type()),
        NodeRef::AlterObjectDependsStmt(stmt) => !is_other_relation(stmt.object_type()),
        NodeRef::GrantStmt(stmt) => !is_other_relation(stmt.objtype()),
        NodeRef::ReindexStmt(stmt) => stmt.kind() != ReindexObjectType::ReindexObjectIndex,
        NodeRef::RenameStmt(stmt) => {
            !is_other_relation(stmt.rename_type()) && !is_other_relation(stmt.relation_type())
        }
        // A sequence, a type, constraints, and tables of another server.
        NodeRef::CreateSeqStmt(_)
        | NodeRef::AlterSeqStmt(_)
        | NodeRef::CompositeTypeStmt(_)
        | NodeRef::ConstraintsSetStmt(_)
        | NodeRef::ImportForeignSchemaStmt(_) => false,
        _ => true,
    }
}

impl<'a> Walk<'a> {
    pub(super) fn utility(&mut self, stmt: NodeRef<'a>, place: Place) {
        if let NodeRef::RawStmt(raw) = stmt {
            return self.push_node(raw.stmt.as_deref(), place);
        }
        self.statement_type(stmt, place);
        match self.reach {
            Reach::All => self.whole_utility(stmt, place),
            Reach::Summary => self.utility_summary(stmt, place),
        }
    }

    fn whole_utility(&mut self, stmt: NodeRef<'a>, place: Place) {
        let inner = Place { utility: is_about_tables(stmt), filter: false, ..place };
        match stmt {
            NodeRef::CopyStmt(copy) => {
                if let Some(table) = &copy.relation {
                    let context = if copy.is_from { Context::Dml } else { Context::Select };
                    self.table(table, context);
                }
                let inner = Place { utility: false, ..inner };
                return self.condition(stmt, copy.where_clause.as_deref(), inner);
            }
            NodeRef::IndexStmt(index) => {
                return self.condition(stmt, index.where_clause.as_deref(), inner);
            }
            NodeRef::RuleStmt(rule) => {
                return self.condition(stmt, rule.where_clause.as_deref(), inner);
            }
            NodeRef::DropStmt(drop) => {
                drop.objects.iter().for_each(|object| self.object(drop.remove_type(), object));
            }
            NodeRef::GrantStmt(grant) => {
                grant.objects.iter().for_each(|object| self.object(grant.objtype(), object));
            }
            NodeRef::CommentStmt(comment) => {
                self.objects(comment.objtype(), comment.object.as_deref());
            }
            NodeRef::SecLabelStmt(label) => self.objects(label.objtype(), label.object.as_deref()),
            NodeRef::AlterOwnerStmt(alter) => {
                self.objects(alter.object_type(), alter.object.as_deref());
            }
            NodeRef::AlterObjectSchemaStmt(alter) => {
                self.objects(alter.object_type(), alter.object.as_deref());
            }
            NodeRef::AlterObjectDependsStmt(alter) => {
                self.objects(alter.object_type(), alter.object.as_deref());
            }
            NodeRef::AlterExtensionContentsStmt(alter) => {
                self.objects(alter.objtype(), alter.object.as_deref());
            }
            NodeRef::RenameStmt(rename) => self.rename(rename),
            NodeRef::CreateFunctionStmt(create) => self.function(&create.funcname, Context::Ddl),
            NodeRef::AlterFunctionStmt(alter) => {
                if let Some(function) = &alter.func {
                    self.function(&function.objname, Context::Ddl);
                }
            }
            NodeRef::DefineStmt(define) if define.kind() == ObjectType::ObjectAggregate => {
                self.function(&define.defnames, Context::Ddl);
            }
            NodeRef::CreateTrigStmt(create) => self.function(&create.funcname, Context::Ddl),
            NodeRef::CreateEventTrigStmt(create) => self.function(&create.funcname, Context::Ddl),
            NodeRef::CreateCastStmt(create) => {
                if let Some(function) = &create.func {
                    self.function(&function.objname, Context::Ddl);
                }
            }
            _ => {}
        }
        self.push_children(stmt, |_| inner);
    }

    fn objects(&mut self, kind: ObjectType, object: Option<&'a Node>) {
        if let Some(object) = object {
            self.object(kind, object);
        }
    }

    /// What a statement names beside its relations: a list of strings, or a function with its
    /// arguments.
    fn object(&mut self, kind: ObjectType, object: &'a Node) {
        match (kind, &object.node) {
            (
                ObjectType::ObjectTable
                | ObjectType::ObjectView
                | ObjectType::ObjectMatview
                | ObjectType::ObjectForeignTable,
                Some(NodeEnum::List(name)),
            ) => self.table_name(&name.items),
            // The table's name, and then that of something in it.
            (
                ObjectType::ObjectColumn
                | ObjectType::ObjectPolicy
                | ObjectType::ObjectRule
                | ObjectType::ObjectTabconstraint
                | ObjectType::ObjectTrigger,
                Some(NodeEnum::List(name)),
            ) => {
                if let Some((_, table)) = name.items.split_last() {
                    self.table_name(table);
                }
            }
            (_, Some(NodeEnum::ObjectWithArgs(function))) if is_function(kind) => {
                self.function(&function.objname, Context::Ddl);
            }
            _ => {}
        }
    }

    /// A table by the strings of its name: database, schema, table.
    fn table_name(&mut self, name: &'a [Node]) {
        let name = match strings(name)[..] {
            [.., schema, table] => Name { schema, table },
            [table] => Name { schema: "", table },
            [] => return,
        };
        self.found.tables.insert((name, Context::Ddl));
    }

    fn rename(&mut self, rename: &'a RenameStmt) {
        match rename.rename_type() {
            ObjectType::ObjectTable
            | ObjectType::ObjectView
            | ObjectType::ObjectMatview
            | ObjectType::ObjectForeignTable
                if !is_other_relation(rename.relation_type()) =>
            {
                if let Some(table) = &rename.relation {
                    self.table(table, Context::Ddl);
                    let new = Name { schema: &table.schemaname, table: &rename.newname };
                    self.found.tables.insert((new, Context::Ddl));
                }
            }
            kind => {
                let Some(object) = rename.object.as_deref() else { return };
                self.object(kind, object);
                let Some(NodeEnum::ObjectWithArgs(function)) = &object.node else { return };
                if !is_function(kind) {
                    return;
                }
                let mut new = strings(&function.objname);
                new.pop();
                if self.reach == Reach::Summary {
                    new.clear();
                }
                new.push(&rename.newname);
                self.found.functions.insert((new, Context::Ddl));
            }
        }
    }

    /// The parts that libpg_query's summary looks at.
    fn utility_summary(&mut self, stmt: NodeRef<'a>, place: Place) {
        let place = Place { utility: false, filter: false, ..place };
        // Not followed by its walk over the types of statements.
        let untyped = Place { untyped: true, ..place };
        match stmt {
            NodeRef::CallStmt(call) => {
                if let Some(call) = &call.funccall {
                    self.push(NodeRef::FuncCall(call), untyped);
                }
            }
            NodeRef::CopyStmt(copy) => {
                if let Some(table) = &copy.relation {
                    self.table(table, Context::Select);
                }
                self.push_node(copy.query.as_deref(), untyped);
            }
            NodeRef::AlterTableStmt(alter) if alter.objtype() != ObjectType::ObjectIndex => {
                self.ddl(alter.relation.as_ref());
            }
            NodeRef::CreateStmt(create) => self.ddl(create.relation.as_ref()),
            NodeRef::CreateTableAsStmt(create) => {
                self.ddl(create.into.as_ref().and_then(|into| into.rel.as_ref()));
                self.push_node(create.query.as_deref(), place);
            }
            NodeRef::TruncateStmt(truncate) => self.ddl_list(&truncate.relations),
            NodeRef::ViewStmt(create) => {
                self.ddl(create.view.as_ref());
                self.push_node(create.query.as_deref(), place);
            }
            NodeRef::IndexStmt(index) => {
                self.ddl(index.relation.as_ref());
                self.push_node(index.where_clause.as_deref(), untyped);
                for param in index.index_params.iter().rev() {
                    if let Some(NodeEnum::IndexElem(param)) = &param.node {
                        self.push_node(param.expr.as_deref(), untyped);
                    }
                }
            }
            NodeRef::CreateTrigStmt(create) => self.ddl(create.relation.as_ref()),
            NodeRef::RuleStmt(create) => self.ddl(create.relation.as_ref()),
            NodeRef::RefreshMatViewStmt(refresh) => self.ddl(refresh.relation.as_ref()),
            NodeRef::VacuumStmt(vacuum) => {
                for rel in &vacuum.rels {
                    if let Some(NodeEnum::VacuumRelation(rel)) = &rel.node {
                        self.ddl(rel.relation.as_ref());
                    }
                }
            }
            NodeRef::DropStmt(drop) => {
                if matches!(
                    drop.remove_type(),
                    ObjectType::ObjectTable
                        | ObjectType::ObjectRule
                        | ObjectType::ObjectTrigger
                        | ObjectType::ObjectFunction
                ) {
                    drop.objects.iter().for_each(|object| self.object(drop.remove_type(), object));
                }
            }
            NodeRef::GrantStmt(grant) => match grant.objtype() {
                ObjectType::ObjectTable => self.ddl_list(&grant.objects),
                kind => grant.objects.iter().for_each(|object| self.object(kind, object)),
            },
            NodeRef::LockStmt(lock) => self.ddl_list(&lock.relations),
            NodeRef::ExplainStmt(explain) => self.push_node(explain.query.as_deref(), place),
            NodeRef::PrepareStmt(prepare) => self.push_node(prepare.query.as_deref(), place),
            NodeRef::CreateFunctionStmt(create) => self.function(&create.funcname, Context::Ddl),
            NodeRef::RenameStmt(rename) => {
                if matches!(
                    rename.rename_type(),
                    ObjectType::ObjectTable
                        | ObjectType::ObjectFunction
                        | ObjectType::ObjectProcedure
                        | ObjectType::ObjectRoutine
                ) {
                    self.rename(rename);
                }
            }
            _ => {}
        }
    }

    fn ddl(&mut self, table: Option<&'a RangeVar>) {
        if let Some(table) = table {
            self.table(table, Context::Ddl);
        }
    }

    fn ddl_list(&mut self, tables: &'a [Node]) {
        for table in tables {
            if let Some(NodeEnum::RangeVar(table)) = &table.node {
                self.ddl(Some(table));
            }
        }
    }
}

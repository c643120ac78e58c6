//! Utility statements: what they are about, by their own rules.

use super::super::protobuf::{ObjectType, ReindexObjectType};
use super::super::view::{IntoClause, List, Node, RangeVar, RenameStmt};
use super::Reach;
use super::collect::{Walk, Within};
use super::found::{Name, strings};
use super::tables::Named;
use crate::types::analysis::Context;

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
fn is_about_tables(stmt: Node<'_>) -> bool {
    match stmt {
        Node::AlterTableStmt(stmt) => !is_other_relation(stmt.objtype()),
        Node::AlterObjectSchemaStmt(stmt) => !is_other_relation(stmt.object_type()),
        Node::AlterObjectDependsStmt(stmt) => !is_other_relation(stmt.object_type()),
        Node::GrantStmt(stmt) => !is_other_relation(stmt.objtype()),
        Node::ReindexStmt(stmt) => stmt.kind() != ReindexObjectType::ReindexObjectIndex,
        Node::RenameStmt(stmt) => {
            !is_other_relation(stmt.rename_type()) && !is_other_relation(stmt.relation_type())
        }
        // A sequence, a type, constraints, and tables of another server.
        Node::CreateSeqStmt(_)
        | Node::AlterSeqStmt(_)
        | Node::CompositeTypeStmt(_)
        | Node::ConstraintsSetStmt(_)
        | Node::ImportForeignSchemaStmt(_) => false,
        _ => true,
    }
}

impl<'a> Walk<'a> {
    pub(super) fn utility(&mut self, stmt: Node<'a>, place: Within) {
        if let Node::RawStmt(raw) = stmt {
            return self.push_node(raw.stmt(), place);
        }
        self.statement_type(stmt, place);
        match self.reach {
            Reach::All => self.whole_utility(stmt, place),
            Reach::Summary => self.utility_summary(stmt, place),
        }
    }

    fn whole_utility(&mut self, stmt: Node<'a>, place: Within) {
        let inner = Within { utility: is_about_tables(stmt), filter: false, ..place };
        match stmt {
            Node::CopyStmt(copy) => {
                if let Some(table) = copy.relation() {
                    let context = if copy.is_from() { Context::Dml } else { Context::Select };
                    self.table(table, context);
                }
                let inner = Within { utility: false, ..inner };
                return self.condition(stmt, copy.where_clause(), inner);
            }
            Node::IndexStmt(index) => {
                return self.condition(stmt, index.where_clause(), inner);
            }
            Node::RuleStmt(rule) => {
                return self.condition(stmt, rule.where_clause(), inner);
            }
            Node::DropStmt(drop) => {
                drop.objects().iter().for_each(|object| self.object(drop.remove_type(), object));
            }
            Node::GrantStmt(grant) => {
                grant.objects().iter().for_each(|object| self.object(grant.objtype(), object));
            }
            Node::CommentStmt(comment) => {
                self.objects(comment.objtype(), comment.object());
            }
            Node::SecLabelStmt(label) => self.objects(label.objtype(), label.object()),
            Node::AlterOwnerStmt(alter) => {
                self.objects(alter.object_type(), alter.object());
            }
            Node::AlterObjectSchemaStmt(alter) => {
                self.objects(alter.object_type(), alter.object());
            }
            Node::AlterObjectDependsStmt(alter) => {
                self.objects(alter.object_type(), alter.object());
            }
            Node::AlterExtensionContentsStmt(alter) => {
                self.objects(alter.objtype(), alter.object());
            }
            Node::RenameStmt(rename) => self.rename(rename),
            Node::CreateFunctionStmt(create) => self.function(create.funcname(), Context::Ddl),
            Node::AlterFunctionStmt(alter) => {
                if let Some(function) = alter.func() {
                    self.function(function.objname(), Context::Ddl);
                }
            }
            Node::DefineStmt(define) if define.kind() == ObjectType::ObjectAggregate => {
                self.function(define.defnames(), Context::Ddl);
            }
            Node::CreateTrigStmt(create) => self.function(create.funcname(), Context::Ddl),
            Node::CreateEventTrigStmt(create) => self.function(create.funcname(), Context::Ddl),
            Node::CreateCastStmt(create) => {
                if let Some(function) = create.func() {
                    self.function(function.objname(), Context::Ddl);
                }
            }
            _ => {}
        }
        self.push_children(stmt, |_| inner);
    }

    fn objects(&mut self, kind: ObjectType, object: Option<Node<'a>>) {
        if let Some(object) = object {
            self.object(kind, object);
        }
    }

    /// What a statement names beside its relations: a list of strings, or a function with its
    /// arguments.
    fn object(&mut self, kind: ObjectType, object: Node<'a>) {
        match (kind, object) {
            (
                ObjectType::ObjectTable
                | ObjectType::ObjectView
                | ObjectType::ObjectMatview
                | ObjectType::ObjectForeignTable,
                Node::List(name),
            ) => self.table_name(name, 0),
            // The table's name, and then that of something in it.
            (
                ObjectType::ObjectColumn
                | ObjectType::ObjectPolicy
                | ObjectType::ObjectRule
                | ObjectType::ObjectTabconstraint
                | ObjectType::ObjectTrigger,
                Node::List(name),
            ) => self.table_name(name, 1),
            (_, Node::ObjectWithArgs(function)) if is_function(kind) => {
                self.function(function.objname(), Context::Ddl);
            }
            _ => {}
        }
    }

    /// A table by the strings of its name: database, schema, table; and behind them so many that name
    /// something in it.
    fn table_name(&mut self, names: List<'a>, behind: usize) {
        let name = match strings(names.iter().take(names.len().saturating_sub(behind)))[..] {
            [.., schema, table] => Name { schema, table },
            [table] => Name { schema: "", table },
            [] => return,
        };
        self.found.tables.insert((name, Context::Ddl));
        self.place(Node::List(names), Named { context: Context::Ddl, behind });
    }

    fn rename(&mut self, rename: RenameStmt<'a>) {
        match rename.rename_type() {
            ObjectType::ObjectTable
            | ObjectType::ObjectView
            | ObjectType::ObjectMatview
            | ObjectType::ObjectForeignTable
                if !is_other_relation(rename.relation_type()) =>
            {
                if let Some(table) = rename.relation() {
                    self.table(table, Context::Ddl);
                    let new = Name { schema: table.schemaname(), table: rename.newname() };
                    self.found.tables.insert((new, Context::Ddl));
                }
            }
            kind => {
                let Some(object) = rename.object() else { return };
                self.object(kind, object);
                let Node::ObjectWithArgs(function) = object else { return };
                if !is_function(kind) {
                    return;
                }
                let mut new = strings(function.objname());
                new.pop();
                if self.reach == Reach::Summary {
                    new.clear();
                }
                new.push(rename.newname());
                self.found.functions.insert((new, Context::Ddl));
            }
        }
    }

    /// The parts that libpg_query's summary looks at.
    fn utility_summary(&mut self, stmt: Node<'a>, place: Within) {
        let place = Within { utility: false, filter: false, ..place };
        // Not followed by its walk over the types of statements.
        let untyped = Within { untyped: true, ..place };
        match stmt {
            Node::CallStmt(call) => {
                self.push_node(call.funccall().map(Node::from), untyped);
            }
            Node::CopyStmt(copy) => {
                if let Some(table) = copy.relation() {
                    self.table(table, Context::Select);
                }
                self.push_node(copy.query(), untyped);
            }
            Node::AlterTableStmt(alter) if alter.objtype() != ObjectType::ObjectIndex => {
                self.ddl(alter.relation());
            }
            Node::CreateStmt(create) => self.ddl(create.relation()),
            Node::CreateTableAsStmt(create) => {
                self.ddl(create.into().and_then(IntoClause::rel));
                self.push_node(create.query(), place);
            }
            Node::TruncateStmt(truncate) => self.ddl_list(truncate.relations()),
            Node::ViewStmt(create) => {
                self.ddl(create.view());
                self.push_node(create.query(), place);
            }
            Node::IndexStmt(index) => {
                self.ddl(index.relation());
                self.push_node(index.where_clause(), untyped);
                for param in index.index_params().iter().rev() {
                    if let Node::IndexElem(param) = param {
                        self.push_node(param.expr(), untyped);
                    }
                }
            }
            Node::CreateTrigStmt(create) => self.ddl(create.relation()),
            Node::RuleStmt(create) => self.ddl(create.relation()),
            Node::RefreshMatViewStmt(refresh) => self.ddl(refresh.relation()),
            Node::VacuumStmt(vacuum) => {
                for rel in vacuum.rels() {
                    if let Node::VacuumRelation(rel) = rel {
                        self.ddl(rel.relation());
                    }
                }
            }
            Node::DropStmt(drop) => {
                if matches!(
                    drop.remove_type(),
                    ObjectType::ObjectTable
                        | ObjectType::ObjectRule
                        | ObjectType::ObjectTrigger
                        | ObjectType::ObjectFunction
                ) {
                    drop.objects()
                        .iter()
                        .for_each(|object| self.object(drop.remove_type(), object));
                }
            }
            Node::GrantStmt(grant) => match grant.objtype() {
                ObjectType::ObjectTable => self.ddl_list(grant.objects()),
                kind => grant.objects().iter().for_each(|object| self.object(kind, object)),
            },
            Node::LockStmt(lock) => self.ddl_list(lock.relations()),
            Node::ExplainStmt(explain) => self.push_node(explain.query(), place),
            Node::PrepareStmt(prepare) => self.push_node(prepare.query(), place),
            Node::CreateFunctionStmt(create) => self.function(create.funcname(), Context::Ddl),
            Node::RenameStmt(rename) => {
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

    fn ddl(&mut self, table: Option<RangeVar<'a>>) {
        if let Some(table) = table {
            self.table(table, Context::Ddl);
        }
    }

    fn ddl_list(&mut self, tables: List<'a>) {
        for table in tables {
            if let Node::RangeVar(table) = table {
                self.ddl(Some(table));
            }
        }
    }
}

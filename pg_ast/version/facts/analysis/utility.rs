//! The subjects of utility statements, by the rules for their fields.

use super::collect::{Collector, PlaceInStmt};
use super::found::NameInSchema;
use super::names::protobuf::ObjectType;
use super::names::views::object_class;
use super::statement::Stmt;
use super::tables::NamesTable;
use super::view::{List, Node};
use crate::convert::roles::{ObjectClass, Role};
use crate::types::analysis::Context;

/// Returns whether objects of a kind are not tables, although they can be named like one.
fn is_other_relation(kind: ObjectType) -> bool {
    object_class(kind) == ObjectClass::OtherRelation
}

fn is_table(kind: ObjectType) -> bool {
    object_class(kind) == ObjectClass::Table
}

fn is_function(kind: ObjectType) -> bool {
    object_class(kind) == ObjectClass::Function
}

impl<'a> Collector<'a> {
    pub(crate) fn utility(&mut self, node: Node<'a>, place: PlaceInStmt) {
        if let Node::RawStmt(raw) = node {
            return self.push_node(raw.stmt(), place);
        }
        self.statement_type(node, place);
        let Some(stmt) = Stmt::new(node) else { return };
        if self.scope.is_whole_utility() {
            self.whole_utility(stmt, place);
        } else {
            self.utility_summary(stmt, place);
        }
    }

    fn whole_utility(&mut self, stmt: Stmt<'a>, place: PlaceInStmt) {
        let is_about_tables =
            !stmt.rules.has(Role::OtherRelation) && !stmt.kinds().any(is_other_relation);
        let mut inner = PlaceInStmt { utility: is_about_tables, filter: false, ..place };
        if let Some(is_from) = stmt.is_from() {
            let context = if is_from { Context::Dml } else { Context::Select };
            self.table_of(stmt, context);
            // It is not what the statement is about.
            inner.utility = false;
        }
        if let Some(new_name) = stmt.new_name() {
            self.rename(stmt, new_name);
        } else {
            self.objects(stmt);
        }
        self.functions(stmt);
        self.condition(stmt.node, stmt.nodes(Role::Condition).next(), inner);
    }

    /// Collects the parts that libpg_query's summary looks at.
    fn utility_summary(&mut self, stmt: Stmt<'a>, place: PlaceInStmt) {
        let Some(summary) = &stmt.rules.summary else { return };
        if !summary.kinds.contains(stmt.kind().as_str_name()) {
            return;
        }
        let untyped = place.untyped || !summary.types;
        let inner = PlaceInStmt { utility: false, filter: false, untyped };
        let context = if stmt.is_from().is_some() { Context::Select } else { Context::Ddl };
        let mut nodes = Vec::new();
        for path in summary.paths {
            match (stmt.rules.role(path), stmt.new_name()) {
                (Some(Role::Object), _) => self.objects(stmt),
                (Some(Role::Function), _) => self.functions(stmt),
                (Some(Role::NewName), Some(new_name)) => self.rename(stmt, new_name),
                _ => nodes.extend(stmt.at(path)),
            }
        }
        nodes.retain(|node| match node {
            Node::RangeVar(table) => {
                self.table(*table, context);
                false
            }
            _ => true,
        });
        nodes.into_iter().rev().for_each(|node| self.push(node, inner));
    }

    fn table_of(&mut self, stmt: Stmt<'a>, context: Context) {
        if let Some(table) = stmt.table() {
            self.table(table, context);
        }
    }

    /// Collects what a statement names besides its relations.
    fn objects(&mut self, stmt: Stmt<'a>) {
        let kind = stmt.kind();
        stmt.nodes(Role::Object).for_each(|object| self.object(kind, object));
        for name in stmt.nodes(Role::Name).filter(|_| is_function(kind)) {
            self.function_of(name);
        }
    }

    /// Collects an object: a list of strings, or a function with its arguments.
    fn object(&mut self, kind: ObjectType, object: Node<'a>) {
        match (object, object_class(kind)) {
            (Node::List(name), ObjectClass::Table) => self.table_name(name, 0),
            (Node::List(name), ObjectClass::InTable) => self.table_name(name, 1),
            (Node::ObjectWithArgs(_), ObjectClass::Function) => self.function_of(object),
            // Otherwise it is visited as a child.
            (Node::RangeVar(table), ObjectClass::Table)
                if self.scope.meets_relations_as_objects() =>
            {
                self.table(table, Context::Ddl);
            }
            _ => {}
        }
    }

    /// Collects a table by the strings of its name: database, schema, table; then `behind` more that name
    /// something in it.
    fn table_name(&mut self, names: List<'a>, behind: usize) {
        let of_table = names.iter().take(names.len().saturating_sub(behind));
        let name = match of_table.filter_map(Node::name_part).collect::<Vec<_>>()[..] {
            [.., schema, name] => NameInSchema { schema, name },
            [name] => NameInSchema { schema: "", name },
            [] => return,
        };
        self.found.tables.insert((name, Context::Ddl));
        self.place(Node::List(names), NamesTable { context: Context::Ddl, behind });
    }

    fn functions(&mut self, stmt: Stmt<'a>) {
        stmt.nodes(Role::Function).for_each(|function| self.function_of(function));
    }

    /// Collects a function that a statement is about, by its name or with its arguments.
    fn function_of(&mut self, function: Node<'a>) {
        match function {
            Node::List(name) => self.function(name, Context::Ddl),
            Node::ObjectWithArgs(function) => self.function(function.objname(), Context::Ddl),
            _ => {}
        }
    }

    fn rename(&mut self, stmt: Stmt<'a>, new_name: &'a str) {
        let kind = stmt.kind();
        if is_table(kind) && !stmt.kinds().any(is_other_relation) {
            if let Some(table) = stmt.table() {
                self.table(table, Context::Ddl);
                if self.scope.has_new_names() {
                    let new = NameInSchema { schema: table.schemaname(), name: new_name };
                    self.found.tables.insert((new, Context::Ddl));
                }
            }
            return;
        }
        for object in stmt.nodes(Role::Object) {
            self.object(kind, object);
            let is_renamed = matches!(object, Node::ObjectWithArgs(_)) && is_function(kind);
            if is_renamed && self.scope.has_new_names() {
                let new = NameInSchema { schema: "", name: new_name };
                self.found.functions.insert((new, Context::Ddl));
            }
        }
    }
}

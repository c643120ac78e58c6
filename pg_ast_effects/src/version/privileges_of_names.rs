//! The privileges that names need by themselves: `USAGE` of schemas and types, `EXECUTE` of functions.
//!
//! What PUBLIC has of the objects that PostgreSQL itself defines is not told: of the schema `pg_catalog`, its types and
//! functions.

use super::alter_costs::{is_builtin_type, is_serial};
use super::finder::EffectsFinder;
use super::function_calls::{called, first_text};
use super::pg::protobuf::{AlterTableType, ObjectType};
use super::pg::seam::name_in_string;
use super::pg::view::{FuncCall, List, Node, TypeName};
use crate::PrivilegeKind;
use crate::functions::{FunctionEffect, functions_of_name};
use pg_ast::{NameKind, NameUse, QualifiedName};

/// The schemas of PostgreSQL's own objects.
const OWN_SCHEMAS: [&str; 2] = ["pg_catalog", "information_schema"];

impl<'a> EffectsFinder<'a> {
    /// Notes the schemas that a statement names: an object with a schema is looked up in it, whether or not the statement runs what is
    /// in it. One that is made is not: that needs `CREATE`.
    pub(super) fn schemas(&mut self, stmt: Node<'_>) {
        stmt.walk_names(|name, used| {
            let is_in_schema = matches!(
                name.kind(),
                NameKind::Table
                    | NameKind::Function
                    | NameKind::Type
                    | NameKind::Operator
                    | NameKind::OperatorClass
                    | NameKind::OperatorFamily
                    | NameKind::Collation
                    | NameKind::Index
                    | NameKind::Sequence
                    | NameKind::Statistics
                    | NameKind::Object
            );
            if is_in_schema
                && used != NameUse::Definition
                && let Some(schema) = name.qualifier().next_back()
            {
                self.schema(schema);
            }
        });
    }

    /// Notes the schema of an object that is looked up; it is empty if it is not named.
    pub(super) fn schema(&mut self, name: &str) {
        if !name.is_empty() && !OWN_SCHEMAS.contains(&name) && !name.starts_with("pg_temp") {
            self.need(PrivilegeKind::Usage, "SCHEMA", Some(QualifiedName::unqualified(name)));
        }
    }

    /// Notes the type of a column, a parameter or a domain that is made.
    pub(super) fn type_usage(&mut self, name: Option<TypeName<'a>>) {
        let Some(name) = name.filter(|name| !is_serial(Some(*name))) else { return };
        if name.pct_type() {
            // That of a column, whose table is behind the name of its schema.
            self.schema(name.names().strs().rev().nth(2).unwrap_or_default());
            self.need(PrivilegeKind::Usage, "TYPE", None);
        } else if !is_builtin_type(name, self.server) {
            self.need(PrivilegeKind::Usage, "TYPE", Some(name.names().qualified_name()));
        }
    }

    /// Notes the types of casts in expressions and queries that a statement stores: releases since August 2026 ask for them.
    pub(super) fn stored_types(&mut self, stmt: Node<'a>) {
        let is_stored = match stmt {
            Node::CreateTableAsStmt(create) => create.objtype() == ObjectType::ObjectMatview,
            Node::CreateStmt(_)
            | Node::CreateForeignTableStmt(_)
            | Node::AlterTableStmt(_)
            | Node::IndexStmt(_)
            | Node::ViewStmt(_)
            | Node::RuleStmt(_)
            | Node::CreatePolicyStmt(_)
            | Node::AlterPolicyStmt(_)
            | Node::CreateTrigStmt(_)
            | Node::CreateStatsStmt(_)
            | Node::CreateFunctionStmt(_)
            | Node::CreateDomainStmt(_)
            | Node::AlterDomainStmt(_) => true,
            _ => false,
        };
        let mut nodes: Vec<_> = is_stored.then_some(stmt).into_iter().collect();
        while let Some(node) = nodes.pop() {
            match node {
                Node::TypeCast(cast) => self.type_usage(cast.type_name()),
                // Their values are computed at once.
                Node::PartitionBoundSpec(_) => continue,
                Node::AlterTableCmd(cmd) if cmd.subtype() == AlterTableType::AtAlterColumnType => {
                    continue;
                }
                _ => {}
            }
            node.children(|child| nodes.push(child));
        }
    }

    /// Notes a function that is named and becomes a part of an object.
    pub(super) fn routine(&mut self, names: List<'a>) {
        let mut parts = names.strs().rev();
        let name = parts.next().unwrap_or_default();
        let is_own = parts.next().is_none_or(|schema| schema == "pg_catalog")
            && functions_of_name(name, self.server).is_some_and(|builtin| builtin.is_public);
        if !is_own {
            self.need(PrivilegeKind::Execute, "FUNCTION", Some(names.qualified_name()));
        }
    }

    /// Notes what an expression needs that a utility statement evaluates: `ALTER TABLE` the default of a new column.
    pub(super) fn evaluates(&mut self, expr: Node<'a>) {
        for call in expr.nodes().filter_map(Node::as_func_call) {
            self.call_needs(call);
            self.of_sequence(call);
        }
    }

    /// Notes what a call needs.
    pub(super) fn call_needs(&mut self, call: FuncCall<'a>) {
        let Some((name, builtin)) = called(call, self.server) else {
            let name = call.funcname().qualified_name();
            return self.need(PrivilegeKind::Execute, "FUNCTION", Some(name));
        };
        if FunctionEffect::of(name) == Some(FunctionEffect::Setting)
            && let Some(name) = first_text(call)
        {
            self.parameter(name);
        }
        if !builtin.is_public {
            let name = call.funcname().qualified_name();
            self.need(PrivilegeKind::Execute, "FUNCTION", Some(name));
        }
    }

    /// Notes what a call does to a sequence that its argument names.
    pub(super) fn of_sequence(&mut self, call: FuncCall<'a>) {
        if let Some((name, _)) = called(call, self.server)
            && let Some(kind) = FunctionEffect::of(name).and_then(sequence_privilege)
        {
            self.need(kind, "SEQUENCE", first_text(call).and_then(name_in_string));
        }
    }

    /// Notes the schema of a sequence that a string names, which is looked up when the statement is read.
    pub(super) fn sequence_schema(&mut self, call: FuncCall<'a>) {
        if let Some((name, _)) = called(call, self.server)
            && FunctionEffect::of(name).and_then(sequence_privilege).is_some()
            && let Some(schema) = first_text(call).and_then(name_in_string).and_then(|it| it.schema)
        {
            self.schema(&schema);
        }
    }

    /// Notes the language of a function or a body.
    pub(super) fn language(&mut self, name: &str) {
        self.need(PrivilegeKind::Usage, "LANGUAGE", Some(QualifiedName::unqualified(name)));
    }

    /// Notes a tablespace in which something is made: anyone may use the database's own.
    pub(super) fn tablespace(&mut self, name: &str) {
        if !name.is_empty() && name != "pg_default" {
            let name = Some(QualifiedName::unqualified(name));
            self.need(PrivilegeKind::Create, "TABLESPACE", name);
        }
    }
}

/// Returns the privilege on a sequence that a function of it needs.
fn sequence_privilege(effect: FunctionEffect) -> Option<PrivilegeKind> {
    match effect {
        FunctionEffect::Sequence => Some(PrivilegeKind::Usage),
        FunctionEffect::SetSequence => Some(PrivilegeKind::Update),
        FunctionEffect::SequenceValue => Some(PrivilegeKind::Select),
        _ => None,
    }
}

/// Returns whether a function of PostgreSQL's is about a sequence.
#[cfg(feature = "catalog")]
pub(super) fn is_of_sequence(name: &str) -> bool {
    FunctionEffect::of(name).and_then(sequence_privilege).is_some()
}

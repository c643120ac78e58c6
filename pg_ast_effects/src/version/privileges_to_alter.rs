//! The privileges that changes of objects need: `ALTER TABLE`, other names, owners and schemas.

use super::finder::EffectsFinder;
use super::pg::protobuf::{AlterTableType, ConstrType, DropBehavior, ObjectType, RoleSpecType};
use super::pg::view::{
    AlterObjectSchemaStmt, AlterOwnerStmt, AlterTableCmd, AlterTableStmt, ColumnDef, Constraint,
    List, Node, PartitionBoundSpec, PartitionCmd, RangeVar, RenameStmt, RoleSpec, TypeName,
};
use super::privileges_needed::{kind_name, privilege};
use super::statements_about::{about, owned};
use super::{alter_costs::is_serial, alter_rules::alter_rule};
use crate::{Privilege, PrivilegeKind, Which};
use pg_ast::QualifiedName;

impl<'a> EffectsFinder<'a> {
    pub(super) fn owner(&mut self, on: &'static str, name: Option<QualifiedName>) {
        self.need(PrivilegeKind::Owner, on, name);
    }

    pub(super) fn superuser(&mut self) {
        self.need(PrivilegeKind::Superuser, "ROLE", None);
    }

    /// Notes what the owner of an object may do; some objects have none.
    pub(super) fn owner_of_object(&mut self, kind: ObjectType, object: Node<'a>) {
        match (kind, object) {
            (
                ObjectType::ObjectAccessMethod
                | ObjectType::ObjectTsparser
                | ObjectType::ObjectTstemplate,
                _,
            ) => self.superuser(),
            (ObjectType::ObjectRole, _) => self.role_admin(owned(kind, object).1),
            (ObjectType::ObjectCast, Node::List(types)) => {
                let mut types = types.iter().map(Node::as_type_name);
                self.owner_for_cast(types.next().flatten(), types.next().flatten());
            }
            (ObjectType::ObjectTransform, Node::List(parts)) => {
                let of = parts.first().and_then(Node::as_type_name);
                self.owner("TYPE", of.map(|of| of.names().qualified_name()));
            }
            _ => {
                let (on, name) = owned(kind, object);
                self.owner(on, name);
            }
        }
    }

    /// Notes one who may change a role.
    pub(super) fn role_admin(&mut self, name: Option<QualifiedName>) {
        self.need(PrivilegeKind::CreateRole, "ROLE", None);
        if self.server >= 16 {
            self.need(PrivilegeKind::GrantOption, "ROLE", name);
        }
    }

    /// Notes that one becomes a member of a role, or acts for it; returns the role unless it is the one that runs the statement.
    pub(super) fn member(&mut self, role: Option<RoleSpec<'a>>) -> Option<String> {
        let role = other_role(role)?;
        self.need(PrivilegeKind::Member, "ROLE", Some(QualifiedName::unqualified(&role)));
        Some(role)
    }

    /// Notes the owner of the tables that inherit from one, or have its type.
    fn descendants(&mut self, table: RangeVar<'a>) {
        let name = Some(table.qualified_name());
        self.related(PrivilegeKind::Owner, name, Which::Descendants);
    }

    pub(super) fn rename_needs(&mut self, rename: RenameStmt<'a>) {
        let kind = rename.rename_type();
        let (on, name) = about(Node::RenameStmt(rename)).into_iter().next().unwrap_or_default();
        match kind {
            ObjectType::ObjectRole => return self.role_admin(name),
            ObjectType::ObjectTsparser | ObjectType::ObjectTstemplate => return self.superuser(),
            ObjectType::ObjectSchema => self.need(PrivilegeKind::Create, "DATABASE", None),
            ObjectType::ObjectDomconstraint => {
                let domain = rename.object().and_then(Node::as_list).unwrap_or_default();
                return self.owner("DOMAIN", Some(domain.qualified_name()));
            }
            ObjectType::ObjectDatabase => self.need(PrivilegeKind::CreateDb, "ROLE", None),
            ObjectType::ObjectType | ObjectType::ObjectDomain => {}
            _ if is_in_schema(kind) => {
                let schema = name.as_ref().and_then(|name| name.schema.as_deref());
                self.create_in(schema.unwrap_or_default());
            }
            _ => {}
        }
        self.owner(on, name);
        let Some(table) = rename.relation() else { return };
        let descends = match kind {
            ObjectType::ObjectColumn | ObjectType::ObjectTabconstraint => table.inh(),
            ObjectType::ObjectAttribute => rename.behavior() == DropBehavior::DropCascade,
            _ => false,
        };
        if descends {
            self.descendants(table);
        }
    }

    pub(super) fn schema_needs(&mut self, alter: AlterObjectSchemaStmt<'a>) {
        let (on, name) =
            about(Node::AlterObjectSchemaStmt(alter)).into_iter().next().unwrap_or_default();
        match alter.object_type() {
            ObjectType::ObjectTsparser | ObjectType::ObjectTstemplate => return self.superuser(),
            _ => self.owner(on, name),
        }
        self.create_in(alter.newschema());
    }

    pub(super) fn owner_needs(&mut self, alter: AlterOwnerStmt<'a>) {
        let (on, name) = about(Node::AlterOwnerStmt(alter)).into_iter().next().unwrap_or_default();
        self.new_owner(alter.object_type(), on, name, alter.newowner());
    }

    fn new_owner(
        &mut self,
        kind: ObjectType,
        on: &'static str,
        name: Option<QualifiedName>,
        new: Option<RoleSpec<'a>>,
    ) {
        if kind == ObjectType::ObjectFdw {
            return self.superuser();
        }
        let schema = name.as_ref().and_then(|name| name.schema.as_deref()).unwrap_or_default();
        let schema = QualifiedName::unqualified(schema);
        self.owner(on, name);
        if kind == ObjectType::ObjectEventTrigger {
            let superuser = privilege(PrivilegeKind::Superuser, "ROLE", None);
            self.effects.privileges.push(Privilege { role: other_role(new), ..superuser });
            return;
        }
        let role = self.member(new);
        let create = PrivilegeKind::Create;
        let of_new_owner = match kind {
            // Here, it is the one who runs the statement.
            ObjectType::ObjectSchema => return self.need(create, "DATABASE", None),
            ObjectType::ObjectDatabase => {
                return self.need(PrivilegeKind::CreateDb, "ROLE", None);
            }
            ObjectType::ObjectPublication => privilege(create, "DATABASE", None),
            ObjectType::ObjectForeignServer => {
                privilege(PrivilegeKind::Usage, "FOREIGN DATA WRAPPER", None)
            }
            _ if is_in_schema(kind) => privilege(create, "SCHEMA", Some(schema)),
            _ => return,
        };
        self.effects.privileges.push(Privilege { role, ..of_new_owner });
    }

    pub(super) fn alter_table_needs(&mut self, alter: AlterTableStmt<'a>) {
        let Some(table) = alter.relation() else { return };
        let on = kind_name(alter.objtype());
        let mut descends = false;
        let is_type = alter.objtype() == ObjectType::ObjectType;
        for cmd in alter.cmds().iter().filter_map(Node::as_alter_table_cmd) {
            let of_descendants = alter_rule(cmd.subtype().as_str_name())
                .is_some_and(|rule| rule.descends.since(self.server) && asks_below(cmd));
            // Of a type, those are the tables that have it.
            let reaches =
                if is_type { cmd.behavior() == DropBehavior::DropCascade } else { table.inh() };
            descends |= of_descendants && reaches;
            if cmd.subtype() == AlterTableType::AtChangeOwner {
                self.new_owner(alter.objtype(), on, Some(table.qualified_name()), cmd.newowner());
            } else {
                self.alter_cmd_needs(alter, table, cmd);
            }
        }
        self.owner(on, Some(table.qualified_name()));
        if descends {
            self.descendants(table);
        }
    }

    fn alter_cmd_needs(
        &mut self,
        alter: AlterTableStmt<'a>,
        table: RangeVar<'a>,
        cmd: AlterTableCmd<'a>,
    ) {
        let def = cmd.def();
        match cmd.subtype() {
            AlterTableType::AtAddColumn => {
                if let Some(column) = def.and_then(Node::as_column_def) {
                    self.type_usage(column.type_name());
                    if is_serial(column.type_name()) {
                        self.create_beside(table);
                    }
                    let is_filled = alter.objtype() == ObjectType::ObjectTable;
                    for constraint in column.constraints().iter().filter_map(Node::as_constraint) {
                        self.constraint_needs(table, constraint, is_filled);
                    }
                }
            }
            AlterTableType::AtAddConstraint | AlterTableType::AtAddIdentity => {
                if let Some(constraint) = def.and_then(Node::as_constraint) {
                    self.constraint_needs(table, constraint, !constraint.skip_validation());
                }
            }
            AlterTableType::AtAlterColumnType => {
                let column = def.and_then(Node::as_column_def);
                self.type_usage(column.and_then(ColumnDef::type_name));
                if let Some(using) = column.and_then(ColumnDef::raw_default) {
                    self.evaluates(using);
                }
                // Its foreign keys are made again.
                let name = Some(table.qualified_name());
                self.related(PrivilegeKind::References, name, Which::Referenced);
            }
            AlterTableType::AtAddOf => {
                self.type_usage(def.and_then(Node::as_type_name));
            }
            AlterTableType::AtSetTableSpace => self.tablespace(cmd.name()),
            AlterTableType::AtAddInherit => {
                if let Some(parent) = def.and_then(Node::as_range_var) {
                    self.owner("TABLE", Some(parent.qualified_name()));
                }
            }
            AlterTableType::AtAttachPartition => {
                let Some(partition) = def.and_then(Node::as_partition_cmd) else { return };
                if let Some(name) = partition.name()
                    && alter.objtype() != ObjectType::ObjectIndex
                {
                    self.owner("TABLE", Some(name.qualified_name()));
                }
                self.bound(partition.bound());
            }
            // If a foreign key references the table, the user looks up that no row references the partition.
            AlterTableType::AtDetachPartition if alter.objtype() != ObjectType::ObjectIndex => {
                let partition = def.and_then(Node::as_partition_cmd).and_then(PartitionCmd::name);
                let name = partition.map(RangeVar::qualified_name);
                self.need(PrivilegeKind::Select, "TABLE", name);
                let name = Some(table.qualified_name());
                self.related(PrivilegeKind::Select, name, Which::Referencing);
            }
            other if other.as_str_name() == "AT_SetExpression" => {
                if let Some(expr) = def {
                    self.evaluates(expr);
                }
            }
            _ => {}
        }
    }

    /// Notes what a constraint needs that an existing table gets; whether its rows are checked, or its columns filled.
    fn constraint_needs(
        &mut self,
        table: RangeVar<'a>,
        constraint: Constraint<'a>,
        is_evaluated: bool,
    ) {
        match constraint.contype() {
            ConstrType::ConstrPrimary | ConstrType::ConstrUnique | ConstrType::ConstrExclusion
                if constraint.indexname().is_empty() =>
            {
                self.create_beside(table);
                self.tablespace(constraint.indexspace());
            }
            ConstrType::ConstrIdentity => self.create_beside(table),
            _ => {}
        }
        if is_evaluated && constraint.contype() != ConstrType::ConstrForeign {
            self.evaluates(Node::Constraint(constraint));
        }
    }

    /// Notes what is made in the schema of a table: an index or a sequence.
    pub(super) fn create_beside(&mut self, table: RangeVar<'a>) {
        if !super::finder::is_temporary(table) {
            self.create_in(table.schemaname());
        }
    }

    /// Notes the bounds of a partition, which are evaluated at once.
    pub(super) fn bound(&mut self, bound: Option<PartitionBoundSpec<'a>>) {
        if let Some(bound) = bound {
            self.evaluates(Node::PartitionBoundSpec(bound));
        }
    }

    /// Notes the owner of one of the two types of a cast.
    pub(super) fn owner_for_cast(
        &mut self,
        source: Option<TypeName<'a>>,
        target: Option<TypeName<'a>>,
    ) {
        let mut own = source
            .into_iter()
            .chain(target)
            .filter(|name| !super::alter_costs::is_builtin_type(*name, self.server));
        match (own.next(), own.next()) {
            (None, _) => self.superuser(),
            (Some(one), None) => self.owner("TYPE", Some(one.names().qualified_name())),
            // It is enough to own one of them.
            (Some(_), Some(_)) => self.owner("TYPE", None),
        }
    }

    /// Notes the table of a sequence's `OWNED BY`: both have one owner.
    pub(super) fn owned_by(&mut self, options: List<'a>) {
        if let Some((schema, name)) = super::locked_tables::owned_by(options) {
            self.schema(schema);
            self.owner("TABLE", Some(super::pg::seam::qualified_name(schema, name)));
        }
    }
}

/// Returns whether a subcommand that applies to descendants asks for their owner.
fn asks_below(cmd: AlterTableCmd<'_>) -> bool {
    match cmd.subtype() {
        AlterTableType::AtAddConstraint => {
            let constraint = cmd.def().and_then(Node::as_constraint);
            constraint.is_none_or(|it| it.contype() != ConstrType::ConstrForeign)
        }
        AlterTableType::AtDropOids
        | AlterTableType::AtEnableTrig
        | AlterTableType::AtEnableAlwaysTrig
        | AlterTableType::AtEnableReplicaTrig
        | AlterTableType::AtEnableTrigAll
        | AlterTableType::AtEnableTrigUser
        | AlterTableType::AtDisableTrig
        | AlterTableType::AtDisableTrigAll
        | AlterTableType::AtDisableTrigUser => false,
        _ => true,
    }
}

/// Returns the role that a statement names: `None` for the one that runs it, and no name for that of the session.
pub(super) fn other_role(role: Option<RoleSpec<'_>>) -> Option<String> {
    let role = role?;
    match role.roletype() {
        RoleSpecType::RolespecCstring => Some(role.rolename().to_owned()),
        RoleSpecType::RolespecSessionUser | RoleSpecType::RolespecPublic => Some(String::new()),
        _ => None,
    }
}

/// Returns whether objects of a kind are in schemas.
fn is_in_schema(kind: ObjectType) -> bool {
    matches!(
        kind,
        ObjectType::ObjectTable
            | ObjectType::ObjectView
            | ObjectType::ObjectMatview
            | ObjectType::ObjectForeignTable
            | ObjectType::ObjectIndex
            | ObjectType::ObjectSequence
            | ObjectType::ObjectFunction
            | ObjectType::ObjectProcedure
            | ObjectType::ObjectAggregate
            | ObjectType::ObjectRoutine
            | ObjectType::ObjectType
            | ObjectType::ObjectDomain
            | ObjectType::ObjectCollation
            | ObjectType::ObjectConversion
            | ObjectType::ObjectOperator
            | ObjectType::ObjectOpclass
            | ObjectType::ObjectOpfamily
            | ObjectType::ObjectStatisticExt
            | ObjectType::ObjectTsconfiguration
            | ObjectType::ObjectTsdictionary
    )
}

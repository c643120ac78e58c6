//! The privileges that objects of a whole server or database need: roles, databases, foreign servers, publications.

use super::finder::EffectsFinder;
use super::pg::protobuf::VariableSetKind;
use super::pg::view::{AlterRoleSetStmt, DefElem, List, Node, RoleSpec, VariableSetStmt};
use super::privileges_to_alter::other_role;
use crate::PrivilegeKind;
use crate::superuser_settings::is_superuser_setting;
use pg_ast::QualifiedName;

impl<'a> EffectsFinder<'a> {
    pub(super) fn needs_beside_tables(&mut self, node: Node<'a>) {
        let named = |name: &str| Some(QualifiedName::unqualified(name));
        match node {
            Node::CreateSchemaStmt(create) => {
                self.need(PrivilegeKind::Create, "DATABASE", None);
                self.member(create.authrole());
            }
            Node::CreateForeignServerStmt(create) => {
                let wrapper = named(create.fdwname());
                self.need(PrivilegeKind::Usage, "FOREIGN DATA WRAPPER", wrapper);
            }
            Node::ImportForeignSchemaStmt(import) => {
                self.need(PrivilegeKind::Usage, "SERVER", named(import.server_name()));
                self.create_in(import.local_schema());
            }
            Node::CreateUserMappingStmt(it) => self.user_mapping(it.user(), it.servername()),
            Node::AlterUserMappingStmt(it) => self.user_mapping(it.user(), it.servername()),
            Node::DropUserMappingStmt(it) => self.user_mapping(it.user(), it.servername()),
            Node::CreatePublicationStmt(create) => self.publication_needs(create),
            Node::AlterPublicationStmt(alter) => self.alter_publication_needs(alter),
            Node::CreateSubscriptionStmt(_) => {
                if self.server < 16 {
                    return self.superuser();
                }
                self.superuser_or("pg_create_subscription");
                self.need(PrivilegeKind::Create, "DATABASE", None);
            }
            Node::CreateCastStmt(cast) => {
                if cast.func().is_none() && !cast.inout() {
                    return self.superuser();
                }
                self.owner_for_cast(cast.sourcetype(), cast.targettype());
                self.type_usage(cast.sourcetype());
                self.type_usage(cast.targettype());
            }
            Node::CreateTransformStmt(transform) => {
                if let Some(of) = transform.type_name() {
                    self.owner("TYPE", Some(of.names().qualified_name()));
                }
                self.type_usage(transform.type_name());
                self.language(transform.lang());
                for function in transform.fromsql().into_iter().chain(transform.tosql()) {
                    self.owner("FUNCTION", Some(function.objname().qualified_name()));
                }
            }
            Node::AlterExtensionContentsStmt(alter) => {
                self.owner("EXTENSION", named(alter.extname()));
                if let Some(object) = alter.object() {
                    self.owner_of_object(alter.objtype(), object);
                }
            }
            Node::CheckPointStmt(_) => self.superuser_or("pg_checkpoint"),
            Node::AlterSystemStmt(alter) => match alter.setstmt() {
                Some(set) if set.kind() != VariableSetKind::VarResetAll => {
                    self.need(PrivilegeKind::AlterSystem, "PARAMETER", named(set.name()));
                }
                _ => self.superuser(),
            },
            Node::CreatedbStmt(create) => {
                self.need(PrivilegeKind::CreateDb, "ROLE", None);
                if let Some(Node::String(owner)) = option(create.options(), "owner") {
                    self.need(PrivilegeKind::Member, "ROLE", named(owner.sval()));
                }
                if let Some(Node::String(space)) = option(create.options(), "tablespace") {
                    self.tablespace(space.sval());
                }
            }
            Node::AlterDatabaseStmt(alter) => {
                self.owner("DATABASE", named(alter.dbname()));
                if let Some(Node::String(space)) = option(alter.options(), "tablespace") {
                    self.tablespace(space.sval());
                }
            }
            _ => self.needs_of_roles(node),
        }
    }

    fn needs_of_roles(&mut self, node: Node<'a>) {
        match node {
            Node::CreateRoleStmt(create) => {
                self.need(PrivilegeKind::CreateRole, "ROLE", None);
                self.attributes(create.options());
                if self.server >= 16 {
                    self.admin_of(option(create.options(), "addroleto"));
                }
            }
            Node::AlterRoleStmt(alter) => {
                let is_own = other_role(alter.role()).is_none()
                    && alter
                        .options()
                        .iter()
                        .filter_map(Node::as_def_elem)
                        .all(|option| option.defname() == "password");
                if !is_own {
                    self.role_admin(role_name(alter.role()));
                    self.attributes(alter.options());
                }
            }
            Node::VariableSetStmt(set) => self.set_needs(set),
            Node::AlterDatabaseSetStmt(alter) => {
                self.owner("DATABASE", Some(QualifiedName::unqualified(alter.dbname())));
                self.setting_of_others(alter.setstmt());
            }
            Node::AlterRoleSetStmt(alter) => self.role_setting(alter),
            Node::DropRoleStmt(drop) => {
                for role in drop.roles().iter().filter_map(Node::as_role_spec) {
                    self.role_admin(role_name(Some(role)));
                }
            }
            Node::GrantRoleStmt(grant) => {
                for role in grant.granted_roles().iter().filter_map(Node::as_access_priv) {
                    let name = QualifiedName::unqualified(role.priv_name());
                    self.need(PrivilegeKind::GrantOption, "ROLE", Some(name));
                }
            }
            Node::DropOwnedStmt(drop) => self.members(Some(Node::List(drop.roles()))),
            Node::ReassignOwnedStmt(reassign) => {
                self.members(Some(Node::List(reassign.roles())));
                self.member(reassign.newrole());
            }
            Node::AlterDefaultPrivilegesStmt(alter) => {
                self.members(option(alter.options(), "roles"));
            }
            _ => {}
        }
    }

    fn set_needs(&mut self, set: VariableSetStmt<'a>) {
        if set.kind() != VariableSetKind::VarSetValue {
            return self.later_setting(Some(set));
        }
        let value = match set.args().first().and_then(Node::literal) {
            Some(pg_ast::Literal::String(value)) => value,
            _ => "",
        };
        match set.name() {
            "role" if value != "none" => {
                self.need(PrivilegeKind::Member, "ROLE", Some(QualifiedName::unqualified(value)));
            }
            "session_authorization" => self.superuser(),
            name => self.parameter(name),
        }
    }

    /// Notes a setting for a role, a database, or a function.
    pub(super) fn later_setting(&mut self, set: Option<VariableSetStmt<'a>>) {
        // Of all, those are reset that one may.
        if let Some(set) = set.filter(|set| set.kind() != VariableSetKind::VarResetAll) {
            self.parameter(set.name());
        }
    }

    /// Notes a parameter that a role or a database gets: of a library that is not loaded, it may be for superusers.
    fn setting_of_others(&mut self, set: Option<VariableSetStmt<'a>>) {
        self.later_setting(set);
        if let Some(set) =
            set.filter(|set| set.name().contains('.') && !is_superuser_setting(set.name()))
        {
            self.need(
                PrivilegeKind::Set,
                "PARAMETER",
                Some(QualifiedName::unqualified(set.name())),
            );
        }
    }

    /// Notes a parameter that is set.
    pub(super) fn parameter(&mut self, name: &str) {
        if is_superuser_setting(name) {
            self.need(PrivilegeKind::Set, "PARAMETER", Some(QualifiedName::unqualified(name)));
        }
    }

    fn role_setting(&mut self, alter: AlterRoleSetStmt<'a>) {
        self.setting_of_others(alter.setstmt());
        match (alter.role(), alter.database()) {
            (None, "") => self.superuser(),
            (None, database) => self.owner("DATABASE", Some(QualifiedName::unqualified(database))),
            // One's own settings need nothing.
            (role, _) if other_role(role).is_none() => {}
            (role, _) => self.role_admin(role_name(role)),
        }
    }

    /// Notes what attributes need: since 16, one may give those that one has.
    fn attributes(&mut self, options: List<'a>) {
        let is_on = |name: &str| super::finder::is_on(options, name);
        if is_on("superuser") || is_on("isreplication") || is_on("bypassrls") {
            self.superuser();
        }
        if is_on("createdb") && self.server >= 16 {
            self.need(PrivilegeKind::CreateDb, "ROLE", None);
        }
    }

    /// Notes each role of a list whose members one may choose.
    fn admin_of(&mut self, roles: Option<Node<'a>>) {
        let Some(Node::List(roles)) = roles else { return };
        for role in roles.iter().filter_map(Node::as_role_spec) {
            self.need(PrivilegeKind::GrantOption, "ROLE", role_name(Some(role)));
        }
    }

    /// Notes each role of a list that one acts for.
    fn members(&mut self, roles: Option<Node<'a>>) {
        let Some(Node::List(roles)) = roles else { return };
        for role in roles.iter().filter_map(Node::as_role_spec) {
            self.member(Some(role));
        }
    }
}

fn role_name(role: Option<RoleSpec<'_>>) -> Option<QualifiedName> {
    other_role(role).map(|name| QualifiedName::unqualified(&name))
}

/// Returns the value of an option.
pub(super) fn option<'a>(options: List<'a>, name: &str) -> Option<Node<'a>> {
    let mut options = options.iter().filter_map(Node::as_def_elem);
    options.find(|option| option.defname() == name).and_then(DefElem::arg)
}

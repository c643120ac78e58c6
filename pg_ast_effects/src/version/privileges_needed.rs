//! The privileges that statements need: those of the pages of PostgreSQL's reference, and of the calls of `object_aclcheck`,
//! `object_ownercheck` and their like in the files of its commands.
//!
//! Each privilege that is told is one without which a server refuses the statement, and all of them are enough:
//! `tests/server/privileges.rs` asks servers of all versions.

use super::finder::{EffectsFinder, is_on};
use super::losses::object_name;
use super::pg::protobuf::{GrantTargetType, ObjectType, ReindexObjectType};
use super::pg::view::{Node, RangeVar, VacuumRelation};
use super::privileges_to_create::has_superuser_option;
use super::statement_rules::{Need, StatementRule};
use super::statements_about::about;
use crate::{Privilege, PrivilegeKind, Which};
use pg_ast::{LockMode, QualifiedName};

/// Returns a privilege on all of an object.
pub(super) fn privilege(
    kind: PrivilegeKind,
    on: &'static str,
    name: Option<QualifiedName>,
) -> Privilege {
    // In C, a name that is not written is empty.
    let name = name.filter(|name| !name.name.is_empty());
    Privilege { kind, on, name, columns: Vec::new(), which: Which::Itself, role: None }
}

/// The extensions of PostgreSQL's own that are trusted: `trusted = true` in their control files, in all versions.
const TRUSTED: [&str; 25] = [
    "bool_plperl",
    "btree_gin",
    "btree_gist",
    "citext",
    "cube",
    "dict_int",
    "fuzzystrmatch",
    "hstore",
    "intarray",
    "isn",
    "jsonb_plperl",
    "lo",
    "ltree",
    "pg_trgm",
    "pgcrypto",
    "plperl",
    "plpgsql",
    "pltcl",
    "seg",
    "tablefunc",
    "tcn",
    "tsm_system_rows",
    "tsm_system_time",
    "unaccent",
    "uuid-ossp",
];

impl<'a> EffectsFinder<'a> {
    pub(super) fn need(
        &mut self,
        kind: PrivilegeKind,
        on: &'static str,
        name: Option<QualifiedName>,
    ) {
        self.effects.privileges.push(privilege(kind, on, name));
    }

    /// Notes what related objects need, if there are any.
    pub(super) fn related(
        &mut self,
        kind: PrivilegeKind,
        name: Option<QualifiedName>,
        which: Which,
    ) {
        self.effects.privileges.push(Privilege { which, ..privilege(kind, "TABLE", name) });
    }

    /// Notes a role of PostgreSQL's own that may do it beside superusers.
    pub(super) fn superuser_or(&mut self, role: &str) {
        let name = QualifiedName::unqualified(role);
        self.need(PrivilegeKind::Superuser, "ROLE", Some(name));
    }

    /// Notes what a utility statement needs.
    pub(super) fn needs(&mut self, node: Node<'a>, rule: &StatementRule) {
        match rule.need {
            Need::Nothing => {}
            Need::Computed => self.computed_needs(node),
            Need::Owner(on) => {
                let (kind, name) = about(node).into_iter().next().unwrap_or_default();
                self.owner(if on.is_empty() { kind } else { on }, name);
            }
            Need::CreateInSchema => self.create_in_schema(node),
            Need::Superuser => self.superuser(),
        }
    }

    /// Notes what maintenance of a table needs.
    fn maintains(&mut self, table: Option<RangeVar<'a>>, which: Which) {
        let kind = if self.server >= 17 { PrivilegeKind::Maintain } else { PrivilegeKind::Owner };
        self.related(kind, table.map(RangeVar::qualified_name), which);
    }

    /// Returns a privilege that is enough to lock a table.
    fn lock_privilege(&self, mode: i32) -> PrivilegeKind {
        // UPDATE, DELETE, TRUNCATE and, since 17, MAINTAIN are enough as well; before 16, not for ACCESS SHARE.
        let (share, row_exclusive) =
            (LockMode::AccessShareLock as i32, LockMode::RowExclusiveLock as i32);
        match mode {
            mode if mode <= share => PrivilegeKind::Select,
            mode if mode == row_exclusive || mode < row_exclusive && self.server >= 16 => {
                PrivilegeKind::Insert
            }
            _ => PrivilegeKind::Update,
        }
    }

    fn computed_needs(&mut self, node: Node<'a>) {
        match node {
            // Any other one may be trusted as well, but has to say so.
            Node::CreateExtensionStmt(create) if !TRUSTED.contains(&create.extname()) => {
                self.superuser();
            }
            Node::CreateExtensionStmt(_) => self.need(PrivilegeKind::Create, "DATABASE", None),
            Node::AlterTableStmt(alter) => self.alter_table_needs(alter),
            Node::RenameStmt(rename) => self.rename_needs(rename),
            Node::AlterObjectSchemaStmt(alter) => self.schema_needs(alter),
            Node::AlterOwnerStmt(alter) => self.owner_needs(alter),
            Node::AlterSeqStmt(alter) => {
                self.owner("SEQUENCE", alter.sequence().map(RangeVar::qualified_name));
                self.owned_by(alter.options());
            }
            Node::AlterDomainStmt(alter) => {
                self.owner("DOMAIN", Some(alter.type_name().qualified_name()));
                if let Some(constraint) = alter.def().and_then(Node::as_constraint)
                    && !constraint.skip_validation()
                {
                    self.evaluates(Node::Constraint(constraint));
                }
            }
            Node::AlterOperatorStmt(alter) => {
                let name = alter.opername().map(|operator| operator.objname().qualified_name());
                self.owner("OPERATOR", name);
            }
            Node::AlterFunctionStmt(alter) => {
                if has_superuser_option(alter.actions()) {
                    return self.superuser();
                }
                let (on, name) = about(node).into_iter().next().unwrap_or_default();
                self.owner(on, name);
                for option in alter.actions().iter().filter_map(Node::as_def_elem) {
                    self.later_setting(option.arg().and_then(Node::as_variable_set_stmt));
                }
            }
            Node::AlterTableMoveAllStmt(alter) => {
                self.related(PrivilegeKind::Owner, None, Which::All);
                self.tablespace(alter.new_tablespacename());
            }
            Node::CommentStmt(comment) => {
                if let Some(object) = comment.object() {
                    self.owner_of_object(comment.objtype(), object);
                }
            }
            Node::DropStmt(drop) => {
                for object in drop.objects() {
                    self.owner_of_object(drop.remove_type(), object);
                }
            }
            Node::CopyStmt(copy) => {
                if !copy.filename().is_empty() {
                    self.superuser_or(match (copy.is_program(), copy.is_from()) {
                        (true, _) => "pg_execute_server_program",
                        (false, true) => "pg_read_server_files",
                        (false, false) => "pg_write_server_files",
                    });
                }
                if let Some(table) = copy.relation() {
                    let kind =
                        if copy.is_from() { PrivilegeKind::Insert } else { PrivilegeKind::Select };
                    let columns = copy.attlist().strs().map(str::to_owned).collect();
                    self.need_on(kind, table, columns);
                    // Its condition reads the columns of the table.
                    if copy.where_clause().is_some() {
                        self.need_on(PrivilegeKind::Select, table, Vec::new());
                    }
                }
            }
            _ => self.needs_of_tables(node),
        }
    }

    /// Notes what statements about whole tables and other objects need.
    fn needs_of_tables(&mut self, node: Node<'a>) {
        match node {
            Node::TruncateStmt(truncate) => {
                let cascades = super::losses::cascades(truncate.behavior());
                for table in truncate.relations().iter().filter_map(Node::as_range_var) {
                    self.need_on(PrivilegeKind::Truncate, table, Vec::new());
                    let name = Some(table.qualified_name());
                    if cascades {
                        self.related(PrivilegeKind::Truncate, name.clone(), Which::Referencing);
                    }
                    if truncate.restart_seqs() {
                        self.related(PrivilegeKind::Owner, name, Which::OwnedSequences);
                    }
                }
            }
            Node::LockStmt(lock) => {
                let kind = self.lock_privilege(lock.mode());
                for table in lock.relations().iter().filter_map(Node::as_range_var) {
                    self.need_on(kind, table, Vec::new());
                }
            }
            Node::GrantStmt(grant) => {
                let on = kind_name(grant.objtype());
                let is_in_schemas = grant.targtype() == GrantTargetType::AclTargetAllInSchema;
                for object in grant.objects() {
                    let (name, _) = object_name(grant.objtype(), object);
                    if is_in_schemas {
                        self.schema(name.as_ref().map(|it| it.name.as_str()).unwrap_or_default());
                    }
                    let which = if is_in_schemas { Which::All } else { Which::Itself };
                    let option = privilege(PrivilegeKind::GrantOption, on, name);
                    self.effects.privileges.push(Privilege { which, ..option });
                }
            }
            Node::DoStmt(_) => {
                let language = node.routine_body().and_then(|body| body.language);
                self.language(language.unwrap_or_default());
            }
            Node::LoadStmt(load) => {
                // Others may load what an administrator has put there.
                if !load.filename().starts_with("$libdir/plugins/") {
                    self.superuser();
                }
            }
            _ => self.needs_of_parts(node),
        }
    }

    /// Notes what the parts of a table, and its maintenance, need.
    fn needs_of_parts(&mut self, node: Node<'a>) {
        let of = |table: Option<RangeVar<'a>>| table.map(RangeVar::qualified_name);
        match node {
            Node::CreateTrigStmt(trigger) => {
                for table in trigger.relation().into_iter().chain(trigger.constrrel()) {
                    self.need_on(PrivilegeKind::Trigger, table, Vec::new());
                }
                self.routine(trigger.funcname());
            }
            Node::IndexStmt(index) => {
                self.owner("TABLE", of(index.relation()));
                if let Some(table) = index.relation() {
                    self.create_beside(table);
                }
                self.tablespace(index.table_space());
                for part in index.index_params().iter().chain(index.where_clause()) {
                    self.evaluates(part);
                }
            }
            Node::RuleStmt(rule) => self.owner("TABLE", of(rule.relation())),
            Node::CreatePolicyStmt(policy) => self.owner("TABLE", of(policy.table())),
            Node::CreateStatsStmt(stats) => {
                let name = stats.defnames().qualified_name();
                let mut tables = stats.relations().iter().filter_map(Node::as_range_var);
                let first = tables.next();
                let schema = match first {
                    // Without a name, it is beside the table.
                    Some(table) if name.name.is_empty() => Some(table.schemaname().to_owned()),
                    _ => name.schema,
                };
                self.create_in(&schema.unwrap_or_default());
                for table in first.into_iter().chain(tables) {
                    self.owner("TABLE", of(Some(table)));
                }
            }
            Node::ClusterStmt(cluster) => {
                if let Some(table) = cluster.relation() {
                    self.with_partitions(table);
                }
            }
            Node::ReindexStmt(reindex) => {
                let name = QualifiedName::unqualified(reindex.name());
                match (reindex.kind(), reindex.relation()) {
                    (ReindexObjectType::ReindexObjectIndex, Some(index)) => {
                        self.maintains(Some(index), Which::TableOf);
                    }
                    (_, Some(table)) => self.maintains(Some(table), Which::Itself),
                    (ReindexObjectType::ReindexObjectSchema, _) => {
                        self.owner("SCHEMA", Some(name));
                    }
                    _ => self.owner("DATABASE", Some(name)),
                }
            }
            Node::VacuumStmt(vacuum) => {
                let tables = vacuum.rels().iter().filter_map(Node::as_vacuum_relation);
                tables.filter_map(VacuumRelation::relation).for_each(|it| self.with_partitions(it));
                // Statistics of the database alone need nothing.
                if vacuum.rels().is_empty() && !is_on(vacuum.options(), "only_database_stats") {
                    self.maintains(None, Which::All);
                }
            }
            Node::RefreshMatViewStmt(refresh) => {
                self.maintains(refresh.relation(), Which::Itself);
                // New rows are in a temporary table; later, it is the owner who makes it.
                if refresh.concurrent() && self.server < 17 {
                    self.need(PrivilegeKind::Temporary, "DATABASE", None);
                }
            }
            _ => self.needs_beside_tables(node),
        }
    }

    fn with_partitions(&mut self, table: RangeVar<'a>) {
        self.maintains(Some(table), Which::Itself);
        if table.inh() {
            self.maintains(Some(table), Which::Descendants);
        }
    }
}

/// Returns the name of a kind of objects, as in SQL.
pub(super) fn kind_name(kind: ObjectType) -> &'static str {
    match kind {
        ObjectType::ObjectTabconstraint | ObjectType::ObjectDomconstraint => "CONSTRAINT",
        ObjectType::ObjectStatisticExt => "STATISTICS",
        ObjectType::ObjectMatview => "MATERIALIZED VIEW",
        ObjectType::ObjectForeignTable => "FOREIGN TABLE",
        ObjectType::ObjectForeignServer => "SERVER",
        ObjectType::ObjectFdw => "FOREIGN DATA WRAPPER",
        ObjectType::ObjectTsconfiguration => "TEXT SEARCH CONFIGURATION",
        ObjectType::ObjectTsdictionary => "TEXT SEARCH DICTIONARY",
        ObjectType::ObjectTsparser => "TEXT SEARCH PARSER",
        ObjectType::ObjectTstemplate => "TEXT SEARCH TEMPLATE",
        ObjectType::ObjectAccessMethod => "ACCESS METHOD",
        ObjectType::ObjectOpclass => "OPERATOR CLASS",
        ObjectType::ObjectOpfamily => "OPERATOR FAMILY",
        ObjectType::ObjectEventTrigger => "EVENT TRIGGER",
        ObjectType::ObjectLargeobject => "LARGE OBJECT",
        ObjectType::ObjectUserMapping => "USER MAPPING",
        ObjectType::ObjectParameterAcl => "PARAMETER",
        ObjectType::ObjectDefacl => "DEFAULT PRIVILEGES",
        ObjectType::ObjectPublicationNamespace | ObjectType::ObjectPublicationRel => "PUBLICATION",
        // The others have one word.
        _ => kind.as_str_name().strip_prefix("OBJECT_").unwrap_or("OBJECT"),
    }
}

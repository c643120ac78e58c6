//! The privileges that statements need: those of the pages of PostgreSQL's reference.

use super::finder::{EffectsFinder, is_temporary};
use super::losses::{object_name, plain_name, target_names};
use super::names::protobuf::{CmdType, ObjectType, OnConflictAction};
use super::statement_rules::{Need, StatementRule};
use super::statements_about::about;
use super::view::{CreateStmt, IntoClause, List, Node, RangeVar, VacuumRelation};
use crate::types::catalog::LockMode;
use crate::types::effects::{Privilege, PrivilegeKind, Which};

impl<'a> EffectsFinder<'a> {
    fn need(&mut self, kind: PrivilegeKind, on: &'static str, name: String, columns: Vec<String>) {
        self.effects.privileges.push(Privilege { kind, on, name, columns });
    }

    fn need_on(&mut self, kind: PrivilegeKind, table: RangeVar<'a>) {
        self.in_schema(table);
        self.need(kind, "TABLE", plain_name(table), Vec::new());
    }

    /// Notes what a name with a schema needs.
    fn in_schema(&mut self, table: RangeVar<'a>) {
        if !table.schemaname().is_empty() && !is_temporary(table) {
            self.need(PrivilegeKind::Usage, "SCHEMA", table.schemaname().to_owned(), Vec::new());
        }
    }

    /// Notes a table that a query reads.
    pub(super) fn reads(&mut self, table: RangeVar<'a>) {
        self.need_on(PrivilegeKind::Select, table);
        if self.is_row_locked(table) {
            self.need(PrivilegeKind::Update, "TABLE", plain_name(table), Vec::new());
        }
    }

    /// Notes a table that a new foreign key references.
    pub(super) fn referenced(&mut self, table: RangeVar<'a>, columns: List<'a>) {
        self.table(table, Which::Itself, LockMode::ShareRowExclusiveLock);
        self.in_schema(table);
        let columns = columns.strs().map(str::to_owned).collect();
        self.need(PrivilegeKind::References, "TABLE", plain_name(table), columns);
    }

    /// Notes what a statement that writes rows needs for its target.
    pub(super) fn rows_need(&mut self, node: Node<'a>) {
        match node {
            Node::InsertStmt(insert) => {
                let Some(table) = insert.relation() else { return };
                self.in_schema(table);
                let name = plain_name(table);
                let columns = target_names(insert.cols());
                self.need(PrivilegeKind::Insert, "TABLE", name.clone(), columns);
                if let Some(conflict) = insert.on_conflict_clause() {
                    if conflict.action() == OnConflictAction::OnconflictUpdate {
                        let columns = target_names(conflict.target_list());
                        self.need(PrivilegeKind::Update, "TABLE", name.clone(), columns);
                        self.need(PrivilegeKind::Select, "TABLE", name, Vec::new());
                    } else if conflict.infer().is_some() {
                        self.need(PrivilegeKind::Select, "TABLE", name, Vec::new());
                    }
                } else if returns(node) {
                    self.need(PrivilegeKind::Select, "TABLE", name, Vec::new());
                }
            }
            Node::UpdateStmt(update) => {
                let Some(table) = update.relation() else { return };
                self.in_schema(table);
                let name = plain_name(table);
                let columns = target_names(update.target_list());
                self.need(PrivilegeKind::Update, "TABLE", name.clone(), columns);
                let mut values = update.target_list().iter().filter_map(Node::as_res_target);
                let is_plain = values
                    .all(|target| target.val().is_some_and(|value| value.literal().is_some()));
                if update.where_clause().is_some() || returns(node) || !is_plain {
                    self.need(PrivilegeKind::Select, "TABLE", name, Vec::new());
                }
            }
            Node::DeleteStmt(delete) => {
                let Some(table) = delete.relation() else { return };
                self.need_on(PrivilegeKind::Delete, table);
                if delete.where_clause().is_some() || returns(node) {
                    self.need(PrivilegeKind::Select, "TABLE", plain_name(table), Vec::new());
                }
            }
            Node::MergeStmt(merge) => {
                let Some(table) = merge.relation() else { return };
                self.need_on(PrivilegeKind::Select, table);
                for when in merge.merge_when_clauses().iter().filter_map(Node::as_merge_when_clause)
                {
                    let (kind, columns) = match when.command_type() {
                        CmdType::CmdInsert => {
                            (PrivilegeKind::Insert, target_names(when.target_list()))
                        }
                        CmdType::CmdUpdate => {
                            (PrivilegeKind::Update, target_names(when.target_list()))
                        }
                        CmdType::CmdDelete => (PrivilegeKind::Delete, Vec::new()),
                        _ => continue,
                    };
                    self.need(kind, "TABLE", plain_name(table), columns);
                }
            }
            _ => {}
        }
    }

    /// Notes what a utility statement needs.
    pub(super) fn needs(&mut self, node: Node<'a>, rule: &StatementRule) {
        let names = about(node);
        let name = || names.first().map(|(_, name)| name.clone()).unwrap_or_default();
        let kind_of = |on: &'static str| names.first().map_or(on, |(kind, _)| kind);
        match rule.need {
            Need::Nothing => {}
            Need::Computed => self.computed_needs(node),
            Need::Owner(on) => {
                let on = if on.is_empty() { kind_of("OBJECT") } else { on };
                self.need(PrivilegeKind::Owner, on, name(), Vec::new());
            }
            Need::Usage(on) => self.need(PrivilegeKind::Usage, on, String::new(), Vec::new()),
            Need::CreateInSchema => self.create_in_schema(node),
            Need::CreateInDatabase => {
                self.need(PrivilegeKind::Create, "DATABASE", String::new(), Vec::new());
            }
            Need::Superuser => {
                self.need(PrivilegeKind::Superuser, "ROLE", String::new(), Vec::new());
            }
            Need::CreateRole => {
                self.need(PrivilegeKind::CreateRole, "ROLE", String::new(), Vec::new());
            }
            Need::CreateDb => self.need(PrivilegeKind::CreateDb, "ROLE", String::new(), Vec::new()),
            Need::Member => self.need(PrivilegeKind::Member, "ROLE", String::new(), Vec::new()),
            Need::AlterSystem => {
                self.need(PrivilegeKind::AlterSystem, "PARAMETER", name(), Vec::new());
            }
        }
    }

    fn create_in_schema(&mut self, node: Node<'a>) {
        let relation = match node {
            Node::CreateStmt(it) => it.relation(),
            Node::CreateForeignTableStmt(it) => it.base_stmt().and_then(CreateStmt::relation),
            Node::CreateTableAsStmt(it) => it.into().and_then(IntoClause::rel),
            Node::CreateSeqStmt(it) => it.sequence(),
            Node::ViewStmt(it) => it.view(),
            _ => None,
        };
        match relation {
            Some(relation) if is_temporary(relation) => {
                self.need(PrivilegeKind::Temporary, "DATABASE", String::new(), Vec::new());
            }
            relation => {
                let schema = relation.map(RangeVar::schemaname).unwrap_or_default().to_owned();
                self.need(PrivilegeKind::Create, "SCHEMA", schema, Vec::new());
            }
        }
        if let Node::ViewStmt(view) = node
            && view.replace()
            && let Some(view) = view.view()
        {
            self.need(PrivilegeKind::Owner, "VIEW", plain_name(view), Vec::new());
        }
        if let Node::CreateStmt(create) = node {
            for parent in create.inh_relations().iter().filter_map(Node::as_range_var) {
                self.need_on(PrivilegeKind::Owner, parent);
            }
        }
    }

    /// Notes what maintenance of a table needs.
    fn maintains(&mut self, table: RangeVar<'a>) {
        let kind = if self.server >= 17 { PrivilegeKind::Maintain } else { PrivilegeKind::Owner };
        self.need_on(kind, table);
    }

    fn computed_needs(&mut self, node: Node<'a>) {
        let owner = PrivilegeKind::Owner;
        match node {
            Node::AlterTableStmt(alter) => {
                if let Some(table) = alter.relation() {
                    self.in_schema(table);
                    let on = kind_name(alter.objtype());
                    self.need(owner, on, plain_name(table), Vec::new());
                }
            }
            Node::CopyStmt(copy) => {
                if !copy.filename().is_empty() {
                    self.need(PrivilegeKind::Superuser, "ROLE", String::new(), Vec::new());
                }
                if let Some(table) = copy.relation() {
                    self.in_schema(table);
                    let kind =
                        if copy.is_from() { PrivilegeKind::Insert } else { PrivilegeKind::Select };
                    let columns = copy.attlist().strs().map(str::to_owned).collect();
                    self.need(kind, "TABLE", plain_name(table), columns);
                }
            }
            Node::ClusterStmt(cluster) => {
                if let Some(table) = cluster.relation() {
                    self.maintains(table);
                }
            }
            Node::ReindexStmt(reindex) => {
                if let Some(table) = reindex.relation() {
                    self.maintains(table);
                } else {
                    self.need(owner, "DATABASE", reindex.name().to_owned(), Vec::new());
                }
            }
            Node::VacuumStmt(vacuum) => {
                let tables = vacuum.rels().iter().filter_map(Node::as_vacuum_relation);
                tables.filter_map(VacuumRelation::relation).for_each(|table| self.maintains(table));
            }
            Node::RefreshMatViewStmt(refresh) => {
                if let Some(view) = refresh.relation() {
                    self.maintains(view);
                }
            }
            Node::TruncateStmt(truncate) => {
                for table in truncate.relations().iter().filter_map(Node::as_range_var) {
                    self.need_on(PrivilegeKind::Truncate, table);
                }
            }
            Node::LockStmt(lock) => {
                // UPDATE, DELETE, TRUNCATE and, since 17, MAINTAIN are enough for any mode.
                let kind = match lock.mode() {
                    mode if mode <= LockMode::AccessShareLock as i32 => PrivilegeKind::Select,
                    mode if mode <= LockMode::RowExclusiveLock as i32 => PrivilegeKind::Insert,
                    _ => PrivilegeKind::Update,
                };
                for table in lock.relations().iter().filter_map(Node::as_range_var) {
                    self.need_on(kind, table);
                }
            }
            Node::CreateTrigStmt(trigger) => {
                if let Some(table) = trigger.relation() {
                    self.need_on(PrivilegeKind::Trigger, table);
                }
                let function = super::function_calls::joined(trigger.funcname().strs());
                self.need(PrivilegeKind::Execute, "FUNCTION", function, Vec::new());
            }
            Node::IndexStmt(index) => {
                if let Some(table) = index.relation() {
                    self.need_on(owner, table);
                }
            }
            Node::RuleStmt(rule) => {
                if let Some(table) = rule.relation() {
                    self.need_on(owner, table);
                }
            }
            Node::CreatePolicyStmt(policy) => {
                if let Some(table) = policy.table() {
                    self.need_on(owner, table);
                }
            }
            Node::CreateStatsStmt(stats) => {
                for table in stats.relations().iter().filter_map(Node::as_range_var) {
                    self.need_on(owner, table);
                }
            }
            Node::DropStmt(drop) => {
                let on = kind_name(drop.remove_type());
                for object in drop.objects() {
                    self.need(owner, on, object_name(object), Vec::new());
                }
            }
            Node::GrantStmt(grant) => {
                let on = kind_name(grant.objtype());
                for object in grant.objects() {
                    self.need(PrivilegeKind::GrantOption, on, object_name(object), Vec::new());
                }
            }
            _ => {}
        }
    }
}

/// Returns whether a statement that writes rows has a `RETURNING`.
fn returns(node: Node<'_>) -> bool {
    use super::view::fields::{FieldValue, field};
    // Since 18, it is a clause.
    ["returningClause", "returningList"].iter().any(|name| match field(node, name) {
        Some((_, FieldValue::Node(clause))) => !matches!(clause, Node::Null),
        Some((_, FieldValue::List(list))) => !list.is_empty(),
        _ => false,
    })
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

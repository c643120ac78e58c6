//! The privileges that statements need: those of the pages of PostgreSQL's reference.

use super::finder::{EffectsFinder, is_temporary};
use super::locked_tables::relation_name;
use super::losses::{object_name, target_names};
use super::pg::protobuf::{CmdType, ConstrType, ObjectType, OnConflictAction};
use super::pg::seam::{list_field, node_field};
use super::pg::view::{Alias, CreateStmt, IntoClause, List, Node, RangeVar, VacuumRelation};
use super::statement_rules::{Need, StatementRule};
use super::statements_about::{about, owned};
use crate::{Privilege, PrivilegeKind, Which};
use pg_ast::{LockMode, QualifiedName};

impl<'a> EffectsFinder<'a> {
    pub(super) fn need(
        &mut self,
        kind: PrivilegeKind,
        on: &'static str,
        name: Option<QualifiedName>,
        columns: Vec<String>,
    ) {
        // In C, a name that is not written is empty.
        let name = name.filter(|name| !name.name.is_empty());
        let which = Which::Itself;
        self.effects.privileges.push(Privilege { kind, on, name, columns, which, role: None });
    }

    fn need_on(&mut self, kind: PrivilegeKind, table: RangeVar<'a>) {
        self.in_schema(table);
        self.need(kind, "TABLE", Some(table.qualified_name()), Vec::new());
    }

    /// Notes what a name with a schema needs.
    fn in_schema(&mut self, table: RangeVar<'a>) {
        if !table.schemaname().is_empty() && !is_temporary(table) {
            let schema = QualifiedName::unqualified(table.schemaname());
            self.need(PrivilegeKind::Usage, "SCHEMA", Some(schema), Vec::new());
        }
    }

    /// Notes a table that a query reads.
    pub(super) fn reads(&mut self, table: RangeVar<'a>) {
        self.need_on(PrivilegeKind::Select, table);
        if self.is_row_locked(table) {
            self.need(PrivilegeKind::Update, "TABLE", Some(table.qualified_name()), Vec::new());
        }
    }

    /// Notes a table that a new foreign key references.
    pub(super) fn referenced(&mut self, table: RangeVar<'a>, columns: List<'a>) {
        self.table(table, Which::Itself, LockMode::ShareRowExclusiveLock);
        self.in_schema(table);
        let columns = columns.strs().map(str::to_owned).collect();
        self.need(PrivilegeKind::References, "TABLE", Some(table.qualified_name()), columns);
    }

    /// Notes what a statement that writes rows needs for its target.
    pub(super) fn rows_need(&mut self, node: Node<'a>) {
        match node {
            Node::InsertStmt(insert) => {
                let Some(table) = insert.relation() else { return };
                self.in_schema(table);
                let name = Some(table.qualified_name());
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
                } else if returning(node).next().is_some() {
                    self.need(PrivilegeKind::Select, "TABLE", name, Vec::new());
                }
            }
            Node::UpdateStmt(update) => {
                let Some(table) = update.relation() else { return };
                self.in_schema(table);
                let name = Some(table.qualified_name());
                let columns = target_names(update.target_list());
                self.need(PrivilegeKind::Update, "TABLE", name.clone(), columns);
                if reads_target(node, table) {
                    self.need(PrivilegeKind::Select, "TABLE", name, Vec::new());
                }
            }
            Node::DeleteStmt(delete) => {
                let Some(table) = delete.relation() else { return };
                self.need_on(PrivilegeKind::Delete, table);
                if reads_target(node, table) {
                    self.need(
                        PrivilegeKind::Select,
                        "TABLE",
                        Some(table.qualified_name()),
                        Vec::new(),
                    );
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
                    self.need(kind, "TABLE", Some(table.qualified_name()), columns);
                }
            }
            _ => {}
        }
    }

    /// Notes what a utility statement needs.
    pub(super) fn needs(&mut self, node: Node<'a>, rule: &StatementRule) {
        let names = about(node);
        let name = || names.first().and_then(|(_, name)| name.clone());
        let kind_of = |on: &'static str| names.first().map_or(on, |(kind, _)| kind);
        match rule.need {
            Need::Nothing => {}
            Need::Computed => self.computed_needs(node),
            Need::Owner(on) => {
                let on = if on.is_empty() { kind_of("OBJECT") } else { on };
                self.need(PrivilegeKind::Owner, on, name(), Vec::new());
            }
            Need::Usage(on) => self.need(PrivilegeKind::Usage, on, None, Vec::new()),
            Need::CreateInSchema => self.create_in_schema(node),
            Need::CreateInDatabase => {
                self.need(PrivilegeKind::Create, "DATABASE", None, Vec::new());
            }
            Need::Superuser => {
                self.need(PrivilegeKind::Superuser, "ROLE", None, Vec::new());
            }
            Need::CreateRole => {
                self.need(PrivilegeKind::CreateRole, "ROLE", None, Vec::new());
            }
            Need::CreateDb => self.need(PrivilegeKind::CreateDb, "ROLE", None, Vec::new()),
            Need::Member => self.need(PrivilegeKind::Member, "ROLE", None, Vec::new()),
            Need::AlterSystem => {
                self.need(PrivilegeKind::AlterSystem, "PARAMETER", name(), Vec::new());
            }
        }
    }

    fn create_in_schema(&mut self, node: Node<'a>) {
        if is_in_c(node) {
            return self.need(PrivilegeKind::Superuser, "ROLE", None, Vec::new());
        }
        let relation = match node {
            Node::CreateStmt(it) => it.relation(),
            Node::CreateForeignTableStmt(it) => it.base_stmt().and_then(CreateStmt::relation),
            Node::CreateTableAsStmt(it) => it.into().and_then(IntoClause::rel),
            Node::CreateSeqStmt(it) => it.sequence(),
            Node::ViewStmt(it) => it.view(),
            Node::CompositeTypeStmt(it) => it.typevar(),
            _ => None,
        };
        match new_name(node) {
            Some(names) => {
                let schema = relation_name(names, 0).map(|(schema, _)| schema);
                self.create_in(schema.unwrap_or_default());
            }
            None => self.create_relation(relation),
        }
        if let Node::ViewStmt(view) = node
            && view.replace()
            && let Some(view) = view.view()
        {
            self.need(PrivilegeKind::Owner, "VIEW", Some(view.qualified_name()), Vec::new());
        }
        if let Node::CreateStmt(create) = node {
            if let Some(table) = create.relation().filter(|_| is_altered(create)) {
                self.in_schema(table);
            }
            for parent in create.inh_relations().iter().filter_map(Node::as_range_var) {
                self.need_on(PrivilegeKind::Owner, parent);
            }
        }
    }

    /// Notes what a new relation needs.
    pub(super) fn create_relation(&mut self, relation: Option<RangeVar<'a>>) {
        if relation.is_some_and(is_temporary) {
            self.need(PrivilegeKind::Temporary, "DATABASE", None, Vec::new());
        } else {
            self.create_in(relation.map(RangeVar::schemaname).unwrap_or_default());
        }
    }

    /// Notes what an object needs that is made in a schema, which is empty if it is not named.
    fn create_in(&mut self, schema: &str) {
        let schema = QualifiedName::unqualified(schema);
        self.need(PrivilegeKind::Create, "SCHEMA", Some(schema), Vec::new());
    }

    /// Notes what maintenance of a table needs.
    fn maintains(&mut self, table: RangeVar<'a>) {
        let kind = if self.server >= 17 { PrivilegeKind::Maintain } else { PrivilegeKind::Owner };
        self.need_on(kind, table);
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
        let owner = PrivilegeKind::Owner;
        match node {
            Node::AlterTableStmt(alter) => {
                if let Some(table) = alter.relation() {
                    self.in_schema(table);
                    let on = kind_name(alter.objtype());
                    self.need(owner, on, Some(table.qualified_name()), Vec::new());
                }
            }
            Node::CopyStmt(copy) => {
                if !copy.filename().is_empty() {
                    self.need(PrivilegeKind::Superuser, "ROLE", None, Vec::new());
                }
                if let Some(table) = copy.relation() {
                    self.in_schema(table);
                    let kind =
                        if copy.is_from() { PrivilegeKind::Insert } else { PrivilegeKind::Select };
                    let columns = copy.attlist().strs().map(str::to_owned).collect();
                    self.need(kind, "TABLE", Some(table.qualified_name()), columns);
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
                    let name = QualifiedName::unqualified(reindex.name());
                    self.need(owner, "DATABASE", Some(name), Vec::new());
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
                let kind = self.lock_privilege(lock.mode());
                for table in lock.relations().iter().filter_map(Node::as_range_var) {
                    self.need_on(kind, table);
                }
            }
            Node::CreateTrigStmt(trigger) => {
                if let Some(table) = trigger.relation() {
                    self.need_on(PrivilegeKind::Trigger, table);
                }
                let function = trigger.funcname().qualified_name();
                self.need(PrivilegeKind::Execute, "FUNCTION", Some(function), Vec::new());
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
                for object in drop.objects() {
                    let (on, name) = owned(drop.remove_type(), object);
                    self.need(owner, on, name, Vec::new());
                }
            }
            Node::GrantStmt(grant) => {
                let on = kind_name(grant.objtype());
                for object in grant.objects() {
                    let (name, _) = object_name(grant.objtype(), object);
                    self.need(PrivilegeKind::GrantOption, on, name, Vec::new());
                }
            }
            _ => {}
        }
    }
}

/// Returns the name of an object that is made and no relation.
fn new_name(node: Node<'_>) -> Option<List<'_>> {
    Some(match node {
        Node::CreateFunctionStmt(it) => it.funcname(),
        Node::CreateEnumStmt(it) => it.type_name(),
        Node::CreateRangeStmt(it) => it.type_name(),
        Node::CreateDomainStmt(it) => it.domainname(),
        Node::CreateConversionStmt(it) => it.conversion_name(),
        Node::DefineStmt(it) => it.defnames(),
        _ => return None,
    })
}

/// Returns whether C functions are a part of what is made: then it needs a superuser.
fn is_in_c(node: Node<'_>) -> bool {
    match node {
        Node::DefineStmt(define) => matches!(
            define.kind(),
            ObjectType::ObjectType | ObjectType::ObjectTsparser | ObjectType::ObjectTstemplate
        ),
        Node::CreateFunctionStmt(_) => {
            let language = node.routine_body().and_then(|body| body.language);
            language.is_some_and(|name| ["c", "internal"].contains(&name))
        }
        _ => false,
    }
}

/// Returns whether a new table is looked up once more, for an index, a foreign key or a sequence.
fn is_altered(create: CreateStmt<'_>) -> bool {
    const SERIAL: [&str; 6] =
        ["smallserial", "serial2", "serial", "serial4", "bigserial", "serial8"];
    let alters = |constraint: Node<'_>| {
        constraint.as_constraint().is_some_and(|constraint| {
            matches!(
                constraint.contype(),
                ConstrType::ConstrPrimary
                    | ConstrType::ConstrUnique
                    | ConstrType::ConstrExclusion
                    | ConstrType::ConstrForeign
                    | ConstrType::ConstrIdentity
            )
        })
    };
    let elements = create.table_elts().iter().chain(create.constraints().iter());
    elements.into_iter().any(|element| match element {
        Node::ColumnDef(column) => {
            let mut names = column.type_name().into_iter().flat_map(|name| name.names().strs());
            let is_serial =
                names.next().is_some_and(|name| SERIAL.contains(&name)) && names.next().is_none();
            is_serial || column.constraints().iter().any(alters)
        }
        element => alters(element),
    })
}

/// Returns whether an `UPDATE` or a `DELETE` reads columns of its target. A name in a subselect is one of its `FROM`, unless it says
/// that it is of the target.
fn reads_target(node: Node<'_>, target: RangeVar<'_>) -> bool {
    let name = target.alias().map_or(target.relname(), Alias::aliasname);
    let (values, condition) = match node {
        Node::UpdateStmt(update) => (update.target_list(), update.where_clause()),
        Node::DeleteStmt(delete) => (List::default(), delete.where_clause()),
        _ => return false,
    };
    let roots = values.iter().chain(condition).chain(returning(node));
    // Each node with whether it is in a subselect with tables.
    let mut steps: Vec<(Node<'_>, bool)> = roots.map(|root| (root, false)).collect();
    while let Some((node, is_inner)) = steps.pop() {
        let mut inner = is_inner;
        match node {
            Node::ColumnRef(column) => {
                let mut names = column.names();
                let first = names.next();
                let is_qualified = column.fields().len() > 1;
                if !is_inner || is_qualified && first == Some(name) {
                    return true;
                }
                continue;
            }
            Node::SelectStmt(select) => inner |= !select.from_clause().is_empty(),
            // What others read is told for them.
            Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => continue,
            _ => {}
        }
        node.children(|child| steps.push((child, inner)));
    }
    false
}

/// Returns the `RETURNING` of a statement that writes rows.
fn returning(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    // Since 18, it is a clause.
    let clause = node_field(node, "returningClause");
    clause.into_iter().chain(list_field(node, "returningList").unwrap_or_default())
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

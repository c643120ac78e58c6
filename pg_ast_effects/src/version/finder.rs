//! The pass over a statement.

use std::collections::{HashMap, HashSet};

use super::StmtContext;
use super::losses::repeatable;
use super::pg::protobuf::{CmdType, SetOperation};
use super::pg::seam::{address, number_field, qualified_name};
use super::pg::view::{
    Alias, IntoClause, List, LockingClause, MergeStmt, Node, RangeVar, SelectStmt,
};
use super::statement_rules::{Class, Repeat, StatementRule, statement_rule};
use crate::{Answer, Effects, Privilege, PrivilegeKind, TableEffect, TransactionBlock, Which};
use pg_ast::Context;
use pg_ast::LockMode;

/// Whether the statement runs what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    Yes,
    /// It is planned, which locks its tables and asks for privileges: `EXPLAIN`.
    Planned,
    /// It is looked at, which locks its tables: `PREPARE`, `CREATE VIEW`.
    No,
}

#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(super) struct EffectsFinder<'a> {
    /// The major version of the server.
    pub(super) server: u32,
    #[cfg_attr(not(feature = "plpgsql"), expect(dead_code))]
    pub(super) setting: StmtContext<'a>,
    pub(super) effects: Effects,
    /// What the bodies of functions do, if there is a catalog.
    #[cfg(feature = "catalog")]
    pub(super) inner: Effects,
    steps: Vec<(Node<'a>, Run)>,
    /// The place of each table in `effects`.
    places: HashMap<(&'a str, &'a str, Which), usize>,
    /// The tables whose rows are locked, by the addresses of their nodes.
    row_locked: HashSet<*const u8>,
    /// The subselects whose tables are locked.
    locked_queries: HashSet<*const u8>,
    /// Whether the effects of other statements are among these.
    pub(super) has_bodies: bool,
    /// Whether the statement is an `EXPLAIN`.
    is_explained: bool,
    /// Whether it defines something with the expressions in it.
    stores: bool,
    /// Whether it is a `CALL`.
    #[cfg(feature = "catalog")]
    pub(super) is_call: bool,
}

/// A table's entry, to say more about it.
pub(super) struct TableEntry<'f>(&'f mut TableEffect);

impl TableEntry<'_> {
    pub(super) fn may_be_locked(self) {
        self.0.locked = Answer::Maybe;
    }

    pub(super) fn costs(self, rewrites: Answer, scans: Answer) {
        self.0.rewrites = self.0.rewrites.max(rewrites);
        self.0.scans = self.0.scans.max(scans);
    }
}

impl<'a> EffectsFinder<'a> {
    pub(super) fn new(setting: StmtContext<'a>) -> Self {
        Self {
            server: setting.server,
            setting,
            effects: Effects::default(),
            #[cfg(feature = "catalog")]
            inner: Effects::default(),
            steps: Vec::new(),
            places: HashMap::new(),
            row_locked: HashSet::new(),
            locked_queries: HashSet::new(),
            has_bodies: false,
            is_explained: false,
            stores: false,
            #[cfg(feature = "catalog")]
            is_call: false,
        }
    }

    /// Returns what a statement does.
    pub(super) fn find(mut self, stmt: Node<'a>) -> Effects {
        let stmt = match stmt {
            Node::RawStmt(raw) => raw.stmt().unwrap_or(Node::Null),
            _ => stmt,
        };
        if let Some(rule) = statement_rule(stmt.name()) {
            self.effects.block = rule.block;
            self.effects.repeatable = match rule.repeat {
                Repeat::Always => Answer::Yes,
                Repeat::Never => Answer::No,
                Repeat::ByFlag => is_guarded(stmt).into(),
                Repeat::Depends => repeatable(stmt),
            };
        }
        self.is_explained = matches!(stmt, Node::ExplainStmt(_));
        self.stores = stores(stmt);
        #[cfg(feature = "catalog")]
        {
            self.is_call = matches!(stmt, Node::CallStmt(_));
        }
        self.steps.push((stmt, Run::Yes));
        while let Some((node, run)) = self.steps.pop() {
            self.node(node, run);
        }
        self.stored_types(stmt);
        self.schemas(stmt);
        // Row locks are known now.
        let checks = checks_privileges(stmt);
        // `COPY` needs its columns only.
        let copied = match stmt {
            Node::CopyStmt(copy) => copy.relation().map(|table| address(table.into())),
            _ => None,
        };
        stmt.walk_tables(|table, context| {
            let lock = match context {
                Context::Dml => LockMode::RowExclusiveLock,
                Context::Select if self.is_row_locked(table) => LockMode::RowShareLock,
                Context::Select => LockMode::AccessShareLock,
                _ => return,
            };
            self.table(table, Which::Itself, lock);
            let is_copied = copied.is_some_and(|copied| copied == address(table.into()));
            if checks && context == Context::Select && !is_copied {
                self.reads(table);
            }
        });
        if let Node::CreateSchemaStmt(create) = stmt {
            self.in_new_schema(create);
        }
        if may_be_absent(stmt) {
            let named = self.effects.tables.iter_mut().filter(|it| it.which == Which::Itself);
            named.for_each(|table| table.locked = Answer::Maybe);
        }
        if !self.has_bodies {
            superuser_alone(&mut self.effects.privileges);
        }
        #[cfg(feature = "catalog")]
        if let Some(known) = self.setting.known {
            self.complete(stmt, known);
        }
        self.finish()
    }

    pub(super) fn finish(self) -> Effects {
        let mut effects = self.effects;
        #[cfg(feature = "catalog")]
        effects.add(self.inner);
        once(&mut effects.session);
        once(&mut effects.transaction);
        once(&mut effects.losses);
        once(&mut effects.privileges);
        once(&mut effects.functions);
        once(&mut effects.unknown);
        if self.has_bodies {
            effects.merge_tables();
        }
        effects
    }

    fn node(&mut self, node: Node<'a>, run: Run) {
        let mut inner = run;
        if self.stores && run == Run::No {
            self.stored_constant(node);
        }
        match node {
            Node::FuncCall(call) => {
                match run {
                    Run::Yes => self.function(call),
                    Run::Planned => self.call_needs(call),
                    Run::No => {}
                }
                self.sequence_schema(call);
            }
            Node::SelectStmt(select) => {
                self.select(select, run);
                self.by_class(node, run);
            }
            Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => {
                if run == Run::Yes {
                    self.rows(node);
                }
                if run != Run::No {
                    self.rows_need(node);
                }
                self.by_class(node, run);
            }
            _ => {
                let rule = statement_rule(node.name());
                if let Some(rule) = rule {
                    if run == Run::Yes {
                        self.utility(node, rule);
                    }
                    inner = inside(node, rule, run);
                }
            }
        }
        let first = self.steps.len();
        let steps = &mut self.steps;
        node.children(|child| {
            // The elements of long lists contain nothing to find.
            if !matches!(child, Node::AConst(_) | Node::ParamRef(_) | Node::String(_)) {
                steps.push((child, inner));
            }
        });
        self.steps[first..].reverse();
    }

    fn utility(&mut self, node: Node<'a>, rule: &'static StatementRule) {
        self.by_class(node, Run::Yes);
        self.needs(node, rule);
        self.session(node);
        self.locks(node);
        self.losses(node);
        self.special(node);
    }

    /// Applies what the type of the statement says.
    fn by_class(&mut self, node: Node<'a>, run: Run) {
        let Some(rule) = statement_rule(node.name()).filter(|_| run == Run::Yes) else { return };
        let (writes, in_read_only, on_standby) = match (rule.class, node) {
            // EXPLAIN ANALYZE makes the table, and nobody asks what it is about.
            (Class::Write, Node::CreateTableAsStmt(_)) => (true, self.is_explained, false),
            (Class::Write, _) => (true, false, false),
            (Class::Rows, Node::MergeStmt(merge)) if does_nothing(merge) => (false, true, true),
            (Class::Rows, _) => {
                let target = match node {
                    Node::InsertStmt(it) => it.relation(),
                    Node::UpdateStmt(it) => it.relation(),
                    Node::DeleteStmt(it) => it.relation(),
                    Node::MergeStmt(it) => it.relation(),
                    _ => None,
                };
                (true, target.is_some_and(is_temporary), false)
            }
            (Class::Copy, Node::CopyStmt(copy)) if copy.is_from() => {
                (true, copy.relation().is_some_and(is_temporary), false)
            }
            (Class::Maintenance, _) => (true, true, false),
            (Class::ReadOnlyButServer, _) => (true, true, true),
            (Class::Channel, _) => (false, true, false),
            (Class::Lock, Node::LockStmt(lock)) => {
                (false, true, lock.mode() <= LockMode::RowExclusiveLock as i32)
            }
            (Class::Transaction, Node::TransactionStmt(stmt)) => {
                let is_two_phase = super::session_changes::is_two_phase(stmt.kind());
                (is_two_phase, true, !is_two_phase)
            }
            _ => return,
        };
        self.writes(writes.into(), in_read_only.into(), on_standby.into());
    }

    pub(super) fn is_row_locked(&self, table: RangeVar<'a>) -> bool {
        self.row_locked.contains(&address(table.into()))
    }

    pub(super) fn writes(&mut self, writes: Answer, in_read_only: Answer, on_standby: Answer) {
        let effects = &mut self.effects;
        effects.writes = effects.writes.max(writes);
        effects.in_read_only = effects.in_read_only.min(in_read_only);
        effects.on_standby = effects.on_standby.min(on_standby);
    }

    /// Notes that the statement cannot be in a transaction block.
    pub(super) fn outside(&mut self, block: TransactionBlock) {
        self.effects.block = self.effects.block.max(block);
    }

    fn select(&mut self, select: SelectStmt<'a>, run: Run) {
        if let Some(into) = select.into_clause()
            && run == Run::Yes
        {
            self.writes(Answer::Yes, self.is_explained.into(), Answer::No);
            self.effects.repeatable = Answer::No;
            self.creates(into.rel());
            self.create_relation(into.rel());
        }
        let clauses = select.locking_clause();
        if clauses.is_empty() || select.op() != SetOperation::SetopNone {
            return;
        }
        if run == Run::Yes {
            self.writes(Answer::Yes, Answer::No, Answer::No);
        }
        self.lock_rows(select, clauses);
    }

    /// Notes the tables whose rows a query locks: those of its `FROM`, and of the subselects there.
    fn lock_rows(&mut self, select: SelectStmt<'a>, clauses: List<'a>) {
        let mut names = HashSet::new();
        let mut all = false;
        for clause in clauses.iter().filter_map(Node::as_locking_clause) {
            all |= LockingClause::locked_rels(clause).is_empty();
            let rels = clause.locked_rels().iter().filter_map(Node::as_range_var);
            names.extend(rels.map(RangeVar::relname));
        }
        let is_locked =
            |alias: Option<&str>, name: &str| all || names.contains(alias.unwrap_or(name));
        let mut items: Vec<(Node<'a>, bool)> =
            select.from_clause().iter().map(|item| (item, false)).collect();
        while let Some((item, inner)) = items.pop() {
            match item {
                Node::RangeVar(table) => {
                    let alias = table.alias().map(Alias::aliasname);
                    if inner || is_locked(alias, table.relname()) {
                        self.row_locked.insert(address(item));
                    }
                }
                Node::JoinExpr(join) => {
                    items.extend(join.larg().into_iter().chain(join.rarg()).map(|it| (it, inner)));
                }
                Node::RangeTableSample(sample) => {
                    items.extend(sample.relation().map(|it| (it, inner)));
                }
                Node::RangeSubselect(subselect) => {
                    let alias = subselect.alias().map(Alias::aliasname);
                    if !inner && !is_locked(alias, "") || !self.locked_queries.insert(address(item))
                    {
                        continue;
                    }
                    if let Some(Node::SelectStmt(query)) = subselect.subquery() {
                        items.extend(query.from_clause().iter().map(|it| (it, true)));
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the entry of a table, with this lock or a stronger one.
    pub(super) fn table(
        &mut self,
        table: RangeVar<'a>,
        which: Which,
        lock: LockMode,
    ) -> TableEntry<'_> {
        self.named((table.schemaname(), table.relname()), which, lock)
    }

    /// Returns the entry of a table by its schema, which is empty if it is not named, and its name.
    pub(super) fn named(
        &mut self,
        (schema, name): (&'a str, &'a str),
        which: Which,
        lock: LockMode,
    ) -> TableEntry<'_> {
        let tables = &mut self.effects.tables;
        let place = *self.places.entry((schema, name, which)).or_insert_with(|| {
            tables.push(TableEffect {
                name: qualified_name(schema, name),
                which,
                of: None,
                lock,
                locked: if which == Which::Itself { Answer::Yes } else { Answer::Maybe },
                rewrites: Answer::No,
                scans: Answer::No,
            });
            tables.len() - 1
        });
        let table = &mut tables[place];
        table.lock = table.lock.max(lock);
        TableEntry(table)
    }
}

/// Returns whether what is in a statement runs.
fn inside(node: Node<'_>, rule: &StatementRule, run: Run) -> Run {
    match node {
        _ if run != Run::Yes => run,
        // It has no plan, and is not run.
        Node::ExplainStmt(explain)
            if matches!(explain.query(), Some(Node::RefreshMatViewStmt(_))) =>
        {
            Run::No
        }
        Node::ExplainStmt(explain) if !is_on(explain.options(), "analyze") => Run::Planned,
        Node::CreateTableAsStmt(_) if is_without_data(node) => Run::No,
        Node::CreateTableAsStmt(_) | Node::CreateSchemaStmt(_) | Node::DeclareCursorStmt(_) => {
            Run::Yes
        }
        Node::PrepareStmt(_) | Node::AlterSystemStmt(_) => Run::No,
        _ if rule.class == Class::Write => Run::No,
        _ => Run::Yes,
    }
}

/// Returns whether all that a `MERGE` does with rows is nothing.
fn does_nothing(merge: MergeStmt<'_>) -> bool {
    let mut clauses = merge.merge_when_clauses().iter().filter_map(Node::as_merge_when_clause);
    clauses.all(|when| when.command_type() == CmdType::CmdNothing)
}

/// Returns whether a table is in the schema of temporary ones.
pub(super) fn is_temporary(table: RangeVar<'_>) -> bool {
    table.relpersistence() == "t" || table.schemaname().starts_with("pg_temp")
}

/// Returns whether a statement has `IF EXISTS`, `IF NOT EXISTS` or `OR REPLACE`.
pub(super) fn is_guarded(stmt: Node<'_>) -> bool {
    const FLAGS: [&str; 5] =
        ["if_not_exists", "missing_ok", "replace", "skipIfExists", "skipIfNewValExists"];
    FLAGS.iter().any(|name| number_field(stmt, name) == Some(1))
}

/// Returns whether an option is on that is named without a value or with one for yes, as `defGetBoolean` reads it.
pub(super) fn is_on(options: List<'_>, name: &str) -> bool {
    boolean(options, name).unwrap_or(false)
}

/// Returns the value of an option that is a boolean; of several, the last one.
pub(super) fn boolean(options: List<'_>, name: &str) -> Option<bool> {
    let options = options.iter().rev().filter_map(Node::as_def_elem);
    let option = options.into_iter().find(|option| option.defname() == name)?;
    Some(match option.arg() {
        Some(Node::Integer(number)) => number.ival() != 0,
        Some(Node::Boolean(value)) => value.boolval(),
        Some(Node::String(word)) => {
            !["false", "off"].iter().any(|off| word.sval().eq_ignore_ascii_case(off))
        }
        _ => true,
    })
}

/// Returns whether the privileges on what a statement reads are checked when it runs, and not later.
fn checks_privileges(stmt: Node<'_>) -> bool {
    !matches!(
        stmt,
        Node::ViewStmt(_)
            | Node::RuleStmt(_)
            | Node::CreateFunctionStmt(_)
            | Node::CreatePolicyStmt(_)
            | Node::AlterPolicyStmt(_)
            | Node::PrepareStmt(_)
            | Node::CreateSchemaStmt(_)
    ) && !is_without_data(stmt)
}

/// Returns whether a statement makes a table of a query that it does not run.
fn is_without_data(stmt: Node<'_>) -> bool {
    match stmt {
        Node::CreateTableAsStmt(create) => create.into().is_some_and(IntoClause::skip_data),
        _ => false,
    }
}

/// Returns whether the relation that a statement is about need not be there.
pub(super) fn may_be_absent(stmt: Node<'_>) -> bool {
    number_field(stmt, "missing_ok") == Some(1)
        || matches!(stmt, Node::ViewStmt(view) if view.replace())
}

/// Returns whether a statement defines something with the expressions in it.
fn stores(stmt: Node<'_>) -> bool {
    matches!(
        stmt,
        Node::AlterTableStmt(_)
            | Node::CreateStmt(_)
            | Node::CreateForeignTableStmt(_)
            | Node::CreateDomainStmt(_)
            | Node::AlterDomainStmt(_)
            | Node::ViewStmt(_)
            | Node::RuleStmt(_)
            | Node::IndexStmt(_)
            | Node::CreatePolicyStmt(_)
            | Node::AlterPolicyStmt(_)
            | Node::CreateTrigStmt(_)
            | Node::CreateStatsStmt(_)
    )
}

/// Leaves a superuser alone, who needs nothing else.
pub(super) fn superuser_alone(privileges: &mut Vec<Privilege>) {
    let is_superuser = |it: &Privilege| {
        it.kind == PrivilegeKind::Superuser && it.name.is_none() && it.role.is_none()
    };
    if privileges.iter().any(is_superuser) {
        privileges.retain(is_superuser);
    }
}

/// Leaves the first of equal items.
fn once<T: Clone + Eq + core::hash::Hash>(items: &mut Vec<T>) {
    if items.len() > 1 {
        let mut seen = HashSet::new();
        items.retain(|item| seen.insert(item.clone()));
    }
}

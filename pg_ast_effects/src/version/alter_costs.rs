//! What subcommands of `ALTER TABLE` cost whose columns and constraints tell: what is rewritten, scanned and locked.

use super::alter_rules::{AlterRule, alter_rule, option_lock};
use super::finder::EffectsFinder;
use super::locked_tables::relation_name;
use super::pg::protobuf::{AlterTableType, ConstrType, ObjectType};
use super::pg::seam::{number_field, text_field};
use super::pg::view::{
    AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, List, Node, RangeVar, TypeName,
};
use crate::{Answer, TransactionBlock, Volatility, Which};
use pg_ast::LockMode;
use pg_ast_catalog::builtin;

/// What a column or a constraint costs the table that gets it.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    rewrites: Answer,
    scans: Answer,
}

impl Cost {
    fn and(self, other: Self) -> Self {
        Self { rewrites: self.rewrites.max(other.rewrites), scans: self.scans.max(other.scans) }
    }

    fn rewrites(rewrites: Answer) -> Self {
        Self { rewrites, scans: rewrites }
    }

    fn scans(scans: Answer) -> Self {
        Self { scans, ..Self::default() }
    }
}

/// What a statement does to its table with all its subcommands.
struct Whole {
    lock: LockMode,
    cost: Cost,
    /// The lock and the cost of those that apply to descendants.
    below: Option<(LockMode, Cost)>,
}

impl<'a> EffectsFinder<'a> {
    pub(super) fn alter_table(&mut self, alter: AlterTableStmt<'a>) {
        let Some(table) = alter.relation() else { return };
        let mut whole = Whole { lock: LockMode::NoLock, cost: Cost::default(), below: None };
        for cmd in alter.cmds().iter().filter_map(Node::as_alter_table_cmd) {
            if let Some(rule) = alter_rule(cmd.subtype().as_str_name()) {
                self.alter_cmd(alter, table, cmd, *rule, &mut whole);
            }
        }
        // Views and foreign tables have no files.
        let has_rows = !matches!(
            alter.objtype(),
            ObjectType::ObjectView
                | ObjectType::ObjectForeignTable
                | ObjectType::ObjectSequence
                | ObjectType::ObjectType
        );
        let cost = |cost: Cost| if has_rows { cost } else { Cost::default() };
        let (all, below) = (cost(whole.cost), whole.below);
        self.table(table, Which::Itself, whole.lock).costs(all.rewrites, all.scans);
        // What CASCADE changes beside a type are the tables of that type.
        let is_type = alter.objtype() == ObjectType::ObjectType;
        if let Some((lock, below)) = below.filter(|_| table.inh() || is_type) {
            let below = cost(below);
            self.table(table, Which::Descendants, lock).costs(below.rewrites, below.scans);
        }
    }

    fn alter_cmd(
        &mut self,
        alter: AlterTableStmt<'a>,
        table: RangeVar<'a>,
        cmd: AlterTableCmd<'a>,
        rule: AlterRule,
        whole: &mut Whole,
    ) {
        let mut lock = rule.lock;
        let mut cost = Cost { rewrites: rule.rewrites, scans: rule.scans };
        let def = cmd.def();
        match cmd.subtype() {
            AlterTableType::AtAddColumn => {
                if let Some(column) = def.and_then(Node::as_column_def) {
                    cost = self.new_column(table, column);
                }
            }
            AlterTableType::AtAddConstraint => {
                if let Some(constraint) = def.and_then(Node::as_constraint) {
                    if constraint.contype() == ConstrType::ConstrForeign {
                        lock = LockMode::ShareRowExclusiveLock;
                    }
                    cost = self.new_constraint(constraint);
                }
            }
            AlterTableType::AtAlterColumnType => {
                let using = def.and_then(Node::as_column_def).and_then(ColumnDef::raw_default);
                if using.is_some_and(computes) {
                    cost = Cost::rewrites(Answer::Yes);
                }
            }
            AlterTableType::AtSetRelOptions
            | AlterTableType::AtResetRelOptions
            | AlterTableType::AtReplaceRelOptions => {
                let options = def.and_then(Node::as_list).into_iter().flat_map(List::iter);
                let locks =
                    options.filter_map(Node::as_def_elem).map(|it| option_lock(it.defname()));
                lock = locks.max().unwrap_or(lock);
            }
            AlterTableType::AtSetAccessMethod if self.server >= 17 => {
                // A partitioned table has no rows of its own.
                cost = Cost::rewrites(Answer::Maybe);
            }
            AlterTableType::AtAlterConstraint if self.server >= 18 => {
                cost = Cost::scans(Answer::Maybe);
            }
            AlterTableType::AtAttachPartition
            | AlterTableType::AtDetachPartition
            | AlterTableType::AtDetachPartitionFinalize => {
                lock = self.partition(alter, table, cmd, lock);
            }
            AlterTableType::AtAddInherit | AlterTableType::AtDropInherit => {
                if let Some(parent) = def.and_then(Node::as_range_var) {
                    for (_, lock) in rule.related {
                        self.table(parent, Which::Itself, *lock);
                    }
                }
            }
            AlterTableType::AtAddOf => {
                if let Some(of) = def.and_then(Node::as_type_name)
                    && let Some(of) = relation_name(of.names(), 0)
                {
                    self.named(of, Which::Itself, LockMode::AccessShareLock);
                }
            }
            _ => self.by_version(cmd, &mut cost),
        }
        if !matches!(cmd.subtype(), AlterTableType::AtAddInherit | AlterTableType::AtDropInherit) {
            // The rows of the other side of a foreign key are read as a whole or by their index.
            let are_compared = matches!(
                cmd.subtype(),
                AlterTableType::AtAlterColumnType | AlterTableType::AtValidateConstraint
            );
            for (which, lock) in rule.related {
                let effect = self.table(table, *which, *lock);
                if are_compared {
                    effect.costs(Answer::No, Answer::Maybe);
                }
            }
        }
        if super::losses::cascades(cmd.behavior())
            && matches!(
                cmd.subtype(),
                AlterTableType::AtDropColumn | AlterTableType::AtDropConstraint
            )
        {
            self.table(table, Which::Dependents, LockMode::AccessExclusiveLock);
        }
        whole.lock = whole.lock.max(lock);
        whole.cost = whole.cost.and(cost);
        if rule.descends.since(self.server) {
            let (lock_below, cost_below) =
                whole.below.unwrap_or((LockMode::NoLock, Cost::default()));
            whole.below = Some((lock_below.max(lock), cost_below.and(cost)));
        }
        self.alter_consequences(alter, table, cmd, rule);
    }

    /// Subcommands that not all versions have.
    fn by_version(&self, cmd: AlterTableCmd<'a>, cost: &mut Cost) {
        if cmd.subtype().as_str_name() == "AT_SetExpression" && self.server >= 18 {
            *cost = Cost::rewrites(Answer::Maybe);
        }
    }

    /// Finds what attaching and detaching a partition does to it.
    fn partition(
        &mut self,
        alter: AlterTableStmt<'a>,
        table: RangeVar<'a>,
        cmd: AlterTableCmd<'a>,
        lock: LockMode,
    ) -> LockMode {
        let Some(partition) = cmd.def().and_then(Node::as_partition_cmd) else { return lock };
        let Some(name) = partition.name() else { return lock };
        let exclusive = LockMode::AccessExclusiveLock;
        if alter.objtype() == ObjectType::ObjectIndex {
            self.table(name, Which::Itself, exclusive);
            return lock;
        }
        match cmd.subtype() {
            AlterTableType::AtAttachPartition => {
                // A constraint may say that the bounds hold.
                self.table(name, Which::Itself, exclusive).costs(Answer::No, Answer::Maybe);
                self.table(name, Which::Descendants, exclusive).costs(Answer::No, Answer::Maybe);
                self.table(table, Which::DefaultPartition, exclusive)
                    .costs(Answer::No, Answer::Maybe);
                self.table(table, Which::Referenced, LockMode::ShareRowExclusiveLock);
                self.table(table, Which::Referencing, LockMode::ShareRowExclusiveLock);
                lock
            }
            AlterTableType::AtDetachPartition if partition.concurrent() => {
                self.outside(TransactionBlock::Outside);
                self.table(name, Which::Itself, exclusive);
                LockMode::ShareUpdateExclusiveLock
            }
            _ => {
                self.table(name, Which::Itself, exclusive);
                self.table(table, Which::DefaultPartition, exclusive);
                self.table(table, Which::Referenced, LockMode::ShareRowExclusiveLock);
                self.table(table, Which::Referencing, exclusive);
                lock
            }
        }
    }

    /// Returns the cost of `ADD COLUMN`.
    fn new_column(&mut self, table: RangeVar<'a>, column: ColumnDef<'a>) -> Cost {
        let constraints = || column.constraints().iter().filter_map(Node::as_constraint);
        let of = |kind| constraints().find(|constraint| constraint.contype() == kind);
        let mut cost = Cost::rewrites(self.type_cost(column.type_name()));
        let default = of(ConstrType::ConstrDefault)
            .and_then(Constraint::raw_expr)
            .filter(|default| default.literal() != Some(pg_ast::Literal::Null));
        if let Some(default) = default {
            cost = cost.and(Cost::rewrites(self.volatile(default)));
        }
        if of(ConstrType::ConstrIdentity).is_some() {
            cost = Cost::rewrites(Answer::Yes);
        }
        let is_virtual = |it| text_field(Node::Constraint(it), "generated_kind") == Some("v");
        let generated = of(ConstrType::ConstrGenerated);
        if generated.is_some_and(|generated| !is_virtual(generated)) {
            cost = Cost::rewrites(Answer::Yes);
        }
        for constraint in constraints() {
            let own = match constraint.contype() {
                // A default fills old rows, and an empty table has none.
                ConstrType::ConstrNotnull if default.is_some() => Cost::default(),
                ConstrType::ConstrNotnull => Cost::scans(Answer::Yes),
                // Without a default, there is nothing to look up.
                ConstrType::ConstrForeign if default.is_none() && generated.is_none() => {
                    self.references(constraint);
                    Cost::default()
                }
                ConstrType::ConstrForeign
                | ConstrType::ConstrCheck
                | ConstrType::ConstrUnique
                | ConstrType::ConstrPrimary => self.new_constraint(constraint),
                _ => Cost::default(),
            };
            cost = cost.and(own);
        }
        if is_serial(column.type_name()) {
            self.table(table, Which::OwnedSequences, LockMode::AccessExclusiveLock);
        }
        cost
    }

    /// Returns the cost of a constraint of an existing table, and notes what it references.
    fn new_constraint(&mut self, constraint: Constraint<'a>) -> Cost {
        let is_checked = !constraint.skip_validation() && is_enforced(constraint);
        let with_index = !constraint.indexname().is_empty();
        if let Some(referenced) = constraint.pktable() {
            self.references(constraint);
            if is_checked {
                // It may be read as a whole or by its index.
                for which in [Which::Itself, Which::Descendants] {
                    self.table(referenced, which, LockMode::ShareRowExclusiveLock)
                        .costs(Answer::No, Answer::Maybe);
                }
            }
        }
        Cost::scans(match constraint.contype() {
            ConstrType::ConstrForeign | ConstrType::ConstrCheck | ConstrType::ConstrNotnull => {
                is_checked.into()
            }
            // The columns may be nullable.
            ConstrType::ConstrPrimary if with_index => Answer::Maybe,
            ConstrType::ConstrUnique if with_index => Answer::No,
            ConstrType::ConstrPrimary | ConstrType::ConstrUnique | ConstrType::ConstrExclusion => {
                Answer::Yes
            }
            _ => Answer::No,
        })
    }

    /// Returns whether a column of this type without a default makes PostgreSQL write its table anew: one with a sequence does, and
    /// a domain with constraints.
    fn type_cost(&self, name: Option<TypeName<'a>>) -> Answer {
        let Some(name) = name else { return Answer::No };
        if is_serial(Some(name)) {
            return Answer::Yes;
        }
        let has_no_constraints = is_builtin_type(name, self.server)
            || !name.array_bounds().is_empty()
            || self.is_no_domain(name);
        if has_no_constraints { Answer::No } else { Answer::Maybe }
    }

    /// Returns whether an expression can have another value for each row: whether a function of it is volatile.
    fn volatile(&self, expr: Node<'a>) -> Answer {
        let calls = expr.nodes().filter_map(Node::as_func_call);
        let answers = calls.map(|call| match super::function_calls::called(call, self.server) {
            Some((_, builtin)) => Answer::from(builtin.volatility == Volatility::Volatile),
            None => self.is_volatile_call(call),
        });
        answers.max().unwrap_or_default()
    }

    /// Returns whether a type is certainly no domain, as far as a catalog tells.
    #[cfg(not(feature = "catalog"))]
    #[allow(clippy::unused_self, reason = "as with the feature")]
    fn is_no_domain(&self, _: TypeName<'a>) -> bool {
        false
    }

    /// Returns whether a function that is none of PostgreSQL's own is volatile, as far as a catalog tells.
    #[cfg(not(feature = "catalog"))]
    #[allow(clippy::unused_self, reason = "as with the feature")]
    fn is_volatile_call(&self, _: super::pg::view::FuncCall<'a>) -> Answer {
        Answer::Maybe
    }
}

/// Returns whether a constraint is not `NOT ENFORCED`, which PostgreSQL has since 18.
fn is_enforced(constraint: Constraint<'_>) -> bool {
    match constraint.contype() {
        ConstrType::ConstrForeign | ConstrType::ConstrCheck => {
            number_field(Node::Constraint(constraint), "is_enforced") != Some(0)
        }
        _ => true,
    }
}

/// Returns whether a type is one of PostgreSQL's own.
pub(super) fn is_builtin_type(name: TypeName<'_>, server: u32) -> bool {
    let mut names = name.names().strs();
    let (first, second) = (names.next().unwrap_or_default(), names.next());
    match second {
        Some(last) => first == "pg_catalog" && !last.is_empty(),
        None => builtin(server).is_some_and(|it| it.type_named("pg_catalog", first).is_some()),
    }
}

/// Returns whether a type stands for an integer with a sequence.
pub(super) fn is_serial(name: Option<TypeName<'_>>) -> bool {
    let Some(name) = name else { return false };
    let mut names = name.names().strs();
    let first = names.next().unwrap_or_default();
    names.next().is_none() && pg_ast_catalog::is_serial(first)
}

/// Returns whether an expression computes something: it is more than a column, maybe with a cast.
fn computes(expr: Node<'_>) -> bool {
    !expr.nodes().all(|node| {
        matches!(
            node,
            Node::ColumnRef(_)
                | Node::TypeCast(_)
                | Node::TypeName(_)
                | Node::String(_)
                | Node::Integer(_)
                | Node::AConst(_)
                | Node::Null
        )
    })
}

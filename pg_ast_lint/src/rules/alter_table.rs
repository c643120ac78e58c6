//! `ALTER TABLE`.

use std::collections::HashSet;

use pg_ast::Literal;
use pg_ast::protobuf::{AlterTableType, ConstrType, ObjectType, Token};
use pg_ast::view::{AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, Node, RangeVar};
use pg_ast_effects::Volatility;

use super::columns::is_serial;
use super::{drops, in_case_of, locks};
use crate::state::State;
use crate::stmt::{Stmt, insert, key_of};
use crate::stmt_facts::{Fact, Gain};
use crate::{Finding, Fix, Rule};

pub(super) fn check(
    stmt: &Stmt<'_>,
    state: &State,
    alter: AlterTableStmt<'_>,
    found: &mut Vec<Finding>,
) {
    if alter.objtype() != ObjectType::ObjectTable {
        return;
    }
    let is_new = state.is_new(alter.relation());
    // The constraints that this statement adds NOT VALID.
    let mut unvalidated = HashSet::new();
    for cmd in alter.cmds().iter().filter_map(Node::as_alter_table_cmd) {
        if !is_new {
            locks_and_losses(stmt, state, (alter, cmd), found);
            let constraint = cmd.def().and_then(Node::as_constraint);
            if let Some(constraint) = constraint.filter(|it| it.skip_validation()) {
                unvalidated.insert(constraint.conname());
            }
            if cmd.subtype() == AlterTableType::AtValidateConstraint
                && (unvalidated.contains(cmd.name())
                    || state.is_unvalidated_here(alter.relation(), cmd.name()))
            {
                let help = "validate it in a transaction of its own";
                found.push(Finding::of(Rule::ValidateInTransaction, stmt.place(cmd)).help(help));
            }
        }
        if !stmt.is_in_transaction(state) && !cmd.missing_ok() {
            robust(stmt, cmd, found);
        }
    }
}

fn locks_and_losses(
    stmt: &Stmt<'_>,
    state: &State,
    (alter, cmd): (AlterTableStmt<'_>, AlterTableCmd<'_>),
    found: &mut Vec<Finding>,
) {
    let table = alter.relation();
    let mut find = |rule, help: &str| found.push(Finding::of(rule, stmt.place(cmd)).help(help));
    match cmd.subtype() {
        AlterTableType::AtAddColumn => {
            if let Some(column) = cmd.def().and_then(Node::as_column_def) {
                new_column(stmt, table, column, found);
            }
        }
        AlterTableType::AtAddConstraint => {
            if let Some(constraint) = cmd.def().and_then(Node::as_constraint) {
                let is_not_null = |column| state.is_not_null(table, column);
                let is_known = constraint.contype() == ConstrType::ConstrNotnull
                    && constraint.keys().strs().all(is_not_null);
                if !is_known {
                    new_constraint(stmt, table, constraint, found);
                }
            }
        }
        AlterTableType::AtSetNotNull if state.is_not_null(table, cmd.name()) => {}
        // NOT NULL can be NOT VALID since PostgreSQL 18.
        AlterTableType::AtSetNotNull if stmt.overview.major < 18 => find(
            Rule::SetNotNull,
            "validate a constraint CHECK (.. IS NOT NULL) first, which lets others work",
        ),
        AlterTableType::AtSetNotNull => find(
            Rule::SetNotNull,
            "validate a constraint NOT NULL .. NOT VALID instead, which lets others work",
        ),
        AlterTableType::AtDropNotNull if !state.is_column_new(table, cmd.name()) => {
            find(Rule::DropNotNull, "make sure that everything that reads it can handle NULL");
        }
        AlterTableType::AtAlterColumnType => find(
            Rule::ChangeColumnType,
            "add a column of the new type, fill it in batches, and switch over",
        ),
        AlterTableType::AtDropColumn if !state.is_column_new(table, cmd.name()) => {
            find(Rule::DropColumn, "first deploy programs that do not use the column");
            drops::part_dropped(stmt, cmd, found);
        }
        AlterTableType::AtDropConstraint => {
            let name = cmd.name();
            let is_back = table
                .is_some_and(|table| stmt.gets(&Gain::Constraint(key_of(table), name.to_owned())));
            if !is_back && !state.is_constraint_new(table, name) {
                find(Rule::DropConstraint, "make sure that nothing relies on it");
            }
            drops::part_dropped(stmt, cmd, found);
        }
        AlterTableType::AtDetachPartition => locks::detached(stmt, state, (table, cmd), found),
        _ => {}
    }
}

/// Checks the cost of a column of `ADD COLUMN`.
fn new_column(
    stmt: &Stmt<'_>,
    table: Option<RangeVar<'_>>,
    column: ColumnDef<'_>,
    found: &mut Vec<Finding>,
) {
    let constraints = || column.constraints().iter().filter_map(Node::as_constraint);
    let default = default_of(column);
    let generated = constraint_of(column, ConstrType::ConstrGenerated);
    if is_numbered(column) {
        let help = "add a plain column, fill it in batches, and attach the sequence then";
        found.push(Finding::of(Rule::AddSerialColumn, stmt.place(column)).help(help));
    }
    if let Some(generated) = generated.filter(|generated| is_stored(*generated)) {
        let help = "add a plain column, and fill it in batches and by a trigger";
        found.push(Finding::of(Rule::GeneratedColumn, stmt.place(generated)).help(help));
    }
    if let Some(default) = default.filter(|default| may_be_volatile(stmt, *default)) {
        let help =
            "add the column without a default, set the default then, and fill old rows in batches";
        found.push(Finding::of(Rule::VolatileDefault, stmt.place(default)).help(help));
    }
    if let Some(required) = required(column) {
        let help = "give it a constant default, or fill it before it becomes NOT NULL";
        found.push(Finding::of(Rule::AddRequiredColumn, stmt.place(required)).help(help));
    }
    for constraint in constraints() {
        match constraint.contype() {
            ConstrType::ConstrForeign if default.is_none() => {}
            ConstrType::ConstrForeign
            | ConstrType::ConstrCheck
            | ConstrType::ConstrUnique
            | ConstrType::ConstrPrimary => new_constraint(stmt, table, constraint, found),
            _ => {}
        }
    }
}

/// Returns the constraint that refuses rows without a value, which nothing fills in.
pub(super) fn required(column: ColumnDef<'_>) -> Option<Constraint<'_>> {
    let of = |kind| constraint_of(column, kind);
    let required = of(ConstrType::ConstrNotnull).or_else(|| of(ConstrType::ConstrPrimary));
    let is_filled = default_of(column).is_some()
        || of(ConstrType::ConstrGenerated).is_some()
        || is_numbered(column);
    required.filter(|_| !is_filled)
}

fn constraint_of(column: ColumnDef<'_>, kind: ConstrType) -> Option<Constraint<'_>> {
    let mut constraints = column.constraints().iter().filter_map(Node::as_constraint);
    constraints.find(|constraint| constraint.contype() == kind)
}

/// Returns the default, unless it is NULL.
fn default_of(column: ColumnDef<'_>) -> Option<Node<'_>> {
    let default = constraint_of(column, ConstrType::ConstrDefault).and_then(Constraint::raw_expr);
    default.filter(|default| default.literal() != Some(Literal::Null))
}

/// Returns whether the values come from a sequence, which the column gets.
pub(crate) fn is_numbered(column: ColumnDef<'_>) -> bool {
    constraint_of(column, ConstrType::ConstrIdentity).is_some() || is_serial(column.type_name())
}

/// Checks a constraint of `ADD CONSTRAINT`, or of a new column.
fn new_constraint(
    stmt: &Stmt<'_>,
    table: Option<RangeVar<'_>>,
    constraint: Constraint<'_>,
    found: &mut Vec<Finding>,
) {
    let rule = match constraint.contype() {
        ConstrType::ConstrForeign if !constraint.skip_validation() => Rule::ForeignKeyValidates,
        ConstrType::ConstrCheck if !constraint.skip_validation() => Rule::CheckValidates,
        ConstrType::ConstrNotnull if !constraint.skip_validation() => Rule::SetNotNull,
        ConstrType::ConstrUnique if constraint.indexname().is_empty() => Rule::UniqueLocks,
        ConstrType::ConstrPrimary if constraint.indexname().is_empty() => Rule::PrimaryKeyLocks,
        ConstrType::ConstrExclusion => Rule::ExcludeLocks,
        _ => return,
    };
    let finding = Finding::of(rule, stmt.place(constraint));
    found.push(match rule {
        Rule::UniqueLocks | Rule::PrimaryKeyLocks => {
            finding.help("build a unique index CONCURRENTLY, and add the constraint USING INDEX")
        }
        Rule::ExcludeLocks => finding.help("add it to a new table, and copy the rows in batches"),
        // Partitioned tables cannot have it before PostgreSQL 18.
        Rule::ForeignKeyValidates
            if stmt.overview.major < 18
                && table
                    .is_some_and(|table| stmt.overview.has(&Fact::Partitioned(key_of(table)))) =>
        {
            finding.help(
                "add it while nobody has to write: before PostgreSQL 18 it cannot be NOT VALID",
            )
        }
        _ => {
            // A column's constraint cannot have it: the changed text does not parse, and the fix is dropped.
            let end = stmt.range_of(constraint).map(|range| range.end);
            let fix = end.map(|end| {
                let model = stmt.text(stmt.range.clone()).get(..5).unwrap_or_default();
                let not_valid = in_case_of(model, " NOT VALID");
                // The rows that there are remain to be validated.
                Fix::new("Add NOT VALID", vec![insert(end, not_valid)]).not_safe()
            });
            finding.help("add it NOT VALID, and VALIDATE it in a transaction of its own").fix(fix)
        }
    });
}

/// The kind of a generated column for versions whose tree lacks it: before PostgreSQL 18, all are stored. A view that has
/// the field has a method of its own, which comes before this one.
#[allow(dead_code, reason = "for the versions before 18")]
trait GeneratedKind {
    fn generated_kind(&self) -> &'static str {
        "s"
    }
}

impl GeneratedKind for Constraint<'_> {}

fn is_stored(generated: Constraint<'_>) -> bool {
    generated.generated_kind() == "s"
}

/// Returns whether an expression calls a function that is not known to return the same value for all rows.
fn may_be_volatile(stmt: &Stmt<'_>, expr: Node<'_>) -> bool {
    let functions = stmt.effects_of(expr).functions;
    functions.iter().any(|function| function.volatility == Volatility::Volatile)
}

/// Finds commands that fail if they are run twice, and have words to prevent that.
fn robust(stmt: &Stmt<'_>, cmd: AlterTableCmd<'_>, found: &mut Vec<Finding>) {
    let range = stmt.place(cmd);
    let (words, place) = match cmd.subtype() {
        AlterTableType::AtAddColumn => {
            let column = cmd.def().and_then(|def| stmt.range_of(def));
            ("IF NOT EXISTS", column.map(|column| column.start))
        }
        // The name is not a node: it is after the word.
        AlterTableType::AtDropColumn | AlterTableType::AtDropConstraint => {
            let mut tokens = stmt.tokens(&range).iter();
            let is_word =
                |token: &Token| matches!(token, Token::Drop | Token::Column | Token::Constraint);
            let name = tokens.find(|(token, _)| !is_word(token));
            ("IF EXISTS", name.map(|(_, name)| name.start))
        }
        _ => return,
    };
    let fix = place.map(|place| {
        let words = in_case_of(stmt.text(range.start..range.start + 3), words);
        Fix::new(format!("Add {words}"), vec![insert(place, words + " ")])
    });
    let help = format!("add {words}");
    found.push(Finding::of(Rule::PreferIfExists, range).help(help).fix(fix));
}

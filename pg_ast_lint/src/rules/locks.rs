//! Statements that keep others from a table while they work, and the limits to that.

use core::ops::Range;

use pg_ast::protobuf::{AlterTableType, ObjectType, ReindexObjectType, Token};
use pg_ast::view::{
    AlterTableCmd, AlterTableStmt, DefElem, Node, PartitionCmd, RangeVar, ReindexStmt, VacuumStmt,
};
use pg_ast_effects::Effects;

use super::in_case_of;
use super::transactions::is_off;
use crate::state::State;
use crate::stmt::{Stmt, insert, key_of, qualified_key};
use crate::stmt_facts::Fact;
use crate::{Finding, Fix, Rule};

/// Checks a statement of a script, or of a `DO`.
pub(super) fn check(
    stmt: &Stmt<'_>,
    state: &State,
    node: Node<'_>,
    effects: &Effects,
    found: &mut Vec<Finding>,
) {
    let range = || stmt.place(node);
    match node {
        Node::ReindexStmt(reindex) => reindexed(stmt, state, reindex, found),
        Node::VacuumStmt(vacuum) if is_full(vacuum) => {
            let help = "let autovacuum work, or use pg_repack or pg_squeeze";
            found.push(Finding::of(Rule::VacuumFull, range()).help(help));
        }
        Node::ClusterStmt(cluster) if !state.is_new(cluster.relation()) => {
            let help = "use pg_repack, which sorts a copy while others work";
            found.push(Finding::of(Rule::Cluster, range()).help(help));
        }
        Node::RefreshMatViewStmt(refresh)
            if !refresh.concurrent()
                && !refresh.skip_data()
                && !state.is_new(refresh.relation()) =>
        {
            let help = "refresh it CONCURRENTLY, which needs a unique index on it";
            found.push(Finding::of(Rule::RefreshLocks, range()).help(help));
        }
        Node::AlterTableStmt(alter) => rewritten(stmt, state, (alter, effects), found),
        _ => {}
    }
    if !matches!(node, Node::DoStmt(_)) && !state.has_locked && state.locks_others(effects) {
        without_limit(stmt, state, node, found);
    }
}

/// Finds a table that is locked although nothing limits how long.
fn without_limit(stmt: &Stmt<'_>, state: &State, node: Node<'_>, found: &mut Vec<Finding>) {
    let range = stmt.place(node);
    let settings = &state.settings;
    for (rule, name, value, is_set) in [
        (Rule::RequireLockTimeout, "lock_timeout", "1s", settings.lock_timeout),
        (Rule::RequireStatementTimeout, "statement_timeout", "5s", settings.statement_timeout),
    ] {
        if is_set.is_set() {
            continue;
        }
        let is_first = stmt.range_of(node).is_some_and(|it| it.start == stmt.range.start);
        let model = stmt.text(range.clone()).get(..4).unwrap_or_default();
        let set = in_case_of(model, if state.in_transaction { "set local" } else { "set" });
        let text = format!("{set} {name} = '{value}';\n");
        // How long to wait is for a person to say.
        let fix = Fix::new(format!("Set {name}"), vec![insert(range.start, text)]).guess();
        let help = format!("set {name} before");
        found.push(Finding::of(rule, range.clone()).help(help).fix(is_first.then_some(fix)));
    }
}

fn reindexed(stmt: &Stmt<'_>, state: &State, reindex: ReindexStmt<'_>, found: &mut Vec<Finding>) {
    let mut params = reindex.params().iter().filter_map(Node::as_def_elem);
    let option = params.find(|param| param.defname() == "concurrently");
    let relation = reindex.relation();
    // The catalogs cannot be worked on concurrently.
    let is_catalog = relation
        .is_some_and(|it| it.schemaname() == "pg_catalog" || it.relname().starts_with("pg_"));
    if option.is_some_and(|option| !is_off(option))
        || is_catalog
        || reindex.kind() == ReindexObjectType::ReindexObjectSystem
        || state.is_new(relation)
    {
        return;
    }
    let range = stmt.place(reindex);
    let finding = Finding::of(Rule::ReindexLocks, range.clone());
    found.push(if stmt.is_in_transaction(state) {
        finding.help("reindex it CONCURRENTLY, outside of the transaction")
    } else {
        let fix = option.is_none().then(|| concurrently_behind(stmt, &range)).flatten();
        finding.help("reindex it CONCURRENTLY").fix(fix)
    });
}

/// Returns the fix that inserts `CONCURRENTLY` behind the kind of what is reindexed.
fn concurrently_behind(stmt: &Stmt<'_>, range: &Range<usize>) -> Option<Fix> {
    let kinds = [Token::Table, Token::Index, Token::Schema, Token::Database];
    let mut tokens = stmt.tokens(range).iter();
    let (_, word) = tokens.find(|(token, _)| kinds.contains(token))?;
    let text = in_case_of(stmt.text(word.clone()), " concurrently");
    Some(Fix::new("Add CONCURRENTLY", vec![insert(word.end, text)]))
}

fn is_full(vacuum: VacuumStmt<'_>) -> bool {
    let mut options = vacuum.options().iter().filter_map(Node::as_def_elem);
    vacuum.is_vacuumcmd()
        && options.any(|option: DefElem<'_>| option.defname() == "full" && !is_off(option))
}

/// Checks `DETACH PARTITION`.
pub(super) fn detached(
    stmt: &Stmt<'_>,
    state: &State,
    (table, cmd): (Option<RangeVar<'_>>, AlterTableCmd<'_>),
    found: &mut Vec<Finding>,
) {
    let partition = cmd.def().and_then(Node::as_partition_cmd);
    if partition.is_none_or(PartitionCmd::concurrent) {
        return;
    }
    let range = stmt.place(cmd);
    let finding = Finding::of(Rule::DetachPartitionLocks, range.clone());
    let table = table.map(key_of).unwrap_or_default();
    found.push(if stmt.overview.has(&Fact::HasDefaultPartition(table)) {
        finding.help(
            "detach it while nobody waits: with a default partition it cannot be done CONCURRENTLY",
        )
    } else if stmt.is_in_transaction(state) {
        finding.help("detach it CONCURRENTLY, outside of the transaction")
    } else {
        let fix = stmt.range_of(cmd).map(|range| {
            let model = stmt.text(range.clone()).get(..6).unwrap_or_default();
            let text = in_case_of(model, " concurrently");
            // With a default partition, which the script may not show, the server refuses it.
            Fix::new("Add CONCURRENTLY", vec![insert(range.end, text)]).not_safe()
        });
        finding.help("detach it CONCURRENTLY").fix(fix)
    });
}

/// Finds an `ALTER TABLE` that rewrites a table for what is not the type or the value of a column.
fn rewritten(
    stmt: &Stmt<'_>,
    state: &State,
    (alter, effects): (AlterTableStmt<'_>, &Effects),
    found: &mut Vec<Finding>,
) {
    let others = [AlterTableType::AtAddColumn, AlterTableType::AtAlterColumnType];
    let mut cmds = alter.cmds().iter().filter_map(Node::as_alter_table_cmd);
    let rewrites = effects.tables.iter().any(|table| {
        let key = qualified_key(&table.name);
        !table.rewrites.is_no() && !state.is_key_new(ObjectType::ObjectTable, &key)
    });
    let is_table = matches!(
        alter.objtype(),
        ObjectType::ObjectTable | ObjectType::ObjectMatview | ObjectType::ObjectIndex
    );
    if rewrites && is_table && !cmds.any(|cmd| others.contains(&cmd.subtype())) {
        let help = "do it while nobody waits for the table, or fill a new one";
        found.push(Finding::of(Rule::RewriteTable, stmt.place(alter)).help(help));
    }
}

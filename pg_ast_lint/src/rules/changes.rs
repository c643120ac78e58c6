//! What changes for programs that use the database already, though nothing of theirs is dropped or renamed.

use std::collections::HashSet;

use pg_ast::protobuf::{
    AlterPublicationAction, AlterSubscriptionType, AlterTableType, ConstrType, GrantTargetType,
    ObjectType, Token,
};
use pg_ast::view::{
    AlterDomainStmt, AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, DefElem, GrantStmt,
    Integer, List, Node, RangeVar, RoleSpec,
};

use super::alter_table::required;
use crate::state::State;
use crate::stmt::{Stmt, is_null, key, key_of, list_key};
use crate::stmt_facts::Gain;
use crate::{Finding, Rule};

const RESTRICTS: &str = "make sure that what programs write satisfies it";

/// Checks a statement.
pub(super) fn check(stmt: &Stmt<'_>, state: &State, node: Node<'_>, found: &mut Vec<Finding>) {
    let change = match node {
        Node::AlterTableStmt(alter) => return table(stmt, state, alter, found),
        Node::AlterDomainStmt(alter) => return domain(stmt, state, alter, found),
        _ => defined(state, node).or_else(|| set(state, node)).or_else(|| revoked(state, node)),
    };
    if let Some((rule, help)) = change {
        found.push(Finding::of(rule, stmt.place(node)).help(help));
    }
}

/// Returns what changes as something is created, or replaced.
fn defined(state: &State, node: Node<'_>) -> Option<Change> {
    let is_new = |kind, name| state.is_name_new(kind, Node::List(name));
    let is_part_new = |kind, table: Option<RangeVar<'_>>, name: &str| {
        table.is_some_and(|table| state.is_part_new(kind, &key_of(table), name))
    };
    Some(match node {
        Node::IndexStmt(index) if index.unique() && !state.is_new(index.relation()) => {
            (Rule::NewRestriction, RESTRICTS)
        }
        Node::AlterEnumStmt(alter)
            if alter.old_val().is_empty() && !is_new(ObjectType::ObjectType, alter.type_name()) =>
        {
            (Rule::AddEnumValue, "first deploy programs that know it")
        }
        Node::CreatePolicyStmt(policy) if !state.is_new(policy.table()) => ACCESS,
        Node::AlterPolicyStmt(policy)
            if !is_part_new(ObjectType::ObjectPolicy, policy.table(), policy.policy_name()) =>
        {
            ACCESS
        }
        Node::ViewStmt(view) if view.replace() && !state.is_new(view.view()) => REPLACED,
        Node::CreateFunctionStmt(create)
            if create.replace() && !is_new(ObjectType::ObjectFunction, create.funcname()) =>
        {
            REPLACED
        }
        Node::DefineStmt(create)
            if create.replace() && !is_new(create.kind(), create.defnames()) =>
        {
            REPLACED
        }
        Node::CreateTrigStmt(create)
            if create.replace()
                && !is_part_new(
                    ObjectType::ObjectTrigger,
                    create.relation(),
                    create.trigname(),
                ) =>
        {
            REPLACED
        }
        Node::RuleStmt(create)
            if create.replace()
                && !is_part_new(ObjectType::ObjectRule, create.relation(), create.rulename()) =>
        {
            REPLACED
        }
        _ => return None,
    })
}

/// Returns what changes as options of something are set.
fn set(state: &State, node: Node<'_>) -> Option<Change> {
    let is_named_new = |kind, name: &str| state.is_key_new(kind, &key("", name));
    let is_role_new = |role: Option<RoleSpec<'_>>| {
        role.is_some_and(|role| state.is_name_new(ObjectType::ObjectRole, role.into()))
    };
    Some(match node {
        Node::AlterFunctionStmt(alter)
            if !alter.func().is_some_and(|it| state.is_name_new(alter.objtype(), it.into())) =>
        {
            OPTIONS
        }
        Node::AlterRoleStmt(alter)
            if !has(alter.options(), |name| name == "rolemembers")
                && !is_role_new(alter.role()) =>
        {
            OPTIONS
        }
        Node::AlterSystemStmt(_) => OPTIONS,
        Node::AlterRoleSetStmt(alter) if !is_role_new(alter.role()) => OPTIONS,
        Node::AlterDatabaseStmt(alter)
            if !is_named_new(ObjectType::ObjectDatabase, alter.dbname()) =>
        {
            OPTIONS
        }
        Node::AlterDatabaseSetStmt(alter)
            if !is_named_new(ObjectType::ObjectDatabase, alter.dbname()) =>
        {
            OPTIONS
        }
        Node::AlterExtensionStmt(alter)
            if !is_named_new(ObjectType::ObjectExtension, alter.extname()) =>
        {
            EXTENSION
        }
        Node::AlterExtensionContentsStmt(alter)
            if alter.action() < 0
                && !is_named_new(ObjectType::ObjectExtension, alter.extname()) =>
        {
            EXTENSION
        }
        Node::AlterSeqStmt(alter)
            if !state.is_new(alter.sequence()) && has(alter.options(), changes_values) =>
        {
            SEQUENCE
        }
        Node::AlterPublicationStmt(alter)
            if !is_named_new(ObjectType::ObjectPublication, alter.pubname())
                && (!alter.options().is_empty()
                    || alter.action() != AlterPublicationAction::ApAddObjects) =>
        {
            REPLICATION
        }
        Node::AlterSubscriptionStmt(alter)
            if !is_named_new(ObjectType::ObjectSubscription, alter.subname())
                && !matches!(
                    alter.kind(),
                    AlterSubscriptionType::AlterSubscriptionAddPublication
                        | AlterSubscriptionType::AlterSubscriptionRefresh
                ) =>
        {
            REPLICATION
        }
        Node::DropSubscriptionStmt(drop)
            if !is_named_new(ObjectType::ObjectSubscription, drop.subname()) =>
        {
            REPLICATION
        }
        Node::AlterEventTrigStmt(alter)
            if !is_named_new(ObjectType::ObjectEventTrigger, alter.trigname()) =>
        {
            TRIGGER
        }
        _ => return None,
    })
}

/// Returns what changes as somebody loses rights.
fn revoked(state: &State, node: Node<'_>) -> Option<Change> {
    let is_role_new = |role| state.is_name_new(ObjectType::ObjectRole, role);
    let is_new = match node {
        Node::GrantStmt(grant) => {
            grant.is_grant()
                || grant.objects().iter().all(|name| state.is_name_new(kind_of(grant), name))
                || grant.grantees().iter().all(is_role_new)
        }
        Node::GrantRoleStmt(grant) => {
            grant.is_grant() || grant.grantee_roles().iter().all(is_role_new)
        }
        Node::AlterDefaultPrivilegesStmt(alter) => alter.action().is_none_or(GrantStmt::is_grant),
        // ALTER GROUP, of which ADD USER takes nothing.
        Node::AlterRoleStmt(alter) if has(alter.options(), |name| name == "rolemembers") => {
            alter.action() > 0 || alter.role().is_some_and(|role| is_role_new(role.into()))
        }
        Node::DropRoleStmt(drop) => drop.roles().iter().all(is_role_new),
        Node::DropOwnedStmt(drop) => drop.roles().iter().all(is_role_new),
        Node::ReassignOwnedStmt(reassign) => reassign.roles().iter().all(is_role_new),
        Node::AlterOwnerStmt(alter) => {
            let object = alter.relation().map(Node::from).or(alter.object());
            object.is_some_and(|object| state.is_name_new(alter.object_type(), object))
        }
        _ => return None,
    };
    (!is_new).then_some(REVOKED)
}

type Change = (Rule, &'static str);

const ACCESS: Change =
    (Rule::ChangeRowSecurity, "make sure that each role sees the rows that it needs");
const OPTIONS: Change =
    (Rule::ChangeOptions, "make sure that programs work with the old and the new options");
const EXTENSION: Change =
    (Rule::AlterExtension, "make sure that programs work with the extension as it will be");
const SEQUENCE: Change =
    (Rule::ChangeSequence, "make sure that no value is generated twice, and that all values fit");
const REVOKED: Change = (Rule::RevokeAccess, "make sure that no program needs it");
const REPLACED: Change =
    (Rule::ReplaceObject, "make sure that programs work with both the old and the new one");
const TRIGGER: Change = (Rule::DisableTrigger, "make sure that nothing depends on what it does");
const REPLICATION: Change =
    (Rule::ChangeReplication, "make sure that all consumers of the changes know");
const GENERATED: Change =
    (Rule::ChangeGenerated, "first deploy programs that write the column as it will be");

/// Returns the kind of what a `GRANT` or `REVOKE` names.
fn kind_of(grant: GrantStmt<'_>) -> ObjectType {
    match grant.targtype() {
        GrantTargetType::AclTargetAllInSchema => ObjectType::ObjectSchema,
        _ => grant.objtype(),
    }
}

/// Returns whether one of some options has such a name.
fn has(options: List<'_>, is_one: impl Fn(&str) -> bool) -> bool {
    options.iter().filter_map(Node::as_def_elem).map(DefElem::defname).any(is_one)
}

/// Returns whether an option of a sequence changes which values come.
fn changes_values(option: &str) -> bool {
    !matches!(option, "owned_by" | "sequence_name" | "logged" | "generated")
}

fn domain(stmt: &Stmt<'_>, state: &State, alter: AlterDomainStmt<'_>, found: &mut Vec<Finding>) {
    if state.is_name_new(ObjectType::ObjectType, Node::List(alter.type_name())) {
        return;
    }
    let key = || list_key(alter.type_name()).unwrap_or_default();
    let (rule, help) = match alter.subtype() {
        "T" if is_null(alter.def()) && stmt.gets(&Gain::Default(key(), String::new())) => {
            return;
        }
        "T" => default_set(alter.def()),
        "C" | "O" => (Rule::NewRestriction, RESTRICTS),
        "N" => (Rule::DropNotNull, "make sure that everything that reads it can handle NULL"),
        "X" if stmt.gets(&Gain::Constraint(key(), alter.name().to_owned())) => return,
        "X" => (Rule::DropConstraint, "make sure that nothing relies on it"),
        _ => return,
    };
    found.push(Finding::of(rule, stmt.place(alter)).help(help));
}

fn default_set(value: Option<Node<'_>>) -> Change {
    match value.filter(|value| !is_null(Some(*value))) {
        Some(_) => (Rule::ChangeDefault, "make sure that programs work with both values"),
        None => (Rule::DropDefault, "first deploy programs that set the column themselves"),
    }
}

fn table(stmt: &Stmt<'_>, state: &State, alter: AlterTableStmt<'_>, found: &mut Vec<Finding>) {
    let relation = alter.relation();
    if relation.is_some_and(|relation| state.is_name_new(alter.objtype(), relation.into())) {
        return;
    }
    let cmds = || alter.cmds().iter().filter_map(Node::as_alter_table_cmd);
    // PostgreSQL adds columns before it changes them.
    let added: HashSet<&str> = cmds().filter_map(added_column).map(ColumnDef::colname).collect();
    for cmd in cmds() {
        let is_column_new = added.contains(cmd.name()) || state.is_column_new(relation, cmd.name());
        if let Some((rule, help)) = changed(stmt, state, (alter, cmd), is_column_new) {
            let finding = match rule {
                // There is no table to rewrite.
                Rule::ChangeColumnType => {
                    Finding::new(rule, stmt.place(cmd), "programs may not expect the new type")
                }
                rule => Finding::of(rule, stmt.place(cmd)),
            };
            found.push(finding.help(help));
        }
        // Rows without a value meet all other constraints of a new column.
        if let Some(required) = added_column(cmd).and_then(required) {
            let finding = Finding::of(Rule::NewRestriction, stmt.place(required));
            found.push(finding.help(RESTRICTS));
        }
    }
}

fn added_column(cmd: AlterTableCmd<'_>) -> Option<ColumnDef<'_>> {
    let column = cmd.def().and_then(Node::as_column_def);
    column.filter(|_| cmd.subtype() == AlterTableType::AtAddColumn)
}

fn restricts(constraint: Constraint<'_>) -> bool {
    matches!(
        constraint.contype(),
        ConstrType::ConstrCheck
            | ConstrType::ConstrForeign
            | ConstrType::ConstrUnique
            | ConstrType::ConstrPrimary
            | ConstrType::ConstrExclusion
            | ConstrType::ConstrNotnull
    )
}

/// Returns whether `ALTER CONSTRAINT` ends in `NOT ENFORCED`, of which PostgreSQL up to 17 knows nothing.
fn is_given_up(stmt: &Stmt<'_>, cmd: AlterTableCmd<'_>) -> bool {
    match stmt.tokens(&stmt.place(cmd)) {
        [.., (Token::Not, _), (_, last)] => {
            stmt.text(last.clone()).eq_ignore_ascii_case("ENFORCED")
        }
        _ => false,
    }
}

/// Returns what a command of `ALTER TABLE` changes.
fn changed(
    stmt: &Stmt<'_>,
    state: &State,
    (alter, cmd): (AlterTableStmt<'_>, AlterTableCmd<'_>),
    is_column_new: bool,
) -> Option<Change> {
    let relation = alter.relation();
    let is_table = alter.objtype() == ObjectType::ObjectTable;
    let gets_default = || {
        let table = relation.map(key_of).unwrap_or_default();
        stmt.gets(&Gain::Default(table, cmd.name().to_owned()))
    };
    Some(match cmd.subtype() {
        AlterTableType::AtColumnDefault if !is_column_new => match cmd.def() {
            value if is_null(value) && gets_default() => return None,
            value => default_set(value),
        },
        // Those of tables have rules of their own, about locks as well.
        AlterTableType::AtDropColumn if !is_table && !is_column_new => {
            (Rule::DropColumn, "first deploy programs that do not use the column")
        }
        AlterTableType::AtAlterColumnType if !is_table && !is_column_new => {
            (Rule::ChangeColumnType, "make sure that programs work with both types")
        }
        AlterTableType::AtDropNotNull if !is_table && !is_column_new => {
            (Rule::DropNotNull, "make sure that everything that reads it can handle NULL")
        }
        AlterTableType::AtDropConstraint if !is_table => {
            (Rule::DropConstraint, "make sure that nothing relies on it")
        }
        AlterTableType::AtDropExpression if !is_column_new => GENERATED,
        AlterTableType::AtDropIdentity if !is_column_new && !gets_default() => GENERATED,
        AlterTableType::AtAddIdentity if !is_column_new => {
            let identity = cmd.def().and_then(Node::as_constraint)?;
            (identity.generated_when() == "a").then_some(GENERATED)?
        }
        AlterTableType::AtSetIdentity if !is_column_new => {
            let Node::List(options) = cmd.def()? else { return None };
            let always = options.iter().filter_map(Node::as_def_elem).any(|option| {
                let when = option.arg().and_then(Node::as_integer).map(Integer::ival);
                option.defname() == "generated" && when == Some(i32::from(b'a'))
            });
            if always { GENERATED } else { has(options, changes_values).then_some(SEQUENCE)? }
        }
        // PostgreSQL 15 and 16 have none.
        subtype if subtype.as_str_name() == "AT_SetExpression" && !is_column_new => GENERATED,
        AlterTableType::AtEnableTrig
        | AlterTableType::AtEnableAlwaysTrig
        | AlterTableType::AtEnableReplicaTrig
        | AlterTableType::AtDisableTrig
        | AlterTableType::AtEnableTrigAll
        | AlterTableType::AtDisableTrigAll
        | AlterTableType::AtEnableTrigUser
        | AlterTableType::AtDisableTrigUser
        | AlterTableType::AtEnableRule
        | AlterTableType::AtEnableAlwaysRule
        | AlterTableType::AtEnableReplicaRule
        | AlterTableType::AtDisableRule => TRIGGER,
        AlterTableType::AtEnableRowSecurity
        | AlterTableType::AtDisableRowSecurity
        | AlterTableType::AtForceRowSecurity
        | AlterTableType::AtNoForceRowSecurity => ACCESS,
        AlterTableType::AtReplicaIdentity => REPLICATION,
        AlterTableType::AtChangeOwner => REVOKED,
        AlterTableType::AtAddColumn => {
            let column = added_column(cmd).map(ColumnDef::colname);
            let is_again = column.is_some_and(|column| state.is_column_new(relation, column));
            let help = "make sure that programs name the columns they read and write";
            (!is_again).then_some((Rule::AddColumn, help))?
        }
        AlterTableType::AtAddConstraint => {
            let constraint = cmd.def().and_then(Node::as_constraint)?;
            restricts(constraint).then_some((Rule::NewRestriction, RESTRICTS))?
        }
        AlterTableType::AtSetNotNull if !state.is_not_null(relation, cmd.name()) => {
            (Rule::NewRestriction, RESTRICTS)
        }
        AlterTableType::AtAlterConstraint if is_given_up(stmt, cmd) => {
            (Rule::DropConstraint, "make sure that nothing relies on it")
        }
        AlterTableType::AtAlterConstraint => (Rule::NewRestriction, RESTRICTS),
        AlterTableType::AtDetachPartition | AlterTableType::AtDropInherit => {
            (Rule::DetachTable, "make sure that nobody reads its rows through the other table")
        }
        AlterTableType::AtSetRelOptions | AlterTableType::AtResetRelOptions
            if alter.objtype() == ObjectType::ObjectView =>
        {
            OPTIONS
        }
        _ => return None,
    })
}

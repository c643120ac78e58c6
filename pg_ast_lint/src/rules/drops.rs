//! What is dropped, renamed and moved.

use pg_ast::protobuf::{ObjectType, Token};
use pg_ast::view::{
    AlterObjectSchemaStmt, AlterTableCmd, DropStmt, Node, RenameStmt, TruncateStmt,
};

use crate::state::State;
use crate::stmt::{Stmt, cascades, dropped_name, part_of, renamed_object};
use crate::stmt_facts::Gain;
use crate::{Finding, Rule};

/// Checks `DROP`.
pub(super) fn dropped(
    stmt: &Stmt<'_>,
    state: &State,
    drop: DropStmt<'_>,
    found: &mut Vec<Finding>,
) {
    let kind = drop.remove_type();
    let (rule, help) = match kind {
        ObjectType::ObjectSchema => (Rule::DropSchema, "make sure that nothing in it is used"),
        ObjectType::ObjectView | ObjectType::ObjectMatview => {
            (Rule::DropView, "first deploy programs that do not use it")
        }
        ObjectType::ObjectFunction
        | ObjectType::ObjectProcedure
        | ObjectType::ObjectRoutine
        | ObjectType::ObjectAggregate => {
            (Rule::DropFunction, "first deploy programs that do not call it")
        }
        ObjectType::ObjectType | ObjectType::ObjectDomain => {
            (Rule::DropType, "make sure that no column has it")
        }
        ObjectType::ObjectOperator
        | ObjectType::ObjectOpclass
        | ObjectType::ObjectOpfamily
        | ObjectType::ObjectCast => (Rule::DropType, "make sure that nothing uses it"),
        ObjectType::ObjectSequence => {
            (Rule::DropSequence, "make sure that no default and no program uses it")
        }
        ObjectType::ObjectExtension => {
            (Rule::DropExtension, "make sure that nothing in it is used")
        }
        ObjectType::ObjectIndex => {
            (Rule::DropIndex, "make sure that no query needs it, and no upsert")
        }
        ObjectType::ObjectTrigger | ObjectType::ObjectRule | ObjectType::ObjectEventTrigger => {
            (Rule::DropTrigger, "make sure that nothing depends on it")
        }
        ObjectType::ObjectPolicy => {
            (Rule::ChangeRowSecurity, "make sure that each role sees the rows that it needs")
        }
        ObjectType::ObjectPublication => {
            (Rule::ChangeReplication, "make sure that all consumers of the changes know")
        }
        // Nothing but CASCADE is found.
        _ => (Rule::DropCascade, ""),
    };
    // Nobody misses what is new, or what is there again when the transaction ends.
    let is_missed = |object: Node<'_>| {
        let is_new = match part_of(kind, object) {
            Some((table, part)) => state.is_part_new(kind, &table, part),
            None => state.is_name_new(kind, object),
        };
        let is_back =
            || dropped_name(kind, object).is_some_and(|name| stmt.gets(&Gain::Name(name)));
        !is_new && !is_back()
    };
    let is_missed = drop.objects().iter().any(is_missed);
    if is_missed && rule != Rule::DropCascade {
        found.push(Finding::of(rule, stmt.place(drop)).help(help));
    }
    // An index has nothing but constraints, and what is in a schema goes with it.
    let is_alone = matches!(kind, ObjectType::ObjectIndex | ObjectType::ObjectSchema);
    if cascades(drop.behavior()) && is_missed && !is_alone {
        cascade(stmt, Node::from(drop), found);
    }
}

fn cascade(stmt: &Stmt<'_>, node: Node<'_>, found: &mut Vec<Finding>) {
    let range = stmt.place(node);
    // The last word.
    let mut tokens = stmt.tokens(&range).iter().rev();
    let word = tokens.find(|(token, _)| *token == Token::Cascade).map(|(_, word)| word.clone());
    let finding = Finding::of(Rule::DropCascade, word.unwrap_or(range));
    found.push(finding.help("drop what depends on it by name, before"));
}

/// Checks the `CASCADE` of `DROP COLUMN` and `DROP CONSTRAINT`.
pub(super) fn part_dropped(stmt: &Stmt<'_>, cmd: AlterTableCmd<'_>, found: &mut Vec<Finding>) {
    if cascades(cmd.behavior()) {
        cascade(stmt, Node::from(cmd), found);
    }
}

pub(super) fn truncated(
    stmt: &Stmt<'_>,
    state: &State,
    truncate: TruncateStmt<'_>,
    found: &mut Vec<Finding>,
) {
    let mut tables = truncate.relations().iter().filter_map(Node::as_range_var);
    if tables.any(|table| !state.is_new(Some(table))) {
        let help = "make sure that all rows are to be lost";
        found.push(Finding::of(Rule::TruncateTable, stmt.place(truncate)).help(help));
    }
}

/// Checks what is renamed, other than tables and their columns.
pub(super) fn renamed(
    stmt: &Stmt<'_>,
    state: &State,
    rename: RenameStmt<'_>,
    found: &mut Vec<Finding>,
) {
    let is_used_by_name = match rename.rename_type() {
        ObjectType::ObjectSchema
        | ObjectType::ObjectView
        | ObjectType::ObjectMatview
        | ObjectType::ObjectForeignTable
        | ObjectType::ObjectFunction
        | ObjectType::ObjectProcedure
        | ObjectType::ObjectRoutine
        | ObjectType::ObjectAggregate
        | ObjectType::ObjectAttribute
        | ObjectType::ObjectDatabase => true,
        ObjectType::ObjectColumn => rename.relation_type() != ObjectType::ObjectTable,
        _ => false,
    };
    let is_new = renamed_object(rename).is_some_and(|(kind, key)| state.is_key_new(kind, &key));
    if is_used_by_name && !is_new {
        let help = "add what has the new name, and drop the old one when nobody uses it";
        found.push(Finding::of(Rule::RenameObject, stmt.place(rename)).help(help));
    }
}

pub(super) fn moved(
    stmt: &Stmt<'_>,
    state: &State,
    alter: AlterObjectSchemaStmt<'_>,
    found: &mut Vec<Finding>,
) {
    let object = alter.relation().map(Node::from).or(alter.object());
    let is_new = object.is_some_and(|object| state.is_name_new(alter.object_type(), object));
    if !is_new {
        let help = "make a view of the old name, or put the new schema on the search_path of all who use it";
        found.push(Finding::of(Rule::SetSchema, stmt.place(alter)).help(help));
    }
}

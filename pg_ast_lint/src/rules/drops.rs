//! What is dropped, renamed and moved.

use pg_ast::protobuf::{ObjectType, Token};
use pg_ast::view::{
    AlterObjectSchemaStmt, AlterTableCmd, DropStmt, Node, RangeVar, RenameStmt, TruncateStmt,
};

use crate::state::{Space, State};
use crate::stmt::{Stmt, cascades, name_key};
use crate::{Finding, Rule};

/// Checks `DROP`.
pub(super) fn dropped(
    stmt: &Stmt<'_>,
    state: &State,
    drop: DropStmt<'_>,
    found: &mut Vec<Finding>,
) {
    let (rule, space, help) = match drop.remove_type() {
        ObjectType::ObjectSchema => {
            (Some(Rule::DropSchema), Some(Space::Schemas), "make sure that nothing in it is used")
        }
        ObjectType::ObjectView | ObjectType::ObjectMatview => {
            (Some(Rule::DropView), Some(Space::Views), "deploy programs that do not use it first")
        }
        ObjectType::ObjectFunction
        | ObjectType::ObjectProcedure
        | ObjectType::ObjectRoutine
        | ObjectType::ObjectAggregate => (
            Some(Rule::DropFunction),
            Some(Space::Functions),
            "deploy programs that do not call it first",
        ),
        ObjectType::ObjectType | ObjectType::ObjectDomain => {
            (Some(Rule::DropType), Some(Space::Types), "make sure that no column has it")
        }
        ObjectType::ObjectOperator
        | ObjectType::ObjectOpclass
        | ObjectType::ObjectOpfamily
        | ObjectType::ObjectCast => (Some(Rule::DropType), None, "make sure that nothing uses it"),
        ObjectType::ObjectSequence => {
            (Some(Rule::DropSequence), None, "make sure that no default and no program uses it")
        }
        ObjectType::ObjectExtension => {
            (Some(Rule::DropExtension), None, "make sure that nothing of it is used")
        }
        ObjectType::ObjectIndex => {
            (Some(Rule::DropIndex), None, "make sure that no query needs it, and no upsert")
        }
        ObjectType::ObjectTrigger => {
            (Some(Rule::DropTrigger), Some(Space::Triggers), "make sure that nothing depends on it")
        }
        ObjectType::ObjectRule => {
            (Some(Rule::DropTrigger), Some(Space::Rules), "make sure that nothing depends on it")
        }
        ObjectType::ObjectPolicy => (
            Some(Rule::ChangeRowSecurity),
            Some(Space::Policies),
            "make sure that each role sees what it has to",
        ),
        ObjectType::ObjectPublication => {
            (Some(Rule::ChangeReplication), None, "make sure that all who read the changes know")
        }
        _ => (None, None, ""),
    };
    // Nobody misses what is new, or what is there again when the transaction ends.
    let is_missed = |name: Node<'_>| {
        let Some(key) = name_key(name) else { return true };
        // What belongs to a table has its name before its own.
        let table = || match name {
            Node::List(parts) => parts.iter().rev().nth(1).and_then(name_key),
            _ => None,
        };
        let is_part = matches!(space, Some(Space::Triggers | Space::Rules | Space::Policies));
        if is_part && table().is_some_and(|table| state.is_key_new(&table)) {
            return false;
        }
        !state.is_key_new(&key)
            && !space.is_some_and(|space| state.is_other_new(space, &key))
            && !match space {
                Some(space) if !matches!(space, Space::Views | Space::Schemas) => {
                    stmt.overview.gets_other(stmt.number, space, &key)
                }
                _ => stmt.overview.gets_name(stmt.number, &key),
            }
    };
    let is_missed = drop.objects().iter().any(is_missed);
    if let Some(rule) = rule.filter(|_| is_missed) {
        found.push(Finding::of(rule, stmt.place(drop)).help(help));
    }
    // An index has nothing but constraints, and what is in a schema goes with it.
    let is_alone = matches!(drop.remove_type(), ObjectType::ObjectIndex | ObjectType::ObjectSchema);
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
pub(super) fn renamed(stmt: &Stmt<'_>, rename: RenameStmt<'_>, found: &mut Vec<Finding>) {
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
    if is_used_by_name {
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
    let is_new = state.is_new(alter.relation())
        || alter.object().and_then(name_key).is_some_and(|key| {
            let spaces = [Space::Functions, Space::Types];
            spaces.iter().any(|space| state.is_other_new(*space, &key))
        });
    let is_temporary = |table: RangeVar<'_>| table.relpersistence() == "t";
    if !is_new && !alter.relation().is_some_and(is_temporary) {
        let help = "make a view of the old name, or put the new schema on the search_path of all who use it";
        found.push(Finding::of(Rule::SetSchema, stmt.place(alter)).help(help));
    }
}

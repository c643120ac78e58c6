//! Names: without a schema, too long, and twice.

use std::collections::HashMap;

use pg_ast::protobuf::ObjectType;
use pg_ast::view::{ColumnDef, CreateStmt, IntoClause, List, Node, RangeVar};

use crate::stmt::{State, Stmt, name_key};
use crate::{Finding, Rule};

/// Checks a statement.
pub(super) fn check(stmt: &Stmt<'_>, state: &State, node: Node<'_>, found: &mut Vec<Finding>) {
    let relation = match node {
        Node::CreateStmt(it) => it.relation(),
        Node::CreateTableAsStmt(it) => it.into().and_then(IntoClause::rel),
        Node::CreateForeignTableStmt(it) => it.base_stmt().and_then(CreateStmt::relation),
        Node::ViewStmt(it) => it.view(),
        Node::CreateSeqStmt(it) => it.sequence(),
        Node::AlterTableStmt(it) => it.relation(),
        Node::IndexStmt(it) => it.relation(),
        Node::RenameStmt(it) => it.relation(),
        Node::DropStmt(drop) => {
            let is_relation = matches!(
                drop.remove_type(),
                ObjectType::ObjectTable
                    | ObjectType::ObjectView
                    | ObjectType::ObjectMatview
                    | ObjectType::ObjectSequence
                    | ObjectType::ObjectForeignTable
                    | ObjectType::ObjectIndex
            );
            let names = drop.objects().iter().filter(|_| is_relation);
            for name in names.filter(|name| matches!(name, Node::List(parts) if parts.len() == 1)) {
                if !name_key(name).is_some_and(|key| state.is_temporary(&key)) {
                    found.push(without_schema(stmt, name));
                }
            }
            return;
        }
        Node::CreateFunctionStmt(create) => {
            if create.funcname().len() == 1 {
                found.push(without_schema(stmt, node));
            }
            return;
        }
        _ => return,
    };
    let is_temporary = |table: RangeVar<'_>| {
        table.relpersistence() == "t" || state.is_temporary(&crate::stmt::key_of(table))
    };
    if let Some(table) = relation
        && table.schemaname().is_empty()
        && !is_temporary(table)
    {
        found.push(without_schema(stmt, Node::from(table)));
    }
}

fn without_schema(stmt: &Stmt<'_>, node: Node<'_>) -> Finding {
    let range = stmt.place(node);
    // Of a function, that would be the whole statement.
    let range = match node {
        Node::CreateFunctionStmt(_) => {
            let first_line = stmt.text(range.clone()).lines().next().map_or(0, str::len);
            range.start..range.start + first_line
        }
        _ => range,
    };
    Finding::of(Rule::RequireSchema, range).help("write schema.name")
}

/// Finds the names that PostgreSQL cuts, by its own notices.
pub(super) fn cut(stmt: &Stmt<'_>, found: &mut Vec<Finding>) {
    for warning in stmt.tree.warnings() {
        let Some(rest) = warning.message.strip_prefix("identifier \"") else { continue };
        let kept = rest.rsplit('"').nth(1).unwrap_or_default();
        let start = stmt.range.start + warning.cursor.unwrap_or_default();
        let tokens = stmt.tokens(&(start..stmt.range.end));
        let range = tokens.first().map_or(start..start, |(_, range)| range.clone());
        let help = format!("PostgreSQL uses {kept}: choose a name of at most 63 bytes");
        found.push(Finding::of(Rule::IdentifierTooLong, range).help(help));
    }
}

/// Finds the columns that a node names twice.
pub(super) fn twice(stmt: &Stmt<'_>, node: Node<'_>, found: &mut Vec<Finding>) {
    let lists: [Option<List<'_>>; 2] = match node {
        Node::UpdateStmt(update) => [Some(update.target_list()), None],
        Node::InsertStmt(insert) => [Some(insert.cols()), None],
        Node::OnConflictClause(conflict) => [Some(conflict.target_list()), None],
        Node::MergeWhenClause(merge) => [Some(merge.target_list()), None],
        Node::CreateStmt(create) => [Some(create.table_elts()), None],
        Node::ViewStmt(view) => [Some(view.aliases()), None],
        _ => return,
    };
    for list in lists.into_iter().flatten() {
        // Whether all of the column was assigned.
        let mut names: HashMap<&str, bool> = HashMap::new();
        for column in list.iter() {
            let (name, is_whole) = match column {
                Node::ResTarget(target) => (target.name(), target.indirection().is_empty()),
                Node::ColumnDef(column) => (ColumnDef::colname(column), true),
                Node::String(name) => (name.sval(), true),
                _ => continue,
            };
            let was_whole = names.insert(name, is_whole);
            // Several elements of an array can be assigned.
            if was_whole.is_some_and(|was_whole| was_whole || is_whole) {
                let finding = Finding::of(Rule::DuplicateColumn, stmt.place(column));
                found.push(finding.help(format!("PostgreSQL refuses {name} a second time")));
            }
        }
    }
}

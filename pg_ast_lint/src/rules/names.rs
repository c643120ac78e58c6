//! Names: without a schema, too long, and twice.

use std::collections::HashMap;

use pg_ast::protobuf::{ObjectType, Token};
use pg_ast::view::{ColumnDef, CreateStmt, IntoClause, List, Node, RangeVar};

use crate::state::State;
use crate::stmt::{Stmt, key_of, name_key};
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
    let is_temporary =
        |table: RangeVar<'_>| table.relpersistence() == "t" || state.is_temporary(&key_of(table));
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

/// Finds the names that PostgreSQL cuts, by its own notices, which have no place.
pub(super) fn cut(stmt: &Stmt<'_>, found: &mut Vec<Finding>) {
    let mut cut = stmt.tree.warnings().iter().filter_map(|warning| {
        let names = warning.message.strip_prefix("identifier \"")?.strip_suffix('"')?;
        names.split_once("\" will be truncated to \"")
    });
    let Some(mut next) = cut.next() else { return };
    for (token, range) in stmt.tokens(&stmt.range) {
        if *token != Token::Ident
            || range.len() < next.0.len()
            || !is_name(stmt.text(range.clone()), next.0)
        {
            continue;
        }
        let help = format!("PostgreSQL uses {}: choose a name of at most 63 bytes", next.1);
        found.push(Finding::of(Rule::IdentifierTooLong, range.clone()).help(help));
        match cut.next() {
            Some(it) => next = it,
            None => return,
        }
    }
}

/// Returns whether a token is written for a name.
fn is_name(written: &str, name: &str) -> bool {
    match written.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
        Some(quoted) => quoted.replace("\"\"", "\"") == name,
        None => written.eq_ignore_ascii_case(name),
    }
}

/// Returns the columns of a query, those of the first part of a union.
fn targets(query: Node<'_>) -> Option<List<'_>> {
    let mut select = query.as_select_stmt()?;
    while let Some(first) = select.larg() {
        select = first;
    }
    Some(select.target_list())
}

/// Finds the columns that a node names twice.
pub(super) fn twice(stmt: &Stmt<'_>, node: Node<'_>, found: &mut Vec<Finding>) {
    let list = match node {
        Node::UpdateStmt(update) => Some(update.target_list()),
        Node::InsertStmt(insert) => Some(insert.cols()),
        Node::OnConflictClause(conflict) => Some(conflict.target_list()),
        Node::MergeWhenClause(merge) => Some(merge.target_list()),
        Node::CreateStmt(create) => Some(create.table_elts()),
        Node::ViewStmt(view) if !view.aliases().is_empty() => Some(view.aliases()),
        Node::ViewStmt(view) => view.query().and_then(targets),
        Node::CreateTableAsStmt(create) => match create.into().map(IntoClause::col_names) {
            Some(names) if !names.is_empty() => Some(names),
            _ => create.query().and_then(targets),
        },
        Node::SelectStmt(select) if select.into_clause().is_some() => Some(select.target_list()),
        _ => return,
    };
    if let Some(list) = list {
        // Whether all of the column was assigned.
        let mut names: HashMap<&str, bool> = HashMap::new();
        for column in list {
            let (name, is_whole) = match column {
                Node::ResTarget(target) => match (target.name(), target.val()) {
                    // The column of a query has the name of what it is.
                    ("", Some(Node::ColumnRef(column))) if !column.is_star() => {
                        (column.names().next_back().unwrap_or_default(), true)
                    }
                    ("", _) => continue,
                    (name, _) => (name, target.indirection().is_empty()),
                },
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

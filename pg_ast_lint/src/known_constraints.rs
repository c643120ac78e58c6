//! What the database has before a script, as far as rules ask for it.

use pg_ast::protobuf::ConstrType;
use pg_ast::view::{self, CreateStmt, Node};

use crate::events::{Event, TableEvent, events_of};
use crate::not_null::{NewConstraint, NotNulls};
use crate::state::State;
use crate::stmt::key_of;

/// Returns the constraints that keep columns from being NULL, of all tables that a script defines. Wrong statements are left out.
pub(crate) fn of_database(script: &str) -> NotNulls {
    let mut state = State::default();
    for stmt in pg_ast::parse_script(script) {
        let Ok(tree) = view::parse(&script[stmt.range]) else { continue };
        for stmt in tree.stmts().filter_map(view::RawStmt::stmt) {
            if let Node::CreateStmt(create) = stmt {
                if let Some(event) = created(create) {
                    state.apply(&event);
                }
                continue;
            }
            // Tables of this script are none that it has created: their constraints count.
            let events = events_of(stmt).into_iter();
            let events = events
                .filter(|it| !matches!(it, Event::Creates { .. } | Event::Transaction { .. }));
            events.for_each(|event| state.apply(&event));
        }
    }
    state.into_not_nulls()
}

/// Returns the constraints of a new table as if they were added to it.
fn created(create: CreateStmt<'_>) -> Option<Event> {
    let table = create.relation()?;
    let mut added = Vec::new();
    for element in create.table_elts() {
        match element {
            Node::ColumnDef(column) => {
                for constraint in column.constraints().iter().filter_map(Node::as_constraint) {
                    added.push(NewConstraint::of_column(
                        table.relname(),
                        column.colname(),
                        constraint,
                    ));
                }
            }
            Node::Constraint(constraint) => {
                added.push(NewConstraint::of(table.relname(), constraint));
            }
            _ => {}
        }
    }
    let added = added.into_iter().map(TableEvent::AddsConstraint).collect();
    Some(Event::AltersTable(pg_ast::protobuf::ObjectType::ObjectTable, key_of(table), added))
}

/// Returns whether a constraint of a column keeps it from being NULL by itself.
pub(crate) fn is_not_null(kind: ConstrType) -> bool {
    matches!(
        kind,
        ConstrType::ConstrNotnull | ConstrType::ConstrPrimary | ConstrType::ConstrIdentity
    )
}

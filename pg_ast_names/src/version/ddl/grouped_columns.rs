//! The primary keys that queries need: a `GROUP BY` of one's columns lets other columns of its table stand alone.

use std::collections::{BTreeMap, HashMap, HashSet};

use pg_ast::QualifiedName;

use super::defined_objects::Needs;
use super::object_lookup::AllStmts;
use super::pg::view::{Node, RawStmt};
use crate::resolution::Resolution;
use crate::stmt_dependencies::Object;

/// Where a column of a query with a `GROUP BY` is.
#[derive(Clone, Copy, PartialEq)]
enum ColumnPlace {
    Group,
    /// In what the query returns, and in no call.
    Alone,
    /// In a call, which may be one of an aggregate, or in a subquery.
    InCall,
}

/// The columns of a table that a statement names.
#[derive(Default)]
struct OfTable {
    grouped: HashSet<String>,
    others: Vec<(String, ColumnPlace)>,
}

/// Adds the places of the columns below some nodes.
fn add_places<'a>(
    nodes: impl IntoIterator<Item = Node<'a>>,
    place: ColumnPlace,
    found: &mut HashMap<i32, ColumnPlace>,
) {
    let mut stack: Vec<_> = nodes.into_iter().map(|node| (node, place)).collect();
    while let Some((node, mut place)) = stack.pop() {
        match node {
            Node::ColumnRef(column) => {
                found.entry(column.location()).or_insert(place);
            }
            Node::FuncCall(_) | Node::SubLink(_) if place == ColumnPlace::Alone => {
                place = ColumnPlace::InCall;
            }
            // It is read by itself.
            Node::SelectStmt(select) if !select.group_clause().is_empty() => continue,
            _ => {}
        }
        node.children(|child| stack.push((child, place)));
    }
}

/// Returns the places of the columns of a statement's queries with a `GROUP BY`.
fn places(stmt: Node<'_>) -> HashMap<i32, ColumnPlace> {
    let mut found = HashMap::new();
    let selects = stmt.nodes().filter_map(|node| match node {
        Node::SelectStmt(select) if !select.group_clause().is_empty() => Some(select),
        _ => None,
    });
    for select in selects {
        add_places(select.group_clause(), ColumnPlace::Group, &mut found);
        let shown = select.target_list().iter().chain(select.having_clause());
        add_places(shown.chain(select.sort_clause()), ColumnPlace::Alone, &mut found);
    }
    found
}

impl AllStmts<'_> {
    /// Adds the primary keys on which statements depend; those of a function's body, if it is one.
    pub(crate) fn add_primary_keys(
        &self,
        stmts: &[RawStmt<'_>],
        names: &Resolution,
        of: Option<(usize, bool)>,
        needs: &mut Needs<'_>,
    ) {
        let places = stmts.iter().map(|stmt| stmt.stmt().map_or_else(HashMap::new, places));
        let places: Vec<_> = places.collect();
        let mut tables = BTreeMap::<(usize, QualifiedName), OfTable>::new();
        for column in names.columns.iter().filter(|column| !places[column.stmt].is_empty()) {
            let location = column.location.and_then(|it| i32::try_from(it).ok());
            let place = location.and_then(|it| places[column.stmt].get(&it));
            let Some(place) = place else { continue };
            for (table, name) in Resolution::columns_of(column) {
                let table = tables.entry((column.stmt, table)).or_default();
                if *place == ColumnPlace::Group {
                    table.grouped.insert(name);
                } else {
                    table.others.push((name, *place));
                }
            }
        }
        for ((index, table), columns) in tables {
            let Some(key) = self.primary_keys.get(&table) else { continue };
            if !key.iter().all(|column| columns.grouped.contains(column)) {
                continue;
            }
            let (index, may_be_needed) = of.unwrap_or((index, true));
            let others = columns.others.iter().filter(|(name, _)| !columns.grouped.contains(name));
            let mut others = others.map(|(_, place)| *place).peekable();
            if others.peek().is_some() {
                let is_needed = may_be_needed && others.any(|place| place == ColumnPlace::Alone);
                needs.add(index, Object::Key(table, Vec::new()), is_needed);
            }
        }
    }
}

//! Where the columns of views come from, compared with `pg_depend`: what a view's columns and rows come from are the columns that
//! it depends on, without those that only a query in it returns and nothing reads.

use std::collections::BTreeSet;

use pg_ast_names::{
    Catalog, ColumnMeaning, ColumnUse, DdlCatalog, LineageOrigin, Relation, Resolution, Routine,
    SourceColumn, SourceKind, StarPart,
};

use super::name_scopes::{is_own, of_table};
use super::pg::view::{Node, Tree};
use super::pg_names::lineage;

/// A column, with the name of its table.
type Column = (String, String);

/// What is compared.
#[derive(Default)]
pub struct Compared {
    equal: usize,
    /// Views in which a query returns what nothing reads.
    without_unread: usize,
}

impl Compared {
    pub fn summary(&self) -> String {
        format!(
            "the columns of {} views come from all that these depend on, those of {} from all that is read",
            self.equal, self.without_unread
        )
    }

    pub fn is_enough(&self) -> bool {
        self.equal > 400 && self.without_unread > 20
    }
}

/// A catalog in which views are like tables, as they are to the views that read them.
struct AsTables<'a>(&'a DdlCatalog);

impl Catalog for AsTables<'_> {
    fn search_path(&self) -> &[String] {
        self.0.search_path()
    }

    fn relation(&self, schema: &str, name: &str) -> Option<&Relation> {
        self.0.relation(schema, name)
    }

    fn routines(&self, schema: &str, name: &str) -> &[Routine] {
        self.0.routines(schema, name)
    }

    fn is_known(&self, schema: &str) -> bool {
        self.0.is_known(schema)
    }
}

/// Compares a view with the columns that it depends on; returns how it differs.
pub fn differs(
    tree: &Tree,
    names: &Resolution,
    catalog: &DdlCatalog,
    depends: &BTreeSet<Column>,
    compared: &mut Compared,
) -> Option<String> {
    let found = lineage(tree, &AsTables(catalog));
    let result = found.results.last()?;
    let mut ours = BTreeSet::new();
    let columns = result.columns.iter().map(|column| found.sources(column));
    for source in columns.chain([found.influences(result)]).flatten() {
        match source.origin {
            LineageOrigin::Column(column) => {
                let schema = column.table.schema.as_deref().unwrap_or_default();
                let table = of_table(schema, &column.table.name);
                ours.insert((table, column.column.to_string()));
            }
            other => return Some(format!("{other:?}")),
        }
    }
    ours.retain(|(table, _)| !is_own(table));
    let unread = locations_of_unread(tree);
    let (mut read, mut whole) = (BTreeSet::new(), BTreeSet::new());
    for used in &names.columns {
        if let ColumnMeaning::Row(source) = &used.meaning {
            // The server does not record the columns of whole rows.
            whole.extend(table_of(names, *source));
        }
        if used.location.is_none_or(|at| !unread.contains(&at)) {
            read.extend(columns_of(names, used));
        }
    }
    let missing: Vec<_> = depends.intersection(&read).filter(|it| !ours.contains(*it)).collect();
    let more: Vec<_> =
        ours.iter().filter(|it| !depends.contains(*it) && !whole.contains(&it.0)).collect();
    if !missing.is_empty() || !more.is_empty() {
        return Some(format!("missing {missing:?}, too many {more:?}"));
    }
    if ours.is_superset(depends) {
        compared.equal += 1;
    } else {
        compared.without_unread += 1;
    }
    None
}

/// Returns the places of the columns in what queries within a query return.
fn locations_of_unread(tree: &Tree) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut stack: Vec<_> = tree.stmts().map(|stmt| (Node::from(stmt), true, false)).collect();
    while let Some((node, is_top, is_unread)) = stack.pop() {
        match node {
            Node::ColumnRef(column) if is_unread => {
                found.extend(usize::try_from(column.location()).ok());
            }
            Node::SelectStmt(select) => {
                let arms = select.larg().into_iter().chain(select.rarg()).map(Node::from);
                stack.extend(arms.map(|arm| (arm, is_top, is_unread)));
                let returned = select.target_list().iter().chain(select.values_lists());
                stack.extend(returned.map(|node| (node, false, is_unread || !is_top)));
                let lists = [
                    select.from_clause(),
                    select.group_clause(),
                    select.window_clause(),
                    select.distinct_clause(),
                    select.sort_clause(),
                ];
                let parts = [
                    select.where_clause(),
                    select.having_clause(),
                    select.limit_count(),
                    select.limit_offset(),
                    select.with_clause().map(Node::from),
                ];
                let all = lists.into_iter().flatten().chain(parts.into_iter().flatten());
                stack.extend(all.map(|node| (node, false, is_unread)));
            }
            Node::RawStmt(_) | Node::ViewStmt(_) | Node::CreateTableAsStmt(_) => {
                node.children(|child| stack.push((child, is_top, is_unread)));
            }
            _ => node.children(|child| stack.push((child, false, is_unread))),
        }
    }
    found
}

/// Returns the columns of tables that a name means, if their values come from these tables.
fn columns_of(names: &Resolution, used: &ColumnUse) -> Vec<Column> {
    let of = |column: &SourceColumn| {
        let source = &names.sources[column.source];
        let is_table = matches!(source.kind, SourceKind::Table(_) | SourceKind::RowOf(_));
        let origin = column.origin.as_ref().filter(|_| is_table)?;
        let schema = origin.table.schema.as_deref().unwrap_or_default();
        Some((of_table(schema, &origin.table.name), origin.column.to_string()))
    };
    match &used.meaning {
        ColumnMeaning::Column(column) => of(column).into_iter().collect(),
        ColumnMeaning::Both(columns) => columns.iter().filter_map(of).collect(),
        ColumnMeaning::All(parts) => {
            let columns = parts.iter().filter_map(|part| match part {
                StarPart::Column(column) => of(column),
                _ => None,
            });
            columns.collect()
        }
        _ => Vec::new(),
    }
}

fn table_of(names: &Resolution, source: usize) -> Option<String> {
    let table = names.sources[source].kind.table()?;
    Some(of_table(table.schema.as_deref().unwrap_or_default(), &table.name))
}

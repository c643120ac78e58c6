//! The types of the statements of a tree.

use pg_ast_names::{Catalog, DdlCatalog};

use super::VERSION;
use super::null_walk::{NullColumns, NullWalk};
use super::pg::view::Node;
use super::pg_names::AnyTree;
use super::pg_names::types_seam::{define_with_types, with_names};
use super::type_walk::{ParameterState, TypeWalk};
use super::typed_values::{Columns, TypedValue};
use crate::stmt_types::{ParameterType, SqlType, StmtTypes, TypedColumn, Types};
use crate::type_table::{TypeId, TypeTable};

/// Returns the types of the parameters and of the columns of each statement, as PostgreSQL finds them before it plans it.
///
/// A statement that the server refuses has no types; what is not known is `None`.
///
/// ```
/// use pg_ast_names::DdlCatalog;
/// use pg_ast_types::types;
///
/// let tree = pg_ast::view::parse("SELECT 1 + 2.5 AS sum, $1::date - 1")?;
/// let types = types(&tree, &DdlCatalog::new());
/// let columns = types.stmts[0].columns.as_ref().unwrap();
/// assert_eq!(columns[0].sql_type().as_deref(), Some("numeric"));
/// assert_eq!(columns[1].sql_type().as_deref(), Some("date"));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn types<'t>(tree: impl Into<AnyTree<'t>>, catalog: &dyn Catalog) -> Types {
    let Some(table) = TypeTable::new(VERSION, catalog) else { return Types::default() };
    with_names(tree.into(), catalog, |names, stmts| {
        let mut walk = TypeWalk::new(names, &table);
        let outputs = &names.found().outputs;
        let stmts = stmts.iter().enumerate().map(|(index, stmt)| {
            walk.parameters.clear();
            walk.has_mistake = false;
            let columns = stmt.stmt().and_then(|stmt| walk.statement(stmt));
            let names = outputs.get(index).and_then(Option::as_ref);
            let names =
                names.into_iter().flat_map(pg_ast_names::ColumnList::names).map(str::to_owned);
            let returning = stmt.stmt().filter(|_| columns.is_some());
            let nulls =
                returning.map(|stmt| NullWalk::new(walk.names, catalog, &walk.calls).query(stmt));
            let nulls = nulls.unwrap_or_default();
            walk.result(columns.as_deref(), names.collect(), &nulls)
        });
        Types { stmts: stmts.collect() }
    })
}

/// Returns the names of columns: `names` can lack those of rows that are values.
fn names_of(columns: &Columns, names: Vec<String>) -> Vec<Option<String>> {
    let count = columns.values.len();
    if names.len() == count || columns.rows.is_empty() {
        return names.into_iter().map(Some).collect();
    }
    let of_rows: usize = columns.rows.iter().map(|(_, row)| row.values.len()).sum();
    let mut all = Vec::with_capacity(count);
    let mut names = names.into_iter();
    let mut rows = columns.rows.iter().peekable();
    if names.len() + of_rows != count {
        return all;
    }
    while all.len() < count {
        match rows.next_if(|(start, _)| *start == all.len()) {
            Some((_, row)) => {
                let names = row.names.as_deref().unwrap_or_default();
                let name = |index: usize| names.get(index).map(ToString::to_string);
                all.extend((0..row.values.len()).map(name));
            }
            None => all.push(names.next()),
        }
    }
    all
}

/// Adds to a catalog what the statements define, as [`pg_ast_names::define`] does, with the types of all columns of views, and of
/// tables that are made of queries.
///
/// ```
/// use pg_ast_names::{Catalog as _, DdlCatalog};
/// use pg_ast_types::define;
///
/// let mut catalog = DdlCatalog::new();
/// define(&pg_ast::parse("CREATE VIEW numbers AS SELECT 1 + 2.5 AS sum")?, &mut catalog);
/// let sum = &catalog.relation("public", "numbers").unwrap().columns[0];
/// assert_eq!(sum.column_type.as_ref().unwrap().name.name, "numeric");
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub fn define<'t>(tree: impl Into<AnyTree<'t>>, catalog: &mut DdlCatalog) {
    define_with_types(tree.into(), catalog, &|names, stmt, catalog| {
        let Some(table) = TypeTable::new(VERSION, catalog) else { return Vec::new() };
        let mut walk = TypeWalk::new(names, &table);
        let query = match stmt {
            Node::ViewStmt(view) => view.query(),
            Node::CreateTableAsStmt(create) => create.query(),
            _ => Some(stmt),
        };
        let Some(query @ Node::SelectStmt(_)) = query else { return Vec::new() };
        let columns = walk.query(query);
        let known = columns.open_at.unwrap_or(columns.values.len());
        let types = columns.values.iter().take(known);
        types.map(|value| walk.value_type(value).map(|of| of.column_type())).collect()
    });
}

impl<'a> TypeWalk<'_, 'a> {
    /// Reads a statement, and returns the columns of its rows.
    fn statement(&mut self, stmt: Node<'a>) -> Option<std::rc::Rc<Columns>> {
        match stmt {
            Node::SelectStmt(_) => Some(self.query(stmt)),
            Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => {
                let columns = self.query(stmt);
                let is_empty = columns.values.is_empty() && columns.open_at.is_none();
                (!is_empty).then_some(columns)
            }
            _ => None,
        }
    }

    fn result(
        &self,
        columns: Option<&Columns>,
        names: Vec<String>,
        nulls: &NullColumns,
    ) -> StmtTypes {
        let mut names =
            columns.map_or_else(Vec::new, |columns| names_of(columns, names)).into_iter();
        let parameters = self.parameters.iter().map(|parameter| self.parameter_type(parameter));
        let columns = columns.filter(|columns| columns.open_at.is_none()).map(|columns| {
            let typed = columns.values.iter().enumerate().map(|(index, value)| TypedColumn {
                nullability: nulls.get(index),
                name: names.next().flatten(),
                value_type: self.value_type(value),
                origin: value.origin.clone(),
            });
            typed.collect()
        });
        StmtTypes { parameters: parameters.collect(), columns }
    }

    fn parameter_type(&self, parameter: &ParameterState) -> ParameterType {
        let id = parameter.id.filter(|_| !parameter.is_inconsistent && !self.has_mistake);
        ParameterType {
            value_type: self.value_type(&TypedValue::new(id)),
            column: parameter.column.clone(),
        }
    }

    fn value_type(&self, value: &TypedValue) -> Option<SqlType> {
        let id = value.id.filter(|id| *id != TypeId::UNKNOWN && !self.has_mistake)?;
        let name = self.table.name(id);
        Some(SqlType { name: name.name, is_array: name.is_array, modifier: value.modifier })
    }
}

//! Lists of columns: those of a table, of a query, of an item of a `FROM`.

use core::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::visible_names::Meant;
use crate::name_catalog::{Relation, RelationColumn};
use crate::resolution::{ColumnList, ColumnOrigin};

/// The columns of a value that is a row.
#[derive(Clone, Debug)]
pub(crate) enum RowType<'a> {
    Relation(&'a Relation),
    Columns(Rc<NamedColumns<'a>>),
}

#[derive(Clone, Debug)]
pub(crate) struct NamedColumn<'a> {
    pub(crate) name: Arc<str>,
    /// What its values consist of, if they are rows.
    pub(crate) row: Option<RowType<'a>>,
    /// The column that it stands for, in a join with an alias.
    pub(crate) meant: Option<Meant>,
    /// The column of a table or of a composite type that it is.
    pub(crate) origin: Option<ColumnOrigin>,
}

impl NamedColumn<'_> {
    pub(crate) fn new(name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), row: None, meant: None, origin: None }
    }
}

/// Columns in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedColumns<'a> {
    pub(crate) columns: Vec<NamedColumn<'a>>,
    /// Where there may be others.
    pub(crate) open_at: Option<usize>,
    /// The number of columns at the end that a star leaves out.
    pub(crate) not_in_star: usize,
    by_name: OnceCell<HashMap<Arc<str>, Place>>,
    list: OnceCell<ColumnList>,
}

/// The place of a name.
#[derive(Clone, Copy, Debug)]
struct Place {
    index: usize,
    is_ambiguous: bool,
}

impl<'a> NamedColumns<'a> {
    pub(crate) fn new(columns: Vec<NamedColumn<'a>>) -> Self {
        Self { columns, ..Self::default() }
    }

    /// Columns of which nothing is known.
    pub(crate) fn unknown() -> Self {
        Self { open_at: Some(0), ..Self::default() }
    }

    pub(crate) fn named<S: Into<Arc<str>>>(names: impl IntoIterator<Item = S>) -> Self {
        Self::new(names.into_iter().map(NamedColumn::new).collect())
    }

    /// Returns a copy whose columns can be changed.
    pub(crate) fn plain(&self) -> Self {
        let (columns, not_in_star) = (self.columns.clone(), self.not_in_star);
        Self { columns, open_at: self.open_at, not_in_star, ..Self::default() }
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.open_at.is_none()
    }

    pub(crate) fn push(&mut self, column: NamedColumn<'a>) {
        self.columns.push(column);
    }

    /// Notes that others may follow here.
    pub(crate) fn open_here(&mut self) {
        self.open_at.get_or_insert(self.columns.len());
    }

    /// Returns the place of a name, and whether several columns have it.
    pub(crate) fn find(&self, name: &str) -> Option<(usize, bool)> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name = HashMap::with_capacity(self.columns.len());
            for (index, column) in self.columns.iter().enumerate() {
                by_name
                    .entry(column.name.clone())
                    .and_modify(|place: &mut Place| place.is_ambiguous = true)
                    .or_insert(Place { index, is_ambiguous: false });
            }
            by_name
        });
        by_name.get(name).map(|place| (place.index, place.is_ambiguous))
    }

    /// Adds a column of which only the name is known, after the others; returns its place.
    pub(crate) fn show(&mut self, name: Arc<str>) -> usize {
        if let Some((index, _)) = self.find(&name) {
            return index;
        }
        let index = self.columns.len();
        self.open_here();
        self.list = OnceCell::new();
        if let Some(by_name) = self.by_name.get_mut() {
            by_name.insert(name.clone(), Place { index, is_ambiguous: false });
        }
        self.columns.push(NamedColumn::new(name));
        index
    }

    /// Returns the list that a user sees.
    pub(crate) fn list(&self) -> ColumnList {
        let list = self.list.get_or_init(|| ColumnList {
            names: self.columns.iter().map(|column| column.name.clone()).collect(),
            is_complete: self.is_complete(),
        });
        list.clone()
    }

    /// Renames the first columns. Returns false if there are fewer.
    pub(crate) fn renamed(&self, names: &[&str]) -> (Self, bool) {
        let mut columns = self.columns.clone();
        let mut open_at = self.open_at;
        let known = open_at.unwrap_or(columns.len());
        if names.len() > known && open_at.is_some() {
            // Which of the others have these names is not known.
            columns.truncate(known);
            columns.extend(names[known..].iter().map(|name| NamedColumn::new(*name)));
            open_at = Some(columns.len());
        }
        let fits = names.len() <= columns.len();
        for (column, name) in columns.iter_mut().zip(names) {
            column.name = Arc::from(*name);
        }
        (Self { columns, open_at, not_in_star: self.not_in_star, ..Self::default() }, fits)
    }
}

/// Returns the columns of a relation or of a function, of which `row` says what their types consist of.
pub(crate) fn of_relation<'a>(
    of: Option<&QualifiedName>,
    columns: &'a [RelationColumn],
    is_complete: bool,
    mut row: impl FnMut(&'a RelationColumn) -> Option<RowType<'a>>,
) -> NamedColumns<'a> {
    let table = of.map(|of| Arc::new(of.clone()));
    let named = columns.iter().map(|column| {
        let name: Arc<str> = Arc::from(&*column.name);
        let origin = table.clone().map(|table| ColumnOrigin { table, column: name.clone() });
        NamedColumn { name, row: row(column), meant: None, origin }
    });
    let mut columns = NamedColumns::new(named.collect());
    if !is_complete {
        columns.open_here();
    }
    columns
}

//! Which function a call means, and what it returns.

use std::rc::Rc;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::lookup::column_names::{RowType, of_relation};
use super::pg::view::{List, Node};
use super::resolver::NameResolver;
use crate::name_catalog::{Routine, RoutineResult};
use crate::name_mistakes::MistakeKind;
use crate::resolution::{FunctionMeaning, TableMeaning};

/// What a function returns.
#[derive(Clone, Debug)]
pub(crate) enum FunctionRow<'a> {
    /// Rows.
    Row(RowType<'a>),
    /// A value, whose column in a `FROM` has this name, or that of the function.
    Scalar(Option<Arc<str>>),
    Unknown,
}

impl<'a> FunctionRow<'a> {
    pub(crate) fn row(self) -> Option<RowType<'a>> {
        match self {
            Self::Row(row) => Some(row),
            _ => None,
        }
    }
}

impl<'a> NameResolver<'a> {
    /// Returns the functions of a name that take so many arguments, or what their absence means.
    pub(crate) fn routines(
        &self,
        name: &QualifiedName,
        arguments: Option<usize>,
    ) -> Result<&'a [Routine], FunctionMeaning> {
        let schemas = self.schemas(name.schema.as_deref());
        for schema in &schemas {
            let routines = self.catalog.routines(schema, &name.name);
            let takes = |routine: &Routine| arguments.is_none_or(|count| routine.takes(count));
            if routines.iter().any(takes) {
                return Ok(routines);
            }
        }
        // With one argument, it can be a cast, and types are not in the catalog.
        let may_be_cast = arguments == Some(1);
        let is_known = schemas.iter().all(|schema| self.catalog.is_known(schema)) && !may_be_cast;
        Err(if is_known { FunctionMeaning::Missing } else { FunctionMeaning::Unknown })
    }

    /// Returns what a function returns as a row, and its columns if they are named.
    pub(crate) fn result_of(&mut self, routines: &'a [Routine], count: usize) -> FunctionRow<'a> {
        let mut fitting = routines.iter().filter(|routine| routine.takes(count));
        let Some(first) = fitting.next() else { return FunctionRow::Unknown };
        // Which of several is meant depends on types.
        let is_scalar = |routine: &Routine| match &routine.result {
            RoutineResult::Type(name) => self.row_of_type(name).is_none() && self.is_scalar(name),
            _ => false,
        };
        for other in fitting {
            if other.result != first.result && !(is_scalar(other) && is_scalar(first)) {
                return FunctionRow::Unknown;
            }
        }
        match &first.result {
            RoutineResult::Columns(columns) => {
                let columns = of_relation(None, columns, true, |column| self.row_of_column(column));
                FunctionRow::Row(RowType::Columns(Rc::new(columns)))
            }
            RoutineResult::Type(name) => match self.row_of_type(name) {
                Some(row) => FunctionRow::Row(row),
                None if self.is_scalar(name) => FunctionRow::Scalar(None),
                None => FunctionRow::Unknown,
            },
            RoutineResult::Named(column) => match self.row_of_column(column) {
                Some(row) => FunctionRow::Row(row),
                None => FunctionRow::Scalar(Some(Arc::from(&*column.name))),
            },
            RoutineResult::Unknown => FunctionRow::Unknown,
        }
    }

    /// Returns whether a type certainly is no row: it is one of PostgreSQL's own, or no relation can be of that name.
    pub(crate) fn is_scalar(&self, name: &QualifiedName) -> bool {
        let is_own = name.schema.as_deref().is_none_or(|schema| schema == "pg_catalog");
        !(is_own && name.name == "record")
            && (name.schema.as_deref() == Some("pg_catalog")
                || self.relation(name).is_err_and(|absent| absent == TableMeaning::Missing))
    }

    /// Resolves the name of a function.
    pub(crate) fn function(
        &mut self,
        node: Node<'a>,
        location: i32,
        names: List<'a>,
        arguments: Option<usize>,
    ) -> Option<&'a [Routine]> {
        let name = names.qualified_name();
        let found = self.routines(&name, arguments);
        let meaning = match &found {
            Ok(routines) => {
                let first = routines.first().map_or_else(|| name.clone(), |it| it.name.clone());
                FunctionMeaning::Function(first)
            }
            Err(absent) => absent.clone(),
        };
        if meaning == FunctionMeaning::Missing && !self.is_lenient {
            let message = format!("function {} does not exist", name.plain());
            let part = names.len().saturating_sub(1);
            self.mistake(node, location, part, MistakeKind::MissingFunction, message, None);
        }
        self.add_function_use(node, location, name, meaning, arguments);
        found.ok()
    }
}

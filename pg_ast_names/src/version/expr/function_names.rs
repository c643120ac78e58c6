//! Which function a call means, and what it returns.

use std::rc::Rc;
use std::sync::Arc;

use pg_ast::QualifiedName;
use pg_ast_catalog::{BuiltinFunction, FunctionKind, is_serial};

use super::VERSION;
use super::lookup::column_names::{NamedColumn, NamedColumns, RowType};
use super::pg::view::{ColumnDef, List, Node, TypeName};
use super::resolver::NameResolver;
use crate::builtin_names::{
    BuiltinResult, builtin_function_names, builtin_result, builtin_type_names, is_any_element,
    is_builtin_column, is_builtin_schema, may_be_builtin_function, may_be_builtin_type,
};
use crate::catalog_routines::{Routine, RoutineParameter};
use crate::name_mistakes::MistakeKind;
use crate::resolution::{FunctionMeaning, TableMeaning};

/// Returns what a function of PostgreSQL's own returns.
pub(crate) fn own_result<'a>(own: &'static [BuiltinFunction], count: usize) -> FunctionRow<'a> {
    match builtin_result(VERSION, own, count) {
        BuiltinResult::Columns(names) => {
            let columns = NamedColumns::named(names);
            FunctionRow::Row(RowType::Columns(Rc::new(columns)))
        }
        BuiltinResult::Value(name) => FunctionRow::Scalar(name.map(Arc::from)),
        BuiltinResult::Unknown => FunctionRow::Unknown,
    }
}

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
    /// Returns the functions of a name that take so many arguments, if the catalog has some.
    pub(crate) fn routines(
        &self,
        name: &QualifiedName,
        arguments: Option<usize>,
    ) -> Option<&'a [Routine]> {
        let takes = |routine: &Routine| arguments.is_none_or(|count| routine.takes(count));
        let schemas = self.schemas(name.schema.as_deref()).into_iter();
        let mut of_schemas = schemas.map(|schema| self.catalog.routines(schema, &name.name));
        of_schemas.find(|routines| routines.iter().any(takes))
    }

    /// Returns whether a function that the catalog does not have is nowhere else either.
    fn is_missing(&mut self, name: &QualifiedName, arguments: Option<usize>) -> bool {
        let schemas = self.schemas(name.schema.as_deref());
        schemas.iter().all(|schema| self.catalog.is_known(schema))
            && !may_be_builtin_function(VERSION, name, arguments)
            // With one argument, it can be a cast, or a column of a row.
            && (arguments != Some(1) || !self.may_be_type(name) && !self.may_be_column(&name.name))
    }

    /// Returns whether there can be a type of a name.
    pub(crate) fn may_be_type(&self, name: &QualifiedName) -> bool {
        // Arrays have names of their own, and others can begin like these.
        let element = name.name.trim_start_matches('_');
        let may_have = |schema: &&str| {
            let has = |name: &str| {
                self.catalog.relation(schema, name).is_some()
                    // What the server has there is asked below.
                    || !is_builtin_schema(schema)
                        && self.catalog.has_type(schema, name).unwrap_or(true)
            };
            !self.catalog.is_known(schema)
                || has(element)
                || element.len() < name.name.len() && has(&name.name)
        };
        self.schemas(name.schema.as_deref()).iter().any(may_have)
            || may_be_builtin_type(VERSION, name.schema.as_deref(), &name.name)
    }

    /// Resolves the name of a type.
    pub(crate) fn type_use(&mut self, of: TypeName<'a>) {
        // `t.a%TYPE` names a column.
        if self.is_lenient || of.pct_type() || of.names().is_empty() {
            return;
        }
        let name = of.names().qualified_name();
        // A table that is being created is the source of its own conditions.
        if self.names.source(&name.name).is_some()
            || self.misses_schema(of.into(), of.location(), &name)
            || self.may_be_type(&name)
        {
            return;
        }
        // As `TypeNameToString` of PostgreSQL's `parse_type.c` prints it.
        let array = if of.array_bounds().is_empty() { "" } else { "[]" };
        let message = format!("type \"{}{array}\" does not exist", name.plain());
        let part = of.names().len() - 1;
        let suggestion = if self.may_suggest() {
            self.similar(&name.name, builtin_type_names(VERSION))
        } else {
            None
        };
        self.mistake(of.into(), of.location(), part, MistakeKind::MissingType, message, suggestion);
    }

    /// Resolves the type of a column of a table.
    pub(crate) fn column_type(&mut self, column: ColumnDef<'a>) {
        let Some(of) = column.type_name() else { return };
        if of.names().len() != 1 || !of.names().strs().any(is_serial) {
            self.type_use(of);
        }
    }

    /// Returns whether a row of a relation may have a column of a name.
    fn may_be_column(&mut self, name: &str) -> bool {
        let catalog = self.catalog;
        for schema in self.schemas(None) {
            for relation in catalog.relation_names(schema) {
                let Some(relation) = catalog.relation(schema, relation) else { continue };
                self.compared += relation.columns.len();
                if !relation.is_complete
                    || !self.may_suggest()
                    || relation.columns.iter().any(|column| column.name == name)
                {
                    return true;
                }
            }
        }
        // They have some thousand columns.
        self.compared += 4_000;
        !self.may_suggest() || is_builtin_column(VERSION, name)
    }

    /// Returns what a function returns as a row, and its columns if they are named.
    pub(crate) fn result_of(&mut self, routines: &'a [Routine], count: usize) -> FunctionRow<'a> {
        let mut fitting = routines.iter().filter(|routine| routine.takes(count));
        let Some(first) = fitting.next() else { return FunctionRow::Unknown };
        // Which of several is meant depends on types.
        let returns = |routine: &'a Routine| {
            (
                routine.outputs().map(|it| (&it.name, &it.column_type)).collect::<Vec<_>>(),
                &routine.result,
            )
        };
        let is_scalar = |routine: &'a Routine| {
            routine.outputs().next().is_none()
                && matches!(self.row_of_result(routine), FunctionRow::Scalar(_))
        };
        for other in fitting {
            if returns(other) != returns(first) && !(is_scalar(other) && is_scalar(first)) {
                return FunctionRow::Unknown;
            }
        }
        let outputs: Vec<_> = first.outputs().collect();
        let names = outputs.iter().enumerate().map(|(place, it)| match &it.name {
            Some(name) => Arc::from(&**name),
            None => Arc::from(format!("column{}", place + 1)),
        });
        let row = |of: &'a RoutineParameter| {
            let of = of.column_type.as_ref().filter(|of| !of.is_array)?;
            self.row_of_type(&of.name)
        };
        match &*outputs {
            [] => self.row_of_result(first),
            [only] if first.kind != Some(FunctionKind::Procedure) => match row(only) {
                Some(row) => FunctionRow::Row(row),
                None => FunctionRow::Scalar(only.name.as_deref().map(Arc::from)),
            },
            _ => {
                let columns = names
                    .zip(&outputs)
                    .map(|(name, of)| NamedColumn { row: row(of), ..NamedColumn::new(name) });
                FunctionRow::Row(RowType::Columns(Rc::new(NamedColumns::new(columns.collect()))))
            }
        }
    }

    /// Returns what a function without output parameters returns as a row.
    fn row_of_result(&self, routine: &'a Routine) -> FunctionRow<'a> {
        match &routine.result {
            None => FunctionRow::Unknown,
            Some(of) if of.is_array => FunctionRow::Scalar(None),
            Some(of) => match self.row_of_type(&of.name) {
                Some(row) => FunctionRow::Row(row),
                None if self.is_scalar(&of.name) && !is_any_element(&of.name) => {
                    FunctionRow::Scalar(None)
                }
                None => FunctionRow::Unknown,
            },
        }
    }

    /// Returns whether a type certainly is no row: it is one of PostgreSQL's own, or no relation can be of that name.
    pub(crate) fn is_scalar(&self, name: &QualifiedName) -> bool {
        let Some(name) = self.below_domains(name) else { return true };
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
            Some(routines) => {
                let first = routines.first().map_or_else(|| name.clone(), |it| it.name.clone());
                FunctionMeaning::Function(first)
            }
            None if self.is_missing(&name, arguments) => FunctionMeaning::Missing,
            None => FunctionMeaning::Unknown,
        };
        if meaning == FunctionMeaning::Missing && !self.is_lenient {
            let message = format!("function {} does not exist", name.plain());
            let part = names.len().saturating_sub(1);
            let suggestion = if self.may_suggest() {
                self.similar(&name.name, builtin_function_names(VERSION))
            } else {
                None
            };
            self.mistake(node, location, part, MistakeKind::MissingFunction, message, suggestion);
        }
        self.add_function_use(node, location, name, meaning, arguments);
        found
    }
}

//! The types of statements: the result.

use core::fmt::{self, Display, Formatter};

use pg_ast::QualifiedName;
use pg_ast_names::{ColumnOrigin, ColumnType};

use crate::nullability::Nullability;

/// The types of the statements of a tree: the result of [`types`](crate::types()).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Types {
    /// Those of each statement.
    pub stmts: Vec<StmtTypes>,
}

/// The types of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StmtTypes {
    /// Its parameters, `$1` first.
    pub parameters: Vec<ParameterType>,
    /// The columns that it returns; `None` if it returns no rows, or if nobody knows how many columns there are.
    pub columns: Option<Vec<TypedColumn>>,
}

/// A parameter of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ParameterType {
    /// Its type; `None` if it is not known.
    pub value_type: Option<SqlType>,
    /// The column that it is written to.
    pub column: Option<ColumnOrigin>,
}

impl ParameterType {
    /// Returns how SQL writes its type.
    #[must_use]
    pub fn sql_type(&self) -> Option<String> {
        self.value_type.as_ref().map(ToString::to_string)
    }
}

/// A column that a statement returns.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TypedColumn {
    /// Its name; `None` if it is not known.
    pub name: Option<String>,
    /// Its type; `None` if it is not known.
    pub value_type: Option<SqlType>,
    /// The column of a table that it is.
    pub origin: Option<ColumnOrigin>,
    /// Whether it can be NULL.
    pub nullability: Nullability,
}

impl TypedColumn {
    /// Returns how SQL writes its type.
    #[must_use]
    pub fn sql_type(&self) -> Option<String> {
        self.value_type.as_ref().map(ToString::to_string)
    }
}

/// A type of values. [`Display`] writes it as PostgreSQL's `format_type` does: `character varying(40)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SqlType {
    /// Its name as `pg_type` has it, with its schema; of an array, that of its elements.
    pub name: QualifiedName,
    /// Whether it is an array.
    pub is_array: bool,
    /// Its length or precision, as `atttypmod` has it; -1 without one.
    pub modifier: i32,
}

impl SqlType {
    /// Returns what a catalog has of a column of this type.
    pub(crate) fn column_type(&self) -> ColumnType {
        let mut of = ColumnType::new(self.name.clone());
        of.is_array = self.is_array;
        if self.name.schema.as_deref() == Some("pg_catalog") {
            of.modifiers = crate::rules::modifiers::written(&self.name.name, self.modifier);
        }
        of
    }
}

impl Display for SqlType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        crate::rules::modifiers::write_type(f, self)
    }
}

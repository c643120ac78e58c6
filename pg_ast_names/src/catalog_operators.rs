//! Operators and casts.

use pg_ast::QualifiedName;
use pg_ast_catalog::CastContext;

use crate::relation_parts::ColumnType;

/// An operator, or one of several of its name; a row of `pg_operator`, as [`pg_ast_catalog::BuiltinOperator`] is.
///
/// ```
/// use pg_ast_names::{Catalog as _, DdlCatalog, define};
///
/// let mut catalog = DdlCatalog::new();
/// let sql = "CREATE FUNCTION same(text, text) RETURNS bool LANGUAGE sql AS 'SELECT $1 = $2';
///     CREATE OPERATOR === (FUNCTION = same, LEFTARG = text, RIGHTARG = text)";
/// define(&pg_ast::parse(sql)?, &mut catalog);
/// let [same] = catalog.operators("public", "===") else { panic!("one operator") };
/// assert_eq!(same.result.as_ref().unwrap().name.name, "bool");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CatalogOperator {
    /// Its name, with the schema.
    pub name: QualifiedName,
    /// The type on its left; `None` for a prefix operator.
    pub left: Option<ColumnType>,
    /// The type on its right.
    pub right: ColumnType,
    /// The type of its result, that of its function; `None` if this is not known.
    pub result: Option<ColumnType>,
    /// The function behind it, with its schema if that is known.
    pub function: QualifiedName,
    /// The operator with the sides exchanged.
    pub commutator: Option<QualifiedName>,
    /// The operator that says the opposite.
    pub negator: Option<QualifiedName>,
}

impl CatalogOperator {
    /// Makes an operator of two sides, or of its right side alone.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    /// use pg_ast_names::{CatalogOperator, ColumnType};
    ///
    /// let of = || ColumnType::new(QualifiedName::new("pg_catalog", "int4"));
    /// let factorial = CatalogOperator::new("public", "!", None, of(), QualifiedName::new("public", "factorial"));
    /// assert!(factorial.left.is_none() && factorial.result.is_none());
    /// ```
    #[must_use]
    pub fn new(
        schema: &str,
        name: &str,
        left: Option<ColumnType>,
        right: ColumnType,
        function: QualifiedName,
    ) -> Self {
        let name = QualifiedName::new(schema, name);
        Self { name, left, right, result: None, function, commutator: None, negator: None }
    }

    /// Returns whether it is for these types.
    pub(crate) fn is_for(&self, left: Option<&ColumnType>, right: &ColumnType) -> bool {
        self.right.is_same_type(right)
            && match (&self.left, left) {
                (Some(own), Some(left)) => own.is_same_type(left),
                (own, left) => own.is_none() && left.is_none(),
            }
    }
}

/// A cast; a row of `pg_cast`, as [`pg_ast_catalog::BuiltinCast`] is.
///
/// ```
/// use pg_ast_names::{Catalog as _, ColumnType, DdlCatalog, define};
///
/// let mut catalog = DdlCatalog::new();
/// let sql = "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE CAST (varchar AS mood) WITH INOUT AS ASSIGNMENT";
/// define(&pg_ast::parse(sql)?, &mut catalog);
/// let of = |schema, name| ColumnType::new(pg_ast::QualifiedName::new(schema, name));
/// let cast = catalog.cast(&of("pg_catalog", "varchar"), &of("public", "mood")).unwrap();
/// assert!(!cast.is_binary && cast.function.is_none());
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CatalogCast {
    /// The type of what is cast.
    pub source: ColumnType,
    /// The type that it gets.
    pub target: ColumnType,
    /// Where it applies by itself.
    pub context: CastContext,
    /// Whether the value stays as it is: `WITHOUT FUNCTION`.
    pub is_binary: bool,
    /// The function that does it, with its schema if that is known; without one, the value stays, or goes through its text.
    pub function: Option<QualifiedName>,
}

impl CatalogCast {
    /// Makes a cast that goes through the text of the value.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    /// use pg_ast_catalog::CastContext;
    /// use pg_ast_names::{CatalogCast, ColumnType};
    ///
    /// let of = |name| ColumnType::new(QualifiedName::new("public", name));
    /// assert!(!CatalogCast::new(of("a"), of("b"), CastContext::Explicit).is_binary);
    /// ```
    #[must_use]
    pub const fn new(source: ColumnType, target: ColumnType, context: CastContext) -> Self {
        Self { source, target, context, is_binary: false, function: None }
    }
}

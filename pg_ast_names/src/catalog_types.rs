//! Types that are no relations: domains, enumerations, types of ranges, and types with functions of their own.

use pg_ast::QualifiedName;

use crate::relation_parts::ColumnType;

/// A type that is no relation; a row of `pg_type`. Its arrays are no types of their own here: [`ColumnType::is_array`].
///
/// ```
/// use pg_ast_names::{Catalog as _, CatalogTypeKind, DdlCatalog, define};
///
/// let mut catalog = DdlCatalog::new();
/// define(&pg_ast::parse("CREATE DOMAIN positive AS int NOT NULL CHECK (value > 0)")?, &mut catalog);
/// let CatalogTypeKind::Domain { base, is_not_null, .. } = &catalog.user_type("public", "positive").unwrap().kind else {
///     panic!("a domain");
/// };
/// assert_eq!((base.name.plain(), *is_not_null), ("pg_catalog.int4".to_owned(), true));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CatalogType {
    /// Its name, with the schema.
    pub name: QualifiedName,
    /// What it is, and what it is made of.
    pub kind: CatalogTypeKind,
}

impl CatalogType {
    /// Makes a type.
    ///
    /// ```
    /// use pg_ast_names::{CatalogType, CatalogTypeKind};
    ///
    /// assert_eq!(CatalogType::new("app", "mood", CatalogTypeKind::Unknown).name.plain(), "app.mood");
    /// ```
    #[must_use]
    pub fn new(schema: &str, name: &str, kind: CatalogTypeKind) -> Self {
        Self { name: QualifiedName::new(schema, name), kind }
    }
}

/// What a [`CatalogType`] is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum CatalogTypeKind {
    /// A domain.
    Domain {
        /// The type that it restricts, which can be a domain as well.
        base: ColumnType,
        /// Whether it says `NOT NULL`; the domain below it may do so if it does not.
        is_not_null: bool,
        /// The names of its `CHECK` constraints, without those of a domain below it; `None` if they are not known.
        checks: Option<Vec<String>>,
    },
    /// An enumeration.
    Enum {
        /// Its values, in their order; `None` if they are not known.
        labels: Option<Vec<String>>,
    },
    /// A type of ranges.
    Range {
        /// The type of the bounds.
        subtype: ColumnType,
        /// The type of several ranges.
        multirange: QualifiedName,
    },
    /// A type of several ranges.
    Multirange {
        /// The type of one of them.
        range: QualifiedName,
    },
    /// A type by itself, with functions that read and write its values.
    Base {
        /// The letter of its category: `typcategory` of `pg_type`, `U` if the statement has none.
        category: char,
        /// Whether it is preferred in its category.
        is_preferred: bool,
        /// The type of what a subscript returns, if it can have one.
        element: Option<ColumnType>,
        /// Whether its values have a collation.
        is_collatable: bool,
    },
    /// A name alone, for the functions of a type that will follow: nothing else can use it.
    Shell,
    /// A type of which nothing else is known.
    Unknown,
}

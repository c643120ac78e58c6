//! What a database has: tables with their columns, functions, types, operators.

use pg_ast::QualifiedName;

use crate::catalog_operators::{CatalogCast, CatalogOperator};
use crate::catalog_routines::Routine;
use crate::catalog_types::{CatalogType, CatalogTypeKind};
use crate::lineage::Lineage;
use crate::relation_parts::{
    ColumnDefault, ColumnType, ConstraintKind, ConstraintTiming, RelationConstraint, RelationIndex,
    RelationRule, RelationTrigger, Relationship,
};

/// What [`resolve`](crate::resolve()) is told about a database.
///
/// [`NoCatalog`] knows nothing; a [`DdlCatalog`](crate::DdlCatalog) knows what statements have defined. A program that has read the catalog of a
/// server implements this itself.
///
/// ```
/// use pg_ast_names::{Catalog, Relation, RelationKind, Routine, resolve};
///
/// struct OneTable(Vec<String>, Relation);
///
/// impl Catalog for OneTable {
///     fn search_path(&self) -> &[String] {
///         &self.0
///     }
///
///     fn relation(&self, schema: &str, name: &str) -> Option<&Relation> {
///         (schema == "public" && name == "t").then_some(&self.1)
///     }
///
///     fn routines(&self, _schema: &str, _name: &str) -> &[Routine] {
///         &[]
///     }
///
///     fn is_known(&self, schema: &str) -> bool {
///         schema == "public"
///     }
/// }
///
/// let table = Relation::new("public", "t", RelationKind::Table, ["a", "b"]);
/// let catalog = OneTable(vec!["public".to_owned()], table);
/// let names = resolve(&pg_ast::parse("SELECT * FROM t")?, &catalog);
/// assert!(names.outputs[0].as_ref().unwrap().names().eq(["a", "b"]));
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub trait Catalog {
    /// Returns the schemas in which names without a schema are looked up, in their order. `pg_temp` and `pg_catalog` come before
    /// them, unless they are listed.
    fn search_path(&self) -> &[String];

    /// Returns a table, a view, a composite type or another relation.
    fn relation(&self, schema: &str, name: &str) -> Option<&Relation>;

    /// Returns the functions of a name, which differ in their parameters.
    fn routines(&self, schema: &str, name: &str) -> &[Routine];

    /// Returns whether all that the schema has is known. If not, a name that is not there is no mistake.
    ///
    /// What each server has in `pg_catalog` and `information_schema` is known without the catalog: of these, it answers whether
    /// there is anything else that it does not have.
    fn is_known(&self, schema: &str) -> bool;

    /// Returns whether there is a schema of this name; `None` if the catalog does not tell. Then a name of a schema is no mistake.
    fn has_schema(&self, schema: &str) -> Option<bool> {
        let _ = schema;
        None
    }

    /// Returns a type that is no relation: a domain, an enumeration, a type of ranges.
    fn user_type(&self, schema: &str, name: &str) -> Option<&CatalogType> {
        let _ = (schema, name);
        None
    }

    /// Returns whether the schema has a type of this name that is no relation. `None` if the catalog does not tell; then a name of a
    /// type is no mistake.
    fn has_type(&self, schema: &str, name: &str) -> Option<bool> {
        self.user_type(schema, name).map(|_| true)
    }

    /// Returns whether a type of the schema is a domain; `None` if the catalog does not tell.
    fn is_domain(&self, schema: &str, name: &str) -> Option<bool> {
        match &self.user_type(schema, name)?.kind {
            CatalogTypeKind::Unknown => None,
            kind => Some(matches!(kind, CatalogTypeKind::Domain { .. })),
        }
    }

    /// Returns the operators of a name, which differ in their types.
    fn operators(&self, schema: &str, name: &str) -> &[CatalogOperator] {
        let _ = (schema, name);
        &[]
    }

    /// Returns the cast of one type to another, of any length or precision.
    fn cast(&self, source: &ColumnType, target: &ColumnType) -> Option<&CatalogCast> {
        let _ = (source, target);
        None
    }

    /// Returns whether the schema has an index of this name. `None` if the catalog does not tell; then no missing index, and no name
    /// in a string, is a mistake.
    fn has_index(&self, schema: &str, name: &str) -> Option<bool> {
        let _ = (schema, name);
        None
    }

    /// Returns where the columns of a view come from: the [`lineage`](crate::lineage()) of its `CREATE VIEW`, as its last result.
    /// Without it, the view is like a table.
    fn view_lineage(&self, schema: &str, name: &str) -> Option<&Lineage> {
        let _ = (schema, name);
        None
    }

    /// Returns the functions that the query of a view calls and that are not PostgreSQL's own, with the numbers of their arguments,
    /// where they have any; of a table, those that its defaults, generated columns, checks and indexes call. `None` if the catalog does not tell.
    fn view_calls(&self, schema: &str, name: &str) -> Option<&[(QualifiedName, Option<usize>)]> {
        let _ = (schema, name);
        None
    }

    /// Returns the relations that are related to a relation, or to a type, in a way; `None` if the catalog does not tell. It has no
    /// others than those that it knows: a table in a schema that is not [known](Self::is_known) may refer to it as well.
    fn related(&self, name: &QualifiedName, how: Relationship) -> Option<Vec<QualifiedName>> {
        let _ = (name, how);
        None
    }

    /// Returns the names of the types of a schema that are no relations, if the catalog tells them.
    fn type_names<'a>(&'a self, schema: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        let _ = schema;
        Box::new(core::iter::empty())
    }

    /// Returns the names of the relations of a schema, for suggestions and for what drops it.
    fn relation_names<'a>(&'a self, schema: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        let _ = schema;
        Box::new(core::iter::empty())
    }
}

/// A [`Catalog`] that knows nothing: names mean what the statement itself shows.
///
/// ```
/// use pg_ast_names::{NoCatalog, resolve};
///
/// let names = resolve(&pg_ast::parse("SELECT a FROM t; SELECT x.a FROM t")?, &NoCatalog);
/// assert_eq!(names.mistakes[0].to_string(), "missing FROM-clause entry for table \"x\"");
/// assert_eq!(names.mistakes.len(), 1);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCatalog;

impl Catalog for NoCatalog {
    fn search_path(&self) -> &[String] {
        &[]
    }

    fn relation(&self, _: &str, _: &str) -> Option<&Relation> {
        None
    }

    fn routines(&self, _: &str, _: &str) -> &[Routine] {
        &[]
    }

    fn is_known(&self, _: &str) -> bool {
        false
    }
}

/// What kind of relation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum RelationKind {
    /// A table, of any kind.
    Table,
    /// A view.
    View,
    /// A materialized view.
    MaterializedView,
    /// A sequence.
    Sequence,
    /// A composite type: no table, but a type of rows.
    CompositeType,
}

/// A table, a view, or another relation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct Relation {
    /// Its name, with the schema.
    pub name: QualifiedName,
    /// What it is.
    pub kind: RelationKind,
    /// Its columns, in their order.
    pub columns: Vec<RelationColumn>,
    /// Whether these are all columns.
    pub is_complete: bool,
    /// Whether its constraints, indexes, triggers and rules are all known. If not, there may be others.
    pub has_all_parts: bool,
    /// Its constraints. Those of a table that it inherits from are among them.
    pub constraints: Vec<RelationConstraint>,
    /// Its indexes, those of its constraints as well.
    pub indexes: Vec<RelationIndex>,
    /// Its triggers, without those of foreign keys.
    pub triggers: Vec<RelationTrigger>,
    /// Whether it is a foreign table, which has no indexes.
    pub is_foreign: bool,
    /// Its rules, without the query of a view.
    pub rules: Vec<RelationRule>,
    /// Whether it is a partition of another table.
    pub is_partition: bool,
    /// Whether it is the one that has the rows of no other partition.
    pub is_default_partition: bool,
}

impl Relation {
    /// Makes a relation with columns of unknown types.
    #[must_use]
    pub fn new<'a>(
        schema: &str,
        name: &str,
        kind: RelationKind,
        columns: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let columns = columns.into_iter();
        let columns = columns.map(|name| RelationColumn::new(name.to_owned(), None)).collect();
        Self {
            name: QualifiedName::new(schema, name),
            kind,
            columns,
            is_complete: true,
            has_all_parts: false,
            constraints: Vec::new(),
            indexes: Vec::new(),
            triggers: Vec::new(),
            is_foreign: false,
            rules: Vec::new(),
            is_partition: false,
            is_default_partition: false,
        }
    }

    /// Returns the columns of its primary key: none if it certainly has none that holds within a transaction. `None` if that is not
    /// known.
    ///
    /// ```
    /// use pg_ast_names::{Catalog as _, DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// define(&pg_ast::parse("CREATE TABLE t (a int, b int, PRIMARY KEY (b, a))")?, &mut catalog);
    /// let key = catalog.relation("public", "t").and_then(|table| table.primary_key());
    /// assert_eq!(key.unwrap(), ["b", "a"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn primary_key(&self) -> Option<&[String]> {
        let is_key = |it: &&RelationConstraint| it.kind == ConstraintKind::PrimaryKey;
        match self.constraints.iter().find(is_key) {
            Some(key) if key.timing == ConstraintTiming::Immediate => Some(&key.columns),
            None if !self.has_all_parts => None,
            _ => Some(&[]),
        }
    }

    /// Returns whether it is known that a column is never NULL, by a property of the column or by a valid constraint.
    ///
    /// ```
    /// use pg_ast_names::{Catalog as _, DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// let sql = "CREATE TABLE t (a int, b int); ALTER TABLE t ADD CONSTRAINT c CHECK (a IS NOT NULL) NOT VALID";
    /// define(&pg_ast::parse(sql)?, &mut catalog);
    /// assert!(!catalog.relation("public", "t").unwrap().is_never_null("a"));
    /// define(&pg_ast::parse("ALTER TABLE t VALIDATE CONSTRAINT c")?, &mut catalog);
    /// assert!(catalog.relation("public", "t").unwrap().is_never_null("a"));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn is_never_null(&self, column: &str) -> bool {
        let is_its = |it: &&RelationColumn| it.name == column;
        let says_so = |it: &RelationConstraint| {
            it.is_validated && it.not_null.iter().any(|name| name == column)
        };
        self.columns.iter().find(is_its).is_some_and(|it| it.is_not_null)
            || self.constraints.iter().any(says_so)
    }

    /// Returns whether its rows are stored, and so have system columns.
    pub(crate) fn has_system_columns(&self) -> bool {
        matches!(
            self.kind,
            RelationKind::Table | RelationKind::MaterializedView | RelationKind::Sequence
        )
    }
}

/// A column of a [`Relation`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RelationColumn {
    /// Its name.
    pub name: String,
    /// Its type, if it is known.
    pub column_type: Option<ColumnType>,
    /// Whether it is never NULL, by `NOT NULL` that is valid, a primary key, or as an identity.
    pub is_not_null: bool,
    /// Where its values come from that a statement does not give.
    pub default: ColumnDefault,
}

impl RelationColumn {
    /// Makes a column that may be NULL.
    #[must_use]
    pub fn new(name: String, column_type: Option<ColumnType>) -> Self {
        Self { name, column_type, is_not_null: false, default: ColumnDefault::Null }
    }

    /// Returns the name of its type, if that is known and no array: of a composite type, the column has fields.
    pub(crate) fn type_name(&self) -> Option<&QualifiedName> {
        self.column_type.as_ref().filter(|of| !of.is_array).map(|of| &of.name)
    }
}

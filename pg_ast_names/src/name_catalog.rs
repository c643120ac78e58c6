//! What a database has: tables with their columns, and functions.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use pg_ast::QualifiedName;

use crate::builtin_names::is_builtin_schema;
use crate::lineage::Lineage;

/// What [`resolve`](crate::resolve()) is told about a database.
///
/// [`NoCatalog`] knows nothing; a [`DdlCatalog`] knows what statements have defined. A program that has read the catalog of a
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

    /// Returns whether the schema has a type of this name that is no relation: a domain, an enumeration, a type of ranges. `None`
    /// if the catalog does not tell; then a name of a type is no mistake.
    fn has_type(&self, schema: &str, name: &str) -> Option<bool> {
        let _ = (schema, name);
        None
    }

    /// Returns where the columns of a view come from: the [`lineage`](crate::lineage()) of its `CREATE VIEW`, as its last result.
    /// Without it, the view is like a table.
    fn view_lineage(&self, schema: &str, name: &str) -> Option<&Lineage> {
        let _ = (schema, name);
        None
    }

    /// Returns the names of the relations of a schema, for suggestions.
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
pub struct Relation {
    /// Its name, with the schema.
    pub name: QualifiedName,
    /// What it is.
    pub kind: RelationKind,
    /// Its columns, in their order.
    pub columns: Vec<RelationColumn>,
    /// Whether these are all columns.
    pub is_complete: bool,
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
        Self { name: QualifiedName::new(schema, name), kind, columns, is_complete: true }
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
    /// Its type, if it is known and no array: needed only for composite types, whose fields can be named.
    pub type_name: Option<QualifiedName>,
}

impl RelationColumn {
    /// Makes a column.
    #[must_use]
    pub fn new(name: String, type_name: Option<QualifiedName>) -> Self {
        Self { name, type_name }
    }
}

/// A function or a procedure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Routine {
    /// Its name, with the schema.
    pub name: QualifiedName,
    /// The types of its input parameters, as they are written or resolved: they distinguish functions of one name.
    pub parameters: Vec<String>,
    /// The number of parameters that a call can leave out.
    pub defaults: usize,
    /// Whether the last parameter takes any number of arguments.
    pub is_variadic: bool,
    /// What it returns.
    pub result: RoutineResult,
}

impl Routine {
    /// Makes a function without parameters that can be left out.
    #[must_use]
    pub fn new(schema: &str, name: &str, parameters: Vec<String>, result: RoutineResult) -> Self {
        let name = QualifiedName::new(schema, name);
        Self { name, parameters, defaults: 0, is_variadic: false, result }
    }

    /// Returns whether a call with so many arguments can mean it.
    pub(crate) fn takes(&self, arguments: usize) -> bool {
        let count = self.parameters.len();
        let least = count.saturating_sub(self.defaults.max(usize::from(self.is_variadic)));
        arguments >= least && (arguments <= count || self.is_variadic)
    }
}

/// What a [`Routine`] returns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum RoutineResult {
    /// Rows with these columns: `RETURNS TABLE`, or several `OUT` parameters.
    Columns(Vec<RelationColumn>),
    /// A value of this type, or a set of them.
    Type(QualifiedName),
    /// A value whose name in a `FROM` is not that of the function: one `OUT` parameter.
    Named(RelationColumn),
    /// Rows whose columns the call defines, or something unknown.
    Unknown,
}

/// A [`Catalog`] of what statements define.
///
/// [`define`](crate::define()) adds what a tree defines, changes and drops: one call for a dump, or one for each migration in their order.
///
/// ```
/// use pg_ast_names::{DdlCatalog, define, resolve};
///
/// let mut catalog = DdlCatalog::new();
/// let sql = "CREATE TABLE t (a int, b int); CREATE VIEW v AS SELECT b, a AS c FROM t";
/// define(&pg_ast::parse(sql)?, &mut catalog);
/// define(&pg_ast::parse("ALTER TABLE t RENAME COLUMN a TO d")?, &mut catalog);
///
/// let names = resolve(&pg_ast::parse("SELECT * FROM t, v")?, &catalog);
/// assert!(names.outputs[0].as_ref().unwrap().names().eq(["d", "b", "b", "c"]));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// It begins with the schema `public`, which is empty. A schema that no statement has created is not known, so nothing that is
/// named in it is a mistake. `CREATE EXTENSION` adds what the extension brings; if nothing is known of it, the schema that it is
/// put in is no longer known.
#[derive(Clone, Debug)]
pub struct DdlCatalog {
    pub(crate) search_path: Vec<String>,
    pub(crate) schemas: HashMap<String, SchemaContents>,
    /// The tables that inherit from a table, or are partitions of it.
    pub(crate) heirs: Links,
    /// The columns that a table has by itself, although it inherits from others.
    pub(crate) own_columns: HashMap<QualifiedName, HashSet<String>>,
    /// The views of a relation.
    pub(crate) views: Links,
    /// The extensions, each with its schema.
    pub(crate) extensions: HashMap<String, String>,
    /// Where the columns of views come from: from those of the relations in their queries, which can be views as well.
    pub(crate) lineages: HashMap<QualifiedName, Arc<Lineage>>,
}

/// Which relations depend on a relation, in both directions, so that dropping one costs only its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    children: HashMap<QualifiedName, BTreeSet<QualifiedName>>,
    parents: HashMap<QualifiedName, BTreeSet<QualifiedName>>,
}

impl Links {
    pub(crate) fn add(&mut self, parent: QualifiedName, child: QualifiedName) {
        self.parents.entry(child.clone()).or_default().insert(parent.clone());
        self.children.entry(parent).or_default().insert(child);
    }

    pub(crate) fn children(&self, parent: &QualifiedName) -> impl Iterator<Item = &QualifiedName> {
        self.children.get(parent).into_iter().flatten()
    }

    pub(crate) fn parents(&self, child: &QualifiedName) -> impl Iterator<Item = &QualifiedName> {
        self.parents.get(child).into_iter().flatten()
    }

    pub(crate) fn remove(&mut self, parent: &QualifiedName, child: &QualifiedName) {
        if let Some(children) = self.children.get_mut(parent) {
            children.remove(child);
        }
        if let Some(parents) = self.parents.get_mut(child) {
            parents.remove(parent);
        }
    }

    /// Removes a relation; returns those that depend on it.
    pub(crate) fn take(&mut self, name: &QualifiedName) -> BTreeSet<QualifiedName> {
        for parent in self.parents.remove(name).unwrap_or_default() {
            if let Some(children) = self.children.get_mut(&parent) {
                children.remove(name);
            }
        }
        let children = self.children.remove(name).unwrap_or_default();
        for child in &children {
            if let Some(parents) = self.parents.get_mut(child) {
                parents.remove(name);
            }
        }
        children
    }

    pub(crate) fn rename(&mut self, old: &QualifiedName, new: &QualifiedName) {
        let parents = self.parents.get(old).cloned().unwrap_or_default();
        for child in self.take(old) {
            self.add(new.clone(), child);
        }
        for parent in parents {
            self.add(parent, new.clone());
        }
    }
}

/// What a schema has.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaContents {
    /// Whether something else may be in it, such as the objects of an extension.
    pub(crate) is_open: bool,
    pub(crate) relations: BTreeMap<String, Relation>,
    pub(crate) routines: HashMap<String, Vec<Routine>>,
    /// The names of types that are no relations.
    pub(crate) types: HashSet<String>,
}

impl Default for DdlCatalog {
    fn default() -> Self {
        let mut catalog = Self {
            search_path: vec!["public".to_owned()],
            schemas: HashMap::new(),
            heirs: Links::default(),
            own_columns: HashMap::new(),
            views: Links::default(),
            extensions: HashMap::new(),
            lineages: HashMap::new(),
        };
        catalog.schemas.entry("public".to_owned()).or_default();
        catalog.schemas.entry("pg_temp".to_owned()).or_default();
        catalog
    }
}

impl DdlCatalog {
    /// Makes a catalog with an empty schema `public`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the schemas in which names without a schema are looked up, as `SET search_path` does.
    pub fn set_search_path(&mut self, path: impl IntoIterator<Item = String>) {
        self.search_path = path.into_iter().collect();
    }

    /// Adds a relation, or replaces that of the same name.
    ///
    /// ```
    /// use pg_ast_names::{Catalog as _, DdlCatalog, Relation, RelationKind};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// catalog.add_relation(Relation::new("app", "users", RelationKind::Table, ["id"]));
    /// assert!(catalog.relation("app", "users").is_some());
    /// ```
    pub fn add_relation(&mut self, relation: Relation) {
        let schema = relation.name.schema.clone().unwrap_or_else(|| "public".to_owned());
        self.lineages.remove(&QualifiedName::new(&schema, &relation.name.name));
        let contents = self.schemas.entry(schema).or_default();
        contents.relations.insert(relation.name.name.clone(), relation);
    }

    /// Adds a function, or replaces that of the same name with the same parameters.
    pub fn add_routine(&mut self, routine: Routine) {
        let schema = routine.name.schema.clone().unwrap_or_else(|| "public".to_owned());
        let contents = self.schemas.entry(schema).or_default();
        let of_name = contents.routines.entry(routine.name.name.clone()).or_default();
        of_name.retain(|other| other.parameters != routine.parameters);
        of_name.push(routine);
    }

    /// Removes all that a schema has, as the end of a session does for `pg_temp`.
    pub fn clear_schema(&mut self, schema: &str) {
        if let Some(contents) = self.schemas.get_mut(schema) {
            *contents = SchemaContents::default();
        }
        self.lineages.retain(|name, _| name.schema.as_deref() != Some(schema));
    }

    /// Returns all relations, by schema and name.
    pub fn relations(&self) -> impl Iterator<Item = &Relation> {
        self.schemas.values().flat_map(|schema| schema.relations.values())
    }
}

impl Catalog for DdlCatalog {
    fn search_path(&self) -> &[String] {
        &self.search_path
    }

    fn relation(&self, schema: &str, name: &str) -> Option<&Relation> {
        self.schemas.get(schema)?.relations.get(name)
    }

    fn routines(&self, schema: &str, name: &str) -> &[Routine] {
        let routines = self.schemas.get(schema).and_then(|schema| schema.routines.get(name));
        routines.map_or(&[], Vec::as_slice)
    }

    fn view_lineage(&self, schema: &str, name: &str) -> Option<&Lineage> {
        self.lineages.get(&QualifiedName::new(schema, name)).map(|lineage| &**lineage)
    }

    fn is_known(&self, schema: &str) -> bool {
        match self.schemas.get(schema) {
            Some(contents) => !contents.is_open,
            // Nobody has created it here, so its objects come from elsewhere.
            None => is_builtin_schema(schema) || schema == "$user",
        }
    }

    fn has_type(&self, schema: &str, name: &str) -> Option<bool> {
        Some(self.schemas.get(schema).is_some_and(|schema| schema.types.contains(name)))
    }

    fn relation_names<'a>(&'a self, schema: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        let names = self.schemas.get(schema).into_iter().flat_map(|it| it.relations.keys());
        Box::new(names.map(String::as_str))
    }
}

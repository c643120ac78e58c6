//! The catalog that statements fill.

use std::collections::HashSet;
use std::sync::Arc;

use pg_ast::QualifiedName;

use crate::builtin_names::is_builtin_schema;
use crate::catalog_operators::{CatalogCast, CatalogOperator};
use crate::catalog_routines::Routine;
use crate::catalog_transactions::{AtCommit, OpenTransaction};
use crate::catalog_types::CatalogType;
use crate::lineage::Lineage;
use crate::name_catalog::{Catalog, Relation, RelationColumn};
use crate::persistent_map::PersistentMap;
use crate::relation_parts::{ColumnType, ConstraintKind, Relationship};
use crate::type_users::ObjectUsers;

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
/// It follows transactions: after `ROLLBACK`, it has what it had before `BEGIN`. A copy of it costs little, however much it has.
///
/// It begins with the schema `public`, which is empty. A schema that no statement has created is not known, so nothing that is
/// named in it is a mistake. `CREATE EXTENSION` adds what the extension brings; if nothing is known of it, the schema that it is
/// put in is no longer known.
#[derive(Clone, Debug)]
pub struct DdlCatalog {
    pub(crate) search_path: Arc<Vec<String>>,
    pub(crate) schemas: PersistentMap<String, SchemaContents>,
    /// The tables that inherit from a table, or are partitions of it.
    pub(crate) heirs: Links,
    /// The columns that a table has by itself, although it inherits from others.
    pub(crate) own_columns: PersistentMap<QualifiedName, HashSet<String>>,
    /// The views of a relation.
    pub(crate) views: Links,
    /// The functions that the queries of views, and the expressions of tables, call and that are not PostgreSQL's own, with the
    /// numbers of their arguments.
    pub(crate) view_calls: PersistentMap<QualifiedName, Vec<(QualifiedName, Option<usize>)>>,
    /// The tables whose foreign keys refer to a table.
    pub(crate) references: Links,
    /// The relations with columns of a type.
    pub(crate) users: Links,
    /// What else is made of a type: functions, operators, casts, other types.
    pub(crate) type_users: ObjectUsers,
    /// The operators and casts that call a function.
    pub(crate) function_users: ObjectUsers,
    /// The casts, by the names of the types that they are from.
    pub(crate) casts: PersistentMap<QualifiedName, Vec<CatalogCast>>,
    /// The tables whose triggers call a function.
    pub(crate) callers: Links,
    /// The indexes and sequences that belong to a table.
    pub(crate) owned: Links,
    /// The columns that own sequences, by the sequences.
    pub(crate) owner_columns: PersistentMap<QualifiedName, String>,
    /// The extensions, each with its schema.
    pub(crate) extensions: PersistentMap<String, String>,
    /// Where the columns of views come from: from those of the relations in their queries, which can be views as well.
    pub(crate) lineages: PersistentMap<QualifiedName, Arc<Lineage>>,
    /// What the end of the transaction changes.
    pub(crate) ends_at_commit: AtCommit,
    pub(crate) transaction: OpenTransaction,
    pub(crate) mark: usize,
    /// Whether there is no other schema.
    pub(crate) has_all_schemas: bool,
}

/// Which relations depend on a relation, in both directions, so that dropping one costs only its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    children: PersistentMap<QualifiedName, LinkedNames>,
    parents: PersistentMap<QualifiedName, LinkedNames>,
}

/// A set of names.
type LinkedNames = PersistentMap<QualifiedName, ()>;

/// Takes a name out of a set, and an empty set out of its map.
fn take_out(
    sets: &mut PersistentMap<QualifiedName, LinkedNames>,
    of: &QualifiedName,
    name: &QualifiedName,
) {
    if let Some(names) = sets.get_mut(of) {
        names.remove(name);
        if names.is_empty() {
            sets.remove(of);
        }
    }
}

impl Links {
    pub(crate) fn add(&mut self, parent: QualifiedName, child: QualifiedName) {
        self.parents.or_default(child.clone()).insert(parent.clone(), ());
        self.children.or_default(parent).insert(child, ());
    }

    pub(crate) fn children(&self, parent: &QualifiedName) -> impl Iterator<Item = &QualifiedName> {
        self.children.get(parent).into_iter().flat_map(LinkedNames::keys)
    }

    pub(crate) fn parents(&self, child: &QualifiedName) -> impl Iterator<Item = &QualifiedName> {
        self.parents.get(child).into_iter().flat_map(LinkedNames::keys)
    }

    pub(crate) fn remove(&mut self, parent: &QualifiedName, child: &QualifiedName) {
        take_out(&mut self.children, parent, child);
        take_out(&mut self.parents, child, parent);
    }

    /// Removes a relation; returns those that depend on it.
    pub(crate) fn take(&mut self, name: &QualifiedName) -> Vec<QualifiedName> {
        for parent in self.parents.remove(name).unwrap_or_default().keys() {
            take_out(&mut self.children, parent, name);
        }
        let children = self.children.remove(name).unwrap_or_default();
        for child in children.keys() {
            take_out(&mut self.parents, child, name);
        }
        children.keys().cloned().collect()
    }

    pub(crate) fn rename(&mut self, old: &QualifiedName, new: &QualifiedName) {
        let parents: Vec<_> = self.parents(old).cloned().collect();
        for child in self.take(old) {
            self.add(new.clone(), child);
        }
        for parent in parents {
            self.add(parent, new.clone());
        }
    }
}

/// Returns the name of an index with its schema, which is that of its table.
pub(crate) fn index_name(table: &QualifiedName, name: &str) -> QualifiedName {
    QualifiedName { schema: table.schema.clone(), name: name.to_owned() }
}

/// What a schema has.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaContents {
    /// Whether something else may be in it, such as the objects of an extension.
    pub(crate) is_open: bool,
    pub(crate) relations: PersistentMap<String, Relation>,
    pub(crate) routines: PersistentMap<String, Vec<Routine>>,
    /// The types that are no relations, by their names.
    pub(crate) types: PersistentMap<String, CatalogType>,
    pub(crate) operators: PersistentMap<String, Vec<CatalogOperator>>,
}

/// The schemas in which names are looked up that have none, unless a statement says otherwise.
pub(crate) fn default_path() -> Arc<Vec<String>> {
    Arc::new(vec!["public".to_owned()])
}

impl Default for DdlCatalog {
    fn default() -> Self {
        let mut catalog = Self {
            search_path: default_path(),
            schemas: PersistentMap::default(),
            heirs: Links::default(),
            own_columns: PersistentMap::default(),
            views: Links::default(),
            view_calls: PersistentMap::default(),
            references: Links::default(),
            users: Links::default(),
            type_users: ObjectUsers::default(),
            function_users: ObjectUsers::default(),
            casts: PersistentMap::default(),
            callers: Links::default(),
            owned: Links::default(),
            owner_columns: PersistentMap::default(),
            extensions: PersistentMap::default(),
            lineages: PersistentMap::default(),
            ends_at_commit: AtCommit::default(),
            transaction: OpenTransaction::default(),
            mark: 0,
            has_all_schemas: false,
        };
        catalog.schemas.or_default("public".to_owned());
        catalog.schemas.or_default("pg_temp".to_owned());
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
        self.search_path = Arc::new(path.into_iter().collect());
    }

    /// Says that the database has no other schemas than those that statements create, as after a dump of all of it: then a name of
    /// another one is a mistake. An extension of which nothing is known ends this, and so does a `DO` that creates something.
    ///
    /// ```
    /// use pg_ast_names::{DdlCatalog, define, resolve};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// define(&pg_ast::parse("CREATE SCHEMA app; CREATE TABLE app.t ()")?, &mut catalog);
    /// let tree = pg_ast::parse("SELECT FROM ap.t")?;
    /// assert!(resolve(&tree, &catalog).mistakes.is_empty());
    ///
    /// catalog.set_all_schemas();
    /// assert_eq!(resolve(&tree, &catalog).mistakes[0].to_string(), "relation \"ap.t\" does not exist");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn set_all_schemas(&mut self) {
        self.has_all_schemas = true;
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
        let name = QualifiedName::new(&schema, &relation.name.name);
        self.lineages.remove(&name);
        self.view_calls.remove(&name);
        self.link(&relation);
        let contents = self.schemas.or_default(schema);
        contents.relations.insert(relation.name.name.clone(), relation);
    }

    /// Notes what a relation refers to: tables, types, and its own indexes.
    pub(crate) fn link(&mut self, relation: &Relation) {
        for constraint in &relation.constraints {
            if let ConstraintKind::ForeignKey(key) = &constraint.kind {
                self.references.add(key.table.clone(), relation.name.clone());
            }
        }
        for column in &relation.columns {
            self.link_type(&relation.name, column);
        }
        for trigger in &relation.triggers {
            self.callers.add(trigger.function.clone(), relation.name.clone());
        }
        for index in &relation.indexes {
            self.owned.add(relation.name.clone(), index_name(&relation.name, &index.name));
        }
    }

    /// Notes that a relation has a column of a type that is not PostgreSQL's own.
    pub(crate) fn link_type(&mut self, relation: &QualifiedName, column: &RelationColumn) {
        if let Some(of) = &column.column_type
            && of.name.schema.as_deref().is_some_and(|schema| !is_builtin_schema(schema))
        {
            self.users.add(of.name.clone(), relation.clone());
        }
    }

    /// Removes all that a schema has, as the end of a session does for `pg_temp`.
    pub fn clear_schema(&mut self, schema: &str) {
        if let Some(contents) = self.schemas.get_mut(schema) {
            let contents = core::mem::take(contents);
            for name in contents.relations.values().map(|it| it.name.clone()) {
                self.unlink(&name);
                self.heirs.take(&name);
                self.views.take(&name);
                self.drop_type_users(&name);
            }
            for of in contents.types.values() {
                self.drop_type_users(&of.name);
            }
        }
        self.lineages.retain(|name, _| name.schema.as_deref() != Some(schema));
        self.view_calls.retain(|name, _| name.schema.as_deref() != Some(schema));
    }

    /// Forgets what refers to a relation, but its heirs and views; returns the indexes and sequences that it owned.
    pub(crate) fn unlink(&mut self, name: &QualifiedName) -> Vec<QualifiedName> {
        self.ends_at_commit.rename_table(name, None);
        self.references.take(name);
        self.users.take(name);
        self.callers.take(name);
        let owned = self.owned.take(name);
        for part in &owned {
            self.heirs.take(part);
            self.owner_columns.remove(part);
        }
        owned
    }

    /// Returns all types that are no relations, in no order.
    ///
    /// ```
    /// use pg_ast_names::{DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// define(&pg_ast::parse("CREATE TYPE span AS RANGE (subtype = int)")?, &mut catalog);
    /// let mut names: Vec<_> = catalog.types().map(|of| of.name.plain()).collect();
    /// names.sort();
    /// assert_eq!(names, ["public.span", "public.span_multirange"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn types(&self) -> impl Iterator<Item = &CatalogType> {
        self.schemas.values().flat_map(|schema| schema.types.values())
    }

    /// Returns all functions, in no order.
    ///
    /// ```
    /// use pg_ast_names::{DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// define(&pg_ast::parse("CREATE EXTENSION pgcrypto")?, &mut catalog);
    /// assert!(catalog.all_routines().any(|routine| routine.name.name == "crypt"));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn all_routines(&self) -> impl Iterator<Item = &Routine> {
        self.schemas.values().flat_map(|schema| schema.routines.values()).flatten()
    }

    /// Returns all operators, in no order.
    ///
    /// ```
    /// use pg_ast_names::{DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// define(&pg_ast::parse("CREATE EXTENSION pg_trgm")?, &mut catalog);
    /// assert!(catalog.all_operators().any(|operator| operator.name.name == "%"));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn all_operators(&self) -> impl Iterator<Item = &CatalogOperator> {
        self.schemas.values().flat_map(|schema| schema.operators.values()).flatten()
    }

    /// Returns all casts, in no order.
    ///
    /// ```
    /// use pg_ast_names::{DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// define(&pg_ast::parse("CREATE CAST (bigint AS text) WITH INOUT")?, &mut catalog);
    /// assert!(catalog.casts().map(|cast| cast.source.name.name.as_str()).eq(["int8"]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn casts(&self) -> impl Iterator<Item = &CatalogCast> {
        self.casts.values().flatten()
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
            None => {
                is_builtin_schema(schema)
                    || schema == "$user"
                    || self.has_schema(schema) == Some(false)
            }
        }
    }

    fn user_type(&self, schema: &str, name: &str) -> Option<&CatalogType> {
        self.schemas.get(schema)?.types.get(name)
    }

    fn has_schema(&self, schema: &str) -> Option<bool> {
        let is_own = is_builtin_schema(schema) || schema.starts_with("pg_") || schema == "$user";
        if is_own || self.schemas.contains_key(schema) {
            return Some(true);
        }
        self.has_all_schemas.then_some(false)
    }

    fn has_type(&self, schema: &str, name: &str) -> Option<bool> {
        Some(self.user_type(schema, name).is_some())
    }

    fn operators(&self, schema: &str, name: &str) -> &[CatalogOperator] {
        let operators = self.schemas.get(schema).and_then(|schema| schema.operators.get(name));
        operators.map_or(&[], Vec::as_slice)
    }

    fn cast(&self, source: &ColumnType, target: &ColumnType) -> Option<&CatalogCast> {
        let mut casts = self.casts.get(&source.name)?.iter();
        casts.find(|it| it.source.is_same_type(source) && it.target.is_same_type(target))
    }

    fn has_index(&self, schema: &str, name: &str) -> Option<bool> {
        let name = QualifiedName::new(schema, name);
        let mut tables = self.owned.parents(&name);
        let is_its = |table: &QualifiedName| {
            let relation = self.relation(schema, &table.name);
            relation.is_some_and(|it| it.indexes.iter().any(|index| index.name == name.name))
        };
        Some(tables.any(is_its))
    }

    fn related(&self, name: &QualifiedName, how: Relationship) -> Option<Vec<QualifiedName>> {
        let is_sequence = |name: &&QualifiedName| {
            let relation = self.relation(name.schema.as_deref().unwrap_or_default(), &name.name);
            relation.is_some_and(|it| it.kind == crate::RelationKind::Sequence)
        };
        Some(match how {
            Relationship::Children => self.heirs.children(name).cloned().collect(),
            Relationship::Parents => self.heirs.parents(name).cloned().collect(),
            Relationship::Referencing => self.references.children(name).cloned().collect(),
            Relationship::Views => self.views.children(name).cloned().collect(),
            Relationship::Read => self.views.parents(name).cloned().collect(),
            Relationship::TableOf => self.owned.parents(name).cloned().collect(),
            Relationship::OwnedSequences => {
                self.owned.children(name).filter(is_sequence).cloned().collect()
            }
            // Columns that have got another type are left out.
            Relationship::Users => {
                let has_it = |user: &&QualifiedName| {
                    let schema = user.schema.as_deref().unwrap_or_default();
                    self.relation(schema, &user.name).is_none_or(|it| {
                        let mut types = it.columns.iter().map(|it| it.column_type.as_ref());
                        types.any(|of| of.is_none_or(|of| of.name == *name))
                    })
                };
                self.users.children(name).filter(has_it).cloned().collect()
            }
            Relationship::Domains => self.domains_over(name).collect(),
        })
    }

    fn view_calls(&self, schema: &str, name: &str) -> Option<&[(QualifiedName, Option<usize>)]> {
        let calls = self.view_calls.get(&QualifiedName::new(schema, name));
        Some(calls.map_or(&[], Vec::as_slice))
    }

    fn type_names<'a>(&'a self, schema: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        let names = self.schemas.get(schema).into_iter().flat_map(|it| it.types.keys());
        Box::new(names.map(String::as_str))
    }

    fn relation_names<'a>(&'a self, schema: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        let names = self.schemas.get(schema).into_iter().flat_map(|it| it.relations.keys());
        Box::new(names.map(String::as_str))
    }
}

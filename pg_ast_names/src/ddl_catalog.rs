//! The catalog that statements fill.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use pg_ast::QualifiedName;
use pg_ast_catalog::TypeKind;

use crate::builtin_names::is_builtin_schema;
use crate::lineage::Lineage;
use crate::name_catalog::{Catalog, Relation, RelationColumn, Routine};
use crate::relation_parts::{ConstraintKind, Relationship};

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
    /// The functions that the queries of views call and that are not PostgreSQL's own, with the numbers of their arguments.
    pub(crate) view_calls: HashMap<QualifiedName, Vec<(QualifiedName, Option<usize>)>>,
    /// The tables whose foreign keys refer to a table.
    pub(crate) references: Links,
    /// The relations with columns of a type.
    pub(crate) users: Links,
    /// The tables whose triggers call a function.
    pub(crate) callers: Links,
    /// The indexes and sequences that belong to a table.
    pub(crate) owned: Links,
    /// The columns that own sequences, by the sequences.
    pub(crate) owner_columns: HashMap<QualifiedName, String>,
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

/// Returns the name of an index with its schema, which is that of its table.
pub(crate) fn index_name(table: &QualifiedName, name: &str) -> QualifiedName {
    QualifiedName { schema: table.schema.clone(), name: name.to_owned() }
}

/// What a schema has.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaContents {
    /// Whether something else may be in it, such as the objects of an extension.
    pub(crate) is_open: bool,
    pub(crate) relations: BTreeMap<String, Relation>,
    pub(crate) routines: HashMap<String, Vec<Routine>>,
    /// The types that are no relations, by their names.
    pub(crate) types: HashMap<String, TypeKind>,
}

impl Default for DdlCatalog {
    fn default() -> Self {
        let mut catalog = Self {
            search_path: vec!["public".to_owned()],
            schemas: HashMap::new(),
            heirs: Links::default(),
            own_columns: HashMap::new(),
            views: Links::default(),
            view_calls: HashMap::new(),
            references: Links::default(),
            users: Links::default(),
            callers: Links::default(),
            owned: Links::default(),
            owner_columns: HashMap::new(),
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
        let name = QualifiedName::new(&schema, &relation.name.name);
        self.lineages.remove(&name);
        self.view_calls.remove(&name);
        self.link(&relation);
        let contents = self.schemas.entry(schema).or_default();
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
            for name in core::mem::take(contents).relations.into_values().map(|it| it.name) {
                self.unlink(&name);
                self.heirs.take(&name);
                self.views.take(&name);
            }
        }
        self.lineages.retain(|name, _| name.schema.as_deref() != Some(schema));
        self.view_calls.retain(|name, _| name.schema.as_deref() != Some(schema));
    }

    /// Forgets what refers to a relation, but its heirs and views; returns the indexes and sequences that it owned.
    pub(crate) fn unlink(&mut self, name: &QualifiedName) -> BTreeSet<QualifiedName> {
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
        Some(self.schemas.get(schema).is_some_and(|schema| schema.types.contains_key(name)))
    }

    fn is_domain(&self, schema: &str, name: &str) -> Option<bool> {
        Some(self.schemas.get(schema)?.types.get(name)? == &TypeKind::Domain)
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
            Relationship::Users => self.users.children(name).cloned().collect(),
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

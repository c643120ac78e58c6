//! All documents: those that are edited, and those beside them.

pub(crate) mod asked;
pub(crate) mod context;
pub(crate) mod document;

use core::cell::RefCell;
use core::hash::{Hash as _, Hasher as _};
use std::collections::{BTreeMap, HashMap};
use std::hash::DefaultHasher;
use std::rc::Rc;

use pg_ast::{NameKind, Version};
use pg_ast_names::{
    Catalog, CatalogCast, CatalogOperator, CatalogType, ColumnType, DdlCatalog, Relation, Routine,
};

use crate::applied_sql::applied_sql;
use crate::names::Names;
use crate::stmt::defined::Defined;
use crate::workspace::context::DocumentContext;
use crate::workspace::document::Document;

/// How many documents have what is defined around them ready: more than somebody edits at a time.
const MOST_BASES: usize = 16;

/// Documents, and what they define.
///
/// Each has a path, which may also be a URI or another name. They define in the order of their paths; what none of them defines may be
/// in a database, so that it is no mistake, unless the [schema](Self::set_schema) is all there is.
pub struct Workspace {
    version: Version,
    /// By their paths.
    documents: BTreeMap<String, Document>,
    /// What the scripts of the schema define.
    schema: Rc<DdlCatalog>,
    /// Whether names that nothing defines are mistakes.
    is_strict: bool,
    /// How often they have been set.
    schemas: u64,
    bases: RefCell<HashMap<String, Rc<Base>>>,
}

/// What is defined outside of a document.
struct Base {
    /// Stands for all of it.
    key: u64,
    /// By the schema, and the documents before it.
    before: Rc<DdlCatalog>,
    /// By all other documents.
    others: Rc<DdlCatalog>,
}

/// A catalog of what is defined before a statement; what is not, may be defined elsewhere.
pub(crate) struct Visible<'a> {
    now: &'a DdlCatalog,
    others: &'a DdlCatalog,
    is_strict: bool,
}

impl Catalog for Visible<'_> {
    fn search_path(&self) -> &[String] {
        self.now.search_path()
    }

    fn relation(&self, schema: &str, name: &str) -> Option<&Relation> {
        self.now.relation(schema, name).or_else(|| self.others.relation(schema, name))
    }

    fn routines(&self, schema: &str, name: &str) -> &[Routine] {
        match self.now.routines(schema, name) {
            [] => self.others.routines(schema, name),
            routines => routines,
        }
    }

    fn is_known(&self, schema: &str) -> bool {
        self.is_strict && self.now.is_known(schema) && self.others.is_known(schema)
    }

    fn user_type(&self, schema: &str, name: &str) -> Option<&CatalogType> {
        self.now.user_type(schema, name).or_else(|| self.others.user_type(schema, name))
    }

    fn operators(&self, schema: &str, name: &str) -> &[CatalogOperator] {
        match self.now.operators(schema, name) {
            [] => self.others.operators(schema, name),
            operators => operators,
        }
    }

    fn cast(&self, source: &ColumnType, target: &ColumnType) -> Option<&CatalogCast> {
        self.now.cast(source, target).or_else(|| self.others.cast(source, target))
    }

    fn has_type(&self, schema: &str, name: &str) -> Option<bool> {
        let has_it = |catalog: &DdlCatalog| catalog.has_type(schema, name) == Some(true);
        Some(has_it(self.now) || has_it(self.others))
    }

    fn has_index(&self, schema: &str, name: &str) -> Option<bool> {
        let has_it = |catalog: &DdlCatalog| catalog.has_index(schema, name) == Some(true);
        Some(has_it(self.now) || has_it(self.others))
    }

    fn relation_names<'a>(&'a self, schema: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        Box::new(self.now.relation_names(schema).chain(self.others.relation_names(schema)))
    }
}

impl Visible<'_> {
    /// Returns all relations; one that is defined again elsewhere twice.
    pub(crate) fn relations(&self) -> impl Iterator<Item = &Relation> {
        self.now.relations().chain(self.others.relations())
    }
}

impl Workspace {
    /// Makes an empty workspace. The grammar of the version decides what can be typed.
    #[must_use]
    pub fn new(version: Version) -> Self {
        Self {
            version,
            documents: BTreeMap::new(),
            schema: Rc::default(),
            is_strict: false,
            schemas: 0,
            bases: RefCell::default(),
        }
    }

    /// Makes an empty workspace with the same schema.
    pub(crate) fn with_schema_of(other: &Self) -> Self {
        let schema = other.schema.clone();
        Self { schema, is_strict: other.is_strict, ..Self::new(other.version) }
    }

    /// Returns the version of PostgreSQL.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// Sets what the database has, by scripts that define it. If that is all, names that neither they nor the documents define are
    /// mistakes.
    pub fn set_schema(&mut self, scripts: impl IntoIterator<Item = String>, is_all: bool) {
        let mut catalog = DdlCatalog::new();
        for text in scripts {
            Document::closed(applied_sql(&text).to_owned()).define(&mut catalog);
            catalog.end_script();
        }
        self.is_strict = is_all;
        self.schema = Rc::new(catalog);
        self.schemas += 1;
        self.bases.borrow_mut().clear();
    }

    /// Adds a document that will be edited, or replaces it.
    pub fn open(&mut self, path: &str, text: String) {
        self.documents.insert(path.to_owned(), Document::open(text));
    }

    /// Adds a document that is not edited, or replaces one: its names count, and less of it is kept. Until it is
    /// [edited](Document::edit), its [words](DocumentContext::words) and [folds](DocumentContext::folds) have nothing of what is between
    /// its statements.
    pub fn add(&mut self, path: &str, text: String) {
        self.documents.insert(path.to_owned(), Document::closed(text));
    }

    /// Removes a document.
    pub fn remove(&mut self, path: &str) {
        self.documents.remove(path);
        self.bases.borrow_mut().remove(path);
    }

    /// Returns a document.
    #[must_use]
    pub fn document(&self, path: &str) -> Option<&Document> {
        self.documents.get(path)
    }

    /// Returns a document, to edit it.
    pub fn document_mut(&mut self, path: &str) -> Option<&mut Document> {
        self.documents.get_mut(path)
    }

    /// Returns a document with what is known beside it, which answers what an editor asks.
    #[must_use]
    pub fn context<'a>(&'a self, path: &'a str) -> Option<DocumentContext<'a>> {
        let document = self.documents.get(path)?;
        Some(DocumentContext { workspace: self, path, document })
    }

    /// Returns all documents with their paths, in the order in which they define.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (&str, &Document)> {
        self.documents.iter().map(|(path, document)| (path.as_str(), document))
    }

    /// Returns what all documents define.
    pub(crate) fn defined(&self) -> impl Iterator<Item = &Defined> {
        let stmts = self.documents.values().flat_map(Document::stmts);
        stmts.flat_map(|placed| placed.stmt.defined())
    }

    /// Returns the types of the columns of a table, as they are written.
    pub(crate) fn types_of(&self, schema: Option<&str>, table: &str) -> HashMap<&str, &str> {
        let of_table = |defined: &&Defined| {
            defined.kind == NameKind::Column
                && defined.table.as_deref() == Some(table)
                && (schema.is_none()
                    || defined.schema.is_none()
                    || defined.schema.as_deref() == schema)
        };
        let columns = self.defined().filter(of_table);
        columns.map(|column| (column.name.as_str(), column.detail.as_str())).collect()
    }

    fn base(&self, path: &str) -> Rc<Base> {
        let mut hasher = DefaultHasher::new();
        self.schemas.hash(&mut hasher);
        for (other, document) in &self.documents {
            if other != path {
                (other, document.definitions()).hash(&mut hasher);
            }
        }
        let key = hasher.finish();
        let mut bases = self.bases.borrow_mut();
        if let Some(base) = bases.get(path).filter(|base| base.key == key) {
            return base.clone();
        }
        let mut catalog = DdlCatalog::clone(&self.schema);
        let mut before = None;
        for (other, document) in &self.documents {
            if before.is_none() && other.as_str() >= path {
                before = Some(Rc::new(catalog.clone()));
            }
            if other != path {
                document.define(&mut catalog);
            }
        }
        let others = Rc::new(catalog);
        let before = before.unwrap_or_else(|| others.clone());
        let base = Rc::new(Base { key, before, others });
        if bases.len() >= MOST_BASES {
            bases.clear();
        }
        bases.insert(path.to_owned(), base.clone());
        base
    }

    /// Returns the names of a statement of a document.
    pub(crate) fn names(&self, path: &str, document: &Document, index: usize) -> Rc<Names> {
        let base = self.base(path);
        let with = |now: &DdlCatalog, call: &mut dyn FnMut(&dyn Catalog)| {
            call(&Visible { now, others: &base.others, is_strict: self.is_strict });
        };
        document.names(index, (base.key, &base.before), &with)
    }

    /// Returns the names of all statements of a document.
    pub(crate) fn all_names(&self, path: &str, document: &Document) -> Vec<Rc<Names>> {
        let base = self.base(path);
        let with = |now: &DdlCatalog, call: &mut dyn FnMut(&dyn Catalog)| {
            call(&Visible { now, others: &base.others, is_strict: self.is_strict });
        };
        document.all_names((base.key, &base.before), &with)
    }

    /// Returns a catalog of all that is defined.
    pub(crate) fn catalog(&self) -> DdlCatalog {
        let mut catalog = DdlCatalog::clone(&self.schema);
        self.documents.values().for_each(|document| document.define(&mut catalog));
        catalog
    }

    /// Calls a function with the catalog before a statement.
    pub(crate) fn with_catalog<T>(
        &self,
        path: &str,
        document: &Document,
        index: usize,
        call: impl FnOnce(&Visible<'_>) -> T,
    ) -> T {
        let base = self.base(path);
        let now = document.catalog_before(index, (base.key, &base.before));
        call(&Visible { now: &now, others: &base.others, is_strict: self.is_strict })
    }
}

#[cfg(test)]
mod tests {
    use super::{Version, Workspace};

    #[test]
    fn another_schema_is_another_answer() {
        let mut workspace = Workspace::new(Version::newest());
        workspace.open("a", "SELECT 1 FROM t".to_owned());
        let wrong = |workspace: &Workspace| {
            workspace.context("a").expect("a document").wrong_names(&(0..15)).len()
        };
        assert_eq!(wrong(&workspace), 0);
        workspace.set_schema([], true);
        assert_eq!(wrong(&workspace), 1);
        workspace.set_schema(["CREATE TABLE t ()".to_owned()], true);
        assert_eq!(wrong(&workspace), 0);
    }

    #[test]
    fn places_that_are_none() {
        let mut workspace = Workspace::new(Version::newest());
        for text in ["", "SELECT 1", "SELECT ä", "DO $$a="] {
            workspace.open("a", text.to_owned());
            let context = workspace.context("a").expect("a document");
            for offset in (0..=text.len() + 2).chain([usize::MAX]) {
                let range = context.complete(offset).range;
                assert!(text.get(range.clone()).is_some(), "{text}: {offset}: {range:?}");
            }
        }
    }
}

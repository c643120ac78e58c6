//! All documents: those that are open, and the files of the workspace.

use core::cell::RefCell;
use core::hash::{Hash as _, Hasher as _};
use std::collections::{BTreeMap, HashMap};
use std::hash::DefaultHasher;
use std::path::PathBuf;
use std::rc::Rc;

use pg_ast::NameKind;
use pg_ast_names::{Catalog, DdlCatalog, Relation, Routine};

use crate::defined::Defined;
use crate::document::Document;
use crate::files;
use crate::names::Names;

/// The documents by their URIs, and what they define.
#[derive(Default)]
pub(crate) struct Workspace {
    documents: BTreeMap<String, Document>,
    /// What the scripts of the settings define.
    schema: Rc<DdlCatalog>,
    /// Whether names that nothing defines are mistakes.
    is_strict: bool,
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
    /// Reads the scripts that define the database.
    pub(crate) fn read_schema(&mut self, paths: &[PathBuf]) -> Vec<String> {
        let mut catalog = DdlCatalog::new();
        let mut errors = Vec::new();
        for path in paths {
            match std::fs::read_to_string(path) {
                Ok(text) => Document::closed(text).define(&mut catalog),
                Err(error) => errors.push(format!("cannot read {}: {error}", path.display())),
            }
        }
        self.is_strict = errors.is_empty() && !paths.is_empty();
        self.schema = Rc::new(catalog);
        self.bases.borrow_mut().clear();
        errors
    }

    /// Makes an empty workspace with the same schema.
    pub(crate) fn with_schema_of(other: &Self) -> Self {
        Self { schema: other.schema.clone(), is_strict: other.is_strict, ..Self::default() }
    }

    pub(crate) fn add(&mut self, uri: &str, document: Document) {
        self.documents.insert(uri.to_owned(), document);
    }

    /// Reads the files of a folder.
    pub(crate) fn read_folder(&mut self, folder: &std::path::Path) {
        for (uri, text) in files::scripts(folder) {
            self.documents.entry(uri).or_insert_with(|| Document::closed(text));
        }
    }

    /// Reads a file again that has changed, unless it is open.
    pub(crate) fn read_file(&mut self, uri: &str) {
        if self.documents.get(uri).is_some_and(|document| document.script().is_some()) {
            return;
        }
        match files::read(uri) {
            Some(text) => drop(self.documents.insert(uri.to_owned(), Document::closed(text))),
            None => drop(self.documents.remove(uri)),
        }
    }

    pub(crate) fn open(&mut self, uri: &str, text: String) {
        self.documents.insert(uri.to_owned(), Document::open(text));
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.documents.remove(uri);
        self.bases.borrow_mut().remove(uri);
        self.read_file(uri);
    }

    pub(crate) fn document(&self, uri: &str) -> Option<&Document> {
        self.documents.get(uri)
    }

    pub(crate) fn document_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.documents.get_mut(uri)
    }

    /// Returns all documents with their URIs, in the order in which they define.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (&str, &Document)> {
        self.documents.iter().map(|(uri, document)| (uri.as_str(), document))
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

    fn base(&self, uri: &str) -> Rc<Base> {
        let mut hasher = DefaultHasher::new();
        for (other, document) in &self.documents {
            if other != uri {
                (other, document.definitions()).hash(&mut hasher);
            }
        }
        let key = hasher.finish();
        let mut bases = self.bases.borrow_mut();
        if let Some(base) = bases.get(uri).filter(|base| base.key == key) {
            return base.clone();
        }
        let mut catalog = DdlCatalog::clone(&self.schema);
        let mut before = None;
        for (other, document) in &self.documents {
            if before.is_none() && other.as_str() >= uri {
                before = Some(Rc::new(catalog.clone()));
            }
            if other != uri {
                document.define(&mut catalog);
            }
        }
        let others = Rc::new(catalog);
        let before = before.unwrap_or_else(|| others.clone());
        let base = Rc::new(Base { key, before, others });
        bases.insert(uri.to_owned(), base.clone());
        base
    }

    /// Returns the names of a statement of a document.
    pub(crate) fn names(&self, uri: &str, document: &Document, index: usize) -> Rc<Names> {
        let base = self.base(uri);
        let with = |now: &DdlCatalog, call: &mut dyn FnMut(&dyn Catalog)| {
            call(&Visible { now, others: &base.others, is_strict: self.is_strict });
        };
        document.names(index, (base.key, &base.before), &with)
    }

    /// Returns the names of all statements of a document.
    pub(crate) fn all_names(&self, uri: &str, document: &Document) -> Vec<Rc<Names>> {
        let base = self.base(uri);
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
        uri: &str,
        document: &Document,
        index: usize,
        call: impl FnOnce(&Visible<'_>) -> T,
    ) -> T {
        let base = self.base(uri);
        let now = document.catalog_before(index, (base.key, &base.before));
        call(&Visible { now: &now, others: &base.others, is_strict: self.is_strict })
    }
}

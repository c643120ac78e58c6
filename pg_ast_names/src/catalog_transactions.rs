//! Transactions of the statements that fill a catalog.

use core::mem;
use std::sync::Arc;

use pg_ast::QualifiedName;

use crate::ddl_catalog::{DdlCatalog, default_path};
use crate::persistent_map::PersistentMap;

/// The transaction that has begun.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenTransaction {
    /// The places to which it can go back, by their numbers: first that of `BEGIN`, then those of savepoints. Without the first, none
    /// has begun.
    places: PersistentMap<usize, SavedState>,
    /// How many there are.
    count: usize,
    /// The last place of each savepoint's name.
    last: PersistentMap<String, usize>,
    /// Whether a statement has failed, so that those up to the end do nothing.
    has_failed: bool,
}

/// A place in a transaction.
#[derive(Clone, Debug)]
struct SavedState {
    /// Empty for that of `BEGIN`: no savepoint is named so.
    savepoint: String,
    /// The place before it of the same name.
    previous: Option<usize>,
    /// What there was, without a transaction.
    before: DdlCatalog,
}

impl OpenTransaction {
    fn push(&mut self, savepoint: &str, before: DdlCatalog) {
        let savepoint = savepoint.to_owned();
        let previous = self.last.insert(savepoint.clone(), self.count);
        self.places.insert(self.count, SavedState { savepoint, previous, before });
        self.count += 1;
    }

    fn truncate(&mut self, count: usize) {
        while self.count > count {
            self.count -= 1;
            let Some(place) = self.places.remove(&self.count) else { continue };
            match place.previous {
                Some(previous) => self.last.insert(place.savepoint, previous),
                None => self.last.remove(&place.savepoint),
            };
        }
    }
}

/// What ends with the transaction that commits.
#[derive(Clone, Debug, Default)]
pub(crate) struct AtCommit {
    /// The schemas of the session, which those of `SET LOCAL` have replaced.
    session_path: Option<Arc<Vec<String>>>,
    /// Temporary tables with `ON COMMIT DROP`.
    tables: PersistentMap<QualifiedName, ()>,
}

impl AtCommit {
    /// Notes that a table is gone, or has another name.
    pub(crate) fn rename_table(&mut self, old: &QualifiedName, new: Option<&QualifiedName>) {
        if self.tables.remove(old).is_some()
            && let Some(new) = new
        {
            self.tables.insert(new.clone(), ());
        }
    }
}

impl DdlCatalog {
    /// Returns whether a transaction has begun.
    ///
    /// ```
    /// use pg_ast_names::{DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// define(&pg_ast::parse("BEGIN; SAVEPOINT a")?, &mut catalog);
    /// assert!(catalog.is_in_transaction());
    /// define(&pg_ast::parse("COMMIT")?, &mut catalog);
    /// assert!(!catalog.is_in_transaction());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn is_in_transaction(&self) -> bool {
        self.transaction.count > 0
    }

    /// Ends a script. A transaction that it leaves open counts as committed, since nobody knows what comes behind: the next script
    /// cannot take it back. An empty search path is the script's own: that of what comes behind is `public`.
    ///
    /// ```
    /// use pg_ast_names::{Catalog as _, DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// define(&pg_ast::parse("BEGIN; CREATE TABLE t (a int)")?, &mut catalog);
    /// catalog.end_script();
    /// define(&pg_ast::parse("ROLLBACK")?, &mut catalog);
    /// assert!(catalog.relation("public", "t").is_some());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn end_script(&mut self) {
        self.transaction = OpenTransaction::default();
        self.end_local_path();
        // `pg_dump` empties it, so that all names in the dump are full.
        if self.search_path.is_empty() {
            self.search_path = default_path();
        }
    }

    /// Returns the number that [`set_mark`](Self::set_mark) has set, and that transactions have not taken back; 0 at first.
    #[must_use]
    pub fn mark(&self) -> usize {
        self.mark
    }

    /// Sets a number that goes back as all else does: what a program keeps beside the catalog, such as a list of statements, can
    /// follow transactions by it. It stays as it is in a transaction that has failed.
    ///
    /// ```
    /// use pg_ast_names::{DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// let mut kept = Vec::new();
    /// for sql in ["BEGIN", "SELECT 1", "SAVEPOINT a", "SELECT 2", "ROLLBACK TO a", "COMMIT"] {
    ///     define(&pg_ast::parse(sql)?, &mut catalog);
    ///     if sql.starts_with("SELECT") {
    ///         kept.push(sql);
    ///         catalog.set_mark(kept.len());
    ///     }
    ///     kept.truncate(catalog.mark());
    /// }
    /// assert_eq!(kept, ["SELECT 1"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn set_mark(&mut self, mark: usize) {
        if !self.has_failed() {
            self.mark = mark;
        }
    }

    /// Returns whether statements do nothing, since one before them in the transaction has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.transaction.has_failed
    }

    /// Returns the current state without the transaction.
    fn state(&mut self) -> Self {
        let transaction = mem::take(&mut self.transaction);
        let state = self.clone();
        self.transaction = transaction;
        state
    }

    pub(crate) fn begin(&mut self) {
        // In a transaction, the server warns.
        if !self.is_in_transaction() {
            self.push_place("");
        }
    }

    fn push_place(&mut self, savepoint: &str) {
        let before = self.state();
        self.transaction.push(savepoint, before);
    }

    /// Ends the transaction, by `COMMIT` or `ROLLBACK`; returns the temporary tables that go with it.
    pub(crate) fn end(&mut self, commits: bool, chain: bool) -> Vec<QualifiedName> {
        let transaction = mem::take(&mut self.transaction);
        let commits = commits && !transaction.has_failed;
        let was_in = transaction.count > 0;
        if let Some(first) = transaction.places.get(&0).filter(|_| !commits) {
            *self = first.before.clone();
        }
        self.end_local_path();
        let tables = mem::take(&mut self.ends_at_commit.tables);
        if chain && was_in {
            self.begin();
        }
        tables.keys().cloned().collect()
    }

    pub(crate) fn savepoint(&mut self, name: &str) {
        // Outside of a transaction, the server refuses it.
        if self.is_in_transaction() && !self.has_failed() {
            self.push_place(name);
        }
    }

    /// Lets a statement fail: in a transaction, those up to its end do nothing.
    pub(crate) fn fail(&mut self) {
        self.transaction.has_failed = self.is_in_transaction();
    }

    /// Forgets a savepoint, and those after it.
    pub(crate) fn release(&mut self, name: &str) {
        if self.has_failed() {
            return;
        }
        if let Some(at) = self.find_savepoint(name) {
            self.transaction.truncate(at);
        }
    }

    pub(crate) fn roll_back_to(&mut self, name: &str) {
        if let Some(at) = self.find_savepoint(name) {
            let mut transaction = mem::take(&mut self.transaction);
            transaction.truncate(at + 1);
            transaction.has_failed = false;
            if let Some(place) = transaction.places.get(&at) {
                *self = place.before.clone();
            }
            self.transaction = transaction;
        }
    }

    /// Returns the place of a savepoint. Without one, the statement fails.
    fn find_savepoint(&mut self, name: &str) -> Option<usize> {
        let at = self.transaction.last.get(name).copied();
        if at.is_none() {
            self.fail();
        }
        at
    }

    /// Replaces the schemas in which names are looked up, up to the end of the transaction or of the session.
    pub(crate) fn set_path(&mut self, path: Vec<String>, is_local: bool) {
        let before = mem::replace(&mut self.search_path, Arc::new(path));
        let session_path = &mut self.ends_at_commit.session_path;
        if is_local {
            session_path.get_or_insert(before);
        } else {
            *session_path = None;
        }
    }

    /// Notes that a new table ends with the transaction. Without one that is known, it may stay.
    pub(crate) fn drop_at_commit(&mut self, table: QualifiedName) {
        if self.is_in_transaction() {
            self.ends_at_commit.tables.insert(table, ());
        }
    }

    fn end_local_path(&mut self) {
        if let Some(path) = self.ends_at_commit.session_path.take() {
            self.search_path = path;
        }
    }
}

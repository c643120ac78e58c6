//! A document: its text, and its statements.

use core::cell::RefCell;
use core::hash::Hasher as _;
use core::ops::Range;
use std::collections::HashMap;
use std::hash::DefaultHasher;
use std::rc::Rc;

use pg_ast::scopes::{Catalog, DdlCatalog};
use pg_ast::syntax::{Script, SyntaxKind};

use crate::lines::Lines;
use crate::names::Names;
use crate::stmt::Stmt;

/// A document of the editor, or a file of its workspace.
///
/// What is computed of a statement is kept as long as its text stays the same, and what its names mean also as long as the
/// definitions before it do. So a document has the same state after edits as a new one with its text.
pub(crate) struct Document {
    lines: Lines,
    /// The concrete tree; `None` for a file that is not open, or a text that is too long.
    script: Option<Script>,
    stmts: Vec<Placed>,
    /// The catalog before one statement, of which somebody has asked last, and what stands for it.
    last_catalog: RefCell<Option<(u64, Rc<DdlCatalog>)>>,
    /// Stands for all of its definitions.
    definitions: u64,
}

/// Calls a function with a catalog of what is defined before a place.
pub(crate) type WithCatalog<'a> = &'a dyn Fn(&DdlCatalog, &mut dyn FnMut(&dyn Catalog));

/// A statement in a document.
pub(crate) struct Placed {
    /// Without its semicolon.
    pub(crate) range: Range<usize>,
    pub(crate) stmt: Rc<Stmt>,
    /// Stands for the definitions before it in the document.
    before: u64,
    /// Its names, and what stands for the catalog that they were found by.
    names: RefCell<Option<(u64, Rc<Names>)>>,
}

/// Statements of an older text.
#[derive(Default)]
struct Known {
    /// By their text, and the definitions before them.
    placed: HashMap<(u64, u64), Vec<Placed>>,
    stmts: HashMap<u64, Rc<Stmt>>,
}

fn hash(value: impl core::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Document {
    /// Reads a document that the editor has opened.
    pub(crate) fn open(text: String) -> Self {
        let script = Script::parse(&text).ok();
        Self::of(text, script, &mut Known::default())
    }

    /// Reads a file.
    pub(crate) fn closed(text: String) -> Self {
        let mut document = Self::open(text);
        document.script = None;
        document
    }

    /// Replaces a range of the text.
    pub(crate) fn edit(&mut self, range: Range<usize>, new: &str) {
        let text = self.text();
        if text.get(range.clone()).is_none() {
            return;
        }
        let text = [&text[..range.start], new, &text[range.end..]].concat();
        let mut script = self.script.take();
        if script.as_mut().is_none_or(|script| script.edit(range, new).is_err()) {
            script = Script::parse(&text).ok();
        }
        let mut known = Known::default();
        for placed in core::mem::take(&mut self.stmts) {
            let sql = hash(placed.stmt.sql());
            known.stmts.entry(sql).or_insert_with(|| placed.stmt.clone());
            known.placed.entry((sql, placed.before)).or_default().push(placed);
        }
        let last_catalog = self.last_catalog.take();
        *self = Self::of(text, script, &mut known);
        self.last_catalog = RefCell::new(last_catalog);
    }

    fn of(text: String, script: Option<Script>, known: &mut Known) -> Self {
        let mut before = 0;
        let ranges = script.as_ref().map(stmt_ranges).unwrap_or_default();
        let place = |range: Range<usize>| {
            let sql = &text[range.clone()];
            let key = hash(sql);
            let old = known.placed.get_mut(&(key, before)).and_then(Vec::pop);
            let (stmt, names) = match old.filter(|old| old.stmt.sql() == sql) {
                Some(old) => (old.stmt, old.names),
                None => {
                    let same = known.stmts.get(&key).filter(|stmt| stmt.sql() == sql).cloned();
                    let stmt = same.unwrap_or_else(|| Rc::new(Stmt::new(sql.to_owned())));
                    (stmt, RefCell::default())
                }
            };
            let placed = Placed { range, stmt, before, names };
            if placed.stmt.is_definition() {
                before = hash((before, placed.stmt.head()));
            }
            placed
        };
        let stmts = ranges.into_iter().map(place).collect();
        let definitions = before;
        let (lines, last_catalog) = (Lines::new(text), RefCell::default());
        Self { lines, script, stmts, last_catalog, definitions }
    }

    pub(crate) fn text(&self) -> &str {
        self.lines.text()
    }

    /// Returns a number that stands for what the document defines.
    pub(crate) fn definitions(&self) -> u64 {
        self.definitions
    }

    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    pub(crate) fn script(&self) -> Option<&Script> {
        self.script.as_ref()
    }

    pub(crate) fn stmts(&self) -> &[Placed] {
        &self.stmts
    }

    /// Returns the index of the statement that holds a place, or ends there.
    pub(crate) fn stmt_at(&self, offset: usize) -> Option<usize> {
        let next = self.stmts.partition_point(|placed| placed.range.start <= offset);
        let index = next.checked_sub(1)?;
        (offset <= self.stmts[index].range.end).then_some(index)
    }

    /// Adds what the statements define to a catalog.
    pub(crate) fn define(&self, catalog: &mut DdlCatalog) {
        self.define_before(self.stmts.len(), catalog);
    }

    fn define_before(&self, end: usize, catalog: &mut DdlCatalog) {
        for placed in &self.stmts[..end] {
            placed.define(catalog);
        }
    }

    /// Returns the catalog before a statement, from the one before the document, which a number stands for.
    pub(crate) fn catalog_before(
        &self,
        index: usize,
        base: (u64, &Rc<DdlCatalog>),
    ) -> Rc<DdlCatalog> {
        let before = self.stmts.get(index).map_or(self.definitions, |placed| placed.before);
        let key = hash((base.0, before));
        if before == 0 {
            return base.1.clone();
        }
        let mut last = self.last_catalog.borrow_mut();
        if let Some((of, catalog)) = &*last
            && *of == key
        {
            return catalog.clone();
        }
        let mut catalog = DdlCatalog::clone(base.1);
        self.define_before(index, &mut catalog);
        let catalog = Rc::new(catalog);
        *last = Some((key, catalog.clone()));
        catalog
    }

    /// Returns the names of a statement. `wrap` makes a catalog of what is defined before it.
    pub(crate) fn names(
        &self,
        index: usize,
        base: (u64, &Rc<DdlCatalog>),
        wrap: WithCatalog<'_>,
    ) -> Rc<Names> {
        match self.stmts[index].known_names(base.0) {
            Some(names) => names,
            // Each of them alone would need a catalog of its own.
            None => self.all_names(base, wrap).swap_remove(index),
        }
    }

    /// Returns the names of all statements.
    pub(crate) fn all_names(
        &self,
        base: (u64, &Rc<DdlCatalog>),
        wrap: WithCatalog<'_>,
    ) -> Vec<Rc<Names>> {
        let missing = self.stmts.iter().position(|placed| placed.known_names(base.0).is_none());
        let mut all = Vec::with_capacity(self.stmts.len());
        // A catalog that follows the statements, as soon as one needs it.
        let mut catalog: Option<DdlCatalog> = None;
        for (index, placed) in self.stmts.iter().enumerate() {
            if missing == Some(index) {
                catalog = Some(DdlCatalog::clone(&self.catalog_before(index, base)));
            }
            let names = match (&catalog, placed.known_names(base.0)) {
                (Some(catalog), None) => placed.find_names(base.0, catalog, wrap),
                (_, names) => names.unwrap_or_default(),
            };
            all.push(names);
            if let Some(catalog) = &mut catalog {
                placed.define(catalog);
            }
        }
        all
    }
}

impl Placed {
    fn define(&self, catalog: &mut DdlCatalog) {
        if self.stmt.is_definition()
            && let Some(tree) = self.stmt.readable()
        {
            tree.define(catalog);
        }
    }

    fn known_names(&self, base: u64) -> Option<Rc<Names>> {
        let names = self.names.borrow();
        names.as_ref().filter(|(of, _)| *of == base).map(|(_, names)| names.clone())
    }

    fn find_names(&self, base: u64, catalog: &DdlCatalog, wrap: WithCatalog<'_>) -> Rc<Names> {
        let mut found = Names::default();
        wrap(catalog, &mut |catalog| found = Names::of(&self.stmt, catalog));
        let names = Rc::new(found);
        *self.names.borrow_mut() = Some((base, names.clone()));
        names
    }
}

/// Returns the ranges of the statements, without their semicolons.
fn stmt_ranges(script: &Script) -> Vec<Range<usize>> {
    let text = script.text();
    let root = script.root();
    let stmts = root.children().filter(|node| node.kind() == SyntaxKind::SCRIPT_STMT);
    let range = |node: pg_ast::syntax::SyntaxNode| {
        let range = node.text_range();
        let start = usize::from(range.start());
        let sql = text.get(start..usize::from(range.end())).unwrap_or_default();
        let sql = sql.strip_suffix(';').unwrap_or(sql).trim_end();
        start..start + sql.len()
    };
    stmts.map(range).filter(|range| !range.is_empty()).collect()
}

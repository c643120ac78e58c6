//! A document: its text, and its statements.

use core::cell::RefCell;
use core::hash::Hasher as _;
use core::ops::Range;
use std::collections::HashMap;
use std::hash::DefaultHasher;
use std::rc::Rc;

use pg_ast::LineIndex;
use pg_ast_names::{Catalog, DdlCatalog};
use pg_ast_syntax::{Script, SyntaxKind};

use crate::names::Names;
use crate::stmt::StmtFacts;
use crate::workspace::asked::{Answers, Asked};

/// A text, and what is known of it.
///
/// What is computed of a statement is kept as long as its text stays the same, and what its names mean also as long as the
/// catalog before it tells the same about them. So a document has the same state after edits as a new one with its text.
pub struct Document {
    lines: LineIndex<'static>,
    /// The concrete tree; `None` for one that is not edited, or a text that is too long.
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
    pub(crate) stmt: Rc<StmtFacts>,
    /// Stands for the definitions before it in the document.
    before: u64,
    names: RefCell<Option<KeptNames>>,
}

/// The names of a statement, and what they depend on.
#[derive(Clone)]
struct KeptNames {
    /// Stands for the catalog that they were found by.
    catalog: u64,
    /// What that was asked.
    answers: Rc<Answers>,
    names: Rc<Names>,
}

/// Statements of an older text, by hashes of their text: one for each text.
#[derive(Default)]
struct KeptStmts {
    stmts: HashMap<u64, (Rc<StmtFacts>, Option<KeptNames>)>,
    /// Names by the text, and by the definitions before it.
    names: HashMap<(u64, u64), KeptNames>,
}

impl KeptStmts {
    fn add(&mut self, placed: Placed) {
        let (sql, names) = (hash(placed.stmt.sql()), placed.names.into_inner());
        self.names.extend(names.clone().map(|names| ((sql, placed.before), names)));
        self.stmts.insert(sql, (placed.stmt, names));
    }

    /// Returns a statement, with names that it had somewhere; those for the definitions before it, if it had these.
    fn find(&self, sql: &str, before: u64) -> Option<(Rc<StmtFacts>, Option<KeptNames>)> {
        let key = hash(sql);
        let (stmt, names) = self.stmts.get(&key).filter(|(stmt, _)| stmt.sql() == sql)?;
        Some((stmt.clone(), self.names.get(&(key, before)).or(names.as_ref()).cloned()))
    }
}

pub(crate) fn hash(value: impl core::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Document {
    /// Reads a document that will be edited.
    pub(crate) fn open(text: String) -> Self {
        let script = Script::parse(&text).ok();
        Self::of(text, script, &KeptStmts::default())
    }

    /// Reads a document that is not edited.
    pub(crate) fn closed(text: String) -> Self {
        let mut document = Self::open(text);
        document.script = None;
        document
    }

    /// Replaces a range of the text; one that is not in it does nothing.
    pub fn edit(&mut self, range: Range<usize>, new: &str) {
        let text = self.text();
        if text.get(range.clone()).is_none() {
            return;
        }
        let text = [&text[..range.start], new, &text[range.end..]].concat();
        let mut script = self.script.take();
        if script.as_mut().is_none_or(|script| script.edit(range, new).is_err()) {
            script = Script::parse(&text).ok();
        }
        let mut known = KeptStmts::default();
        for placed in core::mem::take(&mut self.stmts) {
            known.add(placed);
        }
        let last_catalog = self.last_catalog.take();
        *self = Self::of(text, script, &known);
        self.last_catalog = RefCell::new(last_catalog);
    }

    fn of(text: String, script: Option<Script>, known: &KeptStmts) -> Self {
        let mut before = 0;
        let ranges = script.as_ref().map(stmt_ranges).unwrap_or_default();
        let place = |range: Range<usize>| {
            let sql = &text[range.clone()];
            let new = || (Rc::new(StmtFacts::new(sql.to_owned())), None);
            let (stmt, names) = known.find(sql, before).unwrap_or_else(new);
            let names = RefCell::new(names);
            let placed = Placed { range, stmt, before, names };
            if placed.stmt.is_definition() {
                before = hash((before, placed.stmt.head()));
            }
            placed
        };
        let stmts = ranges.into_iter().map(place).collect();
        let definitions = before;
        let (lines, last_catalog) = (LineIndex::new(text), RefCell::default());
        Self { lines, script, stmts, last_catalog, definitions }
    }

    /// Returns its text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.lines.text()
    }

    /// Returns a number that stands for what the document defines.
    pub(crate) fn definitions(&self) -> u64 {
        self.definitions
    }

    /// Returns its text with an index of the lines.
    #[must_use]
    pub fn lines(&self) -> &LineIndex<'static> {
        &self.lines
    }

    pub(crate) fn script(&self) -> Option<&Script> {
        self.script.as_ref()
    }

    pub(crate) fn stmts(&self) -> &[Placed] {
        &self.stmts
    }

    /// Returns the range of the last statement that begins at a place or before it, without its semicolon.
    #[must_use]
    pub fn stmt_before(&self, offset: usize) -> Option<Range<usize>> {
        let next = self.stmts.partition_point(|placed| placed.range.start <= offset);
        Some(self.stmts[next.checked_sub(1)?].range.clone())
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
        catalog.end_script();
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
        let is_missing = |placed: &Placed| placed.known_names(base.0).is_none();
        // A catalog follows the statements from the first one that needs it to the last one.
        let first = self.stmts.iter().position(is_missing);
        let last = self.stmts.iter().rposition(is_missing);
        let mut catalog = first.map(|first| DdlCatalog::clone(&self.catalog_before(first, base)));
        let mut all = Vec::with_capacity(self.stmts.len());
        for (index, placed) in self.stmts.iter().enumerate() {
            let names = match (&catalog, placed.known_names(base.0)) {
                (Some(catalog), None) => placed.find_names(base.0, catalog, wrap),
                (_, names) => names.unwrap_or_default(),
            };
            all.push(names);
            let is_between = first.is_some_and(|first| first <= index) && Some(index) < last;
            if let Some(catalog) = catalog.as_mut().filter(|_| is_between) {
                placed.define(catalog);
            }
        }
        all
    }
}

impl Placed {
    /// Returns where a range of the statement is in the document.
    pub(crate) fn in_document(&self, range: &Range<usize>) -> Range<usize> {
        self.range.start + range.start..self.range.start + range.end
    }

    /// Returns whether a range of the document touches it.
    pub(crate) fn touches(&self, wanted: &Range<usize>) -> bool {
        self.range.start <= wanted.end && wanted.start <= self.range.end
    }

    fn define(&self, catalog: &mut DdlCatalog) {
        if self.stmt.is_definition()
            && let Some(tree) = self.stmt.readable()
        {
            pg_ast_names::define(tree, catalog);
        }
    }

    /// Returns a number that stands for the catalog before it, from that for the one before the document.
    fn catalog_key(&self, base: u64) -> u64 {
        hash((base, self.before))
    }

    fn known_names(&self, base: u64) -> Option<Rc<Names>> {
        let found = self.names.borrow();
        let found = found.as_ref().filter(|found| found.catalog == self.catalog_key(base));
        found.map(|found| found.names.clone())
    }

    /// Finds its names, unless the catalog tells the same about them as the last one.
    fn find_names(&self, base: u64, catalog: &DdlCatalog, wrap: WithCatalog<'_>) -> Rc<Names> {
        let old = self.names.take();
        let mut found = None;
        wrap(catalog, &mut |catalog| {
            let same = old.as_ref().filter(|old| old.answers.are_those_of(catalog));
            let (answers, names) = match same {
                Some(old) => (old.answers.clone(), old.names.clone()),
                None => {
                    let asked = Asked::new(catalog);
                    let names = Names::of(&self.stmt, &asked);
                    (Rc::new(asked.into_answers()), Rc::new(names))
                }
            };
            found = Some(KeptNames { catalog: self.catalog_key(base), answers, names });
        });
        let names = found.as_ref().map(|found| found.names.clone()).unwrap_or_default();
        *self.names.borrow_mut() = found;
        names
    }
}

/// Returns the ranges of the statements, without their semicolons.
fn stmt_ranges(script: &Script) -> Vec<Range<usize>> {
    let text = script.text();
    let root = script.root();
    let stmts = root.children().filter(|node| node.kind() == SyntaxKind::SCRIPT_STMT);
    let range = |node: pg_ast_syntax::SyntaxNode| {
        let range = node.text_range();
        let start = usize::from(range.start());
        let sql = text.get(start..usize::from(range.end())).unwrap_or_default();
        let sql = sql.strip_suffix(';').unwrap_or(sql).trim_end();
        start..start + sql.len()
    };
    stmts.map(range).filter(|range| !range.is_empty()).collect()
}

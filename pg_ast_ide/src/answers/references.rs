//! Where names are defined and used.

use core::ops::Range;

use pg_ast::NameKind;

use crate::names::{LocalKind, NameAt, NameRole, SymbolId};
use crate::workspace::context::DocumentContext;

/// A place in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The path of the document.
    pub path: String,
    /// The range in it.
    pub range: Range<usize>,
}

/// A place where a name is used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Highlight {
    /// The range of the name.
    pub range: Range<usize>,
    /// Whether it is defined or written there.
    pub is_write: bool,
}

/// A name of a document.
pub(crate) struct PlacedName {
    /// The index of its statement.
    pub(crate) stmt: usize,
    pub(crate) name: NameAt,
    /// In the document.
    pub(crate) range: Range<usize>,
}

/// Returns the name at a place of a document.
pub(crate) fn name_at(cx: &DocumentContext<'_>, offset: usize) -> Option<PlacedName> {
    let stmt = cx.document.stmt_at(offset)?;
    let placed = &cx.document.stmts()[stmt];
    let names = cx.names(stmt);
    let at = offset - placed.range.start;
    let name = names.at(at).or_else(|| names.behind_dots(placed.stmt.sql(), at));
    let name = name?.clone();
    let range = placed.in_document(&name.range);
    (!range.is_empty()).then_some(PlacedName { stmt, name, range })
}

impl SymbolId {
    /// Returns the name of what is not only in one statement.
    pub(crate) fn own_name(&self) -> Option<&str> {
        match self {
            Self::Relation(name) | Self::Routine(name) | Self::Type(name) => Some(&name.name),
            Self::Column(_, column) => Some(column),
            Self::Object(_, name) => name.rsplit('.').next(),
            Self::Local(..) => None,
        }
    }

    /// Returns what else has the definition, if nothing defines it itself.
    fn or_else(&self) -> Option<Self> {
        match self {
            // The column of a view.
            Self::Column(table, _) => Some(Self::Relation(table.clone())),
            // The type of a table's rows.
            Self::Type(name) => Some(Self::Relation(name.clone())),
            Self::Relation(name) => Some(Self::Type(name.clone())),
            _ => None,
        }
    }
}

/// Calls a function with each name of a symbol that is not local, with its document and its statement.
pub(crate) fn each_name(
    cx: &DocumentContext<'_>,
    symbol: &SymbolId,
    mut call: impl FnMut(&DocumentContext<'_>, usize, &NameAt),
) {
    let Some(name) = symbol.own_name() else { return };
    let mut finder = WordFinder::new(name);
    for (path, document) in cx.workspace.documents() {
        let cx = cx.other(path, document);
        for (index, placed) in document.stmts().iter().enumerate() {
            if !finder.is_in(placed.stmt.sql()) {
                continue;
            }
            let names = cx.names(index);
            for name in names.all.iter().filter(|name| name.symbol == *symbol) {
                call(&cx, index, name);
            }
        }
    }
}

/// Returns whether a statement defines what is not local.
pub(crate) fn is_defined(cx: &DocumentContext<'_>, symbol: &SymbolId) -> bool {
    let mut is_defined = false;
    each_name(cx, symbol, |_, _, name| is_defined |= name.role == NameRole::Definition);
    is_defined
}

/// Looks for a name in SQL, in any case: quickly, and found too often rather than missed.
pub(crate) struct WordFinder {
    name: String,
}

impl WordFinder {
    pub(crate) fn new(name: &str) -> Self {
        // Quotes are doubled there.
        let part = name.split('"').max_by_key(|part| part.len()).unwrap_or_default();
        Self { name: part.to_lowercase() }
    }

    pub(crate) fn is_in(&mut self, sql: &str) -> bool {
        if !self.name.is_ascii() || !sql.is_ascii() || self.name.is_empty() {
            return self.name.is_empty() || sql.to_lowercase().contains(&self.name);
        }
        let (name, sql) = (self.name.as_bytes(), sql.as_bytes());
        let [lower, upper] = [name[0].to_ascii_lowercase(), name[0].to_ascii_uppercase()];
        let starts = sql.iter().enumerate().filter(|(_, byte)| **byte == lower || **byte == upper);
        let mut starts = starts.map(|(at, _)| at);
        starts
            .any(|at| sql.get(at..at + name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name)))
    }
}

/// Returns the places at which a symbol is defined.
fn definitions(cx: &DocumentContext<'_>, symbol: &SymbolId) -> Vec<Location> {
    let mut found = Vec::new();
    let Some(own) = symbol.own_name() else { return found };
    for (path, document) in cx.workspace.documents() {
        let cx = cx.other(path, document);
        for (index, placed) in document.stmts().iter().enumerate() {
            // Without a catalog first: most statements define something else.
            if !placed.stmt.defined().iter().any(|defined| defined.name == own) {
                continue;
            }
            let names = cx.names(index);
            let of_symbol = names.all.iter().filter(|it| it.symbol == *symbol);
            for name in of_symbol.filter(|name| name.role == NameRole::Definition) {
                found.push(location(&cx, index, &name.range));
            }
        }
    }
    if found.is_empty()
        && let Some(other) = symbol.or_else()
        && !matches!((symbol, &other), (SymbolId::Relation(_), SymbolId::Type(_)))
    {
        return definitions(cx, &other);
    }
    found
}

/// Returns the location of a range of a statement.
fn location(cx: &DocumentContext<'_>, stmt: usize, range: &Range<usize>) -> Location {
    let range = cx.document.stmts()[stmt].in_document(range);
    Location { path: cx.path.to_owned(), range }
}

impl DocumentContext<'_> {
    /// Returns where the name at a place is defined.
    #[must_use]
    pub fn definition(&self, offset: usize) -> Vec<Location> {
        let Some(place) = name_at(self, offset) else { return Vec::new() };
        match place.name.symbol {
            SymbolId::Local(_, at) => {
                let names = self.names(place.stmt);
                let range = names.at_start(at).map(|name| name.range.clone());
                range.map(|range| location(self, place.stmt, &range)).into_iter().collect()
            }
            symbol => definitions(self, &symbol),
        }
    }

    /// Returns the places of the name at a place, in all documents; `None` if there is no name.
    #[must_use]
    pub fn references(&self, offset: usize, with_definition: bool) -> Option<Vec<Location>> {
        let place = name_at(self, offset)?;
        let mut found = Vec::new();
        let mut add = |cx: &DocumentContext<'_>, stmt: usize, name: &NameAt| {
            if (with_definition || name.role != NameRole::Definition) && !name.range.is_empty() {
                found.push(location(cx, stmt, &name.range));
            }
        };
        match &place.name.symbol {
            SymbolId::Local(..) => {
                let names = self.names(place.stmt);
                let same = names.all.iter().filter(|name| name.symbol == place.name.symbol);
                same.for_each(|name| add(self, place.stmt, name));
            }
            symbol => each_name(self, symbol, add),
        }
        Some(found)
    }

    /// Returns the places of the name at a place, in its document; `None` if there is no name.
    #[must_use]
    pub fn highlights(&self, offset: usize) -> Option<Vec<Highlight>> {
        let place = name_at(self, offset)?;
        let mut found = Vec::new();
        let mut finder = WordFinder::new(place.name.symbol.own_name().unwrap_or_default());
        let is_local = matches!(place.name.symbol, SymbolId::Local(..));
        for (index, placed) in self.document.stmts().iter().enumerate() {
            if is_local && index != place.stmt || !finder.is_in(placed.stmt.sql()) {
                continue;
            }
            let names = self.names(index);
            let same = names
                .all
                .iter()
                .filter(|it| it.symbol == place.name.symbol && !it.range.is_empty());
            found.extend(same.map(|name| Highlight {
                range: placed.in_document(&name.range),
                is_write: name.role != NameRole::Read,
            }));
        }
        Some(found)
    }
}

/// Returns a word for people.
pub(crate) fn kind_of(symbol: &SymbolId) -> &'static str {
    match symbol {
        SymbolId::Relation(_) => "table",
        SymbolId::Column(..) | SymbolId::Local(LocalKind::Column, _) => "column",
        SymbolId::Routine(_) => "function",
        SymbolId::Type(_) => "type",
        SymbolId::Object(NameKind::Index, _) => "index",
        SymbolId::Object(..) => "object",
        SymbolId::Local(LocalKind::Alias, _) => "alias",
        SymbolId::Local(LocalKind::Cte, _) => "query of WITH",
        SymbolId::Local(LocalKind::Variable, _) => "variable",
        SymbolId::Local(LocalKind::Parameter, _) => "parameter",
    }
}

//! Where names are defined and used.

use core::ops::Range;

use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Uri};
use pg_ast::NameKind;

use crate::context::Context;
use crate::names::{LocalKind, Name, Role, Symbol};

/// A name of a document.
pub(crate) struct Place {
    /// The index of its statement.
    pub(crate) stmt: usize,
    pub(crate) name: Name,
    /// In the document.
    pub(crate) range: Range<usize>,
}

/// Returns the name at a place of a document.
pub(crate) fn name_at(cx: &Context<'_>, offset: usize) -> Option<Place> {
    let stmt = cx.document.stmt_at(offset)?;
    let start = cx.document.stmts()[stmt].range.start;
    let names = cx.names(stmt);
    let at = offset - start;
    let name = names.at(at).or_else(|| names.behind_dots(cx.document.stmts()[stmt].stmt.sql(), at));
    let name = name?.clone();
    let range = start + name.range.start..start + name.range.end;
    (!range.is_empty()).then_some(Place { stmt, name, range })
}

impl Symbol {
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
    cx: &Context<'_>,
    symbol: &Symbol,
    mut call: impl FnMut(&Context<'_>, usize, &Name),
) {
    let Some(name) = symbol.own_name() else { return };
    let mut finder = WordFinder::new(name);
    for (uri, document) in cx.workspace.documents() {
        let cx = cx.other(uri, document);
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
pub(crate) fn is_defined(cx: &Context<'_>, symbol: &Symbol) -> bool {
    let mut is_defined = false;
    each_name(cx, symbol, |_, _, name| is_defined |= name.role == Role::Definition);
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
fn definitions(cx: &Context<'_>, symbol: &Symbol) -> Vec<Location> {
    let mut found = Vec::new();
    let Some(own) = symbol.own_name() else { return found };
    for (uri, document) in cx.workspace.documents() {
        let cx = cx.other(uri, document);
        for (index, placed) in document.stmts().iter().enumerate() {
            // Without a catalog first: most statements define something else.
            if !placed.stmt.defined().iter().any(|defined| defined.name == own) {
                continue;
            }
            let names = cx.names(index);
            let of_symbol = names.all.iter().filter(|it| it.symbol == *symbol);
            for name in of_symbol.filter(|name| name.role == Role::Definition) {
                found.extend(location(&cx, index, &name.range));
            }
        }
    }
    if found.is_empty()
        && let Some(other) = symbol.or_else()
        && !matches!((symbol, &other), (Symbol::Relation(_), Symbol::Type(_)))
    {
        return definitions(cx, &other);
    }
    found
}

/// Returns the location of a range of a statement.
fn location(cx: &Context<'_>, stmt: usize, range: &Range<usize>) -> Option<Location> {
    let start = cx.document.stmts()[stmt].range.start;
    let range = cx.document.lines().range(&(start + range.start..start + range.end));
    Some(Location { uri: cx.uri.parse::<Uri>().ok()?, range })
}

/// Returns where the name at a position is defined.
pub(crate) fn definition(cx: &Context<'_>, position: Position) -> Option<Vec<Location>> {
    let place = name_at(cx, cx.document.lines().offset(position))?;
    let found = match place.name.symbol {
        Symbol::Local(_, at) => {
            let names = cx.names(place.stmt);
            let range = names.at_start(at).map(|name| name.range.clone());
            range.and_then(|range| location(cx, place.stmt, &range)).into_iter().collect()
        }
        symbol => definitions(cx, &symbol),
    };
    (!found.is_empty()).then_some(found)
}

/// Returns the places of the name at a position, in all documents.
pub(crate) fn references(
    cx: &Context<'_>,
    position: Position,
    with_definition: bool,
) -> Option<Vec<Location>> {
    let place = name_at(cx, cx.document.lines().offset(position))?;
    let mut found = Vec::new();
    let mut add = |cx: &Context<'_>, stmt: usize, name: &Name| {
        if (with_definition || name.role != Role::Definition) && !name.range.is_empty() {
            found.extend(location(cx, stmt, &name.range));
        }
    };
    match &place.name.symbol {
        Symbol::Local(..) => {
            let names = cx.names(place.stmt);
            let same = names.all.iter().filter(|name| name.symbol == place.name.symbol);
            same.for_each(|name| add(cx, place.stmt, name));
        }
        symbol => each_name(cx, symbol, add),
    }
    Some(found)
}

/// Returns the places of the name at a position, in its document.
pub(crate) fn highlights(cx: &Context<'_>, position: Position) -> Option<Vec<DocumentHighlight>> {
    let place = name_at(cx, cx.document.lines().offset(position))?;
    let mut found = Vec::new();
    let mut finder = WordFinder::new(place.name.symbol.own_name().unwrap_or_default());
    let is_local = matches!(place.name.symbol, Symbol::Local(..));
    for (index, placed) in cx.document.stmts().iter().enumerate() {
        if is_local && index != place.stmt || !finder.is_in(placed.stmt.sql()) {
            continue;
        }
        let start = placed.range.start;
        let names = cx.names(index);
        let same =
            names.all.iter().filter(|it| it.symbol == place.name.symbol && !it.range.is_empty());
        found.extend(same.map(|name| DocumentHighlight {
            range: cx.document.lines().range(&(start + name.range.start..start + name.range.end)),
            kind: Some(match name.role {
                Role::Read => DocumentHighlightKind::READ,
                Role::Definition | Role::Write => DocumentHighlightKind::WRITE,
            }),
        }));
    }
    Some(found)
}

/// Returns a word for people.
pub(crate) fn kind_of(symbol: &Symbol) -> &'static str {
    match symbol {
        Symbol::Relation(_) => "table",
        Symbol::Column(..) | Symbol::Local(LocalKind::Column, _) => "column",
        Symbol::Routine(_) => "function",
        Symbol::Type(_) => "type",
        Symbol::Object(NameKind::Index, _) => "index",
        Symbol::Object(..) => "object",
        Symbol::Local(LocalKind::Alias, _) => "alias",
        Symbol::Local(LocalKind::Cte, _) => "query of WITH",
        Symbol::Local(LocalKind::Variable, _) => "variable",
        Symbol::Local(LocalKind::Parameter, _) => "parameter",
    }
}

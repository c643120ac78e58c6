//! Renaming: only where it is certain that every statement means the same afterwards.

use core::ops::Range;
use std::collections::BTreeMap;

use pg_ast::view::Node;
use pg_ast::{ColumnUnit, NameKind, QualifiedName, quote_identifier};
use pg_ast_names::{Catalog as _, ColumnMeaning, DdlCatalog, TableMeaning, TableUse};

use crate::answers::functions;
use crate::answers::references::{each_name, is_defined, kind_of, name_at};
use crate::answers::unread;
use crate::names::{LocalKind, NameAt, NameRole, SymbolId};
use crate::stmt::identifiers::folded;
use crate::workspace::Workspace;
use crate::workspace::context::DocumentContext;

/// The maximum length of a name: PostgreSQL cuts longer ones.
const LONGEST: usize = 63;

/// Kinds of objects whose names stand in too many ways to know them all, or are PostgreSQL's to choose.
const NOT_RENAMED: [NameKind; 6] = [
    NameKind::Object,
    NameKind::Extension,
    NameKind::Constraint,
    NameKind::Trigger,
    NameKind::Rule,
    NameKind::Policy,
];

/// Changes of documents by their paths: ranges in the order of their places, and what is put there.
pub type RenameEdits = BTreeMap<String, Vec<(Range<usize>, String)>>;

/// A name that can be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenameTarget {
    /// Where it is.
    pub range: Range<usize>,
    /// The name, without quotes.
    pub name: String,
}

impl DocumentContext<'_> {
    /// Returns the name at a place, which would be renamed.
    ///
    /// # Errors
    ///
    /// A message for people: there is no name, or these documents do not define it.
    pub fn prepare_rename(&self, offset: usize) -> Result<RenameTarget, String> {
        let place = name_at(self, offset).ok_or("there is no name here")?;
        let is_local = matches!(place.name.symbol, SymbolId::Local(..));
        if !is_local && !is_defined(self, &place.name.symbol) {
            return Err(not_defined(&place.name.symbol));
        }
        let name = folded(&self.document.text()[place.range.clone()]);
        Ok(RenameTarget { range: place.range, name })
    }

    /// Returns the changes that rename what is at a place.
    ///
    /// # Errors
    ///
    /// A message for people: why it is not certain that every statement would mean the same.
    pub fn rename(&self, offset: usize, new_name: &str) -> Result<RenameEdits, String> {
        let place = name_at(self, offset).ok_or("there is no name here")?;
        let new = unquoted(new_name)?;
        let symbol = &place.name.symbol;
        let old = match symbol.own_name() {
            Some(name) => name.to_owned(),
            None => folded(&self.document.text()[place.range.clone()]),
        };
        let mut edits = RenameEdits::new();
        let mut error = None;
        let mut definitions = 0;
        let mut add = |cx: &DocumentContext<'_>, stmt: usize, name: &NameAt| {
            let placed = &cx.document.stmts()[stmt];
            let range = placed.in_document(&name.range);
            definitions += usize::from(name.role == NameRole::Definition);
            if !name.is_certain {
                let problem = "it is not certain what the name means";
                error.get_or_insert_with(|| at(cx, &range, problem));
            } else if name.is_direct {
                let edits = edits.entry(cx.path.to_owned()).or_default();
                let mut text = quote_identifier(&new);
                let label = || format!(" AS {}", quote_identifier(&old));
                match name.output.map(|end| placed.range.start + end) {
                    Some(end) if end > range.end => {
                        edits.extend([(range, text), (end..end, label())]);
                    }
                    Some(_) => {
                        text += &label();
                        edits.push((range, text));
                    }
                    None => edits.push((range, text)),
                }
            }
        };
        match symbol {
            SymbolId::Local(..) => {
                let names = self.names(place.stmt);
                let same = names.all.iter().filter(|name| name.symbol == *symbol);
                same.for_each(|name| add(self, place.stmt, name));
            }
            symbol => each_name(self, symbol, add),
        }
        if let Some(error) = error {
            return Err(error);
        }
        if definitions == 0 {
            return Err(not_defined(symbol));
        }
        for edits in edits.values_mut() {
            edits.sort_by_key(|(range, _)| range.start);
        }
        if let SymbolId::Object(kind, _) = symbol
            && NOT_RENAMED.contains(kind)
        {
            return Err("objects of this kind are not renamed".to_owned());
        }
        if definitions > 1 && matches!(symbol, SymbolId::Routine(_) | SymbolId::Object(..)) {
            return Err(format!("{definitions} {}s have this name", kind_of(symbol)));
        }
        if old != new {
            is_free(self, symbol, &old, &new)?;
            is_known(self, place.stmt, symbol, &old, &new)?;
            check(self, symbol, &new, &edits)?;
        }
        Ok(edits)
    }
}

fn not_defined(symbol: &SymbolId) -> String {
    let name = symbol.own_name().unwrap_or_default();
    format!("the {} \"{name}\" is not defined in these files", kind_of(symbol))
}

/// Returns a message with a place.
pub(crate) fn at(cx: &DocumentContext<'_>, range: &Range<usize>, problem: &str) -> String {
    let line = cx.document.lines().line_column(range.start, ColumnUnit::Bytes).line + 1;
    let file = cx.path.rsplit('/').next().unwrap_or_default();
    format!("{file}:{line}: {problem}")
}

/// Returns the new name without quotes.
fn unquoted(name: &str) -> Result<String, String> {
    let name = name.trim();
    let is_quoted = name.len() > 2 && name.starts_with('"') && name.ends_with('"');
    let name = if is_quoted { folded(name) } else { name.to_owned() };
    if name.is_empty() || name.contains('\0') {
        return Err("this is not a name".to_owned());
    }
    if name.len() > LONGEST {
        return Err(format!("PostgreSQL cuts names after {LONGEST} bytes"));
    }
    Ok(name)
}

/// Fails if something has the new name, or if PostgreSQL has something of the old or the new one.
fn is_free(
    cx: &DocumentContext<'_>,
    symbol: &SymbolId,
    old: &str,
    new: &str,
) -> Result<(), String> {
    const SYSTEM_COLUMNS: [&str; 6] = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"];
    const ROWS: [&str; 3] = ["excluded", "new", "old"];
    let taken = renamed(symbol, symbol, new, |at| at);
    let also = match &taken {
        SymbolId::Relation(name) => Some(SymbolId::Type(name.clone())),
        SymbolId::Type(name) => Some(SymbolId::Relation(name.clone())),
        _ => None,
    };
    let index = matches!(symbol, SymbolId::Relation(_))
        .then(|| SymbolId::Object(NameKind::Index, new.to_owned()));
    for taken in [Some(taken), also, index].iter().flatten() {
        let mut is_taken = false;
        each_name(cx, taken, |_, _, _| is_taken = true);
        if is_taken {
            return Err(format!("there is another {} \"{new}\"", kind_of(taken)));
        }
    }
    let is_own = |name: &str| match symbol {
        SymbolId::Routine(_) => !functions::named(cx.workspace.version(), name).is_empty(),
        SymbolId::Relation(_) if ROWS.contains(&name) => true,
        SymbolId::Relation(_) | SymbolId::Type(_) => name.starts_with("pg_"),
        SymbolId::Column(..) => SYSTEM_COLUMNS.contains(&name),
        _ => false,
    };
    match [old, new].into_iter().find(|name| is_own(name)) {
        Some(name) => Err(format!("PostgreSQL has a {} \"{name}\" of its own", kind_of(symbol))),
        None => Ok(()),
    }
}

/// Fails if a word may be the name, or that of a column of an unknown table.
fn is_known(
    cx: &DocumentContext<'_>,
    stmt: usize,
    symbol: &SymbolId,
    old: &str,
    new: &str,
) -> Result<(), String> {
    if let SymbolId::Local(kind, _) = symbol {
        if let Some((range, problem)) = unread::in_stmt(cx, stmt, symbol, old) {
            return Err(at(cx, &range, problem));
        }
        if let Some((range, _)) = unread::in_stmt(cx, stmt, symbol, new) {
            let problem = "it is not known what the new name means here";
            return Err(at(cx, &range, problem));
        }
        return match kind {
            LocalKind::Parameter => unread::in_calls(cx, stmt, old),
            _ => Ok(()),
        };
    }
    for (path, document) in cx.workspace.documents() {
        let cx = cx.other(path, document);
        if let Some((range, problem)) = unread::in_document(&cx, symbol, old) {
            return Err(at(&cx, &range, problem));
        }
        let SymbolId::Column(table, column) = symbol else { continue };
        for (index, names) in cx.all_names().iter().enumerate() {
            for used in &names.resolution.columns {
                let is_open = matches!(used.meaning, ColumnMeaning::OneOf(_));
                if !is_open || used.names.last() != Some(column) {
                    continue;
                }
                let is_table = |source: usize| {
                    let source = names.resolution.sources[source].kind.table();
                    source.is_some_and(|source| source.name == table.name)
                };
                if names.resolution.candidates(used).any(is_table) {
                    let start = document.stmts()[index].range.start + used.location.unwrap_or(0);
                    let problem = "the name may be that of a column of several tables";
                    return Err(at(&cx, &(start..start), problem));
                }
            }
        }
    }
    Ok(())
}

/// Fails if a name means something else after the edits.
fn check(
    cx: &DocumentContext<'_>,
    symbol: &SymbolId,
    new: &str,
    edits: &RenameEdits,
) -> Result<(), String> {
    let mut workspace = Workspace::with_schema_of(cx.workspace);
    for (path, document) in cx.workspace.documents() {
        let text = match edits.get(path) {
            Some(edits) => applied(document.text(), edits),
            None => document.text().to_owned(),
        };
        workspace.add(path, text);
    }
    let (old_catalog, new_catalog) = (cx.workspace.catalog(), workspace.catalog());
    let none = Vec::new();
    for (path, document) in workspace.documents() {
        let Some(old_document) = cx.workspace.document(path) else { continue };
        let before = cx.other(path, old_document);
        let after = DocumentContext { workspace: &workspace, path, document };
        let shift = Shift::new(edits.get(path).unwrap_or(&none));
        if old_document.stmts().len() != document.stmts().len() {
            return Err(at(&before, &(0..0), "a statement would end elsewhere"));
        }
        let names = before.all_names().into_iter().zip(after.all_names());
        for (index, (old_names, new_names)) in names.enumerate() {
            let (from, to) =
                (old_document.stmts()[index].range.start, document.stmts()[index].range.start);
            let is_known = |table: &TableUse| matches!(table.meaning, TableMeaning::Relation(_));
            let tables = old_names.resolution.tables.iter().zip(&new_names.resolution.tables);
            if let Some((table, _)) =
                tables.clone().find(|(old, new)| is_known(old) != is_known(new))
            {
                let start = from + table.location.unwrap_or(0);
                return Err(at(&before, &(start..start), "the name would mean something else"));
            }
            // The columns of parts and heirs follow.
            let has_own_columns = match old_document.stmts()[index].stmt.node() {
                Some(Node::CreateStmt(create)) => create.inh_relations().is_empty(),
                _ => true,
            };
            let defined = old_names.all.iter().filter(|name| name.role == NameRole::Definition);
            for name in defined.filter(|_| has_own_columns) {
                let is_of = matches!((&name.symbol, symbol), (SymbolId::Relation(it), SymbolId::Column(of, _)) if it == of);
                let now = renamed(&name.symbol, symbol, new, |at| at);
                if is_of || columns(&old_catalog, &name.symbol) == columns(&new_catalog, &now) {
                    continue;
                }
                let start = from + name.range.start;
                return Err(at(&before, &(start..start), "it would have other columns"));
            }
            if new_names.mistakes.len() > old_names.mistakes.len() {
                let mistake = &new_names.mistakes[0];
                let problem = format!("then, {}", mistake.message);
                return Err(at(&after, &(to + mistake.range.start..to), &problem));
            }
            for name in old_names.all.iter().filter(|name| !name.range.is_empty()) {
                let start = shift.moved(from + name.range.start);
                let found = start.checked_sub(to).and_then(|start| new_names.at_start(start));
                let expected = renamed(&name.symbol, symbol, new, |at| {
                    shift.moved(from + at).saturating_sub(to)
                });
                // The column of a query may have a name of its own now.
                let is_label = |of: &SymbolId| matches!(of, SymbolId::Local(LocalKind::Column, _));
                let is_same = |found: &NameAt| {
                    found.symbol == expected || !name.is_direct && is_label(&found.symbol)
                };
                if !found.is_some_and(is_same) {
                    let range = from + name.range.start..from + name.range.end;
                    return Err(at(&before, &range, "the name would mean something else"));
                }
            }
        }
    }
    Ok(())
}

/// Returns the names of the columns of a relation.
fn columns<'a>(catalog: &'a DdlCatalog, symbol: &SymbolId) -> Option<Vec<&'a str>> {
    let SymbolId::Relation(name) = symbol else { return None };
    let relation = catalog.relation(name.schema.as_deref()?, &name.name)?;
    Some(relation.columns.iter().map(|column| &*column.name).collect())
}

/// Returns what a name means after something has been renamed. Local names are at other places then.
fn renamed(
    of: &SymbolId,
    symbol: &SymbolId,
    new: &str,
    place: impl Fn(usize) -> usize,
) -> SymbolId {
    let with_new =
        |name: &QualifiedName| QualifiedName { schema: name.schema.clone(), name: new.to_owned() };
    match (of, symbol) {
        (SymbolId::Local(kind, at), _) => SymbolId::Local(*kind, place(*at)),
        (SymbolId::Relation(_), SymbolId::Relation(name)) if of == symbol => {
            SymbolId::Relation(with_new(name))
        }
        (SymbolId::Column(table, column), SymbolId::Relation(name)) if table == name => {
            SymbolId::Column(with_new(name), column.clone())
        }
        (SymbolId::Column(table, _), SymbolId::Column(..)) if of == symbol => {
            SymbolId::Column(table.clone(), new.to_owned())
        }
        (SymbolId::Routine(name), _) if of == symbol => SymbolId::Routine(with_new(name)),
        (SymbolId::Type(name), _) if of == symbol => SymbolId::Type(with_new(name)),
        (SymbolId::Object(kind, name), _) if of == symbol => {
            let name = match name.rsplit_once('.') {
                Some((before, _)) => format!("{before}.{new}"),
                None => new.to_owned(),
            };
            SymbolId::Object(*kind, name)
        }
        (of, _) => of.clone(),
    }
}

/// Where places are after edits.
struct Shift {
    /// The place of each edit, and by how much the places behind it move.
    edits: Vec<(usize, isize)>,
}

impl Shift {
    /// Follows edits that are in order.
    fn new(edits: &[(Range<usize>, String)]) -> Self {
        let mut all = 0;
        let edits = edits.iter().map(|(range, text)| {
            all += text.len().cast_signed() - range.len().cast_signed();
            (range.start, all)
        });
        Self { edits: edits.collect() }
    }

    fn moved(&self, place: usize) -> usize {
        let before = self.edits.partition_point(|(start, _)| *start < place);
        let by = before.checked_sub(1).map_or(0, |last| self.edits[last].1);
        place.saturating_add_signed(by)
    }
}

fn applied(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for (range, by) in edits {
        new += &text[at..range.start];
        new += by;
        at = range.end;
    }
    new += &text[at..];
    new
}

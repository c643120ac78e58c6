//! Completion of SQL.

use core::ops::Range;
use std::collections::{HashMap, HashSet};

use pg_ast::{Completion, Expected, NameKind, TableInScope, quote_identifier};
use pg_ast_names::{Catalog as _, SourceKind};

use crate::answers::body_completion::BodyCompletion;
use crate::answers::functions;
use crate::answers::semantic_words::WordKind;
use crate::answers::visible_sources::VisibleSources;
use crate::stmt::StmtFacts;
use crate::stmt::identifiers::folded;
use crate::stmt::one_line::one_line;
use crate::workspace::Visible;
use crate::workspace::context::DocumentContext;

/// The maximum number of items in a response: longer lists are not useful.
const MAX: usize = 2_000;

/// Names of types that are not keywords.
const TYPES: &[&str] = &[
    "bigserial",
    "bytea",
    "cidr",
    "circle",
    "date",
    "daterange",
    "float4",
    "float8",
    "inet",
    "int2",
    "int4",
    "int4range",
    "int8",
    "int8range",
    "json",
    "jsonb",
    "line",
    "macaddr",
    "money",
    "numrange",
    "oid",
    "path",
    "point",
    "polygon",
    "regclass",
    "serial",
    "smallserial",
    "text",
    "timestamptz",
    "timetz",
    "tsquery",
    "tsrange",
    "tstzrange",
    "tsvector",
    "uuid",
    "xml",
];

/// What can be typed at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompletionList {
    /// The range of the word that an item replaces.
    pub range: Range<usize>,
    /// The items that begin like this word.
    pub items: Vec<CompletionItem>,
}

/// A name or a keyword that can be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompletionItem {
    /// What is shown.
    pub label: String,
    /// What is put in place of the word: a name has its quotes, if it needs some.
    pub text: String,
    /// What it is.
    pub kind: WordKind,
    /// The type, the parameters or the schema.
    pub detail: Option<String>,
    /// Editors order the items by this: names precede keywords.
    pub order: String,
    /// Whether the word begins with a quote.
    pub is_quoted: bool,
}

impl DocumentContext<'_> {
    /// Returns what can be typed at a place. One in the middle of a character is that before it, and one behind the text is its end.
    #[must_use]
    pub fn complete(&self, offset: usize) -> CompletionList {
        let text = self.document.text();
        let mut places = (0..=offset.min(text.len())).rev();
        let offset = places.find(|place| text.is_char_boundary(*place)).unwrap_or(0);
        // Other statements do not affect the grammar here, and may have errors.
        let (index, part) = unfinished(self, offset);
        let mut sql = text.get(part.clone()).unwrap_or_default().to_owned();
        let mut at = offset.saturating_sub(part.start);
        if is_in_comment(&sql, at) {
            return CompletionList::default();
        }
        let body = BodyCompletion::new(&sql, at);
        if let Some(body) = &body {
            sql = body.sql.clone().unwrap_or_default();
            at = body.offset.min(sql.len());
        }
        let mut found = self.workspace.version().complete(&sql, at);
        found.word.end = found.word.end.max(quoted_end(&sql, found.word.start));
        // The word is around the place.
        let word = match &body {
            Some(BodyCompletion { sql: None, .. }) => word_start(text, offset)..offset,
            _ => {
                offset.saturating_sub(at.saturating_sub(found.word.start))
                    ..offset + found.word.end.saturating_sub(at)
            }
        };
        let mut items = CompletionItems {
            cx: self,
            begun: text.get(word.start..offset).unwrap_or_default(),
            seen: HashSet::new(),
            all: Vec::new(),
        };
        let qualifier = qualifier(&sql, found.word.start);
        self.workspace.with_catalog(self.path, self.document, index, |catalog| {
            if let Some(body) = &body {
                items.of_body(body, catalog, &found, qualifier.as_deref());
                if body.sql.is_none() {
                    return;
                }
            }
            if qualifier.is_none() {
                items.keywords(&found);
            }
            if !found.names.is_empty() {
                let sources = VisibleSources::at(&sql, &found.word, catalog);
                items.names(catalog, &found, sources.as_ref(), qualifier.as_deref());
            }
        });
        CompletionList { range: word, items: items.all }
    }
}

/// Returns where the quoted name ends that begins at a place. A quote that opens it may be the last one of somebody who is typing: then
/// the others do not match.
fn quoted_end(sql: &str, start: usize) -> usize {
    if !sql.get(start..).is_some_and(|rest| rest.starts_with('"')) {
        return start;
    }
    let scanned = pg_ast::scan_lossy(sql);
    let mut tokens = scanned.scan.tokens.iter().filter(|_| scanned.errors.is_empty());
    tokens.find(|token| token.range().start == start).map_or(start, |token| token.range().end)
}

/// Returns whether a place is in a comment. One up to the end of its line includes that end.
fn is_in_comment(sql: &str, at: usize) -> bool {
    let before = sql.get(..at).unwrap_or_default();
    if !before.contains("--") && !before.contains("/*") {
        return false;
    }
    let stmt = StmtFacts::new(sql.to_owned());
    let tokens = stmt.tokens();
    tokens.all.iter().filter(|token| token.is_comment()).any(|comment| {
        let range = comment.range();
        range.start < at && (at < range.end || at == range.end && sql[range].starts_with("--"))
    })
}

/// Returns the statement at a place, finished or not, and the number of those before it.
pub(crate) fn unfinished(cx: &DocumentContext<'_>, offset: usize) -> (usize, Range<usize>) {
    let stmts = cx.document.stmts();
    let next = stmts.partition_point(|placed| placed.range.start <= offset);
    let Some(last) = next.checked_sub(1) else { return (0, 0..offset) };
    let range = &stmts[last].range;
    // It extends to its semicolon.
    let text = cx.document.text();
    let rest = text.get(range.end..).unwrap_or_default();
    let semicolon = text.len() - rest.trim_start().len();
    if text[semicolon..].starts_with(';') && offset > semicolon {
        return (next, semicolon + 1..offset);
    }
    (last, range.start..range.end.max(offset))
}

/// Returns where the word that ends at a place begins; without one, the place.
pub(crate) fn word_start(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or_default();
    before.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$')).len()
}

/// Returns the qualifier before a place: `t` of `t.`.
fn qualifier(sql: &str, offset: usize) -> Option<String> {
    let before = sql.get(..offset)?;
    let start = before.rfind([';', '\'', '\n', '(', ',', ' ']).map_or(0, |at| at + 1);
    let tokens = pg_ast::scan(&before[start..]).ok()?.tokens;
    let [.., name, dot] = tokens.as_slice() else { return None };
    let text = |range: Range<usize>| &before[start + range.start..start + range.end];
    (text(dot.range()) == ".").then(|| folded(text(name.range())))
}

struct CompletionItems<'a> {
    cx: &'a DocumentContext<'a>,
    /// The word being typed, before the cursor.
    begun: &'a str,
    /// The order keys of the items.
    seen: HashSet<String>,
    all: Vec<CompletionItem>,
}

impl CompletionItems<'_> {
    /// Adds the variables of a function, and PL/pgSQL's keywords.
    fn of_body(
        &mut self,
        body: &BodyCompletion,
        catalog: &Visible<'_>,
        found: &Completion,
        qualifier: Option<&str>,
    ) {
        if let Some(qualifier) = qualifier {
            // The fields of a row variable.
            let row = body.names.iter().find(|name| name.name == qualifier);
            let table = row.and_then(|row| row.of_type.split('%').next()?.rsplit('.').next());
            if let Some(table) = table {
                self.table(catalog, None, table);
            }
            return;
        }
        let is_start = !body.keywords.is_empty();
        if is_start || body.sql.is_none() || found.names.contains(&NameKind::Column) {
            for name in &body.names {
                self.name(&name.name, WordKind::Variable, &name.of_type);
            }
        }
        let lower = self.begun.chars().any(char::is_lowercase);
        for keyword in body.keywords {
            let keyword = if lower { keyword.to_lowercase() } else { (*keyword).to_owned() };
            self.add(&keyword, &keyword, WordKind::Keyword, "", "3");
        }
    }

    fn keywords(&mut self, found: &Completion) {
        let lower = self.begun.chars().any(char::is_lowercase);
        for expected in &found.expected {
            let Expected::Keyword(keyword) = expected else { continue };
            let keyword = if lower { keyword.to_lowercase() } else { (*keyword).to_owned() };
            self.add(&keyword, &keyword, WordKind::Keyword, "", "3");
        }
    }

    fn names(
        &mut self,
        catalog: &Visible<'_>,
        found: &Completion,
        sources: Option<&VisibleSources>,
        qualifier: Option<&str>,
    ) {
        if found.names.contains(&NameKind::Column) {
            match sources.filter(|sources| found.tables.is_empty() || !sources.is_empty()) {
                Some(sources) => self.visible(sources, qualifier),
                None => self.tables_in_scope(catalog, &found.tables, qualifier),
            }
        }
        if found.names.contains(&NameKind::Table) {
            let mut tables: Vec<_> = catalog
                .relations()
                .filter(|table| qualifier.is_none_or(|it| table.name.schema.as_deref() == Some(it)))
                .collect();
            tables.sort_by(|one, other| one.name.cmp(&other.name));
            for table in tables {
                let schema = table.name.schema.as_deref().unwrap_or_default();
                self.name(&table.name.name, WordKind::Table, schema);
            }
            if qualifier.is_none() {
                for cte in sources.iter().flat_map(|sources| &sources.ctes) {
                    self.name(cte, WordKind::Table, "WITH");
                }
                // The tables of other statements that this one names.
                for scope in &found.tables {
                    self.name(&scope.name.name, WordKind::Table, "");
                }
            }
        }
        for defined in self.cx.workspace.defined() {
            let kind = match defined.kind {
                NameKind::Function => WordKind::Function,
                NameKind::Type => WordKind::Type,
                _ => continue,
            };
            let is_here = qualifier.is_none_or(|it| defined.schema.as_deref() == Some(it));
            if found.names.contains(&defined.kind) && is_here {
                self.name(&defined.name, kind, &defined.detail);
            }
        }
        if qualifier.is_none() && found.names.contains(&NameKind::Type) {
            for name in TYPES {
                self.name(name, WordKind::Type, "");
            }
        }
        if qualifier.is_none()
            && found.names.contains(&NameKind::Function)
            && !self.begun.is_empty()
        {
            let version = self.cx.workspace.version();
            for function in functions::starting_with(version, &self.begun.to_lowercase()) {
                if self.seen.contains(&format!("3{}", function.name.to_uppercase()))
                    || self.seen.contains(&format!("3{}", function.name))
                {
                    continue;
                }
                let detail = functions::parameters(function);
                self.add(function.name, function.name, WordKind::Function, &detail, "2");
            }
        }
    }

    /// Adds what the queries around the place see.
    fn visible(&mut self, sources: &VisibleSources, qualifier: Option<&str>) {
        let workspace = self.cx.workspace;
        let mut types_of = HashMap::new();
        for source in sources.sources() {
            if self.all.len() >= MAX {
                return;
            }
            let called = source.name.unwrap_or_default();
            if qualifier.is_none_or(|qualifier| qualifier == called) {
                let types = match source.kind {
                    SourceKind::Table(name) | SourceKind::RowOf(name) => {
                        let of = || workspace.types_of(name.schema.as_deref(), &name.name);
                        Some(&*types_of.entry(name).or_insert_with(of))
                    }
                    _ => None,
                };
                for column in source.columns {
                    let detail = types.and_then(|types| types.get(column)).copied();
                    let detail = detail.unwrap_or_default();
                    self.name(column, WordKind::Column, detail);
                }
            }
            let is_special = matches!(called, "old" | "new");
            if qualifier.is_none() && !called.is_empty() && !is_special {
                let of = match source.kind {
                    SourceKind::Table(table) if table.name != called => table.name.as_str(),
                    _ => "",
                };
                self.name(called, WordKind::Variable, of);
            }
        }
        if qualifier.is_none() {
            for label in &sources.labels {
                self.name(label, WordKind::Column, "");
            }
        }
    }

    /// Adds what the statement names, as far as the grammar tells it: it cannot be read with a name at the place.
    fn tables_in_scope(
        &mut self,
        catalog: &Visible<'_>,
        tables: &[TableInScope],
        qualifier: Option<&str>,
    ) {
        for scope in tables {
            let called = scope.alias.as_ref().unwrap_or(&scope.name.name);
            if qualifier.is_none_or(|qualifier| qualifier == called) {
                self.table(catalog, scope.name.schema.as_deref(), &scope.name.name);
            }
            if qualifier.is_none() {
                let of = scope.alias.as_ref().map_or("", |_| &scope.name.name);
                self.name(called, WordKind::Variable, of);
            }
        }
    }

    /// Adds the columns of a table.
    fn table(&mut self, catalog: &Visible<'_>, schema: Option<&str>, name: &str) {
        let relation = match schema {
            Some(schema) => catalog.relation(schema, name),
            // Or that of another schema: the search path may be set elsewhere.
            None => {
                let mut path = catalog.search_path().iter();
                let found = path.find_map(|schema| catalog.relation(schema, name));
                found.or_else(|| catalog.relations().find(|relation| relation.name.name == name))
            }
        };
        let Some(relation) = relation else { return };
        let types =
            self.cx.workspace.types_of(relation.name.schema.as_deref(), &relation.name.name);
        for column in &relation.columns {
            let detail = types.get(column.name.as_str()).copied().unwrap_or_default();
            self.name(&column.name, WordKind::Column, detail);
        }
    }

    fn name(&mut self, name: &str, kind: WordKind, detail: &str) {
        // Quoted if necessary.
        let quoted = quote_identifier(name);
        let plain = self.begun.starts_with('"') && !quoted.starts_with('"');
        let quoted = if plain { format!("\"{quoted}\"") } else { quoted };
        self.add(name, &quoted, kind, detail, "1");
    }

    /// Adds an item that matches the prefix, if it is new.
    fn add(&mut self, label: &str, text: &str, kind: WordKind, detail: &str, rank: &str) {
        let begun = self.begun.trim_start_matches('"').to_lowercase();
        let order = format!("{rank}{label}");
        if self.all.len() >= MAX
            || !label.to_lowercase().starts_with(&begun)
            || !self.seen.insert(order.clone())
        {
            return;
        }
        self.all.push(CompletionItem {
            label: label.to_owned(),
            text: text.to_owned(),
            kind,
            detail: (!detail.is_empty()).then(|| one_line(detail, 80)),
            order,
            is_quoted: self.begun.starts_with('"'),
        });
    }
}

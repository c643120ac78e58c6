//! Completion of SQL.

use core::ops::Range;
use std::collections::HashSet;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, Position, TextEdit};
use pg_ast::{Completion, Expected, NameKind, TableInScope, make};

use crate::body_completion::InBody;
use crate::catalog::{Catalog, Table};
use crate::document::{self, Lines};

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

pub(crate) fn items(text: &str, position: Position) -> Vec<CompletionItem> {
    let lines = Lines::new(text);
    let offset = lines.offset(position);
    // Other statements do not affect the grammar here, and may have errors.
    let part = document::around(text, offset);
    let mut sql = text.get(part.clone()).unwrap_or_default().to_owned();
    let mut at = offset.saturating_sub(part.start);
    let body = InBody::new(&sql, at);
    if let Some(body) = &body {
        sql = body.sql.clone().unwrap_or_default();
        at = body.offset.min(sql.len());
    }
    let found = pg_ast::complete(&sql, at);
    // The word is around the place.
    let word = match &body {
        Some(InBody { sql: None, .. }) => document::word_start(text, offset)..offset,
        _ => {
            offset - at.saturating_sub(found.word.start)..offset + found.word.end.saturating_sub(at)
        }
    };
    let mut items = Items {
        begun: text.get(word.clone()).unwrap_or_default(),
        lines: &lines,
        word,
        seen: HashSet::new(),
        all: Vec::new(),
    };

    let qualifier = qualifier(&sql, found.word.start);
    // Where only keywords can stand, the document is not parsed.
    let names_tables = !found.names.is_empty() || body.is_some() && qualifier.is_some();
    let mut catalog = Catalog::default();
    if names_tables {
        catalog = Catalog::new(text, &document::stmts(text));
    }
    if let Some(body) = &body {
        items.of_body(body, &catalog, &found, qualifier.as_deref());
        if body.sql.is_none() {
            return items.all;
        }
    }
    items.keywords(&found);
    if !found.names.is_empty() {
        // The statement may be unfinished. With a name at the cursor: `s. FROM t` is a column `from` of `s`.
        let mut marked = sql.clone();
        if found.word.is_empty() {
            marked.insert(found.word.start, '_');
        }
        if let Ok(tree) = pg_ast::parse_lossy(&marked).and_then(|lossy| lossy.tree.to_view()) {
            catalog.add_queries(&tree);
        }
        items.names(&catalog, &found, qualifier.as_deref());
    }
    items.all
}

/// Returns the qualifier before a place: `t` of `t.`.
fn qualifier(sql: &str, offset: usize) -> Option<String> {
    let before = sql.get(..offset)?;
    let start = before.rfind([';', '\'', '\n', '(', ',', ' ']).map_or(0, |at| at + 1);
    let tokens = pg_ast::scan(&before[start..]).ok()?.tokens;
    let [.., name, dot] = tokens.as_slice() else { return None };
    let text = |range: Range<usize>| &before[start + range.start..start + range.end];
    if text(dot.range()) != "." {
        return None;
    }
    let name = text(name.range());
    Some(match name.strip_prefix('"') {
        Some(quoted) => quoted.trim_end_matches('"').replace("\"\"", "\""),
        None => name.to_lowercase(),
    })
}

struct Items<'a> {
    lines: &'a Lines<'a>,
    /// The range of the word being typed, and its text.
    word: Range<usize>,
    begun: &'a str,
    /// The sort key of an item: names precede keywords.
    seen: HashSet<String>,
    all: Vec<CompletionItem>,
}

impl Items<'_> {
    /// Adds the variables of a function, and PL/pgSQL's keywords.
    fn of_body(
        &mut self,
        body: &InBody,
        catalog: &Catalog,
        found: &Completion,
        qualifier: Option<&str>,
    ) {
        if let Some(qualifier) = qualifier {
            // The fields of a row variable.
            let row = body.names.iter().find(|name| name.name == qualifier);
            let table = row.and_then(|row| row.of_type.split('%').next()?.rsplit('.').next());
            self.columns(table.and_then(|table| catalog.table("", table)));
            return;
        }
        let is_start = !body.keywords.is_empty();
        if is_start || body.sql.is_none() || found.names.contains(&NameKind::Column) {
            for name in &body.names {
                self.name(&name.name, CompletionItemKind::VARIABLE, &name.of_type);
            }
        }
        let lower = self.begun.chars().any(char::is_lowercase);
        for keyword in body.keywords {
            let keyword = if lower { keyword.to_lowercase() } else { (*keyword).to_owned() };
            self.add(&keyword, &keyword, CompletionItemKind::KEYWORD, "", "2");
        }
    }

    fn keywords(&mut self, found: &Completion) {
        let lower = self.begun.chars().any(char::is_lowercase);
        for expected in &found.expected {
            let Expected::Keyword(keyword) = expected else { continue };
            let keyword = if lower { keyword.to_lowercase() } else { (*keyword).to_owned() };
            self.add(&keyword, &keyword, CompletionItemKind::KEYWORD, "", "2");
        }
    }

    fn names(&mut self, catalog: &Catalog, found: &Completion, qualifier: Option<&str>) {
        let of_file = |scope: &TableInScope| {
            catalog.table(scope.schema_name.as_deref().unwrap_or_default(), &scope.table_name)
        };
        if found.names.contains(&NameKind::Column) {
            let tables = found.tables.iter().map(|scope| {
                let of = scope.alias.as_ref().map_or("", |_| &scope.table_name);
                (scope.alias.as_ref().unwrap_or(&scope.table_name), of, of_file(scope))
            });
            let queries = catalog.subselects.iter().map(|query| (&query.name, "", Some(query)));
            for (called, of, table) in tables.chain(queries) {
                if qualifier.is_none_or(|qualifier| qualifier == called) {
                    self.columns(table);
                }
                if qualifier.is_none() {
                    self.name(called, CompletionItemKind::VARIABLE, of);
                }
            }
        }
        if found.names.contains(&NameKind::Table) {
            let tables = catalog.tables.iter();
            for table in tables.filter(|table| qualifier.is_none_or(|it| it == table.schema)) {
                self.name(&table.name, CompletionItemKind::STRUCT, &table.schema);
            }
            // The tables of other statements that this one names.
            for scope in found.tables.iter().filter(|_| qualifier.is_none()) {
                self.name(&scope.table_name, CompletionItemKind::STRUCT, "");
            }
        }
        if found.names.contains(&NameKind::Function) && qualifier.is_none() {
            for function in &catalog.functions {
                self.name(function, CompletionItemKind::FUNCTION, "");
            }
        }
        if found.names.contains(&NameKind::Type) {
            let built_in = TYPES.iter().copied().filter(|_| qualifier.is_none());
            for name in catalog.types.iter().map(String::as_str).chain(built_in) {
                self.name(name, CompletionItemKind::CLASS, "");
            }
        }
    }

    fn columns(&mut self, table: Option<&Table>) {
        for column in table.iter().flat_map(|table| &table.columns) {
            self.name(&column.name, CompletionItemKind::FIELD, &column.type_name);
        }
    }

    fn name(&mut self, name: &str, kind: CompletionItemKind, detail: &str) {
        // Quoted if necessary.
        let table = make::range_var(None, name).into();
        let quoted = pg_ast::deparse_node(&table).unwrap_or_else(|_| name.to_owned());
        let plain = self.begun.starts_with('"') && !quoted.starts_with('"');
        let quoted = if plain { format!("\"{quoted}\"") } else { quoted };
        self.add(name, &quoted, kind, detail, "1");
    }

    /// Adds an item that matches the prefix, if it is new.
    fn add(&mut self, label: &str, text: &str, kind: CompletionItemKind, detail: &str, rank: &str) {
        let begun = self.begun.trim_start_matches('"').to_lowercase();
        let sort_text = format!("{rank}{label}");
        if self.all.len() >= MAX
            || !label.to_lowercase().starts_with(&begun)
            || !self.seen.insert(sort_text.clone())
        {
            return;
        }
        let edit = TextEdit { range: self.lines.range(&self.word), new_text: text.to_owned() };
        self.all.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail: (!detail.is_empty()).then(|| document::one_line(detail, 80)),
            sort_text: Some(sort_text),
            text_edit: Some(CompletionTextEdit::Edit(edit)),
            ..CompletionItem::default()
        });
    }
}

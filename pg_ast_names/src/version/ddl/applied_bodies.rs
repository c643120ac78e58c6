//! What a `DO` may do to a catalog.

use std::collections::HashSet;

use pg_ast::Literal;

use super::apply_changes::forget_views;
use super::pg::view::{DoStmt, Node};
use crate::ddl_catalog::DdlCatalog;

/// The words without which a body changes no definitions.
const CHANGES: [&str; 4] = ["alter", "create", "drop", "execute"];

/// What is in no schema, or no name that is looked up.
const OTHERS: [&str; 8] =
    ["role", "user", "group", "policy", "publication", "subscription", "database", "event"];

/// How many schemas of the search path each word is looked up in: a path is never as long.
const MOST_SCHEMAS: usize = 100;

/// Returns the words of a text, each with the character behind it.
fn words(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut rest = text;
    core::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c| !is_of_word(c));
        let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        (!word.is_empty()).then(|| (word, behind.chars().next()))
    })
}

/// Whether a `DO` alters a table may depend on what there is, so of the tables whose names are in its body, not all columns are known
/// afterwards, nor all tables of the schemas in which it may create some.
pub(crate) fn apply_do(catalog: &mut DdlCatalog, stmt: DoStmt<'_>) {
    let body = Node::DoStmt(stmt).routine_body();
    if let Some(body) = body.and_then(|body| body.source) {
        apply_body(catalog, body, &[]);
    }
}

/// The same of the functions that a statement calls; what is in its strings may be names.
pub(crate) fn apply_calls(catalog: &mut DdlCatalog, stmt: Node<'_>) {
    let mut bodies = Vec::new();
    for call in stmt.nodes().filter_map(Node::as_func_call) {
        let name = call.funcname().qualified_name();
        let schemas = match &name.schema {
            Some(schema) => core::slice::from_ref(schema),
            None => &catalog.search_path[..],
        };
        for schema in schemas.iter().take(MOST_SCHEMAS) {
            let contents = catalog.schemas.get(schema);
            let routines = contents.and_then(|it| it.routines.get(&name.name));
            let of_all = routines.into_iter().flatten().filter_map(|it| it.body.as_ref());
            bodies.extend(of_all.map(|body| body.source.clone()));
        }
    }
    if bodies.is_empty() {
        return;
    }
    let strings = stmt.nodes().filter_map(|node| match node.literal() {
        Some(Literal::String(text)) => Some(text),
        _ => None,
    });
    let strings: Vec<_> = strings.collect();
    bodies.sort();
    bodies.dedup();
    for body in bodies {
        apply_body(catalog, &body, &strings);
    }
}

fn apply_body(catalog: &mut DdlCatalog, body: &str, strings: &[&str]) {
    let is_one = |word: &str, of: &[&str]| of.iter().any(|it| word.eq_ignore_ascii_case(it));
    let behind = words(body).skip(1).map(|(word, _)| word).chain([""]);
    let is_change = |(word, next): (&str, &str)| is_one(word, &CHANGES) && !is_one(next, &OTHERS);
    if !words(body).map(|(word, _)| word).zip(behind).any(is_change) {
        return;
    }
    catalog.has_all_schemas = false;
    let path: Vec<_> = catalog.search_path.iter().take(MOST_SCHEMAS).cloned().collect();
    for schema in &path {
        if let Some(contents) = catalog.schemas.get_mut(schema) {
            contents.is_open = true;
        }
    }
    let mut schema: Option<String> = None;
    let mut changed = HashSet::new();
    let of_strings = strings.iter().flat_map(|text| words(text));
    for (word, behind) in words(body).chain(of_strings) {
        for name in [word.to_owned(), word.to_lowercase()] {
            let of = match &schema {
                Some(schema) => core::slice::from_ref(schema),
                None => &path,
            };
            for schema in of {
                let contents = catalog.schemas.get_mut(schema);
                if let Some(relation) = contents.and_then(|it| it.relations.get_mut(&name)) {
                    relation.is_complete = false;
                    relation.has_all_parts = false;
                    changed.insert(relation.name.clone());
                }
            }
        }
        let is_schema = behind == Some('.');
        schema =
            is_schema.then(|| word.to_owned()).filter(|name| catalog.schemas.contains_key(name));
        if let Some(contents) = schema.as_ref().and_then(|name| catalog.schemas.get_mut(name)) {
            contents.is_open = true;
        }
    }
    for name in changed {
        forget_views(catalog, &name, None);
    }
}

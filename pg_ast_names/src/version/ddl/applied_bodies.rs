//! What a `DO` may do to a catalog.

use std::collections::HashSet;

use super::apply_changes::forget_views;
use super::pg::view::{DoStmt, Node};
use crate::ddl_catalog::DdlCatalog;

/// The words without which a body changes no definitions.
const CHANGES: [&str; 4] = ["alter", "create", "drop", "execute"];

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
    let Some(body) = body.and_then(|body| body.source) else { return };
    let is_change = |word: &str| CHANGES.iter().any(|change| word.eq_ignore_ascii_case(change));
    if !words(body).any(|(word, _)| is_change(word)) {
        return;
    }
    let path: Vec<_> = catalog.search_path.iter().take(MOST_SCHEMAS).cloned().collect();
    for schema in &path {
        if let Some(contents) = catalog.schemas.get_mut(schema) {
            contents.is_open = true;
        }
    }
    let mut schema: Option<String> = None;
    let mut changed = HashSet::new();
    for (word, behind) in words(body) {
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

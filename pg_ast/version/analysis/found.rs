//! What a pass has found so far, borrowed from the tree.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use super::super::ffi::{self, Scan};
use super::super::protobuf::KeywordKind;
use super::super::view::Node;
use crate::analysis::{Analysis, Context, FilterColumn, Function, Table};
use crate::arena::with_arena;
use crate::error::Error;

/// Each value once, in the order in which it came.
#[derive(Debug)]
pub(super) struct Ordered<T> {
    seen: HashSet<T>,
    pub(super) items: Vec<T>,
}

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self { seen: HashSet::new(), items: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Ordered<T> {
    pub(super) fn insert(&mut self, item: T) {
        if self.items.last() != Some(&item) && self.seen.insert(item.clone()) {
            self.items.push(item);
        }
    }
}

/// The name of a table; the schema is empty where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name<'a> {
    pub(super) schema: &'a str,
    pub(super) table: &'a str,
}

impl Name<'_> {
    fn plain(self) -> String {
        if self.schema.is_empty() {
            self.table.to_owned()
        } else {
            format!("{}.{}", self.schema, self.table)
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Found<'a> {
    pub(super) tables: Ordered<(Name<'a>, Context)>,
    /// In the order in which they were met.
    pub(super) aliases: Vec<(&'a str, Name<'a>)>,
    pub(super) cte_names: Ordered<&'a str>,
    /// The parts of the name, schema first.
    pub(super) functions: Ordered<(Vec<&'a str>, Context)>,
    /// Schema and table, empty where they are not said, and column.
    pub(super) filter_columns: Ordered<[&'a str; 3]>,
    pub(super) statement_types: Ordered<&'static str>,
}

/// The strings of a name, a star for `*`.
pub(super) fn strings<'a>(name: impl IntoIterator<Item = Node<'a>>) -> Vec<&'a str> {
    let parts = name.into_iter().filter_map(|node| match node {
        Node::String(string) => Some(string.sval()),
        Node::AStar(_) => Some("*"),
        _ => None,
    });
    parts.collect()
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

impl Found<'_> {
    pub(super) fn table_names(&self, context: Option<Context>) -> Vec<String> {
        let mut names = Ordered::default();
        for &(name, of) in &self.tables.items {
            if context.is_none_or(|context| context == of) {
                names.insert(name);
            }
        }
        names.items.into_iter().map(Name::plain).collect()
    }

    pub(super) fn function_names(&self, context: Option<Context>) -> Vec<String> {
        let mut names = Ordered::default();
        for (name, of) in &self.functions.items {
            if context.is_none_or(|context| context == *of) {
                names.insert(name);
            }
        }
        names.items.into_iter().map(|name| name.join(".")).collect()
    }

    pub(super) fn plain_aliases(&self) -> HashMap<String, String> {
        self.aliases.iter().map(|(alias, name)| ((*alias).to_owned(), name.plain())).collect()
    }

    pub(super) fn cte_names(&self) -> Vec<String> {
        self.cte_names.items.iter().map(|&name| name.to_owned()).collect()
    }

    pub(super) fn plain_filter_columns(&self) -> Vec<(Option<String>, String)> {
        let mut columns = Ordered::default();
        for [_, table, column] in &self.filter_columns.items {
            columns.insert((*table, *column));
        }
        let owned = |(table, column): (&str, &str)| (some(table), column.to_owned());
        columns.items.into_iter().map(owned).collect()
    }

    pub(super) fn analysis(&self) -> Result<Analysis, Error> {
        let mut quoted = Quoted::default();
        let mut tables = Vec::with_capacity(self.tables.items.len());
        for &(name, context) in &self.tables.items {
            tables.push(Table {
                name: quoted.name(name)?,
                schema_name: some(name.schema),
                table_name: name.table.to_owned(),
                context,
            });
        }
        let mut aliases = BTreeMap::new();
        for &(alias, name) in &self.aliases {
            aliases.insert(alias.to_owned(), quoted.name(name)?);
        }
        let function = |(parts, context): &(Vec<&str>, Context)| Function {
            name: parts.join("."),
            // Before the name may stand the database, and before that nothing.
            schema_name: match parts[..] {
                [schema, _] | [_, schema, _] => Some(schema.to_owned()),
                _ => None,
            },
            function_name: parts.last().copied().unwrap_or_default().to_owned(),
            context: *context,
        };
        let column = |&[schema, table, column]: &[&str; 3]| FilterColumn {
            schema_name: some(schema),
            table_name: some(table),
            column: column.to_owned(),
        };
        Ok(Analysis {
            tables,
            aliases,
            cte_names: self.cte_names(),
            functions: self.functions.items.iter().map(function).collect(),
            filter_columns: self.filter_columns.items.iter().map(column).collect(),
            statement_types: self.statement_types.items.clone(),
        })
    }
}

/// Names as SQL writes them, each looked up once.
///
/// Mirrors `quote_identifier` of PostgreSQL's `src/backend/utils/adt/ruleutils.c`.
#[derive(Default)]
struct Quoted<'a>(HashMap<&'a str, String>);

impl<'a> Quoted<'a> {
    fn name(&mut self, name: Name<'a>) -> Result<String, Error> {
        let table = self.identifier(name.table)?.to_owned();
        if name.schema.is_empty() {
            return Ok(table);
        }
        Ok(format!("{}.{table}", self.identifier(name.schema)?))
    }

    fn identifier(&mut self, name: &'a str) -> Result<&str, Error> {
        use std::collections::hash_map::Entry;
        Ok(match self.0.entry(name) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(if needs_quotes(name)? {
                format!("\"{}\"", name.replace('"', "\"\""))
            } else {
                name.to_owned()
            }),
        })
    }
}

/// Whether a name is no identifier as it stands: it has other characters, or is a keyword that is
/// not free for every use.
fn needs_quotes(name: &str) -> Result<bool, Error> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if name.as_bytes().first().is_none_or(u8::is_ascii_digit) || !name.bytes().all(plain) {
        return Ok(true);
    }
    // The scanner has the keywords of this version. No keyword has a digit.
    if name.bytes().any(|byte| byte.is_ascii_digit()) {
        return Ok(false);
    }
    let scan = with_arena(|arena| Scan::new(ffi::c_string(name, arena)?))?;
    let free = [KeywordKind::NoKeyword as i32, KeywordKind::UnreservedKeyword as i32];
    Ok(scan.tokens().first().is_none_or(|token| !free.contains(&token.keyword_kind)))
}

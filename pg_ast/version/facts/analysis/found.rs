//! The results of a pass so far, borrowed from the tree.

use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;

use super::ffi;
use crate::types::analysis::{Analysis, Context, FilterColumn, Function, Table};
use crate::types::qualified_name::QualifiedName;

/// A set of values in the order of their insertion.
#[derive(Debug)]
pub(crate) struct Ordered<T> {
    pub(crate) items: Vec<T>,
    /// All values, once there are too many for a linear search.
    seen: HashSet<T>,
}

/// The number of values up to which a linear search is faster than a hash.
const FEW: usize = 8;

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self { items: Vec::new(), seen: HashSet::new() }
    }
}

impl<T: Clone + Eq + Hash> Ordered<T> {
    pub(crate) fn insert(&mut self, item: T) {
        if self.items.len() < FEW {
            if self.items.contains(&item) {
                return;
            }
        } else {
            if self.seen.is_empty() {
                self.seen.extend(self.items.iter().cloned());
            }
            if !self.seen.insert(item.clone()) {
                return;
            }
        }
        self.items.push(item);
    }
}

/// The name of a table or a function; the schema is empty where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameInSchema<'a> {
    pub(crate) schema: &'a str,
    pub(crate) name: &'a str,
}

impl NameInSchema<'_> {
    fn to_owned_name(self) -> QualifiedName {
        QualifiedName::of_parts(self.schema, self.name)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    pub(crate) tables: Ordered<(NameInSchema<'a>, Context)>,
    /// In the order in which they were found.
    pub(crate) aliases: Vec<(&'a str, NameInSchema<'a>)>,
    pub(crate) cte_names: Ordered<&'a str>,
    pub(crate) functions: Ordered<(NameInSchema<'a>, Context)>,
    /// Schema and table, empty where they are not named, and column.
    pub(crate) filter_columns: Ordered<[&'a str; 3]>,
    pub(crate) statement_types: Ordered<&'static str>,
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the names that have this context, each once.
fn with_context(
    items: &Ordered<(NameInSchema<'_>, Context)>,
    context: Option<Context>,
) -> Vec<QualifiedName> {
    let mut names = Ordered::default();
    for &(name, of) in &items.items {
        if context.is_none_or(|context| context == of) {
            names.insert(name);
        }
    }
    names.items.into_iter().map(NameInSchema::to_owned_name).collect()
}

impl Found<'_> {
    pub(crate) fn table_names(&self, context: Option<Context>) -> Vec<QualifiedName> {
        with_context(&self.tables, context)
    }

    pub(crate) fn function_names(&self, context: Option<Context>) -> Vec<QualifiedName> {
        with_context(&self.functions, context)
    }

    pub(crate) fn aliases(&self) -> BTreeMap<String, QualifiedName> {
        let mut aliases = BTreeMap::new();
        // Collecting them would sort them first, with code that nothing else needs.
        let names = self.aliases.iter();
        aliases.extend(names.map(|&(alias, name)| (alias.to_owned(), name.to_owned_name())));
        aliases
    }

    pub(crate) fn cte_names(&self) -> Vec<String> {
        self.cte_names.items.iter().map(|&name| name.to_owned()).collect()
    }

    pub(crate) fn plain_filter_columns(&self) -> Vec<(Option<String>, String)> {
        let mut columns = Ordered::default();
        for [_, table, column] in &self.filter_columns.items {
            columns.insert((*table, *column));
        }
        let owned = |(table, column): (&str, &str)| (some(table), column.to_owned());
        columns.items.into_iter().map(owned).collect()
    }

    pub(crate) fn analysis(&self) -> Analysis {
        let table = |&(name, context): &(NameInSchema<'_>, Context)| Table {
            name: name.to_owned_name(),
            context,
        };
        let function = |&(name, context): &(NameInSchema<'_>, Context)| Function {
            name: name.to_owned_name(),
            context,
        };
        let column = |&[schema, table, column]: &[&str; 3]| FilterColumn {
            table: (!table.is_empty()).then(|| QualifiedName::of_parts(schema, table)),
            column: column.to_owned(),
        };
        Analysis {
            tables: self.tables.items.iter().map(table).collect(),
            aliases: self.aliases(),
            cte_names: self.cte_names(),
            functions: self.functions.items.iter().map(function).collect(),
            filter_columns: self.filter_columns.items.iter().map(column).collect(),
            statement_types: self.statement_types.items.clone(),
        }
    }
}

/// Returns a name as it is written in SQL: in quotes, if it needs them.
///
/// Mirrors `quote_identifier` of PostgreSQL's `src/backend/utils/adt/ruleutils.c`.
///
/// ```
/// assert_eq!(pg_ast::quote_identifier("users"), "users");
/// assert_eq!(pg_ast::quote_identifier("New Users"), "\"New Users\"");
/// assert_eq!(pg_ast::quote_identifier("order"), "\"order\"");
/// ```
#[must_use]
pub fn quote_identifier(name: &str) -> String {
    let mut sql = String::with_capacity(name.len() + 2);
    push_quoted(&mut sql, name);
    sql
}

/// Appends a name, in quotes if it needs them.
pub(crate) fn push_quoted(sql: &mut String, name: &str) {
    if needs_quotes(name) {
        push_in_quotes(sql, name);
    } else {
        sql.push_str(name);
    }
}

/// Appends a name in quotes.
fn push_in_quotes(sql: &mut String, name: &str) {
    sql.push('"');
    sql.push_str(&name.replace('"', "\"\""));
    sql.push('"');
}

/// Returns whether a name is not an identifier as it is: it has other characters, or is a keyword that is
/// not free for every use.
fn needs_quotes(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.as_bytes().first().is_none_or(u8::is_ascii_digit)
        || !name.bytes().all(plain)
        || ffi::is_reserved(name)
}

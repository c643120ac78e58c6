//! The result of an analysis, which is the same for all versions.

use core::hash::Hash;
use std::collections::{BTreeMap, HashSet};

use crate::types::error::Warning;
use crate::types::heap_size::HeapSize;
use crate::types::qualified_name::QualifiedName;

/// The use that a statement makes of a table or a function.
///
/// ```
/// use pg_ast::Context;
///
/// let tree = pg_ast::parse("INSERT INTO a SELECT f(b) FROM c; ALTER TABLE d ADD e int")?;
/// let analysis = tree.analyze();
/// let tables: Vec<_> = analysis.tables.iter().map(|table| (&*table.name.name, table.context)).collect();
/// assert_eq!(tables, [("a", Context::Dml), ("c", Context::Select), ("d", Context::Ddl)]);
/// assert_eq!(analysis.functions[0].context, Context::Call);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Context {
    /// A table that is read.
    Select,
    /// A table whose rows are written: the target of `INSERT`, `UPDATE`, `DELETE` or `MERGE`.
    Dml,
    /// A table or function that a utility statement is about: `ALTER TABLE`, `TRUNCATE`, `GRANT`, ..
    Ddl,
    /// A function that is called.
    Call,
}

/// A table, view or other relation that a statement names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Table {
    /// The name, with the schema if the statement names it.
    pub name: QualifiedName,
    /// The use of the table.
    pub context: Context,
}

/// A function that a statement names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Function {
    /// The name, with the schema if the statement names it.
    pub name: QualifiedName,
    /// [`Call`](Context::Call), or [`Ddl`](Context::Ddl) if a utility statement is about it.
    pub context: Context,
}

/// A column that a condition names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FilterColumn {
    /// The table, or an alias of one, if the statement names it; with the schema if it names that.
    pub table: Option<QualifiedName>,
    /// The column.
    pub column: String,
}

/// The tables, functions and so on that statements name, each once, in the order of their first use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Analysis {
    /// The tables, once per context.
    pub tables: Vec<Table>,
    /// The aliases of tables, each with the table's [`name`](Table::name). If two subselects use
    /// the same alias for different tables, the last one wins.
    pub aliases: BTreeMap<String, QualifiedName>,
    /// The names that `WITH` defines.
    pub cte_names: Vec<String>,
    /// The functions, once per context.
    pub functions: Vec<Function>,
    /// The columns used in conditions.
    pub filter_columns: Vec<FilterColumn>,
    /// The types of the statements and of those nested in them, by their C names: `SelectStmt`.
    pub statement_types: Vec<&'static str>,
}

impl HeapSize for Analysis {
    fn heap_size(&self) -> usize {
        let Self { tables, aliases, cte_names, functions, filter_columns, statement_types } = self;
        tables.heap_size()
            + aliases.heap_size()
            + cte_names.heap_size()
            + functions.heap_size()
            + filter_columns.heap_size()
            + statement_types.heap_size()
    }
}

impl HeapSize for Table {
    fn heap_size(&self) -> usize {
        let Self { name, context: _ } = self;
        name.heap_size()
    }
}

impl HeapSize for Function {
    fn heap_size(&self) -> usize {
        let Self { name, context: _ } = self;
        name.heap_size()
    }
}

impl HeapSize for FilterColumn {
    fn heap_size(&self) -> usize {
        let Self { table, column } = self;
        table.heap_size() + column.heap_size()
    }
}

/// The result of [`summary`](crate::summary()).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Summary {
    /// The tables, once per context.
    pub tables: Vec<Table>,
    /// The aliases of tables and of names that `WITH` defines, each with the name that it stands for. If two subselects use the
    /// same alias for different tables, the last one wins.
    pub aliases: BTreeMap<String, QualifiedName>,
    /// The names that `WITH` defines.
    pub cte_names: Vec<String>,
    /// The functions, once per context.
    pub functions: Vec<Function>,
    /// The columns in the `WHERE` clause of each `SELECT`.
    pub filter_columns: Vec<FilterColumn>,
    /// The types of the statements and of those nested in them, by their C names: `SelectStmt`.
    pub statement_types: Vec<&'static str>,
    /// The SQL cut to the requested length, if there was a limit.
    pub truncated_query: Option<String>,
    /// The warnings that PostgreSQL raised while it parsed, in order.
    pub warnings: Vec<Warning>,
}

macro_rules! names_alone {
    ($($(#[$doc:meta])* $type:ident;)*) => {$(
        $(#[$doc])*
        impl $type {
            /// The tables that the statements name.
            #[must_use]
            pub fn tables(&self) -> Vec<QualifiedName> {
                self.table_names(None)
            }

            /// The tables that are read.
            #[must_use]
            pub fn select_tables(&self) -> Vec<QualifiedName> {
                self.table_names(Some(Context::Select))
            }

            /// The tables whose rows are written.
            #[must_use]
            pub fn dml_tables(&self) -> Vec<QualifiedName> {
                self.table_names(Some(Context::Dml))
            }

            /// The tables that utility statements are about.
            #[must_use]
            pub fn ddl_tables(&self) -> Vec<QualifiedName> {
                self.table_names(Some(Context::Ddl))
            }

            /// The functions that the statements name.
            #[must_use]
            pub fn functions(&self) -> Vec<QualifiedName> {
                self.function_names(None)
            }

            /// The functions that are called.
            #[must_use]
            pub fn call_functions(&self) -> Vec<QualifiedName> {
                self.function_names(Some(Context::Call))
            }

            /// The functions that utility statements are about.
            #[must_use]
            pub fn ddl_functions(&self) -> Vec<QualifiedName> {
                self.function_names(Some(Context::Ddl))
            }

            fn table_names(&self, context: Option<Context>) -> Vec<QualifiedName> {
                let tables = self.tables.iter();
                names(tables.map(|table| (&table.name, table.context)), context)
            }

            fn function_names(&self, context: Option<Context>) -> Vec<QualifiedName> {
                let functions = self.functions.iter();
                names(functions.map(|function| (&function.name, function.context)), context)
            }
        }
    )*};
}
names_alone! {
    /// Methods for the names alone, each once; tables and functions as in the fields.
    ///
    /// ```
    /// let summary = pg_ast::summary("INSERT INTO a SELECT now() FROM b, \"B\"", None)?;
    /// assert_eq!(summary.tables(), ["a", "b", "\"B\""]);
    /// assert_eq!(summary.dml_tables(), ["a"]);
    /// assert_eq!((summary.call_functions()[0].name.as_str(), summary.ddl_functions().len()), ("now", 0));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    Summary;
    /// Methods for the names alone, each once; tables and functions as in the fields.
    ///
    /// ```
    /// let found = pg_ast::parse("INSERT INTO a SELECT now() FROM b, \"B\"")?.analyze();
    /// assert_eq!(found.tables(), ["a", "b", "\"B\""]);
    /// assert_eq!(found.dml_tables(), ["a"]);
    /// assert_eq!(found.call_functions(), ["now"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    Analysis;
}

/// Returns each name once; only those with the given context, if there is one.
fn names<'a>(
    all: impl Iterator<Item = (&'a QualifiedName, Context)>,
    context: Option<Context>,
) -> Vec<QualifiedName> {
    let of_context = all.filter(|(_, of)| context.is_none_or(|context| context == *of));
    once(of_context.map(|(name, _)| name))
}

/// What several statements name, each name once.
impl<'t> FromIterator<&'t Analysis> for Analysis {
    fn from_iter<I: IntoIterator<Item = &'t Analysis>>(all: I) -> Self {
        let all: Vec<_> = all.into_iter().collect();
        let mut aliases = BTreeMap::new();
        for names in &all {
            aliases.extend(names.aliases.clone());
        }
        Self {
            tables: once(all.iter().flat_map(|names| &names.tables)),
            aliases,
            cte_names: once(all.iter().flat_map(|names| &names.cte_names)),
            functions: once(all.iter().flat_map(|names| &names.functions)),
            filter_columns: once(all.iter().flat_map(|names| &names.filter_columns)),
            statement_types: once(all.iter().flat_map(|names| &names.statement_types)),
        }
    }
}

/// Returns each item once, in the order of the first ones.
fn once<'t, T: Clone + Eq + Hash + 't>(items: impl Iterator<Item = &'t T>) -> Vec<T> {
    let mut seen = HashSet::new();
    items.filter(|item| seen.insert(*item)).cloned().collect()
}

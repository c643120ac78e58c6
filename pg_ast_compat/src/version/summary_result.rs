//! The result of a summary.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::parse_result::warnings;
use super::protobuf::{self, summary_result, summary_result::Context};

/// The names in SQL, and the SQL cut to a length.
#[derive(Debug, PartialEq)]
pub struct SummaryResult {
    /// The message that this was made from.
    pub protobuf: protobuf::SummaryResult,
    /// PostgreSQL's warnings.
    pub warnings: Vec<String>,
    /// The tables, each once per context.
    pub tables: Vec<Table>,
    /// Tables by their aliases.
    pub aliases: HashMap<String, String>,
    /// The names of common table expressions.
    pub cte_names: Vec<String>,
    /// The functions, each once per context.
    pub functions: Vec<Function>,
    /// The columns that filter rows.
    pub filter_columns: Vec<FilterColumn>,
    /// The SQL cut to the requested length; empty if there was no limit.
    pub truncated_query: String,
    /// The types of the statements, by PostgreSQL's names.
    pub statement_types: Vec<String>,
}

/// Returns the values in their order, each once.
fn unique<T: Clone + Eq + Hash>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    values.into_iter().filter(|value| seen.insert(value.clone())).collect()
}

impl SummaryResult {
    /// Reads a message. `stderr` has PostgreSQL's warnings, one per line.
    #[allow(clippy::needless_pass_by_value)]
    pub fn new(protobuf: protobuf::SummaryResult, stderr: String) -> Self {
        Self {
            warnings: warnings(&stderr),
            tables: unique(protobuf.tables.iter().map(Table::from)),
            aliases: protobuf.aliases.clone(),
            cte_names: unique(protobuf.cte_names.iter().cloned()),
            functions: unique(protobuf.functions.iter().map(Function::from)),
            filter_columns: unique(protobuf.filter_columns.iter().map(FilterColumn::from)),
            truncated_query: protobuf.truncated_query.clone(),
            statement_types: protobuf.statement_types.clone(),
            protobuf,
        }
    }

    /// Returns all tables.
    pub fn tables(&self) -> Vec<String> {
        unique(self.tables.iter().map(|table| table.name.clone()))
    }

    /// Returns the tables that are read.
    pub fn select_tables(&self) -> Vec<String> {
        self.tables_with(Context::Select)
    }

    /// Returns the tables whose rows are changed.
    pub fn dml_tables(&self) -> Vec<String> {
        self.tables_with(Context::Dml)
    }

    /// Returns the tables whose definition is changed.
    pub fn ddl_tables(&self) -> Vec<String> {
        self.tables_with(Context::Ddl)
    }

    /// Returns all functions.
    pub fn functions(&self) -> Vec<String> {
        unique(self.functions.iter().map(|function| function.name.clone()))
    }

    /// Returns the functions whose definition is changed.
    pub fn ddl_functions(&self) -> Vec<String> {
        self.functions_with(Context::Ddl)
    }

    /// Returns the functions that are called.
    pub fn call_functions(&self) -> Vec<String> {
        self.functions_with(Context::Call)
    }

    /// Returns the types of the statements, by PostgreSQL's names.
    pub fn statement_types(&self) -> Vec<&str> {
        self.statement_types.iter().map(String::as_str).collect()
    }

    fn tables_with(&self, context: Context) -> Vec<String> {
        let tables = self.tables.iter().filter(|table| table.context == context);
        tables.map(|table| table.name.clone()).collect()
    }

    fn functions_with(&self, context: Context) -> Vec<String> {
        let functions = self.functions.iter().filter(|function| function.context == context);
        functions.map(|function| function.name.clone()).collect()
    }
}

/// A table that a statement names.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Table {
    /// The name, with the schema if it has one.
    pub name: String,
    /// The schema, or nothing.
    pub schema_name: String,
    /// The name without the schema.
    pub table_name: String,
    /// The use of the table.
    pub context: Context,
}

impl From<&summary_result::Table> for Table {
    fn from(table: &summary_result::Table) -> Self {
        Self {
            name: table.name.clone(),
            schema_name: table.schema_name.clone(),
            table_name: table.table_name.clone(),
            context: table.context(),
        }
    }
}

/// A function that a statement names.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Function {
    /// The name, with the schema if it has one.
    pub name: String,
    /// The name without the schema.
    pub function_name: String,
    /// The schema.
    pub schema_name: Option<String>,
    /// The use of the function.
    pub context: Context,
}

impl From<&summary_result::Function> for Function {
    fn from(function: &summary_result::Function) -> Self {
        Self {
            name: function.name.clone(),
            function_name: function.function_name.clone(),
            schema_name: unless_empty(&function.schema_name),
            context: function.context(),
        }
    }
}

/// A column that filters rows.
#[derive(Clone, Debug, Eq, Hash, PartialEq, PartialOrd, Ord)]
pub struct FilterColumn {
    /// The schema, if it is named there.
    pub schema_name: Option<String>,
    /// The table, if it is named there.
    pub table_name: Option<String>,
    /// The column.
    pub column: String,
}

impl From<&summary_result::FilterColumn> for FilterColumn {
    fn from(filter: &summary_result::FilterColumn) -> Self {
        Self {
            schema_name: unless_empty(&filter.schema_name),
            table_name: unless_empty(&filter.table_name),
            column: filter.column.clone(),
        }
    }
}

fn unless_empty(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}

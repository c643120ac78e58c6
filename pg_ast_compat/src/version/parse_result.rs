//! The result of a parse, with the names in it.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::protobuf::{self, Node, ObjectType};
use super::{Context, NodeEnum, NodeRef, Result, statement_types, truncate};

/// The tree of SQL, and the names in its statements.
#[derive(Debug)]
pub struct ParseResult {
    /// The tree.
    pub protobuf: protobuf::ParseResult,
    /// PostgreSQL's warnings.
    pub warnings: Vec<String>,
    /// The tables, with their schema if they have one, each once per context.
    pub tables: Vec<(String, Context)>,
    /// Tables by their aliases.
    pub aliases: HashMap<String, String>,
    /// The names of common table expressions.
    pub cte_names: Vec<String>,
    /// The functions, each once per context.
    pub functions: Vec<(String, Context)>,
    /// The columns that filter rows, with the table if it is named there.
    pub filter_columns: Vec<(Option<String>, String)>,
}

/// A set of values in the order of their insertion.
struct Unique<T> {
    seen: HashSet<T>,
    values: Vec<T>,
}

impl<T: Clone + Eq + Hash> Unique<T> {
    fn new() -> Self {
        Self { seen: HashSet::new(), values: Vec::new() }
    }

    fn insert(&mut self, value: T) {
        if self.seen.insert(value.clone()) {
            self.values.push(value);
        }
    }
}

/// Returns the lines of PostgreSQL's output that are warnings.
pub(super) fn warnings(stderr: &str) -> Vec<String> {
    let lines = stderr.lines().filter(|line| line.starts_with("WARNING"));
    lines.map(|line| line.trim().to_owned()).collect()
}

/// Returns the string in a node.
fn string(node: &Node) -> Option<&str> {
    match &node.node {
        Some(NodeEnum::String(string)) => Some(&string.sval),
        _ => None,
    }
}

fn dotted(names: &[Node]) -> String {
    names.iter().filter_map(string).collect::<Vec<_>>().join(".")
}

impl ParseResult {
    /// Collects the names in the statements. `stderr` has PostgreSQL's warnings, one per line.
    #[allow(clippy::needless_pass_by_value)]
    pub fn new(protobuf: protobuf::ParseResult, stderr: String) -> Self {
        let mut tables = Unique::new();
        let mut aliases = HashMap::new();
        let mut cte_names = Unique::new();
        let mut functions = Unique::new();
        let mut filter_columns = Unique::new();

        for (node, _, context, filters) in protobuf.nodes() {
            match node {
                NodeRef::CommonTableExpr(cte) => cte_names.insert(cte.ctename.clone()),
                NodeRef::RangeVar(range_var) => {
                    let table = match range_var.schemaname.as_str() {
                        "" => range_var.relname.clone(),
                        schema => format!("{schema}.{}", range_var.relname),
                    };
                    if !cte_names.seen.contains(&table) {
                        if let Some(alias) = &range_var.alias {
                            aliases.insert(alias.aliasname.clone(), table.clone());
                        }
                        tables.insert((table, context));
                    }
                }
                NodeRef::FuncCall(call) => {
                    functions.insert((dotted(&call.funcname), Context::Call));
                }
                NodeRef::DropStmt(drop) => dropped(drop, &mut tables, &mut functions),
                NodeRef::CreateFunctionStmt(create) => {
                    functions.extend_ddl(create.funcname.first().and_then(string));
                }
                NodeRef::RenameStmt(rename)
                    if rename.rename_type() == ObjectType::ObjectFunction =>
                {
                    if let Some(name) = rename.object.as_deref().and_then(function_name) {
                        functions.extend_ddl([name, &rename.newname]);
                    }
                }
                NodeRef::ColumnRef(column) if filters => {
                    let mut names = column.fields.iter().filter_map(string).rev();
                    if let Some(name) = names.next() {
                        filter_columns.insert((names.next().map(str::to_owned), name.to_owned()));
                    }
                }
                _ => {}
            }
        }

        let (tables, cte_names) = (tables.values, cte_names.values);
        let (functions, filter_columns) = (functions.values, filter_columns.values);
        let warnings = warnings(&stderr);
        Self { protobuf, warnings, tables, aliases, cte_names, functions, filter_columns }
    }

    /// Returns all tables.
    pub fn tables(&self) -> Vec<String> {
        all(&self.tables)
    }

    /// Returns the tables that are read.
    pub fn select_tables(&self) -> Vec<String> {
        with_context(&self.tables, Context::Select)
    }

    /// Returns the tables whose rows are changed.
    pub fn dml_tables(&self) -> Vec<String> {
        with_context(&self.tables, Context::DML)
    }

    /// Returns the tables whose definition is changed.
    pub fn ddl_tables(&self) -> Vec<String> {
        with_context(&self.tables, Context::DDL)
    }

    /// Returns all functions.
    pub fn functions(&self) -> Vec<String> {
        all(&self.functions)
    }

    /// Returns the functions whose definition is changed.
    pub fn ddl_functions(&self) -> Vec<String> {
        with_context(&self.functions, Context::DDL)
    }

    /// Returns the functions that are called.
    pub fn call_functions(&self) -> Vec<String> {
        with_context(&self.functions, Context::Call)
    }

    /// Prints the tree as SQL of at most `max_length` bytes, with `...` in place of omitted parts.
    pub fn truncate(&self, max_length: usize) -> Result<String> {
        truncate(&self.protobuf, max_length)
    }

    /// Returns the types of the statements, by PostgreSQL's names.
    pub fn statement_types(&self) -> Vec<&str> {
        let stmts = self.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref()?.node.as_ref());
        stmts.filter_map(|stmt| statement_types::name(stmt.to_ref())).collect()
    }
}

impl Unique<(String, Context)> {
    fn extend_ddl<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        names.into_iter().for_each(|name| self.insert((name.to_owned(), Context::DDL)));
    }
}

/// Returns the names in a `DROP`: all tables, also those of rules and triggers, and the first function.
fn dropped(
    drop: &protobuf::DropStmt,
    tables: &mut Unique<(String, Context)>,
    functions: &mut Unique<(String, Context)>,
) {
    // The last name is that of the rule or the trigger.
    let without = match drop.remove_type() {
        ObjectType::ObjectTable => 0,
        ObjectType::ObjectRule | ObjectType::ObjectTrigger => 1,
        ObjectType::ObjectFunction => {
            functions.extend_ddl(drop.objects.first().and_then(function_name));
            return;
        }
        _ => return,
    };
    for object in &drop.objects {
        if let Some(NodeEnum::List(names)) = &object.node {
            let names = &names.items[..names.items.len().saturating_sub(without)];
            tables.insert((dotted(names), Context::DDL));
        }
    }
}

/// Returns the first part of a function's name; for `s.f` this is the schema, as in pg_query.
fn function_name(object: &Node) -> Option<&str> {
    match &object.node {
        Some(NodeEnum::ObjectWithArgs(object)) => string(object.objname.first()?),
        _ => None,
    }
}

fn all(names: &[(String, Context)]) -> Vec<String> {
    let mut unique = Unique::new();
    for (name, _) in names {
        unique.insert(name.clone());
    }
    unique.values
}

fn with_context(names: &[(String, Context)], context: Context) -> Vec<String> {
    let names = names.iter().filter(|(_, other)| *other == context);
    names.map(|(name, _)| name.clone()).collect()
}

//! The objects that the statements of a document create.

use std::collections::HashMap;

use pg_ast::view::{List, Node, RangeVar, RawStmt, Tree};

use crate::document::{Stmt, one_line};

/// Tables and other named objects, as far as the SQL defines them.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    pub(crate) tables: Vec<Table>,
    /// The places of tables by name, without schemas.
    by_name: HashMap<String, Vec<usize>>,
    /// Queries in a `FROM`, by alias.
    pub(crate) subselects: Vec<Table>,
    pub(crate) functions: Vec<String>,
    pub(crate) types: Vec<String>,
}

/// A table, or a query that is read like one.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
}

impl Table {
    /// Returns its columns as a list in Markdown.
    pub(crate) fn list(&self) -> String {
        let line =
            |column: &Column| format!("- `{}` {}\n", column.name, one_line(&column.type_name, 80));
        self.columns.iter().take(50).map(line).collect()
    }
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// As written in the SQL; empty if unknown.
    pub(crate) type_name: String,
}

impl Catalog {
    pub(crate) fn new(text: &str, stmts: &[Stmt]) -> Self {
        let mut catalog = Self::default();
        for stmt in stmts {
            let nodes = stmt.tree.iter().flat_map(Tree::stmts);
            for node in nodes.filter_map(RawStmt::stmt) {
                catalog.add(text, stmt, node);
            }
        }
        catalog
    }

    /// Returns the table with a name; without a schema, it may be in any schema.
    pub(crate) fn table(&self, schema: &str, name: &str) -> Option<&Table> {
        Some(&self.tables[self.place(schema, name)?])
    }

    /// Adds the tables that exist only in one statement: the queries of `WITH`, and those in a `FROM`.
    pub(crate) fn add_queries(&mut self, tree: &Tree) {
        for node in tree.nodes() {
            match node {
                Node::CommonTableExpr(query) => {
                    let columns = result_columns(query.aliascolnames(), query.ctequery());
                    self.add_named("", query.ctename(), columns);
                }
                Node::RangeSubselect(query) => {
                    let Some(alias) = query.alias() else { continue };
                    let columns = result_columns(alias.colnames(), query.subquery());
                    let (schema, name) = (String::new(), alias.aliasname().to_owned());
                    self.subselects.push(Table { schema, name, columns });
                }
                _ => {}
            }
        }
    }

    /// If there are several, the last one.
    fn place(&self, schema: &str, name: &str) -> Option<usize> {
        let fits = |place: &&usize| {
            let other = self.tables[**place].schema.as_str();
            schema.is_empty() || other.is_empty() || other == schema
        };
        self.by_name.get(name)?.iter().rev().find(fits).copied()
    }

    fn add(&mut self, text: &str, stmt: &Stmt, node: Node<'_>) {
        match node {
            Node::CreateStmt(create) => {
                let columns = columns(text, stmt, create.table_elts());
                self.add_table(create.relation(), columns);
            }
            Node::AlterTableStmt(alter) => {
                let Some(relation) = alter.relation() else { return };
                let cmds = alter.cmds().iter().filter_map(Node::as_alter_table_cmd);
                let new = cmds.filter_map(|cmd| column(text, stmt, cmd.def()?));
                if let Some(place) = self.place(relation.schemaname(), relation.relname()) {
                    self.tables[place].columns.extend(new);
                }
            }
            Node::ViewStmt(view) => {
                let columns = result_columns(view.aliases(), view.query());
                self.add_table(view.view(), columns);
            }
            Node::CreateTableAsStmt(create) => {
                if let Some(into) = create.into() {
                    self.add_table(into.rel(), result_columns(into.col_names(), create.query()));
                }
            }
            Node::CreateFunctionStmt(function) => {
                self.functions.extend(last(function.funcname()));
            }
            Node::CreateEnumStmt(new) => self.types.extend(last(new.type_name())),
            Node::CreateDomainStmt(domain) => self.types.extend(last(domain.domainname())),
            Node::CompositeTypeStmt(new) => {
                self.types.extend(new.typevar().map(|name| name.relname().to_owned()));
            }
            _ => {}
        }
    }

    fn add_table(&mut self, name: Option<RangeVar<'_>>, columns: Vec<Column>) {
        if let Some(name) = name {
            self.add_named(name.schemaname(), name.relname(), columns);
        }
    }

    fn add_named(&mut self, schema: &str, name: &str, columns: Vec<Column>) {
        let (schema, name) = (schema.to_owned(), name.to_owned());
        self.by_name.entry(name.clone()).or_default().push(self.tables.len());
        self.tables.push(Table { schema, name, columns });
    }
}

/// Returns the last part of a name.
fn last(names: List<'_>) -> Option<String> {
    names.strs().next_back().map(str::to_owned)
}

fn columns(text: &str, stmt: &Stmt, elements: List<'_>) -> Vec<Column> {
    elements.iter().filter_map(|element| column(text, stmt, element)).collect()
}

fn column(text: &str, stmt: &Stmt, node: Node<'_>) -> Option<Column> {
    let column = node.as_column_def()?;
    let place = column.type_name().and_then(|type_name| stmt.place(type_name));
    let type_name = place.and_then(|place| text.get(place)).unwrap_or_default();
    // `ALTER COLUMN .. TYPE` has one without a name.
    (!column.colname().is_empty())
        .then(|| Column { name: column.colname().to_owned(), type_name: type_name.to_owned() })
}

/// Returns the names of a query's columns, as far as they are known.
fn result_columns(names: List<'_>, query: Option<Node<'_>>) -> Vec<Column> {
    let column = |name: &str| Column { name: name.to_owned(), type_name: String::new() };
    if !names.is_empty() {
        return names.strs().map(column).collect();
    }
    let Some(mut select) = query.and_then(Node::as_select_stmt) else { return Vec::new() };
    // A set operation has the column names of its first branch.
    while let Some(first) = select.larg() {
        select = first;
    }
    let targets = select.target_list().iter().filter_map(Node::as_res_target);
    let name = |target: pg_ast::view::ResTarget<'_>| match (target.name(), target.val()) {
        ("", Some(Node::ColumnRef(of))) if !of.is_star() => of.names().next_back().map(column),
        ("", Some(Node::FuncCall(call))) => call.names().next_back().map(column),
        ("", _) => None,
        (name, _) => Some(column(name)),
    };
    targets.filter_map(name).collect()
}

//! Finds the names in SQL, like libpg_query's C code (`pg_query_summary.c`, `pg_query_summary_statement_type.c`).

use std::collections::HashSet;

use super::children::{self, Field as _};
use super::protobuf::summary_result::{Context, FilterColumn, Function, Table};
use super::protobuf::{
    ColumnRef, DropStmt, GrantStmt, Node, ObjectType, ParseResult, RangeVar, RenameStmt,
    SelectStmt, SetOperation, SummaryResult, WithClause,
};
use super::rules::HAS_SCOPES;
use super::{Error, NodeEnum, NodeRef, Result, is_reserved, statement_types};

/// Returns the summary of a tree, without the truncated text.
pub(super) fn summarize(tree: &ParseResult) -> Result<SummaryResult> {
    let mut walk = Walk::default();
    let mut types = Types::default();
    let stmts = tree.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref()?.node.as_ref());
    for stmt in stmts {
        walk.node(stmt.to_ref());
        types.node(stmt.to_ref());
    }
    let mut message = SummaryResult {
        cte_names: walk.cte_names.iter().map(ToString::to_string).collect(),
        functions: walk.functions,
        filter_columns: walk.filter_columns,
        statement_types: types.names.iter().map(ToString::to_string).collect(),
        ..SummaryResult::default()
    };
    for (table, context) in walk.tables {
        let name = table.full_name();
        let is_cte = walk.ctes.contains(table.name)
            && (!HAS_SCOPES
                || (context == Context::Select
                    && table.schema.is_empty()
                    && !table
                        .node
                        .is_some_and(|node| walk.outside.contains(&std::ptr::from_ref(node)))));
        if let Some(alias) = table.node.and_then(|node| node.alias.as_ref()) {
            message.aliases.insert(alias.aliasname.clone(), name.clone());
        }
        if !is_cte {
            message.tables.push(Table {
                name,
                schema_name: table.schema.to_owned(),
                table_name: table.name.to_owned(),
                context: context.into(),
            });
        }
    }
    match walk.error {
        Some(error) => Err(error),
        None => Ok(message),
    }
}

/// The types of statements, each once.
#[derive(Default)]
struct Types {
    names: Vec<&'static str>,
}

impl Types {
    /// Never stops the walk.
    fn node(&mut self, node: NodeRef<'_>) -> bool {
        let inner = match node {
            NodeRef::CreateTableAsStmt(stmt) => &stmt.query,
            NodeRef::ExplainStmt(stmt) => &stmt.query,
            NodeRef::PrepareStmt(stmt) => &stmt.query,
            NodeRef::ViewStmt(stmt) => &stmt.query,
            _ => &None,
        };
        if let Some(name) = statement_types::name(node)
            && !self.names.contains(&name)
        {
            self.names.push(name);
        }
        inner.each(&mut |node| self.node(node));
        stacker::maybe_grow(ENOUGH, MORE, || children::any(node, &mut |child| self.node(child)))
    }
}

const ENOUGH: usize = 64 * 1024;
const MORE: usize = 1024 * 1024;

/// A table, by the node that names it or by a list of names.
struct Named<'a> {
    schema: &'a str,
    name: &'a str,
    node: Option<&'a RangeVar>,
}

impl Named<'_> {
    fn full_name(&self) -> String {
        match self.schema {
            "" => quoted(self.name),
            schema => format!("{}.{}", quoted(schema), quoted(self.name)),
        }
    }
}

/// Writes a name as an identifier. Mirrors `quote_identifier` of PostgreSQL's `ruleutils.c`.
fn quoted(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let starts = name.as_bytes().first().is_some_and(|byte| !byte.is_ascii_digit());
    if starts && name.bytes().all(plain) && !is_reserved(name) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

#[derive(Default)]
struct Walk<'a> {
    tables: Vec<(Named<'a>, Context)>,
    cte_names: Vec<&'a str>,
    ctes: HashSet<&'a str>,
    /// Tables with the name of the `WITH` query that contains them, which do not refer to it.
    outside: HashSet<*const RangeVar>,
    functions: Vec<Function>,
    filter_columns: Vec<FilterColumn>,
    /// True if the walk searches a condition for columns.
    filters: bool,
    error: Option<Error>,
}

impl<'a> Walk<'a> {
    /// Visits a node and its children; true stops the walk, as for a subselect in a condition.
    #[allow(clippy::too_many_lines)]
    fn node(&mut self, node: NodeRef<'a>) -> bool {
        match node {
            NodeRef::SelectStmt(stmt) => {
                if self.filters {
                    return true;
                }
                self.select(stmt);
            }
            NodeRef::InsertStmt(stmt) => {
                self.with(stmt.with_clause.as_ref());
                self.table(stmt.relation.as_ref(), Context::Dml);
            }
            NodeRef::UpdateStmt(stmt) => {
                self.with(stmt.with_clause.as_ref());
                self.table(stmt.relation.as_ref(), Context::Dml);
                self.from(&stmt.from_clause, Context::Select);
            }
            NodeRef::MergeStmt(stmt) => {
                self.with(stmt.with_clause.as_ref());
                self.table(stmt.relation.as_ref(), Context::Dml);
            }
            NodeRef::DeleteStmt(stmt) => {
                self.with(stmt.with_clause.as_ref());
                self.table(stmt.relation.as_ref(), Context::Dml);
                self.from(&stmt.using_clause, Context::Select);
            }
            NodeRef::CommonTableExpr(cte) if !HAS_SCOPES => self.define(&cte.ctename),
            NodeRef::CopyStmt(stmt) => {
                self.table(stmt.relation.as_ref(), Context::Select);
                self.nodes(&stmt.query);
            }
            NodeRef::AlterTableStmt(stmt) if stmt.objtype() != ObjectType::ObjectIndex => {
                self.table(stmt.relation.as_ref(), Context::Ddl);
            }
            NodeRef::CreateStmt(stmt) => self.table(stmt.relation.as_ref(), Context::Ddl),
            NodeRef::CreateTableAsStmt(stmt) => {
                self.table(stmt.into.as_ref().and_then(|into| into.rel.as_ref()), Context::Ddl);
                self.nodes(&stmt.query);
            }
            NodeRef::TruncateStmt(stmt) => self.from(&stmt.relations, Context::Ddl),
            NodeRef::ViewStmt(stmt) => {
                self.table(stmt.view.as_ref(), Context::Ddl);
                self.nodes(&stmt.query);
            }
            NodeRef::IndexStmt(stmt) => {
                self.table(stmt.relation.as_ref(), Context::Ddl);
                for param in &stmt.index_params {
                    if let Some(NodeEnum::IndexElem(elem)) = &param.node {
                        self.nodes(&elem.expr);
                    }
                }
                self.nodes(&stmt.where_clause);
            }
            NodeRef::CreateTrigStmt(stmt) => self.table(stmt.relation.as_ref(), Context::Ddl),
            NodeRef::RuleStmt(stmt) => self.table(stmt.relation.as_ref(), Context::Ddl),
            NodeRef::VacuumStmt(stmt) => {
                for rel in &stmt.rels {
                    if let Some(NodeEnum::VacuumRelation(rel)) = &rel.node {
                        self.table(rel.relation.as_ref(), Context::Ddl);
                    }
                }
            }
            NodeRef::RefreshMatViewStmt(stmt) => self.table(stmt.relation.as_ref(), Context::Ddl),
            NodeRef::DropStmt(stmt) => self.dropped(stmt),
            NodeRef::GrantStmt(stmt) => self.granted(stmt),
            NodeRef::LockStmt(stmt) => self.from(&stmt.relations, Context::Ddl),
            NodeRef::ExplainStmt(stmt) => return self.nodes(&stmt.query),
            NodeRef::CreateFunctionStmt(stmt) => self.function(&stmt.funcname, Context::Ddl),
            NodeRef::RenameStmt(stmt) => self.renamed(stmt),
            NodeRef::PrepareStmt(stmt) => return self.nodes(&stmt.query),
            NodeRef::CallStmt(stmt) => return self.nodes(&stmt.funccall),
            NodeRef::FuncCall(call) => self.function(&call.funcname, Context::Call),
            NodeRef::ColumnRef(column) if self.filters => self.filter_column(column),
            _ => {}
        }
        stacker::maybe_grow(ENOUGH, MORE, || children::any(node, &mut |child| self.node(child)))
    }

    fn nodes(&mut self, field: impl children::Field<'a>) -> bool {
        field.each(&mut |node| self.node(node))
    }

    fn select(&mut self, stmt: &'a SelectStmt) {
        self.with(stmt.with_clause.as_ref());
        if stmt.op() == SetOperation::SetopNone {
            self.from(&stmt.from_clause, Context::Select);
        }
        self.table(stmt.into_clause.as_ref().and_then(|into| into.rel.as_ref()), Context::Ddl);
        // It is visited once more with the other fields.
        self.filters = true;
        self.nodes(&stmt.where_clause);
        self.filters = false;
    }

    /// Records the names that a `WITH` defines, and the tables in their queries that do not refer to them.
    fn with(&mut self, with: Option<&'a WithClause>) {
        let Some(with) = with.filter(|_| HAS_SCOPES) else { return };
        for cte in &with.ctes {
            let Some(NodeEnum::CommonTableExpr(cte)) = &cte.node else { continue };
            if !with.recursive && !self.ctes.contains(cte.ctename.as_str()) {
                (&cte.ctequery).each(&mut |query| outside(query, &cte.ctename, &mut self.outside));
            }
            self.define(&cte.ctename);
        }
    }

    fn define(&mut self, cte: &'a str) {
        self.cte_names.push(cte);
        self.ctes.insert(cte);
    }

    fn table(&mut self, table: Option<&'a RangeVar>, context: Context) {
        if let Some(node) = table {
            let named = Named { schema: &node.schemaname, name: &node.relname, node: Some(node) };
            self.tables.push((named, context));
        }
    }

    /// Collects the tables of a `FROM`; subselects come later.
    fn from(&mut self, items: &'a [Node], context: Context) {
        let mut stack: Vec<_> = items.iter().rev().collect();
        while let Some(item) = stack.pop() {
            match &item.node {
                Some(NodeEnum::RangeVar(table)) => self.table(Some(table), context),
                Some(NodeEnum::JoinExpr(join)) => {
                    stack.extend(join.rarg.as_deref());
                    stack.extend(join.larg.as_deref());
                }
                Some(NodeEnum::RangeTableSample(sample)) => {
                    stack.extend(sample.relation.as_deref());
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, names: &'a [Node], context: Context) {
        let names = strings(names);
        let Some((function, before)) = names.split_last() else { return };
        // Of three names, the first is that of the database.
        let schema = if before.len() <= 2 { before.last() } else { None };
        self.functions.push(Function {
            name: names.join("."),
            function_name: (*function).to_owned(),
            schema_name: schema.map(ToString::to_string).unwrap_or_default(),
            context: context.into(),
        });
    }

    fn filter_column(&mut self, column: &'a ColumnRef) {
        // The last one may be a star.
        let Some(NodeEnum::String(name)) =
            column.fields.last().and_then(|field| field.node.as_ref())
        else {
            return;
        };
        let names = strings(&column.fields);
        let (schema, table) = match names[..] {
            [table, _] => ("", table),
            [schema, table, _] => (schema, table),
            _ => ("", ""),
        };
        self.filter_columns.push(FilterColumn {
            schema_name: schema.to_owned(),
            table_name: table.to_owned(),
            column: name.sval.clone(),
        });
    }

    fn dropped(&mut self, stmt: &'a DropStmt) {
        // The last name is that of the rule or the trigger.
        let without = match stmt.remove_type() {
            ObjectType::ObjectTable => 0,
            ObjectType::ObjectRule | ObjectType::ObjectTrigger => 1,
            ObjectType::ObjectFunction => return self.object(stmt.objects.first()),
            _ => return,
        };
        for object in &stmt.objects {
            let Some(NodeEnum::List(names)) = &object.node else { continue };
            let mut names = strings(&names.items);
            names.truncate(names.len().saturating_sub(without));
            let (schema, name) = match names[..] {
                [] => continue,
                [name] => ("", name),
                [schema, name] | [_, schema, name] => (schema, name),
                _ => {
                    let names = names.join(".");
                    self.error = self.error.take().or(Some(Error::Parse(format!(
                        "improper relation name (too many dotted names): {names}"
                    ))));
                    continue;
                }
            };
            self.tables.push((Named { schema, name, node: None }, Context::Ddl));
        }
    }

    fn granted(&mut self, stmt: &'a GrantStmt) {
        match stmt.objtype() {
            ObjectType::ObjectTable => {
                for object in &stmt.objects {
                    if let Some(NodeEnum::RangeVar(table)) = &object.node {
                        self.table(Some(table), Context::Ddl);
                    }
                }
            }
            ObjectType::ObjectFunction
            | ObjectType::ObjectProcedure
            | ObjectType::ObjectRoutine => {
                stmt.objects.iter().for_each(|object| self.object(Some(object)));
            }
            _ => {}
        }
    }

    fn renamed(&mut self, stmt: &'a RenameStmt) {
        match stmt.rename_type() {
            ObjectType::ObjectTable => {
                self.table(stmt.relation.as_ref(), Context::Ddl);
                let schema = stmt.relation.as_ref().map_or("", |table| &table.schemaname);
                self.tables.push((Named { schema, name: &stmt.newname, node: None }, Context::Ddl));
            }
            ObjectType::ObjectFunction
            | ObjectType::ObjectProcedure
            | ObjectType::ObjectRoutine => {
                self.object(stmt.object.as_deref());
                self.functions.push(Function {
                    name: stmt.newname.clone(),
                    function_name: stmt.newname.clone(),
                    schema_name: String::new(),
                    context: Context::Ddl.into(),
                });
            }
            _ => {}
        }
    }

    /// Collects a function that a statement is about.
    fn object(&mut self, object: Option<&'a Node>) {
        if let Some(NodeEnum::ObjectWithArgs(object)) =
            object.and_then(|object| object.node.as_ref())
        {
            self.function(&object.objname, Context::Ddl);
        }
    }
}

/// Records the tables of this name below a node; never stops the walk.
fn outside(node: NodeRef<'_>, name: &str, found: &mut HashSet<*const RangeVar>) -> bool {
    if let NodeRef::RangeVar(table) = node
        && table.schemaname.is_empty()
        && table.relname == name
    {
        found.insert(table);
    }
    stacker::maybe_grow(ENOUGH, MORE, || {
        children::any(node, &mut |child| outside(child, name, found))
    })
}

fn strings(names: &[Node]) -> Vec<&str> {
    let strings = names.iter().map(|name| match &name.node {
        Some(NodeEnum::String(string)) => string.sval.as_str(),
        _ => "*",
    });
    strings.collect()
}

//! The pass over the tree.

use std::collections::HashMap;

use super::found::{Found, NameInSchema};
use super::names::protobuf::SetOperation;
use super::scope::Scope;
use super::tables::{NamesTable, Places};
use super::view::{ColumnRef, IntoClause, List, Node, RangeVar, RawStmt, SelectStmt, WithClause};
use crate::types::analysis::Context;

/// The place of a node in a statement.
#[derive(Clone, Copy, Default)]
pub(crate) struct PlaceInStmt {
    /// In a utility statement, but not in a query of it: the tables there are its subject.
    pub(crate) utility: bool,
    /// In a condition: its columns filter.
    pub(crate) filter: bool,
    /// The types of statements from here on do not count.
    pub(crate) untyped: bool,
}

/// The remaining steps, the last one first.
enum Step<'a> {
    Visit(Node<'a>, PlaceInStmt),
    /// From here on a name is one that a `WITH` defines ..
    Bind(&'a str),
    /// .. and from here on, those of this `WITH` are not defined any more.
    Unbind(WithClause<'a>),
    /// From here on, all of this `WITH` are.
    BindAll(WithClause<'a>),
}

pub(crate) struct Collector<'a> {
    pub(crate) scope: Scope,
    pub(crate) found: Found<'a>,
    steps: Vec<Step<'a>>,
    /// The number of enclosing `WITH` clauses that define a name.
    bound: HashMap<&'a str, usize>,
    /// The places where tables are named, if they are requested.
    pub(crate) places: Option<Places>,
}

fn ctes(with: WithClause<'_>) -> impl Iterator<Item = &str> {
    with.ctes().iter().filter_map(|cte| match cte {
        Node::CommonTableExpr(cte) => Some(cte.ctename()),
        _ => None,
    })
}

impl<'a> Collector<'a> {
    pub(crate) fn new(scope: Scope) -> Self {
        let (found, steps, bound) = (Found::default(), Vec::new(), HashMap::new());
        Self { scope, found, steps, bound, places: None }
    }

    /// Goes through a statement.
    pub(crate) fn statement(&mut self, stmt: RawStmt<'a>) {
        if let Some(stmt) = stmt.stmt() {
            self.node(stmt);
        }
    }

    /// Goes through a node: a statement, or a part of one.
    pub(crate) fn node(&mut self, node: Node<'a>) {
        // The tables of a FROM are handled with its query, which is missing here.
        self.from([node]);
        self.push(node, PlaceInStmt::default());
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Visit(node, place) => self.visit(node, place),
                Step::Bind(name) => *self.bound.entry(name).or_default() += 1,
                Step::BindAll(with) => self.bind_all(with),
                Step::Unbind(with) => {
                    for name in ctes(with) {
                        if let Some(count) = self.bound.get_mut(name) {
                            *count = count.saturating_sub(1);
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn push(&mut self, node: Node<'a>, place: PlaceInStmt) {
        self.steps.push(Step::Visit(node, place));
    }

    pub(crate) fn push_node(&mut self, node: Option<Node<'a>>, place: PlaceInStmt) {
        if let Some(node) = node {
            self.push(node, place);
        }
    }

    fn bind_all(&mut self, with: WithClause<'a>) {
        for name in ctes(with) {
            *self.bound.entry(name).or_default() += 1;
        }
    }

    /// Schedules the children, in their order, each with the place that `place` returns.
    pub(crate) fn push_children(
        &mut self,
        node: Node<'a>,
        mut place: impl FnMut(Node<'a>) -> PlaceInStmt,
    ) {
        let first = self.steps.len();
        let steps = &mut self.steps;
        node.children(|child| {
            // The elements of long lists contain nothing to find.
            if !matches!(child, Node::AConst(_) | Node::ParamRef(_) | Node::String(_)) {
                steps.push(Step::Visit(child, place(child)));
            }
        });
        self.steps[first..].reverse();
    }

    fn visit(&mut self, node: Node<'a>, place: PlaceInStmt) {
        match node {
            Node::ColumnRef(column) => {
                if place.filter {
                    self.filter_column(column);
                }
            }
            Node::RangeVar(table) => {
                // Those of queries are handled with the query.
                if place.utility {
                    self.table(table, Context::Ddl);
                }
            }
            Node::FuncCall(call) => {
                self.function(call.funcname(), Context::Call);
                self.push_children(node, |_| place);
            }
            Node::SelectStmt(select) => self.select(select, place),
            Node::InsertStmt(insert) => {
                self.query(node, insert.with_clause(), None, place);
                self.target(insert.relation());
            }
            Node::UpdateStmt(update) => {
                self.query(node, update.with_clause(), update.where_clause(), place);
                self.target(update.relation());
                self.from(update.from_clause());
            }
            Node::DeleteStmt(delete) => {
                self.query(node, delete.with_clause(), delete.where_clause(), place);
                self.target(delete.relation());
                self.from(delete.using_clause());
            }
            Node::MergeStmt(merge) => {
                self.query(node, merge.with_clause(), None, place);
                self.target(merge.relation());
                self.from(merge.source_relation());
            }
            Node::WithClause(with) => self.with(with, place),
            Node::OnConflictClause(clause) => self.condition(node, clause.where_clause(), place),
            Node::InferClause(clause) => self.condition(node, clause.where_clause(), place),
            Node::MergeWhenClause(clause) => self.condition(node, clause.condition(), place),
            // Its names are those that FROM defined.
            Node::LockingClause(_) => {}
            _ => {
                if node.structure().is_some_and(|node| node.table().is_stmt) {
                    self.utility(node, place);
                } else {
                    self.push_children(node, |_| place);
                }
            }
        }
    }

    pub(crate) fn statement_type(&mut self, node: Node<'a>, place: PlaceInStmt) {
        if !place.untyped {
            self.found.statement_types.insert(node.name());
        }
    }

    /// Visits the children of a node that is not a statement, and has a condition.
    pub(crate) fn condition(
        &mut self,
        node: Node<'a>,
        condition: Option<Node<'a>>,
        place: PlaceInStmt,
    ) {
        let filter = self.scope.filters_elsewhere();
        self.push_children(node, |child| {
            if is_same(condition, child) { PlaceInStmt { filter, ..place } } else { place }
        });
    }

    fn select(&mut self, select: SelectStmt<'a>, place: PlaceInStmt) {
        self.query(select.into(), select.with_clause(), select.where_clause(), place);
        if select.op() == SetOperation::SetopNone {
            self.from(select.from_clause());
        }
        if let Some(into) = select.into_clause().and_then(IntoClause::rel) {
            self.table(into, Context::Ddl);
        }
    }

    /// Begins a statement that is a query: visits its children, with the names of its `WITH` known
    /// in all of them but the `WITH` itself.
    fn query(
        &mut self,
        node: Node<'a>,
        with: Option<WithClause<'a>>,
        condition: Option<Node<'a>>,
        place: PlaceInStmt,
    ) {
        self.statement_type(node, place);
        let filters = self.scope.filters_in_query(node);
        let inner = PlaceInStmt { utility: false, filter: false, ..place };
        let Some(with) = with else {
            return self.push_children(node, |child| PlaceInStmt {
                filter: filters && is_same(condition, child),
                ..inner
            });
        };
        for name in ctes(with) {
            self.found.cte_names.insert(name);
        }
        self.bind_all(with);
        let first = self.steps.len();
        let steps = &mut self.steps;
        node.children(|child| {
            let filter = filters && is_same(condition, child);
            let visit = Step::Visit(child, PlaceInStmt { filter, ..inner });
            if child.is_same(with.into()) {
                steps.extend([Step::Unbind(with), visit, Step::BindAll(with)]);
            } else {
                steps.push(visit);
            }
        });
        self.steps.push(Step::Unbind(with));
        self.steps[first..].reverse();
    }

    /// The queries of a `WITH`: each knows those before it, or all if it is recursive.
    fn with(&mut self, with: WithClause<'a>, place: PlaceInStmt) {
        let first = self.steps.len();
        if with.recursive() {
            self.bind_all(with);
        }
        for node in with.ctes() {
            let Node::CommonTableExpr(cte) = node else { continue };
            self.push(node, place);
            if !with.recursive() {
                self.steps.push(Step::Bind(cte.ctename()));
            }
        }
        self.steps.push(Step::Unbind(with));
        self.steps[first..].reverse();
    }

    fn target(&mut self, table: Option<RangeVar<'a>>) {
        if let Some(table) = table {
            self.table(table, Context::Dml);
        }
    }

    /// Collects the tables of a `FROM`. Its other items are visited as children.
    fn from(&mut self, items: impl IntoIterator<Item = Node<'a>, IntoIter: DoubleEndedIterator>) {
        let mut stack: Vec<_> = items.into_iter().rev().collect();
        while let Some(item) = stack.pop() {
            match item {
                Node::RangeVar(table) => self.table(table, Context::Select),
                Node::JoinExpr(join) => {
                    stack.extend(join.rarg());
                    stack.extend(join.larg());
                }
                Node::RangeTableSample(sample) => stack.extend(sample.relation()),
                _ => {}
            }
        }
    }

    /// Notes a table and its alias, unless it is a name that a `WITH` defines: only what is read
    /// can be one.
    pub(crate) fn table(&mut self, table: RangeVar<'a>, context: Context) {
        let name = NameInSchema { schema: table.schemaname(), name: table.relname() };
        let is_cte = context == Context::Select
            && name.schema.is_empty()
            && self.bound.get(name.name).is_some_and(|&count| count > 0);
        if !is_cte {
            self.found.tables.insert((name, context));
            self.place(table.into(), NamesTable { context, behind: 0 });
        }
        if let Some(alias) = table.alias()
            && (!is_cte || self.scope.keeps_aliases_of_ctes())
        {
            self.found.aliases.push((alias.aliasname(), name));
        }
    }

    /// Records where a table is named.
    pub(crate) fn place(&mut self, node: Node<'a>, named: NamesTable) {
        if let Some(places) = &mut self.places {
            places.insert(node.address(), named);
        }
    }

    pub(crate) fn function(&mut self, name: List<'a>, context: Context) {
        // A database before the schema can only be the current one.
        let mut parts = name.strs().rev();
        if let Some(name) = parts.next() {
            let schema = parts.next().unwrap_or_default();
            self.found.functions.insert((NameInSchema { schema, name }, context));
        }
    }

    fn filter_column(&mut self, column: ColumnRef<'a>) {
        let mut parts = column.fields().iter().rev().map(|field| match field {
            Node::String(string) => string.sval(),
            _ => "",
        });
        let mut part = || parts.next().unwrap_or_default();
        let (column, table, schema) = (part(), part(), part());
        // Not a star.
        if !column.is_empty() {
            self.found.filter_columns.insert([schema, table, column]);
        }
    }
}

/// Returns whether a child of a node is the one in a certain field.
fn is_same(field: Option<Node<'_>>, child: Node<'_>) -> bool {
    field.is_some_and(|field| field.is_same(child))
}

//! The pass over the tree.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::super::protobuf::{
    ColumnRef, Node, RangeVar, SelectStmt, SetOperation, WithClause, node,
};
use super::super::{NodeEnum, NodeRef};
use super::Reach;
use super::found::{Found, Name, strings};
use crate::analysis::Context;

/// Where in a statement a node stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// In a utility statement, but in no query of it: the tables there are what it is about.
    pub(super) utility: bool,
    /// In a condition: its columns filter.
    pub(super) filter: bool,
    /// The types of statements from here on do not count.
    pub(super) untyped: bool,
}

/// What is left to be done, the last first.
enum Step<'a> {
    Visit(NodeRef<'a>, Place),
    /// From here on a name is one that a `WITH` defines ..
    Bind(&'a str),
    /// .. and from here on, those of this `WITH` are not any more.
    Unbind(&'a WithClause),
    /// From here on, all of this `WITH` are.
    BindAll(&'a WithClause),
}

pub(super) struct Walk<'a> {
    pub(super) reach: Reach,
    pub(super) found: Found<'a>,
    steps: Vec<Step<'a>>,
    /// How many of the `WITH` clauses around define a name.
    bound: HashMap<&'a str, usize>,
}

fn ctes(with: &WithClause) -> impl DoubleEndedIterator<Item = &str> {
    with.ctes.iter().filter_map(|cte| match &cte.node {
        Some(NodeEnum::CommonTableExpr(cte)) => Some(cte.ctename.as_str()),
        _ => None,
    })
}

impl<'a> Walk<'a> {
    pub(super) fn new(reach: Reach) -> Self {
        Self { reach, found: Found::default(), steps: Vec::new(), bound: HashMap::new() }
    }

    /// Goes through a statement.
    pub(super) fn statement(&mut self, stmt: NodeRef<'a>) {
        self.push(stmt, Place::default());
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

    pub(super) fn push(&mut self, node: NodeRef<'a>, place: Place) {
        self.steps.push(Step::Visit(node, place));
    }

    pub(super) fn push_node(&mut self, node: Option<&'a Node>, place: Place) {
        if let Some(node) = node.and_then(Node::to_ref) {
            self.push(node, place);
        }
    }

    fn bind_all(&mut self, with: &'a WithClause) {
        for name in ctes(with) {
            *self.bound.entry(name).or_default() += 1;
        }
    }

    /// Has the children visited next, in their order, each in the place that `place` says.
    pub(super) fn push_children(
        &mut self,
        node: NodeRef<'a>,
        mut place: impl FnMut(NodeRef<'a>) -> Place,
    ) {
        let first = self.steps.len();
        let steps = &mut self.steps;
        let _ = node.message().children(&mut |child| {
            // What a list of a million elements is made of has nothing to be found.
            if !matches!(child, NodeRef::AConst(_) | NodeRef::ParamRef(_) | NodeRef::String(_)) {
                steps.push(Step::Visit(child, place(child)));
            }
            ControlFlow::Continue(())
        });
        self.steps[first..].reverse();
    }

    fn visit(&mut self, node: NodeRef<'a>, place: Place) {
        match node {
            NodeRef::ColumnRef(column) => {
                if place.filter {
                    self.filter_column(column);
                }
            }
            NodeRef::RangeVar(table) => {
                // Those of queries are met with the query.
                if place.utility {
                    self.table(table, Context::Ddl);
                }
            }
            NodeRef::FuncCall(call) => {
                self.function(&call.funcname, Context::Call);
                self.push_children(node, |_| place);
            }
            NodeRef::SelectStmt(select) => self.select(select, place),
            NodeRef::InsertStmt(insert) => {
                let with = insert.with_clause.as_ref();
                self.query(node, with, None, place);
                self.target(insert.relation.as_ref());
            }
            NodeRef::UpdateStmt(update) => {
                let with = update.with_clause.as_ref();
                self.query(node, with, update.where_clause.as_deref(), place);
                self.target(update.relation.as_ref());
                self.from(&update.from_clause);
            }
            NodeRef::DeleteStmt(delete) => {
                let with = delete.with_clause.as_ref();
                self.query(node, with, delete.where_clause.as_deref(), place);
                self.target(delete.relation.as_ref());
                self.from(&delete.using_clause);
            }
            NodeRef::MergeStmt(merge) => {
                self.query(node, merge.with_clause.as_ref(), None, place);
                self.target(merge.relation.as_ref());
                if let Some(source) = merge.source_relation.as_deref() {
                    self.from(core::slice::from_ref(source));
                }
            }
            NodeRef::WithClause(with) => self.with(with, place),
            NodeRef::OnConflictClause(clause) => {
                self.condition(node, clause.where_clause.as_deref(), place);
            }
            NodeRef::InferClause(clause) => {
                self.condition(node, clause.where_clause.as_deref(), place);
            }
            NodeRef::MergeWhenClause(clause) => {
                self.condition(node, clause.condition.as_deref(), place);
            }
            // Its names are those that FROM gave.
            NodeRef::LockingClause(_) => {}
            _ => {
                if node.name().ends_with("Stmt") {
                    self.utility(node, place);
                } else {
                    self.push_children(node, |_| place);
                }
            }
        }
    }

    pub(super) fn statement_type(&mut self, node: NodeRef<'a>, place: Place) {
        if !place.untyped {
            self.found.statement_types.insert(node.name());
        }
    }

    /// Visits the children of a node that is no statement, and has a condition.
    pub(super) fn condition(
        &mut self,
        node: NodeRef<'a>,
        condition: Option<&'a Node>,
        place: Place,
    ) {
        let condition = condition.and_then(Node::to_ref).map(NodeRef::address);
        let filter = self.reach == Reach::All;
        self.push_children(node, |child| {
            if condition == Some(child.address()) { Place { filter, ..place } } else { place }
        });
    }

    fn select(&mut self, select: &'a SelectStmt, place: Place) {
        let node = NodeRef::SelectStmt(select);
        self.query(node, select.with_clause.as_ref(), select.where_clause.as_deref(), place);
        if select.op() == SetOperation::SetopNone {
            self.from(&select.from_clause);
        }
        let into = select.into_clause.as_ref().and_then(|into| into.rel.as_ref());
        if let Some(into) = into {
            self.table(into, Context::Ddl);
        }
    }

    /// Begins a statement that is a query: visits its children, with the names of its `WITH` known
    /// in all of them but the `WITH` itself.
    fn query(
        &mut self,
        node: NodeRef<'a>,
        with: Option<&'a WithClause>,
        condition: Option<&'a Node>,
        place: Place,
    ) {
        self.statement_type(node, place);
        let condition = condition.and_then(Node::to_ref).map(NodeRef::address);
        let filters = self.reach == Reach::All || matches!(node, NodeRef::SelectStmt(_));
        let inner = Place { utility: false, filter: false, ..place };
        let Some(with) = with else {
            return self.push_children(node, |child| Place {
                filter: filters && condition == Some(child.address()),
                ..inner
            });
        };
        for name in ctes(with) {
            self.found.cte_names.insert(name);
        }
        self.bind_all(with);
        let first = self.steps.len();
        let steps = &mut self.steps;
        let _ = node.message().children(&mut |child| {
            let filter = filters && condition == Some(child.address());
            let visit = Step::Visit(child, Place { filter, ..inner });
            if core::ptr::addr_eq(child.address(), with) {
                steps.extend([Step::Unbind(with), visit, Step::BindAll(with)]);
            } else {
                steps.push(visit);
            }
            ControlFlow::Continue(())
        });
        self.steps.push(Step::Unbind(with));
        self.steps[first..].reverse();
    }

    /// The queries of a `WITH`: each knows those before it, or all if it is recursive.
    fn with(&mut self, with: &'a WithClause, place: Place) {
        let first = self.steps.len();
        if with.recursive {
            self.bind_all(with);
        }
        for cte in &with.ctes {
            let Some(NodeEnum::CommonTableExpr(cte)) = &cte.node else { continue };
            self.push(NodeRef::CommonTableExpr(cte), place);
            if !with.recursive {
                self.steps.push(Step::Bind(&cte.ctename));
            }
        }
        self.steps.push(Step::Unbind(with));
        self.steps[first..].reverse();
    }

    fn target(&mut self, table: Option<&'a RangeVar>) {
        if let Some(table) = table {
            self.table(table, Context::Dml);
        }
    }

    /// The tables of a `FROM`. What else stands there is met as a child.
    fn from(&mut self, items: &'a [Node]) {
        let mut stack: Vec<_> = items.iter().rev().collect();
        while let Some(item) = stack.pop() {
            match &item.node {
                Some(node::Node::RangeVar(table)) => self.table(table, Context::Select),
                Some(node::Node::JoinExpr(join)) => {
                    stack.extend(join.rarg.as_deref());
                    stack.extend(join.larg.as_deref());
                }
                Some(node::Node::RangeTableSample(sample)) => {
                    stack.extend(sample.relation.as_deref());
                }
                _ => {}
            }
        }
    }

    /// Notes a table and its alias, unless it is a name that a `WITH` defines: only what is read
    /// can be one.
    pub(super) fn table(&mut self, table: &'a RangeVar, context: Context) {
        let name = Name { schema: &table.schemaname, table: &table.relname };
        let is_cte = context == Context::Select
            && name.schema.is_empty()
            && self.bound.get(name.table).is_some_and(|&count| count > 0);
        if !is_cte {
            self.found.tables.insert((name, context));
        }
        if let Some(alias) = &table.alias
            && (!is_cte || self.reach == Reach::Summary)
        {
            self.found.aliases.push((&alias.aliasname, name));
        }
    }

    pub(super) fn function(&mut self, name: &'a [Node], context: Context) {
        let name = strings(name);
        if !name.is_empty() {
            self.found.functions.insert((name, context));
        }
    }

    fn filter_column(&mut self, column: &'a ColumnRef) {
        let string = |node: &'a Node| match &node.node {
            Some(NodeEnum::String(string)) => string.sval.as_str(),
            _ => "",
        };
        let name = match &column.fields[..] {
            [.., schema, table, column] => [string(schema), string(table), string(column)],
            [table, column] => ["", string(table), string(column)],
            [column] => ["", "", string(column)],
            [] => return,
        };
        // Not a star.
        if !name[2].is_empty() {
            self.found.filter_columns.insert(name);
        }
    }
}

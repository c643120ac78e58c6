//! The nodes that an analysis looks at, level by level.

use std::collections::VecDeque;

use super::protobuf::{self, Node, ObjectType, SetOperation};
use super::{NodeEnum, NodeMut, NodeRef};

/// The use of the tables and functions in a statement.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash, serde::Serialize)]
#[allow(clippy::upper_case_acronyms)]
pub enum Context {
    /// Unknown: a statement itself.
    None,
    /// It reads them.
    Select,
    /// It changes their rows.
    DML,
    /// It changes their definition.
    DDL,
    /// It calls a function.
    Call,
}

/// A node that is still to be visited: its depth, its context, and whether columns in it filter rows.
type Item<N> = (N, i32, Context, bool);

/// The remaining nodes, and the state of the current one.
struct Queue<N> {
    items: VecDeque<Item<N>>,
    depth: i32,
    context: Context,
    filters: bool,
}

impl<N> Queue<N> {
    fn new(node: N) -> Self {
        let items = VecDeque::from([(node, 0, Context::None, false)]);
        Self { items, depth: 0, context: Context::None, filters: false }
    }

    fn next(&mut self) -> Option<N> {
        let (node, depth, context, filters) = self.items.pop_front()?;
        (self.depth, self.context, self.filters) = (depth + 1, context, filters);
        Some(node)
    }

    /// Adds children.
    fn add<C: Child<N>>(&mut self, children: impl IntoIterator<Item = C>, context: Context) {
        self.add_with(children, context, false);
    }

    /// Adds children, in which columns may filter rows.
    fn add_with<C: Child<N>>(
        &mut self,
        children: impl IntoIterator<Item = C>,
        context: Context,
        filters: bool,
    ) {
        let depth = self.depth;
        let nodes = children.into_iter().filter_map(Child::node);
        self.items.extend(nodes.map(|node| (node, depth, context, filters)));
    }

    /// Adds children that have the context of their parent.
    fn inherit<C: Child<N>>(&mut self, children: impl IntoIterator<Item = C>) {
        self.add_with(children, self.context, self.filters);
    }
}

/// The content of a field: a node, if there is one.
trait Child<N> {
    fn node(self) -> Option<N>;
}

impl<'a> Child<NodeRef<'a>> for &'a Node {
    fn node(self) -> Option<NodeRef<'a>> {
        self.node.as_ref().map(NodeEnum::to_ref)
    }
}

impl Child<NodeMut> for &mut Node {
    fn node(self) -> Option<NodeMut> {
        self.node.as_mut().map(NodeEnum::to_mut)
    }
}

macro_rules! children {
    ($($message:ident)*) => {$(
        impl<'a> Child<NodeRef<'a>> for &'a protobuf::$message {
            fn node(self) -> Option<NodeRef<'a>> {
                Some(self.to_ref())
            }
        }

        impl Child<NodeMut> for &mut protobuf::$message {
            fn node(self) -> Option<NodeMut> {
                Some(self.to_mut())
            }
        }
    )*};
}
children!(FuncCall IndexElem OnConflictClause RangeVar SelectStmt);

impl<'a, T> Child<NodeRef<'a>> for &'a Box<T>
where
    &'a T: Child<NodeRef<'a>>,
{
    fn node(self) -> Option<NodeRef<'a>> {
        (&**self).node()
    }
}

impl<'a, T> Child<NodeMut> for &'a mut Box<T>
where
    &'a mut T: Child<NodeMut>,
{
    fn node(self) -> Option<NodeMut> {
        (&mut **self).node()
    }
}

macro_rules! borrowed {
    ($node:expr) => {
        $node
    };
}

macro_rules! pointed_to {
    ($node:expr) => {
        // SAFETY: the pointer is one that the walk has made of a reference in a tree that is borrowed
        // mutably all the while, and no reference to the node is left.
        unsafe { &mut *$node }
    };
}

/// Writes a function that adds the children of a node. `$all` is false for `nodes_mut`, which visits fewer of them.
macro_rules! walk {
    ($function:ident, $enum:ident $(<$lifetime:lifetime>)?, $get:ident, $all:literal $(, $mut:ident)?) => {
        #[allow(clippy::redundant_locals, clippy::too_many_lines)]
        fn $function $(<$lifetime>)? (queue: &mut Queue<$enum $(<$lifetime>)?>, node: $enum $(<$lifetime>)?) {
            use Context::{Call, DDL, DML, Select};
            let context = queue.context;
            match node {
                $enum::SelectStmt(s) => {
                    let s = $get!(s);
                    queue.add(&$($mut)? s.target_list, Select);
                    queue.add_with(&$($mut)? s.where_clause, Select, true);
                    queue.add(&$($mut)? s.sort_clause, Select);
                    queue.add(&$($mut)? s.group_clause, Select);
                    queue.add(&$($mut)? s.having_clause, Select);
                    if let Some(with) = &$($mut)? s.with_clause {
                        queue.add(&$($mut)? with.ctes, Select);
                    }
                    match SetOperation::try_from(s.op) {
                        Ok(SetOperation::SetopNone) => queue.add(&$($mut)? s.from_clause, Select),
                        Ok(SetOperation::Undefined) | Err(_) => {}
                        Ok(_) => {
                            queue.add(&$($mut)? s.larg, Select);
                            queue.add(&$($mut)? s.rarg, Select);
                        }
                    }
                }
                $enum::InsertStmt(s) => {
                    let s = $get!(s);
                    queue.add(&$($mut)? s.select_stmt, DML);
                    queue.add(&$($mut)? s.relation, DML);
                    if let Some(with) = &$($mut)? s.with_clause {
                        queue.add(&$($mut)? with.ctes, DML);
                    }
                    queue.add(&$($mut)? s.on_conflict_clause, DML);
                }
                $enum::UpdateStmt(s) => {
                    let s = $get!(s);
                    queue.add(&$($mut)? s.target_list, DML);
                    queue.add_with(&$($mut)? s.where_clause, DML, true);
                    queue.add(&$($mut)? s.from_clause, Select);
                    queue.add(&$($mut)? s.relation, DML);
                    if let Some(with) = &$($mut)? s.with_clause {
                        queue.add(&$($mut)? with.ctes, DML);
                    }
                }
                $enum::DeleteStmt(s) => {
                    let s = $get!(s);
                    queue.add_with(&$($mut)? s.where_clause, DML, true);
                    queue.add(&$($mut)? s.relation, DML);
                    if let Some(with) = &$($mut)? s.with_clause {
                        queue.add(&$($mut)? with.ctes, DML);
                    }
                    queue.add(&$($mut)? s.using_clause, Select);
                }
                $enum::MergeStmt(s) if $all => {
                    let s = $get!(s);
                    queue.add(&$($mut)? s.relation, DML);
                    if let Some(with) = &$($mut)? s.with_clause {
                        queue.add(&$($mut)? with.ctes, DML);
                    }
                    queue.add(&$($mut)? s.source_relation, Select);
                    queue.add_with(&$($mut)? s.merge_when_clauses, DML, true);
                    queue.add(&$($mut)? s.join_condition, Select);
                }
                $enum::CommonTableExpr(s) => queue.add(&$($mut)? $get!(s).ctequery, context),
                $enum::CopyStmt(s) => {
                    let s = $get!(s);
                    queue.add(&$($mut)? s.query, DML);
                    queue.add(&$($mut)? s.relation, DML);
                }
                $enum::CallStmt(s) => queue.add(&$($mut)? $get!(s).funccall, Call),
                $enum::AlterTableStmt(s) => queue.add(&$($mut)? $get!(s).relation, DDL),
                $enum::CreateStmt(s) => queue.add(&$($mut)? $get!(s).relation, DDL),
                $enum::CreateTableAsStmt(s) => {
                    let s = $get!(s);
                    queue.add(&$($mut)? s.query, DDL);
                    if let Some(into) = &$($mut)? s.into {
                        queue.add(&$($mut)? into.rel, DDL);
                    }
                }
                $enum::TruncateStmt(s) => queue.add(&$($mut)? $get!(s).relations, DDL),
                $enum::ViewStmt(s) => {
                    let s = $get!(s);
                    queue.add(&$($mut)? s.query, DDL);
                    queue.add(&$($mut)? s.view, DDL);
                }
                $enum::IndexStmt(s) => {
                    let s = $get!(s);
                    queue.add(&$($mut)? s.relation, DDL);
                    for param in &$($mut)? s.index_params {
                        if let Some(NodeEnum::IndexElem(elem)) = &$($mut)? param.node {
                            if $all {
                                queue.add([&$($mut)? *elem], DDL);
                            }
                            queue.add(&$($mut)? elem.expr, DDL);
                        }
                    }
                    if $all {
                        queue.add_with(&$($mut)? s.where_clause, DDL, true);
                    }
                }
                $enum::CreateTrigStmt(s) => queue.add(&$($mut)? $get!(s).relation, DDL),
                $enum::RuleStmt(s) => queue.add(&$($mut)? $get!(s).relation, DDL),
                $enum::VacuumStmt(s) => {
                    for rel in &$($mut)? $get!(s).rels {
                        if let Some(NodeEnum::VacuumRelation(rel)) = &$($mut)? rel.node {
                            queue.add(&$($mut)? rel.relation, DDL);
                        }
                    }
                }
                $enum::RefreshMatViewStmt(s) => queue.add(&$($mut)? $get!(s).relation, DDL),
                $enum::GrantStmt(s) => {
                    let s = $get!(s);
                    if s.objtype() == ObjectType::ObjectTable {
                        queue.add(&$($mut)? s.objects, DDL);
                    }
                }
                $enum::LockStmt(s) => queue.add(&$($mut)? $get!(s).relations, DDL),
                $enum::ExplainStmt(s) => queue.add(&$($mut)? $get!(s).query, context),
                $enum::AExpr(e) => {
                    let e = $get!(e);
                    queue.inherit(&$($mut)? e.lexpr);
                    queue.inherit(&$($mut)? e.rexpr);
                }
                $enum::BoolExpr(e) => queue.inherit(&$($mut)? $get!(e).args),
                $enum::BooleanTest(e) if $all => queue.inherit(&$($mut)? $get!(e).arg),
                $enum::CoalesceExpr(e) => queue.inherit(&$($mut)? $get!(e).args),
                $enum::MinMaxExpr(e) => queue.inherit(&$($mut)? $get!(e).args),
                $enum::NullTest(e) => queue.inherit(&$($mut)? $get!(e).arg),
                $enum::ResTarget(t) => queue.inherit(&$($mut)? $get!(t).val),
                $enum::SubLink(l) => queue.inherit(&$($mut)? $get!(l).subselect),
                $enum::FuncCall(c) => queue.inherit(&$($mut)? $get!(c).args),
                $enum::CaseExpr(c) => {
                    let c = $get!(c);
                    queue.inherit(&$($mut)? c.args);
                    queue.inherit(&$($mut)? c.defresult);
                }
                $enum::CaseWhen(w) => {
                    let w = $get!(w);
                    queue.inherit(&$($mut)? w.expr);
                    queue.inherit(&$($mut)? w.result);
                }
                $enum::SortBy(s) => queue.inherit(&$($mut)? $get!(s).node),
                $enum::TypeCast(c) => queue.inherit(&$($mut)? $get!(c).arg),
                $enum::List(l) => queue.inherit(&$($mut)? $get!(l).items),
                $enum::JoinExpr(e) => {
                    let e = $get!(e);
                    queue.inherit(&$($mut)? e.larg);
                    queue.inherit(&$($mut)? e.rarg);
                    queue.inherit(&$($mut)? e.quals);
                }
                $enum::RowExpr(e) => queue.inherit(&$($mut)? $get!(e).args),
                $enum::RangeSubselect(s) => queue.inherit(&$($mut)? $get!(s).subquery),
                $enum::RangeFunction(f) => queue.inherit(&$($mut)? $get!(f).functions),
                _ => {}
            }
        }
    };
}
walk!(add_children, NodeRef<'a>, borrowed, true);
walk!(add_children_mut, NodeMut, pointed_to, false, mut);

impl NodeEnum {
    /// Returns nodes for an analysis, this one first, level by level: each with its depth, which is 1 for the first,
    /// its context, and whether a column there filters rows.
    pub fn nodes(&self) -> Vec<(NodeRef<'_>, i32, Context, bool)> {
        let mut queue = Queue::new(self.to_ref());
        let mut nodes = Vec::new();
        while let Some(node) = queue.next() {
            nodes.push((node, queue.depth, queue.context, queue.filters));
            add_children(&mut queue, node);
        }
        nodes
    }

    /// Like [`nodes`](Self::nodes), for changes. It visits fewer nodes, as in pg_query.
    ///
    /// # Safety
    ///
    /// The pointers lead to nodes within each other. After a change through one of them, the pointers to nodes below
    /// the changed node must not be used any more.
    pub unsafe fn nodes_mut(&mut self) -> Vec<(NodeMut, i32, Context)> {
        let mut queue = Queue::new(self.to_mut());
        let mut nodes = Vec::new();
        while let Some(node) = queue.next() {
            nodes.push((node, queue.depth, queue.context));
            add_children_mut(&mut queue, node);
        }
        nodes
    }
}

impl protobuf::ParseResult {
    /// Returns the nodes of all statements that an analysis needs: see [`NodeEnum::nodes`].
    pub fn nodes(&self) -> Vec<(NodeRef<'_>, i32, Context, bool)> {
        let stmts = self.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref()?.node.as_ref());
        stmts.flat_map(NodeEnum::nodes).collect()
    }

    /// Like [`nodes`](Self::nodes), for changes.
    ///
    /// # Safety
    ///
    /// The conditions of [`NodeEnum::nodes_mut`].
    pub unsafe fn nodes_mut(&mut self) -> Vec<(NodeMut, i32, Context)> {
        let stmts = self.stmts.iter_mut().filter_map(|stmt| stmt.stmt.as_mut()?.node.as_mut());
        // SAFETY: the caller guarantees it.
        stmts.flat_map(|stmt| unsafe { stmt.nodes_mut() }).collect()
    }
}

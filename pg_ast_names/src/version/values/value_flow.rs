//! The values that a column of a table has in the rows that statements read or write.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pg_ast::{Context, QualifiedName};

use super::any_tree::AnyTree;
use super::constants::constant;
use super::pg::protobuf::{JoinType, ObjectType, SetOperation};
use super::pg::seam::address;
use super::pg::view::{JoinExpr, List, Node, RangeVar, SelectStmt};
use super::query::recorded_queries::RecordedQueries;
use super::resolver::{FoundList, NameResolver};
use super::value_graph::{KnownValues, NodeId, ValueGraph, ValueNode};
use super::written_values::{assigns, is_stored_as_written};
use crate::column_values::{ColumnValue, ColumnValues, ColumnValuesOfUse, PossibleValues};
use crate::name_catalog::{Catalog, RelationKind};
use crate::resolution::{ColumnMeaning, SourceColumn, TableMeaning, TableUse};

/// The search for the values of a column in resolved statements.
pub(super) struct ValueFlow<'r, 'a> {
    pub(super) resolver: &'r NameResolver<'a>,
    pub(super) recorded: &'r RecordedQueries<'a>,
    table: &'r QualifiedName,
    pub(super) column: &'r str,
    pub(super) graph: ValueGraph,
    /// The places of names in the lists of the resolution, by their addresses.
    columns: HashMap<*const u8, usize>,
    sources: HashMap<*const u8, usize>,
    /// By source, whether its columns may be those of another one as well.
    shared: Vec<bool>,
    /// Columns that conditions name, and the names of those that may be of one of several sources.
    compared: HashSet<NodeId>,
    compared_names: HashSet<(usize, Arc<str>)>,
    pub(super) may_filter: HashMap<*const u8, bool>,
    is_changed: bool,
}

impl<'r, 'a> ValueFlow<'r, 'a> {
    fn new(
        resolver: &'r NameResolver<'a>,
        recorded: &'r RecordedQueries<'a>,
        (table, column): (&'r QualifiedName, &'r str),
    ) -> Self {
        let (mut columns, mut sources) = (HashMap::new(), HashMap::new());
        for (address, list, index) in &resolver.nodes {
            match list {
                FoundList::Column => drop(columns.insert(*address, *index)),
                FoundList::Source => drop(sources.insert(*address, *index)),
                _ => {}
            }
        }
        Self {
            resolver,
            recorded,
            table,
            column,
            graph: ValueGraph::default(),
            columns,
            sources,
            shared: recorded.shared_sources(resolver.sources.len()),
            compared: HashSet::new(),
            compared_names: HashSet::new(),
            may_filter: HashMap::new(),
            is_changed: false,
        }
    }

    /// Reads all conditions of a statement, and what it writes.
    fn statement(&mut self, stmt: usize, node: Node<'a>) {
        let mut stack = vec![(node, false)];
        while let Some((node, is_condition)) = stack.pop() {
            let condition = match node {
                Node::SelectStmt(select) => select.where_clause(),
                Node::UpdateStmt(update) => update.where_clause(),
                Node::DeleteStmt(delete) => delete.where_clause(),
                Node::JoinExpr(join) => join.quals(),
                Node::MergeStmt(merge) => merge.join_condition(),
                _ => None,
            };
            match (node, condition) {
                (Node::JoinExpr(join), _) => self.join(stmt, join),
                (Node::MergeStmt(merge), _) => self.merge(merge),
                (Node::InsertStmt(insert), _) => self.insert(insert),
                (Node::ColumnRef(_), _) if is_condition => self.compares(stmt, node),
                (_, Some(condition)) => {
                    let own = self.recorded.sources_of(node);
                    self.condition(condition, &own);
                }
                _ => {}
            }
            if let Node::UpdateStmt(update) = node {
                self.changes(self.source_of(update.relation()), update.target_list());
            }
            let condition = condition.map(address);
            node.children(|child| {
                stack.push((child, is_condition || Some(address(child)) == condition));
            });
        }
    }

    /// Reads the condition of a join: it restricts the arms of which each row needs a partner.
    fn join(&mut self, stmt: usize, join: JoinExpr<'a>) {
        join.using_clause().iter().for_each(|name| self.compares(stmt, name));
        let [left, right] = self.recorded.arms_of(join);
        let own = match join.jointype() {
            JoinType::JoinLeft => right,
            JoinType::JoinRight => left,
            JoinType::JoinFull => return,
            _ => left.start..right.end,
        };
        if let Some(condition) = join.quals() {
            self.condition(condition, &own);
        }
        for name in join.using_clause() {
            if let [left, right] = self.columns_named(name).as_slice() {
                self.equal(*left, *right, &own);
                self.equal(*right, *left, &own);
            }
        }
    }

    pub(super) fn source_of(&self, table: Option<RangeVar<'a>>) -> Option<usize> {
        self.sources.get(&address(table?.into())).copied()
    }

    /// Notes that a condition names a column.
    fn compares(&mut self, stmt: usize, node: Node<'a>) {
        for (_, column) in self.columns_named(node) {
            self.compared.insert(column);
        }
        let found = self.columns.get(&address(node));
        let found = found.and_then(|index| self.resolver.found.columns.get(*index));
        if let Some(found) = found
            && matches!(found.meaning, ColumnMeaning::OneOf(_) | ColumnMeaning::Unknown)
            && let Some(name) = found.names.last()
        {
            self.compared_names.insert((stmt, Arc::from(name.as_str())));
        }
    }

    /// Returns the columns that a name means for certain, each with its source.
    pub(super) fn columns_named(&mut self, node: Node<'a>) -> Vec<(usize, NodeId)> {
        let (Node::ColumnRef(_) | Node::String(_)) = node else { return Vec::new() };
        let Some(index) = self.columns.get(&address(node)) else { return Vec::new() };
        let mut node = |column: &SourceColumn| {
            let node = ValueNode::Column(column.source, column.name.clone());
            (column.source, self.graph.node(node))
        };
        match &self.resolver.found.columns[*index].meaning {
            ColumnMeaning::Column(column) => vec![node(column)],
            ColumnMeaning::Both(both) => both.iter().map(node).collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn is_shared(&self, source: usize) -> bool {
        self.shared.get(source).copied().unwrap_or_default()
    }

    pub(super) fn restrict(&mut self, node: NodeId, values: Vec<ColumnValue>) {
        let read_as = match self.graph.key(node) {
            Some(ValueNode::Column(source, name)) => self.type_of(*source, name),
            _ => None,
        };
        self.graph.restrict(node, values, read_as);
    }

    /// Notes that columns of a source are changed, if it is the table.
    pub(super) fn changes(&mut self, source: Option<usize>, targets: List<'a>) {
        let of = source.and_then(|source| self.resolver.found.sources.get(source)?.kind.table());
        if of.is_some_and(|of| is_of_table(of, self.table)) && assigns(targets, self.column) {
            self.is_changed = true;
        }
    }

    /// Returns the type of a table's column, if the catalog tells it.
    fn type_of(&self, source: usize, name: &str) -> Option<Rc<QualifiedName>> {
        let state = self.resolver.sources.get(source)?;
        let (place, _) = state.columns.find(name)?;
        Some(Rc::new(state.relation?.columns.get(place)?.type_name.clone()?))
    }

    /// Returns the place of the column in the table that a source is, if the catalog tells it.
    pub(super) fn place_in_table(&self, source: usize) -> Option<usize> {
        let relation = self.resolver.sources.get(source)?.relation?;
        let place = relation.columns.iter().position(|column| column.name == self.column)?;
        relation.is_complete.then_some(place)
    }

    /// Returns the node of the column in the table that a source is.
    pub(super) fn column_of_table(&mut self, source: usize) -> Option<NodeId> {
        let name = match self.resolver.sources.get(source)? {
            state if state.relation.is_some() => {
                let place = self.place_in_table(source)?;
                state.columns.columns.get(place)?.name.clone()
            }
            _ if self.recorded.has_names(source) => return None,
            _ => Arc::from(self.column),
        };
        Some(self.graph.node(ValueNode::Column(source, name)))
    }

    pub(super) fn is_constant(&self, select: SelectStmt<'a>, place: usize) -> bool {
        let returned = self.recorded.columns_of(select);
        let value = returned.and_then(|returned| returned.values.get(place).copied().flatten());
        let is_one = select.op() == SetOperation::SetopNone;
        is_one && (!select.values_lists().is_empty() || value.and_then(constant).is_some())
    }

    /// Returns the values of the column at a place that names the table.
    fn of_use(&mut self, used: &TableUse, source: usize) -> PossibleValues {
        let column = self.column_of_table(source);
        let written = self.graph.find(&ValueNode::Written(source));
        let Some(node) = written.or(column) else { return PossibleValues::Unknown };
        if let Some(known) = self.graph.known(node) {
            let to = self.type_of_column(source);
            let is_read = used.context != Context::Dml || written.is_none();
            let as_written = |value: &ColumnValue| written.is_none() || is_stored_as_written(value);
            if !is_read_alike(known, to.as_deref()) || !known.values.iter().all(as_written) {
                return PossibleValues::Unknown;
            }
            let values = known.values.clone();
            let has_null = is_read && values.contains(&ColumnValue::Null);
            return PossibleValues::These(if has_null {
                values.iter().filter(|value| **value != ColumnValue::Null).cloned().collect()
            } else {
                values
            });
        }
        let name = (used.stmt, Arc::from(self.column));
        let is_compared = column.is_none_or(|column| self.compared.contains(&column));
        if written.is_some() || is_compared || self.compared_names.contains(&name) {
            PossibleValues::Unknown
        } else {
            PossibleValues::Any
        }
    }

    fn type_of_column(&self, source: usize) -> Option<Rc<QualifiedName>> {
        let place = self.place_in_table(source)?;
        let relation = self.resolver.sources.get(source)?.relation?;
        Some(Rc::new(relation.columns.get(place)?.type_name.clone()?))
    }

    fn is_view(&self, used: &TableUse) -> bool {
        let state = used.source.and_then(|source| self.resolver.sources.get(source));
        let kind = state.and_then(|state| state.relation).map(|relation| relation.kind);
        matches!(kind, Some(RelationKind::View | RelationKind::MaterializedView))
    }
}

/// Returns whether a name is that of the table; one without a schema may be.
fn is_of_table(name: &QualifiedName, table: &QualifiedName) -> bool {
    let is_schema = match (&name.schema, &table.schema) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    is_schema && name.name == table.name
}

fn is_use(used: &TableUse, table: &QualifiedName) -> bool {
    match &used.meaning {
        TableMeaning::Relation(name) => is_of_table(name, table),
        TableMeaning::Cte(_) => false,
        _ => is_of_table(&used.name, table),
    }
}

/// Returns whether values mean the same for a column of another type than that which the statement compares them with: numbers do,
/// texts are read by the type.
fn is_read_alike(known: &KnownValues, to: Option<&QualifiedName>) -> bool {
    let is_text = |value: &ColumnValue| {
        matches!(
            value,
            ColumnValue::String(_)
                | ColumnValue::BitString(_)
                | ColumnValue::Param(_)
                | ColumnValue::ElementsOf(_)
        )
    };
    if !known.is_of_another || !known.values.iter().any(is_text) {
        return true;
    }
    let (Some(from), Some(to)) = (known.read_as.as_deref(), to) else { return false };
    let family = |name: &QualifiedName| match (name.schema.as_deref(), &*name.name) {
        (Some("pg_catalog") | None, name) => match name {
            "int2" | "int4" | "int8" | "smallserial" | "serial" | "bigserial" => Some(0),
            "text" | "varchar" => Some(1),
            _ => None,
        },
        _ => None,
    };
    from == to || (family(from).is_some() && family(from) == family(to))
}

/// Returns the query that a statement is or executes; `None` for others.
fn query_of(mut stmt: Node<'_>) -> Option<Node<'_>> {
    loop {
        stmt = match stmt {
            Node::SelectStmt(_)
            | Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => return Some(stmt),
            Node::ExplainStmt(explain) => explain.query()?,
            Node::PrepareStmt(prepare) => prepare.query()?,
            Node::DeclareCursorStmt(cursor) => cursor.query()?,
            Node::CopyStmt(copy) => copy.query()?,
            Node::CreateTableAsStmt(create) if create.objtype() == ObjectType::ObjectTable => {
                create.query()?
            }
            _ => return None,
        }
    }
}

/// Returns which rows of a table the statements read or write, by the values of one of its columns: what a program asks that sends
/// statements to the shards of a table.
///
/// For each place that names the table, these are the values without which no row counts: of conditions in `WHERE` and `ON` that
/// `AND` joins (and of each that `OR` joins) which compare the column with constants or parameters by `=`, `IN`, `= ANY` or
/// `IS NOT DISTINCT FROM`, also in rows (`(k, a) = (1, 2)`); of those of columns that are equal to it, through joins, aliases,
/// `WITH` and subqueries; and the values in the rows that `INSERT` and `MERGE` add. An outer join counts only where it has to.
/// `EXPLAIN`, `PREPARE`, `DECLARE`, `COPY (..) TO` and `CREATE TABLE AS` have those of their query.
///
/// A `table` without a schema is that of any schema. What triggers, rules, views and functions read, and constraints on other
/// tables, is not in the statement, and does not count here. With a [`Catalog`] more is known: the order of columns for an `INSERT`
/// without them, which table has a column, and the types that an equality compares: a text or a parameter
/// passes from one column to another only if both are known to read it alike.
///
/// ```
/// use pg_ast::QualifiedName;
/// use pg_ast_names::{NoCatalog, PossibleValues, column_values};
///
/// let table = QualifiedName::new("public", "orders");
/// let sql = "WITH w AS (SELECT * FROM orders) SELECT * FROM users u JOIN w ON w.tenant = u.id WHERE u.id = 42";
/// let found = column_values(&pg_ast::parse(sql)?, &table, "tenant", &NoCatalog);
/// let PossibleValues::These(values) = &found.uses[0].values else { panic!() };
/// assert_eq!(values[0].to_string(), "42");
///
/// let sql = "SELECT * FROM orders, users u WHERE u.id = 42";
/// let found = column_values(&pg_ast::parse(sql)?, &table, "tenant", &NoCatalog);
/// assert_eq!(found.uses[0].values, PossibleValues::Any);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn column_values<'t>(
    tree: impl Into<AnyTree<'t>>,
    table: &QualifiedName,
    column: &str,
    catalog: &dyn Catalog,
) -> ColumnValues {
    tree.into().read(|stmts| {
        let mut resolver = NameResolver::new(catalog);
        resolver.recorded = Some(RecordedQueries::default());
        resolver.resolve_all(stmts);
        let recorded = resolver.recorded.take().unwrap_or_default();
        let queries: Vec<_> = stmts.iter().map(|stmt| stmt.stmt().and_then(query_of)).collect();

        let mut flow = ValueFlow::new(&resolver, &recorded, (table, column));
        for (stmt, query) in queries.iter().enumerate() {
            if let Some(query) = query {
                flow.statement(stmt, *query);
            }
        }
        while let Some((node, id)) = flow.graph.take_added() {
            flow.connect(&node, id);
        }
        flow.graph.spread();
        let mut of_sources = HashMap::new();
        let mut is_complete = queries.iter().all(Option::is_some);
        for used in &resolver.found.tables {
            if let Some(source) = used.source
                && is_use(used, table)
                && queries.get(used.stmt).is_some_and(Option::is_some)
            {
                of_sources.insert(source, flow.of_use(used, source));
            }
            is_complete &= !flow.is_view(used);
        }
        let is_changed = flow.is_changed;
        let is_use = |used: &TableUse| is_use(used, table);
        let tables = resolver.finish(stmts).tables.into_iter().filter(is_use);
        let uses = tables.map(|table| {
            let values = table.source.and_then(|source| of_sources.remove(&source));
            let values = values.unwrap_or(PossibleValues::Unknown);
            ColumnValuesOfUse { table, values }
        });
        ColumnValues { uses: uses.collect(), is_changed, is_complete }
    })
}

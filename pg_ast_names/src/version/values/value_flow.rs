//! The values that a column of a table has in the rows that statements read or write.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::any_tree::AnyTree;
use super::pg::protobuf::{JoinType, ObjectType};
use super::pg::seam::address;
use super::pg::view::{JoinExpr, List, Node, RangeVar};
use super::query::recorded_queries::RecordedQueries;
use super::resolver::{FoundList, NameResolver};
use super::table_family::TableFamily;
use super::value_graph::{NodeId, ValueGraph, ValueNode};
use super::value_types::{ParamUses, is_alike};
use super::written_values::{assigns, is_stored_as_written};
use crate::column_values::{ColumnValue, ColumnValues, ColumnValuesOfUse, PossibleValues};
use crate::name_catalog::{Catalog, RelationKind};
use crate::resolution::{ColumnMeaning, SourceColumn, SourceKind, TableUse};

/// How many columns are looked at: of more, less is known.
const MOST_NODES: usize = 1 << 17;

/// The search for the values of a column in resolved statements.
pub(super) struct ValueFlow<'r, 'a> {
    pub(super) resolver: &'r NameResolver<'a>,
    pub(super) recorded: &'r RecordedQueries<'a>,
    family: &'r TableFamily<'r>,
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
    /// Columns of joins that are one with that of the other arm, which is not known to have the same type; and sources of which each
    /// column may be one.
    pub(super) uneven: HashSet<NodeId>,
    pub(super) uneven_sources: Vec<bool>,
    /// Tables that rows are added to whose column may be NULL.
    pub(super) may_be_null: HashSet<usize>,
    /// Where each parameter is named.
    pub(super) params: HashMap<i32, ParamUses>,
    /// Lists without NULL, by the addresses of those with it.
    without_null: HashMap<*const ColumnValue, Arc<[ColumnValue]>>,
    is_changed: bool,
}

impl<'r, 'a> ValueFlow<'r, 'a> {
    fn new(
        resolver: &'r NameResolver<'a>,
        recorded: &'r RecordedQueries<'a>,
        (family, column): (&'r TableFamily<'r>, &'r str),
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
            family,
            column,
            graph: ValueGraph::default(),
            columns,
            sources,
            shared: recorded.shared_sources(resolver.sources.len()),
            compared: HashSet::new(),
            compared_names: HashSet::new(),
            may_filter: HashMap::new(),
            uneven: HashSet::new(),
            uneven_sources: recorded.natural_sources(resolver.sources.len()),
            may_be_null: HashSet::new(),
            params: HashMap::new(),
            without_null: HashMap::new(),
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
        // A reference to the resolution, and not to this search.
        let resolver = self.resolver;
        let named: &[SourceColumn] = match &resolver.found.columns[*index].meaning {
            ColumnMeaning::Column(column) => core::slice::from_ref(column),
            ColumnMeaning::Both(both) => both,
            _ => &[],
        };
        let node = |column: &SourceColumn| {
            Some((column.source, self.column_node(column.source, column.name.clone())?))
        };
        named.iter().filter_map(node).collect()
    }

    /// Returns the node of a column of a source; `None` if it has several of the name.
    pub(super) fn column_node(&mut self, source: usize, name: Arc<str>) -> Option<NodeId> {
        let columns = &self.resolver.sources.get(source)?.columns;
        let is_several = columns.find(&name).is_some_and(|(_, is_several)| is_several);
        (!is_several).then(|| self.graph.node(ValueNode::Column(source, name)))
    }

    pub(super) fn is_table(&self, source: usize) -> bool {
        let of = self.resolver.found.sources.get(source);
        of.is_some_and(|of| matches!(of.kind, SourceKind::Table(_)))
    }

    pub(super) fn is_shared(&self, source: usize) -> bool {
        self.shared.get(source).copied().unwrap_or_default()
    }

    pub(super) fn restrict(&mut self, node: NodeId, values: Vec<ColumnValue>) {
        let is_of_another = self.is_uneven(node);
        let read_as = match self.graph.key(node) {
            _ if is_of_another => None,
            Some(ValueNode::Column(..)) => self.type_of_node(node),
            // Of constants alone, numbers have a type.
            _ => {
                let is_number = |value| matches!(value, &ColumnValue::Integer(_));
                let integer = || Rc::new(QualifiedName::new("pg_catalog", "int8"));
                values.iter().all(is_number).then(integer)
            }
        };
        self.graph.restrict(node, values, read_as, is_of_another);
    }

    /// Notes that columns of a source are changed, if it is the table.
    pub(super) fn changes(&mut self, source: Option<usize>, targets: List<'a>) {
        let of = source.and_then(|source| self.resolver.found.sources.get(source)?.kind.table());
        if of.is_some_and(|of| self.family.has(of)) && assigns(targets, self.column) {
            self.is_changed = true;
        }
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
        self.column_node(source, name)
    }

    /// Returns the values of the column at a place that names the table.
    fn of_use(&mut self, used: &TableUse, source: usize) -> PossibleValues {
        let column = self.column_of_table(source);
        let written = self.graph.find(&ValueNode::Written(source));
        let Some(node) = written.or(column) else { return PossibleValues::Unknown };
        if let Some(known) = self.graph.known(node) {
            let to = column.and_then(|column| self.type_of_node(column));
            let as_written = |value: &ColumnValue| {
                written.is_none() || is_stored_as_written(value, to.as_deref())
            };
            let is_of_column = |value: &ColumnValue| match value {
                ColumnValue::Param(number) | ColumnValue::ElementsOf(number) => {
                    self.params.get(number).is_none_or(ParamUses::is_of_column)
                }
                _ => true,
            };
            let is_known = |value: &ColumnValue| as_written(value) && is_of_column(value);
            let is_alike =
                !known.is_of_another || is_alike(known.read_as.as_deref(), to.as_deref());
            if !is_alike || !known.values.iter().all(is_known) {
                return PossibleValues::Unknown;
            }
            let values = known.values.clone();
            let has_null = values.contains(&ColumnValue::Null);
            let may_be_null = self.may_be_null.contains(&source);
            return PossibleValues::These(match written {
                Some(_) if may_be_null && !has_null => {
                    values.iter().cloned().chain([ColumnValue::Null]).collect()
                }
                Some(_) => values,
                None if !has_null => values,
                None => {
                    let without = self.without_null.entry(values.as_ptr()).or_insert_with(|| {
                        let is_value = |value: &&ColumnValue| **value != ColumnValue::Null;
                        values.iter().filter(is_value).cloned().collect()
                    });
                    without.clone()
                }
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

    fn is_view(&self, used: &TableUse) -> bool {
        let state = used.source.and_then(|source| self.resolver.sources.get(source));
        let kind = state.and_then(|state| state.relation).map(|relation| relation.kind);
        matches!(kind, Some(RelationKind::View | RelationKind::MaterializedView))
    }
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
/// A value is to be read as the column's type reads it (with its length and scale). It passes from one column to another only if
/// their types are known to read values alike: two of whole numbers, two of texts, or the same type twice. So it takes a
/// [`Catalog`] to follow joins. A [`Catalog`] also tells the order of columns for an `INSERT` without them, and which table
/// has a column.
///
/// Its partitions, the tables that inherit from it, and those that it inherits from or is a partition of have rows of it: a place
/// that names one of them counts as well, if the [`Catalog`] tells that it is one.
///
/// A `table` without a schema is that of any schema. What is not in the statement does not count here: what triggers, rules, views
/// and functions read and write (those of a query that is read once may also run for fewer rows), constraints, generated columns
/// and collations in which different texts are equal.
///
/// ```
/// use pg_ast::QualifiedName;
/// use pg_ast_names::{DdlCatalog, NoCatalog, PossibleValues, column_values, define};
///
/// let mut catalog = DdlCatalog::new();
/// let tables = "CREATE TABLE orders (tenant int, total int); CREATE TABLE users (id int)";
/// define(&pg_ast::parse(tables)?, &mut catalog);
///
/// let table = QualifiedName::new("public", "orders");
/// let sql = "WITH w AS (SELECT * FROM orders) SELECT * FROM users u JOIN w ON w.tenant = u.id WHERE u.id = 42";
/// let found = column_values(&pg_ast::parse(sql)?, &table, "tenant", &catalog);
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

        let family = TableFamily::new(table, catalog);
        let mut flow = ValueFlow::new(&resolver, &recorded, (&family, column));
        for (stmt, query) in stmts.iter().zip(&queries) {
            if let (Some(stmt), Some(query)) = (stmt.stmt(), query) {
                flow.types(stmt, *query);
            }
        }
        for (stmt, query) in queries.iter().enumerate() {
            if let Some(query) = query {
                flow.statement(stmt, *query);
            }
        }
        while let Some((node, id)) = flow.graph.take_added()
            && flow.graph.len() < MOST_NODES
        {
            flow.connect(&node, id);
        }
        flow.graph.spread();
        let mut of_sources = HashMap::new();
        let mut is_complete = queries.iter().all(Option::is_some);
        for used in &resolver.found.tables {
            if let Some(source) = used.source
                && family.is_use(used)
                && queries.get(used.stmt).is_some_and(Option::is_some)
            {
                of_sources.insert(source, flow.of_use(used, source));
            }
            is_complete &= !flow.is_view(used);
        }
        let is_changed = flow.is_changed;
        let tables = resolver.finish(stmts).tables.into_iter().filter(|it| family.is_use(it));
        let uses = tables.map(|table| {
            let values = table.source.and_then(|source| of_sources.remove(&source));
            let values = values.unwrap_or(PossibleValues::Unknown);
            ColumnValuesOfUse { table, values }
        });
        ColumnValues { uses: uses.collect(), is_changed, is_complete }
    })
}

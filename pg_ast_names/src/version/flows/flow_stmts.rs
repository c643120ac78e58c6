//! Statements: which rows they return, define and write.

use std::sync::Arc;

use pg_ast::QualifiedName;

use super::any_tree::AnyTree;
use super::flow_builder::{FlowBuilder, FlowKey};
use super::pg::protobuf::SetOperation;
use super::pg::seam::address;
use super::pg::view::{IntoClause, List, Node, RangeVar, SelectStmt};
use super::query::recorded_queries::RecordedQueries;
use super::resolver::NameResolver;
use crate::lineage::{Lineage, LineageColumn, LineageKind, LineageResult};
use crate::name_catalog::Catalog;

impl<'a> FlowBuilder<'_, 'a> {
    /// Reads a statement.
    fn statement(&mut self, stmt: Node<'a>) {
        let mut stmts = vec![stmt];
        while let Some(stmt) = stmts.pop() {
            match stmt {
                Node::SelectStmt(select) => {
                    self.query(stmt);
                    let kind = match into(select) {
                        Some(table) => LineageKind::Defined(table),
                        None => LineageKind::Returned,
                    };
                    self.add_result(kind, stmt, List::default());
                }
                Node::InsertStmt(_)
                | Node::UpdateStmt(_)
                | Node::DeleteStmt(_)
                | Node::MergeStmt(_) => {
                    self.query(stmt);
                    self.add_result(LineageKind::Returned, stmt, List::default());
                }
                Node::ExplainStmt(explain) => stmts.extend(explain.query()),
                Node::PrepareStmt(prepare) => stmts.extend(prepare.query()),
                Node::DeclareCursorStmt(cursor) => stmts.extend(cursor.query()),
                Node::CopyStmt(copy) => stmts.extend(copy.query()),
                Node::CreateTableAsStmt(create) => {
                    if let (Some(query), Some(into)) = (create.query(), create.into()) {
                        self.defines(into.rel(), query, into.col_names());
                    }
                }
                Node::ViewStmt(view) => {
                    if let Some(query) = view.query() {
                        self.defines(view.view(), query, view.aliases());
                    }
                }
                Node::CreateSchemaStmt(schema) => stmts.extend(schema.schema_elts().iter().rev()),
                _ => {}
            }
        }
    }

    fn defines(&mut self, table: Option<RangeVar<'a>>, query: Node<'a>, names: List<'a>) {
        let Some(table) = table else { return };
        self.query(query);
        self.add_result(LineageKind::Defined(table.qualified_name()), query, names);
    }

    /// Adds the rows that a query returns, whose columns can have other names.
    fn add_result(&mut self, kind: LineageKind, query: Node<'a>, names: List<'a>) {
        let columns = self.columns_returned(query);
        if columns.is_empty() && !matches!(query, Node::SelectStmt(_)) {
            return;
        }
        let mut names = names.strs();
        let columns = columns.into_iter().map(|(name, node)| {
            // Which of the others has a name is not known.
            let other = if name.is_some() { names.next() } else { None };
            LineageColumn { name: other.map(Arc::from).or(name), node }
        });
        let columns = columns.collect();
        let rows = self.node(FlowKey::Rows(address(query)));
        self.results.push(LineageResult { kind, columns, stmt: self.stmt, rows });
    }
}

/// Returns the table of `SELECT INTO`, which is in the first part of a `UNION`.
fn into(mut select: SelectStmt<'_>) -> Option<QualifiedName> {
    while select.op() != SetOperation::SetopNone {
        select = select.larg()?;
    }
    select.into_clause().and_then(IntoClause::rel).map(RangeVar::qualified_name)
}

/// Makes the graph of resolved statements, each with its index.
pub(crate) fn lineage_of<'a>(
    resolver: &mut NameResolver<'a>,
    stmts: impl Iterator<Item = (usize, Node<'a>)>,
    follows_views: bool,
) -> Lineage {
    let recorded = resolver.recorded.take().unwrap_or_default();
    let mut flows = FlowBuilder::new(resolver, &recorded, follows_views);
    for (index, stmt) in stmts {
        flows.stmt = index;
        flows.statement(stmt);
    }
    flows.follow_views();
    let (results, mut graph) = (flows.results, flows.graph);
    // What lists the candidates of names needs no more than this.
    let mut names = core::mem::take(&mut resolver.found);
    names.tables = Vec::new();
    names.columns = Vec::new();
    names.functions = Vec::new();
    names.mistakes = Vec::new();
    graph.resolutions[0] = Arc::new(names);
    Lineage { results, graph }
}

/// Returns where the values of columns come from: of those that statements return, of those of views and tables that they define,
/// and of those that they write.
///
/// For each column, [`Lineage::sources`] returns the columns of tables that its values come from, through `WITH` (also a recursive
/// one), subqueries, `LATERAL`, `*`, joins with `USING`, `UNION`, whole rows and the arguments of functions, and how they do: the
/// value itself, one that is computed from it, or an aggregate. Apart from that, [`Lineage::influences`] returns what decides which
/// rows there are: conditions of joins, `WHERE`, `GROUP BY`, `ORDER BY` and the like.
///
/// The columns of views are followed if the [`Catalog`] knows where they come from ([`Catalog::view_lineage`]). Where it
/// does not know the columns of a table, a name may be one of several; what cannot be told is
/// [unknown](crate::LineageOrigin::Unknown), with the reason.
///
/// What is not in the statements does not count: triggers, rules, defaults, and what functions read. Aggregates of the user's own
/// are known by what only they have, such as `DISTINCT`, `FILTER` and `ORDER BY`; otherwise they are functions.
///
/// ```
/// use pg_ast_names::{DdlCatalog, LineageOrigin, define, lineage};
///
/// let mut catalog = DdlCatalog::new();
/// let schema = "CREATE TABLE users (id int, name text); CREATE TABLE orders (user_id int, total int, paid bool);
///     CREATE VIEW spent AS SELECT user_id, sum(total) AS total FROM orders WHERE paid GROUP BY user_id";
/// define(&pg_ast::parse(schema)?, &mut catalog);
///
/// let sql = "SELECT name, total FROM users JOIN spent ON id = user_id";
/// let found = lineage(&pg_ast::parse(sql)?, &catalog);
/// let result = &found.results[0];
/// let texts = |sources: Vec<pg_ast_names::LineageSource>| {
///     let texts = sources.into_iter().map(|source| match source.origin {
///         LineageOrigin::Column(column) => format!("{}.{} {:?}", column.table, column.column, source.flows),
///         LineageOrigin::Unknown(unknown) => format!("{unknown:?}"),
///         _ => String::new(),
///     });
///     texts.collect::<Vec<_>>()
/// };
/// assert_eq!(texts(found.sources(&result.columns[0])), ["public.users.name {Identity}"]);
/// assert_eq!(texts(found.sources(&result.columns[1])), ["public.orders.total {Aggregation}"]);
/// let influences = [
///     "public.orders.paid {Filter}",
///     "public.orders.user_id {Join, GroupBy}",
///     "public.users.id {Join}",
/// ];
/// assert_eq!(texts(found.influences(result)), influences);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn lineage<'t>(tree: impl Into<AnyTree<'t>>, catalog: &dyn Catalog) -> Lineage {
    tree.into().read(|stmts| {
        let mut resolver = NameResolver::new(catalog);
        resolver.recorded = Some(RecordedQueries::default());
        resolver.resolve_all(stmts);
        let stmts = stmts.iter().enumerate();
        let stmts = stmts.filter_map(|(index, stmt)| Some((index, stmt.stmt()?)));
        lineage_of(&mut resolver, stmts, true)
    })
}

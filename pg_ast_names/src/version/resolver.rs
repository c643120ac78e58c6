//! The state of resolving, and what it finds.

use core::cell::OnceCell;
use core::ops::Range;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pg_ast::{Context, QualifiedName};

use super::any_tree::AnyTree;
use super::bodies::variable_conflicts::BodyVariables;
use super::lookup::column_names::NamedColumns;
use super::lookup::visible_names::{Meant, VisibleNames, unknown_source};
use super::pg::seam::{address, sort_by_key};
use super::pg::view::{Node, RawStmt};
use super::query::common_tables::CteState;
use super::query::from_items::SameName;
use super::query::joined_columns::Joins;
use super::query::query_mistakes::NameSet;
use super::query::recorded_queries::RecordedQueries;
use crate::name_catalog::{Catalog, Relation};
use crate::name_mistakes::{MistakeKind, NameMistake};
use crate::resolution::{
    ColumnList, ColumnMeaning, ColumnSource, ColumnUse, FunctionMeaning, FunctionUse, Resolution,
    SourceKind, TableMeaning, TableUse,
};

/// How many names are compared with wrong ones in all: a suggestion is not worth more.
const MOST_COMPARED: usize = 200_000;

/// A source as the search needs it.
pub(crate) struct SourceState<'a> {
    pub(crate) columns: Rc<NamedColumns<'a>>,
    /// The relation, if the catalog has it.
    pub(crate) relation: Option<&'a Relation>,
    pub(crate) has_alias: bool,
    /// Whether its rows may have system columns.
    pub(crate) is_stored: bool,
}

/// What of a statement is read again for calls that cannot be where they are, and for columns that are not grouped.
#[derive(Default)]
pub(crate) struct ForAggregates {
    /// Whether there is a reason to.
    pub(crate) is_needed: bool,
    /// Whether there is a call without arguments that is no value, which is one whatever the catalog knows.
    pub(crate) has_bare_call: bool,
    /// The numbers of the queries, by their addresses.
    pub(crate) queries: Vec<(*const u8, usize)>,
    /// The query of each source.
    pub(crate) of_sources: Vec<usize>,
    /// Whether the catalog knows all functions that a name without a schema can mean.
    knows_functions: OnceCell<bool>,
}

/// The list that an address belongs to.
#[derive(Clone, Copy)]
pub(crate) enum FoundList {
    Source,
    /// The query that a source is.
    Query,
    Table,
    Column,
    Function,
    Mistake,
}

pub(crate) struct NameResolver<'a> {
    pub(crate) catalog: &'a dyn Catalog,
    pub(crate) found: Resolution,
    pub(crate) names: VisibleNames,
    pub(crate) sources: Vec<SourceState<'a>>,
    pub(crate) ctes: HashMap<Arc<str>, Vec<usize>>,
    pub(crate) cte_list: Vec<CteState<'a>>,
    pub(crate) joins: Joins,
    pub(crate) same_names: Vec<SameName<'a>>,
    /// The windows that each open query names.
    pub(crate) windows: Vec<NameSet<'a>>,
    /// The columns of relations that have been named.
    pub(crate) of_relations: HashMap<*const Relation, Rc<NamedColumns<'a>>>,
    /// The parameters of the function that is being resolved, and other names that stand for values.
    pub(crate) variables: Rc<HashSet<Arc<str>>>,
    /// The variables of a function in PL/pgSQL.
    pub(crate) body: Option<&'a dyn BodyVariables>,
    /// Whether a name that is not found is left alone: it can mean something that is not in the tree.
    pub(crate) is_lenient: bool,
    pub(crate) stmt: usize,
    /// The addresses of the nodes of what was found, with its list and its place there.
    pub(crate) nodes: Vec<(*const u8, FoundList, usize)>,
    /// The names of the columns that queries in expressions return, by their addresses.
    pub(crate) query_names: HashMap<*const u8, Arc<str>>,
    pub(crate) compared: usize,
    /// What is kept of queries, if somebody asks for it.
    pub(crate) recorded: Option<RecordedQueries<'a>>,
    pub(crate) for_aggregates: ForAggregates,
}

/// Returns a location of the tree as an offset.
pub(crate) fn offset(location: i32) -> Option<usize> {
    usize::try_from(location).ok()
}

impl<'a> NameResolver<'a> {
    pub(crate) fn new(catalog: &'a dyn Catalog) -> Self {
        Self {
            catalog,
            found: Resolution::default(),
            names: VisibleNames::default(),
            sources: Vec::new(),
            ctes: HashMap::new(),
            cte_list: Vec::new(),
            joins: Joins::default(),
            same_names: Vec::new(),
            windows: Vec::new(),
            of_relations: HashMap::new(),
            variables: Rc::default(),
            body: None,
            is_lenient: false,
            stmt: 0,
            nodes: Vec::new(),
            query_names: HashMap::new(),
            compared: 0,
            recorded: None,
            for_aggregates: ForAggregates::default(),
        }
    }

    /// Leaves names alone that are not found.
    pub(crate) fn lenient(mut self) -> Self {
        self.is_lenient = true;
        self
    }

    /// Resolves statements one after the other.
    pub(crate) fn stmts(mut self, stmts: &[RawStmt<'a>]) -> Resolution {
        self.resolve_all(stmts);
        self.finish(stmts)
    }

    pub(crate) fn resolve_all(&mut self, stmts: &[RawStmt<'a>]) {
        for (index, stmt) in stmts.iter().enumerate() {
            self.stmt = index;
            let first = self.nodes.len();
            self.for_aggregates.is_needed = false;
            self.for_aggregates.has_bare_call = false;
            self.for_aggregates.queries.clear();
            let output = stmt.stmt().and_then(|stmt| self.statement(stmt));
            self.found.outputs.push(output.map(|columns| columns.list()));
            if let Some(stmt) = stmt.stmt().filter(|_| self.for_aggregates.is_needed) {
                self.check_aggregates(stmt, first);
            }
        }
    }

    /// Puts the places of nodes in, and what was found in order.
    pub(crate) fn finish(mut self, stmts: &[RawStmt<'a>]) -> Resolution {
        let mut by_address = HashMap::<_, Vec<_>>::with_capacity(self.nodes.len());
        for (address, list, index) in self.nodes {
            by_address.entry(address).or_default().push((list, index));
        }
        if !by_address.is_empty() {
            let nodes = stmts.iter().flat_map(|stmt| Node::from(*stmt).nodes());
            for (place, node) in nodes.enumerate() {
                // A part of another node has its address; what was found is no part, and no whole.
                if matches!(node, Node::RawStmt(_) | Node::CreateStmt(_)) {
                    continue;
                }
                for (list, index) in by_address.get(&address(node)).into_iter().flatten() {
                    let found = &mut self.found;
                    let node = match list {
                        FoundList::Source => found.sources.get_mut(*index).map(|it| &mut it.node),
                        FoundList::Query => found.sources.get_mut(*index).map(|it| &mut it.query),
                        FoundList::Table => found.tables.get_mut(*index).map(|it| &mut it.node),
                        FoundList::Column => found.columns.get_mut(*index).map(|it| &mut it.node),
                        FoundList::Function => {
                            found.functions.get_mut(*index).map(|it| &mut it.node)
                        }
                        FoundList::Mistake => found.mistakes.get_mut(*index).map(|it| &mut it.node),
                    };
                    if let Some(node) = node {
                        *node = Some(place);
                    }
                }
            }
        }
        let found = &mut self.found;
        for (source, state) in found.sources.iter_mut().zip(&self.sources) {
            source.columns = state.columns.list();
        }
        let key = |stmt: usize, location: Option<usize>| {
            (stmt as u64, location.map_or(0, |location| location + 1))
        };
        sort_by_key(&mut found.tables, |it| key(it.stmt, it.location));
        sort_by_key(&mut found.columns, |it| key(it.stmt, it.location));
        sort_by_key(&mut found.functions, |it| key(it.stmt, it.location));
        sort_by_key(&mut found.mistakes, |it| key(it.stmt, it.location));
        self.found
    }

    /// Notes the node of what was found last in a list.
    pub(crate) fn at(&mut self, node: Node<'a>, list: FoundList) {
        let found = &self.found;
        let length = match list {
            FoundList::Source | FoundList::Query => found.sources.len(),
            FoundList::Table => found.tables.len(),
            FoundList::Column => found.columns.len(),
            FoundList::Function => found.functions.len(),
            FoundList::Mistake => found.mistakes.len(),
        };
        self.nodes.push((address(node), list, length.saturating_sub(1)));
    }

    pub(crate) fn add_column_use(
        &mut self,
        node: Node<'a>,
        location: i32,
        names: Vec<String>,
        meaning: ColumnMeaning,
    ) {
        let (location, stmt) = (offset(location), self.stmt);
        self.found.columns.push(ColumnUse { names, meaning, location, node: None, stmt });
        self.at(node, FoundList::Column);
    }

    pub(crate) fn add_table_use(
        &mut self,
        node: Node<'a>,
        location: i32,
        name: QualifiedName,
        meaning: TableMeaning,
        context: Context,
    ) {
        let (location, stmt) = (offset(location), self.stmt);
        let source = None;
        self.found.tables.push(TableUse {
            name,
            meaning,
            context,
            source,
            location,
            node: None,
            stmt,
        });
        self.at(node, FoundList::Table);
    }

    pub(crate) fn add_function_use(
        &mut self,
        node: Node<'a>,
        location: i32,
        name: QualifiedName,
        meaning: FunctionMeaning,
        arguments: Option<usize>,
    ) {
        let (location, stmt) = (offset(location), self.stmt);
        self.found.functions.push(FunctionUse {
            name,
            meaning,
            arguments,
            location,
            node: None,
            stmt,
        });
        self.at(node, FoundList::Function);
    }

    /// Adds a mistake in one part of a name.
    pub(crate) fn mistake(
        &mut self,
        node: Node<'a>,
        location: i32,
        part: usize,
        kind: MistakeKind,
        message: String,
        suggestion: Option<String>,
    ) {
        let (location, stmt) = (offset(location), self.stmt);
        let mistake = NameMistake { kind, message, suggestion, location, node: None, stmt, part };
        self.found.mistakes.push(mistake);
        self.at(node, FoundList::Mistake);
    }

    /// Returns a place to return to: the numbers of nodes and of mistakes.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.nodes.len(), self.found.mistakes.len())
    }

    /// Returns whether one of the mistakes since then is that a name has several meanings.
    pub(crate) fn is_ambiguous_since(&self, (_, mistakes): (usize, usize)) -> bool {
        let mut since = self.found.mistakes.iter().skip(mistakes);
        since.any(|mistake| mistake.kind == MistakeKind::AmbiguousColumn)
    }

    /// Removes the mistakes since then.
    pub(crate) fn forget_mistakes_since(&mut self, (nodes, mistakes): (usize, usize)) {
        self.found.mistakes.truncate(mistakes);
        let since = self.nodes.split_off(nodes);
        let others = since.into_iter().filter(|(_, list, _)| !matches!(list, FoundList::Mistake));
        self.nodes.extend(others);
    }

    /// Returns the name that is most like a wrong one, if there is one that is like it.
    pub(crate) fn similar<'n>(
        &mut self,
        wrong: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Option<String> {
        let length = wrong.chars().count();
        let most = if length < 3 { return None } else { 1 + usize::from(length > 4) };
        let mut best: Option<(usize, &str)> = None;
        for name in names {
            self.compared += 1;
            if self.compared > MOST_COMPARED {
                break;
            }
            if name.len().abs_diff(wrong.len()) > 2 * most || name == wrong || name.len() > 64 {
                continue;
            }
            let distance = strsim::osa_distance(wrong, name);
            if distance <= most && best.is_none_or(|best| (distance, name) < best) {
                best = Some((distance, name));
            }
        }
        best.map(|(_, name)| name.to_owned())
    }

    /// Whether there may still be suggestions.
    pub(crate) fn may_suggest(&self) -> bool {
        self.compared < MOST_COMPARED
    }

    /// Adds a source, without making its names visible.
    pub(crate) fn add_source(
        &mut self,
        node: Node<'a>,
        location: i32,
        kind: SourceKind,
        name: Option<&str>,
        state: SourceState<'a>,
    ) -> usize {
        self.found.sources.push(ColumnSource {
            kind,
            name: name.map(str::to_owned),
            columns: ColumnList::default(),
            location: offset(location),
            node: None,
            query: None,
            stmt: self.stmt,
        });
        self.sources.push(state);
        self.for_aggregates.of_sources.push(self.names.query());
        self.at(node, FoundList::Source);
        self.sources.len() - 1
    }

    /// Makes a source the next item of the query.
    pub(crate) fn add_item(&mut self, source: usize, shows_columns: bool) -> u32 {
        let item = self.names.add_item();
        self.show_source(source, item);
        if shows_columns {
            self.show_columns(source, item);
        }
        item
    }

    /// Makes the name of a source visible.
    fn show_source(&mut self, source: usize, item: u32) {
        let Some(state) = self.sources.get(source) else { return };
        let known = &self.found.sources[source];
        let Some(name) = &known.name else { return };
        let name: Arc<str> = Arc::from(&**name);
        if !state.has_alias
            && let Some(QualifiedName { schema: Some(schema), name }) = known.kind.table()
        {
            let qualified = format!("{schema}\0{name}");
            self.names.add_source(item, Arc::from(qualified), source);
        }
        self.names.add_source(item, name, source);
    }

    /// Makes the columns of a source visible without its name.
    fn show_columns(&mut self, source: usize, item: u32) {
        let Some(state) = self.sources.get(source) else { return };
        let columns = state.columns.clone();
        for (index, column) in columns.columns.iter().enumerate() {
            self.names.add_column(item, &column.name, Meant::Column { source, index });
        }
        if !columns.is_complete() {
            let record = unknown_source(&self.names, source, item);
            self.found.unknown.push(record);
            self.names.add_unknown(item, self.found.unknown.len() - 1);
        }
        if state.is_stored {
            self.names.add_stored(item, source);
        }
    }

    /// Opens a query: what it sees of those around it is what they show now.
    pub(crate) fn open(&mut self) {
        let outer = self.names.unknown().map(|(_, visible)| visible);
        self.found.outer.push(outer);
        self.names.open(self.found.outer.len() - 1);
        self.windows.push(NameSet::default());
    }

    /// Opens the query that a node is.
    pub(crate) fn open_query(&mut self, query: Node<'a>) {
        self.open();
        self.for_aggregates.queries.push((address(query), self.names.query()));
    }

    /// Returns whether the catalog knows all functions that a name without a schema can mean.
    pub(crate) fn knows_functions(&self) -> bool {
        *self.for_aggregates.knows_functions.get_or_init(|| {
            self.schemas(None).into_iter().all(|schema| self.catalog.is_known(schema))
        })
    }

    pub(crate) fn close(&mut self) {
        self.windows.pop();
        if let Some(level) = self.names.close() {
            for name in level.ctes.iter().rev() {
                if let Some(of_name) = self.ctes.get_mut(name) {
                    of_name.pop();
                }
            }
        }
    }

    /// Shows all items of the query.
    pub(crate) fn show_all(&mut self) -> Range<u32> {
        let items = self.names.items();
        self.names.show(0..items)
    }
}

/// Returns what the names of columns, tables and functions mean: which item of a `FROM` a column is of, which table or
/// query of a `WITH` a table is, and what `*` stands for.
///
/// A [`Catalog`] says which tables, columns and functions there are. Without one ([`NoCatalog`](crate::NoCatalog)), a
/// name means what the statement itself shows; where that leaves several possibilities, they are all in the result. A wrong
/// name is a [mistake](Resolution::mistakes), not an error.
///
/// ```
/// use pg_ast_names::{ColumnMeaning, DdlCatalog, define, resolve};
///
/// let mut catalog = DdlCatalog::new();
/// let tables = "CREATE TABLE users (id int, name text); CREATE TABLE orders (user_id int, total int)";
/// define(&pg_ast::parse(tables)?, &mut catalog);
///
/// let sql = "SELECT name, sum(total) AS total FROM users JOIN orders ON id = user_id GROUP BY name";
/// let names = resolve(&pg_ast::parse(sql)?, &catalog);
/// let ColumnMeaning::Column(column) = &names.columns[1].meaning else { panic!() };
/// let table = names.sources[column.source].kind.table().unwrap();
/// assert_eq!((table.to_string().as_str(), &*column.name), ("public.orders", "total"));
/// assert!(names.outputs[0].as_ref().unwrap().names().eq(["name", "total"]));
/// assert!(names.mistakes.is_empty());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// A view of the tree has the same names, and is faster to make:
///
/// ```
/// use pg_ast_names::{NoCatalog, resolve};
///
/// let sql = "WITH w AS (SELECT 1 AS a) SELECT a FROM w";
/// let names = resolve(&pg_ast::view::parse(sql)?, &NoCatalog);
/// let column = names.columns.iter().find(|column| column.names == ["a"]).unwrap();
/// assert_eq!(names.candidates(column).count(), 1);
/// assert_eq!(names, resolve(&pg_ast::parse(sql)?, &NoCatalog));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn resolve<'t>(tree: impl Into<AnyTree<'t>>, catalog: &dyn Catalog) -> Resolution {
    tree.into().read(|stmts| NameResolver::new(catalog).stmts(stmts))
}

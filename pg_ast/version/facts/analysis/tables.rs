//! Visits the tables that statements name, where they are named.

use std::collections::HashMap;

use super::collect::Collector;
use super::names::protobuf;
use super::names::protobuf::RangeVar;
use super::names::{Node, NodeMut, NodeRef, ParseResult};
use super::scope::Scope;
use super::tree::make;
use super::tree::nodes_mut::NodesMut;
use super::view;
use super::view::RawStmt;
use crate::types::analysis::Context;
use crate::types::qualified_name::QualifiedName;

/// The way in which a node names a table.
#[derive(Clone, Copy)]
pub(crate) struct NamesTable {
    pub(crate) context: Context,
    /// The number of strings in a list of names after those of the table.
    pub(crate) behind: usize,
}

/// The nodes that name tables, by their addresses.
pub(crate) type Places = HashMap<*const u8, NamesTable>;

/// Returns whether a node can name a table: a `RangeVar`, or a list of strings. An empty list is not a list in C.
fn names_in_view(node: view::Node<'_>) -> bool {
    matches!(node, view::Node::RangeVar(_) | view::Node::List(_))
}

fn names(node: NodeRef<'_>) -> bool {
    match node {
        NodeRef::RangeVar(_) => true,
        NodeRef::List(list) => !list.items.is_empty(),
        _ => false,
    }
}

/// The places where tables are named, in these nodes and below them.
pub(super) fn places<'a>(roots: impl Iterator<Item = view::Node<'a>>) -> Places {
    let mut walk = Collector::new(Scope::All);
    walk.places = Some(Places::new());
    roots.for_each(|root| walk.node(root));
    walk.places.unwrap_or_default()
}

/// Returns for each node that can name a table, in the order of a walk, whether and how it does.
fn named<'a>(roots: impl Iterator<Item = view::Node<'a>> + Clone) -> Vec<Option<NamesTable>> {
    let places = places(roots.clone());
    let nodes = roots.flat_map(view::Node::nodes).filter(|node| names_in_view(*node));
    nodes.map(|node| places.get(&node.address()).copied()).collect()
}

/// Calls `f` for each table that a `RangeVar` below these nodes names.
fn each_in_view<'a>(
    roots: impl Iterator<Item = view::Node<'a>> + Clone,
    f: &mut dyn FnMut(view::RangeVar<'a>, Context),
) {
    let places = places(roots.clone());
    for node in roots.flat_map(view::Node::nodes) {
        if let view::Node::RangeVar(table) = node
            && let Some(named) = places.get(&node.address())
        {
            f(table, named.context);
        }
    }
}

/// Calls `f` for each table that the nodes name.
fn each<'a>(
    nodes: impl Iterator<Item = NodeRef<'a>>,
    named: Vec<Option<NamesTable>>,
    f: &mut dyn FnMut(&RangeVar, Context),
) {
    for (node, named) in nodes.filter(|node| names(*node)).zip(named) {
        match (node, named) {
            (NodeRef::RangeVar(table), Some(named)) => f(table, named.context),
            (NodeRef::List(list), Some(named)) => {
                if let Some((table, _)) = of_names(&list.items, named) {
                    f(&table, named.context);
                }
            }
            _ => {}
        }
    }
}

/// Calls `f` for each table that the nodes name.
fn each_mut(
    mut nodes: NodesMut<'_>,
    named: Vec<Option<NamesTable>>,
    f: &mut dyn FnMut(&mut RangeVar, Context),
) {
    let mut named = named.into_iter();
    while let Some(node) = nodes.next() {
        if !names(node.to_ref()) {
            continue;
        }
        match (node, named.next().flatten()) {
            (NodeMut::RangeVar(table), Some(named)) => f(table, named.context),
            (NodeMut::List(list), Some(named)) => {
                by_names(&mut list.items, named, f);
            }
            _ => {}
        }
    }
}

/// The table that strings name, and how many of them its name is.
fn of_names(items: &[Node], named: NamesTable) -> Option<(RangeVar, usize)> {
    let end = items.len().saturating_sub(named.behind);
    let strings: Option<Vec<_>> = items[..end].iter().map(Node::as_str).collect();
    let (catalog, schema, name) = match strings.as_deref() {
        Some([name]) => ("", "", *name),
        Some([schema, name]) => ("", *schema, *name),
        Some([catalog, schema, name]) => (*catalog, *schema, *name),
        _ => return None,
    };
    let catalogname = catalog.to_owned();
    Some((RangeVar { catalogname, ..make::range_var(Some(schema), name) }, end))
}

/// Calls `f` for the table that strings name, and puts its name back. Returns whether it has changed.
fn by_names(
    items: &mut Vec<Node>,
    named: NamesTable,
    f: &mut dyn FnMut(&mut RangeVar, Context),
) -> bool {
    let Some((mut table, end)) = of_names(items, named) else { return false };
    let before = table.clone();
    f(&mut table, named.context);
    let name = |table: RangeVar| [table.catalogname, table.schemaname, table.relname];
    let (before, after) = (name(before), name(table));
    let changed = before != after;
    if changed {
        let parts = after.into_iter().filter(|part| !part.is_empty());
        let parts: Vec<_> = parts.map(|part| make::string(part).into()).collect();
        items.splice(..end, parts);
    }
    changed
}

impl ParseResult {
    /// Calls `f` for each place where a table is named, with how it is used there.
    ///
    /// The places and their order are those of [`walk_tables_mut`](Self::walk_tables_mut).
    /// [`analyze`](Self::analyze) lists each table once.
    ///
    /// ```
    /// use pg_ast::Context;
    ///
    /// let tree = pg_ast::parse("WITH c AS (TABLE s.a) SELECT * FROM c, b AS x, b; DROP TABLE d")?;
    /// let mut tables = Vec::new();
    /// tree.walk_tables(|table, context| tables.push((table.relname.clone(), context)));
    /// let expected = [("b", Context::Select), ("b", Context::Select), ("a", Context::Select), ("d", Context::Ddl)];
    /// assert!(tables.iter().map(|(name, context)| (name.as_str(), *context)).eq(expected));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Aborts
    ///
    /// As [`walk_tables_mut`](Self::walk_tables_mut).
    pub fn walk_tables(&self, f: impl FnMut(&RangeVar, Context)) {
        self.protobuf.walk_tables(f);
    }

    /// Calls `f` for each place where a table is named, to change it there: to rename tables, for instance, or
    /// to put them into a schema.
    ///
    /// `f` also gets how the table is used: it is read, written, or the subject of a utility statement. The
    /// tables are those of [`analyze`](Self::analyze), by the same rules. A name that a `WITH` defines is not a
    /// table in its scope, and neither are indexes, sequences and types, and what `FOR UPDATE OF` names. The
    /// order is that of [`Nodes`](super::super::super::Nodes), where each node of the SQL comes once; `SET (a, b) = (SELECT ..)` has
    /// a table once, too, and copies of it become equal to it.
    ///
    /// Where a statement names a table by strings, as `DROP TABLE` and `COMMENT ON` do, `f` gets a `RangeVar`
    /// that is made from them, and its catalog, schema and name are written back. The new name in a `RENAME TO`
    /// is left out.
    ///
    /// The fields `xpr` and `plan`, which stand for the header of a C struct, are empty in every tree that was
    /// parsed. If a program has put a node into one, and a `RangeVar` or a list is in that node, `f` is not
    /// called at all: C has no place for such a node, so the places of the tables are not known.
    ///
    /// ```
    /// let mut tree = pg_ast::parse(
    ///     "WITH old AS (SELECT * FROM old WHERE a) INSERT INTO new SELECT * FROM old; DROP TABLE old",
    /// )?;
    /// tree.walk_tables_mut(|table, _context| table.schemaname = "s".to_owned());
    /// assert_eq!(
    ///     pg_ast::deparse(&tree)?,
    ///     "WITH old AS (SELECT * FROM s.old WHERE a) INSERT INTO s.new SELECT * FROM old; DROP TABLE s.old"
    /// );
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Aborts
    ///
    /// The process aborts if there is no memory for the stack that a deep tree takes, as with any allocation.
    pub fn walk_tables_mut(&mut self, f: impl FnMut(&mut RangeVar, Context)) {
        self.change().walk_tables_mut(f);
    }
}

impl protobuf::ParseResult {
    /// For each node that can name a table, whether and how it does; `None` if that is not known.
    fn named(&self) -> Option<Vec<Option<NamesTable>>> {
        let stmts = |stmts: &[RawStmt<'_>]| named(stmts.iter().map(|stmt| (*stmt).into()));
        let (named, is_whole) = self.read_whole(stmts);
        // A node where C has none is one too many.
        let is_named = || self.nodes().filter(|node| names(*node)).count() == named.len();
        (is_whole || is_named()).then_some(named)
    }

    /// Calls `f` for each place where a table is named; see
    /// [`ParseResult::walk_tables`](super::super::super::ParseResult::walk_tables).
    pub fn walk_tables(&self, mut f: impl FnMut(&RangeVar, Context)) {
        each(self.nodes(), self.named().unwrap_or_default(), &mut f);
    }

    /// Calls `f` for each place where a table is named; see
    /// [`ParseResult::walk_tables_mut`](super::super::super::ParseResult::walk_tables_mut).
    pub fn walk_tables_mut(&mut self, mut f: impl FnMut(&mut RangeVar, Context)) {
        if let Some(named) = self.named() {
            each_mut(self.nodes_mut(), named, &mut f);
        }
    }
}

impl Node {
    /// Returns the tables that the node names, each once, as `schema.table` without quotes: a statement, an
    /// expression, an item of a `FROM`. See [`ParseResult::tables`](super::super::super::ParseResult::tables).
    ///
    /// A `WITH` outside of the node is not taken into account.
    ///
    /// ```
    /// let expr = pg_ast::parse_expr("a IN (SELECT b FROM t JOIN s.u USING (c))")?;
    /// assert_eq!(expr.tables(), ["t", "s.u"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn tables(&self) -> Vec<QualifiedName> {
        self.to_ref().map(NodeRef::tables).unwrap_or_default()
    }

    /// Calls `f` for each place where a table is named, in this node and below it; see
    /// [`ParseResult::walk_tables`](super::super::super::ParseResult::walk_tables). What a `WITH` outside of the node
    /// defines is not known here.
    ///
    /// ```
    /// let expr = pg_ast::parse_expr("EXISTS (SELECT FROM s.t)")?;
    /// expr.walk_tables(|table, _context| assert_eq!((&*table.schemaname, &*table.relname), ("s", "t")));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_tables(&self, f: impl FnMut(&RangeVar, Context)) {
        if let Some(node) = self.to_ref() {
            node.walk_tables(f);
        }
    }

    /// Calls `f` for each place where a table is named, in this node and below it; see
    /// [`ParseResult::walk_tables_mut`](super::super::super::ParseResult::walk_tables_mut). What a `WITH` outside
    /// of the node is not taken into account.
    ///
    /// ```
    /// let mut expr = pg_ast::parse_expr("EXISTS (SELECT FROM t)")?;
    /// expr.walk_tables_mut(|table, _context| table.relname = "u".to_owned());
    /// assert_eq!(pg_ast::deparse_expr(&expr)?, "EXISTS (SELECT FROM u)");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_tables_mut(&mut self, mut f: impl FnMut(&mut RangeVar, Context)) {
        if let Some(named) = self.to_ref().and_then(NodeRef::named) {
            each_mut(self.nodes_mut(), named, &mut f);
        }
    }
}

// A path to the method would work for a single lifetime only.
#[allow(clippy::redundant_closure_for_method_calls)]
impl NodeRef<'_> {
    /// Returns the tables that the node names; see [`Node::tables`].
    #[must_use]
    pub fn tables(self) -> Vec<QualifiedName> {
        self.read(|node| node.tables())
    }

    /// Calls `f` for each place where a table is named; see [`Node::walk_tables`].
    pub fn walk_tables(self, mut f: impl FnMut(&RangeVar, Context)) {
        each(self.nodes(), self.named().unwrap_or_default(), &mut f);
    }

    fn named(self) -> Option<Vec<Option<NamesTable>>> {
        let named = self.read(|node| named(core::iter::once(node)));
        (self.nodes().filter(|node| names(*node)).count() == named.len()).then_some(named)
    }
}

impl<'a> view::Node<'a> {
    /// Returns the tables that the node names, each once. A `WITH` outside
    /// of the node is not taken into account.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT (SELECT a FROM t) FROM u")?;
    /// let targets = tree.nodes().find(|node| node.as_res_target().is_some()).unwrap();
    /// assert_eq!(targets.tables(), ["t"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn tables(self) -> Vec<QualifiedName> {
        super::found_in(self).table_names(None)
    }

    /// Calls `f` for each place where a table is named, in this node and below it; see
    /// [`Tree::walk_tables`](view::Tree::walk_tables). What a `WITH` outside of the node defines is not known here.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT (SELECT a FROM s.t) FROM u")?;
    /// let target = tree.nodes().find(|node| node.as_res_target().is_some()).unwrap();
    /// target.walk_tables(|table, _context| assert_eq!((table.schemaname(), table.relname()), ("s", "t")));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_tables(self, mut f: impl FnMut(view::RangeVar<'a>, Context)) {
        each_in_view(core::iter::once(self), &mut f);
    }
}

impl view::Tree {
    /// Calls `f` for each `RangeVar` that names a table, with how the table is used there.
    ///
    /// The tables are those of [`tables`](Self::tables): a name that a `WITH` defines is not a table in its
    /// scope. The order is that of [`nodes`](Self::nodes).
    ///
    /// Statements such as `DROP TABLE` and `COMMENT ON` name tables by lists of strings, which are left out:
    /// there is no `RangeVar` to pass to `f`. [`tables`](Self::tables) lists these tables too, and
    /// [`StmtsMut::walk_tables_mut`](view::edit::StmtsMut::walk_tables_mut) changes them.
    ///
    /// ```
    /// use pg_ast::Context;
    ///
    /// let tree = pg_ast::view::parse("WITH a AS (TABLE b) INSERT INTO c SELECT * FROM a; DROP TABLE d")?;
    /// let mut tables = Vec::new();
    /// tree.walk_tables(|table, context| tables.push((table.relname(), context)));
    /// assert_eq!(tables, [("c", Context::Dml), ("b", Context::Select)]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_tables<'a>(&'a self, mut f: impl FnMut(view::RangeVar<'a>, Context)) {
        each_in_view(self.stmts().map(view::Node::from), &mut f);
    }
}

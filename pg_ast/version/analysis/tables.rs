//! The tables that statements name, where they are named.

use std::collections::HashMap;

use super::super::protobuf::{self, RangeVar};
use super::super::view::{self, RawStmt};
use super::super::{Node, NodeMut, NodeRef, NodesMut, ParseResult, make};
use super::collect::Walk;
use super::reach::Reach;
use crate::types::analysis::Context;

/// How a node names a table.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub(super) context: Context,
    /// How many strings of a list of names are behind those of the table.
    pub(super) behind: usize,
}

/// The nodes that name tables, by their addresses.
pub(super) type Places = HashMap<*const u8, Named>;

/// What can name a table: a `RangeVar`, or a list of strings. An empty list is none in C.
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

/// For each node that can name a table, in the order of a walk, whether and how it does.
fn named<'a>(roots: impl Iterator<Item = view::Node<'a>> + Clone) -> Vec<Option<Named>> {
    let mut walk = Walk::new(Reach::All);
    walk.places = Some(Places::new());
    roots.clone().for_each(|root| walk.node(root));
    let places = walk.places.unwrap_or_default();
    let nodes = roots.flat_map(view::Node::nodes).filter(|node| names_in_view(*node));
    nodes.map(|node| places.get(&node.address()).copied()).collect()
}

/// Gives the tables that the nodes name to `f`.
fn each(
    mut nodes: NodesMut<'_>,
    named: Vec<Option<Named>>,
    f: &mut dyn FnMut(&mut RangeVar, Context),
) {
    let mut named = named.into_iter();
    while let Some(node) = nodes.next() {
        if !names(node.to_ref()) {
            continue;
        }
        match (node, named.next().flatten()) {
            (NodeMut::RangeVar(table), Some(named)) => f(table, named.context),
            (NodeMut::List(list), Some(named)) => by_names(&mut list.items, named, f),
            _ => {}
        }
    }
}

/// Gives the table to `f` that is named by strings, and puts its name back if it has changed.
fn by_names(items: &mut Vec<Node>, named: Named, f: &mut dyn FnMut(&mut RangeVar, Context)) {
    let end = items.len().saturating_sub(named.behind);
    let strings: Option<Vec<_>> = items[..end].iter().map(Node::as_str).collect();
    let (catalog, schema, name) = match strings.as_deref() {
        Some([name]) => ("", "", *name),
        Some([schema, name]) => ("", *schema, *name),
        Some([catalog, schema, name]) => (*catalog, *schema, *name),
        _ => return,
    };
    let catalogname = catalog.to_owned();
    let mut table = RangeVar { catalogname, ..make::range_var(Some(schema), name) };
    let before = table.clone();
    f(&mut table, named.context);
    let name = |table: RangeVar| [table.catalogname, table.schemaname, table.relname];
    let (before, after) = (name(before), name(table));
    if before != after {
        let parts = after.into_iter().filter(|part| !part.is_empty());
        let parts: Vec<_> = parts.map(|part| make::string(part).into()).collect();
        items.splice(..end, parts);
    }
}

impl ParseResult {
    /// Calls `f` for each place where a table is named that is read, written or the subject of a utility
    /// statement, with how it is used there: to rename tables, for instance, or to put them into a
    /// schema.
    ///
    /// The tables are those of [`analyze`](Self::analyze), by the same rules: a name that a `WITH` defines is
    /// none in its scope, and so are indexes, sequences and types, and what `FOR UPDATE OF` names. It is in the
    /// order of [`Nodes`](super::super::Nodes).
    ///
    /// Where a statement names a table by strings, as `DROP TABLE` and `COMMENT ON` do, `f` gets a `RangeVar`
    /// that is made of them, and its catalog, schema and name are put back. The new name in a `RENAME TO`
    /// is not given.
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
    pub fn walk_tables_mut(&mut self, f: impl FnMut(&mut RangeVar, Context)) {
        self.change().walk_tables_mut(f);
    }
}

impl protobuf::ParseResult {
    /// Calls `f` for each place where a table is named; see
    /// [`ParseResult::walk_tables_mut`](super::super::ParseResult::walk_tables_mut).
    pub fn walk_tables_mut(&mut self, mut f: impl FnMut(&mut RangeVar, Context)) {
        let stmts = |stmts: &[RawStmt<'_>]| named(stmts.iter().map(|stmt| (*stmt).into()));
        let named = self.read(stmts);
        // Who puts a node into a header, where C has none, has no tables.
        if self.nodes().filter(|node| names(*node)).count() == named.len() {
            each(self.nodes_mut(), named, &mut f);
        }
    }
}

impl Node {
    /// The tables that the node names, each once, as `schema.table` without quotes: a statement, an
    /// expression, an item of a `FROM`. See [`ParseResult::tables`](super::super::ParseResult::tables).
    ///
    /// What a `WITH` outside of the node defines is not known here.
    ///
    /// ```
    /// let expr = pg_ast::parse_expr("a IN (SELECT b FROM t JOIN s.u USING (c))")?;
    /// assert_eq!(expr.tables(), ["t", "s.u"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn tables(&self) -> Vec<String> {
        self.to_ref().map(NodeRef::tables).unwrap_or_default()
    }

    /// Calls `f` for each place where a table is named, in this node and below it; see
    /// [`ParseResult::walk_tables_mut`](super::super::ParseResult::walk_tables_mut). What a `WITH` outside
    /// of the node defines is not known here.
    ///
    /// ```
    /// let mut expr = pg_ast::parse_expr("EXISTS (SELECT FROM t)")?;
    /// expr.walk_tables_mut(|table, _context| table.relname = "u".to_owned());
    /// assert_eq!(pg_ast::deparse_expr(&expr)?, "EXISTS (SELECT FROM u)");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_tables_mut(&mut self, mut f: impl FnMut(&mut RangeVar, Context)) {
        let Some(node) = self.to_ref() else { return };
        let named = node.read(|node| named(core::iter::once(node)));
        if node.nodes().filter(|node| names(*node)).count() == named.len() {
            each(self.nodes_mut(), named, &mut f);
        }
    }
}

// A path to the method would be for one lifetime alone.
#[allow(clippy::redundant_closure_for_method_calls)]
impl NodeRef<'_> {
    /// The tables that the node names; see [`Node::tables`].
    #[must_use]
    pub fn tables(self) -> Vec<String> {
        self.read(|node| node.tables())
    }
}

impl view::Node<'_> {
    /// The tables that the node names, each once, as `schema.table` without quotes. What a `WITH` outside
    /// of the node defines is not known here.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT (SELECT a FROM t) FROM u")?;
    /// let targets = tree.nodes().find(|node| node.as_res_target().is_some()).unwrap();
    /// assert_eq!(targets.tables(), ["t"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn tables(self) -> Vec<String> {
        let mut walk = Walk::new(Reach::All);
        walk.node(self);
        walk.found.table_names(None)
    }
}

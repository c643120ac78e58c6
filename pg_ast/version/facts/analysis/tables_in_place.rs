//! Changes the tables that statements name, in a tree that is edited.

use super::tables::{NamesTable, places};
use super::view;
use super::view::edit::{Arena, ListMut, NodeMut, RangeVarMut, StmtsMut};
use crate::types::analysis::Context;

impl<'t> StmtsMut<'_, 't> {
    /// Calls `f` for each place where a table is named, with how the table is used there, to change it: to rename tables, for
    /// instance, or to put them into a schema.
    ///
    /// The places and their order are those of
    /// [`ParseResult::walk_tables_mut`](super::super::super::ParseResult::walk_tables_mut). Where a statement names a table by
    /// strings, as `DROP TABLE` does, `f` gets a `RangeVar` that is made from them, and its catalog, schema and name are written
    /// back if they have changed.
    ///
    /// ```
    /// let mut tree = pg_ast::view::parse("WITH c AS (TABLE a) SELECT * FROM a, c; DROP TABLE a, b")?;
    /// tree.edit(|mut stmts, _| {
    ///     stmts.walk_tables_mut(|table, _context| {
    ///         if table.view().relname() == "a" {
    ///             table.set_schemaname("s");
    ///         }
    ///     });
    /// });
    /// assert_eq!(tree.deparse()?, "WITH c AS (SELECT * FROM s.a) SELECT * FROM s.a, c; DROP TABLE s.a, b");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_tables_mut(&mut self, mut f: impl FnMut(&mut RangeVarMut<'_, 't>, Context)) {
        // What `f` puts into the tree is not among them: nothing is freed meanwhile.
        let places = places(self.iter().map(view::Node::from));
        let arena = self.arena();
        let mut nodes = self.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            let found = match slot.get() {
                Some(node @ (view::Node::RangeVar(_) | view::Node::List(_))) => {
                    places.get(&node.address()).copied()
                }
                _ => None,
            };
            let Some(named) = found else { continue };
            match slot.get_mut() {
                Some(NodeMut::RangeVar(mut table)) => f(&mut table, named.context),
                Some(NodeMut::List(items)) => by_names(items, named, &arena, &mut f),
                _ => {}
            }
        }
    }
}

/// The parts of a table's name.
fn parts(table: view::RangeVar<'_>) -> [&str; 3] {
    [table.catalogname(), table.schemaname(), table.relname()]
}

/// Calls `f` for the table that strings name, and puts its name back.
fn by_names<'t>(
    mut items: ListMut<'_, 't>,
    named: NamesTable,
    arena: &Arena<'t>,
    f: &mut impl FnMut(&mut RangeVarMut<'_, 't>, Context),
) {
    let end = items.len().saturating_sub(named.behind);
    let strings: Option<Vec<_>> = items.view().iter().take(end).map(view::Node::as_str).collect();
    let before = match strings.as_deref() {
        Some([name]) => ["", "", name],
        Some([schema, name]) => ["", schema, name],
        Some([catalog, schema, name]) => [*catalog, schema, name],
        _ => return,
    }
    .map(str::to_owned);
    let mut new = arena.qualified(before.each_ref().map(String::as_str));
    f(&mut new.as_mut(), named.context);
    let after = parts(new.view());
    if after != before {
        for _ in 0..end {
            let _ = items.remove(0);
        }
        let after = after.into_iter().filter(|part| !part.is_empty());
        for (index, part) in after.enumerate() {
            items.insert(index, arena.string(part));
        }
    }
}

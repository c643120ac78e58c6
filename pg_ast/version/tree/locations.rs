//! Trees without locations, to compare them.

use core::any::Any;
use core::ops::ControlFlow;

use super::messages::message_table::PlaceKind;
use super::names::{Node, NodeMut, ParseResult};

/// Clears the locations in nodes and all nodes below them.
fn clear(mut rest: Vec<NodeMut<'_>>) {
    while let Some(node) = rest.pop() {
        let message = node.message();
        for (field, value) in message.fields_mut() {
            let unknown = match field.place {
                PlaceKind::None => continue,
                PlaceKind::Location | PlaceKind::Other => -1,
                PlaceKind::Length => 0,
            };
            // `CreateTableSpaceStmt` has a folder of that name.
            if let Some(place) = (value as &mut dyn Any).downcast_mut::<i32>() {
                *place = unknown;
            }
        }
        let _ = message.all_children_mut(|slot| {
            rest.extend(slot.into_mut());
            ControlFlow::Continue(())
        });
    }
}

#[cfg(feature = "plpgsql")]
impl ParseResult {
    /// Replaces all places of nodes in the SQL; the places of the statements are left as they are.
    pub(crate) fn map_locations(&mut self, map: impl Fn(i32) -> i32) {
        let stmts = self.protobuf.stmts.iter_mut().filter_map(|stmt| stmt.stmt.as_mut()?.to_mut());
        let mut rest: Vec<_> = stmts.collect();
        while let Some(node) = rest.pop() {
            let message = node.message();
            for (field, value) in message.fields_mut() {
                if !matches!(field.place, PlaceKind::Location | PlaceKind::Other) {
                    continue;
                }
                if let Some(place) = (value as &mut dyn Any).downcast_mut::<i32>() {
                    *place = map(*place);
                }
            }
            let _ = message.all_children_mut(|slot| {
                rest.extend(slot.into_mut());
                ControlFlow::Continue(())
            });
        }
    }
}

impl ParseResult {
    /// Sets all places in the SQL to unknown: locations to -1, lengths of statements to 0. Two trees are then equal if
    /// only blanks, comments and the spelling of the SQL differ, and so are their bytes in Protobuf.
    ///
    /// It is for comparisons. `CREATE RECURSIVE VIEW` is told from a view with the same `WITH RECURSIVE` only by a
    /// location that is unknown.
    ///
    /// ```
    /// let mut tree = pg_ast::parse("select a , 1 from T where b IN (1, 2)")?;
    /// let mut printed = pg_ast::parse(&tree.deparse()?)?;
    /// assert_ne!(tree.protobuf, printed.protobuf);
    /// tree.clear_locations();
    /// printed.clear_locations();
    /// assert_eq!(tree.protobuf, printed.protobuf);
    ///
    /// // Everything else counts.
    /// let mut other = pg_ast::parse("SELECT a, 2 FROM t WHERE b IN (1, 2)")?;
    /// other.clear_locations();
    /// assert_ne!(tree.protobuf, other.protobuf);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn clear_locations(&mut self) {
        clear(self.protobuf.stmts.iter_mut().map(NodeMut::from).collect());
    }
}

impl Node {
    /// Sets all places in the SQL to unknown, as in [`ParseResult::clear_locations`].
    ///
    /// ```
    /// let [mut a, mut b] = ["a+1", "A  +  1"].map(|sql| pg_ast::parse_expr(sql).unwrap());
    /// assert_ne!(a, b);
    /// a.clear_locations();
    /// b.clear_locations();
    /// assert_eq!(a, b);
    /// ```
    pub fn clear_locations(&mut self) {
        clear(self.to_mut().into_iter().collect());
    }
}

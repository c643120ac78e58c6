//! What a query returns: `transformTargetList` of PostgreSQL's `parse_target.c`.

use super::pg::view::{List, Node};
use super::type_walk::TypeWalk;
use super::typed_values::Columns;

/// Returns the values of targets.
pub(super) fn target_values(targets: List<'_>) -> impl Iterator<Item = Node<'_>> {
    targets.iter().filter_map(|target| match target {
        Node::ResTarget(target) => target.val(),
        other => Some(other),
    })
}

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the columns that targets become.
    pub(super) fn targets(&mut self, targets: List<'a>) -> Columns {
        let mut columns = Columns::default();
        for value in target_values(targets) {
            self.item(value, &mut columns);
        }
        columns
    }
}

//! What a query returns: `transformTargetList` of PostgreSQL's `parse_target.c`.

use super::pg::view::{List, Node};
use super::type_walk::TypeWalk;
use super::typed_values::Columns;

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the columns that targets become.
    pub(super) fn targets(&mut self, targets: List<'a>) -> Columns {
        let mut columns = Columns::default();
        for target in targets {
            let value = match target {
                Node::ResTarget(target) => target.val(),
                other => Some(other),
            };
            if let Some(value) = value {
                self.item(value, &mut columns);
            }
        }
        columns
    }
}

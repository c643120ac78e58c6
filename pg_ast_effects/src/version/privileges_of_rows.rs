//! The privileges that reading and writing rows need.

use super::finder::EffectsFinder;
use super::losses::target_names;
use super::pg::protobuf::{CmdType, OnConflictAction};
use super::pg::seam::{list_field, node_field};
use super::pg::view::{Alias, List, Node, RangeVar};
use super::privileges_needed::privilege;
use crate::{Privilege, PrivilegeKind, Which};
use pg_ast::LockMode;

impl<'a> EffectsFinder<'a> {
    /// Notes a privilege on a table, or on those columns of it.
    pub(super) fn need_on(
        &mut self,
        kind: PrivilegeKind,
        table: RangeVar<'a>,
        columns: Vec<String>,
    ) {
        let of_table = privilege(kind, "TABLE", Some(table.qualified_name()));
        self.effects.privileges.push(Privilege { columns, ..of_table });
    }

    /// Notes a table that a query reads.
    pub(super) fn reads(&mut self, table: RangeVar<'a>) {
        self.need_on(PrivilegeKind::Select, table, Vec::new());
        if self.is_row_locked(table) {
            self.need_on(PrivilegeKind::Update, table, Vec::new());
        }
    }

    /// Notes a table that a new foreign key references.
    pub(super) fn referenced(&mut self, table: RangeVar<'a>, columns: List<'a>) {
        self.table(table, Which::Itself, LockMode::ShareRowExclusiveLock);
        let columns = columns.strs().map(str::to_owned).collect();
        self.need_on(PrivilegeKind::References, table, columns);
    }

    /// Notes what a statement that writes rows needs for its target.
    pub(super) fn rows_need(&mut self, node: Node<'a>) {
        match node {
            Node::InsertStmt(insert) => {
                let Some(table) = insert.relation() else { return };
                let columns = target_names(insert.cols());
                self.need_on(PrivilegeKind::Insert, table, columns);
                if let Some(conflict) = insert.on_conflict_clause() {
                    if conflict.action() == OnConflictAction::OnconflictUpdate {
                        let columns = target_names(conflict.target_list());
                        self.need_on(PrivilegeKind::Update, table, columns);
                        self.need_on(PrivilegeKind::Select, table, Vec::new());
                    } else if conflict.infer().is_some() {
                        self.need_on(PrivilegeKind::Select, table, Vec::new());
                    }
                } else if returning(node).next().is_some() {
                    self.need_on(PrivilegeKind::Select, table, Vec::new());
                }
            }
            Node::UpdateStmt(update) => {
                let Some(table) = update.relation() else { return };
                let columns = target_names(update.target_list());
                self.need_on(PrivilegeKind::Update, table, columns);
                if reads_target(node, table) {
                    self.need_on(PrivilegeKind::Select, table, Vec::new());
                }
            }
            Node::DeleteStmt(delete) => {
                let Some(table) = delete.relation() else { return };
                self.need_on(PrivilegeKind::Delete, table, Vec::new());
                if reads_target(node, table) {
                    self.need_on(PrivilegeKind::Select, table, Vec::new());
                }
            }
            Node::MergeStmt(merge) => {
                let Some(table) = merge.relation() else { return };
                self.need_on(PrivilegeKind::Select, table, Vec::new());
                for when in merge.merge_when_clauses().iter().filter_map(Node::as_merge_when_clause)
                {
                    let (kind, columns) = match when.command_type() {
                        CmdType::CmdInsert => {
                            (PrivilegeKind::Insert, target_names(when.target_list()))
                        }
                        CmdType::CmdUpdate => {
                            (PrivilegeKind::Update, target_names(when.target_list()))
                        }
                        CmdType::CmdDelete => (PrivilegeKind::Delete, Vec::new()),
                        _ => continue,
                    };
                    self.need_on(kind, table, columns);
                }
            }
            _ => {}
        }
    }
}

/// Returns whether an `UPDATE` or a `DELETE` reads columns of its target. A name in a subselect is one of its `FROM`, unless it says
/// that it is of the target.
fn reads_target(node: Node<'_>, target: RangeVar<'_>) -> bool {
    let name = target.alias().map_or(target.relname(), Alias::aliasname);
    let (values, condition) = match node {
        Node::UpdateStmt(update) => (update.target_list(), update.where_clause()),
        Node::DeleteStmt(delete) => (List::default(), delete.where_clause()),
        _ => return false,
    };
    let roots = values.iter().chain(condition).chain(returning(node));
    // Each node with whether it is in a subselect with tables.
    let mut steps: Vec<(Node<'_>, bool)> = roots.map(|root| (root, false)).collect();
    while let Some((node, is_inner)) = steps.pop() {
        let mut inner = is_inner;
        match node {
            Node::ColumnRef(column) => {
                let mut names = column.names();
                let first = names.next();
                let is_qualified = column.fields().len() > 1;
                if !is_inner || is_qualified && first == Some(name) {
                    return true;
                }
                continue;
            }
            Node::SelectStmt(select) => inner |= !select.from_clause().is_empty(),
            // What others read is told for them.
            Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => continue,
            _ => {}
        }
        node.children(|child| steps.push((child, inner)));
    }
    false
}

/// Returns the `RETURNING` of a statement that writes rows.
fn returning(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    // Since 18, it is a clause.
    let clause = node_field(node, "returningClause");
    clause.into_iter().chain(list_field(node, "returningList").unwrap_or_default())
}

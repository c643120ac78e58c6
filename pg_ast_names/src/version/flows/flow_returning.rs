//! `RETURNING`, `old`, `new` and `excluded`: what rows of a table are before and after they are written.

use std::sync::Arc;

use super::flow_builder::{FlowBuilder, FlowKey};
use super::lookup::visible_names::Meant;
use super::pg::seam::{address, list_field, node_field, number_field, text_field};
use super::pg::view::Node;
use crate::lineage::{LineageFlow, UnknownOrigin};
use crate::lineage_graph::FlowId;
use crate::resolution::ColumnMeaning;

/// What rows of a table a source has, by the source that the table is.
#[derive(Clone, Copy)]
pub(super) enum RowRole {
    Excluded(usize),
    Old(usize),
    New(usize),
}

impl<'a> FlowBuilder<'_, 'a> {
    /// Reads `RETURNING`, which sees the rows as they are then.
    pub(super) fn returning(&mut self, stmt: Node<'a>, source: usize) {
        let clause = node_field(stmt, "returningClause");
        let list = match clause {
            Some(clause) => list_field(clause, "exprs"),
            None => list_field(stmt, "returningList"),
        };
        let Some(list) = list else { return };
        if let Some(clause) = clause {
            let mut old = "old";
            for option in list_field(clause, "options").unwrap_or_default() {
                if number_field(option, "option") != Some(1) {
                    old = text_field(option, "value").unwrap_or_default();
                }
            }
            for other in self.sources_at(clause).to_vec() {
                let name = self.resolver.found.sources[other].name.as_deref();
                let is_old = name == Some(old);
                let role = if is_old { RowRole::Old(source) } else { RowRole::New(source) };
                self.roles.insert(other, role);
            }
        }
        let mut nodes: Vec<_> = list.iter().collect();
        while let Some(node) = nodes.pop() {
            self.in_returning.insert(address(node));
            node.children(|child| nodes.push(child));
        }
        self.targets(stmt, list);
    }

    /// Returns whether a name in a `RETURNING` is that of the table which has been written.
    pub(super) fn is_written(&self, node: Node<'a>, source: usize) -> bool {
        self.written.contains_key(&source) && self.in_returning.contains(&address(node))
    }

    /// Returns the node of a column after a statement has written.
    pub(super) fn final_column(&mut self, source: usize, name: &Arc<str>) -> FlowId {
        let (id, is_new) = self.find(FlowKey::Final(source, name.clone()));
        let Some(row) = self.written.get(&source).filter(|_| is_new) else { return id };
        let column = row.columns.get(name);
        let (changes, inserts) = column.map_or((0, 0), |column| (column.changes, column.inserts));
        let (keeps, has_default) = (changes < row.changes, inserts < row.inserts);
        if let Some(node) = column.map(|column| column.node) {
            self.connect(id, LineageFlow::Identity, node);
        }
        if keeps {
            let old = self.column_named(source, name);
            self.connect(id, LineageFlow::Identity, old);
        }
        if has_default {
            let from = self.default_of(source, name);
            self.connect(id, LineageFlow::Identity, from);
        }
        id
    }

    fn default_of(&mut self, source: usize, name: &Arc<str>) -> FlowId {
        match self.resolver.unlisted(source, name).origin {
            Some(origin) => self.unknown(UnknownOrigin::Default(origin)),
            None => self.unknown(UnknownOrigin::Name(name.to_string())),
        }
    }

    /// Returns the node of the whole row of a table that a statement has written.
    pub(super) fn written_row(&mut self, source: usize) -> FlowId {
        let id = self.new_node();
        let columns = self.resolver.sources.get(source).map(|state| state.columns.clone());
        let columns = columns.unwrap_or_default();
        for column in &columns.columns {
            let from = self.final_column(source, &column.name);
            self.connect(id, LineageFlow::Transformation, from);
        }
        if !columns.is_complete() {
            let others = self.others_of(source);
            self.connect(id, LineageFlow::Transformation, others);
        }
        id
    }

    /// Returns what a column of another state of a written row is.
    pub(super) fn column_of_role(
        &mut self,
        role: RowRole,
        index: usize,
        name: &Arc<str>,
    ) -> FlowId {
        match role {
            RowRole::Old(source) => {
                let meant = Meant::Column { source, index };
                match self.resolver.meaning(meant) {
                    ColumnMeaning::Unknown => self.column_named(source, name),
                    _ => self.column_at(source, index),
                }
            }
            role => self.written_column(role, name),
        }
    }

    /// The same of a column that is not in the list of the table.
    pub(super) fn column_named_of_role(&mut self, role: RowRole, name: &Arc<str>) -> FlowId {
        self.written_column(role, name)
    }

    fn written_column(&mut self, role: RowRole, name: &Arc<str>) -> FlowId {
        match role {
            RowRole::Old(source) => self.column_named(source, name),
            RowRole::New(source) => self.final_column(source, name),
            RowRole::Excluded(source) => {
                let inserted = self.written.get(&source).and_then(|row| row.inserted.get(name));
                inserted.copied().unwrap_or_else(|| self.default_of(source, name))
            }
        }
    }
}

//! Tables at the end of the graph; and views, whose columns come from others.

use std::collections::HashMap;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::flow_builder::{FlowBuilder, FlowKey};
use crate::lineage::{Lineage, LineageFlow};
use crate::lineage_graph::{FlowId, Leaf};
use crate::name_catalog::{Relation, RelationKind};
use crate::resolution::ColumnOrigin;

fn is_view(relation: &Relation) -> bool {
    matches!(relation.kind, RelationKind::View | RelationKind::MaterializedView)
}

impl<'a> FlowBuilder<'_, 'a> {
    /// Returns a view, and where its columns come from, if the catalog knows that.
    fn view(&self, name: &QualifiedName) -> Option<(&'a Relation, &'a Lineage)> {
        let catalog = self.resolver.catalog;
        let schema = name.schema.as_deref().filter(|_| self.follows_views)?;
        let relation = catalog.relation(schema, &name.name)?;
        let lineage = catalog.view_lineage(schema, &name.name).filter(|_| is_view(relation))?;
        let result = lineage.results.last()?;
        // Columns are found by their places, since they can get other names.
        let is_known = relation.is_complete && result.is_complete();
        (is_known && result.columns.len() == relation.columns.len()).then_some((relation, lineage))
    }

    /// Returns the node of a column of a table.
    pub(super) fn column_of_table(&mut self, origin: &ColumnOrigin) -> FlowId {
        let key = FlowKey::Base(origin.table.clone(), origin.column.clone());
        let (id, is_new) = self.find(key);
        if !is_new {
            return id;
        }
        let place = self.view(&origin.table).and_then(|(relation, _)| {
            relation.columns.iter().position(|column| *column.name == *origin.column)
        });
        match place {
            Some(place) => self.of_views.push((id, origin.table.clone(), Some(place))),
            None => self.graph.set_leaf(id, Leaf::Column(origin.clone())),
        }
        id
    }

    /// Returns the node of what decides about the rows of a view; `None` for other tables.
    pub(super) fn rows_of_view(&mut self, name: &QualifiedName) -> Option<FlowId> {
        let schema = name.schema.as_deref()?;
        let relation = self.resolver.catalog.relation(schema, &name.name)?;
        if !is_view(relation) {
            return None;
        }
        let (id, is_new) = self.find(FlowKey::ViewRows(name.clone()));
        if is_new && self.follows_views {
            self.of_views.push((id, Arc::new(name.clone()), None));
        } else if is_new {
            self.graph.set_leaf(id, Leaf::Rows(Arc::new(name.clone())));
        }
        Some(id)
    }

    /// Follows the columns of views, and those of the views that these read.
    pub(super) fn follow_views(&mut self) {
        let mut imported = HashMap::<Arc<QualifiedName>, usize>::new();
        while let Some((id, name, place)) = self.of_views.pop() {
            let Some((_, lineage)) = self.view(&name) else { continue };
            let Some(result) = lineage.results.last() else { continue };
            let first = match imported.get(&name) {
                Some(first) => *first,
                None => {
                    let (first, leaves) = self.graph.import(&lineage.graph);
                    imported.insert(name, first);
                    for (id, leaf) in leaves {
                        let from = match leaf {
                            Leaf::Column(origin) => Some(self.column_of_table(&origin)),
                            Leaf::Rows(view) => self.rows_of_view(&view),
                            _ => None,
                        };
                        if let Some(from) = from {
                            self.connect(id, LineageFlow::Identity, from);
                        }
                    }
                    first
                }
            };
            let of = match place {
                Some(place) => result.columns.get(place).map(|column| column.node),
                None => Some(result.rows),
            };
            if let Some(of) = of {
                self.connect(id, LineageFlow::Identity, first + of);
            }
        }
    }
}

//! The table whose column is asked for, and those that have rows of it: its partitions and heirs, and what it is one of.

use std::collections::HashSet;

use pg_ast::QualifiedName;

use crate::name_catalog::Catalog;
use crate::relation_parts::Relationship;
use crate::resolution::{TableMeaning, TableUse};

pub(super) struct TableFamily<'r> {
    table: &'r QualifiedName,
    others: HashSet<QualifiedName>,
}

impl<'r> TableFamily<'r> {
    pub(super) fn new(table: &'r QualifiedName, catalog: &dyn Catalog) -> Self {
        let mut others = HashSet::new();
        for how in [Relationship::Parents, Relationship::Children] {
            let mut next = vec![table.clone()];
            while let Some(name) = next.pop() {
                let related = catalog.related(&name, how).unwrap_or_default();
                next.extend(related.into_iter().filter(|it| others.insert(it.clone())));
            }
        }
        Self { table, others }
    }

    /// Returns whether a name is that of the table, or one that has rows of it; a name without a schema may be.
    pub(super) fn has(&self, name: &QualifiedName) -> bool {
        let is_schema = match (&name.schema, &self.table.schema) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        is_schema && name.name == self.table.name || self.others.contains(name)
    }

    pub(super) fn is_use(&self, used: &TableUse) -> bool {
        match &used.meaning {
            TableMeaning::Relation(name) => self.has(name),
            TableMeaning::Cte(_) => false,
            _ => self.has(&used.name),
        }
    }
}

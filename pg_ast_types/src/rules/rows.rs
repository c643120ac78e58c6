//! Rows: composite types, and domains over them.

use std::collections::HashSet;

use pg_ast::QualifiedName;
use pg_ast_catalog::TypeKind;
use pg_ast_names::Relationship;

use crate::type_table::{TypeId, TypeTable};

impl TypeTable<'_> {
    /// Returns whether a type is a row with columns of its own: `ISCOMPLEX` of `parse_type.h`. `record` is none.
    pub(crate) fn is_row(&self, of: TypeId) -> bool {
        self.info(self.base(of)).kind == TypeKind::Composite
    }

    /// Returns the columns of a row with their types and modifiers, as far as they are known; `None` if the type is no row, or if
    /// nobody knows its columns.
    pub(crate) fn row_columns(&self, of: TypeId) -> Option<Vec<(String, Option<TypeId>, i32)>> {
        let base = self.base(of);
        if self.info(base).kind != TypeKind::Composite {
            return None;
        }
        let name = self.name(base).name;
        let schema = name.schema.as_deref()?;
        if let Some(relation) = self.catalog.relation(schema, &name.name) {
            let typed = relation.columns.iter().map(|column| {
                let of = column.column_type.as_ref();
                let modifier = of.map_or(-1, Self::modifier_of_column);
                (column.name.clone(), of.and_then(|of| self.of_column(of)), modifier)
            });
            return relation.is_complete.then(|| typed.collect());
        }
        let relation = self.builtin.objects.relation(schema, &name.name)?;
        let columns = relation.columns.iter();
        let typed = columns.map(|it| (it.name.to_owned(), self.builtin.of_data(it.type_name), -1));
        Some(typed.collect())
    }

    /// Returns whether rows of a type are rows of another one, from which its table inherits, as `typeInheritsFrom` of
    /// `pg_inherits.c` says.
    pub(crate) fn inherits_from(&self, sub: TypeId, parent: TypeId) -> bool {
        let is_table = |of| self.info(of).kind == TypeKind::Composite;
        let sub = self.base(sub);
        if !is_table(sub) || !is_table(parent) {
            return false;
        }
        let parent = self.name(parent).name;
        let mut seen: HashSet<QualifiedName> = HashSet::new();
        let mut open = vec![self.name(sub).name];
        while let Some(name) = open.pop() {
            for above in self.catalog.related(&name, Relationship::Parents).unwrap_or_default() {
                if above == parent {
                    return true;
                }
                if seen.insert(above.clone()) {
                    open.push(above);
                }
            }
        }
        false
    }
}

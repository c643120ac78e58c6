//! Names of columns: the values of `ColumnRef`, and what `*` stands for.

use std::rc::Rc;

use pg_ast_names::{
    ColumnMeaning, ColumnOrigin, ColumnUse, Relation, RelationKind, SourceColumn, SourceKind,
    StarPart,
};

use super::pg::view::Node;
use super::type_walk::TypeWalk;
use super::typed_values::{Columns, TypedValue};
use crate::type_table::TypeId;

/// The types of the columns that each stored row has: `SystemAttributeByName` of PostgreSQL's `heap.c`.
fn system_column(name: &str) -> Option<TypeId> {
    Some(match name {
        "ctid" => TypeId::TID,
        "xmin" | "xmax" => TypeId::XID,
        "cmin" | "cmax" => TypeId::CID,
        "tableoid" => TypeId::OID,
        _ => return None,
    })
}

/// The types of the columns of a sequence: `DefineSequence` of PostgreSQL's `sequence.c`.
fn column_of_sequence(name: &str) -> Option<TypeId> {
    match name {
        "last_value" | "log_cnt" => Some(TypeId::INT8),
        "is_called" => Some(TypeId::BOOL),
        _ => None,
    }
}

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the columns of a relation.
    pub(super) fn columns_of_relation(&self, relation: &Relation) -> Columns {
        let table = std::sync::Arc::new(relation.name.clone());
        let mut columns = Columns::default();
        for column in &relation.columns {
            let of = column.column_type.as_ref();
            let id = of.and_then(|of| self.table.of_column(of));
            let is_sequence = relation.kind == RelationKind::Sequence;
            let id = id.or_else(|| column_of_sequence(&column.name).filter(|_| is_sequence));
            let modifier = match (of, id) {
                (Some(of), Some(id)) => {
                    let element = if of.is_array { self.table.info(id).of } else { Some(id) };
                    let modifiers: Vec<&str> = of.modifiers.iter().map(String::as_str).collect();
                    element.map_or(-1, |element| self.modifier(element, &modifiers))
                }
                _ => -1,
            };
            let origin =
                ColumnOrigin::new(table.clone(), std::sync::Arc::from(column.name.as_str()));
            let origin = Some(origin);
            columns.values.push(TypedValue { origin, ..TypedValue::with_modifier(id, modifier) });
        }
        columns.names =
            Some(relation.columns.iter().map(|it| Box::from(it.name.as_str())).collect());
        if !relation.is_complete {
            columns.open_here();
        }
        columns
    }

    /// Returns the columns of a source.
    pub(super) fn columns_of_source(&mut self, source: usize) -> Rc<Columns> {
        if let Some(columns) = self.sources.get(&source) {
            return columns.clone();
        }
        let query = self.names.query_of(source);
        let columns = if let Some(query) = query {
            self.query(query)
        } else if let Some(relation) = self.names.relation_of(source) {
            Rc::new(self.columns_of_relation(relation))
        } else {
            Rc::new(Columns::unknown())
        };
        // A recursive query that is being read has no columns yet, or those of its first part.
        if query.is_none_or(|query| !self.is_open(query)) {
            self.sources.insert(source, columns.clone());
        }
        columns
    }

    /// Returns the value of a column; `qualifier` is what stands before its name.
    pub(super) fn source_column(
        &mut self,
        column: &SourceColumn,
        qualifier: Option<&str>,
    ) -> TypedValue {
        let Some(index) = column.index else {
            let is_own = self.names.relation_of(column.source).is_some();
            let id = system_column(&column.name).filter(|_| is_own);
            return TypedValue { origin: column.origin.clone(), ..TypedValue::new(id) };
        };
        let name = self.names.found().sources.get(column.source).and_then(|it| it.name.as_deref());
        if (qualifier.is_none() || qualifier != name)
            && let Some(merged) = self.merged.get(&(column.source, index)).cloned()
        {
            // By the alias of a join, it is the column of that one, and not of those around it.
            let own = self.columns_of_source(column.source).get(index);
            let is_certain = qualifier.is_none() || own.id == merged.id;
            return if is_certain { merged } else { TypedValue::unknown() };
        }
        self.columns_of_source(column.source).get(index)
    }

    /// Returns the row of a source as a value.
    pub(super) fn whole_row(&mut self, source: usize) -> TypedValue {
        let found = self.names.found().sources.get(source);
        if let Some(SourceKind::Table(name) | SourceKind::RowOf(name)) = found.map(|it| &it.kind) {
            let id = name.schema.as_deref().and_then(|it| self.table.in_schema(it, &name.name));
            return TypedValue::new(id);
        }
        let columns = self.columns_of_source(source);
        if let Some(value) = self.function_rows.get(&source) {
            return value.clone();
        }
        let names = self.names.columns_of(source);
        let mut of_row = (*columns).clone();
        of_row.names = Some(names.names().map(Box::from).collect());
        if !names.is_complete() {
            of_row.open_here();
        }
        TypedValue { fields: Some(Rc::new(of_row)), ..TypedValue::of(TypeId::RECORD) }
    }

    /// Returns the value of a name.
    pub(super) fn column_ref(&mut self, node: Node<'a>) -> TypedValue {
        let names = self.names;
        let Some(used) = names.columns_at(node).next() else { return TypedValue::unknown() };
        self.meaning(used, node)
    }

    fn meaning(&mut self, used: &ColumnUse, node: Node<'a>) -> TypedValue {
        let qualifier = used.names.len().checked_sub(2).and_then(|at| used.names.get(at));
        match &used.meaning {
            ColumnMeaning::Column(column) => {
                self.source_column(column, qualifier.map(String::as_str))
            }
            ColumnMeaning::Both(both) => {
                let values: Vec<_> = both.iter().map(|it| self.source_column(it, None)).collect();
                self.common(&values)
            }
            ColumnMeaning::Row(source) => {
                let row = self.whole_row(*source);
                match self.names.function_at(node) {
                    // `t.f` is `f(t)`.
                    Some(function) => {
                        let name = function.name.clone();
                        self.chosen_function(name.schema.as_deref(), &name.name, &[row])
                    }
                    None if used.names.len() > 1
                        && qualifier.is_some()
                        && !self.names_source(used, *source) =>
                    {
                        TypedValue::unknown()
                    }
                    None => row,
                }
            }
            ColumnMeaning::Field(of, field) => {
                let schema = of.schema.as_deref().unwrap_or_default();
                let relation =
                    super::pg_names::types_seam::relation(self.table.catalog, schema, &of.name);
                let Some(relation) = relation else { return TypedValue::unknown() };
                let index = relation.columns.iter().position(|column| column.name == *field);
                let value = index.map(|index| self.columns_of_relation(relation).get(index));
                TypedValue { origin: None, ..value.unwrap_or(TypedValue::unknown()) }
            }
            _ => TypedValue::unknown(),
        }
    }

    /// Returns whether the last part of a name is that of the source, or the star in `t.*`.
    fn names_source(&self, used: &ColumnUse, source: usize) -> bool {
        let of = self.names.found().sources.get(source).and_then(|it| it.name.as_deref());
        used.names.last().is_some_and(|last| last == "*" || Some(last.as_str()) == of)
    }

    /// Appends what a star stands for.
    pub(super) fn star(&mut self, node: Node<'a>, columns: &mut Columns) {
        let names = self.names;
        let used = names.columns_at(node).find(|it| matches!(it.meaning, ColumnMeaning::All(_)));
        let Some(ColumnUse { meaning: ColumnMeaning::All(parts), names: written, .. }) = used
        else {
            return columns.open_here();
        };
        let qualifier = written.len().checked_sub(2).map(|at| written[at].as_str());
        for part in parts {
            match part {
                StarPart::Column(column) => {
                    let value = self.source_column(column, qualifier);
                    columns.values.push(value);
                }
                StarPart::AllOf(source) => self.all_of(*source, columns),
                _ => columns.open_here(),
            }
        }
    }

    /// Appends the columns of a function that names alone do not tell.
    fn all_of(&mut self, source: usize, columns: &mut Columns) {
        let of = self.columns_of_source(source);
        let is_named = of.names.as_ref().is_some_and(|names| names.len() == of.values.len());
        let is_merged = self.merged.keys().any(|(merged, _)| *merged == source);
        if of.open_at.is_some() || !is_named || is_merged {
            return columns.open_here();
        }
        columns.rows.push((columns.values.len(), of.clone()));
        columns.values.extend(of.values.iter().cloned());
    }

    /// Returns the columns of a value that is a row.
    pub(super) fn columns_of_value(&self, value: &TypedValue) -> Option<Rc<Columns>> {
        if let Some(fields) = &value.fields {
            return Some(fields.clone());
        }
        let row = self.table.row_columns(value.id?)?;
        let values = row.iter().map(|(_, id, modifier)| TypedValue::with_modifier(*id, *modifier));
        let mut columns = Columns::new(values.collect());
        columns.names = Some(row.into_iter().map(|(name, ..)| name.into_boxed_str()).collect());
        Some(Rc::new(columns))
    }
}

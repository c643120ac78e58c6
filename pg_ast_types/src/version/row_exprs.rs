//! Rows, fields and elements.

use std::rc::Rc;

use pg_ast_catalog::TypeKind;

use super::pg::view::{AIndices, AIndirection, List, Node};
use super::type_walk::TypeWalk;
use super::typed_values::{Columns, TypedValue};
use crate::rules::coercion::Coercion;
use crate::type_table::TypeId;

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the values of a list in which `t.*` stands for all columns: `transformExpressionList`.
    pub(super) fn list_of_values(&mut self, items: List<'a>) -> Columns {
        let mut columns = Columns::default();
        for item in items {
            self.item(item, &mut columns);
        }
        columns
    }

    /// Appends the value of an item, or the columns of a star.
    pub(super) fn item(&mut self, item: Node<'a>, columns: &mut Columns) {
        match item {
            Node::ColumnRef(column) if column.is_star() => self.star(item, columns),
            Node::AIndirection(indirection)
                if matches!(indirection.indirection().last(), Some(Node::AStar(_))) =>
            {
                let value = self.indirection(indirection);
                match self.columns_of_value(&value) {
                    Some(fields) => {
                        columns.rows.push((columns.values.len(), fields.clone()));
                        let placed = fields.open_at.unwrap_or(fields.values.len());
                        let values = fields.values.iter().take(placed).cloned();
                        columns
                            .values
                            .extend(values.map(|value| TypedValue { origin: None, ..value }));
                        if fields.open_at.is_some() {
                            columns.open_here();
                        }
                    }
                    None => columns.open_here(),
                }
            }
            item => {
                let value = self.expr(item);
                columns.values.push(value);
            }
        }
    }

    /// `transformRowExpr`
    pub(super) fn row(&mut self, items: List<'a>) -> TypedValue {
        let mut fields = self.list_of_values(items);
        // Literals stay as they are until the row is coerced, but nobody sees them otherwise than as texts.
        for value in &mut fields.values {
            value.origin = None;
        }
        let count = fields.values.len();
        fields.names =
            Some((1..=count).map(|number| format!("f{number}").into_boxed_str()).collect());
        TypedValue { fields: Some(Rc::new(fields)), ..TypedValue::of(TypeId::RECORD) }
    }

    /// `transformIndirection`
    pub(super) fn indirection(&mut self, indirection: AIndirection<'a>) -> TypedValue {
        let mut value = match indirection.arg() {
            Some(Node::AArrayExpr(array)) => self.array(array, None),
            Some(arg) => self.expr(arg),
            None => return TypedValue::unknown(),
        };
        value = self.parts(value, indirection.indirection());
        TypedValue { origin: None, ..value }
    }

    /// Returns what fields and subscripts lead to. Subscripts that follow each other are one part of an array.
    pub(super) fn parts(&mut self, mut value: TypedValue, parts: List<'a>) -> TypedValue {
        let mut indices = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            match part {
                Node::AIndices(of) => {
                    indices.push(of);
                    if !matches!(parts.get(index + 1), Some(Node::AIndices(_))) {
                        value = self.element(&value, &core::mem::take(&mut indices));
                    }
                }
                Node::String(name) => value = self.field(&value, name.sval()),
                _ => {}
            }
        }
        value
    }

    /// Returns a field of a row, or the function of that name of it.
    pub(super) fn field(&mut self, value: &TypedValue, name: &str) -> TypedValue {
        let Some(id) = value.id else { return TypedValue::unknown() };
        if let Some(columns) = self.columns_of_value(value) {
            let names = columns.names.as_deref().unwrap_or_default();
            if let Some(index) = names.iter().position(|it| **it == *name) {
                return TypedValue { origin: None, ..columns.get(index) };
            }
            if columns.open_at.is_some() {
                return TypedValue::unknown();
            }
        }
        if id == TypeId::RECORD && value.fields.is_none() {
            return TypedValue::unknown();
        }
        let system = match name {
            "tableoid" => Some(TypeId::OID),
            _ => None,
        };
        if system.is_some() && self.table.is_row(id) {
            return TypedValue::new(system);
        }
        self.chosen_function(None, name, std::slice::from_ref(value))
    }

    /// Returns an element or a part of an array: `transformContainerSubscripts`, and what types have of their own.
    pub(super) fn element(&mut self, value: &TypedValue, indices: &[AIndices<'a>]) -> TypedValue {
        let bounds: Vec<TypedValue> = indices
            .iter()
            .flat_map(|of| [of.lidx(), of.uidx()])
            .flatten()
            .map(|bound| self.expr(bound))
            .collect();
        let bounds_to = |this: &mut Self, to: Option<TypeId>| {
            for bound in &bounds {
                let bound = this.again(bound);
                match to {
                    Some(to) => this.coerce(&bound, to, Coercion::Assignment),
                    None => this.coerce_to(&bound, None),
                };
            }
        };
        let Some(id) = value.id else {
            bounds_to(self, None);
            return TypedValue::unknown();
        };
        let (base, modifier) = self.table.base_with_modifier(id, value.modifier);
        if base == TypeId::JSONB {
            for bound in &bounds {
                let bound = self.again(bound);
                self.text_if_untyped(bound);
            }
            return TypedValue::of(TypeId::JSONB);
        }
        let info = self.table.info(base);
        if info.is_array || (info.kind == TypeKind::Base && info.of.is_some()) {
            bounds_to(self, Some(TypeId::INT4));
            let is_part = indices.iter().any(|of| of.is_slice());
            return TypedValue::with_modifier(if is_part { Some(base) } else { info.of }, modifier);
        }
        // Types of extensions can have subscripts, too.
        bounds_to(self, None);
        if self.table.is_own(base) && !value.is_untyped() {
            self.mistake();
        }
        TypedValue::unknown()
    }
}

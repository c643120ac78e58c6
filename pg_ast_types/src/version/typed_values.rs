//! What is known of the value of an expression, and how it becomes one of another type.

use std::rc::Rc;

use pg_ast_names::ColumnOrigin;

use super::pg::seam::with_stack;
use super::type_walk::TypeWalk;
use crate::rules::coercion::Coercion;
use crate::type_table::{TypeId, TypeTable};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) struct TypedValue {
    /// Its type; `None` if nobody knows. [`TypeId::UNKNOWN`] is PostgreSQL's: a literal or a parameter that can still become
    /// anything.
    pub(super) id: Option<TypeId>,
    pub(super) modifier: i32,
    /// The number of the parameter that it is, less 1, while that has no type.
    pub(super) parameter: Option<usize>,
    /// The fields of a record.
    pub(super) fields: Option<Rc<Columns>>,
    /// The column of a table that it is.
    pub(super) origin: Option<ColumnOrigin>,
}

impl TypedValue {
    pub(super) const fn new(id: Option<TypeId>) -> Self {
        Self { id, modifier: -1, parameter: None, fields: None, origin: None }
    }

    pub(super) const fn of(id: TypeId) -> Self {
        Self::new(Some(id))
    }

    /// A value of which nothing is known.
    pub(super) const fn unknown() -> Self {
        Self::new(None)
    }

    pub(super) fn with_modifier(id: Option<TypeId>, modifier: i32) -> Self {
        Self { modifier, ..Self::new(id) }
    }

    /// Whether it is a literal or a parameter that can still become anything.
    pub(super) fn is_untyped(&self) -> bool {
        self.id == Some(TypeId::UNKNOWN)
    }
}

/// The columns of a query, of an item of a `FROM`, or of a record.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    pub(super) values: Vec<TypedValue>,
    /// The names of the fields of a record.
    pub(super) names: Option<Vec<Box<str>>>,
    /// Where there may be others.
    pub(super) open_at: Option<usize>,
    /// Of a query: where the columns of values begin that are rows, `(f(x)).*`, and these columns.
    pub(super) rows: Vec<(usize, Rc<Columns>)>,
}

impl Columns {
    pub(super) fn new(values: Vec<TypedValue>) -> Self {
        Self { values, ..Self::default() }
    }

    /// Columns of which nothing is known.
    pub(super) fn unknown() -> Self {
        Self { open_at: Some(0), ..Self::default() }
    }

    pub(super) fn get(&self, index: usize) -> TypedValue {
        let is_placed = self.open_at.is_none_or(|open_at| index < open_at);
        let value = self.values.get(index).filter(|_| is_placed);
        value.cloned().unwrap_or(TypedValue::unknown())
    }

    /// Notes that others may follow here.
    pub(super) fn open_here(&mut self) {
        self.open_at.get_or_insert(self.values.len());
    }

    /// Returns the only column, if there is one.
    pub(super) fn single(&self) -> TypedValue {
        if self.open_at.is_none() && self.values.len() == 1 {
            self.get(0)
        } else {
            TypedValue::unknown()
        }
    }
}

impl TypeWalk<'_, '_> {
    /// Returns the value of a parameter, which has a type as soon as it has been used where only one is possible.
    pub(super) fn parameter(&mut self, number: i32) -> TypedValue {
        let Some(index) = usize::try_from(number).ok().and_then(|number| number.checked_sub(1))
        else {
            return TypedValue::unknown();
        };
        // As `MaxAllocSize` bounds it for the server; nobody can send more than these.
        if index >= usize::from(u16::MAX) {
            return TypedValue::unknown();
        }
        if self.parameters.len() <= index {
            self.parameters.resize_with(index + 1, Default::default);
        }
        match self.parameters[index].id {
            Some(TypeId::UNKNOWN) => {
                TypedValue { parameter: Some(index), ..TypedValue::of(TypeId::UNKNOWN) }
            }
            id => TypedValue::new(id),
        }
    }

    /// Reads the value of an expression that stands in several places: a parameter may have got its type in the meantime.
    pub(super) fn again(&self, value: &TypedValue) -> TypedValue {
        match value.parameter {
            Some(index) if self.parameters[index].id != Some(TypeId::UNKNOWN) => {
                TypedValue::new(self.parameters[index].id)
            }
            _ => value.clone(),
        }
    }

    /// Gives a parameter that has no type yet the type of its place: `variable_coerce_param_hook` of `parse_param.c`.
    fn set_parameter(&mut self, index: usize, to: Option<TypeId>) {
        let parameter = &mut self.parameters[index];
        match (parameter.id, to) {
            (Some(TypeId::UNKNOWN), to) => parameter.id = to,
            // Other uses of it that are not known could be the first one.
            (Some(known), Some(to)) if known != to => parameter.is_inconsistent = true,
            _ => {}
        }
    }

    /// Makes a value one of another type, which may not be known: `coerce_type` of `parse_coerce.c`.
    pub(super) fn coerce_to(&mut self, value: &TypedValue, to: Option<TypeId>) -> TypedValue {
        if to == value.id && to != Some(TypeId::UNKNOWN) {
            return value.clone();
        }
        if let Some(id) = to
            && (id == TypeId::UNKNOWN || id == TypeId::ANY || id.is_polymorphic())
        {
            return value.clone();
        }
        if let (Some(from), Some(to)) = (value.id, to)
            && self.table.is_row_for_record(from, to)
        {
            // It has its columns still.
            return value.clone();
        }
        if let Some(index) = value.parameter {
            self.set_parameter(index, to);
        }
        if let Some(fields) = value.fields.as_deref().filter(|_| to != Some(TypeId::RECORD)) {
            with_stack(|| self.coerce_fields(fields, to));
        }
        TypedValue {
            fields: value.fields.clone().filter(|_| to == Some(TypeId::RECORD)),
            ..TypedValue::new(to)
        }
    }

    /// Gives the parameters in a row the types of the columns of a table: `coerce_record_to_complex` of `parse_coerce.c`.
    fn coerce_fields(&mut self, fields: &Columns, to: Option<TypeId>) {
        let columns = to.and_then(|to| self.table.row_columns(to));
        let known = fields.open_at.unwrap_or(fields.values.len());
        for (index, field) in fields.values.iter().enumerate() {
            let field = self.again(field);
            let column = columns.as_ref().and_then(|of| of.get(index)).filter(|_| index < known);
            if field.is_untyped() || field.fields.is_some() {
                self.coerce_to(&field, column.and_then(|column| column.1));
            }
        }
    }

    /// Makes a value one of another type, and returns whether there is such a cast.
    pub(super) fn coerce(&mut self, value: &TypedValue, to: TypeId, how: Coercion) -> TypedValue {
        let fits = value.id.is_none_or(|from| self.table.can_coerce(from, to, how));
        if fits {
            self.coerce_to(value, Some(to))
        } else {
            self.mistake();
            TypedValue::of(to)
        }
    }

    /// Makes a value a condition: `coerce_to_boolean`.
    pub(super) fn condition(&mut self, value: &TypedValue) {
        self.coerce(value, TypeId::BOOL, Coercion::Assignment);
    }

    /// Makes a literal or a parameter without a type a text: `resolveTargetListUnknowns` of `parse_target.c`.
    pub(super) fn text_if_untyped(&mut self, value: TypedValue) -> TypedValue {
        if value.is_untyped() { self.coerce_to(&value, Some(TypeId::TEXT)) } else { value }
    }

    /// Does so with all columns of a query, some of which may have got a type in the meantime.
    pub(super) fn texts_if_untyped(&mut self, columns: &mut Columns) {
        for value in &mut columns.values {
            if value.is_untyped() {
                let again = self.again(value);
                *value = self.text_if_untyped(again);
            }
        }
    }

    /// Makes values ones of a common type: `select_common_type` and `coerce_to_common_type`.
    pub(super) fn common(&mut self, values: &[TypedValue]) -> TypedValue {
        let ids: Option<Vec<TypeId>> = values.iter().map(|value| value.id).collect();
        let to = match ids.map(|ids| self.table.verified_common_type(&ids)) {
            Some(Ok(to)) => Some(to),
            Some(Err(_)) => {
                self.mistake();
                None
            }
            None => None,
        };
        let modifiers = values.iter().map(|value| Some((value.id?, value.modifier)));
        let modifiers: Option<Vec<_>> = modifiers.collect();
        let modifier = match (modifiers, to) {
            (Some(modifiers), Some(to)) => TypeTable::common_modifier(&modifiers, to),
            _ => -1,
        };
        let mut fields = None;
        for value in values {
            let value = self.again(value);
            if to.is_some() || value.is_untyped() {
                self.coerce_to(&value, to);
            }
            fields = fields.or(value.fields);
        }
        let fields = fields.filter(|_| to == Some(TypeId::RECORD) && values.len() == 1);
        TypedValue { fields, ..TypedValue::with_modifier(to, modifier) }
    }
}

//! Calls of functions: `transformFuncCall` of `parse_expr.c`, and `ParseFuncOrColumn` of `parse_func.c`.

use std::rc::Rc;

use super::pg::view::{FuncCall, Node, WindowDef};
use super::type_walk::TypeWalk;
use super::typed_values::{Columns, TypedValue};
use crate::rules::candidates::NotChosen;
use crate::rules::chosen_functions::ChosenFunction;
use crate::rules::coercion::Coercion;
use crate::rules::parameters::CallArguments;
use crate::type_table::TypeId;

/// Whether the only argument is a parameter that has no type yet.
fn is_parameter(values: &[TypedValue]) -> bool {
    matches!(values, [value] if value.parameter.is_some())
}

/// Returns what a function returns.
fn result_of(chosen: &ChosenFunction<'_>, values: &[TypedValue]) -> TypedValue {
    let mut value = TypedValue::of(chosen.result);
    if let (true, [same]) = (chosen.is_cast, values)
        && same.id == Some(chosen.result)
    {
        value.modifier = same.modifier;
    }
    if chosen.result == TypeId::RECORD && !chosen.outputs.is_empty() {
        let of = chosen.outputs.iter();
        let mut columns = Columns::new(of.clone().map(|(_, id)| TypedValue::new(*id)).collect());
        columns.names = Some(of.map(|(name, _)| name.clone().into_boxed_str()).collect());
        value.fields = Some(Rc::new(columns));
    } else if chosen.result == TypeId::RECORD
        && let [argument] = values
    {
        // A polymorphic function of a record.
        value.fields.clone_from(&argument.fields);
    }
    value
}

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the value of a call.
    pub(super) fn call(&mut self, call: FuncCall<'a>) -> TypedValue {
        let node = Node::FuncCall(call);
        // `a(t)` can be `t.a`.
        if self.names.columns_at(node).next().is_some() {
            return TypedValue { origin: None, ..self.column_ref(node) };
        }
        let mut values = Vec::new();
        let mut names = Vec::new();
        for arg in call.args() {
            if let Node::NamedArgExpr(named) = arg {
                names.push(named.name());
            }
            let value = self.expr(arg);
            values.push(value);
        }
        let direct = call.agg_within_group().then_some(values.len());
        if call.agg_within_group() {
            for sort in call.agg_order() {
                let value = match sort {
                    Node::SortBy(sort) => self.optional(sort.node()),
                    other => self.expr(other),
                };
                values.push(value);
            }
        }
        if let Some(filter) = call.agg_filter() {
            let value = self.expr(filter);
            self.condition(&value);
        }
        let name = call.funcname().qualified_name();
        let types: Option<Vec<TypeId>> = values.iter().map(|value| value.id).collect();
        let value = match types {
            Some(types) => {
                let arguments = CallArguments {
                    types: &types,
                    names: &names,
                    is_variadic: call.func_variadic(),
                    within_group: direct,
                    is_parameter: is_parameter(&values),
                    is_procedure: false,
                };
                self.choose(Some(call), name.schema.as_deref(), &name.name, &arguments, &values)
            }
            None => {
                for value in &values {
                    self.coerce_to(value, None);
                }
                TypedValue::unknown()
            }
        };
        if !call.agg_within_group() {
            self.sorts(call.agg_order());
        }
        if let Some(window) = call.over() {
            self.windows.push(window);
        }
        value
    }

    /// Returns the value of a function of some values.
    pub(super) fn chosen_function(
        &mut self,
        schema: Option<&str>,
        name: &str,
        values: &[TypedValue],
    ) -> TypedValue {
        let types: Option<Vec<TypeId>> = values.iter().map(|value| value.id).collect();
        let Some(types) = types else { return TypedValue::unknown() };
        let arguments = CallArguments {
            types: &types,
            is_parameter: is_parameter(values),
            ..CallArguments::default()
        };
        self.choose(None, schema, name, &arguments, values)
    }

    fn choose(
        &mut self,
        call: Option<FuncCall<'a>>,
        schema: Option<&str>,
        name: &str,
        arguments: &CallArguments<'_>,
        values: &[TypedValue],
    ) -> TypedValue {
        match self.table.function(schema, name, arguments) {
            Ok(chosen) => {
                if let Some(call) = call {
                    self.note_call(call.into(), &chosen, arguments.is_variadic);
                }
                let how = if chosen.is_cast { Coercion::Explicit } else { Coercion::Implicit };
                for (value, to) in values.iter().zip(&chosen.arguments) {
                    let value = self.again(value);
                    self.coerce(&value, *to, how);
                }
                result_of(&chosen, values)
            }
            Err(why) => {
                // `a(t)` is the column of a row, if there is no such function.
                if why == NotChosen::Missing
                    && schema.is_none()
                    && let ([row], Some(_)) = (values, call)
                    && let Some(value) = self.column_of_row(row, name)
                {
                    return value;
                }
                let values: Vec<&TypedValue> = values.iter().collect();
                self.not_chosen(why, &values)
            }
        }
    }

    /// Returns a column of a row: `ParseComplexProjection` of `parse_func.c`.
    fn column_of_row(&self, row: &TypedValue, name: &str) -> Option<TypedValue> {
        let columns = self.columns_of_value(row)?;
        let index = columns.names.as_deref()?.iter().position(|it| **it == *name)?;
        Some(TypedValue { origin: None, ..columns.get(index) })
    }

    /// Reads what rows are sorted by: `transformSortClause`.
    ///
    /// Returns the first of these values.
    pub(super) fn sorts(
        &mut self,
        sorts: impl IntoIterator<Item = Node<'a>>,
    ) -> Option<TypedValue> {
        let mut first = None;
        for sort in sorts {
            let value = match sort {
                Node::SortBy(sort) => sort.node(),
                other => Some(other),
            };
            let value = self.optional(value);
            first.get_or_insert_with(|| value.clone());
            self.text_if_untyped(value);
        }
        first
    }

    /// Reads the definition of a window: `transformWindowDefinitions` of `parse_clause.c`.
    pub(super) fn window(&mut self, window: WindowDef<'a>) {
        let sorted = self.sorts(window.order_clause());
        self.sorts(window.partition_clause());
        let sorted = sorted.and_then(|value| value.id);
        for offset in window.start_offset().into_iter().chain(window.end_offset()) {
            let value = self.expr(offset);
            // `FRAMEOPTION_RANGE` of `parsenodes.h`: of `RANGE`, the offset is what can be added to the column.
            if window.frame_options() & 0x0002 == 0 {
                self.coerce(&value, TypeId::INT8, Coercion::Implicit);
            } else if value.is_untyped() {
                let to = sorted.and_then(|of| self.table.frame_offset(of, TypeId::UNKNOWN));
                self.coerce_to(&value, to);
            }
        }
    }
}

//! Constants and parameters, as far as their value does not depend on a cast.

use super::pg::protobuf::AExprKind;
use super::pg::view::{Node, TypeName};
use crate::column_values::ColumnValue;

/// What a cast makes values of.
#[derive(Clone, Copy, PartialEq)]
enum CastType {
    Integer,
    Numeric,
    /// `text`, `varchar`, `uuid`.
    Text,
    Boolean,
}

impl CastType {
    /// `None` if a value may not be the same after the cast: a number is rounded, a text is cut off, a date has no time.
    fn of(name: TypeName<'_>) -> Option<Self> {
        if !name.typmods().is_empty() || name.pct_type() || name.setof() {
            return None;
        }
        let parts: Vec<_> = name.names().strs().collect();
        let ([last] | ["pg_catalog", last]) = parts.as_slice() else { return None };
        Some(match *last {
            "int2" | "int4" | "int8" => Self::Integer,
            "numeric" => Self::Numeric,
            "text" | "varchar" | "uuid" => Self::Text,
            "bool" => Self::Boolean,
            _ => return None,
        })
    }

    fn keeps(self, value: &ColumnValue) -> bool {
        match value {
            ColumnValue::Null => true,
            ColumnValue::Integer(_) => self != Self::Boolean,
            ColumnValue::Float(_) => self == Self::Numeric,
            ColumnValue::String(_) | ColumnValue::Param(_) | ColumnValue::ElementsOf(_) => {
                matches!(self, Self::Integer | Self::Text)
            }
            ColumnValue::Boolean(_) => self == Self::Boolean,
            ColumnValue::BitString(_) => false,
        }
    }
}

/// Returns whether an item of a list stands for several: `t.*`, `(a).*`.
pub(crate) fn is_star(node: Node<'_>) -> bool {
    match node {
        Node::ColumnRef(column) => column.is_star(),
        Node::AIndirection(of) => matches!(of.indirection().last(), Some(Node::AStar(_))),
        _ => false,
    }
}

/// Returns whether a value is read by a type.
pub(crate) fn is_text(value: &ColumnValue) -> bool {
    use ColumnValue as Value;
    matches!(value, Value::String(_) | Value::BitString(_) | Value::Param(_) | Value::ElementsOf(_))
}

/// Returns the constants of a list, which has one type: a text in it is read by that of the others, if they have one.
pub(crate) fn constants<'a>(
    items: impl Iterator<Item = Node<'a>> + Clone,
) -> Option<Vec<ColumnValue>> {
    let values = items.clone().map(constant).collect::<Option<Vec<_>>>()?;
    let cast = |item: Node<'a>| match item {
        Node::TypeCast(cast) => cast.type_name().and_then(CastType::of),
        _ => None,
    };
    let mut casts = items.map(cast);
    let first = casts.next().flatten();
    let is_even = casts.all(|cast| cast == first);
    let has_float = values.iter().any(|value| matches!(value, ColumnValue::Float(_)));
    let is_known = is_even && !has_float || !values.iter().any(is_text);
    is_known.then_some(values)
}

/// Returns the value of a constant or a parameter; `None` for another expression.
pub(crate) fn constant(node: Node<'_>) -> Option<ColumnValue> {
    match node {
        Node::TypeCast(cast) => {
            let to = cast.type_name()?;
            let value = uncast(cast.arg()?)?;
            (to.array_bounds().is_empty() && CastType::of(to)?.keeps(&value)).then_some(value)
        }
        _ => uncast(node),
    }
}

fn uncast(node: Node<'_>) -> Option<ColumnValue> {
    match node {
        Node::AConst(_) => Some(node.literal()?.into()),
        Node::ParamRef(param) => Some(ColumnValue::Param(param.number())),
        // A sign.
        Node::AExpr(expr) if expr.kind() == AExprKind::AexprOp && expr.lexpr().is_none() => {
            let is_number = matches!(expr.rexpr(), Some(Node::AConst(_)));
            is_number.then(|| node.literal().map(Into::into)).flatten()
        }
        _ => None,
    }
}

/// Returns the values of the elements of an array: of `ARRAY[..]`, or of a parameter.
pub(crate) fn elements(node: Node<'_>) -> Option<Vec<ColumnValue>> {
    let (array, cast) = match node {
        Node::TypeCast(cast) => {
            let to = cast.type_name()?;
            if to.array_bounds().is_empty() {
                return None;
            }
            (cast.arg()?, Some(CastType::of(to)?))
        }
        _ => (node, None),
    };
    let values = match array {
        Node::AArrayExpr(array) => constants(array.elements().iter())?,
        Node::ParamRef(param) => vec![ColumnValue::ElementsOf(param.number())],
        _ => return None,
    };
    let is_kept = values.iter().all(|value| cast.is_none_or(|cast| cast.keeps(value)));
    is_kept.then_some(values)
}

/// Returns the values that an equality with one of these leaves: none is NULL.
pub(crate) fn not_null(mut values: Vec<ColumnValue>) -> Vec<ColumnValue> {
    values.retain(|value| *value != ColumnValue::Null);
    values
}

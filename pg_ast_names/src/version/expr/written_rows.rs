//! Names of types as they are written.

use pg_ast::{Literal, QualifiedName};

use super::pg::view::{Node, TypeName};
use crate::relation_parts::ColumnType;

/// Returns the name of a type; `None` for an array, and for that of a column (`t.a%TYPE`).
pub(crate) fn type_name(of: TypeName<'_>) -> Option<QualifiedName> {
    if !of.array_bounds().is_empty() || of.pct_type() || of.names().is_empty() {
        return None;
    }
    Some(of.names().qualified_name())
}

/// Returns a type as it is written; `None` for that of a column (`t.a%TYPE`).
pub(crate) fn column_type(of: TypeName<'_>) -> Option<ColumnType> {
    if of.pct_type() || of.names().is_empty() {
        return None;
    }
    let mut modifiers = Vec::new();
    for modifier in of.typmods() {
        match (modifier, modifier.literal()) {
            (_, Some(Literal::Integer(number))) => modifiers.push(number.to_string()),
            (_, Some(Literal::Float(text))) => modifiers.push(text.into_owned()),
            (_, Some(Literal::String(text))) => modifiers.push(text.to_owned()),
            (Node::ColumnRef(word), _) => modifiers.extend(word.fields().strs().map(str::to_owned)),
            _ => {}
        }
    }
    Some(ColumnType {
        name: of.names().qualified_name(),
        is_array: !of.array_bounds().is_empty(),
        modifiers,
    })
}

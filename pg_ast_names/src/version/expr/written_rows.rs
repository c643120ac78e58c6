//! Names of types as they are written.

use pg_ast::QualifiedName;

use super::pg::view::TypeName;

/// Returns the name of a type; `None` for an array, and for that of a column (`t.a%TYPE`).
pub(crate) fn type_name(of: TypeName<'_>) -> Option<QualifiedName> {
    if !of.array_bounds().is_empty() || of.pct_type() || of.names().is_empty() {
        return None;
    }
    Some(of.names().qualified_name())
}

/// Returns a text that distinguishes the types of parameters.
pub(crate) fn type_text(of: TypeName<'_>) -> String {
    let mut text = of.names().strs().collect::<Vec<_>>().join(".");
    for _ in of.array_bounds() {
        text += "[]";
    }
    text
}

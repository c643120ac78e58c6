//! What functions of PostgreSQL's own return whose result has the type of their argument.

use pg_ast::QualifiedName;

use super::function_names::FunctionRow;
use super::pg::view::{Node, TypeName};
use super::resolver::NameResolver;
use super::written_rows::type_name;

impl<'a> NameResolver<'a> {
    /// Returns the rows of a function in a `FROM`, if its argument shows them.
    pub(crate) fn polymorphic_row(&self, call: Node<'a>) -> FunctionRow<'a> {
        let Node::FuncCall(call) = call else { return FunctionRow::Unknown };
        let name = call.funcname().qualified_name();
        let is_own = name.schema.is_none_or(|schema| schema == "pg_catalog");
        let Some(arg) = call.args().first().filter(|_| is_own) else { return FunctionRow::Unknown };
        match (&*name.name, arg) {
            (
                "json_populate_record"
                | "json_populate_recordset"
                | "jsonb_populate_record"
                | "jsonb_populate_recordset",
                Node::TypeCast(cast),
            ) => {
                let row = cast.type_name().and_then(type_name);
                let row = row.and_then(|name| self.row_of_type(&name));
                row.map_or(FunctionRow::Unknown, FunctionRow::Row)
            }
            ("unnest", Node::TypeCast(cast)) => {
                let element = cast.type_name().and_then(element_name);
                element.map_or(FunctionRow::Unknown, |name| self.value_of_type(&name))
            }
            ("unnest", Node::AArrayExpr(array)) => {
                let is_scalar = array.elements().iter().all(|it| matches!(it, Node::AConst(_)));
                if is_scalar && !array.elements().is_empty() {
                    FunctionRow::Scalar(None)
                } else {
                    FunctionRow::Unknown
                }
            }
            _ => FunctionRow::Unknown,
        }
    }

    fn value_of_type(&self, name: &QualifiedName) -> FunctionRow<'a> {
        match self.row_of_type(name) {
            Some(row) => FunctionRow::Row(row),
            None if self.is_scalar(name) => FunctionRow::Scalar(None),
            None => FunctionRow::Unknown,
        }
    }
}

/// Returns the name of the type of an array's elements.
fn element_name(of: TypeName<'_>) -> Option<QualifiedName> {
    let is_array = !of.array_bounds().is_empty() && !of.pct_type() && !of.names().is_empty();
    is_array.then(|| of.names().qualified_name())
}

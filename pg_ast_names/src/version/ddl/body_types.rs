//! The types that functions in PL/pgSQL declare: the server reads them when it creates the function, and nothing else in the body.

use pg_ast::QualifiedName;

use super::pg::plpgsql::{Datum, Function};
use super::pg::seam::name_in_string;
use super::pg::view::{CreateFunctionStmt, Node};

/// Returns the names of types and of tables that the variables of a function have for their types.
pub(crate) fn types_in_body(create: CreateFunctionStmt<'_>) -> Vec<QualifiedName> {
    let node = Node::CreateFunctionStmt(create).to_owned_tree();
    let function = node.ok().and_then(|node| Function::of(node.as_create_function_stmt()?));
    let Some(Ok(function)) = function else { return Vec::new() };
    let texts = function.datums.iter().filter_map(|datum| match datum {
        Datum::Var(variable) => Some(&*variable.datatype.text),
        Datum::Rec(record) => Some(&*record.datatype.as_ref()?.text),
        _ => None,
    });
    texts.filter_map(type_name).collect()
}

/// Returns the name in the text of a type; of that of a column, the name of its table.
fn type_name(text: &str) -> Option<QualifiedName> {
    let end = text.find(['%', '[', '(']).unwrap_or(text.len());
    let (name, behind) = text.split_at(end);
    let is_of_column = behind.to_ascii_lowercase().starts_with("%type");
    let name = if is_of_column { name.rsplit_once('.')?.0 } else { name };
    name_in_string(name)
}

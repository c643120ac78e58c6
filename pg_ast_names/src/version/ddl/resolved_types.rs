//! Types as a catalog has them: with their schemas, and those of columns.

use pg_ast::QualifiedName;

use super::VERSION;
use super::apply_objects::find;
use super::expr::written_rows::column_type;
use super::pg::view::{List, Node, TypeName};
use crate::builtin_names::is_builtin_type;
use crate::name_catalog::Catalog;
use crate::relation_parts::ColumnType;

/// Returns whether a schema has a type of a name, which can be a relation.
fn has(catalog: &dyn Catalog, schema: &str, name: &str) -> bool {
    catalog.relation(schema, name).is_some() || catalog.has_type(schema, name) == Some(true)
}

/// Returns the name of a type as the catalog has it: without a schema if it does not have it.
pub(crate) fn resolved(catalog: &dyn Catalog, name: QualifiedName) -> QualifiedName {
    if name.schema.is_some() {
        return name;
    }
    if has(catalog, "pg_temp", &name.name) {
        return QualifiedName::new("pg_temp", name.name);
    }
    if is_builtin_type(VERSION, &name.name) {
        return QualifiedName::new("pg_catalog", name.name);
    }
    let mut schemas = catalog.search_path().iter();
    let schema = schemas.find(|schema| has(catalog, schema, &name.name)).cloned();
    QualifiedName { schema, name: name.name }
}

/// Returns the type of a name that is written: `_int4` is an array.
fn of_name(catalog: &dyn Catalog, name: QualifiedName) -> ColumnType {
    let name = resolved(catalog, name);
    let Some(element) = name.name.strip_prefix('_') else { return ColumnType::new(name) };
    match name.schema.as_deref() {
        Some("pg_catalog") => ColumnType::array(QualifiedName::new("pg_catalog", element)),
        Some(schema) if has(catalog, schema, &name.name) => ColumnType::new(name),
        schema => {
            let schema = schema.map(str::to_owned);
            let of = resolved(catalog, QualifiedName { schema, name: element.to_owned() });
            let is_there =
                of.schema.as_deref().is_some_and(|schema| has(catalog, schema, &of.name));
            if is_there { ColumnType::array(of) } else { ColumnType::new(name) }
        }
    }
}

/// Returns a type as the catalog has it; `serial` is a number, and `t.a%TYPE` what the column has now. `None` if the column is not
/// known.
pub(crate) fn resolved_type(catalog: &dyn Catalog, of: TypeName<'_>) -> Option<ColumnType> {
    if of.pct_type() {
        let mut names: Vec<_> = of.names().strs().map(str::to_owned).collect();
        let (column, table) = (names.pop()?, names.pop()?);
        let relation = find(catalog, &QualifiedName { schema: names.pop(), name: table })?;
        let column = relation.columns.iter().find(|it| it.name == column)?;
        return column.column_type.clone();
    }
    let written = column_type(of)?;
    let name = match &*written.name.name {
        "smallserial" | "serial2" if written.name.schema.is_none() => "int2",
        "serial" | "serial4" if written.name.schema.is_none() => "int4",
        "bigserial" | "serial8" if written.name.schema.is_none() => "int8",
        _ => {
            let of = of_name(catalog, written.name);
            let is_array = of.is_array || written.is_array;
            return Some(ColumnType { is_array, modifiers: written.modifiers, ..of });
        }
    };
    Some(ColumnType {
        is_array: written.is_array,
        modifiers: written.modifiers,
        ..ColumnType::own(name)
    })
}

/// Returns the types in a list, without modifiers.
pub(crate) fn resolved_types(catalog: &dyn Catalog, list: List<'_>) -> Vec<Option<ColumnType>> {
    let types = list.iter().filter_map(|item| match item {
        Node::TypeName(of) => Some(of),
        Node::FunctionParameter(parameter) => parameter.arg_type(),
        _ => None,
    });
    types.map(|of| resolved_type(catalog, of).map(ColumnType::without_modifiers)).collect()
}

//! What statements define: the columns of a table, the result of a function.

use std::collections::HashSet;

use pg_ast::QualifiedName;

use super::expr::written_rows::{type_name, type_text};
use super::pg::protobuf::FunctionParameterMode as Mode;
use super::pg::view::{CreateFunctionStmt, CreateStmt, List, Node, RangeVar};
use crate::name_catalog::{Catalog, Relation, RelationColumn, Routine, RoutineResult};

/// Returns the relation of a name.
pub(crate) fn find<'c>(catalog: &'c dyn Catalog, name: &QualifiedName) -> Option<&'c Relation> {
    if let Some(schema) = &name.schema {
        return catalog.relation(schema, &name.name);
    }
    let path = catalog.search_path().iter().map(String::as_str);
    let mut schemas = ["pg_temp", "pg_catalog"].into_iter().chain(path);
    schemas.find_map(|schema| catalog.relation(schema, &name.name))
}

/// Returns the name of a type as the catalog has it.
fn resolved(catalog: &dyn Catalog, name: QualifiedName) -> QualifiedName {
    find(catalog, &name).map_or(name, |relation| relation.name.clone())
}

/// Returns the columns that a list of definitions has.
pub(crate) fn defined<'a>(
    catalog: &dyn Catalog,
    definitions: impl IntoIterator<Item = Node<'a>>,
) -> Vec<RelationColumn> {
    let definitions = definitions.into_iter().filter_map(|definition| match definition {
        Node::ColumnDef(definition) => Some(definition),
        _ => None,
    });
    let columns = definitions.map(|definition| {
        let name = definition.type_name().and_then(type_name);
        let name = name.map(|name| resolved(catalog, name));
        RelationColumn::new(definition.colname().to_owned(), name)
    });
    columns.collect()
}

/// Returns the columns of a table that a statement creates, and whether these are all.
pub(crate) fn created_columns(
    catalog: &dyn Catalog,
    create: CreateStmt<'_>,
) -> (Vec<RelationColumn>, bool) {
    let mut columns = Vec::new();
    let mut is_complete = true;
    let mut add_all =
        |table: &QualifiedName, columns: &mut Vec<RelationColumn>| match find(catalog, table) {
            Some(relation) => {
                is_complete &= relation.is_complete;
                columns.extend(relation.columns.iter().cloned());
            }
            None => is_complete = false,
        };
    // Those of the parents come first.
    for parent in create.inh_relations() {
        if let Node::RangeVar(parent) = parent {
            add_all(&parent.qualified_name(), &mut columns);
        }
    }
    if let Some(name) = create.of_typename().and_then(type_name) {
        add_all(&name, &mut columns);
    }
    for element in create.table_elts() {
        match element {
            Node::ColumnDef(_) => columns.extend(defined(catalog, [element])),
            Node::TableLikeClause(like) => {
                if let Some(table) = like.relation() {
                    add_all(&table.qualified_name(), &mut columns);
                }
            }
            _ => {}
        }
    }
    // A column that several define is one.
    let mut seen = HashSet::new();
    columns.retain(|column| seen.insert(column.name.clone()));
    (columns, is_complete)
}

/// Returns the schema in which a statement creates a relation.
pub(crate) fn schema_of(path: &[String], table: RangeVar<'_>) -> String {
    let is_temporary = table.relpersistence() == "t";
    match table.schemaname() {
        "" if is_temporary => "pg_temp".to_owned(),
        "" => first_of(path),
        schema if is_temporary_schema(schema) => "pg_temp".to_owned(),
        schema => schema.to_owned(),
    }
}

fn is_temporary_schema(schema: &str) -> bool {
    schema == "pg_temp" || schema.starts_with("pg_temp_")
}

/// Returns the schema in which new objects are.
pub(crate) fn first_of(path: &[String]) -> String {
    let mut schemas = path.iter().filter(|schema| *schema != "$user" && *schema != "pg_catalog");
    schemas.next().cloned().unwrap_or_else(|| "public".to_owned())
}

/// Returns a function that a statement creates.
pub(crate) fn routine(
    catalog: &dyn Catalog,
    path: &[String],
    create: CreateFunctionStmt<'_>,
) -> Routine {
    let QualifiedName { schema, name } = create.funcname().qualified_name();
    let schema = schema.unwrap_or_else(|| first_of(path));
    let (mut parameters, mut out) = (Vec::new(), Vec::new());
    let (mut defaults, mut is_variadic) = (0, false);
    for parameter in create.parameters() {
        let Node::FunctionParameter(parameter) = parameter else { continue };
        let mode = parameter.mode();
        if !matches!(mode, Mode::FuncParamOut | Mode::FuncParamTable) {
            parameters.extend(parameter.arg_type().map(type_text));
            defaults += usize::from(parameter.defexpr().is_some());
            is_variadic |= mode == Mode::FuncParamVariadic;
        }
        if matches!(mode, Mode::FuncParamOut | Mode::FuncParamInout | Mode::FuncParamTable) {
            let of = parameter.arg_type().and_then(type_name);
            let of = of.map(|of| resolved(catalog, of));
            let column = match parameter.name() {
                "" => format!("column{}", out.len() + 1),
                name => name.to_owned(),
            };
            out.push((RelationColumn::new(column, of), parameter.name().is_empty()));
        }
    }
    let result = match (out.pop(), out.is_empty()) {
        (Some((column, false)), true) => RoutineResult::Named(column),
        (Some((RelationColumn { type_name: Some(of), .. }, true)), true) => RoutineResult::Type(of),
        (Some(last), _) => {
            out.push(last);
            RoutineResult::Columns(out.into_iter().map(|(column, _)| column).collect())
        }
        (None, _) => match create.return_type() {
            // An array is no row.
            Some(of) => {
                type_name(of).map_or(scalar(), |of| RoutineResult::Type(resolved(catalog, of)))
            }
            None => RoutineResult::Unknown,
        },
    };
    let name = QualifiedName::new(schema, name);
    Routine { name, parameters, defaults, is_variadic, result }
}

fn scalar() -> RoutineResult {
    RoutineResult::Type(QualifiedName::new("pg_catalog", "unknown"))
}

/// Returns the types of the parameters that a statement names to tell a function.
pub(crate) fn parameter_types(arguments: List<'_>) -> Vec<String> {
    let types = arguments.iter().filter_map(|argument| match argument {
        Node::TypeName(of) => Some(type_text(of)),
        _ => None,
    });
    types.collect()
}

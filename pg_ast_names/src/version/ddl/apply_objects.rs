//! What statements define: the columns of a table, the result of a function.

use std::collections::HashMap;

use pg_ast::{Literal, QualifiedName};

use super::VERSION;
use super::expr::written_rows::{column_type, type_name, type_text};
use super::pg::protobuf::{ConstrType, FunctionParameterMode as Mode};
use super::pg::view::{ColumnDef, CreateFunctionStmt, CreateStmt, List, Node, RangeVar, TypeName};
use super::routine_options::{routine_header, routine_path};
use crate::builtin_names::is_builtin_type;
use crate::name_catalog::{
    Catalog, Relation, RelationColumn, Routine, RoutineKind, RoutineResult, RoutineText, Volatility,
};
use crate::relation_parts::{ColumnDefault, ColumnType};

/// What `LIKE` copies: `TableLikeOption` of PostgreSQL's `parsenodes.h`.
const LIKE_DEFAULTS: u32 = 1 << 3;
const LIKE_GENERATED: u32 = 1 << 4;
const LIKE_IDENTITY: u32 = 1 << 5;

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
    if name.schema.is_some() {
        return name;
    }
    if let Some(relation) = catalog.relation("pg_temp", &name.name) {
        return relation.name.clone();
    }
    if is_builtin_type(VERSION, &name.name) {
        return QualifiedName::new("pg_catalog", name.name);
    }
    let has_it = |schema: &&String| {
        catalog.relation(schema, &name.name).is_some()
            || catalog.has_type(schema, &name.name) == Some(true)
    };
    let schema = catalog.search_path().iter().find(has_it).cloned();
    QualifiedName { schema, name: name.name }
}

/// Returns a type as the catalog has it; `serial` is a number.
pub(crate) fn resolved_type(catalog: &dyn Catalog, of: TypeName<'_>) -> Option<ColumnType> {
    let of = column_type(of)?;
    let name = match &*of.name.name {
        "smallserial" | "serial2" if of.name.schema.is_none() => "int2",
        "serial" | "serial4" if of.name.schema.is_none() => "int4",
        "bigserial" | "serial8" if of.name.schema.is_none() => "int8",
        _ => return Some(ColumnType { name: resolved(catalog, of.name), ..of }),
    };
    Some(ColumnType { name: QualifiedName::new("pg_catalog", name), ..of })
}

/// Returns a column as it is defined.
fn defined_column(catalog: &dyn Catalog, definition: ColumnDef<'_>) -> RelationColumn {
    let of = definition.type_name().and_then(|of| resolved_type(catalog, of));
    let mut column = RelationColumn::new(definition.colname().to_owned(), of);
    let mut names = definition.type_name().map(TypeName::names).into_iter().flatten();
    let is_serial = match (names.next(), names.next()) {
        (Some(Node::String(only)), None) => pg_ast_catalog::is_serial(only.sval()),
        _ => false,
    };
    if is_serial {
        column.default = ColumnDefault::Expr;
    }
    column.is_not_null = is_serial || definition.is_not_null();
    for constraint in definition.constraints() {
        let Node::Constraint(constraint) = constraint else { continue };
        match constraint.contype() {
            ConstrType::ConstrNotnull | ConstrType::ConstrPrimary => column.is_not_null = true,
            ConstrType::ConstrDefault => {
                let value = constraint.raw_expr().and_then(Node::literal);
                // Of a domain, or with a length, NULL is an expression.
                let is_expr = column.column_type.as_ref().is_some_and(|of| {
                    let schema = of.name.schema.as_deref().unwrap_or_default();
                    !of.modifiers.is_empty()
                        || catalog.is_domain(schema, &of.name.name) == Some(true)
                });
                let is_null = value == Some(Literal::Null) && !is_expr;
                column.default = if is_null { ColumnDefault::Null } else { ColumnDefault::Expr };
            }
            ConstrType::ConstrGenerated => column.default = ColumnDefault::Generated,
            ConstrType::ConstrIdentity => {
                column.default = ColumnDefault::Identity;
                column.is_not_null = true;
            }
            _ => {}
        }
    }
    column
}

/// Returns the columns that a list of definitions has.
pub(crate) fn defined<'a>(
    catalog: &dyn Catalog,
    definitions: impl IntoIterator<Item = Node<'a>>,
) -> Vec<RelationColumn> {
    let definitions = definitions.into_iter().filter_map(|definition| match definition {
        Node::ColumnDef(definition) => Some(defined_column(catalog, definition)),
        _ => None,
    });
    definitions.collect()
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
    // Partitions have those of their table since 17.
    if create.partbound().is_none() || VERSION.major() < 17 {
        for column in columns.iter_mut().filter(|it| it.default == ColumnDefault::Identity) {
            column.default = ColumnDefault::Null;
        }
    }
    if let Some(name) = create.of_typename().and_then(type_name) {
        add_all(&name, &mut columns);
    }
    for element in create.table_elts() {
        match element {
            Node::ColumnDef(_) => columns.extend(defined(catalog, [element])),
            Node::TableLikeClause(like) => {
                let Some(table) = like.relation() else { continue };
                let first = columns.len();
                add_all(&table.qualified_name(), &mut columns);
                for column in &mut columns[first..] {
                    let is_copied = match column.default {
                        ColumnDefault::Null => true,
                        ColumnDefault::Expr => like.options() & LIKE_DEFAULTS != 0,
                        ColumnDefault::Generated => like.options() & LIKE_GENERATED != 0,
                        ColumnDefault::Identity => like.options() & LIKE_IDENTITY != 0,
                    };
                    if !is_copied {
                        column.default = ColumnDefault::Null;
                    }
                }
            }
            _ => {}
        }
    }
    // A column that several define is one.
    let mut places = HashMap::new();
    let mut merged: Vec<RelationColumn> = Vec::new();
    for column in columns {
        let place = *places.entry(column.name.clone()).or_insert(merged.len());
        match merged.get_mut(place) {
            Some(same) => {
                same.is_not_null |= column.is_not_null;
                if column.default != ColumnDefault::Null {
                    same.default = column.default;
                }
            }
            None => merged.push(column),
        }
    }
    (merged, is_complete)
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
            let of = parameter.arg_type().and_then(|of| resolved_type(catalog, of));
            let column = match parameter.name() {
                "" => format!("column{}", out.len() + 1),
                name => name.to_owned(),
            };
            out.push((RelationColumn::new(column, of), parameter.name().is_empty()));
        }
    }
    let result = match (out.pop(), out.is_empty()) {
        (Some((column, false)), true) => RoutineResult::Named(column),
        (Some((column, true)), true) if column.type_name().is_some() => {
            RoutineResult::Type(column.type_name().cloned().unwrap_or_default())
        }
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
    let mut routine = Routine::new(&schema, &name, parameters, result);
    routine.defaults = defaults;
    routine.is_variadic = is_variadic;
    routine.kind = kind_of(create);
    routine.volatility = Some(Volatility::Volatile);
    for option in create.options() {
        if let Node::DefElem(option) = option
            && option.defname() == "volatility"
        {
            routine.volatility = match option.arg().and_then(Node::as_str) {
                Some("immutable") => Some(Volatility::Immutable),
                Some("stable") => Some(Volatility::Stable),
                _ => routine.volatility,
            };
        }
    }
    let body = Node::CreateFunctionStmt(create).routine_body();
    routine.body = body.and_then(|body| {
        let mut text = RoutineText::new(body.language?, body.source?);
        text.header = routine_header(create);
        text.search_path = routine_path(create);
        Some(text)
    });
    routine
}

/// Returns what the calls of a function that a statement creates are.
fn kind_of(create: CreateFunctionStmt<'_>) -> RoutineKind {
    let is_window = create
        .options()
        .iter()
        .any(|option| matches!(option, Node::DefElem(option) if option.defname() == "window"));
    let has_columns = create.parameters().iter().any(|parameter| {
        matches!(parameter, Node::FunctionParameter(it) if it.mode() == Mode::FuncParamTable)
    });
    if create.is_procedure() {
        RoutineKind::Procedure
    } else if is_window {
        RoutineKind::Window
    } else if has_columns || create.return_type().is_some_and(TypeName::setof) {
        RoutineKind::SetReturning
    } else {
        RoutineKind::Function
    }
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

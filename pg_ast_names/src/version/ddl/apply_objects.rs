//! What statements define: the columns of a table.

use std::collections::HashMap;

use pg_ast::{Literal, QualifiedName};

use super::VERSION;
use super::expr::written_rows::type_name;
use super::pg::protobuf::ConstrType;
use super::pg::view::{ColumnDef, CreateStmt, Node, RangeVar, TypeName};
use super::resolved_types::resolved_type;
use crate::name_catalog::{Catalog, Relation, RelationColumn};
use crate::relation_parts::ColumnDefault;

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

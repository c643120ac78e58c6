//! What PostgreSQL and its extensions have, as this crate's relations and functions: the data is that of pg_ast_catalog.

use std::collections::HashMap;
use std::sync::OnceLock;

use pg_ast::{QualifiedName, Version};
use pg_ast_catalog::{
    BuiltinFunction, BuiltinObjects, BuiltinRelation, Extension, FunctionKind, ParameterMode,
    TypeKind, builtin, extensions,
};

use crate::name_catalog::{
    Relation, RelationColumn, RelationKind, Routine, RoutineKind, RoutineResult,
};
use crate::relation_parts::{ColumnType, ConstraintKind, ConstraintTiming, RelationConstraint};

/// The schemas that each database has, with what the server has put there.
pub(crate) fn is_builtin_schema(schema: &str) -> bool {
    matches!(schema, "pg_catalog" | "information_schema")
}

/// What a function of PostgreSQL's own returns.
pub(crate) enum BuiltinResult {
    /// A row of columns with these names.
    Columns(Vec<&'static str>),
    /// A value, whose column in a `FROM` has this name, or that of the function.
    Value(Option<&'static str>),
    /// Something that depends on the arguments, or on what the call defines.
    Unknown,
}

/// Returns a table or view of `pg_catalog` or `information_schema`.
pub(crate) fn builtin_relation(
    version: Version,
    schema: &str,
    name: &str,
) -> Option<&'static Relation> {
    static VERSIONS: [OnceLock<Vec<Relation>>; Version::ALL.len()] =
        [const { OnceLock::new() }; Version::ALL.len()];
    if !is_builtin_schema(schema) {
        return None;
    }
    let index = Version::ALL.iter().position(|of| *of == version)?;
    let relations = VERSIONS[index].get_or_init(|| {
        let relations = builtin(version.major()).map_or(&[][..], BuiltinObjects::relations);
        relations.iter().map(|it| relation(it, it.schema)).collect()
    });
    // They are in the order of their names, as they are in the data.
    let key = |it: &Relation| {
        (it.name.schema.as_deref(), it.name.name.as_str()).cmp(&(Some(schema), name))
    };
    relations.get(relations.binary_search_by(key).ok()?)
}

/// Returns a relation of the data, in a schema.
fn relation(of: &BuiltinRelation, schema: &str) -> Relation {
    let kind = match of.kind {
        'v' => RelationKind::View,
        'm' => RelationKind::MaterializedView,
        'S' => RelationKind::Sequence,
        'c' => RelationKind::CompositeType,
        _ => RelationKind::Table,
    };
    let column = |column: &pg_ast_catalog::BuiltinColumn| {
        let mut of = RelationColumn::new(
            column.name.to_owned(),
            Some(column_type(column.type_name, schema)),
        );
        of.is_not_null = column.is_not_null;
        of
    };
    let mut relation = Relation::new(schema, of.name, kind, []);
    relation.columns = of.columns.iter().map(column).collect();
    relation.has_all_parts = true;
    if !of.key.is_empty() {
        relation.constraints.push(RelationConstraint {
            name: format!("{}_pkey", of.name),
            kind: ConstraintKind::PrimaryKey,
            columns: of.key.iter().map(|&column| column.to_owned()).collect(),
            is_validated: true,
            is_inherited: false,
            timing: ConstraintTiming::Immediate,
        });
    }
    relation
}

/// Returns a type of the data.
fn column_type(name: &str, schema: &str) -> ColumnType {
    let (schema, name) = match (name.strip_prefix('@'), name.split_once('.')) {
        (Some(name), _) => (schema, name),
        (None, Some((schema, name))) => (schema, name),
        (None, None) => ("pg_catalog", name),
    };
    let (name, is_array) = name.strip_prefix('_').map_or((name, false), |name| (name, true));
    ColumnType { is_array, ..ColumnType::new(QualifiedName::new(schema, name)) }
}

/// Returns what functions of PostgreSQL's own return, of those that take so many arguments.
pub(crate) fn builtin_result(
    version: Version,
    functions: &'static [BuiltinFunction],
    count: usize,
) -> BuiltinResult {
    let mut functions = functions.iter().filter(|function| function.takes(count));
    let (Some(first), Some(catalog)) = (functions.next(), builtin(version.major())) else {
        return BuiltinResult::Unknown;
    };
    let outputs = |function: &BuiltinFunction| {
        function.outputs().map(|output| output.name).collect::<Vec<_>>()
    };
    let is_value = |function: &BuiltinFunction| {
        let of = function.result.split_once('.').unwrap_or(("pg_catalog", function.result));
        let kind = catalog.type_named(of.0, of.1).map(|of| of.kind);
        match kind {
            Some(TypeKind::Pseudo) => function.result == "void",
            Some(TypeKind::Composite) | None => false,
            Some(_) => true,
        }
    };
    let names = outputs(first);
    let is_same =
        functions.all(|other| outputs(other) == names && is_value(other) == is_value(first));
    match names.as_slice() {
        _ if !is_same => BuiltinResult::Unknown,
        [] if is_value(first) => BuiltinResult::Value(None),
        [] => BuiltinResult::Unknown,
        [only] => BuiltinResult::Value(*only),
        several => BuiltinResult::Columns(several.iter().map(|name| name.unwrap_or("")).collect()),
    }
}

/// Returns what the calls of a function are.
pub(crate) fn kind_of(function: &BuiltinFunction) -> RoutineKind {
    match function.kind {
        FunctionKind::Function if function.returns_set => RoutineKind::SetReturning,
        FunctionKind::Function => RoutineKind::Function,
        FunctionKind::Procedure => RoutineKind::Procedure,
        FunctionKind::Window => RoutineKind::Window,
        FunctionKind::Aggregate
        | FunctionKind::OrderedSet(_)
        | FunctionKind::HypotheticalSet(_) => RoutineKind::Aggregate,
    }
}

/// Returns what the calls of a name are by the extensions that have functions of it; `Unknown` if these differ.
pub(crate) fn extension_kind(version: Version, name: &str) -> Option<RoutineKind> {
    type Kinds = HashMap<&'static str, RoutineKind>;
    static VERSIONS: [OnceLock<Kinds>; Version::ALL.len()] =
        [const { OnceLock::new() }; Version::ALL.len()];
    let index = Version::ALL.iter().position(|of| *of == version)?;
    let kinds = VERSIONS[index].get_or_init(|| {
        let mut kinds = Kinds::new();
        let functions =
            extensions(version.major()).iter().flat_map(|it| it.objects.all_functions());
        for function in functions {
            let kind = kind_of(function);
            let known = kinds.entry(function.name).or_insert(kind);
            if *known != kind {
                *known = RoutineKind::Unknown;
            }
        }
        kinds
    });
    kinds.get(name).copied()
}

/// Returns PostgreSQL's own functions of a name.
pub(crate) fn functions(version: Version, name: &QualifiedName) -> &'static [BuiltinFunction] {
    let schema = name.schema.as_deref().unwrap_or("pg_catalog");
    let catalog = builtin(version.major()).filter(|_| is_builtin_schema(schema));
    catalog.map_or(&[], |catalog| catalog.functions(schema, &name.name))
}

/// Returns whether a name is that of one of PostgreSQL's own functions for triggers.
pub(crate) fn is_builtin_trigger(version: Version, name: &QualifiedName) -> bool {
    functions(version, name).iter().any(BuiltinFunction::is_trigger)
}

/// Returns whether PostgreSQL itself has a function of a name.
pub(crate) fn is_builtin_function(version: Version, name: &QualifiedName) -> bool {
    !functions(version, name).is_empty()
}

/// Returns whether a name is that of one of PostgreSQL's own aggregates, and of no other function of its own.
pub(crate) fn is_builtin_aggregate(version: Version, name: &QualifiedName) -> bool {
    let functions = functions(version, name);
    let is_aggregate = |function: &BuiltinFunction| {
        matches!(
            function.kind,
            FunctionKind::Aggregate
                | FunctionKind::OrderedSet(_)
                | FunctionKind::HypotheticalSet(_)
        )
    };
    !functions.is_empty() && functions.iter().all(is_aggregate)
}

/// Returns whether a name is that of one of PostgreSQL's own functions that return any number of rows.
pub(crate) fn returns_rows(version: Version, name: &QualifiedName) -> bool {
    functions(version, name).iter().any(|function| function.returns_set)
}

/// Returns whether PostgreSQL itself has a function of a name that takes so many arguments, or an extension has one that somebody
/// may have created before.
pub(crate) fn may_be_builtin_function(
    version: Version,
    name: &QualifiedName,
    arguments: Option<usize>,
) -> bool {
    let Some(catalog) = builtin(version.major()) else { return true };
    let schema = name.schema.as_deref();
    let takes = |function: &BuiltinFunction| arguments.is_none_or(|count| function.takes(count));
    let own = catalog.functions(schema.unwrap_or("pg_catalog"), &name.name);
    own.iter().any(takes)
        || schema.is_none_or(|schema| !is_builtin_schema(schema))
            && extensions(version.major())
                .iter()
                .any(|it| !it.objects.functions("", &name.name).is_empty())
}

/// Returns the names of PostgreSQL's functions that users call.
pub(crate) fn builtin_function_names(version: Version) -> impl Iterator<Item = &'static str> {
    let functions = builtin(version.major()).map_or(&[][..], BuiltinObjects::all_functions);
    let called = functions.iter().filter(|function| !function.is_support && function.is_callable());
    let mut last = "";
    called
        .map(|function| function.name)
        .filter(move |name| core::mem::replace(&mut last, name) != *name)
}

/// Returns whether a name without a schema is that of a type in `pg_catalog`, before it can be another one's.
pub(crate) fn is_builtin_type(version: Version, name: &str) -> bool {
    let catalog = builtin(version.major());
    catalog.is_some_and(|it| {
        it.type_named("pg_catalog", name).is_some() || it.relation("pg_catalog", name).is_some()
    })
}

/// Returns the names of PostgreSQL's types, as `pg_type` has them, without arrays.
pub(crate) fn builtin_type_names(version: Version) -> impl Iterator<Item = &'static str> {
    let types = builtin(version.major()).map_or(&[][..], BuiltinObjects::types).iter();
    types.map(|of| of.name).filter(|name| !name.starts_with('_'))
}

/// Returns whether PostgreSQL itself has a type of a name, or an extension that somebody may have created before.
pub(crate) fn may_be_builtin_type(version: Version, schema: Option<&str>, name: &str) -> bool {
    let Some(catalog) = builtin(version.major()) else { return true };
    // The array of a row.
    let row = name.strip_prefix('_').unwrap_or(name);
    let own = schema.unwrap_or("pg_catalog");
    catalog.type_named(own, name).is_some()
        || catalog.relation(own, row).is_some()
        || schema.is_none_or(|schema| !is_builtin_schema(schema))
            && extensions(version.major()).iter().any(|it| {
                it.objects.type_named("", name).is_some() || it.objects.relation("", row).is_some()
            })
}

/// Returns whether a table of PostgreSQL's own has a column of a name.
pub(crate) fn is_builtin_column(version: Version, name: &str) -> bool {
    let relations = builtin(version.major()).map_or(&[][..], BuiltinObjects::relations);
    relations.iter().any(|relation| relation.columns.iter().any(|column| column.name == name))
}

/// Returns the tables, views and composite types that an extension brings, if it is in a schema.
pub(crate) fn relations_of<'a>(
    extension: &'a Extension,
    schema: &'a str,
) -> impl Iterator<Item = Relation> + 'a {
    let relations = extension.objects.relations().iter();
    relations.map(move |it| relation(it, if it.schema.is_empty() { schema } else { it.schema }))
}

/// Returns the functions that an extension brings, if it is in a schema.
pub(crate) fn routines_of<'a>(
    extension: &'a Extension,
    schema: &'a str,
) -> impl Iterator<Item = Routine> + 'a {
    let functions = extension.objects.all_functions().iter();
    functions.filter(|function| function.is_callable() || function.is_trigger()).map(move |it| {
        let of = if it.schema.is_empty() { schema } else { it.schema };
        let parameters =
            it.inputs().map(|input| input.type_name.trim_start_matches('@').to_owned());
        let mut routine = Routine::new(of, it.name, parameters.collect(), result(it, schema));
        routine.defaults = it.inputs().filter(|input| input.default.is_some()).count();
        routine.volatility = Some(it.volatility);
        routine.is_variadic = it.inputs().any(|input| input.mode == ParameterMode::Variadic);
        routine.kind = kind_of(it);
        routine
    })
}

fn result(function: &BuiltinFunction, schema: &str) -> RoutineResult {
    let outputs = function.outputs().map(|output| {
        let name = output.name.unwrap_or_default().to_owned();
        RelationColumn::new(name, Some(column_type(output.type_name, schema)))
    });
    let mut outputs: Vec<_> = outputs.collect();
    match outputs.len() {
        0 if function.result == "record" || function.result.starts_with("any") => {
            RoutineResult::Unknown
        }
        0 => {
            let of = column_type(function.result, schema);
            let unknown = QualifiedName::new("pg_catalog", "unknown");
            RoutineResult::Type(if of.is_array { unknown } else { of.name })
        }
        1 => outputs.pop().map_or(RoutineResult::Unknown, RoutineResult::Named),
        _ => RoutineResult::Columns(outputs),
    }
}

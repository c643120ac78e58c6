//! What PostgreSQL and its extensions have, as this crate's relations and functions: the data is that of pg_ast_catalog.

use std::collections::HashMap;
use std::sync::OnceLock;

use pg_ast::{QualifiedName, Version};
use pg_ast_catalog::{
    BuiltinFunction, BuiltinObjects, BuiltinRelation, FunctionKind, TypeKind, builtin, extensions,
};

use crate::catalog_routines::CallKind;
use crate::name_catalog::{Relation, RelationColumn, RelationKind};
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
pub(crate) fn relation(of: &BuiltinRelation, schema: &str) -> Relation {
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
            Some(ColumnType::of_builtin(column.type_name, schema)),
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
            not_null: of.key.iter().map(|&column| column.to_owned()).collect(),
            mark: 0,
        });
    }
    relation
}

/// Returns whether the result is of a type that the arguments tell, and that is no row.
fn is_deduced_value(function: &BuiltinFunction) -> bool {
    let is_value = matches!(
        function.result,
        "anyarray"
            | "anyenum"
            | "anyrange"
            | "anymultirange"
            | "anycompatiblearray"
            | "anycompatiblerange"
            | "anycompatiblemultirange"
    );
    is_value && function.inputs().any(|it| it.type_name != "any" && it.type_name.starts_with("any"))
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
            Some(TypeKind::Pseudo) => {
                matches!(function.result, "void" | "cstring") || is_deduced_value(function)
            }
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
pub(crate) const fn kind_of(function: &BuiltinFunction) -> CallKind {
    CallKind::of(function.kind, function.returns_set)
}

/// Returns what the calls of a name are by the extensions that have functions of it; `Unknown` if these differ.
pub(crate) fn extension_kind(version: Version, name: &str) -> Option<CallKind> {
    type Kinds = HashMap<&'static str, CallKind>;
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
                *known = CallKind::Unknown;
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

/// Returns whether a type stands for any type that is not an array of its own: it can be a row.
pub(crate) fn is_any_element(of: &QualifiedName) -> bool {
    of.schema.as_deref() == Some("pg_catalog")
        && matches!(
            &*of.name,
            "anyelement" | "anynonarray" | "anyenum" | "anycompatible" | "anycompatiblenonarray"
        )
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

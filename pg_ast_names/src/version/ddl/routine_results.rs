//! The results of functions that other objects are made of.

use pg_ast::QualifiedName;

use super::VERSION;
use crate::builtin_names::{functions, is_any_element};
use crate::catalog_routines::{Routine, are_same_types};
use crate::ddl_catalog::DdlCatalog;
use crate::name_catalog::Catalog as _;
use crate::relation_parts::ColumnType;

/// Returns the functions that a name can mean, those of PostgreSQL itself first.
fn named(catalog: &DdlCatalog, name: &QualifiedName) -> Vec<Routine> {
    let own = functions(VERSION, name).iter().map(|it| Routine::of_builtin(it, ""));
    let schemas = match &name.schema {
        Some(schema) => core::slice::from_ref(schema),
        None => &catalog.search_path[..],
    };
    let others = schemas.iter().flat_map(|schema| catalog.routines(schema, &name.name)).cloned();
    own.chain(others).collect()
}

/// Returns the function of a name that has inputs of certain types.
pub(crate) fn function_of(
    catalog: &DdlCatalog,
    name: &QualifiedName,
    inputs: &[Option<ColumnType>],
) -> Option<Routine> {
    let mut named = named(catalog, name).into_iter();
    named.find(|it| are_same_types(it.input_types(), inputs.iter().map(Option::as_ref)))
}

/// Returns what the last function of an aggregate returns, for arguments of certain types.
pub(crate) fn result_of_final(
    catalog: &DdlCatalog,
    name: &QualifiedName,
    arguments: &[Option<ColumnType>],
) -> Option<ColumnType> {
    if let Some(exact) = function_of(catalog, name, arguments) {
        return exact.result;
    }
    let named = named(catalog, name);
    let mut results = named.iter().filter(|it| it.takes(arguments.len())).map(|routine| {
        let of = routine.result.as_ref()?;
        if is_polymorphic(of) { polymorphic_result(routine, arguments) } else { Some(of.clone()) }
    });
    let first = results.next()??;
    results.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

fn is_polymorphic(of: &ColumnType) -> bool {
    of.name.schema.as_deref() == Some("pg_catalog")
        && of.name.name.starts_with("any")
        && of.name.name != "any"
}

/// Returns what a function returns whose result has the type of its arguments, or of their elements.
fn polymorphic_result(routine: &Routine, arguments: &[Option<ColumnType>]) -> Option<ColumnType> {
    let is_array = |of: &ColumnType| of.name.name.ends_with("array") && !is_any_element(&of.name);
    let element = routine.input_types().zip(arguments).find_map(|(input, argument)| {
        let (input, argument) = (input?, argument.as_ref()?);
        let is_one = is_any_element(&input.name) && !argument.is_array;
        let is_several = is_array(input) && argument.is_array;
        (is_one || is_several).then(|| argument.name.clone())
    })?;
    match routine.result.as_ref()? {
        result if is_any_element(&result.name) => Some(ColumnType::new(element)),
        result if is_array(result) => Some(ColumnType::array(element)),
        _ => None,
    }
}

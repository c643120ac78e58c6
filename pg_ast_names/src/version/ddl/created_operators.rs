//! Operators and casts: what statements create, change and take away.

use pg_ast::QualifiedName;
use pg_ast_catalog::{CastContext, builtin};

use super::VERSION;
use super::created_types::{new_name, option_named, type_in};
use super::pg::protobuf::CoercionContext;
use super::pg::view::{
    AlterOperatorStmt, CreateCastStmt, DefElem, DefineStmt, List, Node, ObjectWithArgs, TypeName,
};
use super::resolved_types::{resolved_type, resolved_types};
use super::routine_results::function_of;
use crate::catalog_operators::{CatalogCast, CatalogOperator};
use crate::ddl_catalog::DdlCatalog;
use crate::name_catalog::Catalog as _;
use crate::relation_parts::ColumnType;

/// Returns the name in an option: of a function or of an operator.
pub(crate) fn name_in(options: List<'_>, name: &str) -> Option<QualifiedName> {
    match option_named(options, name).and_then(DefElem::arg)? {
        Node::TypeName(of) => Some(of.names().qualified_name()),
        Node::List(names) => Some(names.qualified_name()),
        Node::String(name) => Some(QualifiedName::unqualified(name.sval())),
        _ => None,
    }
}

/// Returns the name of an operator for certain types, as `get_other_operator` of PostgreSQL looks it up: if there is none yet, that of
/// the one that will be created.
fn other_operator(
    catalog: &DdlCatalog,
    name: QualifiedName,
    left: Option<&ColumnType>,
    right: &ColumnType,
) -> QualifiedName {
    if name.schema.is_some() {
        return name;
    }
    let own = builtin(VERSION.major()).map_or(&[][..], |it| it.operators(&name.name));
    let is_it = own.iter().any(|it| {
        let of = |name| ColumnType::of_builtin(name, "");
        let operator = CatalogOperator::new("", "", it.left.map(of), of(it.right), name.clone());
        operator.is_for(left, right)
    });
    if is_it {
        return QualifiedName::new("pg_catalog", name.name);
    }
    let mut path = catalog.search_path.iter();
    let has_it = |schema: &&String| {
        catalog.operators(schema, &name.name).iter().any(|it| it.is_for(left, right))
    };
    let schema = path.find(has_it).cloned();
    let schema = schema.unwrap_or_else(|| super::apply_objects::first_of(&catalog.search_path));
    QualifiedName::new(schema, name.name)
}

/// Reads the other operators of an operator.
fn set_others(catalog: &DdlCatalog, operator: &mut CatalogOperator, options: List<'_>) {
    let (left, right) = (operator.left.as_ref(), &operator.right);
    if let (Some(name), Some(left)) = (name_in(options, "commutator"), left) {
        operator.commutator = Some(other_operator(catalog, name, Some(right), left));
    }
    if let Some(name) = name_in(options, "negator") {
        operator.negator =
            Some(other_operator(catalog, name, operator.left.as_ref(), &operator.right));
    }
}

/// Adds an operator, and makes it the other one of those that it names, if they have none.
fn add_with_others(catalog: &mut DdlCatalog, operator: CatalogOperator) {
    let name = operator.name.clone();
    catalog.each_other(&operator, |own| {
        own.get_or_insert_with(|| name.clone());
    });
    catalog.add_operator(operator);
}

/// `CREATE OPERATOR`.
pub(crate) fn create_operator(catalog: &mut DdlCatalog, create: DefineStmt<'_>) {
    let options = create.definition();
    let left = type_in(catalog, options, "leftarg");
    let Some(right) = type_in(catalog, options, "rightarg") else { return };
    let written = name_in(options, "function").or_else(|| name_in(options, "procedure"));
    let Some(written) = written else { return };
    let inputs: Vec<_> = left.iter().chain([&right]).cloned().map(Some).collect();
    let found = function_of(catalog, &written, &inputs);
    let (function, result) = match found {
        Some(routine) => (routine.name, routine.result),
        None => (written, None),
    };
    let mut operator = CatalogOperator::new("", "", left, right, function);
    operator.name = new_name(&catalog.search_path, create.defnames());
    operator.result = result;
    // An operator that names it may have come before it.
    let is_it = |it: &&CatalogOperator| it.is_for(operator.left.as_ref(), &operator.right);
    let schema = operator.name.schema.as_deref().unwrap_or_default();
    let before = catalog.operators(schema, &operator.name.name).iter().find(is_it).cloned();
    operator.commutator = before.as_ref().and_then(|it| it.commutator.clone());
    operator.negator = before.and_then(|it| it.negator);
    set_others(catalog, &mut operator, options);
    add_with_others(catalog, operator);
}

/// Takes an operator out.
fn take_operator(catalog: &mut DdlCatalog, of: ObjectWithArgs<'_>) -> Option<CatalogOperator> {
    let QualifiedName { schema, name } = of.objname().qualified_name();
    let mut types = of.objargs().iter().map(|of| match of {
        Node::TypeName(of) => resolved_type(catalog, of).map(ColumnType::without_modifiers),
        _ => None,
    });
    let (left, right) = match (types.next(), types.next()) {
        (Some(left), Some(Some(right))) => (left, right),
        (Some(Some(right)), None) => (None, right),
        _ => return None,
    };
    let schemas = match schema {
        Some(schema) => vec![schema],
        None => catalog.search_path.to_vec(),
    };
    schemas.into_iter().find_map(|schema| {
        let name = QualifiedName::new(schema, &name);
        catalog.take_operator(&name, left.as_ref(), &right)
    })
}

/// `DROP OPERATOR`.
pub(crate) fn drop_operator(catalog: &mut DdlCatalog, of: ObjectWithArgs<'_>) {
    if let Some(operator) = take_operator(catalog, of) {
        catalog.each_other(&operator, |own| *own = None);
    }
}

/// `ALTER OPERATOR .. SET (..)`.
pub(crate) fn alter_operator(catalog: &mut DdlCatalog, alter: AlterOperatorStmt<'_>) {
    let Some(mut operator) = alter.opername().and_then(|of| take_operator(catalog, of)) else {
        return;
    };
    set_others(catalog, &mut operator, alter.options());
    add_with_others(catalog, operator);
}

/// `ALTER OPERATOR .. SET SCHEMA`.
pub(crate) fn move_operator(catalog: &mut DdlCatalog, of: ObjectWithArgs<'_>, schema: &str) {
    if let Some(operator) = take_operator(catalog, of) {
        move_operator_to(catalog, operator, schema);
    }
}

/// Adds an operator that was taken out to another schema.
pub(crate) fn move_operator_to(
    catalog: &mut DdlCatalog,
    mut operator: CatalogOperator,
    schema: &str,
) {
    let old = operator.name.clone();
    operator.name.schema = Some(schema.to_owned());
    let new = operator.name.clone();
    catalog.each_other(&operator, |own| *own = Some(new.clone()));
    for own in [&mut operator.commutator, &mut operator.negator] {
        if own.as_ref() == Some(&old) {
            *own = Some(new.clone());
        }
    }
    catalog.add_operator(operator);
}

/// `CREATE CAST`.
pub(crate) fn create_cast(catalog: &mut DdlCatalog, create: CreateCastStmt<'_>) {
    let of = |of: Option<TypeName<'_>>| {
        of.and_then(|of| resolved_type(catalog, of)).map(ColumnType::without_modifiers)
    };
    let (Some(source), Some(target)) = (of(create.sourcetype()), of(create.targettype())) else {
        return;
    };
    let context = match create.context() {
        CoercionContext::CoercionImplicit => CastContext::Implicit,
        CoercionContext::CoercionAssignment => CastContext::Assignment,
        _ => CastContext::Explicit,
    };
    let mut cast = CatalogCast::new(source, target, context);
    cast.is_binary = create.func().is_none() && !create.inout();
    cast.function = create.func().map(|function| {
        let name = function.objname().qualified_name();
        let found = function_of(catalog, &name, &resolved_types(catalog, function.objargs()));
        found.map_or(name, |routine| routine.name)
    });
    catalog.add_cast(cast);
}

/// `DROP CAST`.
pub(crate) fn drop_cast(catalog: &mut DdlCatalog, types: List<'_>) {
    if let [Some(source), Some(target)] = &*resolved_types(catalog, types) {
        catalog.drop_cast(source, target);
    }
}

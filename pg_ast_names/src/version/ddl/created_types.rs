//! Types that are no relations: what statements create and change.

use pg_ast::QualifiedName;

use super::VERSION;
use super::apply_objects::first_of;
use super::pg::protobuf::ConstrType;
use super::pg::view::{
    AlterDomainStmt, AlterEnumStmt, Constraint, CreateDomainStmt, CreateEnumStmt, CreateRangeStmt,
    DefElem, DefineStmt, List, Node, TypeName,
};
use super::resolved_types::resolved_type;
use super::table_parts::{MOST_IN_NAME, cut_name, object_name};
use crate::builtin_names::is_builtin_schema;
use crate::catalog_operators::CatalogCast;
use crate::catalog_routines::{Routine, RoutineParameter};
use crate::catalog_types::{CatalogType, CatalogTypeKind};
use crate::ddl_catalog::DdlCatalog;
use crate::relation_parts::ColumnType;
use pg_ast_catalog::{CastContext, FunctionKind, ParameterMode, Volatility};

/// Returns the name of a new object, with the schema that it is created in.
pub(crate) fn new_name(path: &[String], names: List<'_>) -> QualifiedName {
    let QualifiedName { schema, name } = names.qualified_name();
    QualifiedName::new(schema.unwrap_or_else(|| first_of(path)), name)
}

/// Returns an option of a definition.
pub(crate) fn option_named<'a>(options: List<'a>, name: &str) -> Option<DefElem<'a>> {
    options.iter().filter_map(Node::as_def_elem).find(|option| option.defname() == name)
}

/// Returns whether an option of a definition is on, as `defGetBoolean` of PostgreSQL's `define.c` reads it.
pub(crate) fn is_on(options: List<'_>, name: &str) -> bool {
    option_named(options, name).is_some_and(|option| match option.arg() {
        None => true,
        Some(Node::Integer(number)) => number.ival() != 0,
        Some(Node::Boolean(of)) => of.boolval(),
        Some(Node::TypeName(word)) => is_true(word.names().strs().last().unwrap_or_default()),
        Some(word) => word.as_str().is_some_and(is_true),
    })
}

fn is_true(word: &str) -> bool {
    word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("on")
}

/// Returns the type in an option of a definition.
pub(crate) fn type_in(catalog: &DdlCatalog, options: List<'_>, name: &str) -> Option<ColumnType> {
    match option_named(options, name)?.arg()? {
        Node::TypeName(of) => resolved_type(catalog, of).map(ColumnType::without_modifiers),
        _ => None,
    }
}

fn add_type(catalog: &mut DdlCatalog, name: QualifiedName, kind: CatalogTypeKind) {
    let mut of = CatalogType::new("", "", kind);
    of.name = name;
    catalog.add_type(of);
}

/// Returns the name of a constraint of a domain, as `ChooseConstraintName` of PostgreSQL makes it without one.
fn constraint_name(domain: &str, constraint: Constraint<'_>, checks: &[String]) -> String {
    if !constraint.conname().is_empty() {
        return constraint.conname().to_owned();
    }
    let numbers = (1..).map(|number| format!("check{number}"));
    let mut labels = core::iter::once("check".to_owned()).chain(numbers);
    let name = labels.find_map(|label| {
        Some(object_name(domain, "", &label)).filter(|name| !checks.contains(name))
    });
    name.unwrap_or_default()
}

/// `CREATE DOMAIN`.
pub(crate) fn create_domain(catalog: &mut DdlCatalog, create: CreateDomainStmt<'_>) {
    let name = new_name(&catalog.search_path, create.domainname());
    let (mut is_not_null, mut checks) = (false, Vec::new());
    for constraint in create.constraints().iter().filter_map(Node::as_constraint) {
        match constraint.contype() {
            ConstrType::ConstrNotnull => is_not_null = true,
            ConstrType::ConstrCheck => {
                let check = constraint_name(&name.name, constraint, &checks);
                checks.push(check);
            }
            _ => {}
        }
    }
    let base = create.type_name().and_then(|of| resolved_type(catalog, of));
    let kind = match base {
        Some(base) => CatalogTypeKind::Domain { base, is_not_null, checks: Some(checks) },
        None => CatalogTypeKind::Unknown,
    };
    add_type(catalog, name, kind);
}

/// `CREATE TYPE .. AS ENUM`.
pub(crate) fn create_enum(catalog: &mut DdlCatalog, create: CreateEnumStmt<'_>) {
    let labels = Some(create.vals().strs().map(str::to_owned).collect());
    let name = new_name(&catalog.search_path, create.type_name());
    add_type(catalog, name, CatalogTypeKind::Enum { labels });
}

/// `CREATE TYPE` of a type by itself, or of a name alone.
pub(crate) fn create_base_type(catalog: &mut DdlCatalog, create: DefineStmt<'_>) {
    let name = new_name(&catalog.search_path, create.defnames());
    let options = create.definition();
    let letter = || option_named(options, "category")?.arg()?.as_str()?.chars().next();
    let kind = if options.is_empty() {
        CatalogTypeKind::Shell
    } else {
        CatalogTypeKind::Base {
            category: letter().unwrap_or('U'),
            is_preferred: is_on(options, "preferred"),
            element: type_in(catalog, options, "element"),
            is_collatable: is_on(options, "collatable"),
        }
    };
    add_type(catalog, name, kind);
}

/// Adds the name of a type that a function in C returns, as `CREATE FUNCTION` does if there is none.
pub(crate) fn add_shell(catalog: &mut DdlCatalog, of: TypeName<'_>) {
    let of_result = resolved_type(catalog, of).filter(|it| !it.is_array);
    let Some(ColumnType { name, .. }) = of_result else { return };
    let is_missing = match &name.schema {
        Some(schema) if is_builtin_schema(schema) => false,
        Some(schema) => catalog.schemas.get(schema).is_some_and(|it| {
            !it.is_open
                && !it.types.contains_key(&name.name)
                && !it.relations.contains_key(&name.name)
        }),
        None => true,
    };
    if is_missing {
        let name = new_name(&catalog.search_path, of.names());
        add_type(catalog, name, CatalogTypeKind::Shell);
    }
}

/// Returns the names of a new type of ranges, and of its multirange, as `makeMultirangeTypeName` of PostgreSQL makes it.
pub(crate) fn range_types(path: &[String], create: CreateRangeStmt<'_>) -> [QualifiedName; 2] {
    let range = new_name(path, create.type_name());
    let written = option_named(create.params(), "multirange_type_name").and_then(DefElem::arg);
    let written = match written {
        Some(Node::TypeName(of)) => Some(new_name(path, of.names())),
        Some(Node::List(names)) => Some(new_name(path, names)),
        _ => None,
    };
    let multirange = written.unwrap_or_else(|| {
        let name = if range.name.contains("range") {
            let name = range.name.replacen("range", "multirange", 1);
            cut_name(&name, MOST_IN_NAME).to_owned()
        } else {
            object_name(&range.name, "", "multirange")
        };
        QualifiedName { schema: range.schema.clone(), name }
    });
    [range, multirange]
}

/// `CREATE TYPE .. AS RANGE`: it has functions of its name, and of its multirange's.
pub(crate) fn create_range(catalog: &mut DdlCatalog, create: CreateRangeStmt<'_>) {
    let [range, multirange] = range_types(&catalog.search_path, create);
    let subtype = type_in(catalog, create.params(), "subtype");
    let kind = match &subtype {
        Some(subtype) => {
            CatalogTypeKind::Range { subtype: subtype.clone(), multirange: multirange.clone() }
        }
        None => CatalogTypeKind::Unknown,
    };
    add_type(catalog, range.clone(), kind);
    add_type(catalog, multirange.clone(), CatalogTypeKind::Multirange { range: range.clone() });

    let mut add = |result: &QualifiedName, inputs: Vec<Option<ColumnType>>, mode, is_strict| {
        let parameters = inputs.into_iter().map(|of| RoutineParameter::new(mode, of));
        let of = Some(ColumnType::new(result.clone()));
        let mut routine = Routine::new("", "", parameters.collect(), of);
        routine.name = result.clone();
        routine.kind = Some(FunctionKind::Function);
        routine.volatility = Some(Volatility::Immutable);
        routine.is_strict = Some(is_strict);
        catalog.add_routine(routine);
    };
    let bounds = vec![subtype; 2];
    add(&range, bounds.clone(), ParameterMode::In, false);
    let text = Some(ColumnType::own("text"));
    add(&range, bounds.into_iter().chain([text]).collect(), ParameterMode::In, false);
    let (one, several) = (ColumnType::new(range.clone()), ColumnType::array(range));
    add(&multirange, Vec::new(), ParameterMode::In, true);
    add(&multirange, vec![Some(one.clone())], ParameterMode::In, true);
    add(&multirange, vec![Some(several)], ParameterMode::Variadic, true);
    let target = ColumnType::new(multirange.clone());
    let mut cast = CatalogCast::new(one, target, CastContext::Explicit);
    cast.function = Some(multirange);
    catalog.add_cast(cast);
}

/// Returns a type that a statement changes.
fn type_mut<'c>(catalog: &'c mut DdlCatalog, names: List<'_>) -> Option<&'c mut CatalogType> {
    let name = names.qualified_name();
    let schema = match name.schema {
        Some(schema) => schema,
        None => {
            let path = catalog.search_path.iter().map(String::as_str);
            let mut schemas = core::iter::once("pg_temp").chain(path);
            let has_it = |schema: &&str| {
                catalog.schemas.get(*schema).is_some_and(|it| it.types.contains_key(&name.name))
            };
            schemas.find(has_it)?.to_owned()
        }
    };
    catalog.schemas.get_mut(&schema)?.types.get_mut(&name.name)
}

/// `ALTER TYPE .. ADD VALUE` and `RENAME VALUE`.
pub(crate) fn alter_enum(catalog: &mut DdlCatalog, alter: AlterEnumStmt<'_>) {
    let Some(of) = type_mut(catalog, alter.type_name()) else { return };
    let CatalogTypeKind::Enum { labels: Some(labels) } = &mut of.kind else { return };
    let place = |labels: &[String], name: &str| labels.iter().position(|it| it == name);
    let new = alter.new_val().to_owned();
    if !alter.old_val().is_empty() {
        if let Some(place) = place(labels, alter.old_val()) {
            labels[place] = new;
        }
        return;
    }
    if place(labels, &new).is_some() {
        return;
    }
    match place(labels, alter.new_val_neighbor()) {
        Some(place) => labels.insert(place + usize::from(alter.new_val_is_after()), new),
        None => labels.push(new),
    }
}

/// `ALTER DOMAIN`.
pub(crate) fn alter_domain(catalog: &mut DdlCatalog, alter: AlterDomainStmt<'_>) {
    let Some(of) = type_mut(catalog, alter.type_name()) else { return };
    let CatalogTypeKind::Domain { is_not_null, checks, .. } = &mut of.kind else { return };
    match (alter.subtype(), alter.def()) {
        ("N", _) => *is_not_null = false,
        ("O", _) => *is_not_null = true,
        ("C", Some(Node::Constraint(constraint))) => match constraint.contype() {
            ConstrType::ConstrNotnull => *is_not_null = true,
            ConstrType::ConstrCheck => {
                if let Some(checks) = checks {
                    let check = constraint_name(&of.name.name, constraint, checks);
                    checks.push(check);
                }
            }
            _ => {}
        },
        ("X", _) => {
            let Some(checks) = checks else { return };
            match checks.iter().position(|it| it == alter.name()) {
                Some(place) => {
                    checks.remove(place);
                }
                // NOT NULL has a name since 17. Without IF EXISTS, there is no other constraint that it can be.
                None if VERSION.major() >= 17 => {
                    let own = format!("{}_not_null", of.name.name);
                    *is_not_null &= alter.missing_ok() && alter.name() != own;
                }
                None => {}
            }
        }
        _ => {}
    }
}

/// `ALTER DOMAIN .. RENAME CONSTRAINT`.
pub(crate) fn rename_check(catalog: &mut DdlCatalog, domain: List<'_>, old: &str, new: &str) {
    let Some(of) = type_mut(catalog, domain) else { return };
    let CatalogTypeKind::Domain { checks: Some(checks), .. } = &mut of.kind else { return };
    for check in checks.iter_mut().filter(|it| *it == old) {
        new.clone_into(check);
    }
}

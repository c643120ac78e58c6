//! Functions, procedures and aggregates: what statements create, change and take away.

use pg_ast::QualifiedName;
use pg_ast_catalog::{FunctionKind, ParameterMode, Volatility};

use super::created_operators::name_in;
use super::created_types::{add_shell, is_on, new_name, option_named, type_in};
use super::drop_parts::rename_callee;
use super::pg::protobuf::{FunctionParameterMode as Mode, ObjectType, VariableSetKind};
use super::pg::view::{
    AlterFunctionStmt, CreateFunctionStmt, DefElem, DefineStmt, List, Node, ObjectWithArgs,
    TypeName,
};
use super::resolved_types::{resolved_type, resolved_types};
use super::resolver::NameResolver;
use super::routine_options::{path_of_setting, routine_header, routine_path};
use super::routine_results::result_of_final;
use crate::catalog_routines::{Routine, RoutineParameter, RoutineText, are_same_types};
use crate::ddl_catalog::DdlCatalog;
use crate::name_catalog::Catalog;
use crate::relation_parts::ColumnType;
use crate::resolution::{FunctionMeaning, TableMeaning};

/// The options of `CREATE AGGREGATE` that name functions.
const AGGREGATE_FUNCTIONS: [&str; 9] = [
    "sfunc",
    "sfunc1",
    "finalfunc",
    "combinefunc",
    "serialfunc",
    "deserialfunc",
    "msfunc",
    "minvfunc",
    "mfinalfunc",
];

/// Returns the parameters that a statement defines.
fn parameters(catalog: &dyn Catalog, list: List<'_>) -> Vec<RoutineParameter> {
    let parameters = list.iter().filter_map(Node::as_function_parameter).map(|written| {
        let mode = match written.mode() {
            Mode::FuncParamOut => ParameterMode::Out,
            Mode::FuncParamInout => ParameterMode::InOut,
            Mode::FuncParamVariadic => ParameterMode::Variadic,
            Mode::FuncParamTable => ParameterMode::Table,
            _ => ParameterMode::In,
        };
        let of = written.arg_type().and_then(|of| resolved_type(catalog, of));
        let mut parameter = RoutineParameter::new(mode, of.map(ColumnType::without_modifiers));
        parameter.name = Some(written.name().to_owned()).filter(|name| !name.is_empty());
        parameter.has_default = written.defexpr().is_some();
        parameter
    });
    parameters.collect()
}

/// `CREATE FUNCTION` and `CREATE PROCEDURE`.
pub(crate) fn create_routine(catalog: &mut DdlCatalog, create: CreateFunctionStmt<'_>) {
    let body = Node::CreateFunctionStmt(create).routine_body();
    if let Some(of) = create.return_type()
        && matches!(body.and_then(|body| body.language), Some("c" | "C" | "internal"))
    {
        add_shell(catalog, of);
    }
    let mut routine = routine(catalog, &catalog.search_path, create);
    routine.needs = needs(catalog, create);
    catalog.add_routine(routine);
}

/// Returns the relations and functions that a body names which is no text, or that defaults do.
fn needs(catalog: &DdlCatalog, create: CreateFunctionStmt<'_>) -> Vec<QualifiedName> {
    let mut parameters = create.parameters().iter().filter_map(Node::as_function_parameter);
    if create.sql_body().is_none() && !parameters.any(|it| it.defexpr().is_some()) {
        return Vec::new();
    }
    let mut resolver = NameResolver::new(catalog);
    resolver.statement(Node::CreateFunctionStmt(create));
    let tables = resolver.found.tables.iter().filter_map(|used| match &used.meaning {
        TableMeaning::Relation(name) => Some(name),
        _ => None,
    });
    let functions = resolver.found.functions.iter().filter_map(|used| match &used.meaning {
        FunctionMeaning::Function(name) => Some(name),
        _ => None,
    });
    let mut names: Vec<_> = tables.chain(functions).cloned().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns a function that a statement creates.
fn routine(catalog: &dyn Catalog, path: &[String], create: CreateFunctionStmt<'_>) -> Routine {
    let parameters = parameters(catalog, create.parameters());
    let mut routine = Routine::new("", "", parameters, None);
    routine.name = new_name(path, create.funcname());
    let outputs: Vec<_> = routine.outputs().collect();
    routine.result = match *outputs {
        [only] if !create.is_procedure() => only.column_type.clone(),
        [_, ..] => Some(ColumnType::own("record")),
        [] => match create.return_type() {
            Some(of) => resolved_type(catalog, of).map(ColumnType::without_modifiers),
            None => Some(ColumnType::own("void")),
        },
    };
    let is_table = routine.parameters.iter().any(|it| it.mode == ParameterMode::Table);
    routine.returns_set = is_table || create.return_type().is_some_and(TypeName::setof);
    routine.kind = Some(match option_named(create.options(), "window") {
        _ if create.is_procedure() => FunctionKind::Procedure,
        Some(_) => FunctionKind::Window,
        None => FunctionKind::Function,
    });
    routine.volatility = Some(Volatility::Volatile);
    routine.is_strict = Some(false);
    for option in create.options().iter().filter_map(Node::as_def_elem) {
        set_option(&mut routine, option);
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

/// Applies an option of a `CREATE FUNCTION`, or an action of an `ALTER FUNCTION`.
fn set_option(routine: &mut Routine, option: DefElem<'_>) {
    match (option.defname(), option.arg()) {
        ("volatility", Some(word)) => {
            routine.volatility = match word.as_str() {
                Some("immutable") => Some(Volatility::Immutable),
                Some("stable") => Some(Volatility::Stable),
                _ => Some(Volatility::Volatile),
            };
        }
        ("strict", Some(Node::Boolean(of))) => routine.is_strict = Some(of.boolval()),
        _ => {}
    }
}

/// `ALTER FUNCTION` of what a function has.
pub(crate) fn alter_routine(catalog: &mut DdlCatalog, alter: AlterFunctionStmt<'_>) {
    let Some(function) = alter.func() else { return };
    for mut routine in take_routines(catalog, alter.objtype(), function) {
        for action in alter.actions().iter().filter_map(Node::as_def_elem) {
            set_option(&mut routine, action);
            if let (Some(body), Some(Node::VariableSetStmt(set))) =
                (&mut routine.body, action.arg())
            {
                match set.kind() {
                    VariableSetKind::VarResetAll => body.search_path = None,
                    _ if set.name() == "search_path" => body.search_path = path_of_setting(set),
                    _ => {}
                }
            }
        }
        catalog.add_routine(routine);
    }
}

/// `CREATE AGGREGATE`.
pub(crate) fn create_aggregate(catalog: &mut DdlCatalog, create: DefineStmt<'_>) {
    let options = create.definition();
    let mut parameters_of = Vec::new();
    let mut direct = None;
    if create.oldstyle() {
        let of = type_in(catalog, options, "basetype");
        let is_any = of.as_ref().is_some_and(|of| *of == ColumnType::own("any"));
        if !is_any {
            parameters_of.push(RoutineParameter::new(ParameterMode::In, of));
        }
    }
    for arg in create.args() {
        match arg {
            Node::List(list) => parameters_of = parameters(catalog, list),
            Node::Integer(count) => direct = usize::try_from(count.ival()).ok(),
            _ => {}
        }
    }
    let mut routine = Routine::new("", "", parameters_of, None);
    routine.name = new_name(&catalog.search_path, create.defnames());
    routine.kind = Some(match direct {
        Some(direct) if is_on(options, "hypothetical") => FunctionKind::HypotheticalSet(direct),
        Some(direct) => FunctionKind::OrderedSet(direct),
        None => FunctionKind::Aggregate,
    });
    // `AggregateCreate` of PostgreSQL gives it these, whatever its functions have.
    routine.volatility = Some(Volatility::Immutable);
    routine.is_strict = Some(false);
    let state = type_in(catalog, options, "stype").or_else(|| type_in(catalog, options, "stype1"));
    routine.result = match name_in(options, "finalfunc") {
        None => state,
        Some(name) => {
            let has_all = is_on(options, "finalfunc_extra");
            let count = if has_all { usize::MAX } else { direct.unwrap_or(0) };
            let others = routine.input_types().take(count).map(Option::<&ColumnType>::cloned);
            let arguments: Vec<_> = core::iter::once(state).chain(others).collect();
            result_of_final(catalog, &name, &arguments)
        }
    };
    for option in AGGREGATE_FUNCTIONS {
        let Some(name) = name_in(options, option) else { continue };
        let path = match &name.schema {
            Some(schema) => core::slice::from_ref(schema),
            None => &catalog.search_path[..],
        };
        let mut found = path.iter().filter_map(|it| catalog.routines(it, &name.name).first());
        routine.needs.extend(found.next().map(|it| it.name.clone()));
    }
    catalog.add_routine(routine);
}

/// Returns whether a function can be meant by a statement about objects of a kind.
fn is_of_kind(routine: &Routine, of: ObjectType) -> bool {
    let is_procedure = routine.kind == Some(FunctionKind::Procedure);
    match of {
        ObjectType::ObjectProcedure => is_procedure || routine.kind.is_none(),
        ObjectType::ObjectFunction | ObjectType::ObjectAggregate => !is_procedure,
        _ => true,
    }
}

/// Takes functions out: of a name that may have several, those of these parameters.
pub(crate) fn take_routines(
    catalog: &mut DdlCatalog,
    of: ObjectType,
    function: ObjectWithArgs<'_>,
) -> Vec<Routine> {
    let QualifiedName { schema, name } = function.objname().qualified_name();
    let types = resolved_types(catalog, function.objargs());
    // A procedure can be meant by all of its parameters, if their modes are not written.
    let all = resolved_types(catalog, function.objfuncargs());
    let mut written = function.objfuncargs().iter().filter_map(Node::as_function_parameter);
    let has_no_modes = written.all(|it| it.mode() == Mode::FuncParamDefault);
    let is_meant = |routine: &mut Routine| {
        let own = routine.parameters.iter().map(|it| it.column_type.as_ref());
        let is_procedure = routine.kind == Some(FunctionKind::Procedure);
        is_of_kind(routine, of)
            && (function.args_unspecified()
                || are_same_types(routine.input_types(), types.iter().map(Option::as_ref))
                || is_procedure
                    && has_no_modes
                    && are_same_types(own, all.iter().map(Option::as_ref)))
    };
    let schemas = match schema {
        Some(schema) => vec![schema],
        None => catalog.search_path.to_vec(),
    };
    for schema in schemas {
        let Some(contents) = catalog.schemas.get_mut(&schema) else { continue };
        let Some(routines) = contents.routines.get_mut(&name) else { continue };
        let taken: Vec<_> = routines.extract_if(.., is_meant).collect();
        if !taken.is_empty() {
            return taken;
        }
    }
    Vec::new()
}

/// Gives functions another name, or another schema.
pub(crate) fn rename_routines(
    catalog: &mut DdlCatalog,
    of: ObjectType,
    function: ObjectWithArgs<'_>,
    rename: impl Fn(&mut QualifiedName),
) {
    for routine in take_routines(catalog, of, function) {
        rename_routine(catalog, routine, &rename);
    }
}

/// Gives a function that was taken out another name, or another schema, and adds it again.
pub(crate) fn rename_routine(
    catalog: &mut DdlCatalog,
    mut routine: Routine,
    rename: impl Fn(&mut QualifiedName),
) {
    let mut new = routine.name.clone();
    rename(&mut new);
    // A function for triggers has no parameters.
    if routine.inputs().next().is_none() {
        rename_callee(catalog, &routine.name, &new);
    }
    catalog.rename_function_in_users(&routine, &new);
    routine.name = new;
    catalog.add_routine(routine);
}

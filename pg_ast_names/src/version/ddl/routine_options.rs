//! What a body needs of its `CREATE FUNCTION`: the names of its parameters, and where names in it are looked up.

use pg_ast::{Literal, QualifiedName};

use super::pg::protobuf::{FunctionParameterMode as Mode, VariableSetKind};
use super::pg::view::{CreateFunctionStmt, FunctionParameter, Node, TypeName, VariableSetStmt};

/// Returns a type as it is written, whatever its names are.
fn written_type(of: Option<TypeName<'_>>) -> String {
    let Some(of) = of else { return "void".to_owned() };
    let names: Vec<_> =
        of.names().strs().map(|name| QualifiedName::unqualified(name).to_string()).collect();
    let mut text = names.join(".");
    if of.pct_type() {
        text += "%TYPE";
    }
    text += &"[]".repeat(of.array_bounds().len());
    text
}

/// Returns the head of a `CREATE FUNCTION`, without its options.
pub(crate) fn routine_header(create: CreateFunctionStmt<'_>) -> String {
    let parameters = || create.parameters().iter().filter_map(Node::as_function_parameter);
    let written = |parameter: FunctionParameter<'_>| {
        let mode = match parameter.mode() {
            Mode::FuncParamOut => "OUT ",
            Mode::FuncParamInout => "INOUT ",
            Mode::FuncParamVariadic => "VARIADIC ",
            _ => "",
        };
        let name = match parameter.name() {
            "" => String::new(),
            name => format!("{} ", QualifiedName::unqualified(name)),
        };
        format!("{mode}{name}{}", written_type(parameter.arg_type()))
    };
    let list = |is_table: bool| {
        let of = parameters().filter(|it| (it.mode() == Mode::FuncParamTable) == is_table);
        of.map(written).collect::<Vec<_>>().join(", ")
    };
    let kind = if create.is_procedure() { "PROCEDURE" } else { "FUNCTION" };
    let mut header =
        format!("CREATE {kind} {}({})", create.funcname().qualified_name(), list(false));
    if parameters().any(|it| it.mode() == Mode::FuncParamTable) {
        header += " RETURNS TABLE (";
        header += &list(true);
        header += ")";
    } else if let Some(of) = create.return_type() {
        header += if of.setof() { " RETURNS SETOF " } else { " RETURNS " };
        header += &written_type(Some(of));
    }
    header
}

/// Returns the value of `SET search_path`.
pub(crate) fn routine_path(create: CreateFunctionStmt<'_>) -> Option<Vec<String>> {
    let mut options = create.options().iter().filter_map(Node::as_def_elem);
    options.find_map(|option| match option.arg() {
        Some(Node::VariableSetStmt(set)) if set.name() == "search_path" => path_of_setting(set),
        _ => None,
    })
}

/// Returns the schemas that a setting lists.
pub(crate) fn path_of_setting(set: VariableSetStmt<'_>) -> Option<Vec<String>> {
    if set.kind() != VariableSetKind::VarSetValue {
        return None;
    }
    let names = set.args().iter().filter_map(|arg| match arg.literal() {
        Some(Literal::String(name)) => Some(name.to_owned()),
        _ => None,
    });
    Some(names.filter(|name| !name.is_empty()).collect())
}

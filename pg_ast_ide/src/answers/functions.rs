//! The functions that PostgreSQL has itself.

use pg_ast::Version;
use pg_ast_catalog::{BuiltinFunction, BuiltinParameter, ParameterMode, builtin, format_type};

use crate::stmt::defined::Signature;

/// Functions that only the server calls, or its views.
const NOT_OFFERED: [&str; 4] = ["_", "RI_", "binary_upgrade_", "pg_stat_get_"];

/// Returns how a function is called.
pub(crate) fn signature(function: &BuiltinFunction) -> Signature {
    let mut label = format!("{}(", function.name);
    let mut parameters = Vec::new();
    for parameter in function.inputs() {
        if !parameters.is_empty() {
            label += ", ";
        }
        let start = label.len();
        label += &written(parameter);
        parameters.push(start..label.len());
    }
    let set = if function.returns_set { "SETOF " } else { "" };
    label = format!("{label}) → {set}{}", format_type(function.result));
    Signature { label, parameters }
}

/// Returns a parameter, as the server prints it.
fn written(parameter: &BuiltinParameter) -> String {
    let mode = match parameter.mode {
        ParameterMode::Variadic => "VARIADIC ",
        ParameterMode::InOut => "INOUT ",
        _ => "",
    };
    let name = parameter.name.map(|name| format!("{name} ")).unwrap_or_default();
    let default = parameter.default.map(|value| format!(" DEFAULT {value}")).unwrap_or_default();
    format!("{mode}{name}{}{default}", format_type(parameter.type_name))
}

/// Returns the parameters of a function, for a list of suggestions.
pub(crate) fn parameters(function: &BuiltinFunction) -> String {
    function.inputs().map(written).collect::<Vec<_>>().join(", ")
}

/// Returns the functions of a name.
pub(crate) fn named(version: Version, name: &str) -> &'static [BuiltinFunction] {
    builtin(version.major()).map_or(&[], |catalog| catalog.functions("pg_catalog", name))
}

/// Returns whether a function takes names of objects as strings.
pub(crate) fn takes_names(version: Version, name: &str) -> bool {
    let takes = |function: &BuiltinFunction| function.inputs().any(|it| it.type_name == "regclass");
    name == "pg_get_serial_sequence"
        || name.starts_with("to_reg")
        || name.starts_with("has_")
        || named(version, name).iter().any(takes)
}

/// Returns the functions that users call and whose names begin with something, one per name.
pub(crate) fn starting_with(
    version: Version,
    prefix: &str,
) -> impl Iterator<Item = &'static BuiltinFunction> {
    let all = builtin(version.major()).map_or(&[][..], |catalog| catalog.all_functions());
    let key = ("pg_catalog", prefix);
    let start = all.partition_point(|function| (function.schema, function.name) < key);
    let mut found = all[start..].iter().take_while(move |it| it.name.starts_with(prefix));
    let mut last = "";
    core::iter::from_fn(move || {
        found.find(|it| {
            let is_offered = !it.is_support
                && it.is_callable()
                && !NOT_OFFERED.iter().any(|prefix| it.name.starts_with(prefix));
            is_offered && core::mem::replace(&mut last, it.name) != it.name
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Signature, Version, named, signature, starting_with};

    #[test]
    fn functions_are_found() {
        let version = Version::newest();
        assert_eq!(named(version, "nextval").len(), 1);
        let Signature { label, parameters } = signature(&named(version, "nextval")[0]);
        assert_eq!(label, "nextval(regclass) → bigint");
        assert_eq!(&label[parameters[0].clone()], "regclass");
        assert!(named(version, "no_such").is_empty());
        let names: Vec<_> = starting_with(version, "generate_s").map(|it| it.name).collect();
        assert_eq!(names, ["generate_series", "generate_subscripts"]);
        assert!(starting_with(version, "").count() > 500);
        let Signature { label, parameters } = signature(&named(version, "jsonb_path_query")[0]);
        assert_eq!(parameters.len(), 4, "{label}");
        assert!(label[parameters[2].clone()].starts_with("vars jsonb DEFAULT"), "{label}");
    }
}

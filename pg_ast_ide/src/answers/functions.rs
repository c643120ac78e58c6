//! The functions that PostgreSQL has itself.

use std::sync::OnceLock;

use crate::stmt::defined::Signature;

/// From the catalogs of a server: `functions/functions.sql` has the query.
const TABLE: &str = include_str!("../../functions/functions.txt");

/// A function; one name may have several.
#[derive(Clone, Copy)]
pub(crate) struct BuiltIn {
    pub(crate) name: &'static str,
    /// The parameters, as the server prints them.
    pub(crate) parameters: &'static str,
    result: &'static str,
}

impl BuiltIn {
    /// Returns how it is called.
    pub(crate) fn signature(self) -> Signature {
        let mut label = format!("{}(", self.name);
        let mut parameters = Vec::new();
        let inputs = split(self.parameters).filter(|it| !it.starts_with("OUT "));
        for parameter in inputs {
            if !parameters.is_empty() {
                label += ", ";
            }
            let start = label.len();
            label += parameter;
            parameters.push(start..label.len());
        }
        label = format!("{label}) → {}", self.result);
        Signature { label, parameters }
    }
}

/// Splits a list of parameters. A default may have commas in it, in brackets or in quotes.
fn split(parameters: &str) -> impl Iterator<Item = &str> {
    let mut rest = parameters;
    core::iter::from_fn(move || {
        let (mut depth, mut is_quoted) = (0_u32, false);
        let end = rest.find(|c| {
            match c {
                '\'' => is_quoted = !is_quoted,
                '(' | '[' if !is_quoted => depth += 1,
                ')' | ']' if !is_quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0 && !is_quoted
        });
        let (first, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind.strip_prefix(',').unwrap_or_default();
        Some(first.trim()).filter(|first| !first.is_empty())
    })
}

fn all() -> &'static [BuiltIn] {
    static ALL: OnceLock<Vec<BuiltIn>> = OnceLock::new();
    ALL.get_or_init(|| {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        let functions = lines.filter_map(|line| {
            let mut fields = line.split('\t');
            let name = fields.next()?;
            let (parameters, result) = (fields.next()?, fields.next()?);
            Some(BuiltIn { name, parameters, result })
        });
        functions.collect()
    })
}

/// Returns the functions of a name.
pub(crate) fn named(name: &str) -> &'static [BuiltIn] {
    let all = all();
    let start = all.partition_point(|function| function.name < name);
    let count = all[start..].partition_point(|function| function.name == name);
    &all[start..start + count]
}

/// Returns whether a function takes names of objects as strings.
pub(crate) fn takes_names(name: &str) -> bool {
    name == "pg_get_serial_sequence"
        || name.starts_with("to_reg")
        || name.starts_with("has_")
        || named(name).iter().any(|function| function.parameters.contains("regclass"))
}

/// Returns the functions whose names begin with something, one per name.
pub(crate) fn starting_with(prefix: &str) -> impl Iterator<Item = BuiltIn> {
    let all = all();
    let start = all.partition_point(|function| function.name < prefix);
    let mut last = "";
    let found = all[start..].iter().take_while(move |it| it.name.starts_with(prefix)).copied();
    found.filter(move |function| core::mem::replace(&mut last, function.name) != function.name)
}

#[cfg(test)]
mod tests {
    use super::{Signature, all, named, starting_with};

    #[test]
    fn functions_are_found() {
        assert!(all().is_sorted_by_key(|function| function.name));
        assert!(all().len() > 1000);
        assert_eq!(named("nextval").len(), 1);
        let Signature { label, parameters } = named("nextval")[0].signature();
        assert_eq!(label, "nextval(regclass) → bigint");
        assert_eq!(&label[parameters[0].clone()], "regclass");
        assert!(named("no_such").is_empty());
        let names: Vec<_> = starting_with("generate_s").map(|function| function.name).collect();
        assert_eq!(names, ["generate_series", "generate_subscripts"]);
        // A default with a comma in it.
        let Signature { label, parameters } = named("jsonb_path_query")[0].signature();
        assert_eq!(parameters.len(), 4, "{label}");
        assert!(label[parameters[2].clone()].starts_with("vars jsonb DEFAULT"), "{label}");
    }
}

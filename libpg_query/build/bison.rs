//! Reads Bison's tables, which have the same format in the grammars of all versions. The tests of the grammar's names
//! include this file as well.

use std::str::FromStr;

/// Returns the symbols of each rule.
pub(crate) fn right_sides(text: &str) -> Result<Vec<Vec<usize>>, String> {
    let starts: Vec<usize> = numbers(text, "yyprhs")?;
    let symbols: Vec<i32> = numbers(text, "yyrhs")?;
    let side = |start: &usize| {
        let rest = symbols.get(*start..).unwrap_or_default().iter();
        rest.map_while(|symbol| usize::try_from(*symbol).ok()).collect()
    };
    Ok(starts.iter().map(side).collect())
}

/// Returns the names of the symbols as C strings. None contains a comma followed by white space.
pub(crate) fn names(text: &str) -> Result<Vec<String>, String> {
    let missing = || "the grammar has no table yytname".to_owned();
    let (_, rest) = text.split_once(" yytname[] =\n{\n").ok_or_else(missing)?;
    let (list, _) = rest.split_once(", 0\n};").ok_or_else(missing)?;
    let names = list.split([' ', '\n']).filter(|name| !name.is_empty());
    Ok(names.map(|name| name.strip_suffix(',').unwrap_or(name).to_owned()).collect())
}

/// Returns the numbers of one of Bison's tables.
pub(crate) fn numbers<T: FromStr>(text: &str, name: &str) -> Result<Vec<T>, String> {
    let missing = || format!("the grammar has no table {name}");
    let (_, rest) = text.split_once(&format!(" {name}[] =\n{{\n")).ok_or_else(missing)?;
    let (list, _) = rest.split_once("\n};").ok_or_else(missing)?;
    list.split(',').map(|number| number.trim().parse().map_err(|_| missing())).collect()
}

/// Returns the value of a macro.
pub(crate) fn constant(text: &str, name: &str) -> Result<i32, String> {
    let value = text.lines().find_map(|line| line.strip_prefix(&format!("#define {name} ")));
    let value = value.and_then(|value| value.trim().parse().ok());
    value.ok_or_else(|| format!("the grammar has no constant {name}"))
}

//! What is in list fields, which neither the schema nor the types in C say: the types of the items in the trees of all SQL
//! that the tests have, over all versions.

/// A line for each field, such as `DropStmt.objects: ObjectWithArgs String TypeName List/String`. `List/` precedes what
/// is in lists within the list. `BLESS=1` makes a test write the file.
pub(crate) const TABLE: &str = include_str!("items.txt");

/// Where any expression may be.
pub(crate) const EXPRESSION: &str = "expression";

/// Where an item of `FROM` may be.
pub(crate) const FROM_ITEM: &str = "from_item";

/// The types of items of `FROM`.
pub(crate) const FROM_ITEMS: [&str; 7] = [
    "RangeVar",
    "JoinExpr",
    "RangeSubselect",
    "RangeFunction",
    "RangeTableFunc",
    "RangeTableSample",
    "JsonTable",
];

/// The types in a field, as C has them.
pub(crate) fn of_field(message: &str, field: &str) -> Vec<&'static str> {
    let mut lines = TABLE.lines().filter_map(|line| line.split_once(": "));
    let line = lines.find(|(name, _)| name.split_once('.') == Some((message, field)));
    let types = line.into_iter().flat_map(|(_, types)| types.split(' '));
    let spelled_out = |ty| if ty == FROM_ITEM { FROM_ITEMS.to_vec() } else { vec![ty] };
    types.flat_map(spelled_out).collect()
}

/// Types as Markdown: links, joined by commas and "or lists of". A type that `link` does not know is left out.
pub(crate) fn markdown(types: &[&str], link: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let plain = types.iter().filter_map(|ty| match *ty {
        EXPRESSION => Some("any expression".to_owned()),
        "NULL" => Some("`NULL`".to_owned()),
        ty => link(ty),
    });
    let mut parts: Vec<_> = plain.collect();
    let within: Vec<_> = types.iter().filter_map(|ty| ty.strip_prefix("List/")).collect();
    if !within.is_empty() {
        parts.extend(markdown(&within, link).map(|items| format!("lists of {items}")));
    }
    let last = parts.pop()?;
    Some(match parts.as_slice() {
        [] => last,
        [first] if within.is_empty() => format!("{first} or {last}"),
        _ => format!("{}, or {last}", parts.join(", ")),
    })
}

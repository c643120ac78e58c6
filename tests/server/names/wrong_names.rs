//! What is wrong with the names of a statement, compared with what the server says.

use pg_ast_names::{Resolution, TableMeaning};

use super::name_scopes::Comparison;
use super::pg::view;
use crate::connection::Fields;

/// Names that the server does not find.
const CODES: [(&str, &str); 9] = [
    ("42703", "undefined column"),
    ("42P01", "undefined table"),
    ("42702", "ambiguous column"),
    ("42712", "duplicate alias"),
    ("42883", "undefined function"),
    ("42803", "grouping"),
    ("42P20", "windowing"),
    ("0A000", "not supported"),
    ("42809", "wrong kind"),
];

/// Messages with other codes that are compared, too.
const MESSAGES: [&str; 8] = [
    "INSERT has more ",
    " query must have the same number of columns",
    "VALUES lists must all be the same length",
    "multiple assignments to same column ",
    "non-integer constant in ",
    " is not in select list",
    "WITH query name ",
    "window \"",
];

/// Compares what is wrong with the names of a statement.
pub fn names_of(
    script: &str,
    sql: &str,
    names: &Resolution,
    error: Option<&Fields>,
    found: &mut Comparison,
) {
    let code = error.map_or("", |error| error.get(b'C'));
    let message = error.map_or("", |error| error.get(b'M'));
    // The types of the arguments are not known.
    let is_of_routine =
        ["function ", "procedure ", "aggregate "].iter().any(|it| message.starts_with(it));
    let without_types = message.split_once('(').filter(|_| is_of_routine);
    let without_types = without_types.map(|(function, _)| format!("{function} does not exist"));
    let message = without_types.as_deref().unwrap_or(message);
    let is_missing = ["type ", "index "].iter().any(|it| message.starts_with(it))
        && !message.contains(" for table ");
    let is_twice = code == "42701" && error.is_some_and(|error| error.number(b'P').is_some());
    let is_refused = code != "0A000"
        || message.starts_with("set-returning functions ")
        || message.ends_with("cannot contain set-returning function calls");
    let is_refused =
        is_refused && (code != "42809" || message.ends_with("requires an OVER clause"));
    let is_refused = is_refused && (code != "42P20" || message.starts_with("window "));
    let is_wrong_name = CODES.iter().any(|(of, _)| *of == code && is_refused)
        || MESSAGES.iter().any(|text| message.contains(text))
        || is_twice
        || code == "42704" && is_missing;
    let Some(error) = error.filter(|_| is_wrong_name) else {
        if error.is_none() {
            found.accepted += 1;
            if !names.mistakes.is_empty() {
                let ours = names.mistakes.iter().map(ToString::to_string).collect::<Vec<_>>();
                found.differ(None, || format!("{script}: accepted: {ours:?}: {sql}"));
            }
        }
        return;
    };
    found.wrong_names += 1;
    let same: Vec<_> = names.mistakes.iter().filter(|it| it.message == message).collect();
    if !same.is_empty() {
        // The server counts characters, from 1, and in what EXPLAIN precedes.
        let explained = "EXPLAIN ".len();
        let place = error.number(b'P').map(|place| place - 1);
        let ours = same
            .iter()
            .map(|mistake| mistake.location.and_then(|at| Some(sql.get(..at)?.chars().count())));
        let ours: Vec<_> = ours.collect();
        let is_there = |place: usize| {
            ours.iter()
                .any(|ours| ours.is_none_or(|ours| [ours, ours + explained].contains(&place)))
        };
        if same.iter().all(|mistake| mistake.kind.sqlstate() != code) {
            let ours = same[0].kind;
            found.differ(None, || format!("{script}: {ours:?}, not {code}: {message}: {sql}"));
        }
        if !place.is_none_or(is_there) {
            found
                .differ(None, || format!("{script}: at {ours:?}, not {place:?}: {message}: {sql}"));
        }
        return;
    }
    let has_mistake = !names.mistakes.is_empty();
    // What the server drops with a type, a function or a transaction.
    let is_dropped = code == "42P01"
        && names.tables.iter().any(|table| {
            matches!(table.meaning, TableMeaning::Relation(_)) && message.contains(&table.name.name)
        });
    let why = if is_dropped {
        Some("tables that are dropped with something else")
    } else {
        reason(code, message, sql, has_mistake)
    };
    found.differ(why, || {
        let ours = names.mistakes.iter().map(ToString::to_string).collect::<Vec<_>>();
        format!("{script}: {code} {message}: ours {ours:?}: {sql}")
    });
}

/// Returns the reason for which a wrong name is not found.
fn reason(code: &str, message: &str, sql: &str, has_mistake: bool) -> Option<&'static str> {
    let name = message.split('"').nth(1).unwrap_or_default();
    let stmt = view::parse(sql).ok()?.stmts().next()?.stmt()?.name();
    match code {
        _ if message.contains("shadows a previously") => Some("variables of PL/pgSQL"),
        _ if message.contains("record data type") => Some("fields of rows without a type"),
        "42P01" if message.contains(" is not a pa") => Some("what a table inherits from"),
        "42P01" if name.starts_with("no_schema.") => Some("schemas that no statement creates"),
        "42703" if message == "column \"oid\" not found in data type compositetable" => {
            Some("functions are found by name and number of arguments, not by types")
        }
        "42703" if message == "column fullname.text does not exist" => Some("casts of rows"),
        "42601" if message.starts_with("multiple assignments") => {
            Some("columns of a view that are one of its table")
        }
        "42P01" if message.starts_with("table ") && sql.contains('.') => {
            Some("what is dropped of a schema")
        }
        "42704" if ["DefineStmt", "DropStmt", "CreateSeqStmt"].contains(&stmt) => {
            Some("types of operators and sequences")
        }
        "42704" if message.ends_with("is only a shell") => Some("shells of types"),
        "42P01" | "42704" if sql.contains("reg") && sql.contains(&format!("('{name}')")) => {
            Some("casts to names that are written as calls")
        }
        "42P01"
            if message.starts_with("relation ") && stmt != "SelectStmt"
                || sql.contains(&format!("'{name}'")) =>
        {
            Some("names that the server may have chosen for an index or a sequence")
        }
        "42703" if message.starts_with("column number ") => Some("numbers of columns of an index"),
        "42703" if stmt == "CreateStmt" => Some("columns of a table of a type"),
        "42883" if message.starts_with("operator") => Some("operators are not resolved"),
        "42883" => Some("functions are found by name and number of arguments, not by types"),
        "42803" if message.contains("direct arguments") => Some("direct arguments of aggregates"),
        "42803" if sql.to_lowercase().contains(" using (") => {
            Some("merged columns of several types, or of both arms")
        }
        "42803" if has_grouped_expr(sql) => Some("grouped by an expression of the column, or by sets"),
        _ if has_mistake => Some("another mistake comes first, or has another text"),
        _ => None,
    }
}

/// Returns whether a query groups by more than names.
fn has_grouped_expr(sql: &str) -> bool {
    let lower = sql.to_lowercase();
    let items = lower.split_once("group by").map_or("", |(_, items)| items);
    ["(", "+", "::", "collate"].iter().any(|part| items.contains(part))
}

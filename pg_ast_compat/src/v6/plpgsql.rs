//! Functions in PL/pgSQL in the form of `pg_query` 6: pg_ast's has that of `pg_query` 18, and more fields.

use pg_ast::quote_identifier;
use serde_json::{Map, Value, json};

use super::native;

/// The fields that libpg_query writes (`pg_query_json_plpgsql.c`), by struct.
const FIELDS: &[(&str, &[&str])] = &[
    ("PLpgSQL_function", &["new_varno", "old_varno", "datums", "action"]),
    ("PLpgSQL_stmt_block", &["lineno", "label", "body", "exceptions"]),
    ("PLpgSQL_exception_block", &["exc_list"]),
    ("PLpgSQL_exception", &["conditions", "action"]),
    ("PLpgSQL_condition", &["condname"]),
    ("PLpgSQL_stmt_assign", &["lineno", "varno", "expr"]),
    ("PLpgSQL_stmt_if", &["lineno", "cond", "then_body", "elsif_list", "else_body"]),
    ("PLpgSQL_if_elsif", &["lineno", "cond", "stmts"]),
    (
        "PLpgSQL_stmt_case",
        &["lineno", "t_expr", "t_varno", "case_when_list", "have_else", "else_stmts"],
    ),
    ("PLpgSQL_case_when", &["lineno", "expr", "stmts"]),
    ("PLpgSQL_stmt_loop", &["lineno", "label", "body"]),
    ("PLpgSQL_stmt_while", &["lineno", "label", "cond", "body"]),
    ("PLpgSQL_stmt_fori", &["lineno", "label", "var", "lower", "upper", "step", "reverse", "body"]),
    ("PLpgSQL_stmt_fors", &["lineno", "label", "var", "body", "query"]),
    ("PLpgSQL_stmt_forc", &["lineno", "label", "var", "body", "curvar", "argquery"]),
    ("PLpgSQL_stmt_foreach_a", &["lineno", "label", "varno", "slice", "expr", "body"]),
    (
        "PLpgSQL_stmt_open",
        &["lineno", "curvar", "cursor_options", "argquery", "query", "dynquery", "params"],
    ),
    (
        "PLpgSQL_stmt_fetch",
        &[
            "lineno",
            "target",
            "curvar",
            "direction",
            "how_many",
            "expr",
            "is_move",
            "returns_multiple_rows",
        ],
    ),
    ("PLpgSQL_stmt_close", &["lineno", "curvar"]),
    ("PLpgSQL_stmt_perform", &["lineno", "expr"]),
    ("PLpgSQL_stmt_call", &["lineno", "expr", "is_call", "target"]),
    ("PLpgSQL_stmt_commit", &["lineno", "chain"]),
    ("PLpgSQL_stmt_rollback", &["lineno", "chain"]),
    ("PLpgSQL_stmt_exit", &["lineno", "is_exit", "label", "cond"]),
    ("PLpgSQL_stmt_return", &["lineno", "expr"]),
    ("PLpgSQL_stmt_return_next", &["lineno", "expr"]),
    ("PLpgSQL_stmt_return_query", &["lineno", "query", "dynquery", "params"]),
    ("PLpgSQL_stmt_raise", &["lineno", "elog_level", "condname", "message", "params", "options"]),
    ("PLpgSQL_raise_option", &["opt_type", "expr"]),
    ("PLpgSQL_stmt_assert", &["lineno", "cond", "message"]),
    ("PLpgSQL_stmt_execsql", &["lineno", "sqlstmt", "into", "strict", "target"]),
    ("PLpgSQL_stmt_dynexecute", &["lineno", "query", "into", "strict", "target", "params"]),
    ("PLpgSQL_stmt_dynfors", &["lineno", "label", "var", "body", "query", "params"]),
    ("PLpgSQL_stmt_getdiag", &["lineno", "is_stacked", "diag_items"]),
    ("PLpgSQL_diag_item", &["kind", "target"]),
    ("PLpgSQL_expr", &["query", "parseMode"]),
    (
        "PLpgSQL_var",
        &[
            "refname",
            "lineno",
            "datatype",
            "isconst",
            "notnull",
            "default_val",
            "cursor_explicit_expr",
            "cursor_explicit_argrow",
            "cursor_options",
        ],
    ),
    ("PLpgSQL_type", &["typname"]),
    ("PLpgSQL_row", &["refname", "lineno", "fields"]),
    ("PLpgSQL_rec", &["refname", "dno", "lineno"]),
    ("PLpgSQL_recfield", &["fieldname", "recparentno"]),
];

/// What PostgreSQL's grammar puts for words that are types, with the schema `pg_catalog`.
const WORDS: [&str; 15] = [
    "bit",
    "bool",
    "bpchar",
    "float4",
    "float8",
    "int2",
    "int4",
    "int8",
    "interval",
    "numeric",
    "time",
    "timestamp",
    "timestamptz",
    "timetz",
    "varchar",
];

const RETURN: &str = "PLpgSQL_stmt_return";
const BLOCK: &str = "PLpgSQL_stmt_block";

/// Changes functions into the form of `pg_query` 6.
pub(super) fn in_form(mut functions: Value, sql: &str) -> Value {
    for function in functions.as_array_mut().into_iter().flatten() {
        let datums = function["PLpgSQL_function"]["datums"].clone();
        let form = Form { sql, datums: datums.as_array().map_or(&[], Vec::as_slice) };
        form.change(function);
        if let Some(action) = function["PLpgSQL_function"].get_mut("action") {
            end_in_return(action);
        }
    }
    functions
}

struct Form<'a> {
    sql: &'a str,
    datums: &'a [Value],
}

impl Form<'_> {
    /// Changes a value and what is in it. It is not deeper than pg_ast has allowed for.
    fn change(&self, value: &mut Value) {
        match value {
            Value::Array(items) => {
                items.retain(|item| item.get("PLpgSQL_stmt_null").is_none());
                items.iter_mut().for_each(|item| self.change(item));
            }
            Value::Object(fields) => {
                for (name, value) in fields.iter_mut() {
                    if let Some((_, kept)) = FIELDS.iter().find(|(known, _)| known == name)
                        && let Value::Object(fields) = value
                    {
                        self.rewrite(name, fields);
                        fields.retain(|field, _| kept.contains(&&**field));
                    }
                    self.change(value);
                }
                // Of lists that have become empty, only that of the variables is written.
                fields.retain(|name, value| {
                    name == "datums" || name == "fields" || *value != Value::Array(Vec::new())
                });
            }
            _ => {}
        }
    }

    fn rewrite(&self, name: &str, fields: &mut Map<String, Value>) {
        match name {
            RETURN | "PLpgSQL_stmt_return_next" if !fields.contains_key("expr") => {
                if let Some(query) = self.returned(fields) {
                    let expr = json!({"PLpgSQL_expr": {"query": query, "parseMode": 2}});
                    fields.insert("expr".to_owned(), expr);
                }
            }
            "PLpgSQL_type" => {
                let text = |name: &str| fields.get(name).and_then(Value::as_str);
                let written = text("text").and_then(type_name);
                let name = written.or_else(|| text("typname").map(of_builtin));
                fields.extend(name.map(|name| ("typname".to_owned(), name.into())));
            }
            _ => {}
        }
    }

    /// Returns the variable that a statement returns, as it is written there.
    fn returned(&self, stmt: &Map<String, Value>) -> Option<String> {
        let number = |name: &str| usize::try_from(stmt.get(name)?.as_u64()?).ok();
        let datum = self.datums.get(number("retvarno")?)?;
        let text = self.sql.get(number("location")?..number("end")?)?;
        let tokens = native::scan(text).ok()?.tokens;
        let offset = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
        let words = tokens.iter().map(|token| offset(token.start)..offset(token.end));
        let is_verb =
            |word: &str| ["return", "next"].iter().any(|verb| word.eq_ignore_ascii_case(verb));
        let mut words = words.filter(|word| {
            let text = text.get(word.clone()).unwrap_or_default();
            text.starts_with(|first: char| {
                first.is_alphanumeric() || ['_', '"', '.', '$'].contains(&first)
            }) && !is_verb(text)
        });
        // `RETURN` alone returns the parameters that are results.
        let first = words.next()?;
        // A body in E'..' is written otherwise.
        if text.contains('\\') {
            let name = datum.as_object()?.values().next()?.get("refname");
            return name.and_then(Value::as_str).map(quote_identifier);
        }
        let end = words.last().map_or(first.end, |last| last.end);
        text.get(first.start..end).map(str::to_owned)
    }
}

/// Returns the name of a type that is written so, as libpg_query writes it: without its modifiers.
fn type_name(text: &str) -> Option<String> {
    let tree = native::parse(&format!("SELECT NULL::{text}")).ok()?;
    let name = tree.nodes().find_map(|node| node.as_type_cast()?.type_name.as_ref())?;
    let names: Vec<_> = name.names.iter().filter_map(|name| name.as_str()).collect();
    let names: Vec<_> = names.into_iter().map(quote_identifier).collect();
    Some(names.join("."))
}

/// Returns the name of the type of a variable that is not declared in the body.
fn of_builtin(name: &str) -> String {
    match name {
        // Of the variable `found`.
        "bool" => "pg_catalog.\"boolean\"".to_owned(),
        _ if WORDS.contains(&name) => format!("pg_catalog.{}", quote_identifier(name)),
        _ => name.to_owned(),
    }
}

/// Puts a `RETURN` at the end of the body of every function, in a block around one with handlers.
fn end_in_return(action: &mut Value) {
    let is_made = |block: &Value| block.get("lineno").is_none();
    if is_made(&action[BLOCK]) && action[BLOCK]["body"][0].get(BLOCK).is_some() {
        let inner = action[BLOCK]["body"][0].take();
        *action = inner;
    }
    if action[BLOCK].get("exceptions").is_some() {
        let inner = action.take();
        *action = json!({BLOCK: {"body": [inner]}});
    }
    let Some(block) = action.get_mut(BLOCK).and_then(Value::as_object_mut) else { return };
    let body = block.entry("body").or_insert_with(|| json!([]));
    let Some(body) = body.as_array_mut() else { return };
    if body.last().is_none_or(|last| last.get(RETURN).is_none()) {
        body.push(json!({RETURN: {}}));
    }
}

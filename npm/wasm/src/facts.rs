//! The results of calls, as JSON. Places are offsets in bytes, which JavaScript converts.

use pg_ast::{Analysis, Completion, Result, Warning, view};

use crate::json::Json;
use crate::narrow;

pub(crate) fn analysis(analysis: &Analysis) -> String {
    let mut json = Json::default();
    json.object(|json| {
        json.name("tables").array(&analysis.tables, |json, table| {
            json.object(|json| {
                json.name("name").text(&table.name.to_string());
                json.optional("schemaName", table.name.schema.as_deref());
                json.name("tableName").text(&table.name.name);
                json.name("context").text(&format!("{:?}", table.context));
            });
        });
        json.name("functions").array(&analysis.functions, |json, function| {
            json.object(|json| {
                json.name("name").text(&function.name.plain());
                json.optional("schemaName", function.name.schema.as_deref());
                json.name("functionName").text(&function.name.name);
                json.name("context").text(&format!("{:?}", function.context));
            });
        });
        json.name("filterColumns").array(&analysis.filter_columns, |json, column| {
            json.object(|json| {
                let table = column.table.as_ref();
                json.optional("schemaName", table.and_then(|name| name.schema.as_deref()));
                json.optional("tableName", table.map(|name| name.name.as_str()));
                json.name("column").text(&column.column);
            });
        });
        json.name("aliases").object(|json| {
            for (alias, table) in &analysis.aliases {
                json.name(alias).text(&table.to_string());
            }
        });
        json.name("cteNames").array(&analysis.cte_names, |json, name| json.text(name));
        json.name("statementTypes").array(&analysis.statement_types, |json, name| json.text(name));
    });
    json.finish()
}

pub(crate) fn warnings(warnings: &[Warning]) -> String {
    let mut json = Json::default();
    json.array(warnings, |json, warning| {
        json.object(|json| {
            json.name("severity").text(&format!("{:?}", warning.severity));
            json.name("message").text(&warning.message);
            json.optional("hint", warning.hint.as_deref());
            if let Some(cursor) = warning.cursor {
                json.name("cursor").number(cursor);
            }
        });
    });
    json.finish()
}

/// Returns the address, the start and the end of each node that has a range.
pub(crate) fn ranges(tree: &view::Tree) -> Vec<u32> {
    let mut numbers = Vec::new();
    for node in tree.nodes() {
        if let Some(range) = tree.range(node) {
            numbers.extend([node.as_ptr() as usize, range.start, range.end].map(narrow));
        }
    }
    numbers
}

pub(crate) fn tokens(sql: &str) -> Result<String> {
    let scanned = pg_ast::scan(sql)?;
    let mut json = Json::default();
    json.array(&scanned.tokens, |json, token| {
        json.object(|json| {
            json.name("token").text(token.token.as_str_name());
            json.name("number").number(usize::try_from(token.token as i32).unwrap_or(0));
            json.name("keywordKind").text(token.keyword_kind.as_str_name());
            json.name("range").range(&token.range());
        });
    });
    Ok(json.finish())
}

pub(crate) fn statements(sql: &str) -> Result<String> {
    let mut json = Json::default();
    json.array(pg_ast::split_with_scanner(sql)?, |json, stmt| {
        // A part of `sql`.
        let start = stmt.as_ptr() as usize - sql.as_ptr() as usize;
        json.range(&(start..start + stmt.len()));
    });
    Ok(json.finish())
}

pub(crate) fn completion(completion: &Completion) -> String {
    let mut json = Json::default();
    json.object(|json| {
        json.name("word").range(&completion.word);
        json.name("expected").expected(&completion.expected);
        json.name("names").array(&completion.names, |json, name| json.text(&format!("{name:?}")));
        json.name("tables").array(&completion.tables, |json, table| {
            json.object(|json| {
                json.optional("schemaName", table.name.schema.as_deref());
                json.name("tableName").text(&table.name.name);
                json.optional("alias", table.alias.as_deref());
            });
        });
    });
    json.finish()
}

//! `pgast complete`.

use std::io::Write;

use anyhow::{Context as _, Result, bail};
use pg_ast::{
    ColumnUnit, Completion, Expected, LineColumn, LineIndex, NameKind, Version, with_version,
};
use pg_ast_ide::{WordKind, Workspace};
use serde::Serialize;

use crate::Outcome;
use crate::args::Complete;
use crate::config::Config;
use crate::report::MARK;

pub(crate) fn run(
    args: &Complete,
    version: Version,
    config: &Config,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let schema = args.known.texts(config)?;
    let mut workspace = (!schema.is_empty()).then(|| Workspace::new(version));
    if let Some(workspace) = &mut workspace {
        workspace.set_schema(schema, false);
    }
    args.inputs.each(|source| {
        let sql = source.text.as_str();
        let at = match &args.at {
            Some(place) => offset(sql, place)?,
            // The line break at the end of a file is not part of a word.
            None => sql.trim_end_matches(['\n', '\r']).len(),
        };
        let completion = with_version!(version, pg => pg::complete(sql, at));
        let known = workspace.as_mut().map(|workspace| known(workspace, sql, at));
        if args.json {
            serde_json::to_writer(&mut *out, &json(sql, &completion, known))?;
            writeln!(out)?;
        } else {
            for item in known.unwrap_or_default() {
                let detail = item.detail.map(|detail| format!(" {detail}")).unwrap_or_default();
                writeln!(out, "{} ({}{detail})", item.name, item.kind)?;
            }
            print(sql, &completion, out)?;
        }
        Ok(Outcome::Fine)
    })
}

/// Returns the byte offset of a place, which is a byte offset or `LINE:COLUMN`.
fn offset(sql: &str, place: &str) -> Result<usize> {
    let wrong = || format!("invalid place {place}: expected a byte offset or LINE:COLUMN");
    let offset = match place.split_once(':') {
        None => place.parse().ok().filter(|&offset| sql.is_char_boundary(offset)),
        Some((line, column)) => {
            let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
            let place = number(line).zip(number(column));
            let mark = usize::from(sql.starts_with(MARK));
            let place = place.map(|(line, column)| {
                let column = if line == 0 { column.saturating_add(mark) } else { column };
                LineColumn { line, column }
            });
            place.and_then(|place| LineIndex::new(sql).offset(place, ColumnUnit::Characters))
        }
    };
    match offset {
        Some(offset) if offset <= sql.len() => Ok(offset),
        Some(_) => bail!("{place} is after the end of the SQL"),
        None => None.with_context(wrong),
    }
}

/// Returns the names of the database that can be typed at a place.
fn known(workspace: &mut Workspace, sql: &str, at: usize) -> Vec<Known> {
    const PATH: &str = "sql";
    workspace.open(PATH, sql.to_owned());
    let items = workspace.context(PATH).map(|context| context.complete(at).items);
    let items = items.unwrap_or_default().into_iter().filter_map(|item| {
        let kind = match item.kind {
            WordKind::Type => "type",
            WordKind::Table => "table",
            WordKind::Column => "column",
            WordKind::Function => "function",
            _ => return None,
        };
        Some(Known { name: item.text, kind, detail: item.detail })
    });
    items.collect()
}

/// Returns the completions that begin like the word at the place.
fn fitting<'a>(sql: &str, completion: &'a Completion) -> impl Iterator<Item = &'a Expected> {
    let word = sql[completion.word.clone()].to_uppercase();
    completion.expected.iter().filter(move |expected| match expected {
        Expected::Keyword(keyword) => keyword.starts_with(&word),
        Expected::Identifier => false,
        _ => word.is_empty(),
    })
}

fn name(kind: NameKind) -> &'static str {
    match kind {
        NameKind::Table => "table",
        NameKind::Column => "column",
        NameKind::Function => "function",
        NameKind::Type => "type",
        NameKind::Role => "role",
        NameKind::Cursor => "cursor",
        NameKind::Object => "object",
        NameKind::Alias => "new name",
        _ => "name",
    }
}

fn print(sql: &str, completion: &Completion, out: &mut dyn Write) -> Result<()> {
    for kind in &completion.names {
        writeln!(out, "<{}>", name(*kind))?;
    }
    for table in &completion.tables {
        let alias = table.alias.as_ref().map_or_else(String::new, |alias| format!(" AS {alias}"));
        writeln!(out, "<in scope: {}{alias}>", table.name)?;
    }
    for expected in fitting(sql, completion) {
        writeln!(out, "{expected}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Json<'a> {
    /// The range of the word that is being typed, in bytes.
    start: usize,
    end: usize,
    names: Vec<&'static str>,
    tables: Vec<InScope<'a>>,
    expected: Vec<String>,
    /// The names of the database, if something is known of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Vec<Known>>,
}

#[derive(Serialize)]
struct Known {
    name: String,
    kind: &'static str,
    detail: Option<String>,
}

#[derive(Serialize)]
struct InScope<'a> {
    schema: Option<&'a str>,
    table: &'a str,
    alias: Option<&'a str>,
}

fn json<'a>(sql: &str, completion: &'a Completion, known: Option<Vec<Known>>) -> Json<'a> {
    Json {
        start: completion.word.start,
        end: completion.word.end,
        names: completion.names.iter().map(|kind| name(*kind)).collect(),
        tables: completion
            .tables
            .iter()
            .map(|table| InScope {
                schema: table.name.schema.as_deref(),
                table: &table.name.name,
                alias: table.alias.as_deref(),
            })
            .collect(),
        expected: fitting(sql, completion).map(ToString::to_string).collect(),
        known,
    }
}

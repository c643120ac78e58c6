//! The command `describe`: the types of parameters and columns.

use std::io::{self, Write};

use anyhow::Result;
use pg_ast::{ColumnUnit, LineIndex, Version, with_version};
use pg_ast_names::ColumnOrigin;
use pg_ast_types::{Nullability, ParameterType, StmtTypes, TypedColumn};
use serde::Serialize;

use super::list::{each_stmt, print_json};
use crate::Outcome;
use crate::args::Describe as Args;
use crate::config::Config;
use crate::known_objects::define;

pub(crate) fn run(
    args: &Args,
    version: Version,
    config: &Config,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let (catalog, outcome) = args.known.read(version, &args.limits, config)?;
    let mut catalog = catalog.unwrap_or_default();
    let read = args.inputs.each(|source| {
        let lines = LineIndex::new(&source.text);
        each_stmt(&source, version, &args.limits, |sql| {
            let found = with_version!(version, pg, pg_ast_types as types => {
                let tree = pg::view::parse_with(sql, args.limits.options())?;
                types::types(&tree, &catalog).stmts
            });
            define(&mut catalog, version, args.limits.options(), sql)?;
            let Some(types) = found.first().filter(|it| is_described(it)) else { return Ok(()) };
            // It is a part of the text.
            let start = sql.as_ptr().addr() - source.text.as_ptr().addr();
            let line = lines.line_column(start, ColumnUnit::Characters).line + 1;
            let query = Query::of(&source.name, line, query_name(&source.text[..start]), types);
            if args.json { print_json(out, &query) } else { query.text(out) }?;
            Ok(())
        })
    })?;
    Ok(outcome.max(read))
}

/// Whether there is something to say.
fn is_described(types: &StmtTypes) -> bool {
    types.columns.is_some() || !types.parameters.is_empty()
}

/// Returns the name and the command in the comments right before a statement: `-- name: GetUser :one`, as sqlc reads it.
fn query_name(before: &str) -> Option<(&str, Option<&str>)> {
    for line in before.lines().rev().map(str::trim) {
        let comment = match line.strip_prefix("--").or_else(|| line.strip_prefix("/*")) {
            Some(comment) => comment.trim_end_matches("*/").trim(),
            None if line.is_empty() => continue,
            None => return None,
        };
        if let Some(name) = comment.strip_prefix("name:") {
            let mut words = name.split_whitespace();
            let name = words.next()?;
            return Some((name, words.next().and_then(|word| word.strip_prefix(':'))));
        }
    }
    None
}

/// A statement, as JSON has it.
#[derive(Serialize)]
struct Query<'a> {
    file: &'a str,
    line: usize,
    name: Option<&'a str>,
    command: Option<&'a str>,
    parameters: Vec<Parameter<'a>>,
    columns: Option<Vec<Column<'a>>>,
}

#[derive(Serialize)]
struct Parameter<'a> {
    number: usize,
    #[serde(rename = "type")]
    sql_type: Option<String>,
    column: Option<Origin<'a>>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "the names are those in JSON")]
struct Column<'a> {
    name: Option<&'a str>,
    #[serde(rename = "type")]
    sql_type: Option<String>,
    nullable: bool,
    reason: String,
    column: Option<Origin<'a>>,
}

/// A column of a table.
#[derive(Serialize)]
struct Origin<'a> {
    schema: Option<&'a str>,
    table: &'a str,
    column: &'a str,
}

impl<'a> Origin<'a> {
    fn of(origin: &'a ColumnOrigin) -> Self {
        let table = &origin.table;
        Self { schema: table.schema.as_deref(), table: &table.name, column: &origin.column }
    }

    fn text(&self) -> String {
        let schema = self.schema.map(|schema| format!("{schema}.")).unwrap_or_default();
        format!("{schema}{}.{}", self.table, self.column)
    }
}

impl<'a> Query<'a> {
    fn of(
        file: &'a str,
        line: usize,
        name: Option<(&'a str, Option<&'a str>)>,
        types: &'a StmtTypes,
    ) -> Self {
        let parameter = |(index, of): (usize, &'a ParameterType)| Parameter {
            number: index + 1,
            sql_type: of.sql_type(),
            column: of.column.as_ref().map(Origin::of),
        };
        let column = |of: &'a TypedColumn| Column {
            name: of.name.as_deref(),
            sql_type: of.sql_type(),
            nullable: !of.nullability.is_not_null(),
            reason: match of.nullability {
                Nullability::NotNull(reason) => format!("{reason:?}"),
                Nullability::Nullable(reason) => format!("{reason:?}"),
            },
            column: of.origin.as_ref().map(Origin::of),
        };
        let columns = types.columns.as_ref();
        Self {
            file,
            line,
            name: name.map(|(name, _)| name),
            command: name.and_then(|(_, command)| command),
            parameters: types.parameters.iter().enumerate().map(parameter).collect(),
            columns: columns.map(|columns| columns.iter().map(column).collect()),
        }
    }

    /// Prints a table.
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}:{}:", self.file, self.line)?;
        if let Some(name) = self.name {
            write!(out, " {name}")?;
        }
        if let Some(command) = self.command {
            write!(out, " :{command}")?;
        }
        writeln!(out)?;
        let mut lines = Vec::new();
        let unknown = || "?".to_owned();
        for parameter in &self.parameters {
            let of = parameter.column.as_ref().map(Origin::text).unwrap_or_default();
            let name = format!("${}", parameter.number);
            lines.push([
                name,
                parameter.sql_type.clone().unwrap_or_else(unknown),
                String::new(),
                of,
            ]);
        }
        for column in self.columns.iter().flatten() {
            let of = column.column.as_ref().map(Origin::text).unwrap_or_default();
            let name = column.name.map_or_else(unknown, str::to_owned);
            let null = if column.nullable { "null" } else { "not null" };
            let of_type = column.sql_type.clone().unwrap_or_else(unknown);
            lines.push([name, of_type, null.to_owned(), of]);
        }
        let widths = [0, 1, 2].map(|place: usize| {
            lines.iter().map(|line| line[place].chars().count()).max().unwrap_or_default()
        });
        for [name, of_type, null, of] in lines {
            let [first, second, third] = widths;
            let line = format!("  {name:<first$}  {of_type:<second$}  {null:<third$}  {of}");
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::query_name;

    #[test]
    fn names_of_queries_stand_before_them() {
        assert_eq!(
            query_name("SELECT 1;\n-- name: GetUser :one\n"),
            Some(("GetUser", Some("one")))
        );
        assert_eq!(query_name("/* name: All */\n\n-- of all kinds\n"), Some(("All", None)));
        assert_eq!(query_name("-- name: Other :exec\nSELECT 1;\n"), None);
    }
}

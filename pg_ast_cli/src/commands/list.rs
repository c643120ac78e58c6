//! The commands that list parts of statements: `fingerprint`, `normalize`, `scan`, `split`, `tables`.

use std::io::{self, Write};

use anyhow::Result;
use pg_ast::{Context, Error, QualifiedName, Version};
use pg_ast_names::{Catalog as _, DdlCatalog};
use serde::Serialize;

use crate::Outcome;
use crate::args::{Limits, Normalize, Output, Split, Statements, Tables};
use crate::config::Config;
use crate::input::Source;
use crate::known_objects::define;
use crate::report::{Diagnostic, Report, Reporter};
use crate::stand_ins::statements;

pub(super) fn print_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// Prints an error of a statement that ends at `end`.
fn report(reporter: &mut Reporter<'_>, error: &Error, end: usize) -> io::Result<()> {
    let mut stderr = anstream::stderr().lock();
    reporter.print(&mut stderr, &Diagnostic::of_error(error, reporter.text(), end))
}

/// Calls a function with each correct statement, and reports the others.
pub(crate) fn each_stmt(
    source: &Source,
    version: Version,
    limits: &Limits,
    mut f: impl FnMut(&str) -> Result<(), StmtError>,
) -> Result<Outcome> {
    let mut outcome = Outcome::Fine;
    let mut errors = Report::new(Output::Full);
    let mut reporter = errors.file(source);
    for stmt in version.parse_script_with(&source.text, limits.options()) {
        let sql = &source.text[stmt.range.clone()];
        let start = stmt.range.start;
        let result = stmt.result.map_err(StmtError::Sql).and_then(|_| {
            f(sql).map_err(|error| match error {
                // Its position is relative to the statement.
                StmtError::Sql(error) => {
                    let cursor = error.cursor().map(|cursor| cursor + start);
                    StmtError::Sql(error.with_cursor(cursor))
                }
                StmtError::Io(error) => StmtError::Io(error),
            })
        });
        match result {
            Ok(()) => {}
            Err(StmtError::Sql(error)) => {
                outcome = Outcome::Found;
                report(&mut reporter, &error, stmt.range.end)?;
            }
            Err(StmtError::Io(error)) => return Err(error.into()),
        }
    }
    Ok(outcome)
}

/// The errors of a statement.
pub(crate) enum StmtError {
    Sql(Error),
    Io(io::Error),
}

impl From<Error> for StmtError {
    fn from(error: Error) -> Self {
        Self::Sql(error)
    }
}

impl From<io::Error> for StmtError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Puts text on one line.
pub(super) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn fingerprints(
    args: &Statements,
    version: Version,
    out: &mut dyn Write,
) -> Result<Outcome> {
    #[derive(Serialize)]
    struct Line<'a> {
        file: &'a str,
        fingerprint: String,
        sql: &'a str,
    }
    args.inputs.each(|source| {
        each_stmt(&source, version, &args.limits, |sql| {
            let fingerprint = version.fingerprint(sql)?.hex();
            if args.json {
                print_json(out, &Line { file: &source.name, fingerprint, sql })?;
            } else {
                writeln!(out, "{fingerprint}  {}", in_one_line(sql))?;
            }
            Ok(())
        })
    })
}

pub(crate) fn normalize(
    args: &Normalize,
    version: Version,
    out: &mut dyn Write,
) -> Result<Outcome> {
    args.inputs.each(|source| {
        each_stmt(&source, version, &args.limits, |sql| {
            let normalized =
                if args.utility { version.normalize_utility(sql) } else { version.normalize(sql) }?;
            writeln!(out, "{normalized};")?;
            Ok(())
        })
    })
}

pub(crate) fn tokens(args: &Statements, version: Version, out: &mut dyn Write) -> Result<Outcome> {
    #[derive(Serialize)]
    struct Line<'a> {
        file: &'a str,
        start: usize,
        end: usize,
        token: &'a str,
        keyword: bool,
        text: &'a str,
    }
    args.inputs.each(|source| {
        let tokens = match version.scan(&source.text) {
            Ok(tokens) => tokens,
            Err(error) => {
                let mut errors = Report::new(Output::Full);
                report(&mut errors.file(&source), &error, source.text.len())?;
                return Ok(Outcome::Found);
            }
        };
        for token in tokens {
            let (start, end) = (token.range.start, token.range.end);
            let text = &source.text[token.range];
            if args.json {
                let (token, keyword) = (token.name, token.is_keyword);
                print_json(out, &Line { file: &source.name, start, end, token, keyword, text })?;
            } else {
                let range = format!("{start}..{end}");
                writeln!(out, "{range:<12} {:<16} {}", token.name, in_one_line(text))?;
            }
        }
        Ok(Outcome::Fine)
    })
}

pub(crate) fn split(
    args: &Split,
    version: Version,
    config: &Config,
    out: &mut dyn Write,
) -> Result<Outcome> {
    #[derive(Serialize)]
    struct Line<'a> {
        file: &'a str,
        start: usize,
        end: usize,
        sql: &'a str,
    }
    let placeholders = args.stand_ins.placeholders(&config.placeholders);
    args.inputs.each(|source| {
        for stmt in statements(version, &source.text, args.limits.options(), placeholders) {
            let (start, end) = (stmt.range.start, stmt.range.end);
            let sql = &source.text[stmt.range];
            if args.json {
                print_json(out, &Line { file: &source.name, start, end, sql })?;
            } else if args.null {
                write!(out, "{sql}\0")?;
            } else {
                writeln!(out, "{sql};")?;
            }
        }
        Ok(Outcome::Fine)
    })
}

/// Returns what kind of object a statement names, and how it uses it.
fn use_of(context: Context, what: &'static str) -> (&'static str, &'static str) {
    let context = match context {
        Context::Select => "read",
        Context::Dml => "written",
        Context::Ddl => "ddl",
        Context::Call => "called",
        _ => "used",
    };
    (what, context)
}

/// Returns the name with the schema that a catalog has it in.
fn with_schema(name: QualifiedName, catalog: Option<&DdlCatalog>) -> QualifiedName {
    let (Some(catalog), None) = (catalog, &name.schema) else { return name };
    let mut schemas = catalog.search_path().iter();
    let found = schemas.find(|schema| catalog.relation(schema, &name.name).is_some());
    found.map_or_else(|| name.clone(), |schema| QualifiedName::new(schema, &name.name))
}

pub(crate) fn tables(
    args: &Tables,
    version: Version,
    config: &Config,
    out: &mut dyn Write,
) -> Result<Outcome> {
    #[derive(Serialize)]
    struct Line<'a> {
        file: &'a str,
        kind: &'a str,
        #[serde(rename = "use")]
        usage: &'a str,
        name: &'a str,
    }
    let (catalog, known) = args.known.read(version, &args.limits, config)?;
    let mut catalog = catalog;
    let listed = args.inputs.each(|source| {
        // Each once per file, in the order of the first use.
        let mut found = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let outcome = each_stmt(&source, version, &args.limits, |sql| {
            let analysis = version.analyze(sql)?;
            let tables = analysis.tables.into_iter();
            let mut all: Vec<_> = tables
                .map(|table| {
                    let name = with_schema(table.name, catalog.as_ref());
                    (use_of(table.context, "table"), name.to_string())
                })
                .collect();
            if args.functions {
                let functions = analysis.functions.into_iter();
                all.extend(
                    functions
                        .map(|found| (use_of(found.context, "function"), found.name.to_string())),
                );
            }
            if args.columns {
                all.extend(analysis.filter_columns.into_iter().map(|found| {
                    let column = version.quote_identifier(&found.column);
                    let table = found.table.map(|table| with_schema(table, catalog.as_ref()));
                    let table = table.map(|table| format!("{table}."));
                    let name = table.unwrap_or_default() + &column;
                    (("column", "filtered"), name)
                }));
            }
            found.extend(all.into_iter().filter(|item| seen.insert(item.clone())));
            if let Some(catalog) = &mut catalog {
                define(catalog, version, args.limits.options(), sql)?;
            }
            Ok(())
        })?;
        catalog.iter_mut().for_each(DdlCatalog::end_script);
        for ((kind, usage), name) in &found {
            if args.json {
                print_json(out, &Line { file: &source.name, kind, usage, name })?;
            } else if args.functions || args.columns {
                writeln!(out, "{kind:<8}  {usage:<8}  {name}")?;
            } else {
                writeln!(out, "{usage:<7}  {name}")?;
            }
        }
        Ok(outcome)
    })?;
    Ok(listed.max(known))
}

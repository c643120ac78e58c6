//! `pgast check`.

use std::io::Write;
use std::ops::Range;

use anyhow::Result;
use pg_ast::{ParserOptions, Version, with_version};
use pg_ast_lint::{Applicability, open_copy};
use pg_ast_names::{DdlCatalog, NameMistake};

use super::counted;
use crate::Outcome;
use crate::args::{Check, Output};
use crate::config::Config;
use crate::report::{Diagnostic, DiagnosticLevel, Report};
use crate::stand_ins::statements;

pub(crate) fn run(
    args: &Check,
    version: Version,
    config: &Config,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let output = args.output.output;
    let (mut catalog, known) = args.known.read(version, &args.limits, config)?;
    let placeholders = args.stand_ins.placeholders(&config.placeholders);
    let options = args.limits.options();
    let (mut files, mut stmts, mut errors) = (0, 0, 0);
    let mut report = Report::new(output);
    let outcome = args.inputs.each(|source| {
        let mut reporter = report.file(&source);
        let mut data = Vec::new();
        for stmt in statements(version, &source.text, options, placeholders) {
            stmts += 1;
            match stmt.result {
                Ok(warnings) => {
                    for warning in &warnings {
                        reporter.print(out, &Diagnostic::of_warning(warning, &source.text))?;
                    }
                    if let Some(catalog) = &mut catalog {
                        let range = stmt.range.clone();
                        for wrong in wrong_names(version, &source.text, range, catalog, options) {
                            errors += 1;
                            reporter.print(out, &wrong)?;
                        }
                    }
                    if stmt.copy_data.is_some() {
                        data.push((stmt.range, stmt.copy_data));
                    }
                }
                Err(error) => {
                    errors += 1;
                    let end = stmt.range.end;
                    reporter.print(out, &Diagnostic::of_error(&error, &source.text, end))?;
                }
            }
        }
        if let Some(copy) = open_copy(version, &source.text, data) {
            reporter.print(out, &open_data(copy))?;
        }
        catalog.iter_mut().for_each(DdlCatalog::end_script);
        files += 1;
        Ok(Outcome::Fine)
    })?;
    report.finish(out)?;
    if output == Output::Full {
        let (files, stmts) = (counted(files, "file"), counted(stmts, "statement"));
        writeln!(out, "{files}, {stmts}, {} (PostgreSQL {version})", counted(errors, "error"))?;
    }
    let outcome = outcome.max(known);
    Ok(outcome.max(if errors == 0 { Outcome::Fine } else { Outcome::Found }))
}

/// Returns the names that mean nothing in a statement, and adds what it defines to the catalog. One with placeholders is not looked at.
fn wrong_names(
    version: Version,
    text: &str,
    range: Range<usize>,
    catalog: &mut DdlCatalog,
    options: ParserOptions,
) -> Vec<Diagnostic> {
    let (sql, start) = (&text[range.clone()], range.start);
    with_version!(version, pg, pg_ast_names as names => {
        let Ok(tree) = pg::view::parse_with(sql, options) else { return Vec::new() };
        let found = names::resolve(&tree, &*catalog);
        names::define(&tree, catalog);
        let mistakes = found.mistakes.iter().map(|mistake| of_mistake(mistake, sql, start, version));
        mistakes.collect()
    })
}

fn of_mistake(mistake: &NameMistake, sql: &str, start: usize, version: Version) -> Diagnostic {
    let range = mistake.range(sql).unwrap_or(0..0);
    let range = start + range.start..start + range.end;
    let meant = mistake.suggestion.as_deref().map(|name| version.quote_identifier(name));
    Diagnostic {
        level: DiagnosticLevel::Error,
        rule: None,
        message: mistake.to_string(),
        fix: meant.iter().map(|name| (range.clone(), name.clone())).collect(),
        range,
        label: String::new(),
        help: meant.map(|name| format!("did you mean {name}?")).into_iter().collect(),
        applicability: Applicability::Guess,
        fingerprint: None,
    }
}

/// Says that the rest of the script has not been checked, after a `COPY` with this range.
fn open_data(copy: Range<usize>) -> Diagnostic {
    Diagnostic {
        level: DiagnosticLevel::Warning,
        rule: None,
        message: "the rest of the script is data of this COPY".to_owned(),
        range: copy,
        label: String::new(),
        help: vec!["a line \\. ends its data".to_owned()],
        fix: Vec::new(),
        applicability: Applicability::Guess,
        fingerprint: None,
    }
}

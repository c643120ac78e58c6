//! `pgast check`.

use std::io::Write;
use std::ops::Range;

use anyhow::Result;
use pg_ast::Version;
use pg_ast_lint::{Applicability, open_copy};

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
    let placeholders = args.stand_ins.placeholders(&config.placeholders);
    let (mut files, mut stmts, mut errors) = (0, 0, 0);
    let mut report = Report::new(output);
    let outcome = args.inputs.each(|source| {
        let mut reporter = report.file(&source);
        let mut data = Vec::new();
        for stmt in statements(version, &source.text, args.limits.options(), placeholders) {
            stmts += 1;
            match stmt.result {
                Ok(warnings) => {
                    for warning in &warnings {
                        reporter.print(out, &Diagnostic::of_warning(warning, &source.text))?;
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
        files += 1;
        Ok(Outcome::Fine)
    })?;
    report.finish(out)?;
    if output == Output::Full {
        let (files, stmts) = (counted(files, "file"), counted(stmts, "statement"));
        writeln!(out, "{files}, {stmts}, {} (PostgreSQL {version})", counted(errors, "error"))?;
    }
    Ok(outcome.max(if errors == 0 { Outcome::Fine } else { Outcome::Found }))
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

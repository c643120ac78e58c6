//! `pgast check`.

use std::io::Write;

use anyhow::Result;
use pg_ast::Version;

use super::counted;
use crate::Outcome;
use crate::args::{Check, Output};
use crate::report::{Diagnostic, Reporter};

pub(crate) fn run(args: &Check, version: Version, out: &mut dyn Write) -> Result<Outcome> {
    let output = args.output.output;
    let (mut files, mut stmts, mut errors) = (0, 0, 0);
    let outcome = args.inputs.each(|source| {
        let reporter = Reporter::new(&source, output);
        for stmt in version.parse_script_with(&source.text, args.limits.options()) {
            stmts += 1;
            match stmt.result {
                Ok(warnings) => {
                    for warning in &warnings {
                        reporter.print(out, &Diagnostic::of_warning(warning, &source.text))?;
                    }
                }
                Err(error) => {
                    errors += 1;
                    let end = stmt.range.end;
                    reporter.print(out, &Diagnostic::of_error(&error, &source.text, end))?;
                }
            }
        }
        files += 1;
        Ok(Outcome::Fine)
    })?;
    if output == Output::Full {
        let (files, stmts) = (counted(files, "file"), counted(stmts, "statement"));
        writeln!(out, "{files}, {stmts}, {} (PostgreSQL {version})", counted(errors, "error"))?;
    }
    Ok(outcome.max(if errors == 0 { Outcome::Fine } else { Outcome::Found }))
}

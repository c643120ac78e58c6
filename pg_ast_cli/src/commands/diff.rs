//! `pgast diff`.

use std::io::Write;

use anyhow::{Result, bail};
use pg_ast::Version;

use super::counted;
use crate::Outcome;
use crate::args::{Diff, Output};
use crate::report::{Diagnostic, Report};

pub(crate) fn run(args: &Diff, out: &mut dyn Write) -> Result<Outcome> {
    let from = args.from.unwrap_or(Version::ALL[0]);
    let to = args.to.unwrap_or(Version::newest());
    if from == to {
        bail!("PostgreSQL {from} twice: choose two versions by --from and --to");
    }
    let output = args.output.output;
    let (mut stmts, mut gained, mut lost) = (0, 0, 0);
    let mut report = Report::new(output);
    let outcome = args.inputs.each(|source| {
        let mut reporter = report.file(&source);
        // Statements end at the same places, whatever a version makes of them.
        for stmt in to.parse_script_with(&source.text, args.limits.options()) {
            stmts += 1;
            let range = stmt.range;
            let before = from.check(&source.text[range.clone()]);
            let (version, error) = match (before, stmt.result) {
                (Ok(_), Err(error)) => {
                    lost += 1;
                    (from, error)
                }
                (Err(error), Ok(_)) => {
                    gained += 1;
                    let cursor = error.cursor().map(|cursor| cursor + range.start);
                    (to, error.with_cursor(cursor))
                }
                _ => continue,
            };
            let mut diagnostic = Diagnostic::of_place(&error, &source.text);
            diagnostic.message =
                format!("only PostgreSQL {version} accepts this: {}", error.message());
            reporter.print(out, &diagnostic)?;
        }
        Ok(Outcome::Fine)
    })?;
    report.finish(out)?;
    if output == Output::Full {
        let stmts = counted(stmts, "statement");
        writeln!(
            out,
            "{stmts}; only PostgreSQL {from} accepts {lost}, only {to} accepts {gained}"
        )?;
    }
    Ok(outcome.max(if gained + lost == 0 { Outcome::Fine } else { Outcome::Found }))
}

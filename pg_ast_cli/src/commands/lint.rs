//! `pgast lint`.

use std::io::Write;

use anstyle::Style;
use anyhow::{Result, anyhow};
use pg_ast_lint::{Finding, Options, Rule};

use super::counted;
use crate::Outcome;
use crate::args::{Lint, Output};
use crate::config::Config;
use crate::report::{self, Diagnostic, DiagnosticLevel, Reporter, expected};
use crate::stand_ins::placeholders;
use crate::write::replace;

/// Returns the options that the settings choose.
pub(super) fn options(config: &Config) -> Result<Options> {
    let ignored = config
        .lint
        .ignore
        .iter()
        .map(|name| name.parse::<Rule>().map_err(|error| anyhow!("the settings: {error}")));
    let ignored = ignored.collect::<Result<Vec<_>>>()?;
    Ok(Options::default()
        .placeholders(placeholders(&config.placeholders))
        .without(ignored)
        .in_transaction(config.lint.in_transaction))
}

pub(crate) fn run(args: &Lint, config: &Config, out: &mut dyn Write) -> Result<Outcome> {
    if args.rules {
        let bold = Style::new().bold();
        for rule in Rule::ALL {
            writeln!(out, "{bold}{}{bold:#}: {}", rule.name(), rule.description())?;
        }
        return Ok(Outcome::Fine);
    }
    let options = options(config)?
        .placeholders(args.stand_ins.placeholders(&config.placeholders))
        .without(args.ignore.iter().copied())
        .in_transaction(args.in_transaction || config.lint.in_transaction);

    let (mut files, mut found) = (0, 0);
    let outcome = args.inputs.each(|mut source| {
        files += 1;
        let mut outcome = Outcome::Fine;
        let findings = if args.fix {
            let fixed = pg_ast_lint::fix(&source.text, &options);
            let written = match &source.path {
                Some(path) if fixed.text != source.text => replace(path, &fixed.text),
                Some(_) => Ok(()),
                // The text goes to standard output, and the remaining findings are reported.
                None => Ok(out.write_all(fixed.text.as_bytes())?),
            };
            match written {
                Ok(()) => {
                    source.text = fixed.text;
                    fixed.findings
                }
                // The file is as it was.
                Err(error) => {
                    report::failure(&error);
                    outcome = Outcome::Failed;
                    pg_ast_lint::lint(&source.text, &options)
                }
            }
        } else {
            pg_ast_lint::lint(&source.text, &options)
        };
        let reporter = Reporter::new(&source, args.output.output);
        for finding in &findings {
            let diagnostic = diagnostic(finding);
            if args.fix && source.path.is_none() {
                reporter.print(&mut anstream::stderr().lock(), &diagnostic)?;
            } else {
                reporter.print(out, &diagnostic)?;
            }
        }
        found += findings.len();
        Ok(outcome)
    })?;
    let has_summary = !(args.fix && args.inputs.reads_no_file());
    if args.output.output == Output::Full && has_summary {
        writeln!(out, "{}, {}", counted(files, "file"), counted(found, "finding"))?;
    }
    Ok(outcome.max(if found == 0 { Outcome::Fine } else { Outcome::Found }))
}

fn diagnostic(finding: &Finding) -> Diagnostic {
    let is_error = finding.rule == Rule::SyntaxError;
    let fix = finding.fix.as_ref();
    // Both say the same; the fix is shown below it.
    let help = finding.help.as_ref().or(fix.map(|fix| &fix.title));
    Diagnostic {
        level: if is_error { DiagnosticLevel::Error } else { DiagnosticLevel::Warning },
        rule: Some(finding.rule.name()),
        message: finding.message.clone(),
        range: finding.range.clone(),
        label: expected(&finding.expected),
        help: help.into_iter().cloned().collect(),
        fix: fix.map(|fix| fix.changes.clone()).unwrap_or_default(),
    }
}

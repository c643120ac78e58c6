//! `pgast lint`.

mod baseline;
mod rules;
mod selection;

use std::cell::Cell;
use std::io::Write;

use anyhow::{Context as _, Result, anyhow};
use pg_ast::Version;
use pg_ast_lint::{Applicability, Finding, Fixed, Options, Severity};

pub(super) use self::baseline::Baseline;
pub(super) use self::selection::Selection;
use super::{counted, unified};
use crate::Outcome;
use crate::args::{FailLevel, Lint, Output};
use crate::config::Config;
use crate::input::{Place, Source, each_of};
use crate::report::{self, Diagnostic, DiagnosticLevel, Report, expected};
use crate::write::replace;

pub(crate) fn run(
    args: &Lint,
    version: Version,
    config: &Config,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let output = args.output.or(config.lint.output).unwrap_or_default();
    let mut selection = Selection::new(args, version, config)?;
    if let Some(rule) = args.explain {
        out.write_all(rule.page().as_bytes())?;
        return Ok(Outcome::Fine);
    }
    if args.list_rules {
        return rules::list(&selection.options, output, out);
    }
    if args.unsafe_fixes && !args.fix && !args.diff {
        anyhow::bail!("--unsafe-fixes needs --fix or --diff");
    }
    let baseline = Baseline::find(args, config)?;
    let are_shown = matches!(output, Output::Json | Output::Gitlab | Output::Sarif);
    let database = args.known.texts(config)?.join("\n");
    let options = selection.options.fingerprints(are_shown || baseline.is_some());
    selection.options = options.database(&database);
    let mut run = Run {
        args,
        fail_level: args.fail_level.or(config.lint.fail_level).unwrap_or(FailLevel::Warning),
        baseline,
        report: Report::new(output),
        counts: Counts::default(),
    };
    let all = args.inputs.places()?;
    let (count, mut places) = (all.len(), Vec::new());
    for place in all {
        let is_excluded = match &place {
            Place::File(path) => selection.excludes(path)?,
            _ => false,
        };
        if !is_excluded {
            places.push(place);
        }
    }
    if places.is_empty() && count > 0 {
        anstream::eprintln!("{} left out: see `exclude`", counted(count, "file"));
    }
    let outcome = each_of(places, |source| run.file(source, &selection, out))?;
    run.finish(output, outcome, out)
}

/// What has been found so far.
struct Run<'a> {
    args: &'a Lint,
    fail_level: FailLevel,
    baseline: Option<Baseline>,
    report: Report,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    files: usize,
    found: usize,
    fails: bool,
    fixed: usize,
    safe: usize,
    fixable: usize,
    known: usize,
}

impl Run<'_> {
    fn file(
        &mut self,
        mut source: Source,
        selection: &Selection,
        out: &mut dyn Write,
    ) -> Result<Outcome> {
        self.counts.files += 1;
        let options = selection.of_file(source.path.as_deref());
        let name = match (&self.baseline, &source.path) {
            (Some(baseline), Some(path)) => baseline.name(path)?,
            _ => source.name.clone(),
        };
        let baseline = self.baseline.as_ref().filter(|_| !self.args.write_baseline);
        let known = Cell::new(0);
        let new = |found: Vec<Finding>| {
            let count = found.len();
            let new = baseline.map_or_else(|| found.clone(), |it| it.new_ones(&name, &found));
            known.set(count - new.len());
            new
        };
        let mut outcome = Outcome::Fine;
        let findings = if self.args.fix || self.args.diff {
            let fixed = pg_ast_lint::fix_some(&source.text, &options, new);
            if fixed.is_refused {
                outcome = Outcome::Failed;
                let name = report::one_line(&source.name);
                report::failure(&anyhow!(
                    "{name}: not fixed, since the fixes would change more than they say"
                ));
            }
            if self.args.diff {
                if fixed.text != source.text {
                    unified::print(&source, &fixed.text, "fixed", out)?;
                    outcome = outcome.max(Outcome::Found);
                }
                return Ok(outcome);
            }
            let count = fixed.count;
            match write(&mut source, fixed, out)? {
                Ok(findings) => {
                    self.counts.fixed += count;
                    findings
                }
                // The file is as it was.
                Err(error) => {
                    report::failure(&error);
                    outcome = Outcome::Failed;
                    new(pg_ast_lint::lint(&source.text, &options))
                }
            }
        } else {
            new(pg_ast_lint::lint(&source.text, &options))
        };
        self.counts.known += known.get();
        let is_left = |rule| selection.leaves_out(rule, &options);
        if self.args.write_baseline {
            let baseline = self.baseline.as_mut().context("there is no baseline")?;
            baseline.set(&name, &findings, is_left);
            self.counts.found += findings.len();
            return Ok(outcome);
        }
        if let Some(baseline) = &mut self.baseline {
            baseline.count_gone(&name, known.get(), is_left);
        }
        self.print(&source, &findings, &options, out)?;
        Ok(outcome)
    }

    fn print(
        &mut self,
        source: &Source,
        findings: &[Finding],
        options: &Options,
        out: &mut dyn Write,
    ) -> Result<()> {
        let mut reporter = self.report.file(source);
        for finding in findings {
            let diagnostic = diagnostic(finding);
            if self.args.fix && source.path.is_none() {
                reporter.print(&mut anstream::stderr().lock(), &diagnostic)?;
            } else {
                reporter.print(out, &diagnostic)?;
            }
        }
        let with_unsafe = options.clone().unsafe_fixes(true);
        let fixes = || findings.iter().filter_map(|finding| finding.fix.as_ref());
        self.counts.found += findings.len();
        self.counts.fails |= findings.iter().any(|it| self.fail_level.fails(it.severity));
        self.counts.safe += fixes().filter(|fix| fix.applicability == Applicability::Safe).count();
        self.counts.fixable += fixes().filter(|fix| with_unsafe.applies(fix)).count();
        Ok(())
    }

    fn finish(self, output: Output, outcome: Outcome, out: &mut dyn Write) -> Result<Outcome> {
        let counts = &self.counts;
        if let (true, Some(baseline)) = (self.args.write_baseline, &self.baseline) {
            baseline.write()?;
            let found = counted(counts.found, "finding");
            writeln!(out, "{found} in {}, written to {}", counted(counts.files, "file"), baseline)?;
            return Ok(outcome);
        }
        if self.args.diff {
            return Ok(outcome);
        }
        let is_text = self.args.fix && self.args.inputs.reads_no_file();
        if is_text {
            self.report.finish(&mut anstream::stderr().lock())?;
        } else {
            self.report.finish(out)?;
        }
        if output == Output::Full && !is_text {
            writeln!(out, "{}", counts.summary(self.args.fix))?;
        }
        if let Some(baseline) = &self.baseline {
            baseline.report_gone();
        }
        Ok(outcome.max(if counts.fails { Outcome::Found } else { Outcome::Fine }))
    }
}

impl Counts {
    fn summary(&self, is_fixed: bool) -> String {
        let (files, found) = (counted(self.files, "file"), counted(self.found, "finding"));
        let known = match self.known {
            0 => String::new(),
            known => format!(" besides {known} of the baseline"),
        };
        let fixed = if is_fixed { format!(", {} fixed", self.fixed) } else { String::new() };
        let (safe, all) = (self.safe, self.fixable);
        let fixable = match (is_fixed, safe) {
            (false, 1..) if all == safe => format!("; --fix can fix {safe}"),
            (false, 1..) => format!("; --fix can fix {safe}, with --unsafe-fixes {all}"),
            (_, 0) if all > 0 => format!("; --fix --unsafe-fixes can fix {all}"),
            _ => String::new(),
        };
        format!("{files}, {found}{known}{fixed}{fixable}")
    }
}

/// Writes a fixed text, and returns the findings that remain; or why the file is as it was.
fn write(source: &mut Source, fixed: Fixed, out: &mut dyn Write) -> Result<Result<Vec<Finding>>> {
    let written = match &source.path {
        Some(path) if fixed.text != source.text => replace(path, &fixed.text),
        Some(_) => Ok(()),
        // The text goes to standard output, and the remaining findings are reported.
        None => Ok(out.write_all(fixed.text.as_bytes())?),
    };
    Ok(written.map(|()| {
        source.text = fixed.text;
        fixed.findings
    }))
}

fn diagnostic(finding: &Finding) -> Diagnostic {
    let fix = finding.fix.as_ref();
    // Both say the same; the fix is shown below it.
    let help = finding.help.as_ref().or(fix.map(|fix| &fix.title));
    Diagnostic {
        level: match finding.severity {
            Severity::Error => DiagnosticLevel::Error,
            Severity::Warning => DiagnosticLevel::Warning,
            Severity::Info => DiagnosticLevel::Info,
        },
        rule: Some(finding.rule.name()),
        message: finding.message.clone(),
        range: finding.range.clone(),
        label: expected(&finding.expected),
        help: help.into_iter().cloned().collect(),
        fix: fix.map(|fix| fix.changes.clone()).unwrap_or_default(),
        applicability: fix.map_or(Applicability::Guess, |fix| fix.applicability),
        fingerprint: finding.fingerprint,
    }
}

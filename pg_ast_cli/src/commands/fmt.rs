//! `pgast fmt`.

use std::io::Write;

use anyhow::{Result, anyhow};
use pg_ast::{ColumnUnit, LineIndex, Version};
use pg_ast_fmt::{Columns, Commas, Options};

use super::{counted, unified};
use crate::Outcome;
use crate::args::{Fmt, Output};
use crate::config::Config;
use crate::input::Source;
use crate::report::{self, Diagnostic, Report};
use crate::stand_ins::placeholders;
use crate::write::replace;

/// Returns the options that the settings choose.
pub(super) fn options(config: &Config) -> Options {
    let mut options = Options::default().placeholders(placeholders(&config.placeholders));
    let config = &config.fmt;
    if let Some(indent) = config.indent {
        options.indent = indent.into();
    }
    if let Some(width) = config.width {
        options.width = width.into();
    }
    if let Some(keywords) = config.keywords {
        options.keyword_case = keywords.into();
    }
    if config.commas_first == Some(true) {
        options.commas = Commas::Leading;
    }
    if let Some(style) = config.style {
        options.style = style.into();
    }
    if config.align_columns == Some(true) {
        options.columns = Columns::Aligned;
    }
    if let Some(bodies) = config.bodies {
        options.bodies = bodies.into();
    }
    options
}

pub(crate) fn run(
    args: &Fmt,
    version: Version,
    config: &Config,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let mut options = options(config);
    options.placeholders = args.stand_ins.placeholders(&config.placeholders);
    if let Some(indent) = args.indent {
        options.indent = indent.into();
    }
    if let Some(width) = args.width {
        options.width = width.into();
    }
    if let Some(keywords) = args.keywords {
        options.keyword_case = keywords.into();
    }
    if args.commas_first {
        options.commas = Commas::Leading;
    }
    if let Some(style) = args.style {
        options.style = style.into();
    }
    if args.align_columns {
        options.columns = Columns::Aligned;
    }
    if let Some(bodies) = args.bodies {
        options.bodies = bodies.into();
    }
    args.inputs.each(|source| format(args, version, &options, &source, out))
}

fn format(
    args: &Fmt,
    version: Version,
    options: &Options,
    source: &Source,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let result = pg_ast_fmt::format(version, &source.text, options);
    let mut outcome = Outcome::Fine;
    if !result.errors.is_empty() {
        outcome = Outcome::Found;
        let mut stderr = anstream::stderr().lock();
        let mut report = Report::new(Output::Full);
        let mut reporter = report.file(source);
        for (error, end) in &result.errors {
            let diagnostic = Diagnostic::of_error(error, &source.text, *end);
            reporter.print(&mut stderr, &diagnostic)?;
        }
    }
    let line =
        |offset| LineIndex::new(&source.text).line_column(offset, ColumnUnit::Bytes).line + 1;
    if let Some(difference) = &result.refused {
        outcome = Outcome::Failed;
        report::failure(&anyhow!(
            "{}:{}: not formatted: {} would change",
            source.name,
            line(difference.offset),
            difference.kind
        ));
    }
    if let Some(first) = result.kept.first() {
        anstream::eprintln!(
            "{}:{}: {} left as {}, since {} layout would not be the same SQL",
            source.name,
            line(*first),
            counted(result.kept.len(), "statement"),
            if result.kept.len() == 1 { "it is" } else { "they are (this is the first)" },
            if result.kept.len() == 1 { "its" } else { "their" }
        );
    }
    if let Some(first) = result.kept_bodies.first() {
        anstream::eprintln!(
            "{}:{}: {} with a body left as it is{}, since its layout would not be the same SQL",
            source.name,
            line(*first),
            counted(result.kept_bodies.len(), "statement"),
            if result.kept_bodies.len() == 1 { "" } else { " (this is the first)" },
        );
    }
    let changed = result.text != source.text;
    if args.check || args.diff {
        if changed {
            outcome = Outcome::Found;
            if args.diff {
                unified::print(source, &result.text, "formatted", out)?;
            } else {
                writeln!(out, "{} is not formatted", source.name)?;
            }
        }
        return Ok(outcome);
    }
    match &source.path {
        Some(path) if !args.stdout => {
            if changed {
                if let Err(error) = replace(path, &result.text) {
                    report::failure(&error);
                    return Ok(Outcome::Failed);
                }
                writeln!(out, "{} formatted", source.name)?;
            }
        }
        _ => out.write_all(result.text.as_bytes())?,
    }
    Ok(outcome)
}

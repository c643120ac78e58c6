//! `pgast check`.

use std::io::Write;
use std::ops::Range;

use anyhow::Result;
use pg_ast::{PartEnd, ScriptState, Version};

use super::counted;
use crate::Outcome;
use crate::args::{Check, Output};
use crate::report::{Diagnostic, DiagnosticLevel, Reporter};

pub(crate) fn run(args: &Check, version: Version, out: &mut dyn Write) -> Result<Outcome> {
    let output = args.output.output;
    let (mut files, mut stmts, mut errors) = (0, 0, 0);
    let outcome = args.inputs.each(|source| {
        let reporter = Reporter::new(&source, output);
        let mut open_copy = None;
        for stmt in version.parse_script_with(&source.text, args.limits.options()) {
            stmts += 1;
            match stmt.result {
                Ok(warnings) => {
                    for warning in &warnings {
                        reporter.print(out, &Diagnostic::of_warning(warning, &source.text))?;
                    }
                    let is_open =
                        |data: Range<usize>| source.text[data].lines().next_back() != Some("\\.");
                    if stmt.copy_data.is_some_and(is_open) {
                        open_copy = Some(stmt.range);
                    }
                }
                Err(error) => {
                    errors += 1;
                    let end = stmt.range.end;
                    reporter.print(out, &Diagnostic::of_error(&error, &source.text, end))?;
                }
            }
        }
        let open_copy = open_copy.or_else(|| open_command(version, &source.text));
        if let Some(copy) = open_copy {
            reporter.print(out, &open_data(copy))?;
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

/// Returns the range of the `\copy` whose data extends to the end of a script.
fn open_command(version: Version, script: &str) -> Option<Range<usize>> {
    if !script.as_bytes().windows(5).any(|name| name.eq_ignore_ascii_case(b"\\copy")) {
        return None;
    }
    let part = version.split_part(script, PartEnd::End, &mut ScriptState::default());
    let before = script[..part.data?.start].trim_end();
    Some(before.rfind('\n').map_or(0, |end| end + 1)..before.len())
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
    }
}

//! Finds dangerous or probably unintended SQL, shows its place, and fixes it.
//!
//! ```text
//! cargo run -p pg_ast_lint --example lint -- migration.sql
//! warning[null-comparison]: a comparison with NULL is never true
//!  --> migration.sql:3:29
//!   |
//! 3 | DELETE FROM users WHERE seen = NULL;
//!   |                         ^^^^^^^^^^^
//!   |
//! help: use IS NULL
//!   |
//! 3 - DELETE FROM users WHERE seen = NULL;
//! 3 + DELETE FROM users WHERE seen IS NULL;
//!   |
//!
//! cargo run -p pg_ast_lint --example lint -- --fix migration.sql
//! ```
//!
//! `--in-transaction` is for scripts that a program runs in a transaction, `--rules`
//! prints the rules. A comment `-- pgast-ignore RULE` before a statement disables a rule.
//!
//! The exit code is 1 if a finding was not fixed, and 2 if a file cannot be read or written.
//!
//! The rules are those of the crate `pg_ast_lint`; this program presents their findings:
//! lines, carets and suggestions with the crate `annotate-snippets`, and edits of the files.

use std::io::{self, IsTerminal as _, Write};
use std::ops::Range;
use std::process::ExitCode;
use std::{env, fs};

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use pg_ast::{ColumnUnit, LineIndex};
use pg_ast_lint::{Finding, Fix, Options, Rule, fix, lint};

/// The maximum number of expected tokens to show.
const EXPECTED: usize = 8;

/// Returns the findings in a script, as text.
pub(crate) fn show(path: &str, script: &str, findings: &[Finding], renderer: &Renderer) -> String {
    let lines = LineIndex::new(script);
    let mut shown = String::new();
    for finding in findings {
        let level = match finding.rule {
            Rule::SyntaxError => Level::ERROR,
            _ => Level::WARNING,
        };
        // Only the first line of a long statement is marked.
        let mut range = finding.range.clone();
        let first = lines_around(&lines, &(range.start..range.start));
        range.end = range.end.min(first.end);
        let (snippet, start) = snippet(path, script, &lines, &range);
        let mark = AnnotationKind::Primary.span(range.start - start..range.end - start);
        let title = level.primary_title(finding.message.as_str()).id(finding.rule.name());
        let mut group = title.element(snippet.annotation(mark));
        group = group.elements(expected(finding).map(|expected| Level::NOTE.message(expected)));
        let fix = finding.fix.as_ref().filter(|fix| !fix.changes.is_empty());
        let help = finding.help.as_deref();
        let report = match fix {
            Some(fix) => vec![group, suggestion(path, script, &lines, help, fix)],
            None => vec![group.elements(help.map(|help| Level::HELP.message(help)))],
        };
        shown += &renderer.render(&report);
        shown += "\n\n";
    }
    shown
}

/// Returns the lines that a fix changes, before and after it.
fn suggestion<'a>(
    path: &'a str,
    script: &'a str,
    lines: &LineIndex<'_>,
    help: Option<&'a str>,
    fix: &'a Fix,
) -> Group<'a> {
    let start = fix.changes.iter().map(|(range, _)| range.start).min().unwrap_or(0);
    let end = fix.changes.iter().map(|(range, _)| range.end).max().unwrap_or(start);
    let (snippet, start) = snippet(path, script, lines, &(start..end));
    let change = |(range, text): &'a (Range<usize>, String)| {
        Patch::new(range.start - start..range.end - start, text.as_str())
    };
    let title = Level::HELP.secondary_title(help.unwrap_or(&fix.title));
    title.element(snippet.patches(fix.changes.iter().map(change)))
}

/// Returns the lines of a range: from the start of the first to the end of the last.
fn lines_around(lines: &LineIndex<'_>, range: &Range<usize>) -> Range<usize> {
    let line = |offset| lines.line_column(offset, ColumnUnit::Bytes).line;
    let start = lines.line(line(range.start)).map_or(0, |line| line.start);
    start..lines.line(line(range.end)).map_or(range.end, |line| line.end)
}

/// Returns only the lines of a range, to avoid a pass over a long script per finding; and their start.
fn snippet<'a, T: Clone>(
    path: &'a str,
    script: &'a str,
    lines: &LineIndex<'_>,
    range: &Range<usize>,
) -> (Snippet<'a, T>, usize) {
    let around = lines_around(lines, range);
    let line = lines.line_column(around.start, ColumnUnit::Bytes).line;
    let snippet = Snippet::source(&script[around.clone()]).path(path).line_start(line + 1);
    (snippet, around.start)
}

/// Returns the tokens that the grammar would have accepted.
fn expected(finding: &Finding) -> Option<String> {
    let names: Vec<_> = finding.expected.iter().take(EXPECTED).map(ToString::to_string).collect();
    let names = names.join(", ");
    match finding.expected.len() {
        0 => None,
        1..=EXPECTED => Some(format!("expected {names}")),
        all => Some(format!("expected {names} or one of {} others", all - EXPECTED)),
    }
}

/// Executes the command line; returns the exit code.
pub(crate) fn run(args: impl IntoIterator<Item = String>, out: &mut dyn Write) -> io::Result<u8> {
    let (mut options, mut mends, mut paths) = (Options::default(), false, Vec::new());
    for arg in args {
        match arg.as_str() {
            "--fix" => mends = true,
            "--in-transaction" => options = options.in_transaction(true),
            "--rules" => {
                for rule in Rule::ALL {
                    writeln!(out, "{rule}: {}\n    {}", rule.description(), rule.explanation())?;
                }
                return Ok(0);
            }
            _ if arg.starts_with("--") => {
                writeln!(out, "usage: lint [--fix] [--in-transaction] FILE.. | --rules")?;
                return Ok(2);
            }
            _ => paths.push(arg),
        }
    }
    let colour = io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none();
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut code = 0;
    for path in &paths {
        let read = fs::read_to_string(path).and_then(|script| {
            if !mends {
                let findings = lint(&script, &options);
                return Ok((script, findings));
            }
            let fixed = fix(&script, &options);
            if fixed.text != script {
                fs::write(path, &fixed.text)?;
                writeln!(out, "{path}: {} mended", fixed.count)?;
            }
            Ok((fixed.text, fixed.findings))
        });
        match read {
            Ok((script, findings)) => {
                code = code.max(u8::from(!findings.is_empty()));
                out.write_all(show(path, &script, &findings, &renderer).as_bytes())?;
            }
            Err(error) => {
                code = 2;
                writeln!(out, "{path}: {error}")?;
            }
        }
    }
    Ok(code)
}

fn main() -> ExitCode {
    match run(env::args().skip(1), &mut io::stdout().lock()) {
        Ok(code) => ExitCode::from(code),
        // The reader has closed the pipe.
        Err(_) => ExitCode::from(2),
    }
}

//! The list of rules.

use std::io::Write;

use anstyle::Style;
use anyhow::Result;
use pg_ast_lint::{Options, Rule, lint};
use serde::Serialize;

use crate::Outcome;
use crate::args::Output;

/// A row of the list.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    set: &'static str,
    is_on: bool,
    severity: &'static str,
    /// That of the example on its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'static str>,
    description: &'static str,
}

/// Prints all rules, as options set them.
pub(super) fn list(options: &Options, output: Output, out: &mut dyn Write) -> Result<Outcome> {
    let rows = Rule::ALL.iter().map(|rule| Row {
        name: rule.name(),
        set: if rule.is_recommended() { "recommended" } else { "all" },
        is_on: options.has(*rule),
        severity: options.severity_of(*rule).name(),
        fix: fix_of(*rule),
        description: rule.description(),
    });
    let rows: Vec<_> = rows.collect();
    if output == Output::Json {
        for row in rows {
            serde_json::to_writer(&mut *out, &row)?;
            writeln!(out)?;
        }
        return Ok(Outcome::Fine);
    }
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
    let bold = Style::new().bold();
    for row in rows {
        let Row { name, set, is_on, severity, fix, description } = row;
        let (state, fix) = (if is_on { "on" } else { "off" }, fix.unwrap_or("-"));
        writeln!(
            out,
            "{bold}{name:width$}{bold:#}  {set:11}  {state:3}  {severity:7}  {fix:6}  {description}"
        )?;
    }
    Ok(Outcome::Fine)
}

/// Returns what kind of fix the bad example on a rule's page gets.
fn fix_of(rule: Rule) -> Option<&'static str> {
    let (_, section) = rule.page().split_once("\n## Bad\n")?;
    let (_, code) = section.split_once("```sql\n")?;
    let (code, _) = code.split_once("```")?;
    let found = lint(code, &Options::default().only([rule]));
    let fix = found.iter().find_map(|finding| finding.fix.as_ref())?;
    Some(fix.applicability.name())
}

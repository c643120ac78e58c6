//! What would change in a file, for a terminal and for `patch`.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};

use crate::input::Source;
use crate::report::one_line;

/// Prints the changes, with three lines of context.
pub(super) fn print(source: &Source, new: &str, verb: &str, out: &mut dyn Write) -> io::Result<()> {
    let style = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
    let name = one_line(&source.name);
    let diff = TextDiff::from_lines(source.text.as_str(), new);
    writeln!(out, "--- {name}\n+++ {name}, {verb}")?;
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        let cyan = style(AnsiColor::Cyan);
        writeln!(out, "{cyan}{}{cyan:#}", hunk.header())?;
        for change in hunk.iter_changes() {
            let style = match change.tag() {
                ChangeTag::Delete => style(AnsiColor::Red),
                ChangeTag::Insert => style(AnsiColor::Green),
                ChangeTag::Equal => Style::new(),
            };
            let line = change.value().trim_end_matches('\n');
            writeln!(out, "{style}{}{line}{style:#}", change.tag())?;
            if change.missing_newline() {
                writeln!(out, "\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

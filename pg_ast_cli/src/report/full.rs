//! `--output full`: source lines.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use pg_ast::ColumnUnit;
use pg_ast_lint::Applicability;

use super::diagnostic::{Diagnostic, DiagnosticLevel, boundary, one_line};
use super::{MARK, Reporter, place};

/// The maximum number of bytes to show of long lines, such as the inserts of a dump, besides
/// some context: each of many findings would print the whole line.
const LONGEST: usize = 4096;
const AROUND: usize = 256;

impl Reporter<'_> {
    pub(super) fn print_full(
        &self,
        out: &mut dyn Write,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        let level = match diagnostic.level {
            DiagnosticLevel::Error => Level::ERROR,
            DiagnosticLevel::Warning => Level::WARNING,
            DiagnosticLevel::Info => Level::INFO,
        };
        // Neither may begin a line with what is a command elsewhere.
        let [message, name] = [&diagnostic.message, &self.source.name].map(|text| one_line(text));
        let mut title = level.primary_title(message.as_str());
        if let Some(rule) = diagnostic.rule {
            title = title.id(rule);
        }
        let part = self.part(std::slice::from_ref(&diagnostic.range));
        let annotation = AnnotationKind::Primary
            .span(part.within(&diagnostic.range))
            .label((!diagnostic.label.is_empty()).then_some(diagnostic.label.as_str()));
        let mut snippet = Snippet::source(part.text).line_start(part.line).annotation(annotation);
        let name = name.as_str();
        let mut group = Group::with_title(title);
        if part.is_cut {
            let (line, column) = place(self.text(), &self.lines, diagnostic.range.start);
            let origin = Origin::path(name).line(line).char_column(column);
            group = group.element(origin);
        } else {
            snippet = snippet.path(name);
        }
        group = group.element(snippet);
        let (fix, help) = match diagnostic.help.split_last() {
            Some((last, help)) if !diagnostic.fix.is_empty() => (Some(last), help),
            _ => (None, diagnostic.help.as_slice()),
        };
        let fix = fix.map(|title| match diagnostic.applicability {
            Applicability::Unsafe => format!("{title} (unsafe)"),
            _ => title.clone(),
        });
        for help in help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let mut report = vec![group];
        report.extend(fix.as_ref().map(|fix| self.fix(fix, &diagnostic.fix)));
        writeln!(out, "{}\n", Renderer::styled().render(&report))
    }

    /// Shows the text with a fix.
    fn fix<'b>(&'b self, title: &'b str, fix: &'b [(Range<usize>, String)]) -> Group<'b> {
        let ranges: Vec<_> = fix.iter().map(|(range, _)| range.clone()).collect();
        let part = self.part(&ranges);
        let shown = fix.iter().filter(|(range, _)| part.has(range));
        let patches = shown.map(|(range, text)| Patch::new(part.within(range), text.as_str()));
        Level::HELP
            .secondary_title(title)
            .element(Snippet::source(part.text).line_start(part.line).patches(patches))
    }

    /// Returns the lines that contain ranges: the whole text would be scanned for each diagnostic.
    fn part(&self, ranges: &[Range<usize>]) -> Part<'_> {
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(start);
        let line = |offset| self.lines.line_column(offset, ColumnUnit::Bytes).line;
        let (first, last) = (line(start), line(end));
        let mut shown = self.lines.line(first).map_or(0, |range| range.start)
            ..self.lines.line(last).map_or(self.source.text.len(), |range| range.end);
        let mark = self.source.text.starts_with(MARK).then_some(MARK.len_utf8());
        shown.start = shown.start.max(mark.unwrap_or(0));
        let is_cut = shown.len() > LONGEST;
        if is_cut {
            let text = &self.source.text;
            shown.start = shown.start.max(boundary(text, start.saturating_sub(AROUND)));
            let most = end.min(start + LONGEST) + AROUND;
            shown.end = shown.end.min(boundary(text, most));
        }
        let line = line(shown.start) + 1;
        Part { text: &self.source.text[shown.clone()], start: shown.start, line, is_cut }
    }
}

/// Some lines of a text, or a part of them.
struct Part<'a> {
    text: &'a str,
    /// Its offset in bytes.
    start: usize,
    /// The number of its first line, counted from 1.
    line: usize,
    is_cut: bool,
}

impl Part<'_> {
    fn within(&self, range: &Range<usize>) -> Range<usize> {
        let place = |offset: usize| offset.saturating_sub(self.start).min(self.text.len());
        place(range.start)..place(range.end)
    }

    fn has(&self, range: &Range<usize>) -> bool {
        range.end - self.start <= self.text.len()
    }
}

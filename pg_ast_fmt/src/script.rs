//! Formats scripts: statements, and what is between them.

use std::ops::Range;

use pg_ast::{Error, Version};

use crate::bodies::{WithBody, format_body};
use crate::check::{Difference, compare_with, difference_of_texts};
use crate::gap::Gap;
use crate::layout::lay_out;
use crate::options::{Bodies, Options};
use crate::printer::print;
use crate::statements::{BOM, Stmt, statements};
use crate::switches::Switches;
use crate::tree::Tree;

/// The number of layouts of a script that are tried, each with fewer statements laid out.
const LAYOUTS: usize = 4;

/// A formatted script, with its errors.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Formatted {
    /// The script in its layout.
    pub text: String,
    /// The errors, with positions in the original script in bytes, each with the end of its statement there. These
    /// statements stay as they are.
    pub errors: Vec<(Error, usize)>,
    /// The places of correct statements that stay as they are since their layout was not the same SQL, in bytes of the
    /// original script.
    pub kept: Vec<usize>,
    /// The places of statements whose correct bodies stay as they are for that reason, in bytes of the original script.
    pub kept_bodies: Vec<usize>,
    /// The difference that the layout would have made, if the script stays as it is for that reason.
    pub refused: Option<Difference>,
}

/// A statement, and the text that takes its place.
struct Part {
    range: Range<usize>,
    /// `None` if it stays as it is.
    printed: Option<String>,
    /// True if the text before and after it stays as it is as well.
    is_fixed: bool,
    kind: Kind,
    copies: bool,
    keeps_body: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Correct,
    Wrong,
    /// A comment says so, or it is outside of the range.
    Off,
}

impl Part {
    fn fix(&mut self) {
        self.printed = None;
        self.is_fixed = true;
    }
}

/// Formats a script. Formatting the result changes nothing.
///
/// Wrong statements and parts for psql alone (its commands, the data of `COPY`) stay as they are. The result has the same
/// tokens and comments as the script, and the same trees; if it has not, the statement or the script stays as it is.
///
/// ```
/// use pg_ast::Version;
/// use pg_ast_fmt::{Options, format};
///
/// let script = "select a,b -- both\nfrom t where a=0xFF;";
/// let formatted = format(Version::newest(), script, &Options::default());
/// assert_eq!(formatted.text, "SELECT a, b -- both\nFROM t\nWHERE a = 0xFF;\n");
/// assert!(formatted.errors.is_empty());
/// ```
#[must_use]
pub fn format(version: Version, script: &str, options: &Options) -> Formatted {
    ScriptFormatter::new(version, script, options).format()
}

/// Formats the statements of a script that are in a range of it, in bytes, also those that are so in part. All else
/// stays as it is.
///
/// ```
/// use pg_ast::Version;
/// use pg_ast_fmt::{Options, format_range};
///
/// let script = "select  1;\nselect  2;\nselect  3;\n";
/// let formatted = format_range(Version::newest(), script, 12..14, &Options::default());
/// assert_eq!(formatted.text, "select  1;\nSELECT 2;\nselect  3;\n");
/// ```
#[must_use]
pub fn format_range(
    version: Version,
    script: &str,
    range: Range<usize>,
    options: &Options,
) -> Formatted {
    ScriptFormatter { range, ..ScriptFormatter::new(version, script, options) }.format()
}

struct ScriptFormatter<'a> {
    version: Version,
    options: &'a Options,
    script: &'a str,
    /// What is to be formatted.
    range: Range<usize>,
    eol: &'static str,
}

impl<'a> ScriptFormatter<'a> {
    fn new(version: Version, script: &'a str, options: &'a Options) -> Self {
        Self { version, options, script, range: 0..script.len(), eol: line_break(script) }
    }

    fn format(&self) -> Formatted {
        let script = self.script;
        let stmts = statements(self.version, script, self.options.placeholders);
        let mut parts = self.parts(&stmts);
        let errors = stmts
            .iter()
            .filter_map(|stmt| Some((stmt.result.as_ref().err()?.clone(), stmt.range.end)));
        let errors = errors.collect();
        let mut refused = None;
        for _ in 0..LAYOUTS {
            let text = self.lay_out(&mut parts);
            let has_same_tokens =
                |index: usize, sql: &str| parts[index].printed.as_deref() == Some(sql);
            let placeholders = self.options.placeholders;
            let old = (script, &stmts[..]);
            let compared = compare_with(self.version, placeholders, old, &text, has_same_tokens);
            let Err(difference) = compared else {
                let places = |is_kept: fn(&Part) -> bool| {
                    let kept = parts.iter().filter(|part| is_kept(part));
                    kept.map(|part| part.range.start).collect()
                };
                let kept = places(|part| part.kind == Kind::Correct && part.printed.is_none());
                let kept_bodies = places(|part| part.printed.is_some() && part.keeps_body);
                return Formatted { text, errors, kept, kept_bodies, refused: None };
            };
            // Where a wrong statement ends depends on the statements around it.
            let around = difference.stmt.saturating_sub(1)..parts.len().min(difference.stmt + 2);
            parts.get_mut(around).into_iter().flatten().for_each(Part::fix);
            refused.get_or_insert(difference);
        }
        let text = script.to_owned();
        Formatted { text, errors, kept: Vec::new(), kept_bodies: Vec::new(), refused }
    }

    /// Prints the statements that can be.
    fn parts(&self, stmts: &[Stmt]) -> Vec<Part> {
        let script = self.script;
        let mut switches = Switches::new(self.version, script);
        // The data of a COPY begins on the next line, so that no line may begin before.
        let mut on_line_of_copy = false;
        let mut end = 0;
        let parts = stmts.iter().enumerate().map(|(index, stmt)| {
            let sql = &script[stmt.range.clone()];
            on_line_of_copy &= !script[end..stmt.range.start].contains('\n');
            let next = stmts.get(index + 1).map_or(script.len(), |next| next.range.start);
            let is_off = switches.is_off(end..stmt.range.start, &stmt.range, stmt.range.end..next);
            end = stmt.range.end;
            let kind = match stmt.result {
                _ if is_off || !self.has(&stmt.range) => Kind::Off,
                Ok(_) => Kind::Correct,
                Err(_) => Kind::Wrong,
            };
            let is_fixed = kind != Kind::Correct || on_line_of_copy;
            on_line_of_copy = stmt.copies || (on_line_of_copy && !sql.contains('\n'));
            let mut keeps_body = false;
            let printed = if is_fixed { None } else { self.print(sql, &mut keeps_body) };
            let (range, copies) = (stmt.range.clone(), stmt.copies);
            Part { range, printed, is_fixed, kind, copies, keeps_body }
        });
        parts.collect()
    }

    /// Whether a statement is to be formatted.
    fn has(&self, stmt: &Range<usize>) -> bool {
        stmt.start <= self.range.end && self.range.start <= stmt.end
    }

    /// Prints a statement. `None` if its tokens would not be the same.
    fn print(&self, sql: &str, keeps_body: &mut bool) -> Option<String> {
        let placeholders = self.options.placeholders;
        let (mut tree, body) = match self.options.bodies {
            Bodies::Keep => (Tree::parse(self.version, sql, placeholders).ok()??, None),
            Bodies::DollarQuoted => {
                Tree::parse_with_body(self.version, sql, placeholders).ok()??
            }
        };
        let with_body;
        if let Some(body) = body {
            match format_body(self.version, self.options, sql, &body, self.eol) {
                WithBody::Same => {}
                WithBody::Kept => *keeps_body = true,
                WithBody::Changed(text) => {
                    with_body = text;
                    tree = Tree::parse(self.version, &with_body, placeholders).ok()??;
                }
            }
        }
        let mut ops = lay_out(&tree, self.options);
        let text = print(&tree, self.options, &mut ops, self.eol, ";".len());
        let is_same = difference_of_texts(self.version, placeholders, tree.sql, &text).is_none();
        is_same.then_some(text)
    }

    /// Puts the parts together.
    fn lay_out(&self, parts: &mut [Part]) -> String {
        let (script, eol) = (self.script, self.eol);
        let start = if script.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let ends = parts.iter().map(|part| part.range.end);
        let starts = parts.iter().map(|part| part.range.start);
        let gaps = std::iter::once(start).chain(ends).zip(starts.chain([script.len()]));
        let gaps: Vec<_> = gaps.map(|(start, end)| &script[start..end]).collect();

        let mut text = String::with_capacity(script.len() + script.len() / 4);
        text += &script[..start];
        for (index, gap) in gaps.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| &parts[index]);
            let part = parts.get(index);
            let is_outside = match (before, part) {
                (None, Some(part)) => self.range.start >= part.range.start,
                (Some(before), None) => {
                    self.range.end <= before.range.end && self.range.end < script.len()
                }
                _ => false,
            };
            let is_fixed = is_outside
                || before.is_some_and(|before| before.is_fixed || before.copies)
                || part.is_some_and(|part| part.is_fixed);
            match Gap::read(self.version, gap).filter(|_| !is_fixed) {
                Some(read) => {
                    if before.is_some() && part.is_none() && read.items().next().is_none() {
                        text.push(';');
                    }
                    text += &read.lay_out(before.is_some(), part.is_some(), eol);
                }
                None => text += gap,
            }
            match part {
                Some(Part { printed: Some(printed), .. }) => text += printed,
                Some(part) => text += &script[part.range.clone()],
                None => {}
            }
        }
        let ends_wrong = |part: &Part| part.kind == Kind::Wrong && part.range.end == script.len();
        if let Some(last) = parts.last().filter(|part| ends_wrong(part))
            && self.version.scan(&script[last.range.clone()]).is_ok()
        {
            text += eol;
        }
        text
    }
}

/// Returns the line break of a script: that of its last line.
fn line_break(script: &str) -> &'static str {
    let last = script.rfind('\n').unwrap_or(0);
    if script[..last].ends_with('\r') { "\r\n" } else { "\n" }
}

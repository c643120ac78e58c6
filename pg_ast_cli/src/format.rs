//! Formats scripts. The example `fmt` and the language server also use this file.

// Found from here, wherever this file is included.
#[path = "format/check.rs"]
pub(crate) mod check;
#[path = "format/gap.rs"]
mod gap;
#[path = "format/statements.rs"]
mod statements;

use std::ops::Range;

use pg_ast::{DeparseOptions, Error, Version};

use check::{Difference, compare};
use check::{comments as comments_of, is_same_sql};
use gap::{Gap, Item};
use statements::{BOM, Stmt, Tree, statements};

/// The number of times that a statement is printed until it no longer changes.
const PRINTS: usize = 4;

/// The number of layouts of a script that are tried, each with fewer statements laid out.
const LAYOUTS: usize = 4;

/// A formatter of scripts.
#[derive(Clone, Debug)]
pub(crate) struct Formatter {
    version: Version,
    options: DeparseOptions,
}

/// A formatted script, with its errors.
#[derive(Debug)]
pub(crate) struct Formatted {
    pub(crate) text: String,
    /// The errors, with positions in the original script, each with the end of its statement there.
    pub(crate) errors: Vec<(Error, usize)>,
    /// The places of correct statements that stay as they are, since the printer would lose something.
    pub(crate) kept: Vec<usize>,
    /// The difference that the layout would have made, if the script stays as it is for that reason.
    pub(crate) refused: Option<Difference>,
}

/// A statement, and the text that takes its place.
struct Part {
    range: Range<usize>,
    /// `None` if it stays as it is.
    printed: Option<Printed>,
    /// True if the text before and after it stays as it is as well.
    is_fixed: bool,
    kind: Kind,
    copies: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Correct,
    Wrong,
}

/// A statement in its layout.
struct Printed {
    /// The comments before its first token, with the blanks around them.
    before: String,
    text: String,
    /// The comments after its last token, with the blanks around them.
    after: String,
}

impl Part {
    fn fix(&mut self) {
        self.printed = None;
        self.is_fixed = true;
    }
}

impl Formatter {
    /// Returns an error if the version has no layouts.
    pub(crate) fn new(version: Version, options: DeparseOptions) -> Result<Self, Error> {
        let options = options.pretty_print(true);
        version.reformat("SELECT 1", &options)?;
        Ok(Self { version, options })
    }

    /// Formats a script. Formatting the result changes nothing.
    ///
    /// Wrong statements, parts for psql alone (its commands, the data of `COPY`), and statements that would lose
    /// something stay as they are. The whole script does if the result is not the same script, by [`compare`].
    pub(crate) fn format(&self, script: &str) -> Formatted {
        let stmts = statements(self.version, script);
        let mut parts = self.parts(script, &stmts);
        let errors =
            stmts.into_iter().filter_map(|stmt| Some((stmt.result.err()?, stmt.range.end)));
        let errors = errors.collect();
        let mut refused = None;
        for _ in 0..LAYOUTS {
            let text = self.lay_out(script, &mut parts);
            let Err(difference) = compare(self.version, script, &text) else {
                let kept = parts
                    .iter()
                    .filter(|part| part.kind == Kind::Correct && part.printed.is_none());
                let kept = kept.map(|part| part.range.start).collect();
                return Formatted { text, errors, kept, refused: None };
            };
            // Where a wrong statement ends depends on the statements around it.
            let around = difference.stmt.saturating_sub(1)..parts.len().min(difference.stmt + 2);
            parts.get_mut(around).into_iter().flatten().for_each(Part::fix);
            refused.get_or_insert(difference);
        }
        Formatted { text: script.to_owned(), errors, kept: Vec::new(), refused }
    }

    /// Prints the statements that can be.
    fn parts(&self, script: &str, stmts: &[Stmt]) -> Vec<Part> {
        // The data of a COPY begins on the next line, so that no line may begin before.
        let mut on_line_of_copy = false;
        let mut end = 0;
        let parts = stmts.iter().map(|stmt| {
            let sql = &script[stmt.range.clone()];
            on_line_of_copy &= !script[end..stmt.range.start].contains('\n');
            end = stmt.range.end;
            let kind = match stmt.result {
                Ok(_) => Kind::Correct,
                Err(_) => Kind::Wrong,
            };
            let is_fixed = kind != Kind::Correct || on_line_of_copy;
            on_line_of_copy = stmt.copies || (on_line_of_copy && !sql.contains('\n'));
            let tree = stmt.result.as_ref().ok().filter(|_| !is_fixed);
            Part {
                range: stmt.range.clone(),
                printed: tree.and_then(|tree| self.print(sql, tree)),
                is_fixed,
                kind,
                copies: stmt.copies,
            }
        });
        parts.collect()
    }

    /// Prints a statement with its comments, until printing the result changes nothing. `None` if something would be lost.
    fn print(&self, sql: &str, tree: &Tree) -> Option<Printed> {
        let mut printed =
            Printed { before: String::new(), text: sql.to_owned(), after: String::new() };
        for _ in 0..PRINTS {
            let next = self.print_once(&printed.text, tree)?;
            let is_stable =
                next.text == printed.text && next.before.is_empty() && next.after.is_empty();
            printed.text = next.text;
            if is_stable {
                return Some(printed);
            }
            printed.before += &next.before;
            printed.after = self.join(&next.after, &printed.after);
        }
        None
    }

    fn print_once(&self, sql: &str, tree: &Tree) -> Option<Printed> {
        let mut comments = self.version.comments(sql).ok()?;
        for comment in comments.iter_mut().filter(|comment| comment.text.starts_with("--")) {
            comment.text.truncate(comment.text.trim_ascii_end().len());
        }
        let text = self.version.reformat(sql, self.options.clone().comments(comments)).ok()?;
        let stmts = statements(self.version, &text);
        let [stmt] = stmts.as_slice() else { return None };
        let printed = stmt.result.as_ref().ok()?;
        let (before, rest) = text.split_at(stmt.range.start);
        let (stmt, after) = rest.split_at(stmt.range.len());
        let is_only_comments = |text| {
            let gap = Gap::read(self.version, text);
            gap.is_some_and(|gap| gap.items().all(|item| item != Item::Semicolon))
        };
        let same = is_same_sql(self.version, (sql, tree), (stmt, printed))
            && comments_of(self.version, sql).eq(comments_of(self.version, &text))
            && is_only_comments(before)
            && is_only_comments(after);
        same.then(|| Printed {
            before: before.to_owned(),
            text: stmt.to_owned(),
            after: after.to_owned(),
        })
    }

    /// Joins text between statements, so that a line comment ends.
    fn join(&self, before: &str, after: &str) -> String {
        let last = Gap::read(self.version, before).and_then(|gap| gap.items().next_back());
        let is_open = matches!(last, Some(Item::LineComment(_)));
        [before, if is_open { "\n" } else { "" }, after].concat()
    }

    /// Puts the parts together.
    fn lay_out(&self, script: &str, parts: &mut [Part]) -> String {
        let eol = line_break(script);
        let start = if script.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let ends = parts.iter().map(|part| part.range.end);
        let starts = parts.iter().map(|part| part.range.start);
        let gaps = std::iter::once(start).chain(ends).zip(starts.chain([script.len()]));
        let gaps: Vec<_> = gaps.map(|(start, end)| &script[start..end]).collect();
        let is_fixed: Vec<_> = gaps
            .iter()
            .enumerate()
            .map(|(index, gap)| {
                index.checked_sub(1).is_some_and(|it| parts[it].is_fixed || parts[it].copies)
                    || parts.get(index).is_some_and(|part| part.is_fixed)
                    || Gap::read(self.version, gap).is_none()
            })
            .collect();
        // Nothing can be put into text that stays as it is.
        for (index, part) in parts.iter_mut().enumerate() {
            part.printed.take_if(|printed| {
                (is_fixed[index] && !printed.before.is_empty())
                    || (is_fixed[index + 1] && !printed.after.is_empty())
            });
        }

        let mut text = String::with_capacity(script.len());
        text += &script[..start];
        for (index, gap) in gaps.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| &parts[index]);
            let part = parts.get(index);
            let after = before.and_then(|part| Some(part.printed.as_ref()?.after.as_str()));
            let gap = self.join(after.unwrap_or_default(), gap);
            let gap = gap
                + part
                    .and_then(|it| Some(it.printed.as_ref()?.before.as_str()))
                    .unwrap_or_default();
            match Gap::read(self.version, &gap).filter(|_| !is_fixed[index]) {
                Some(read) => {
                    if before.is_some() && part.is_none() && read.items().next().is_none() {
                        text.push(';');
                    }
                    text += &read.lay_out(before.is_some(), part.is_some(), eol);
                }
                None => text += &gap,
            }
            match part {
                Some(Part { printed: Some(printed), .. }) => {
                    text += &self.with_line_breaks(&printed.text, eol);
                }
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

    /// Replaces the line breaks between tokens.
    fn with_line_breaks(&self, sql: &str, eol: &str) -> String {
        let mut text = String::with_capacity(sql.len());
        let mut end = 0;
        for token in self.version.scan(sql).unwrap_or_default() {
            text += &sql[end..token.range.start].replace('\n', eol);
            text += &sql[token.range.clone()];
            end = token.range.end;
        }
        text + &sql[end..]
    }
}

/// Returns the line break of a script: that of its last line.
fn line_break(script: &str) -> &'static str {
    let last = script.rfind('\n').unwrap_or(0);
    if script[..last].ends_with('\r') { "\r\n" } else { "\n" }
}

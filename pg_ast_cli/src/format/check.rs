//! Whether a formatted script is the same script.

use std::fmt;

use pg_ast::{DeparseOptions, TokenText, Version};

use super::gap::{Gap, Item};
use super::statements::{BOM, Stmt, Tree, statements};

/// Something that differs between two scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The number of the statement, counted from 0, in or after which it is.
    pub(crate) stmt: usize,
    /// Its place in the first script, in bytes.
    pub(crate) offset: usize,
    pub(crate) kind: DifferenceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DifferenceKind {
    /// There is another statement, or one less, or it is another one.
    Stmt,
    /// A comment, or a semicolon.
    Comment,
    /// Text that is not for the parser: a command for psql, the data of a `COPY`.
    NotSql,
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stmt => "a statement",
            Self::Comment => "a comment or semicolon",
            Self::NotSql => "a psql command or the data of a COPY",
        })
    }
}

/// A part of a script, in its order.
#[derive(PartialEq, Eq)]
enum Part<'a> {
    Item(Item<'a>),
    Stmt(&'a str),
    /// Text that is not for the parser, byte for byte.
    NotSql(&'a str),
}

/// Compares two scripts, each read on its own from its text. They are the same if:
///
/// - they have the same number of statements. Of each pair, either both are correct, with the same trees apart from
///   locations (so that fingerprints and constants are the same), the same SQL when printed in one line (which tells
///   empty strings from NULL), the same warnings (which say that a name is cut), the same invisible characters in
///   tokens, and the same variables of psql; or both are wrong, with the same text, and the same error in the same place;
/// - the comments and semicolons are the same, in the same order, without regard for blanks at the end of line
///   comments. A comment can move within its statement, or between it and its semicolon;
/// - everything else outside of statements (psql's commands, the data of `COPY`, a byte order mark) is the same byte for
///   byte;
///
/// except that the second script may have a semicolon more, after its last statement.
pub(crate) fn compare(version: Version, old: &str, new: &str) -> Result<(), Difference> {
    let (old_stmts, new_stmts) = (statements(version, old), statements(version, new));
    for (index, (a, b)) in old_stmts.iter().zip(&new_stmts).enumerate() {
        if !is_same_stmt(version, (old, a), (new, b)) {
            return Err(Difference {
                stmt: index,
                offset: a.range.start,
                kind: DifferenceKind::Stmt,
            });
        }
    }
    if old_stmts.len() != new_stmts.len() {
        let stmt = old_stmts.len().min(new_stmts.len());
        let offset = old_stmts.get(stmt).map_or(old.len(), |stmt| stmt.range.start);
        return Err(Difference { stmt, offset, kind: DifferenceKind::Stmt });
    }

    let is_same = |index: usize| {
        let [a, b] = [&old_stmts[index], &new_stmts[index]].map(|stmt| stmt.range.clone());
        a.len() == b.len() && old[a] == new[b]
    };
    let old_parts = parts(version, old, &old_stmts, is_same);
    let new_parts = parts(version, new, &new_stmts, is_same);
    let same = old_parts.iter().zip(&new_parts).take_while(|(a, b)| a.part == b.part).count();
    let (a, b) = (old_parts.get(same), new_parts.get(same));
    let added = new_parts.len() == old_parts.len() + 1
        && a.is_none()
        && b.is_some_and(|b| b.part == Part::Item(Item::Semicolon))
        && old_stmts.last().is_some_and(|last| {
            last.result.is_ok() && old[last.range.end..].trim_ascii().is_empty()
        });
    if added || (a.is_none() && b.is_none()) {
        return Ok(());
    }
    let is_not_sql =
        |part: Option<&Placed<'_>>| part.is_some_and(|it| matches!(it.part, Part::NotSql(_)));
    Err(Difference {
        stmt: a.or(b).map_or(0, |placed| placed.stmt),
        offset: a.map_or(old.len(), |placed| placed.offset),
        kind: if is_not_sql(a) || is_not_sql(b) {
            DifferenceKind::NotSql
        } else {
            DifferenceKind::Comment
        },
    })
}

struct Placed<'a> {
    stmt: usize,
    offset: usize,
    part: Part<'a>,
}

/// Returns the parts of a script, except for statements that differ in their text: of these, only the comments.
fn parts<'a>(
    version: Version,
    script: &'a str,
    stmts: &[Stmt],
    is_same: impl Fn(usize) -> bool,
) -> Vec<Placed<'a>> {
    let mut parts = Vec::new();
    let mut add = |stmt, offset, part| parts.push(Placed { stmt, offset, part });
    let mut end = 0;
    if script.starts_with(BOM) {
        end = BOM.len_utf8();
        add(0, 0, Part::NotSql(&script[..end]));
    }
    let mut copies = false;
    for index in 0..=stmts.len() {
        let next = stmts.get(index).map(|stmt| stmt.range.clone());
        let start = next.as_ref().map_or(script.len(), |range| range.start);
        let behind = index.saturating_sub(1);
        let text = &script[end..start];
        match Gap::read(version, text).filter(|_| !copies) {
            Some(gap) => gap.items().for_each(|item| add(behind, end, Part::Item(item))),
            None => add(behind, end, Part::NotSql(text)),
        }
        let Some(range) = next else { break };
        let sql = &script[range.clone()];
        if is_same(index) {
            add(index, start, Part::Stmt(sql));
        } else {
            comments(version, sql).for_each(|item| add(index, start, Part::Item(item)));
        }
        // Statements on the line of a COPY come before its data.
        copies &= !text.contains('\n') && !sql.contains('\n');
        copies |= stmts[index].copies;
        end = range.end;
    }
    parts
}

fn is_same_stmt(version: Version, (old, a): (&str, &Stmt), (new, b): (&str, &Stmt)) -> bool {
    let (a_sql, b_sql) = (&old[a.range.clone()], &new[b.range.clone()]);
    match (&a.result, &b.result) {
        (Ok(a), Ok(b)) => is_same_sql(version, (a_sql, a), (b_sql, b)),
        (Err(a_error), Err(b_error)) => {
            let place =
                |error: &pg_ast::Error, start| error.cursor().map(|at| at.wrapping_sub(start));
            a_sql == b_sql
                && a_error.message() == b_error.message()
                && place(a_error, a.range.start) == place(b_error, b.range.start)
        }
        _ => false,
    }
}

/// Returns whether two correct statements are the same, but for comments.
pub(super) fn is_same_sql(version: Version, a: (&str, &Tree), b: (&str, &Tree)) -> bool {
    let plain = DeparseOptions::default();
    a.1 == b.1
        && (a.0 == b.0
            || (version.reformat(a.0, &plain).ok() == version.reformat(b.0, &plain).ok()
                && warnings(version, a.0) == warnings(version, b.0)
                && invisible(version, a.0) == invisible(version, b.0)
                && variables(version, a.0) == variables(version, b.0)))
}

fn warnings(version: Version, sql: &str) -> Vec<String> {
    let warnings = version.check(sql).unwrap_or_default();
    warnings.into_iter().map(|warning| warning.message).collect()
}

/// Returns the control characters in tokens, and others that cannot be seen. An escape such as `E'\r\u202E'` does not
/// become the character itself, which the next editor may change.
fn invisible(version: Version, sql: &str) -> Vec<char> {
    let tokens = version.scan(sql).unwrap_or_default();
    let tokens = tokens.iter().filter(|token| !token.is_comment());
    let chars = tokens.flat_map(|token| sql[token.range.clone()].chars());
    let is_invisible = |c: &char| {
        c.is_control()
            || matches!(*c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | BOM)
            || matches!(*c, '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}')
    };
    chars.filter(is_invisible).collect()
}

/// Returns the comments in a statement.
pub(super) fn comments(version: Version, sql: &str) -> impl Iterator<Item = Item<'_>> {
    let tokens = version.scan_lossy(sql).tokens.into_iter().filter(TokenText::is_comment);
    tokens.filter_map(|token| Item::of(&token, sql))
}

/// Returns what psql may replace by the value of a variable: `:name`, `:'name'`, `:"name"`, `:{?name}`.
fn variables(version: Version, sql: &str) -> Vec<&str> {
    let tokens = version.scan_lossy(sql).tokens;
    let pairs = tokens.windows(2).filter(|pair| {
        let (colon, name) = (&sql[pair[0].range.clone()], &sql[pair[1].range.clone()]);
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || !c.is_ascii();
        colon == ":"
            && pair[0].range.end == pair[1].range.start
            && name.starts_with(|c: char| is_name(c) || matches!(c, '\'' | '"' | '{'))
    });
    pairs.map(|pair| &sql[pair[0].range.start..pair[1].range.end]).collect()
}

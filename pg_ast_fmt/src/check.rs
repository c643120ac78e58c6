//! Whether a formatted script is the same script.

use std::fmt;
use std::ops::Range;

use pg_ast::{Version, with_version};
use pg_ast_syntax::{Placeholders, ScriptOptions};

use crate::gap::{Gap, Item};
use crate::statements::{BOM, Stmt, statements};
use crate::tree::{Body, Tree};

/// Something that differs between two scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The number of the statement, counted from 0, in or after which it is.
    pub stmt: usize,
    /// Its place in the first script, in bytes.
    pub offset: usize,
    /// What it is.
    pub kind: DifferenceKind,
}

/// What differs between two scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DifferenceKind {
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
    /// A statement, which has been compared.
    Stmt,
    /// Text that is not for the parser, byte for byte.
    NotSql(&'a str),
}

/// Compares two scripts, each read on its own from its text. They are the same if:
///
/// - they have the same number of statements. Of each pair, either both are correct, with the same fingerprint, and the same
///   tokens (so that their trees are the same apart from locations), but for the case of keywords, with the same comments
///   between the same tokens, on the same side of line ends, and the same variables of psql; or both are wrong, with the
///   same text, and the same error in the same place;
/// - the bodies of functions in SQL or PL/pgSQL are the same constants; or both are correct, between the same dollars, with
///   tokens, comments and trees that are the same as those of statements have to be;
/// - the comments and semicolons are the same, in the same order, without regard for blanks at the end of line
///   comments;
/// - everything else outside of statements (psql's commands, the data of `COPY`, a byte order mark) is the same byte for
///   byte;
///
/// except that the second script may have a semicolon more, after its last statement.
///
/// ```
/// use pg_ast::Version;
/// use pg_ast_fmt::{DifferenceKind, compare};
///
/// let script = "select 1 -- one\n;";
/// assert_eq!(compare(Version::newest(), script, "SELECT\n  1 -- one\n;\n"), Ok(()));
/// let difference = compare(Version::newest(), script, "SELECT 1;").unwrap_err();
/// assert_eq!(difference.kind, DifferenceKind::Comment);
/// ```
///
/// # Errors
///
/// Returns the first difference.
pub fn compare(version: Version, old: &str, new: &str) -> Result<(), Difference> {
    let placeholders = Placeholders::default();
    let stmts = statements(version, old, placeholders);
    compare_with(version, placeholders, (old, &stmts), new, |_, _| false)
}

/// As [`compare`], with the statements of the first script; `has_same_tokens` tells of which statements, and their new texts,
/// that is known, and that the bodies in them are the same.
pub(crate) fn compare_with(
    version: Version,
    placeholders: Placeholders,
    (old, old_stmts): (&str, &[Stmt]),
    new: &str,
    has_same_tokens: impl Fn(usize, &str) -> bool,
) -> Result<(), Difference> {
    let new_stmts = statements(version, new, placeholders);
    for (index, (a, b)) in old_stmts.iter().zip(&new_stmts).enumerate() {
        let may_be_checked = match (&a.result, &b.result) {
            (Ok(a), Ok(b)) => a == b || a.is_same_apart_from_body(b),
            _ => false,
        };
        let is_checked = may_be_checked && has_same_tokens(index, &new[b.range.clone()]);
        if is_checked {
            continue;
        }
        if let Some(kind) = difference_of_stmts(version, placeholders, (old, a), (new, b)) {
            return Err(Difference { stmt: index, offset: a.range.start, kind });
        }
    }
    if old_stmts.len() != new_stmts.len() {
        let stmt = old_stmts.len().min(new_stmts.len());
        let offset = old_stmts.get(stmt).map_or(old.len(), |stmt| stmt.range.start);
        return Err(Difference { stmt, offset, kind: DifferenceKind::Stmt });
    }

    let old_parts = parts(version, old, old_stmts);
    let new_parts = parts(version, new, &new_stmts);
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

/// Returns the parts of a script.
fn parts<'a>(version: Version, script: &'a str, stmts: &[Stmt]) -> Vec<Placed<'a>> {
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
        add(index, start, Part::Stmt);
        // Statements on the line of a COPY come before its data.
        copies &= !text.contains('\n') && !script[range.clone()].contains('\n');
        copies |= stmts[index].copies;
        end = range.end;
    }
    parts
}

fn difference_of_stmts(
    version: Version,
    placeholders: Placeholders,
    (old, a): (&str, &Stmt),
    (new, b): (&str, &Stmt),
) -> Option<DifferenceKind> {
    let (a_sql, b_sql) = (&old[a.range.clone()], &new[b.range.clone()]);
    let is_same = match (&a.result, &b.result) {
        (Ok(a), Ok(b)) if a == b => {
            return difference_of_texts(version, placeholders, a_sql, b_sql);
        }
        (Ok(a), Ok(b)) if a.is_same_apart_from_body(b) => {
            return difference_of_functions(version, placeholders, a_sql, b_sql);
        }
        (Err(a_error), Err(b_error)) => {
            let place =
                |error: &pg_ast::Error, start| error.cursor().map(|at| at.wrapping_sub(start));
            let at = place(a_error, a.range.start);
            // Behind the statement, it names a keyword of the next one.
            let is_behind = at.is_some_and(|at| at >= a_sql.len());
            let (a_message, b_message) = (a_error.message(), b_error.message());
            a_sql == b_sql
                && at == place(b_error, b.range.start)
                && (a_message == b_message
                    || (is_behind && a_message.eq_ignore_ascii_case(b_message)))
        }
        _ => false,
    };
    (!is_same).then_some(DifferenceKind::Stmt)
}

/// A token of a statement, with the comments before it.
struct Token<'a> {
    text: &'a str,
    is_keyword: bool,
    comments: Vec<CommentText<'a>>,
}

/// A comment in a statement.
struct CommentText<'a> {
    text: &'a str,
    begins_line: bool,
    ends_line: bool,
}

/// Returns `None` if two statements have the same tokens in the same order, apart from the case of keywords, and the same
/// comments between the same tokens. A comment on a line of its own, or at the end of one, is so in both; one that a token
/// follows on its line may begin that line or not. The same parts are variables for psql.
pub(crate) fn difference_of_texts(
    version: Version,
    placeholders: Placeholders,
    old: &str,
    new: &str,
) -> Option<DifferenceKind> {
    if old == new {
        return None;
    }
    let (Some(old_tokens), Some(new_tokens)) = (Tokens::of(version, old), Tokens::of(version, new))
    else {
        return Some(DifferenceKind::Stmt);
    };
    // Comments behind the last token are none of the statement's.
    if !old_tokens.behind.is_empty() || !new_tokens.behind.is_empty() {
        return Some(DifferenceKind::Stmt);
    }
    // One may be a variable in the new text alone.
    let may_have_variables = [old, new].iter().any(|sql| Placeholders::default().may_be_in(sql));
    if may_have_variables && variables(version, old) != variables(version, new) {
        return Some(DifferenceKind::Stmt);
    }
    if placeholders != Placeholders::default() {
        let [old, new] = [old, new].map(|sql| stand_ins(version, placeholders, sql));
        if old != new {
            return Some(DifferenceKind::Stmt);
        }
    }
    old_tokens.difference(&new_tokens)
}

/// As [`difference_of_texts`], for two functions whose bodies differ in their text.
fn difference_of_functions(
    version: Version,
    placeholders: Placeholders,
    old: &str,
    new: &str,
) -> Option<DifferenceKind> {
    let body = |sql| Tree::parse_with_body(version, sql, placeholders).ok()??.1;
    let (Some(old_body), Some(new_body)) = (body(old), body(new)) else {
        return Some(DifferenceKind::Stmt);
    };
    let new_literal = new_body.text;
    let range = old_body.literal.clone();
    let with_new_body = [&old[..range.start], new_literal, &old[range.end..]].concat();
    difference_of_texts(version, placeholders, &with_new_body, new)
        .or_else(|| difference_of_bodies(&old_body, &new_body))
        .or_else(|| {
            let (old, new) = (old_body.meaning(version, old), new_body.meaning(version, new));
            (old.is_none() || old != new).then_some(DifferenceKind::Stmt)
        })
}

/// Returns `None` if two bodies have the same language and quotes, and the same tokens and comments as statements have.
pub(crate) fn difference_of_bodies(old: &Body<'_>, new: &Body<'_>) -> Option<DifferenceKind> {
    let quote = |body: &Body<'_>| body.text.get(..body.quote).map(str::to_owned);
    if old.language != new.language || quote(old) != quote(new) {
        return Some(DifferenceKind::Stmt);
    }
    let (Some(old), Some(new)) = (&old.tree, &new.tree) else {
        return Some(DifferenceKind::Stmt);
    };
    Tokens::of_body(old).difference(&Tokens::of_body(new))
}

/// The tokens of a text, with their comments.
struct Tokens<'a> {
    tokens: Vec<Token<'a>>,
    /// The comments behind the last token.
    behind: Vec<CommentText<'a>>,
}

/// A token or a comment, and where it is.
struct Scanned {
    range: Range<usize>,
    /// For a comment, whether it ends with its line.
    comment: Option<bool>,
    is_keyword: bool,
}

impl<'a> Tokens<'a> {
    fn of(version: Version, sql: &'a str) -> Option<Self> {
        let scanned = version.scan(sql).ok()?.into_iter().map(|token| {
            let comment = token.is_comment().then_some(token.name == "SQL_COMMENT");
            Scanned { range: token.range, comment, is_keyword: token.is_keyword }
        });
        Some(Self::of_scanned(sql, scanned))
    }

    /// Those of a body. Which words are keywords depends on their places in PL/pgSQL.
    fn of_body(tree: &'a Tree<'_>) -> Self {
        let tokens = tree.parts.iter().filter(|part| !part.is_node).map(|part| {
            let is_keyword = tree.role(part).is_word();
            Scanned { range: part.range(), comment: None, is_keyword }
        });
        let comments = tree.comments.iter().map(|comment| {
            let range = comment.start as usize..comment.end as usize;
            Scanned { range, comment: Some(comment.is_line), is_keyword: false }
        });
        let mut all: Vec<_> = tokens.chain(comments).collect();
        all.sort_by_key(|scanned| scanned.range.start);
        Self::of_scanned(tree.sql, all.into_iter())
    }

    fn of_scanned(sql: &'a str, scanned: impl Iterator<Item = Scanned>) -> Self {
        let (mut tokens, mut comments, mut end) = (Vec::new(), Vec::new(), 0);
        let mut blanks_before_next = |comments: &mut Vec<CommentText<'_>>, range: Range<usize>| {
            let has_line = sql[end..range.start].contains('\n');
            if let Some(last) = comments.last_mut() {
                last.ends_line |= has_line;
            }
            end = range.end;
            has_line
        };
        for Scanned { range, comment, is_keyword } in scanned {
            let text = &sql[range.clone()];
            let begins_line = blanks_before_next(&mut comments, range);
            if let Some(is_line) = comment {
                let text = if is_line { text.trim_ascii_end() } else { text };
                comments.push(CommentText { text, begins_line, ends_line: is_line });
            } else {
                let comments = std::mem::take(&mut comments);
                tokens.push(Token { text, is_keyword, comments });
            }
        }
        blanks_before_next(&mut comments, sql.len()..sql.len());
        Self { tokens, behind: comments }
    }

    fn difference(&self, new: &Self) -> Option<DifferenceKind> {
        let is_same_comment = |(old, new): (&CommentText<'_>, &CommentText<'_>)| {
            old.text == new.text
                && old.ends_line == new.ends_line
                && (old.begins_line == new.begins_line || !old.ends_line)
        };
        let is_same_token = |(old, new): (&Token<'_>, &Token<'_>)| {
            old.text == new.text
                || (old.is_keyword && new.is_keyword && old.text.eq_ignore_ascii_case(new.text))
        };
        let are_same_comments = |old: &[CommentText<'_>], new: &[CommentText<'_>]| {
            old.len() == new.len() && old.iter().zip(new).all(is_same_comment)
        };
        let pairs = || self.tokens.iter().zip(&new.tokens);
        if self.tokens.len() != new.tokens.len() || !pairs().all(is_same_token) {
            return Some(DifferenceKind::Stmt);
        }
        let has_same_comments = pairs()
            .all(|(old, new)| are_same_comments(&old.comments, &new.comments))
            && are_same_comments(&self.behind, &new.behind);
        (!has_same_comments).then_some(DifferenceKind::Comment)
    }
}

/// Returns the texts of variables and placeholders in a statement that is wrong without them.
fn stand_ins(version: Version, placeholders: Placeholders, sql: &str) -> Vec<String> {
    let options = ScriptOptions::default().placeholders(placeholders);
    with_version!(version, pg, pg_ast_syntax as syntax => {
        let Ok(script) = syntax::Script::parse_with(sql, options) else { return Vec::new() };
        let written = script.written();
        written.replaced().map(|(range, _)| sql[range].to_owned()).collect()
    })
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

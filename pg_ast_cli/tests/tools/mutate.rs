//! Mistakes that people make, and comments in unusual places.

use std::fmt;
use std::ops::Range;

/// A change of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutation {
    /// A comment between two tokens, or after the last.
    BlockComment,
    LineComment,
    /// A token less.
    Drop,
    /// A quote that nobody closes, or that the next one closes.
    Quote(&'static str),
}

pub(crate) const ALL: [Mutation; 7] = [
    Mutation::BlockComment,
    Mutation::LineComment,
    Mutation::Drop,
    Mutation::Quote("'"),
    Mutation::Quote("\""),
    Mutation::Quote("$$"),
    Mutation::Quote("/*"),
];

/// The comments that mutations add.
pub(crate) const BLOCK_COMMENT: &str = "/* added */";
pub(crate) const LINE_COMMENT: &str = "-- added";

impl Mutation {
    pub(crate) fn adds_comment(self) -> bool {
        matches!(self, Self::BlockComment | Self::LineComment)
    }

    /// Returns the script with this change at a token of it; comments also go to the place after the last.
    pub(crate) fn apply(self, script: &str, tokens: &[Range<usize>], at: usize) -> String {
        let end = tokens.last().map_or(0, |token| token.end);
        let token = tokens.get(at).cloned().unwrap_or(end..end);
        let (before, after) = match self {
            Self::Drop => (&script[..token.start], &script[token.end..]),
            _ => script.split_at(token.start),
        };
        let added = match self {
            Self::BlockComment => format!(" {BLOCK_COMMENT} "),
            Self::LineComment => format!(" {LINE_COMMENT}\n"),
            Self::Drop => " ".to_owned(),
            Self::Quote(quote) => quote.to_owned(),
        };
        [before, &added, after].concat()
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// Returns the tokens of statement number `index` of a script, without comments, as ranges of the script.
pub(crate) fn tokens(script: &str, stmt: Range<usize>) -> Vec<Range<usize>> {
    let tokens = pg_ast::Version::newest().scan_lossy(&script[stmt.clone()]).tokens;
    let tokens = tokens.into_iter().filter(|token| !token.is_comment());
    tokens.map(|token| token.range.start + stmt.start..token.range.end + stmt.start).collect()
}

/// Returns each statement of a script in the text from the statement before to the one after, and its range in that.
pub(crate) fn windows(script: &str) -> Vec<(&str, Range<usize>)> {
    let stmts: Vec<_> =
        pg_ast::Version::newest().parse_script(script).into_iter().map(|it| it.range).collect();
    let window = |index: usize| {
        let start = index.checked_sub(1).map_or(0, |before| stmts[before].start);
        let end = stmts.get(index + 2).map_or(script.len(), |next| next.start);
        let stmt = stmts[index].clone();
        (&script[start..end], stmt.start - start..stmt.end - start)
    };
    (0..stmts.len()).map(window).collect()
}

//! Splits SQL into tokens, and into the SQL of single statements.

use core::ops::Range;

use super::ffi;
use super::ffi::Scan;
use super::ffi::raw_parse;
use super::names::protobuf;
use super::names::protobuf::{KeywordKind, Token};
use super::names::raw;
use super::view::macros::field;
use crate::convert::enumeration::NamedEnum as _;
use crate::foundation::arena::with_arena;
use crate::types::error::{Error, Warning};
use crate::types::options::ParserOptions;
use crate::types::text::TokenText;

/// The tokens of SQL, in order.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ScanResult {
    /// The tokens, including comments.
    pub tokens: Vec<ScanToken>,
    /// The warnings that PostgreSQL raised, in order.
    pub warnings: Vec<Warning>,
}

/// A token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ScanToken {
    /// The kind of token, named as in PostgreSQL's `gram.y`. A character that the grammar does not know, such as
    /// `{`, is [`Token::Nul`]. (libpg_query returns its code, for which its schema has no constant.)
    pub token: Token,
    /// The kind of keyword, if it is one.
    pub keyword_kind: KeywordKind,
    /// The byte offset into the SQL where it starts.
    pub start: u32,
    /// The byte offset into the SQL where it ends.
    pub end: u32,
}

impl ScanResult {
    /// Returns the tokens, including comments, that lie entirely within a range.
    ///
    /// With the ranges of nodes ([`parse_with_ranges`](super::super::parse_with_ranges)) this returns the tokens and
    /// comments of a node. It takes a binary search.
    ///
    /// ```
    /// use pg_ast::{NodeRef, ParserOptions};
    ///
    /// let sql = "SELECT /* why */ a -- one\n + /* two */ 2 -- three\n, b";
    /// let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
    /// let place = tree.nodes().position(|node| matches!(node, NodeRef::AExpr(_))).unwrap();
    /// let range = ranges.get(place).unwrap();
    ///
    /// let scan = pg_ast::scan(sql)?;
    /// let texts = |tokens: &[pg_ast::ScanToken]| {
    ///     tokens.iter().map(|token| &sql[token.range()]).collect::<Vec<_>>()
    /// };
    /// assert_eq!(texts(scan.inside(&range)), ["a", "-- one", "+", "/* two */", "2"]);
    /// assert_eq!(texts(scan.before(range.start)), ["SELECT", "/* why */"]);
    /// assert_eq!(texts(scan.behind(range.end)), ["-- three", ",", "b"]);
    /// // The comments right before and behind it.
    /// let before = scan.before(range.start).iter().rev().take_while(|token| token.is_comment());
    /// let behind = scan.behind(range.end).iter().take_while(|token| token.is_comment());
    /// assert_eq!((before.count(), behind.count()), (1, 1));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn inside(&self, range: &Range<usize>) -> &[ScanToken] {
        let tokens = self.behind(range.start);
        &tokens[..tokens.partition_point(|token| token.end as usize <= range.end)]
    }

    /// Returns the tokens, including comments, that end at or before this byte offset.
    #[must_use]
    pub fn before(&self, offset: usize) -> &[ScanToken] {
        &self.tokens[..self.tokens.partition_point(|token| token.end as usize <= offset)]
    }

    /// Returns the tokens, including comments, that start at or after this byte offset.
    #[must_use]
    pub fn behind(&self, offset: usize) -> &[ScanToken] {
        &self.tokens[self.tokens.partition_point(|token| (token.start as usize) < offset)..]
    }
}

impl ScanToken {
    /// Returns its range in the SQL, in bytes.
    ///
    /// ```
    /// let sql = "SELECT 1";
    /// let scan = pg_ast::scan(sql)?;
    /// assert_eq!(&sql[scan.tokens[1].range()], "1");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns whether it is a comment.
    #[must_use]
    pub fn is_comment(self) -> bool {
        matches!(self.token, Token::SqlComment | Token::CComment)
    }

    pub(crate) fn text(self) -> TokenText {
        TokenText {
            name: Token::CONSTANTS.name(self.token as i32).unwrap_or_default(),
            is_keyword: self.keyword_kind != KeywordKind::NoKeyword,
            range: self.range(),
        }
    }

    /// Converts a token of a text that begins at `start` of another one.
    pub(crate) fn new(token: &raw::ShimToken, start: usize) -> Self {
        let offset = |offset| {
            let offset = usize::try_from(offset).unwrap_or(0);
            u32::try_from(start + offset).unwrap_or(u32::MAX)
        };
        Self {
            token: Token::try_from(token.token).unwrap_or(Token::Nul),
            keyword_kind: KeywordKind::try_from(token.keyword_kind)
                .unwrap_or(KeywordKind::NoKeyword),
            start: offset(token.start),
            end: offset(token.end),
        }
    }
}

/// Converts the token to a Protobuf message, for programs in other languages.
impl From<ScanToken> for protobuf::ScanToken {
    fn from(token: ScanToken) -> Self {
        Self {
            // SQL has less than 2 GiB.
            start: token.start.cast_signed(),
            end: token.end.cast_signed(),
            token: token.token.into(),
            keyword_kind: token.keyword_kind.into(),
        }
    }
}

/// Converts the tokens to a Protobuf message, which has no field for the warnings.
///
/// ```
/// use pg_ast::protobuf::{ScanResult, Token};
///
/// let message = ScanResult::from(pg_ast::scan("SELECT 1")?);
/// assert_eq!((message.tokens[0].token(), message.tokens[0].end), (Token::Select, 6));
/// # Ok::<(), pg_ast::Error>(())
/// ```
impl From<ScanResult> for protobuf::ScanResult {
    fn from(scan: ScanResult) -> Self {
        Self {
            version: raw::PG_VERSION_NUM.cast_signed(),
            tokens: scan.tokens.into_iter().map(Into::into).collect(),
        }
    }
}

/// Splits SQL into the tokens of PostgreSQL's scanner.
///
/// The grammar does not have to accept the SQL. Line comments between the parts of a string, each on its own line, belong
/// to the string, as in PostgreSQL.
///
/// Mirrors `pg_query_scan` of libpg_query's `pg_query_scan.c`, which before PostgreSQL 18 ends the string there.
///
/// ```
/// use pg_ast::protobuf::{KeywordKind, Token};
///
/// let tokens = pg_ast::scan("SELECT é -- all")?.tokens;
/// assert_eq!(tokens[0].token, Token::Select);
/// assert_eq!(tokens[0].keyword_kind, KeywordKind::ReservedKeyword);
/// assert_eq!(tokens[1].token, Token::Ident);
/// assert_eq!(tokens[1].range(), 7..9);
/// assert!(tokens[2].is_comment());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// PostgreSQL's scanner rejects the SQL, as for an unterminated string.
pub fn scan(sql: &str) -> Result<ScanResult, Error> {
    let scan = with_arena(|arena| Scan::new(ffi::c_string(sql, arena)?))?;
    match scan.error(sql) {
        Some(error) => Err(error),
        None => Ok(ScanResult {
            tokens: scan.tokens().iter().map(|token| ScanToken::new(token, 0)).collect(),
            warnings: scan.warnings(sql),
        }),
    }
}

/// Like [`scan`], without the types of this version.
pub(crate) fn token_texts(sql: &str) -> Result<Vec<TokenText>, Error> {
    Ok(scan(sql)?.tokens.into_iter().map(ScanToken::text).collect())
}

/// Splits SQL into its statements, by its tokens alone: the statements may be wrong.
///
/// A statement ends at a semicolon outside of parentheses, which is not part of it. Comments alone are not a statement. (The body of an SQL function after `BEGIN ATOMIC` is cut at
/// its semicolons, as libpg_query does; [`parse_script`](super::super::parse_script) does not.)
///
/// Mirrors `pg_query_split_with_scanner` of libpg_query's `pg_query_split.c`, which leaves out
/// statements without a keyword, and everything after an unmatched parenthesis.
///
/// ```
/// let stmts = pg_ast::split_with_scanner("SELECT ';'; SELEC 2; SELECT (3")?;
/// assert_eq!(stmts, ["SELECT ';'", " SELEC 2", " SELECT (3"]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`scan`].
pub fn split_with_scanner(sql: &str) -> Result<Vec<&str>, Error> {
    Ok(split(sql, scan(sql)?.tokens.into_iter().map(|token| (token.token, token.range()))))
}

/// Splits into statements by tokens, which are in order.
pub(crate) fn split(sql: &str, tokens: impl Iterator<Item = (Token, Range<usize>)>) -> Vec<&str> {
    let mut stmts = Vec::new();
    let (mut start, mut parentheses) = (0, 0_usize);
    let mut has_token = false;
    for (token, range) in tokens {
        match token {
            Token::SqlComment | Token::CComment => continue,
            Token::Ascii40 => parentheses += 1,
            Token::Ascii41 => parentheses = parentheses.saturating_sub(1),
            Token::Ascii59 if parentheses == 0 => {
                if has_token {
                    stmts.extend(sql.get(start..range.start));
                }
                start = range.end;
                has_token = false;
                continue;
            }
            _ => {}
        }
        has_token = true;
    }
    if has_token {
        stmts.extend(sql.get(start..));
    }
    stmts
}

/// Splits SQL into its statements, which must be correct.
///
/// Normalized SQL is accepted, as with [`ParserOptions::normalized`].
///
/// Mirrors `pg_query_split_with_parser` of libpg_query's `pg_query_split.c`.
///
/// ```
/// assert_eq!(pg_ast::split_with_parser("SELECT 1; SELECT (2)")?, ["SELECT 1", "SELECT (2)"]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`check`](super::super::check).
pub fn split_with_parser(sql: &str) -> Result<Vec<&str>, Error> {
    let parse = raw_parse(sql, ParserOptions::default().normalized(true))?;
    let offset = |offset| usize::try_from(offset).unwrap_or(0);
    let stmts = parse.stmts().filter_map(|stmt| {
        let start = offset(field!(stmt.stmt_location).get());
        let len = offset(field!(stmt.stmt_len).get());
        // A length of 0 means the rest of the text.
        if len == 0 { sql.get(start..) } else { sql.get(start..start + len) }
    });
    Ok(stmts.collect())
}

//! Several results from one parse.

use core::borrow::Borrow;

use super::ffi::{Recorded, raw_parse_for};
use super::fingerprint::fingerprint_parse;
use super::normalize::normalize_parse;
use super::view::Tree;
use crate::foundation::limits::Limits;
use crate::types::digest::{Digest, DigestOptions};
use crate::types::error::Error;

/// Computes the results that the options select, from one parse.
///
/// Each part is the result of the call for it. Use this to record data about each statement that a server runs, or
/// that is in a log; the SQL may be normalized, whatever [`ParserOptions::normalized`](crate::ParserOptions::normalized) says.
///
/// ```
/// use pg_ast::DigestOptions;
///
/// let options = DigestOptions::default()
///     .fingerprint(true)
///     .normalized(true)
///     .analysis(true)
///     .truncated(Some(30));
/// let sql = "SELECT a, b FROM s.t WHERE id = 1";
/// let digest = pg_ast::digest(sql, options)?;
/// assert_eq!(digest.fingerprint, Some(pg_ast::fingerprint(sql)?));
/// assert_eq!(digest.normalized.as_deref(), Some("SELECT a, b FROM s.t WHERE id = $1"));
/// assert_eq!(digest.analysis.unwrap().tables[0].name, "s.t");
/// assert_eq!(digest.truncated.as_deref(), Some("SELECT a, b FROM s.t WHERE ..."));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of the calls for the selected parts: [`fingerprint_with`](super::super::fingerprint_with),
/// [`normalize_with`](super::super::normalize_with), [`view::parse_with`](super::super::view::parse_with),
/// [`deparse_truncated`](Tree::deparse_truncated). If several of them fail, the first error is returned, in the order
/// of the fields of [`Digest`]. SQL that is too deep for the parser's stack is
/// [`TooDeep`](crate::ErrorKind::TooDeep), even where `normalize` tries again with more of it.
pub fn digest(sql: &str, options: impl Borrow<DigestOptions>) -> Result<Digest, Error> {
    digest_of(sql, *options.borrow())
}

fn digest_of(sql: &str, options: DigestOptions) -> Result<Digest, Error> {
    let DigestOptions { parser, fingerprint, normalized, analysis, statement_types, truncated } =
        options;
    let parser = parser.normalized(true);
    let recorded = if normalized.is_some() { Recorded::Tokens } else { Recorded::Nothing };
    let mut tree = Tree::unchecked(raw_parse_for(sql, parser, recorded)?, sql, parser);
    let limits = Limits::new(sql, parser);
    let of_options = |options| fingerprint_parse(tree.parse(), sql, limits, options);
    let fingerprint = fingerprint.map(of_options).transpose()?;
    let with = |options| normalize_parse(tree.parse(), sql, parser, options);
    let normalized = normalized.map(with).transpose()?;
    if analysis || truncated.is_some() {
        tree.check(sql)?;
    }
    Ok(Digest {
        fingerprint,
        normalized,
        analysis: analysis.then(|| tree.analyze()),
        statement_types: statement_types.then(|| tree.statement_types()),
        truncated: truncated.map(|length| tree.deparse_truncated(length)).transpose()?,
        warnings: tree.take_warnings(),
    })
}

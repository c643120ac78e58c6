//! The calls, with their options.

use super::version::{
    deparse_tree_with, error, parse_tree, plpgsql, split_by_tokens, summary_message, tokens,
    tree_of,
};
use super::{
    DeparseComment, DeparseOptions, Error, FingerprintOptions, Node, NodeEnum, NodeMut, NodeRef,
    PG_VERSION_NUM, ParseResult, ParserOptions, Result, SummaryResult, native, protobuf,
};

/// A hash of statements that does not depend on their constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// The hash.
    pub value: u64,
    /// The hash as 16 hexadecimal digits.
    pub hex: String,
}

/// Parses SQL. The options are a [`ParserOptions`], or a number: 0 for the usual ones.
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
/// use pg_query::{NodeRef, ParserOptions};
///
/// let result = pg_query::parse("SELECT a FROM t WHERE b = 1", 0)?;
/// assert_eq!(result.tables(), ["t"]);
/// assert_eq!(result.filter_columns, [(None, "b".to_owned())]);
/// assert!(matches!(result.protobuf.nodes()[0].0, NodeRef::SelectStmt(_)));
///
/// let result = pg_query::parse("integer", ParserOptions::TYPE_NAME)?;
/// assert!(matches!(result.protobuf.nodes()[0].0, NodeRef::TypeName(_)));
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn parse(statement: &str, parser_options: impl Into<ParserOptions>) -> Result<ParseResult> {
    parse_tree(statement, parser_options.into().into())
}

/// Prints a tree as SQL, in the layout of the options.
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// let result = pg_query::parse("INSERT INTO t (a)  SELECT a FROM u", 0)?;
/// let sql = pg_query::deparse(&result.protobuf, Default::default())?;
/// assert_eq!(sql, "INSERT INTO t (a) SELECT a FROM u");
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn deparse(protobuf: &protobuf::ParseResult, options: DeparseOptions) -> Result<String> {
    // Like the C strings that pg_query makes of them.
    for comment in &options.comments {
        std::ffi::CString::new(comment.text.as_str())?;
    }
    deparse_tree_with(protobuf, &options.into())
}

/// Returns the comments in SQL, for [`DeparseOptions::comments`].
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// let comments = pg_query::deparse_comments_for_query("SELECT 1 -- one")?;
/// assert_eq!((comments[0].match_location, comments[0].text.as_str()), (8, "-- one"));
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn deparse_comments_for_query(query: &str) -> Result<Vec<DeparseComment>> {
    let comments = native::comments(query).map_err(|e| error(query, &e, Error::Scan))?;
    Ok(comments.into_iter().map(DeparseComment::from).collect())
}

/// Replaces constants by `$1`, `$2`, ..
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// assert_eq!(pg_query::normalize("SELECT a FROM t WHERE b='x'")?, "SELECT a FROM t WHERE b=$1");
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn normalize(statement: &str) -> Result<String> {
    let (parser, options) = (pg_ast::ParserOptions::default(), pg_ast::NormalizeOptions::default());
    native::normalize_with(statement, parser, options.as_libpg_query(true))
        .map_err(|e| error(statement, &e, Error::Parse))
}

/// Hashes statements, ignoring their constants. The options are constants of their types, or numbers.
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// let fingerprint = pg_query::fingerprint("SELECT 1", 0, 0)?;
/// assert_eq!(fingerprint.hex, "50fde20626009aba");
/// assert_eq!(fingerprint.value, pg_query::fingerprint("SELECT 2", 0, 0)?.value);
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn fingerprint(
    statement: &str,
    parser_options: impl Into<ParserOptions>,
    fingerprint_options: impl Into<FingerprintOptions>,
) -> Result<Fingerprint> {
    let parser = pg_ast::ParserOptions::from(parser_options.into());
    let options = pg_ast::FingerprintOptions::from(fingerprint_options.into());
    let fingerprint = native::fingerprint_with(statement, parser, options)
        .map_err(|e| error(statement, &e, Error::Parse))?;
    Ok(Fingerprint { value: fingerprint.value, hex: fingerprint.hex() })
}

/// Parses PL/pgSQL functions in SQL, as JSON.
///
/// It has the fields of `pg_query`'s and more, and fewer functions are errors; see [`pg_ast::parse_plpgsql`].
pub fn parse_plpgsql(stmt: &str) -> Result<serde_json::Value> {
    plpgsql(stmt)
}

/// Splits SQL into its statements, which must be correct.
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// assert_eq!(pg_query::split_with_parser("SELECT 1; SELECT 2")?, ["SELECT 1", "SELECT 2"]);
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn split_with_parser(query: &str) -> Result<Vec<&str>> {
    native::split_with_parser(query).map_err(|e| error(query, &e, Error::Split))
}

/// Splits SQL into its statements by its tokens alone. Statements without a keyword are left out.
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// assert_eq!(pg_query::split_with_scanner("SELECT 1; x; SELECT")?, ["SELECT 1", " SELECT"]);
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn split_with_scanner(query: &str) -> Result<Vec<&str>> {
    split_by_tokens(query)
}

/// Splits SQL into its tokens, including comments.
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// let tokens = pg_query::scan("SELECT a")?.tokens;
/// assert_eq!((tokens[0].start, tokens[0].end), (0, 6));
/// assert_eq!(tokens[0].token(), pg_query::protobuf::Token::Select);
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn scan(sql: &str) -> Result<protobuf::ScanResult> {
    Ok(protobuf::ScanResult { version: PG_VERSION_NUM.cast_signed(), tokens: tokens(sql)? })
}

/// Returns only the tokens of [`scan`].
pub fn scan_tokens(sql: &str) -> Result<Vec<protobuf::ScanToken>> {
    tokens(sql)
}

/// Returns for each statement whether it is a utility statement: one that is not a query.
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// assert_eq!(pg_query::is_utility_stmt("SELECT 1; SHOW fsync")?, [false, true]);
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn is_utility_stmt(query: &str) -> Result<Vec<bool>> {
    native::is_utility_stmt(query).map_err(|e| error(query, &e, Error::IsUtility))
}

/// Lists the names in SQL, and cuts it to a length, unless the limit is -1.
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// let result = pg_query::summary("SELECT a, b FROM s.t", 0, 19)?;
/// assert_eq!(result.tables(), ["s.t"]);
/// assert_eq!(result.truncated_query, "SELECT ... FROM s.t");
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn summary(
    statement: &str,
    parser_options: impl Into<ParserOptions>,
    truncate_limit: i32,
) -> Result<SummaryResult> {
    let options = pg_ast::ParserOptions::from(parser_options.into());
    let (message, stderr) = summary_message(statement, options, truncate_limit)?;
    Ok(SummaryResult::new(message, stderr))
}

macro_rules! trees {
    ($($type:ty, |$self:ident| $tree:expr;)*) => {$(
        impl $type {
            /// Prints the tree as SQL, in the layout of the options.
            pub fn deparse(&$self, options: DeparseOptions) -> Result<String> {
                deparse($tree, options)
            }
        }
    )*};
}
trees! {
    protobuf::ParseResult, |self| self;
    ParseResult, |self| &self.protobuf;
}

macro_rules! statements {
    ($($type:ty, |$self:ident| $stmt:expr;)*) => {$(
        impl $type {
            /// Prints the statement as SQL; a node that is not a statement is an error.
            pub fn deparse(&$self, options: DeparseOptions) -> Result<String> {
                deparse(&tree_of($stmt), options)
            }
        }
    )*};
}
statements! {
    NodeEnum, |self| self.clone();
    NodeRef<'_>, |self| self.to_enum();
    NodeMut, |self| self.to_enum()?;
}

impl Node {
    /// Prints the statement as SQL; a node that is not a statement is an error.
    pub fn deparse(&self, options: DeparseOptions) -> Result<String> {
        match &self.node {
            Some(stmt) => stmt.deparse(options),
            None => Err(Error::Parse("the node is empty".to_owned())),
        }
    }
}

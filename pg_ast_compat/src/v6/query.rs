//! The calls, without options.

use super::plpgsql::in_form;
use super::version::{
    deparse_tree, error, parse_tree, plpgsql, split_by_tokens, summary_message, tokens, tree_of,
};
use super::{
    Error, Node, NodeEnum, NodeMut, NodeRef, PG_VERSION_NUM, ParseResult, Result, SummaryResult,
    native, protobuf,
};

/// A hash of statements that does not depend on their constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// The hash.
    pub value: u64,
    /// The hash as 16 hexadecimal digits.
    pub hex: String,
}

/// Parses SQL.
///
/// ```
/// use pg_ast_compat::v6 as pg_query;
/// use pg_query::NodeRef;
///
/// let result = pg_query::parse("SELECT a FROM t WHERE b = 1")?;
/// assert_eq!(result.tables(), ["t"]);
/// assert_eq!(result.filter_columns, [(None, "b".to_owned())]);
/// assert!(matches!(result.protobuf.nodes()[0].0, NodeRef::SelectStmt(_)));
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn parse(statement: &str) -> Result<ParseResult> {
    parse_tree(statement, pg_ast::ParserOptions::default())
}

/// The same as [`parse`], which does not use Protobuf either.
pub fn parse_raw(statement: &str) -> Result<ParseResult> {
    parse(statement)
}

/// The same as [`parse`]: the stack grows as needed.
pub fn parse_raw_with_stack(statement: &str, _stack_size: usize) -> Result<ParseResult> {
    parse(statement)
}

/// Prints a tree as SQL.
///
/// ```
/// use pg_ast_compat::v6 as pg_query;
///
/// let result = pg_query::parse("INSERT INTO t (a)  SELECT a FROM u")?;
/// assert_eq!(pg_query::deparse(&result.protobuf)?, "INSERT INTO t (a) SELECT a FROM u");
/// assert_eq!(result.protobuf.nodes()[1].0.deparse()?, "SELECT a FROM u");
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn deparse(protobuf: &protobuf::ParseResult) -> Result<String> {
    deparse_tree(protobuf)
}

/// The same as [`deparse`], which does not use Protobuf either.
pub fn deparse_raw(protobuf: &protobuf::ParseResult) -> Result<String> {
    deparse(protobuf)
}

/// The same as [`deparse`]: the stack grows as needed.
pub fn deparse_raw_with_stack(
    protobuf: &protobuf::ParseResult,
    _stack_size: usize,
) -> Result<String> {
    deparse(protobuf)
}

/// Replaces constants by `$1`, `$2`, ..
///
/// ```
/// use pg_ast_compat::v6 as pg_query;
///
/// assert_eq!(pg_query::normalize("SELECT a FROM t WHERE b='x'")?, "SELECT a FROM t WHERE b=$1");
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn normalize(statement: &str) -> Result<String> {
    let (parser, options) = (pg_ast::ParserOptions::default(), pg_ast::NormalizeOptions::default());
    native::normalize_with(statement, parser, options.as_libpg_query(true))
        .map_err(|e| error(statement, &e, Error::Parse))
}

/// Hashes statements, ignoring their constants.
///
/// ```
/// use pg_ast_compat::v6 as pg_query;
///
/// let fingerprint = pg_query::fingerprint("SELECT 1")?;
/// assert_eq!(fingerprint.hex, "50fde20626009aba");
/// assert_eq!(fingerprint.value, pg_query::fingerprint("SELECT 2")?.value);
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn fingerprint(statement: &str) -> Result<Fingerprint> {
    let fingerprint =
        native::fingerprint(statement).map_err(|e| error(statement, &e, Error::Parse))?;
    Ok(Fingerprint { value: fingerprint.value, hex: fingerprint.hex() })
}

/// The same as [`fingerprint()`], which does not use Protobuf either.
pub fn fingerprint_raw(statement: &str) -> Result<Fingerprint> {
    fingerprint(statement)
}

/// Parses PL/pgSQL functions in SQL, as JSON.
///
/// It has the form of `pg_query` 6; fewer functions are errors. [`pg_ast::parse_plpgsql`] has more fields.
///
/// ```
/// use pg_ast_compat::v6 as pg_query;
///
/// let sql = "CREATE FUNCTION f(v int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN v; END $$";
/// let functions = pg_query::parse_plpgsql(sql)?;
/// let body = &functions[0]["PLpgSQL_function"]["action"]["PLpgSQL_stmt_block"]["body"];
/// assert_eq!(body[0]["PLpgSQL_stmt_return"]["expr"]["PLpgSQL_expr"]["query"], "v");
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn parse_plpgsql(stmt: &str) -> Result<serde_json::Value> {
    plpgsql(stmt).map(|functions| in_form(functions, stmt))
}

/// Splits SQL into its statements, which must be correct.
///
/// ```
/// use pg_ast_compat::v6 as pg_query;
///
/// assert_eq!(pg_query::split_with_parser("SELECT 1; SELECT 2")?, ["SELECT 1", " SELECT 2"]);
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn split_with_parser(query: &str) -> Result<Vec<&str>> {
    native::split_with_parser(query).map_err(|e| error(query, &e, Error::Split))
}

/// Splits SQL into its statements by its tokens alone. Statements without a keyword are left out.
///
/// ```
/// use pg_ast_compat::v6 as pg_query;
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
/// use pg_ast_compat::v6 as pg_query;
///
/// let tokens = pg_query::scan("SELECT a")?.tokens;
/// assert_eq!((tokens[0].start, tokens[0].end), (0, 6));
/// assert_eq!(tokens[0].token(), pg_query::protobuf::Token::Select);
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn scan(sql: &str) -> Result<protobuf::ScanResult> {
    Ok(protobuf::ScanResult { version: PG_VERSION_NUM.cast_signed(), tokens: tokens(sql)? })
}

/// The same as [`scan`], which does not use Protobuf either.
pub fn scan_raw(sql: &str) -> Result<protobuf::ScanResult> {
    scan(sql)
}

/// Lists the names in SQL, and cuts it to a length, unless the limit is -1.
///
/// ```
/// use pg_ast_compat::v6 as pg_query;
///
/// let result = pg_query::summary("SELECT a, b FROM s.t", 19)?;
/// assert_eq!(result.tables(), ["s.t"]);
/// assert_eq!(result.truncated_query, "SELECT ... FROM s.t");
/// # Ok::<(), pg_query::Error>(())
/// ```
pub fn summary(statement: &str, truncate_limit: i32) -> Result<SummaryResult> {
    let (message, stderr) =
        summary_message(statement, pg_ast::ParserOptions::default(), truncate_limit)?;
    Ok(SummaryResult::new(message, stderr))
}

/// Writes `deparse` for a type, and `deparse_raw`, which is the same here.
macro_rules! printed {
    ($($(#[$doc:meta])* $type:ty, |$self:ident| $sql:expr;)*) => {$(
        impl $type {
            $(#[$doc])*
            pub fn deparse(&$self) -> Result<String> {
                $sql
            }

            /// The same as [`deparse`](Self::deparse), which does not use Protobuf either.
            pub fn deparse_raw(&$self) -> Result<String> {
                $self.deparse()
            }
        }
    )*};
}
printed! {
    /// Prints the tree as SQL.
    protobuf::ParseResult, |self| deparse(self);
    /// Prints the tree as SQL.
    ParseResult, |self| self.protobuf.deparse();
    /// Prints the statement as SQL; a node that is not a statement is an error.
    NodeEnum, |self| deparse(&tree_of(self.clone()));
    /// Prints the statement as SQL; a node that is not a statement is an error.
    NodeRef<'_>, |self| deparse(&tree_of(self.to_enum()));
    /// Prints the statement as SQL; a node that is not a statement is an error.
    NodeMut, |self| deparse(&tree_of(self.to_enum()?));
    /// Prints the statement as SQL; a node that is not a statement is an error.
    Node, |self| match &self.node {
        Some(stmt) => stmt.deparse(),
        None => Err(Error::Parse("the node is empty".to_owned())),
    };
}

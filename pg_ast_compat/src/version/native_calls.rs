//! The calls of pg_ast that do the work.

use std::ffi::CString;

use pg_ast::{ErrorKind, ParserOptions};
use prost::DecodeError;

use super::convert::{FromNative, ToNative};
use super::protobuf::{self, KeywordKind, Token};
use super::summary::summarize;
use super::{Error, NodeEnum, ParseResult, Result, native};

/// The maximum levels of a tree, so that the compiler's drop glue does not need more stack than threads have.
const MAX_DEPTH: usize = 1_000;

/// Converts the error of a call to the variant of that call. A NUL in the text takes precedence.
pub(in super::super) fn error(
    sql: &str,
    error: &pg_ast::Error,
    variant: impl FnOnce(String) -> Error,
) -> Error {
    match error.kind() {
        ErrorKind::TooDeep => DecodeError::new("recursion limit reached").into(),
        ErrorKind::InvalidEncoding => {
            DecodeError::new("invalid string value: data is not UTF-8 encoded").into()
        }
        ErrorKind::Nul => match CString::new(sql) {
            Err(nul) => nul.into(),
            Ok(_) => variant(error.message().to_owned()),
        },
        _ => variant(error.message().to_owned()),
    }
}

/// Returns what libpg_query would have printed.
fn stderr(warnings: &[pg_ast::Warning]) -> String {
    let lines: Vec<_> = warnings.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

pub(in super::super) fn parse_tree(sql: &str, options: ParserOptions) -> Result<ParseResult> {
    let options = options.normalized(true).max_depth(MAX_DEPTH);
    let mut result = native::parse_with(sql, options).map_err(|e| error(sql, &e, Error::Parse))?;
    let stderr = stderr(&std::mem::take(&mut result.warnings));
    let protobuf = protobuf::ParseResult::from_native(result.into_protobuf());
    Ok(ParseResult::new(protobuf, stderr))
}

/// Deparses a tree in the usual layout.
pub(in super::super) fn deparse_tree(tree: &protobuf::ParseResult) -> Result<String> {
    deparse_tree_with(tree, &pg_ast::DeparseOptions::default())
}

pub(in super::super) fn deparse_tree_with(
    tree: &protobuf::ParseResult,
    options: &pg_ast::DeparseOptions,
) -> Result<String> {
    // Dropped as this type, a deep tree needs no stack.
    let tree = native::ParseResult::from(tree.to_native());
    native::deparse_with(&tree, options).map_err(|e| Error::Parse(e.message().to_owned()))
}

/// Makes a tree of one statement.
pub(in super::super) fn tree_of(stmt: NodeEnum) -> protobuf::ParseResult {
    let stmt = Some(Box::new(protobuf::Node { node: Some(stmt) }));
    let stmt = protobuf::RawStmt { stmt, stmt_location: 0, stmt_len: 0 };
    let version = native::raw::PG_VERSION_NUM.cast_signed();
    protobuf::ParseResult { version, stmts: vec![stmt] }
}

pub(in super::super) fn tokens(sql: &str) -> Result<Vec<protobuf::ScanToken>> {
    let scan = native::scan(sql).map_err(|e| error(sql, &e, Error::Scan))?;
    let tokens = scan.tokens.into_iter().map(|token| protobuf::ScanToken {
        start: token.start.cast_signed(),
        end: token.end.cast_signed(),
        // A character that the grammar does not know has its own number.
        token: match (token.token as i32, sql.as_bytes().get(token.start as usize)) {
            (0, Some(character)) => i32::from(*character),
            (token, _) => token,
        },
        keyword_kind: token.keyword_kind as i32,
    });
    Ok(tokens.collect())
}

/// Splits SQL at its semicolons, as libpg_query does: statements without a keyword are left out, and all that follows a
/// parenthesis without a counterpart, too.
pub(in super::super) fn split_by_tokens(sql: &str) -> Result<Vec<&str>> {
    let scan = native::scan(sql).map_err(|e| error(sql, &e, Error::Split))?;
    let mut stmts = Vec::new();
    let (mut start, mut open, mut has_keyword) = (0, 0_i64, false);
    for token in scan.tokens {
        let place = token.start as usize;
        if token.keyword_kind as i32 != KeywordKind::NoKeyword as i32 {
            has_keyword = true;
        } else if token.token as i32 == Token::Ascii40 as i32 {
            open += 1;
        } else if token.token as i32 == Token::Ascii41 as i32 {
            open -= 1;
        } else if token.token as i32 == Token::Ascii59 as i32 && open == 0 {
            if has_keyword {
                stmts.extend(sql.get(start..place));
            }
            (start, has_keyword) = (place + 1, false);
        }
    }
    if has_keyword && open == 0 {
        stmts.extend(sql.get(start..));
    }
    Ok(stmts)
}

pub(in super::super) fn plpgsql(sql: &str) -> Result<serde_json::Value> {
    native::parse_plpgsql_with(sql, ParserOptions::default().normalized(true))
        .map_err(|e| error(sql, &e, Error::Parse))
}

/// Returns the summary of SQL as libpg_query's message, and what it would have printed.
pub(in super::super) fn summary_message(
    sql: &str,
    options: ParserOptions,
    truncate_limit: i32,
) -> Result<(protobuf::SummaryResult, String)> {
    let variant = |e| error(sql, &e, Error::Parse);
    let options = options.normalized(true).max_depth(MAX_DEPTH);
    let mut result = native::parse_with(sql, options).map_err(variant)?;
    let truncated =
        usize::try_from(truncate_limit).ok().map(|limit| result.deparse_truncated(limit));
    let truncated_query = truncated.transpose().map_err(variant)?.unwrap_or_default();
    let stderr = stderr(&std::mem::take(&mut result.warnings));
    let tree = protobuf::ParseResult::from_native(result.into_protobuf());
    Ok((protobuf::SummaryResult { truncated_query, ..summarize(&tree)? }, stderr))
}

/// Returns whether a name is a keyword that is not allowed in every place.
pub(super) fn is_reserved(name: &str) -> bool {
    let kind =
        native::scan(name).ok().and_then(|scan| Some(scan.tokens.first()?.keyword_kind as i32));
    kind.is_some_and(|kind| {
        kind != KeywordKind::NoKeyword as i32 && kind != KeywordKind::UnreservedKeyword as i32
    })
}

//! The syntax tree as JSON, in the format of libpg_query's `pg_query_parse`.
//!
//! Needs the feature `serde`, with which the messages of a tree implement serde's `Serialize` and
//! `Deserialize`. The names are those of PostgreSQL's C structs and constants. Fields with
//! their default value are left out, except for constants of enums.
//!
//! ```
//! let tree = pg_ast::parse("SELECT 1")?.into_protobuf();
//! let json = pg_ast::json::to_string(&tree)?;
//! assert!(json.contains(r#""stmts":[{"stmt":{"SelectStmt":{"targetList":[{"ResTarget":{"val":{"A_Const":{"#));
//! assert_eq!(pg_ast::json::from_str::<pg_ast::protobuf::ParseResult>(&json)?, tree);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Differences from the C library
//!
//! Over PostgreSQL's regression SQL, the JSON is byte for byte that of the C library, with two exceptions:
//!
//! - Before PostgreSQL 18, the C library writes an empty string that is not NULL: `"comment":""` of
//!   `COMMENT ON TABLE t IS ''`. From 18 on it leaves it out. So does this crate, in every version, where a field
//!   can be either, since the tree cannot distinguish the two.
//! - Before PostgreSQL 17, the C library leaves out negative numbers (`SELECT -1`). This crate writes them.
//!
//! # Other formats
//!
//! Any self-describing format of serde works, as JSON does: each message is a map. Other formats cannot be read, since not
//! all fields are written.

use core::cell::Cell;
use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::foundation::limits::{DEEPEST_SHOWN, MAX_DEPTH};

/// Writes a tree, or a message that is a part of one, as JSON.
///
/// Mirrors `pg_query_nodes_to_json` of libpg_query's `src/pg_query_outfuncs_json.c`. `serde_json::to_string`
/// writes the same, except for `<` and `>`, which are escaped here (`\u003c`).
///
/// ```
/// use pg_ast::{Node, NodeEnum, protobuf::RangeVar};
///
/// let table = RangeVar { relname: "a<b".to_owned(), inh: true, ..RangeVar::default() };
/// let json = pg_ast::json::to_string(&Node { node: Some(NodeEnum::RangeVar(Box::new(table))) })?;
/// assert_eq!(json, r#"{"RangeVar":{"relname":"a\u003cb","inh":true}}"#);
/// # Ok::<(), pg_ast::serde_json::Error>(())
/// ```
///
/// # Errors
///
/// A list of numbers (`IntList`, `OidList`) contains something else.
pub fn to_string<T: Serialize + prost::Message>(value: &T) -> serde_json::Result<String> {
    let mut json = Vec::new();
    write(&mut json, value)?;
    String::from_utf8(json).map_err(serde::ser::Error::custom)
}

fn write<T: Serialize + ?Sized>(json: &mut Vec<u8>, value: &T) -> serde_json::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(json, Escapes))
}

/// Writes a number, a string, or a list of numbers at the end.
pub(crate) fn append<T: Serialize + ?Sized>(json: &mut Vec<u8>, value: &T) {
    // Writing to a vector cannot fail, and such a value is always valid JSON.
    let _ = write(json, value);
}

/// Reads a tree, or a message that is a part of one, from JSON.
///
/// Fields may come in any order, and those that are missing have their default value. (`serde_json::from_str`
/// does the same for trees that are not deep: it allows 128 levels of JSON.)
///
/// ```
/// use pg_ast::Node;
///
/// let node: Node = pg_ast::json::from_str(r#"{"RangeVar": {"relname": "t"}}"#)?;
/// assert_eq!(node.as_range_var().map(|table| table.relname.as_str()), Some("t"));
///
/// let error = pg_ast::json::from_str::<Node>(r#"{"RangeVar": {"rename": "t"}}"#).unwrap_err();
/// assert!(error.to_string().starts_with("unknown field `rename`"));
/// # Ok::<(), pg_ast::serde_json::Error>(())
/// ```
///
/// # Errors
///
/// The input is not JSON, or not that of a `T`: a node, field or constant is unknown to this PostgreSQL version, or a
/// value has another type. Or the tree is deeper than 6,500 levels.
pub fn from_str<T: DeserializeOwned + prost::Message>(json: &str) -> serde_json::Result<T> {
    from_str_with(json, MAX_DEPTH)
}

/// Like [`from_str`], for trees of up to `max_depth` levels.
///
/// The levels are those of [`ParserOptions::max_depth`](crate::ParserOptions::max_depth), and the remarks there
/// about deep trees apply to the result.
///
/// ```
/// use pg_ast::protobuf::ParseResult;
///
/// let json = pg_ast::json::to_string(&pg_ast::parse("SELECT a + b").unwrap().protobuf)?;
/// assert!(pg_ast::json::from_str_with::<ParseResult>(&json, 5).is_ok());
/// assert!(pg_ast::json::from_str_with::<ParseResult>(&json, 4).is_err());
/// # Ok::<(), pg_ast::serde_json::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`from_str`].
pub fn from_str_with<T: DeserializeOwned + prost::Message>(
    json: &str,
    max_depth: usize,
) -> serde_json::Result<T> {
    // Not `from_str`: after a mistake, that one counts the lines from the start at every level.
    let mut deserializer = serde_json::Deserializer::from_reader(json.as_bytes());
    // The code that reads messages checks depth and stack.
    deserializer.disable_recursion_limit();
    let max_depth = max_depth.min(DEEPEST_SHOWN);
    // A `ParseResult` is itself one level above its statements.
    let _limit = Limit::new(max_depth.saturating_add(1));
    let mut value = T::deserialize(&mut deserializer)?;
    if let Err(error) = deserializer.end() {
        // Drop glue alone would take as much stack as the tree is deep.
        value.clear();
        return Err(error);
    }
    Ok(value)
}

/// JSON without white space, as libpg_query escapes it.
struct Escapes;

impl Formatter for Escapes {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'<' | b'>')) {
            let (text, other) = rest.split_at(at);
            CompactFormatter.write_raw_fragment(writer, text)?;
            let escape = if other.starts_with('<') { r"\u003c" } else { r"\u003e" };
            CompactFormatter.write_raw_fragment(writer, escape)?;
            rest = &other[1..];
        }
        CompactFormatter.write_raw_fragment(writer, rest)
    }
}

/// The depth that a tree may still have below the point that is being read.
#[derive(Clone, Copy)]
pub(crate) struct JsonDepth {
    left: usize,
    /// The maximum number of levels in total.
    max: usize,
}

/// Most other formats have lower limits of their own, such as 128.
const OTHER_FORMATS: usize = if DEEPEST_SHOWN < 1_000 { DEEPEST_SHOWN } else { 1_000 };

thread_local! {
    /// The limit for the tree that this thread reads, since serde has no way to pass a context.
    static MAX: Cell<usize> = const { Cell::new(OTHER_FORMATS) };
}

impl JsonDepth {
    /// Returns the depth for a whole tree.
    pub(crate) fn of_thread() -> Self {
        let max = MAX.get();
        Self { left: max, max }
    }

    /// Returns the depth for one more level.
    pub(crate) fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        let Self { left, max } = self;
        match left.checked_sub(1) {
            Some(left) => Ok(Self { left, max }),
            None => Err(E::custom(format_args!("the tree is more than {} levels deep", max - 1))),
        }
    }
}

/// Sets the limit, until it is dropped.
struct Limit {
    before: usize,
}

impl Limit {
    fn new(max: usize) -> Self {
        Self { before: MAX.replace(max) }
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        MAX.set(self.before);
    }
}

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
//! Over PostgreSQL's regression SQL the JSON is that of the C library, to the byte, with two exceptions:
//!
//! - Before PostgreSQL 18, the C library writes an empty string that is not NULL: `"comment":""` of
//!   `COMMENT ON TABLE t IS ''`. From 18 on it leaves it out. So does this crate, in every version, where a field
//!   can be either, since the tree does not tell one from the other.
//! - Before PostgreSQL 17, the C library leaves out a number that is negative (`SELECT -1`). This crate writes it.
//!
//! # Other formats
//!
//! Any self-describing format of serde works, as JSON does. Formats without the names of fields cannot be read, since not
//! all fields are written.

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use std::io;

use serde::de::{DeserializeOwned, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::ser::{CompactFormatter, Formatter};

use crate::runtime::limits::MAX_DEPTH;
use crate::runtime::{nesting, stack};

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

/// Writes a number, a string, or a list of numbers behind what there is.
pub(crate) fn append<T: Serialize + ?Sized>(json: &mut Vec<u8>, value: &T) {
    // A vector takes all that is written, and such a value is always JSON.
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
/// value has another type. Or the tree has more than 4,000 levels.
pub fn from_str<T: DeserializeOwned + prost::Message>(json: &str) -> serde_json::Result<T> {
    from_str_with(json, MAX_DEPTH)
}

/// As [`from_str`], for trees of up to `max_depth` levels.
///
/// The levels are those of [`ParserOptions::max_depth`](crate::ParserOptions::max_depth), and what is said there
/// about deep trees applies to the result.
///
/// # Errors
///
/// As [`from_str`].
pub fn from_str_with<T: DeserializeOwned + prost::Message>(
    json: &str,
    max_depth: usize,
) -> serde_json::Result<T> {
    // Not `from_str`: after a mistake, that one counts the lines from the start at every level.
    let mut deserializer = serde_json::Deserializer::from_reader(json.as_bytes());
    // `nested` looks at depth and stack.
    deserializer.disable_recursion_limit();
    // Each level of the tree is at least one of brackets.
    let room = nesting::depth(json.as_bytes()).min(max_depth);
    let _reading = Reading::new(Depth {
        level: 0,
        // A `ParseResult` is itself one level above its statements.
        max: max_depth.saturating_add(1),
        room,
    });
    // What has been read is dropped after a mistake, here and in what serde derives.
    stack::with_room(room, || {
        let value = T::deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(value)
    })
}

/// JSON without white space, as libpg_query escapes it.
struct Escapes;

impl Formatter for Escapes {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for part in fragment.split_inclusive(['<', '>']) {
            let (text, escape) = match part.as_bytes() {
                [text @ .., b'<'] => (text, r"\u003c"),
                [text @ .., b'>'] => (text, r"\u003e"),
                text => (text, ""),
            };
            writer.write_all(text)?;
            CompactFormatter.write_raw_fragment(writer, escape)?;
        }
        Ok(())
    }
}

/// Whether libpg_query leaves out a field.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A field that holds messages: what leads deeper into the tree.
pub(crate) mod nested {
    use super::{Deserialize, Deserializer, Reading, Serialize, Serializer, stack};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        stack::with_stack(|| value.serialize(serializer))
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let level = Reading::enter()?;
        stack::with_room(level.room(), || T::deserialize(deserializer))
    }
}

/// How deep this thread is in the tree that it reads. (serde gives no place for a context.)
#[derive(Clone, Copy)]
struct Depth {
    level: usize,
    /// How many levels there may be.
    max: usize,
    /// For how many levels there is room on the stack: after a mistake, what serde derives drops the parts that
    /// have been read already, by drop glue, from wherever it is.
    room: usize,
}

/// Outside of [`from_str`] there is room for as many levels. Other formats have lower limits of their own, most of
/// them 128.
const OTHER_FORMATS: Depth = Depth { level: 0, max: 1_000, room: 1_000 };

thread_local! {
    static DEPTH: Cell<Depth> = const { Cell::new(OTHER_FORMATS) };
}

/// A level of the tree that is being read, or a tree with limits of its own.
pub(crate) struct Reading {
    before: Depth,
}

impl Reading {
    fn new(depth: Depth) -> Self {
        Self { before: DEPTH.replace(depth) }
    }

    /// One level more.
    pub(crate) fn enter<E: serde::de::Error>() -> Result<Self, E> {
        let Depth { level, max, room } = DEPTH.get();
        if level >= max {
            let max = max - 1;
            return Err(E::custom(format_args!("the tree is more than {max} levels deep")));
        }
        Ok(Self::new(Depth { level: level + 1, max, room }))
    }

    fn room(&self) -> usize {
        self.before.room
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        DEPTH.set(self.before);
    }
}

/// The names of an enum's constants.
pub(crate) trait NamedConstant: Sized + TryFrom<i32> + Into<i32> {
    fn name(&self) -> &'static str;
    fn by_name(name: &str) -> Option<Self>;
}

/// Implements [`NamedConstant`] by what prost wrote.
macro_rules! enumerations {
    ($($name:ident)*) => {$(
        impl crate::runtime::json::NamedConstant for $name {
            fn name(&self) -> &'static str {
                self.as_str_name()
            }

            fn by_name(name: &str) -> Option<Self> {
                Self::from_str_name(name)
            }
        }
    )*};
}
pub(crate) use enumerations;

/// A field that holds a constant: its name; or its number, where it has no name.
pub(crate) struct Enumeration<E>(PhantomData<E>);

impl<E: NamedConstant> Enumeration<E> {
    // As serde calls it.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub(crate) fn serialize<S: Serializer>(value: &i32, serializer: S) -> Result<S::Ok, S::Error> {
        match E::try_from(*value) {
            Ok(constant) => serializer.serialize_str(constant.name()),
            Err(_) => serializer.serialize_i32(*value),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
        deserializer.deserialize_any(Self(PhantomData))
    }
}

impl<E: NamedConstant> Visitor<'_> for Enumeration<E> {
    type Value = i32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = core::any::type_name::<E>();
        let name = path.rsplit_once("::").map_or(path, |(_, name)| name);
        write!(f, "a constant of {name}")
    }

    fn visit_str<X: serde::de::Error>(self, name: &str) -> Result<i32, X> {
        E::by_name(name)
            .map(Into::into)
            .ok_or_else(|| X::invalid_value(Unexpected::Str(name), &self))
    }

    fn visit_i64<X: serde::de::Error>(self, number: i64) -> Result<i32, X> {
        i32::try_from(number).map_err(|_| X::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<X: serde::de::Error>(self, number: u64) -> Result<i32, X> {
        i32::try_from(number).map_err(|_| X::invalid_value(Unexpected::Unsigned(number), &self))
    }
}

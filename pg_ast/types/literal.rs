//! The values of constants: the same for all versions.

use core::fmt;
use std::borrow::Cow;

/// The value of a constant, as written in a statement.
///
/// [`Node::literal`](crate::Node::literal) reads it from a node, through casts and signs.
///
/// ```
/// use pg_ast::Literal;
///
/// for (sql, value) in [
///     ("NULL", Literal::Null),
///     ("true", Literal::Boolean(true)),
///     ("- 0x10", Literal::Integer(-16)),
///     ("1.50", Literal::Float("1.50".into())),
///     ("E'a\\'b'::text", Literal::String("a'b")),
///     ("B'101'", Literal::BitString("b101")),
/// ] {
///     assert_eq!(pg_ast::parse_expr(sql)?.literal(), Some(value));
/// }
/// assert_eq!(pg_ast::parse_expr("a + 1")?.literal(), None);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Literal<'a> {
    /// `NULL`.
    Null,
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A whole number that 64 bits can hold.
    ///
    /// A number that does not fit into 32 bits is a `Float` in the tree. As in PostgreSQL, the value
    /// decides, so `9000000000` and `0xFFFFFFFFFF` are integers here.
    Integer(i64),
    /// Any other number, as its digits, preceded by `-` if it is negative.
    Float(Cow<'a, str>),
    /// `'..'`, without the quotes, and with its escapes resolved.
    String(&'a str),
    /// `B'..'` or `X'..'`: a `b` or an `x`, and the digits.
    BitString(&'a str),
}

/// Prints the constant as SQL, which is the same with every setting of `standard_conforming_strings`.
///
/// ```
/// use pg_ast::Literal;
///
/// assert_eq!(Literal::String("it's").to_string(), "'it''s'");
/// assert_eq!(Literal::String(r"a\b").to_string(), r"E'a\\b'");
/// assert_eq!(Literal::BitString("x1F").to_string(), "x'1F'");
/// assert_eq!(Literal::Null.to_string(), "NULL");
/// ```
impl fmt::Display for Literal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Boolean(value) => f.write_str(if *value { "TRUE" } else { "FALSE" }),
            Self::Integer(number) => number.fmt(f),
            Self::Float(number) => f.write_str(number),
            Self::String(text) if text.contains('\\') => {
                write!(f, "E'{}'", text.replace('\\', r"\\").replace('\'', "''"))
            }
            Self::String(text) => write!(f, "'{}'", text.replace('\'', "''")),
            Self::BitString(digits) => {
                let mut rest = digits.chars();
                let base = rest.next().unwrap_or('b');
                write!(f, "{base}'{}'", rest.as_str().replace('\'', "''"))
            }
        }
    }
}

/// An operator before a number.
#[derive(Clone, Copy)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    /// Returns the sign that an operator is, if it is one.
    pub(crate) fn new(operator: &str) -> Option<Self> {
        match operator {
            "+" => Some(Self::Plus),
            "-" => Some(Self::Minus),
            _ => None,
        }
    }

    /// Combines this sign with one that follows it.
    pub(crate) fn before(self, other: Option<Self>) -> Self {
        match (self, other) {
            (Self::Minus, Some(Self::Minus)) => Self::Plus,
            (Self::Minus, _) | (_, Some(Self::Minus)) => Self::Minus,
            _ => Self::Plus,
        }
    }
}

impl<'a> Literal<'a> {
    /// Converts a number from its digits.
    ///
    /// Mirrors `make_const` of PostgreSQL's `src/backend/parser/parse_node.c`.
    pub(crate) fn number(digits: impl Into<Cow<'a, str>>) -> Self {
        let digits = digits.into();
        whole(&digits).map_or(Self::Float(digits), Self::Integer)
    }

    /// Applies the sign before the value. Only numbers and `NULL` can have one.
    pub(crate) fn signed(self, sign: Option<Sign>) -> Option<Self> {
        match (self, sign) {
            (value, None) => Some(value),
            (value @ (Self::Null | Self::Integer(_) | Self::Float(_)), Some(Sign::Plus)) => {
                Some(value)
            }
            (Self::Null, _) => Some(Self::Null),
            (Self::Integer(number), _) => Some(match number.checked_neg() {
                Some(number) => Self::Integer(number),
                None => Self::Float(number.unsigned_abs().to_string().into()),
            }),
            (Self::Float(digits), _) => Some(Self::number(match digits.strip_prefix('-') {
                Some(digits) => digits.to_owned(),
                None => format!("-{digits}"),
            })),
            _ => None,
        }
    }
}

/// The value of a whole number that fits into 64 bits: decimal, or as `0x..`, `0o..` or `0b..`, possibly with
/// `_` between its digits.
///
/// Mirrors `pg_strtoint64_safe` of PostgreSQL's `src/backend/utils/adt/numutils.c`.
fn whole(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix('-');
    let digits = unsigned.unwrap_or(text);
    let (radix, digits) = match digits.get(..2) {
        Some("0x" | "0X") => (16, &digits[2..]),
        Some("0o" | "0O") => (8, &digits[2..]),
        Some("0b" | "0B") => (2, &digits[2..]),
        _ => (10, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let digits = digits.bytes().filter(|byte| *byte != b'_');
    // Below zero, where the range has one more number.
    let negative =
        digits.map(|byte| char::from(byte).to_digit(radix)).try_fold(0_i64, |number, digit| {
            number.checked_mul(radix.into())?.checked_sub(digit?.into())
        })?;
    if unsigned.is_some() { Some(negative) } else { negative.checked_neg() }
}

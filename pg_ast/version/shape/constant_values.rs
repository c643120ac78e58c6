//! The values of constants as they are in trees, and constants with given values.

use super::view;
use crate::text::plain_scan::skip_blanks;
use crate::types::options::{ParseMode, ParserOptions};
use crate::types::shape_options::{ConstantForm, ConstantKind, ConstantPlace};

/// The value of a constant.
pub(super) enum ConstantValue<'a> {
    Number(i64),
    /// A string that is in the SQL, with its quotes doubled or not.
    Text(&'a [u8]),
    Doubled(&'a [u8]),
    /// A string that only the parser can tell.
    Made(Vec<u8>),
    /// The digits of a number with a minus.
    Negative(&'a [u8]),
    Null,
    Boolean(bool),
}

impl<'a> ConstantValue<'a> {
    /// Returns the value of a constant in SQL; `None` if the parser rejects it.
    #[inline]
    pub(super) fn of(sql: &'a str, place: ConstantPlace, options: ParserOptions) -> Option<Self> {
        let text = sql.as_bytes().get(place.start as usize..place.end as usize)?;
        match place.form {
            ConstantForm::Digits => match place.kind {
                ConstantKind::Integer => number(text),
                ConstantKind::Parameter => number(text.get(1..)?),
                _ => Some(Self::Text(text)),
            },
            ConstantForm::Quoted => Some(Self::Text(text.get(1..text.len() - 1)?)),
            ConstantForm::Doubled => Some(Self::Doubled(text.get(1..text.len() - 1)?)),
            ConstantForm::Negative => {
                let digits = text.get(skip_blanks(text, 1)..)?;
                match place.kind {
                    ConstantKind::Integer => match number(digits)? {
                        Self::Number(number) => Some(Self::Number(-number)),
                        _ => None,
                    },
                    _ => Some(Self::Negative(digits)),
                }
            }
            ConstantForm::Word => Some(match place.kind {
                ConstantKind::Null => Self::Null,
                _ => Self::Boolean(matches!(text, [b't' | b'T', ..])),
            }),
            ConstantForm::Odd => odd(core::str::from_utf8(text).ok()?, options),
        }
    }

    /// Returns the parts of a string, between which a quote of two is left out; `None` for a number.
    #[inline]
    pub(super) fn parts(&self) -> Option<TextParts<'_>> {
        match self {
            Self::Number(_) | Self::Null | Self::Boolean(_) => None,
            Self::Text(text) => Some(TextParts { sign: false, rest: Some(text), doubled: false }),
            Self::Doubled(text) => Some(TextParts { sign: false, rest: Some(text), doubled: true }),
            Self::Made(text) => Some(TextParts { sign: false, rest: Some(text), doubled: false }),
            Self::Negative(text) => {
                Some(TextParts { sign: true, rest: Some(text), doubled: false })
            }
        }
    }
}

/// The parts of a string; see [`ConstantValue::parts`].
pub(super) struct TextParts<'a> {
    /// Whether a minus comes first.
    sign: bool,
    rest: Option<&'a [u8]>,
    doubled: bool,
}

impl<'a> Iterator for TextParts<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if core::mem::take(&mut self.sign) {
            return Some(b"-");
        }
        let rest = self.rest.take()?;
        let quote = if self.doubled { rest.iter().position(|&byte| byte == b'\'') } else { None };
        let Some(quote) = quote else { return Some(rest) };
        self.rest = rest.get(quote + 2..);
        rest.get(..=quote)
    }
}

/// Returns the value of digits.
#[inline]
fn number<'a>(digits: &[u8]) -> Option<ConstantValue<'a>> {
    let mut value: i64 = 0;
    for digit in digits {
        value = value * 10 + i64::from(digit.wrapping_sub(b'0'));
        // Zeroes may come before it, so its length does not tell.
        if value > i32::MAX.into() {
            return None;
        }
    }
    Some(ConstantValue::Number(value))
}

/// Asks the parser for a value.
fn odd<'a>(text: &str, options: ParserOptions) -> Option<ConstantValue<'a>> {
    use view::a_const::Val;
    let sql = format!("SELECT {text}");
    let options = ParserOptions { mode: ParseMode::Default, max_bytes: usize::MAX, ..options };
    let tree = view::parse_with(&sql, options).ok()?;
    if !tree.warnings().is_empty() {
        return None;
    }
    let select = tree.stmts().next()?.stmt()?.as_select_stmt()?;
    let value = select.target_list().first()?.as_res_target()?.val()?;
    if let Some(parameter) = value.as_param_ref() {
        return Some(ConstantValue::Number(parameter.number().into()));
    }
    let text = |text: &str| ConstantValue::Made(text.as_bytes().to_vec());
    Some(match value.as_a_const()?.val()? {
        Val::Ival(number) => ConstantValue::Number(number.ival().into()),
        Val::Fval(number) => text(number.fval()),
        Val::Sval(string) => text(string.sval()),
        Val::Bsval(string) => text(string.bsval()),
        Val::Boolval(_) => return None,
    })
}

/// The shortest constant of a kind, and its value.
pub(super) fn short_constant(kind: ConstantKind) -> (&'static [u8], &'static [u8]) {
    match kind {
        ConstantKind::Integer => (b"1", b"1"),
        ConstantKind::Number => (b"0.5", b"0.5"),
        ConstantKind::String => (b"'k'", b"k"),
        ConstantKind::BitString => (b"B'1'", b"b1"),
        ConstantKind::HexString => (b"X'1'", b"x1"),
        ConstantKind::Parameter => (b"$1", b"1"),
        ConstantKind::Null => (b"NULL", b""),
        ConstantKind::Boolean => (b"TRUE", b""),
    }
}

/// A longer constant, and its value: another one for each number.
pub(super) fn long_constant(kind: ConstantKind, number: usize) -> (String, String) {
    let number = 1_000_000 + number;
    match kind {
        ConstantKind::Integer => (format!("{number}"), format!("{number}")),
        ConstantKind::Number => (format!("{number}.25"), format!("{number}.25")),
        ConstantKind::String => (format!("'it''s {number}'"), format!("it's {number}")),
        ConstantKind::BitString => (format!("B'{number:b}'"), format!("b{number:b}")),
        ConstantKind::HexString => (format!("X'{number:x}'"), format!("x{number:x}")),
        ConstantKind::Parameter => (format!("${number}"), format!("{number}")),
        ConstantKind::Null => ("NULL".to_owned(), String::new()),
        ConstantKind::Boolean => ("FALSE".to_owned(), String::new()),
    }
}

/// The number of constants that a value can be.
pub(super) const VALUES: usize = 10;

/// The constant of a value in the short SQL.
pub(super) const SHORT_VALUE: &[u8] = b"1";

/// One of the [constants](VALUES) that a value can be, by its index, with a sign if it may: another one for each number.
pub(super) fn long_value(index: usize, may_be_negative: bool, number: usize) -> String {
    use ConstantKind as Kind;
    let constant = |kind| long_constant(kind, number).0;
    match index % VALUES {
        0 => constant(Kind::String),
        1 => "NULL".to_owned(),
        2 if may_be_negative => format!("-{}", constant(Kind::Integer)),
        3 => constant(Kind::Number),
        4 => "TRUE".to_owned(),
        5 if may_be_negative => format!("- {}", constant(Kind::Number)),
        6 => constant(Kind::BitString),
        7 => "FALSE".to_owned(),
        8 => constant(Kind::HexString),
        _ => constant(Kind::Integer),
    }
}

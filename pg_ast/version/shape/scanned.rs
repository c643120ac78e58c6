//! The skeleton of SQL that is not plain: by PostgreSQL's scanner.

use super::ffi;
use super::ffi::Scan;
use super::names::protobuf::Token;
use super::read::scan::ScanToken;
use crate::foundation::arena::with_arena;
use crate::text::plain_scan::{ends_value, skip_blanks};
use crate::text::skeleton::Skeleton;
use crate::text::skeleton_builder::{ListWord, SkeletonBuilder};
use crate::types::error::Error;
use crate::types::shape_options::{ConstantForm, ConstantKind, ShapeOptions};

/// Returns the skeleton of any SQL.
pub(super) fn scanned_skeleton(sql: &str, options: ShapeOptions) -> Result<Skeleton, Error> {
    // The scanner has its own idea of backslashes.
    if !options.parser.standard_conforming_strings && sql.contains('\\') {
        return Ok(Skeleton::exact(sql));
    }
    let scan = with_arena(|arena| Scan::new(ffi::c_string(sql, arena)?))?;
    if let Some(error) = scan.error(sql) {
        return Err(error);
    }
    let tokens: Vec<_> = scan.tokens().iter().map(|token| ScanToken::new(token, 0)).collect();
    Ok(of_tokens(sql, &tokens, options).unwrap_or_else(|| Skeleton::exact(sql)))
}

/// Returns the kind of constant that a token is.
fn constant_kind(token: Token) -> Option<ConstantKind> {
    Some(match token {
        Token::Iconst => ConstantKind::Integer,
        Token::Fconst => ConstantKind::Number,
        Token::Sconst => ConstantKind::String,
        Token::Bconst => ConstantKind::BitString,
        Token::Xconst => ConstantKind::HexString,
        Token::Param => ConstantKind::Parameter,
        _ => return None,
    })
}

/// Returns how a constant is written.
fn form(text: &[u8], kind: ConstantKind) -> ConstantForm {
    let number = match kind {
        ConstantKind::Integer | ConstantKind::Number => text,
        ConstantKind::Parameter => text.get(1..).unwrap_or_default(),
        _ => return quoted_form(text, kind),
    };
    // Of an integer only digits; of a number, its text is the value, whatever it is.
    let is_plain = kind == ConstantKind::Number || number.iter().all(u8::is_ascii_digit);
    if is_plain { ConstantForm::Digits } else { ConstantForm::Odd }
}

/// Returns whether a string is a single one, without a prefix.
fn quoted_form(text: &[u8], kind: ConstantKind) -> ConstantForm {
    let [b'\'', inner @ .., b'\''] = text else { return ConstantForm::Odd };
    let mut form = ConstantForm::Quoted;
    let mut bytes = inner.iter();
    while let Some(byte) = bytes.next() {
        if *byte == b'\'' {
            if bytes.next() != Some(&b'\'') {
                return ConstantForm::Odd;
            }
            form = ConstantForm::Doubled;
        }
    }
    if kind == ConstantKind::String { form } else { ConstantForm::Odd }
}

/// Returns the end of a number with a minus that is all of the value of an item; see `plain_scan`.
fn signed(sql: &str, tokens: &[ScanToken]) -> Option<(usize, ConstantKind, ConstantForm)> {
    let [minus, number, rest @ ..] = tokens else { return None };
    let kind = constant_kind(number.token).filter(|kind| kind.is_number())?;
    let next = rest.iter().find(|token| !token.is_comment())?;
    let range = number.range();
    let is_next = skip_blanks(sql.as_bytes(), minus.range().end) == range.start;
    if !is_next || !ends_value(sql.as_bytes().get(next.range().start)) {
        return None;
    }
    let form = match form(sql.as_bytes().get(range.clone())?, kind) {
        ConstantForm::Digits => ConstantForm::Negative,
        form => form,
    };
    Some((range.end, kind, form))
}

/// Returns the skeleton by the tokens; `None` if one of them ends where a constant does not.
fn of_tokens(sql: &str, tokens: &[ScanToken], options: ShapeOptions) -> Option<Skeleton> {
    let text = sql.as_bytes();
    let mut out = SkeletonBuilder::new(sql, options);
    let (mut index, mut at) = (0, 0);
    loop {
        let Some(token) = tokens.get(index).filter(|_| at <= text.len()) else {
            if options.ignore_layout && at < text.len() {
                out.gap(at, text.len());
            }
            match out.end() {
                Some(again) => at = again,
                None => return Some(out.finish()),
            }
            index = tokens.partition_point(|token| (token.start as usize) < at);
            continue;
        };
        if token.is_comment() {
            index += 1;
            continue;
        }
        let range = token.range();
        if options.ignore_layout && at < range.start {
            out.gap(at, range.start);
        }
        at = range.end;
        let mut next = at;
        match token.token {
            Token::InP => out.list_word(ListWord::In, at),
            Token::Array => out.list_word(ListWord::Array, at),
            Token::Values => out.list_word(ListWord::Values, at),
            Token::Ascii40 | Token::Ascii91 => next = out.open(range.start),
            Token::Ascii41 | Token::Ascii93 => next = out.close(range.start),
            Token::Ascii44 => next = out.comma(range.start),
            Token::NullP | Token::TrueP | Token::FalseP if out.in_run() => {
                out.word(range.start, at);
            }
            Token::Ascii45 if out.is_cell(range.start) => {
                if let Some((end, kind, form)) = signed(sql, &tokens[index..]) {
                    out.constant(kind, form, range.start, end);
                    (at, next) = (end, end);
                    index += 1;
                }
            }
            token => {
                if let Some(kind) = constant_kind(token) {
                    let mut text = text.get(range.clone())?;
                    // The scanner has looked for another part of a string.
                    if !kind.is_number() && kind != ConstantKind::Parameter {
                        text = text.trim_ascii_end();
                        if !text.ends_with(b"'") && !text.ends_with(b"$") {
                            return None;
                        }
                    }
                    at = range.start + text.len();
                    next = at;
                    out.constant(kind, form(text, kind), range.start, at);
                }
            }
        }
        index += 1;
        if next != at {
            at = next;
            index = tokens.partition_point(|token| (token.start as usize) < at);
        }
    }
}

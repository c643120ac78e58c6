//! Reads an item of a run that is like the first one: beside the key of that, which is faster than to build another one.

use crate::text::plain_scan::{is_gap_end, number, parameter, signed, string, word_end};
use crate::text::skeleton::{Anchor, ConstantMarker, short};
use crate::types::shape_options::{ConstantForm, ConstantKind, ConstantPlace, ShapeOptions};

/// The first item of a run.
pub(crate) struct FirstItem<'k> {
    pub(crate) key: &'k [u8],
    /// Where it is in the key of the SQL.
    pub(crate) start: usize,
}

impl FirstItem<'_> {
    /// Adds the constants of another item; returns its end, or `None` if it is not plainly like the first one.
    pub(crate) fn read(
        &self,
        sql: &[u8],
        start: usize,
        options: ShapeOptions,
        constants: &mut Vec<ConstantPlace>,
        anchors: &mut Vec<Anchor>,
    ) -> Option<usize> {
        let mut at = start;
        for (index, &byte) in self.key.iter().enumerate() {
            let Some(marker) = ConstantMarker::of_byte(byte) else {
                // The same bytes from the same token on are the same tokens.
                if sql.get(at) != Some(&byte) {
                    return None;
                }
                at += 1;
                if byte == b' ' && options.ignore_layout && !is_gap_end(sql, at) {
                    return None;
                }
                continue;
            };
            let (end, kind, form) = constant(sql, at, marker, options)?;
            let is_cell = marker == ConstantMarker::Value;
            constants.push(ConstantPlace {
                start: short(at),
                end: short(end),
                kind,
                form,
                is_cell,
            });
            anchors.push(Anchor { key: short(self.start + index + 1), text: short(end) });
            at = end;
        }
        Some(at)
    }
}

/// Returns the end of a plain constant for a marker, its kind and its form.
#[inline]
fn constant(
    sql: &[u8],
    at: usize,
    marker: ConstantMarker,
    options: ShapeOptions,
) -> Option<(usize, ConstantKind, ConstantForm)> {
    let kind = match (*sql.get(at)?, marker) {
        (b'0'..=b'9', ConstantMarker::Value) => {
            let (end, kind) = number(sql, at)?;
            return Some((end, kind, ConstantForm::Digits));
        }
        (b'-', ConstantMarker::Value) => {
            let (end, kind) = signed(sql, at)??;
            return Some((end, kind, ConstantForm::Negative));
        }
        (b'n' | b'N' | b't' | b'T' | b'f' | b'F', ConstantMarker::Value) => {
            let end = word_end(sql, at + 1);
            let kind = ConstantKind::of_word(&sql[at..end])?;
            return Some((end, kind, ConstantForm::Word));
        }
        (b'\'', ConstantMarker::Value | ConstantMarker::Constant(ConstantKind::String)) => {
            ConstantKind::String
        }
        (_, ConstantMarker::Constant(kind)) => kind,
        _ => return None,
    };
    match kind {
        ConstantKind::String if sql[at] == b'\'' => {
            let (end, form) = string(sql, at, !options.parser.standard_conforming_strings)?;
            Some((end, kind, form))
        }
        ConstantKind::Parameter => Some((parameter(sql, at)?, kind, ConstantForm::Digits)),
        ConstantKind::Integer | ConstantKind::Number if sql[at].is_ascii_digit() => {
            let (end, found) = number(sql, at)?;
            (found == kind).then_some((end, kind, ConstantForm::Digits))
        }
        _ => None,
    }
}

//! SQL without its constants, and the places of these; see docs/design/shapes.md.

use crate::types::shape_options::{ConstantKind, ConstantPlace};

/// The bytes of the key that stand for constants and runs: none of them is in UTF-8.
const INTEGER: u8 = 0xF5;
const NUMBER: u8 = 0xF6;
const STRING: u8 = 0xF7;
const BIT_STRING: u8 = 0xF8;
const HEX_STRING: u8 = 0xF9;
const PARAMETER: u8 = 0xFA;
pub(crate) const RUN: u8 = 0xFB;
pub(crate) const RUN_END: u8 = 0xFC;
/// A constant of any kind but a parameter, with its sign: in the items of a run.
const VALUE: u8 = 0xFD;
/// The first byte of a key that is the SQL itself.
const EXACT: u8 = 0xFF;

/// What the key has for a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstantMarker {
    Constant(ConstantKind),
    /// One of any kind; see [`ConstantPlace::is_cell`].
    Value,
}

impl ConstantMarker {
    #[inline]
    pub(crate) const fn byte(self) -> u8 {
        match self {
            Self::Constant(ConstantKind::Integer) => INTEGER,
            Self::Constant(ConstantKind::Number) => NUMBER,
            Self::Constant(ConstantKind::String) => STRING,
            Self::Constant(ConstantKind::BitString) => BIT_STRING,
            Self::Constant(ConstantKind::HexString) => HEX_STRING,
            Self::Constant(ConstantKind::Parameter) => PARAMETER,
            // These words are constants in such places only.
            Self::Value | Self::Constant(ConstantKind::Null | ConstantKind::Boolean) => VALUE,
        }
    }

    #[inline]
    pub(crate) const fn of_byte(byte: u8) -> Option<Self> {
        Some(Self::Constant(match byte {
            INTEGER => ConstantKind::Integer,
            NUMBER => ConstantKind::Number,
            STRING => ConstantKind::String,
            BIT_STRING => ConstantKind::BitString,
            HEX_STRING => ConstantKind::HexString,
            PARAMETER => ConstantKind::Parameter,
            VALUE => return Some(Self::Value),
            _ => return None,
        }))
    }
}

/// From `key` in the key, the SQL continues at `text`, up to the next anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) key: u32,
    pub(crate) text: u32,
}

/// Returns a place or a number of SQL, all of which fit: SQL has at most 1 GiB.
#[allow(clippy::cast_possible_truncation)]
#[inline]
pub(crate) fn short(place: usize) -> u32 {
    place as u32
}

/// The items of a run after its first one.
#[derive(Debug)]
pub(crate) struct Repeated {
    /// The constants of the first item, in [`Skeleton::constants`].
    pub(crate) first: u32,
    pub(crate) per_item: u32,
    /// The constants of the others, in [`Skeleton::repeated_constants`], and their number.
    pub(crate) constants: u32,
    pub(crate) count: u32,
    /// The first of their entries in [`Skeleton::item_anchors`].
    pub(crate) items: u32,
}

/// SQL without its constants, as a key.
#[derive(Debug, Default)]
pub(crate) struct Skeleton {
    pub(crate) key: Vec<u8>,
    /// The constants, without those of repeated items.
    pub(crate) constants: Vec<ConstantPlace>,
    /// The places of the key, in order; before the first one, the key is the SQL.
    pub(crate) anchors: Vec<Anchor>,
    pub(crate) repeated_constants: Vec<ConstantPlace>,
    /// The places of repeated items in the key of the first item.
    pub(crate) repeated_anchors: Vec<Anchor>,
    /// The first anchor of each repeated item.
    pub(crate) item_anchors: Vec<u32>,
    pub(crate) runs: Vec<Repeated>,
}

impl Skeleton {
    /// The skeleton of SQL of which everything counts.
    pub(crate) fn exact(sql: &str) -> Self {
        let mut key = Vec::with_capacity(sql.len() + 1);
        key.push(EXACT);
        key.extend_from_slice(sql.as_bytes());
        Self { key, ..Self::default() }
    }

    /// Returns whether the key is the SQL itself.
    pub(crate) fn is_exact(&self) -> bool {
        self.key.first() == Some(&EXACT)
    }

    /// Writes SQL of the same shape. `items` returns the number of items of a run; `constant` appends a constant.
    pub(crate) fn fill(
        &self,
        items: &dyn Fn(usize) -> usize,
        constant: &mut dyn FnMut(&mut Vec<u8>, ConstantGap),
    ) -> Option<String> {
        let mut sql = Vec::with_capacity(self.key.len() + 8 * self.constants.len());
        let mut rest = self.key.as_slice();
        let (mut run, mut next) = (0, 0);
        while let Some((&byte, behind)) = rest.split_first() {
            if byte != RUN {
                fill_byte(&mut sql, rest, (None, 0), &mut next, constant);
                rest = behind;
                continue;
            }
            let end = behind.iter().position(|&byte| byte == RUN_END)?;
            let (item, behind) = behind.split_at(end);
            rest = &behind[1..];
            let first = next;
            for index in 0..items(run) {
                if index > 0 {
                    sql.extend_from_slice(b", ");
                }
                next = first;
                for at in 0..item.len() {
                    let turn = index + next - first;
                    fill_byte(&mut sql, &item[at..], (Some(run), turn), &mut next, constant);
                }
            }
            run += 1;
        }
        String::from_utf8(sql).ok()
    }
}

/// A place in a key for a constant.
#[derive(Clone, Copy)]
pub(crate) struct ConstantGap {
    pub(crate) marker: ConstantMarker,
    /// The index of the constant in [`Skeleton::constants`]; that of the first item's in all items of a run.
    pub(crate) index: usize,
    /// The run that it is in.
    pub(crate) run: Option<usize>,
    /// Another number in each item for each constant in it: the sum of the indexes of both.
    pub(crate) turn: usize,
    /// Whether the constant is all of a value of an item, so that it may have a sign.
    pub(crate) is_whole: bool,
}

/// Writes the first byte of a key, which may be the next constant.
fn fill_byte(
    sql: &mut Vec<u8>,
    key: &[u8],
    (run, turn): (Option<usize>, usize),
    next: &mut usize,
    constant: &mut dyn FnMut(&mut Vec<u8>, ConstantGap),
) {
    let Some(marker) = ConstantMarker::of_byte(key[0]) else {
        sql.push(key[0]);
        return;
    };
    // Nothing is behind the value at the end of an item.
    let behind = skip_layout(key, 1).ok().map(|behind| key.get(behind));
    let is_whole = behind.is_some_and(|next| matches!(next, None | Some(b',' | b')' | b']')));
    constant(sql, ConstantGap { marker, index: *next, run, turn, is_whole });
    *next += 1;
}

/// Layout that only the scanner understands: a comment in a comment, or one that does not end.
#[derive(Debug)]
pub(crate) struct OddLayout;

/// Returns the end of the blanks and comments at a place.
#[inline]
pub(crate) fn skip_layout(sql: &[u8], mut at: usize) -> Result<usize, OddLayout> {
    loop {
        match sql.get(at..).unwrap_or_default() {
            [b' ' | b'\t' | b'\n' | b'\r' | b'\x0c', ..] => at += 1,
            [b'-', b'-', ..] => at = line_comment(sql, at),
            [b'/', b'*', ..] => at = comment(sql, at)?,
            [b'\x0b', ..] => return Err(OddLayout),
            _ => return Ok(at),
        }
    }
}

/// Returns the end of a `--` comment, before the end of its line.
#[inline]
pub(crate) fn line_comment(sql: &[u8], at: usize) -> usize {
    let rest = sql.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(rest.len())
}

/// Returns the end of a comment without others in it.
pub(crate) fn comment(sql: &[u8], at: usize) -> Result<usize, OddLayout> {
    let mut at = at + 2;
    loop {
        match sql.get(at..).unwrap_or_default() {
            [b'*', b'/', ..] => return Ok(at + 2),
            [b'/', b'*', ..] | [] => return Err(OddLayout),
            _ => at += 1,
        }
    }
}

//! The text of a tree in pieces: its statements, and its parts, each with places for other parts.

use std::ops::Range;

use super::cut_parts::{Part, PartKind};
use super::marker::Marker;
use crate::foundation::order::sort_by_key;

/// The text that vanishes with a condition that is cut, if the `SELECT` has nothing else.
const BARE_SELECT: &str = "SELECT WHERE ";

/// The statements, or one part.
struct PrintedPart<'a> {
    text: &'a str,
    /// The places of other parts in it, ascending.
    places: Vec<Gap>,
}

/// The place of a part in the text of a piece.
struct Gap {
    part: usize,
    /// The range of the placeholder.
    range: Range<usize>,
    /// The start of the text that is replaced if the part is cut: the placeholder, or a little more before it.
    cut_from: usize,
    cut: &'static str,
}

/// All pieces: those of the parts by their numbers, and the statements as the last one.
pub(crate) struct PrintedParts<'a> {
    all: Vec<PrintedPart<'a>>,
    /// The length of each part, and of the statements.
    lengths: Vec<usize>,
    /// The parts in the order in which they are cut.
    order: Vec<usize>,
}

impl<'a> PrintedParts<'a> {
    /// Splits the printed text; `None` if a part was not printed as it should be.
    pub(crate) fn new(printed: &'a str, parts: &[Part], marker: &Marker) -> Option<Self> {
        let separator = format!("; SELECT {}; ", marker.text());
        let mut texts = printed.split(separator.as_str());
        let statements = texts.next()?;
        let mut pieces = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            let text = inner(part.kind, texts.next()?)?;
            pieces.push(PrintedPart { text, places: places(text, parts, marker)? });
        }
        pieces.push(PrintedPart { text: statements, places: places(statements, parts, marker)? });
        if texts.next().is_some() {
            return None;
        }
        let mut lengths = vec![0; pieces.len()];
        // A part has a higher number than the one that it is in, but for the statements.
        let statements = parts.len();
        for index in (0..statements).rev().chain([statements]) {
            let mut length = pieces[index].text.len();
            for place in &pieces[index].places {
                if place.part <= index && index != statements {
                    return None;
                }
                length = length + lengths[place.part] - place.range.len();
            }
            lengths[index] = length;
        }
        let order = order(parts, &lengths, &is_printed(&pieces)?);
        Some(Self { all: pieces, lengths, order })
    }

    /// Returns the text with as many parts cut as needed for `max_length`. An error has the
    /// text with all parts cut.
    pub(crate) fn cut(&self, max_length: usize) -> Result<String, String> {
        let mut is_cut = vec![false; self.lengths.len()];
        for &part in &self.order {
            is_cut[part] = true;
        }
        // Parts inside of a part are cut before it.
        let mut becomes = vec![0_isize; self.lengths.len() - 1];
        let mut saved = becomes.clone();
        for (part, piece) in self.all.iter().enumerate() {
            let mut length = piece.text.len().cast_signed();
            for place in &piece.places {
                let gone = (place.range.end - place.cut_from).cast_signed();
                let cut = place.cut.len().cast_signed() - gone;
                let whole =
                    self.lengths[place.part].cast_signed() - place.range.len().cast_signed();
                length += if is_cut[place.part] { cut } else { whole };
                saved[place.part] = whole - cut;
            }
            if let Some(becomes) = becomes.get_mut(part) {
                *becomes = length;
            }
        }
        let mut length = self.lengths[self.lengths.len() - 1].cast_signed();
        for (count, &part) in self.order.iter().enumerate() {
            // Less than the whole part, by the parts in it that were cut before.
            length -= saved[part] - (self.lengths[part].cast_signed() - becomes[part]);
            if usize::try_from(length).is_ok_and(|length| length <= max_length) {
                return Ok(self.text(&self.order[..=count]));
            }
        }
        Err(self.text(&self.order))
    }

    /// Returns the text with some of the parts cut.
    fn text(&self, cuts: &[usize]) -> String {
        let mut is_cut = vec![false; self.lengths.len()];
        for &part in cuts {
            is_cut[part] = true;
        }
        let mut text = String::new();
        // The pieces that have been begun: each with its next place, and where its text goes on.
        let mut begun = vec![(self.all.len() - 1, 0, 0)];
        while let Some((piece, index, at)) = begun.pop() {
            let PrintedPart { text: whole, places } = &self.all[piece];
            match places.get(index) {
                None => text += &whole[at..],
                Some(place) if is_cut[place.part] => {
                    text += &whole[at..place.cut_from];
                    text += place.cut;
                    begun.push((piece, index + 1, place.range.end));
                }
                Some(place) => {
                    text += &whole[at..place.range.start];
                    begun.push((piece, index + 1, place.range.end));
                    begun.push((place.part, 0, 0));
                }
            }
        }
        text
    }
}

/// Returns which parts are in the text; `None` if one is there twice.
///
/// `SET (a, b) = (SELECT ..)` has the `SELECT` for each of the columns, and prints it once.
fn is_printed(pieces: &[PrintedPart<'_>]) -> Option<Vec<bool>> {
    let (statements, parts) = pieces.split_last()?;
    let mut printed = vec![false; parts.len()];
    // All of them, even if one is there twice.
    let print = |printed: &mut Vec<bool>, piece: &PrintedPart<'_>| {
        let again = |place: &&Gap| core::mem::replace(&mut printed[place.part], true);
        piece.places.iter().filter(again).count() == 0
    };
    let mut once = print(&mut printed, statements);
    for (part, piece) in parts.iter().enumerate() {
        // The piece that contains it comes before it.
        once &= !printed[part] || print(&mut printed, piece);
    }
    once.then_some(printed)
}

/// Sorts the parts: deep ones first, then long ones. Parts that would not get shorter stay.
fn order(parts: &[Part], lengths: &[usize], is_printed: &[bool]) -> Vec<usize> {
    // libpg_query counts the parentheses of the rows as what is around them.
    let length = |part: usize| match parts[part].kind {
        PartKind::Rows => lengths[part].saturating_sub(2),
        _ => lengths[part],
    };
    let mut order: Vec<_> =
        (0..parts.len()).filter(|&part| is_printed[part] && length(part) > 3).collect();
    sort_by_key(&mut order, |&part| {
        (u64::MAX - parts[part].depth as u64, usize::MAX - length(part))
    });
    order
}

/// Extracts a part from the statement that contains only the part.
fn inner(kind: PartKind, text: &str) -> Option<&str> {
    match kind {
        PartKind::Targets => text.strip_prefix("SELECT "),
        PartKind::Assignments => text.strip_prefix("UPDATE x SET "),
        PartKind::Condition => text.strip_prefix(BARE_SELECT),
        PartKind::Rows => text.strip_prefix("VALUES "),
        PartKind::Columns => {
            text.strip_prefix("INSERT INTO x (").and_then(|text| text.strip_suffix(") SELECT x"))
        }
        PartKind::Query => Some(text),
    }
}

/// Finds the placeholders in a text.
fn places(text: &str, parts: &[Part], marker: &Marker) -> Option<Vec<Gap>> {
    let mut places = Vec::new();
    let mut at = 0;
    for (part, name) in marker.find(text) {
        // A placeholder may have its name twice.
        if name.start < at {
            continue;
        }
        let part = part?;
        let start = name.start;
        let name = &text[name];
        let (before, placeholder, cut) = match parts.get(part)?.kind {
            PartKind::Targets if text[..start].ends_with("SELECT ") => {
                ("", format!("{name} AS {name}"), "...")
            }
            PartKind::Targets => ("", format!("{name} AS {name}"), "... AS ..."),
            PartKind::Assignments => ("", format!("{name} = {name}"), "... = ..."),
            PartKind::Condition | PartKind::Columns => ("", name.to_owned(), "..."),
            PartKind::Rows => ("(", format!("({name})"), "(...)"),
            PartKind::Query => (BARE_SELECT, format!("{BARE_SELECT}{name}"), "..."),
        };
        let start = start.checked_sub(before.len())?;
        // The text between two placeholders may have characters of several bytes.
        if start < at || !text.get(start..)?.starts_with(&placeholder) {
            return None;
        }
        let is_bare =
            parts[part].kind == PartKind::Condition && text[..start].ends_with(BARE_SELECT);
        let cut_from = if is_bare { start - BARE_SELECT.len() } else { start };
        at = start + placeholder.len();
        places.push(Gap { part, range: start..at, cut_from, cut });
    }
    Some(places)
}

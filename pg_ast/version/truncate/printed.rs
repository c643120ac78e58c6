//! The text of a tree in pieces: its statements, and its parts, each with places for other parts.

use std::ops::Range;

use super::marker::Marker;
use super::parts::{Part, PartKind};
use crate::runtime::order::sort_by_key;

/// What vanishes with a condition that is cut, if that is all that there is of a `SELECT`.
const BARE_SELECT: &str = "SELECT WHERE ";

/// The statements, or one part.
struct PrintedPart<'a> {
    text: &'a str,
    /// Where other parts are in it, ascending.
    places: Vec<Gap>,
}

/// Where a part is in the text of a piece.
struct Gap {
    part: usize,
    /// What stands for the part.
    range: Range<usize>,
    /// What `cut` is put in place of if the part is cut: the same, or a little more before it.
    cut_from: usize,
    cut: &'static str,
}

/// All pieces: those of the parts by their numbers, and the statements as the last one.
pub(super) struct PrintedParts<'a> {
    all: Vec<PrintedPart<'a>>,
    /// Of each part, and of the statements: how long it is.
    lengths: Vec<usize>,
    /// The parts in the order in which they are cut.
    order: Vec<usize>,
}

impl<'a> PrintedParts<'a> {
    /// Takes apart what was printed; `None` if a part was not printed as it should be.
    pub(super) fn new(printed: &'a str, parts: &[Part], marker: &Marker) -> Option<Self> {
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

    /// The text with as many parts cut as it takes to be no longer than `max_length`. An error has the
    /// text with all parts cut.
    pub(super) fn cut(&self, max_length: usize) -> Result<String, String> {
        let mut is_cut = vec![false; self.lengths.len()];
        for &part in &self.order {
            is_cut[part] = true;
        }
        // What is in a part is cut before the part is.
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
            // Less than of the whole part, by what was cut in it before.
            length -= saved[part] - (self.lengths[part].cast_signed() - becomes[part]);
            if usize::try_from(length).is_ok_and(|length| length <= max_length) {
                return Ok(self.text(&self.order[..=count]));
            }
        }
        Err(self.text(&self.order))
    }

    /// The text with some of the parts cut.
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

/// Which parts are in the text; `None` if one is there twice.
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
        // What it is in comes before it.
        once &= !printed[part] || print(&mut printed, piece);
    }
    once.then_some(printed)
}

/// The deep ones first, then the long ones. Those stay that would not get shorter.
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

/// A part, out of the statement that has nothing else.
fn inner(kind: PartKind, text: &str) -> Option<&str> {
    match kind {
        PartKind::Targets => text.strip_prefix("SELECT "),
        PartKind::Assignments => text.strip_prefix("UPDATE x SET "),
        PartKind::Condition => text.strip_prefix(BARE_SELECT),
        PartKind::Rows => text.strip_prefix("VALUES "),
        PartKind::Columns => text
            .strip_prefix("INSERT INTO x (")
            .and_then(|text| text.strip_suffix(") DEFAULT VALUES")),
        PartKind::Query => Some(text),
    }
}

/// The placeholders in a text.
fn places(text: &str, parts: &[Part], marker: &Marker) -> Option<Vec<Gap>> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some((part, name)) = marker.find(text, at) {
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

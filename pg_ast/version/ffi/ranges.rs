//! What was noted of the ranges of nodes.

// What is in front of a node is aligned, as its chunk is.
#![allow(clippy::cast_ptr_alignment)]

use core::ffi::c_char;
use core::slice;

use super::raw;
use crate::types::ranges::Span;

/// What was noted of the ranges of a tree's nodes, while it was parsed.
#[derive(Clone, Copy)]
pub(in super::super) struct NotedRanges<'a> {
    parse: &'a raw::ShimParse,
    ranges: &'a raw::ShimRanges,
}

impl<'a> NotedRanges<'a> {
    /// Those of a result, if it has them.
    ///
    /// # Safety
    ///
    /// The result is one that C has written, or one without ranges.
    pub(super) unsafe fn of(parse: &'a raw::ShimParse) -> Option<Self> {
        // SAFETY: null, or what the result owns.
        let ranges = unsafe { parse.ranges.as_ref()? };
        Some(Self { parse, ranges })
    }

    /// The mark of a node: the numbers of two ranges.
    ///
    /// # Safety
    ///
    /// The pointer is that of a node or a list of the tree, not of what is a part of another node.
    pub(in super::super) unsafe fn mark(self, node: *const u8) -> raw::ShimMark {
        // SAFETY: each node and list of such a tree has its mark in front of it, so many bytes away.
        unsafe { node.byte_sub(self.ranges.mark_offset).cast::<raw::ShimMark>().read() }
    }

    /// The range with that number, in bytes; `None` for what no token has made.
    pub(in super::super) fn range(self, number: u32) -> Option<Span> {
        span(*self.all().get(usize::try_from(number).ok()?)?)
    }

    /// The ranges of the symbols of the rule whose range has that number, if it makes several nodes; some
    /// are empty.
    pub(in super::super) fn symbols(self, number: u32) -> impl Iterator<Item = Span> + 'a {
        let all = self.all();
        let behind = usize::try_from(number).map_or(all.len(), |number| number.saturating_add(1));
        let count = match all.get(behind) {
            Some(head) if head.start == raw::SHIM_SYMBOLS => usize::try_from(head.end).unwrap_or(0),
            _ => 0,
        };
        all.iter().skip(behind.saturating_add(1)).take(count).filter_map(|symbol| span(*symbol))
    }

    fn all(self) -> &'a [raw::ShimRange] {
        // SAFETY: there are so many ranges, which the result owns.
        unsafe { slice::from_raw_parts(self.ranges.ranges, self.ranges.count) }
    }

    /// The range of the token, or of the tokens, that a string was made of.
    ///
    /// # Safety
    ///
    /// The pointer is that of a string of the tree.
    pub(in super::super) unsafe fn of_string(self, string: *const c_char) -> Option<Span> {
        // SAFETY: it only compares the pointer, and reads what is in front of a chunk of the result.
        span(unsafe { raw::shim_string_range(self.parse, string) })
    }

    /// The token that starts at an offset into the text.
    pub(in super::super) fn token(self, start: usize) -> Option<Span> {
        let words = self.words();
        let (first, bit) = ((start + 1) / 64, (start + 1) % 64);
        let (word, ends) = words.iter().enumerate().skip(first).find_map(|(word, places)| {
            let above = if word == first { u64::MAX << bit } else { u64::MAX };
            let ends = places.ends & above;
            (ends != 0).then_some((word, ends))
        })?;
        let end = word * 64 + ends.trailing_zeros() as usize;
        Some(Span::new(u32::try_from(start).ok()?, u32::try_from(end).ok()?))
    }

    /// The end of the last token before something, as an empty range.
    pub(in super::super) fn token_before(self, behind: Span) -> Span {
        let (last, bit) = (behind.start() / 64, behind.start() % 64);
        let words = self.words().iter().enumerate().take(last + 1).rev();
        let end = words.into_iter().find_map(|(word, places)| {
            let below = if word == last { u64::MAX >> (63 - bit) } else { u64::MAX };
            let ends = places.ends & below;
            (ends != 0).then(|| word * 64 + ends.ilog2() as usize)
        });
        let end = end.and_then(|end| u32::try_from(end).ok());
        end.map_or(Span::NONE, |end| Span::new(end, end))
    }

    /// Where the tokens start and end: a bit for each byte.
    fn words(self) -> &'a [raw::TokenPlaces] {
        // SAFETY: with ranges, the places of the tokens are noted: a word for each 64 bytes of the text, and
        // for the byte behind it, where a token may end.
        unsafe { slice::from_raw_parts(self.parse.token_places, self.ranges.length / 64 + 1) }
    }
}

fn span(range: raw::ShimRange) -> Option<Span> {
    Some(Span::new(u32::try_from(range.start).ok()?, u32::try_from(range.end).ok()?))
}

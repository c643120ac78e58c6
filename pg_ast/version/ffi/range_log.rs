//! The recorded ranges of nodes.

use core::ffi::c_char;
use core::marker::PhantomData;
use core::slice;
use std::alloc::{Layout, handle_alloc_error};

use super::names::raw;
use super::names::raw::RecordedRange;
use super::{on_thread, stack_bytes, written};
use crate::convert::c_tree::in_c::InC;
use crate::foundation::stack;
use crate::types::ranges::Span;

/// The ranges of a tree's nodes that were recorded while it was parsed.
pub(crate) struct RecordedRanges<'a> {
    ranges: raw::ShimRanges,
    tree: PhantomData<&'a raw::ShimParse>,
}

impl<'a> RecordedRanges<'a> {
    /// Returns those of a result, if it has them.
    ///
    /// # Safety
    ///
    /// The result is one that C has written, or one without ranges.
    pub(super) unsafe fn of(parse: &'a raw::ShimParse) -> Option<Self> {
        if parse.range_log.is_null() {
            return None;
        }
        let call = |out| {
            // SAFETY: C has written the result, with what ranges are found from. It and `out` outlive the call, and
            // the stack is as long as is said.
            unsafe { raw::shim_ranges(parse, stack_bytes(), out) };
        };
        let recorded = stack::try_with_stack(|| Self { ranges: written(call), tree: PhantomData });
        // The only possible error is a lack of memory.
        match recorded {
            Ok(recorded) if recorded.ranges.error.is_null() => Some(recorded),
            _ => handle_alloc_error(Layout::new::<raw::ShimRanges>()),
        }
    }

    /// Returns the mark of a node: the numbers of two ranges.
    ///
    /// # Safety
    ///
    /// The pointer is that of a node or a list of this result's tree, not of a part of another node.
    pub(crate) unsafe fn mark<T>(&self, node: *const T) -> raw::ShimMark {
        // SAFETY: this reads the header of a chunk of the tree, which is still there.
        unsafe { raw::shim_node_mark(&raw const self.ranges, node.cast()) }
    }

    /// Returns the range with that number, in bytes; `None` if no token made it.
    pub(crate) fn range(&self, number: u32) -> Option<Span> {
        span(self.all().get(usize::try_from(number).ok()?)?.range)
    }

    /// Returns the ranges of the symbols of the rule whose range has that number, if it makes several nodes; some
    /// are empty.
    pub(crate) fn symbols(&self, number: u32) -> impl Iterator<Item = Span> {
        let all = self.all();
        let behind = usize::try_from(number).map_or(all.len(), |number| number.saturating_add(1));
        let count = match all.get(behind) {
            Some(RecordedRange { range, .. }) if range.start == raw::SHIM_SYMBOLS => {
                usize::try_from(range.end).unwrap_or(0)
            }
            _ => 0,
        };
        let symbols = all.iter().skip(behind.saturating_add(1)).take(count);
        symbols.filter_map(|symbol| span(symbol.range))
    }

    fn all(&self) -> &[RecordedRange] {
        // SAFETY: there are that many ranges, which the result owns.
        unsafe { slice::from_raw_parts(self.ranges.ranges, self.ranges.count) }
    }

    /// Returns the range of the token, or of the tokens, that a string was made from.
    pub(crate) fn of_string(&self, string: InC<'_, *mut c_char>) -> Option<Span> {
        // SAFETY: it only compares the pointer, and if that is one to a string of the result, which is a chunk by
        // itself, reads the header of the chunk.
        span(unsafe { raw::shim_string_range(&raw const self.ranges, string.get()) })
    }

    /// The same for the text of a field.
    ///
    /// # Safety
    ///
    /// It is that of a field of this result's tree, as a view returns it.
    pub(crate) unsafe fn of_text(&self, text: &str) -> Option<Span> {
        // SAFETY: as above; the view's text begins where the string of the field does.
        span(unsafe { raw::shim_string_range(&raw const self.ranges, text.as_ptr().cast()) })
    }

    /// Returns the token that starts at an offset into the text.
    pub(crate) fn token(&self, start: usize) -> Option<Span> {
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

    /// Returns the end of the last token before a range, as an empty range.
    pub(crate) fn token_before(&self, behind: Span) -> Span {
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

    /// Returns where the tokens start and end: a bit for each byte.
    fn words(&self) -> &[raw::TokenPlaces] {
        // SAFETY: with ranges, the places of the tokens are recorded: a word for each 64 bytes of the text, and
        // for the byte after it, where a token may end.
        unsafe { slice::from_raw_parts(self.ranges.token_places, self.ranges.length / 64 + 1) }
    }
}

impl Drop for RecordedRanges<'_> {
    fn drop(&mut self) {
        // SAFETY: `self.ranges` was made by shim_ranges and is freed once.
        on_thread(|| unsafe { raw::shim_ranges_free(&raw mut self.ranges) });
    }
}

fn span(range: raw::ShimRange) -> Option<Span> {
    Some(Span::new(u32::try_from(range.start).ok()?, u32::try_from(range.end).ok()?))
}

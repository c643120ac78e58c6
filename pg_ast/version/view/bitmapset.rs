//! Sets of numbers.

use core::{fmt, hash};

use super::names::raw;
use crate::convert::c_tree::in_c::InC;

/// PostgreSQL's `Bitmapset`: a set of numbers. In a parsed tree it is always empty.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Bitmapset<'a>(Option<InC<'a, raw::Bitmapset>>);

impl<'a> Bitmapset<'a> {
    /// Returns a set of a tree; `None` is the empty set.
    pub(crate) fn of(set: Option<InC<'a, raw::Bitmapset>>) -> Self {
        Self(set)
    }

    fn words(self) -> &'a [raw::bitmapword] {
        self.0.map_or(&[], InC::<raw::Bitmapset>::words)
    }

    /// Returns the members, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u64> + 'a {
        let (words, bits) = (self.words(), u64::from(raw::bitmapword::BITS));
        let is_member = move |member: &u64| {
            let word = usize::try_from(member / bits).ok().and_then(|index| words.get(index));
            word.is_some_and(|word| word >> (member % bits) & 1 == 1)
        };
        (0..words.len() as u64 * bits).filter(is_member)
    }
}

impl fmt::Debug for Bitmapset<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Bitmapset<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Bitmapset<'_> {}

impl hash::Hash for Bitmapset<'_> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.iter().for_each(|member| state.write_u64(member));
    }
}

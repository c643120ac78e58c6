//! Sets of small numbers, one bit for each number that may be in them.

/// The numbers of a word's bits that are set, ascending.
pub(crate) struct SetBits(pub(crate) u64);

impl Iterator for SetBits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(index)
    }
}

/// A set of small numbers.
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into_boxed_slice())
    }

    pub(crate) fn set(&mut self, index: usize, value: bool) {
        let bit = 1 << (index % 64);
        if value {
            self.0[index / 64] |= bit;
        } else {
            self.0[index / 64] &= !bit;
        }
    }

    pub(crate) fn has(&self, index: usize) -> bool {
        self.0[index / 64] & (1 << (index % 64)) != 0
    }

    /// Leaves so many, behind which there are none.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.0 = self.0[..count.div_ceil(64)].into();
    }

    #[inline]
    pub(crate) fn for_each(&self, mut f: impl FnMut(usize)) {
        for (index, &bits) in self.0.iter().enumerate() {
            SetBits(bits).for_each(|bit| f(index * 64 + bit));
        }
    }

    pub(crate) fn size(&self) -> usize {
        size_of_val(&*self.0)
    }
}

//! What each fuzz target does with an input, and what has to hold then.
//!
//! tests/found.rs runs the same functions over the inputs that were found.

#[cfg(feature = "serde")]
pub mod json;
pub mod mutate;
pub mod mutation;
pub mod places;
pub mod script;
pub mod text;
pub mod tree;
mod verbs;
mod views;

/// Stands between a text and what is to be done with it: never a byte of UTF-8, so that a plain file
/// with SQL is an input as well.
const SEPARATOR: u8 = 0xFF;

/// The text of an input, as far as it is UTF-8, and the bytes behind it.
fn split(data: &[u8]) -> (&str, &[u8]) {
    let end = data.iter().position(|&byte| byte == SEPARATOR).unwrap_or(data.len());
    let text = match str::from_utf8(&data[..end]) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&data[..error.valid_up_to()]).expect("valid up to there"),
    };
    (text, data.get(end + 1..).unwrap_or_default())
}

/// Takes numbers from bytes; after their end, zeros.
pub struct Source<'a>(&'a [u8]);

impl<'a> Source<'a> {
    /// Numbers from these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether there is nothing left but zeros.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    /// A number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        let number = if end <= 256 {
            usize::from(self.byte())
        } else {
            usize::from(u16::from_le_bytes([self.byte(), self.byte()]))
        };
        number % end
    }

    fn chance(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    fn number(&mut self) -> u64 {
        u64::from_le_bytes(core::array::from_fn(|_| self.byte()))
    }
}

//! The fuzz targets: their use of an input, and the properties that they check.
//!
//! tests/programs/found.rs runs the same functions on the inputs that were found.

pub mod edits;
#[cfg(feature = "serde")]
pub mod json;
pub mod mutate;
pub mod mutation;
pub mod places;
#[cfg(feature = "plpgsql")]
pub mod plpgsql;
pub mod script;
pub mod shapes;
pub mod text;
#[cfg(feature = "plpgsql")]
pub mod tokens;
pub mod tree;
mod verbs;
mod views;

/// Separates SQL from the changes to apply: it is never a
/// byte of UTF-8, so a plain SQL file is an input, too.
const SEPARATOR: u8 = 0xFF;

/// Returns the SQL of an input, up to its first byte that is not UTF-8, and the bytes after it.
fn split(data: &[u8]) -> (&str, &[u8]) {
    let end = data.iter().position(|&byte| byte == SEPARATOR).unwrap_or(data.len());
    let text = match str::from_utf8(&data[..end]) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&data[..error.valid_up_to()]).expect("valid up to there"),
    };
    (text, data.get(end + 1..).unwrap_or_default())
}

/// Reads numbers from bytes; after their end, zeros.
pub struct Source<'a>(&'a [u8]);

impl<'a> Source<'a> {
    /// Reads numbers from these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns whether only zeros are left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    /// Returns a number below `end`, which must not be 0.
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

//! Protobuf, written from the end.
//!
//! Each message is preceded by its length. When a length is written, the message is there already, so the time does not
//! depend on the depth: prost computes the length of a message again at each level above it. The same pass without
//! writing tells how many bytes there will be.

use prost::encoding::encoded_len_varint;

/// The encodings of field values (Protobuf's "wire types").
const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const WITH_LENGTH: u32 = 2;

/// The bytes written so far, the last byte first; or only their number.
pub(crate) enum Reversed {
    Bytes(Vec<u8>),
    Length(usize),
}

impl Reversed {
    /// Returns the number of bytes written so far.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Length(length) => *length,
        }
    }

    fn put(&mut self, reversed: impl ExactSizeIterator<Item = u8>) {
        match self {
            Self::Bytes(bytes) => bytes.extend(reversed),
            Self::Length(length) => *length += reversed.len(),
        }
    }

    pub(crate) fn varint(&mut self, mut number: u64) {
        let bytes = match self {
            Self::Bytes(bytes) => bytes,
            Self::Length(length) => return *length += encoded_len_varint(number),
        };
        let start = bytes.len();
        // Seven bits per byte, the lowest first; the eighth says that there are more.
        while number >= 0x80 {
            bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        bytes.push(number.to_le_bytes()[0]);
        bytes[start..].reverse();
    }

    fn key(&mut self, number: u32, wire_type: u32) {
        self.varint(u64::from(number << 3 | wire_type));
    }

    /// Writes the length before the bytes that were written since there were `end`.
    pub(crate) fn length(&mut self, end: usize, number: u32) {
        // A usize has 64 bits at most.
        self.varint((self.len() - end) as u64);
        self.key(number, WITH_LENGTH);
    }

    // As everywhere in proto3, a default value is left out.

    pub(crate) fn varint_field(&mut self, number: u32, bits: u64) {
        if bits != 0 {
            self.varint(bits);
            self.key(number, VARINT);
        }
    }

    pub(crate) fn double_field(&mut self, number: u32, value: f64) {
        if value != 0.0 {
            self.put(value.to_be_bytes().into_iter());
            self.key(number, EIGHT_BYTES);
        }
    }

    pub(crate) fn text_field(&mut self, number: u32, text: &str) {
        if !text.is_empty() {
            self.text(number, text);
        }
    }

    /// Writes one of several strings of a field: these are written even if they are empty.
    pub(crate) fn text(&mut self, number: u32, text: &str) {
        let end = self.len();
        self.put(text.bytes().rev());
        self.length(end, number);
    }

    /// Returns the bytes in their order.
    pub(crate) fn finish(self) -> Vec<u8> {
        match self {
            Self::Bytes(mut bytes) => {
                bytes.reverse();
                bytes
            }
            Self::Length(_) => Vec::new(),
        }
    }
}

impl Default for Reversed {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

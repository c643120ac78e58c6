//! Protobuf, written from the end.
//!
//! Before each message stands its length. When it is a length's turn, the message is there already: that takes
//! one pass, and no length is computed beforehand.

/// How the value of a field is written (Protobuf's "wire types").
const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const WITH_LENGTH: u32 = 2;

/// What has been written, the last byte first.
#[derive(Default)]
pub(crate) struct Reversed(Vec<u8>);

impl Reversed {
    /// How much has been written.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn varint(&mut self, mut number: u64) {
        let start = self.0.len();
        // Seven bits a byte, the lowest first; the eighth says that there are more.
        while number >= 0x80 {
            self.0.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
        self.0[start..].reverse();
    }

    fn key(&mut self, number: u32, wire_type: u32) {
        self.varint(u64::from(number << 3 | wire_type));
    }

    /// What stands before the bytes that were written since there were `end`.
    pub(crate) fn length(&mut self, end: usize, number: u32) {
        // A usize has 64 bits at most.
        self.varint((self.0.len() - end) as u64);
        self.key(number, WITH_LENGTH);
    }

    // As everywhere in proto3, what has its default value is left out.

    pub(crate) fn varint_field(&mut self, number: u32, bits: u64) {
        if bits != 0 {
            self.varint(bits);
            self.key(number, VARINT);
        }
    }

    pub(crate) fn double_field(&mut self, number: u32, value: f64) {
        if value != 0.0 {
            self.0.extend(value.to_be_bytes());
            self.key(number, EIGHT_BYTES);
        }
    }

    pub(crate) fn text_field(&mut self, number: u32, text: &str) {
        if !text.is_empty() {
            let end = self.len();
            self.0.extend(text.bytes().rev());
            self.length(end, number);
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.0.reverse();
        self.0
    }
}

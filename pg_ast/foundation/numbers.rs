//! The numbers of generated tables, as texts which are read when the crate is compiled.
//!
//! For the compiler, each number in an array is an expression with a type, some hundred bytes large; the tables of a version
//! have tens of thousands. A text is one expression. It is not part of the compiled program.

/// Reads decimal numbers, each with a blank after it. A text with anything else does not compile.
pub(crate) struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self(text.as_bytes())
    }

    const fn u32(&mut self) -> u32 {
        let mut number = 0;
        while let [first, rest @ ..] = self.0 {
            self.0 = rest;
            match *first {
                digit @ b'0'..=b'9' => number = number * 10 + (digit - b'0') as u32,
                b' ' => return number,
                _ => break,
            }
        }
        panic!("a table has fewer numbers than it should have");
    }

    #[allow(clippy::cast_possible_truncation)]
    pub(crate) const fn u16(&mut self) -> u16 {
        let number = self.u32();
        assert!(number <= u16::MAX as u32);
        number as u16
    }

    #[allow(clippy::cast_possible_truncation)]
    pub(crate) const fn u8(&mut self) -> u8 {
        let number = self.u32();
        assert!(number <= u8::MAX as u32);
        number as u8
    }

    /// Does not compile if there are more numbers.
    pub(crate) const fn end(self) {
        assert!(self.0.is_empty());
    }
}

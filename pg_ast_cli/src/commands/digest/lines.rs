//! Lines, each with a bounded length.

use std::io::{self, BufRead, Read as _};

/// The maximum number of bytes in a line, a message, or a statement. The tree of a statement may take some hundred times as
/// many.
pub(super) const MAX: usize = 4 << 20;

/// The maximum number of bytes that messages may have together while they wait for others.
pub(super) const WAITING: usize = 64 << 20;

/// The bytes that are kept of a longer line, to show them.
const KEPT: usize = 1 << 10;

/// Bytes may be read again up to this many times, so that the time is linear.
const AGAIN: u64 = 4;

/// Reads lines, and counts them.
pub(super) struct Lines<'r> {
    reader: &'r mut dyn BufRead,
    /// Bytes to read before those of the reader.
    again: io::Cursor<Vec<u8>>,
    /// The bytes that may still be read again.
    budget: u64,
    /// The line that has been read last, without its end.
    pub(super) line: Vec<u8>,
    /// Its number, counted from 1.
    pub(super) number: u64,
    /// The lines that have been read, each of them once.
    pub(super) count: u64,
    /// True if the line is longer than is kept.
    pub(super) is_too_long: bool,
    /// The quotes in what is not kept of it.
    quotes: usize,
}

impl<'r> Lines<'r> {
    pub(super) fn new(reader: &'r mut dyn BufRead) -> Self {
        Self {
            reader,
            again: io::Cursor::default(),
            budget: 1 << 20,
            line: Vec::new(),
            number: 0,
            count: 0,
            is_too_long: false,
            quotes: 0,
        }
    }

    /// Reads the next line; false if there is none.
    pub(super) fn next(&mut self) -> io::Result<bool> {
        self.line.clear();
        let is_again = self.again.position() < self.again.get_ref().len() as u64;
        let read = if is_again {
            self.again.read_until(b'\n', &mut self.line)?
        } else {
            (&mut *self.reader).take(MAX as u64).read_until(b'\n', &mut self.line)?
        };
        if read == 0 {
            return Ok(false);
        }
        self.is_too_long = read == MAX && self.line.last() != Some(&b'\n');
        self.quotes = 0;
        if self.is_too_long {
            self.quotes = quotes(&self.line[KEPT..]);
            self.line.truncate(KEPT);
            self.line.shrink_to(KEPT);
            self.skip()?;
        }
        if !is_again {
            self.budget = self.budget.saturating_add(AGAIN * read as u64);
            self.count += 1;
        }
        self.number += 1;
        if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        while self.line.last().is_some_and(|byte| b"\r\n".contains(byte)) {
            self.line.pop();
        }
        Ok(true)
    }

    /// Skips the rest of the line.
    fn skip(&mut self) -> io::Result<()> {
        loop {
            let read = self.reader.fill_buf()?;
            let end = read.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(read.len(), |end| end + 1);
            self.quotes += quotes(&read[..length]);
            self.reader.consume(length);
            if end.is_some() || length == 0 {
                return Ok(());
            }
        }
    }

    /// Returns the number of quotes in the whole line, with what is not kept of it.
    pub(super) fn quotes(&self) -> usize {
        self.quotes + quotes(&self.line)
    }

    /// Puts lines back, which are then read again before all others; false if that would take too long.
    pub(super) fn put_back(&mut self, lines: &[u8], count: u64) -> bool {
        let length = lines.len() as u64;
        if length > self.budget {
            return false;
        }
        self.budget -= length;
        let at = usize::try_from(self.again.position()).unwrap_or(usize::MAX);
        let rest = self.again.get_ref().get(at..).unwrap_or_default();
        self.again = io::Cursor::new([lines, rest].concat());
        self.number -= count;
        true
    }
}

fn quotes(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'"').count()
}

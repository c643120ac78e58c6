//! Records of CSV, each with a bounded length, and found again after one that is cut off.

use anyhow::Result;
use csv_core::ReadRecordResult;

use super::lines::{Lines, MAX};

/// Reads records, which may have several lines.
pub(super) struct Records<'a, 'r> {
    lines: &'a mut Lines<'r>,
    reader: csv_core::Reader,
    /// Returns whether a line begins a record for certain, so that the one before it is over.
    begins: fn(&[u8]) -> bool,
    /// The current record, with its quotes.
    record: Vec<u8>,
    /// Its lines, and the number of the first one.
    pub(super) count: u64,
    pub(super) number: u64,
    /// The length of its first line.
    first: usize,
    is_held: bool,
    fields: Vec<u8>,
    ends: Vec<usize>,
}

/// How a record has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    Whole,
    /// A quote is open at its end.
    Cut,
    TooLong,
}

impl<'a, 'r> Records<'a, 'r> {
    pub(super) fn new(lines: &'a mut Lines<'r>, delimiter: u8, begins: fn(&[u8]) -> bool) -> Self {
        Self {
            lines,
            reader: reader(delimiter),
            begins,
            record: Vec::new(),
            count: 0,
            number: 0,
            first: 0,
            is_held: false,
            fields: Vec::new(),
            ends: Vec::new(),
        }
    }

    pub(super) fn set_delimiter(&mut self, delimiter: u8) {
        self.reader = reader(delimiter);
    }

    /// Reads the next record.
    pub(super) fn next(&mut self) -> Result<Option<Record>> {
        self.record.clear();
        (self.count, self.first) = (0, 0);
        let mut is_quoted = false;
        let mut is_too_long = false;
        loop {
            let is_over = !std::mem::take(&mut self.is_held) && !self.lines.next()?;
            if is_over && self.count == 0 {
                return Ok(None);
            }
            self.is_held = !is_over && self.count > 0 && (self.begins)(&self.lines.line);
            if is_over || self.is_held {
                return Ok(Some(if is_too_long { Record::TooLong } else { Record::Cut }));
            }
            if self.count == 0 {
                self.number = self.lines.number;
            }
            self.count += 1;
            is_quoted ^= self.lines.quotes() % 2 == 1;
            is_too_long |=
                self.lines.is_too_long || self.record.len() + self.lines.line.len() > MAX;
            if !is_too_long || self.count == 1 {
                self.record.extend_from_slice(&self.lines.line);
                self.record.push(b'\n');
            }
            if self.count == 1 {
                self.first = self.record.len();
            }
            if !is_quoted {
                return Ok(Some(if is_too_long { Record::TooLong } else { Record::Whole }));
            }
        }
    }

    /// Returns the beginning of the current record.
    pub(super) fn text(&self) -> String {
        let shown = &self.record[..self.first.min(1 << 10)];
        String::from_utf8_lossy(shown).trim_end().to_owned()
    }

    /// Reads all but the first line of the current record again. Returns the number of its lines that are dropped.
    pub(super) fn drop_first_line(&mut self) -> u64 {
        if self.count <= 1 {
            return self.count;
        }
        let mut again = self.record[self.first..].to_vec();
        let mut lines = self.count - 1;
        if self.is_held {
            again.extend_from_slice(&self.lines.line);
            again.push(b'\n');
            lines += 1;
        }
        if !self.lines.put_back(&again, lines) {
            return self.count;
        }
        self.is_held = false;
        1
    }

    /// Splits the current record into its fields, without their quotes.
    pub(super) fn fields(&mut self) -> Fields<'_> {
        self.reader.reset();
        self.fields.resize(self.record.len() + 1, 0);
        let mut read = 0;
        let mut written = 0;
        let mut ended = 0;
        loop {
            if self.ends.len() < ended + 64 {
                self.ends.resize(ended + 64, 0);
            }
            let (result, input, output, ends) = self.reader.read_record(
                &self.record[read..],
                &mut self.fields[written..],
                &mut self.ends[ended..],
            );
            read += input;
            written += output;
            ended += ends;
            match result {
                ReadRecordResult::OutputEndsFull => {}
                // An empty input tells that it is the last record.
                ReadRecordResult::InputEmpty if input > 0 => {}
                _ => break,
            }
        }
        Fields { bytes: &self.fields, ends: &self.ends[..ended] }
    }
}

/// The fields of a record.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    ends: &'a [usize],
}

impl<'a> Fields<'a> {
    pub(super) fn len(self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(self, index: usize) -> Option<&'a [u8]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.bytes.get(start..end)
    }
}

fn reader(delimiter: u8) -> csv_core::Reader {
    csv_core::ReaderBuilder::new().delimiter(delimiter).build()
}

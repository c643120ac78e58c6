//! Reads scripts, with only a part of them in memory.

use std::io::BufRead;

use anyhow::Result;
use pg_ast::{PartEnd, ScriptPart, ScriptState, Version};

use super::account::Reason;
use super::batch::{Calls, Form, Pushed};
use super::lines::MAX;
use super::log::Log;

/// The number of bytes that are split together.
const BLOCK: usize = 1 << 20;

pub(super) fn read(reader: &mut dyn BufRead, version: Version, log: &mut Log<'_>) -> Result<()> {
    let mut buffer = Buffer::new(reader);
    let mut state = ScriptState::default();
    let mut skipped = Skipped { lines: 0, number: 1, data: None, too_long: None };
    let mut wanted = BLOCK;
    loop {
        let ended = buffer.fill(wanted)?;
        let end = match ended {
            true => PartEnd::End,
            false if buffer.text.len() >= MAX => PartEnd::TooLong,
            false => PartEnd::More,
        };
        let part = version.split_part(&buffer.text, end, &mut state);
        for stmt in &part.stmts {
            let (sql, form) = (&part.text[stmt.range.clone()], Form::Script(stmt.options));
            let error = stmt.error.clone().map(|error| {
                let cursor = error.cursor().map(|cursor| cursor - stmt.range.start);
                error.with_cursor(cursor)
            });
            let calls = Calls::one(None, None);
            log.batches.push(Pushed { sql, calls, form, error, ..Pushed::default() })?;
        }
        skipped.add(&buffer.text, &part, &state, log);
        buffer.text.drain(..part.taken);
        if ended {
            break;
        }
        // What is not complete is read again when there is twice as much of it.
        wanted = if part.taken == 0 { 2 * buffer.text.len() } else { BLOCK };
        wanted = wanted.clamp(BLOCK, MAX);
    }
    skipped.finish(buffer.lines, log);
    log.account.lines += buffer.lines;
    log.account.not_utf8 += buffer.not_utf8;
    Ok(())
}

/// The part of a script that is in memory.
struct Buffer<'r> {
    reader: &'r mut dyn BufRead,
    text: String,
    /// Bytes of a character that is not complete.
    rest: Vec<u8>,
    /// The lines read so far.
    lines: u64,
    ends_line: bool,
    /// Those of them with bytes that are not UTF-8.
    not_utf8: u64,
    is_line_counted: bool,
}

impl<'r> Buffer<'r> {
    fn new(reader: &'r mut dyn BufRead) -> Self {
        Self {
            reader,
            text: String::new(),
            rest: Vec::new(),
            lines: 0,
            ends_line: true,
            not_utf8: 0,
            is_line_counted: false,
        }
    }

    /// Reads until there are `wanted` bytes; true at the end of input.
    fn fill(&mut self, wanted: usize) -> Result<bool> {
        while self.text.len() < wanted {
            let read = self.reader.fill_buf()?;
            let (length, ended) = (read.len(), read.is_empty());
            self.rest.extend_from_slice(read);
            self.reader.consume(length);
            let bytes = std::mem::take(&mut self.rest);
            self.push(&bytes, ended);
            if ended {
                // A last line without an end.
                self.lines += u64::from(!std::mem::replace(&mut self.ends_line, true));
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn push(&mut self, bytes: &[u8], ended: bool) {
        let mut left = bytes.len();
        for chunk in bytes.utf8_chunks() {
            left -= chunk.valid().len() + chunk.invalid().len();
            self.push_valid(chunk.valid());
            if chunk.invalid().is_empty() {
                continue;
            }
            let is_cut = left == 0
                && std::str::from_utf8(chunk.invalid())
                    .is_err_and(|error| error.error_len().is_none());
            if is_cut && !ended {
                self.rest.extend_from_slice(chunk.invalid());
                continue;
            }
            self.text.push(char::REPLACEMENT_CHARACTER);
            self.ends_line = false;
            self.not_utf8 += u64::from(!std::mem::replace(&mut self.is_line_counted, true));
        }
    }

    fn push_valid(&mut self, text: &str) {
        let lines = lines(text);
        self.lines += lines;
        self.is_line_counted &= lines == 0;
        if let Some(last) = text.bytes().last() {
            self.ends_line = last == b'\n';
        }
        self.text += text;
    }
}

fn lines(text: &str) -> u64 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u64
}

/// The lines that are skipped, the first of which has a number and a text.
struct Skipped {
    lines: u64,
    /// The number of the line with which the next part begins.
    number: u64,
    data: Option<(u64, u64, String)>,
    too_long: Option<(u64, u64, String)>,
}

impl Skipped {
    fn add(&mut self, text: &str, part: &ScriptPart, state: &ScriptState, log: &mut Log<'_>) {
        let number = |at: usize| self.number + lines(&text[..at]);
        if let Some(range) = &part.data {
            let first =
                || (0, number(range.start), text[range.start..].chars().take(200).collect());
            let data = self.data.get_or_insert_with(first);
            data.0 += lines(&text[range.clone()]);
        }
        if !state.is_in_data() {
            self.data = None;
        }
        if let Some(range) = &part.too_long {
            let at =
                range.start + text[range.start..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
            let first = || (0, number(at), text[at..].chars().take(200).collect());
            let too_long = self.too_long.get_or_insert_with(first);
            too_long.0 += lines(&text[at.min(range.end)..range.end]);
        }
        if !state.is_in_long_stmt()
            && let Some((lines, number, text)) = self.too_long.take()
        {
            self.lose(Reason::TooLong, lines, number, &text, log);
        }
        self.number += lines(&text[..part.taken]);
    }

    fn lose(&mut self, reason: Reason, lines: u64, number: u64, text: &str, log: &mut Log<'_>) {
        // Its last line may end with the script.
        let lines = lines.max(1);
        self.lines += lines;
        log.lose(reason, lines, number, text);
    }

    fn finish(mut self, lines: u64, log: &mut Log<'_>) {
        if let Some((lines, number, text)) = self.data.take() {
            self.lose(Reason::OpenData, lines, number, &text, log);
        }
        if let Some((lines, number, text)) = self.too_long.take() {
            self.lose(Reason::TooLong, lines, number, &text, log);
        }
        log.understand(lines.saturating_sub(self.lines));
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};
    use std::sync::mpsc::sync_channel;

    use super::super::account::Account;
    use super::super::batch::{Batch, Batches};
    use super::super::log::Filter;
    use super::*;

    /// A reader that returns a few bytes at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = buffer.len().min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn stmts(text: &[u8]) -> Result<(Vec<String>, Account)> {
        let (sender, receiver) = sync_channel(1 << 20);
        let mut batches = Batches::new(sender);
        let mut account = Account::default();
        let mut reader = BufReader::with_capacity(100, Slow(text));
        let filter = Filter::default();
        let mut log = Log::new(&mut account, &mut batches, &filter);
        super::read(&mut reader, Version::newest(), &mut log)?;
        log.finish()?;
        batches.send()?;
        drop(batches);
        let batches: Vec<_> = receiver.into_iter().collect();
        let stmts = batches.iter().flat_map(Batch::stmts).map(|stmt| stmt.sql.to_owned());
        Ok((stmts.collect(), account))
    }

    #[test]
    fn statements_end_as_in_scripts() -> Result<()> {
        assert_eq!(stmts(b"")?.0, [""; 0]);
        assert_eq!(
            stmts(b"SELECT 1; ; SELECT ';' /* ; */ ; -- ;\nSELECT 2")?.0,
            ["SELECT 1", "SELECT ';'", "SELECT 2"]
        );
        let script = b"CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END;\n\
                       COPY t FROM stdin;\n1\t;'\n\\.\nSELECT 3;\n\\connect d\n";
        let (found, account) = stmts(script)?;
        assert_eq!(
            found,
            [
                "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END",
                "COPY t FROM stdin",
                "SELECT 3"
            ]
        );
        assert_eq!((account.lines, account.understood), (6, 6));
        Ok(())
    }

    #[test]
    fn statements_may_lie_across_blocks() -> Result<()> {
        let one = "SELECT 'ä;', $$;$$ /* ; */ FROM t;\n";
        let count = 3 * BLOCK / one.len();
        let (found, _) = stmts(one.repeat(count).as_bytes())?;
        assert_eq!(found.len(), count);
        assert!(found.iter().all(|stmt| one.starts_with(stmt.as_str())));
        Ok(())
    }

    #[test]
    fn long_statements_are_one() -> Result<()> {
        let long = format!("SELECT '{}'", "ä".repeat(2 * BLOCK));
        assert_eq!(stmts(format!("{long};SELECT 1;").as_bytes())?.0, [long.as_str(), "SELECT 1"]);
        Ok(())
    }

    /// The data is more than is looked ahead, and than a statement may be.
    #[test]
    fn long_data_is_skipped() -> Result<()> {
        let data = "1\t'\";(\n".repeat(MAX / 6);
        let (found, account) =
            stmts(format!("COPY t FROM stdin;\n{data}\\.\nSELECT 1;\n").as_bytes())?;
        assert_eq!(found, ["COPY t FROM stdin", "SELECT 1"]);
        assert_eq!(account.lines, account.understood);
        assert_eq!(account.lost().count(), 0);
        // Without an end, it may be anything, and is reported.
        let (found, account) = stmts(format!("COPY t FROM stdin;\n{data}SELECT 1;\n").as_bytes())?;
        assert_eq!(found, ["COPY t FROM stdin"]);
        let lost: Vec<_> = account.lost().collect();
        assert_eq!((lost[0].kind, lost[0].first.line), (Reason::OpenData, 2));
        assert_eq!(account.lines, account.understood + lost[0].lines);
        Ok(())
    }

    #[test]
    fn too_long_statements_are_skipped() -> Result<()> {
        let long = format!("SELECT '{}'", "a\n".repeat(MAX / 2 + BLOCK));
        let (found, account) = stmts(format!("SELECT 1;\n{long};\nSELECT 2;\n").as_bytes())?;
        assert!(found == ["SELECT 1", "SELECT 2"], "{:.100?}", found.last());
        let lost: Vec<_> = account.lost().collect();
        assert_eq!((lost[0].kind, lost[0].first.line), (Reason::TooLong, 2));
        assert_eq!((account.understood, lost[0].lines), (2, (MAX / 2 + BLOCK) as u64 + 1));
        assert_eq!(account.lines, account.understood + lost[0].lines);
        Ok(())
    }

    #[test]
    fn wrong_statements_end_as_in_scripts() -> Result<()> {
        let (found, account) =
            stmts(b"SELECT 1; SELECT 1x;\nSELECT (2;\nSELECT '\xff';\nSELECT 'open")?;
        assert_eq!(
            found,
            ["SELECT 1", "SELECT 1x", "SELECT (2", "SELECT '\u{fffd}'", "SELECT 'open"]
        );
        assert_eq!((account.lines, account.not_utf8), (4, 1));
        Ok(())
    }
}

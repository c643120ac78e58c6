//! Reads statements separated by semicolons, with only a part of them in memory.

use std::io::BufRead;

use anyhow::{Result, bail};
use pg_ast::Version;

use super::batch::{Batches, Calls};

/// The number of bytes that are scanned together.
const BLOCK: usize = 1 << 20;
/// The maximum number of bytes in a statement.
const MAX_STMT: usize = 64 << 20;

pub(super) fn read(
    reader: &mut dyn BufRead,
    version: Version,
    batches: &mut Batches,
) -> Result<()> {
    let mut bytes = Vec::new();
    let mut wanted = BLOCK;
    let mut done = 0;
    loop {
        let ended = fill(reader, &mut bytes, wanted)?;
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            // The end of a character is still missing.
            Err(error) if !ended && error.error_len().is_none() => {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(error) => bail!("not UTF-8, from byte {}", done + error.valid_up_to()),
        };
        let taken = take(text, ended, version, batches)?;
        bytes.drain(..taken);
        done += taken;
        if ended {
            return Ok(());
        }
        // A statement that is longer than a block is scanned again when twice as much of it has been read.
        wanted = BLOCK.max(2 * bytes.len());
        if bytes.len() > MAX_STMT {
            bail!("a statement has more than {MAX_STMT} bytes, from byte {done}");
        }
    }
}

/// Reads until there are `wanted` bytes; true at the end of input.
fn fill(reader: &mut dyn BufRead, bytes: &mut Vec<u8>, wanted: usize) -> Result<bool> {
    while bytes.len() < wanted {
        let read = reader.fill_buf()?;
        if read.is_empty() {
            return Ok(true);
        }
        let length = read.len();
        bytes.extend_from_slice(read);
        reader.consume(length);
    }
    Ok(false)
}

/// Takes the statements that are complete; returns how many bytes they have.
fn take(text: &str, ended: bool, version: Version, batches: &mut Batches) -> Result<usize> {
    let mut taken = 0;
    loop {
        let rest = &text[taken..];
        let error = match version.split_with_scanner(rest) {
            Ok(stmts) => {
                taken += take_stmts(rest, &stmts, ended, batches)?;
                return Ok(taken);
            }
            Err(error) => error,
        };
        let cursor = taken + error.cursor().unwrap_or(0);
        let before = &text[taken..cursor];
        let stmts = version.split_with_scanner(before).unwrap_or_default();
        taken += take_stmts(before, &stmts, false, batches)?;
        // Something is open, and its end may still come.
        if !ended && error.message().starts_with("unterminated") {
            return Ok(taken);
        }
        // A statement that the scanner rejects ends at the next semicolon that ends a line.
        let rest = &text[taken..];
        let end = text[cursor..].find(";\n").map(|end| cursor + end + 1 - taken);
        match end {
            Some(end) => {
                batches.push(rest[..end].trim(), Calls::ONCE)?;
                taken += end;
            }
            None if ended => {
                batches.push(rest.trim(), Calls::ONCE)?;
                return Ok(text.len());
            }
            None => return Ok(taken),
        }
    }
}

/// Does the same for statements that the scanner has split; the last statement is complete if a semicolon follows it.
fn take_stmts(text: &str, stmts: &[&str], all: bool, batches: &mut Batches) -> Result<usize> {
    let place = |stmt: &str| stmt.as_ptr() as usize - text.as_ptr() as usize;
    let mut taken = 0;
    for (index, stmt) in stmts.iter().enumerate() {
        let end = place(stmt) + stmt.len();
        let next = stmts.get(index + 1).map(|next| place(next));
        let semicolon = || {
            let space = text[end..].find(|c: char| !c.is_ascii_whitespace())?;
            text[end + space..].starts_with(';').then_some(end + space + 1)
        };
        match next.or_else(semicolon) {
            Some(end) => taken = end,
            None if all => {}
            // There may be more of it.
            None => break,
        }
        batches.push(stmt.trim(), Calls::ONCE)?;
    }
    Ok(if all { text.len() } else { taken })
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};
    use std::sync::mpsc::sync_channel;

    use super::super::batch::Batch;
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

    fn stmts(text: &[u8]) -> Result<Vec<String>> {
        let (sender, receiver) = sync_channel(1 << 20);
        let mut batches = Batches::new(sender);
        let mut reader = BufReader::with_capacity(100, Slow(text));
        super::read(&mut reader, Version::newest(), &mut batches)?;
        batches.send()?;
        drop(batches);
        let batches: Vec<_> = receiver.into_iter().collect();
        Ok(batches.iter().flat_map(Batch::stmts).map(|(sql, _)| sql.to_owned()).collect())
    }

    #[test]
    fn statements_end_with_semicolons() -> Result<()> {
        assert_eq!(stmts(b"")?, [""; 0]);
        assert_eq!(
            stmts(b"SELECT 1; ; SELECT ';' /* ; */ ; -- ;\nSELECT 2")?,
            ["SELECT 1", "SELECT ';' /* ; */", "-- ;\nSELECT 2"]
        );
        Ok(())
    }

    #[test]
    fn statements_may_lie_across_blocks() -> Result<()> {
        let one = "SELECT 'ä;', $$;$$ /* ; */ FROM t;\n";
        let count = 3 * BLOCK / one.len();
        let found = stmts(one.repeat(count).as_bytes())?;
        assert_eq!(found.len(), count);
        assert!(found.iter().all(|stmt| one.starts_with(stmt.as_str())));
        Ok(())
    }

    #[test]
    fn long_statements_are_one() -> Result<()> {
        let long = format!("SELECT '{}'", "ä".repeat(2 * BLOCK));
        assert_eq!(stmts(format!("{long};SELECT 1;").as_bytes())?, [long.as_str(), "SELECT 1"]);
        Ok(())
    }

    #[test]
    fn what_the_scanner_refuses_is_one_statement() -> Result<()> {
        assert_eq!(
            stmts(b"SELECT 1; SELECT 1x;\nSELECT 2; SELECT 'open")?,
            ["SELECT 1", "SELECT 1x;", "SELECT 2", "SELECT 'open"]
        );
        let error = stmts(b"SELECT 1;\xff").unwrap_err();
        assert_eq!(error.to_string(), "not UTF-8, from byte 9");
        Ok(())
    }
}

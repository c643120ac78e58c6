//! Reads compressed input, and text that is not UTF-8.

use std::io::{self, BufRead, BufReader, Read};

use anyhow::{Result, bail};
use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// The bytes that `zstd` puts before data, and those before others that are skipped.
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
const SKIPPED: std::ops::Range<u32> = 0x184D_2A50..0x184D_2A60;

/// Returns a reader of what a reader's bytes stand for, as their beginning shows.
///
/// # Errors
///
/// Returns an error if they cannot be read, or if they are compressed in another way: then nothing in them is a line.
pub(super) fn unpacked<'a>(mut reader: impl BufRead + 'a) -> Result<Box<dyn BufRead + 'a>> {
    let start = reader.fill_buf()?;
    let others: [(&[u8], _); 4] = [
        (b"BZh", "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"PK\x03\x04", "zip"),
        (b"\x04\x22\x4d\x18", "lz4"),
    ];
    if let Some((_, kind)) = others.iter().find(|(mark, _)| start.starts_with(mark)) {
        bail!("it is compressed by {kind}; unpack it first, or pipe it in unpacked");
    }
    if start.starts_with(b"\x1f\x8b") {
        return unpacked_text(MultiGzDecoder::new(reader));
    }
    if start.starts_with(ZSTD) || is_skipped(start) {
        return unpacked_text(Zstd { frame: None, reader: Some(reader) });
    }
    text(reader)
}

fn unpacked_text<'a>(reader: impl Read + 'a) -> Result<Box<dyn BufRead + 'a>> {
    text(BufReader::with_capacity(super::BUFFER, reader))
}

/// Exports of other systems may be in UTF-16, which a mark at the beginning tells.
fn text<'a>(mut reader: impl BufRead + 'a) -> Result<Box<dyn BufRead + 'a>> {
    // Some decoders only tell once what is wrong.
    let start = reader.fill_buf()?;
    let of_pair: fn([u8; 2]) -> u16 = match start {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Ok(Box::new(reader)),
    };
    reader.consume(2);
    let utf16 = Utf16 { reader, of_pair, rest: Vec::new(), text: io::Cursor::default() };
    Ok(Box::new(BufReader::new(utf16)))
}

fn is_skipped(start: &[u8]) -> bool {
    start.first_chunk().is_some_and(|mark| SKIPPED.contains(&u32::from_le_bytes(*mark)))
}

type Frame<R> = StreamingDecoder<io::Chain<io::Cursor<Vec<u8>>, R>, FrameDecoder>;

/// Reads frames of `zstd`, one after the other.
struct Zstd<R: BufRead> {
    /// The current one, and its mark, which has been read to know it.
    frame: Option<Box<Frame<R>>>,
    /// The reader, between two frames.
    reader: Option<R>,
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(mut frame) = self.frame.take() {
                let read = frame.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    self.frame = Some(frame);
                    return Ok(read);
                }
                self.reader = Some(frame.into_inner().into_inner().1);
            }
            let Some(mut reader) = self.reader.take() else { return Ok(0) };
            let mut mark = Vec::new();
            (&mut reader).take(4).read_to_end(&mut mark)?;
            if mark.is_empty() {
                return Ok(0);
            }
            if is_skipped(&mark) {
                let mut length = [0; 4];
                reader.read_exact(&mut length)?;
                let mut left = u64::from(u32::from_le_bytes(length));
                left -= io::copy(&mut (&mut reader).take(left), &mut io::sink())?;
                if left > 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                self.reader = Some(reader);
                continue;
            }
            let frame = io::Cursor::new(mark).chain(reader);
            let frame = StreamingDecoder::new(frame).map_err(io::Error::other)?;
            self.frame = Some(Box::new(frame));
        }
    }
}

/// Reads UTF-16 as UTF-8.
struct Utf16<R> {
    reader: R,
    of_pair: fn([u8; 2]) -> u16,
    /// A byte without its second one, or the first half of a character.
    rest: Vec<u8>,
    text: io::Cursor<Vec<u8>>,
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let ready = self.reader.fill_buf()?;
            let (length, is_end) = (ready.len(), ready.is_empty());
            self.rest.extend_from_slice(ready);
            self.reader.consume(length);
            if is_end && self.rest.is_empty() {
                return Ok(0);
            }
            let mut units: Vec<_> =
                self.rest.chunks_exact(2).map(|pair| (self.of_pair)([pair[0], pair[1]])).collect();
            let is_half = units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit));
            if is_half && !is_end {
                units.pop();
            }
            let used = if is_end { self.rest.len() } else { 2 * units.len() };
            let mut text = String::from_utf16_lossy(&units);
            if used > 2 * units.len() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
            self.rest.drain(..used);
            self.text = io::Cursor::new(text.into_bytes());
        }
    }
}

/// Reads until there is an error, which is kept: what has been read until then is not lost.
pub(super) struct Whole<'a> {
    /// The first bytes, which show a format together: a pipe may return a line at a time.
    start: io::Cursor<Vec<u8>>,
    reader: Box<dyn BufRead + 'a>,
    pub(super) error: Option<io::Error>,
}

impl<'a> Whole<'a> {
    /// Reads the first `length` bytes, or all there are.
    pub(super) fn new(mut reader: Box<dyn BufRead + 'a>, length: usize) -> Self {
        let (mut start, mut error) = (Vec::new(), None);
        while start.len() < length {
            match reader.fill_buf() {
                Ok([]) => break,
                Ok(ready) => {
                    let read = ready.len();
                    start.extend_from_slice(ready);
                    reader.consume(read);
                }
                Err(interrupted) if interrupted.kind() == io::ErrorKind::Interrupted => {}
                Err(other) => {
                    error = Some(other);
                    break;
                }
            }
        }
        Self { start: io::Cursor::new(start), reader, error }
    }
}

impl Read for Whole<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut ready = self.fill_buf()?;
        let read = ready.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Whole<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start.position() < self.start.get_ref().len() as u64 {
            return self.start.fill_buf();
        }
        if self.error.is_some() {
            return Ok(&[]);
        }
        // Twice, for a borrow that is returned lasts also where it is not.
        if let Err(error) = self.reader.fill_buf() {
            if error.kind() == io::ErrorKind::Interrupted {
                return Err(error);
            }
            self.error = Some(error);
            return Ok(&[]);
        }
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if self.start.position() < self.start.get_ref().len() as u64 {
            self.start.consume(amount);
        } else {
            self.reader.consume(amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    /// A reader that returns a few bytes at a time.
    fn read(bytes: &[u8]) -> Result<(Vec<u8>, Option<io::Error>)> {
        let mut reader = Whole::new(unpacked(BufReader::with_capacity(7, bytes))?, 100);
        let mut read = Vec::new();
        reader.read_to_end(&mut read)?;
        Ok((read, reader.error))
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    #[test]
    fn compressed_text_is_the_same_text() {
        let text = "LOG:  statement: SELECT 'ä'\n".repeat(10_000).into_bytes();
        let (first, second) = text.split_at(1_000);
        let skipped = [&0x184D_2A51_u32.to_le_bytes()[..], &[3, 0, 0, 0, 1, 2, 3]].concat();
        for packed in [
            text.clone(),
            gzip(&text),
            // Rotated logs are often joined.
            [gzip(first), gzip(second)].concat(),
            zstd(&text),
            [zstd(first), zstd(second)].concat(),
            [skipped.clone(), zstd(first), skipped, zstd(second)].concat(),
        ] {
            let (read, error) = read(&packed).unwrap();
            assert!(read == text && error.is_none(), "{error:?}");
        }
        assert!(read(b"BZh91").unwrap_err().to_string().contains("bzip2"));
    }

    /// What has been read before is not lost, and the error is told.
    #[test]
    fn cut_files_are_read_to_their_end() {
        let text: Vec<u8> =
            (0..200_000_u32).flat_map(|n| format!("{}\n", n * 7919).into_bytes()).collect();
        for packed in [gzip(&text), zstd(&text)] {
            let (read, error) = read(&packed[..packed.len() / 2]).unwrap();
            assert!(text.starts_with(&read) && read.len() > 1_000, "{}", read.len());
            assert!(error.is_some());
            let mut wrong = packed.clone();
            wrong[packed.len() / 2..].fill(0xff);
            assert!(self::read(&wrong).unwrap().1.is_some());
        }
        for wrong in [&b"\x1f\x8b"[..], b"\x1f\x8bgarbage", b"\x28\xb5\x2f\xfd"] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn utf_16_is_read() {
        let text = "query;calls\r\nSELECT 'ä😀';1\r\n";
        for is_big in [true, false] {
            let pair = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            let mut bytes: Vec<u8> =
                format!("\u{feff}{text}").encode_utf16().flat_map(pair).collect();
            assert_eq!(read(&bytes).unwrap().0, text.as_bytes());
            // A character and a half.
            bytes.extend(pair(0xd83d));
            bytes.push(b'x');
            let (read, _) = read(&bytes).unwrap();
            assert_eq!(read, format!("{text}\u{fffd}\u{fffd}").as_bytes());
        }
    }
}

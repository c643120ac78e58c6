//! Reads what syslog and journald write of PostgreSQL's messages, also in parts.

use std::borrow::Cow;
use std::collections::HashMap;

use anyhow::Result;
use memchr::{memchr, memrchr};

use super::account::{Reason, Skipped};
use super::entries::{Entry, Place};
use super::lines::{Lines, WAITING};
use super::log::Log;
use super::prefix::{self, Prefixed};
use super::times::Time;
use super::words::Severity;

/// The bytes of a line's beginning that have its header.
const HEADER: usize = 512;

/// The bytes that tell a process, or a message, from others: they are kept for each.
const ID: usize = 64;

/// The maximum number of processes whose messages are kept until their next one.
const MAX_PROCESSES: usize = 10_000;

/// The part of a line after syslog's header.
#[derive(Debug, PartialEq)]
pub(super) struct Body<'a> {
    process: &'a str,
    /// The number of the message, and that of the part of it, if PostgreSQL numbers them.
    part: Option<(&'a str, &'a str)>,
    text: &'a str,
}

pub(super) fn read(lines: &mut Lines<'_>, log: &mut Log<'_>) -> Result<()> {
    let mut messages = Messages::default();
    while lines.next()? {
        let number = lines.number;
        let line = log.text(&lines.line);
        if lines.is_too_long {
            log.lose(Reason::TooLong, 1, number, &line);
            continue;
        }
        match Body::of(&line) {
            Some(body) => {
                let header = prefix::cut(&line, HEADER);
                let at = Time::of_syslog(header, log.now).or_else(|| Time::find(header));
                messages.take(&body, Place { lines: 1, number, at }, log)?;
            }
            None if line.trim().is_empty() => log.skip(Skipped::Blank, 1),
            // journald's way of showing lines.
            None if line.starts_with([' ', '\t']) => messages.go_on(line.trim_start(), number, log),
            None => log.lose(Reason::NoSyslogHeader, 1, number, &line),
        }
    }
    messages.finish(log)
}

#[derive(Default)]
struct Messages {
    /// By process, with the number of the message.
    open: HashMap<String, (Entry, String)>,
    bytes: usize,
    last: String,
    /// What was open last, for its buffers.
    spare: (String, (Entry, String)),
}

impl Messages {
    fn take(&mut self, body: &Body<'_>, place: Place, log: &mut Log<'_>) -> Result<()> {
        let number = place.number;
        // Some write a whole message in a line.
        let is_escaped = memchr(b'#', body.text.as_bytes()).is_some();
        let mut pieces = is_escaped.then(|| body.text.split("#012").map(unescaped));
        let text = pieces.as_mut().and_then(Iterator::next).unwrap_or(Cow::Borrowed(body.text));
        let pieces = pieces.into_iter().flatten();
        let goes_on = match body.part {
            Some((_, part)) => part != "1",
            None => text.starts_with('\t'),
        };
        if goes_on {
            let open = self.open.get_mut(body.process);
            let open =
                open.filter(|(_, message)| body.part.is_none_or(|part| *part.0 == **message));
            match open {
                Some((entry, _)) => {
                    self.bytes -= entry.len();
                    // Where nothing says that it is another line, it is a piece of a long one.
                    entry.push_line("", &text);
                    pieces.for_each(|piece| entry.push_line("\n", &piece));
                    entry.add_lines(1);
                    self.bytes += entry.len();
                    body.process.clone_into(&mut self.last);
                }
                None => log.lose(Reason::NoBeginning, 1, number, &text),
            }
        } else {
            self.close(body.process, log)?;
            match Severity::find(&text) {
                Some(severity) => {
                    let prefixed = log.prefixed(severity.prefix);
                    let prefixed = Prefixed { session: body.process, ..prefixed };
                    let (mut process, (mut entry, mut message)) = std::mem::take(&mut self.spare);
                    entry.begin(severity, &prefixed, place);
                    pieces.for_each(|piece| entry.push_line("\n", &piece));
                    self.bytes += entry.len();
                    body.part.map_or("", |part| part.0).clone_into(&mut message);
                    body.process.clone_into(&mut process);
                    self.open.insert(process, (entry, message));
                    body.process.clone_into(&mut self.last);
                }
                None => log.lose(Reason::NoSeverity, 1, number, &text),
            }
        }
        if self.open.len() > MAX_PROCESSES || self.bytes > WAITING {
            self.finish(log)?;
        }
        Ok(())
    }

    fn go_on(&mut self, line: &str, number: u64, log: &mut Log<'_>) {
        match self.open.get_mut(&self.last) {
            Some((entry, _)) => {
                self.bytes -= entry.len();
                entry.push("\n");
                entry.push(line);
                entry.add_lines(1);
                self.bytes += entry.len();
            }
            None => log.lose(Reason::NoSyslogHeader, 1, number, line),
        }
    }

    fn close(&mut self, process: &str, log: &mut Log<'_>) -> Result<()> {
        /// A longer one is not kept, so that each that is open has no more bytes than it shows.
        const SPARE: usize = 4 << 10;
        let Some((process, (mut entry, message))) = self.open.remove_entry(process) else {
            return Ok(());
        };
        self.bytes -= entry.len();
        let finished = entry.finish(log);
        if entry.len() <= SPARE {
            self.spare = (process, (entry, message));
        }
        finished
    }

    fn finish(&mut self, log: &mut Log<'_>) -> Result<()> {
        self.bytes = 0;
        // In order, so that two runs return the same.
        let mut open: Vec<_> = self.open.drain().map(|(_, (entry, _))| entry).collect();
        open.sort_by_key(Entry::number);
        open.iter_mut().try_for_each(|entry| entry.finish(log))
    }
}

impl<'a> Body<'a> {
    /// Splits a line after its header: `.. NAME[PROCESS]: ..`, or that of RFC 5424.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let (process, text) = bsd(line).or_else(|| rfc5424(line))?;
        let process = prefix::cut(process, ID);
        // Heroku has the name of a database before the numbers.
        let is_name = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
        let name = text.strip_prefix('[').map(|rest| starting(rest, is_name));
        let text = match name {
            Some((_, rest)) if rest.starts_with("] [") => &rest[2..],
            _ => text,
        };
        let part = text.strip_prefix('[').and_then(|rest| {
            let (message, rest) = starting(rest, |byte| byte.is_ascii_digit());
            let (part, rest) = starting(rest.strip_prefix('-')?, |byte| byte.is_ascii_digit());
            let rest = rest.strip_prefix(']')?;
            let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
            let is_part = !message.is_empty() && message.len() <= ID && !part.is_empty();
            is_part.then_some((message, part, rest))
        });
        Some(match part {
            Some((message, part, text)) => Self { process, part: Some((message, part)), text },
            None => Self { process, part: None, text },
        })
    }

    /// Returns whether a line is certainly one of PostgreSQL's.
    pub(super) fn is_of_server(&self) -> bool {
        self.part.is_some() || Severity::find(self.text).is_some()
    }
}

/// Splits a text after the bytes at its beginning that are some of ASCII.
fn starting(text: &str, is_one: impl Fn(u8) -> bool) -> (&str, &str) {
    let length = text.bytes().position(|byte| !is_one(byte));
    text.split_at(length.unwrap_or(text.len()))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `Jan  1 00:00:00 host postgres[123]: text`
fn bsd(line: &str) -> Option<(&str, &str)> {
    let header = prefix::cut(line, HEADER).as_bytes();
    let mut from = 0;
    while let Some(end) = memchr(b']', &header[from..]) {
        let end = from + end;
        from = end + 1;
        if !header[from..].starts_with(b": ") {
            continue;
        }
        let Some(start) = memrchr(b'[', &header[..end]) else { continue };
        let process = &line[start + 1..end];
        let process = process.strip_prefix("postgres.").unwrap_or(process);
        let name = memrchr(b' ', &header[..start]).map_or(0, |blank| blank + 1);
        let name = &line[name..start];
        if is_number(process) && !name.is_empty() && name.len() < start && !name.ends_with(':') {
            return Some((process, &line[end + 3..]));
        }
    }
    None
}

/// `<134>1 2026-01-01T00:00:00Z host postgres 123 - - text`
fn rfc5424(line: &str) -> Option<(&str, &str)> {
    let (priority, _) = line.strip_prefix('<')?.split_once(">1 ")?;
    let mut fields = line.splitn(7, ' ');
    let process = fields.nth(4)?;
    let rest = fields.nth(1)?;
    let text = match rest.strip_prefix('[') {
        Some(data) => data.split_once("] ")?.1,
        None => rest.split_once(' ')?.1,
    };
    is_number(priority).then_some((process, text.strip_prefix('\u{feff}').unwrap_or(text)))
}

/// Puts back the control characters that syslog writes as `#` and three octal digits.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains("#01") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("#015", "\r").replace("#011", "\t"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_known() {
        let of = |line| Body::of(line).map(|body| (body.process, body.part, body.text));
        assert_eq!(
            of("Jan  1 00:00:00 h postgres[12]: [3-1] LOG:  a"),
            Some(("12", Some(("3", "1")), "LOG:  a"))
        );
        assert_eq!(of("Jan  1 00:00:00 h postgres[12]: LOG:  a"), Some(("12", None, "LOG:  a")));
        assert_eq!(
            of("<134>1 2026-01-01T00:00:00Z h postgres 12 - - [3-2] #011b"),
            Some(("12", Some(("3", "2")), "#011b"))
        );
        assert_eq!(
            of("2026-01-01T00:00:00+00:00 app[postgres.12]: [GREEN] [3-2]  a"),
            Some(("12", Some(("3", "2")), " a"))
        );
        // Many of those may be kept at once.
        let long = "7".repeat(1_000);
        let body = Body::of("<134>1 2026-01-01T00:00:00Z h postgres 12 - - x");
        assert_eq!(body.map(|body| body.process), Some("12"));
        let line = format!("<134>1 2026-01-01T00:00:00Z h postgres {long} - - [{long}-1] x");
        let body = Body::of(&line).unwrap();
        assert!(body.process.len() == ID && body.part.is_none());
        // Those are prefixes of PostgreSQL's own.
        assert_eq!(of("2026-01-01 00:00:00 UTC [12]: [3-1] user=u LOG:  a"), None);
        assert_eq!(of("2026-01-01 00:00:00 UTC:10.0.0.1(1):u@d:[12]: LOG:  a"), None);
    }
}

//! Messages of several lines, as PostgreSQL writes them to `stderr`.

use anyhow::Result;

use super::account::Reason;
use super::lines::MAX;
use super::log::Log;
use super::words::{Level, Severity};

/// A message whose lines are being read.
#[derive(Default)]
pub(super) struct Entry {
    session: String,
    /// Empty if it is not about statements.
    text: String,
    is_message: bool,
    is_too_long: bool,
    lines: u64,
    /// The number of its first line, and its beginning.
    number: u64,
    start: String,
}

impl Entry {
    pub(super) fn new(session: &str, severity: Severity<'_>, lines: u64, number: u64) -> Self {
        let mut entry = Self::default();
        entry.begin(session, severity, lines, number);
        entry
    }

    fn begin(&mut self, session: &str, severity: Severity<'_>, lines: u64, number: u64) {
        session.clone_into(&mut self.session);
        self.text.clear();
        self.is_message = severity.level != Level::Never;
        self.is_too_long = false;
        self.push(severity.text);
        (self.lines, self.number) = (lines, number);
    }

    /// Adds text; its lines are counted by [`add_lines`](Self::add_lines).
    pub(super) fn push(&mut self, text: &str) {
        if !self.is_message || self.is_too_long {
            return;
        }
        if self.text.len() + text.len() > MAX {
            self.is_too_long = true;
            self.start = self.text.chars().take(200).collect();
            self.text = String::new();
        } else {
            self.text += text;
        }
    }

    pub(super) fn add_lines(&mut self, lines: u64) {
        self.lines += lines;
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The bytes that it keeps.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Takes the message, which is complete.
    pub(super) fn finish(&mut self, log: &mut Log<'_>) -> Result<()> {
        if self.is_too_long {
            log.lose(Reason::TooLong, self.lines, self.number, &self.start);
            return Ok(());
        }
        log.understand(self.lines);
        if self.is_message && !self.text.is_empty() {
            log.message(&self.session, &self.text)
        } else {
            Ok(())
        }
    }
}

/// Reads the lines of entries one after the other.
#[derive(Default)]
pub(super) struct Entries {
    entry: Entry,
    is_open: bool,
}

impl Entries {
    /// Takes text of one or several lines, for which the log has `lines` lines. Those after the first one may have lost
    /// the tabs that PostgreSQL puts before them. `reason` says why the text is not understood if it has no severity.
    pub(super) fn take(
        &mut self,
        text: &str,
        (lines, number): (u64, u64),
        session: &str,
        reason: Reason,
        log: &mut Log<'_>,
    ) -> Result<()> {
        let mut lines = lines;
        for (index, line) in text.split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let lines = std::mem::take(&mut lines);
            if let Some(rest) = line.strip_prefix('\t') {
                self.go_on(rest, lines, number, log);
            } else if let Some(severity) = Severity::find(line) {
                self.finish(log)?;
                let session =
                    if session.is_empty() { session_of(severity.prefix) } else { session };
                self.entry.begin(session, severity, lines, number);
                self.is_open = true;
            } else if index > 0 && self.is_open {
                self.go_on(line, lines, number, log);
            } else if line.trim().is_empty() {
                log.understand(lines);
            } else {
                log.lose(reason, lines, number, line);
            }
        }
        Ok(())
    }

    fn go_on(&mut self, rest: &str, lines: u64, number: u64, log: &mut Log<'_>) {
        if self.is_open {
            self.entry.push("\n");
            self.entry.push(rest);
            self.entry.add_lines(lines);
        } else {
            log.lose(Reason::NoBeginning, lines, number, rest);
        }
    }

    pub(super) fn finish(&mut self, log: &mut Log<'_>) -> Result<()> {
        if std::mem::take(&mut self.is_open) { self.entry.finish(log) } else { Ok(()) }
    }
}

/// Returns what tells a session in a `log_line_prefix`: the process (`[%p]`, `[%p-%l]`), or the session
/// (`%c`). Without them, all messages are of one session.
fn session_of(prefix: &str) -> &str {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    for (bracket, _) in prefix.match_indices('[') {
        let rest = &prefix[bracket + 1..];
        let length = digits(rest);
        if length > 0 && rest[length..].starts_with([']', '-']) {
            return &rest[..length];
        }
    }
    let is_id = |word: &&str| {
        word.split_once('.').is_some_and(|(start, process)| {
            let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
            start.len() == 8 && !process.is_empty() && is_hex(start) && is_hex(process)
        })
    };
    prefix.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').find(is_id).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_tell_sessions() {
        assert_eq!(session_of("2026-01-01 10:00:00.000 UTC [123] "), "123");
        assert_eq!(session_of("2026-01-01 10:00:00 UTC [123]: [4-1] user=u,db=d "), "123");
        assert_eq!(session_of("2026-01-01 10:00:00 UTC:10.0.0.1(5432):u@d:[123]:"), "123");
        assert_eq!(session_of("<2026-01-01 69a1b2c3.7b u@d> "), "69a1b2c3.7b");
        assert_eq!(session_of("2026-01-01 u@d "), "");
    }
}

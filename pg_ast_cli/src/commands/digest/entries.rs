//! Messages of several lines, as PostgreSQL writes them to `stderr`.

use anyhow::Result;

use super::account::{Reason, Skipped};
use super::lines::MAX;
use super::log::{Log, Message};
use super::prefix::{self, Prefixed};
use super::times::Time;
use super::words::{Level, Part, Severity};

/// The bytes of a prefix that are compared: a hostile line may have a severity far behind.
const PREFIX: usize = 256;

/// A message whose lines are being read, with the parts that follow it: its detail, its statement.
#[derive(Debug, Default)]
pub(super) struct Entry {
    session: String,
    database: String,
    user: String,
    application: String,
    at: Option<Time>,
    level: Level,
    text: String,
    detail: String,
    stmt: String,
    /// What the next line continues.
    part: Option<Part>,
    /// What stands before the severity, which the parts of the message repeat.
    prefix: String,
    is_too_long: bool,
    lines: u64,
    /// The number of its first line, and its beginning.
    number: u64,
    start: String,
}

/// A line's place: how many lines of the log it stands for, the number of the last one, and the time that whoever has written
/// the log says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) lines: u64,
    pub(super) number: u64,
    pub(super) at: Option<Time>,
}

impl Entry {
    /// Begins a message, whatever has been read before.
    pub(super) fn begin(&mut self, severity: Severity<'_>, prefixed: &Prefixed<'_>, place: Place) {
        let Prefixed { session, at, database, user, application } = *prefixed;
        session.clone_into(&mut self.session);
        database.clone_into(&mut self.database);
        user.clone_into(&mut self.user);
        application.clone_into(&mut self.application);
        self.at = at.or(place.at);
        [&mut self.text, &mut self.detail, &mut self.stmt].into_iter().for_each(String::clear);
        self.level = severity.level;
        self.part = None;
        prefix::cut(severity.prefix, PREFIX).clone_into(&mut self.prefix);
        self.is_too_long = false;
        (self.lines, self.number) = (place.lines, place.number);
        self.push(severity.text);
    }

    /// Returns whether a line with a severity is a part of this message.
    pub(super) fn has_part(&self, severity: Severity<'_>) -> bool {
        matches!(severity.level, Level::Part(_))
            && masked(&self.prefix).eq(masked(prefix::cut(severity.prefix, PREFIX)))
    }

    /// Begins a part.
    pub(super) fn begin_part(&mut self, severity: Severity<'_>, lines: u64) {
        self.part = match severity.level {
            Level::Part(part) => Some(part),
            _ => None,
        };
        self.push(severity.text);
        self.lines += lines;
    }

    /// Adds text; its lines are counted by [`add_lines`](Self::add_lines).
    pub(super) fn push(&mut self, text: &str) {
        let is_error = self.level == Level::Error;
        let length = self.len();
        let field = match self.part {
            None => &mut self.text,
            Some(Part::Stmt) if is_error => &mut self.stmt,
            Some(Part::Detail) if !is_error => &mut self.detail,
            Some(_) => return,
        };
        if self.is_too_long || matches!(self.level, Level::Part(_)) {
            return;
        }
        if length + text.len() > MAX {
            self.is_too_long = true;
            self.start = self.text.chars().take(200).collect();
            (self.text, self.detail, self.stmt) = Default::default();
        } else {
            field.push_str(text);
        }
    }

    /// Adds a line of the message, which begins with a tab, or a part of it; else text that follows what is before it and `gap`.
    pub(super) fn push_line(&mut self, gap: &str, text: &str) {
        if let Some(line) = text.strip_prefix('\t') {
            self.push("\n");
            self.push(line);
        } else if let Some(part) = Severity::find(text).filter(|found| self.has_part(*found)) {
            self.begin_part(part, 0);
        } else {
            self.push(gap);
            self.push(text);
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
        self.text.len() + self.detail.len() + self.stmt.len()
    }

    /// Takes the message, which is complete.
    pub(super) fn finish(&mut self, log: &mut Log<'_>) -> Result<()> {
        if self.is_too_long {
            log.lose(Reason::TooLong, self.lines, self.number, &self.start);
            return Ok(());
        }
        if matches!(self.level, Level::Part(_)) {
            log.skip(Skipped::Other, self.lines);
            return Ok(());
        }
        log.message(&Message {
            session: &self.session,
            at: self.at,
            database: &self.database,
            user: &self.user,
            application: &self.application,
            text: &self.text,
            detail: &self.detail,
            stmt: &self.stmt,
            is_error: self.level == Level::Error,
            lines: self.lines,
            number: self.number,
        })
    }
}

/// Returns a prefix with a zero in place of each number: that of a line (`%l`) has become another one.
fn masked(prefix: &str) -> impl Iterator<Item = char> {
    let mut is_number = false;
    prefix.chars().filter_map(move |c| {
        let was_number = std::mem::replace(&mut is_number, c.is_ascii_digit());
        match (was_number, is_number) {
            (true, true) => None,
            (false, true) => Some('0'),
            _ => Some(c),
        }
    })
}

/// Reads the lines of entries one after the other.
#[derive(Debug, Default)]
pub(super) struct Entries {
    entry: Entry,
    is_open: bool,
}

impl Entries {
    /// Takes text of one or several lines. Those after the first one may have lost the tabs that PostgreSQL puts before them.
    /// `reason` says why the text is not understood if it has no severity.
    pub(super) fn take(
        &mut self,
        text: &str,
        place: Place,
        reason: Reason,
        log: &mut Log<'_>,
    ) -> Result<()> {
        let mut lines = place.lines;
        for (index, line) in text.split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let place = Place { lines: std::mem::take(&mut lines), ..place };
            if let Some(rest) = line.strip_prefix('\t') {
                self.go_on(rest, place, log);
            } else if let Some(severity) = Severity::find(line) {
                if self.is_open && self.entry.has_part(severity) {
                    self.entry.begin_part(severity, place.lines);
                    continue;
                }
                self.finish(log)?;
                let prefixed = log.prefixed(severity.prefix);
                self.entry.begin(severity, &prefixed, place);
                self.is_open = true;
            } else if index > 0 && self.is_open {
                self.go_on(line, place, log);
            } else if line.trim().is_empty() {
                log.skip(Skipped::Blank, place.lines);
            } else {
                log.lose(reason, place.lines, place.number, line);
            }
        }
        Ok(())
    }

    fn go_on(&mut self, rest: &str, place: Place, log: &mut Log<'_>) {
        if self.is_open {
            self.entry.push("\n");
            self.entry.push(rest);
            self.entry.add_lines(place.lines);
        } else {
            log.lose(Reason::NoBeginning, place.lines, place.number, rest);
        }
    }

    pub(super) fn finish(&mut self, log: &mut Log<'_>) -> Result<()> {
        if std::mem::take(&mut self.is_open) { self.entry.finish(log) } else { Ok(()) }
    }
}

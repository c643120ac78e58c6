//! What the readers of all formats write to.

use std::borrow::Cow;

use anyhow::Result;

use super::account::{Account, Reason, Skipped};
use super::batch::{Batches, Calls, Pushed};
use super::messages::{self, Event};
use super::prefix::{self, Prefixed, Template};
use super::sessions::{Sessions, Whose};
use super::tallies::Origin;
use super::times::Time;

/// The bytes that tell a session from others.
const SESSION: usize = 64;

/// A message of the server, with what the log says about it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Message<'a> {
    /// Empty if it is not known, as are all others.
    pub(super) session: &'a str,
    pub(super) at: Option<Time>,
    pub(super) database: &'a str,
    pub(super) user: &'a str,
    pub(super) application: &'a str,
    pub(super) text: &'a str,
    /// The message's detail, which has the values of parameters.
    pub(super) detail: &'a str,
    /// The statement that has caused it.
    pub(super) stmt: &'a str,
    pub(super) is_error: bool,
    /// Its lines, and the number of the first one.
    pub(super) lines: u64,
    pub(super) number: u64,
}

/// Which messages are counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    pub(super) since: Option<Time>,
    pub(super) until: Option<Time>,
    pub(super) databases: Vec<String>,
    pub(super) users: Vec<String>,
    pub(super) applications: Vec<String>,
    /// The setting of the log, if its form is not to be guessed.
    pub(super) prefix: Option<Template>,
    /// True if the values of parameters are kept.
    pub(super) parameters: bool,
}

/// An input's statements, on their way to the threads that count them, and the account of its lines.
pub(super) struct Log<'a> {
    pub(super) account: &'a mut Account,
    pub(super) batches: &'a mut Batches,
    filter: &'a Filter,
    sessions: Sessions,
    /// The messages with a statement.
    stmts: u64,
    /// For times without a year.
    pub(super) now: Time,
}

impl<'a> Log<'a> {
    pub(super) fn new(
        account: &'a mut Account,
        batches: &'a mut Batches,
        filter: &'a Filter,
    ) -> Self {
        Self { account, batches, filter, sessions: Sessions::default(), stmts: 0, now: Time::now() }
    }

    /// Returns a number that grows with each statement and each error that is found.
    pub(super) fn found(&self) -> u64 {
        self.stmts + self.batches.pushed + self.batches.tallies.error_count
    }

    /// Returns whether only some messages are counted.
    pub(super) fn selects(&self) -> bool {
        let Filter { since, until, databases, users, applications, .. } = self.filter;
        let has_names = |names: &[String]| !names.is_empty();
        since.is_some()
            || until.is_some()
            || has_names(databases)
            || has_names(users)
            || has_names(applications)
    }

    /// Takes a message, and accounts for its lines.
    pub(super) fn message(&mut self, message: &Message<'_>) -> Result<()> {
        let Message { at, text, lines, number, .. } = *message;
        // A hostile one may be as long as a line.
        let session = prefix::cut(message.session, SESSION);
        if let Some(kept) = self.kept(message) {
            match kept {
                Ok(why) => self.skip(why, lines),
                Err(reason) => self.lose(reason, lines, number, text),
            }
            return Ok(());
        }
        let event = if message.is_error { Event::Other } else { Event::of(text) };
        if let Event::Stmt { sql, .. } = event
            && sql.bytes().all(|byte| byte == b';' || byte.is_ascii_whitespace())
        {
            self.skip(Skipped::Empty, lines);
            return Ok(());
        }
        let origin = match event {
            Event::Stmt { .. } | Event::Plan { .. } | Event::Other => {
                self.batches.tallies.origin(message.database, message.user, message.application)
            }
            _ => Origin::default(),
        };
        let parameters = match event {
            Event::Stmt { .. } if self.filter.parameters => messages::parameters(message.detail),
            _ => "",
        };
        self.stmts += u64::from(matches!(event, Event::Stmt { .. } | Event::Plan { .. }));
        let whose = Whose { session, at, origin, parameters };
        match event {
            Event::Stmt { sql, time } => self.sessions.stmt(whose, sql, time, self.batches)?,
            Event::Plan { sql, time, rows } => {
                self.sessions.plan(whose, &sql, (time, rows), self.batches)?;
            }
            Event::Duration(time) => {
                let is_known = self.sessions.duration(session, time, self.batches)?;
                self.account.durations += u64::from(!is_known);
            }
            Event::Step => {
                self.skip(Skipped::Steps, lines);
                return Ok(());
            }
            Event::Unknown => {
                self.lose(Reason::Language, lines, number, text);
                return Ok(());
            }
            Event::Other if message.is_error => {
                self.sessions.failed(session, self.batches)?;
                self.batches.tallies.error(text, !message.stmt.is_empty());
                if !message.stmt.is_empty() {
                    let calls = Calls::failed();
                    let sql = message.stmt;
                    self.batches.push(Pushed { sql, calls, at, origin, ..Pushed::default() })?;
                }
            }
            Event::Other => {
                self.skip(Skipped::Other, lines);
                return Ok(());
            }
        }
        self.understand(lines);
        Ok(())
    }

    /// Returns why a message is not counted, if it is not.
    fn kept(&self, message: &Message<'_>) -> Option<Result<Skipped, Reason>> {
        let Filter { since, until, databases, users, applications, .. } = self.filter;
        if since.is_some() || until.is_some() {
            let Some(at) = message.at else { return Some(Err(Reason::NoTime)) };
            if since.is_some_and(|since| at < since) || until.is_some_and(|until| at >= until) {
                return Some(Ok(Skipped::Window));
            }
        }
        let filters = [
            (databases, message.database),
            (users, message.user),
            (applications, message.application),
        ];
        let is_kept = filters
            .iter()
            .all(|(names, name)| names.is_empty() || names.iter().any(|kept| kept == name));
        (!is_kept).then_some(Ok(Skipped::Filter))
    }

    /// Returns what a prefix says about a message.
    pub(super) fn prefixed<'p>(&self, prefix: &'p str) -> Prefixed<'p> {
        let of_setting = self.filter.prefix.as_ref().and_then(|template| template.find(prefix));
        of_setting.unwrap_or_else(|| prefix::find(prefix))
    }

    /// Returns the text of bytes of a line.
    pub(super) fn text<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, str> {
        // Which is several times as fast for what is right.
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Cow::Borrowed(text);
        }
        self.account.not_utf8 += 1;
        String::from_utf8_lossy(bytes)
    }

    pub(super) fn understand(&mut self, lines: u64) {
        self.account.understood += lines;
    }

    pub(super) fn skip(&mut self, why: Skipped, lines: u64) {
        self.account.skip(why, lines);
    }

    pub(super) fn lose(&mut self, kind: Reason, lines: u64, number: u64, text: &str) {
        self.account.lose(kind, lines, number, text);
    }

    /// Sends what has waited for more of its session.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.sessions.finish(self.batches)
    }
}

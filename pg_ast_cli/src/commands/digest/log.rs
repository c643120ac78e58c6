//! What the readers of all formats write to.

use std::borrow::Cow;

use anyhow::Result;

use super::account::{Account, Reason};
use super::batch::Batches;
use super::messages::Event;
use super::sessions::Sessions;

/// An input's statements, on their way to the threads that count them, and the account of its lines.
pub(super) struct Log<'a> {
    pub(super) account: &'a mut Account,
    pub(super) batches: &'a mut Batches,
    sessions: Sessions,
}

impl<'a> Log<'a> {
    pub(super) fn new(account: &'a mut Account, batches: &'a mut Batches) -> Self {
        Self { account, batches, sessions: Sessions::default() }
    }

    /// Takes a message of a session, which is empty if it is not known.
    pub(super) fn message(&mut self, session: &str, message: &str) -> Result<()> {
        match Event::of(message) {
            Event::Stmt { sql, time } => self.sessions.stmt(session, sql, time, self.batches),
            Event::Plan { sql, time } => self.sessions.plan(session, &sql, time, self.batches),
            Event::Duration(time) => {
                let is_known = self.sessions.duration(session, time, self.batches)?;
                self.account.durations += u64::from(!is_known);
                Ok(())
            }
            Event::Other => Ok(()),
        }
    }

    /// Returns the text of bytes of a line.
    pub(super) fn text<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, str> {
        let text = String::from_utf8_lossy(bytes);
        self.account.not_utf8 += u64::from(matches!(text, Cow::Owned(_)));
        text
    }

    pub(super) fn understand(&mut self, lines: u64) {
        self.account.understood += lines;
    }

    pub(super) fn lose(&mut self, kind: Reason, lines: u64, number: u64, text: &str) {
        self.account.lose(kind, lines, number, text);
    }

    /// Sends what has waited for more of its session.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.sessions.finish(self.batches)
    }
}

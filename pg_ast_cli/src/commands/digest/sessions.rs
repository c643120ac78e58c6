//! Joins the messages about one execution of a statement: its text, its duration, its plan.

use std::collections::HashMap;

use anyhow::Result;

use super::batch::{Batches, Calls};
use super::lines::MAX;

/// The maximum number of sessions that wait at once.
const MAX_SESSIONS: usize = 10_000;

/// The statement that each session executed last.
#[derive(Default)]
pub(super) struct Sessions {
    last: HashMap<Box<str>, Last>,
    /// The bytes of their SQL.
    bytes: usize,
}

#[derive(Default)]
struct Last {
    sql: String,
    time: Option<f64>,
    /// True if a message with the statement has been read, not only its plan.
    is_logged: bool,
    /// True if the plan of this execution has been read. That of a prepared statement follows the statement.
    is_planned: bool,
    /// True if it has been counted.
    is_counted: bool,
}

impl Sessions {
    /// Takes a statement, with its duration if the same message has it.
    pub(super) fn stmt(
        &mut self,
        session: &str,
        sql: &str,
        time: Option<f64>,
        batches: &mut Batches,
    ) -> Result<()> {
        let last = self.last_of(session);
        let is_planned = !last.is_logged && !last.is_counted && last.sql == sql;
        let planned = last.time.filter(|_| is_planned);
        if !is_planned {
            last.count(batches)?;
        }
        let before = last.sql.len();
        last.replace(sql, time.or(planned));
        (last.is_logged, last.is_planned) = (true, is_planned);
        if time.is_some() {
            last.count(batches)?;
        }
        self.bytes = self.bytes - before + sql.len();
        self.bound(batches)
    }

    /// Takes a plan with the time of its execution.
    pub(super) fn plan(
        &mut self,
        session: &str,
        sql: &str,
        time: f64,
        batches: &mut Batches,
    ) -> Result<()> {
        let last = self.last_of(session);
        if last.is_logged && last.sql == sql && !(last.is_planned && last.is_counted) {
            last.is_planned = true;
            // A duration that the server logs itself takes precedence.
            last.time = last.time.or(Some(time));
            return Ok(());
        }
        last.count(batches)?;
        let before = last.sql.len();
        last.replace(sql, Some(time));
        (last.is_logged, last.is_planned) = (false, true);
        self.bytes = self.bytes - before + sql.len();
        self.bound(batches)
    }

    /// Takes a duration without a statement; false if its statement is not known.
    pub(super) fn duration(
        &mut self,
        session: &str,
        time: f64,
        batches: &mut Batches,
    ) -> Result<bool> {
        let Some(last) = self.last.get_mut(session) else { return Ok(false) };
        if last.is_counted {
            return Ok(false);
        }
        last.time = Some(time);
        last.count(batches)?;
        Ok(true)
    }

    /// Counts all that wait.
    pub(super) fn finish(&mut self, batches: &mut Batches) -> Result<()> {
        self.bytes = 0;
        self.last.drain().try_for_each(|(_, mut last)| last.count(batches))
    }

    fn last_of(&mut self, session: &str) -> &mut Last {
        let none = Last { is_counted: true, ..Last::default() };
        self.last.entry(session.into()).or_insert(none)
    }

    /// Bounds the memory, however many sessions end without a word.
    fn bound(&mut self, batches: &mut Batches) -> Result<()> {
        if self.last.len() > MAX_SESSIONS || self.bytes > MAX {
            self.finish(batches)
        } else {
            Ok(())
        }
    }
}

impl Last {
    fn replace(&mut self, sql: &str, time: Option<f64>) {
        sql.clone_into(&mut self.sql);
        (self.time, self.is_counted) = (time, false);
    }

    /// Counts it, unless it has been.
    fn count(&mut self, batches: &mut Batches) -> Result<()> {
        if std::mem::replace(&mut self.is_counted, true) {
            return Ok(());
        }
        batches.push(&self.sql, Calls::one(self.time.unwrap_or_default()))
    }
}

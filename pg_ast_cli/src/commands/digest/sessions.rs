//! Joins the messages about one execution of a statement: its text, its duration, its plan.

use std::collections::HashMap;

use anyhow::Result;

use super::batch::{Batches, Calls, Pushed};
use super::lines::WAITING;
use super::tallies::Origin;
use super::times::Time;

/// The maximum number of sessions that wait at once.
const MAX_SESSIONS: usize = 10_000;

/// The statement that each session executed last.
#[derive(Default)]
pub(super) struct Sessions {
    last: HashMap<Box<str>, Last>,
    /// The bytes of their SQL and its parameters.
    bytes: usize,
}

/// What a message about a statement says besides it.
#[derive(Clone, Copy)]
pub(super) struct Whose<'a> {
    pub(super) session: &'a str,
    pub(super) at: Option<Time>,
    pub(super) origin: Origin,
    pub(super) parameters: &'a str,
}

/// The message that a statement is known by.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum By {
    /// Its plan only.
    #[default]
    Plan,
    Stmt,
    /// Its own with the time, so that only its plan may follow.
    TimedStmt,
}

#[derive(Default)]
struct Last {
    sql: String,
    parameters: String,
    at: Option<Time>,
    origin: Origin,
    time: Option<f64>,
    rows: Option<u64>,
    by: By,
    /// True if the plan of this execution has been read. That of a prepared statement follows the statement.
    is_planned: bool,
    /// True if it has been counted.
    is_counted: bool,
}

impl Sessions {
    /// Takes a statement, with its duration if the same message has it.
    pub(super) fn stmt(
        &mut self,
        whose: Whose<'_>,
        sql: &str,
        time: Option<f64>,
        batches: &mut Batches,
    ) -> Result<()> {
        let last = self.last_of(whose.session);
        let is_planned = last.by == By::Plan && !last.is_counted && last.sql == sql;
        let (planned, rows) = if is_planned { (last.time, last.rows) } else { (None, None) };
        if !is_planned {
            last.count(batches)?;
        }
        let before = last.len();
        last.replace(whose, sql, time.or(planned), rows);
        last.by = if time.is_some() { By::TimedStmt } else { By::Stmt };
        last.is_planned = is_planned;
        self.bytes = self.bytes - before + sql.len() + whose.parameters.len();
        self.bound(batches)
    }

    /// Takes a plan with the time of its execution, and the number of rows if it has that.
    pub(super) fn plan(
        &mut self,
        whose: Whose<'_>,
        sql: &str,
        (time, rows): (f64, Option<u64>),
        batches: &mut Batches,
    ) -> Result<()> {
        let last = self.last_of(whose.session);
        let is_over = last.is_planned && (last.is_counted || last.by == By::TimedStmt);
        if last.by != By::Plan && last.sql == sql && !is_over {
            last.is_planned = true;
            // A duration that the server logs itself takes precedence.
            last.time = last.time.or(Some(time));
            last.rows = last.rows.or(rows);
            return Ok(());
        }
        last.count(batches)?;
        let before = last.len();
        last.replace(whose, sql, Some(time), rows);
        (last.by, last.is_planned) = (By::Plan, true);
        self.bytes = self.bytes - before + sql.len() + whose.parameters.len();
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
        if last.is_counted || last.by == By::TimedStmt {
            return Ok(false);
        }
        last.time = Some(time);
        last.count(batches)?;
        Ok(true)
    }

    /// Takes an error, after which no duration of the statement comes.
    pub(super) fn failed(&mut self, session: &str, batches: &mut Batches) -> Result<()> {
        self.last.get_mut(session).map_or(Ok(()), |last| last.count(batches))
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
        if self.last.len() > MAX_SESSIONS || self.bytes > WAITING {
            self.finish(batches)
        } else {
            Ok(())
        }
    }
}

impl Last {
    fn len(&self) -> usize {
        self.sql.len() + self.parameters.len()
    }

    fn replace(&mut self, whose: Whose<'_>, sql: &str, time: Option<f64>, rows: Option<u64>) {
        sql.clone_into(&mut self.sql);
        whose.parameters.clone_into(&mut self.parameters);
        (self.at, self.origin) = (whose.at, whose.origin);
        (self.time, self.rows, self.is_counted) = (time, rows, false);
    }

    /// Counts it, unless it has been.
    fn count(&mut self, batches: &mut Batches) -> Result<()> {
        if std::mem::replace(&mut self.is_counted, true) {
            return Ok(());
        }
        batches.push(Pushed {
            sql: &self.sql,
            parameters: &self.parameters,
            calls: Calls::one(self.time, self.rows),
            at: self.at,
            origin: self.origin,
            ..Pushed::default()
        })
    }
}

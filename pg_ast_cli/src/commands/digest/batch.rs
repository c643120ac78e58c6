//! Statements on their way from the thread that reads to those that parse.

use std::ops::Range;
use std::sync::mpsc::SyncSender;

use anyhow::{Result, anyhow};
use pg_ast::{Error, ParserOptions};

use super::tallies::{Origin, Tallies};
use super::times::Time;

/// The bytes of statements that are sent to another thread at once.
const BATCH: usize = 256 << 10;

/// A batch of statements.
#[derive(Debug, Default)]
pub(super) struct Batch {
    text: String,
    stmts: Vec<Stmt>,
}

#[derive(Debug)]
struct Stmt {
    range: Range<usize>,
    /// The end of the parameters' values, which follow the statement.
    end: usize,
    calls: Calls,
    form: Form,
    error: Option<Error>,
    at: Option<Time>,
}

/// A statement of a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchStmt<'a> {
    pub(super) sql: &'a str,
    /// The values of its parameters, as the log has them; they are only kept for samples.
    pub(super) parameters: &'a str,
    pub(super) calls: Calls,
    pub(super) form: Form,
    /// Its error, if that is not in itself: only its semicolon is missing.
    pub(super) error: Option<&'a Error>,
    pub(super) at: Option<Time>,
}

/// The form of a statement's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As the client sent it. The options say whether a backslash is an escape.
    Sent(ParserOptions),
    /// As a script for psql has it, perhaps with variables.
    Script(ParserOptions),
    /// With parameters in place of constants, also where PostgreSQL's grammar has none.
    Normalized,
}

impl Default for Form {
    fn default() -> Self {
        Self::Sent(ParserOptions::default())
    }
}

/// Calls of a statement, with what the log says about them. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Calls {
    pub(super) count: u64,
    /// Those of them whose time is known.
    pub(super) timed: u64,
    pub(super) time: f64,
    pub(super) max: f64,
    /// Those of them whose number of rows is known, and these rows.
    pub(super) rowed: u64,
    pub(super) rows: u64,
    /// The errors that the server has logged with this statement, which are no calls.
    pub(super) errors: u64,
}

impl Calls {
    /// One call.
    pub(super) fn one(time: Option<f64>, rows: Option<u64>) -> Self {
        Self::many(1, time, time, rows)
    }

    /// Calls with their total time, the longest one's, and all their rows.
    pub(super) fn many(count: u64, time: Option<f64>, max: Option<f64>, rows: Option<u64>) -> Self {
        Self {
            count,
            timed: if time.is_some() { count } else { 0 },
            time: time.unwrap_or_default(),
            max: max.unwrap_or_default(),
            rowed: if rows.is_some() { count } else { 0 },
            rows: rows.unwrap_or_default(),
            errors: 0,
        }
    }

    /// No call, but an error.
    pub(super) fn failed() -> Self {
        Self { errors: 1, ..Self::default() }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.timed = self.timed.saturating_add(other.timed);
        self.time += other.time;
        self.max = self.max.max(other.max);
        self.rowed = self.rowed.saturating_add(other.rowed);
        self.rows = self.rows.saturating_add(other.rows);
        self.errors = self.errors.saturating_add(other.errors);
    }

    /// Returns the mean time of those calls whose time is known.
    pub(super) fn mean(&self) -> Option<f64> {
        #[allow(clippy::cast_precision_loss)]
        (self.timed > 0).then(|| self.time / self.timed as f64)
    }
}

/// A statement to push, with its calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Pushed<'a> {
    pub(super) sql: &'a str,
    pub(super) parameters: &'a str,
    pub(super) calls: Calls,
    pub(super) form: Form,
    pub(super) error: Option<Error>,
    pub(super) at: Option<Time>,
    pub(super) origin: Origin,
}

impl Batch {
    pub(super) fn stmts(&self) -> impl Iterator<Item = BatchStmt<'_>> {
        self.stmts.iter().map(|stmt| BatchStmt {
            sql: &self.text[stmt.range.clone()],
            parameters: &self.text[stmt.range.end..stmt.end],
            calls: stmt.calls,
            form: stmt.form,
            error: stmt.error.as_ref(),
            at: stmt.at,
        })
    }
}

/// Collects statements, and sends them on.
pub(super) struct Batches {
    current: Batch,
    sender: SyncSender<Batch>,
    /// The number of statements so far.
    pub(super) pushed: u64,
    /// What does not depend on the kind of a statement.
    pub(super) tallies: Tallies,
}

impl Batches {
    pub(super) fn new(sender: SyncSender<Batch>) -> Self {
        Self { current: Batch::default(), sender, pushed: 0, tallies: Tallies::default() }
    }

    pub(super) fn push(&mut self, stmt: Pushed<'_>) -> Result<()> {
        let Pushed { sql, parameters, calls, form, error, at, origin } = stmt;
        self.tallies.add(origin, at, calls);
        let start = self.current.text.len();
        self.current.text += sql;
        let range = start..self.current.text.len();
        self.current.text += parameters;
        let end = self.current.text.len();
        self.current.stmts.push(Stmt { range, end, calls, form, error, at });
        self.pushed += 1;
        if self.current.text.len() >= BATCH { self.send() } else { Ok(()) }
    }

    pub(super) fn send(&mut self) -> Result<()> {
        let batch = std::mem::take(&mut self.current);
        self.sender.send(batch).map_err(|_| anyhow!("all worker threads have ended"))
    }
}

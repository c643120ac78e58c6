//! Statements on their way from the thread that reads to those that parse.

use std::ops::Range;
use std::sync::mpsc::SyncSender;

use anyhow::{Result, anyhow};
use pg_ast::{Error, ParserOptions};

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
    calls: Calls,
    form: Form,
    error: Option<Error>,
}

/// A statement of a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchStmt<'a> {
    pub(super) sql: &'a str,
    pub(super) calls: Calls,
    pub(super) form: Form,
    /// Its error, if that is not in itself: only its semicolon is missing.
    pub(super) error: Option<&'a Error>,
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

/// The number of calls of a statement, and their total time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Calls {
    pub(super) count: u64,
    /// In milliseconds; 0 if the log does not say.
    pub(super) time: f64,
}

impl Calls {
    /// One call, which took this time.
    pub(super) fn one(time: f64) -> Self {
        Self { count: 1, time }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.time += other.time;
    }
}

impl Batch {
    pub(super) fn stmts(&self) -> impl Iterator<Item = BatchStmt<'_>> {
        self.stmts.iter().map(|stmt| BatchStmt {
            sql: &self.text[stmt.range.clone()],
            calls: stmt.calls,
            form: stmt.form,
            error: stmt.error.as_ref(),
        })
    }
}

/// Collects statements, and sends them on.
pub(super) struct Batches {
    current: Batch,
    sender: SyncSender<Batch>,
    /// The number of statements so far.
    pub(super) pushed: u64,
}

impl Batches {
    pub(super) fn new(sender: SyncSender<Batch>) -> Self {
        Self { current: Batch::default(), sender, pushed: 0 }
    }

    pub(super) fn push(&mut self, sql: &str, calls: Calls) -> Result<()> {
        self.push_as(sql, calls, Form::Sent(ParserOptions::default()), None)
    }

    pub(super) fn push_as(
        &mut self,
        sql: &str,
        calls: Calls,
        form: Form,
        error: Option<Error>,
    ) -> Result<()> {
        let start = self.current.text.len();
        self.current.text += sql;
        let range = start..self.current.text.len();
        self.current.stmts.push(Stmt { range, calls, form, error });
        self.pushed += 1;
        if self.current.text.len() >= BATCH { self.send() } else { Ok(()) }
    }

    pub(super) fn send(&mut self) -> Result<()> {
        let batch = std::mem::take(&mut self.current);
        self.sender.send(batch).map_err(|_| anyhow!("all worker threads have ended"))
    }
}

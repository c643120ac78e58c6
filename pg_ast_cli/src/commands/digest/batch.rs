//! Statements on their way from the thread that reads to those that parse.

use std::ops::Range;
use std::sync::mpsc::SyncSender;

use anyhow::{Result, anyhow};

/// The bytes of statements that are sent to another thread at once.
const BATCH: usize = 256 << 10;

/// A batch of statements.
#[derive(Debug, Default)]
pub(super) struct Batch {
    text: String,
    stmts: Vec<(Range<usize>, Calls)>,
}

/// The number of calls of a statement, and their total time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Calls {
    pub(super) count: u64,
    /// In milliseconds; 0 if the log does not say.
    pub(super) time: f64,
}

impl Calls {
    pub(super) const ONCE: Self = Self { count: 1, time: 0.0 };

    pub(super) fn add(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.time += other.time;
    }
}

impl Batch {
    pub(super) fn stmts(&self) -> impl Iterator<Item = (&str, Calls)> {
        self.stmts.iter().map(|(range, calls)| (&self.text[range.clone()], *calls))
    }
}

/// Collects statements, and sends them on.
pub(super) struct Batches {
    current: Batch,
    sender: SyncSender<Batch>,
}

impl Batches {
    pub(super) fn new(sender: SyncSender<Batch>) -> Self {
        Self { current: Batch::default(), sender }
    }

    pub(super) fn push(&mut self, sql: &str, calls: Calls) -> Result<()> {
        let start = self.current.text.len();
        self.current.text += sql;
        self.current.stmts.push((start..self.current.text.len(), calls));
        if self.current.text.len() >= BATCH { self.send() } else { Ok(()) }
    }

    pub(super) fn send(&mut self) -> Result<()> {
        let batch = std::mem::take(&mut self.current);
        self.sender.send(batch).map_err(|_| anyhow!("all worker threads have ended"))
    }
}

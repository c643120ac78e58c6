//! Counts statements in several threads.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use anyhow::{Result, anyhow};
use pg_ast::{Digest, DigestOptions, Error, Fingerprint, Version};
use serde::Serialize;

use super::batch::{Batch, BatchStmt, Batches, Calls, Form};
use super::fingerprints::Fingerprints;
use super::histogram::Histogram;
use super::tallies::Tallies;
use super::times::Time;
use super::{normalized, prefix, shown};
use crate::stand_ins::without_variables;

/// The number of waiting batches per thread.
const WAITING: usize = 2;

/// The bytes of a statement whose tree is large.
const LARGE: usize = 256 << 10;

/// The bytes that all kinds may have together. When there are more, further kinds are counted with those beyond the limit.
const BYTES: usize = 256 << 20;

/// The maximum bytes of a kind's text, of the names of its tables, and of a sample; the rest is cut off.
const TEXT: usize = 64 << 10;
const TABLES: usize = 8 << 10;
const SAMPLE: usize = 8 << 10;

/// Limits on what is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) kinds: usize,
    /// Samples per kind.
    pub(super) samples: usize,
    /// The bytes of them all.
    bytes: usize,
}

impl Limits {
    pub(super) fn new(kinds: usize, samples: usize) -> Self {
        Self { kinds, samples, bytes: BYTES }
    }
}

/// A kind of statement: all those with one fingerprint.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) calls: Calls,
    /// The times of single calls.
    pub(super) times: Histogram,
    /// With parameters in place of constants.
    pub(super) text: String,
    pub(super) tables: Vec<String>,
    /// Its slowest calls, the slowest one first.
    pub(super) samples: Vec<Sample>,
}

/// A call as it was, with its constants.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Sample {
    /// In milliseconds.
    pub(super) time: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<String>,
    pub(super) query: String,
    /// As the log has them: `$1 = '1', $2 = NULL`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) parameters: String,
}

/// The results.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) kinds: HashMap<u64, Kind>,
    /// The bytes of these.
    bytes: usize,
    /// Calls of kinds beyond the limit.
    pub(super) others: Calls,
    /// Calls of statements that PostgreSQL does not accept.
    pub(super) errors: Calls,
    /// The message of one of them, and its text, both without constants.
    pub(super) error: Option<(String, String)>,
}

impl Counts {
    fn add(
        &mut self,
        stmt: BatchStmt<'_>,
        limits: Limits,
        fingerprints: &Fingerprints,
        version: Version,
    ) {
        let BatchStmt { mut sql, calls, form, error, .. } = stmt;
        let fingerprint = |sql: &str| match form {
            Form::Sent(parser) | Form::Script(parser) => Ok(fingerprints.get(sql, parser)?.value),
            Form::Normalized => {
                let options = DigestOptions::default().fingerprint(true);
                let digest = normalized::digest(sql, options, version)?;
                Ok(digest.fingerprint.map_or(0, |fingerprint| fingerprint.value))
            }
        };
        let mut result = error.cloned().map_or_else(|| fingerprint(sql), Err);
        let mut written = None;
        if let Form::Script(parser) = form
            && result.is_err()
            && error.is_none()
            && let Some(text) = without_variables(version, sql, parser)
        {
            sql = written.insert(text);
            result = fingerprint(sql);
        }
        let fingerprint = match result {
            Ok(fingerprint) => fingerprint,
            Err(error) => {
                self.errors.add(calls);
                self.error.get_or_insert_with(|| shown::of_error(&error, sql, version));
                return;
            }
        };
        let is_full = self.kinds.len() >= limits.kinds || self.bytes >= limits.bytes;
        let kind = match self.kinds.entry(fingerprint) {
            Entry::Occupied(kind) => kind.into_mut(),
            Entry::Vacant(_) if is_full => {
                self.others.add(calls);
                return;
            }
            Entry::Vacant(place) => {
                let kind = place.insert(Kind::new(sql, form, version));
                self.bytes += kind.bytes();
                kind
            }
        };
        kind.calls.add(calls);
        if calls.timed == 1 {
            kind.times.add(calls.time);
        }
        if limits.samples > 0 && calls.count == 1 && form != Form::Normalized {
            let before = kind.bytes();
            kind.sample(stmt, limits.samples, self.bytes < limits.bytes);
            self.bytes = (self.bytes + kind.bytes()).saturating_sub(before);
        }
    }

    /// Returns whether PostgreSQL accepts no statement at all: what has been read is another text.
    pub(super) fn is_wrong(&self, tallies: &Tallies) -> bool {
        let is_none = self.kinds.is_empty() && self.others.count == 0 && tallies.error_count == 0;
        is_none && self.errors.count > 0
    }

    fn merge(&mut self, other: Self, limits: Limits) {
        for (fingerprint, kind) in other.kinds {
            let is_full = self.kinds.len() >= limits.kinds || self.bytes >= limits.bytes;
            match self.kinds.entry(fingerprint) {
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    known.calls.add(kind.calls);
                    known.times.merge(&kind.times);
                    known.samples.extend(kind.samples);
                    known.keep_slowest(limits.samples);
                }
                Entry::Vacant(_) if is_full => self.others.add(kind.calls),
                Entry::Vacant(place) => {
                    self.bytes += place.insert(kind).bytes();
                }
            }
        }
        self.others.add(other.others);
        self.errors.add(other.errors);
        self.error = self.error.take().or(other.error);
    }
}

impl Kind {
    fn new(sql: &str, form: Form, version: Version) -> Self {
        let options = DigestOptions::default().normalized(true).analysis(true);
        let digest = form.digest(sql, options, version).unwrap_or_default();
        let (mut tables, mut known, mut bytes) = (Vec::new(), HashSet::new(), 0);
        for table in digest.analysis.unwrap_or_default().tables {
            let name = table.name.to_string();
            bytes += name.len() + size_of::<String>();
            if bytes > TABLES {
                break;
            }
            if known.insert(name.clone()) {
                tables.push(name);
            }
        }
        // Other parameters than its own would be misleading.
        let is_shown =
            form == Form::Normalized && version.digest(sql, DigestOptions::default()).is_err();
        let text =
            digest.normalized.filter(|_| !is_shown).unwrap_or_else(|| shown::sql(sql, version));
        let (calls, times, samples) = (Calls::default(), Histogram::default(), Vec::new());
        Self { calls, times, text: shortened(&text, TEXT), tables, samples }
    }

    fn bytes(&self) -> usize {
        let tables = self.tables.iter().map(|name| name.len() + size_of::<String>());
        let samples = self
            .samples
            .iter()
            .map(|sample| size_of::<Sample>() + sample.query.len() + sample.parameters.len());
        size_of::<Self>() + self.text.len() + tables.chain(samples).sum::<usize>()
    }

    /// Keeps a call, if it is one of the slowest; where there is no room for another one, instead of a longer text.
    fn sample(&mut self, stmt: BatchStmt<'_>, samples: usize, has_room: bool) {
        let time = (stmt.calls.timed > 0).then_some(stmt.calls.time);
        let last = self.samples.last();
        let is_full = self.samples.len() >= samples;
        let is_slower = last.is_none_or(|last| last.time < time);
        if (is_full && !is_slower) || !has_room {
            return;
        }
        self.samples.push(Sample {
            time,
            at: stmt.at.map(Time::shown),
            query: shortened(stmt.sql, SAMPLE),
            parameters: shortened(stmt.parameters, SAMPLE),
        });
        self.keep_slowest(samples);
    }

    fn keep_slowest(&mut self, samples: usize) {
        // Calls without a time are the last ones, and the first of equal ones stays.
        self.samples.sort_by(|a, b| {
            let time = |sample: &Sample| sample.time.unwrap_or(-1.0);
            time(b).total_cmp(&time(a))
        });
        self.samples.truncate(samples);
    }

    /// Returns the time that 95 of 100 calls do not exceed; `None` if only sums of several calls are known.
    pub(super) fn p95(&self) -> Option<f64> {
        let is_known = self.times.len() == self.calls.timed;
        self.times.quantile(0.95).filter(|_| is_known).map(|time| time.min(self.calls.max))
    }
}

/// Returns a text, or its beginning with a mark.
fn shortened(text: &str, bytes: usize) -> String {
    let start = prefix::cut(text, bytes);
    if start.len() == text.len() { text.to_owned() } else { format!("{start}…") }
}

impl Form {
    fn digest(self, sql: &str, options: DigestOptions, version: Version) -> Result<Digest, Error> {
        match self {
            Self::Sent(parser) | Self::Script(parser) => {
                version.digest(sql, options.parser(parser))
            }
            Self::Normalized => normalized::digest(sql, options, version),
        }
    }
}

/// Calls a function that reads statements, and counts these with `threads` threads.
pub(super) fn with_threads(
    threads: usize,
    limits: Limits,
    version: Version,
    read: impl FnOnce(&mut Batches) -> Result<()>,
) -> Result<(Counts, Tallies)> {
    let (sender, receiver) = sync_channel::<Batch>(WAITING * threads);
    let receiver = Mutex::new(receiver);
    let fingerprints = Fingerprints::new(version);
    let large = Mutex::new(());
    let own = Limits { bytes: limits.bytes / threads, ..limits };
    thread::scope(|scope| {
        let count = || count(&receiver, &large, own, &fingerprints, version);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
        let mut batches = Batches::new(sender);
        let read = read(&mut batches).and_then(|()| batches.send());
        let tallies = std::mem::take(&mut batches.tallies);
        // The threads end when the channel is closed.
        drop(batches);
        let mut all = Counts::default();
        for worker in workers {
            let counts = worker.join().map_err(|_| anyhow!("a worker thread failed"))?;
            all.merge(counts, limits);
        }
        read.map(|()| (all, tallies))
    })
}

fn count(
    receiver: &Mutex<Receiver<Batch>>,
    large: &Mutex<()>,
    limits: Limits,
    fingerprints: &Fingerprints,
    version: Version,
) -> Counts {
    let mut counts = Counts::default();
    loop {
        let batch = receiver.lock().ok().and_then(|receiver| receiver.recv().ok());
        let Some(batch) = batch else { return counts };
        for stmt in batch.stmts() {
            // Their trees do not take memory at the same time.
            let _one = (stmt.sql.len() > LARGE).then(|| large.lock());
            counts.add(stmt, limits, fingerprints, version);
        }
    }
}

/// Formats a fingerprint.
pub(super) fn hex(fingerprint: u64) -> String {
    Fingerprint { value: fingerprint }.hex()
}

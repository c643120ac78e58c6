//! Counts statements in several threads.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use anyhow::{Result, anyhow};
use pg_ast::{Digest, DigestOptions, Error, Fingerprint, Version};

use super::batch::{Batch, BatchStmt, Batches, Calls, Form};
use super::fingerprints::Fingerprints;
use super::{normalized, shown};
use crate::stand_ins::without_variables;

/// The number of waiting batches per thread.
const WAITING: usize = 2;

/// A kind of statement: all those with one fingerprint.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) calls: Calls,
    /// With parameters in place of constants.
    pub(super) text: String,
    pub(super) tables: Vec<String>,
}

/// The results.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) kinds: HashMap<u64, Kind>,
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
        max_kinds: usize,
        fingerprints: &Fingerprints,
        version: Version,
    ) {
        let BatchStmt { mut sql, calls, form, error } = stmt;
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
        let is_full = self.kinds.len() >= max_kinds;
        match self.kinds.entry(fingerprint) {
            Entry::Occupied(mut kind) => kind.get_mut().calls.add(calls),
            Entry::Vacant(_) if is_full => self.others.add(calls),
            Entry::Vacant(place) => {
                place.insert(Kind::new(sql, calls, form, version));
            }
        }
    }

    fn merge(&mut self, other: Self, max_kinds: usize) {
        for (fingerprint, kind) in other.kinds {
            let is_full = self.kinds.len() >= max_kinds;
            match self.kinds.entry(fingerprint) {
                Entry::Occupied(mut known) => known.get_mut().calls.add(kind.calls),
                Entry::Vacant(_) if is_full => self.others.add(kind.calls),
                Entry::Vacant(place) => {
                    place.insert(kind);
                }
            }
        }
        self.others.add(other.others);
        self.errors.add(other.errors);
        self.error = self.error.take().or(other.error);
    }
}

impl Kind {
    fn new(sql: &str, calls: Calls, form: Form, version: Version) -> Self {
        let options = DigestOptions::default().normalized(true).analysis(true);
        let digest = form.digest(sql, options, version).unwrap_or_default();
        let mut tables = Vec::new();
        for table in digest.analysis.unwrap_or_default().tables {
            if !tables.contains(&table.name) {
                tables.push(table.name);
            }
        }
        // Other parameters than its own would be misleading.
        let is_shown = form == Form::Normalized && version.check(sql).is_err();
        let text =
            digest.normalized.filter(|_| !is_shown).unwrap_or_else(|| shown::sql(sql, version));
        Self { calls, text, tables }
    }
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
    max_kinds: usize,
    version: Version,
    read: impl FnOnce(&mut Batches) -> Result<()>,
) -> Result<Counts> {
    let (sender, receiver) = sync_channel::<Batch>(WAITING * threads);
    let receiver = Mutex::new(receiver);
    let fingerprints = Fingerprints::new(version);
    thread::scope(|scope| {
        let count = || count(&receiver, max_kinds, &fingerprints, version);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
        let mut batches = Batches::new(sender);
        let read = read(&mut batches).and_then(|()| batches.send());
        // The threads end when the channel is closed.
        drop(batches);
        let mut all = Counts::default();
        for worker in workers {
            let counts = worker.join().map_err(|_| anyhow!("a worker thread failed"))?;
            all.merge(counts, max_kinds);
        }
        read.map(|()| all)
    })
}

fn count(
    receiver: &Mutex<Receiver<Batch>>,
    max_kinds: usize,
    fingerprints: &Fingerprints,
    version: Version,
) -> Counts {
    let mut counts = Counts::default();
    loop {
        let batch = receiver.lock().ok().and_then(|receiver| receiver.recv().ok());
        let Some(batch) = batch else { return counts };
        for stmt in batch.stmts() {
            counts.add(stmt, max_kinds, fingerprints, version);
        }
    }
}

/// Formats a fingerprint.
pub(super) fn hex(fingerprint: u64) -> String {
    Fingerprint { value: fingerprint }.hex()
}

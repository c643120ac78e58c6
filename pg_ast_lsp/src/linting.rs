//! The thread that looks for what is wrong, so that answers do not wait for it.

use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::Settings;
use crate::diagnostics::Findings;

/// A text to look at.
pub(crate) struct Job {
    pub(crate) uri: String,
    pub(crate) revision: u64,
    pub(crate) text: String,
}

/// What was found in the text of a job.
pub(crate) struct Found {
    pub(crate) uri: String,
    pub(crate) revision: u64,
    pub(crate) findings: Findings,
}

pub(crate) struct Linting {
    jobs: Option<Sender<Job>>,
    pub(crate) found: Receiver<Found>,
    thread: Option<JoinHandle<()>>,
}

impl Linting {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// The system has no more threads.
    pub(crate) fn start(settings: Settings) -> std::io::Result<Self> {
        let (jobs, to_do) = unbounded::<Job>();
        let (done, found) = unbounded();
        let work = move || {
            for Job { uri, revision, text } in to_do {
                let findings = Findings::of(&text, &settings);
                if done.send(Found { uri, revision, findings }).is_err() {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("lint".to_owned()).spawn(work)?;
        Ok(Self { jobs: Some(jobs), found, thread: Some(thread) })
    }

    pub(crate) fn ask(&self, job: Job) {
        // The thread ends after this is dropped.
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Linting {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic there has been reported.
            let _ = thread.join();
        }
    }
}

//! The thread that looks for what is wrong, so that answers do not wait for it.

use std::collections::HashMap;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use pg_ast_lint::{Finding, Linter};

use crate::Settings;
use crate::session::Event;

/// What to do next.
pub(crate) enum Job {
    /// Look at a text.
    Check { uri: String, revision: u64, text: String },
    /// Forget a document.
    Forget { uri: String },
}

/// What was found in the text of a job.
pub(crate) struct Found {
    pub(crate) uri: String,
    pub(crate) revision: u64,
    pub(crate) findings: Vec<Finding>,
}

pub(crate) struct Linting {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Linting {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// The system has no more threads.
    pub(crate) fn start(settings: Settings, found: Sender<Event>) -> std::io::Result<Self> {
        let (jobs, to_do) = channel::<Job>();
        let work = move || {
            let mut linters = HashMap::new();
            for job in to_do {
                let (uri, revision, text) = match job {
                    Job::Check { uri, revision, text } => (uri, revision, text),
                    Job::Forget { uri } => {
                        linters.remove(&uri);
                        continue;
                    }
                };
                // None for a document that is not checked.
                let new = || settings.lint_of(&uri).map(Linter::new);
                let linter = linters.entry(uri.clone()).or_insert_with(new);
                let findings = linter.as_mut().map(|linter| linter.lint(&text));
                let findings = settings.shown_of(&uri, findings.unwrap_or_default());
                let event = Event::Found(Found { uri, revision, findings });
                if found.send(event).is_err() {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("lint".to_owned()).spawn(work)?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
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

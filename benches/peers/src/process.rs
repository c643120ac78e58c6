//! The runner's side of the requests.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use peer_protocol::Function;

use crate::peers::Peer;

/// What a program is started for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Memory that has been freed stays with the process. By itself glibc gives a large piece back to the system
    /// after each statement, and gets it anew for the next, in a process that does nothing else; which
    /// program that happens to is chance, and the C code alone can take three times as long.
    Time,
    /// The program that counts calls of `malloc`.
    Count,
    /// glibc's own settings.
    Resident,
}

impl Purpose {
    /// glibc's variables, and their values. 32 MiB is the most that it takes for the second.
    pub fn variables(self) -> &'static [(&'static str, &'static str)] {
        if self == Self::Time {
            &[("MALLOC_TRIM_THRESHOLD_", "1073741824"), ("MALLOC_MMAP_THRESHOLD_", "33554432")]
        } else {
            &[]
        }
    }
}

/// A measured program that waits for requests. It ends when this is dropped.
pub struct Process {
    name: &'static str,
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Process {
    pub fn start(peer: &Peer, purpose: Purpose) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(peer.program(purpose == Purpose::Count))
            .envs(purpose.variables().iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self { name: peer.package, child, requests, answers })
    }

    /// The answer to a request.
    pub fn ask(&mut self, request: &str) -> Result<String, Box<dyn Error>> {
        writeln!(self.requests.as_mut().ok_or("no input")?, "{request}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        if answer.is_empty() {
            return Err(format!("{} does not answer to {request}", self.name).into());
        }
        Ok(answer.trim().to_owned())
    }

    /// The statements that a function takes, as a mask; none if it takes none.
    pub fn works(
        &mut self,
        function: Function,
        group: &str,
    ) -> Result<Option<String>, Box<dyn Error>> {
        let mask = self.ask(&format!("works {} {group}", function.name()))?;
        Ok(mask.contains('1').then_some(mask))
    }

    /// Nanoseconds for one repetition.
    pub fn time(
        &mut self,
        function: Function,
        group: &str,
        mask: &str,
        repetitions: u32,
    ) -> Result<f64, Box<dyn Error>> {
        let request = format!("time {} {group} {mask} {repetitions}", function.name());
        let nanoseconds: f64 = self.ask(&request)?.parse()?;
        Ok(nanoseconds / f64::from(repetitions))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It ends with its input.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}

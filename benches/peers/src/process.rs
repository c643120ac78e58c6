//! The runner's side of the requests.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use peer_protocol::Function;

use crate::peers::Peer;

/// A measured program that waits for requests. It is stopped on drop.
pub struct Process {
    name: &'static str,
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Process {
    /// `counted`: the program that counts calls of `malloc`.
    pub fn start(peer: &Peer, counted: bool) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(peer.program(counted))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self { name: peer.package, child, requests, answers })
    }

    /// Returns the answer to a request.
    pub fn ask(&mut self, request: &str) -> Result<String, Box<dyn Error>> {
        writeln!(self.requests.as_mut().ok_or("no input")?, "{request}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        if answer.is_empty() {
            return Err(format!("{} does not answer to {request}", self.name).into());
        }
        Ok(answer.trim().to_owned())
    }

    /// Returns the statements that a function accepts, as a mask; none if there are none.
    pub fn works(
        &mut self,
        function: Function,
        group: &str,
    ) -> Result<Option<String>, Box<dyn Error>> {
        let mask = self.ask(&format!("works {} {group}", function.name()))?;
        Ok(mask.contains('1').then_some(mask))
    }

    /// Returns the nanoseconds of one repetition.
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
        // It exits at the end of its input.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}

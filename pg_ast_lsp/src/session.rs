//! A session: messages in their order, from the first one to the last.

use std::collections::VecDeque;
use std::error::Error;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use lsp_types::InitializeParams;
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};

use crate::linting::Found;
use crate::server::Server;
use crate::transport::{self, ErrorCode, Message, Request, refusal, response};
use crate::{Settings, capabilities};

/// The reason for a premature end of the server.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// What happens.
pub(crate) enum Event {
    Message(Message),
    /// The input has ended, or is not what it should be.
    End(io::Result<()>),
    /// The thread has found what is wrong in a text.
    Found(Found),
}

/// Serves a client over standard input and output until it ends the session.
///
/// # Errors
///
/// As those of [`run`].
pub fn serve(settings: Settings) -> Result<(), Failure> {
    run(io::stdin(), io::stdout(), settings)
}

/// Serves a client until it ends the session. Threads read the input, and write the output.
///
/// # Errors
///
/// The client is gone, or violates the protocol: for instance, it exits without a shutdown, or does not tell how long a message is.
/// What is in its messages never causes an error.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    settings: Settings,
) -> Result<(), Failure> {
    let (sender, events) = channel();
    let found = sender.clone();
    thread::Builder::new().name("input".to_owned()).spawn(move || read_all(input, &sender))?;
    let (sender, messages) = channel();
    let writer = thread::Builder::new().name("output".to_owned());
    let writer = writer.spawn(move || write_all(output, &messages))?;
    let mut session = Session { events, queue: VecDeque::new(), output: sender };
    let ended = session.serve(settings, found);
    drop(session);
    // A panic there has been reported.
    let written = writer.join().unwrap_or(Ok(()));
    ended.and(written.map_err(Failure::from))
}

/// Reads messages up to the last one.
fn read_all(input: impl Read, events: &Sender<Event>) {
    let mut input = BufReader::new(input);
    loop {
        let event = match transport::read(&mut input) {
            Ok(Some(message)) => Event::Message(message),
            Ok(None) => Event::End(Ok(())),
            Err(error) => Event::End(Err(error)),
        };
        let is_last =
            matches!(event, Event::End(_)) || is_notification::<notification::Exit>(&event);
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

fn write_all(output: impl Write, messages: &Receiver<Vec<u8>>) -> io::Result<()> {
    let mut output = io::BufWriter::new(output);
    for message in messages {
        transport::write(&mut output, &message)?;
    }
    Ok(())
}

fn is_notification<N: notification::Notification>(event: &Event) -> bool {
    matches!(event, Event::Message(Message::Notification { method, .. }) if method == N::METHOD)
}

struct Session {
    events: Receiver<Event>,
    /// What has arrived.
    queue: VecDeque<Event>,
    output: Sender<Vec<u8>>,
}

impl Session {
    fn serve(&mut self, settings: Settings, found: Sender<Event>) -> Result<(), Failure> {
        let params = self.initialized()?;
        let mut server = Server::new(self.output.clone(), found, settings, &params)?;
        loop {
            match self.next(&mut server)? {
                Event::Message(Message::Request(request)) => match request.method.as_str() {
                    request::Shutdown::METHOD => {
                        server.refuse_waiting()?;
                        self.send(response::<request::Shutdown>(&request.id, &()))?;
                        return self.exited();
                    }
                    request::Initialize::METHOD => {
                        let message = "the session has begun already";
                        self.send(refusal(&request.id, ErrorCode::InvalidRequest, message))?;
                    }
                    _ => server.answer(request)?,
                },
                Event::Message(Message::Notification { method, params }) => {
                    if method == notification::Exit::METHOD {
                        return Err("exit without a shutdown".into());
                    }
                    server.notified(&method, params)?;
                }
                Event::Message(Message::Wrong(answer)) => self.send(answer)?,
                Event::Message(Message::Response) => {}
                Event::Found(found) => server.found(found)?,
                Event::End(end) => return Err(ended(end)),
            }
        }
    }

    /// Waits for the first request, and responds to it.
    fn initialized(&mut self) -> Result<InitializeParams, Failure> {
        loop {
            match self.events.recv()? {
                Event::Message(Message::Request(request)) => {
                    let Request { id, method, params } = request;
                    if method == request::Initialize::METHOD {
                        let about = capabilities::description();
                        self.send(response::<request::Initialize>(&id, &about))?;
                        return Ok(serde_json::from_value(params).unwrap_or_default());
                    }
                    let message = format!("{method} before the session has begun");
                    self.send(refusal(&id, ErrorCode::ServerNotInitialized, &message))?;
                }
                Event::Message(Message::Wrong(answer)) => self.send(answer)?,
                Event::End(end) => return Err(ended(end)),
                event if is_notification::<notification::Exit>(&event) => {
                    return Err("exit without a shutdown".into());
                }
                _ => {}
            }
        }
    }

    /// Waits for the end after a shutdown. Requests that have arrived are answered.
    fn exited(&mut self) -> Result<(), Failure> {
        loop {
            let event = self.queue.pop_front().map_or_else(|| self.events.recv(), Ok)?;
            match event {
                Event::Message(Message::Request(request)) => {
                    let message = "the session has ended";
                    self.send(refusal(&request.id, ErrorCode::InvalidRequest, message))?;
                }
                Event::End(end) => return Err(ended(end)),
                event if is_notification::<notification::Exit>(&event) => return Ok(()),
                _ => {}
            }
        }
    }

    /// Returns what happens next. If nothing has happened yet, documents get their diagnostics first: they are for the last of several
    /// changes.
    fn next(&mut self, server: &mut Server) -> Result<Event, Failure> {
        loop {
            while let Ok(event) = self.events.try_recv() {
                self.arrived(event, server)?;
            }
            if let Some(event) = self.queue.pop_front() {
                return Ok(event);
            }
            server.publish_stale()?;
            let event = self.events.recv()?;
            self.arrived(event, server)?;
        }
    }

    /// Puts an event behind those that have arrived, unless it cancels one of them.
    fn arrived(&mut self, event: Event, server: &mut Server) -> Result<(), Failure> {
        let Event::Message(Message::Notification { method, params }) = &event else {
            self.queue.push_back(event);
            return Ok(());
        };
        if method != notification::Cancel::METHOD {
            self.queue.push_back(event);
            return Ok(());
        }
        let id = &params["id"];
        let is_it = |event: &Event| match event {
            Event::Message(Message::Request(request)) => {
                request.id == *id && request.method != request::Shutdown::METHOD
            }
            _ => false,
        };
        let queued = self.queue.iter().position(is_it).and_then(|at| self.queue.remove(at));
        if queued.is_some() || server.cancel(id) {
            let message = "the request has been cancelled";
            self.send(refusal(id, ErrorCode::RequestCancelled, message))?;
        }
        Ok(())
    }

    fn send(&self, message: Vec<u8>) -> Result<(), Failure> {
        Ok(self.output.send(message)?)
    }
}

fn ended(end: io::Result<()>) -> Failure {
    end.map_or_else(Failure::from, |()| "the client is gone".into())
}

//! The client's side of a server in a thread, with pipes between them.

use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, Read as _, Write as _, pipe};
use std::thread::{self, JoinHandle};

use pg_ast_lsp::{Settings, run};
use serde_json::{Value, json};

pub(crate) struct Connection {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    server: JoinHandle<bool>,
}

impl Connection {
    /// Starts a session.
    pub(crate) fn start(capabilities: &Value) -> Self {
        let (server_input, input) = pipe().expect("a pipe");
        let (output, server_output) = pipe().expect("a pipe");
        let server = move || run(server_input, server_output, Settings::default()).is_ok();
        let (server, output) = (thread::spawn(server), BufReader::new(output));
        let mut connection = Self { input, output, server };
        connection.request(0, "initialize", &json!({ "capabilities": capabilities }));
        connection.receive();
        connection.notify("initialized", &json!({}));
        connection
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        self.input.write_all(message.as_bytes()).expect("the server runs");
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub(crate) fn request(&mut self, id: i32, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    /// Returns the text of the next message.
    pub(crate) fn receive(&mut self) -> String {
        let mut header = String::new();
        while !header.ends_with("\r\n\r\n") {
            assert_ne!(self.output.read_line(&mut header).expect("text"), 0, "the server runs");
        }
        let len = header.trim_end().strip_prefix("Content-Length: ").expect("a length");
        let mut text = vec![0; len.parse().expect("a number")];
        self.output.read_exact(&mut text).expect("a message");
        String::from_utf8(text).expect("text")
    }

    /// Ends the session.
    pub(crate) fn end(mut self) {
        self.request(0, "shutdown", &Value::Null);
        self.receive();
        self.notify("exit", &Value::Null);
        assert!(self.server.join().expect("no panic"));
    }
}

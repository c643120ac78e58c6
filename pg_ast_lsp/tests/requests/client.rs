//! The client's side of a server in a thread.

use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, Read as _, Write as _, pipe};
use std::thread::{self, JoinHandle};

use pg_ast_lsp::{Settings, run};
use serde_json::{Value, json};

pub(crate) const URI: &str = "file:///a.sql";

type Ended = Result<(), String>;

pub(crate) struct Client {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    server: JoinHandle<Ended>,
    next: i32,
    version: i32,
    pub(crate) capabilities: Value,
}

impl Client {
    /// Starts an initialised server.
    pub(crate) fn start() -> Self {
        Self::start_with(json!({}))
    }

    /// The same with parameters of `initialize`.
    pub(crate) fn start_with(params: Value) -> Self {
        Self::start_by(Settings::default(), params)
    }

    /// The same with settings.
    pub(crate) fn start_by(settings: Settings, mut params: Value) -> Self {
        let mut client = Self::begin(settings);
        let defaults = json!({ "capabilities": {}, "processId": null, "rootUri": null });
        for (key, value) in defaults.as_object().expect("an object") {
            if params.get(key).is_none() {
                params[key] = value.clone();
            }
        }
        let mut result = client.request("initialize", params);
        client.capabilities = result["capabilities"].take();
        client.notify("initialized", json!({}));
        client
    }

    /// Starts a server that is not initialised.
    pub(crate) fn begin(settings: Settings) -> Self {
        let (server_input, input) = pipe().expect("a pipe");
        let (output, server_output) = pipe().expect("a pipe");
        let server = thread::spawn(move || {
            run(server_input, server_output, settings).map_err(|error| error.to_string())
        });
        let (output, capabilities) = (BufReader::new(output), Value::Null);
        Self { input, output, server, next: 0, version: 0, capabilities }
    }

    /// Sends text, which may be wrong: then the server may end before it has read all.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.input.write_all(bytes);
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    /// Returns the next message of the server.
    pub(crate) fn receive(&mut self) -> Value {
        let mut header = String::new();
        while !header.ends_with("\r\n\r\n") {
            assert_ne!(self.output.read_line(&mut header).expect("text"), 0, "the server runs");
        }
        let len = header.trim_end().strip_prefix("Content-Length: ").expect("a length");
        let mut text = vec![0; len.parse().expect("a number")];
        self.output.read_exact(&mut text).expect("a message");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// Shuts the server down as the protocol requires.
    pub(crate) fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        assert_eq!(self.ended(), Ok(()));
    }

    pub(crate) fn ended(self) -> Ended {
        self.server.join().expect("no panic")
    }

    /// The client disconnects without a message.
    pub(crate) fn gone(self) -> Ended {
        drop((self.input, self.output));
        self.server.join().expect("no panic")
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        message["params"] = params;
        self.send(&message);
    }

    /// Sends a request, and returns its id.
    pub(crate) fn ask_without_waiting(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        message["params"] = params;
        self.send(&message);
        id
    }

    /// Returns the result of a request, or the code of its error.
    pub(crate) fn request_any(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        self.answer(method, params).map_err(|(code, _)| code)
    }

    /// Returns the result of a request, or the message of its error.
    pub(crate) fn request_or_message(
        &mut self,
        method: &str,
        params: Value,
    ) -> Result<Value, String> {
        self.answer(method, params).map_err(|(_, message)| message)
    }

    fn answer(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.ask_without_waiting(method, params);
        loop {
            let mut message = self.receive();
            if message["method"].is_string() {
                continue;
            }
            assert_eq!(message["id"], id);
            return match message["error"].take() {
                Value::Null => Ok(message["result"].take()),
                error => {
                    let code = i32::try_from(error["code"].as_i64().expect("a code"));
                    let message = error["message"].as_str().expect("a message").to_owned();
                    Err((code.expect("a code"), message))
                }
            };
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.request_any(method, params).expect("no error")
    }

    /// Returns the next diagnostics from the server.
    pub(crate) fn diagnostics(&mut self) -> Vec<Value> {
        loop {
            let message = self.receive();
            let params = &message["params"];
            if params["version"] == self.version || params["version"].is_null() {
                assert_eq!(message["method"], "textDocument/publishDiagnostics");
                return params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    pub(crate) fn open(&mut self, text: &str) -> Vec<Value> {
        self.version += 1;
        let (uri, version) = (URI, self.version);
        let document = json!({ "uri": uri, "languageId": "sql", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        self.diagnostics()
    }

    pub(crate) fn change(&mut self, text: &str) -> Vec<Value> {
        self.version += 1;
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": URI, "version": self.version },
                "contentChanges": [{ "text": "an older one" }, { "text": text }],
            }),
        );
        self.diagnostics()
    }

    /// Replaces a range of the text, in bytes.
    pub(crate) fn edit(
        &mut self,
        text: &mut String,
        range: core::ops::Range<usize>,
        new: &str,
    ) -> Vec<Value> {
        self.edit_without_waiting(text, range, new);
        self.diagnostics()
    }

    pub(crate) fn edit_without_waiting(
        &mut self,
        text: &mut String,
        range: core::ops::Range<usize>,
        new: &str,
    ) {
        self.version += 1;
        let range_of =
            json!({ "start": position(text, range.start), "end": position(text, range.end) });
        text.replace_range(range, new);
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": URI, "version": self.version },
                "contentChanges": [{ "range": range_of, "text": new }],
            }),
        );
    }

    /// Asks about a place of the document.
    pub(crate) fn ask(&mut self, method: &str, text: &str, offset: usize) -> Result<Value, i32> {
        let mut params =
            json!({ "textDocument": { "uri": URI }, "position": position(text, offset) });
        params["context"] =
            json!({ "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false });
        params["newName"] = json!("new_name");
        self.request_any(method, params)
    }

    pub(crate) fn close(&mut self) -> Vec<Value> {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
        self.diagnostics()
    }

    pub(crate) fn actions(
        &mut self,
        start: (u32, u32),
        end: (u32, u32),
        only: &[&str],
    ) -> Vec<Value> {
        let place = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
        let mut context = json!({ "diagnostics": [] });
        if !only.is_empty() {
            context["only"] = json!(only);
        }
        let result = self.request(
            "textDocument/codeAction",
            json!({
                "textDocument": { "uri": URI },
                "range": { "start": place(start), "end": place(end) },
                "context": context,
            }),
        );
        result.as_array().expect("a list").clone()
    }

    /// Returns labels and texts of the completion items at the `|` in SQL.
    pub(crate) fn complete(&mut self, text: &str) -> Vec<(String, String)> {
        let cursor = text.find('|').expect("a cursor");
        let before = &text[..cursor];
        let line = before.matches('\n').count();
        let column = before[before.rfind('\n').map_or(0, |at| at + 1)..].encode_utf16().count();
        self.open(&text.replacen('|', "", 1));
        let items = self.request(
            "textDocument/completion",
            json!({
                "textDocument": { "uri": URI },
                "position": { "line": line, "character": column },
            }),
        );
        let string = |value: &Value| value.as_str().expect("a string").to_owned();
        let item = |item: &Value| (string(&item["label"]), string(&item["textEdit"]["newText"]));
        items.as_array().expect("a list").iter().map(item).collect()
    }

    /// Returns the hover text and its range.
    pub(crate) fn hover(&mut self, line: u32, column: u32) -> Option<(String, Value)> {
        let mut result = self.request(
            "textDocument/hover",
            json!({
                "textDocument": { "uri": URI },
                "position": { "line": line, "character": column },
            }),
        );
        let shown = result["contents"]["value"].as_str()?.to_owned();
        Some((shown, result["range"].take()))
    }

    pub(crate) fn symbols(&mut self) -> Vec<Value> {
        let params = json!({ "textDocument": { "uri": URI } });
        self.request("textDocument/documentSymbol", params).as_array().expect("a list").clone()
    }
}

/// Returns the text after the edits of a code action.
pub(crate) fn applied(text: &str, action: &Value) -> String {
    edited(text, action["edit"]["changes"][URI].as_array().expect("edits"))
}

/// Returns the text after edits, which do not overlap.
pub(crate) fn edited(text: &str, edits: &[Value]) -> String {
    let mut edits: Vec<_> = edits
        .iter()
        .map(|edit| {
            let [start, end] = ["start", "end"].map(|side| offset(text, &edit["range"][side]));
            (start, end, edit["newText"].as_str().expect("a string"))
        })
        .collect();
    edits.sort_unstable();
    let mut edited = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        edited.replace_range(start..end, new);
    }
    edited
}

/// Returns the place of an offset.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let mut start = 0;
    let mut line = 0;
    let bytes = text.as_bytes();
    for at in 0..offset {
        let is_pair = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
        if bytes[at] == b'\n' || bytes[at] == b'\r' && !is_pair {
            (start, line) = (at + 1, line + 1);
        }
    }
    json!({ "line": line, "character": text[start..offset].encode_utf16().count() })
}

/// Removes the `|` of a text, and returns where it was.
pub(crate) fn cursor(text: &str) -> (String, usize) {
    let at = text.find('|').expect("a cursor");
    (text.replacen('|', "", 1), at)
}

/// Counted manually, as the protocol defines it.
pub(crate) fn offset(text: &str, place: &Value) -> usize {
    let number = |name: &str| usize::try_from(place[name].as_u64().expect("a number")).unwrap();
    let line: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
    let mut left = number("character");
    let column = text[line..].chars().take_while(|c| {
        let taken = left > 0;
        left = left.saturating_sub(c.len_utf16());
        taken
    });
    line + column.map(char::len_utf8).sum::<usize>()
}

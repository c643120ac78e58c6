//! Sessions: the order of messages, cancelled requests, and messages that are wrong.

use pg_ast_lsp::Settings;
use serde_json::{Value, json};

use super::client::{self, Client};

/// So long that other messages arrive while the server reads it.
fn long() -> String {
    "SELECT a, b FROM t WHERE c = NULL;\n".repeat(3_000)
}

fn framed(message: &Value) -> String {
    let text = message.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

fn open(text: &str) -> Value {
    let document = json!({ "uri": client::URI, "languageId": "sql", "version": 1, "text": text });
    json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } })
}

fn ask(id: impl Into<Value>, method: &str) -> Value {
    let start = json!({ "line": 0, "character": 0 });
    let params = json!({
        "textDocument": { "uri": client::URI },
        "position": start,
        "range": { "start": start, "end": start },
        "context": { "diagnostics": [] },
    });
    json!({ "id": id.into(), "method": method, "params": params })
}

fn cancel(id: impl Into<Value>) -> Value {
    json!({ "method": "$/cancelRequest", "params": { "id": id.into() } })
}

impl Client {
    /// Sends all at once.
    fn send_all(&mut self, messages: &[Value]) {
        self.send_bytes(messages.iter().map(framed).collect::<String>().as_bytes());
    }

    /// Returns the id of the next response, and the code of its error.
    fn response(&mut self) -> (Value, Option<i64>) {
        loop {
            let message = self.receive();
            if message["method"].is_null() {
                return (message["id"].clone(), message["error"]["code"].as_i64());
            }
        }
    }
}

#[test]
fn requests_that_have_not_been_answered_are_cancelled() {
    let mut client = Client::start();
    client.send_all(&[
        open(&long()),
        ask(101, "textDocument/hover"),
        ask("102", "textDocument/foldingRange"),
        // It waits for what is found in the text.
        ask(103, "textDocument/codeAction"),
        cancel(101),
        cancel(102),
        cancel("102"),
        cancel(103),
        cancel("x"),
        ask(104, "textDocument/hover"),
        cancel(104.5),
    ]);
    let mut responses: Vec<_> = (0..4).map(|_| client.response()).collect();
    responses.sort_by_key(|(id, _)| id.to_string());
    let cancelled = Some(-32800);
    let expected = [
        (json!("102"), cancelled),
        (json!(101), cancelled),
        (json!(103), cancelled),
        (json!(104), None),
    ];
    assert_eq!(responses, expected);
    // It has been answered.
    client.send(&cancel(104));
    client.end();
}

#[test]
fn all_requests_are_answered_at_the_end() {
    let mut client = Client::start();
    client.send_all(&[
        open(&long()),
        ask(1, "textDocument/hover"),
        ask(2, "textDocument/codeAction"),
        json!({ "id": 3, "method": "shutdown" }),
        ask(4, "textDocument/hover"),
        json!({ "method": "exit" }),
    ]);
    let responses: Vec<_> = (0..4).map(|_| client.response()).collect();
    let (refused, invalid) = (Some(-32800), Some(-32600));
    let expected = [(json!(1), None), (json!(2), refused), (json!(3), None), (json!(4), invalid)];
    assert_eq!(responses, expected);
    assert_eq!(client.ended(), Ok(()));
}

#[test]
fn a_session_begins_once() {
    let mut client = Client::begin(Settings::default());
    client.send(&json!({ "method": "textDocument/didOpen", "params": {} }));
    client.send(&ask(1, "textDocument/hover"));
    assert_eq!(client.response(), (json!(1), Some(-32002)));
    client.send(&json!({ "id": "a", "method": "initialize", "params": { "capabilities": {} } }));
    assert_eq!(client.response(), (json!("a"), None));
    // Some clients send others before `initialized`.
    client.send(&json!({ "method": "$/setTrace", "params": { "value": "off" } }));
    client.send(&json!({ "id": "b", "method": "initialize", "params": { "capabilities": {} } }));
    assert_eq!(client.response(), (json!("b"), Some(-32600)));
    client.send(&json!({ "method": "initialized", "params": {} }));
    assert_eq!(client.open("SELECT FROM FROM").len(), 1);
    client.end();
}

#[test]
fn wrong_messages_are_refused() {
    let mut client = Client::start();
    let (parse_error, invalid) = (Some(-32700), Some(-32600));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases = [
        ("{{{", parse_error),
        ("", parse_error),
        ("\u{0}", parse_error),
        (&deep, parse_error),
        ("[]", invalid),
        ("1", invalid),
        ("{}", invalid),
        (r#"{"id":1,"method":2}"#, invalid),
        (r#"{"id":{},"method":"shutdown"}"#, invalid),
    ];
    for (text, code) in cases {
        client.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        assert_eq!(client.response(), (Value::Null, code), "{text:.100}");
    }
    client.send_bytes(b"Content-Length: 2\r\n\r\n\xff\xff");
    assert_eq!(client.response(), (Value::Null, parse_error));
    // Responses to what nobody has asked, and other headers.
    client.send(&json!({ "id": 1, "result": null }));
    client.send(&json!({ "id": null, "error": { "code": 1, "message": "" } }));
    let message = json!({ "id": 9_007_199_254_740_991_u64, "method": "no/such/method" });
    let text = message.to_string();
    let header = format!("content-type: a; charset=utf-8\r\nCONTENT-LENGTH:{}\r\n\r\n", text.len());
    client.send_bytes((header + &text).as_bytes());
    assert_eq!(client.response(), (message["id"].clone(), Some(-32601)));
    assert_eq!(client.open("SELECT FROM FROM").len(), 1);
    client.end();
}

/// Where the next message begins is not known then.
#[test]
fn headers_without_a_length_end_the_session() {
    let long = "x".repeat(100_000);
    let many = "a: b\r\n".repeat(1_000);
    for header in ["\r\n", "a: b\r\n\r\n", "Content-Length: -1\r\n\r\n", &long, &many] {
        let mut client = Client::start();
        client.send_bytes(header.as_bytes());
        let error = client.ended().unwrap_err();
        assert!(error.contains("the header of a message"), "{header:.20}: {error}");
    }
    // No memory is taken for what does not come.
    for len in [u64::MAX, 1 << 40, 1 << 29] {
        let mut client = Client::start();
        client.send_bytes(format!("Content-Length: {len}\r\n\r\n{{").as_bytes());
        assert!(client.gone().is_err());
    }
}

//! Messages of JSON-RPC, each behind a header with its length: how they are read and written.

use std::io::{self, BufRead, Read as _, Write};

use lsp_types::notification::Notification;
use serde_json::{Value, json};

/// The maximum length of a line of a header, in bytes.
const LINE: u64 = 4096;
/// The maximum number of lines of a header.
const LINES: usize = 64;
/// The maximum length of a message, in bytes; PostgreSQL takes no longer SQL.
const MESSAGE: u64 = 1 << 30;

/// The codes of errors, of JSON-RPC and of the protocol.
#[derive(Clone, Copy)]
pub(crate) enum ErrorCode {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    ServerNotInitialized = -32002,
    RequestCancelled = -32800,
    RequestFailed = -32803,
}

/// A message of a client.
pub(crate) enum Message {
    Request(Request),
    Notification {
        method: String,
        params: Value,
    },
    /// To a request of the server.
    Response,
    /// It is no message; what the client is told.
    Wrong(Vec<u8>),
}

pub(crate) struct Request {
    /// A number or a string.
    pub(crate) id: Value,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// Reads the next message; `None` at the end.
///
/// # Errors
///
/// There is no header, so that it is not known where the next message begins, or the input cannot be read.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut len = None;
    for count in 0.. {
        let mut line = Vec::new();
        input.by_ref().take(LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && count == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") || count > LINES {
            return Err(invalid("the header of a message has no end"));
        }
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            break;
        }
        let field = line.split_once(':');
        if let Some((_, value)) =
            field.filter(|(name, _)| name.trim().eq_ignore_ascii_case("Content-Length"))
        {
            len = value.trim().parse::<u64>().ok();
        }
    }
    let len = len.ok_or_else(|| invalid("the header of a message tells no length"))?;
    let mut content = input.by_ref().take(len);
    if len > MESSAGE {
        io::copy(&mut content, &mut io::sink())?;
        let message = format!("a message has {len} bytes; the maximum is {MESSAGE}");
        return Ok(Some(wrong(ErrorCode::InvalidRequest, &message)));
    }
    let mut bytes = Vec::new();
    content.read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(message(&bytes)))
}

fn message(bytes: &[u8]) -> Message {
    let mut value = match serde_json::from_slice::<Value>(bytes) {
        Ok(value) => value,
        Err(error) => return wrong(ErrorCode::ParseError, &error.to_string()),
    };
    let Some(fields) = value.as_object_mut() else {
        return wrong(ErrorCode::InvalidRequest, "a message is an object");
    };
    let id = fields.remove("id").filter(|id| !id.is_null());
    let method = match fields.remove("method") {
        Some(Value::String(method)) => method,
        None if id.is_some() || fields.contains_key("error") => return Message::Response,
        _ => return wrong(ErrorCode::InvalidRequest, "a message has a method"),
    };
    let params = fields.remove("params").unwrap_or_default();
    match id {
        None => Message::Notification { method, params },
        Some(id @ (Value::Number(_) | Value::String(_))) => {
            Message::Request(Request { id, method, params })
        }
        Some(_) => wrong(ErrorCode::InvalidRequest, "an id is a number or a string"),
    }
}

fn wrong(code: ErrorCode, message: &str) -> Message {
    Message::Wrong(refusal(&Value::Null, code, message))
}

/// Writes a message with its header.
pub(crate) fn write(output: &mut impl Write, message: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", message.len())?;
    output.write_all(message)?;
    output.flush()
}

/// Makes the response to a request.
pub(crate) fn response<R: lsp_types::request::Request>(id: &Value, result: &R::Result) -> Vec<u8> {
    // Not as a `Value`: making one of a large result takes several times as long as writing it.
    match serde_json::to_vec(result) {
        Ok(result) => framed(&[("id", id.to_string().as_bytes()), ("result", &result)]),
        Err(error) => refusal(id, ErrorCode::RequestFailed, &error.to_string()),
    }
}

/// Makes the response to a request that is refused.
pub(crate) fn refusal(id: &Value, code: ErrorCode, message: &str) -> Vec<u8> {
    let error = json!({ "code": code as i32, "message": message });
    framed(&[("id", id.to_string().as_bytes()), ("error", error.to_string().as_bytes())])
}

/// Makes a notification.
pub(crate) fn notification<N: Notification>(params: &N::Params) -> serde_json::Result<Vec<u8>> {
    let method = Value::from(N::METHOD).to_string();
    Ok(framed(&[("method", method.as_bytes()), ("params", &serde_json::to_vec(params)?)]))
}

/// Makes a request of the server.
pub(crate) fn request<R: lsp_types::request::Request>(
    id: &str,
    params: &R::Params,
) -> serde_json::Result<Vec<u8>> {
    let (id, method) = (Value::from(id).to_string(), Value::from(R::METHOD).to_string());
    let params = serde_json::to_vec(params)?;
    Ok(framed(&[("id", id.as_bytes()), ("method", method.as_bytes()), ("params", &params)]))
}

fn framed(fields: &[(&str, &[u8])]) -> Vec<u8> {
    let mut message = br#"{"jsonrpc":"2.0""#.to_vec();
    for (name, value) in fields {
        message.extend_from_slice(format!(r#","{name}":"#).as_bytes());
        message.extend_from_slice(value);
    }
    message.push(b'}');
    message
}

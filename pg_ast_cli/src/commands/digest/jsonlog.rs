//! Lines of `jsonlog` as the server writes them: an object without others in it, and without blanks. Only the fields that are
//! needed are read. All else, also what is wrong, is for [`json`](super::json).

use std::borrow::Cow;

use memchr::memchr2;

use super::json::{Found, is_error};
use super::times::Time;

/// A message.
#[derive(Debug, Default)]
pub(super) struct Flat<'a> {
    severity: Cow<'a, str>,
    code: Cow<'a, str>,
    message: Cow<'a, str>,
    detail: Cow<'a, str>,
    stmt: Cow<'a, str>,
    session: Cow<'a, str>,
    process: &'a str,
    user: Cow<'a, str>,
    database: Cow<'a, str>,
    application: Cow<'a, str>,
    at: Option<Time>,
}

impl<'a> Flat<'a> {
    /// Reads a line; `None` if it has another form.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let mut scanner = Scanner { line, at: 0 };
        let mut flat = Self::default();
        let (mut has_severity, mut has_message) = (false, false);
        scanner.take(b'{')?;
        loop {
            let key = scanner.string()?;
            scanner.take(b':')?;
            let value = scanner.value()?;
            // Escapes in a key may hide one that is needed.
            if key.is_escaped {
                return None;
            }
            match (key.text, value) {
                ("error_severity", Value::Text(text)) => {
                    flat.severity = text.read()?;
                    has_severity = true;
                }
                ("message", Value::Text(text)) => {
                    flat.message = text.read()?;
                    has_message = true;
                }
                ("state_code", Value::Text(text)) => flat.code = text.read()?,
                ("detail", Value::Text(text)) => flat.detail = text.read()?,
                ("statement", Value::Text(text)) => flat.stmt = text.read()?,
                ("session_id", Value::Text(text)) => flat.session = text.read()?,
                ("user", Value::Text(text)) => flat.user = text.read()?,
                ("dbname", Value::Text(text)) => flat.database = text.read()?,
                ("application_name", Value::Text(text)) => flat.application = text.read()?,
                ("timestamp", Value::Text(text)) => {
                    let text = text.read()?;
                    flat.at = Time::find(&text).or_else(|| Time::of_number(&text));
                }
                ("pid", Value::Number(number)) => flat.process = number,
                // What the server writes besides.
                (
                    "remote_host" | "remote_port" | "line_num" | "ps" | "session_start" | "vxid"
                    | "txid" | "hint" | "internal_query" | "internal_position" | "context"
                    | "cursor_position" | "func_name" | "file_name" | "file_line_num"
                    | "backend_type" | "leader_pid" | "query_id",
                    _,
                ) => {}
                _ => return None,
            }
            if scanner.take(b'}').is_some() {
                break;
            }
            scanner.take(b',')?;
        }
        let is_whole = scanner.at == line.len() && has_severity && has_message;
        is_whole.then_some(flat)
    }

    pub(super) fn found(&self) -> Found<'_> {
        let session = if self.session.is_empty() { self.process } else { &*self.session };
        Found {
            text: &self.message,
            session: Cow::Borrowed(session),
            at: self.at,
            database: &self.database,
            user: &self.user,
            application: &self.application,
            detail: &self.detail,
            stmt: &self.stmt,
            is_error: is_error(&self.severity, &self.code),
            is_of_server: true,
        }
    }
}

/// The text between two quotes.
struct Quoted<'a> {
    text: &'a str,
    /// With the quotes.
    whole: &'a str,
    is_escaped: bool,
}

impl<'a> Quoted<'a> {
    fn read(&self) -> Option<Cow<'a, str>> {
        if self.is_escaped {
            return serde_json::from_str(self.whole).ok().map(Cow::Owned);
        }
        // Those that are not escaped are wrong.
        let is_right = self.text.bytes().all(|byte| byte >= b' ');
        is_right.then_some(Cow::Borrowed(self.text))
    }
}

enum Value<'a> {
    Text(Quoted<'a>),
    Number(&'a str),
}

struct Scanner<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn take(&mut self, byte: u8) -> Option<()> {
        let is_it = self.line.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(is_it);
        is_it.then_some(())
    }

    fn string(&mut self) -> Option<Quoted<'a>> {
        let start = self.at;
        self.take(b'"')?;
        let mut is_escaped = false;
        loop {
            let rest = self.line.as_bytes().get(self.at..)?;
            let found = memchr2(b'"', b'\\', rest)?;
            self.at += found + 1;
            if rest[found] == b'"' {
                break;
            }
            is_escaped = true;
            self.at += 1;
        }
        let whole = &self.line[start..self.at];
        Some(Quoted { text: &whole[1..whole.len() - 1], whole, is_escaped })
    }

    fn value(&mut self) -> Option<Value<'a>> {
        let rest = &self.line.as_bytes()[self.at..];
        if rest.first() == Some(&b'"') {
            return self.string().map(Value::Text);
        }
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = &self.line[self.at..self.at + sign + digits];
        self.at += number.len();
        (digits > 0).then_some(Value::Number(number))
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::Object;
    use super::*;

    /// What is read is what a reader of all JSON reads.
    #[test]
    fn messages_are_those_of_json() {
        let line = r#"{"timestamp":"2026-01-01 10:00:00.000 UTC","user":"u","dbname":"d\\","pid":7,"remote_host":"[local]","session_id":"69a1.7","line_num":1,"ps":"\"","error_severity":"ERROR","state_code":"22012","message":"a \"b\"\n\u00e4","detail":"ö","statement":"SELECT 1","application_name":"é\\\"","query_id":-5}"#;
        let flat = Flat::of(line).unwrap();
        let object: Object = serde_json::from_str(line).unwrap();
        assert_eq!(format!("{:?}", flat.found()), format!("{:?}", object.message().unwrap()));
        assert_eq!(flat.found().text, "a \"b\"\nä");
        let line = line.replace("\"session_id\":\"69a1.7\",", "");
        let object: Object = serde_json::from_str(&line).unwrap();
        let flat = Flat::of(&line).unwrap();
        assert_eq!(format!("{:?}", flat.found()), format!("{:?}", object.message().unwrap()));
        for cut in 0..line.len() {
            if let Some(start) = line.get(..cut) {
                assert!(Flat::of(start).is_none(), "{start}");
            }
        }
    }

    #[test]
    fn others_are_left_to_it() {
        for line in [
            "",
            "{}",
            r#"{"error_severity":"LOG"}"#,
            r#"{"message":"a"}"#,
            r#"{"error_severity":"LOG","message":"a","record":{}}"#,
            r#"{"error_severity":"LOG","message":"a","user_name":"u"}"#,
            r#"{"error_severity":"LOG","message":"a","pid":"7"}"#,
            r#"{"error_severity":"LOG","message":"a","line_num":1.5}"#,
            r#"{"error_severity":"LOG","message":"a","p\u0069d":7}"#,
            r#"{"error_severity":"LOG","message":"\x"}"#,
            "{\"error_severity\":\"LOG\",\"message\":\"a\tb\"}",
            r#"{"error_severity":"LOG", "message":"a"}"#,
            r#"{"error_severity":"LOG","message":"a"},"#,
        ] {
            assert!(Flat::of(line).is_none(), "{line}");
        }
    }
}

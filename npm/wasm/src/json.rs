//! Writes JSON: a few lines instead of serde's derives, which would be a tenth of the module.

use std::fmt::Write as _;
use std::ops::Range;

use pg_ast::{Error, Expected, Suggestion};

/// A text of JSON in the making.
#[derive(Default)]
pub(crate) struct Json(String);

impl Json {
    /// Puts a comma before a value or a name that is not the first.
    fn comma(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with(['{', '[', ':']) {
            self.0.push(',');
        }
    }

    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.text(name);
        self.0.push(':');
        self
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.comma();
        self.0.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => self.0.extend(['\\', c]),
                // Writing to a String cannot fail.
                '\0'..='\x1F' => _ = write!(self.0, "\\u{:04x}", u32::from(c)),
                _ => self.0.push(c),
            }
        }
        self.0.push('"');
    }

    pub(crate) fn number(&mut self, number: usize) {
        self.comma();
        // Writing to a String cannot fail.
        let _ = write!(self.0, "{number}");
    }

    #[cfg(feature = "tools")]
    pub(crate) fn boolean(&mut self, value: bool) {
        self.comma();
        self.0.push_str(if value { "true" } else { "false" });
    }

    /// An array of items that `f` writes.
    pub(crate) fn list(&mut self, f: impl FnOnce(&mut Self)) {
        self.comma();
        self.0.push('[');
        f(self);
        self.0.push(']');
    }

    pub(crate) fn optional(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.name(name).text(text);
        }
    }

    pub(crate) fn object(&mut self, f: impl FnOnce(&mut Self)) {
        self.comma();
        self.0.push('{');
        f(self);
        self.0.push('}');
    }

    pub(crate) fn array<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut f: impl FnMut(&mut Self, T),
    ) {
        self.list(|json| items.into_iter().for_each(|item| f(json, item)));
    }

    /// A range of bytes: JavaScript counts in another unit, and converts it.
    pub(crate) fn range(&mut self, range: &Range<usize>) {
        self.array([range.start, range.end], Self::number);
    }

    pub(crate) fn expected(&mut self, expected: &[Expected]) {
        self.array(expected, |json, token| {
            json.object(|json| {
                let (kind, text) = match token {
                    Expected::Keyword(text) => ("Keyword", Some(*text)),
                    Expected::Symbol(text) => ("Symbol", Some(*text)),
                    Expected::Identifier => ("Identifier", None),
                    Expected::String => ("String", None),
                    Expected::BitString => ("BitString", None),
                    Expected::Number => ("Number", None),
                    Expected::Parameter => ("Parameter", None),
                    Expected::Operator => ("Operator", None),
                    _ => ("End", None),
                };
                json.name("kind").text(kind);
                json.optional("text", text);
            });
        });
    }

    fn suggestion(&mut self, suggestion: &Suggestion) {
        self.object(|json| {
            json.name("keyword").text(suggestion.keyword);
            json.name("range").range(&suggestion.range);
        });
    }

    /// An error of the SQL.
    pub(crate) fn error(&mut self, error: &Error, sql: &str) {
        self.object(|json| {
            json.name("kind").text(&format!("{:?}", error.kind()));
            json.name("message").text(error.message());
            if let Some(cursor) = error.cursor() {
                json.name("cursor").number(cursor);
            }
            json.optional("detail", error.detail());
            json.optional("hint", error.hint());
            json.optional("context", error.context());
            if let Some(place) = error.source_location() {
                json.name("source").object(|json| {
                    json.name("file").text(&place.file);
                    json.name("line").number(place.line as usize);
                    json.name("function").text(&place.function);
                });
            }
            json.name("expected").expected(&error.expected(sql));
            if let Some(suggestion) = error.suggestion(sql) {
                json.name("suggestion").suggestion(&suggestion);
            }
        });
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

//! Splits a psql script into the parts that psql would
//! send, as far as the SQL alone determines them.

use pg_ast::__testing::lex::{
    Bodies, comment, dollar_quoted, is_word, line, line_comment, quoted, word,
};

/// Returns the SQL that psql would send: without `\` commands and the data of `COPY`.
///
/// As in psql, a semicolon ends a statement unless it is in parentheses or in the
/// body of an SQL function, and `\;` is a semicolon that does not end the SQL.
pub fn split(script: &str) -> Vec<String> {
    let mut splitter = Splitter { rest: script, ..Splitter::default() };
    while !splitter.rest.is_empty() {
        splitter.step();
    }
    splitter.end();
    splitter.statements
}

#[derive(Default)]
struct Splitter<'a> {
    rest: &'a str,
    statements: Vec<String>,
    /// The SQL so far.
    text: String,
    /// Its words so far, in lower case.
    words: Vec<String>,
    parentheses: usize,
    bodies: Bodies,
    /// True after anything other than space and comments.
    begun: bool,
    backslash_escapes: bool,
}

impl Splitter<'_> {
    /// Processes the next token.
    fn step(&mut self) {
        let rest = self.rest;
        let bytes = rest.as_bytes();
        match bytes[0] {
            b'-' if rest.starts_with("--") => self.take(line_comment(rest)),
            b'/' if rest.starts_with("/*") => self.take(comment(rest).unwrap_or(rest.len())),
            b'\'' => self.token(quoted(rest, b'\'', self.backslash_escapes)),
            b'"' => self.token(quoted(rest, b'"', false)),
            b'$' => self.token(dollar_quoted(rest)),
            b'(' => {
                self.parentheses += 1;
                self.token(1);
            }
            b')' => {
                self.parentheses = self.parentheses.saturating_sub(1);
                self.token(1);
            }
            b';' if self.parentheses == 0 && self.bodies.none_open() => self.semicolon(),
            b'\\' if rest.starts_with("\\;") => {
                self.text.push(';');
                self.rest = &rest[2..];
            }
            b'\\' => {
                self.rest = &rest[line(rest)..];
                self.end();
            }
            b'e' | b'E' if bytes.get(1) == Some(&b'\'') => {
                self.token(1 + quoted(&rest[1..], b'\'', true));
            }
            byte if is_word(byte) => {
                let length = word(rest);
                self.words.push(rest[..length].to_lowercase());
                self.bodies.word(&rest[..length], self.parentheses);
                self.token(length);
            }
            byte if byte.is_ascii_whitespace() => self.take(1),
            _ => self.token(1),
        }
    }

    /// Moves bytes from the script to the SQL.
    fn take(&mut self, length: usize) {
        self.text += &self.rest[..length];
        self.rest = &self.rest[length..];
    }

    fn token(&mut self, length: usize) {
        self.begun = true;
        self.take(length);
    }

    fn semicolon(&mut self) {
        self.take(1);
        let settings: Vec<_> = self.words.iter().map(String::as_str).collect();
        match settings[..] {
            ["set", "standard_conforming_strings", .., value] => {
                self.backslash_escapes = value == "off";
            }
            ["reset", "standard_conforming_strings"] => self.backslash_escapes = false,
            ["copy", ..] if settings.windows(2).any(|pair| pair == ["from", "stdin"]) => {
                self.skip_data();
            }
            _ => {}
        }
        self.end();
    }

    /// Skips the data of a `COPY .. FROM stdin`, unless the `COPY` is
    /// expected to fail: then a statement comes before the next end of data.
    fn skip_data(&mut self) {
        let data = &self.rest[line(self.rest)..];
        let Some(end) =
            data.find("\n\\.").map(|end| end + 1).or(data.starts_with("\\.").then_some(0))
        else {
            return;
        };
        let starts_statement =
            |line: &str| line.trim_end().ends_with(';') || line.starts_with("--");
        if !data[..end].lines().any(starts_statement) {
            self.rest = &data[end + line(&data[end..])..];
        }
    }

    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        if self.begun {
            self.statements.push(text.trim().to_owned());
        }
        self.words.clear();
        self.parentheses = 0;
        self.bodies = Bodies::default();
        self.begun = false;
    }
}

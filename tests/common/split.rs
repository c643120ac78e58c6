//! Takes a script for psql apart into what psql would send, as far as that can be told from the
//! text alone.

/// The texts that psql would send: without `\` commands and the data of `COPY`.
///
/// As in psql, a semicolon ends a statement unless it stands in parentheses or in the body of an
/// SQL function, and `\;` stands for a semicolon that does not end the text.
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
    /// The text so far.
    text: String,
    /// Its words so far, in lower case; psql looks at the first four.
    words: Vec<String>,
    parentheses: usize,
    /// `BEGIN` and `CASE` that await their `END`, in the body of an SQL function.
    bodies: usize,
    /// Something other than space and comments has been seen.
    begun: bool,
    backslash_escapes: bool,
}

impl Splitter<'_> {
    /// Deals with the next token.
    fn step(&mut self) {
        let rest = self.rest;
        let bytes = rest.as_bytes();
        match bytes[0] {
            b'-' if rest.starts_with("--") => self.take(line(rest)),
            b'/' if rest.starts_with("/*") => self.take(comment(rest)),
            b'\'' => self.token(quoted(rest, b'\'', self.backslash_escapes)),
            b'"' => self.token(quoted(rest, b'"', false)),
            b'e' | b'E' if bytes.get(1) == Some(&b'\'') => {
                self.token(1 + quoted(&rest[1..], b'\'', true));
            }
            b'$' => self.token(dollar_quoted(rest)),
            b'(' => {
                self.parentheses += 1;
                self.token(1);
            }
            b')' => {
                self.parentheses = self.parentheses.saturating_sub(1);
                self.token(1);
            }
            b';' if self.parentheses == 0 && self.bodies == 0 => self.semicolon(),
            b'\\' if rest.starts_with("\\;") => {
                self.text.push(';');
                self.rest = &rest[2..];
            }
            b'\\' => {
                self.rest = &rest[line(rest)..];
                self.end();
            }
            byte if is_word(byte) => {
                let length =
                    bytes.iter().take_while(|&&byte| is_word(byte) || byte == b'$').count();
                self.word(&rest[..length].to_lowercase());
                self.token(length);
            }
            byte if byte.is_ascii_whitespace() => self.take(1),
            _ => self.token(1),
        }
    }

    /// Moves bytes from the script to the text.
    fn take(&mut self, length: usize) {
        self.text += &self.rest[..length];
        self.rest = &self.rest[length..];
    }

    fn token(&mut self, length: usize) {
        self.begun = true;
        self.take(length);
    }

    /// Follows the bodies of SQL functions, by the rule of psql's scanner.
    fn word(&mut self, word: &str) {
        self.words.push(word.to_owned());
        let head: Vec<_> = self.words.iter().take(4).map(String::as_str).collect();
        let creates = matches!(
            head[..],
            ["create", "function" | "procedure", ..]
                | ["create", "or", "replace", "function" | "procedure"]
        );
        if !creates || self.parentheses > 0 {
            return;
        }
        match word {
            "begin" => self.bodies += 1,
            "case" if self.bodies > 0 => self.bodies += 1,
            "end" => self.bodies = self.bodies.saturating_sub(1),
            _ => {}
        }
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

    /// Skips the data of a `COPY .. FROM stdin`, unless the `COPY` is one that is to fail: then a
    /// statement comes before the next end of data.
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
        self.bodies = 0;
        self.begun = false;
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The length of the line, without its end.
fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The length of a comment, with those in it.
fn comment(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0, 0);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => depth += 1,
            Some(b"*/") => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at.min(bytes.len())
}

/// The length of a quoted token. A doubled quote needs no care: it ends one and begins another.
fn quoted(text: &str, quote: u8, escapes: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if escapes => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The length of a `$tag$ .. $tag$`, or of the `$` alone if it is none.
fn dollar_quoted(text: &str) -> usize {
    let tag = text.as_bytes()[1..].iter().take_while(|&&byte| is_word(byte)).count();
    let numbered = text.as_bytes()[1].is_ascii_digit();
    if numbered || text.as_bytes().get(1 + tag) != Some(&b'$') {
        return 1;
    }
    let quote = &text[..tag + 2];
    text[quote.len()..].find(quote).map_or(text.len(), |end| end + 2 * quote.len())
}

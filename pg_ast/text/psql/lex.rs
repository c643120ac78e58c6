//! Finds the ends of a script's tokens and of the bodies of SQL functions, by the rules of psql's
//! scanner.

/// Tracks the bodies of SQL functions, in which a semicolon does not end the statement.
#[derive(Default)]
pub struct Bodies {
    /// The statement's first words, in lower case, as long as it may be one that creates a function.
    head: Vec<String>,
    /// The number of words so far.
    words: usize,
    /// `BEGIN` and `CASE` that await their `END`.
    open: usize,
}

impl Bodies {
    /// Returns whether a semicolon ends the statement.
    pub fn none_open(&self) -> bool {
        self.open == 0
    }

    /// Tracks a word of the statement, `parentheses` levels deep.
    pub fn word(&mut self, word: &str, parentheses: usize) {
        self.words += 1;
        if self.words <= 4 {
            self.head.push(word.to_lowercase());
        }
        if parentheses > 0 || !self.creates_function() {
            return;
        }
        if word.eq_ignore_ascii_case("begin")
            || (self.open > 0 && word.eq_ignore_ascii_case("case"))
        {
            self.open += 1;
        } else if word.eq_ignore_ascii_case("end") {
            self.open = self.open.saturating_sub(1);
        }
    }

    fn creates_function(&self) -> bool {
        let mut head = self.head.iter().map(String::as_str);
        let words: [_; 4] = core::array::from_fn(|_| head.next());
        matches!(
            words,
            [Some("create"), Some("function" | "procedure"), ..]
                | [Some("create"), Some("or"), Some("replace"), Some("function" | "procedure")]
        )
    }
}

/// Returns whether a byte can be in a word or in a number.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Returns the length of a word or a number: only a word can contain a `$`.
pub fn word(text: &str) -> usize {
    let number = text.starts_with(|first: char| first.is_ascii_digit());
    text.bytes().take_while(|&byte| is_word(byte) || (byte == b'$' && !number)).count()
}

/// Returns the length of a name, in quotes or not; `None` if there is none, or its quotes do not end.
pub fn name(text: &str) -> Option<usize> {
    let prefix = if text.starts_with("U&\"") || text.starts_with("u&\"") { 2 } else { 0 };
    let name = &text[prefix..];
    if !name.starts_with('"') {
        return Some(word(text)).filter(|length| *length > 0);
    }
    let length = quoted(name, b'"', false);
    // Those in the name are doubled.
    let ends = name[..length].matches('"').count().is_multiple_of(2);
    ends.then_some(prefix + length)
}

/// Returns the length of the colons that a text begins with, each with or without a backslash before it.
pub fn colons(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += match bytes.get(at..) {
            Some([b':', ..]) => 1,
            Some([b'\\', b':', ..]) => 2,
            _ => return at,
        };
    }
}

/// Returns the length of the line, without its end.
pub fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Returns the length of a `--` comment. (Unlike psql's lines, it also ends at a `\r`.)
pub fn line_comment(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

/// Returns the length of a comment, including nested ones. `None` if it does not end.
pub fn comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        match bytes.get(at..at + 2)? {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Returns the length of a quoted token.
pub fn quoted(text: &str, quote: u8, escapes: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            // The escaped character may have several bytes; none of the others is a quote.
            b'\\' if escapes => at += 1,
            byte if byte == quote => {
                at += 1;
                if bytes.get(at) != Some(&quote) {
                    match continuation(&bytes[at..]) {
                        Some(length) if quote == b'\'' => at += length,
                        _ => return at,
                    }
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Returns the distance to the quote that continues a string on another line, if there is one.
fn continuation(text: &[u8]) -> Option<usize> {
    let (mut at, mut on_another_line) = (0, false);
    loop {
        match text.get(at..)? {
            [b'\n' | b'\r', ..] => on_another_line = true,
            [b' ' | b'\t' | b'\x0b' | b'\x0c', ..] => {}
            [b'-', b'-', rest @ ..] => {
                at += 2 + rest.iter().take_while(|&&byte| byte != b'\n' && byte != b'\r').count();
                continue;
            }
            [b'\'', ..] if on_another_line => return Some(at + 1),
            _ => return None,
        }
        at += 1;
    }
}

/// Returns the length of the blanks and `--` comments that a text begins with.
pub fn blank_lines(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        at += match rest.as_bytes() {
            [b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c', ..] => 1,
            [b'-', b'-', ..] => line_comment(rest),
            _ => return at,
        };
    }
}

/// Returns the length of a string prefixed by a letter that says whether a backslash is an escape, if the
/// text begins with one.
pub fn string(text: &str) -> Option<usize> {
    let (prefix, escapes) = match text.as_bytes() {
        [b'e' | b'E', b'\'', ..] => (1, true),
        [b'b' | b'B' | b'x' | b'X', b'\'', ..] => (1, false),
        [b'u' | b'U', b'&', b'\'', ..] => (2, false),
        _ => return None,
    };
    Some(prefix + quoted(&text[prefix..], b'\'', escapes))
}

/// Returns the length of a `$tag$ .. $tag$`, or of the `$` alone if it is not one.
pub fn dollar_quoted(text: &str) -> usize {
    let bytes = text.as_bytes();
    let tag = bytes[1..].iter().take_while(|&&byte| is_word(byte)).count();
    let numbered = bytes.get(1).is_some_and(u8::is_ascii_digit);
    if numbered || bytes.get(1 + tag) != Some(&b'$') {
        return 1;
    }
    let quote = &text[..tag + 2];
    text[quote.len()..].find(quote).map_or(text.len(), |end| end + 2 * quote.len())
}

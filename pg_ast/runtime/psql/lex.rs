//! How long the tokens of a script are, and where the bodies of SQL functions end, by the rules of psql's
//! scanner.

/// Follows the bodies of SQL functions, in which a semicolon ends no statement.
#[derive(Default)]
pub struct Bodies {
    /// The statement's first words, in lower case, as long as it may be one that creates a function.
    head: Vec<String>,
    /// How many words there were.
    words: usize,
    /// `BEGIN` and `CASE` that await their `END`.
    open: usize,
}

impl Bodies {
    /// Whether a semicolon ends the statement.
    pub fn none_open(&self) -> bool {
        self.open == 0
    }

    /// Looks at a word of the statement, so many parentheses deep.
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

/// Whether a byte can be in a word, or in a number.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The length of a word, or of a number: only the former can have a `$` in it.
pub fn word(text: &str) -> usize {
    let number = text.starts_with(|first: char| first.is_ascii_digit());
    text.bytes().take_while(|&byte| is_word(byte) || (byte == b'$' && !number)).count()
}

/// The length of the colons that a text begins with, with a backslash before each or not.
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

/// The length of the line, without its end.
pub fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The length of a `--` comment. (Unlike a line of psql's, it ends at a `\r` as well.)
pub fn line_comment(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

/// The length of a comment, with those in it.
pub fn comment(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
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
    at
}

/// The length of a quoted token.
pub fn quoted(text: &str, quote: u8, escapes: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            // What is escaped may be a character of several bytes; none of the others is a quote.
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

/// How far it is to the quote that a string goes on after, if it does: on another line.
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

/// The length of a string with a letter before it that says whether a backslash escapes in it, if the
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

/// The length of a `$tag$ .. $tag$`, or of the `$` alone if it is none.
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

//! Which quotes a place in SQL is within, as PostgreSQL's scanner reads them.

/// SQL up to a place: what is open there.
#[derive(Debug, Default)]
pub(crate) struct SqlQuotes {
    open: Open,
    /// Whether the last character may be a part of a word.
    is_after_word: bool,
    is_after_minus: bool,
}

#[derive(Debug, Default, PartialEq)]
enum Open {
    #[default]
    Nothing,
    /// `'..'`, or `".."`: two of them, one after the other, are as good as one that goes on.
    Quote(u8),
    /// `E'..'`
    Escapes,
    /// `$tag$..$tag$`, by what ends it.
    Dollars(String),
    LineComment,
    /// The number of those that are open.
    Comments(usize),
}

impl SqlQuotes {
    /// Returns whether quotes or comments are open.
    pub(crate) fn is_open(&self) -> bool {
        self.open != Open::Nothing
    }

    /// Returns whether a number that follows could make a comment of its sign.
    pub(crate) fn is_after_minus(&self) -> bool {
        self.is_after_minus && !self.is_open()
    }

    /// A value follows, which has no quotes, or both of a pair.
    pub(crate) fn skip_value(&mut self) {
        (self.is_after_word, self.is_after_minus) = (true, false);
    }

    /// SQL follows.
    pub(crate) fn push(&mut self, sql: &str) {
        let bytes = sql.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let next = bytes.get(at + 1).copied();
            // A character of several bytes has no such byte.
            let mut length = 1;
            match &mut self.open {
                Open::Nothing => {
                    let before = at.checked_sub(1).map(|before| bytes[before]);
                    let is_after_word = before.map_or(self.is_after_word, is_of_word);
                    match (byte, next) {
                        (b'\'', _) => {
                            let word = at.checked_sub(2).map(|before| bytes[before]);
                            let is_alone = !word.map_or(self.is_after_word, is_of_word);
                            let has_escapes = matches!(before, Some(b'e' | b'E')) && is_alone;
                            self.open =
                                if has_escapes { Open::Escapes } else { Open::Quote(b'\'') };
                        }
                        (b'"', _) => self.open = Open::Quote(b'"'),
                        (b'-', Some(b'-')) => (self.open, length) = (Open::LineComment, 2),
                        (b'/', Some(b'*')) => (self.open, length) = (Open::Comments(1), 2),
                        (b'$', _) if !is_after_word => {
                            if let Some(tag) = dollar_tag(&sql[at..]) {
                                (self.open, length) = (Open::Dollars(tag.to_owned()), tag.len());
                            }
                        }
                        _ => {}
                    }
                }
                Open::Quote(quote) if byte == *quote => self.open = Open::Nothing,
                Open::Quote(_) => {}
                Open::Escapes => match (byte, next) {
                    (b'\'', Some(b'\'')) | (b'\\', Some(_)) => length = 2,
                    (b'\'', _) => self.open = Open::Nothing,
                    _ => {}
                },
                Open::Dollars(tag) => match sql[at..].find(&**tag) {
                    Some(found) => {
                        length = found + tag.len();
                        self.open = Open::Nothing;
                    }
                    None => break,
                },
                Open::LineComment => {
                    if matches!(byte, b'\n' | b'\r') {
                        self.open = Open::Nothing;
                    }
                }
                Open::Comments(count) => match (byte, next) {
                    (b'/', Some(b'*')) => (*count, length) = (*count + 1, 2),
                    (b'*', Some(b'/')) => {
                        (*count, length) = (*count - 1, 2);
                        if *count == 0 {
                            self.open = Open::Nothing;
                        }
                    }
                    _ => {}
                },
            }
            at += length;
        }
        if let Some(last) = bytes.last() {
            self.is_after_word = is_of_word(*last);
            self.is_after_minus = *last == b'-';
        }
    }
}

/// Returns what begins a dollar-quoted string, with both dollars.
fn dollar_tag(sql: &str) -> Option<&str> {
    let tag = sql.get(1..)?;
    let end = tag.bytes().take_while(|byte| is_of_word(*byte) && *byte != b'$').count();
    let is_tag =
        tag.as_bytes().get(end) == Some(&b'$') && !tag.starts_with(|c: char| c.is_ascii_digit());
    is_tag.then(|| &sql[..end + 2])
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

#[cfg(test)]
mod tests {
    use super::SqlQuotes;

    fn is_open(sql: &str) -> bool {
        let mut quotes = SqlQuotes::default();
        quotes.push(sql);
        quotes.is_open()
    }

    #[test]
    fn all_kinds_of_quotes() {
        for sql in [
            "SELECT 'a",
            "SELECT 'a''",
            "SELECT 'it''s",
            "SELECT \"a",
            "SELECT E'\\'",
            "SELECT e'\\\\\\'",
            "SELECT E'a''",
            "SELECT $$ a $x$ b",
            "SELECT $ä$ $$",
            "SELECT 1 -- a",
            "SELECT /* a /* b */",
        ] {
            assert!(is_open(sql), "{sql}");
            assert!(!is_open(&format!("{sql}{}", close(sql))), "{sql}");
        }
        for sql in [
            "",
            "SELECT 'a\\'",
            "SELECT ae'\\'",
            "SELECT U&'\\'",
            "SELECT 'a' 'b''c' \"d\"\"'\"",
            "SELECT E'\\'' , E'\\\\'",
            "SELECT $a$ $$ ' $a$",
            "SELECT a$b$c, $1, $2$ - 1 / 2 * 3",
            "SELECT 1 -- '\n, /* ' /* \" */ ' */ 2",
        ] {
            assert!(!is_open(sql), "{sql}");
        }
    }

    /// What ends it.
    fn close(sql: &str) -> &'static str {
        match sql {
            _ if sql.contains("$ä$") => "$ä$",
            _ if sql.contains("$$") => "$$",
            _ if sql.contains("--") => "\n",
            _ if sql.contains("/*") => "*/",
            _ if sql.contains('"') => "\"",
            _ => "'",
        }
    }

    #[test]
    fn in_pieces() {
        let mut quotes = SqlQuotes::default();
        quotes.push("a$");
        quotes.skip_value();
        quotes.push("$ - ");
        assert!(!quotes.is_open() && !quotes.is_after_minus());
        quotes.push("-");
        assert!(quotes.is_after_minus());
        quotes.push(" '");
        quotes.skip_value();
        assert!(quotes.is_open());
        quotes.push("-");
        assert!(!quotes.is_after_minus());
    }
}

//! psql commands, by the rules of the `psqlscanslash.l` and `command.c` of psql 18, which are not among the sources.

use super::lex::{is_word, line, quoted, word};

/// A backslash command.
pub(super) struct Command {
    /// Its length, with its arguments and a `\\` that ends them.
    pub(super) length: usize,
    pub(super) effect: Effect,
}

/// The effect of a command on the text before it, which psql has not sent yet, and on the text after it.
pub(super) enum Effect {
    /// None: the following text belongs to the same statement.
    None,
    /// The text is sent, as by a semicolon.
    Send,
    /// The text is discarded.
    Reset,
    /// None, but there is a new session.
    Connect,
    /// None, but the next lines are data.
    CopyFromStdin,
}

impl Command {
    /// Reads the command that a text begins with. It ends with the line at the latest.
    pub(super) fn read(text: &str) -> Self {
        let text = &text[..line(text)];
        let name = text[1..].find([' ', '\t', '\r', '\x0b', '\x0c', '\\']);
        let name = &text[1..name.map_or(text.len(), |length| 1 + length)];
        let arguments = &text[1 + name.len()..];
        // The only one whose case does not matter.
        let name = if name.eq_ignore_ascii_case("copy") { "copy" } else { name };
        let effect = match name {
            "g" | "gx" | "gset" | "gexec" | "gdesc" | "crosstabview" | "watch" | "parse"
            | "close" | "close_prepared" | "startpipeline" | "endpipeline" | "syncpipeline"
            | "sendpipeline" | "flush" | "flushrequest" | "getresults" => Effect::Send,
            "r" | "reset" => Effect::Reset,
            "c" | "connect" => Effect::Connect,
            "copy" if is_from_stdin(arguments) => Effect::CopyFromStdin,
            _ => Effect::None,
        };
        // After a command that it does not know, psql discards the rest of the line.
        let known = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_+?!".contains(&byte));
        let takes_line = match name {
            "!" | "copy" | "h" | "help" | "ef" | "ev" | "sf" | "sf+" | "sv" | "sv+" => true,
            "g" | "gx" | "o" | "out" | "w" | "write" => arguments.trim_start().starts_with('|'),
            _ => !known,
        };
        let length = if takes_line {
            text.len()
        } else {
            let end = 1 + name.len() + arguments_length(arguments);
            if text[end..].starts_with("\\\\") { end + 2 } else { end }
        };
        Self { length, effect }
    }
}

/// Returns the length of the arguments: up to a backslash that is not in quotes.
fn arguments_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += match bytes[at] {
            b'\\' => return at,
            b'\'' => argument_quoted(&bytes[at..], b'\'', true),
            quote @ (b'"' | b'`') => argument_quoted(&bytes[at..], quote, false),
            _ => 1,
        };
    }
    bytes.len()
}

/// Returns the length of a quoted part of an argument.
fn argument_quoted(text: &[u8], quote: u8, escapes: bool) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' if escapes => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// Returns whether these arguments of `\copy` say that the data is in the script: the first `FROM` or `TO`
/// that is not in parentheses, where columns and queries are, is a `FROM stdin`.
fn is_from_stdin(arguments: &str) -> bool {
    let (mut rest, mut parentheses, mut after_from) = (arguments, 0_usize, false);
    while let Some(&first) = rest.as_bytes().first() {
        let length = match first {
            // A file's name needs no quotes.
            _ if after_from && !first.is_ascii_whitespace() => rest
                .find(|c: char| c == ';' || c.is_ascii_whitespace())
                .unwrap_or(rest.len())
                .max(1),
            b'\'' | b'"' => quoted(rest, first, false),
            byte if is_word(byte) => word(rest),
            _ => 1,
        };
        let token;
        (token, rest) = rest.split_at(length);
        if token.trim_ascii().is_empty() {
            continue;
        }
        let is = |word: &str| token.eq_ignore_ascii_case(word);
        match token {
            _ if after_from => return is("stdin"),
            "(" => parentheses += 1,
            ")" => parentheses = parentheses.saturating_sub(1),
            _ if parentheses == 0 && is("to") => return false,
            _ => after_from = parentheses == 0 && is("from"),
        }
    }
    false
}

//! The tokens and functions of C code, as far as the checks of the deparser need them.

use crate::pins;

/// A function, in tokens.
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    /// What is before the name.
    pub(super) returns: &'a [&'a str],
    pub(super) parameters: Vec<&'a [&'a str]>,
    pub(super) body: &'a [&'a str],
}

/// Returns code without comments and preprocessor lines.
pub(super) fn bare(code: &str) -> String {
    let mut bare = String::new();
    let mut continues = false;
    for line in pins::normalised(code).lines() {
        let is_directive = continues || line.starts_with('#');
        continues = is_directive && line.ends_with('\\');
        if !is_directive {
            bare.extend([line, "\n"]);
        }
    }
    bare
}

/// Returns the macros that are defined with parameters: their names, and their definitions.
pub(super) fn macros(code: &str) -> Vec<(String, String)> {
    let joined = pins::normalised(code).replace("\\\n", " ");
    let defined = joined.lines().filter_map(|line| line.strip_prefix("#define "));
    let split =
        |line: &str| line.split_once('(').map(|(name, rest)| (name.to_owned(), rest.to_owned()));
    let is_name =
        |(name, _): &(String, String)| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    defined.filter_map(split).filter(is_name).collect()
}

/// Returns the tokens of code without comments and preprocessor lines.
pub(super) fn tokens(code: &str) -> Vec<&str> {
    let bytes = code.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = bytes.len().min(at + 1);
            }
            byte if is_word(byte) => {
                at += bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
            }
            _ => {
                let two = code.get(at..at + 2).unwrap_or_default();
                at += if ["->", "==", "!=", "&&", "||"].contains(&two) { 2 } else { 1 };
            }
        }
        tokens.push(&code[start..at]);
    }
    tokens
}

/// Returns the index of the bracket that closes the one at `open`, or the number of tokens.
pub(super) fn closing(tokens: &[&str], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

/// Returns the index of the bracket that opens the one that is open before `at`.
pub(super) fn enclosing(tokens: &[&str], at: usize) -> Option<usize> {
    let mut depth = 0;
    (0..at).rev().find(|&at| {
        match tokens[at] {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => depth -= 1,
            _ => {}
        }
        depth < 0
    })
}

/// Returns whether a token is a name or a number.
pub(super) fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Returns the functions that tokens define.
pub(super) fn functions<'a>(tokens: &'a [&'a str]) -> Vec<Function<'a>> {
    let mut functions = Vec::new();
    // The start of the declaration.
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        match tokens[at] {
            ";" => start = at + 1,
            "(" | "[" => at = closing(tokens, at),
            "{" => {
                let end = closing(tokens, at);
                functions.extend(function(tokens, start, at, end));
                at = end;
                start = end + 1;
            }
            _ => {}
        }
        at += 1;
    }
    functions
}

fn function<'a>(
    tokens: &'a [&'a str],
    start: usize,
    open: usize,
    end: usize,
) -> Option<Function<'a>> {
    let close = open.checked_sub(1).filter(|&at| tokens[at] == ")" && at > start)?;
    let parameters = enclosing(tokens, close)?;
    let name = parameters.checked_sub(1).filter(|&at| at >= start && is_name(tokens[at]))?;
    Some(Function {
        name: tokens[name],
        returns: &tokens[start..name],
        parameters: split(&tokens[parameters + 1..close]),
        body: &tokens[open + 1..end.min(tokens.len())],
    })
}

/// Splits tokens at the commas that are not in brackets.
pub(super) fn split<'a>(tokens: &'a [&'a str]) -> Vec<&'a [&'a str]> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while at < tokens.len() {
        match tokens[at] {
            "(" | "[" | "{" => at = closing(tokens, at),
            "," => {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&tokens[start..]);
    parts
}

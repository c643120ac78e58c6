//! Adds checks for NULL to the deparser's C code, for compilers without `-fsanitize=null`: MSVC.
//!
//! `c/deparse/deparse.c` relies on the compiler for a check before each access through a pointer. This module
//! inserts them into the preprocessed code: `a->b` becomes `(guard_null(a, ..), a)->b`, and so do `a[i]` and
//! `*a`. The pointer is evaluated twice, because C has no other way to keep its type; so it must not have
//! side effects. An expression that may have some is an error, and so is an expression of an unknown form.

/// Functions whose calls may be evaluated twice: they only read, or raise an error.
const PURE: &[&str] = &[
    "__builtin_expect",
    "castNodeImpl",
    "deparseGetCurrentPartGroup",
    "guard_last",
    "guard_list",
    "guard_node",
    "guard_own",
    "guard_string",
    "list_last_cell",
    "list_nth",
    "list_nth_cell",
    "lnext",
    "pg_query_checked_list_last",
    "pg_query_checked_list_nth",
    "pg_query_require_value_node",
    "pg_query_strict_cast_node",
];

/// Keywords that may precede an expression and look like a name.
const KEYWORDS: &[&str] =
    &["case", "do", "else", "for", "goto", "if", "return", "sizeof", "switch", "while"];

/// The function that the inserted calls name; `c/deparse/deparse.c` has its body.
const DECLARATION: &str =
    "static void guard_null(const void *pointer, const char *file, int line);\n";

/// A token of C, with the blanks and directives before it.
struct Token<'a> {
    before: &'a str,
    text: &'a str,
    /// True if it is in a file whose accesses are checked.
    checked: bool,
}

/// Inserts checks into preprocessed C; `is_checked` returns whether a file, by name, gets checks.
pub(crate) fn insert(code: &str, is_checked: impl Fn(&str) -> bool) -> Result<String, String> {
    let (tokens, rest) = tokens(code, is_checked);
    // The start and end of each accessed pointer, in tokens.
    let mut pointers = vec![Vec::new(); tokens.len()];
    for at in (1..tokens.len()).filter(|&at| tokens[at].checked) {
        let Some((start, end)) = pointer(&tokens, at)? else { continue };
        check_pure(&tokens[start..end])?;
        pointers[start].push(end);
    }
    let mut output = Output { tokens: &tokens, pointers: &pointers, text: DECLARATION.to_owned() };
    output.write(0, tokens.len(), usize::MAX, true);
    Ok(output.text + rest)
}

/// Returns the tokens, and the text after the last one.
fn tokens(code: &str, is_checked: impl Fn(&str) -> bool) -> (Vec<Token<'_>>, &str) {
    let mut tokens = Vec::new();
    let (mut at, mut checked) = (0, false);
    loop {
        let start = at;
        // Blanks, and preprocessor lines: only pragmas and line markers are left of those.
        loop {
            at += code[at..].len() - code[at..].trim_start().len();
            if !code[at..].starts_with('#') {
                break;
            }
            let line = code[at..].lines().next().unwrap_or_default();
            if let Some(file) = file_name(line) {
                checked = is_checked(file);
            }
            at += line.len();
        }
        if at == code.len() {
            return (tokens, &code[start..]);
        }
        let length = token_length(&code.as_bytes()[at..]);
        tokens.push(Token { before: &code[start..at], text: &code[at..at + length], checked });
        at += length;
    }
}

/// Returns the file name, without folders, of `# 12 "folder/file.h"` or `#line 12 "folder\\file.h"`.
fn file_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("#line").or_else(|| line.strip_prefix('#'))?.trim_start();
    let path = line.starts_with(|c: char| c.is_ascii_digit()).then(|| line.split('"').nth(1))??;
    path.rsplit(['/', '\\']).next()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn token_length(code: &[u8]) -> usize {
    match code[0] {
        quote @ (b'"' | b'\'') => {
            let mut at = 1;
            while at < code.len() && code[at] != quote {
                at += if code[at] == b'\\' { 2 } else { 1 };
            }
            code.len().min(at + 1)
        }
        byte if is_word(byte) => code.iter().take_while(|&&byte| is_word(byte)).count(),
        _ if [&b"->"[..], b"++", b"--", b"&&", b"||"].contains(&&code[..code.len().min(2)]) => 2,
        _ => 1,
    }
}

/// Returns the pointer that a token accesses, if it does.
fn pointer(tokens: &[Token<'_>], at: usize) -> Result<Option<(usize, usize)>, String> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let before = text(at - 1);
    let is_value = is_name(before) || matches!(before, ")" | "]");
    Ok(match text(at) {
        "->" => Some((start_of(tokens, at)?, at)),
        // Not the type of an array.
        "[" if is_value && text(at + 1) != "]" => {
            let start = start_of(tokens, at)?;
            (start == 0 || !is_name(text(start - 1))).then_some((start, at))
        }
        // Neither a type nor a product; not `*f()` and not `*(T *) p`, which are not nodes.
        "*" if !is_value && !matches!(before, "*" | ",") && is_name(text(at + 1)) => {
            match text(at + 2) {
                "++" | "--" => return Err(not_understood(tokens, at)),
                "(" | "->" | "." | "[" => None,
                // A pointer to a function.
                ")" if text(at + 3) == "(" => None,
                _ => Some((at + 1, at + 2)),
            }
        }
        _ => None,
    })
}

/// Returns whether a token is a name, and not a keyword that an expression may follow.
fn is_name(token: &str) -> bool {
    token.bytes().next().is_some_and(|byte| is_word(byte) && !byte.is_ascii_digit())
        && !KEYWORDS.contains(&token)
}

/// Returns the start of the operand that ends before a token.
fn start_of(tokens: &[Token<'_>], end: usize) -> Result<usize, String> {
    let text = |at: usize| tokens[at].text;
    let mut at = end - 1;
    loop {
        match text(at) {
            ")" | "]" => {
                let open = opening(tokens, at).ok_or_else(|| not_understood(tokens, end))?;
                let before = open.checked_sub(1).map_or("", text);
                if text(open) == "[" || is_name(before) || before == "]" {
                    // A subscript or a call of the operand before it.
                    at = open - 1;
                    continue;
                }
                if before == ")" && !is_cast(tokens, open - 1) {
                    return Err(not_understood(tokens, end));
                }
                at = open;
            }
            name if is_name(name) => {}
            _ => return Err(not_understood(tokens, end)),
        }
        match at.checked_sub(1).map_or("", text) {
            "->" | "." => at -= 2,
            _ => return Ok(at),
        }
    }
}

/// Returns the bracket that matches a closing one.
fn opening(tokens: &[Token<'_>], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (0..=close).rev().find(|&at| {
        match tokens[at].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Returns whether a bracket closes a type, `(const Node *)`, or the condition of an `if`.
fn is_cast(tokens: &[Token<'_>], close: usize) -> bool {
    opening(tokens, close).is_some_and(|open| {
        let before = open.checked_sub(1).map_or("", |at| tokens[at].text);
        let is_type =
            tokens[open + 1..close].iter().all(|token| token.text == "*" || is_name(token.text));
        is_type || matches!(before, "if" | "while" | "for" | "switch")
    })
}

fn check_pure(pointer: &[Token<'_>]) -> Result<(), String> {
    for (at, token) in pointer.iter().enumerate() {
        let next = pointer.get(at + 1).map_or("", |token| token.text);
        let is_call = is_name(token.text) && next == "(" && !PURE.contains(&token.text);
        // A comparison has two of these in a row, which are separate tokens here.
        let is_change = matches!(token.text, "++" | "--" | "=")
            && next != "="
            && !pointer[..at].last().is_some_and(|last| matches!(last.text, "=" | "!" | "<" | ">"));
        if is_call || is_change {
            return Err(format!(
                "the check for NULL evaluates `{}` twice: if `{}` only reads, add it to PURE in \
                 build/null_checks.rs; otherwise patch the line so that it is read from a variable",
                joined(pointer),
                token.text,
            ));
        }
    }
    Ok(())
}

fn not_understood(tokens: &[Token<'_>], at: usize) -> String {
    format!(
        "the pointer in `{}` has a form that build/null_checks.rs does not know: add it to `pointer`",
        joined(&tokens[at.saturating_sub(20)..=at])
    )
}

fn joined(tokens: &[Token<'_>]) -> String {
    tokens.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

struct Output<'a> {
    tokens: &'a [Token<'a>],
    pointers: &'a [Vec<usize>],
    text: String,
}

impl Output<'_> {
    /// Writes tokens, with checks of the pointers that start at the first token
    /// and are shorter than `limit`; in the original layout or on one line.
    fn write(&mut self, from: usize, to: usize, limit: usize, laid_out: bool) {
        let mut at = from;
        while at < to {
            let pointers = self.pointers[at].iter().copied();
            let longest = pointers.filter(|&end| at != from || end < limit).max();
            match longest {
                Some(end) => {
                    self.before(at, laid_out);
                    self.text += "(guard_null(";
                    self.write(at, end, end, false);
                    self.text += ", __FILE__, __LINE__), ";
                    self.write_pointer(at, end, laid_out);
                    self.text.push(')');
                    at = end;
                }
                None => {
                    self.before(at, laid_out);
                    self.text += self.tokens[at].text;
                    at += 1;
                }
            }
        }
    }

    /// The pointer itself; its leading blanks are already written.
    fn write_pointer(&mut self, from: usize, to: usize, laid_out: bool) {
        let start = self.text.len();
        self.write(from, to, to, laid_out);
        if laid_out {
            let written = start..start + self.tokens[from].before.len();
            // If it has its own check, the blanks also come first.
            self.text.replace_range(written, "");
        }
    }

    fn before(&mut self, at: usize, laid_out: bool) {
        let before = self.tokens[at].before;
        self.text += if laid_out || before.is_empty() { before } else { " " };
    }
}

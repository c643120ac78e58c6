//! Prints syntax with line breaks, so that generated code can be read where the documentation and
//! messages of the compiler show it. (A full formatter would be one more dependency to compile.)

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

pub(crate) fn print(tokens: TokenStream) -> String {
    let mut out = String::new();
    write(&mut out, tokens, 0, true);
    out
}

/// The last token on a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Word,
    /// A sign followed by a blank.
    Sign,
    /// A sign that is joined to the next one.
    Part,
    /// Brackets, or a sign not followed by a blank.
    Other,
}

/// Prints tokens at a depth of braces; with line breaks outside of other brackets.
fn write(out: &mut String, tokens: TokenStream, depth: usize, breaks: bool) {
    let mut last = Last::Nothing;
    let mut is_attribute = false;
    for token in tokens {
        if breaks && out.ends_with('\n') {
            out.extend(std::iter::repeat_n("    ", depth));
            last = Last::Nothing;
        }
        if is_blank_before(&token, last) {
            out.push(' ');
        }
        last = match token {
            TokenTree::Group(group) => {
                let is_braced = group.delimiter() == Delimiter::Brace;
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::None => ("", ""),
                };
                out.push_str(open);
                if is_braced && !group.stream().is_empty() {
                    out.push('\n');
                    write(out, group.stream(), depth + 1, true);
                    if !out.ends_with('\n') {
                        out.push('\n');
                    }
                    out.extend(std::iter::repeat_n("    ", depth));
                } else {
                    write(out, group.stream(), depth, false);
                }
                out.push_str(close);
                if breaks && (is_braced || is_attribute) {
                    out.push('\n');
                }
                is_attribute = false;
                Last::Other
            }
            TokenTree::Punct(punct) => {
                let sign = punct.as_char();
                out.push(sign);
                is_attribute = sign == '#';
                if breaks && matches!(sign, ',' | ';') {
                    out.push('\n');
                }
                match (sign, punct.spacing()) {
                    ('\'', _) => Last::Other,
                    (_, Spacing::Joint) => Last::Part,
                    (',' | ';' | '=' | '|', _) => Last::Sign,
                    // `=>` and `->`; but not the second one of `::`.
                    ('>', _) if last == Last::Part => Last::Sign,
                    (':', _) if last != Last::Part => Last::Sign,
                    _ => Last::Other,
                }
            }
            word => {
                out.push_str(&word.to_string());
                Last::Word
            }
        };
    }
}

fn is_blank_before(token: &TokenTree, last: Last) -> bool {
    match token {
        TokenTree::Ident(_) | TokenTree::Literal(_) => matches!(last, Last::Word | Last::Sign),
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => last != Last::Nothing,
        TokenTree::Group(_) => last == Last::Sign,
        TokenTree::Punct(punct) => match punct.as_char() {
            '=' | '|' | '-' => !matches!(last, Last::Nothing | Last::Part),
            _ => last == Last::Sign,
        },
    }
}

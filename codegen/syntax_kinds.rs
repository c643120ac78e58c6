//! The symbols of the grammar as constants.

use core::fmt::Write as _;

/// Returns a macro with each symbol, those of tokens and those of nodes: its name in Rust, its number, and its name in `gram.y`.
pub(crate) fn generate(names: &[String]) -> String {
    let mut code =
        "macro_rules! each_syntax_kind {\n    ($with:ident) => {\n        $with! { tokens {\n"
            .to_owned();
    for (number, quoted) in names.iter().enumerate() {
        let name =
            quoted.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(quoted);
        writeln!(code, "            {} {number} {name:?};", constant(name))
            .expect("writing to a String");
        if name == LAST_OF_TOKENS {
            code += "        } nodes {\n";
        }
    }
    code + "        } }\n    };\n}\npub(crate) use each_syntax_kind;\n"
}

/// The first symbol that is none of a token; what it stands for is no node either.
const LAST_OF_TOKENS: &str = "$accept";

/// Returns the name in Rust.
fn constant(name: &str) -> &str {
    let [b'\'', character, b'\''] = name.as_bytes() else { return name.trim_start_matches('$') };
    match character {
        b'%' => "PERCENT",
        b'(' => "OPEN_PAREN",
        b')' => "CLOSE_PAREN",
        b'*' => "STAR",
        b'+' => "PLUS",
        b',' => "COMMA",
        b'-' => "MINUS",
        b'.' => "DOT",
        b'/' => "SLASH",
        b':' => "COLON",
        b';' => "SEMICOLON",
        b'<' => "LESS",
        b'=' => "EQUALS",
        b'>' => "GREATER",
        b'[' => "OPEN_BRACKET",
        b']' => "CLOSE_BRACKET",
        b'^' => "CARET",
        _ => panic!("the grammar has a new token, {name}: give it a name here"),
    }
}

//! The symbols of the grammar as constants.

use core::fmt::Write as _;

/// Returns a macro with each symbol: its name in Rust, its number, and its name in `gram.y`.
pub(crate) fn generate(names: &[String]) -> String {
    let mut code =
        "macro_rules! each_syntax_kind {\n    ($with:ident) => {\n        $with! {\n".to_owned();
    for (number, quoted) in names.iter().enumerate() {
        let name =
            quoted.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(quoted);
        writeln!(code, "            {} {number} {name:?};", constant(name))
            .expect("writing to a String");
    }
    code + "        }\n    };\n}\npub(crate) use each_syntax_kind;\n"
}

/// A character is named as in the Protobuf schema.
fn constant(name: &str) -> String {
    match name.as_bytes() {
        [b'\'', character, b'\''] => format!("ASCII_{character}"),
        _ => name.trim_start_matches('$').to_owned(),
    }
}

//! Names as they are written.

/// Returns a name as PostgreSQL reads it: with its ASCII letters in lower case, or without its quotes.
pub(crate) fn folded(written: &str) -> String {
    match written.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"').unwrap_or(quoted).replace("\"\"", "\""),
        None => written.to_ascii_lowercase(),
    }
}

/// Returns whether a text begins like a name.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"'))
}

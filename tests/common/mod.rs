//! What several tests share.
#![allow(dead_code, unreachable_pub)]

pub mod corpus;
pub mod oracle;
pub mod schema;
pub mod split;

use pg_ast::ParseResult;

/// Parses a statement, prints it to the same text, and makes sure that this parses to the same tree
/// again.
#[track_caller]
pub fn verified(sql: &str) -> ParseResult {
    verified_as(sql, sql)
}

/// As [`verified`], where the text is another one.
#[track_caller]
pub fn verified_as(sql: &str, canonical: &str) -> ParseResult {
    let tree = pg_ast::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let text = pg_ast::deparse(&tree).unwrap_or_else(|error| panic!("{sql}: {error}"));
    assert_eq!(text, canonical);
    let again = pg_ast::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(without_locations(&again), without_locations(&tree), "{sql}\n{text}");
    tree
}

/// A tree as Debug prints it, with every location taken out.
pub fn without_locations(tree: &ParseResult) -> String {
    let shown = format!("{:?}", tree.protobuf);
    let mut rest = shown.as_str();
    let mut kept = String::with_capacity(rest.len());
    // `location: 12`, `stmt_location: 0`, `stmt_len: 7`, ..: a name, a colon, a number.
    while let Some(found) = rest.find(": ") {
        let (name, value) = rest.split_at(found + 2);
        kept.push_str(name);
        let is_location = ["location: ", "stmt_len: ", "list_start: ", "list_end: "]
            .iter()
            .any(|end| name.ends_with(end));
        rest = if is_location {
            value.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit())
        } else {
            value
        };
    }
    kept + rest
}

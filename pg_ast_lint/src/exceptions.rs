//! What rules leave out by name.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use pg_ast::ParseResult;

use crate::{Finding, Rule};

/// The names for which rules find nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exceptions {
    pub(crate) tables: BTreeMap<Rule, Vec<String>>,
    pub(crate) names: BTreeMap<Rule, Vec<String>>,
}

impl Exceptions {
    /// Removes the findings that are about these names; the tree is that of their statement.
    pub(crate) fn apply(&self, script: &str, tree: Option<&ParseResult>, found: &mut Vec<Finding>) {
        let tables = OnceCell::new();
        let tables = || tables.get_or_init(|| tree.map(ParseResult::tables).unwrap_or_default());
        found.retain(|finding| {
            let is_name = self.names.get(&finding.rule).is_some_and(|patterns| {
                let name = script.get(finding.range.clone()).unwrap_or_default();
                matches_any(patterns, name)
            });
            let is_of_tables = self.tables.get(&finding.rule).is_some_and(|patterns| {
                !tables().is_empty()
                    && tables().iter().all(|table| matches_any(patterns, &table.plain()))
            });
            !is_name && !is_of_tables
        });
    }
}

/// Returns whether a pattern is that of a name, or of its last part if the pattern has no schema.
fn matches_any(patterns: &[String], name: &str) -> bool {
    let last = name.rsplit_once('.').map_or(name, |(_, last)| last);
    patterns.iter().any(|pattern| {
        let name = if pattern.contains('.') { name } else { last };
        matches(pattern.as_bytes(), name.trim_matches('"').as_bytes())
    })
}

/// Returns whether a text is that of a pattern, in which `*` stands for anything.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // Behind the last star, and what it does not stand for.
    let mut star = None;
    while place < text.len() {
        if pattern.get(at) == Some(&b'*') {
            at += 1;
            star = Some((at, place));
        } else if pattern.get(at) == Some(&text[place]) {
            at += 1;
            place += 1;
        } else if let Some((behind, start)) = star {
            at = behind;
            place = start + 1;
            star = Some((behind, place));
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::{matches, matches_any};

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, expected) in [
            ("tmp_*", "tmp_a", true),
            ("tmp_*", "tmp_", true),
            ("tmp_*", "a_tmp_", false),
            ("*_p20*_*", "events_p2020_01", true),
            ("*", "", true),
            ("a*b*c", "aXbbYc", true),
            ("a*b*c", "aXcYb", false),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), expected, "{pattern} {text}");
        }
        // Without a star at the end, it does not take the square of the length.
        assert!(!matches("*a*a*a*b".as_bytes(), "a".repeat(100_000).as_bytes()));
    }

    #[test]
    fn a_schema_matters_if_the_pattern_has_one() {
        let patterns = ["staging.*".to_owned(), "tmp".to_owned()];
        for (name, expected) in
            [("staging.a", true), ("a", false), ("tmp", true), ("s.tmp", true), ("s.a", false)]
        {
            assert_eq!(matches_any(&patterns, name), expected, "{name}");
        }
    }
}

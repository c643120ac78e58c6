//! Comments that silence rules.

use core::ops::Range;
use std::collections::BTreeSet;

use crate::{Finding, Rule};

const WORD: &str = "pgast-ignore";

/// The rules that are silenced.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ignored {
    all: bool,
    rules: BTreeSet<Rule>,
}

impl Ignored {
    pub(crate) fn has(&self, rule: Rule) -> bool {
        self.all || self.rules.contains(&rule)
    }

    /// Reads the comments between two statements, and the rules that they silence. Unknown names are findings.
    ///
    /// The text is not scanned: there may be psql commands and data between statements.
    pub(crate) fn read(script: &str, between: Range<usize>, found: &mut Vec<Finding>) -> Self {
        let mut ignored = Self::default();
        let mut at = between.start;
        while let Some(place) = script[at..between.end].find(WORD) {
            let before = script[between.start..at + place].trim_end();
            at += place + WORD.len();
            let rest = &script[at..between.end];
            if !before.ends_with("--") && !before.ends_with("/*") {
                continue;
            }
            let end = [rest.find(['\n', '\r']), rest.find("*/")].into_iter().flatten().min();
            at += ignored.names(&rest[..end.unwrap_or(rest.len())], at, found);
        }
        ignored
    }

    /// Reads the names after the word, which starts at an offset; returns how much of the text was read.
    fn names(&mut self, names: &str, offset: usize, found: &mut Vec<Finding>) -> usize {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let mut rest = names.trim_start();
        // `pgast-ignored` is another word.
        if rest.len() == names.len() && names.starts_with(is_name) {
            return 0;
        }
        self.all |= !rest.starts_with(is_name);
        while rest.starts_with(is_name) {
            let start = offset + names.len() - rest.len();
            let (name, behind) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
            match name.parse::<Rule>() {
                Ok(rule) => {
                    self.rules.insert(rule);
                }
                Err(error) => {
                    let range = start..start + name.len();
                    found.push(Finding::new(Rule::UnknownRule, range, error.to_string()));
                }
            }
            rest = behind.trim_start().strip_prefix(',').map_or("", str::trim_start);
        }
        names.len()
    }
}

//! Comments that silence rules.

use core::ops::Range;
use std::collections::BTreeSet;

use pg_ast::plpgsql::Part;

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

/// The places in a body that matter for comments.
#[derive(Debug, Default)]
pub(crate) struct BodyPlaces {
    /// The parts for which a comment before them silences rules.
    parts: Vec<Range<usize>>,
    /// Where a comment is in the midst of SQL.
    sql: Vec<Range<usize>>,
}

impl BodyPlaces {
    /// Adds a part of a function in PL/pgSQL.
    pub(crate) fn add(&mut self, part: Part<'_>, place: Range<usize>) {
        let has_stmts = matches!(
            part,
            Part::Block(_)
                | Part::If(_)
                | Part::Case(_)
                | Part::Loop(_)
                | Part::While(_)
                | Part::Fori(_)
                | Part::Fors(_)
                | Part::Forc(_)
                | Part::ForeachA(_)
                | Part::Dynfors(_)
                | Part::Exception(_)
        );
        if has_stmts || part.is_stmt() || matches!(part, Part::Decl(_)) {
            self.parts.push(place.clone());
        }
        if !has_stmts {
            self.sql.push(place);
        }
    }

    /// Adds a statement in SQL.
    pub(crate) fn add_stmt(&mut self, place: Range<usize>) {
        self.parts.push(place.clone());
        self.sql.push(place);
    }
}

/// The parts of a body in which rules are silenced, in order.
#[derive(Debug)]
pub(crate) struct IgnoredParts(Vec<(Range<usize>, Ignored)>);

impl IgnoredParts {
    /// Reads the comments of a body.
    pub(crate) fn read(
        script: &str,
        body: &Range<usize>,
        mut places: BodyPlaces,
        found: &mut Vec<Finding>,
    ) -> Self {
        places.parts.sort_by_key(|place| place.start);
        places.sql.sort_by_key(|place| place.start);
        let mut sql = places.sql.iter().peekable();
        let mut ignored = Vec::new();
        // Behind the last part's first token or SQL.
        let mut at = body.start;
        for part in places.parts {
            while let Some(place) = sql.next_if(|place| place.start < part.start) {
                at = at.max(place.end);
            }
            if at < part.start {
                let comments = Ignored::read(script, at..part.start, found);
                at = part.start;
                if comments.all || !comments.rules.is_empty() {
                    ignored.push((part, comments));
                }
            }
        }
        Self(ignored)
    }

    /// Removes findings that are silenced, from those of the body in order.
    pub(crate) fn silence(self, found: &mut Vec<Finding>) {
        let mut ignored = self.0.into_iter().peekable();
        // Those around the finding, each with what is silenced by those around it.
        let mut around: Vec<(usize, Ignored)> = Vec::new();
        found.retain(|finding| {
            let start = finding.range.start;
            while let Some((part, mut inner)) = ignored.next_if(|(part, _)| part.start <= start) {
                while around.pop_if(|(end, _)| *end <= part.start).is_some() {}
                if let Some((_, outer)) = around.last() {
                    inner.all |= outer.all;
                    inner.rules.extend(&outer.rules);
                }
                around.push((part.end, inner));
            }
            while around.pop_if(|(end, _)| *end <= start).is_some() {}
            around.last().is_none_or(|(_, ignored)| !ignored.has(finding.rule))
        });
    }
}

//! Comments that silence rules.

use core::ops::Range;
use std::collections::BTreeMap;

use pg_ast_syntax::{Script, SyntaxKind};

use crate::unit::Unit;
use crate::{Finding, Rule};

const WORD: &str = "pgast-ignore";
const FILE: &str = "-file";

/// The comments of a script, and what they silence.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    list: Vec<IgnoreComment>,
    entries: Vec<Entry>,
    /// Those for the whole file.
    file: Ignored,
    /// Whether there may be any, those in statements included.
    are_any: bool,
}

#[derive(Debug)]
pub(crate) struct IgnoreComment {
    pub(crate) range: Range<usize>,
    /// The place of all names; empty if there are none.
    pub(crate) names: Range<usize>,
    /// The names that are not rules.
    pub(crate) unknown: Vec<Range<usize>>,
    /// Whether there is more than names.
    pub(crate) has_reason: bool,
    /// Whether it can be changed as it is written.
    pub(crate) is_exact: bool,
    entries: Range<usize>,
}

/// What a comment silences.
#[derive(Debug)]
pub(crate) struct Entry {
    /// `None` for all rules.
    pub(crate) rule: Option<Rule>,
    pub(crate) name: Range<usize>,
    pub(crate) is_used: bool,
}

/// The rules that are silenced at a place: the numbers of entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ignored(BTreeMap<Option<Rule>, usize>);

impl Comments {
    /// Reads the comments between statements, and returns what is silenced for each. Unknown names are findings.
    pub(crate) fn of_script(
        script: &str,
        units: &[Unit],
        found: &mut Vec<Finding>,
    ) -> (Self, Vec<Ignored>) {
        let mut this = Self::default();
        let mut ignored = vec![Ignored::default(); units.len()];
        if !script.contains(WORD) {
            return (this, ignored);
        }
        this.are_any = true;
        let Ok(tree) = Script::parse(script) else { return (this, ignored) };
        // Psql commands and data may look like comments.
        let tokens = tree.root().children_with_tokens().filter(|token| {
            matches!(token.kind(), SyntaxKind::SQL_COMMENT | SyntaxKind::C_COMMENT)
        });
        for token in tokens {
            let place = usize::from(token.text_range().start())..token.text_range().end().into();
            let next = units.partition_point(|unit| unit.range.start < place.start);
            match ignored.get_mut(next) {
                Some(ignored) => this.read(script, place, true, ignored, found),
                // Behind the last statement.
                None => this.read(script, place, true, &mut Ignored::default(), found),
            }
        }
        (this, ignored)
    }

    /// Reads the comments in a part of a body. `is_exact` says that they are written there as they are.
    pub(crate) fn of_part(
        &mut self,
        script: &str,
        part: Range<usize>,
        is_exact: bool,
        found: &mut Vec<Finding>,
    ) -> Ignored {
        let mut ignored = Ignored::default();
        let text = script.get(part.clone()).unwrap_or_default();
        if !text.contains(WORD) {
            return ignored;
        }
        for token in pg_ast::scan_lossy(text).scan.tokens.iter().filter(|it| it.is_comment()) {
            let place = token.range();
            let place = part.start + place.start..part.start + place.end;
            self.read(script, place, is_exact, &mut ignored, found);
        }
        ignored
    }

    /// Reads a comment.
    fn read(
        &mut self,
        script: &str,
        range: Range<usize>,
        is_exact: bool,
        ignored: &mut Ignored,
        found: &mut Vec<Finding>,
    ) {
        let text = &script[range.clone()];
        let inner = text.strip_prefix("--").or_else(|| text.strip_prefix("/*")).unwrap_or(text);
        let Some(rest) = inner.trim_start().strip_prefix(WORD) else { return };
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let file = rest.strip_prefix(FILE).filter(|rest| !rest.starts_with(is_name));
        // `pgast-ignored` is another word.
        if file.is_none() && rest.starts_with(is_name) {
            return;
        }
        let written = file.unwrap_or(rest);
        let line = written.find(['\n', '\r']).unwrap_or(written.len());
        let mut rest = written[..line].trim_start();
        rest = rest.strip_suffix("*/").unwrap_or(rest);
        let offset = |rest: &str| rest.as_ptr() as usize - script.as_ptr() as usize;
        let start = offset(rest);
        let mut names = start..start;
        let (first, mut unknown) = (self.entries.len(), Vec::new());
        if !rest.starts_with(is_name) {
            self.entries.push(Entry { rule: None, name: start..start, is_used: false });
        }
        while rest.starts_with(is_name) {
            let (name, behind) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
            let place = offset(name)..offset(name) + name.len();
            names.end = place.end;
            match name.parse::<Rule>() {
                Ok(rule) => {
                    self.entries.push(Entry { rule: Some(rule), name: place, is_used: false });
                }
                Err(error) => {
                    found.push(Finding::new(Rule::UnknownRule, place.clone(), error.to_string()));
                    unknown.push(place);
                }
            }
            rest = behind.trim_start();
            let Some(next) = rest.strip_prefix(',') else { break };
            rest = next.trim_start();
        }
        let silenced = if file.is_some() { &mut self.file } else { ignored };
        for (number, entry) in self.entries.iter().enumerate().skip(first) {
            silenced.0.entry(entry.rule).or_insert(number);
        }
        let more = written[line..].trim();
        let has_reason = !rest.trim().is_empty() || !(more.is_empty() || more == "*/");
        let entries = first..self.entries.len();
        self.list.push(IgnoreComment { range, names, unknown, has_reason, is_exact, entries });
    }

    /// Returns whether findings of a rule are silenced at a place, or in the whole file, and notes that the comment has
    /// a use.
    pub(crate) fn silences(&mut self, ignored: &Ignored, rule: Rule) -> bool {
        let Some(number) = ignored.entry_for(rule).or_else(|| self.file.entry_for(rule)) else {
            return false;
        };
        if let Some(entry) = self.entries.get_mut(number) {
            entry.is_used = true;
        }
        true
    }

    /// Returns whether no comment can silence anything in a statement.
    pub(crate) fn have_no_effect(&self, script: &str, unit: &Unit, ignored: &Ignored) -> bool {
        let has_word = || script.get(unit.range.clone()).is_none_or(|sql| sql.contains(WORD));
        !self.are_any || ignored.is_empty() && self.file.is_empty() && !has_word()
    }

    /// Returns the comments of which not all silence something.
    pub(crate) fn unused(&self) -> impl Iterator<Item = (&IgnoreComment, &[Entry])> {
        let comments = self.list.iter();
        let comments = comments.map(|comment| (comment, &self.entries[comment.entries.clone()]));
        comments.filter(|(_, entries)| entries.iter().any(|entry| !entry.is_used))
    }
}

impl Ignored {
    fn entry_for(&self, rule: Rule) -> Option<usize> {
        self.0.get(&Some(rule)).or_else(|| self.0.get(&None)).copied()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what is silenced around it.
    fn extend(&mut self, outer: &Self) {
        for (rule, number) in &outer.0 {
            self.0.entry(*rule).or_insert(*number);
        }
    }
}

/// The parts of a body in which rules are silenced, in order.
#[derive(Debug)]
pub(crate) struct IgnoredParts(Vec<(Range<usize>, Ignored)>);

impl IgnoredParts {
    /// Takes them in the order of their starts.
    pub(crate) fn new(parts: Vec<(Range<usize>, Ignored)>) -> Self {
        Self(parts.into_iter().filter(|(_, ignored)| !ignored.is_empty()).collect())
    }

    /// Removes findings that are silenced, from those of the body in order.
    pub(crate) fn silence(self, comments: &mut Comments, found: &mut Vec<Finding>) {
        let mut ignored = self.0.into_iter().peekable();
        // Those around the finding, each with what is silenced by those around it.
        let mut around: Vec<(usize, Ignored)> = Vec::new();
        found.retain(|finding| {
            let start = finding.range.start;
            while let Some((part, mut inner)) = ignored.next_if(|(part, _)| part.start <= start) {
                while around.pop_if(|(end, _)| *end <= part.start).is_some() {}
                if let Some((_, outer)) = around.last() {
                    inner.extend(outer);
                }
                around.push((part.end, inner));
            }
            while around.pop_if(|(end, _)| *end <= start).is_some() {}
            let Some((_, ignored)) = around.last() else { return true };
            // What only a comment for the whole file silences is silenced with the statement.
            ignored.entry_for(finding.rule).is_none() || !comments.silences(ignored, finding.rule)
        });
    }
}

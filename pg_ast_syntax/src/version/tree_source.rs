//! The texts of which trees are made: with what is not for the grammar, or is written in another way for it.

use core::ops::Range;
use std::borrow::Cow;

use pg_ast::{Error, ParserOptions};
use rowan::{GreenNode, GreenToken, NodeOrToken};

use super::derived_tree::{Scanned, TreeWriter, range_of, tokens_of};
use super::pg::raw::ShimTerminal;
use super::pg::seam::{Derivation, scan_lossy_with, sort_by_key};
use super::stand_ins::StandIns;
use super::syntax_kind::SyntaxKind;

/// A text of which a tree is made.
#[derive(Default)]
pub(super) struct TreeSource<'a> {
    pub(super) text: &'a str,
    /// The text for the grammar: the same, up to what ends it, with blanks in place of what is not for it.
    pub(super) clean: Cow<'a, str>,
    /// What is not for the grammar, in order: a token of a kind, or else the beginning of the token behind it.
    pub(super) extras: Vec<(Range<usize>, Option<SyntaxKind>)>,
    /// What is written in another way for the grammar.
    pub(super) stand_ins: Option<&'a StandIns>,
    /// The kinds of tokens that the grammar takes for others.
    pub(super) kinds: Vec<(Range<usize>, SyntaxKind)>,
    /// How many nodes the tree is in.
    pub(super) depth: usize,
    pub(super) options: ParserOptions,
}

impl TreeSource<'_> {
    /// Makes the tree, with this root. The text is no longer than the scanner takes.
    pub(super) fn derive(mut self, root: SyntaxKind) -> Result<GreenNode, Error> {
        let stand_ins = self.stand_ins;
        let written = stand_ins.and_then(|it| it.write(&self.clean, &mut self.extras));
        let sql = written.as_ref().map_or(&*self.clean, |written| written.text());
        let mut scanned = Scanned { sql: Cow::Borrowed(sql), errors: Vec::new() };
        let derivation = Derivation::new(sql, self.options).or_else(|_| {
            scanned.take_errors_out(sql, self.options)?;
            Derivation::new(&scanned.sql, self.options)
        })?;
        let mut errors = scanned.errors;
        let mut terminals = Cow::Borrowed(derivation.terminals());
        if let Some(written) = &written {
            for error in &mut errors {
                *error = written.original(error);
            }
            for terminal in terminals.to_mut() {
                set_range(terminal, &written.original(&range_of(terminal)));
            }
        }
        self.add_backslashes(&mut terminals);
        let mut kinds = stand_ins.map(StandIns::kinds).unwrap_or_default();
        kinds.append(&mut self.kinds);
        let mut writer = TreeWriter::new(self.text, &self.extras, &errors, &terminals, &kinds);
        writer.depth += self.depth;
        Ok(writer.write(&derivation, root))
    }

    /// Adds backslashes to the terminals that they belong to.
    fn add_backslashes(&self, terminals: &mut Cow<'_, [ShimTerminal]>) {
        for (extra, _) in self.extras.iter().filter(|(_, kind)| kind.is_none()) {
            let place = terminals.partition_point(|it| range_of(it).start < extra.end);
            if terminals.get(place).is_some_and(|it| range_of(it).start == extra.end) {
                let terminal = &mut terminals.to_mut()[place];
                set_range(terminal, &(extra.start..range_of(terminal).end));
            }
        }
    }

    /// Takes the semicolon at the end from the grammar, so that what is missing before it is not behind it.
    pub(super) fn set_semicolon(&mut self) {
        let Some(at) = self.clean.strip_suffix(';').map(str::len) else { return };
        match &mut self.clean {
            Cow::Borrowed(clean) => *clean = &clean[..at],
            Cow::Owned(clean) => clean.truncate(at),
        }
        self.add_semicolons(&[at]);
    }

    /// Adds semicolons to what is not for the grammar, each with the backslash before it. A script may consist of them, so none is
    /// inserted or removed in the middle.
    fn add_semicolons(&mut self, places: &[usize]) {
        let mut alone = Vec::new();
        for at in places {
            let behind = self.extras.partition_point(|(extra, _)| extra.start < *at);
            match self.extras[..behind].last_mut() {
                Some((extra, kind @ None)) if extra.end == *at => {
                    extra.end += 1;
                    *kind = Some(SyntaxKind::SEMICOLON);
                }
                _ => alone.push((*at..*at + 1, Some(SyntaxKind::SEMICOLON))),
            }
        }
        self.extras.append(&mut alone);
        sort_by_key(&mut self.extras, |(extra, _)| (extra.start as u64, 0));
    }

    /// Makes the tokens of a text that is outside of statements: blanks, comments and semicolons, and others that psql drops.
    pub(super) fn tokens(mut self) -> Vec<NodeOrToken<GreenNode, GreenToken>> {
        let (mut errors, mut semicolons) = (Vec::new(), Vec::new());
        if !self.clean.trim_ascii().is_empty() {
            let lossy = scan_lossy_with(&self.clean, self.options);
            errors.extend(lossy.errors.into_iter().map(|error| error.range));
            for token in tokens_of(&lossy.scan) {
                let range = token.range();
                if &self.clean[range.clone()] == ";" {
                    semicolons.push(range.start);
                } else {
                    errors.push(range);
                }
            }
        }
        sort_by_key(&mut errors, |error| (error.start as u64, 0));
        self.add_semicolons(&semicolons);
        let mut writer = TreeWriter::new(self.text, &self.extras, &errors, &[], &[]);
        writer.trivia(0);
        writer.builder.parts.reverse();
        writer.builder.parts
    }
}

fn set_range(terminal: &mut ShimTerminal, range: &Range<usize>) {
    terminal.start = i32::try_from(range.start).unwrap_or(i32::MAX);
    terminal.end = i32::try_from(range.end).unwrap_or(i32::MAX);
}

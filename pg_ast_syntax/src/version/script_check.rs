//! Whether the statements of a script are correct.

use core::ops::Range;

use pg_ast::{CheckedStmt, Error, ParserOptions, Warning};
use rowan::NodeOrToken;

use super::pg::parse_with;
use super::pg::seam::{checked_stmt, error_of_original, moved_error};
use super::script_regions::{Region, RegionStmt};
use super::script_tree::Script;
use super::stand_ins::StandIn;
use super::syntax_kind::{SyntaxKind, SyntaxNode, SyntaxToken};
use crate::written_sql::WrittenSql;

impl Script {
    /// Returns each statement with its warnings, or why PostgreSQL does not accept it.
    ///
    /// It does so as [`Version::parse_script`](pg_ast::Version::parse_script) does, but variables of psql, and the
    /// [`Placeholders`](super::Placeholders) of the options, are no mistakes: a statement is correct if PostgreSQL accepts it with
    /// tokens in their places. The error of another one is that with these tokens, so that its place is the real mistake.
    ///
    /// ```
    /// use pg_ast_syntax::Script;
    ///
    /// let script = Script::parse("SELECT * FROM :tab; SELECT :a FROM FROM t WHERE b = :b;")?;
    /// let stmts = script.check();
    /// assert!(stmts[0].result.is_ok());
    ///
    /// let error = stmts[1].result.as_ref().unwrap_err();
    /// assert_eq!(error.message(), "syntax error at or near \"FROM\"");
    /// assert_eq!(error.cursor(), Some(35));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// All statements are parsed by this call, as far as [`ScriptOptions::parser`](super::ScriptOptions::parser) allows.
    #[must_use]
    pub fn check(&self) -> Vec<CheckedStmt> {
        let stmts: Vec<_> = self.stmts().collect();
        let checked = stmts.iter().enumerate().map(|(index, stmt)| {
            let next = stmts.get(index + 1).map(ReadStmt::range);
            let (range, copy_data) = (stmt.range(), stmt.copy_data());
            checked_stmt(range, self.result(stmt, next), copy_data)
        });
        checked.collect()
    }

    /// Returns the text with tokens in place of the variables and placeholders, for calls that know neither.
    ///
    /// A variable that can be a value is a parameter, `$1`; a name is its own text in quotes, `":tab"`; a string has its name,
    /// `'val'`; others are what the grammar accepts there. Equal ones are written as equal ones within a statement. What is part of a word or of another token, as in
    /// `tab_:name`, makes a word.
    ///
    /// See [`WrittenSql`] for an example.
    #[must_use]
    pub fn written(&self) -> WrittenSql {
        let mut written = WrittenSql::default();
        let mut at = 0;
        for stmt in self.stmts() {
            let tokens = &stmt.stmt.stand_ins.tokens;
            if tokens.is_empty() {
                continue;
            }
            let range = stmt.range();
            let sql = &self.text[range.clone()];
            let node = self.node(&stmt);
            // Both are in order: each look-up from the root would take time linear in the length of a list.
            let leaves = node.iter().flat_map(SyntaxNode::descendants_with_tokens);
            let mut leaves = leaves.filter_map(NodeOrToken::into_token).peekable();
            let mut numbers: Vec<&str> = Vec::new();
            for token in tokens {
                let text = &sql[token.range.clone()];
                let start = token.range.start;
                while leaves.next_if(|it| usize::from(it.text_range().end()) <= start).is_some() {}
                let is_value = leaves.peek().is_some_and(|leaf| is_value(leaf, token));
                let mut number = 0;
                if is_value {
                    // Only a few of many are looked at again.
                    let mut known = numbers.iter().rev().take(MOST_LOOKED_AT);
                    let known = known.position(|it| *it == text);
                    number = known.map_or(numbers.len() + 1, |known| numbers.len() - known);
                    if number > numbers.len() {
                        numbers.push(text);
                    }
                }
                let by = token.readable(sql, is_value, number);
                let place = range.start + token.range.start..range.start + token.range.end;
                let before = &self.text[at..place.start];
                at = place.end;
                written.replace(before, place, &by);
            }
        }
        written.push(&self.text[at..]);
        written
    }

    /// Returns the statements, as they were read: after an edit, this parses none of them again.
    ///
    /// ```
    /// use pg_ast_syntax::Script;
    ///
    /// let mut script = Script::parse("SELECT 1; SELEC 2;")?;
    /// let wrong = |script: &Script| -> Vec<bool> {
    ///     script.stmts().map(|stmt| stmt.error().is_some()).collect()
    /// };
    /// assert_eq!(wrong(&script), [false, true]);
    /// script.edit(15..15, "T")?;
    /// assert_eq!(wrong(&script), [false, false]);
    /// assert_eq!(script.stmts().last().unwrap().range(), 10..18);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn stmts(&self) -> impl Iterator<Item = ReadStmt<'_>> {
        let (stmts, clean) = (self.regions.iter(), &self.clean);
        stmts.filter_map(|region| Some(ReadStmt { region, stmt: region.stmt.as_deref()?, clean }))
    }

    /// Returns the concrete tree of a statement.
    fn node(&self, stmt: &ReadStmt<'_>) -> Option<SyntaxNode> {
        let part = self.green.children().nth(stmt.region.parts + stmt.stmt.part)?;
        match part {
            NodeOrToken::Node(node) => Some(SyntaxNode::new_root(node.to_owned())),
            NodeOrToken::Token(_) => None,
        }
    }

    /// Parses a statement, with tokens in place of stand-ins; `next` is the statement behind it.
    fn result(
        &self,
        stmt: &ReadStmt<'_>,
        next: Option<Range<usize>>,
    ) -> Result<Vec<Warning>, Error> {
        let RegionStmt { stand_ins, options, error, .. } = stmt.stmt;
        let range = stmt.range();
        if let Some(error) = stmt.error()
            && stand_ins.tokens.is_empty()
        {
            return Err(error);
        }
        let clean = stmt.sql();
        let parse = |sql: &str| {
            parse_with(sql, *options).map(|mut tree| core::mem::take(&mut tree.warnings))
        };
        if stand_ins.tokens.is_empty() {
            return match parse(clean) {
                Ok(warnings) => Ok(moved(warnings, &WrittenSql::default(), &range)),
                Err(error) => Err(placed(moved_error(error, 0, range.start), &range)),
            };
        }
        let mut written = stand_ins.written(clean);
        let mut end = range.end;
        let mut result = parse(written.text());
        // What psql sends ends with the next statement.
        if let Some(next) = next.filter(|_| error.is_some() && stmt.stmt.sent.is_none())
            && result.is_ok()
        {
            let behind = &self.clean[range.end..next.end];
            written.push(behind);
            end = next.end;
            result = parse(written.text());
        }
        match result {
            Ok(warnings) => Ok(moved(warnings, &written, &range)),
            Err(error) => {
                let original = &self.text[range.start..end];
                let error = error_of_original(error, written.into_text(), original);
                Err(placed(moved_error(error, 0, range.start), &(range.start..end)))
            }
        }
    }
}

/// How many of the last values of a statement may be the same as the next one.
const MOST_LOOKED_AT: usize = 64;

/// A statement of a [`Script`], as it was read. Returned by [`Script::stmts`].
#[derive(Clone, Copy, Debug)]
pub struct ReadStmt<'a> {
    region: &'a Region,
    stmt: &'a RegionStmt,
    clean: &'a str,
}

impl<'a> ReadStmt<'a> {
    /// Returns its range in the script, in bytes: from its first token to its last, without the semicolon.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.moved(&self.stmt.range)
    }

    /// Returns its text, with a blank for each byte that is not for the parser: those of psql commands and `COPY` data.
    #[must_use]
    pub fn sql(&self) -> &'a str {
        &self.clean[self.range()]
    }

    /// Returns the options with which it is parsed.
    #[must_use]
    pub fn options(&self) -> ParserOptions {
        self.stmt.options
    }

    /// Returns why PostgreSQL's grammar does not accept it, with a cursor that is a byte offset into the script; `None` if it does.
    /// For a statement with variables or placeholders, [`Script::check`] tells this.
    #[must_use]
    pub fn error(&self) -> Option<Error> {
        let Region { read_at, start, .. } = *self.region;
        self.stmt.error.as_ref().map(|error| moved_error(error.clone(), read_at, start))
    }

    /// Returns whether it has variables of psql, or placeholders of [`ScriptOptions`](super::ScriptOptions).
    #[must_use]
    pub fn has_stand_ins(&self) -> bool {
        !self.stmt.stand_ins.tokens.is_empty()
    }

    /// Returns the range of its data in the script, as [`CheckedStmt::copy_data`].
    #[must_use]
    pub fn copy_data(&self) -> Option<Range<usize>> {
        self.stmt.copy_data.as_ref().map(|data| self.moved(data))
    }

    fn moved(&self, range: &Range<usize>) -> Range<usize> {
        let place = |at: usize| at - self.region.read_at + self.region.start;
        place(range.start)..place(range.end)
    }
}

/// The grammar has errors at no node's location, or at none.
fn placed(error: Error, range: &Range<usize>) -> Error {
    let cursor = error.cursor().unwrap_or(range.start);
    error.with_cursor(Some(cursor.clamp(range.start, range.end)))
}

/// Moves warnings to their places in the script.
fn moved(mut warnings: Vec<Warning>, written: &WrittenSql, range: &Range<usize>) -> Vec<Warning> {
    for warning in &mut warnings {
        let cursor = warning.cursor.map(|at| range.start + written.original(&(at..at)).start);
        warning.cursor = cursor.map(|cursor| cursor.clamp(range.start, range.end));
    }
    warnings
}

/// Returns whether a stand-in is an expression of its own, where a parameter may be.
fn is_value(token: &SyntaxToken, stand_in: &StandIn) -> bool {
    let is_whole = Range::<usize>::from(token.text_range()) == stand_in.range;
    let Some(name) = token.parent().filter(|name| is_whole && name.kind() == SyntaxKind::ColId)
    else {
        return false;
    };
    name.parent().is_some_and(|parent| {
        parent.kind() == SyntaxKind::columnref && parent.text_range() == name.text_range()
    })
}

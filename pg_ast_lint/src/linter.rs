//! Scripts that are checked while somebody writes them.

use core::ops::Range;
use std::collections::HashMap;
use std::rc::Rc;

use pg_ast::ParserOptions;
use pg_ast_syntax::Script;

use crate::body::with_schema;
use crate::check::{lint, lint_units};
use crate::unit::{Parsed, Unit};
use crate::{Finding, Options};

/// Checks a script again and again while it changes, as an editor does.
///
/// It finds what [`lint`] finds in the same text. What it knows of a statement, it keeps while the text of the statement, and what the
/// rest of the script says about it, stay the same; so a text that differs little from the last one takes little time.
///
/// ```
/// use pg_ast_lint::{Linter, Options, lint};
///
/// let mut linter = Linter::new(Options::default());
/// assert_eq!(linter.lint("SELECT 1; DELETE FROM t").len(), 1);
///
/// let script = "SELECT 1; CREATE TABLE t (a int); TRUNCATE t CASCADE; DELETE FROM t";
/// assert_eq!(linter.lint(script), lint(script, &Options::default()));
/// ```
pub struct Linter {
    options: Options,
    /// The last text, and how it was read.
    script: Option<Script>,
    /// Correct statements by their text.
    known: HashMap<(String, ParserOptions), Rc<Parsed>>,
    /// The number of texts so far.
    checks: u64,
}

impl Linter {
    /// Makes one that knows no text.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, script: None, known: HashMap::new(), checks: 0 }
    }

    /// Checks all statements of a script, as [`lint`] does.
    #[must_use]
    pub fn lint(&mut self, script: &str) -> Vec<Finding> {
        let text = with_schema(script);
        self.checks += 1;
        self.read(&text);
        let Some(units) = self.units(&text) else { return lint(script, &self.options) };
        let found = lint_units(&text, &units, (script, &self.options), Some(self.checks));
        for parsed in self.known.values() {
            parsed.forget(self.checks);
        }
        found
    }

    /// Reads a text, or the part of it that differs from the last one.
    fn read(&mut self, text: &str) {
        if let Some(script) = &mut self.script {
            let (range, new) = difference(script.text(), text);
            if script.edit(range, new).is_ok() {
                return;
            }
        }
        self.script = Script::parse(text).ok();
    }

    /// Returns the statements; `None` if not all of them can be parsed alone.
    fn units(&mut self, text: &str) -> Option<Vec<Unit>> {
        let mut known = core::mem::take(&mut self.known);
        let mut units = Vec::new();
        for stmt in self.script.as_ref()?.stmts() {
            let (range, sql, options) = (stmt.range(), stmt.sql(), stmt.options());
            if stmt.has_stand_ins() || text.get(range.clone()) != Some(sql) {
                return None;
            }
            let result = match stmt.error() {
                Some(error) => Err(error),
                None => {
                    let key = (sql.to_owned(), options);
                    let parsed = match self.known.get(&key).cloned().or_else(|| known.remove(&key))
                    {
                        Some(parsed) => parsed,
                        None => Rc::new(Parsed::new(sql, pg_ast::parse_with(sql, options).ok()?)),
                    };
                    self.known.insert(key, parsed.clone());
                    Ok(parsed)
                }
            };
            units.push(Unit { range, result, copy_data: stmt.copy_data() });
        }
        Some(units)
    }
}

/// Returns the range of an old text that is another one in a new text.
fn difference<'a>(old: &str, new: &'a str) -> (Range<usize>, &'a str) {
    let equal = old.bytes().zip(new.bytes()).take_while(|(old, new)| old == new).count();
    let start = (0..=equal).rev().find(|at| new.is_char_boundary(*at) && old.is_char_boundary(*at));
    let start = start.unwrap_or(0);
    let most = old.len().min(new.len()) - start;
    let behind = old.bytes().rev().zip(new.bytes().rev());
    let behind = behind.take(most).take_while(|(old, new)| old == new).count();
    let is_boundary = |len: &usize| {
        old.is_char_boundary(old.len() - len) && new.is_char_boundary(new.len() - len)
    };
    let behind = (0..=behind).rev().find(is_boundary).unwrap_or(0);
    (start..old.len() - behind, &new[start..new.len() - behind])
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_turns_one_text_into_the_other() {
        let texts = ["", "a", "ab", "aab", "ä", "ö", "äö", "🐘", "🐙a", "a🐘a🐘"];
        for (old, new) in texts.iter().flat_map(|old| texts.map(|new| (*old, new))) {
            let (range, by) = difference(old, new);
            let mut text = old.to_owned();
            text.replace_range(range, by);
            assert_eq!(text, new, "{old}");
        }
        assert_eq!(difference("SELECT 1; SELECT 2", "SELECT 1; SELECT 32"), (17..17, "3"));
    }
}

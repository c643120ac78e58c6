//! Settings.

use std::collections::BTreeSet;

use pg_ast::syntax::Placeholders;

use crate::{Fix, Rule};

/// The rules to check, and how the script is run. By default, all rules are on.
///
/// ```
/// use pg_ast_lint::{Options, Rule, lint};
///
/// let sql = "SELECT * FROM t; DELETE FROM t";
/// assert_eq!(lint(sql, &Options::default()).len(), 2);
/// assert_eq!(lint(sql, &Options::default().without([Rule::SelectStar])).len(), 1);
/// assert_eq!(lint(sql, &Options::default().only([Rule::DropTable])).len(), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    rules: BTreeSet<Rule>,
    pub(crate) in_transaction: bool,
    pub(crate) placeholders: Placeholders,
    unsafe_fixes: bool,
}

impl Default for Options {
    fn default() -> Self {
        let rules = Rule::ALL.iter().copied().collect();
        let placeholders = Placeholders::default();
        Self { rules, in_transaction: false, placeholders, unsafe_fixes: false }
    }
}

impl Options {
    /// Turns on only these rules.
    #[must_use]
    pub fn only(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        self.rules = rules.into_iter().collect();
        self
    }

    /// Turns these rules off.
    #[must_use]
    pub fn without(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        for rule in rules {
            self.rules.remove(&rule);
        }
        self
    }

    /// Sets whether the script runs in a transaction, as in many migration tools; false by default.
    ///
    /// If it does, `CONCURRENTLY` is not allowed, and a script that fails halfway leaves nothing behind.
    #[must_use]
    pub fn in_transaction(mut self, value: bool) -> Self {
        self.in_transaction = value;
        self
    }

    /// Sets which placeholders of other tools are no errors; none by default. Variables of psql never are.
    ///
    /// ```
    /// use pg_ast_lint::pg_ast::syntax::Placeholders;
    /// use pg_ast_lint::{Options, Rule, lint};
    ///
    /// let sql = "DELETE FROM {{ ref('t') }}; SELECT a FROM t WHERE b = :b";
    /// let options = Options::default().placeholders(Placeholders::default().braces(true));
    /// let findings = lint(sql, &options);
    /// assert_eq!(findings.len(), 1);
    /// assert_eq!(findings[0].rule, Rule::DeleteWithoutWhere);
    /// ```
    #[must_use]
    pub fn placeholders(mut self, placeholders: Placeholders) -> Self {
        self.placeholders = placeholders;
        self
    }

    /// Sets whether [`fix`](crate::fix) applies fixes that are not [safe](Fix::is_safe); false by default. It never applies
    /// guesses.
    #[must_use]
    pub fn unsafe_fixes(mut self, value: bool) -> Self {
        self.unsafe_fixes = value;
        self
    }

    /// Returns whether [`fix`](crate::fix) applies a fix.
    #[must_use]
    pub fn applies(&self, fix: &Fix) -> bool {
        fix.is_safe || (self.unsafe_fixes && !fix.is_guess)
    }

    /// Returns whether a rule is on.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }
}

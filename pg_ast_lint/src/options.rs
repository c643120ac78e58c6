//! Settings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pg_ast::Version;
use pg_ast_syntax::Placeholders;

use crate::exceptions::Exceptions;
use crate::known_database::Database;
use crate::{Applicability, Finding, Fix, Rule, Selector, Severity};

/// The rules to check, and how the script is run. By default, the [recommended](Rule::is_recommended) rules are on.
///
/// ```
/// use pg_ast_lint::{Options, Rule, Selector, Severity, lint};
///
/// let sql = "SELECT * FROM s.t; DELETE FROM s.t";
/// let count = |options: Options| lint(sql, &options).len();
/// assert_eq!(count(Options::default()), 1);
/// assert_eq!(count(Options::default().with([Rule::SelectStar])), 2);
/// assert_eq!(count(Options::default().only([Selector::All]).without([Rule::DeleteWithoutWhere])), 1);
/// assert_eq!(count(Options::default().only([Rule::DropTable])), 0);
///
/// let options = Options::default().severity([Rule::DeleteWithoutWhere], Severity::Error);
/// assert_eq!(lint(sql, &options)[0].severity, Severity::Error);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    rules: BTreeSet<Rule>,
    severities: BTreeMap<Rule, Severity>,
    pub(crate) version: Version,
    pub(crate) in_transaction: bool,
    pub(crate) placeholders: Placeholders,
    unsafe_fixes: bool,
    pub(crate) fingerprints: bool,
    pub(crate) exceptions: Exceptions,
    pub(crate) database: Arc<Database>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rules: Selector::Recommended.rules().collect(),
            severities: BTreeMap::new(),
            version: Version::newest(),
            in_transaction: false,
            placeholders: Placeholders::default(),
            unsafe_fixes: false,
            fingerprints: false,
            exceptions: Exceptions::default(),
            database: Arc::default(),
        }
    }
}

impl Options {
    /// Turns on only these rules, or those of these sets.
    #[must_use]
    pub fn only<S: Into<Selector>>(mut self, rules: impl IntoIterator<Item = S>) -> Self {
        self.rules = all_of(rules).collect();
        self
    }

    /// Turns these rules on, or those of these sets, besides those that are on.
    #[must_use]
    pub fn with<S: Into<Selector>>(mut self, rules: impl IntoIterator<Item = S>) -> Self {
        self.rules.extend(all_of(rules));
        self
    }

    /// Turns these rules off, or those of these sets.
    #[must_use]
    pub fn without<S: Into<Selector>>(mut self, rules: impl IntoIterator<Item = S>) -> Self {
        for rule in all_of(rules) {
            self.rules.remove(&rule);
        }
        self
    }

    /// Sets the severity of the findings of these rules, or of those of these sets. A later call takes precedence.
    #[must_use]
    pub fn severity<S: Into<Selector>>(
        mut self,
        rules: impl IntoIterator<Item = S>,
        severity: Severity,
    ) -> Self {
        self.severities.extend(all_of(rules).map(|rule| (rule, severity)));
        self
    }

    /// Sets tables that do not matter to some rules: they find nothing in a statement that names only tables like these. In a pattern,
    /// `*` stands for anything; one without a schema matches the table in all of them. A later call adds to it.
    ///
    /// ```
    /// use pg_ast_lint::{Options, Rule, lint};
    ///
    /// let options = Options::default().except_tables([Rule::DropTable], ["tmp_*", "staging.*"]);
    /// assert!(lint("DROP TABLE tmp_1, staging.orders", &options).is_empty());
    /// assert_eq!(lint("DROP TABLE tmp_1, orders", &options).len(), 1);
    /// ```
    #[must_use]
    pub fn except_tables<S: Into<Selector>, P: Into<String>>(
        mut self,
        rules: impl IntoIterator<Item = S>,
        patterns: impl IntoIterator<Item = P>,
    ) -> Self {
        add(&mut self.exceptions.tables, rules, patterns);
        self
    }

    /// Sets names that some rules accept: a finding is left out if the name at its place is like one of these.
    ///
    /// ```
    /// use pg_ast_lint::{Options, Rule, lint};
    ///
    /// let options = Options::default().except_names([Rule::UnusedVariable], ["_*"]);
    /// let found = lint("DO $$ DECLARE _a int; b int; BEGIN END $$", &options);
    /// assert_eq!(found.len(), 1);
    /// ```
    #[must_use]
    pub fn except_names<S: Into<Selector>, P: Into<String>>(
        mut self,
        rules: impl IntoIterator<Item = S>,
        patterns: impl IntoIterator<Item = P>,
    ) -> Self {
        add(&mut self.exceptions.names, rules, patterns);
        self
    }

    /// Sets the version of PostgreSQL that the script is for; by default the newest one whose feature is on.
    ///
    /// What this version does not accept is a [`SyntaxError`](Rule::SyntaxError), and there are no fixes that it does not accept.
    #[must_use]
    pub fn version(mut self, version: Version) -> Self {
        self.version = version;
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

    /// Sets what the database has before the script, by SQL that defines it; by default, nothing is known. A later call replaces it.
    ///
    /// Rules ask for its constraints: one that keeps a column from being NULL lets `SET NOT NULL` be quick. They ask which tables have
    /// partitions, too, or are related, and so cannot be changed in some ways.
    ///
    /// ```
    /// use pg_ast_lint::{Options, lint};
    ///
    /// let migration = "ALTER TABLE t ALTER COLUMN a SET NOT NULL";
    /// assert_eq!(lint(migration, &Options::default()).len(), 1);
    ///
    /// let options = Options::default().database("CREATE TABLE t (a int CONSTRAINT has_a CHECK (a IS NOT NULL))");
    /// assert!(lint(migration, &options).is_empty());
    /// ```
    #[must_use]
    pub fn database(mut self, script: &str) -> Self {
        self.database = Arc::new(Database::of_script(script));
        self
    }

    /// Sets which placeholders of other tools are no errors; none by default. Variables of psql never are.
    ///
    /// ```
    /// use pg_ast_lint::pg_ast_syntax::Placeholders;
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

    /// Sets whether [`fix`](crate::fix) applies [unsafe](Applicability::Unsafe) fixes; false by default. It never applies
    /// guesses.
    #[must_use]
    pub fn unsafe_fixes(mut self, value: bool) -> Self {
        self.unsafe_fixes = value;
        self
    }

    /// Sets whether findings have a [fingerprint](Finding::fingerprint); false by default. Each statement with a finding is
    /// parsed once more for it.
    ///
    /// ```
    /// use pg_ast_lint::{Options, lint};
    ///
    /// let fingerprint = |sql: &str, options: &Options| lint(sql, options)[0].fingerprint;
    /// let options = Options::default().fingerprints(true);
    /// let first = fingerprint("UPDATE t SET a = 1", &options);
    /// assert!(first.is_some());
    /// assert_eq!(first, fingerprint("SELECT 1; UPDATE t SET a = 2", &options));
    /// assert_eq!(fingerprint("UPDATE t SET a = 1", &Options::default()), None);
    /// ```
    #[must_use]
    pub fn fingerprints(mut self, value: bool) -> Self {
        self.fingerprints = value;
        self
    }

    /// Returns whether [`fix`](crate::fix) applies a fix.
    #[must_use]
    pub fn applies(&self, fix: &Fix) -> bool {
        match fix.applicability {
            Applicability::Safe => true,
            Applicability::Unsafe => self.unsafe_fixes,
            Applicability::Guess => false,
        }
    }

    /// Removes the fixes of rules that are off: nobody sees them.
    pub(crate) fn drop_fixes(&self, found: &mut [Finding]) {
        for finding in found {
            finding.fix = finding.fix.take().filter(|_| self.has(finding.rule));
        }
    }

    /// Returns whether a rule is on.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }

    /// Returns the severity of a rule's findings.
    #[must_use]
    pub fn severity_of(&self, rule: Rule) -> Severity {
        self.severities.get(&rule).copied().unwrap_or(rule.severity())
    }
}

/// Returns all rules of some sets and rules.
fn all_of<S: Into<Selector>>(rules: impl IntoIterator<Item = S>) -> impl Iterator<Item = Rule> {
    rules.into_iter().flat_map(|selector| selector.into().rules())
}

/// Adds patterns to those of rules.
fn add<S: Into<Selector>, P: Into<String>>(
    exceptions: &mut BTreeMap<Rule, Vec<String>>,
    rules: impl IntoIterator<Item = S>,
    patterns: impl IntoIterator<Item = P>,
) {
    let patterns: Vec<String> = patterns.into_iter().map(Into::into).collect();
    for rule in all_of(rules) {
        exceptions.entry(rule).or_default().extend(patterns.iter().cloned());
    }
}

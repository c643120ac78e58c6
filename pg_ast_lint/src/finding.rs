//! Findings and their fixes.

use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use pg_ast::Edits;

use crate::{Rule, Severity};

/// A problem that a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// How bad it is: see [`Options::severity`](crate::Options::severity).
    pub severity: Severity,
    /// The problem, in one line.
    pub message: String,
    /// The range in the script, in bytes. It is empty if something is missing at the end of a statement.
    pub range: Range<usize>,
    /// Advice on what to do, in one line.
    pub help: Option<String>,
    /// The tokens that the grammar would have accepted, if the finding is a [`SyntaxError`](Rule::SyntaxError): see
    /// [`pg_ast::Error::expected`]. Findings share equal ones, of which each may have hundreds.
    pub expected: Arc<[pg_ast::Expected]>,
    /// A change to the script that fixes it.
    pub fix: Option<Fix>,
    /// A hash of the statement without its constants and layout, or, in the body of a function, of its lines: it tells a finding
    /// again after other parts of the script have changed. `None` without [`Options::fingerprints`](crate::Options::fingerprints).
    pub fingerprint: Option<u64>,
}

impl Finding {
    pub(crate) fn new(rule: Rule, range: Range<usize>, message: impl Into<String>) -> Self {
        let message = message.into();
        let severity = rule.severity();
        Self {
            rule,
            severity,
            message,
            range,
            help: None,
            expected: Arc::default(),
            fix: None,
            fingerprint: None,
        }
    }

    /// Makes a finding with the rule's description as its message.
    pub(crate) fn of(rule: Rule, range: Range<usize>) -> Self {
        Self::new(rule, range, rule.description())
    }

    /// Returns whether all of its places are in a range.
    pub(crate) fn is_in(&self, range: &Range<usize>) -> bool {
        let changes = self.fix.iter().flat_map(|fix| &fix.changes).map(|(range, _)| range);
        let mut all = changes.chain([&self.range]);
        all.all(|it| range.start <= it.start && it.end <= range.end)
    }

    /// Returns it with other places.
    pub(crate) fn moved(&self, place: impl Fn(usize) -> usize) -> Self {
        let mut moved = self.clone();
        let move_range = |range: &mut Range<usize>| *range = place(range.start)..place(range.end);
        move_range(&mut moved.range);
        for (range, _) in moved.fix.iter_mut().flat_map(|fix| &mut fix.changes) {
            move_range(range);
        }
        moved
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }
}

/// Prints the rule and the message.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)
    }
}

/// A change to a script that fixes a finding. PostgreSQL accepts the changed statement; comments and layout stay.
///
/// ```
/// use pg_ast::Edits;
///
/// let sql = "SELECT a FROM t WHERE b = NULL -- missing";
/// let findings = pg_ast_lint::lint(sql, &Default::default());
/// let mut edits = Edits::new(sql);
/// findings[0].fix.as_ref().unwrap().edit(&mut edits);
/// assert_eq!(edits.apply()?, "SELECT a FROM t WHERE b IS NULL -- missing");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Fix {
    /// Its effect, in one line: the title of a code action.
    pub title: String,
    /// Byte ranges of the script and their replacements, in order, without overlaps.
    pub changes: Vec<(Range<usize>, String)>,
    /// Who may apply it.
    pub applicability: Applicability,
}

/// Who may apply a fix.
///
/// ```
/// use pg_ast_lint::{Applicability, lint};
///
/// let applicability = |sql| lint(sql, &Default::default())[0].fix.as_ref().unwrap().applicability;
/// assert_eq!(applicability("SELECT a FROM t WHERE b = NULL"), Applicability::Safe);
/// assert_eq!(applicability("CREATE INDEX i ON t (a)"), Applicability::Unsafe);
/// assert_eq!(applicability("SELECT a FORM t"), Applicability::Guess);
/// assert_eq!(Applicability::Guess.name(), "guess");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Applicability {
    /// The script does what it did, or what it was clearly meant to do: [`fix`](crate::fix) applies it.
    Safe,
    /// It changes what the script does in some cases: [`fix`](crate::fix) applies it if
    /// [`Options::unsafe_fixes`](crate::Options::unsafe_fixes) says so.
    Unsafe,
    /// It is a guess, such as the keyword that was probably meant by a wrong word: a person has to check it, so
    /// [`fix`](crate::fix) never applies it.
    Guess,
}

impl Applicability {
    /// Returns the name: `safe`, `unsafe` or `guess`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::Guess => "guess",
        }
    }
}

impl Fix {
    pub(crate) fn new(title: impl Into<String>, changes: Vec<(Range<usize>, String)>) -> Self {
        Self { title: title.into(), changes, applicability: Applicability::Safe }
    }

    /// Marks it as one that changes what the script does in some cases.
    pub(crate) fn not_safe(mut self) -> Self {
        self.applicability = Applicability::Unsafe;
        self
    }

    /// Marks it as a guess.
    pub(crate) fn guess(mut self) -> Self {
        self.applicability = Applicability::Guess;
        self
    }

    /// Adds the changes to the edits of a script.
    pub fn edit(&self, edits: &mut Edits<'_>) {
        for (range, text) in &self.changes {
            edits.replace(range.clone(), text.as_str());
        }
    }
}

//! What is found, and what mends it.

use core::fmt;
use core::ops::Range;

use pg_ast::Edits;

use crate::Rule;

/// A problem that a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// What is wrong, in one line.
    pub message: String,
    /// Where it is, in bytes of the script. It is empty where something is missing at the end of a statement.
    pub range: Range<usize>,
    /// What to do about it, in one line.
    pub help: Option<String>,
    /// What the grammar would have taken, where the finding is a [`SyntaxError`](Rule::SyntaxError): as
    /// [`pg_ast::Error::expected`].
    pub expected: Vec<pg_ast::Expected>,
    /// A change of the script that solves it.
    pub fix: Option<Fix>,
}

impl Finding {
    pub(crate) fn new(rule: Rule, range: Range<usize>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { rule, message, range, help: None, expected: Vec::new(), fix: None }
    }

    /// With the rule's description for a message.
    pub(crate) fn of(rule: Rule, range: Range<usize>) -> Self {
        Self::new(rule, range, rule.description())
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

/// The rule and the message.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)
    }
}

/// A change of a script that solves a finding. PostgreSQL accepts the statement with it, and comments and layout stay.
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
#[non_exhaustive]
pub struct Fix {
    /// What it does, in one line: the title of a code action.
    pub title: String,
    /// Ranges of bytes of the script, and what comes in their place; in order, none of them overlapping another.
    pub changes: Vec<(Range<usize>, String)>,
    /// Whether it is a guess, such as the keyword that a wrong word seems to stand for: a person has to look at it, so
    /// that [`fix`](crate::fix) leaves it alone.
    pub is_guess: bool,
}

impl Fix {
    pub(crate) fn new(title: impl Into<String>, changes: Vec<(Range<usize>, String)>) -> Self {
        Self { title: title.into(), changes, is_guess: false }
    }

    /// Adds the changes to edits of the script.
    pub fn edit(&self, edits: &mut Edits<'_>) {
        for (range, text) in &self.changes {
            edits.replace(range.clone(), text.as_str());
        }
    }
}

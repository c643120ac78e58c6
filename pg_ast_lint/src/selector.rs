//! What selects rules: their names, and those of sets.

use std::fmt;
use std::str::FromStr;

use crate::Rule;

/// Rules to select or to ignore: a set, or one of them.
///
/// It prints, and is parsed, as its name.
///
/// ```
/// use pg_ast_lint::{Rule, Selector};
///
/// assert_eq!("drop-table".parse(), Ok(Selector::Rule(Rule::DropTable)));
/// assert_eq!("all".parse(), Ok(Selector::All));
/// assert!(Selector::Recommended.rules().all(Rule::is_recommended));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Selector {
    /// `all`: all rules.
    All,
    /// `recommended`: the rules that are on by default.
    Recommended,
    /// A rule.
    Rule(Rule),
}

impl Selector {
    /// The sets.
    pub const SETS: &[Self] = &[Self::All, Self::Recommended];

    /// Returns its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Recommended => "recommended",
            Self::Rule(rule) => rule.name(),
        }
    }

    /// Returns its rules.
    pub fn rules(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| match self {
            Self::All => true,
            Self::Recommended => rule.is_recommended(),
            Self::Rule(only) => *rule == only,
        })
    }

    /// Returns all sets and all rules.
    fn all() -> impl Iterator<Item = Self> {
        Self::SETS.iter().copied().chain(Rule::ALL.iter().copied().map(Self::Rule))
    }
}

impl From<Rule> for Selector {
    fn from(rule: Rule) -> Self {
        Self::Rule(rule)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Selector {
    type Err = UnknownSelector;

    fn from_str(name: &str) -> Result<Self, UnknownSelector> {
        let found = Self::all().find(|selector| selector.name() == name);
        found.ok_or_else(|| UnknownSelector(name.to_owned()))
    }
}

/// The error for a name that is neither a rule nor a set.
///
/// ```
/// use pg_ast_lint::Selector;
///
/// let error = "recomended".parse::<Selector>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown rule or set `recomended`; did you mean `recommended`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSelector(String);

impl UnknownSelector {
    /// Returns what was probably meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<Selector> {
        // Longer strings are not names, and comparing takes time.
        if self.0.len() > 64 {
            return None;
        }
        let distance = |it: &Selector| strsim::osa_distance(&self.0, it.name());
        let nearest = Selector::all().min_by_key(distance)?;
        // Some letters of a short name make another one.
        (distance(&nearest) <= (self.0.len() / 3).clamp(1, 3)).then_some(nearest)
    }
}

impl fmt::Display for UnknownSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown rule or set `{}`", self.0)?;
        match self.suggestion() {
            Some(selector) => write!(f, "; did you mean `{selector}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownSelector {}

//! How bad findings are.

use std::fmt;

use crate::Rule;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Dangerous, or rarely intended.
    Warning,
    /// PostgreSQL does not accept it.
    Error,
}

impl Severity {
    /// Returns its name: `info`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Rule {
    /// Returns the severity of its findings, unless [`Options::severity`](crate::Options::severity) sets another one: an error if
    /// PostgreSQL does not accept the statement, or fails whenever it runs it; else a warning.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::SyntaxError | Self::ConcurrentlyInTransaction | Self::QueryWithoutDestination => {
                Severity::Error
            }
            _ => Severity::Warning,
        }
    }
}

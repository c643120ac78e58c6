//! The tools without their command line.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::ValueEnum as _;
use pg_ast::{Error, Version};

use crate::args::LogFormat;
use crate::commands::digest_of;

/// A formatted script.
#[derive(Debug)]
pub struct Formatted {
    /// The result.
    pub text: String,
    /// The errors, with positions in the original script.
    pub errors: Vec<Error>,
    /// The number of correct statements that stay as they are.
    pub kept: usize,
    /// The number of correct bodies of functions that stay as they are.
    pub kept_bodies: usize,
    /// Why the whole script stays as it is.
    pub refused: Option<String>,
}

/// Formats a script, with the defaults of `pgast fmt`.
#[must_use]
pub fn format(version: Version, script: &str) -> Formatted {
    let formatted = pg_ast_fmt::format(version, script, &pg_ast_fmt::Options::default());
    Formatted {
        text: formatted.text,
        errors: formatted.errors.into_iter().map(|(error, _)| error).collect(),
        kept: formatted.kept.len(),
        kept_bodies: formatted.kept_bodies.len(),
        refused: formatted.refused.map(|difference| format!("{difference:?}")),
    }
}

/// What `pgast digest` counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digested {
    /// The number of calls by fingerprint.
    pub kinds: BTreeMap<u64, u64>,
    /// The number of wrong statements.
    pub errors: u64,
    /// The number of lines.
    pub lines: u64,
    /// Those of them that are understood.
    pub understood: u64,
    /// The others.
    pub lost: u64,
}

/// Counts the statements of a log or script, whose format has its name of the option `--format`.
///
/// # Errors
///
/// Returns an error if the format has another name, or if the input cannot be read.
pub fn digest(version: Version, format: &str, input: &[u8]) -> Result<Digested> {
    let format = LogFormat::from_str(format, false).map_err(anyhow::Error::msg)?;
    digest_of(version, format, input)
}

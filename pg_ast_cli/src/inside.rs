//! The tools without their command line.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::ValueEnum as _;
use pg_ast::{DeparseOptions, Error, Version};

use crate::args::LogFormat;
use crate::commands::digest_of;
use crate::format::Formatter;

/// A formatted script.
#[derive(Debug)]
pub struct Formatted {
    /// The result.
    pub text: String,
    /// The errors, with positions in the original script.
    pub errors: Vec<Error>,
    /// The number of correct statements that stay as they are.
    pub kept: usize,
    /// Why the whole script stays as it is.
    pub refused: Option<String>,
}

/// Formats a script, with the defaults of `pgast fmt`.
///
/// # Errors
///
/// Returns an error if the version has no layouts.
pub fn format(version: Version, script: &str) -> Result<Formatted, Error> {
    let options = DeparseOptions::default().indent_size(2).max_line_length(100);
    let formatted = Formatter::new(version, options)?.format(script);
    Ok(Formatted {
        text: formatted.text,
        errors: formatted.errors.into_iter().map(|(error, _)| error).collect(),
        kept: formatted.kept.len(),
        refused: formatted.refused.map(|difference| format!("{difference:?}")),
    })
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

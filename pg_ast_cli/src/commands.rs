//! The commands, each in a file of its own.

mod catalog;
mod check;
mod complete;
mod describe;
mod diff;
mod digest;
mod fmt;
mod lineage;
mod lint;
pub(crate) mod list;
#[cfg(feature = "lsp")]
mod lsp;
mod outline;
mod parse;
mod unified;

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use clap::CommandFactory as _;
use pg_ast::Version;

use crate::Outcome;
use crate::args::{Cli, Command, Output};
use crate::config::Config;

pub(crate) use digest::{Template, Time, digest_of};

/// Runs a command, with standard output for what it prints.
pub(crate) fn run(command: &Command, pg: Option<Version>, config: &Config) -> Result<Outcome> {
    let version = config.version(pg)?;
    // Not locked: the threads of the language server write to it.
    let stdout = io::stdout();
    // A stream that strips escape codes for files would also strip them from SQL and Protobuf.
    let mut out: Box<dyn Write> = if is_styled(command, config) {
        Box::new(BufWriter::new(anstream::AutoStream::auto(stdout)))
    } else {
        Box::new(BufWriter::new(stdout))
    };
    let out = &mut *out;
    let outcome = match command {
        Command::Parse(args) => parse::run(args, version, out),
        Command::Check(args) => check::run(args, version, config, out),
        Command::Fmt(args) => fmt::run(args, version, config, out),
        Command::Lint(args) => lint::run(args, version, config, out),
        Command::Fingerprint(args) => list::fingerprints(args, version, out),
        Command::Normalize(args) => list::normalize(args, version, out),
        Command::Scan(args) => list::tokens(args, version, out),
        Command::Split(args) => list::split(args, version, config, out),
        Command::Tables(args) => list::tables(args, version, config, out),
        Command::Describe(args) => describe::run(args, version, config, out),
        Command::Lineage(args) => lineage::run(args, version, config, out),
        Command::Catalog(args) => catalog::run(args, version, out),
        Command::Digest(args) => digest::run(args, version, out),
        Command::Diff(args) => diff::run(args, out),
        Command::Complete(args) => complete::run(args, version, config, out),
        #[cfg(feature = "lsp")]
        Command::Lsp(args) => lsp::run(args, version, config),
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Cli::command(), "pgast", &mut &mut *out);
            Ok(Outcome::Fine)
        }
        Command::Man => {
            clap_mangen::Man::new(Cli::command()).render(&mut &mut *out)?;
            Ok(Outcome::Fine)
        }
    }?;
    out.flush()?;
    Ok(outcome)
}

/// Returns whether the output of a command has colours.
fn is_styled(command: &Command, config: &Config) -> bool {
    match command {
        Command::Check(args) => args.output.output == Output::Full,
        Command::Diff(args) => args.output.output == Output::Full,
        Command::Lint(args) => {
            let output = args.output.or(config.lint.output).unwrap_or_default();
            output == Output::Full && !(args.fix && args.inputs.has_text_to_print())
        }
        Command::Fmt(args) => args.diff,
        Command::Digest(args) => !args.json && !args.csv && !args.html,
        _ => false,
    }
}

/// Returns a number with its noun: `1 file`, `2 files`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

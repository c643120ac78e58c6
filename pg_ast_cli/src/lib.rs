//! `pgast`: PostgreSQL's own parser on the command line.
//!
//! The library is for the program, its tests and its fuzz target, and has no API that stays.
#![doc(hidden)]

mod args;
mod commands;
mod config;
mod input;
pub mod inside;
mod known_objects;
mod paths;
mod report;
mod stand_ins;
mod write;

use std::io;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Cli;
use crate::config::Config;

/// The outcome of a command, which is its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// All is well.
    Fine = 0,
    /// There is something to fix: SQL with an error, a finding, a file that is not formatted.
    Found = 1,
    /// The command itself failed.
    Failed = 2,
}

/// Runs the program, and returns its exit code.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    cli.color.write_global();
    let result = Config::find(cli.config.as_deref())
        .and_then(|config| commands::run(&cli.command, cli.pg, &config));
    let outcome = result.unwrap_or_else(|error| {
        // The reader of the output has closed it.
        if is_broken_pipe(&error) {
            return Outcome::Fine;
        }
        report::failure(&error);
        Outcome::Failed
    });
    ExitCode::from(outcome as u8)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

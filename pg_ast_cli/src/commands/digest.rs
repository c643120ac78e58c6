//! `pgast digest`: a log, or a stream of statements, as a table of fingerprints.
//!
//! One thread reads, all others parse. Only one text is kept per kind of statement, so that memory depends on how
//! many kinds there are, not on how many statements.
//!
//! A reader per format (`text`, `syslog`, `csvlog`, `pg_stat_statements`, `stream`) writes messages or statements to a
//! `Log`, and accounts for every line of its input.

mod account;
mod batch;
mod count;
mod csvlog;
mod detect;
mod entries;
mod fingerprints;
mod json;
mod lines;
mod log;
mod messages;
mod normalized;
mod pg_stat_statements;
mod plan;
mod print;
mod records;
mod sessions;
mod shown;
mod stream;
mod syslog;
#[cfg(test)]
mod tests;
mod text;
mod words;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use pg_ast::Version;

use self::account::{Account, Reason};
use self::batch::Batches;
use self::lines::Lines;
use self::log::Log;
use crate::args::{Digest, LogFormat};
use crate::input::Place;
use crate::inside::Digested;
use crate::{Outcome, report};

/// The number of bytes to read at once; the first of them show the format of a file.
const BUFFER: usize = 1 << 20;

pub(crate) fn run(args: &Digest, version: Version, out: &mut dyn Write) -> Result<Outcome> {
    let places = args.inputs.places()?;
    let threads = args
        .threads
        .or_else(|| thread::available_parallelism().ok().map(NonZero::get))
        .unwrap_or(1);
    let mut account = Account::default();
    let mut outcome = Outcome::Fine;
    let counts = count::with_threads(threads.max(1), args.max_kinds, version, |batches| {
        for place in places {
            // One that cannot be read does not affect the others.
            if let Err(error) = read(place, args.format, version, &mut account, batches) {
                report::failure(&error);
                outcome = Outcome::Failed;
            }
        }
        Ok(())
    })?;
    print::table(args, counts, &account, out)?;
    let found = if account.without_stmts.is_empty() { Outcome::Fine } else { Outcome::Found };
    Ok(outcome.max(found))
}

fn read(
    place: Place,
    format: LogFormat,
    version: Version,
    account: &mut Account,
    batches: &mut Batches,
) -> Result<()> {
    let name = place.name();
    let (reader, progress): (Box<dyn Read>, _) = match place {
        Place::Argument(text) => (Box::new(io::Cursor::new(text)), ProgressBar::hidden()),
        Place::Stdin => {
            let progress = ProgressBar::new_spinner()
                .with_style(style("{spinner} {msg} {bytes} ({bytes_per_sec})"));
            (Box::new(io::stdin().lock()), progress)
        }
        Place::Unreadable(error) => bail!("cannot read {error}"),
        Place::File(ref path) => {
            let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
            let length = file.metadata().map_or(0, |metadata| metadata.len());
            let progress = ProgressBar::new(length)
                .with_style(style("{msg} {wide_bar} {bytes}/{total_bytes} ({eta})"));
            (Box::new(file), progress)
        }
    };
    // If standard error is a terminal, indicatif hides it or not; output in a terminal would go through it.
    let progress = if io::stderr().is_terminal() { progress } else { ProgressBar::hidden() };
    progress.set_message(name.clone());
    let mut reader = BufReader::with_capacity(BUFFER, progress.wrap_read(reader));
    let start = reader.fill_buf().with_context(|| format!("cannot read {name}"))?;
    if let Some(kind) = detect::compression(start) {
        bail!(
            "cannot read {name}: it is compressed by {kind}; unpack it first, or pipe it in unpacked"
        );
    }
    let format = match format {
        LogFormat::Auto => detect::format(Path::new(&name), start),
        format => format,
    };
    let (known, lines) = (batches.pushed, account.lines);
    account.file.clone_from(&name);
    let read = read_as(format, &mut reader, version, &mut Log::new(account, batches));
    progress.finish_and_clear();
    read.with_context(|| format!("cannot read {name}"))?;
    if batches.pushed == known {
        account.without_stmts.push((name, account.lines - lines));
    }
    Ok(())
}

fn read_as(
    format: LogFormat,
    reader: &mut dyn BufRead,
    version: Version,
    log: &mut Log<'_>,
) -> Result<()> {
    if matches!(format, LogFormat::Auto | LogFormat::Sql) {
        return stream::read(reader, version, log);
    }
    let mut lines = Lines::new(reader);
    match format {
        LogFormat::Csvlog => csvlog::read(&mut lines, log),
        LogFormat::Jsonlog => text::read(&mut lines, Reason::NotJson, log),
        LogFormat::PgStatStatements => pg_stat_statements::read(&mut lines, log),
        LogFormat::Syslog => syslog::read(&mut lines, log),
        _ => text::read(&mut lines, Reason::NoSeverity, log),
    }?;
    log.account.lines += lines.count;
    log.finish()
}

/// Counts the statements of an input, with one thread.
pub(crate) fn digest_of(version: Version, format: LogFormat, input: &[u8]) -> Result<Digested> {
    let mut account = Account::default();
    let counts = count::with_threads(1, usize::MAX, version, |batches| {
        let format = match format {
            LogFormat::Auto => detect::format(Path::new("stdin"), input),
            format => format,
        };
        let mut reader = input;
        read_as(format, &mut reader, version, &mut Log::new(&mut account, batches))
    })?;
    Ok(Digested {
        kinds: counts.kinds.iter().map(|(value, kind)| (*value, kind.calls.count)).collect(),
        errors: counts.errors.count,
        lines: account.lines,
        understood: account.understood,
        lost: account.lost().map(|lost| lost.lines).sum(),
    })
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

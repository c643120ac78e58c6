//! `pgast digest`: a log, or a stream of statements, as a table of fingerprints.
//!
//! One thread reads, all others parse. Only one text is kept per kind of statement, and a bounded distribution of times, so
//! that memory depends on how many kinds there are, not on how many statements.
//!
//! A reader per format (`text`, `syslog`, `csvlog`, `pg_stat_statements`, `stream`) writes messages or statements to a
//! `Log`, and accounts for every line of its input: it is understood, skipped, or not understood.

mod account;
mod batch;
mod count;
mod csvlog;
mod detect;
mod entries;
mod fingerprints;
mod histogram;
mod html;
mod json;
mod jsonlog;
mod lines;
mod log;
mod messages;
mod normalized;
mod pg_stat_statements;
mod plan;
mod prefix;
mod print;
mod records;
mod sessions;
mod shown;
mod stream;
mod syslog;
mod tallies;
#[cfg(test)]
mod tests;
mod text;
mod times;
mod unpack;
mod words;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use pg_ast::Version;

use self::account::{Account, Reason};
use self::lines::Lines;
use self::log::{Filter, Log};
use self::unpack::Whole;
use crate::args::{Digest, LogFormat};
use crate::input::Place;
use crate::inside::Digested;
use crate::{Outcome, report};

pub(crate) use self::prefix::Template;
pub(crate) use self::times::Time;

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
    let filter = filter(args);
    let limits = count::Limits::new(args.max_kinds, args.samples);
    let (counts, mut tallies) = count::with_threads(threads.max(1), limits, version, |batches| {
        // Rotated logs are one log: a session may go on in the next file.
        let mut log = Log::new(&mut account, batches, &filter);
        for place in places {
            // One that cannot be read does not affect the others.
            if let Err(error) = read(place, args.format, version, &mut log) {
                report::failure(&error);
                outcome = Outcome::Failed;
            }
        }
        log.finish()
    })?;
    print::report(args, &counts, &mut tallies, &account, out)?;
    let is_none = !account.without_stmts.is_empty() || counts.is_wrong(&tallies);
    let found = if is_none { Outcome::Found } else { Outcome::Fine };
    Ok(outcome.max(found))
}

fn filter(args: &Digest) -> Filter {
    Filter {
        since: args.since,
        until: args.until,
        databases: args.database.clone(),
        users: args.user.clone(),
        applications: args.application.clone(),
        prefix: args.prefix.clone(),
        parameters: args.samples > 0,
    }
}

fn read(place: Place, format: LogFormat, version: Version, log: &mut Log<'_>) -> Result<()> {
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
    let packed = BufReader::with_capacity(BUFFER, progress.wrap_read(reader));
    let cannot = || format!("cannot read {name}");
    let reader = unpack::unpacked(packed).with_context(cannot)?;
    let mut reader = Whole::new(reader, BUFFER);
    let start = reader.fill_buf().with_context(cannot)?;
    let format = match format {
        // What is compressed has the name of what is in it before its own.
        LogFormat::Auto => detect::format(&without_packing(Path::new(&name)), start),
        format => format,
    };
    if log.selects() && matches!(format, LogFormat::Sql | LogFormat::PgStatStatements) {
        bail!(
            "cannot select from {name}: neither scripts nor pg_stat_statements have times or names"
        );
    }
    let (known, lines) = (log.found(), log.account.lines);
    log.account.file.clone_from(&name);
    let read = read_as(format, &mut reader, version, log);
    progress.finish_and_clear();
    read.with_context(cannot)?;
    if log.found() == known {
        log.account.without_stmts.push((name.clone(), log.account.lines - lines));
    }
    // What has been read until then is counted.
    reader.error.map_or(Ok(()), |error| Err(error).with_context(cannot))
}

/// Returns the name of a file without the ending of a program that has compressed it.
fn without_packing(path: &Path) -> PathBuf {
    let is_packed = path.extension().is_some_and(|end| {
        ["gz", "zst", "zstd"].iter().any(|packed| end.eq_ignore_ascii_case(packed))
    });
    if is_packed { path.with_extension("") } else { path.to_owned() }
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
    Ok(())
}

/// Counts the statements of an input, with one thread.
pub(crate) fn digest_of(version: Version, format: LogFormat, input: &[u8]) -> Result<Digested> {
    let mut account = Account::default();
    let (filter, limits) = (Filter::default(), count::Limits::new(usize::MAX, 0));
    let (counts, _) = count::with_threads(1, limits, version, |batches| {
        let format = match format {
            LogFormat::Auto => detect::format(Path::new("stdin"), input),
            format => format,
        };
        let mut reader = input;
        let mut log = Log::new(&mut account, batches, &filter);
        read_as(format, &mut reader, version, &mut log)?;
        log.finish()
    })?;
    Ok(Digested {
        kinds: counts
            .kinds
            .iter()
            .map(|(value, kind)| (*value, kind.calls.count))
            .filter(|(_, count)| *count > 0)
            .collect(),
        errors: counts.errors.count,
        lines: account.lines,
        understood: account.understood + account.skipped.values().sum::<u64>(),
        lost: account.lost().map(|lost| lost.lines).sum(),
    })
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

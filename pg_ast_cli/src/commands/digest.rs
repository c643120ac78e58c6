//! `pgast digest`: a log, or a stream of statements, as a table of fingerprints.
//!
//! One thread reads, all others parse. Only one text is kept per kind of statement, so that memory depends on how
//! many kinds there are, not on how many statements.

mod batch;
mod count;
mod logs;
mod print;
mod stream;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use pg_ast::Version;

use self::batch::Batches;
use crate::Outcome;
use crate::args::{Digest, LogFormat};
use crate::input::Place;

/// The number of bytes to read at once; the first of them show the format of a file.
const BUFFER: usize = 1 << 20;

pub(crate) fn run(args: &Digest, version: Version, out: &mut dyn Write) -> Result<Outcome> {
    let places = args.inputs.places()?;
    let threads = args
        .threads
        .or_else(|| thread::available_parallelism().ok().map(NonZero::get))
        .unwrap_or(1);
    let counts = count::with_threads(threads.max(1), args.max_kinds, version, |batches| {
        places.into_iter().try_for_each(|place| read(place, args.format, version, batches))
    })?;
    print::table(args, counts, out)?;
    Ok(Outcome::Fine)
}

fn read(place: Place, format: LogFormat, version: Version, batches: &mut Batches) -> Result<()> {
    let name = place.name();
    let (reader, progress): (Box<dyn Read>, _) = match place {
        Place::Argument(text) => (Box::new(io::Cursor::new(text)), ProgressBar::hidden()),
        Place::Stdin => {
            let progress = ProgressBar::new_spinner()
                .with_style(style("{spinner} {msg} {bytes} ({bytes_per_sec})"));
            (Box::new(io::stdin().lock()), progress)
        }
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
    let format = match format {
        LogFormat::Auto => guess(Path::new(&name), reader.fill_buf().context("cannot read")?),
        format => format,
    };
    let read = match format {
        LogFormat::Auto | LogFormat::Sql => stream::read(&mut reader, version, batches),
        LogFormat::Stderr => logs::stderr(&mut reader, batches),
        LogFormat::Csvlog => logs::csvlog(&mut reader, batches),
        LogFormat::Jsonlog => logs::jsonlog(&mut reader, batches),
        LogFormat::PgStatStatements => logs::pg_stat_statements(&mut reader, batches),
    };
    progress.finish_and_clear();
    read.with_context(|| format!("cannot read {name}"))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Guesses the format of a file, by its name and its first bytes.
fn guess(name: &Path, start: &[u8]) -> LogFormat {
    let has = |what: &str| start.windows(what.len()).any(|window| window == what.as_bytes());
    let first_line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first_line = String::from_utf8_lossy(first_line);
    let columns: Vec<_> = first_line.split(',').map(|name| name.trim().trim_matches('"')).collect();
    let extension = name.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if extension.eq_ignore_ascii_case("sql") {
        LogFormat::Sql
    } else if columns.contains(&"query") && columns.contains(&"calls") {
        LogFormat::PgStatStatements
    } else if extension.eq_ignore_ascii_case("csv") {
        LogFormat::Csvlog
    } else if first_line.starts_with('{') {
        LogFormat::Jsonlog
    } else if has("LOG:  ") {
        LogFormat::Stderr
    } else {
        LogFormat::Sql
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_name_and_beginning() {
        let guess = |name: &str, start: &str| guess(Path::new(name), start.as_bytes());
        assert_eq!(guess("a.sql", "LOG:  statement: SELECT 1"), LogFormat::Sql);
        assert_eq!(guess("a.csv", "userid,\"query\",calls\n"), LogFormat::PgStatStatements);
        assert_eq!(guess("a.csv", "2026-01-01,u,d\n"), LogFormat::Csvlog);
        assert_eq!(guess("a.log", "{\"message\":\"x\"}\n"), LogFormat::Jsonlog);
        assert_eq!(guess("a.log", "2026-01-01 LOG:  statement: SELECT 1\n"), LogFormat::Stderr);
        assert_eq!(guess("stdin", "SELECT 1;"), LogFormat::Sql);
    }
}

//! Parses SQL, prints an outline of its tree, and deparses the tree.
//!
//! ```text
//! $ cargo run --release -p pg_ast_examples --example roundtrip -- "select a from t"
//! SelectStmt                       select a from t
//!   ResTarget                      a
//!     ColumnRef                    a
//!       String                     a
//!   RangeVar                       t
//! SELECT a FROM t
//! -- parse 9.12µs, deparse 4.31µs
//! ```

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use pg_ast::{ColumnUnit, Error, LineIndex, ParserOptions, SourceLocation, Warning};

const USAGE: &str = "\
usage: roundtrip [--tree | --quiet] [SQL ...] [--file PATH ...] [-]

Each argument is a text of its own; `-`, or no argument, reads standard input.

  -f, --file PATH   read the SQL from a file
  -t, --tree        print the tree with all of its fields
  -q, --quiet       print no tree
  -h, --help        show this help

Exits with 1 if a text cannot be read, parsed or printed, with 2 if an argument is wrong.
";

fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprint!("error: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    match run(&arguments, &mut out).and_then(|ok| out.flush().map(|()| ok)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The reader has closed the pipe, as in `roundtrip .. | head`.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The source of SQL.
enum Source {
    Argument(String),
    File(String),
    Stdin,
}

impl Source {
    /// Its name in messages.
    fn name(&self) -> &str {
        match self {
            Self::Argument(_) => "argument",
            Self::File(path) => path,
            Self::Stdin => "stdin",
        }
    }

    fn text(&self) -> io::Result<String> {
        match self {
            Self::Argument(sql) => Ok(sql.clone()),
            Self::File(path) => fs::read_to_string(path),
            Self::Stdin => {
                let mut sql = String::new();
                io::stdin().read_to_string(&mut sql)?;
                Ok(sql)
            }
        }
    }
}

#[derive(Default)]
struct Arguments {
    sources: Vec<Source>,
    shown: Shown,
    help: bool,
}

/// What is printed of the tree.
#[derive(Clone, Copy, Default)]
enum Shown {
    #[default]
    Outline,
    AllFields,
    Nothing,
}

impl Arguments {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut read = Self::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "-q" | "--quiet" => read.shown = Shown::Nothing,
                "-t" | "--tree" => read.shown = Shown::AllFields,
                "-h" | "--help" => read.help = true,
                "-f" | "--file" => {
                    let path = arguments.next().ok_or("--file wants a path")?;
                    read.sources.push(Source::File(path));
                }
                "-" => read.sources.push(Source::Stdin),
                // With a blank, it is SQL that begins with a comment.
                option if option.starts_with('-') && !option.contains(['\n', ' ']) => {
                    return Err(format!("there is no option `{option}`"));
                }
                _ => read.sources.push(Source::Argument(argument)),
            }
        }
        if read.sources.is_empty() {
            read.sources.push(Source::Stdin);
        }
        Ok(read)
    }
}

/// Processes all SQL; returns false if there was an error.
fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<bool> {
    if arguments.help {
        out.write_all(USAGE.as_bytes())?;
        return Ok(true);
    }
    let mut ok = true;
    for source in &arguments.sources {
        match source.text() {
            Ok(sql) => ok &= round_trip(source.name(), &sql, arguments.shown, out)?,
            Err(error) => {
                ok = false;
                out.flush()?;
                eprintln!("error: cannot read {}: {error}", source.name());
            }
        }
    }
    Ok(ok)
}

fn round_trip(name: &str, sql: &str, shown: Shown, out: &mut impl Write) -> io::Result<bool> {
    let (tree, parse_time) = timed(|| pg_ast::parse(sql));
    let tree = match tree {
        Ok(tree) => tree,
        Err(error) => {
            out.flush()?;
            eprint!("{}", Report::error(&error).show(name, sql));
            if let Some(meant) = error.suggestion(sql) {
                eprintln!("  did you mean {}?", meant.keyword);
            }
            return Ok(false);
        }
    };
    match shown {
        Shown::Outline => outline(sql, out)?,
        Shown::AllFields => writeln!(out, "{:#?}", tree.protobuf)?,
        Shown::Nothing => {}
    }
    for warning in &tree.warnings {
        out.flush()?;
        eprint!("{}", Report::warning(warning).show(name, sql));
    }

    let (text, deparse_time) = timed(|| pg_ast::deparse(&tree));
    match text {
        Ok(text) => writeln!(out, "{text}")?,
        Err(error) => {
            out.flush()?;
            eprint!("{}", Report::error(&error).show(name, sql));
            return Ok(false);
        }
    }
    writeln!(out, "-- parse {parse_time:?}, deparse {deparse_time:?}")?;
    Ok(true)
}

/// Prints each node with the start of its SQL, below its parent.
fn outline(sql: &str, out: &mut impl Write) -> io::Result<()> {
    /// The columns of names, and of SQL.
    const WIDTHS: [usize; 2] = [32, 60];
    // It has been parsed before.
    let Ok((tree, ranges)) = pg_ast::parse_with_ranges(sql, ParserOptions::default()) else {
        return Ok(());
    };
    let depths = tree.nodes().with_depth().map(|(_, depth)| depth);
    for ((node, range), depth) in tree.nodes().with_ranges(&ranges).zip(depths) {
        // A statement is in a RawStmt, which says where it is.
        let Some(depth) = depth.checked_sub(1) else { continue };
        let text = range.and_then(|range| sql.get(range)).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default();
        let short: String = line.chars().take(WIDTHS[1]).collect();
        let rest = if short.len() < text.len() { " .." } else { "" };
        let name = format!("{:depth$}{}", "", node.name(), depth = 2 * depth);
        writeln!(out, "{}", format!("{name:<width$} {short}{rest}", width = WIDTHS[0]).trim_end())?;
    }
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// The common part of errors and warnings.
struct Report<'a> {
    severity: String,
    message: &'a str,
    notes: [(&'static str, Option<&'a str>); 3],
    cursor: Option<usize>,
    raised_in: Option<&'a SourceLocation>,
}

impl<'a> Report<'a> {
    fn error(error: &'a Error) -> Self {
        Self {
            severity: "error".to_owned(),
            message: error.message(),
            notes: [
                ("detail", error.detail()),
                ("hint", error.hint()),
                ("context", error.context()),
            ],
            cursor: error.cursor(),
            raised_in: error.source_location(),
        }
    }

    fn warning(warning: &'a Warning) -> Self {
        Self {
            severity: warning.severity.to_string().to_lowercase(),
            message: &warning.message,
            notes: [
                ("detail", warning.detail.as_deref()),
                ("hint", warning.hint.as_deref()),
                ("context", None),
            ],
            cursor: warning.cursor,
            raised_in: warning.source_location.as_ref(),
        }
    }

    fn show(&self, name: &str, sql: &str) -> String {
        let mut lines = vec![format!("{}: {}", self.severity, self.message)];
        lines.extend(self.cursor.map(|cursor| excerpt(name, sql, cursor)));
        for (title, note) in self.notes {
            lines.extend(note.map(|note| format!("{title}: {note}")));
        }
        if let Some(SourceLocation { file, line, function, .. }) = self.raised_in {
            lines.push(match function.as_str() {
                "" => format!("raised in: {file}:{line}"),
                function => format!("raised in: {function} ({file}:{line})"),
            });
        }
        lines.join("\n") + "\n"
    }
}

/// Prints the line around a byte offset, with a caret under the place.
fn excerpt(name: &str, sql: &str, cursor: usize) -> String {
    let lines = LineIndex::new(sql);
    // Columns are counted in characters, as in PostgreSQL.
    let place = lines.line_column(cursor, ColumnUnit::Characters);
    let range = lines.line(place.line).unwrap_or_default();
    let (before, line) = (&sql[range.start..cursor], &sql[range]);
    let (number, column) = (place.line + 1, place.column + 1);

    let margin = " ".repeat(number.to_string().len());
    let indent: String = before.chars().map(blank).collect();
    format!(
        "{margin}--> {name}:{number}:{column}\n\
         {margin} |\n\
         {number} | {line}\n\
         {margin} | {indent}^"
    )
}

/// Returns a blank as wide as the character on most terminals.
fn blank(character: char) -> &'static str {
    match character {
        '\t' => "\t",
        // Combining marks and joiners.
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => "",
        // East Asian scripts, full-width forms, pictures.
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => "  ",
        _ => " ",
    }
}

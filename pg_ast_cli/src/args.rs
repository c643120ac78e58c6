//! The arguments of the command line.

mod catalog;
mod lint;

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use pg_ast::{ParserOptions, Version};
use pg_ast_fmt::KeywordCase;
use pg_ast_syntax::Placeholders;

use crate::commands::{Template, Time};
use crate::stand_ins::{Placeholder, placeholders};

pub(crate) use self::catalog::{Catalog, Describe, KnownDatabase, Lineage};
pub(crate) use self::lint::{FailLevel, Level, Lint, Selected};

/// After the options, so that all of it fits a screen.
const EXIT_CODES: &str = "The exit code is 0 if all is well, 1 if there is something to fix (an error in the SQL, a finding, a \
     file that is not formatted, a log without a statement), and 2 if the command itself failed: one of the files could not \
     be read, written or formatted. The other files are not affected.";

/// PostgreSQL's own parser on the command line.
#[derive(Debug, Parser)]
#[command(name = "pgast", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// PostgreSQL major version whose grammar is used [default: the newest]
    #[arg(long, global = true, value_name = "VERSION", value_parser = version())]
    pub(crate) pg: Option<Version>,
    /// Settings file [default: the nearest `pgast.toml` in this folder or above]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) color: colorchoice_clap::Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Parses the versions that this program supports.
fn version() -> impl clap::builder::TypedValueParser<Value = Version> {
    let names = Version::ALL.iter().map(|version| PossibleValue::new(version.to_string()));
    PossibleValuesParser::new(names).try_map(|text| text.parse::<Version>())
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the syntax tree
    Parse(Parse),
    /// Report errors, statement by statement
    Check(Check),
    /// Format scripts, keeping their comments
    ///
    /// Wrong statements, psql commands and the data of COPY stay as they are, and so do statements that would lose
    /// something, which are reported. Before a file is written, its new text is compared with the old one. If more than
    /// the layout differs, the file stays as it is and is reported, and the exit code is 2.
    #[command(visible_alias = "format")]
    Fmt(Fmt),
    /// Find SQL that is dangerous or rarely intended
    Lint(Lint),
    /// Print the fingerprint of each statement, which does not depend on its constants
    Fingerprint(Statements),
    /// Print statements with $1, $2, .. instead of their constants
    Normalize(Normalize),
    /// Print the tokens
    Scan(Statements),
    /// Print the statements of a script, one by one
    Split(Split),
    /// List the tables that statements name
    Tables(Tables),
    /// List which columns of tables the columns of results come from
    ///
    /// These are the results of queries, the columns of views and tables that are defined by queries, and those that
    /// INSERT, UPDATE and MERGE write. What decides about the rows is listed behind the columns.
    Lineage(Lineage),
    /// Tell the types of parameters and columns, and which can be NULL
    ///
    /// A name in a comment before a query is understood (`-- name: GetUser :one`). What is not known is printed as `?`.
    Describe(Describe),
    /// Write what a database has as SQL, which other commands read with --catalog
    ///
    /// It is a script of CREATE statements with full names, in an order in which they run. It is read again before it is
    /// written.
    Catalog(Catalog),
    /// Count the statements of a log, or of a script, by fingerprint
    Digest(Digest),
    /// Find statements that one version of PostgreSQL accepts and another one does not
    Diff(Diff),
    /// List completions at a place in SQL
    Complete(Complete),
    /// Run the language server, for editors
    ///
    /// It talks to the editor over standard input and output. The settings are those of the other commands; an editor can
    /// override `version` and `schema` by initialization options.
    #[cfg(feature = "lsp")]
    Lsp(Lsp),
    /// Print completions for a shell
    Completions { shell: Shell },
    /// Print the manual page
    Man,
}

/// The source of the SQL.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// SQL to read
    #[arg(short = 'c', long = "command", value_name = "SQL", conflicts_with = "files")]
    pub(crate) sql: Option<String>,
    /// Files, folders (their `*.sql` files, except those in .gitignore) and patterns (`'db/**/*.sql'`); without any,
    /// or with `-`, standard input
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Parse {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) form: TreeForm,
}

#[derive(Args, Debug)]
#[group(multiple = false)]
pub(crate) struct TreeForm {
    /// As libpg_query's JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// As libpg_query's Protobuf, in binary
    #[arg(long)]
    pub(crate) protobuf: bool,
    /// As S-expressions, one statement per line
    #[arg(long)]
    pub(crate) sexp: bool,
}

/// The limits on statements.
#[derive(Args, Debug)]
pub(crate) struct Limits {
    /// Maximum levels of a statement [default: 6500, for some 6,000 `UNION`]
    #[arg(long, value_name = "LEVELS")]
    max_depth: Option<usize>,
}

impl Limits {
    pub(crate) fn options(&self) -> ParserOptions {
        let options = ParserOptions::default();
        self.max_depth.map_or(options, |levels| options.max_depth(levels))
    }
}

/// What other tools replace in SQL.
#[derive(Args, Debug)]
pub(crate) struct StandIns {
    /// Placeholders of other tools that are no errors, separated by commas; variables of psql never are
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    placeholders: Option<Vec<Placeholder>>,
}

impl StandIns {
    /// Returns the placeholders: those of the arguments, or else those of the settings.
    pub(crate) fn placeholders(&self, settings: &[Placeholder]) -> Placeholders {
        placeholders(self.placeholders.as_deref().unwrap_or(settings))
    }
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) known: KnownDatabase,
    #[command(flatten)]
    pub(crate) stand_ins: StandIns,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) output: Diagnostics,
}

/// The output of errors and findings.
#[derive(Args, Debug)]
pub(crate) struct Diagnostics {
    /// Output format of errors and findings
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: Output,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Output {
    /// With source lines
    #[default]
    Full,
    /// One per line: `FILE:LINE:COLUMN: error[RULE]: MESSAGE`
    Short,
    /// One JSON object per line
    Json,
    /// Workflow commands of GitHub Actions
    Github,
    /// GitLab's code quality report
    Gitlab,
    /// SARIF 2.1.0
    Sarif,
    /// JUnit's XML
    Junit,
}

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Fmt {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) stand_ins: StandIns,
    /// Change nothing; name the files that are not formatted, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Change nothing; show what would change, and exit with 1 if anything would
    #[arg(long)]
    pub(crate) diff: bool,
    /// Print the formatted text and leave the file as it is
    #[arg(long, conflicts_with_all = ["check", "diff"])]
    pub(crate) stdout: bool,
    /// Columns to indent per level
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) indent: Option<u16>,
    /// Maximum columns per line
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) width: Option<u16>,
    /// Case of keywords [default: upper]
    #[arg(long, value_name = "CASE")]
    pub(crate) keywords: Option<Keywords>,
    /// Put commas at the start of lines instead of the end
    #[arg(long)]
    pub(crate) commas_first: bool,
    /// Where the clauses of queries stand [default: block]
    #[arg(long, value_name = "STYLE")]
    pub(crate) style: Option<Style>,
    /// Put the types of a table's columns below each other
    #[arg(long)]
    pub(crate) align_columns: bool,
    /// Bodies of functions in SQL and PL/pgSQL to format [default: dollar-quoted]
    #[arg(long, value_name = "BODIES")]
    pub(crate) bodies: Option<Bodies>,
}

/// Where the clauses of queries stand.
#[derive(Clone, Copy, Debug, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Style {
    /// Each begins a line
    Block,
    /// Their first words end in the same column
    River,
}

impl From<Style> for pg_ast_fmt::Style {
    fn from(style: Style) -> Self {
        match style {
            Style::Block => Self::Block,
            Style::River => Self::River,
        }
    }
}

/// Which bodies of functions are formatted.
#[derive(Clone, Copy, Debug, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Bodies {
    /// None
    Keep,
    /// Those between dollars
    DollarQuoted,
}

impl From<Bodies> for pg_ast_fmt::Bodies {
    fn from(bodies: Bodies) -> Self {
        match bodies {
            Bodies::Keep => Self::Keep,
            Bodies::DollarQuoted => Self::DollarQuoted,
        }
    }
}

/// The case of keywords.
#[derive(Clone, Copy, Debug, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Keywords {
    Upper,
    Lower,
    /// As they are
    Keep,
}

impl From<Keywords> for KeywordCase {
    fn from(keywords: Keywords) -> Self {
        match keywords {
            Keywords::Upper => Self::Upper,
            Keywords::Lower => Self::Lower,
            Keywords::Keep => Self::Keep,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Statements {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// As JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Normalize {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Only in utility statements
    #[arg(long)]
    pub(crate) utility: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Split {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) stand_ins: StandIns,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// As JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,
    /// End each statement with a NUL byte, for `xargs -0`
    #[arg(short = '0', long, conflicts_with = "json")]
    pub(crate) null: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Tables {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) known: KnownDatabase,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Also list functions
    #[arg(long)]
    pub(crate) functions: bool,
    /// Also list columns in conditions
    #[arg(long)]
    pub(crate) columns: bool,
    /// As JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Digest {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Format of the input
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: LogFormat,
    /// Sort order
    #[arg(long, value_enum, default_value_t)]
    pub(crate) sort: Sort,
    /// Show at most this many kinds of statements; 0 for all
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Keep at most this many kinds of statements; the others are counted in one line
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    pub(crate) max_kinds: usize,
    /// Parser threads [default: the number of processors]
    #[arg(short = 'j', long, value_name = "NUMBER")]
    pub(crate) threads: Option<usize>,
    /// Only messages at this time and later: `2026-01-01 10:00`, by the clock of the log
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Time>,
    /// Only messages before this time
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<Time>,
    /// Only messages of this database; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) database: Vec<String>,
    /// Only messages of this user; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Vec<String>,
    /// Only messages of this application; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) application: Vec<String>,
    /// The server's `log_line_prefix`, such as `'%m [%p] %q%u@%d '` [default: guessed]
    #[arg(long, value_name = "PREFIX")]
    pub(crate) prefix: Option<Template>,
    /// Show this many of the slowest calls of each kind as they are, with all their constants
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) samples: usize,
    /// As JSON: one object per kind and line, and a last one, `{"summary": ..}`, which accounts for all lines read
    #[arg(long, conflicts_with_all = ["csv", "html"])]
    pub(crate) json: bool,
    /// As CSV, with the summary on standard error
    #[arg(long, conflicts_with = "html")]
    pub(crate) csv: bool,
    /// As a page with charts, which needs no network
    #[arg(long)]
    pub(crate) html: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Detect by the beginning of the input, or else by the name of the file
    #[default]
    Auto,
    /// A script for psql, such as a dump
    Sql,
    /// PostgreSQL's `log_destination = stderr`, with any `log_line_prefix`, also as log shippers and
    /// containers wrap it
    Stderr,
    /// PostgreSQL's `log_destination = syslog`, and journald
    Syslog,
    /// PostgreSQL's `log_destination = csvlog`
    Csvlog,
    /// PostgreSQL's `log_destination = jsonlog`, and JSON that log shippers put around lines
    Jsonlog,
    /// A CSV file of pg_stat_statements, with a header and any delimiter
    PgStatStatements,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// By number of calls
    #[default]
    Count,
    /// By total time, if the log has durations
    Time,
    /// By the mean time of a call
    Mean,
    /// By the time that 95 of 100 calls do not exceed
    P95,
    /// By the time of the slowest call
    Max,
    /// By the rows of all calls, if they are known
    Rows,
    /// By the errors that the server has logged
    Errors,
}

#[derive(Args, Debug)]
pub(crate) struct Diff {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) output: Diagnostics,
    /// The version that statements are written for [default: the oldest]
    #[arg(long, value_name = "VERSION", value_parser = version())]
    pub(crate) from: Option<Version>,
    /// The version that they will run on [default: the newest]
    #[arg(long, value_name = "VERSION", value_parser = version())]
    pub(crate) to: Option<Version>,
}

#[derive(Args, Debug)]
pub(crate) struct Complete {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) known: KnownDatabase,
    /// The place: a byte offset, or LINE:COLUMN counted from 1 in characters [default: the end]
    #[arg(long, value_name = "PLACE")]
    pub(crate) at: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(feature = "lsp")]
#[derive(Args, Debug)]
pub(crate) struct Lsp {
    #[command(flatten)]
    pub(crate) known: KnownDatabase,
    /// Accepted, as editors pass it; there is no other way
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}

//! What the command line takes.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use pg_ast::Version;
use pg_ast_lint::Rule;

/// PostgreSQL's own parser on the command line.
///
/// The exit code is 0 if all is well, 1 if there is something to mend (an error in the SQL, a finding, a file that is
/// not formatted), and 2 if the command could not do what it was asked to do.
#[derive(Debug, Parser)]
#[command(name = "pgast", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// Major version of the PostgreSQL whose grammar is used [default: the newest]
    #[arg(long, global = true, value_name = "VERSION", value_parser = version())]
    pub(crate) pg: Option<Version>,
    /// Settings [default: the next `pgast.toml` in this folder or above it]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) color: colorchoice_clap::Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Takes the versions that this program has.
fn version() -> impl clap::builder::TypedValueParser<Value = Version> {
    let names = Version::ALL.iter().map(|version| PossibleValue::new(version.to_string()));
    PossibleValuesParser::new(names).try_map(|text| text.parse::<Version>())
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the syntax tree
    Parse(Parse),
    /// Look for errors, statement by statement
    Check(Check),
    /// Format scripts, and keep their comments
    #[command(visible_alias = "format")]
    Fmt(Fmt),
    /// Look for what is dangerous or seldom meant
    Lint(Lint),
    /// Print the fingerprint of each statement, which does not depend on its constants
    Fingerprint(Statements),
    /// Print statements with $1, $2, .. in place of their constants
    Normalize(Normalize),
    /// Print the tokens
    Scan(Statements),
    /// Print the statements of a script, one by one
    Split(Split),
    /// List the tables that statements name
    Tables(Tables),
    /// Count the statements of a log, or of a stream, by their fingerprints
    Digest(Digest),
    /// Find statements that one version of PostgreSQL accepts and another one does not
    Diff(Diff),
    /// List what can stand at a place of a text
    Complete(Complete),
    /// Print completions for a shell
    Completions { shell: Shell },
    /// Print the manual page
    Man,
}

/// Where SQL is from.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// SQL itself
    #[arg(short = 'c', long = "command", value_name = "SQL", conflicts_with = "files")]
    pub(crate) sql: Option<String>,
    /// Files, folders (the `*.sql` in them, but for what .gitignore names) and patterns (`'db/**/*.sql'`); without any,
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
    /// As libpg_query's Protobuf, in bytes
    #[arg(long)]
    pub(crate) protobuf: bool,
    /// As S-expressions, one statement a line
    #[arg(long)]
    pub(crate) sexp: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) output: Diagnostics,
}

/// How errors and findings are shown.
#[derive(Args, Debug)]
pub(crate) struct Diagnostics {
    /// How errors and findings are shown
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: Output,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// With the lines of the source
    #[default]
    Full,
    /// One a line: `FILE:LINE:COLUMN: error: MESSAGE`
    Short,
    /// One JSON object a line
    Json,
}

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Fmt {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Change nothing; name the files that are not formatted, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Change nothing; show what would change, and exit with 1 if anything would
    #[arg(long)]
    pub(crate) diff: bool,
    /// Print the formatted text and leave the file as it is
    #[arg(long, conflicts_with_all = ["check", "diff"])]
    pub(crate) stdout: bool,
    /// Columns by which each level is indented
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) indent: Option<u16>,
    /// Columns that a line may have
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) width: Option<u16>,
    /// Begin lines with commas, in place of ending them so
    #[arg(long)]
    pub(crate) commas_first: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Lint {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) output: Diagnostics,
    /// Mend what can be mended
    #[arg(long)]
    pub(crate) fix: bool,
    /// Leave this rule out; may be given several times
    #[arg(long, value_name = "RULE")]
    pub(crate) ignore: Vec<Rule>,
    /// The scripts are run in a transaction
    #[arg(long)]
    pub(crate) in_transaction: bool,
    /// List the rules, which read SQL as the newest version does
    #[arg(long)]
    pub(crate) rules: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Statements {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// As JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Normalize {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// In utility statements alone
    #[arg(long)]
    pub(crate) utility: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Split {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// As JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// End each statement with a NUL byte, as `xargs -0` takes it
    #[arg(short = '0', long, conflicts_with = "json")]
    pub(crate) null: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Tables {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// List functions, too
    #[arg(long)]
    pub(crate) functions: bool,
    /// List the columns of conditions, too
    #[arg(long)]
    pub(crate) columns: bool,
    /// As JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Digest {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// What the input is
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: LogFormat,
    /// What comes first
    #[arg(long, value_enum, default_value_t)]
    pub(crate) sort: Sort,
    /// Show so many kinds of statements; 0 for all
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Keep at most so many kinds of statements; what is not kept is counted in one line
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    pub(crate) max_kinds: usize,
    /// Threads that parse [default: the processors of the machine]
    #[arg(short = 'j', long, value_name = "NUMBER")]
    pub(crate) threads: Option<usize>,
    /// As JSON, one object a line
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// As CSV
    #[arg(long)]
    pub(crate) csv: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// By the name of the file, and how it begins
    #[default]
    Auto,
    /// Statements with semicolons between
    Sql,
    /// PostgreSQL's `log_destination = stderr`, with any `log_line_prefix`
    Stderr,
    /// PostgreSQL's `log_destination = csvlog`
    Csvlog,
    /// PostgreSQL's `log_destination = jsonlog`
    Jsonlog,
    /// A CSV file of pg_stat_statements, with a header
    PgStatStatements,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// What was called most often
    #[default]
    Count,
    /// What took longest in all, where the log has durations
    Time,
}

#[derive(Args, Debug)]
pub(crate) struct Diff {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) output: Diagnostics,
    /// The version that statements are written for [default: the oldest]
    #[arg(long, value_name = "VERSION", value_parser = version())]
    pub(crate) from: Option<Version>,
    /// The version that they are to run on [default: the newest]
    #[arg(long, value_name = "VERSION", value_parser = version())]
    pub(crate) to: Option<Version>,
}

#[derive(Args, Debug)]
pub(crate) struct Complete {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The place: a byte offset, or LINE:COLUMN counted from 1 in characters [default: the end]
    #[arg(long, value_name = "PLACE")]
    pub(crate) at: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

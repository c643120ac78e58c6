//! The arguments of `pgast lint`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use pg_ast_lint::{Rule, Selector, Severity};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::{Inputs, KnownDatabase, Output, StandIns};
use crate::config::RuleOptions;

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Lint {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) known: KnownDatabase,
    #[command(flatten)]
    pub(crate) stand_ins: StandIns,
    /// Output format of findings [default: full]
    #[arg(long, value_enum)]
    pub(crate) output: Option<Output>,
    /// Apply the safe fixes
    #[arg(long)]
    pub(crate) fix: bool,
    /// Change nothing; show what --fix would change, and exit with 1 if it would change anything
    #[arg(long, conflicts_with = "fix")]
    pub(crate) diff: bool,
    /// Let --fix and --diff apply fixes as well that change what a script does
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,
    /// Check only these rules, separated by commas: names, `recommended`, `all` [default: recommended]
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) select: Option<Vec<Selector>>,
    /// Check these rules as well
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) extend_select: Vec<Selector>,
    /// Ignore these rules
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) ignore: Vec<Selector>,
    /// Severity of rules: `drop-table=error`, `all=info`
    #[arg(
        long,
        value_name = "RULE=LEVEL",
        value_delimiter = ',',
        value_parser = rule_severity,
        help_heading = "Rules"
    )]
    pub(crate) severity: Vec<(Selector, Severity)>,
    /// Option of rules, as in the settings: `drop-table.except-tables=['tmp_*']`; may be repeated
    #[arg(long, value_name = "RULE.OPTION=VALUE", value_parser = rule_option, help_heading = "Rules")]
    pub(crate) option: Vec<RuleOption>,
    /// The lowest severity for which the exit code is 1 [default: warning]
    #[arg(long, value_name = "LEVEL", help_heading = "Rules")]
    pub(crate) fail_level: Option<FailLevel>,
    /// Scripts run in a transaction
    #[arg(long, help_heading = "Rules")]
    pub(crate) in_transaction: bool,
    /// List the rules: name, set, severity, fixes
    #[arg(long, alias = "rules", help_heading = "Rules")]
    pub(crate) list_rules: bool,
    /// Print the page of a rule
    #[arg(long, value_name = "RULE", help_heading = "Rules")]
    pub(crate) explain: Option<Rule>,
    /// Leave out files that match a pattern, as in .gitignore; may be repeated
    #[arg(long, value_name = "PATTERN", help_heading = "Files")]
    pub(crate) exclude: Vec<String>,
    /// Ignore rules in files that match a pattern: `tests/=all`; may be repeated
    #[arg(long, value_name = "PATTERN=RULES", help_heading = "Files")]
    pub(crate) per_file_ignores: Vec<PathIgnore>,
    /// Report only findings that are not in this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the findings to the baseline, and exit with 0
    #[arg(long, conflicts_with_all = ["fix", "diff"], help_heading = "Files")]
    pub(crate) write_baseline: bool,
}

/// The severity of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Level {
    Error,
    Warning,
    Info,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Error => Self::Error,
            Level::Warning => Self::Warning,
            Level::Info => Self::Info,
        }
    }
}

/// From which severity on findings are a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FailLevel {
    Error,
    Warning,
    Info,
    /// No finding is one
    Never,
}

impl FailLevel {
    /// Returns whether a finding of a severity is a failure.
    pub(crate) fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Info => true,
            Self::Never => false,
        }
    }
}

fn rule_severity(text: &str) -> Result<(Selector, Severity), String> {
    let (rule, level) = text.split_once('=').ok_or("expected RULE=LEVEL")?;
    let rule = rule.parse::<Selector>().map_err(|error| error.to_string())?;
    let level = Level::from_str(level, false)
        .map_err(|_| format!("unknown severity `{level}`; there are error, warning, info"))?;
    Ok((rule, level.into()))
}

/// An option of rules.
#[derive(Clone, Debug)]
pub(crate) struct RuleOption {
    pub(crate) rules: Selector,
    pub(crate) options: RuleOptions,
}

fn rule_option(text: &str) -> Result<RuleOption, String> {
    let (rule, option) = text.split_once('.').ok_or("expected RULE.OPTION=VALUE")?;
    let rules = rule.parse::<Selector>().map_err(|error| error.to_string())?;
    let options = RuleOptions::parse(option).map_err(|error| error.to_string())?;
    Ok(RuleOption { rules, options })
}

/// A pattern of files, and the rules that are ignored there.
#[derive(Clone, Debug)]
pub(crate) struct PathIgnore {
    pub(crate) pattern: String,
    pub(crate) rules: Vec<Selector>,
}

impl FromStr for PathIgnore {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A pattern may have the sign, and a rule has not.
        let (pattern, rules) = text.rsplit_once('=').ok_or("expected PATTERN=RULES")?;
        let rules = rules.split(',').map(|rule| rule.trim().parse::<Selector>());
        let rules = rules.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        Ok(Self { pattern: pattern.to_owned(), rules })
    }
}

/// A rule or a set, in the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Selected(pub(crate) Selector);

impl<'de> Deserialize<'de> for Selected {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map(Self).map_err(D::Error::custom)
    }
}

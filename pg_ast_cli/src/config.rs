//! `pgast.toml`: settings of a project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context as _, Result, anyhow};
use pg_ast::Version;
use serde::Deserialize;

use crate::args::{Bodies, FailLevel, Keywords, Level, Output, Selected, Style};
use crate::paths;
use crate::stand_ins::Placeholder;

/// The name of the file.
const NAME: &str = "pgast.toml";

/// The settings; the command line takes precedence.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Config {
    /// PostgreSQL's major version.
    pg: Option<u32>,
    /// Placeholders of other tools that are no errors.
    #[serde(default)]
    pub(crate) placeholders: Vec<Placeholder>,
    #[serde(default)]
    pub(crate) fmt: Fmt,
    #[serde(default)]
    pub(crate) lint: Lint,
    #[serde(default)]
    pub(crate) catalog: Catalog,
    #[serde(default)]
    pub(crate) lsp: Lsp,
    /// The folder of the file, to which its paths are relative.
    #[serde(skip)]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Fmt {
    /// Columns to indent per level.
    pub(crate) indent: Option<u16>,
    /// Maximum columns per line.
    pub(crate) width: Option<u16>,
    /// The case of keywords.
    pub(crate) keywords: Option<Keywords>,
    /// True if lines begin with commas.
    pub(crate) commas_first: Option<bool>,
    /// Where the clauses of queries stand.
    pub(crate) style: Option<Style>,
    /// True if the types of a table's columns stand below each other.
    pub(crate) align_columns: Option<bool>,
    /// Which bodies of functions are formatted.
    pub(crate) bodies: Option<Bodies>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Lint {
    /// The output format of findings.
    pub(crate) output: Option<Output>,
    /// Rules to check, instead of the recommended ones.
    pub(crate) select: Option<Vec<Selected>>,
    /// Rules to check as well.
    pub(crate) extend_select: Vec<Selected>,
    /// Rules to ignore.
    pub(crate) ignore: Vec<Selected>,
    /// The severity of rules.
    pub(crate) severity: BTreeMap<Selected, Level>,
    /// The lowest severity for which the exit code is 1.
    pub(crate) fail_level: Option<FailLevel>,
    /// True if scripts run in a transaction.
    pub(crate) in_transaction: bool,
    /// True if fixes are applied as well that change what a script does.
    pub(crate) unsafe_fixes: bool,
    /// Patterns of files to leave out.
    pub(crate) exclude: Vec<String>,
    /// Rules to ignore, by patterns of files.
    pub(crate) per_file_ignores: BTreeMap<String, Vec<Selected>>,
    /// The file with findings that are known.
    pub(crate) baseline: Option<PathBuf>,
    /// The options of rules.
    pub(crate) rules: BTreeMap<Selected, RuleOptions>,
}

/// The options of a rule.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RuleOptions {
    /// Patterns of tables that do not matter to it.
    pub(crate) except_tables: Vec<String>,
    /// Patterns of names that it accepts.
    pub(crate) except_names: Vec<String>,
}

impl RuleOptions {
    /// Reads one of them, as the settings have it: `except-tables = ['tmp_*']`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).map_err(|error| with_suggestion("the option", &error))
    }
}

/// What the database has; its paths are relative to the file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Catalog {
    /// What `pgast catalog` has written.
    pub(crate) file: Option<PathBuf>,
    /// Scripts that define the database, or what it has beside the file.
    pub(crate) schema: Vec<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Lsp {
    /// Scripts that define the database, relative to the file.
    #[serde(default)]
    pub(crate) schema: Vec<PathBuf>,
}

impl Config {
    /// Reads the file, or the nearest one in this folder or above; without a file, nothing is set.
    pub(crate) fn find(file: Option<&Path>) -> Result<Self> {
        if let Some(file) = file {
            return Self::read(file);
        }
        let folder = env::current_dir().context("cannot tell the current folder")?;
        let mut files = folder.ancestors().map(|folder| folder.join(NAME));
        files
            .find(|file| file.is_file())
            .map_or_else(|| Ok(Self::default()), |file| Self::read(&file))
    }

    fn read(file: &Path) -> Result<Self> {
        let name = file.display();
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        let mut config: Self =
            toml::from_str(&text).map_err(|error| with_suggestion(&name.to_string(), &error))?;
        let folder = paths::absolute(file)?.parent().map(Path::to_owned);
        config.folder = folder.unwrap_or_default();
        let of_catalog = config.catalog.file.iter_mut().chain(&mut config.catalog.schema);
        for path in of_catalog.chain(&mut config.lsp.schema) {
            *path = config.folder.join(&*path);
        }
        Ok(config)
    }

    /// Returns the version to use: that of the argument, that of the file, or the newest.
    pub(crate) fn version(&self, argument: Option<Version>) -> Result<Version> {
        match (argument, self.pg) {
            (Some(version), _) => Ok(version),
            (None, Some(major)) => {
                major.to_string().parse().map_err(|error| anyhow!("{NAME}: {error}"))
            }
            (None, None) => Ok(Version::newest()),
        }
    }
}

/// Says what is wrong with some settings, and what was probably meant.
fn with_suggestion(name: &str, error: &toml::de::Error) -> anyhow::Error {
    let hint = suggestion(error.message());
    let hint = hint.map(|name| format!("\ndid you mean `{name}`?")).unwrap_or_default();
    anyhow!("{name} is wrong: {}{hint}", error.to_string().trim_end())
}

/// Returns the name that was probably meant by an unknown one. The message names all of them.
fn suggestion(message: &str) -> Option<&str> {
    let mut names = message.split('`').skip(1).step_by(2);
    let (unknown, known) = (names.next()?, names);
    let is_unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    let distance = |name: &&str| strsim::osa_distance(unknown, name);
    let nearest = known.filter(|_| is_unknown && unknown.len() <= 64).min_by_key(distance)?;
    (distance(&nearest) <= (unknown.len() / 3).clamp(1, 3)).then_some(nearest)
}

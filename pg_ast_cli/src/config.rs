//! `pgast.toml`: settings of a project.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context as _, Result, anyhow};
use pg_ast::Version;
use serde::Deserialize;

use crate::args::{Bodies, Keywords, Style};
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
    pub(crate) lsp: Lsp,
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
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Lint {
    /// Rules to ignore.
    #[serde(default)]
    pub(crate) ignore: Vec<String>,
    /// True if scripts run in a transaction.
    #[serde(default)]
    pub(crate) in_transaction: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Lsp {
    /// Scripts that define the database, relative to the file.
    #[serde(default)]
    #[cfg_attr(not(feature = "lsp"), allow(dead_code))]
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
        let mut config: Self = toml::from_str(&text).with_context(|| format!("{name} is wrong"))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        for schema in &mut config.lsp.schema {
            *schema = folder.join(&*schema);
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

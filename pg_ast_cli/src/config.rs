//! `pgast.toml`: settings of a project.

use std::path::Path;
use std::{env, fs};

use anyhow::{Context as _, Result, anyhow};
use pg_ast::Version;
use serde::Deserialize;

/// The name of the file.
const NAME: &str = "pgast.toml";

/// The settings; what the command line says comes first.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Config {
    /// PostgreSQL's major version.
    pg: Option<u32>,
    #[serde(default)]
    pub(crate) fmt: Fmt,
    #[serde(default)]
    pub(crate) lint: Lint,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Fmt {
    /// Columns by which each level is indented.
    pub(crate) indent: Option<u16>,
    /// Columns that a line may have.
    pub(crate) width: Option<u16>,
    /// Whether lines begin with commas.
    pub(crate) commas_first: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Lint {
    /// Rules that are left out.
    #[serde(default)]
    pub(crate) ignore: Vec<String>,
    /// Whether scripts are run in a transaction.
    #[serde(default)]
    pub(crate) in_transaction: bool,
}

impl Config {
    /// Reads the file, or the next one in this folder and above it; without any, nothing is set.
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
        toml::from_str(&text).with_context(|| format!("{name} is wrong"))
    }

    /// The version that is used: the argument's, the file's, or the newest.
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

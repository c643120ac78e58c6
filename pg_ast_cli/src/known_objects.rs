//! What is known of the database: catalogs and scripts that define it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail};
use pg_ast::{Error, ParserOptions, Version, with_version};
use pg_ast_ide::applied_sql;
use pg_ast_names::DdlCatalog;

use crate::Outcome;
use crate::args::{Inputs, KnownDatabase, Limits};
use crate::commands::list::{StmtError, each_stmt};
use crate::config::Config;
#[cfg(feature = "lsp")]
use crate::input::Place;

impl KnownDatabase {
    /// Returns the files: those of the arguments, or else those of the settings. A catalog comes before what changes it.
    pub(crate) fn files(&self, config: &Config) -> Vec<PathBuf> {
        let (file, schema, older): (_, _, &[_]) =
            if self.catalog.is_some() || !self.schema.is_empty() {
                (&self.catalog, &self.schema, &[])
            } else {
                (&config.catalog.file, &config.catalog.schema, &config.lsp.schema)
            };
        file.iter().chain(schema).chain(older).cloned().collect()
    }

    /// Refuses a catalog without anything: every name would be a mistake. It is what a failed command leaves behind.
    fn refuse_empty(&self, config: &Config) -> Result<()> {
        let is_named = self.catalog.is_some() || !self.schema.is_empty();
        match if is_named { &self.catalog } else { &config.catalog.file } {
            Some(path)
                if fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0) =>
            {
                bail!("{} is empty: what wrote the catalog has failed", path.display())
            }
            _ => Ok(()),
        }
    }

    /// Returns the files, with those of folders and patterns.
    #[cfg(feature = "lsp")]
    pub(crate) fn paths(&self, config: &Config) -> Result<Vec<PathBuf>> {
        let files = self.files(config);
        if files.is_empty() {
            return Ok(files);
        }
        let places = (Inputs { sql: None, files }).places()?.into_iter();
        let path = |place| match place {
            Place::File(path) => Some(path),
            _ => None,
        };
        Ok(places.filter_map(path).collect())
    }

    /// Returns the texts of the files.
    pub(crate) fn texts(&self, config: &Config) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        let files = self.files(config);
        self.refuse_empty(config)?;
        if !files.is_empty() {
            for place in (Inputs { sql: None, files }).places()? {
                texts.push(applied_sql(&place.read()?.text).to_owned());
            }
        }
        Ok(texts)
    }

    /// Reads the files; `None` if there are none. Wrong statements are reported, and left out.
    pub(crate) fn read(
        &self,
        version: Version,
        limits: &Limits,
        config: &Config,
    ) -> Result<(Option<DdlCatalog>, Outcome)> {
        let files = self.files(config);
        if files.is_empty() {
            return Ok((None, Outcome::Fine));
        }
        self.refuse_empty(config)?;
        let mut catalog = DdlCatalog::new();
        let outcome = Inputs { sql: None, files }.each(|mut source| {
            source.text.truncate(applied_sql(&source.text).len());
            let read = each_stmt(&source, version, limits, |sql| {
                Ok::<_, StmtError>(define(&mut catalog, version, limits.options(), sql)?)
            });
            catalog.end_script();
            read
        })?;
        if outcome == Outcome::Failed {
            bail!("what the database has cannot be read");
        }
        Ok((Some(catalog), outcome))
    }
}

/// Adds what a statement defines to the catalog.
pub(crate) fn define(
    catalog: &mut DdlCatalog,
    version: Version,
    options: ParserOptions,
    sql: &str,
) -> Result<(), Error> {
    with_version!(version, pg, pg_ast_names as names => {
        names::define(&pg::view::parse_with(sql, options)?, catalog);
    });
    Ok(())
}

//! `pgast lsp`.

use anyhow::{Result, anyhow};
use pg_ast::Version;
use pg_ast_lsp::Settings;

use super::{fmt, lint};
use crate::Outcome;
use crate::args::Lsp;
use crate::config::Config;

pub(super) fn run(args: &Lsp, version: Version, config: &Config) -> Result<Outcome> {
    let selection = lint::Selection::of_settings(version, config)?;
    let settings = Settings::default()
        .version(version)
        .lint(selection.of_file(None))
        .lint_by_file(move |path| {
            let is_excluded = selection.excludes(path).unwrap_or(false);
            (!is_excluded).then(|| selection.of_file(Some(path)))
        })
        .format(fmt::options(config))
        .schema(args.schema.iter().chain(&config.lsp.schema).cloned());
    pg_ast_lsp::serve(settings).map_err(|error| anyhow!(error))?;
    Ok(Outcome::Fine)
}

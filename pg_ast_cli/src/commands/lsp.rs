//! `pgast lsp`.

use anyhow::{Result, anyhow};
use pg_ast::Version;
use pg_ast_lsp::Settings;

use super::{fmt, lint};
use crate::Outcome;
use crate::args::Lsp;
use crate::config::Config;

pub(super) fn run(args: &Lsp, version: Version, config: &Config) -> Result<Outcome> {
    let settings = Settings::default()
        .version(version)
        .lint(lint::options(version, config))
        .format(fmt::options(config))
        .schema(args.schema.iter().chain(&config.lsp.schema).cloned());
    pg_ast_lsp::serve(settings).map_err(|error| anyhow!(error))?;
    Ok(Outcome::Fine)
}

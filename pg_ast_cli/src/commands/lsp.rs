//! `pgast lsp`.

use anyhow::{Result, anyhow};
use pg_ast::Version;
use pg_ast_lsp::Settings;

use super::{fmt, lint};
use crate::Outcome;
use crate::args::Lsp;
use crate::config::Config;

pub(super) fn run(args: &Lsp, version: Version, config: &Config) -> Result<Outcome> {
    let baseline = lint::Baseline::of_settings(config)?;
    let mut selection = lint::Selection::of_settings(version, config)?;
    // What cannot be read is reported by the server.
    let database = args.known.texts(config).unwrap_or_default().join("\n");
    let options = selection.options.fingerprints(baseline.is_some());
    selection.options = options.database(&database);
    let settings = Settings::default()
        .version(version)
        .lint(selection.of_file(None))
        .lint_by_file(move |path| {
            let is_excluded = selection.excludes(path).unwrap_or(false);
            (!is_excluded).then(|| selection.of_file(Some(path)))
        })
        .shown(move |path, findings| {
            match baseline.as_ref().and_then(|it| Some((it, it.name(path).ok()?))) {
                Some((baseline, name)) => baseline.new_ones(&name, &findings),
                None => findings,
            }
        })
        .format(fmt::options(config))
        .schema(args.known.paths(config)?);
    pg_ast_lsp::serve(settings).map_err(|error| anyhow!(error))?;
    Ok(Outcome::Fine)
}

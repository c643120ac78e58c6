//! The rules for each file, of the settings and the command line.

use std::env;
use std::path::Path;

use anyhow::{Context as _, Result};
use pg_ast::Version;
use pg_ast_lint::{Options, Rule, Selector};

use crate::args::{Lint, Selected};
use crate::config::{Config, RuleOptions};
use crate::paths::Patterns;
use crate::stand_ins::placeholders;

/// Returns the options that the settings choose for every file.
fn options(version: Version, config: &Config) -> Options {
    let lint = &config.lint;
    let mut options = Options::default()
        .version(version)
        .placeholders(placeholders(&config.placeholders))
        .in_transaction(lint.in_transaction)
        .unsafe_fixes(lint.unsafe_fixes);
    if let Some(select) = &lint.select {
        options = options.only(names(select));
    }
    options = options.with(names(&lint.extend_select)).without(names(&lint.ignore));
    // Sets come first.
    for (rules, level) in &lint.severity {
        options = options.severity([rules.0], (*level).into());
    }
    for (rules, it) in &lint.rules {
        options = excepted(options, rules.0, it);
    }
    options
}

fn excepted(options: Options, rules: Selector, excepted: &RuleOptions) -> Options {
    options
        .except_tables([rules], excepted.except_tables.iter().cloned())
        .except_names([rules], excepted.except_names.iter().cloned())
}

pub(crate) struct Selection {
    pub(in crate::commands) options: Options,
    settings: Options,
    exclude: Vec<Patterns>,
    ignored: Vec<(Patterns, Vec<Selector>)>,
}

impl Selection {
    /// Takes over the settings.
    pub(crate) fn of_settings(version: Version, config: &Config) -> Result<Self> {
        let lint = &config.lint;
        let exclude = vec![Patterns::new(&config.folder, &lint.exclude)?];
        let mut ignored = Vec::new();
        for (pattern, rules) in &lint.per_file_ignores {
            ignored.push((Patterns::new(&config.folder, [pattern])?, names(rules).collect()));
        }
        let settings = options(version, config);
        Ok(Self { options: settings.clone(), settings, exclude, ignored })
    }

    /// Takes over the settings, and what the command line says besides.
    pub(super) fn new(args: &Lint, version: Version, config: &Config) -> Result<Self> {
        let Self { mut options, settings, mut exclude, mut ignored } =
            Self::of_settings(version, config)?;
        options = options
            .placeholders(args.stand_ins.placeholders(&config.placeholders))
            .in_transaction(args.in_transaction || config.lint.in_transaction)
            .unsafe_fixes(args.unsafe_fixes || config.lint.unsafe_fixes);
        // What is selected here replaces all of the settings.
        if let Some(select) = &args.select {
            options = options.only(select.iter().copied());
        }
        options =
            options.with(args.extend_select.iter().copied()).without(args.ignore.iter().copied());
        for (rules, severity) in &args.severity {
            options = options.severity([*rules], *severity);
        }
        for it in &args.option {
            options = excepted(options, it.rules, &it.options);
        }
        let here = env::current_dir().context("cannot tell the current folder")?;
        exclude.push(Patterns::new(&here, &args.exclude)?);
        for ignore in &args.per_file_ignores {
            ignored.push((Patterns::new(&here, [&ignore.pattern])?, ignore.rules.clone()));
        }
        Ok(Self { options, settings, exclude, ignored })
    }

    /// Returns whether a file is left out.
    pub(crate) fn excludes(&self, path: &Path) -> Result<bool> {
        for patterns in &self.exclude {
            if patterns.matches(path)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether the command line turns a rule off that the settings turn on, for a file with these options.
    pub(super) fn leaves_out(&self, rule: Rule, options: &Options) -> bool {
        self.settings.has(rule) && !options.has(rule)
    }

    /// Returns the options for a file, or for what is none.
    pub(crate) fn of_file(&self, path: Option<&Path>) -> Options {
        let mut options = self.options.clone();
        for (patterns, rules) in &self.ignored {
            if path.is_some_and(|path| patterns.matches(path).unwrap_or(false)) {
                options = options.without(rules.iter().copied());
            }
        }
        options
    }
}

fn names(selected: &[Selected]) -> impl Iterator<Item = Selector> {
    selected.iter().map(|it| it.0)
}

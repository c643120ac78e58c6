//! The rules for each file, of the settings and the command line.

use std::env;
use std::path::Path;

use anyhow::{Context as _, Result};
use pg_ast::Version;
use pg_ast_lint::{Options, Rule, Selector};

use crate::args::{Lint, Selected};
use crate::config::{Config, RuleOptions};
use crate::input::Place;
use crate::paths::Patterns;
use crate::stand_ins::placeholders;

/// Returns the options that the settings choose for every file.
pub(crate) fn options(version: Version, config: &Config) -> Options {
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

pub(super) struct Selection {
    pub(super) options: Options,
    settings: Options,
    exclude: Vec<Patterns>,
    ignored: Vec<(Patterns, Vec<Selector>)>,
}

impl Selection {
    pub(super) fn new(args: &Lint, version: Version, config: &Config) -> Result<Self> {
        let lint = &config.lint;
        let settings = options(version, config);
        let mut options = settings
            .clone()
            .placeholders(args.stand_ins.placeholders(&config.placeholders))
            .in_transaction(args.in_transaction || lint.in_transaction)
            .unsafe_fixes(args.unsafe_fixes || lint.unsafe_fixes);
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
        let exclude = vec![
            Patterns::new(&config.folder, &lint.exclude)?,
            Patterns::new(&here, &args.exclude)?,
        ];
        let mut ignored = Vec::new();
        for (pattern, rules) in &lint.per_file_ignores {
            ignored.push((Patterns::new(&config.folder, [pattern])?, names(rules).collect()));
        }
        for ignore in &args.per_file_ignores {
            ignored.push((Patterns::new(&here, [&ignore.pattern])?, ignore.rules.clone()));
        }
        Ok(Self { options, settings, exclude, ignored })
    }

    /// Returns whether a file is left out.
    pub(super) fn excludes(&self, place: &Place) -> Result<bool> {
        let Place::File(path) = place else { return Ok(false) };
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
    pub(super) fn of_file(&self, path: Option<&Path>) -> Options {
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

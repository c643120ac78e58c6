//! Findings that are known: only new ones are reported.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use pg_ast_lint::{Finding, Rule};
use serde::{Deserialize, Serialize};

use super::super::counted;
use crate::args::Lint;
use crate::config::Config;
use crate::paths::{absolute, relative};
use crate::write::write_or_create;

/// The version of the format.
const VERSION: u32 = 1;

/// A file with the number of findings of each kind.
#[derive(Debug)]
pub(in crate::commands) struct Baseline {
    /// An absolute path.
    file: PathBuf,
    folder: PathBuf,
    counts: BTreeMap<Key, usize>,
    /// The number of findings that are in it, and no longer in the files.
    gone: usize,
}

/// The path is relative to the folder of the file, and neither a line nor a column matters.
type Key = (String, String, String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    findings: Vec<Entry>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    path: String,
    rule: String,
    fingerprint: String,
    count: usize,
}

impl Baseline {
    /// Reads the baseline of the arguments or the settings, if there is one.
    pub(super) fn find(args: &Lint, config: &Config) -> Result<Option<Self>> {
        match args.baseline.clone().or_else(|| file_of(config)) {
            Some(file) => Self::read(&file, args.write_baseline).map(Some),
            None if args.write_baseline => {
                bail!("--write-baseline needs a file: --baseline, or `baseline` in the settings")
            }
            None => Ok(None),
        }
    }

    /// Reads the baseline of the settings, if there is one.
    #[cfg(feature = "lsp")]
    pub(in crate::commands) fn of_settings(config: &Config) -> Result<Option<Self>> {
        file_of(config).map(|file| Self::read(&file, false)).transpose()
    }

    fn read(file: &Path, may_be_new: bool) -> Result<Self> {
        let file = absolute(file)?;
        let name = file.display();
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound && may_be_new => None,
            text => Some(text.with_context(|| format!("cannot read {name}"))?),
        };
        let document = text.map(|text| serde_json::from_str::<Document>(&text)).transpose();
        let document = document.with_context(|| format!("{name} is not a baseline"))?;
        if let Some(version) = document.as_ref().map(|it| it.version).filter(|it| *it != VERSION) {
            bail!("{name} has the format {version}, and this program writes and reads {VERSION}");
        }
        let entries = document.into_iter().flat_map(|document| document.findings);
        let entries = entries.map(|it| ((it.path, it.rule, it.fingerprint), it.count));
        let mut counts = BTreeMap::new();
        for (key, count) in entries {
            // Merges of branches may repeat a line.
            let known = counts.entry(key).or_insert(0);
            *known = count.max(*known);
        }
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self { file, folder, counts, gone: 0 })
    }

    /// Returns the name of a file in it.
    pub(in crate::commands) fn name(&self, path: &Path) -> Result<String> {
        Ok(relative(&absolute(path)?, &self.folder))
    }

    /// Returns the findings of a file that are not in it.
    pub(in crate::commands) fn new_ones(&self, name: &str, found: &[Finding]) -> Vec<Finding> {
        let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
        let is_new = |finding: &&Finding| {
            let key = key(name, finding);
            let known = self.counts.get(&key).copied().unwrap_or(0);
            let count = counts.entry(key).or_insert(0);
            *count += 1;
            *count > known
        };
        found.iter().filter(is_new).cloned().collect()
    }

    /// Notes how many of its findings a file still has. `is_left` is as that of [`set`](Self::set).
    pub(super) fn count_gone(&mut self, name: &str, known: usize, is_left: impl Fn(Rule) -> bool) {
        let all = self.of_file(name).filter(|(key, _)| !has_rule(key, &is_left));
        self.gone += all.map(|(_, count)| count).sum::<usize>().saturating_sub(known);
    }

    fn of_file(&self, name: &str) -> impl Iterator<Item = (&Key, &usize)> {
        let first = (name.to_owned(), String::new(), String::new());
        self.counts.range(first..).take_while(move |(key, _)| key.0 == name)
    }

    /// Sets the findings of a file, but those of the rules that this run leaves out.
    pub(super) fn set(&mut self, name: &str, found: &[Finding], is_left: impl Fn(Rule) -> bool) {
        let old = self.of_file(name).filter(|(key, _)| !has_rule(key, &is_left));
        let old: Vec<_> = old.map(|(key, _)| key.clone()).collect();
        for key in old {
            self.counts.remove(&key);
        }
        for finding in found {
            *self.counts.entry(key(name, finding)).or_insert(0) += 1;
        }
    }

    /// Writes the file: a line per kind of finding, in order. Files that are no longer there are left out.
    pub(super) fn write(&self) -> Result<()> {
        let is_there = |key: &Key| {
            // Not that of standard input.
            let path = self.folder.join(&key.0);
            path.exists()
        };
        let mut lines = Vec::new();
        for (key, count) in self.counts.iter().filter(|(key, _)| is_there(key)) {
            let (path, rule, fingerprint) = key.clone();
            let entry = Entry { path, rule, fingerprint, count: *count };
            lines.push(format!("    {}", serde_json::to_string(&entry)?));
        }
        let lines = lines.join(",\n");
        let text = match lines.as_str() {
            "" => format!("{{\n  \"version\": {VERSION},\n  \"findings\": []\n}}\n"),
            lines => {
                format!("{{\n  \"version\": {VERSION},\n  \"findings\": [\n{lines}\n  ]\n}}\n")
            }
        };
        write_or_create(&self.file, &text)
    }

    /// Says that it could be shorter.
    pub(super) fn report_gone(&self) {
        if self.gone > 0 {
            let gone = counted(self.gone, "finding");
            anstream::eprintln!(
                "{gone} of the baseline no longer found: --write-baseline removes what is gone"
            );
        }
    }
}

fn file_of(config: &Config) -> Option<PathBuf> {
    config.lint.baseline.as_ref().map(|file| config.folder.join(file))
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())
    }
}

/// Returns whether the rule of a key is one of these. One that no longer exists is none.
fn has_rule((_, rule, _): &Key, rules: impl Fn(Rule) -> bool) -> bool {
    rule.parse().is_ok_and(rules)
}

fn key(name: &str, finding: &Finding) -> Key {
    let fingerprint = format!("{:016x}", finding.fingerprint.unwrap_or_default());
    (name.to_owned(), finding.rule.name().to_owned(), fingerprint)
}

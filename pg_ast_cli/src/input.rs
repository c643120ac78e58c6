//! The sources of SQL.

use std::cmp::Ordering;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;

use crate::args::Inputs;
use crate::{Outcome, report};

/// A text and its source.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its name in messages.
    pub(crate) name: String,
    /// The file, unless it is standard input or an argument.
    pub(crate) path: Option<PathBuf>,
    pub(crate) text: String,
}

/// A place to read from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Argument(String),
    Stdin,
    File(PathBuf),
    /// A folder that cannot be read, and why.
    Unreadable(String),
}

impl Place {
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Argument(_) => "SQL".to_owned(),
            Self::Stdin => "stdin".to_owned(),
            Self::File(path) => path.display().to_string(),
            Self::Unreadable(error) => error.clone(),
        }
    }

    pub(crate) fn read(self) -> Result<Source> {
        let name = self.name();
        let (path, bytes) = match self {
            Self::Argument(text) => return Ok(Source { name, path: None, text }),
            Self::Stdin => {
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
                (None, bytes)
            }
            Self::File(path) => {
                let bytes = fs::read(&path).with_context(|| format!("cannot read {name}"))?;
                (Some(path), bytes)
            }
            Self::Unreadable(error) => bail!("cannot read {error}"),
        };
        let text = String::from_utf8(bytes).map_err(|error| {
            anyhow::anyhow!("{name} is not UTF-8, from byte {}", error.utf8_error().valid_up_to())
        })?;
        Ok(Source { name, path, text })
    }
}

impl Inputs {
    /// Returns all places, in the order of the arguments; files of folders by their names.
    pub(crate) fn places(&self) -> Result<Vec<Place>> {
        if let Some(sql) = &self.sql {
            return Ok(vec![Place::Argument(sql.clone())]);
        }
        if self.files.is_empty() {
            return Ok(vec![Place::Stdin]);
        }
        let mut places = Vec::new();
        for path in &self.files {
            match path.to_str() {
                Some("-") => places.push(Place::Stdin),
                _ if path.is_dir() => places.extend(files_in(path, "*.sql")?),
                Some(pattern) if !path.exists() && pattern.contains(['*', '?', '[', '{']) => {
                    let found = files_in(Path::new("."), pattern)?;
                    if found.is_empty() {
                        bail!("no file matches {pattern}");
                    }
                    places.extend(found);
                }
                _ => places.push(Place::File(path.clone())),
            }
        }
        Ok(places)
    }

    /// Returns whether there is one among them that is no file, so that its resulting text is printed.
    pub(crate) fn has_text_to_print(&self) -> bool {
        self.files.is_empty() || self.files.iter().any(|file| file.as_os_str() == "-")
    }

    /// Returns whether there is no file among them, so that standard output is for the resulting text.
    pub(crate) fn reads_no_file(&self) -> bool {
        self.files.iter().all(|file| file.as_os_str() == "-")
    }

    /// Reads the places, one after the other, and calls a function with each. One that cannot be read is reported and
    /// does not affect the others.
    ///
    /// An error of the function ends it: it is for what concerns all of them, such as standard output.
    pub(crate) fn each(&self, f: impl FnMut(Source) -> Result<Outcome>) -> Result<Outcome> {
        each_of(self.places()?, f)
    }
}

/// Reads some places, as [`Inputs::each`] reads all of them.
pub(crate) fn each_of(
    places: Vec<Place>,
    mut f: impl FnMut(Source) -> Result<Outcome>,
) -> Result<Outcome> {
    let mut outcome = Outcome::Fine;
    for place in places {
        outcome = outcome.max(match place.read() {
            Ok(source) => f(source)?,
            Err(error) => {
                report::failure(&error);
                Outcome::Failed
            }
        });
    }
    Ok(outcome)
}

/// Orders paths by their names, with numbers in them as numbers: the tenth migration comes after the second.
fn by_number(one: &Path, other: &Path) -> Ordering {
    let parts = |path: &Path| {
        let text = path.to_string_lossy();
        let mut parts = Vec::new();
        for name in text.split('/') {
            let mut rest = name;
            while let Some(first) = rest.chars().next() {
                let is_number = first.is_ascii_digit();
                let end = rest.find(|c: char| c.is_ascii_digit() != is_number);
                let (part, behind) = rest.split_at(end.unwrap_or(rest.len()));
                let digits = if is_number { part.trim_start_matches('0') } else { "" };
                // A shorter number is less. A number comes before other text, as its digits do.
                parts.push((
                    !is_number,
                    digits.len(),
                    if is_number { digits } else { part }.to_owned(),
                ));
                rest = behind;
            }
            // The end of a folder's name.
            parts.push((false, 0, String::new()));
        }
        parts
    };
    parts(one).cmp(&parts(other)).then_with(|| one.cmp(other))
}

/// Returns the files below a folder that match a pattern.
fn files_in(folder: &Path, pattern: &str) -> Result<Vec<Place>> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let overrides = OverrideBuilder::new(folder)
        .case_insensitive(true)?
        .add(pattern)
        .with_context(|| format!("invalid file pattern {pattern}"))?
        .build()?;
    let mut files = Vec::new();
    let walk = WalkBuilder::new(folder).overrides(overrides).sort_by_file_path(by_number).build();
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                files.push(Place::Unreadable(error.to_string()));
                continue;
            }
        };
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            let path = entry.into_path();
            files.push(Place::File(path.strip_prefix(".").unwrap_or(&path).to_owned()));
        }
    }
    Ok(files)
}

//! Changes of upstream's C files, each for a bug: `patches/`.
//!
//! Each changed file is written into a folder of `OUT_DIR`, which precedes upstream's folders
//! when our own C files are compiled: `#include "postgres_deparse.c"` then finds the patched
//! file. The stock library of the feature `protobuf-oracle` uses the unmodified files.
//!
//! A patch replaces a few words. A fix of more than a line calls our own
//! function, in a header in `c/` that the including file includes first.
//!
//! ```text
//! # a comment
//! --- src/postgres_deparse.c
//!
//! the bug without the patches that follow, which change that file
//! @ 15-16 deparseFuncCall *2
//! - upstream's words, which occur twice in the definition of that function of 15 and 16
//! + the words that replace them
//! @ 17-
//! - words that occur once in the whole file, of 17 and all later versions (`*` is any number)
//! - (they may be lines; in front of them is one blank)
//! + their replacement
//! + with the same number of lines, since errors name their lines
//! ```

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// One change of one file.
pub(crate) struct Patch {
    /// The line of ours that has it.
    pub(crate) place: String,
    /// The file, relative to the root of the sources.
    file: String,
    /// The major versions that it applies to.
    pub(crate) versions: RangeInclusive<u32>,
    /// The function whose definition contains the words, or an empty string for the whole file.
    function: String,
    /// Upstream's words, which occur there exactly `count` times, or any number of times.
    find: String,
    count: Option<usize>,
    replace: String,
    /// The bug without it.
    why: String,
}

/// Writes the patched files of the version `major` into `folder`, which contains nothing else afterwards.
pub(crate) fn write(
    patches: &Path,
    major: u32,
    source: &Path,
    folder: &Path,
) -> Result<(), String> {
    let told = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    // A file of an earlier build without patches now would take precedence over upstream's.
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| told(folder, error))?;
    }
    fs::create_dir_all(folder).map_err(|error| told(folder, error))?;

    let all = read(patches)?;
    let patches = || all.iter().filter(|patch| patch.versions.contains(&major));
    let mut files: Vec<_> = patches().map(|patch| &patch.file).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let path = source.join(file);
        let mut text = fs::read_to_string(&path).map_err(|error| told(&path, error))?;
        for patch in patches().filter(|patch| patch.file == *file) {
            apply(patch, &mut text).map_err(|error| {
                format!(
                    "PostgreSQL {major}, {file}: {} (\"{}\"): {error}. If upstream has fixed that, \
                     end the patch's versions; otherwise replace its words by upstream's new ones.",
                    patch.place, patch.why
                )
            })?;
        }
        let copy = target(folder, file);
        // Messages of C name this file instead of the build path.
        let name = copy.file_name().unwrap_or_default().to_string_lossy();
        fs::write(&copy, format!("#line 1 \"{name}\"\n{text}"))
            .map_err(|error| told(&copy, error))?;
    }
    Ok(())
}

/// Returns the path of the patched copy of a file. It is included by its name alone.
pub(crate) fn target(folder: &Path, file: impl AsRef<Path>) -> PathBuf {
    folder.join(file.as_ref().file_name().unwrap_or_default())
}

/// Reads the patches of all files of a folder, ordered by the files' names; they are applied in that order.
pub(crate) fn read(folder: &Path) -> Result<Vec<Patch>, String> {
    let told = |error: io::Error| format!("{}: {error}", folder.display());
    let entries: io::Result<Vec<_>> = fs::read_dir(folder).map_err(told)?.collect();
    let mut paths: Vec<_> = entries.map_err(told)?.iter().map(fs::DirEntry::path).collect();
    paths.sort_unstable();
    let mut patches = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(told)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        patches.extend(parse(&name, &text)?);
    }
    Ok(patches)
}

/// Reads the patches of one file of ours.
pub(crate) fn parse(name: &str, text: &str) -> Result<Vec<Patch>, String> {
    let (mut file, mut why) = ("", "");
    let mut patches = Vec::new();
    let mut lines = text.lines().zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        let wrong = |what| format!("patches/{name}:{number}: {what}");
        if let Some(head) = line.strip_prefix("@ ") {
            // A bare mark is an empty line.
            let mut marked = |mark: &str| {
                let mut words = Vec::new();
                while let Some((line, _)) = lines.next_if(|(line, _)| {
                    line.strip_prefix(mark)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                }) {
                    words.push(line.get(2..).unwrap_or_default());
                }
                words.join("\n")
            };
            let (find, replace) = (marked("-"), marked("+"));
            let (versions, function, count) =
                self::head(head).ok_or_else(|| wrong("write `@ 15-18 function *2`"))?;
            if find.is_empty() || file.is_empty() || why.is_empty() {
                return Err(wrong("a patch needs a file, a reason, and words"));
            }
            patches.push(Patch {
                place: format!("patches/{name}:{number}"),
                file: file.to_owned(),
                versions,
                function: function.to_owned(),
                find,
                count,
                replace,
                why: why.to_owned(),
            });
        } else if let Some(path) = line.strip_prefix("--- ") {
            (file, why) = (path, "");
        } else if line.starts_with(['@', '-', '+']) {
            return Err(wrong("this is no part of a patch"));
        } else if !line.is_empty() && !line.starts_with('#') {
            why = line;
        }
    }
    Ok(patches)
}

/// Reads the line that begins a patch: `15-16 function *2`, `15 *`, `17-`.
fn head(line: &str) -> Option<(RangeInclusive<u32>, &str, Option<usize>)> {
    let (line, count) = match line.split_once(" *") {
        Some((line, "")) => (line, None),
        Some((line, count)) => (line, Some(count.parse().ok()?)),
        None => (line, Some(1)),
    };
    let (versions, function) = line.split_once(' ').unwrap_or((line, ""));
    let (first, last) = versions.split_once('-').unwrap_or((versions, versions));
    let last = if last.is_empty() { u32::MAX } else { last.parse().ok()? };
    (!function.contains(' ')).then_some((first.parse().ok()?..=last, function, count))
}

/// Changes `text` according to `patch`, or returns why it cannot.
pub(crate) fn apply(patch: &Patch, text: &mut String) -> Result<(), String> {
    let lines = |text: &str| text.matches('\n').count();
    if lines(&patch.find) != lines(&patch.replace) {
        return Err("it would move the lines that follow".to_owned());
    }
    let (start, end) = if patch.function.is_empty() {
        (0, text.len())
    } else {
        definition(text, &patch.function)
            .ok_or_else(|| format!("there is not one definition of {}", patch.function))?
    };
    let found = text[start..end].matches(&patch.find).count();
    if found == 0 || patch.count.is_some_and(|count| found != count) {
        let expected = patch.count.map_or_else(|| "any".to_owned(), |count| count.to_string());
        return Err(format!("`{}` occurs {found} times, not {expected}", patch.find));
    }
    let changed = text[start..end].replace(&patch.find, &patch.replace);
    text.replace_range(start..end, &changed);
    Ok(())
}

/// Returns the range of the only definition of a function: from the line with its name to the `}` that ends it.
pub(crate) fn definition(text: &str, name: &str) -> Option<(usize, usize)> {
    let call = format!("{name}(");
    let mut definitions = text.match_indices(&call).filter_map(|(at, _)| {
        let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let is_word = text[..at].ends_with([' ', '*', '\n']) || at == 0;
        let is_top = text[line..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let after = text[at..].find(['{', ';'])? + at;
        let end = text[after..].find("\n}")? + after + "\n}".len();
        (is_word && is_top && text[after..].starts_with('{')).then_some((line, end))
    });
    let only = definitions.next()?;
    definitions.next().is_none().then_some(only)
}

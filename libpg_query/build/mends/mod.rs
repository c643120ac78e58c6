//! Fixes for bugs in upstream's C files, as data.
//!
//! Each changed file is written into a folder of `OUT_DIR`, which precedes upstream's folders
//! when our own C files are compiled: `#include "postgres_deparse.c"` then finds the mended
//! file. The stock library of the feature `protobuf-oracle` uses the unmodified files.
//!
//! A mend replaces a few words. A fix of more than a line calls our own
//! function, in a header in `c/` that the including file includes first.

mod comments;
mod deparse_expressions;
mod deparse_precedence;
mod deparse_tables;
mod deparse_utility;
mod older;
mod older_names;
mod older_operands;
mod platforms;
mod speed;

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// One change of one file.
pub(crate) struct Mend {
    /// The file, relative to the root of the sources.
    pub(crate) file: &'static str,
    /// The major versions that it applies to.
    pub(crate) versions: RangeInclusive<u32>,
    /// The function whose definition contains the words, or an empty string for the whole file.
    pub(crate) function: &'static str,
    /// Upstream's words, which occur there exactly `count` times.
    pub(crate) find: &'static str,
    pub(crate) count: usize,
    /// The replacement, with the same number of lines: errors name their lines.
    pub(crate) replace: &'static str,
    /// The bug without it.
    pub(crate) why: &'static str,
}

/// The end of a mend's versions if the newest version still needs it, so that the next one gets it as well.
const NEWEST: u32 = u32::MAX;

/// The lists, one per file of upstream or per purpose.
const MENDS: &[&[Mend]] = &[
    comments::MENDS,
    deparse_expressions::MENDS,
    deparse_precedence::MENDS,
    deparse_tables::MENDS,
    deparse_utility::MENDS,
    older::MENDS,
    older_names::MENDS,
    older_operands::MENDS,
    platforms::MENDS,
    speed::MENDS,
];

/// A mend of the deparser, of words that occur once in a function.
///
/// The functions that it calls are in `c/mends_deparse.h`, or in
/// `c/older_*.h` for the deparsers before 17, whose interface differs.
const fn deparse(
    versions: RangeInclusive<u32>,
    function: &'static str,
    find: &'static str,
    replace: &'static str,
    why: &'static str,
) -> Mend {
    Mend { file: "src/postgres_deparse.c", versions, function, find, count: 1, replace, why }
}

/// Writes the mended files of the version `major` into `folder`, which contains nothing else afterwards.
pub(crate) fn write(major: u32, source: &Path, folder: &Path) -> Result<(), String> {
    let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    // A file of an earlier build without mends now would take precedence over upstream's.
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| told(folder, error))?;
    }
    fs::create_dir_all(folder).map_err(|error| told(folder, error))?;

    let mends = || MENDS.iter().copied().flatten().filter(|mend| mend.versions.contains(&major));
    let mut files: Vec<_> = mends().map(|mend| mend.file).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let path = source.join(file);
        let mut text = fs::read_to_string(&path).map_err(|error| told(&path, error))?;
        for mend in mends().filter(|mend| mend.file == file) {
            apply(mend, &mut text).map_err(|error| {
                format!("PostgreSQL {major}, {file}: the mend of \"{}\": {error}", mend.why)
            })?;
        }
        let mended = target(folder, file);
        // Messages of C name this file instead of the build path.
        let name = mended.file_name().unwrap_or_default().to_string_lossy();
        fs::write(&mended, format!("#line 1 \"{name}\"\n{text}"))
            .map_err(|error| told(&mended, error))?;
    }
    Ok(())
}

/// Returns the path of the mended copy of a file. It is included by its name alone.
pub(crate) fn target(folder: &Path, file: impl AsRef<Path>) -> PathBuf {
    folder.join(file.as_ref().file_name().unwrap_or_default())
}

/// Changes `text` according to `mend`, or returns why it cannot.
pub(crate) fn apply(mend: &Mend, text: &mut String) -> Result<(), String> {
    let lines = |text: &str| text.matches('\n').count();
    if lines(mend.find) != lines(mend.replace) {
        return Err("it would move the lines that follow".to_owned());
    }
    let (start, end) = if mend.function.is_empty() {
        (0, text.len())
    } else {
        definition(text, mend.function)
            .ok_or_else(|| format!("there is not one definition of {}", mend.function))?
    };
    let found = text[start..end].matches(mend.find).count();
    if found != mend.count {
        return Err(format!("`{}` occurs {found} times, not {}", mend.find, mend.count));
    }
    let changed = text[start..end].replace(mend.find, mend.replace);
    text.replace_range(start..end, &changed);
    Ok(())
}

/// Returns the range of the only definition of a function: from the line with its name to the `}` that ends it.
fn definition(text: &str, name: &str) -> Option<(usize, usize)> {
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

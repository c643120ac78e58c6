//! Changes to upstream's C files where they are wrong, as data.
//!
//! Each changed file is written into a folder of `OUT_DIR`, which our own C files are compiled with
//! ahead of upstream's folders: `#include "postgres_deparse.c"` then finds the mended one. The stock
//! library of the feature `protobuf-oracle` has the files as they are.
//!
//! A mend replaces a few words. What needs more than a line calls a function of ours, in a header in
//! `c/` that the including file includes first.

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
    /// From the root of the sources.
    pub(crate) file: &'static str,
    /// The major versions that it is for.
    pub(crate) versions: RangeInclusive<u32>,
    /// The function whose definition has the words, or an empty string for the whole file.
    pub(crate) function: &'static str,
    /// Words of upstream's that occur there exactly `count` times.
    pub(crate) find: &'static str,
    pub(crate) count: usize,
    /// What stands there instead, on as many lines: errors name their lines.
    pub(crate) replace: &'static str,
    /// What is wrong without it.
    pub(crate) why: &'static str,
}

/// The end of a mend's versions while the newest version still needs it, so that the next one has it as well.
const NEWEST: u32 = u32::MAX;

/// The lists, one for each file of upstream's or each purpose.
const MENDS: &[&[Mend]] = &[
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

/// One mend of the deparser, of words that occur once in a function.
///
/// What it calls is in `c/mends_deparse.h`, or in `c/older_*.h` for the deparsers before 17, whose
/// interface is another one.
const fn deparse(
    versions: RangeInclusive<u32>,
    function: &'static str,
    find: &'static str,
    replace: &'static str,
    why: &'static str,
) -> Mend {
    Mend { file: "src/postgres_deparse.c", versions, function, find, count: 1, replace, why }
}

/// Writes the mended files of the version `major` into `folder`, which has nothing else afterwards.
pub(crate) fn write(major: u32, source: &Path, folder: &Path) -> Result<(), String> {
    let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    // A file of an earlier build whose mends are gone would stand before upstream's.
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
        // Messages of C name this file, and not where it was built.
        let name = mended.file_name().unwrap_or_default().to_string_lossy();
        fs::write(&mended, format!("#line 1 \"{name}\"\n{text}"))
            .map_err(|error| told(&mended, error))?;
    }
    Ok(())
}

/// Where the mended copy of a file lies. It is included by its name alone.
pub(crate) fn target(folder: &Path, file: impl AsRef<Path>) -> PathBuf {
    folder.join(file.as_ref().file_name().unwrap_or_default())
}

/// Changes `text` as `mend` says, or says why that cannot be.
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

/// Where the one definition of a function stands: from the line with its name to the `}` that ends it.
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

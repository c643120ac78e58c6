//! Pins: upstream text that ours drops, replaces or mirrors without quoting it, by a hash.
//!
//! A patch quotes the words that it replaces, so the build notices if they change. The text in `table.rs` would change
//! silently: what a patch cuts out between two lines, the original of a function that we have a version of, the rules
//! that a table of ours repeats. A pin names the text, and the files of ours to look at when it changes.
//!
//! `pins.txt` has the hashes, and `libpg_query_tools pins` writes it. A hash holds from a version on, up to the next
//! one of the same pin; so a new version with the same text needs none.
//!
//! Text that the build cuts out is checked by the build. All other pins are checked by `libpg_query_tools text`, in
//! CI: what they are about is often not compiled at all, and the sources of a release do not change any more.

mod table;

use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use crate::patches;

pub(crate) use table::PINS;

/// A piece of upstream text that ours depends on.
pub(crate) struct Pin {
    /// The file, relative to the root of the sources.
    pub(crate) file: &'static str,
    pub(crate) part: Part,
    /// The major versions that have it.
    pub(crate) versions: RangeInclusive<u32>,
    /// What depends on it, from the root of the repository.
    pub(crate) ours: &'static [&'static str],
    /// How.
    pub(crate) why: &'static str,
}

/// A part of a file.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// What the build cuts out between `#if 0` and `#endif`, where these words are.
    Cut(&'static str),
    /// A function, by its name.
    Function(&'static str),
    /// The definitions of a macro.
    Macro(&'static str),
    /// From the only occurrence of some words to the next of others, including both.
    Between(&'static str, &'static str),
    /// The whole file.
    File,
    /// The rules of a symbol of the grammar.
    Symbol(&'static str),
    /// The forms of the grammar's actions.
    Actions,
    /// The characters that the scanner distinguishes.
    Characters,
    /// The scanner's automaton.
    Automaton,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file)?;
        match self.part {
            Part::Cut(words) => write!(f, ", the cut with {words}"),
            Part::Function(name) => write!(f, ", {name}()"),
            Part::Macro(name) => write!(f, ", #define {name}"),
            Part::Between(start, _) => write!(f, ", from `{}`", start.replace('\n', " ").trim()),
            Part::File => Ok(()),
            Part::Symbol(name) => write!(f, ", the rules of {name}"),
            Part::Actions => f.write_str(", the forms of actions"),
            Part::Characters => f.write_str(", the classes of characters"),
            Part::Automaton => f.write_str(", the automaton"),
        }
    }
}

impl Pin {
    /// Returns the hash that is accepted for a version.
    pub(crate) fn accepted(&self, major: u32, hashes: &str) -> Option<u64> {
        let name = self.to_string();
        let lines = hashes.lines().filter_map(|line| {
            let (version, rest) = line.split_once(' ')?;
            let (hash, named) = rest.split_once(' ')?;
            let version: u32 = version.parse().ok()?;
            (named == name && version <= major)
                .then_some((version, u64::from_str_radix(hash, 16).ok()?))
        });
        lines.max_by_key(|(version, _)| *version).map(|(_, hash)| hash)
    }

    /// Fails if the text is not the accepted one of a version, and says where to look.
    pub(crate) fn check(&self, major: u32, hashes: &str, text: &str) -> Result<(), String> {
        if self.accepted(major, hashes) == Some(hash(text)) {
            return Ok(());
        }
        Err(format!(
            "PostgreSQL {major}: {self} is not the text that {} was written for: {}. See what has changed \
             (`cargo run -p libpg_query_tools -- text pg{major}`), and accept it after it was considered there \
             (`cargo run -p libpg_query_tools -- pins pg{major}`)",
            self.ours.join(", "),
            self.why,
        ))
    }

    /// Returns the text of the parts that are found by words.
    pub(crate) fn excerpt(&self, text: &str) -> Option<String> {
        match self.part {
            Part::Cut(words) => {
                cuts(text).into_iter().find(|cut| cut.contains(words)).map(str::to_owned)
            }
            Part::Function(name) => {
                patches::definition(text, name).map(|(start, end)| text[start..end].to_owned())
            }
            Part::Macro(name) => definitions(text, name),
            Part::Between(from, to) => {
                let (_, rest) = text.split_once(from)?;
                let end = rest.find(to)? + to.len();
                (!rest.contains(from)).then(|| [from, &rest[..end]].concat())
            }
            Part::File => Some(text.to_owned()),
            Part::Symbol(_) | Part::Actions | Part::Characters | Part::Automaton => None,
        }
    }
}

/// Checks what was cut out of the files in the folder of patched files.
pub(crate) fn check_cuts(major: u32, hashes: &str, folder: &Path) -> Result<(), String> {
    let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    for entry in fs::read_dir(folder).map_err(|error| told(folder, error))? {
        let path = entry.map_err(|error| told(folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            let text = fs::read_to_string(&path).map_err(|error| told(&path, error))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            check_cuts_of(major, hashes, &name, &text)?;
        }
    }
    Ok(())
}

/// Checks what was cut out of a file, by the name of the file alone.
pub(crate) fn check_cuts_of(
    major: u32,
    hashes: &str,
    name: &str,
    text: &str,
) -> Result<(), String> {
    for cut in cuts(text) {
        let pin = PINS.iter().find(|pin| {
            pin.file.rsplit('/').next() == Some(name)
                && pin.versions.contains(&major)
                && matches!(pin.part, Part::Cut(words) if cut.contains(words))
        });
        let pin = pin.ok_or_else(|| {
            let start = cut.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            format!(
                "PostgreSQL {major}, {name}: what is cut out from `{start}` on has no pin in build/pins/table.rs"
            )
        })?;
        pin.check(major, hashes, cut)?;
    }
    Ok(())
}

/// Returns what is between each `#if 0` of ours (upstream's have a blank) and its `#endif`.
pub(crate) fn cuts(text: &str) -> Vec<&str> {
    let mut cuts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("#if 0\n") {
        rest = &rest[at + "#if 0\n".len()..];
        let (mut depth, mut end) = (1, 0);
        for line in rest.split_inclusive('\n') {
            let directive = line.trim_start().strip_prefix('#').unwrap_or_default().trim_start();
            if directive.starts_with("if") {
                depth += 1;
            } else if directive.starts_with("endif") {
                depth -= 1;
            }
            if depth == 0 {
                break;
            }
            end += line.len();
        }
        cuts.push(&rest[..end]);
        rest = &rest[end..];
    }
    cuts
}

/// Returns all definitions of a macro.
fn definitions(text: &str, name: &str) -> Option<String> {
    let mut found = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let defined = line
            .trim_start()
            .strip_prefix('#')
            .and_then(|line| line.trim_start().strip_prefix("define"));
        let after = defined.and_then(|defined| defined.trim_start().strip_prefix(name));
        if after
            .is_none_or(|after| after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
        {
            continue;
        }
        let mut line = line;
        loop {
            found.extend([line, "\n"]);
            match (line.ends_with('\\'), lines.next()) {
                (true, Some(next)) => line = next,
                _ => break,
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Returns code by lines, without comments, line numbers, and differences in white space.
pub(crate) fn normalised(text: &str) -> String {
    let code = without_comments(text);
    let is_code = |line: &&str| !line.starts_with("#line ");
    let lines = code.lines().map(str::trim).filter(is_code);
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    words.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Returns the hash of a text: FNV-1a of the words of the code, wherever its lines end.
pub(crate) fn hash(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for word in normalised(text).split_whitespace() {
        for byte in word.bytes().chain([b' ']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// Returns code with blanks in place of comments.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        code.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if let Some(comment) = rest.strip_prefix("/*") {
            code.push(' ');
            comment.find("*/").map_or(rest.len(), |end| "/*".len() + end + "*/".len())
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            let length = literal(rest);
            code.push_str(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    code + rest
}

/// Returns the length of the literal that code begins with; 1 for anything else. One ends with its line at the latest.
fn literal(code: &str) -> usize {
    let bytes = code.as_bytes();
    let quote = bytes[0];
    if quote == b'/' {
        return 1;
    }
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        if bytes[at] == quote {
            return at + 1;
        }
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    // Not within a character.
    code.find('\n').unwrap_or(code.len())
}

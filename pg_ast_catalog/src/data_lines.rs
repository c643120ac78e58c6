//! The data: lines with fields, for all versions in one text.

use std::sync::OnceLock;

use miniz_oxide::inflate::decompress_to_vec;

/// What is compressed at build time, and what it says once it is asked for.
pub(crate) struct Data {
    compressed: &'static [u8],
    text: OnceLock<String>,
}

/// PostgreSQL's own objects. Each line has the versions that it holds for, and the fields of an object.
pub(crate) static BUILTIN: Data =
    Data::new(include_bytes!(concat!(env!("OUT_DIR"), "/builtin.txt")));

/// Those of extensions. Before the versions, a line has the name of the extension.
pub(crate) static EXTENSIONS: Data =
    Data::new(include_bytes!(concat!(env!("OUT_DIR"), "/extensions.txt")));

impl Data {
    const fn new(compressed: &'static [u8]) -> Self {
        Self { compressed, text: OnceLock::new() }
    }

    /// Returns all lines.
    pub(crate) fn lines(&'static self) -> impl Iterator<Item = &'static str> {
        let text = self.text.get_or_init(|| {
            // The build script has made it.
            let bytes = decompress_to_vec(self.compressed).unwrap_or_default();
            String::from_utf8(bytes).unwrap_or_default()
        });
        text.lines().filter(|line| !line.starts_with('#'))
    }
}

/// The first version of the data, and how many there are.
const FIRST: u32 = 15;
const VERSIONS: usize = 4;

/// What is read of the data, for each version the first time that it is asked for.
pub(crate) struct PerVersion<T>([OnceLock<T>; VERSIONS]);

impl<T> PerVersion<T> {
    pub(crate) const fn new() -> Self {
        Self([const { OnceLock::new() }; VERSIONS])
    }

    /// Returns what is read for a major version; `None` if the data is not of it.
    pub(crate) fn get(&self, major: u32, read: impl FnOnce() -> T) -> Option<&T> {
        let place = usize::try_from(major.checked_sub(FIRST)?).ok()?;
        Some(self.0.get(place)?.get_or_init(read))
    }
}

/// Returns the fields of a line that holds for a version: `16-`, `-16`, `16-17`, or all with nothing.
pub(crate) fn in_version(line: &'static str, major: u32) -> Option<&'static str> {
    let (versions, fields) = line.split_once('\t')?;
    if versions.is_empty() {
        return Some(fields);
    }
    let (first, last) = versions.split_once('-')?;
    let first = first.parse().unwrap_or(0);
    let last = last.parse().unwrap_or(u32::MAX);
    (first <= major && major <= last).then_some(fields)
}

//! The table of the SQL that our deparser prints differently from libpg_query's: `tests/patched/`.

use std::ops::RangeInclusive;

/// A statement that libpg_query's deparser prints wrong.
pub struct PatchedText {
    versions: RangeInclusive<u32>,
    pub sql: String,
    pub theirs: Theirs,
    pub ours: String,
}

/// The result of libpg_query's deparser for a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Theirs {
    Text(String),
    /// It rejects the statement, with this message.
    Error(String),
    /// It would dereference NULL, which ends the process, so it is not called.
    Null,
}

/// Returns the entries for a version, such as `pg18`.
pub fn patched_texts(version: &str) -> Vec<PatchedText> {
    let major: u32 = version.trim_start_matches("pg").parse().expect("a version");
    let files = [include_str!("../patched/deparse.txt"), include_str!("../patched/before_17.txt")];
    let entries = files.into_iter().flat_map(|file| file.split("\n\n"));
    // SQL may end in a blank.
    let entries = entries.map(|entry| entry.trim_end_matches('\n'));
    let entries = entries.filter(|entry| !entry.trim_start().starts_with('#'));
    entries.map(entry).filter(|entry| entry.versions.contains(&major)).collect()
}

fn entry(text: &str) -> PatchedText {
    let lines: Vec<_> = text.lines().map(|line| line.replace("\\n", "\n")).collect();
    let [versions, sql, theirs, ours] = &lines[..] else { panic!("not four lines: {text}") };
    let (first, last) = versions.split_once('-').unwrap_or((versions, versions));
    let version = |text: &str| text.parse().expect("a version");
    // An open range: the newest version, and the next one until its test fails.
    let last = if last.is_empty() { u32::MAX } else { version(last) };
    let theirs = match theirs.strip_prefix("! ") {
        Some(message) => Theirs::Error(message.to_owned()),
        None if theirs == "NULL" => Theirs::Null,
        None => Theirs::Text(theirs.clone()),
    };
    PatchedText { versions: version(first)..=last, sql: sql.clone(), theirs, ours: ours.clone() }
}

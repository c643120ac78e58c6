//! The statements of a script, as far as the formatter has to know them.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use pg_ast::{Error, Version, with_version};

/// A byte order mark, which a script may begin with.
pub(super) const BOM: char = '\u{feff}';

/// The names of fields with places in the text, and the ends of such names.
const LOCATIONS: [&str; 4] = ["location", "stmt_len", "list_start", "list_end"];

/// A statement of a script.
#[derive(Debug)]
pub(super) struct Stmt {
    /// From its first token to its last.
    pub(super) range: Range<usize>,
    pub(super) result: Result<Tree, Error>,
}

/// The tree of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    /// A hash of everything in it except for locations. Trees themselves would take many times the memory of the script.
    hash: [u64; 2],
    /// True for `COPY .. FROM STDIN`: the lines after it may be data.
    pub(super) copies: bool,
}

impl Stmt {
    pub(super) fn copies(&self) -> bool {
        self.result.as_ref().is_ok_and(|tree| tree.copies)
    }
}

/// Reads the statements of a script.
pub(super) fn statements(version: Version, script: &str) -> Vec<Stmt> {
    with_version!(version, pg => {
        let mut shown = String::new();
        let stmts = pg::parse_script(script).into_iter().map(|stmt| {
            let result = stmt.result.map(|tree| {
                let nodes = tree.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref());
                let copies = nodes.filter_map(|node| node.node.as_ref()).any(|node| match node {
                    pg::NodeEnum::CopyStmt(copy) => {
                        copy.is_from && !copy.is_program && copy.filename.is_empty()
                    }
                    _ => false,
                });
                shown.clear();
                // Nothing that prints a tree into a string fails.
                let _ = write!(shown, "{:?}", tree.protobuf.stmts);
                Tree { hash: hash_without_locations(&shown), copies }
            });
            Stmt { range: stmt.range, result }
        });
        stmts.collect()
    })
}

/// Hashes a tree in Debug format, in which names are followed by a colon.
fn hash_without_locations(shown: &str) -> [u64; 2] {
    let mut kept = String::with_capacity(shown.len());
    let mut rest = shown;
    while let Some(at) = rest.find(['"', ':']) {
        let (before, here) = rest.split_at(at);
        kept += before;
        let length = if here.starts_with('"') { quoted(here) } else { 1 };
        kept += &here[..length];
        rest = &here[length..];
        if LOCATIONS.iter().any(|name| before.ends_with(name)) {
            rest = rest.trim_start_matches(|c: char| c == ' ' || c == '-' || c.is_ascii_digit());
        }
    }
    kept += rest;
    [0_u64, 1].map(|seed| {
        let mut hasher = DefaultHasher::new();
        (seed, &kept).hash(&mut hasher);
        hasher.finish()
    })
}

/// Returns the length of a string in Debug format.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// Returns where the data of a `COPY .. FROM STDIN` begins, at the latest, if it extends to the end of the script. psql
/// reads all lines as data then, and nothing tells them from statements.
pub(super) fn data_without_end(script: &str, stmts: &[Stmt]) -> Option<usize> {
    let mut last_end = None;
    let mut at = 0;
    for line in script.split_inclusive('\n') {
        if is_end_of_data(line) {
            last_end = Some(at);
        }
        at += line.len();
    }
    let mut end = 0;
    for stmt in stmts {
        let command = copy_command(&script[end..stmt.range.start]);
        if command.is_some_and(|command| Some(end + command) > last_end) {
            return Some(end);
        }
        end = stmt.range.end;
        if stmt.copies() && Some(end) > last_end {
            return Some(end);
        }
    }
    None
}

/// Returns the place of the last command between statements that may be `\copy .. from stdin`.
fn copy_command(gap: &str) -> Option<usize> {
    gap.rfind("\\copy").filter(|at| gap[*at..].to_ascii_lowercase().contains("stdin"))
}

/// Returns whether a line ends the data of a `COPY`.
pub(super) fn is_end_of_data(line: &str) -> bool {
    line.trim_end_matches(['\r', '\n']) == "\\."
}

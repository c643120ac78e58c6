//! The statements of a script, as far as the formatter has to know them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use pg_ast::{Error, Version, with_version};

/// A byte order mark, which a script may begin with.
pub(crate) const BOM: char = '\u{feff}';

/// A statement of a script.
#[derive(Debug)]
pub(crate) struct Stmt {
    /// From its first token to its last.
    pub(crate) range: Range<usize>,
    pub(crate) result: Result<Tree, Error>,
    /// True for `COPY .. FROM STDIN`: the lines after it are data. If it is wrong, only if they end.
    pub(crate) copies: bool,
}

/// The tree of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    /// A hash of everything in it except for locations. Trees themselves would take many times the memory of the script.
    hash: [u64; 2],
}

/// Reads the statements of a script.
pub(crate) fn statements(version: Version, script: &str) -> Vec<Stmt> {
    with_version!(version, pg => {
        let stmts = pg::parse_script(script).into_iter().map(|stmt| {
            let mut copies = stmt.copy_data.is_some();
            let result = stmt.result.map(|mut tree| {
                let nodes = tree.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref());
                copies |= nodes.filter_map(|node| node.node.as_ref()).any(|node| match node {
                    pg::NodeEnum::CopyStmt(copy) => {
                        copy.is_from && !copy.is_program && copy.filename.is_empty()
                    }
                    _ => false,
                });
                tree.clear_locations();
                Tree { hash: hash(&tree.encode_to_vec()) }
            });
            Stmt { range: stmt.range, result, copies }
        });
        stmts.collect()
    })
}

fn hash(bytes: &[u8]) -> [u64; 2] {
    [0_u64, 1].map(|seed| {
        let mut hasher = DefaultHasher::new();
        (seed, bytes).hash(&mut hasher);
        hasher.finish()
    })
}

/// Returns whether a line ends the data of a `COPY`.
pub(crate) fn is_end_of_data(line: &str) -> bool {
    line.trim_end_matches(['\r', '\n']) == "\\."
}

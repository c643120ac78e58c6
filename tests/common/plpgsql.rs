//! Our own functions in PL/pgSQL: valid ones, and wrong ones with the message and the place that the server has for each.

use std::path::PathBuf;

use super::scripts::{read_all, root, sql_files};

/// A wrong function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// As [`Case::expected`] writes it.
    pub expected: String,
    pub sql: String,
}

/// Starts the line before a wrong function.
const MARK: &str = "--- ";

impl Case {
    /// Writes a message with its place: a byte of the function, or the line that is near it, or neither.
    pub fn expected(message: &str, place: Option<usize>, line: Option<u32>) -> String {
        let message = message.replace('\n', "\\n");
        match (place, line) {
            (Some(place), _) => format!("{place}: {message}"),
            (None, Some(line)) => format!("near line {line}: {message}"),
            (None, None) => format!("nowhere: {message}"),
        }
    }
}

/// Returns the valid functions, by file.
pub fn valid() -> Vec<(PathBuf, String)> {
    read_all(sql_files(&root().join("tests/plpgsql/valid")))
}

/// Returns the wrong functions, by file.
pub fn wrong() -> Vec<(PathBuf, Vec<Case>)> {
    let files = read_all(sql_files(&root().join("tests/plpgsql/wrong")));
    files.into_iter().map(|(path, text)| (path, cases(&text))).collect()
}

/// Returns functions `f` with a parameter `a`, each with whether its end is reached without `RETURN`.
pub fn flow() -> Vec<(bool, String)> {
    let path = root().join("tests/plpgsql/flow.sql");
    let text = std::fs::read_to_string(path).expect("the functions can be read");
    let reached = |expected: &str| match expected {
        "end reached" => true,
        "end not reached" => false,
        other => panic!("{other}"),
    };
    cases(&text).into_iter().map(|case| (reached(&case.expected), case.sql)).collect()
}

/// Each case is a line with the mark and what is expected, and the function.
fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(expected) = line.strip_prefix(MARK) {
            let expected = expected.trim_end().to_owned();
            cases.push(Case { expected, sql: String::new() });
        } else if let Some(case) = cases.last_mut() {
            case.sql += line;
        }
    }
    for case in &mut cases {
        case.sql.truncate(case.sql.trim_end().len());
    }
    cases
}

/// Writes cases as they are read.
pub fn write(cases: &[Case]) -> String {
    let parts = cases.iter().flat_map(|case| [MARK, &case.expected, "\n", &case.sql, "\n"]);
    parts.collect()
}

//! PostgreSQL's regression SQL, which is part of two packages that cargo has locked.

use std::path::{Path, PathBuf};

/// The packages whose `test/sql` folder is read.
const PACKAGES: [(&str, &str); 2] = [("pg_query", "5.1.1"), ("pg_query", "0.8.2")];

/// Every statement of the regression SQL, correct or not.
pub fn statements() -> Vec<String> {
    let mut statements = Vec::new();
    for file in files() {
        let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        // A few files are in other encodings.
        split(&String::from_utf8_lossy(&bytes), &mut statements);
    }
    statements
}

/// Our own statements, file by file.
pub fn own() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/statements");
    sql_files(&folder)
        .into_iter()
        .map(|path| {
            let sql = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
            (path, sql)
        })
        .collect()
}

fn files() -> Vec<PathBuf> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .exec()
        .expect("cargo metadata");
    let mut files = Vec::new();
    for (name, version) in PACKAGES {
        let package = metadata
            .packages
            .iter()
            .find(|package| *package.name == name && package.version.to_string() == version)
            .unwrap_or_else(|| panic!("{name} {version} is not locked"));
        let root = package.manifest_path.parent().expect("a folder").as_std_path();
        for folder in ["postgres_regress", "plpgsql_regress"] {
            files.extend(sql_files(&root.join("libpg_query/test/sql").join(folder)));
        }
    }
    assert!(files.len() > 400, "only {} files of regression SQL", files.len());
    files
}

fn sql_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    files.sort();
    files
}

/// Splits a psql script at its semicolons, and leaves psql's own commands and COPY's data out.
fn split(script: &str, statements: &mut Vec<String>) {
    let bytes = script.as_bytes();
    let (mut at, mut start, mut parens) = (0, 0, 0_usize);
    let end_of_line = |from: usize| script[from..].find('\n').map_or(bytes.len(), |n| from + n + 1);
    let mut push = |statement: &str| {
        let statement = statement.trim();
        if !statement.is_empty() && !statement.contains('\0') {
            statements.push(statement.to_owned());
        }
    };
    while at < bytes.len() {
        match bytes[at] {
            b'-' if bytes[at..].starts_with(b"--") => at = end_of_line(at),
            b'/' if bytes[at..].starts_with(b"/*") => at = end_of_comment(bytes, at),
            quote @ (b'\'' | b'"') => {
                let escapes = quote == b'\'' && at > 0 && bytes[at - 1].eq_ignore_ascii_case(&b'e');
                at = end_of_quote(bytes, at, escapes);
            }
            b'$' => at = end_of_dollar_quote(script, at),
            b'(' => {
                parens += 1;
                at += 1;
            }
            b')' => {
                parens = parens.saturating_sub(1);
                at += 1;
            }
            b';' if parens == 0 => {
                let statement = &script[start..at];
                push(statement);
                at += 1;
                let words = statement.to_ascii_lowercase();
                if words.trim_start().starts_with("copy") && words.contains("stdin") {
                    at = script[at..].find("\n\\.").map_or(at, |n| end_of_line(at + n + 1));
                }
                start = at;
            }
            // A command of psql, which ends a statement and its line.
            b'\\' => {
                push(&script[start..at]);
                at = end_of_line(at);
                (start, parens) = (at, 0);
            }
            _ => at += 1,
        }
    }
    push(&script[start.min(bytes.len())..]);
}

fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn end_of_quote(bytes: &[u8], start: usize, escapes: bool) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        if bytes[at] == b'\\' && escapes {
            at += 2;
        } else if bytes[at] == bytes[start] {
            return at + 1;
        } else {
            at += 1;
        }
    }
    bytes.len()
}

fn end_of_dollar_quote(script: &str, start: usize) -> usize {
    let tag_end = script[start + 1..]
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .map_or(script.len(), |n| start + 1 + n);
    let after_word = script[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if after_word || !script[tag_end..].starts_with('$') {
        return start + 1;
    }
    let tag = &script[start..=tag_end];
    script[tag_end + 1..].find(tag).map_or(script.len(), |n| tag_end + 1 + n + tag.len())
}

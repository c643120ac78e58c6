//! Checks that files and folders named in the documentation exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The extensions of files. C files are only checked with a folder: others belong to PostgreSQL or libpg_query.
const ENDS: [&str; 6] = [".rs", ".md", ".toml", ".sql", ".txt", "/"];

/// Parts of paths that only a user, a build or a new version creates, or that are placeholders.
const MADE: [&str; 9] = [
    "TARGET",
    "artifacts",
    "dist",
    "languages.toml",
    "pg19.rs",
    "pgNN",
    "pgast.toml",
    "package.metadata.docs.rs",
    "upstream",
];

/// Returns all files of the repository, and the folders, which end in a slash; relative to its root.
fn files(root: &Path) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("UTF-8");
            let path = folder.join(&name);
            let shown = path.to_str().expect("UTF-8").replace('\\', "/");
            if !entry.file_type().expect("a type").is_dir() {
                files.insert(shown);
            } else if !["target", "upstream", "node_modules", ".git"].contains(&&*name) {
                files.insert(format!("{shown}/"));
                folders.push(path);
            }
        }
    }
    files
}

fn extension(path: &str) -> Option<&str> {
    Path::new(path).extension()?.to_str()
}

/// Returns the text between backticks in a line, if it is a single path.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let is_path = |text: &&str| {
        let c = text.contains("libpg_query/c/") && matches!(extension(text), Some("c" | "h"));
        let plain = |char: char| char.is_ascii_alphanumeric() || "_-./".contains(char);
        (c || ENDS.iter().any(|end| text.ends_with(end)))
            && text.chars().all(plain)
            && text.split('/').all(|part| !MADE.contains(&part))
            && !text.starts_with(['.', '/'])
    };
    line.split('`').skip(1).step_by(2).filter(is_path)
}

/// Returns whether a path is relative to the root, or to a folder above the file.
fn is_there(files: &BTreeSet<String>, path: &str) -> bool {
    files.iter().any(|file| {
        file.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    })
}

#[test]
fn files_that_are_named_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = files(root);
    let (mut count, mut missing) = (0, Vec::new());
    for file in &files {
        let is_code = extension(file) == Some("rs");
        // The change log has the names of its time.
        if !is_code && extension(file) != Some("md") || file.ends_with("CHANGELOG.md") {
            continue;
        }
        let text = fs::read_to_string(root.join(file)).expect("UTF-8");
        for (number, line) in text.lines().enumerate() {
            if is_code && !line.trim_start().starts_with("//!") {
                continue;
            }
            for path in paths(line) {
                count += 1;
                if !is_there(&files, path) {
                    missing.push(format!("{file}:{}: {path}", number + 1));
                }
            }
        }
    }
    assert!(missing.is_empty(), "not there:\n{}", missing.join("\n"));
    assert!(count > 300, "{count}");
}

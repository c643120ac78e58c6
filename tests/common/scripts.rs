//! Scripts as they are: PostgreSQL's regression SQL, from two packages that cargo has locked, and our own.
//!
//! The tests of `pgast` include this file as well.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The packages with a `test/sql` folder.
const PACKAGES: [(&str, &str); 2] = [("pg_query", "5.1.1"), ("pg_query", "0.8.2")];

/// Returns the root of the repository: the including package is a folder in it.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Returns the files of the regression SQL.
pub fn regression() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for root in test_folders() {
        for folder in ["postgres_regress", "plpgsql_regress"] {
            files.extend(sql_files(&root.join("sql").join(folder)));
        }
    }
    assert!(files.len() > 400, "only {} files of regression SQL", files.len());
    read_all(files)
}

/// Returns our own statements, by file.
pub fn own() -> Vec<(PathBuf, String)> {
    read_all(sql_files(&root().join("tests/statements")))
}

/// Returns the folder `test` of each package.
pub fn test_folders() -> Vec<PathBuf> {
    let manifest = root().join("Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo starts");
    let metadata = serde_json::from_slice::<Value>(&output.stdout).expect("cargo metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    let folder = |(name, version): (&str, &str)| {
        let package = packages
            .iter()
            .find(|package| package["name"] == name && package["version"] == version)
            .unwrap_or_else(|| panic!("{name} {version} is not locked"));
        let manifest = package["manifest_path"].as_str().expect("a path");
        Path::new(manifest).with_file_name("libpg_query/test")
    };
    PACKAGES.into_iter().map(folder).collect()
}

/// Returns the SQL files in a folder, in the order of their names.
pub fn sql_files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    files.sort();
    files
}

/// Reads files.
pub fn read_all(files: Vec<PathBuf>) -> Vec<(PathBuf, String)> {
    let read = |path: PathBuf| {
        let bytes =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // A few files of the regression SQL have other encodings.
        (path, String::from_utf8_lossy(&bytes).into_owned())
    };
    files.into_iter().map(read).collect()
}

//! Scripts: PostgreSQL's regression SQL, from two packages that cargo has locked, and our own statements.

use std::fs;
use std::path::{Path, PathBuf};

/// The packages with a `test/sql` folder.
const PACKAGES: [(&str, &str); 2] = [("pg_query", "5.1.1"), ("pg_query", "0.8.2")];

/// A script of the corpus.
pub(crate) struct Script {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Returns all scripts, in the order of their names.
pub(crate) fn scripts() -> Vec<Script> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(here.join("Cargo.toml"))
        .exec()
        .expect("cargo metadata");
    let mut files = sql_files(&here.join("../tests/statements"));
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
    assert!(files.len() > 400, "only {} scripts", files.len());
    let script = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // A few files have other encodings.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Script { name: path.display().to_string(), text }
    };
    files.into_iter().map(script).collect()
}

fn sql_files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    files.sort();
    files
}

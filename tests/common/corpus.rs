//! PostgreSQL's regression SQL, from two packages that cargo has locked.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::split::split;

/// The packages with a `test/sql` folder.
const PACKAGES: [(&str, &str); 2] = [("pg_query", "5.1.1"), ("pg_query", "0.8.2")];

/// Returns every statement of the regression SQL, valid or not, in its order. Most are in both packages, and many of
/// them several times in a file: each text is returned once.
pub fn statements() -> Vec<String> {
    static STATEMENTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let mut statements = Vec::new();
        let mut seen = HashSet::new();
        for file in files() {
            let bytes =
                std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            // A few files have other encodings.
            let mut of_file = split(&String::from_utf8_lossy(&bytes));
            of_file.retain(|sql| seen.insert(sql.clone()));
            statements.append(&mut of_file);
        }
        statements
    });
    STATEMENTS.clone()
}

/// Returns the files of the regression SQL as they are, for tools that read scripts.
pub fn scripts() -> Vec<(PathBuf, String)> {
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path, String::from_utf8_lossy(&bytes).into_owned())
    };
    files().into_iter().map(read).collect()
}

/// Returns our own statements, by file.
pub fn own() -> Vec<(PathBuf, String)> {
    texts("statements")
}

/// Returns the statements of the benches.
pub fn benches() -> Vec<(PathBuf, String)> {
    texts("../benches/sql")
}

fn texts(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    sql_files(&folder)
        .into_iter()
        .map(|path| {
            let sql = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
            (path, sql)
        })
        .collect()
}

/// Returns our own statements one by one, without comments. They are those of the newest version.
pub fn own_statements() -> Vec<String> {
    let texts = own().into_iter().flat_map(|(_, sql)| split(&sql));
    let bare = |sql: String| {
        let lines = sql.lines().skip_while(|line| line.is_empty() || line.starts_with("--"));
        lines.collect::<Vec<_>>().join("\n").trim_end_matches(';').to_owned()
    };
    texts.map(bare).filter(|sql| !sql.is_empty()).collect()
}

/// Returns libpg_query's test cases for fingerprints, each with SQL
/// and 16 digits: the packages of PostgreSQL 15 and 16 contain them.
pub fn fingerprint_cases(major: u32) -> Vec<(String, String)> {
    let path = test_folders().swap_remove(usize::from(major == 15));
    let source = std::fs::read_to_string(path.join("fingerprint_tests.c")).expect("the cases");
    let strings: Vec<_> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","))
        .map(|literal| literal.replace("\\\"", "\"").replace("\\n", "\n"))
        .collect();
    let pairs = strings.chunks_exact(2);
    assert!(pairs.remainder().is_empty(), "a case without a fingerprint");
    pairs.map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for root in test_folders() {
        for folder in ["postgres_regress", "plpgsql_regress"] {
            files.extend(sql_files(&root.join("sql").join(folder)));
        }
    }
    assert!(files.len() > 400, "only {} files of regression SQL", files.len());
    files
}

/// Returns the folder `test` of each package.
fn test_folders() -> Vec<PathBuf> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .exec()
        .expect("cargo metadata");
    let folder = |(name, version): (&str, &str)| {
        let package = metadata
            .packages
            .iter()
            .find(|package| *package.name == name && package.version.to_string() == version)
            .unwrap_or_else(|| panic!("{name} {version} is not locked"));
        let root = package.manifest_path.parent().expect("a folder").as_std_path();
        root.join("libpg_query/test")
    };
    PACKAGES.into_iter().map(folder).collect()
}

fn sql_files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    files.sort();
    files
}

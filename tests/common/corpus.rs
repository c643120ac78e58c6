//! Statements: those of PostgreSQL's regression SQL, our own, and those of the benches.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::LazyLock;

pub use super::scripts::own;
use super::scripts::{read_all, regression, root, sql_files, test_folders};
use super::split::split;

/// Returns every statement of the regression SQL, valid or not, in its order. Most are in both packages, and many of
/// them several times in a file: each text is returned once.
pub fn statements() -> Vec<String> {
    static STATEMENTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let mut statements = Vec::new();
        let mut seen = HashSet::new();
        for (_, script) in regression() {
            let mut of_file = split(&script);
            of_file.retain(|sql| seen.insert(sql.clone()));
            statements.append(&mut of_file);
        }
        statements
    });
    STATEMENTS.clone()
}

/// Returns the statements of the benches.
pub fn benches() -> Vec<(PathBuf, String)> {
    read_all(sql_files(&root().join("benches/sql")))
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

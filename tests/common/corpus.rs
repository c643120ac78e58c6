//! Statements: those of PostgreSQL's regression SQL, our own, and those of the benches.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::LazyLock;

pub use super::scripts::own;
use super::scripts::{read_all, regression, root, sql_files, test_folders};
use super::split::split;

/// Normalized SQL: the first parameter of each statement is where PostgreSQL's grammar has none.
pub const NORMALIZED: &[&str] = &[
    "SELECT FROM orders WHERE customer_id $1",
    "SELECT f(x) $1",
    "SELECT f(x, 1) $1",
    "SELECT a.b $1",
    "SELECT a.b.c $1",
    "SELECT a.b(x) $1",
    "SELECT date $1",
    "SELECT timestamp(3) with time zone $1",
    "SELECT int $1",
    "SELECT numeric(10, 2) $1",
    "SELECT varchar $1",
    "SELECT bit(3) $1",
    "SELECT interval $1",
    "SELECT interval $1 YEAR",
    "SELECT interval(3) $1",
    "SELECT extract($1 FROM a)",
    "SELECT extract($1 FROM now())",
    "ALTER ROLE r PASSWORD $1",
    "CREATE ROLE r ENCRYPTED PASSWORD $1",
    "SET a TO $1",
    "SET a = b, $1",
    "PREPARE p AS SELECT FROM t WHERE a $1",
    "SET SCHEMA $1",
    "SET ROLE $1",
    "SET SESSION AUTHORIZATION $1",
    "SET TIME ZONE $1",
    "ALTER DATABASE d SET a = $1",
    "ALTER SYSTEM SET a = $1",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET a = $1 AS 'SELECT 1'",
    "INSERT INTO t VALUES (now(3) $1)",
    "DELETE FROM t WHERE a IN (b $1)",
    "UPDATE t SET a = b $1",
    "SELECT 1 LIMIT a $1",
    "CREATE TABLE t (a int DEFAULT b $1)",
    "SELECT timestamp(3) with time zone $2, sch.typ $3, func(1) $4, interval $5, interval $6 day to second, interval(3) $7",
];

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

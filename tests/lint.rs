//! What the example `lint` finds, and where.

#[path = "../examples/lint.rs"]
#[allow(dead_code)]
mod lint;

/// Each finding as `line:column` and the first words of its message.
#[track_caller]
fn finds(sql: &str, expected: &[(usize, usize, &str)]) {
    let found = lint::lint(sql).unwrap_or_else(|error| panic!("{error}"));
    let found: Vec<_> =
        found.iter().map(|found| (found.line, found.column, found.message.as_str())).collect();
    assert_eq!(found.len(), expected.len(), "{sql}\n{found:?}");
    for ((line, column, message), expected) in found.into_iter().zip(expected) {
        assert_eq!((line, column), (expected.0, expected.1), "{message}");
        assert!(message.starts_with(expected.2), "{message}");
    }
}

#[test]
fn each_rule_finds() {
    finds("SELECT * FROM t", &[(1, 8, "`SELECT *`")]);
    finds("SELECT a, t.* FROM t", &[(1, 11, "`SELECT *`")]);
    finds("UPDATE t SET a = 1", &[(1, 8, "UPDATE without WHERE")]);
    finds("DELETE FROM ONLY t", &[(1, 18, "DELETE without WHERE")]);
    finds("SELECT a FROM t WHERE a = NULL", &[(1, 25, "a comparison with NULL")]);
    finds("SELECT a FROM t WHERE NULL <> a", &[(1, 28, "a comparison with NULL")]);
}

#[test]
fn what_is_meant_is_left_alone() {
    finds("SELECT count(*) FROM t WHERE a IS NULL", &[]);
    finds("UPDATE t SET a = NULL WHERE b = 1", &[]);
    finds("DELETE FROM t WHERE true", &[]);
    finds("INSERT INTO t VALUES (NULL)", &[]);
    finds("SELECT a IS NOT DISTINCT FROM NULL", &[]);
}

#[test]
fn it_looks_everywhere_and_says_where() {
    finds(
        "SELECT 1;\n\nWITH x AS (\n\tDELETE FROM t\n) SELECT 'ä', (SELECT * FROM u)\n;UPDATE t SET a = 1",
        &[(4, 14, "DELETE"), (5, 23, "`SELECT *`"), (6, 9, "UPDATE")],
    );
    let found = lint::lint("SELECT 1;\n\tDELETE FROM t").expect("parses");
    assert_eq!(
        found[0].to_string(),
        "2:14: DELETE without WHERE takes every row\n  \tDELETE FROM t\n  \t            ^"
    );
    let error = lint::lint("SELECT 1\nFORM t").expect_err("no SQL");
    assert_eq!((error.line, error.column), (2, 6));
    assert_eq!(error.message, "error: syntax error at or near \"t\"");
}

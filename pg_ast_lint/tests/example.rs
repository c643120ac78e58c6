//! Tests the output of the example `lint`, and the files that it writes.

#[path = "../examples/lint.rs"]
#[allow(dead_code)]
mod lint;

use std::fs;
use std::path::PathBuf;

use annotate_snippets::Renderer;
use pg_ast_lint::Options;

#[track_caller]
fn shows(script: &str, expected: &str) {
    let findings = pg_ast_lint::lint(script, &Options::default());
    let shown = lint::show("a.sql", script, &findings, &Renderer::plain());
    assert_eq!(shown.trim_end(), expected.trim());
}

#[test]
fn findings_have_lines_carets_and_fixes() {
    shows(
        "SELECT 1;\n\tDELETE FROM t WHERE 'ä🐘' = a AND b <> NULL;\n",
        "
warning[null-comparison]: a comparison with NULL is never true
 --> a.sql:2:35
  |
2 |     DELETE FROM t WHERE 'ä🐘' = a AND b <> NULL;
  |                                       ^^^^^^^^^
  |
help: use IS NOT NULL
  |
2 -     DELETE FROM t WHERE 'ä🐘' = a AND b <> NULL;
2 +     DELETE FROM t WHERE 'ä🐘' = a AND b IS NOT NULL;
  |",
    );
}

#[test]
fn long_statements_are_marked_in_their_first_line() {
    shows(
        "DROP TABLE IF EXISTS\n  t,\n  u;\n",
        "
warning[drop-table]: the data of the table is lost, and programs that use it fail
 --> a.sql:1:1
  |
1 | DROP TABLE IF EXISTS
  | ^^^^^^^^^^^^^^^^^^^^
  |
  = help: make sure that nothing uses it, and that there is a backup",
    );
}

#[test]
fn errors_say_what_was_expected_and_meant() {
    shows(
        "SELECT a\r\nFORM t",
        "
error[syntax-error]: syntax error at or near \"t\"
 --> a.sql:2:6
  |
2 | FORM t
  |      ^
  |
  = note: expected EXCEPT, FETCH, FOR, FROM, GROUP, HAVING, INTERSECT, INTO or one of 9 others
help: did you mean FROM?
  |
2 - FORM t
2 + FROM t
  |",
    );
    shows(
        "DROP TABLE IF EXISTS",
        "
error[syntax-error]: syntax error at end of input
 --> a.sql:1:21
  |
1 | DROP TABLE IF EXISTS
  |                     ^
  |
  = note: expected identifier",
    );
}

/// A temporary file of one test.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("can be written");
    path
}

/// Returns the exit code and the output.
fn run(args: &[&str]) -> (u8, String) {
    let mut out = Vec::new();
    let code = lint::run(args.iter().map(|&arg| arg.to_owned()), &mut out).expect("can be written");
    (code, String::from_utf8(out).expect("UTF-8"))
}

#[test]
fn the_exit_code_tells() {
    let clean = file("clean.sql", "SELECT id FROM t WHERE a IS NULL;");
    let found = file("found.sql", "DELETE FROM t;");
    let wrong = file("wrong.sql", "DELETE FORM t;");
    let [clean, found, wrong] = [&clean, &found, &wrong].map(|path| path.to_str().unwrap());
    assert_eq!(run(&[clean]), (0, String::new()));
    let (code, printed) = run(&[clean, found]);
    assert!(code == 1 && printed.contains("found.sql:1:13"), "{printed}");
    let (code, printed) = run(&[wrong]);
    assert!(code == 1 && printed.contains("did you mean FROM?"), "{printed}");
    assert_eq!(run(&["no such file", found]).0, 2);
    assert_eq!(run(&["--no-such-option"]).0, 2);
    let (code, printed) = run(&["--rules"]);
    assert!(code == 0 && printed.contains("select-star: "));
}

#[test]
fn files_are_mended() {
    let path = file("mended.sql", "SELECT b FROM t -- all\n  WHERE a = NULL;\nDELETE FORM t;\n");
    let name = path.to_str().unwrap();
    let (code, printed) = run(&["--fix", name]);
    // A guess is not applied automatically.
    assert!(code == 1 && printed.contains("mended.sql: 1 mended"), "{printed}");
    let expected = "SELECT b FROM t -- all\n  WHERE a IS NULL;\nDELETE FORM t;\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    let path = file("transaction.sql", "CREATE INDEX CONCURRENTLY i ON t (a);\n");
    assert_eq!(run(&[path.to_str().unwrap()]).0, 0);
    assert_eq!(run(&["--in-transaction", path.to_str().unwrap()]).0, 1);
}

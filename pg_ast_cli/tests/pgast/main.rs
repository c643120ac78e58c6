//! Runs the program, and compares what it prints and how it exits. `SNAPSHOTS=overwrite` writes what is expected anew.

// What is written anew has them.
#![allow(clippy::needless_raw_string_hashes)]

mod catalogs;
mod digest;
mod files;
mod lint;
mod lists;
#[cfg(feature = "lsp")]
mod lsp;
mod outputs;
mod scripts;
mod stand_ins;

use std::fs;
use std::path::Path;

use snapbox::assert::{Assert, DEFAULT_ACTION_ENV};
use snapbox::cmd::{Command, cargo_bin};
use snapbox::str;
use tempfile::{TempDir, tempdir};

/// A folder with some files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn pgast(folder: &Path) -> Command {
    // Nothing of the environment changes what is printed.
    Command::new(cargo_bin!("pgast"))
        // A backslash is one.
        .with_assert(Assert::new().normalize_paths(false).action_env(DEFAULT_ACTION_ENV))
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
}

const BAD: &str = "SELECT id, name\nFORM users;\n\nSELECT now() FROM audit;\n";

#[test]
fn parse_prints_trees() {
    let here = folder(&[]);
    let sql = "SELECT a, 1 FROM t AS x WHERE b = $1; BEGIN";
    pgast(here.path()).args(["parse", "-c", sql]).assert().success().stdout_eq(str![[r#"
stmt: SelectStmt
  targetList
    ResTarget
      val: ColumnRef
        fields
          String
            sval: "a"
        location: 7
      location: 7
    ResTarget
      val: A_Const
        ival
          ival: 1
        location: 10
      location: 10
  fromClause
    RangeVar
      relname: "t"
      inh: true
      relpersistence: "p"
      alias
        aliasname: "x"
      location: 17
  whereClause: A_Expr
    kind: "AEXPR_OP"
    name
      String
        sval: "="
    lexpr: ColumnRef
      fields
        String
          sval: "b"
      location: 30
    rexpr: ParamRef
      number: 1
      location: 34
    location: 32
  limitOption: "LIMIT_OPTION_DEFAULT"
  op: "SETOP_NONE"
stmt_len: 36
stmt: TransactionStmt
  kind: "TRANS_STMT_BEGIN"
  location: -1
stmt_location: 38

"#]]);
    pgast(here.path())
        .args(["parse", "--sexp", "-c", "SELECT DISTINCT $1; BEGIN"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
(RawStmt (stmt (SelectStmt (distinctClause null) (targetList (ResTarget (val (ParamRef (number 1) (location 16))) (location 16))) (limitOption "LIMIT_OPTION_DEFAULT") (op "SETOP_NONE"))) (stmt_len 18))
(RawStmt (stmt (TransactionStmt (kind "TRANS_STMT_BEGIN") (location -1))) (stmt_location 20))

"#]]);
    pgast(here.path())
        .args(["parse", "--json", "-c", "BEGIN", "--pg", "18"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
{"version":[..],"stmts":[{"stmt":{"TransactionStmt":{"kind":"TRANS_STMT_BEGIN","location":-1}}}]}

"#]]);
    let bytes = pgast(here.path()).args(["parse", "--protobuf", "-c", "BEGIN"]).assert().success();
    let tree = pg_ast::ParseResult::decode(&bytes.get_output().stdout).unwrap();
    assert_eq!(tree.deparse().unwrap(), "BEGIN");
}

#[test]
fn deep_trees_are_printed() {
    let here = folder(&[]);
    let sql = format!("SELECT 1{}", " + 1".repeat(3_000));
    let printed = pgast(here.path()).args(["parse", "-"]).stdin(sql).assert().success();
    let printed = String::from_utf8_lossy(&printed.get_output().stdout);
    assert_eq!(printed.matches("A_Expr").count(), 3_000);
}

#[test]
fn check_shows_errors() {
    let here = folder(&[("a.sql", BAD), ("good.sql", "SELECT 1;\n")]);
    pgast(here.path()).args(["check", "a.sql", "good.sql"]).assert().code(1).stdout_eq(str![[r#"
error: syntax error at or near "users"
 --> a.sql:2:6
  |
2 | FORM users;
  |      ^^^^^ expected one of EXCEPT, FETCH, FOR, FROM, GROUP, HAVING, INTERSECT, INTO and 9 more
  |
help: did you mean FROM?
  |
2 - FORM users;
2 + FROM users;
  |

2 files, 3 statements, 1 error (PostgreSQL 18)

"#]]);
    pgast(here.path()).args(["check", "--output", "short", "a.sql"]).assert().code(1).stdout_eq(
        str![[r#"
a.sql:2:6: error: syntax error at or near "users"

"#]],
    );
    pgast(here.path())
        .args(["check", "--output", "json", "a.sql"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
{"file":"a.sql","level":"error","message":"syntax error at or near \"users\"","line":2,"column":6,"end_line":2,"end_column":11,"start":21,"end":26,"label":"expected one of EXCEPT, FETCH, FOR, FROM, GROUP, HAVING, INTERSECT, INTO and 9 more","help":["did you mean FROM?"],"fix":[{"start":16,"end":20,"text":"FROM"}],"applicability":"guess"}

"#]]);
    pgast(here.path()).args(["check", "good.sql"]).assert().success().stdout_eq(str![[r#"
1 file, 1 statement, 0 errors (PostgreSQL 18)

"#]]);
    pgast(here.path()).args(["check", "-c", r"SELECT E'\'' || 'a\'' "]).assert().code(1).stdout_eq(
        str![[r#"
error: unterminated quoted string at or near "'a\'' "
 --> SQL:1:17
  |
1 | SELECT E'\'' || 'a\'' 
  |                 ^

1 file, 1 statement, 1 error (PostgreSQL 18)

"#]],
    );
}

#[test]
fn check_is_shown_in_colours() {
    let here = folder(&[("users.sql", BAD)]);
    let colours = snapbox::file!["check.term.svg": TermSvg];
    pgast(here.path())
        .args(["check", "--color", "always", "users.sql"])
        .assert()
        .code(1)
        .stdout_eq(colours);
    // Unless nobody wants them.
    let plain =
        pgast(here.path()).env("NO_COLOR", "1").args(["check", "users.sql"]).assert().code(1);
    assert!(!plain.get_output().stdout.contains(&0x1b));
}

#[test]
fn fmt_is_shown_in_colours() {
    const QUERY: &str = "select o.id, c.name as customer, -- as on the invoice\n\
                         sum(i.price*i.quantity) as total from orders o join customers c on c.id=o.customer_id\n\
                         join items i on i.order_id=o.id where o.status in ('paid','shipped') and o.total>0x10 group by 1,2;\n";
    let here = folder(&[("totals.sql", QUERY)]);
    pgast(here.path())
        .args(["fmt", "--diff", "--width", "60", "--color", "always", "totals.sql"])
        .assert()
        .code(1)
        .stdout_eq(snapbox::file!["fmt.term.svg": TermSvg]);
}

/// What is shown does not grow with the line.
#[test]
fn long_lines_are_shown_in_part() {
    let columns: Vec<_> = (0..1_000).map(|i| format!("ADD COLUMN é{i} int")).collect();
    let here = folder(&[("a.sql", &format!("\nALTER TABLE t {};", columns.join(", ")))]);
    let output = pgast(here.path())
        .args(["lint", "--select", "prefer-if-exists", "a.sql"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.len() < 2_000_000, "{}", shown.len());
    assert!(shown.contains(" --> a.sql:2:15\n"), "{shown:.2000}");
    assert!(shown.contains("ADD COLUMN IF NOT EXISTS é999 int"), "{shown:.2000}");
}

#[test]
fn lint_is_shown_in_colours() {
    const MIGRATION: &str = "CREATE INDEX IF NOT EXISTS by_user ON orders (user_id);\n\
                             DELETE FROM users WHERE deleted_at = NULL;\n";
    let here = folder(&[("migration.sql", MIGRATION)]);
    pgast(here.path())
        .args(["lint", "--color", "always", "migration.sql"])
        .assert()
        .code(1)
        .stdout_eq(snapbox::file!["lint.term.svg": TermSvg]);
}

#[test]
fn files_folders_and_patterns() {
    let here = folder(&[
        ("a.sql", "SELECT 1;"),
        ("db/b.sql", "SELECT 2;"),
        ("db/deep/c.sql", "SELECT 3;"),
        ("db/other.txt", "not SQL"),
        (".ignore", "deep\n"),
    ]);
    pgast(here.path())
        .args(["split", "a.sql", "db"])
        .assert()
        .success()
        .stdout_eq("SELECT 1;\nSELECT 2;\n");
    pgast(here.path()).args(["split", "db/*.sql"]).assert().success().stdout_eq("SELECT 2;\n");
    pgast(here.path())
        .args(["split", "x*.sql"])
        .assert()
        .code(2)
        .stderr_eq("error: no file matches x*.sql\n");
    pgast(here.path()).args(["split", "none.sql"]).assert().code(2).stderr_eq(str![[r#"
error: cannot read none.sql: No such file or directory (os error 2)

"#]]);
    pgast(here.path()).arg("split").stdin("SELECT 4").assert().success().stdout_eq("SELECT 4;\n");
    fs::write(here.path().join("a.sql"), b"SELECT '\xff'").unwrap();
    pgast(here.path())
        .args(["split", "a.sql"])
        .assert()
        .code(2)
        .stderr_eq("error: a.sql is not UTF-8, from byte 8\n");
}

#[test]
fn fmt_writes_checks_and_compares() {
    let text = "-- people\nselect id,name from users where id=1;\n";
    let here = folder(&[("a.sql", text), ("pgast.toml", "[fmt]\nindent = 4\nwidth = 20\n")]);
    pgast(here.path())
        .args(["fmt", "--check", "a.sql"])
        .assert()
        .code(1)
        .stdout_eq("a.sql is not formatted\n");
    pgast(here.path()).args(["fmt", "--diff", "a.sql"]).assert().code(1).stdout_eq(str![[r#"
--- a.sql
+++ a.sql, formatted
@@ -1,2 +1,4 @@
 -- people
-select id,name from users where id=1;
+SELECT id, name
+FROM users
+WHERE id = 1;

"#]]);
    assert_eq!(fs::read_to_string(here.path().join("a.sql")).unwrap(), text);
    pgast(here.path())
        .args(["fmt", "--commas-first", "--stdout", "a.sql"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
-- people
SELECT id, name
FROM users
WHERE id = 1;

"#]]);
    let options = ["fmt", "--width", "14", "--commas-first", "--keywords", "keep", "--stdout"];
    pgast(here.path()).args(options).arg("a.sql").assert().success().stdout_eq(str![[r#"
-- people
select
    id
    , name
from users
where id = 1;

"#]]);
    pgast(here.path()).args(["fmt", "a.sql"]).assert().success().stdout_eq("a.sql formatted\n");
    pgast(here.path()).args(["fmt", "--check", "a.sql"]).assert().success().stdout_eq("");
    // As editors call it.
    pgast(here.path()).arg("fmt").stdin("select  1").assert().success().stdout_eq("SELECT 1;\n");
    pgast(here.path())
        .arg("fmt")
        .stdin("select from from")
        .assert()
        .code(1)
        .stdout_eq("select from from\n");
}

#[test]
fn bodies_are_formatted_if_asked() {
    let here = folder(&[("a.sql", "DO $$ begin null; end $$;\n")]);
    pgast(here.path()).args(["fmt", "--stdout", "a.sql"]).assert().success().stdout_eq(str![[r#"
DO $$
BEGIN
  NULL;
END
$$;

"#]]);
    let keep = ["fmt", "--stdout", "--bodies", "keep", "a.sql"];
    let text = "DO $$ begin null; end $$;\n";
    pgast(here.path()).args(keep).assert().success().stdout_eq(text);
    fs::write(here.path().join("pgast.toml"), "[fmt]\nbodies = \"keep\"\n").unwrap();
    pgast(here.path()).args(["fmt", "--check", "a.sql"]).assert().success().stdout_eq("");
    let format = ["fmt", "--check", "--bodies", "dollar-quoted", "a.sql"];
    pgast(here.path()).args(format).assert().code(1).stdout_eq("a.sql is not formatted\n");
}

/// Names and strings of the SQL may have several lines; a finding has one.
#[test]
fn short_output_has_one_line_for_each_finding() {
    let text = "SELECT a b \"c\nd\r\n\";\nSELECT 1 1 'x\ny';\nDELETE FROM t;\nCREATE FUNCTION f() AS 'a\nb' 'c\nd';\n";
    let here = folder(&[("a.sql", text)]);
    pgast(here.path()).args(["lint", "--output", "short", "a.sql"]).assert().code(1).stdout_eq(
        str![[r#"
a.sql:1:12: error[syntax-error]: syntax error at or near ""c\nd\r\n""
a.sql:4:10: error[syntax-error]: syntax error at or near "1"
a.sql:6:13: warning[delete-without-where]: DELETE without WHERE deletes every row
a.sql:8:4: error[syntax-error]: syntax error at or near "'c\nd'"

"#]],
    );
    let json = pgast(here.path()).args(["check", "--output", "json", "a.sql"]).assert().code(1);
    let json = String::from_utf8(json.get_output().stdout.clone()).unwrap();
    assert_eq!(json.lines().count(), 3, "{json}");
    let short = pgast(here.path()).args(["check", "--output", "short", "a.sql"]).assert().code(1);
    let short = String::from_utf8(short.get_output().stdout.clone()).unwrap();
    assert_eq!(short.lines().count(), 3, "{short}");
    assert!(short.lines().all(|line| line.starts_with("a.sql:")), "{short}");
}

#[test]
fn lint_looks_into_functions() {
    let text = "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS '
DECLARE b text;
BEGIN
    IF a = NULL OR a <> ''1'' THEN
        RETURN 1;
    END IF;
END';
DO $$ BEGIN PERFORM 1 FROM FROM; END $$;
";
    let here = folder(&[("a.sql", text)]);
    pgast(here.path()).args(["lint", "a.sql"]).assert().code(1).stdout_eq(str![[r#"
warning[unused-variable]: the variable is never used
 --> a.sql:2:9
  |
2 | DECLARE b text;
  |         ^
  |
  = help: remove it

warning[null-comparison]: a comparison with NULL is never true
 --> a.sql:4:8
  |
4 |     IF a = NULL OR a <> ''1'' THEN
  |        ^^^^^^^^
  |
help: use IS NULL
  |
4 -     IF a = NULL OR a <> ''1'' THEN
4 +     IF a IS NULL OR a <> ''1'' THEN
  |

warning[missing-return]: the end of the function can be reached without RETURN
 --> a.sql:7:1
  |
7 | END';
  | ^^^
  |
  = help: add RETURN, or RAISE EXCEPTION if that must not happen

error[syntax-error]: syntax error at or near "FROM"
 --> a.sql:8:28
  |
8 | DO $$ BEGIN PERFORM 1 FROM FROM; END $$;
  |                            ^^^^

1 file, 4 findings; --fix can fix 1

"#]]);
    pgast(here.path())
        .args(["lint", "--fix", "--unsafe-fixes", "--output", "short", "a.sql"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
a.sql:2:9: warning[unused-variable]: the variable is never used
a.sql:7:1: warning[missing-return]: the end of the function can be reached without RETURN
a.sql:8:28: error[syntax-error]: syntax error at or near "FROM"

"#]]);
    assert_eq!(
        fs::read_to_string(here.path().join("a.sql")).unwrap(),
        text.replace("= NULL", "IS NULL")
    );
}

#[test]
fn lint_finds_and_fixes() {
    let text = "CREATE INDEX IF NOT EXISTS users_name ON users (name); -- for the search\nDELETE FROM users;\n";
    let here = folder(&[("a.sql", text)]);
    pgast(here.path()).args(["lint", "a.sql"]).assert().code(1).stdout_eq(str![[r#"
warning[create-index-locks]: CREATE INDEX without CONCURRENTLY keeps writers out
 --> a.sql:1:1
  |
1 | CREATE INDEX IF NOT EXISTS users_name ON users (name); -- for the search
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: create it CONCURRENTLY (unsafe)
  |
1 | CREATE INDEX CONCURRENTLY IF NOT EXISTS users_name ON users (name); -- for the search
  |              ++++++++++++

warning[delete-without-where]: DELETE without WHERE deletes every row
 --> a.sql:2:13
  |
2 | DELETE FROM users;
  |             ^^^^^
  |
  = help: if all rows are meant, add WHERE true

1 file, 2 findings; --fix --unsafe-fixes can fix 1

"#]]);
    pgast(here.path())
        .args(["lint", "--output", "json", "a.sql"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
{"file":"a.sql","level":"warning","rule":"create-index-locks","message":"CREATE INDEX without CONCURRENTLY keeps writers out","line":1,"column":1,"end_line":1,"end_column":54,"start":0,"end":53,"help":["create it CONCURRENTLY"],"fix":[{"start":12,"end":12,"text":" CONCURRENTLY"}],"applicability":"unsafe","fingerprint":"bbe98331ca6d98f1"}
{"file":"a.sql","level":"warning","rule":"delete-without-where","message":"DELETE without WHERE deletes every row","line":2,"column":13,"end_line":2,"end_column":18,"start":85,"end":90,"help":["if all rows are meant, add WHERE true"],"fingerprint":"d1486a07b6c2d99e"}

"#]]);
    pgast(here.path())
        .args(["lint", "--fix", "--unsafe-fixes", "--output", "short", "a.sql"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
a.sql:2:13: warning[delete-without-where]: DELETE without WHERE deletes every row

"#]]);
    assert_eq!(
        fs::read_to_string(here.path().join("a.sql")).unwrap(),
        text.replace("INDEX", "INDEX CONCURRENTLY")
    );
    let args = ["lint", "--ignore", "delete-without-where", "a.sql"];
    pgast(here.path()).args(args).assert().success().stdout_eq("1 file, 0 findings\n");
    fs::write(here.path().join("pgast.toml"), "[lint]\nignore = ['delete-without-wher']").unwrap();
    pgast(here.path()).args(["lint", "a.sql"]).assert().code(2).stderr_eq(str![[r#"
error: [..]pgast.toml is wrong: TOML parse error at line 2, column 10
  |
2 | ignore = ['delete-without-wher']
  |          ^^^^^^^^^^^^^^^^^^^^^^^
unknown rule or set `delete-without-wher`; did you mean `delete-without-where`?

"#]]);
    let fixed = pgast(here.path())
        .args(["lint", "--fix", "--unsafe-fixes", "--config", "/dev/null"])
        .stdin(text)
        .assert()
        .code(1);
    let fixed = fixed.stdout_eq(text.replace("INDEX", "INDEX CONCURRENTLY"));
    assert!(!fixed.get_output().stderr.is_empty());
}

#[test]
fn settings_are_checked() {
    let here = folder(&[("pgast.toml", "pg = 17\n[fmt]\nindnt = 4\n"), ("old.toml", "pg = 9")]);
    pgast(here.path()).args(["check", "-c", "SELECT 1"]).assert().code(2).stderr_eq(str![[r#"
error: [..]pgast.toml is wrong: TOML parse error at line 3, column 1
  |
3 | indnt = 4
  | ^^^^^
unknown field `indnt`, expected one of `indent`, `width`, `keywords`, `commas-first`, `style`, `align-columns`, `bodies`
did you mean `indent`?

"#]]);
    let args = ["check", "-c", "SELECT 1", "--config"];
    pgast(here.path()).args(args).arg("old.toml").assert().code(2).stderr_eq(str![[r#"
error: pgast.toml: unknown PostgreSQL version "9"; available: [..]

"#]]);
    pgast(here.path()).args(args).arg("none.toml").assert().code(2).stderr_eq(str![[r#"
error: cannot read none.toml: No such file or directory (os error 2)

"#]]);
}

#[cfg(all(feature = "pg15", feature = "pg18"))]
#[test]
fn older_versions_parse() {
    let here = folder(&[]);
    let json =
        r#"{"version":150001,"stmts":[{"stmt":{"TransactionStmt":{"kind":"TRANS_STMT_BEGIN"}}}]}"#;
    let args = ["parse", "--json", "-c", "BEGIN", "--pg", "15"];
    pgast(here.path()).args(args).assert().success().stdout_eq(format!("{json}\n"));
    let formatted = pgast(here.path()).args(["fmt", "-c", "select  1", "--pg", "15"]).assert();
    formatted.success().stdout_eq("SELECT 1;\n");
}

#[test]
fn the_help_fits_a_screen() {
    let here = folder(&[]);
    let help = pgast(here.path()).arg("--help").assert().success();
    let help = String::from_utf8_lossy(&help.get_output().stdout).into_owned();
    assert!(help.lines().count() <= 37, "{help}");
    assert!(help.contains("The exit code is 0"), "{help}");
}

#[test]
fn completions_and_the_manual_are_written() {
    let here = folder(&[]);
    let shell = pgast(here.path()).args(["completions", "bash"]).assert().success();
    assert!(String::from_utf8_lossy(&shell.get_output().stdout).contains("pgast__subcmd__digest"));
    let page = pgast(here.path()).arg("man").assert().success();
    assert!(String::from_utf8_lossy(&page.get_output().stdout).starts_with(".ie \\n(.g .ds Aq"));
}

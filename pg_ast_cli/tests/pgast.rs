//! Runs the program, and compares what it prints and how it exits. `SNAPSHOTS=overwrite` writes what is expected anew.

// What is written anew has them.
#![allow(clippy::needless_raw_string_hashes)]

use std::fmt::Write as _;
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
{"file":"a.sql","level":"error","message":"syntax error at or near \"users\"","line":2,"column":6,"start":21,"end":26,"label":"expected one of EXCEPT, FETCH, FOR, FROM, GROUP, HAVING, INTERSECT, INTO and 9 more","help":["did you mean FROM?"],"fix":[{"start":16,"end":20,"text":"FROM"}]}

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
    let colours = snapbox::file!["pgast/check.term.svg": TermSvg];
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
SELECT id , name
FROM users
WHERE id = 1;

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
  = help: create it CONCURRENTLY
help: Add CONCURRENTLY
  |
1 | CREATE INDEX CONCURRENTLY IF NOT EXISTS users_name ON users (name); -- for the search
  |              ++++++++++++

warning[delete-without-where]: DELETE without WHERE takes every row
 --> a.sql:2:13
  |
2 | DELETE FROM users;
  |             ^^^^^
  |
  = help: if all rows are meant, add WHERE true

1 file, 2 findings

"#]]);
    pgast(here.path())
        .args(["lint", "--output", "json", "a.sql"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
{"file":"a.sql","level":"warning","rule":"create-index-locks","message":"CREATE INDEX without CONCURRENTLY keeps writers out","line":1,"column":1,"start":0,"end":53,"help":["create it CONCURRENTLY","Add CONCURRENTLY"],"fix":[{"start":12,"end":12,"text":" CONCURRENTLY"}]}
{"file":"a.sql","level":"warning","rule":"delete-without-where","message":"DELETE without WHERE takes every row","line":2,"column":13,"start":85,"end":90,"help":["if all rows are meant, add WHERE true"]}

"#]]);
    pgast(here.path())
        .args(["lint", "--fix", "--output", "short", "a.sql"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
a.sql:2:13: warning[delete-without-where]: DELETE without WHERE takes every row

"#]]);
    assert_eq!(
        fs::read_to_string(here.path().join("a.sql")).unwrap(),
        text.replace("INDEX", "INDEX CONCURRENTLY")
    );
    let args = ["lint", "--ignore", "delete-without-where", "a.sql"];
    pgast(here.path()).args(args).assert().success().stdout_eq("1 file, 0 findings\n");
    fs::write(here.path().join("pgast.toml"), "[lint]\nignore = ['delete-without-wher']").unwrap();
    pgast(here.path()).args(["lint", "a.sql"]).assert().code(2).stderr_eq(str![[r#"
error: the settings: there is no rule `delete-without-wher`; there is `delete-without-where`

"#]]);
    let fixed = pgast(here.path())
        .args(["lint", "--fix", "--config", "/dev/null"])
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
unknown field `indnt`, expected one of `indent`, `width`, `commas-first`


"#]]);
    let args = ["check", "-c", "SELECT 1", "--config"];
    pgast(here.path()).args(args).arg("old.toml").assert().code(2).stderr_eq(str![[r#"
error: pgast.toml: no PostgreSQL version "9"; there is [..]

"#]]);
    pgast(here.path()).args(args).arg("none.toml").assert().code(2).stderr_eq(str![[r#"
error: cannot read none.toml: No such file or directory (os error 2)

"#]]);
}

#[test]
fn statements_are_listed() {
    let here = folder(&[]);
    let sql =
        "INSERT INTO a.b SELECT f(x) FROM c WHERE y = 1; SELECT  2; SELECT * FROM c; DROP TABLE d";
    for command in ["fingerprint", "normalize", "split", "tables"] {
        pgast(here.path()).args([command, "-c", sql]).assert().success();
    }
    pgast(here.path()).args(["fingerprint", "-c", sql]).assert().stdout_eq(str![[r#"
8ed8a36c861be956  INSERT INTO a.b SELECT f(x) FROM c WHERE y = 1
50fde20626009aba  SELECT 2
ebccb8ae8ba8e8f9  SELECT * FROM c
f73474696727323b  DROP TABLE d

"#]]);
    pgast(here.path()).args(["normalize", "-c", sql]).assert().stdout_eq(str![[r#"
INSERT INTO a.b SELECT f(x) FROM c WHERE y = $1;
SELECT  $1;
SELECT * FROM c;
DROP TABLE d;

"#]]);
    pgast(here.path()).args(["split", "--json", "-c", sql]).assert().stdout_eq(str![[r#"
{"file":"SQL","start":0,"end":46,"sql":"INSERT INTO a.b SELECT f(x) FROM c WHERE y = 1"}
{"file":"SQL","start":48,"end":57,"sql":"SELECT  2"}
{"file":"SQL","start":59,"end":74,"sql":"SELECT * FROM c"}
{"file":"SQL","start":76,"end":88,"sql":"DROP TABLE d"}

"#]]);
    pgast(here.path())
        .args(["split", "-0", "-c", "SELECT 1;SELECT 2"])
        .assert()
        .stdout_eq("SELECT 1\0SELECT 2\0");
    pgast(here.path()).args(["tables", "-c", sql]).assert().stdout_eq(str![[r#"
written  a.b
read     c
ddl      d

"#]]);
    pgast(here.path()).args(["tables", "--functions", "--columns", "-c", sql]).assert().stdout_eq(
        str![[r#"
table     written   a.b
table     read      c
function  called    f
column    filtered  y
table     ddl       d

"#]],
    );
    pgast(here.path())
        .args(["tables", "--json", "-c", "SELECT 1 FROM t; SELECT 1 FROM t"])
        .assert()
        .stdout_eq(str![[r#"
{"file":"SQL","kind":"table","use":"read","name":"t"}

"#]]);
    pgast(here.path()).args(["scan", "-c", "SELECT 'a' -- b"]).assert().success().stdout_eq(str![
        [r#"
0..6         SELECT           SELECT
7..10        SCONST           'a'
11..15       SQL_COMMENT      -- b

"#]
    ]);
    // What is wrong is told, and the rest is listed.
    pgast(here.path())
        .args(["normalize", "-c", "SELEC 1; SELECT 2"])
        .assert()
        .code(1)
        .stdout_eq("SELECT $1;\n");
}

#[test]
fn digest_counts() {
    let log = "2026-01-01 LOG:  duration: 1.5 ms  statement: SELECT * FROM t WHERE a = 1\n\
               2026-01-01 LOG:  duration: 2.5 ms  statement: SELECT * FROM t\n\tWHERE a = 2\n\
               2026-01-01 LOG:  duration: 40 ms  execute s: UPDATE u SET v = $1\n\
               2026-01-01 LOG:  statement: SELEC 1\n";
    let here = folder(&[("pg.log", log)]);
    pgast(here.path()).args(["digest", "pg.log"]).assert().success().stdout_eq(str![[r#"
     calls  share            ms  fingerprint       tables                    statement
         2  50.0%         4.000  28550ea0fc43bed7  t                         SELECT * FROM t WHERE a = $1
         1  25.0%        40.000  072c555c39cd0e3f  u                         UPDATE u SET v = $1
4 statements of 2 kinds, 1 with an error
the first error: syntax error at or near "SELEC", in SELEC 1

"#]]);
    pgast(here.path())
        .args(["digest", "--sort", "time", "-n", "1", "--json", "pg.log"])
        .assert()
        .stdout_eq(str![[r#"
{"fingerprint":"072c555c39cd0e3f","calls":1,"total_time":40.0,"tables":"u","query":"UPDATE u SET v = $1"}

"#]]);
    pgast(here.path()).args(["digest", "--csv", "pg.log"]).assert().stdout_eq(str![[r#"
fingerprint,calls,total_time,tables,query
28550ea0fc43bed7,2,4.0,t,SELECT * FROM t WHERE a = $1
072c555c39cd0e3f,1,40.0,u,UPDATE u SET v = $1

"#]]);
    let kinds = (0..100).fold(String::new(), |mut sql, i| {
        let _ = writeln!(sql, "SELECT * FROM t{i}_x;");
        sql
    });
    let printed = pgast(here.path())
        .args(["digest", "--max-kinds", "10", "-n", "0"])
        .stdin(kinds)
        .assert()
        .success();
    let printed = String::from_utf8_lossy(&printed.get_output().stdout);
    assert!(
        printed.ends_with(
            "100 statements of 10 kinds, 90 of kinds that found no place (--max-kinds)\n"
        ),
        "{printed}"
    );
}

#[cfg(all(feature = "pg15", feature = "pg18"))]
#[test]
fn older_versions_parse() {
    let here = folder(&[]);
    let json =
        r#"{"version":150001,"stmts":[{"stmt":{"TransactionStmt":{"kind":"TRANS_STMT_BEGIN"}}}]}"#;
    let args = ["parse", "--json", "-c", "BEGIN", "--pg", "15"];
    pgast(here.path()).args(args).assert().success().stdout_eq(format!("{json}\n"));
    let layouts = pgast(here.path()).args(["fmt", "-c", "SELECT 1", "--pg", "15"]).assert().code(2);
    layouts.stderr_eq("error: PostgreSQL 15 has no layouts (--pg chooses a newer version): [..]\n");
}

#[cfg(all(feature = "pg15", feature = "pg18"))]
#[test]
fn diff_compares_versions() {
    let here = folder(&[]);
    let sql = "SELECT 1; MERGE INTO t USING s ON a = b WHEN NOT MATCHED BY SOURCE THEN DELETE; SELECT json(1, 2)";
    let args = ["diff", "--from", "15", "--to", "18", "-c"];
    pgast(here.path()).args(args).arg(sql).assert().code(1).stdout_eq(str![]);
    pgast(here.path()).args(args).arg("SELECT 1").assert().success();
    pgast(here.path()).args(["diff", "--from", "18", "-c", sql]).assert().code(2);
}

#[test]
fn complete_lists_what_fits() {
    let here = folder(&[("a.sql", "SELECT x\nFROM app.users u\nWHERE u.id = 1 OR")]);
    pgast(here.path())
        .args(["complete", "-c", "ALTER TABLE t ALTER c S"])
        .assert()
        .success()
        .stdout_eq("<in scope: t>\nSET\n");
    let at = ["complete", "a.sql", "--json", "--at"];
    pgast(here.path()).args(at).arg("3:18").assert().success().stdout_eq(str![[r#"
{"start":41,"end":43,"names":[],"tables":[{"schema":"app","table":"users","alias":"u"}],"expected":["OR","ORDER"]}

"#]]);
    pgast(here.path()).args(at).arg("9:1").assert().code(2);
    pgast(here.path()).args(at).arg("x").assert().code(2).stderr_eq(str![[r#"
error: x is no place: give a byte offset or LINE:COLUMN

"#]]);
}

#[test]
fn completions_and_the_manual_are_written() {
    let here = folder(&[]);
    let shell = pgast(here.path()).args(["completions", "bash"]).assert().success();
    assert!(String::from_utf8_lossy(&shell.get_output().stdout).contains("pgast__subcmd__digest"));
    let page = pgast(here.path()).arg("man").assert().success();
    assert!(String::from_utf8_lossy(&page.get_output().stdout).starts_with(".ie \\n(.g .ds Aq"));
}

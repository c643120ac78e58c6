//! What splits and checks scripts.

use snapbox::str;

use super::{folder, pgast};

/// Two wrong statements, each with a body.
const BODIES: &str = "create function :s.a() returns trigger as $$
begin
  return new;
end;
$$ language plpgsql;
create function b() returns :s.t as $$
select 1
$$ language sql;
";

#[test]
fn a_closed_dollar_quote_is_not_cut() {
    let here = folder(&[("a.sql", BODIES)]);
    pgast(here.path()).args(["split", "a.sql"]).assert().success().stdout_eq(BODIES);
    let lint = ["lint", "--output", "short", "a.sql"];
    pgast(here.path()).args(lint).assert().success().stdout_eq("");
}

#[test]
fn errors_are_on_the_lines_of_their_statements() {
    let here =
        folder(&[("a.sql", "SELECT 1;\n\nCREATE PUBLICATION p FOR T*;\nSELECT E'\\xff';\n")]);
    pgast(here.path()).args(["check", "--output", "short", "a.sql"]).assert().code(1).stdout_eq(
        str![[r#"
a.sql:3:1: error: invalid publication object list
a.sql:4:1: error: invalid byte sequence for encoding "UTF8": 0xff

"#]],
    );
}

#[test]
fn statements_may_be_deep() {
    let chain = |count: usize| format!("SELECT 1{};\n", " UNION ALL SELECT 1".repeat(count));
    let here = folder(&[("a.sql", &chain(6_000)), ("b.sql", &chain(10_000))]);
    pgast(here.path()).args(["check", "a.sql"]).assert().success();
    pgast(here.path()).args(["check", "--output", "short", "b.sql"]).assert().code(1).stdout_eq(
        str![[r#"
b.sql:1:1: error: the statement is nested more than 6500 levels deep

"#]],
    );
    let more = ["--max-depth", "20000", "b.sql"];
    pgast(here.path()).arg("check").args(more).assert().success();
    pgast(here.path()).arg("split").args(more).assert().success().stdout_eq(chain(10_000));
    pgast(here.path()).arg("tables").args(more).assert().success().stdout_eq("");
}

/// Which lines are data, and what is said about them.
#[test]
fn the_data_of_a_copy_may_have_no_end() {
    let open = "SELECT  1;\nCOPY t FROM stdin;\n1\t'\nSELECT 2;\n";
    let here = folder(&[("a.sql", open)]);
    pgast(here.path()).args(["split", "a.sql"]).assert().success().stdout_eq(str![[r#"
SELECT  1;
COPY t FROM stdin;

"#]]);
    pgast(here.path()).args(["check", "a.sql"]).assert().success().stdout_eq(str![[r#"
warning: the rest of the script is data of this COPY
 --> a.sql:2:1
  |
2 | COPY t FROM stdin;
  | ^^^^^^^^^^^^^^^^^
  |
  = help: a line \. ends its data

1 file, 2 statements, 0 errors (PostgreSQL 18)

"#]]);
    pgast(here.path())
        .args(["fmt", "--stdout", "a.sql"])
        .assert()
        .success()
        .stdout_eq("SELECT 1;\nCOPY t FROM STDIN;\n1\t'\nSELECT 2;\n");
    pgast(here.path()).args(["digest", "a.sql"]).assert().success().stdout_eq(str![[r#"
     calls  share  fingerprint       tables                    statement
         1  50.0%  328d6bc85e74ee5d  t                         COPY t FROM stdin
         1  50.0%  50fde20626009aba                            SELECT $1
2 statements of 2 kinds
not understood: 2 of 4 lines
         2 of COPY data without an end (\.); the first is a.sql:3

"#]]);
}

#[test]
fn the_data_of_a_copy_command_may_have_no_end() {
    let here = folder(&[("a.sql", "SELECT 1;\n \\copy t from stdin\n1\t'\nSELECT 2;\n")]);
    pgast(here.path()).args(["split", "a.sql"]).assert().success().stdout_eq("SELECT 1;\n");
    let short = ["check", "--output", "short", "a.sql"];
    pgast(here.path()).args(short).assert().success().stdout_eq(str![[r#"
a.sql:2:1: warning: the rest of the script is data of this COPY

"#]]);
    pgast(here.path()).args(["fmt", "--check", "a.sql"]).assert().success();
    let printed = pgast(here.path()).args(["digest", "a.sql"]).assert().success();
    let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
    assert!(
        printed.contains("2 of COPY data without an end (\\.); the first is a.sql:3"),
        "{printed}"
    );
    let here = folder(&[("a.sql", "SELECT 1;\n\\copy t from stdin\n1\n\\.\nSELECT '\\copy';\n")]);
    pgast(here.path()).args(short).assert().success().stdout_eq("");
}

#[test]
fn a_wrong_copy_with_data_is_one_error() {
    let wrong = "COPY :t FROM stdin;\n1\t'\n2;\n3;\n\\.\nSELECT  2;\n";
    let here = folder(&[("a.sql", wrong)]);
    pgast(here.path()).args(["split", "a.sql"]).assert().success().stdout_eq(str![[r#"
COPY :t FROM stdin;
SELECT  2;

"#]]);
    // psql replaces the variable.
    pgast(here.path())
        .args(["check", "--output", "short", "a.sql"])
        .assert()
        .success()
        .stdout_eq("");
    pgast(here.path())
        .args(["fmt", "--stdout", "a.sql"])
        .assert()
        .success()
        .stdout_eq("COPY :t FROM STDIN;\n1\t'\n2;\n3;\n\\.\nSELECT 2;\n");
    let lint = ["lint", "--output", "short", "a.sql"];
    pgast(here.path()).args(lint).assert().success().stdout_eq("");
    pgast(here.path()).args(["digest", "a.sql"]).assert().success().stdout_eq(str![[r#"
     calls  share  fingerprint       tables                    statement
         1  50.0%  09a6a53cb7399d40  ":t"                      COPY ":t" FROM stdin
         1  50.0%  50fde20626009aba                            SELECT $1
2 statements of 2 kinds

"#]]);
}

#[test]
fn a_missing_semicolon_is_an_error_to_all() {
    let script = "SELECT 1 FROM t WHERE a = 'x'\nUPDATE u SET b = 2;\nSELECT 3;\n";
    let here = folder(&[("a.sql", script)]);
    pgast(here.path()).args(["check", "--output", "short", "a.sql"]).assert().code(1).stdout_eq(
        str![[r#"
a.sql:2:1: error: syntax error at or near "UPDATE"

"#]],
    );
    pgast(here.path()).args(["digest", "a.sql"]).assert().success().stdout_eq(str![[r#"
     calls  share  fingerprint       tables                    statement
         1  33.3%  50fde20626009aba                            SELECT $1
         1  33.3%  897f88ffce1be3cc  u                         UPDATE u SET b = $1
3 statements of 2 kinds, 1 with an error
the first error: syntax error at or near "UPDATE", in SELECT $1 FROM t WHERE a = $2

"#]]);
}

#[test]
fn variables_of_psql_are_no_errors() {
    let script =
        "\\set limit 10\nSELECT :x, :'y' FROM :\"z\" LIMIT :limit;\nSELECT :x FROM FROM;\n";
    let here = folder(&[("a.sql", script)]);
    pgast(here.path()).args(["check", "--output", "short", "a.sql"]).assert().code(1).stdout_eq(
        str![[r#"
a.sql:3:16: error: syntax error at or near "FROM"

"#]],
    );
}

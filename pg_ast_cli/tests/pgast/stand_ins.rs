//! Variables of psql, and placeholders of tools, which each tool replaces before the server gets a statement.

use snapbox::str;

use super::{folder, pgast};

/// A script as `psql -v` runs it.
const PSQL: &str = "\\set ON_ERROR_STOP on
CREATE DATABASE :\"db\" OWNER :owner;
\\connect :\"db\"
CREATE TABLE :schema.events (id bigint PRIMARY KEY, at :type NOT NULL DEFAULT :'now');
INSERT INTO :schema.events SELECT * FROM generate_series(1, :rows) AS id, (SELECT :'now') AS at;
COPY :schema.events FROM stdin;
3\t:x
\\.
DELETE FROM :schema.events;
SELECT count(*) FROM :schema.events WHERE at = NULL AND id > :rows \\gset
";

/// One statement of each tool.
const TOOLS: &str = "-- dbt
SELECT id, {{ dbt_utils.star(ref('orders')) }} FROM {{ source('shop', 'orders') }} WHERE day >= '{{ var(\"day\") }}';
-- JDBC
INSERT INTO orders (id, total) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET total = ?;
-- sqlc, Npgsql
UPDATE orders SET total = @total WHERE id = @id RETURNING *;
-- psycopg
SELECT id FROM orders WHERE customer = %(customer)s AND day BETWEEN %(from)s AND %(to)s;
-- Flyway
CREATE TABLE ${schema}.orders_${suffix} (id bigint);
-- an extension
CREATE FUNCTION @extschema@.total(bigint) RETURNS numeric LANGUAGE sql AS 'SELECT 1';
";

#[test]
fn variables_are_no_errors_to_all() {
    let here = folder(&[("a.sql", PSQL)]);
    pgast(here.path()).args(["check", "a.sql"]).assert().success().stdout_eq(str![[r#"
1 file, 6 statements, 0 errors (PostgreSQL 18)

"#]]);
    pgast(here.path())
        .args([
            "lint",
            "--extend-select",
            "prefer-if-exists,select-star",
            "--output",
            "short",
            "a.sql",
        ])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
a.sql:4:1: warning[prefer-if-exists]: the statement fails if it is run a second time
a.sql:5:35: warning[select-star]: `SELECT *` returns whatever columns there are
a.sql:9:13: warning[delete-without-where]: DELETE without WHERE deletes every row
a.sql:10:43: warning[null-comparison]: a comparison with NULL is never true

"#]]);
    let split = pgast(here.path()).args(["split", "a.sql"]).assert().success();
    let split = String::from_utf8_lossy(&split.get_output().stdout).into_owned();
    assert_eq!(split.matches(";\n").count(), 6, "{split}");
    assert!(split.contains("COPY :schema.events FROM stdin;\n"), "{split}");
    pgast(here.path()).args(["digest", "a.sql"]).assert().success().stdout_eq(str![[r#"
     calls  share  fingerprint       tables                    statement
         1  16.7%  146ae2b6be839adb  ":schema".events          COPY ":schema".events FROM stdin
         1  16.7%  180a5253a653c856                            CREATE DATABASE ":db" OWNER ":owner"
         1  16.7%  21af18c989556d55  ":schema".events          INSERT INTO ":schema".events SELECT * FROM generate_seri…
         1  16.7%  a033ae7c65296f96  ":schema".events          DELETE FROM ":schema".events
         1  16.7%  a112e922798de3df  ":schema".events          CREATE TABLE ":schema".events (id bigint PRIMARY KEY, at…
         1  16.7%  a6ca6c5ac962a59c  ":schema".events          SELECT count(*) FROM ":schema".events WHERE at = $2 AND …
6 statements of 6 kinds

"#]]);
    // The fix is for the script as it is.
    pgast(here.path())
        .args([
            "lint",
            "--extend-select",
            "prefer-if-exists,select-star",
            "--fix",
            "--unsafe-fixes",
            "a.sql",
        ])
        .assert()
        .code(1);
    let text = std::fs::read_to_string(here.path().join("a.sql")).unwrap();
    let expected = PSQL.replace("at = NULL", "at IS NULL");
    assert_eq!(text, expected.replace("CREATE TABLE :", "CREATE TABLE IF NOT EXISTS :"));
}

#[test]
fn the_real_mistake_is_shown() {
    let text = "INSERT INTO :tab SELECT a FORM t WHERE b = :'b';\nSELECT :a FROM FROM t;\n";
    let here = folder(&[("a.sql", text)]);
    pgast(here.path()).args(["check", "a.sql"]).assert().code(1).stdout_eq(str![[r#"
error: syntax error at or near "t"
 --> a.sql:1:32
  |
1 | INSERT INTO :tab SELECT a FORM t WHERE b = :'b';
  |                                ^ expected one of EXCEPT, FETCH, FOR, FROM, GROUP, HAVING, INTERSECT, INTO and 11 more
  |
help: did you mean FROM?
  |
1 - INSERT INTO :tab SELECT a FORM t WHERE b = :'b';
1 + INSERT INTO :tab SELECT a FROM t WHERE b = :'b';
  |

error: syntax error at or near "FROM"
 --> a.sql:2:16
  |
2 | SELECT :a FROM FROM t;
  |                ^^^^ expected one of CAST, COALESCE, COLLATION, CURRENT_CATALOG, CURRENT_DATE, CURRENT_ROLE, CURRENT_SCHEMA, CURRENT_TIME and 43 more

1 file, 2 statements, 2 errors (PostgreSQL 18)

"#]]);
    pgast(here.path()).args(["lint", "--output", "short", "a.sql"]).assert().code(1).stdout_eq(
        str![[r#"
a.sql:1:32: error[syntax-error]: syntax error at or near "t"
a.sql:2:16: error[syntax-error]: syntax error at or near "FROM"

"#]],
    );
}

#[test]
fn placeholders_are_an_option() {
    let here = folder(&[("a.sql", TOOLS)]);
    // Without it, all of them are wrong, and said to be.
    let short = ["check", "--output", "short", "a.sql"];
    pgast(here.path()).args(short).assert().code(1).stdout_eq(str![[r#"
a.sql:2:12: error: syntax error at or near "{"
a.sql:4:41: error: syntax error at or near ","
a.sql:8:40: error: syntax error at or near "%"
a.sql:10:14: error: syntax error at or near "$"
a.sql:12:17: error: syntax error at or near "@"

"#]]);
    let all = ["check", "--placeholders", "all", "a.sql"];
    pgast(here.path()).args(all).assert().success().stdout_eq(str![[r#"
1 file, 6 statements, 0 errors (PostgreSQL 18)

"#]]);
    // Only those that are named.
    let some = ["--placeholders", "braces,question-marks,percent-names"];
    pgast(here.path()).args(short).args(some).assert().code(1).stdout_eq(str![[r#"
a.sql:10:14: error: syntax error at or near "$"
a.sql:12:17: error: syntax error at or near "@"

"#]]);
    // In the settings; the arguments take precedence.
    std::fs::write(here.path().join("pgast.toml"), "placeholders = ['all']\n").unwrap();
    pgast(here.path()).args(short).assert().success().stdout_eq("");
    let lint = ["lint", "--select", "syntax-error,prefer-identity,select-star", "a.sql"];
    pgast(here.path()).args(lint).assert().success().stdout_eq("1 file, 0 findings\n");
    pgast(here.path()).args(["split", "a.sql"]).assert().success().stdout_eq(str![[r#"
SELECT id, {{ dbt_utils.star(ref('orders')) }} FROM {{ source('shop', 'orders') }} WHERE day >= '{{ var("day") }}';
INSERT INTO orders (id, total) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET total = ?;
UPDATE orders SET total = @total WHERE id = @id RETURNING *;
SELECT id FROM orders WHERE customer = %(customer)s AND day BETWEEN %(from)s AND %(to)s;
CREATE TABLE ${schema}.orders_${suffix} (id bigint);
CREATE FUNCTION @extschema@.total(bigint) RETURNS numeric LANGUAGE sql AS 'SELECT 1';

"#]]);
    pgast(here.path()).args(["fmt", "--stdout", "a.sql"]).assert().success().stdout_eq(str![[r#"
-- dbt
SELECT id, {{ dbt_utils.star(ref('orders')) }}
FROM {{ source('shop', 'orders') }}
WHERE day >= '{{ var("day") }}';
-- JDBC
INSERT INTO orders (id, total) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET total = ?;
-- sqlc, Npgsql
UPDATE orders SET total = @total WHERE id = @id RETURNING *;
-- psycopg
SELECT id FROM orders WHERE customer = %(customer)s AND day BETWEEN %(from)s AND %(to)s;
-- Flyway
CREATE TABLE ${schema}.orders_${suffix} (id bigint);
-- an extension
CREATE FUNCTION @extschema@.total(bigint)
RETURNS numeric
LANGUAGE sql
AS 'SELECT 1';

"#]]);
    pgast(here.path()).args(short).args(["--placeholders", "braces"]).assert().code(1);
    std::fs::write(here.path().join("pgast.toml"), "placeholders = ['al']\n").unwrap();
    pgast(here.path()).args(short).assert().code(2).stderr_eq(str![[r#"
error: [..]/pgast.toml is wrong: TOML parse error at line 1, column 17
  |
1 | placeholders = ['al']
  |                 ^^^^
unknown variant `al`, expected one of `at-names`, `question-marks`, `braces`, `dollar-braces`, `percent-names`, `extension`, `all`
did you mean `all`?

"#]]);
    pgast(here.path()).args(["check", "--placeholders", "al"]).assert().code(2).stderr_eq(str![[
        r#"
error: invalid value 'al' for '--placeholders <LIST>'
  [possible values: at-names, question-marks, braces, dollar-braces, percent-names, extension, all]

  tip: a similar value exists: 'all'

For more information, try '--help'.

"#
    ]]);
}

/// What is no placeholder that is known is an error, also with the option.
#[test]
fn what_is_not_understood_is_an_error() {
    let text = "SELECT 1;\n{% if a %} SELECT 2; {% endif %}\nSELECT <% b %>;\nSELECT #{c};\n";
    let here = folder(&[("a.sql", text)]);
    let all = ["check", "--output", "short", "--placeholders", "all", "a.sql"];
    pgast(here.path()).args(all).assert().code(1).stdout_eq(str![[r#"
a.sql:2:1: error: syntax error at or near "{"
a.sql:2:22: error: syntax error at or near "{"
a.sql:4:9: error: syntax error at or near "{"

"#]]);
    // `?` is an operator behind an operand.
    let text = "SELECT data ? 'key', data @> '{}' FROM t WHERE a % 2 = ?;\n";
    let here = folder(&[("a.sql", text)]);
    let format = ["fmt", "--stdout", "--placeholders", "question-marks", "a.sql"];
    pgast(here.path()).args(format).assert().success().stdout_eq(text);
}

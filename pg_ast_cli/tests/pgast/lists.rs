//! What lists and counts statements.

use std::fmt::Write as _;

use snapbox::str;

use super::{folder, pgast};

#[test]
fn digest_counts() {
    let log = "2026-01-01 LOG:  duration: 1.5 ms  statement: SELECT * FROM t WHERE a = 1\n\
               2026-01-01 LOG:  duration: 2.5 ms  statement: SELECT * FROM t\n\tWHERE a = 2\n\
               2026-01-01 LOG:  duration: 40 ms  execute s: UPDATE u SET v = $1\n\
               2026-01-01 LOG:  statement: SELEC 1\n";
    let here = folder(&[("pg.log", log)]);
    pgast(here.path()).args(["digest", "pg.log"]).assert().success().stdout_eq(str![[r#"
     calls  share     total ms      mean       p95       max  fingerprint       statement
         2  50.0%        4.000     2.000     2.500     2.500  28550ea0fc43bed7  SELECT * FROM t WHERE a = $1
         1  25.0%       40.000    40.000    40.000    40.000  072c555c39cd0e3f  UPDATE u SET v = $1
4 statements of 2 kinds, 1 with an error
the first error: syntax error at or near "SELEC", in SELEC …

"#]]);
    pgast(here.path())
        .args(["digest", "--sort", "time", "-n", "1", "--json", "pg.log"])
        .assert()
        .stdout_eq(str![[r#"
{"fingerprint":"072c555c39cd0e3f","calls":1,"total_time":40.0,"mean_time":40.0,"p95_time":40.0,"max_time":40.0,"rows":null,"errors":0,"tables":"u","query":"UPDATE u SET v = $1"}
{"summary":{"applications":[],"databases":[],"durations":0,"errors":1,"first_error":{"message":"syntax error at or near \"SELEC\"","query":"SELEC …"},"hidden":0,"kinds":2,"lines":5,"messages":[],"not_understood":[],"not_utf8":0,"others":0,"period":1,"periods":[],"server_errors":0,"server_errors_without_statement":0,"skipped":[],"statements":4,"total_time":44.0,"understood":5,"users":[],"without_statements":[]}}

"#]]);
    let csv =
        pgast(here.path()).args(["digest", "--csv", "pg.log"]).assert().stdout_eq(str![[r#"
fingerprint,calls,total_time,mean_time,p95_time,max_time,rows,errors,tables,query
28550ea0fc43bed7,2,4.0,2.0,2.5,2.5,,0,t,SELECT * FROM t WHERE a = $1
072c555c39cd0e3f,1,40.0,40.0,40.0,40.0,,0,u,UPDATE u SET v = $1

"#]]);
    csv.stderr_eq(str![[r#"
4 statements of 2 kinds, 1 with an error
the first error: syntax error at or near "SELEC", in SELEC …

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
        printed.ends_with("100 statements of 10 kinds, 90 of other kinds (--max-kinds)\n"),
        "{printed}"
    );
}

#[test]
fn digest_names_what_it_does_not_understand() {
    let log = "garbage\n2026-01-01 [7] LOG:  duration: 1.5 ms\n\
               2026-01-01 [7] LOG:  duration: 2 ms  statement: SELECT 1\n2026-01-01 [7] LO";
    let here = folder(&[("a.log", log), ("b.log", "2026-01-01 LOG:  checkpoint starting: time\n")]);
    pgast(here.path()).args(["digest", "a.log"]).assert().success().stdout_eq(str![[r#"
     calls  share     total ms      mean       p95       max  fingerprint       statement
         1 100.0%        2.000     2.000     2.000     2.000  50fde20626009aba  SELECT $1
1 statements of 1 kinds
1 durations whose statements are not in the log
not understood: 2 of 4 lines
         2 without a severity such as LOG:; the first is a.log:1: garbage

"#]]);
    // A log from which nothing comes is an error, also among others.
    let printed = pgast(here.path()).args(["digest", "a.log", "b.log"]).assert().code(1);
    let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
    assert!(printed.ends_with("no statement in b.log, which has 1 lines\n"), "{printed}");
    let json = pgast(here.path()).args(["digest", "--json", "a.log", "b.log"]).assert().code(1);
    let json = String::from_utf8_lossy(&json.get_output().stdout).into_owned();
    let summary: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    let summary = &summary["summary"];
    assert_eq!((&summary["lines"], &summary["understood"]), (&5.into(), &2.into()));
    assert_eq!(summary["skipped"], serde_json::json!([{ "kind": "other", "lines": 1 }]));
    assert_eq!(summary["not_understood"][0]["kind"], "no-severity");
    assert_eq!(summary["not_understood"][0]["first"]["line"], 1);
    assert_eq!(summary["without_statements"], serde_json::json!(["b.log"]));
}

/// Neither of what is wrong, nor of what is cut.
#[test]
fn digest_shows_no_constants() {
    let log = "2026-01-01 [7] LOG:  statement: ALTER ROLE a PASSWORD 'o'Hunter2000'\n\
               2026-01-01 [7] LOG:  statement: SELECT 'Hunter2000'\n\
               password=Hunter2000 'Hunter2000'\n2026-01-01 [7] LOG:  statement: SELECT 'Hunter2000";
    let here = folder(&[("a.log", log), ("b.sql", "COPY t FROM stdin;\nHunter2000\n")]);
    for format in [&[][..], &["--json"], &["--csv"]] {
        let printed = pgast(here.path()).args(["digest", "a.log", "b.sql"]).args(format).assert();
        let output = printed.get_output();
        let printed = [&output.stdout[..], &output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed);
        assert!(printed.contains("ALTER ROLE a PASSWORD $1"), "{printed}");
        assert!(!printed.contains("Hunter") && !printed.contains("2000"), "{printed}");
    }
}

/// What `pg_stat_statements` makes of utility statements is not wrong.
#[test]
fn digest_takes_normalized_statements() {
    let csv = "\u{feff}calls;query\r\n2;SAVEPOINT $1\r\n1;SAVEPOINT $2\r\n5;<insufficient privilege>\r\n\
               1;\"SELECT interval $1\"\r\n1;SELECT $1 FORM t x\r\n";
    let here = folder(&[("a.txt", csv)]);
    pgast(here.path()).args(["digest", "a.txt"]).assert().success().stdout_eq(str![[r#"
     calls  share  fingerprint       tables                    statement
         3  60.0%  [..]                            SAVEPOINT $1
         1  20.0%  [..]                            SELECT interval $1
5 statements of 2 kinds, 1 with an error
the first error: syntax error at or near "t", in SELECT $1 FORM t …
5 calls of statements whose SQL is hidden

"#]]);
}

#[cfg(all(feature = "pg15", feature = "pg18"))]
#[test]
fn diff_compares_versions() {
    let here = folder(&[]);
    let sql = "SELECT 1; MERGE INTO t USING s ON a = b WHEN NOT MATCHED BY SOURCE THEN DELETE; SELECT json(1, 2)";
    let args = ["diff", "--from", "15", "--to", "18", "-c"];
    pgast(here.path()).args(args).arg(sql).assert().code(1).stdout_eq(str![[r#"
error: only PostgreSQL 18 accepts this: syntax error at or near "BY"
 --> SQL:1:58
  |
1 | SELECT 1; MERGE INTO t USING s ON a = b WHEN NOT MATCHED BY SOURCE THEN DELETE; SELECT json(1, 2)
  |                                                          ^^

error: only PostgreSQL 15 accepts this: syntax error at or near ","
 --> SQL:1:94
  |
1 | SELECT 1; MERGE INTO t USING s ON a = b WHEN NOT MATCHED BY SOURCE THEN DELETE; SELECT json(1, 2)
  |                                                                                              ^

3 statements; only PostgreSQL 15 accepts 1, only 18 accepts 1

"#]]);
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
error: invalid place x: expected a byte offset or LINE:COLUMN

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
fn lineage() {
    let schema = "CREATE TABLE users (id int, name text);
CREATE TABLE orders (user_id int, \"Total\" int, paid bool);
CREATE VIEW spent AS SELECT user_id, sum(\"Total\") AS total FROM orders WHERE paid GROUP BY 1;
";
    let here = folder(&[("schema.sql", schema)]);
    let sql = "SELECT 1;
SELECT name, total + 1 AS n, f(x), 2 FROM users JOIN spent ON id = user_id, other;
INSERT INTO users SELECT * FROM new";
    pgast(here.path())
        .args(["lineage", "--schema", "schema.sql", "-c", sql])
        .assert()
        .success()
        .stdout_eq(str![[r#"
SQL:1: returned
  "?column?"  -
SQL:2: returned
  name        public.users.name      identity
  n           public.orders."Total"  aggregation
  f           other.x                transformation
  "?column?"  -
  (rows)      public.orders.paid     filter
              public.orders.user_id  join, group_by
              public.users.id        join
SQL:3: written public.users
  id    ? columns of new  identity
  name  ? columns of new  identity

"#]]);
    pgast(here.path())
        .args(["lineage", "schema.sql", "--json"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
{"file":"schema.sql","line":3,"kind":"defined","name":"spent","columnLineage":{"_producer":"https://github.com/pg-ast/pg_ast","_schemaURL":"https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet","fields":{"total":{"inputFields":[{"namespace":"postgres","name":"public.orders","field":"Total","transformations":[{"type":"DIRECT","subtype":"AGGREGATION"}]}]},"user_id":{"inputFields":[{"namespace":"postgres","name":"public.orders","field":"user_id","transformations":[{"type":"DIRECT","subtype":"IDENTITY"}]}]}},"dataset":[{"namespace":"postgres","name":"public.orders","field":"paid","transformations":[{"type":"INDIRECT","subtype":"FILTER"}]},{"namespace":"postgres","name":"public.orders","field":"user_id","transformations":[{"type":"INDIRECT","subtype":"GROUP_BY"}]}]}}

"#]]);
    pgast(here.path())
        .args([
            "lineage",
            "--json",
            "--namespace",
            "postgres://db:5432",
            "-c",
            "SELECT a, b FROM t, u",
        ])
        .assert()
        .success()
        .stdout_eq(str![[r#"
{"file":"SQL","line":1,"kind":"returned","name":null,"columnLineage":{"_producer":"https://github.com/pg-ast/pg_ast","_schemaURL":"https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet","fields":{"a":{"inputFields":[],"unknown":[{"reason":{"OneOf":{"column":"a","candidates":[{"schema":null,"name":"t"},{"schema":null,"name":"u"}]}},"transformations":[{"type":"DIRECT","subtype":"IDENTITY"}]}]},"b":{"inputFields":[],"unknown":[{"reason":{"OneOf":{"column":"b","candidates":[{"schema":null,"name":"t"},{"schema":null,"name":"u"}]}},"transformations":[{"type":"DIRECT","subtype":"IDENTITY"}]}]}},"dataset":[]}}

"#]]);
    pgast(here.path())
        .args(["lineage", "--schema", "missing.sql", "-c", "SELECT 1"])
        .assert()
        .code(2);
}

#[test]
fn describe() {
    let schema = "CREATE TABLE users (id bigint PRIMARY KEY, name varchar(40));\n";
    let queries = "-- name: GetUser :one\nSELECT id, name, ext.f(id) FROM users WHERE id = $1;\n\nDELETE FROM users;\n";
    let here = folder(&[("schema.sql", schema), ("queries.sql", queries)]);
    pgast(here.path())
        .args(["describe", "--schema", "schema.sql", "queries.sql"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
queries.sql:2: GetUser :one
  $1    bigint
  id    bigint                 not null  public.users.id
  name  character varying(40)  null      public.users.name
  f     ?                      null

"#]]);
    pgast(here.path())
        .args(["describe", "--schema", "schema.sql", "--json", "-c", "SELECT count(*) FROM users"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
{"file":"SQL","line":1,"name":null,"command":null,"parameters":[],"columns":[{"name":"count","type":"bigint","nullable":false,"reason":"Aggregate","column":null}]}

"#]]);
}

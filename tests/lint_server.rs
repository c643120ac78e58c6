//! Holds the fixes of the linter to a PostgreSQL server: it accepts a script with all of them, as it does without.
//!
//! Without a server of the right version, a message says so, and nothing is tested.

#![allow(unreachable_pub)]

#[path = "server/connection.rs"]
#[allow(dead_code, reason = "for another test")]
mod connection;
#[path = "server/protocol.rs"]
#[allow(dead_code, reason = "for another test")]
mod protocol;

use std::collections::BTreeSet;

use connection::{MAJOR, Server};
use pg_ast::Version;
use pg_ast_lint::{Options, Rule, Selector, fix, lint};

/// What the scripts change: a table, an index, a partitioned table, a domain, a view.
const OBJECTS: &str = "
    DROP SCHEMA IF EXISTS public, s, x, tester CASCADE;
    CREATE SCHEMA public;
    CREATE SCHEMA s;
    CREATE TABLE t (id bigint PRIMARY KEY, a int, b text, at timestamptz);
    INSERT INTO t SELECT n, n, 'n' || n, now() FROM generate_series(1, 9) n;
    CREATE INDEX i ON t (a);
    CREATE INDEX \"select\" ON t (b);
    CREATE TABLE parent (a int, b text) PARTITION BY LIST (a);
    CREATE TABLE child PARTITION OF parent FOR VALUES IN (1);
    CREATE DOMAIN d AS int;
    CREATE TABLE of_domain (a d);
    CREATE VIEW v AS SELECT a FROM t;
    CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql AS 'SELECT 1';
    CREATE TYPE state AS ENUM ('new', 'old');
";

/// Scripts that the server accepts, and that have findings with fixes.
const SCRIPTS: &[&str] = &[
    // Nothing is CONCURRENTLY in a transaction, for partitioned tables, and in other statements.
    "CREATE INDEX j ON t (a, b)",
    "CREATE UNIQUE INDEX j ON t (id) WHERE a > 0",
    "CREATE INDEX ON t (lower(b))",
    "CREATE INDEX j ON ONLY parent (a); CREATE INDEX k ON ONLY parent (b)",
    "CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE INDEX j ON p (a)",
    "CREATE TABLE second PARTITION OF parent DEFAULT; CREATE INDEX j ON parent (a)",
    "BEGIN; CREATE INDEX j ON t (a); DROP INDEX j; COMMIT",
    "CREATE SCHEMA x CREATE TABLE y (a int) CREATE INDEX z ON y (a)",
    "CREATE INDEX j ON child (b)",
    "DROP INDEX i",
    "DROP INDEX public.\"select\" RESTRICT",
    "DROP INDEX i, \"select\"",
    "DROP INDEX i CASCADE",
    "CREATE INDEX j ON t (a); DROP INDEX j",
    "REINDEX INDEX i; REINDEX (VERBOSE) TABLE public.t; REINDEX SCHEMA s",
    "REINDEX (CONCURRENTLY off) TABLE t; REINDEX TABLE pg_class; REINDEX TABLE pg_catalog.pg_proc",
    "REINDEX TABLE parent; REINDEX DATABASE postgres; REINDEX SYSTEM postgres",
    "BEGIN; REINDEX TABLE t; COMMIT",
    "ALTER TABLE parent DETACH PARTITION child",
    "BEGIN; ALTER TABLE parent DETACH PARTITION child; COMMIT",
    "CREATE TABLE other PARTITION OF parent DEFAULT; ALTER TABLE parent DETACH PARTITION child",
    "CREATE TABLE other (a int, b text); ALTER TABLE parent ATTACH PARTITION other DEFAULT;
     ALTER TABLE ONLY parent DETACH PARTITION child",
    // Constraints.
    "ALTER TABLE t ADD CONSTRAINT positive CHECK (a > 0)",
    "ALTER TABLE t ADD CHECK (a > 0), ADD CHECK (id > 0) NO INHERIT",
    "ALTER TABLE t ADD FOREIGN KEY (id) REFERENCES t (id)",
    "ALTER TABLE t ADD CONSTRAINT fk FOREIGN KEY (id) REFERENCES t ON DELETE CASCADE DEFERRABLE",
    "ALTER TABLE child ADD FOREIGN KEY (a) REFERENCES t (id)",
    "ALTER TABLE t ADD c int CHECK (c > 0), ADD e bigint REFERENCES t",
    "ALTER TABLE t ADD UNIQUE (a); ALTER TABLE t ADD EXCLUDE USING btree (id WITH =)",
    "ALTER DOMAIN d ADD CHECK (VALUE > 0); ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE < 9)",
    "ALTER DOMAIN d SET NOT NULL",
    // Types of columns.
    "CREATE TABLE x (id int PRIMARY KEY, a varchar(5) DEFAULT 'a', b char(3), c timestamp, d char)",
    "CREATE TABLE x (id serial PRIMARY KEY, a smallserial, at timestamp(3) without time zone)",
    "CREATE TABLE x (a varchar(5)[] DEFAULT '{}', b int, user_id int2 REFERENCES t (id))",
    "CREATE TABLE x (a char(5)); CREATE INDEX ON x (a bpchar_pattern_ops)",
    "CREATE TABLE x (a varchar(5)) PARTITION BY LIST (a); CREATE TABLE y PARTITION OF x DEFAULT",
    "CREATE TABLE x (id serial, a int) PARTITION BY LIST (a)",
    "CREATE TABLE x (id int, b int GENERATED ALWAYS AS (id + 1) STORED)",
    "CREATE TABLE x (at timestamp, day date GENERATED ALWAYS AS (at::date) STORED)",
    "CREATE TABLE x (at timestamp); CREATE INDEX ON x (date_trunc('day', at))",
    "CREATE TABLE x (id int); CREATE SEQUENCE q OWNED BY x.id; ALTER TABLE x ADD y serial",
    "ALTER TABLE t ADD c varchar(9), ADD e timestamp DEFAULT '2020-01-01', ADD user_id int",
    // Run a second time.
    "CREATE TABLE x (a int); CREATE TABLE y AS SELECT 1 AS a; CREATE MATERIALIZED VIEW w AS SELECT 1",
    "CREATE SEQUENCE q; CREATE SCHEMA x; CREATE SCHEMA AUTHORIZATION CURRENT_USER",
    "CREATE INDEX CONCURRENTLY j ON t (a); DROP INDEX CONCURRENTLY j",
    "ALTER TABLE t ADD COLUMN x int, DROP COLUMN b; ALTER TABLE t DROP CONSTRAINT t_pkey CASCADE",
    "DROP VIEW v; DROP FUNCTION f(int); DROP TYPE state; DROP TABLE of_domain, child; DROP DOMAIN d",
    "CREATE TEMP TABLE x (a int) ON COMMIT DROP; DROP SCHEMA s",
    "DROP EXTENSION plpgsql; CREATE EXTENSION plpgsql",
    // Queries.
    "SELECT a FROM t WHERE b = NULL OR NULL <> a; UPDATE t SET a = 1 WHERE NOT (a != NULL)",
    "SELECT a=NULL, (a+1)= NULL, NULL = ALL ('{1}'::int[]) FROM t",
    "DO $$ DECLARE n int; BEGIN SELECT f(1); EXCEPTION WHEN OTHERS THEN n := 1; END $$",
    "DO $$ BEGIN IF 1 = NULL THEN PERFORM f(1); END IF; DROP INDEX i; CREATE INDEX i ON t (b); END $$",
    "CREATE FUNCTION g(a int) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN a = NULL; END'",
    "SET search_path = 'public, s'; RESET search_path",
    "CREATE FUNCTION g() RETURNS int LANGUAGE sql SET search_path = 'public,\"$user\"' AS 'SELECT 1'",
    // Without a fix.
    "SELECT 1; DROP TABLE t CASCADE",
    "BEGIN; ALTER TABLE t ADD x int; COMMIT; VACUUM t",
    "VACUUM FULL t; CLUSTER t USING i; BEGIN; LOCK TABLE v; COMMIT",
];

/// Scripts that do not show that a table is partitioned, and with what the server then refuses a fix.
const PARTITIONED: &[(&str, &str)] = &[
    ("CREATE INDEX j ON parent (a)", "0A000"),
    ("ALTER TABLE parent ADD FOREIGN KEY (a) REFERENCES t (id)", "42809"),
];

/// The rules with a fix that is not a guess; the test has one of each.
const WITH_FIX: &[Rule] = &[
    Rule::ForeignKeyValidates,
    Rule::CheckValidates,
    Rule::DomainValidates,
    Rule::CreateIndexLocks,
    Rule::DropIndexLocks,
    Rule::ReindexLocks,
    Rule::DetachPartitionLocks,
    Rule::PreferBigint,
    Rule::PreferText,
    Rule::CharColumn,
    Rule::PreferTimestamptz,
    Rule::PreferIdentity,
    Rule::PreferIfExists,
    Rule::NullComparison,
    Rule::QuotedSearchPath,
];

/// Runs a script statement by statement, as psql does; returns the first error.
fn error_of(server: &mut Server, script: &str) -> Option<String> {
    let errors = server.run(&[OBJECTS]);
    assert!(errors[0].is_none(), "{errors:?}");
    let stmts = pg_ast::parse_script(script);
    let texts: Vec<_> = stmts.iter().map(|stmt| stmt.text(script)).collect();
    let errors = server.run(&texts);
    server.run(&["ROLLBACK", "DISCARD ALL"]);
    let mut errors = errors.iter().zip(&texts);
    errors.find_map(|(error, sql)| {
        error.as_ref().map(|error| format!("{} {}: {sql}", error.get(b'C'), error.get(b'M')))
    })
}

#[test]
fn a_server_accepts_all_fixes() {
    let mut server = match Server::start() {
        Ok(server) => server,
        Err(why) => {
            eprintln!("\nNOT TESTED: fixes of the linter against a server: {why}\n");
            return;
        }
    };
    let (mut mistakes, mut seen, mut count) = (Vec::new(), BTreeSet::new(), 0);
    for &script in SCRIPTS {
        if let Some(error) = error_of(&mut server, script) {
            mistakes.push(format!("it has to be right without fixes: {error}"));
            continue;
        }
        // Each rule by itself, and all together.
        let sets = Rule::ALL.iter().map(|rule| Options::default().only([*rule]));
        let all = Options::default().only([Selector::All]);
        for options in sets.chain([all]) {
            let options = options.unsafe_fixes(true);
            let fixed = fix(script, &options);
            if fixed.count == 0 {
                continue;
            }
            count += fixed.count;
            let found = lint(script, &options).into_iter().filter(|it| it.fix.is_some());
            seen.extend(found.map(|finding| finding.rule));
            if let Some(error) = error_of(&mut server, &fixed.text) {
                mistakes.push(format!("{script}\n  became\n{}\n  {error}", fixed.text));
            }
        }
    }
    // What a partitioned table cannot have depends on the version.
    match Version::ALL.iter().find(|version| version.major() == MAJOR) {
        Some(version) => partitioned(&mut server, *version),
        None => {
            eprintln!("\nNOT TESTED: fixes for partitioned tables: the feature pg{MAJOR} is off\n");
        }
    }
    drop(server);
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
    let missing: Vec<_> = WITH_FIX.iter().filter(|rule| !seen.contains(rule)).collect();
    assert!(missing.is_empty(), "{missing:?} had no fix");
    assert!(count > 100, "{count}");
}

fn partitioned(server: &mut Server, version: Version) {
    let all = Options::default().version(version).unsafe_fixes(true);
    for (script, expected) in PARTITIONED {
        let error = error_of(server, &fix(script, &all).text).unwrap_or_default();
        assert!(error.starts_with(expected), "{script}: {error}");
        // With what makes it known, there is no such fix.
        let table = "CREATE TABLE other PARTITION OF parent DEFAULT; ";
        let known = fix(&format!("{table}{script}"), &all).text;
        assert_eq!(error_of(server, &known), None, "{known}");
    }
}

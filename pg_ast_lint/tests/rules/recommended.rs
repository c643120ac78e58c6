//! What the help of each rule recommends is not itself a finding.

use pg_ast_lint::{Options, Rule, lint};

use crate::every_rule;

/// Returns scripts that do what a rule's help and explanation recommend.
#[expect(clippy::too_many_lines, reason = "a table")]
fn recommended(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::SyntaxError => &["SELECT a FROM t;"],
        Rule::UnknownRule => &[
            "-- pgast-ignore select-star, null-comparison\nSELECT * FROM t WHERE a = NULL;",
            "-- pgast-ignore\nSELECT * FROM t;",
        ],
        Rule::UnusedIgnore => &["-- pgast-ignore select-star\nSELECT * FROM t;"],
        Rule::OpenCopyData => &["COPY t FROM stdin;\n1\n\\.\n", "\\copy t from stdin\n1\n\\.\n"],
        Rule::AddRequiredColumn => &[
            "ALTER TABLE t ADD COLUMN IF NOT EXISTS a int NOT NULL DEFAULT 0;",
            "ALTER TABLE t ADD COLUMN IF NOT EXISTS a int;
             UPDATE t SET a = 0 WHERE a IS NULL;
             ALTER TABLE t ADD CONSTRAINT a_set CHECK (a IS NOT NULL) NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT a_set;
             ALTER TABLE t ALTER a SET NOT NULL;
             ALTER TABLE t DROP CONSTRAINT IF EXISTS a_set;",
        ],
        Rule::SetNotNull => &[
            "ALTER TABLE t ADD CONSTRAINT c CHECK (a IS NOT NULL) NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT c;
             ALTER TABLE t ALTER COLUMN a SET NOT NULL;
             ALTER TABLE t DROP CONSTRAINT IF EXISTS c;",
            "ALTER TABLE s.t ADD CHECK (a IS NOT NULL AND t.b IS NOT NULL) NOT VALID;
             ALTER TABLE s.t VALIDATE CONSTRAINT t_check;
             ALTER TABLE s.t ALTER a SET NOT NULL, ALTER b SET NOT NULL;",
            "ALTER TABLE t ADD CHECK (a IS NOT NULL) NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT t_a_check;
             BEGIN;
             ALTER TABLE public.t ALTER a SET NOT NULL;
             ALTER TABLE t DROP CONSTRAINT t_a_check;
             COMMIT;",
            // An earlier script has added it.
            "ALTER TABLE t VALIDATE CONSTRAINT c; ALTER TABLE t ALTER a SET NOT NULL;",
            #[cfg(feature = "pg18")]
            "ALTER TABLE t ADD CONSTRAINT c NOT NULL a NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT c;
             ALTER TABLE t ALTER a SET NOT NULL;",
            #[cfg(feature = "pg18")]
            "ALTER TABLE t ADD CONSTRAINT c CHECK (a IS NOT NULL) NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT c;
             ALTER TABLE t ADD CONSTRAINT d NOT NULL a;",
        ],
        Rule::VolatileDefault => &["ALTER TABLE t ADD COLUMN IF NOT EXISTS a uuid;
             ALTER TABLE t ALTER a SET DEFAULT gen_random_uuid();
             UPDATE t SET a = gen_random_uuid() WHERE a IS NULL AND id BETWEEN 1 AND 1000;"],
        Rule::GeneratedColumn => &["ALTER TABLE t ADD COLUMN IF NOT EXISTS a int;
             CREATE TRIGGER g BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f();
             UPDATE t SET a = b + 1 WHERE a IS NULL AND id < 1000;"],
        Rule::AddSerialColumn => &["ALTER TABLE t ADD COLUMN IF NOT EXISTS a bigint;
             CREATE SEQUENCE IF NOT EXISTS t_a_seq OWNED BY t.a;
             UPDATE t SET a = nextval('t_a_seq') WHERE a IS NULL AND b < 1000;
             ALTER TABLE t ALTER a SET DEFAULT nextval('t_a_seq');"],
        Rule::ChangeColumnType | Rule::RenameColumn => &[
            "ALTER TABLE t ADD COLUMN IF NOT EXISTS b bigint;
             CREATE TRIGGER g BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f();
             UPDATE t SET b = a WHERE b IS NULL AND id < 1000;",
            // The new column gets the name of the old one.
            "ALTER TABLE t ADD COLUMN IF NOT EXISTS b bigint;
             BEGIN;
             ALTER TABLE t RENAME a TO old;
             ALTER TABLE t RENAME b TO a;
             COMMIT;",
        ],
        Rule::RenameTable => &["BEGIN;
             ALTER TABLE t RENAME TO u;
             CREATE VIEW t AS SELECT a FROM u;
             COMMIT;"],
        Rule::DropColumn => &["-- pgast-ignore drop-column: no program uses it any more
             ALTER TABLE t DROP COLUMN IF EXISTS a;"],
        Rule::DropNotNull => &["-- pgast-ignore drop-not-null: all programs know
             ALTER TABLE t ALTER a DROP NOT NULL;"],
        Rule::ForeignKeyValidates => &[
            "ALTER TABLE t ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES u NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT k;",
            "ALTER TABLE p1 ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES u NOT VALID;
             ALTER TABLE p1 VALIDATE CONSTRAINT k;",
        ],
        Rule::CheckValidates => &["ALTER TABLE t ADD CONSTRAINT k CHECK (a > 0) NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT k;"],
        Rule::UniqueLocks => &["CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON t (a);
             ALTER TABLE t ADD CONSTRAINT k UNIQUE USING INDEX i;"],
        Rule::PrimaryKeyLocks => &["CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON t (a);
             ALTER TABLE t ADD CONSTRAINT k PRIMARY KEY USING INDEX i;"],
        Rule::CreateIndexLocks => &[
            "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON t (a);",
            // That of a partitioned table.
            "CREATE INDEX IF NOT EXISTS i ON ONLY t (a);
             CREATE INDEX CONCURRENTLY IF NOT EXISTS i1 ON t1 (a);
             ALTER INDEX i ATTACH PARTITION i1;",
        ],
        Rule::DropIndexLocks => &["DROP INDEX CONCURRENTLY IF EXISTS i;
             DROP INDEX CONCURRENTLY IF EXISTS j;"],
        Rule::ConcurrentlyInTransaction => &[
            "BEGIN; SELECT 1; COMMIT; CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON t (a);",
        ],
        Rule::TransactionNesting => &["BEGIN; SAVEPOINT a; ROLLBACK TO a; COMMIT;"],
        Rule::PreferBigint => &["CREATE TABLE IF NOT EXISTS t (id bigint PRIMARY KEY);"],
        Rule::PreferText => &["CREATE TABLE IF NOT EXISTS t (a text CHECK (length(a) <= 10));"],
        Rule::PreferTimestamptz => &["CREATE TABLE IF NOT EXISTS t (a timestamptz);"],
        Rule::PreferIdentity => &["CREATE TABLE IF NOT EXISTS t
             (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY);"],
        Rule::PreferIfExists => &[
            "CREATE TABLE IF NOT EXISTS t (a int); DROP TRIGGER IF EXISTS g ON u;",
            "BEGIN; CREATE TABLE t (a int); COMMIT;",
        ],
        Rule::DropTable => &["-- pgast-ignore drop-table: nothing uses it, and there is a backup
             DROP TABLE IF EXISTS t;"],
        Rule::DropDatabase => &["-- pgast-ignore drop-database: that of the tests
             DROP DATABASE IF EXISTS d;"],
        Rule::TruncateCascade => &["TRUNCATE t, u;"],
        Rule::UpdateWithoutWhere => &["UPDATE t SET a = 1 WHERE true;"],
        Rule::DeleteWithoutWhere => &["DELETE FROM t WHERE true;", "TRUNCATE t;"],
        Rule::SelectStar => &["SELECT a, b FROM t;", "SELECT 1 WHERE EXISTS (SELECT * FROM t);"],
        Rule::NullComparison => &["SELECT a FROM t WHERE a IS NULL AND b IS NOT NULL;"],
        Rule::QueryWithoutDestination => &["DO $$ DECLARE n int; r record; BEGIN
             PERFORM f();
             SELECT count(a) INTO n FROM t;
             FOR r IN SELECT a FROM t LOOP RAISE NOTICE '% of %', r.a, n; END LOOP;
             INSERT INTO t VALUES (1);
             UPDATE t SET a = 2 WHERE a = 1 RETURNING a INTO n;
             END $$;"],
        Rule::UnquotedDynamicSql => &[
            "CREATE FUNCTION f(t text, c text, v text, r regclass) RETURNS int LANGUAGE plpgsql AS $$
             DECLARE n int;
             BEGIN
             EXECUTE format('SELECT %I FROM %I WHERE a = %L', c, t, v) INTO n;
             EXECUTE 'SELECT a FROM ' || r || ' WHERE a = $1' INTO n USING v;
             RETURN n;
             END $$;",
        ],
        Rule::MissingReturn => &[
            "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
             IF a > 0 THEN RETURN a; END IF;
             RETURN 0;
             END $$;",
            "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
             IF a > 0 THEN RETURN a; END IF;
             RAISE EXCEPTION 'negative: %', a;
             END $$;",
        ],
        Rule::UnreachableCode => {
            &["CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
             IF a > 0 THEN RETURN a; END IF;
             a := -a;
             RETURN a;
             END $$;"]
        }
        Rule::UnusedVariable => &["DO $$ BEGIN FOR i IN 1 .. 9 LOOP NULL; END LOOP; END $$;"],
        Rule::UnusedParameter => &[
            "CREATE FUNCTION f(a int, unused_b int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
             a := a + 1;
             RETURN a;
             END $$;",
            "CREATE FUNCTION f(a int, int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
             a := a + 1;
             RETURN a;
             END $$;",
        ],
        Rule::UnassignedVariable => &["DO $$ DECLARE a int; BEGIN
             a := 1;
             RAISE NOTICE '%', a;
             END $$;"],
        Rule::UnsetOutParameter => {
            &["CREATE FUNCTION f(OUT a int) LANGUAGE plpgsql AS $$ BEGIN a := 1; END $$;"]
        }
        Rule::ShadowedName => &["CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$
             DECLARE b int := a;
             BEGIN RETURN b; END $$;"],
        _ => &[],
    }
}

#[test]
fn what_is_recommended_is_clean() {
    for rule in Rule::ALL {
        for script in recommended(*rule) {
            let found = lint(script, &every_rule());
            assert!(found.is_empty(), "{rule}: {script}\n{found:#?}");
        }
    }
}

/// What looks like the recommended way, and is not.
#[test]
fn what_is_not_recommended_is_found() {
    for (rule, script) in [
        // Not validated; another column; another table; no longer there; not before it.
        (
            Rule::SetNotNull,
            "ALTER TABLE t ADD CHECK (a IS NOT NULL) NOT VALID; ALTER TABLE t ALTER a SET NOT NULL",
        ),
        (
            Rule::SetNotNull,
            "ALTER TABLE t ADD CONSTRAINT c CHECK (b IS NOT NULL) NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT c; ALTER TABLE t ALTER a SET NOT NULL",
        ),
        (
            Rule::SetNotNull,
            "ALTER TABLE t ADD CONSTRAINT c CHECK (a IS NOT NULL OR b) NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT c; ALTER TABLE t ALTER a SET NOT NULL",
        ),
        (
            Rule::SetNotNull,
            "ALTER TABLE t ADD CONSTRAINT c CHECK (a IS NOT NULL) NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT c; ALTER TABLE u ALTER a SET NOT NULL",
        ),
        (
            Rule::SetNotNull,
            "ALTER TABLE t ADD CONSTRAINT c CHECK (a IS NOT NULL) NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT c; ALTER TABLE t DROP CONSTRAINT c;
             ALTER TABLE t ALTER a SET NOT NULL",
        ),
        (
            Rule::SetNotNull,
            "ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES u NOT VALID;
             ALTER TABLE t VALIDATE CONSTRAINT c, ALTER a SET NOT NULL",
        ),
        // There is a moment without the old name.
        (Rule::RenameTable, "ALTER TABLE t RENAME TO u; CREATE VIEW t AS SELECT a FROM u"),
        (
            Rule::RenameTable,
            "BEGIN; CREATE OR REPLACE VIEW t AS SELECT 1; ALTER TABLE t RENAME TO u; COMMIT",
        ),
        (Rule::RenameColumn, "ALTER TABLE t RENAME a TO old; ALTER TABLE t ADD a int"),
        (Rule::RenameColumn, "BEGIN; ALTER TABLE t RENAME a TO b; COMMIT; BEGIN; SELECT 1; COMMIT"),
        (Rule::ConcurrentlyInTransaction, "BEGIN; REINDEX (CONCURRENTLY) TABLE t; COMMIT"),
    ] {
        let found = lint(script, &Options::default().only([rule]));
        assert_eq!(found.len(), 1, "{rule}: {script}\n{found:#?}");
    }
}

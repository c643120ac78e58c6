//! A linter finds the same after edits as one that reads the text for the first time.

use pg_ast_lint::{Linter, Options, Selector, lint};

/// Statements that matter for each other, and those around which they do not.
const SCRIPT: &str = r"
CREATE TABLE a (id int PRIMARY KEY, b text, c varchar(10));
BEGIN;
ALTER TABLE a ADD COLUMN d int NOT NULL DEFAULT 1;
ALTER TABLE other ADD CONSTRAINT n CHECK (x IS NOT NULL) NOT VALID;
COMMIT;
ALTER TABLE other VALIDATE CONSTRAINT n;
ALTER TABLE other ALTER COLUMN x SET NOT NULL;
CREATE INDEX i ON a (b);
CREATE INDEX j ON other (x);
DROP TABLE a;
SET lock_timeout = '1s';
UPDATE t SET a = 1;
-- pgast-ignore delete-without-where
DELETE FROM t;
DELETE FROM t;
SELECT * FROM t WHERE a = NULL AND b NOT IN (SELECT c FROM u);
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    unused int;
BEGIN
    -- pgast-ignore null-comparison
    IF a = NULL THEN
        DELETE FROM t;
    END IF;
END $$;
DO $$ BEGIN DROP TABLE x; CREATE TABLE x (); ALTER TABLE x DROP COLUMN y; END $$;
BEGIN;
DROP VIEW v;
CREATE VIEW v AS SELECT 1 AS a;
COMMIT;
TRUNCATE t CASCADE;
ALTER TABLE p ATTACH PARTITION q DEFAULT;
CREATE SCHEMA new;
CREATE VIEW new.v AS SELECT 1 AS a;
ALTER VIEW new.v RENAME TO w;
ALTER TABLE other SET SCHEMA new;
ALTER TABLE new.w ALTER a DROP DEFAULT;
BEGIN;
SET LOCAL lock_timeout = '1s';
CREATE TYPE y AS ENUM ('a');
SAVEPOINT one;
CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f();
ALTER TABLE t DISABLE TRIGGER g, ALTER b DROP DEFAULT, ADD UNIQUE (b);
ROLLBACK TO one;
DROP TRIGGER g ON t;
ALTER TABLE t ALTER b SET DEFAULT 1;
ROLLBACK;
ALTER TYPE y ADD VALUE 'b';
CREATE ROLE r;
REVOKE ALL ON t FROM r;
SELECT 1 \gset
SELECT set_config('search_path', '', false);
COPY t FROM stdin;
1
\.
SELEC 1;
REINDEX TABLE t
";

const PIECES: [&str; 22] = [
    ";",
    "'",
    "\"",
    "$$",
    "(",
    ")",
    "\n",
    "--",
    "/*",
    "ä",
    "a",
    " ",
    "BEGIN;",
    "COMMIT;",
    "ROLLBACK;",
    "SAVEPOINT one;",
    "DROP TABLE t;",
    "CREATE TABLE t (a int);",
    "SET lock_timeout = 0;",
    "-- pgast-ignore-file drop-table\n",
    "SELECT :a;",
    "\\;",
];

fn compare_after_edits(edits: usize) {
    let options = Options::default().only([Selector::All]).fingerprints(true);
    let mut linter = Linter::new(options.clone());
    let mut numbers = 42_u64;
    let mut below = |end: usize| {
        numbers ^= numbers << 13;
        numbers ^= numbers >> 7;
        numbers ^= numbers << 17;
        usize::try_from(numbers >> 16).unwrap_or(usize::MAX) % end.max(1)
    };
    let mut text = SCRIPT.to_owned();
    for count in 0..edits {
        if count % 40 == 0 {
            SCRIPT.clone_into(&mut text);
        }
        let boundary = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let start = boundary(below(text.len() + 1));
        let end = boundary((start + below(12)).min(text.len())).max(start);
        let (range, new) = match below(3) {
            0 => (start..end, ""),
            _ => (start..start, PIECES[below(PIECES.len())]),
        };
        text.replace_range(range, new);
        assert_eq!(linter.lint(&text), lint(&text, &options), "{text:?}");
    }
}

#[test]
fn the_findings_after_edits_are_those_of_the_text() {
    compare_after_edits(400);
}

#[test]
#[ignore = "takes minutes"]
fn the_findings_after_many_edits_are_those_of_the_text() {
    compare_after_edits(20_000);
}

/// Each in an older version as well.
#[test]
fn the_findings_after_typing_are_those_of_the_text() {
    let oldest = pg_ast::Version::ALL[0];
    for options in [Options::default(), Options::default().version(oldest).in_transaction(true)] {
        let mut linter = Linter::new(options.clone());
        let mut text = String::new();
        for c in SCRIPT.chars() {
            text.push(c);
            assert_eq!(linter.lint(&text), lint(&text, &options), "{text:?}");
        }
    }
}

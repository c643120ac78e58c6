//! What is offered where somebody is typing: the tables of the statement, and the kinds of names.

use std::time::Instant;

use pg_ast::NameKind::{self, Alias, Column, Function, Object, Role, Table, Type};

use super::pg::complete;
use crate::common::corpus;

/// Returns the tables that are offered at a `|` in SQL, and the kinds of names.
fn offered(sql: &str) -> (Vec<String>, Vec<NameKind>) {
    let offset = sql.find('|').expect("a place");
    let found = complete(&sql.replacen('|', "", 1), offset);
    let tables = found.tables.into_iter().map(|table| {
        let alias = table.alias.map_or(String::new(), |alias| format!(" {alias}"));
        format!("{}{alias}", table.name)
    });
    (tables.collect(), found.names)
}

/// A place: SQL with a `|`, the tables in the order in which they are offered, and some kinds of names.
type Place = (&'static str, &'static [&'static str], &'static [NameKind]);

#[track_caller]
fn check(places: &[Place]) {
    let mut wrong = Vec::new();
    for (sql, tables, kinds) in places {
        let (found, names) = offered(sql);
        if found != *tables || !kinds.iter().all(|kind| names.contains(kind)) {
            wrong.push(format!("{sql}\n    {found:?}, not {tables:?}; {names:?}, not {kinds:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn open_brackets_and_cases_in_queries() {
    check(&[
        ("SELECT | FROM t", &["t"], &[Column, Function]),
        ("SELECT a, | FROM t", &["t"], &[Column, Function]),
        ("SELECT a, t.| FROM t", &["t"], &[Column]),
        ("SELECT (| FROM t", &["t"], &[Column, Function]),
        ("SELECT (a + | FROM t", &["t"], &[Column]),
        ("SELECT ((a + b) * (c - | FROM t", &["t"], &[Column]),
        ("SELECT count(| FROM t", &["t"], &[Column, Function]),
        ("SELECT count(DISTINCT | FROM t", &["t"], &[Column]),
        ("SELECT coalesce(a, lower(t.| FROM t WHERE b", &["t"], &[Column]),
        ("SELECT f(a, | , c FROM t", &["t"], &[Column]),
        ("SELECT sum(a) FILTER (WHERE | FROM t", &["t"], &[Column]),
        ("SELECT string_agg(a, ',' ORDER BY | FROM t", &["t"], &[Column]),
        ("SELECT CASE WHEN t.| FROM t", &["t"], &[Column]),
        ("SELECT CASE | FROM t", &["t"], &[Column]),
        ("SELECT CASE a WHEN 1 THEN | FROM t", &["t"], &[Column]),
        ("SELECT CASE WHEN a THEN b ELSE | FROM t AS x", &["t x"], &[Column]),
        ("SELECT CASE WHEN a IN (b, | FROM s.t", &["s.t"], &[Column]),
        ("SELECT f(CASE WHEN (a AND | FROM t, u WHERE t.x = 1", &["t", "u"], &[Column]),
        ("SELECT ARRAY[a, | FROM t", &["t"], &[Column]),
        ("SELECT a[| FROM t", &["t"], &[Column]),
        ("SELECT CAST(| FROM t", &["t"], &[Column]),
        ("SELECT CAST(a AS | FROM t", &["t"], &[Type]),
        ("SELECT a::| FROM t", &["t"], &[Type]),
        ("SELECT a AS | FROM t", &["t"], &[Alias]),
        ("SELECT substring(| FROM t WHERE a = 1", &["t"], &[Column]),
        ("SELECT trim(x.| FROM t x ORDER BY a", &["t x"], &[Column]),
        ("SELECT extract(year FROM | FROM t", &["t"], &[Column]),
        ("SELECT a, FROM t WHERE |", &["t"], &[Column]),
        ("SELECT count( FROM t WHERE |", &["t"], &[Column]),
        ("SELECT CASE WHEN a FROM t GROUP BY |", &["t"], &[Column]),
        ("SELECT a FROM t WHERE b IN (|", &["t"], &[Column]),
        ("SELECT a FROM t WHERE b IN (| ORDER BY a", &["t"], &[Column]),
        ("SELECT a FROM t WHERE (b = 1 OR | GROUP BY a", &["t"], &[Column]),
        ("SELECT a FROM t WHERE b BETWEEN | AND 2", &["t"], &[Column]),
        ("SELECT a FROM t WHERE a = ANY (|", &["t"], &[Column]),
        ("SELECT a FROM t GROUP BY ROLLUP (| HAVING b", &["t"], &[Column]),
        ("SELECT a FROM t GROUP BY a HAVING count(| ORDER BY a", &["t"], &[Column]),
        ("SELECT a FROM t ORDER BY |", &["t"], &[Column]),
        ("SELECT a FROM t ORDER BY lower(| LIMIT 1", &["t"], &[Column]),
        ("SELECT rank() OVER (PARTITION BY | FROM t", &["t"], &[Column]),
        ("SELECT rank() OVER (ORDER BY a, | FROM t", &["t"], &[Column]),
        ("SELECT a FROM t WINDOW w AS (ORDER BY |", &["t"], &[Column]),
        ("SELECT 1; SELECT count(| FROM t; SELECT 2 FROM u", &["t"], &[Column]),
        ("SELECT count( ; SELECT | FROM t; SELEC", &["t"], &[Column]),
    ]);
}

#[test]
fn from_and_subselects() {
    check(&[
        ("SELECT * FROM |", &[], &[Table, Function]),
        ("SELECT * FROM t, |", &["t"], &[Table]),
        ("SELECT * FROM t JOIN |", &["t"], &[Table]),
        ("SELECT * FROM s.|", &[], &[Table]),
        ("SELECT * FROM t JOIN u ON |", &["t", "u"], &[Column]),
        ("SELECT * FROM t JOIN u ON (t.| WHERE a", &["t", "u"], &[Column]),
        ("SELECT * FROM t x JOIN u y ON x.a = y.|", &["t x", "u y"], &[Column]),
        ("SELECT * FROM t JOIN u USING (|", &["t", "u"], &[Column]),
        ("SELECT * FROM t JOIN u USING (a, | WHERE b", &["t", "u"], &[Column]),
        ("SELECT | FROM t JOIN u WHERE a = 1", &["t", "u"], &[Column]),
        ("SELECT * FROM t, LATERAL f(| WHERE a", &["t"], &[Column]),
        ("SELECT (SELECT | FROM u) FROM t", &["u", "t"], &[Column]),
        ("SELECT (SELECT max(| FROM u WHERE u.a = t.a) FROM t", &["u", "t"], &[Column]),
        ("SELECT (SELECT | FROM u WHERE u.a = t.a FROM t", &["u", "t"], &[Column]),
        ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE |", &["t", "u"], &[Column]),
        ("SELECT a FROM t WHERE b IN (SELECT | FROM u", &["t", "u"], &[Column]),
        ("SELECT * FROM (SELECT | FROM t", &["t"], &[Column]),
        ("SELECT * FROM (SELECT count(| FROM t) AS x", &["t"], &[Column]),
        ("WITH c AS (SELECT count(| FROM t) SELECT 1 FROM c", &["t", "c"], &[Column]),
        ("WITH c AS (SELECT 1 FROM t) SELECT f(| FROM c", &["t", "c"], &[Column]),
        ("WITH c AS (SELECT 1 FROM t) SELECT * FROM |", &["t", "c"], &[Table]),
        ("SELECT a FROM t UNION SELECT count(| FROM u", &["t", "u"], &[Column]),
        ("VALUES (1, |", &[], &[Column, Function]),
        ("SELECT a FROM t FOR UPDATE OF |", &["t"], &[Table]),
        ("EXPLAIN SELECT max(| FROM t", &["t"], &[Column]),
        ("CREATE VIEW v AS SELECT lower(| FROM t", &["v", "t"], &[Column]),
        ("COPY (SELECT count(| FROM t) TO STDOUT", &["t"], &[Column]),
    ]);
}

#[test]
fn changes_of_data() {
    check(&[
        ("INSERT INTO |", &[], &[Table]),
        ("INSERT INTO t (|", &["t"], &[Column]),
        ("INSERT INTO t (a, | VALUES (1)", &["t"], &[Column]),
        ("INSERT INTO t (a, |) SELECT b FROM u", &["t", "u"], &[Column]),
        ("INSERT INTO t (a) SELECT max(| FROM u", &["t", "u"], &[Column]),
        ("INSERT INTO t VALUES (1) ON CONFLICT (|", &["t"], &[Column]),
        ("INSERT INTO t VALUES (1) ON CONFLICT (a, | DO NOTHING", &["t"], &[Column]),
        ("INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET |", &["t"], &[Column]),
        ("INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE (| DO NOTHING", &["t"], &[Column]),
        ("INSERT INTO t VALUES (f(| RETURNING a", &["t"], &[Column]),
        ("INSERT INTO t VALUES (1) RETURNING |", &["t"], &[Column]),
        ("UPDATE |", &[], &[Table]),
        ("UPDATE t SET |", &["t"], &[Column]),
        ("UPDATE t SET (a, | WHERE b = 1", &["t"], &[Column]),
        ("UPDATE t SET a = (| WHERE b = 1", &["t"], &[Column]),
        ("UPDATE t SET a = CASE WHEN | FROM u WHERE b = 1", &["t", "u"], &[Column]),
        ("UPDATE t SET a = 1 WHERE | RETURNING b", &["t"], &[Column]),
        ("UPDATE t SET a = 1 RETURNING lower(|", &["t"], &[Column]),
        ("DELETE FROM |", &[], &[Table]),
        ("DELETE FROM t USING |", &["t"], &[Table]),
        ("DELETE FROM t USING u WHERE t.|", &["t", "u"], &[Column]),
        ("DELETE FROM t WHERE a IN (SELECT | FROM u", &["t", "u"], &[Column]),
        ("MERGE INTO |", &[], &[Table]),
        ("MERGE INTO t USING u ON t.|", &["t", "u"], &[Column]),
        ("MERGE INTO t USING u ON (| WHEN MATCHED THEN DELETE", &["t", "u"], &[Column]),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND | THEN DELETE",
            &["t", "u"],
            &[Column],
        ),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET |",
            &["t", "u"],
            &[Column],
        ),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED THEN INSERT (|",
            &["t", "u"],
            &[Column],
        ),
        ("COPY t (|", &["t"], &[Column]),
        ("COPY t (a, | FROM STDIN", &["t"], &[Column]),
    ]);
}

#[test]
fn definitions() {
    check(&[
        ("CREATE INDEX ON |", &[], &[Table]),
        ("CREATE INDEX ON t (|", &["t"], &[Column, Function]),
        ("CREATE INDEX i ON t USING btree (a, |", &["t"], &[Column]),
        ("CREATE INDEX i ON t (lower(|", &["t"], &[Column]),
        ("CREATE INDEX i ON t (a) INCLUDE (|", &["t"], &[Column]),
        ("CREATE INDEX i ON t (a) WHERE |", &["t"], &[Column]),
        ("CREATE TABLE t (a int, PRIMARY KEY (|", &["t"], &[Column]),
        ("CREATE TABLE t (a int, CHECK (|", &["t"], &[Column]),
        ("CREATE TABLE t (a |", &["t"], &[Type]),
        ("CREATE TABLE t (a int) PARTITION BY RANGE (|", &["t"], &[Column]),
        ("CREATE TABLE t (a int REFERENCES u (|", &["t", "u"], &[Column]),
        ("CREATE TABLE t (LIKE |", &["t"], &[Table]),
        ("CREATE TABLE t (EXCLUDE USING gist (|", &["t"], &[Column]),
        ("CREATE TABLE c PARTITION OF |", &["c"], &[Table]),
        ("ALTER TABLE |", &[], &[Table]),
        ("ALTER TABLE t DROP COLUMN |", &["t"], &[Column]),
        ("ALTER TABLE t DROP |", &["t"], &[Column]),
        ("ALTER TABLE t DROP COLUMN IF EXISTS |", &["t"], &[Column]),
        ("ALTER TABLE t ALTER COLUMN |", &["t"], &[Column]),
        ("ALTER TABLE t ALTER |", &["t"], &[Column]),
        ("ALTER TABLE t ALTER a TYPE |", &["t"], &[Type]),
        ("ALTER TABLE t ALTER a TYPE int USING (|", &["t"], &[Column]),
        ("ALTER TABLE t ADD b int, DROP COLUMN |", &["t"], &[Column]),
        ("ALTER TABLE t RENAME COLUMN |", &["t"], &[Column]),
        ("ALTER TABLE t RENAME | TO b", &["t"], &[Column]),
        ("ALTER TABLE t ADD UNIQUE (|", &["t"], &[Column]),
        ("ALTER TABLE t ADD CHECK (|", &["t"], &[Column]),
        ("ALTER TABLE t ADD CONSTRAINT k FOREIGN KEY (|) REFERENCES u", &["t", "u"], &[Column]),
        ("ALTER TABLE t ADD FOREIGN KEY (a, | REFERENCES u (b)", &["t", "u"], &[Column]),
        ("ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES |", &["t"], &[Table]),
        ("ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (|", &["t", "u"], &[Column]),
        ("ALTER TABLE t OWNER TO |", &["t"], &[Role]),
        ("CREATE TRIGGER g BEFORE UPDATE OF | ON t", &["t"], &[Column]),
        ("CREATE TRIGGER g BEFORE UPDATE ON |", &[], &[Table]),
        ("CREATE TRIGGER g AFTER INSERT ON t WHEN (| EXECUTE FUNCTION f()", &["t"], &[Column]),
        ("CREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION |", &["t"], &[Function]),
        ("CREATE POLICY p ON t USING (|", &["t"], &[Column]),
        ("CREATE POLICY p ON t TO | USING (true)", &["t"], &[Role]),
        ("CREATE STATISTICS s ON | FROM t", &["t"], &[Column]),
        ("CREATE RULE r AS ON UPDATE TO t WHERE | DO NOTHING", &["t"], &[Column]),
        ("GRANT SELECT (|) ON t TO r", &["t"], &[Column]),
        ("GRANT SELECT (| ON t", &["t"], &[Column]),
        ("GRANT SELECT ON |", &[], &[Table]),
        ("GRANT SELECT ON t TO |", &["t"], &[Role]),
        ("COMMENT ON COLUMN |", &[], &[Column, Table]),
        ("COMMENT ON COLUMN t.|", &["t"], &[Column]),
        ("COMMENT ON COLUMN s.t.| IS 'x'", &["s.t"], &[Column]),
        ("COMMENT ON TABLE |", &[], &[Table]),
        ("COMMENT ON FUNCTION |", &[], &[Function]),
        ("ALTER SEQUENCE q OWNED BY t.|", &["q", "t"], &[Column]),
        ("ANALYZE |", &[], &[Table]),
        ("ANALYZE t (|", &["t"], &[Column]),
        ("VACUUM ANALYZE t (a, |", &["t"], &[Column]),
        ("TRUNCATE |", &[], &[Table]),
        ("DROP TABLE |", &[], &[Table]),
        ("DROP TABLE IF EXISTS a, s.|", &[], &[Table]),
        ("DROP MATERIALIZED VIEW |", &[], &[Table]),
        ("DROP INDEX |", &[], &[Object]),
        ("DROP FUNCTION |", &[], &[Function]),
        ("DROP TYPE |", &[], &[Type]),
        ("DROP TRIGGER g ON |", &[], &[Table]),
        ("DROP POLICY IF EXISTS p ON s.|", &[], &[Table]),
        ("CREATE FUNCTION f(a |", &[], &[Type]),
        ("CREATE FUNCTION f() RETURNS |", &[], &[Type]),
        ("CALL |", &[], &[Function]),
    ]);
}

/// A name of another kind is not offered.
#[test]
fn no_columns_where_none_may_be() {
    for sql in [
        "SELECT * FROM |",
        "DROP INDEX |",
        "DROP TABLE |",
        "ALTER TABLE t ADD COLUMN |",
        "ALTER TABLE t RENAME TO |",
        "ALTER TABLE t DROP CONSTRAINT |",
        "CREATE INDEX i ON t (a |",
        "CREATE INDEX i ON |",
        "COMMENT ON TABLE |",
        "DROP OWNED BY |",
        "WITH c (|",
        "SELECT * FROM t AS x (|",
        "UPDATE t SET a = 1; DROP TABLE |",
    ] {
        let (_, names) = offered(sql);
        assert!(!names.contains(&Column), "{sql}: {names:?}");
    }
}

/// Text that somebody has typed so far, of all kinds of statements, with what was there already.
#[test]
fn unfinished_statements() {
    let mut all = corpus::own_statements();
    all.extend(corpus::statements());
    let (mut places, mut longest) = (0, std::time::Duration::ZERO);
    for (number, sql) in all.iter().enumerate().filter(|(_, sql)| sql.len() <= 1024) {
        let ends = sql.char_indices().map(|(at, _)| at);
        for at in ends.filter(|at| (number + at).is_multiple_of(211)) {
            let (before, behind) = sql.split_at(at);
            let behind = behind.split_once(' ').map_or("", |(_, behind)| behind);
            for (text, start) in [
                (before.to_owned(), 0),
                (format!("{before} ({behind}"), 0),
                (format!("SELECT count({before} FROM the_table"), 13),
            ] {
                let begun = Instant::now();
                let found = complete(&text, start + at);
                longest = longest.max(begun.elapsed());
                assert!(found.word.end <= start + at, "{text}");
                assert!(text.get(found.word).is_some(), "{text}");
                places += 1;
            }
        }
    }
    println!("{places} places, at most {longest:?}");
    assert!(places > 20_000, "{places}");
}

/// SQL that is hard to continue, on a small stack; the number of attempts has a limit.
#[test]
fn deep_and_wrong_text() {
    for (before, behind) in [
        ("SELECT ".to_owned() + &"(".repeat(1_000), " FROM t".to_owned()),
        ("SELECT ".to_owned() + &"f(a, ".repeat(200), " FROM t".repeat(50)),
        ("SELECT ".to_owned() + &"CASE WHEN a THEN ".repeat(60), " FROM t WHERE".repeat(40)),
        ("SELECT (".repeat(120), ") FROM t".repeat(120)),
        ("SELECT ".to_owned() + &"a[(".repeat(300), "END THEN ".repeat(100)),
        (") ] , ".repeat(200), "( [ ,".repeat(200)),
        ("SELECT ".to_owned() + &"a[(".repeat(100_000), "END THEN ".repeat(100_000)),
    ] {
        let (text, at) = (format!("{before} {behind}"), before.len());
        let times = (0..5).map(|_| {
            let begun = Instant::now();
            let _ = complete(&text, at);
            begun.elapsed()
        });
        println!("{} bytes, {:?}: {}..", text.len(), times.min().unwrap(), &before[..20]);
        let small = std::thread::Builder::new().stack_size(256 << 10);
        small.spawn(move || complete(&text, at)).unwrap().join().unwrap();
    }
    let (tables, _) = offered(&format!("SELECT {}| FROM t", "(".repeat(500)));
    assert_eq!(tables, ["t"]);
    let (tables, _) = offered(&format!("SELECT {}| FROM t", "CASE WHEN f(a, ".repeat(50)));
    assert_eq!(tables, ["t"]);
}

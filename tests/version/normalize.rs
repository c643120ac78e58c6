//! Normalized SQL: it parses, and contains no constant that the fingerprint ignores, and no secret.

use std::ops::Range;

use pg_ast::{NormalizeOptions, ParserOptions};

use super::pg::protobuf::Token;
use super::pg::{self, NodeRef};
use super::{MAJOR, NAME};
use crate::common::corpus;

/// Returns the statements of the corpora that this version parses.
fn statements() -> Vec<String> {
    let mut statements = corpus::statements();
    statements.extend(corpus::own_statements());
    statements.retain(|sql| pg::check(sql).is_ok());
    assert!(statements.len() > 36_000, "{}", statements.len());
    statements
}

/// Runs `find` for each statement on two threads, and returns what it found.
fn over<T: Send>(statements: &[String], find: impl Fn(&str) -> Vec<T> + Sync) -> Vec<T> {
    let (first, second) = statements.split_at(statements.len() / 2);
    let found = |part: &[String]| part.iter().flat_map(|sql| find(sql)).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| found(second));
        let mut all = found(first);
        all.extend(other.join().expect("no panic"));
        all
    })
}

#[track_caller]
fn none(what: &str, found: &[String]) {
    println!("{NAME}: {what}: {} exceptions", found.len());
    assert!(found.is_empty(), "{what}: {:#?}", &found[..found.len().min(10)]);
}

#[test]
fn parses_again_over_the_corpora() {
    let wrong = over(&statements(), |sql| {
        let mut wrong = Vec::new();
        let options = NormalizeOptions::default();
        for options in [options, options.utility(true)] {
            let normalize = |sql: &str| pg::normalize_with(sql, ParserOptions::default(), options);
            let normalized = normalize(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
            let grammar = ParserOptions::default().normalized(true);
            if let Err(error) = pg::view::parse_with(&normalized, grammar) {
                wrong.push(format!("{sql}\n  {normalized}\n  {error}"));
            } else if normalize(&normalized).as_ref() != Ok(&normalized) {
                wrong.push(format!("{sql}\n  {normalized}\n  {:?}", normalize(&normalized)));
            }
        }
        wrong
    });
    none("normalized SQL that does not parse, or changes again", &wrong);
}

/// The constants among the tokens of SQL, with another one of the same kind.
fn constants(sql: &str) -> Vec<(usize, usize, &'static str)> {
    let other = |token: Token| match token {
        Token::Sconst => Some("'zq%'"),
        Token::Usconst => Some("U&'zq%'"),
        Token::Bconst => Some("B'0110111'"),
        Token::Xconst => Some("X'7e0'"),
        Token::Iconst => Some("7919"),
        Token::Fconst => Some("79.125"),
        _ => None,
    };
    let tokens = pg::scan(sql).expect("it parses").tokens;
    let constant = |token: &pg::ScanToken| {
        Some((token.start as usize, token.end as usize, other(token.token)?))
    };
    tokens.iter().filter_map(constant).collect()
}

/// Returns the places of constants that the fingerprint ignores, but that are not values: modifiers of types,
/// positions in `ORDER BY` and `GROUP BY`, and numbers among the options of a function.
fn not_values(sql: &str) -> Vec<Range<usize>> {
    let (tree, ranges) =
        pg::parse_with_ranges(sql, ParserOptions::default()).expect("its nodes have ranges");
    let is_integer = |node: &pg::Node| {
        let val = node.as_a_const().and_then(|constant| constant.val.as_ref());
        matches!(val, Some(pg::protobuf::a_const::Val::Ival(_)))
    };
    let mut places = Vec::new();
    for (node, range) in tree.nodes().with_ranges(&ranges) {
        let is_position =
            |sort: &pg::protobuf::SortBy| sort.node.as_deref().is_some_and(is_integer);
        let keeps = match node {
            NodeRef::TypeName(_) => true,
            NodeRef::SortBy(sort) => is_position(sort),
            NodeRef::DefElem(option) => ["cost", "rows"].contains(&&*option.defname),
            NodeRef::SelectStmt(select) => {
                let positions = select.group_clause.iter().filter(|item| is_integer(item));
                places.extend(positions.filter_map(|item| {
                    let start = usize::try_from(item.as_a_const()?.location).ok()?;
                    let sign = sql[start..].chars().take_while(|c| "- ".contains(*c)).count();
                    Some(start..start + sign + 1)
                }));
                false
            }
            _ => false,
        };
        places.extend(range.filter(|_| keeps));
    }
    places
}

#[test]
fn no_ignored_constant_stays() {
    let kept = over(&statements(), |sql| {
        let mut kept = Vec::new();
        let (Ok(fingerprint), Ok(normalized)) = (pg::fingerprint(sql), pg::normalize(sql)) else {
            return kept;
        };
        let mut places = None;
        for (start, end, other) in constants(sql) {
            // The sign of a national string is a token.
            let blank = if sql[..start].ends_with(['n', 'N']) { "" } else { " " };
            let changed = format!("{}{blank}{other} {}", &sql[..start], &sql[end..]);
            if pg::fingerprint(&changed) != Ok(fingerprint) {
                continue;
            }
            let again = pg::normalize(&changed).expect("it parses");
            let places = places.get_or_insert_with(|| not_values(sql));
            if tokens(&again) != tokens(&normalized) && !places.iter().any(|it| it.contains(&start))
            {
                kept.push(format!("{}\n   {normalized}\n   {again}", &sql[start..end]));
            }
        }
        kept
    });
    none("constants that stay", &kept);
}

/// SQL, and its normalized form in every version.
const CASES: &[(&str, &str)] = &[
    // Signs and parentheses are part of a constant if the grammar makes one of them.
    ("SELECT b = -(5) AND c = 6", "SELECT b = $1 AND c = $2"),
    (
        "SELECT - 5, -/*c*/5, - -- c\n 5, -(-(5)), -((5)), - ( /* c */ 5 ), a*-5, a - -5, 1 - 5",
        "SELECT $1, $2, $3, $4, $5, $6, a*$7, a - $8, $9 - $10",
    ),
    (
        "SELECT +5, -5::int, (-5)::int, -(5)::int, -(+5), -(5 + 1), -a[-(5)]",
        "SELECT +$1, -$2::int, ($3)::int, -($4)::int, -(+$5), -($6 + $7), -a[$8]",
    ),
    // All kinds of constants.
    (
        "SELECT E'a', 'a'\n'b', U&'a!0062' UESCAPE '!', U&'a'  , $$a$$, $x$a$x$, B'1', X'1F', N'a', n'b'",
        "SELECT $1, $2, $3, $4  , $5, $6, $7, $8, $9, $10",
    ),
    ("SELECT a.n'b', N'c'", "SELECT a.n $1, $2"),
    ("SELECT 1.5e10, .5, 5., 5, TRUE, false, NULL", "SELECT $1, $2, $3, $4, $5, $6, $7"),
    (
        "SELECT INTERVAL '1' DAY, INTERVAL(3) '1', int '5', DATE\t'2020-01-01', f(1) 'x', a.b 'c'",
        "SELECT INTERVAL $1 DAY, INTERVAL(3) $2, int $3, DATE\t$4, f(1) $5, a.b $6",
    ),
    ("SELECT'a'FROM t WHERE'b'<c AND'd'=e", "SELECT $1 FROM t WHERE $2<c AND $3=e"),
    ("SELECT/*c*/'a'--c\n, 1/*c*/", "SELECT/*c*/$1--c\n, $2/*c*/"),
    // The numbers are libpg_query's, after those that are there.
    ("SELECT a FROM t LIMIT 5 OFFSET 1; SELECT 1", "SELECT a FROM t LIMIT $2 OFFSET $1; SELECT $3"),
    ("SELECT $2, 'a'", "SELECT $2, $3"),
    ("SELECT $2147483647, 'a'", "SELECT $2147483647, '...'"),
    (
        "UPDATE t SET (a, b) = (SELECT 1, 'x') WHERE c = 3",
        "UPDATE t SET (a, b) = (SELECT $1, $2) WHERE c = $3",
    ),
    (
        "SELECT a + 1, 2 FROM t GROUP BY a + 1, 2 ORDER BY 1, b + 3",
        "SELECT a + $1, $2 FROM t GROUP BY a + $1, 2 ORDER BY 1, b + $3",
    ),
    ("SELECT CAST('a' AS varchar(10)), '{}'::int[3]", "SELECT CAST($1 AS varchar(10)), $2::int[3]"),
    // Keywords that are constants in the tree.
    (
        "SELECT normalize(a, NFC), a IS NFKD NORMALIZED, normalize('x', nfd)",
        "SELECT normalize(a, NFC), a IS NFKD NORMALIZED, normalize($1, nfd)",
    ),
    (
        "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
        "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
    ),
    (
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY, NOT DEFERRABLE",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY, NOT DEFERRABLE",
    ),
    ("BEGIN ISOLATION LEVEL REPEATABLE READ", "BEGIN ISOLATION LEVEL REPEATABLE READ"),
    ("SET XML OPTION DOCUMENT", "SET XML OPTION DOCUMENT"),
    // Settings.
    ("SET TRANSACTION SNAPSHOT 'a'", "SET TRANSACTION SNAPSHOT '...'"),
    ("SET search_path = a, 'b', \"C\"", "SET search_path = $1, $2, $3"),
    ("SET LOCAL a.b TO -5", "SET LOCAL a.b TO $1"),
    ("SET a = +5", "SET a = $1"),
    ("SET a TO on", "SET a TO $1"),
    ("SET NAMES 'utf8'", "SET NAMES '...'"),
    ("SET ROLE 'a'", "SET ROLE $1"),
    ("SET TIME ZONE 'UTC'", "SET TIME ZONE $1"),
    ("SET TIME ZONE -7", "SET TIME ZONE $1"),
    ("SET TIME ZONE INTERVAL '1' HOUR TO MINUTE", "SET TIME ZONE INTERVAL '...' HOUR TO MINUTE"),
    ("ALTER SYSTEM SET a = 'b', c", "ALTER SYSTEM SET a = $1, $2"),
    ("ALTER ROLE r IN DATABASE d SET a = 'b'", "ALTER ROLE r IN DATABASE d SET a = $1"),
    // Other utility statements.
    ("EXECUTE p(1, 'x')", "EXECUTE p($1, $2)"),
    ("CALL p(1, 'x')", "CALL p($1, $2)"),
    (
        "SELECT a FROM t LIMIT +5; SELECT a FROM t OFFSET +1 ROWS FETCH FIRST + 5 ROWS ONLY",
        "SELECT a FROM t LIMIT +$1; SELECT a FROM t OFFSET $2 ROWS FETCH FIRST $3 ROWS ONLY",
    ),
    ("SELECT 1 FETCH NEXT -5 ROW ONLY", "SELECT $1 FETCH NEXT $2 ROW ONLY"),
    ("PREPARE p AS SELECT 1", "PREPARE p AS SELECT $1"),
    ("PREPARE TRANSACTION 'a'", "PREPARE TRANSACTION '...'"),
    (
        "COMMIT PREPARED 'a'; ROLLBACK PREPARED 'b'",
        "COMMIT PREPARED '...'; ROLLBACK PREPARED '...'",
    ),
    ("NOTIFY a, 'b'", "NOTIFY a, '...'"),
    ("DO $$x$$", "DO '...'"),
    ("DO LANGUAGE 'x'\n$$y$$", "DO LANGUAGE '...'\nE'...'"),
    ("CREATE TABLESPACE location LOCATION '/a'", "CREATE TABLESPACE location LOCATION '...'"),
    ("COPY t FROM 'f' WHERE a > 5", "COPY t FROM 'f' WHERE a > $1"),
    ("CREATE VIEW v AS SELECT 1 WITH CHECK OPTION", "CREATE VIEW v AS SELECT $1 WITH CHECK OPTION"),
    (
        "CREATE TABLE t (a int DEFAULT -1 CHECK (a > 5), b numeric(9, 2)) WITH (fillfactor = 70)",
        "CREATE TABLE t (a int DEFAULT $1 CHECK (a > $2), b numeric(9, 2)) WITH (fillfactor = 70)",
    ),
    (
        "CREATE TABLE p PARTITION OF t FOR VALUES FROM (1, 'a') TO (2, MAXVALUE)",
        "CREATE TABLE p PARTITION OF t FOR VALUES FROM ($1, $2) TO ($3, MAXVALUE)",
    ),
    (
        "CREATE FUNCTION f(a int DEFAULT 5) RETURNS int LANGUAGE 'c' COST 10 SET b = 'x' AS 'y', $$z$$",
        "CREATE FUNCTION f(a int DEFAULT $1) RETURNS int LANGUAGE '...' COST 10 SET b = $2 AS '...', '...'",
    ),
    (
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 'x'; END",
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT $1; SELECT $2; END",
    ),
    (
        "CREATE RULE r AS ON INSERT TO t DO NOTIFY a, 'b'",
        "CREATE RULE r AS ON INSERT TO t DO NOTIFY a, '...'",
    ),
    (
        "WITH RECURSIVE x AS (SELECT 1 UNION SELECT 2) CYCLE a SET b TO 'y' DEFAULT 1 USING p SELECT 3",
        "WITH RECURSIVE x AS (SELECT $2 UNION SELECT $3) CYCLE a SET b TO '...' DEFAULT '...' USING p SELECT $1",
    ),
    // What a statement is there for.
    ("COMMENT ON TABLE t IS 'a'", "COMMENT ON TABLE t IS 'a'"),
    ("CREATE TYPE e AS ENUM ('a', 'b')", "CREATE TYPE e AS ENUM ('a', 'b')"),
];

/// The same since PostgreSQL 17.
const CASES_SINCE_17: &[(&str, &str)] = &[(
    "SELECT 1 FROM JSON_TABLE(j, '$.a' AS p COLUMNS (b int PATH '$.b' DEFAULT 5 ON EMPTY, \
     NESTED PATH '$.c' COLUMNS (d int))), JSON_TABLE(k, ('$') COLUMNS (e int))",
    "SELECT $1 FROM JSON_TABLE(j, '...' AS p COLUMNS (b int PATH '...' DEFAULT $2 ON EMPTY, \
     NESTED PATH '...' COLUMNS (d int))), JSON_TABLE(k, '...' COLUMNS (e int))",
)];

#[test]
fn constants_of_every_kind() {
    let cases = CASES.iter().chain(CASES_SINCE_17.iter().filter(|_| MAJOR >= 17));
    let mut wrong = Vec::new();
    for (sql, expected) in cases {
        let normalized = pg::normalize(sql);
        if normalized.as_deref() != Ok(*expected) {
            wrong.push(format!("{sql}\n  {normalized:?}\n  {expected}"));
        }
    }
    none("other results than expected", &wrong);
}

/// Statements with a secret in every place that may have one.
const SECRETS: &[&str] = &[
    "CREATE ROLE r PASSWORD 'hunter2'",
    "CREATE USER r WITH LOGIN ENCRYPTED PASSWORD 'hunter2' VALID UNTIL 'x'",
    "CREATE GROUP r VALID UNTIL 'x' PASSWORD E'hunter2'",
    "ALTER ROLE password PASSWORD $$hunter2$$",
    "ALTER USER r PASSWORD U&'hunter2!0061' UESCAPE '!'",
    "ALTER USER r PASSWORD /* 'c' */ 'hunter2'",
    "ALTER ROLE r SET a.b = 'hunter2'",
    "ALTER DATABASE d SET a.b TO hunter2",
    "ALTER SYSTEM SET primary_conninfo = 'password=hunter2'",
    "SET a.b = 'hunter2'",
    "SET SESSION a.b TO \"hunter2\"",
    "SELECT set_config('a.b', 'hunter2', false)",
    "SELECT * FROM dblink('password=hunter2', 'SELECT 1') AS t (a int)",
    "SELECT dblink_connect($$password=hunter2$$)",
    "CREATE SUBSCRIPTION s CONNECTION 'password=hunter2' PUBLICATION p WITH (slot_name = 'x')",
    "CREATE SUBSCRIPTION connection CONNECTION 'hunter2' PUBLICATION hunter",
    "ALTER SUBSCRIPTION s CONNECTION 'password=hunter2'",
    "CREATE FOREIGN DATA WRAPPER w OPTIONS (a 'hunter2')",
    "ALTER FOREIGN DATA WRAPPER w OPTIONS (ADD a 'hunter2', SET b 'hunter2', DROP c)",
    "CREATE SERVER s TYPE 'x' VERSION 'y' FOREIGN DATA WRAPPER w OPTIONS (host 'h', password 'hunter2')",
    "ALTER SERVER s VERSION 'x' OPTIONS (SET password 'hunter2')",
    "CREATE USER MAPPING FOR u SERVER s OPTIONS (user 'u', password 'hunter2')",
    "ALTER USER MAPPING FOR u SERVER s OPTIONS (SET password /* c */ 'hunter2')",
    "CREATE FOREIGN TABLE t (a int OPTIONS (b 'hunter2')) SERVER s OPTIONS (c 'hunter2')",
    "CREATE FOREIGN TABLE p PARTITION OF t DEFAULT SERVER s OPTIONS (c 'hunter2')",
    "ALTER FOREIGN TABLE t OPTIONS (SET a 'hunter2'), ALTER COLUMN b OPTIONS (c 'hunter2')",
    "ALTER FOREIGN TABLE t ADD COLUMN b int OPTIONS (c 'hunter2')",
    "IMPORT FOREIGN SCHEMA a FROM SERVER s INTO b OPTIONS (c 'hunter2')",
    "COPY t FROM PROGRAM 'curl -u hunter2'",
    "COPY (SELECT 'hunter2') TO PROGRAM 'curl -u hunter2' WITH (FORMAT 'csv')",
    "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $_$ SELECT 'hunter2' $_$",
    "CREATE FUNCTION f() RETURNS text RETURN 'hunter2'",
    "CREATE FUNCTION f(a text DEFAULT 'hunter2') RETURNS text LANGUAGE sql SET b = 'hunter2' AS ''",
    "ALTER FUNCTION f() SET a.b = 'hunter2'",
    "CREATE PROCEDURE f() BEGIN ATOMIC INSERT INTO t VALUES ('hunter2'); END",
    "DO $$ BEGIN PERFORM dblink('hunter2'); END $$",
    "DO LANGUAGE plpgsql 'hunter2'",
    "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW WHEN (NEW.a = 'hunter2') EXECUTE FUNCTION f('hunter2', 5)",
    "CREATE RULE r AS ON INSERT TO t DO ALSO (INSERT INTO u VALUES ('hunter2'); NOTIFY a, 'hunter2')",
    "CREATE SCHEMA s CREATE TABLE t (a text DEFAULT 'hunter2') \
     CREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION f('hunter2')",
    "CREATE TABLE t (a text DEFAULT 'hunter2' CHECK (a <> 'hunter2'), b text GENERATED ALWAYS AS ('hunter2') STORED)",
    "CREATE TABLE t AS SELECT 'hunter2'",
    "CREATE TABLE t AS EXECUTE p('hunter2')",
    "CREATE MATERIALIZED VIEW v AS SELECT 'hunter2'",
    "CREATE RECURSIVE VIEW v (a) AS SELECT 'hunter2'",
    "CREATE INDEX ON t (f(a, 'hunter2')) WHERE a = 'hunter2'",
    "CREATE POLICY p ON t USING (a = 'hunter2') WITH CHECK (b = 'hunter2')",
    "CREATE STATISTICS s ON (a || 'hunter2') FROM t",
    "CREATE DOMAIN d AS text DEFAULT 'hunter2' CHECK (VALUE <> 'hunter2')",
    "ALTER TABLE t ALTER a SET DEFAULT 'hunter2', ALTER a TYPE int USING f(a, 'hunter2')",
    "ALTER TABLE t ADD CHECK (a <> 'hunter2')",
    "CREATE PUBLICATION p FOR TABLE t WHERE (a = 'hunter2')",
    "PREPARE p AS SELECT 'hunter2'",
    "EXECUTE p('hunter2')",
    "CALL p('hunter2')",
    "EXPLAIN (COSTS off) SELECT 'hunter2'",
    "DECLARE c CURSOR FOR SELECT 'hunter2'",
    "NOTIFY a, 'hunter2'",
    "PREPARE TRANSACTION 'hunter2'",
    "MERGE INTO t USING u ON a = 'hunter2' WHEN MATCHED THEN UPDATE SET b = 'hunter2'",
    "INSERT INTO t VALUES ('hunter2') ON CONFLICT (a) DO UPDATE SET b = 'hunter2'",
];

#[test]
fn secrets_do_not_stay() {
    let is_query = |sql: &str| !pg::is_utility_stmt(sql).expect("it parses")[0];
    let mut wrong = Vec::new();
    for sql in SECRETS {
        let normalized = pg::normalize(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let utility = pg::normalize_utility(sql).expect("it parses");
        // The queries in utility statements stay there.
        let kept = is_query(sql) || sql.contains("SELECT 'hunter2'") || sql.contains("INSERT INTO");
        if normalized.contains("hunter2") || (utility.contains("hunter2") && !kept) {
            wrong.push(format!("{sql}\n  {normalized}\n  {utility}"));
        }
        let grammar = ParserOptions::default().normalized(true);
        assert!(pg::view::parse_with(&normalized, grammar).is_ok(), "{normalized}");
    }
    none("secrets", &wrong);
    // They count in the fingerprint, as in libpg_query's.
    let [a, b] = ["a", "b"].map(|it| format!("ALTER ROLE r PASSWORD '{it}'"));
    assert_ne!(pg::fingerprint(&a), pg::fingerprint(&b));
    assert_eq!(pg::normalize(&a), pg::normalize(&b));
}

/// Returns the tokens of SQL, without comments.
fn tokens(sql: &str) -> Vec<&str> {
    let tokens = pg::scan(sql).unwrap_or_else(|error| panic!("{sql}: {error}")).tokens;
    let is_comment = |token: Token| matches!(token, Token::SqlComment | Token::CComment);
    let tokens = tokens.iter().filter(|token| !is_comment(token.token));
    tokens.map(|token| &sql[token.start as usize..token.end as usize]).collect()
}

#[test]
fn comments_between_tokens_change_nothing() {
    let mut statements = statements();
    let mut number = 0;
    // Every fifth one of the regression tests, and our own.
    statements.retain(|sql| {
        number += 1;
        number % 5 == 0 || sql.contains("U&") || number > 35_000
    });
    let changed = over(&statements, |sql| {
        let mut wrong = Vec::new();
        for comment in [" /* 'c' */ ", "\n-- 1\n"] {
            let tokens = tokens(sql);
            // `N'..'` is two tokens, which belong together; as do two strings on one line.
            let quoted = |token: &str| token.ends_with('\'') || token.eq_ignore_ascii_case("n");
            if tokens.windows(2).any(|pair| quoted(pair[0]) && quoted(pair[1])) {
                continue;
            }
            let commented = tokens.join(comment);
            // Before 18, `U&'..' UESCAPE '!'` cannot have one.
            if let Ok(normalized) = pg::normalize(&commented) {
                let expected = pg::normalize(sql).expect("it parses");
                if self::tokens(&normalized) != self::tokens(&expected) {
                    wrong.push(format!("{commented}\n  {normalized}\n  {expected}"));
                }
            }
        }
        wrong
    });
    none("other tokens because of comments", &changed);
}

/// Normalized SQL that is not as it should be, with why.
fn again(sql: &str) -> Option<String> {
    let normalized = pg::normalize(sql).ok()?;
    let again = pg::normalize(&normalized);
    (again.as_ref() != Ok(&normalized)).then(|| format!("{sql}\n  {normalized}\n  {again:?}"))
}

/// Every statement with one token dropped, repeated, or replaced by one of another statement.
#[test]
fn mutated_statements() {
    let statements = statements();
    let words: Vec<_> = statements.iter().step_by(7).flat_map(|sql| tokens(sql)).collect();
    let wrong = over(&statements, |sql| {
        let tokens = tokens(sql);
        let mut random = sql.len() as u64 + 1;
        let mut below = |limit: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            usize::try_from(random % limit as u64).expect("small")
        };
        let mut wrong = Vec::new();
        for kind in (0..9).filter(|_| !tokens.is_empty()) {
            let (at, other) = (below(tokens.len()), words[below(words.len())]);
            let mut changed = tokens.clone();
            match kind % 3 {
                0 => _ = changed.remove(at),
                1 => changed[at] = other,
                _ => changed.insert(at, other),
            }
            wrong.extend(again(&changed.join(" ")));
        }
        wrong
    });
    none("normalized SQL of mutated statements that does not parse, or changes again", &wrong);
}

#[test]
fn signs_and_parentheses() {
    let mut statements = statements();
    statements.retain(|sql| sql.len() < 2_000);
    let wrong = over(&statements, |sql| {
        let mut wrong = Vec::new();
        let constants = constants(sql);
        for around in ["-", "- ", "-(", "-(-(", "(", "+", "-/*c*/("] {
            let close = ")".repeat(around.matches('(').count());
            let mut changed = String::new();
            let mut copied = 0;
            for (start, end, _) in &constants {
                let constant = [&sql[copied..*start], " ", around, &sql[*start..*end], &close];
                changed.extend(constant);
                copied = *end;
            }
            changed += &sql[copied..];
            wrong.extend(again(&changed));
        }
        wrong
    });
    none("signs and parentheses", &wrong);
}

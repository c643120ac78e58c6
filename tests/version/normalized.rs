//! PostgreSQL's own grammar, and libpg_query's extensions of it for normalized SQL.

use super::pg::{self, ParseResult};
use super::{MAJOR, c_route};
use crate::common::{corpus, without_locations};
use pg_ast::{
    DeparseOptions, DigestOptions, Error, Expected, NormalizeOptions, ParseMode, ParserOptions,
    ShapeOptions,
};

/// Parameters that PostgreSQL's grammar has.
const OWN: &[&str] = &[
    "SELECT $1",
    "SELECT $1.a[1].*, ($2).b, $3[4]",
    "SELECT DISTINCT $1, $2 FROM t LIMIT $3 OFFSET $4",
    "SELECT - $1, NOT $2, a + $1, a OPERATOR(pg_catalog.+) $1",
    "SELECT CASE $1 WHEN $2 THEN $3 ELSE $4 END",
    "SELECT extract(year FROM $1), f($1), f(VARIADIC $1), f(a => $1), ARRAY[$1], ROW($1)",
    "SELECT a::numeric($1), CAST($1 AS int), $1::date, date($1)",
    "SELECT a FROM t WHERE a BETWEEN $1 AND $2 OR a LIKE $3 ESCAPE $4 FETCH FIRST $5 ROWS ONLY",
    "INSERT INTO t VALUES ($1, DEFAULT) ON CONFLICT DO UPDATE SET a = $2 RETURNING $3",
    "EXECUTE p($1)",
    "CALL f($1)",
    "CREATE TABLE t (a int DEFAULT $1 CHECK ($2))",
];

fn normalized() -> ParserOptions {
    ParserOptions::default().normalized(true)
}

fn refuses(error: &Error, sql: &str, place: usize) {
    let word = &sql[place..][..2];
    assert_eq!(error.message(), format!("syntax error at or near \"{word}\""), "{sql}");
    assert_eq!(error.cursor(), Some(place), "{sql}");
}

#[test]
fn parameters_stand_where_postgresql_has_them() {
    for sql in corpus::NORMALIZED {
        let place = sql.find('$').expect("a parameter");
        refuses(&pg::parse(sql).expect_err(sql), sql, place);
        refuses(&pg::check(sql).expect_err(sql), sql, place);
        refuses(&pg::view::parse(sql).expect_err(sql), sql, place);
        let layout = DeparseOptions::default();
        refuses(&pg::reformat(sql, layout).expect_err(sql), sql, place);
        let script = pg::parse_script(sql).pop().expect("a statement");
        assert!(script.result.is_err(), "{sql}");

        // What libpg_query makes of it, and prints.
        let tree = pg::parse_with(sql, normalized()).expect(sql);
        let theirs = c_route::parse(sql, 0).expect(sql);
        assert_eq!(tree.protobuf, theirs, "{sql}");
        let view = pg::view::parse_with(sql, normalized()).expect(sql);
        let printed = tree.deparse().expect(sql);
        assert_eq!(view.deparse().as_deref(), Ok(&*printed), "{sql}");
        assert!(is(&tree, &printed), "{sql}\n{printed}");
    }
    for sql in OWN {
        let tree = pg::parse(sql).expect(sql);
        assert_eq!(Ok(&tree), pg::parse_with(sql, normalized()).as_ref(), "{sql}");
        let printed = tree.deparse().expect(sql);
        let again = pg::parse(&printed).expect(sql);
        assert_eq!(without_locations(&again), without_locations(&tree), "{sql}");
    }
}

fn is(tree: &ParseResult, printed: &str) -> bool {
    let again = pg::parse_with(printed, normalized());
    again.is_ok_and(|again| without_locations(&again.protobuf) == without_locations(&tree.protobuf))
}

#[test]
fn expressions_and_assignments() {
    for (sql, mode, is_own) in [
        ("$1", ParseMode::PlPgSqlExpr, true),
        ("x $1", ParseMode::PlPgSqlExpr, false),
        ("$1 := $2", ParseMode::PlPgSqlAssign1, true),
        ("x := y $2", ParseMode::PlPgSqlAssign1, false),
        ("numeric($1)", ParseMode::TypeName, true),
    ] {
        let options = ParserOptions::default().mode(mode);
        assert_eq!(pg::parse_with(sql, options).is_ok(), is_own, "{sql}");
        assert!(pg::parse_with(sql, options.normalized(true)).is_ok(), "{sql}");
    }
}

/// The word after a parameter is quoted as a whole, as the latest release of each version does.
#[test]
fn a_word_right_after_a_parameter() {
    for (sql, word) in [
        ("SELECT $1a", "$1a"),
        ("SELECT $1abc$2, 3", "$1abc$2"),
        ("SELECT 1, $12_3", "$12_3"),
        ("SELECT $1\u{e9}\u{e9}", "$1\u{e9}\u{e9}"),
        ("SELECT $1from t", "$1from"),
        ("SELECT $99999999999999999999x", "$99999999999999999999x"),
    ] {
        let error = pg::parse(sql).expect_err(sql);
        let message = format!("trailing junk after parameter at or near \"{word}\"");
        assert_eq!(error.message(), message, "{sql}");
        assert_eq!(error.cursor(), sql.find('$'), "{sql}");
        // The scanner alone is libpg_query's.
        assert_eq!(pg::scan(sql).is_ok(), c_route::scan(sql).is_ok(), "{sql}");
        assert_eq!(
            pg::parse_with(sql, normalized()).is_ok(),
            c_route::parse(sql, 0).is_ok(),
            "{sql}"
        );
    }
    for sql in ["SELECT $1 a", "SELECT $1\"a\"", "SELECT $1'a'", "SELECT $1$2", "SELECT $1/**/a"] {
        assert_eq!(
            pg::parse(sql).is_ok(),
            c_route::parse(sql, 0).is_ok() && !sql.contains('\'') && !sql.contains("$2"),
            "{sql}"
        );
    }
}

/// libpg_query's scanner of 15 accepts a word after a number, PostgreSQL's does not.
#[test]
fn a_word_right_after_a_number() {
    for (sql, word) in [
        ("SELECT 123abc", "123abc"),
        ("SELECT 1.5abc", "1.5abc"),
        ("SELECT 1e5abc", "1e5abc"),
        ("SELECT 1e", "1e"),
        ("SELECT 1exy", "1exy"),
        ("SELECT 0.0e+a", "0.0e+"),
        ("SELECT 1_0", "1_0"),
        ("SELECT 0x0o", "0x0o"),
    ] {
        let parsed = pg::parse(sql);
        if MAJOR == 15 {
            let message = format!("trailing junk after numeric literal at or near \"{word}\"");
            assert_eq!(parsed.expect_err(sql).message(), message, "{sql}");
        } else {
            assert_eq!(parsed.is_ok(), c_route::parse(sql, 0).is_ok(), "{sql}");
        }
        assert_eq!(
            pg::parse_with(sql, normalized()).is_ok(),
            c_route::parse(sql, 0).is_ok(),
            "{sql}"
        );
    }
    for sql in ["SELECT 1 a", "SELECT 1.5\"a\"", "SELECT 1..2", "SELECT 1.e5", "SELECT a[1:2]"] {
        assert_eq!(pg::parse(sql).is_ok(), c_route::parse(sql, 0).is_ok(), "{sql}");
    }
}

#[test]
fn bodies() {
    let options = normalized();
    for body in [
        "RETURN x $1;",
        "x := y $1;",
        "PERFORM f(x) $1;",
        "IF x $1 THEN RETURN 1; END IF;",
        "FOR i IN 1 .. x $1 LOOP NULL; END LOOP;",
        "RETURN $1a;",
    ] {
        let sql = format!(
            "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql AS $$DECLARE x int; y int; BEGIN {body} END$$"
        );
        assert!(pg::parse_plpgsql(&sql).is_err(), "{sql}");
        assert!(pg::parse_plpgsql_with(&sql, options).is_ok(), "{sql}");
        let errors = |options| {
            let parsed = pg::plpgsql::parse_with(&sql, options).expect("the statement");
            parsed.functions.iter().filter(|found| found.function.is_err()).count()
        };
        assert_eq!(errors(ParserOptions::default()), 1, "{sql}");
        assert_eq!(errors(options), 0, "{sql}");
    }
}

/// What hashes, classifies or splits statements is libpg_query's.
#[test]
fn calls_for_statistics_accept_normalized_sql() {
    let all = DigestOptions::default().fingerprint(true).normalized(true).analysis(true);
    let caches = [false, true].map(|normalized| {
        let parser = ParserOptions::default().normalized(normalized);
        pg::ShapeCache::new(1 << 20, ShapeOptions::default().parser(parser))
    });
    for sql in corpus::NORMALIZED
        .iter()
        .chain(OWN)
        .chain(&["SELECT $1a, 2", "SELECT interval '1' day, $2"])
    {
        let fingerprint = pg::fingerprint(sql).expect(sql);
        assert_eq!(Ok(fingerprint.hex()), c_route::fingerprint(sql, 0, 0), "{sql}");
        let as_theirs = NormalizeOptions::default().as_libpg_query(true);
        let normal = pg::normalize_with(sql, ParserOptions::default(), as_theirs).expect(sql);
        assert_eq!(Ok(normal), c_route::normalize(sql, false), "{sql}");
        let normal = pg::normalize(sql).expect(sql);
        let digest = pg::digest(sql, all).expect(sql);
        assert_eq!(digest.fingerprint, Some(fingerprint), "{sql}");
        assert_eq!(digest.normalized, Some(normal.clone()), "{sql}");
        for cache in &caches {
            for _ in 0..3 {
                assert_eq!(cache.digest(sql, all).as_ref(), Ok(&digest), "{sql}");
            }
        }
        assert!(pg::parse_with(&normal, normalized()).is_ok(), "{normal}");
        assert_eq!(pg::is_utility_stmt(sql).expect(sql).len(), 1, "{sql}");
        assert_eq!(pg::split_with_parser(sql).as_deref(), Ok(&[*sql][..]), "{sql}");
    }
}

/// A cache is of PostgreSQL's grammar unless its settings say otherwise.
#[test]
fn trees_of_shapes() {
    let sql = "SELECT FROM t WHERE a $1";
    for normalized in [false, true] {
        let parser = ParserOptions::default().normalized(normalized);
        let options = ShapeOptions::default().parser(parser);
        let cache = pg::ShapeCache::new(1 << 20, options);
        for _ in 0..3 {
            assert_eq!(cache.get(sql, |_| ()).is_ok(), normalized);
        }
        assert_eq!(pg::Template::new_with(sql, options).is_ok(), normalized);
    }
}

#[test]
fn nothing_is_offered_that_only_normalized_sql_has() {
    for (sql, place) in [("SELECT f(x) )", 12), ("SET a TO ;", 9), ("ALTER ROLE r PASSWORD ;", 22)]
    {
        for options in [ParserOptions::default(), normalized()] {
            let error = pg::parse_with(sql, options).expect_err(sql);
            assert_eq!(error.cursor(), Some(place), "{sql}");
            assert!(!error.expected(sql).contains(&Expected::Parameter), "{sql}");
        }
    }
    let error = pg::parse("SELECT f(x) $1").expect_err("an extension");
    assert!(!error.expected("SELECT f(x) $1").contains(&Expected::Parameter));
    assert!(error.expected("SELECT f(x) $1").contains(&Expected::Symbol("+")));
    // What comes before a mistake may be normalized.
    let sql = "SELECT date $1 FROM ,";
    let error = pg::parse_with(sql, normalized()).expect_err(sql);
    assert_eq!(error.cursor(), Some(20));
    assert!(error.expected(sql).contains(&Expected::Identifier), "{sql}");
    let completion = pg::complete("ALTER ROLE r PASSWORD ", 22);
    assert!(!format!("{completion:?}").contains("Parameter"), "{completion:?}");
}

/// Of the regression SQL, the option changes nothing but what has a parameter, or in 15, a word after a number.
#[test]
fn other_statements_are_the_same() {
    let mut refused = 0;
    for sql in corpus::statements() {
        let strict = pg::view::parse(&sql);
        let Err(error) = &strict else { continue };
        let lenient = pg::view::parse_with(&sql, normalized());
        if lenient.is_ok() {
            refused += 1;
            let place = error.cursor().expect("a place");
            assert!(
                sql[place..].starts_with('$') || error.message().starts_with("trailing junk"),
                "{sql}: {error}"
            );
        } else if !sql.contains('$') && MAJOR > 15 {
            assert_eq!(lenient.as_ref().err().map(Error::message), Some(error.message()), "{sql}");
        }
    }
    println!("{refused} statements are only normalized SQL");
}

/// Constants get numbers that no parameter of the SQL has, also where libpg_query gives them.
#[test]
fn numbers_are_not_given_twice() {
    for (sql, normal) in [
        ("SELECT a::numeric($5), $1, 'x'", "SELECT a::numeric($5), $1, $2"),
        ("SELECT 1::numeric($1), 'x'", "SELECT $2::numeric($1), $3"),
        ("SELECT a::numeric($2, $7), 1, 2, $1", "SELECT a::numeric($2, $7), $8, $9, $1"),
        ("SELECT a::numeric($2, $7), 1, $2", "SELECT a::numeric($2, $7), $3, $2"),
        ("CREATE TABLE t (a numeric($1) DEFAULT 2)", "CREATE TABLE t (a numeric($1) DEFAULT $2)"),
    ] {
        assert_eq!(pg::normalize(sql).as_deref(), Ok(normal), "{sql}");
        let theirs = c_route::normalize(sql, false).expect(sql);
        let as_theirs = NormalizeOptions::default().as_libpg_query(true);
        let ours = pg::normalize_with(sql, ParserOptions::default(), as_theirs);
        assert_eq!(ours.as_ref(), Ok(&theirs), "{sql}");
        all_agree(sql, &pg::ShapeCache::new(1 << 20, ShapeOptions::default()));
    }
}

/// Returns how often the SQL has each parameter.
fn parameters(sql: &str) -> std::collections::BTreeMap<&str, usize> {
    let mut counts = std::collections::BTreeMap::new();
    for token in pg::scan(sql).expect(sql).tokens {
        let text = &sql[token.range()];
        if token.token == pg::protobuf::Token::Param {
            *counts.entry(text).or_default() += 1;
        }
    }
    counts
}

fn all_agree(sql: &str, cache: &pg::ShapeCache<pg_ast::Analysis>) {
    let normal = pg::normalize(sql).expect(sql);
    let before = parameters(sql);
    let after = parameters(&normal);
    for (parameter, count) in &before {
        assert_eq!(after.get(parameter), Some(count), "{parameter} of {sql}\n{normal}");
    }
    let options = DigestOptions::default().normalized(true);
    // The first two make a template.
    for _ in 0..3 {
        let digest = cache.digest(sql, options).expect(sql);
        assert_eq!(digest.normalized.as_ref(), Some(&normal), "{sql}");
        if let Ok(hit) = cache.get(sql, pg::view::Tree::analyze) {
            assert_eq!(hit.normalize().as_ref(), Ok(&normal), "{sql}");
        }
    }
    let again = pg::digest(sql, options).expect(sql);
    assert_eq!(again.normalized.as_ref(), Some(&normal), "{sql}");
}

/// Whatever makes normalized SQL numbers the constants alike, wherever parameters are.
#[test]
fn all_number_alike() {
    let options = ShapeOptions::default().parser(normalized());
    let cache = pg::ShapeCache::new(16 << 20, options);
    let statements = corpus::own_statements();
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).expect("a small number")
    };
    let (mut tried, mut in_types) = (0, 0);
    for sql in &statements {
        for _ in 0..4 {
            let mut sql = sql.clone();
            for _ in 0..=random(3) {
                let Ok(scan) = pg::scan(&sql) else { continue };
                let constants: Vec<_> = scan
                    .tokens
                    .iter()
                    .filter(|token| {
                        matches!(
                            token.token,
                            pg::protobuf::Token::Iconst | pg::protobuf::Token::Sconst
                        )
                    })
                    .map(|token| token.range())
                    .collect();
                if constants.is_empty() {
                    break;
                }
                let range = constants[random(constants.len())].clone();
                sql.replace_range(range, &format!(" ${} ", 1 + random(4)));
            }
            if !sql.contains('$') || pg::view::parse_with(&sql, normalized()).is_err() {
                continue;
            }
            tried += 1;
            in_types += usize::from(sql.contains("( $") && sql.contains("::"));
            all_agree(&sql, &cache);
        }
    }
    println!("{tried} statements, {in_types} perhaps with parameters of types");
    assert!(tried > 1_000, "{tried}");
}

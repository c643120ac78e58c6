//! The expected tokens are exactly those that the parser accepts.

use std::collections::BTreeSet;

use pg_ast::{Error, ErrorKind, Expected, NameKind};

use super::pg::protobuf::{KeywordKind, Token};
use super::pg::{ScanToken, complete, parse, parse_script, scan};
use crate::common::corpus;

/// Valid statements of all kinds, all of them short.
fn sample(count: usize) -> Vec<String> {
    let mut all = corpus::own_statements();
    all.extend(corpus::statements());
    all.retain(|sql| sql.len() < 200);
    let step = (all.len() / count).max(1);
    let sample = all.into_iter().step_by(step).filter(|sql| parse(sql).is_ok());
    sample.collect()
}

/// Returns the tokens that the grammar receives, except those that it merges.
fn tokens(sql: &str) -> Vec<ScanToken> {
    let tokens = scan(sql).expect("scans").tokens;
    tokens.into_iter().filter(|token| !token.is_comment()).collect()
}

/// Returns whether a token is an expected one.
fn is_one_of(token: ScanToken, sql: &str, expected: &[Expected]) -> bool {
    let text = &sql[token.range()];
    let has = |one| expected.contains(&one);
    match token.token {
        Token::Ident | Token::Uident => has(Expected::Identifier),
        Token::Sconst | Token::Usconst => has(Expected::String),
        Token::Bconst | Token::Xconst => has(Expected::BitString),
        Token::Iconst | Token::Fconst => has(Expected::Number),
        Token::Param => has(Expected::Parameter),
        Token::Op => has(Expected::Operator),
        Token::NotEquals => has(Expected::Symbol("<>")),
        _ if token.keyword_kind != KeywordKind::NoKeyword => {
            let keyword = text.to_ascii_uppercase();
            has(Expected::Identifier)
                || expected.iter().any(|one| matches!(one, Expected::Keyword(k) if *k == keyword))
        }
        _ => expected.iter().any(|one| matches!(one, Expected::Symbol(s) if *s == text)),
    }
}

#[test]
fn each_next_token_is_expected() {
    let mut places = 0;
    let statements = sample(5_000);
    assert!(statements.len() > 4_000, "{}", statements.len());
    for sql in statements {
        let tokens = tokens(&sql);
        for (index, &token) in tokens.iter().enumerate() {
            // The grammar receives these merged with the previous token.
            let before = index.checked_sub(1).map(|before| tokens[before].token);
            let in_uescape = token.token == Token::Uescape
                || before == Some(Token::Uescape) && token.token == Token::Sconst;
            if in_uescape || sql[..token.start as usize].ends_with(is_in_word) {
                continue;
            }
            let found = complete(&sql, token.start as usize);
            assert!(
                is_one_of(token, &sql, &found.expected),
                "{sql}\n{token:?}\n{:?}",
                found.expected
            );
            places += 1;
        }
    }
    println!("{places} places");
    assert!(places > 30_000, "{places}");
}

fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii()
}

/// Returns SQL for expected tokens; several, if the grammar distinguishes a keyword by the following one.
fn texts(expected: Expected) -> Vec<String> {
    let fixed: &[&str] = match expected {
        Expected::Identifier => &["x"],
        Expected::String => &["'s'"],
        Expected::BitString => &["B'1'"],
        Expected::Number => &["1"],
        Expected::Parameter => &["$1"],
        Expected::Operator => &["||"],
        Expected::End => &[""],
        Expected::Keyword("NOT") => &["NOT", "NOT IN"],
        Expected::Keyword("NULLS") => &["NULLS", "NULLS FIRST"],
        Expected::Keyword("WITH") => &["WITH", "WITH TIME", "WITH ORDINALITY"],
        Expected::Keyword("WITHOUT") => &["WITHOUT", "WITHOUT TIME"],
        Expected::Keyword("FORMAT") => &["FORMAT", "FORMAT JSON"],
        other => return vec![other.to_string()],
    };
    fixed.iter().map(ToString::to_string).collect()
}

/// Returns whether the grammar rejects the SQL at this place.
fn is_refused(error: &Error, place: usize) -> bool {
    error.message().starts_with("syntax error") && error.cursor().is_some_and(|at| at <= place)
}

#[test]
fn each_expected_token_is_taken() {
    let (mut tried, mut kinds) = (0, BTreeSet::new());
    for (number, sql) in sample(600).into_iter().enumerate() {
        let tokens = tokens(&sql);
        let Some(token) = tokens.get(number % tokens.len().max(1)) else { continue };
        let before = &sql[..token.start as usize];
        if before.ends_with(is_in_word) || before.trim_end().to_uppercase().ends_with("UESCAPE") {
            continue;
        }
        for expected in complete(&sql, before.len()).expected {
            let place = before.len() + 1;
            let accepted = texts(expected).iter().any(|text| {
                let text = format!("{before} {text}");
                parse(&text).err().is_none_or(|error| !is_refused(&error, place))
            });
            assert!(accepted, "{before} {expected}");
            tried += 1;
            kinds.insert(expected);
        }
    }
    println!("{tried} tried, {} of them different", kinds.len());
    assert!(tried > 10_000 && kinds.len() > 300, "{tried} {}", kinds.len());
}

/// Returns only the keywords.
fn keywords(sql: &str) -> Vec<&'static str> {
    let expected = parse(sql).expect_err("a mistake").expected(sql);
    let keywords = expected.into_iter().filter_map(|one| match one {
        Expected::Keyword(keyword) => Some(keyword),
        _ => None,
    });
    keywords.collect()
}

#[test]
fn what_was_expected() {
    assert_eq!(
        keywords("CREATE TABLE t"),
        ["AS", "OF", "ON", "PARTITION", "TABLESPACE", "USING", "WITH", "WITHOUT"]
    );
    assert_eq!(
        keywords("ALTER TABLE t ALTER c"),
        ["ADD", "DROP", "OPTIONS", "RESET", "RESTART", "SET", "TYPE"]
    );
    assert_eq!(
        keywords("INSERT INTO t VALUE (1)"),
        ["AS", "DEFAULT", "OVERRIDING", "SELECT", "TABLE", "VALUES", "WITH"]
    );
    // Errors that are not the grammar's: the scanner's, and an action's.
    for sql in ["SELECT 'a", "SELECT /*", "SELECT 1 FROM t TABLESAMPLE f(1) AS x, ONLY (a) b FOR"] {
        let error = parse(sql).expect_err("a mistake");
        let is_grammars = error.message().starts_with("syntax error");
        assert_eq!(error.expected(sql).is_empty(), !is_grammars, "{error}");
    }
    // Errors of a program itself, and SQL other than that of the error.
    assert!(Error::new(ErrorKind::Syntax, "syntax error").expected("SELECT").is_empty());
    let error = parse("SELECT 1 1").expect_err("a mistake");
    for other in ["", "é", "SELECT 'a", "SELECT 1 1 1", "\0"] {
        let _ = (error.expected(other), error.suggestion(other));
    }
}

#[test]
fn what_was_meant() {
    let meant = |sql: &str| {
        let suggestion = parse(sql).expect_err(sql).suggestion(sql)?;
        Some((suggestion.keyword, sql[suggestion.range].to_owned()))
    };
    for (sql, keyword, word) in [
        ("SELECT * FORM t", "FROM", "FORM"),
        ("SELECT a FORM t", "FROM", "FORM"),
        ("SELEC 1", "SELECT", "SELEC"),
        ("SELECT 1; UPDTE t SET a = 1", "UPDATE", "UPDTE"),
        ("SELECT * FROM t WHER a = 1", "WHERE", "WHER"),
        ("SELECT * FROM t GROUP YB a", "BY", "YB"),
        ("INSERT INTO t VALUE (1)", "VALUES", "VALUE"),
        ("CREATE TABEL t (a int)", "TABLE", "TABEL"),
        ("DELETE FRM t", "FROM", "FRM"),
        ("SELECT CASE WHEN a THEN b ESLE c END", "ELSE", "ESLE"),
    ] {
        assert_eq!(meant(sql), Some((keyword, word.to_owned())), "{sql}");
    }
    for sql in ["SELECT 1 1", "SELECT (", "", "SELECT * FROM t xyzzy plugh", "SELECT 'a"] {
        if let Err(error) = parse(sql) {
            assert_eq!(error.suggestion(sql), None, "{sql}");
        }
    }
}

#[test]
fn errors_of_scripts_know_their_statement() {
    let script = "\\set x 1\nSELECT 1;\nSELECT a FORM t;\nSELECT 3";
    let stmts = parse_script(script);
    let error = stmts[1].result.as_ref().expect_err("a mistake");
    let suggestion = error.suggestion(script).expect("a suggestion");
    assert_eq!((suggestion.keyword, &script[suggestion.range]), ("FROM", "FORM"));
    assert!(error.expected(script).contains(&Expected::Keyword("FROM")));
}

#[test]
fn names_by_what_is_under_way() {
    use NameKind::{Alias, Column, Function, Object, Role, Table, Type};
    for (sql, kind) in [
        ("SELECT * FROM |", Table),
        ("SELECT * FROM s.|", Table),
        ("UPDATE |", Table),
        ("INSERT INTO t (|", Column),
        ("SELECT | FROM t", Column),
        ("SELECT t.| FROM t", Column),
        ("SELECT * FROM t WHERE |", Column),
        ("UPDATE t SET |", Column),
        ("SELECT | FROM t", Function),
        ("SELECT 1::|", Type),
        ("CREATE TABLE t (a |", Type),
        ("GRANT SELECT ON t TO |", Role),
        ("DROP INDEX |", Object),
        ("SELECT a AS |", Alias),
    ] {
        let offset = sql.find('|').expect("a place");
        let text = sql.replace('|', "");
        let found = complete(&text, offset);
        assert!(found.names.contains(&kind), "{sql}: {:?}", found.names);
    }
    assert!(!complete("SELECT * FROM ", 14).names.contains(&Column));
    assert!(complete("DROP ", 5).names.is_empty());
}

#[test]
fn tables_of_the_statement() {
    let tables = |sql: &str| {
        let offset = sql.find('|').expect("a place");
        let found = complete(&sql.replace('|', ""), offset).tables;
        let shown = found.into_iter().map(|table| {
            let alias = table.alias.map_or(String::new(), |alias| format!(" {alias}"));
            format!("{}{alias}", table.name)
        });
        shown.collect::<Vec<_>>()
    };
    assert_eq!(tables("SELECT | FROM s.\"T\" AS x, u y JOIN v ON a"), ["s.\"T\" x", "u y", "v"]);
    assert_eq!(tables("DELETE FROM a; UPDATE t AS z SET | WHERE b; DELETE FROM c"), ["t z"]);
    assert_eq!(tables("WITH c AS (SELECT 1 FROM d) SELECT | FROM c"), ["d", "c"]);
    assert_eq!(tables("INSERT INTO t (|"), ["t"]);
    assert_eq!(tables("SELECT a FROM t WHERE |"), ["t"]);
    assert_eq!(tables("SELECT u.| FROM app.users AS u WHE"), ["app.users u"]);
    // With an error before, and one after.
    assert_eq!(tables("SELECT a a a FROM t WHERE | FROM"), ["t"]);
    assert!(tables("SELECT * FROM t|").is_empty());
}

/// At each place of each of our statements the expected tokens are known, and the replaced word is right.
#[test]
fn any_place() {
    for sql in corpus::own_statements().iter().step_by(7).filter(|sql| sql.len() < 200) {
        for offset in 0..=sql.len() + 1 {
            let found = complete(sql, offset);
            let word = found.word;
            assert!(
                sql.get(word.clone()).is_some() && word.end <= offset,
                "{sql} {offset} {word:?}"
            );
        }
    }
    for sql in
        ["SELECT \"a b", "SELECT 'a b", "SELECT $$a ", "/* a", "SELECT é", "\0a", "SELECT \"\0"]
    {
        for offset in 0..=sql.len() {
            let _ = complete(sql, offset);
        }
    }
    let quoted = complete("SELECT \"a b", 11);
    assert_eq!((quoted.word, quoted.expected), (7..11, vec![Expected::Identifier]));
}

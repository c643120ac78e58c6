//! psql's variables and placeholders of tools: statements with them have no mistakes, and they are tokens.

use super::NAME;
use super::pg_syntax::rowan::NodeOrToken;
use super::pg_syntax::{Placeholders, Script, ScriptOptions, SyntaxKind, SyntaxNode, mistakes};

fn parse(text: &str, placeholders: Placeholders) -> SyntaxNode {
    let options = ScriptOptions::default().placeholders(placeholders);
    let root = Script::parse_with(text, options).unwrap().root();
    assert!(root.text() == text, "{NAME}: {root:#?}\nfor {text}");
    root
}

fn has_mistakes(root: &SyntaxNode) -> bool {
    mistakes(root).next().is_some()
}

fn found(root: &SyntaxNode) -> Vec<String> {
    let kinds = [SyntaxKind::PSQL_VARIABLE, SyntaxKind::PLACEHOLDER];
    let tokens = root.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let tokens = tokens.filter(|token| kinds.contains(&token.kind()));
    tokens.map(|token| token.text().to_owned()).collect()
}

/// Checks that a text has no mistakes, and that these are the stand-ins in it.
#[track_caller]
fn check(text: &str, placeholders: Placeholders, expected: &[&str]) {
    let root = parse(text, placeholders);
    assert_eq!(found(&root), expected, "{NAME}: {root:#?}\nfor {text}");
    assert!(!has_mistakes(&root), "{NAME}: {root:#?}\nfor {text}");
    assert_eq!(root.children().count(), 1, "{NAME}: {root:#?}\nfor {text}");
}

#[test]
fn variables_of_psql() {
    let none = Placeholders::default();
    let cases: &[(&str, &[&str])] = &[
        ("SELECT :a, :'b', :\"c\", :{?d};", &[":a", ":'b'", ":\"c\"", ":{?d}"]),
        ("SELECT * FROM :t WHERE id = :id::int AND a = :'x'::text;", &[":t", ":id", ":'x'"]),
        ("SELECT * FROM s.:t, :s.t, :s.:t, tbl_:n;", &[":t", ":s", ":s", ":t", "tbl_:n"]),
        ("SELECT a[1:2], a[x:y], a[1:], a[:n + 1] FROM t WHERE b = :b;", &[":n", ":b"]),
        ("SELECT a[1:b] FROM t;", &[]),
        ("SELECT a::int, b := :c FROM f(x := :d);", &[]),
        (
            "CREATE TABLE t (a varchar(:n), b :type, c float(:n) DEFAULT :x);",
            &[":n", ":type", ":n", ":x"],
        ),
        ("CREATE ROLE :\"u\" PASSWORD :'pw' CONNECTION LIMIT :n;", &[":\"u\"", ":'pw'", ":n"]),
        ("CREATE DATABASE :db OWNER :\"u\" ENCODING :'e';", &[":db", ":\"u\"", ":'e'"]),
        ("COPY t FROM :'file' (FORMAT csv, DELIMITER :'d');", &[":'file'", ":'d'"]),
        ("SET work_mem = :'m';", &[":'m'"]),
        ("SET search_path TO :schema, public;", &[":schema"]),
        ("ALTER ROLE a SET x TO :v;", &[":v"]),
        (
            "SELECT interval :'i', date :'d', interval(:n) '1', timestamp(:n) :'t';",
            &[":'i'", ":'d'", ":n", ":n", ":'t'"],
        ),
        (
            "SELECT a :op b FROM t :where ORDER BY a :dir LIMIT :n;",
            &[":op", ":where", ":dir", ":n"],
        ),
        (":sql;", &[":sql"]),
        ("SELECT :a:b, (:x);", &[":a:b", ":x"]),
        ("EXPLAIN (ANALYZE :on) SELECT 1;", &[":on"]),
        ("DECLARE c CURSOR FOR :query;", &[":query"]),
        ("CREATE EXTENSION a SCHEMA :s VERSION :'v';", &[":s", ":'v'"]),
        ("CREATE SEQUENCE s START :n INCREMENT BY :n;", &[":n", ":n"]),
        ("DO :'body';", &[":'body'"]),
        ("SELECT E'\\'', U&'\\0041', :'a' -- :no\n, ':no' /* :no */;", &[":'a'"]),
        ("INSERT INTO t VALUES (:a, :'b')\nRETURNING :c;", &[":a", ":'b'", ":c"]),
        ("WITH x AS (SELECT :a)\nSELECT * FROM x\nWHERE :b;", &[":a", ":b"]),
        ("GRANT SELECT ON :t TO :u;", &[":t", ":u"]),
        ("SELECT a\\:\\:int, :v \\gset", &[":v"]),
    ];
    for (text, expected) in cases {
        if text.contains(":=") {
            continue;
        }
        check(text, none, expected);
    }
    // Not after a colon of another token.
    check("SELECT f(x := y, z => :v)", none, &[":v"]);
    // Wrong statements have their variables, too.
    let root = parse("SELECT :a FROM WHERE b = :c GROUP;", none);
    assert_eq!(found(&root), [":a", ":c"]);
    assert!(has_mistakes(&root));
}

#[test]
fn placeholders() {
    let all = Placeholders::all();
    let cases: &[(&str, &[&str])] = &[
        (
            "SELECT a ? 'k', a ?| b, a @> b, a @? b, a % b, @ -1 FROM t WHERE c = ? AND d=?",
            &["?", "?"],
        ),
        ("INSERT INTO t (a, b) VALUES (?, ?), (@a, @b);", &["?", "?", "@a", "@b"]),
        ("SELECT * FROM t LIMIT ? OFFSET @x;", &["?", "@x"]),
        (
            "UPDATE t SET a = @a, b=%(b)s WHERE c IN (%(c)s, ?::int);",
            &["@a", "%(b)s", "%(c)s", "?"],
        ),
        ("SELECT data ? 'k' FROM t;", &[]),
        ("SELECT * FROM t WHERE a BETWEEN ? AND ? AND b LIKE ?;", &["?", "?", "?"]),
        (
            "CREATE FUNCTION @extschema@.f() RETURNS @extschema:cube@.cube LANGUAGE sql AS 'x';",
            &["@extschema@", "@extschema:cube@"],
        ),
        (
            "SELECT * FROM {{ ref('a') }} WHERE b = {{ var(\"c\") }};",
            &["{{ ref('a') }}", "{{ var(\"c\") }}"],
        ),
        (
            "CREATE TABLE ${schema}.t_${x} (a int) {{ options }};",
            &["${schema}", "t_${x}", "{{ options }}"],
        ),
        ("SELECT '{{ a }}', \"@b\", $$ ? $$ -- ?\n;", &[]),
    ];
    for (text, expected) in cases {
        check(text, all, expected);
    }
    // None of them is without the option.
    let root = parse("SELECT * FROM t WHERE a = @b", Placeholders::default());
    assert!(!has_mistakes(&root) && found(&root).is_empty());
    assert!(has_mistakes(&parse("SELECT * FROM t WHERE a = ${b}", Placeholders::default())));
}

/// Each statement keeps its own place, and what follows is read as before.
#[test]
fn scripts_with_variables() {
    let text = "\\set t a\nCOPY :t FROM stdin;\n1\t:x\n\\.\nSELECT :'a';\nSELECT (:b;\nSELECT :c\n";
    let root = parse(text, Placeholders::default());
    let stmts: Vec<_> = root.children().map(|stmt| stmt.text().to_string()).collect();
    assert_eq!(stmts, ["COPY :t FROM stdin;", "SELECT :'a';", "SELECT (:b;", "SELECT :c"]);
    let data = root.children_with_tokens().find(|part| part.kind() == SyntaxKind::COPY_DATA);
    assert_eq!(data.unwrap().to_string(), "1\t:x\n\\.");
    let wrong = root.children().filter(has_mistakes).count();
    assert_eq!(wrong, 1, "{root:#?}");
}

/// The time is linear in the number of variables, whatever they stand for.
#[test]
fn many_variables() {
    let text = format!("SELECT a{} FROM t;", " :op b".repeat(500));
    assert_eq!(found(&parse(&text, Placeholders::default())).len(), 500);
    let text = format!("SELECT {}1;", ":a, ".repeat(20_000));
    let root = parse(&text, Placeholders::default());
    assert_eq!(found(&root).len(), 20_000);
    assert!(!has_mistakes(&root));
}

//! The concrete trees of bodies: they have all of the text, whatever it is, and the statements that PL/pgSQL's compiler finds.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;

use super::NAME;
use super::pg::plpgsql::{self, Part};
use super::pg_syntax::rowan::NodeOrToken;
use super::pg_syntax::{
    self as syntax, BodyLanguage, MAX_DEPTH, Script, SyntaxBody, SyntaxKind, SyntaxNode, body_of,
    mistakes,
};
use crate::common::plpgsql::{valid, wrong};
use crate::common::scripts::{own, regression};

fn body(sql: &str) -> Option<SyntaxBody> {
    let root = syntax::parse(sql).unwrap_or_else(|error| panic!("{NAME}: {error} for {sql}"));
    body_of(&root).unwrap_or_else(|error| panic!("{NAME}: {error} for {sql}"))
}

/// Makes the tree of a body in PL/pgSQL, and checks what holds for any text.
fn whole(text: &str) -> SyntaxNode {
    let quote = "$pgast_quote$";
    let body = body(&format!("DO {quote}{text}{quote}")).unwrap();
    let root = body.root();
    check_whole(&root, text);
    root
}

fn check_whole(root: &SyntaxNode, text: &str) {
    assert!(root.text() == text, "{NAME}: {root:#?}\nfor {text}");
    for node in root.descendants().skip(1) {
        let ends = [node.first_child_or_token(), node.last_child_or_token()];
        for end in ends {
            let end = end.unwrap_or_else(|| panic!("{NAME}: an empty {node:?} for {text}"));
            assert!(!end.kind().is_trivia(), "{NAME}: {node:?} has {end:?} at its end in {text}");
        }
    }
}

/// All statements with functions.
fn functions() -> Vec<String> {
    let mut all = Vec::new();
    let files = valid().into_iter().map(|(_, text)| text);
    let scripts = own().into_iter().chain(regression()).map(|(_, text)| text);
    for text in files.chain(scripts) {
        let stmts = Script::parse(&text).unwrap().check();
        let stmts = stmts.into_iter().filter(|stmt| stmt.result.is_ok());
        let stmts = stmts.map(|stmt| text[stmt.range].to_owned());
        all.extend(stmts.filter(|sql| {
            let first = sql.trim_start().get(..2).unwrap_or_default().to_ascii_lowercase();
            first == "do" || first == "cr"
        }));
    }
    all
}

/// The kind of the node that a statement has.
fn kind_of(part: Part<'_>) -> Option<SyntaxKind> {
    Some(match part {
        Part::Block(_) => SyntaxKind::pl_block,
        Part::Assign(_) => SyntaxKind::stmt_assign,
        Part::If(_) => SyntaxKind::stmt_if,
        Part::Case(_) => SyntaxKind::stmt_case,
        Part::Loop(_) => SyntaxKind::stmt_loop,
        Part::While(_) => SyntaxKind::stmt_while,
        Part::Fori(_) | Part::Fors(_) | Part::Forc(_) | Part::Dynfors(_) => SyntaxKind::stmt_for,
        Part::ForeachA(_) => SyntaxKind::stmt_foreach_a,
        Part::Exit(_) => SyntaxKind::stmt_exit,
        Part::Return(_) | Part::ReturnNext(_) | Part::ReturnQuery(_) => SyntaxKind::stmt_return,
        Part::Raise(_) => SyntaxKind::stmt_raise,
        Part::Assert(_) => SyntaxKind::stmt_assert,
        Part::Execsql(_) | Part::Call(_) => SyntaxKind::stmt_execsql,
        Part::Dynexecute(_) => SyntaxKind::stmt_dynexecute,
        Part::Perform(_) => SyntaxKind::stmt_perform,
        Part::Getdiag(_) => SyntaxKind::stmt_getdiag,
        Part::Open(_) => SyntaxKind::stmt_open,
        Part::Close(_) => SyntaxKind::stmt_close,
        Part::Null(_) => SyntaxKind::stmt_null,
        Part::Commit(_) => SyntaxKind::stmt_commit,
        Part::Rollback(_) => SyntaxKind::stmt_rollback,
        _ => return None,
    })
}

/// Each statement of a correct function has its node, in the place in which it was written.
#[test]
fn statements_are_those_of_the_compiler() {
    let (mut bodies, mut found) = (0, BTreeMap::<&str, usize>::new());
    for sql in functions() {
        let Some(body) = body(&sql) else { continue };
        let root = body.root();
        if body.language() == BodyLanguage::Sql {
            continue;
        }
        let Ok(parsed) = plpgsql::parse(&sql) else { continue };
        let [plpgsql::ParsedFunction { function: Ok(function), .. }] = &parsed.functions[..] else {
            continue;
        };
        bodies += 1;
        let wrong: Vec<_> = mistakes(&root).collect();
        assert!(wrong.is_empty(), "{NAME}: {wrong:?}\n{root:#?}\nfor {sql}");
        let mut nodes: BTreeMap<(SyntaxKind, usize), Range<usize>> = BTreeMap::new();
        for node in root.descendants() {
            let range = body.outer(node.text_range());
            nodes.insert((node.kind(), range.start), range);
        }
        for part in function.parts() {
            let (Some(kind), Some(range)) = (kind_of(part), part.range()) else { continue };
            let Some(node) = nodes.get(&(kind, range.start)) else {
                panic!("{NAME}: no {kind:?} for {:?}\n{root:#?}", &sql[range]);
            };
            let (node, stmt) = (sql[node.clone()].trim_end(), sql[range].trim_end());
            let same =
                node.trim_end_matches(';').trim_end() == stmt.trim_end_matches(';').trim_end();
            assert!(same, "{NAME}: {node:?} is not {stmt:?}");
            *found.entry(kind.as_str()).or_default() += 1;
        }
    }
    assert!(bodies > 500 && found.len() > 20, "{NAME}: {bodies} {found:?}");
}

/// The text of the tree is that of the body, and its places are those in the statement, in all kinds of quotes.
#[test]
fn bodies_are_in_their_places() {
    let mut bodies = [0, 0];
    for sql in functions() {
        let Some(body) = body(&sql) else { continue };
        let root = body.root();
        check_whole(&root, &root.text().to_string());
        bodies[usize::from(body.language() == BodyLanguage::Sql)] += 1;
        let literal = &sql[body.literal()];
        if !literal.starts_with('$') {
            continue;
        }
        for token in root.descendants_with_tokens().filter_map(NodeOrToken::into_token) {
            let outer = body.outer(token.text_range());
            assert_eq!(&sql[outer], token.text(), "{NAME}: {sql}");
        }
    }
    assert!(bodies[0] > 500 && bodies[1] > 200, "{NAME}: {bodies:?}");
    let cases = [
        "DO E'BEGIN\\n  x := \\'\\\\u0041\\';\\nEND'",
        "DO LANGUAGE plpgsql 'BEGIN'\n' x := ''a''; END'",
        "DO U&'BEGIN !0078 := ''a''; END' UESCAPE '!' LANGUAGE \"plpgsql\"",
        "CREATE PROCEDURE p() LANGUAGE 'plpgsql' AS $q$BEGIN x := $$a$$; END$q$",
    ];
    for sql in cases {
        let body = body(sql).unwrap();
        let root = body.root();
        assert_eq!(mistakes(&root).count(), 0, "{NAME}: {root:#?}\nfor {sql}");
        let assign = root.descendants().find(|node| node.kind() == SyntaxKind::stmt_assign);
        let assign = assign.unwrap_or_else(|| panic!("{NAME}: {root:#?}\nfor {sql}"));
        let outer = &sql[body.outer(assign.text_range())];
        assert!(outer.ends_with(';') && outer.contains(":="), "{NAME}: {outer}");
    }
    // Options of words alone say nothing of it.
    let sql = "CREATE FUNCTION f() RETURNS int LANGUAGE sql WINDOW AS 'SELECT 1'";
    assert_eq!(body(sql).unwrap().language(), BodyLanguage::Sql, "{NAME}");
    // No body, or in another language.
    for sql in [
        "SELECT 1",
        "CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'a', 'b'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'a', 'b'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plperl AS 'a'",
        "CREATE FUNCTION f() RETURNS int RETURN 1",
        "DO $$ BEGIN END $$ LANGUAGE plv8",
        "DO $$ BEGIN",
    ] {
        assert!(body(sql).is_none(), "{NAME}: {sql}");
    }
}

/// Returns the kinds of nodes, and their texts.
fn nodes(text: &str, kinds: &[SyntaxKind]) -> Vec<String> {
    let nodes = whole(text).descendants().filter(|node| kinds.contains(&node.kind()));
    nodes.map(|node| format!("{:?} {}", node.kind(), node.text())).collect()
}

#[test]
fn what_is_in_statements() {
    let text = "#variable_conflict use_column
<<a>> DECLARE
  x CONSTANT numeric(10, 2)[] NOT NULL := f(1);
  y t.c%TYPE; z ALIAS FOR $1;
  c CURSOR (a int) FOR SELECT * FROM t WHERE b = a;
BEGIN
  SELECT a, b INTO STRICT x, y.z FROM t;
  PERFORM f(x) FROM t UNION SELECT 1;
  FOR i IN REVERSE 10..1 BY 2 LOOP EXIT a WHEN i = 3; END LOOP;
  FOR r IN SELECT 1 LOOP NULL; END LOOP;
  EXECUTE 'a' || b INTO x USING 1, g(2, 3);
  RAISE NOTICE 'a % %', x, f(y, z) USING HINT = 'h', DETAIL = d;
  CASE x WHEN 1, 2 THEN NULL; ELSE y.z := 1; END CASE;
  FETCH NEXT FROM c INTO x, y;
  GET STACKED DIAGNOSTICS x = ROW_COUNT, y = MESSAGE_TEXT;
EXCEPTION WHEN a OR SQLSTATE '22012' THEN RAISE;
  WHEN OTHERS THEN RETURN QUERY EXECUTE 'q' USING x;
END a;";
    let root = whole(text);
    assert_eq!(mistakes(&root).count(), 0, "{NAME}: {root:#?}");
    let found = nodes(text, &[SyntaxKind::PLpgSQL_Expr, SyntaxKind::Typename]);
    let found = found.iter().map(|it| it.split_once(' ').unwrap().1).collect::<Vec<_>>();
    let expected = [
        "numeric(10, 2)[]",
        "f(1)",
        "10",
        "1",
        "2",
        "i = 3",
        "'a' || b",
        "1",
        "g(2, 3)",
        "x",
        "f(y, z)",
        "'h'",
        "d",
        "x",
        "1, 2",
        "1",
        "'q'",
        "x",
    ];
    // The value of an assignment is in its own rule.
    assert_eq!(found, expected, "{NAME}: {root:#?}");
    let tokens = root.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let own = [SyntaxKind::PLPGSQL_INTO, SyntaxKind::PLPGSQL_KEYWORD];
    let own: Vec<_> = tokens
        .filter(|token| own.contains(&token.kind()))
        .map(|token| token.text().to_owned())
        .collect();
    assert!(own.contains(&"INTO STRICT x, y.z".to_owned()), "{NAME}: {own:?}");
    assert!(own.contains(&"PERFORM".to_owned()), "{NAME}: {own:?}");
    let stmts = nodes(text, &[SyntaxKind::decl_datatype, SyntaxKind::proc_conditions]);
    let expected = [
        "decl_datatype numeric(10, 2)[]",
        "decl_datatype t.c%TYPE",
        "proc_conditions a OR SQLSTATE '22012'",
        "proc_conditions OTHERS",
    ];
    assert_eq!(stmts, expected, "{NAME}");
}

/// Names are no keywords, whatever SQL would make of them.
#[test]
fn names_are_identifiers() {
    let text = "<<begin>> DECLARE type t.value%TYPE; BEGIN
        FOR name IN 1..2 LOOP EXIT begin; END LOOP;
        GET DIAGNOSTICS type = ROW_COUNT; FETCH NEXT FROM cursor INTO value; CLOSE no;
        EXCEPTION WHEN others THEN RAISE type; END begin";
    let tokens = whole(text).descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let names: Vec<_> = tokens
        .filter(|token| token.kind() == SyntaxKind::IDENT)
        .map(|token| token.text().to_owned())
        .collect();
    let expected = [
        "begin", "type", "t", "value", "name", "begin", "type", "cursor", "value", "no", "others",
        "type", "begin",
    ];
    assert_eq!(names, expected, "{NAME}");
}

/// Nodes that are too deep for the tree are told with their places.
#[test]
fn deeper_nodes() {
    for count in [10, 70, 74, 75, 76, 100, 200] {
        let (start, end) = ("IF a THEN ".repeat(count), " END IF;".repeat(count));
        let text = format!("BEGIN {start}NULL; ELSE x := 1;{end} END");
        let sql = format!("DO $$ {text} $$");
        let body = body(&sql).unwrap();
        let mut nodes: Vec<_> = body.deeper_nodes().collect();
        let is_ordered = nodes.is_sorted_by_key(|(_, range)| (range.start, usize::MAX - range.end));
        assert!(is_ordered, "{NAME}: {nodes:?}");
        assert!(nodes.is_empty() == (count < 74), "{NAME}: {count} {nodes:?}");
        let in_tree = body.root().descendants();
        nodes.extend(in_tree.map(|node| (node.kind(), node.text_range().into())));
        let has = |kind| nodes.iter().filter(|(it, _)| *it == kind).count();
        let found = [SyntaxKind::stmt_if, SyntaxKind::proc_sect, SyntaxKind::stmt_else].map(has);
        assert_eq!(found, [count, count + 2, 1], "{NAME}");
        let text = body.root().text().to_string();
        for (kind, range) in &nodes {
            let is_if = *kind == SyntaxKind::stmt_if;
            assert!(!is_if || text[range.clone()].starts_with("IF a"), "{NAME}: {range:?}");
            assert!(!is_if || text[range.clone()].ends_with("END IF;"), "{NAME}: {range:?}");
        }
    }
}

#[test]
#[allow(clippy::single_range_in_vec_init)]
fn mistakes_are_in_their_places() {
    let cases: &[(&str, &[Range<usize>])] = &[
        ("BEGIN IF a x := 1; END IF; END", &[]),
        ("BEGIN x := 1 END", &[]),
        ("BEGIN NULL; END LOOP;", &[]),
        ("BEGIN SELECT a FORM t; END", &[]),
        ("BEGIN NULL;", &[11..11]),
        ("", &[0..0]),
        ("SELECT 1", &[]),
    ];
    for (text, places) in cases {
        let found: Vec<_> = mistakes(&whole(text)).map(|it| it.range).collect();
        assert!(!found.is_empty(), "{NAME}: {text}");
        assert!(places.is_empty() || found == *places, "{NAME}: {found:?} in {text}");
    }
    // What follows a wrong statement is read as before.
    let text = "BEGIN x := (1; IF a THEN b := 'x'; END IF; SELECT FROM WHERE; RETURN 1; END";
    let found = nodes(text, &[SyntaxKind::stmt_if, SyntaxKind::stmt_return]);
    assert_eq!(found, ["stmt_if IF a THEN b := 'x'; END IF;", "stmt_return RETURN 1;"], "{NAME}");
    for (_, cases) in wrong() {
        for case in cases {
            if let Some(body) = body(&case.sql) {
                check_whole(&body.root(), &body.root().text().to_string());
            }
        }
    }
}

/// Any text has its tree: correct bodies, of which parts are missing, or more than they should have.
#[test]
fn any_text_has_its_tree() {
    let junk = [
        "",
        ";",
        "END",
        "BEGIN",
        "IF",
        "THEN",
        "(",
        ")",
        "'",
        "$$",
        "/*",
        "--",
        "<<",
        "LOOP",
        "WHEN",
        "EXCEPTION WHEN",
        "DECLARE",
        "\0",
        "é",
        "ELSE",
        "INTO",
        "USING",
        ",",
        "..",
        "[",
        ":=",
        "%",
        "#",
    ];
    let (mut number, mut count) = (1_usize, 0);
    for sql in functions().iter().filter(|sql| sql.len() < 3_000) {
        let Some(body) = body(sql).filter(|it| it.language() == BodyLanguage::PlPgSql) else {
            continue;
        };
        let tokens = body.root().descendants_with_tokens().filter_map(NodeOrToken::into_token);
        let tokens: Vec<_> = tokens.map(|token| token.text().to_owned()).collect();
        for _ in 0..4 {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let place = (number >> 33) % tokens.len().max(1);
            let put_in = junk[(number >> 20) % junk.len()];
            let (before, rest) = tokens.split_at(place);
            let skipped = (number >> 40) % 3;
            let rest: String = rest.iter().skip(skipped).map(String::as_str).collect();
            let text = format!("{}{put_in}{rest}", before.concat());
            if !text.contains('\0') && !text.contains("$pgast_quote$") {
                whole(&text);
                count += 1;
            }
        }
    }
    assert!(count > 2_000, "{NAME}: {count}");
}

/// Deep and long bodies take linear time, and little stack.
#[test]
fn deep_and_long_bodies() {
    let run = || {
        let texts = |count: usize| {
            [
                format!("{}NULL;{}", "BEGIN ".repeat(count), " END;".repeat(count)),
                format!(
                    "BEGIN {}NULL;{} END",
                    "IF a THEN ".repeat(count),
                    " END IF;".repeat(count)
                ),
                format!("BEGIN {} END", "IF a ".repeat(count)),
                format!("BEGIN {} END", "x := (1; ".repeat(count)),
                format!("BEGIN {} END", "SELECT ((1; ".repeat(count)),
                format!("BEGIN {} END", "CREATE RULE r ((1; ".repeat(count)),
                format!("BEGIN {} END", "CREATE FUNCTION f() BEGIN ATOMIC ".repeat(count)),
                format!("DECLARE {} END", "x int := (".repeat(count)),
                format!("BEGIN {} END", "EXECUTE a INTO b USING ".repeat(count)),
                format!("BEGIN x := {}1{}; END", "(".repeat(count), ")".repeat(count)),
                format!("BEGIN {} END", "FOR a IN ".repeat(count)),
                format!("BEGIN {} END", "a[".repeat(count)),
                "END ".repeat(count),
                "<<a>> ".repeat(count),
            ]
        };
        for (small, large) in texts(500).iter().zip(&texts(2_000)) {
            let took = |text: &str| {
                let start = Instant::now();
                let root = whole(text);
                let depth = root.descendants().map(|node| node.ancestors().count()).max();
                assert!(depth.unwrap() <= MAX_DEPTH + 2, "{NAME}: {depth:?}");
                start.elapsed().as_secs_f64()
            };
            let (short, long) = (took(small), took(large));
            assert!(long < short * 40.0 + 1.0, "{NAME}: {short} {long} for {small:.60}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(run).unwrap();
    thread.join().unwrap();
}

//! Concrete trees of scripts: all of the text, the statements of `parse_script`, and the same tree after edits.

use super::NAME;
use super::pg::parse_script;
use super::pg_syntax::rowan::{NodeOrToken, TextRange};
use super::pg_syntax::{Script, SyntaxKind, SyntaxNode, mistakes};
use crate::common::scripts::{own, regression};

fn parse(text: &str) -> Script {
    Script::parse(text).unwrap_or_else(|error| panic!("{error} for {text}"))
}

/// psql scripts, with what is between statements, and in them.
const SCRIPTS: &[&str] = &[
    "",
    " ",
    ";",
    "\u{feff}SELECT 1;",
    "\u{feff}",
    "SELECT 1;\r\nSELECT 2;\r\n",
    "SELECT 1\0; SELECT 2;\0",
    "\\set x 1\nSELECT a; -- one\nCOPY t FROM stdin;\n1;2\n\\.\nSELECT b \\gset\n",
    "COPY t FROM stdin; SELECT 1;\n1\t'\n\\.\nSELECT 2",
    "COPY t FROM stdin; SELECT\n1\t'\n\\.\n2, 3; SELECT 4;",
    "COPY t FROM stdin; -- why\n1\t'\n\\.\n2, 3; SELECT 4;",
    "COPY t FROM stdin;\r\n1\r\n\\.\r\nSELECT 1;",
    "COPY t FROM stdin;\n1\n2",
    "COPY t FROM stdin",
    "COPY t FROM :x stdin;\n1\n\\.\nCOPY t FROM :x stdin;\nSELECT 1;",
    "\\copy t from stdin\n1\n\\.\nSELECT 1;",
    "SELECT 1 \\if :x \\\\ + 2 \\else\n + 3 \\endif \\gx\n\\q",
    "SELECT 1 -- one\n\\g out.txt  \r\nSELECT 2",
    "SELECT 1\\; SELECT 2\\:\\:int; SELECT a[1\\:2];",
    "\\;\\;; \\; \\set x 1\n\\;;\\;/* c */\\; SELECT 1\\;\\;;\\;",
    "SELECT 1 \\r SELECT 2; /* c */ ;; -- d\n;",
    "SELECT (1;\nSELECT 'a;\nSELECT 'b';\nSELECT 3",
    "SELECT 1 /* open\nSELECT 2;",
    "/* open",
    "SELECT 'a\n  SELECT 1;\nSELECT $$b;\nSELECT 1;",
    "SET standard_conforming_strings = off;\nSELECT 'a\\';', 'é\\é';\n\\connect x\nSELECT 'a\\';",
    "BEGIN; SET LOCAL standard_conforming_strings = off; SELECT '\\''; ROLLBACK; SELECT '\\';",
    "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END; SELECT 3;",
    "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);",
    "SELECT \\echo a\n 'b' -- c\n 'd' \\x\n;",
    "\\\\ \\ \\. \\; \\: \\",
    "ä\\ö SELECT ü; \\ü\nSELEC 1; GRANT; SELECT 1",
];

fn scripts() -> Vec<String> {
    let files = own().into_iter().chain(regression());
    let mut scripts: Vec<_> = files.map(|(_, script)| script).collect();
    scripts.extend(SCRIPTS.iter().map(ToString::to_string));
    scripts
}

fn has_mistakes(root: &SyntaxNode) -> bool {
    mistakes(root).next().is_some()
}

/// Checks what holds for all scripts, and returns how many statements are correct.
fn check(script: &Script) -> usize {
    let (text, root) = (script.text(), script.root());
    assert!(root.text() == text, "{NAME}: {root:#?}\nfor {text}");
    assert_eq!(root.kind(), SyntaxKind::SCRIPT);
    for node in root.descendants().skip(1) {
        let ends = [node.first_child_or_token(), node.last_child_or_token()];
        let is_trivia = |end: &NodeOrToken<_, _>| match end {
            NodeOrToken::Node(_) => false,
            NodeOrToken::Token(token) => {
                let token: &super::pg_syntax::SyntaxToken = token;
                token.kind().is_trivia()
            }
        };
        assert!(
            !ends.into_iter().flatten().any(|end| is_trivia(&end)),
            "{NAME}: {node:#?}\nin {text}"
        );
    }
    let stmts = parse_script(text);
    let nodes: Vec<_> = root.children().collect();
    assert_eq!(nodes.len(), stmts.len(), "{NAME}: {root:#?}\nfor {text}");
    let mut correct = 0;
    for (stmt, node) in stmts.iter().zip(&nodes) {
        assert_eq!(node.kind(), SyntaxKind::SCRIPT_STMT, "{NAME}: {text}");
        let range = node.text_range();
        assert_eq!(usize::from(range.start()), stmt.range.start, "{NAME}: {node:#?}\nin {text}");
        let (end, all) = (stmt.range.end, usize::from(range.end()));
        let last = node.last_token().unwrap();
        let is_end = last.kind() == SyntaxKind::SEMICOLON
            || (last.kind() == SyntaxKind::PSQL_COMMAND && last.text().starts_with('\\'));
        assert!(end == all || (end < all && is_end), "{NAME}: {node:#?}\nin {text}");
        if stmt.result.is_ok() {
            assert!(!has_mistakes(node), "{NAME}: {node:#?}\nin {text}");
            correct += 1;
        }
    }
    let data: Vec<_> = stmts.into_iter().filter_map(|stmt| stmt.copy_data).collect();
    let tokens = root.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let tokens = tokens.filter(|token| token.kind() == SyntaxKind::COPY_DATA);
    let ranges: Vec<_> =
        tokens.map(|token| std::ops::Range::<usize>::from(token.text_range())).collect();
    // Those of `\copy` belong to no statement.
    assert!(data.iter().all(|data| ranges.contains(data)), "{NAME}: {data:?} {ranges:?} in {text}");
    correct
}

#[test]
fn whole_scripts() {
    let correct: usize = scripts().iter().map(|script| check(&parse(script))).sum();
    assert!(correct > 20_000, "{NAME}: {correct}");
}

/// The parts of the root, and the tokens in its statements that are psql's.
fn parts(text: &str) -> Vec<String> {
    let script = parse(text);
    check(&script);
    let mut parts = Vec::new();
    for part in script.root().children_with_tokens() {
        if !part.kind().is_trivia() {
            let text = match &part {
                NodeOrToken::Node(node) => node.text().to_string(),
                NodeOrToken::Token(token) => token.text().to_owned(),
            };
            parts.push(format!("{} {text}", part.kind().as_str()));
        }
        let Some(node) = part.into_node() else { continue };
        let tokens = node.descendants_with_tokens().filter_map(NodeOrToken::into_token);
        let psql = [SyntaxKind::PSQL_COMMAND, SyntaxKind::COPY_DATA];
        for token in tokens.filter(|token| psql.contains(&token.kind())) {
            parts.push(format!("  {} {}", token.kind().as_str(), token.text()));
        }
    }
    parts
}

#[test]
fn what_is_of_psql() {
    assert_eq!(
        parts("\u{feff}\\set x 1\r\n;SELECT 1 \\if :x \\\\ + 2\n\\endif \\gx a  \nSELECT\\; \\q"),
        [
            "PSQL_COMMAND \\set x 1",
            "';' ;",
            "SCRIPT_STMT SELECT 1 \\if :x \\\\ + 2\n\\endif \\gx a",
            "  PSQL_COMMAND \\if :x \\\\",
            "  PSQL_COMMAND \\endif",
            "  PSQL_COMMAND \\gx a",
            "SCRIPT_STMT SELECT\\;",
            "PSQL_COMMAND \\q",
        ]
    );
    assert_eq!(
        parts(
            "COPY t FROM stdin; SELECT\n1;'\n\\.\n2;\n\\copy t from stdin\n;\n\\.\n; SELECT 1 \\r\na"
        ),
        [
            "SCRIPT_STMT COPY t FROM stdin;",
            "SCRIPT_STMT SELECT\n1;'\n\\.\n2;",
            "  COPY_DATA 1;'\n\\.",
            "PSQL_COMMAND \\copy t from stdin",
            "COPY_DATA ;\n\\.",
            "';' ;",
            "ERROR SELECT",
            "ERROR 1",
            "PSQL_COMMAND \\r",
            "SCRIPT_STMT a",
        ]
    );
}

#[test]
fn statements_are_what_the_symbol_has() {
    let script = parse("SELECT 1\\:\\:int;");
    let stmt = script.root().first_child().unwrap();
    let parts: Vec<_> = stmt.children_with_tokens().map(|part| part.kind().as_str()).collect();
    assert_eq!(parts, ["simple_select", "';'"]);
    let mut tokens = stmt.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let cast = tokens.find(|token| token.kind() == SyntaxKind::TYPECAST).unwrap();
    assert_eq!(cast.text(), "\\:\\:");
    assert_eq!(cast.text_range(), TextRange::new(8.into(), 12.into()));
}

/// A small generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// What is put in: much of it opens or ends something.
const PUT_IN: &[&str] = &[
    "",
    "",
    "x",
    " ",
    ";",
    "'",
    "\"",
    "$$",
    "(",
    ")",
    "/*",
    "*/",
    "--",
    "\n",
    "\r\n",
    "\\",
    "\\.",
    "\\.\n",
    ":",
    "\\g",
    "\\gset x\n",
    "\\r",
    "\\connect a\n",
    "\\if :x\n",
    "\\;",
    "é",
    "\0",
    "\u{feff}",
    "SELECT 1;",
    "\nSELECT 2;\n",
    "\nCOPY t FROM stdin;\n",
    "COPY t FROM stdin;",
    "\n\\copy t from stdin\n",
    "COPY t FROM :x stdin;\n",
    "\nSET standard_conforming_strings = off;\n",
    "RESET ALL;",
    "BEGIN;",
    "COMMIT;",
    "ROLLBACK;",
    "SAVEPOINT a;",
    "SELECT '\\';\n",
    "\nCREATE FUNCTION f() BEGIN ATOMIC\n",
    "END;",
    "\n$$;\nSELECT '",
    "\n  SELECT",
];

fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap()
}

fn edit_often(script: &mut Script, numbers: &mut Numbers, edits: usize) {
    for _ in 0..edits {
        let text = script.text().to_owned();
        let start = boundary(&text, numbers.below(text.len() + 1));
        let length = [0, 0, 1, 3, 20, 300][numbers.below(6)];
        let end = boundary(&text, (start + length).min(text.len())).max(start);
        let put_in = PUT_IN[numbers.below(PUT_IN.len())];
        script.edit(start..end, put_in).unwrap();
        let expected = parse(script.text());
        assert!(
            script.root().green() == expected.root().green(),
            "{NAME}: {start}..{end} {put_in:?} in {text:?}\n{:#?}\n{:#?}",
            script.root(),
            expected.root(),
        );
        let (found, expected) = (script.check(), expected.check());
        assert_eq!(found, expected, "{NAME}: {start}..{end} {put_in:?} in {text:?}");
    }
}

#[test]
fn edits_of_small_scripts() {
    let mut numbers = Numbers(1);
    for text in SCRIPTS {
        for _ in 0..20 {
            edit_often(&mut parse(text), &mut numbers, 12);
        }
    }
    // Several of them, one after the other.
    for _ in 0..60 {
        let text: Vec<_> = (0..8).map(|_| SCRIPTS[numbers.below(SCRIPTS.len())]).collect();
        edit_often(&mut parse(&text.join("\n")), &mut numbers, 12);
    }
}

#[test]
fn edits_of_all_scripts() {
    let mut numbers = Numbers(2);
    for text in scripts().iter().filter(|text| text.len() < 20_000) {
        edit_often(&mut parse(text), &mut numbers, 4);
    }
}

/// What an edit does not touch is the same green tree, not only an equal one.
#[test]
fn an_edit_shares_the_rest() {
    let text = "SELECT a, b FROM t WHERE c = 1;\nSET a = 1;\n\\echo x\n".repeat(1_000);
    let mut script = parse(&text);
    for at in [0, text.len() / 2, text.len() - 20] {
        let before = script.root();
        script.edit(at..at, "x").unwrap();
        let after = script.root();
        let address = |node: &SyntaxNode| std::ptr::from_ref(&*node.green()).cast::<()>().addr();
        let is_other = |(one, other): &(SyntaxNode, SyntaxNode)| address(one) != address(other);
        let others = before.children().zip(after.children()).filter(is_other).count();
        assert!(others <= 3, "{NAME}: {others} after an edit at {at}");
        assert_eq!(before.text(), text.as_str());
        script.edit(at..at + 1, "").unwrap();
    }
}

#[test]
fn edits_that_are_none() {
    let mut script = parse("SELECT 'ä'; SELECT 2");
    for range in [9..10, 3..99, 99..99] {
        assert!(script.edit(range, "x").is_err());
    }
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = script.edit(3..2, "x");
    assert_eq!(reversed.unwrap_err().kind(), pg_ast::ErrorKind::Edit);
    assert_eq!(script.text(), "SELECT 'ä'; SELECT 2");
    check(&script);
}

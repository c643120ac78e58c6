//! The concrete tree: it has all of the SQL, whatever that is, and what PostgreSQL's tree has.

use core::ops::Range;
use std::collections::BTreeMap;

use pg_ast::ParserOptions;

use super::NAME;
use super::pg::{self, view};
use super::pg_syntax::rowan::{NodeOrToken, TextRange};
use super::pg_syntax::{
    self as syntax, Mistake, NodesByRange, Script, SyntaxKind, SyntaxNode, mistakes,
};
use crate::common::corpus;

fn parse(sql: &str) -> SyntaxNode {
    syntax::parse(sql).unwrap_or_else(|error| panic!("{error} for {sql}"))
}

/// Checks what holds for all SQL, and returns the tree.
fn whole(sql: &str) -> SyntaxNode {
    let root = parse(sql);
    assert!(root.text() == sql, "{NAME}: {root:#?}\nfor {sql}");
    for node in root.descendants().skip(1) {
        let ends = [node.first_child_or_token(), node.last_child_or_token()];
        for end in ends {
            let end = end.unwrap_or_else(|| panic!("{NAME}: an empty {node:?} for {sql}"));
            assert!(
                !end.kind().is_trivia(),
                "{NAME}: {node:?} begins or ends with {end:?} for {sql}"
            );
        }
    }
    root
}

fn has_mistakes(root: &SyntaxNode) -> bool {
    mistakes(root).next().is_some()
}

/// Nodes that a rule makes of a part of its symbols only, so that they have no node in the concrete tree:
/// the column in `a.b[1]`, the table's alias in `INSERT INTO t AS a`, the arguments of `LIKE .. ESCAPE`.
const PARTS: &[&str] =
    &["A_Const", "Alias", "ColumnRef", "FuncCall", "Integer", "List", "RangeVar", "TypeName"];

#[test]
fn regression_statements() {
    let mut statements = corpus::own_statements();
    statements.extend(corpus::statements());
    // How many nodes there are of each type, and how many of them have the range of a node or token.
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut missing = BTreeMap::new();
    let mut paired = 0;
    for sql in &statements {
        let root = whole(sql);
        let tree = view::parse_with_ranges(sql, ParserOptions::default());
        let Ok(tree) = tree else { continue };
        let nodes = NodesByRange::new(&tree, 0);
        for concrete in root.descendants() {
            for node in nodes.of(&concrete) {
                let range = tree.range(node).unwrap();
                assert_eq!(range, Range::<usize>::from(concrete.text_range()), "{NAME}: {sql}");
                let outermost = syntax::node_of(&root, range).unwrap();
                assert!(concrete.ancestors().any(|node| node == outermost), "{NAME}: {sql}");
                paired += 1;
            }
        }
        assert!(!has_mistakes(&root), "{NAME}: {root:#?}\nfor {sql}");
        for node in tree.nodes() {
            let Some(place) = tree.range(node) else { continue };
            let size = |offset: usize| u32::try_from(offset).unwrap().into();
            let range = TextRange::new(size(place.start), size(place.end));
            let is_there = root.covering_element(range).text_range() == range;
            let count = counts.entry(node.name()).or_default();
            count[0] += 1;
            count[1] += usize::from(is_there);
            if !is_there {
                missing.entry(node.name()).or_insert_with(|| format!("{:?} of {sql}", &sql[place]));
            }
        }
    }
    for (name, [all, there]) in &counts {
        let few = PARTS.contains(name) && all - there <= all / 20;
        assert!(all == there || few, "{NAME}: {name} {there} of {all}: {}", missing[name]);
    }
    assert!(counts.len() > 150 && paired > 500_000, "{NAME}: {} {paired}", counts.len());
}

/// The nodes of a tree, without its tokens: each kind with its parts in parentheses.
fn shape(sql: &str) -> String {
    fn write(node: &SyntaxNode, out: &mut String) {
        out.push_str(node.kind().as_str());
        let children: Vec<_> = node.children().collect();
        if !children.is_empty() {
            out.push('(');
            for (index, child) in children.iter().enumerate() {
                out.push_str(if index > 0 { " " } else { "" });
                write(child, out);
            }
            out.push(')');
        }
    }
    let mut out = String::new();
    write(&parse(sql), &mut out);
    out
}

#[test]
fn nodes_follow_the_rules() {
    // No class of keywords, and no chain of names for one expression.
    assert_eq!(
        shape("SELECT abort, 1 FROM t"),
        "parse_toplevel(stmtmulti(simple_select(target_list(target_el(columnref(ColId)) \
         target_el(AexprConst(Iconst))) from_clause(from_list(table_ref(relation_expr(\
         qualified_name(ColId))))))))"
    );
    // A list is one node.
    let list = parse("SELECT f(1, 2, 3, 4)");
    let lists = list.descendants().filter(|node| node.kind() == SyntaxKind::func_arg_list);
    assert_eq!(lists.map(|list| list.children().count()).collect::<Vec<_>>(), [4]);
    // Several statements.
    let root = parse(";SELECT 1;; SELECT 2 ;");
    let stmts = root.first_child().unwrap();
    assert_eq!((stmts.kind(), stmts.children().count()), (SyntaxKind::stmtmulti, 2));
}

#[test]
fn tokens_are_what_they_were() {
    let kinds = |sql: &str| {
        let tokens = parse(sql).descendants_with_tokens().filter_map(NodeOrToken::into_token);
        let tokens: Vec<_> = tokens.map(|token| (token.kind(), token.text().to_owned())).collect();
        tokens.into_iter().filter(|(kind, _)| *kind != SyntaxKind::BLANK).collect::<Vec<_>>()
    };
    let texts = |sql: &str| -> Vec<_> {
        kinds(sql).into_iter().map(|(kind, text)| format!("{} {text}", kind.as_str())).collect()
    };
    assert_eq!(
        texts("SELECT U&'a!0041' /* c */ UESCAPE -- d\n '!', a NOT IN (1)"),
        [
            "SELECT SELECT",
            "SCONST U&'a!0041'",
            "C_COMMENT /* c */",
            "UESCAPE UESCAPE",
            "SQL_COMMENT -- d",
            "SCONST '!'",
            "',' ,",
            "IDENT a",
            "NOT_LA NOT",
            "IN_P IN",
            "'(' (",
            "ICONST 1",
            "')' )",
        ]
    );
    // What the scanner rejects, and a NUL.
    assert_eq!(
        texts("SELECT 'a\nFROM t\0"),
        ["SELECT SELECT", "ERROR 'a", "FROM FROM", "IDENT t", "ERROR \0"]
    );
    // It ends a comment as well.
    assert_eq!(
        texts("-- a\0SELECT /* b\0c"),
        ["SQL_COMMENT -- a", "ERROR \0", "SELECT SELECT", "ERROR /* b", "ERROR \0", "IDENT c"]
    );
    // Without the error, these strings are one.
    assert_eq!(
        texts("SELECT 'a'\n\0'b'"),
        ["SELECT SELECT", "SCONST 'a'", "ERROR \0", "SCONST 'b'"]
    );
    // What only the parser's filter rejects, more often than it is asked.
    let wrong = "U&'\\x', ".repeat(20);
    let kinds = kinds(&format!("SELECT {wrong} a"));
    let errors = kinds.iter().filter(|(kind, _)| *kind == SyntaxKind::ERROR);
    assert!(errors.clone().filter(|(_, text)| text == "U&'\\x'").count() == 20, "{kinds:?}");
    assert!(!kinds.iter().any(|(kind, _)| *kind == SyntaxKind::UESCAPE), "{kinds:?}");
}

#[test]
fn mistakes_are_marked() {
    let root = whole("SELECT a ] ] FROM t WHERE a = ) AND");
    let errors = root.descendants().filter(|node| node.kind() == SyntaxKind::ERROR);
    let errors: Vec<_> = errors.map(|error| error.text().to_string()).collect();
    assert_eq!(errors, ["] ]", ")"], "{root:#?}");
    let tokens = root.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let missing = tokens.filter(|token| token.text().is_empty()).map(|token| token.kind());
    assert_eq!(missing.collect::<Vec<_>>(), [SyntaxKind::IDENT; 3], "{root:#?}");
    assert!(root.descendants().any(|node| node.kind() == SyntaxKind::from_clause), "{root:#?}");
    // What only the parser's filter of tokens rejects.
    let root = whole("SELECT U&'\\xx', U&'a' UESCAPE 'x1' FROM t");
    assert!(root.descendants().any(|node| node.kind() == SyntaxKind::from_clause), "{root:#?}");
    // Nothing at all, and no SQL at all.
    for sql in ["", " ", "--", "\u{feff}", "\\echo a", ")))", "/*", "$$", "ä", "SELECT \"\""] {
        whole(sql);
    }
}

#[test]
fn comments_about_nodes() {
    let of = |sql: &str, kind: SyntaxKind| -> Vec<String> {
        let root = whole(sql);
        let nodes = root.descendants().filter(|node| node.kind() == kind);
        let texts = |node: SyntaxNode| {
            let found: Vec<_> = syntax::comments(&node).map(|it| it.to_string()).collect();
            format!("{}: {}", node.text(), found.join(" "))
        };
        nodes.map(texts).collect()
    };
    for (sql, expected) in [
        ("SELECT /* a */ a b, c d /* c */", ["a b: /* a */", "c d: /* c */"]),
        ("SELECT a b, /* c */ c d", ["a b: ", "c d: /* c */"]),
        ("SELECT a b /* a */, c d -- c", ["a b: /* a */", "c d: -- c"]),
        ("SELECT a b, /* a */ -- a\n\n c d;-- c\n--d", ["a b: /* a */ -- a", "c d: -- c"]),
        ("SELECT a b -- a\n -- a\n , -- c\n c d", ["a b: -- a", "c d: "]),
        ("SELECT -- x\n -- a\n a b, -- x\n\n -- y\n\n -- c\n c d", ["a b: -- a -- x", "c d: -- c"]),
        (
            "SELECT -- x\n /* a\n\n */ /* a */ a b,\n-- c\n/* c */ c d",
            ["a b: /* a\n\n */ /* a */", "c d: -- c /* c */"],
        ),
    ] {
        assert_eq!(of(sql, SyntaxKind::target_el), expected, "{sql}");
    }
    let items = of("SELECT a b, -- a\r c d, e f", SyntaxKind::target_el);
    assert_eq!(items, ["a b: -- a", "c d: ", "e f: "]);
    // What is missing is no token of the line.
    assert_eq!(of("SELECT a b, -- a", SyntaxKind::target_el), ["a b: -- a", ": -- a"]);
    let columns = of("CREATE TABLE t (\n a int -- a\n", SyntaxKind::columnDef);
    assert_eq!(columns, ["a int: -- a"]);
    // The data of a COPY ends its line.
    let script = Script::parse("COPY t FROM STDIN;\n1\n\\.\n-- a\nSELECT 1;").expect("a script");
    let last = script.root().children().last().expect("a statement");
    let found: Vec<_> = syntax::comments(&last).map(|it| it.to_string()).collect();
    assert_eq!(found, ["-- a"], "{:#?}", script.root());
    let stmts = of("-- x\n\n-- a\n/* b */ DROP TABLE a; -- c", SyntaxKind::DropStmt);
    assert_eq!(stmts, ["DROP TABLE a: -- a /* b */ -- c"]);
}

/// SQL that ends too early has a mistake at its end, also if no single token goes on with it.
#[test]
fn unfinished_statements() {
    let unfinished = [
        "REFRESH",
        "DECLARE c",
        "CREATE OR",
        "DROP TEXT",
        "LOCK t IN",
        "CREATE SERVER s",
        "CREATE FUNCTION f() BEGIN",
        "SELECT 1; REFRESH",
        "SELECT a FROM t WHERE",
    ];
    let place = |mistake: Mistake| (mistake.range.start, mistake.range.end);
    for sql in unfinished {
        let end = sql.len();
        for text in [sql.to_owned(), format!("{sql} -- c\n")] {
            let found: Vec<_> = mistakes(&whole(&text)).map(place).collect();
            assert_eq!(found, [(end, end)], "{NAME}: {text}");
        }
        // What is missing is before the semicolon.
        let text = format!("{sql} ;SELECT 1");
        let root = Script::parse(&text).unwrap().root();
        assert_eq!(root.text(), &*text);
        let found: Vec<_> = mistakes(&root).map(place).collect();
        assert_eq!(found, [(end, end)], "{NAME}: {text}");
    }
    // It is no known token.
    let found: Vec<_> = mistakes(&parse("REFRESH")).map(|it| it.missing).collect();
    assert_eq!(found, [None]);
    // More is missing than is put in.
    assert!(mistakes(&parse(&"CASE WHEN (".repeat(200))).next().is_some());
}

/// On a small stack, deep trees are made, walked and dropped.
#[test]
fn deep_statements() {
    let deep = [
        format!("SELECT {}1{}", "(".repeat(5_000), ")".repeat(5_000)),
        format!("SELECT 1{}", " + 1 - 1".repeat(20_000)),
        format!("SELECT {}", "(".repeat(20_000)),
        format!("SELECT {} 1", "NOT ".repeat(5_000)),
        format!("{}SELECT 1{}", "SELECT * FROM (".repeat(2_000), ") a".repeat(2_000)),
        format!("SELECT 1{}", " UNION SELECT 1".repeat(5_000)),
        ")".repeat(20_000),
    ];
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let thread = small.spawn(move || {
        for sql in &deep {
            let root = whole(sql);
            let depth = root.descendants().map(|node| node.ancestors().count()).max();
            assert!(depth.unwrap() <= syntax::MAX_DEPTH + 1, "{depth:?}");
            let again = parse(sql);
            assert!(root.green() == again.green());
            assert!(!format!("{root:?}").is_empty());
        }
    });
    thread.unwrap().join().unwrap();
}

/// Wrong and unfinished statements: they have mistakes if the grammar rejects them.
#[test]
fn mutants() {
    let mut counts = [0; 2];
    let mut judge = |sql: &str| {
        let is_wrong = has_mistakes(&whole(sql));
        match pg::parse(sql) {
            Ok(_) => assert!(!is_wrong, "{NAME}: {sql}"),
            Err(error) if error.message().starts_with("syntax error") => {
                assert!(is_wrong, "{NAME}: {error} for {sql}");
            }
            // An action of the grammar, or the scanner.
            Err(_) => return,
        }
        counts[usize::from(is_wrong)] += 1;
    };
    for (number, sql) in corpus::statements().iter().enumerate().step_by(9) {
        let mut at = number % 11;
        while at < sql.len() {
            if sql.is_char_boundary(at) {
                judge(&sql[..at]);
                let next = sql[at..].find(' ').map_or(sql.len(), |found| at + found);
                judge(&format!("{}{}", &sql[..at], &sql[next..]));
            }
            at += 61;
        }
    }
    assert!(counts.iter().all(|count| *count > 1_000), "{NAME}: {counts:?}");
}

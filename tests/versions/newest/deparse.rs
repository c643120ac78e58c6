//! Deparsing: layouts, comments, single statements, and trees that cannot be printed.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use crate::common::patched::patched_texts;
use crate::common::{corpus, verified, verified_as};
use crate::pg18::version::c_route;
use crate::pg18::version::comments::is_intact;
use pg_ast::protobuf::{
    self, ColumnRef, CreateStmt, ParseResult as Tree, RangeVar, RawStmt, SelectStmt,
};
use pg_ast::{
    Comment, DeparseOptions, Error, ErrorKind, Node, NodeEnum, NodeMut, ParseResult, deparse,
    deparse_stmt, deparse_with, parse,
};

/// The same layout for both sides.
#[derive(Clone, Copy, Debug, Default)]
struct Layout {
    pretty: bool,
    indent: u16,
    line: u16,
    newline: bool,
    commas: bool,
}

impl Layout {
    fn ours(self) -> DeparseOptions {
        DeparseOptions::default()
            .pretty_print(self.pretty)
            .indent_size(self.indent)
            .max_line_length(self.line)
            .trailing_newline(self.newline)
            .commas_start_of_line(self.commas)
    }

    fn theirs(self) -> c_route::Options {
        let mut options = c_route::options();
        options.pretty_print = self.pretty;
        options.indent_size = self.indent.into();
        options.max_line_length = self.line.into();
        options.trailing_newline = self.newline;
        options.commas_start_of_line = self.commas;
        options
    }

    /// Each setting alone and with the others.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for bits in 0..8 {
            let on = |bit: u32| bits & (1 << bit) != 0;
            all.push(Self { pretty: on(0), newline: on(1), commas: on(2), ..Self::default() });
        }
        for (indent, line) in [(1, 0), (2, 1), (3, 40), (8, 200), (17, u16::MAX)] {
            all.push(Self { pretty: true, indent, line, ..Self::default() });
            all.push(Self { indent, line, commas: true, pretty: true, newline: true });
        }
        // Without pretty_print, the other settings have almost no effect.
        all.push(Self { indent: 2, line: 1, commas: true, ..Self::default() });
        all
    }
}

fn result(stmts: Vec<RawStmt>) -> ParseResult {
    Tree { version: 180_000, stmts }.into()
}

/// The statements that libpg_query prints like us: it prints some wrong, and crashes at
/// others. These are in the table against which `tests/version/oracle.rs` checks both.
fn printable(mut tree: ParseResult) -> ParseResult {
    static PATCHED: LazyLock<HashSet<String>> =
        LazyLock::new(|| patched_texts("pg18").into_iter().map(|entry| entry.ours).collect());
    tree.protobuf.stmts.retain(|stmt| {
        let text = deparse(&result(vec![stmt.clone()])).expect("what can be parsed can be printed");
        !PATCHED.contains(&text)
    });
    tree
}

fn node(node: NodeEnum) -> Node {
    Node { node: Some(node) }
}

/// Prints a statement that was made by hand.
fn print(stmt: NodeEnum) -> Result<String, Error> {
    let stmt = RawStmt { stmt: Some(Box::new(node(stmt))), ..RawStmt::default() };
    deparse(&result(vec![stmt]))
}

#[track_caller]
fn cannot_be_printed(stmt: NodeEnum) {
    let error = print(stmt).expect_err("half a tree");
    assert_eq!(error.kind(), ErrorKind::Deparse, "{error:?}");
    assert_eq!(error.cursor(), None);
}

#[test]
fn each_layout_is_that_of_the_oracle() {
    let mut count = 0;
    for (path, sql) in corpus::own() {
        let tree = printable(parse(&sql).expect("our statements parse"));
        for layout in Layout::all() {
            // The entire file at once, and so several statements in one call.
            let ours = deparse_with(&tree, layout.ours());
            if layout.pretty && tree.protobuf.stmts.len() > 1 {
                // libpg_query joins statements by "; " in any layout; here each is on a line of its own.
                let lines = tree.protobuf.stmts.iter().map(|stmt| {
                    let tree = result(vec![stmt.clone()]);
                    let text = c_route::deparse(&tree.protobuf, layout.theirs()).expect("prints");
                    text.trim_end_matches('\n').to_owned() + ";"
                });
                let lines: Vec<_> = lines.collect();
                let end = if layout.newline { "\n" } else { "" };
                assert_eq!(ours.ok(), Some(lines.join("\n") + end), "{path:?} {layout:?}");
                continue;
            }
            let theirs = c_route::deparse(&tree.protobuf, layout.theirs());
            assert_eq!(ours.ok(), theirs.ok(), "{path:?} {layout:?}");
        }
        for stmt in &tree.protobuf.stmts {
            let tree = result(vec![stmt.clone()]);
            for layout in Layout::all().into_iter().step_by(5) {
                let ours = deparse_with(&tree, layout.ours());
                let theirs = c_route::deparse(&tree.protobuf, layout.theirs());
                assert_eq!(ours.ok(), theirs.ok(), "{layout:?}");
                count += 1;
            }
        }
    }
    assert!(count > 5_000, "{count}");
}

#[test]
fn each_setting_shows() {
    let tree = parse("SELECT aaaa, bbbb, cccc FROM t WHERE x AND y").expect("parses");
    let print = |layout: Layout| deparse_with(&tree, layout.ours()).expect("prints");
    let flat = Layout::default();
    assert_eq!(print(flat), "SELECT aaaa, bbbb, cccc FROM t WHERE x AND y");
    let pretty = Layout { pretty: true, ..flat };
    let text = "SELECT aaaa, bbbb, cccc\nFROM t\nWHERE\n    x\n    AND y";
    assert_eq!(print(pretty), text);
    assert_eq!(print(Layout { newline: true, ..pretty }), format!("{text}\n"));
    assert_eq!(print(Layout { indent: 2, ..pretty }), text.replace("    ", "  "));
    let broken = "SELECT\n    aaaa,\n    bbbb,\n    cccc\nFROM t\nWHERE\n    x\n    AND y";
    assert_eq!(print(Layout { line: 10, ..pretty }), broken);
    let commas = broken.replace(",\n    ", "\n    , ");
    assert_eq!(print(Layout { line: 10, commas: true, ..pretty }), commas);
    // Without pretty_print, the others have no effect, except for a space.
    assert_eq!(print(Layout { indent: 2, line: 10, newline: true, ..flat }), print(flat));
    let spaces = "SELECT aaaa , bbbb , cccc FROM t WHERE x AND y";
    assert_eq!(print(Layout { commas: true, ..flat }), spaces);
}

#[test]
fn statements_stand_behind_each_other() {
    verified("SELECT 1; SELECT 2");
    verified_as("select  1 ;; DELETE from T;", "SELECT 1; DELETE FROM t");
    assert_eq!(deparse(&ParseResult::default()).as_deref(), Ok(""));
}

#[test]
fn comments_are_those_of_the_oracle() {
    let (mut texts, mut found, mut refused, mut printed, mut patched) = (0, 0, 0, 0, 0);
    let mut statements = corpus::statements();
    statements.extend(corpus::own().into_iter().map(|(_, sql)| sql));
    statements.sort();
    statements.dedup();
    for sql in &statements {
        texts += 1;
        let ours = match (pg_ast::comments(sql), parse(sql)) {
            (Ok(comments), Ok(tree)) => Some((comments, Some(printable(tree)))),
            (Ok(comments), Err(_)) => Some((comments, None)),
            (Err(error), _) => {
                let theirs = c_route::with_comments(sql, c_route::options(), |_, _| ());
                assert_eq!(
                    Some(error.message()),
                    theirs.err().map(|e| e.message).as_deref(),
                    "{sql}"
                );
                refused += 1;
                None
            }
        };
        let Some((comments, tree)) = ours else { continue };
        found += comments.len();
        let layouts = [Layout::default(), Layout { pretty: true, ..Layout::default() }];
        for layout in layouts {
            let theirs = c_route::with_comments(sql, layout.theirs(), |found, options| {
                assert_eq!(found, tuples(&comments), "{sql}");
                let print = |tree: &ParseResult| c_route::deparse(&tree.protobuf, options);
                tree.as_ref().filter(|_| !found.is_empty()).map(print)
            });
            let Ok(Some(theirs)) = theirs else { continue };
            let tree = tree.as_ref().expect("a tree");
            let ours = deparse_with(tree, layout.ours().comments(comments.clone()));
            printed += 1;
            if ours.as_ref().ok() != theirs.as_ref().ok() {
                // libpg_query loses comments, cuts blanks off them, or hides tokens behind them.
                let bare = deparse_with(tree, layout.ours()).expect("prints");
                let theirs = theirs.expect("it prints the same trees");
                assert!(!is_intact(&theirs, &bare, &comments), "{sql}\n{theirs}");
                let ours = ours.expect("prints");
                assert!(is_intact(&ours, &bare, &comments), "{sql}\n{ours}");
                patched += 1;
            }
        }
    }
    println!(
        "{texts} texts, of which {refused} do not scan; {found} comments; {printed} times printed \
         with comments, {patched} times by a patch"
    );
    assert!(texts > 35_000 && refused > 30, "{texts} {refused}");
    assert!(found > 10_000 && printed > 10_000, "{found} {printed}");
    assert!(patched < printed / 4, "{patched}");
}

fn tuples(comments: &[Comment]) -> Vec<(String, usize, usize, usize)> {
    let tuple = |comment: &Comment| {
        let Comment { text, match_location, newlines_before, newlines_after, .. } = comment;
        (text.clone(), *match_location, *newlines_before, *newlines_after)
    };
    comments.iter().map(tuple).collect()
}

#[test]
fn comments_go_back_to_their_place() {
    let sql = "-- head\n\nSELECT a, -- é\n  b /* in */ FROM t;\n-- between\nDELETE FROM u -- tail";
    let comments = pg_ast::comments(sql).expect("scans");
    let texts = ["-- head", "-- é", "/* in */", "-- between", "-- tail"];
    assert_eq!(comments.iter().map(|comment| &*comment.text).collect::<Vec<_>>(), texts);
    assert_eq!(comments[0].newlines_after, 2);
    let options = DeparseOptions::default().pretty_print(true).comments(comments);
    let text = deparse_with(&parse(sql).expect("parses"), &options).expect("prints");
    let again = pg_ast::comments(&text).expect("scans");
    let again: Vec<_> = again.iter().map(|comment| &*comment.text).collect();
    assert_eq!(again, texts, "{text}");
}

#[test]
fn a_comment_with_a_nul_is_refused() {
    let mut comments = pg_ast::comments("/* a */ SELECT 1").expect("scans");
    comments[0].text = "/* \0 */".to_owned();
    let options = DeparseOptions::default().comments(comments);
    let error = deparse_with(&parse("SELECT 1").expect("parses"), &options).expect_err("a NUL");
    assert_eq!(error.kind(), ErrorKind::Nul);
}

#[test]
fn a_comment_from_behind_the_text_goes_to_its_end() {
    let comments = pg_ast::comments("/* a */ SELECT 1").expect("scans");
    let print = |sql: &str, match_location: usize| {
        let mut comments = comments.clone();
        comments[0].match_location = match_location;
        let options = DeparseOptions::default().comments(comments);
        deparse_with(&parse(sql).expect("parses"), &options)
    };
    assert_eq!(print("SELECT 1", 1_000).as_deref(), Ok("SELECT 1 /* a */"));
    assert_eq!(print("SELECT 1; SELECT 2", 1_000).as_deref(), Ok("SELECT 1; SELECT 2 /* a */"));
    // C counts to 2^31 - 1.
    assert_eq!(print("SELECT 1", usize::MAX).as_deref(), Ok("SELECT 1 /* a */"));
    assert_eq!(
        print("SELECT 1; SELECT 2", usize::MAX).as_deref(),
        Ok("SELECT 1; SELECT 2 /* a */")
    );
}

#[test]
fn single_statements_print_alone() {
    let pretty = DeparseOptions::default().pretty_print(true);
    for (path, sql) in corpus::own() {
        for raw in parse(&sql).expect("our statements parse").into_protobuf().stmts {
            let stmt = raw.stmt.as_deref().expect("a statement");
            for options in [&DeparseOptions::default(), &pretty] {
                let expected = deparse_with(&result(vec![raw.clone()]), options);
                assert_eq!(deparse_stmt(stmt, options), expected, "{path:?}");
            }
        }
    }
}

#[test]
fn what_is_no_statement_cannot_be_printed_alone() {
    let column = NodeEnum::ColumnRef(ColumnRef::default());
    for node in [Node { node: None }, Node { node: Some(column) }] {
        let error = deparse_stmt(&node, DeparseOptions::default()).expect_err("no statement");
        assert_eq!(error.kind(), ErrorKind::Deparse, "{error:?}");
    }
}

#[test]
fn a_nul_in_the_tree_is_refused() {
    let mut tree = parse("SELECT 'x' FROM t").expect("parses");
    let stmt = tree.protobuf.stmts[0].stmt.as_mut().and_then(|stmt| stmt.node.as_mut());
    let Some(NodeEnum::SelectStmt(select)) = stmt else { panic!("{stmt:?}") };
    let Some(NodeEnum::RangeVar(table)) = &mut select.from_clause[0].node else { panic!() };
    table.relname = "a\0b".to_owned();
    let error = deparse(&tree).expect_err("a NUL");
    assert_eq!(error.kind(), ErrorKind::Nul);
    assert!(error.message().contains(r#""a\0b""#), "{error}");
    // The next call is not affected.
    verified("SELECT 1");
}

#[test]
fn half_a_tree_cannot_be_printed() {
    assert_eq!(
        deparse(&result(vec![RawStmt::default()])).map_err(|error| error.kind()),
        Err(ErrorKind::Deparse),
    );
    cannot_be_printed(NodeEnum::UpdateStmt(Box::default()));
    cannot_be_printed(NodeEnum::CreateStmt(Box::default()));
    cannot_be_printed(NodeEnum::JoinExpr(Box::default()));
    let target = |value: NodeEnum| {
        let target = protobuf::ResTarget { val: Some(Box::new(node(value))), ..Default::default() };
        let target_list = vec![node(NodeEnum::ResTarget(Box::new(target)))];
        NodeEnum::SelectStmt(Box::new(SelectStmt { target_list, ..Default::default() }))
    };
    cannot_be_printed(target(NodeEnum::AExpr(Box::default())));
    cannot_be_printed(target(NodeEnum::SubLink(Box::default())));
    // A statement in place of an expression.
    cannot_be_printed(target(NodeEnum::UpdateStmt(Box::default())));
}

#[test]
fn an_empty_list_is_refused() {
    let empty = || Some(Box::new(node(NodeEnum::List(protobuf::List::default()))));
    // HANDLER without a name would not be a statement.
    let option = protobuf::DefElem {
        defname: "handler".to_owned(),
        arg: empty(),
        ..protobuf::DefElem::default()
    };
    let stmt = protobuf::CreateFdwStmt {
        fdwname: "w".to_owned(),
        func_options: vec![node(NodeEnum::DefElem(Box::new(option)))],
        ..protobuf::CreateFdwStmt::default()
    };
    cannot_be_printed(NodeEnum::CreateFdwStmt(Box::new(stmt)));
    // Nor would a IN ().
    let mut tree = parse("SELECT a IN (1)").expect("parses").into_protobuf();
    let _: ControlFlow<()> = tree.walk_mut(|node| {
        if let NodeMut::AExpr(expr) = node {
            expr.rexpr = empty();
        }
        ControlFlow::Continue(())
    });
    let error = tree.deparse().expect_err("a IN ()");
    assert_eq!(error.kind(), ErrorKind::Deparse, "{error:?}");
    // The body is a list of an empty list.
    verified("CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC END");
}

#[test]
fn a_tree_made_by_hand_prints() {
    let table = RangeVar {
        relname: "Täble".to_owned(),
        inh: true,
        relpersistence: "p".to_owned(),
        ..Default::default()
    };
    let create = CreateStmt { relation: Some(table), ..Default::default() };
    let text = print(NodeEnum::CreateStmt(Box::new(create)));
    assert_eq!(text.as_deref(), Ok("CREATE TABLE \"Täble\" ()"));
}

#[test]
fn statements_that_come_back_to_the_letter() {
    for sql in [
        "SELECT 1",
        "SELECT '', NULL, 'a''b', 1.50, b'101', true",
        "SELECT DISTINCT a FROM t",
        "SELECT count(*) FILTER (WHERE a > 1) OVER (PARTITION BY b ORDER BY c) FROM t",
        "WITH x AS MATERIALIZED (SELECT 1) SELECT * FROM x CROSS JOIN y",
        "INSERT INTO t (a, b) VALUES (1, DEFAULT) ON CONFLICT (a) DO NOTHING RETURNING *",
        "UPDATE t SET a = b + 1 FROM u WHERE t.id = u.id",
        "DELETE FROM t USING u WHERE t.id = u.id",
        "CREATE TABLE t (a int PRIMARY KEY, b text NOT NULL DEFAULT 'x')",
        "CREATE INDEX i ON t USING btree (lower(a)) WHERE b IS NOT NULL",
        "ALTER TABLE t ADD COLUMN c int, DROP d",
        "GRANT select ON t TO public",
    ] {
        verified(sql);
    }
}

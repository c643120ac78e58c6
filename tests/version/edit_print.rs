//! Nodes that are printed by themselves: those of views, those of a tree that is edited, and those that are kept.

use super::edit::{SHARED, parse};
use super::pg::view::edit::{New, NodeMut};
use super::pg::view::{Kept, Node, Tree};
use super::pg::{self, make, protobuf};
use pg_ast::ErrorKind;

/// Statements, each with a part that can be printed by itself.
const PRINTED: [&str; 6] = [
    "SELECT a + 1 AS b, (SELECT 1) FROM t JOIN u USING (c) WHERE d IN (1, 2) ORDER BY e LIMIT 3",
    "INSERT INTO s.t (a, b) VALUES (1, DEFAULT), ($1, now()) RETURNING *",
    "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
    "EXPLAIN (ANALYZE) UPDATE t SET a = 1 WHERE b",
    "CREATE TABLE t (a int PRIMARY KEY, b numeric(3, 2) DEFAULT 1)",
    "PREPARE p (int) AS SELECT $1",
];

/// A statement alone is printed as in its tree, wherever it is printed from, and a second time.
#[test]
fn statements() {
    for sql in SHARED.into_iter().chain(PRINTED) {
        let mut tree = parse(sql);
        let expected = tree.deparse().expect("SQL");
        let all = |texts: Vec<String>| texts.join("; ");
        assert_eq!(all(tree.stmts().map(|it| it.deparse().expect("SQL")).collect()), expected);
        assert_eq!(
            all(tree.stmts().map(|it| Node::from(it).deparse().expect("SQL")).collect()),
            expected
        );
        tree.edit(|mut stmts, arena| {
            for _ in 0..2 {
                assert_eq!(stmts.deparse().as_ref(), Ok(&expected), "{sql}");
                let mut texts = [const { Vec::new() }; 6];
                for mut stmt in stmts.iter_mut() {
                    texts[0].push(stmt.deparse().expect("SQL"));
                    texts[1].push(stmt.stmt_mut().deparse().expect("SQL"));
                    let mut place = stmt.stmt_mut();
                    texts[2].push(place.get_mut().expect("a node").deparse().expect("SQL"));
                    texts[3].push(arena.copy(stmt.view()).deparse().expect("SQL"));
                    texts[5].push(Node::from(stmt.view()).deparse().expect("SQL"));
                    texts[4].push(Kept::of(stmt.view()).deparse().expect("SQL"));
                }
                for texts in texts {
                    assert_eq!(all(texts), expected, "{sql}");
                }
            }
        });
        assert_eq!(tree.deparse().as_ref(), Ok(&expected));
    }
}

/// Parts are printed as those of owned trees.
#[test]
fn parts() {
    for sql in SHARED.into_iter().chain(PRINTED) {
        let tree = parse(sql);
        let owned = pg::parse(sql).expect("SQL");
        for (view, node) in tree.nodes().zip(owned.nodes()) {
            if !matches!(view, Node::List(_) | Node::RawStmt(_)) {
                let expected = pg::deparse_node(&node.to_enum().into());
                assert_eq!(view.deparse().ok(), expected.ok(), "{} of {sql}", view.name());
            }
        }
    }
    assert_eq!(Node::Null.deparse().map_err(|error| error.kind()), Err(ErrorKind::Deparse));
}

/// What is not possible or not finished is an error where it is printed, and only there.
#[test]
fn errors() {
    let kind = |result: Result<String, pg_ast::Error>| result.map_err(|error| error.kind());
    let mut tree = parse("SELECT a; SELECT b");
    tree.edit(|mut stmts, arena| {
        let call = arena.make::<protobuf::FuncCall>();
        assert_eq!(kind(call.deparse()), Err(ErrorKind::Deparse));
        let mut named = arena.make::<protobuf::FuncCall>();
        assert_eq!(kind(named.deparse()), Err(ErrorKind::Deparse));
        named.as_mut().funcname_mut().push(arena.string("f"));
        assert_eq!(named.deparse().as_deref(), Ok("f()"));
        // The node without a name is in no place.
        assert_eq!(stmts.deparse().as_deref(), Ok("SELECT a; SELECT b"));
        stmts.push(arena.stmt(arena.select_stmt([arena.res_target(None, named)])));
    });
    assert_eq!(tree.deparse().as_deref(), Ok("SELECT a; SELECT b; SELECT f()"));
    tree.edit(|mut stmts, _| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(NodeMut::FuncCall(mut call)) = slot.get_mut() {
                let _ = call.funcname_mut().pop();
                assert_eq!(kind(call.deparse()), Err(ErrorKind::Deparse));
            }
        }
    });
    assert_eq!(kind(tree.deparse()), Err(ErrorKind::Deparse));
    let mut tree = parse("SELECT a");
    tree.edit(|stmts, arena| {
        let column = arena.column_ref(["\0"]);
        assert_eq!(kind(column.deparse()), Err(ErrorKind::Nul));
        assert_eq!(kind(stmts.deparse()), Err(ErrorKind::Nul));
    });
}

/// A node that `update` makes, and that is not finished, is found.
#[test]
fn update_with_an_unfinished_node() {
    let mut tree = parse("SELECT 1");
    tree.edit(|mut stmts, arena| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(Node::AConst(_)) = slot.get() {
                slot.update(|_| arena.make::<protobuf::FuncCall>());
                nodes.skip_children();
            }
        }
    });
    assert!(tree.deparse().is_err(), "{:?}", tree.deparse());
    let mut tree = parse("SELECT 1");
    tree.edit(|mut stmts, _| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(NodeMut::AConst(_)) = slot.get_mut() {
                slot.update(|node| node);
            }
        }
    });
    assert_eq!(tree.deparse().as_deref(), Ok("SELECT 1"));
}

/// A number or a text that is set to what has no SQL is found, and one that has some is none.
#[test]
fn values_that_have_no_sql() {
    let change = |digits: &str| {
        let mut tree = parse("SELECT 1.5");
        tree.edit(|mut stmts, _| {
            let mut nodes = stmts.nodes_mut();
            while let Some(mut slot) = nodes.next() {
                if let Some(NodeMut::Float(mut value)) = slot.get_mut() {
                    value.set_fval(digits);
                }
            }
        });
        tree.deparse()
    };
    assert_eq!(change("2.5").as_deref(), Ok("SELECT 2.5"));
    assert!(change("").is_err());
}

/// Nodes of each kind of place can be kept.
#[test]
fn kept() {
    let tree = parse("SELECT 1, a FROM t; DROP TABLE s.u");
    let stmt = tree.stmts().next().expect("a statement");
    let kept: Kept<protobuf::RawStmt> = Kept::of(stmt);
    assert_eq!(kept.view(), stmt);
    assert_eq!(kept.deparse().as_deref(), Ok("SELECT 1, a FROM t"));
    assert_eq!(kept.clone(), kept);
    let number = tree.nodes().find_map(Node::as_integer).expect("a number");
    let kept: Kept<protobuf::Integer> = Kept::of(number);
    assert_eq!(kept.view().ival(), 1);
    let empty: Kept<protobuf::List> = Kept::build(|arena| arena.list([] as [New<'_>; 0]));
    assert!(empty.view().is_empty() && matches!(empty.node(), Node::Null));
    let names: Kept<protobuf::List> = Kept::build(|arena| arena.names(["a", "b"]));
    assert!(names.view().strs().eq(["a", "b"]));
    let select: Kept<protobuf::SelectStmt> =
        Kept::of(tree.nodes().find_map(Node::as_select_stmt).expect("a query"));
    drop(tree);
    let copy = Tree::build(|arena| arena.copy(select.view()).into());
    assert_eq!(copy.deparse().as_deref(), Ok("SELECT 1, a FROM t"));
    let failed: Result<Kept<protobuf::SelectStmt>, u8> = Kept::try_build(|_| Err(7));
    assert!(matches!(failed, Err(7)));
}

/// What an arena makes is what `make` makes.
#[test]
fn made() {
    fn assert<'t>(new: impl Into<New<'t>>, expected: impl Into<pg::Node>) {
        let new = new.into().view().to_owned_tree().expect("a node");
        assert_eq!(new, expected.into());
    }
    let _ = Tree::build(|arena| {
        for value in [0, -1, i64::from(i32::MIN), i64::from(i32::MAX), 1 << 40] {
            assert(arena.int_const(value), make::int_const(value));
        }
        assert(arena.float_const("1.5"), make::float_const("1.5"));
        for text in ["", "x"] {
            assert(arena.string_const(text), make::string_const(text));
            assert(arena.string(text), make::string(text));
        }
        assert(arena.bool_const(true), make::bool_const(true));
        assert(arena.bool_const(false), make::bool_const(false));
        assert(arena.null_const(), make::null_const());
        assert(arena.param_ref(7), make::param_ref(7));
        assert(arena.column_ref(["t", "a"]), make::column_ref(["t", "a"]));
        assert(arena.star(), make::star());
        assert(arena.range_var(Some("s"), "t"), make::range_var(Some("s"), "t"));
        assert(arena.range_var(None, "t"), make::range_var(None, "t"));
        assert(arena.alias("x"), make::alias("x"));
        assert(
            arena.func_call(["s", "f"], [arena.param_ref(1)]),
            make::func_call(["s", "f"], [make::param_ref(1)]),
        );
        let (a, b) = (|| arena.column_ref(["a"]), || arena.param_ref(1));
        let (c, d) = (|| make::column_ref(["a"]), || make::param_ref(1));
        assert(arena.a_expr("+", a(), b()), make::a_expr("+", c(), d()));
        assert(
            arena.and_expr(arena.and_expr(a(), b()), b()),
            make::and_expr(make::and_expr(c(), d()), d()),
        );
        assert(
            arena.or_expr(arena.and_expr(a(), b()), b()),
            make::or_expr(make::and_expr(c(), d()), d()),
        );
        assert(arena.not_expr(a()), make::not_expr(c()));
        assert(arena.type_name(["x"]), make::type_name(["x"]));
        assert(
            arena.type_cast(a(), arena.type_name(["x"])),
            make::type_cast(c(), make::type_name(["x"])),
        );
        assert(arena.res_target(Some("n"), a()), make::res_target(Some("n"), c()));
        assert(arena.insert_column("n"), make::insert_column("n"));
        let query = || arena.select_stmt([arena.res_target(None, a())]);
        let select = || make::select_stmt([make::res_target(None, c())]);
        assert(query(), select());
        assert(arena.range_subselect(query(), "s"), make::range_subselect(select(), "s"));
        assert(arena.values([arena.list([b()])]), make::values([make::list([d()])]));
        assert(
            arena.insert_stmt(arena.range_var(None, "t"), [arena.insert_column("n")], query()),
            make::insert_stmt(make::range_var(None, "t"), [make::insert_column("n")], select()),
        );
        assert(
            arena.update_stmt(arena.range_var(None, "t"), [arena.res_target(Some("n"), b())]),
            make::update_stmt(make::range_var(None, "t"), [make::res_target(Some("n"), d())]),
        );
        assert(
            arena.delete_stmt(arena.range_var(None, "t")),
            make::delete_stmt(make::range_var(None, "t")),
        );
        let mut with = query();
        let queries = [arena.common_table_expr("x", query())];
        with.as_mut().with_clause_mut().set(arena.with_clause(queries, false));
        assert_eq!(with.deparse().as_deref(), Ok("WITH x AS (SELECT a) SELECT a"));
        query().into()
    });
}

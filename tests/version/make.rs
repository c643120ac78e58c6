//! Nodes made by hand equal those of the grammar for the same SQL.

use super::pg::{self, Node, NodeEnum, make};
use crate::common::without_locations;

/// Returns the only column of a `SELECT`.
fn column(sql: &str) -> Node {
    let mut tree = pg::parse(sql).expect("parses");
    let stmt = tree.protobuf.stmts[0].stmt.take().and_then(|stmt| stmt.node);
    let Some(NodeEnum::SelectStmt(mut select)) = stmt else { panic!("{stmt:?}") };
    let column = select.target_list.remove(0).node;
    let Some(NodeEnum::ResTarget(column)) = column else { panic!("{column:?}") };
    *column.val.expect("an expression")
}

#[track_caller]
fn is_made(sql: &str, made: impl Into<Node>) {
    let (parsed, made) = (column(sql), made.into());
    assert_eq!(without_locations(&made), without_locations(&parsed), "{sql}");
}

#[test]
fn constants_are_those_of_the_grammar() {
    for number in [0, 1, -1, 2_147_483_647, -2_147_483_647, 2_147_483_648, -2_147_483_648] {
        is_made(&format!("SELECT {number}"), make::int_const(number));
    }
    is_made("SELECT 9223372036854775807", make::int_const(i64::MAX));
    is_made("SELECT -9223372036854775808", make::int_const(i64::MIN));
    is_made("SELECT 1.50e3", make::float_const("1.50e3"));
    is_made("SELECT 'it''s'", make::string_const("it's"));
    is_made("SELECT ''", make::string_const(""));
    is_made("SELECT true", make::bool_const(true));
    is_made("SELECT false", make::bool_const(false));
    is_made("SELECT NULL", make::null_const());
}

#[test]
fn expressions_are_those_of_the_grammar() {
    let a = || make::column_ref(["a"]);
    let b = || make::column_ref(["b"]);
    let int = || make::type_name(["pg_catalog", "int4"]);
    is_made("SELECT $7", make::param_ref(7));
    is_made("SELECT a", a());
    is_made("SELECT *", make::star());
    is_made("SELECT s.t.a", make::column_ref(["s", "t", "a"]));
    is_made("SELECT a + b", make::a_expr("+", a(), b()));
    is_made("SELECT a = $1", make::a_expr("=", a(), make::param_ref(1)));
    is_made("SELECT a AND b", make::and_expr(a(), b()));
    is_made("SELECT a AND b AND $1", make::and_expr(make::and_expr(a(), b()), make::param_ref(1)));
    is_made("SELECT a OR b OR $1", make::or_expr(make::or_expr(a(), b()), make::param_ref(1)));
    is_made("SELECT (a OR b) AND a", make::and_expr(make::or_expr(a(), b()), a()));
    is_made("SELECT a AND (b OR a)", make::and_expr(a(), make::or_expr(b(), a())));
    is_made("SELECT NOT a", make::not_expr(a()));
    is_made("SELECT f()", make::func_call(["f"], [] as [Node; 0]));
    is_made("SELECT s.f(a, b)", make::func_call(["s", "f"], [a(), b()]));
    is_made("SELECT a::int", make::type_cast(a(), int()));
    is_made("SELECT CAST(a AS s.t)", make::type_cast(a(), make::type_name(["s", "t"])));
}

/// The tree of each statement is the one of the SQL that it prints.
#[test]
fn statements_are_those_of_the_grammar() {
    let table = || make::range_var(None, "t");
    let a = || make::column_ref(["a"]);
    let one = || make::int_const(1);
    let row = || make::list([one(), make::int_const(2)]);
    let select = |targets: Vec<_>| {
        let mut select = make::select_stmt(targets);
        select.from_clause.push(table().into());
        select
    };
    let subselect = make::range_subselect(select(vec![make::res_target(None, a())]), "s");
    let mut from_subselect = make::select_stmt([make::res_target(None, make::star())]);
    from_subselect.from_clause.push(subselect.into());
    let mut in_list = make::a_expr("=", a(), row());
    in_list.kind = pg::AExprKind::AexprIn.into();
    let mut delete = make::delete_stmt(table());
    delete.where_clause = Some(Box::new(in_list.into()));
    let columns = ["a", "b"].map(make::insert_column);
    let set = [make::res_target(Some("a"), one()), make::res_target(Some("b"), a())];
    for (sql, made) in [
        (
            "SELECT a, 1 AS b FROM t",
            Node::from(select(vec![
                make::res_target(None, a()),
                make::res_target(Some("b"), one()),
            ])),
        ),
        ("SELECT * FROM (SELECT a FROM t) AS s", from_subselect.into()),
        ("VALUES (1, 2), (1, 2)", make::values([row(), row()]).into()),
        (
            "INSERT INTO t (a, b) VALUES (1, 2)",
            make::insert_stmt(table(), columns, make::values([row()])).into(),
        ),
        ("UPDATE t SET a = 1, b = a", make::update_stmt(table(), set).into()),
        ("DELETE FROM t WHERE a IN (1, 2)", delete.into()),
    ] {
        let tree = make::tree(made);
        assert_eq!(tree.deparse(), pg::parse(sql).and_then(|tree| tree.deparse()), "{sql}");
        let mut parsed = pg::parse(sql).expect("parses");
        let mut made = tree;
        parsed.clear_locations();
        made.clear_locations();
        assert!(made == parsed, "{sql}: {made:?} is not {parsed:?}");
    }
}

#[test]
fn tables_are_those_of_the_grammar() {
    let mut aliased = make::range_var(None, "t");
    aliased.alias = Some(make::alias("u"));
    for (sql, made) in [
        ("SELECT FROM t", make::range_var(None, "t")),
        ("SELECT FROM s.t", make::range_var(Some("s"), "t")),
        ("SELECT FROM t AS u", aliased),
    ] {
        let tree = pg::parse(sql).expect("parses");
        let parsed = tree.nodes().find_map(|node| match node {
            pg::NodeRef::RangeVar(table) => Some(table.clone()),
            _ => None,
        });
        assert_eq!(without_locations(&Some(made)), without_locations(&parsed), "{sql}");
    }
}

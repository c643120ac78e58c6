//! Templates of trees that are made by hand.

use pg_ast::ConstantKind;

use super::super::pg::{self, Shape, Template, view};
use super::super::raw::{self, NodeTag};
use super::Memory;

impl Memory {
    /// An item of a list, at its place in the SQL.
    fn item(&mut self, constant: pg::ConstantToken<'_>) -> *mut raw::Node {
        // SAFETY: zeroes are a value of each member.
        let mut val: raw::ValUnion = unsafe { std::mem::zeroed() };
        let text = constant.text();
        let isnull = constant.kind() == ConstantKind::Null;
        match constant.kind() {
            ConstantKind::Integer => {
                let ival = text.parse().expect("a number");
                val.ival = raw::Integer { type_: NodeTag::T_Integer, ival };
            }
            ConstantKind::String => {
                let text = self.text(&text[1..text.len() - 1].replace("''", "'"));
                val.sval = raw::String { type_: NodeTag::T_String, sval: text };
            }
            ConstantKind::Boolean => {
                val.boolval = raw::Boolean { type_: NodeTag::T_Boolean, boolval: text == "true" };
            }
            _ => assert!(isnull, "{text}"),
        }
        let location = i32::try_from(constant.range().start).expect("a place");
        node!(self, A_Const T_A_Const { val: val, isnull: isnull, location: location }).cast()
    }

    /// The tree of `SELECT 1, a IN (1) b` and the like.
    fn list_select(&mut self, sql: &str) -> view::Tree {
        let shape = Shape::of(sql).expect("a shape");
        let mut constants = shape.constants();
        let number = constants.next().expect("a number").text().parse().expect("a number");
        let items: Vec<_> = constants.map(|constant| self.item(constant)).collect();
        let (column, list) = (self.column(&["a"]), self.list(&items));
        let names = [self.string("=")];
        let names = self.list(&names);
        let expr = node!(self, A_Expr T_A_Expr {
            kind: raw::A_Expr_Kind::AEXPR_IN,
            name: names,
            lexpr: column,
            rexpr: list.cast(),
        });
        let number = self.number(number);
        let targets = [self.target("", number), self.target("b", expr.cast())];
        let targets = self.list(&targets);
        let select = node!(self, SelectStmt T_SelectStmt { targetList: targets });
        let stmt = node!(self, RawStmt T_RawStmt { stmt: select.cast() });
        let stmts = self.list(&[stmt.cast()]);
        // SAFETY: all of it is whole, and the caller keeps the memory.
        unsafe { pg::tree_of(stmts, false) }
    }
}

#[test]
fn bound_templates() {
    let mut memory = Memory::default();
    // The short one has a whole number for a value of any kind.
    let [short_sql, long_sql] =
        ["SELECT 1, a IN (1) b", "SELECT 2000, a IN ('it''s', 'second', 'third') b"];
    let [short_shape, long_shape] = [short_sql, long_sql].map(|sql| Shape::of(sql).expect("one"));
    let (short, long) = (memory.list_select(short_sql).compact(), memory.list_select(long_sql));
    let template = Template::of_trees((&short_shape, &short), (&long_shape, &long));
    drop(short);
    let template = template.expect("a template");
    assert_eq!(template.bind(&long_shape).as_ref(), Some(&long));
    drop(long);
    for sql in [
        "SELECT 37, a IN ('a') b",
        "SELECT 37, a IN ('', 'a longer one') b",
        "SELECT 5, a IN ('it''s', '''', NULL, true, -7, 'd', 'e') b",
        "SELECT 0, a IN (NULL) b",
        "SELECT 0, a IN (false, 2147483647) b",
    ] {
        let shape = Shape::of(sql).expect("a shape");
        let tree = memory.list_select(sql);
        let mut bound = template.bind(&shape).expect("binds");
        assert_eq!(bound, tree);
        assert_eq!(bound.compact(), tree);
        assert!(template.bind_into(&shape, &mut bound));
        assert_eq!(bound, tree);
        assert!(template.bind_into(&short_shape, &mut bound));
        drop(tree);
        assert_eq!(
            bound.nodes().count(),
            template.bind(&short_shape).expect("binds").nodes().count()
        );
    }
}

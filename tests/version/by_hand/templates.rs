//! Templates of trees that are made by hand.

use super::super::pg;
use super::super::pg::view;
use super::super::raw::{self, NodeTag};
use super::Memory;

/// `SELECT 1, a IN ('k')` and the like, without locations.
fn with_constants(memory: &mut Memory, number: i32, texts: &[&str]) -> view::Tree {
    let texts: Vec<_> = texts
        .iter()
        .map(|text| {
            // SAFETY: zeroes are a value of each member.
            let mut val: raw::ValUnion = unsafe { std::mem::zeroed() };
            val.sval = raw::String { type_: NodeTag::T_String, sval: memory.text(text) };
            memory.constant(val)
        })
        .collect();
    let (column, list) = (memory.column(&["a"]), memory.list(&texts));
    let names = [memory.string("=")];
    let names = memory.list(&names);
    let expr = node!(memory, A_Expr T_A_Expr {
        kind: raw::A_Expr_Kind::AEXPR_IN,
        name: names,
        lexpr: column,
        rexpr: list.cast(),
    });
    let number = memory.number(number);
    let targets = [memory.target("", number), memory.target("b", expr.cast())];
    let targets = memory.list(&targets);
    let select = node!(memory, SelectStmt T_SelectStmt { targetList: targets });
    let stmt = node!(memory, RawStmt T_RawStmt { stmt: select.cast() });
    let stmts = memory.list(&[stmt.cast()]);
    // SAFETY: all of it is whole, and the caller keeps the memory.
    unsafe { pg::tree_of(stmts, false) }
}

#[test]
fn bound_templates() {
    let mut memory = Memory::default();
    let short = with_constants(&mut memory, 1, &["k"]).compact();
    // As many as there are kinds of values.
    let items = ["it's", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th"];
    let long = with_constants(&mut memory, 2_000, &items);
    let quoted = items.map(|item| format!("'{}'", item.replace('\'', "''"))).join(", ");
    let long_sql = format!("SELECT 2000, a IN ({quoted}) b");
    let [short_shape, long_shape] =
        ["SELECT 1, a IN ('k') b", &long_sql].map(|sql| pg::Shape::of(sql).expect("a shape"));
    let template = pg::Template::of_trees((&short_shape, &short), (&long_shape, &long), &[true]);
    drop(short);
    let template = template.expect("a template");
    assert_eq!(template.bind(&long_shape).as_ref(), Some(&long));
    drop(long);
    for texts in [&["a"][..], &["", "a longer one"], &["it's", "'", "", "d", "e"]] {
        let quoted: Vec<_> = texts.iter().map(|text| text.replace('\'', "''")).collect();
        let sql = format!("SELECT 37, a IN ('{}') b", quoted.join("', '"));
        let shape = pg::Shape::of(&sql).expect("a shape");
        let tree = with_constants(&mut memory, 37, texts);
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

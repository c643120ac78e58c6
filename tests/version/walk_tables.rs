//! Walks over tables: the owned tree and the view find the same places.

use pg_ast::Context;

use super::pg;
use super::pg::protobuf::RangeVar;
use super::pg::view;
use super::pg::{NodeRef, make};
use crate::common::corpus;

/// The tables that a walk meets.
#[derive(Default)]
struct MetTables(Vec<(RangeVar, Context)>);

impl MetTables {
    fn add(&mut self, table: &RangeVar, context: Context) {
        self.0.push((table.clone(), context));
    }
}

#[test]
fn views_and_owned_trees_have_the_same_tables() {
    let (mut tables, mut by_names) = (0, 0);
    let regression = corpus::statements().into_iter().step_by(10);
    for sql in corpus::own_statements().into_iter().chain(regression) {
        let Ok(mut tree) = pg::parse(&sql) else { continue };
        let view = view::parse(&sql).expect("parses as well");
        let (mut read, mut changed) = (MetTables::default(), MetTables::default());
        tree.walk_tables(|table, context| read.add(table, context));
        let before = tree.clone();
        tree.walk_tables_mut(|table, context| changed.add(table, context));
        assert_eq!(read.0, changed.0, "{sql}");
        assert!(tree == before, "{sql}");

        // A table that is made of strings has no location.
        let mut viewed = MetTables::default();
        view.walk_tables(|table, context| {
            viewed.add(&table.to_owned_tree().expect("a copy"), context);
        });
        let expected = read.0.iter().filter(|(table, _)| table.location >= 0).cloned();
        assert_eq!(viewed.0, expected.collect::<Vec<_>>(), "{sql}");
        tables += viewed.0.len();
        by_names += read.0.len() - viewed.0.len();

        let (mut again, mut edited) = (MetTables::default(), view.clone());
        edited.edit(|mut stmts, _| {
            stmts.walk_tables_mut(|table, context| {
                again.add(&table.view().to_owned_tree().expect("a copy"), context);
            });
        });
        assert_eq!(again.0, read.0, "{sql}");
        assert_eq!(edited, view, "{sql}");
    }
    assert!(tables > 500 && by_names > 20, "{tables}, {by_names}");
}

#[test]
fn names_of_a_with_are_left_as_they_are() {
    let sql = "WITH a AS (SELECT * FROM a) SELECT * FROM a, b; DROP TABLE a; COMMENT ON COLUMN a.b IS 'c'";
    let view = view::parse(sql).expect("parses");
    let mut edited = view.clone();
    edited.edit(|mut stmts, _| stmts.walk_tables_mut(|table, _| table.set_schemaname("z")));
    let expected = "WITH a AS (SELECT * FROM z.a) SELECT * FROM a, z.b; DROP TABLE z.a; \
                    COMMENT ON COLUMN z.a.b IS 'c'";
    assert_eq!(edited.deparse().as_deref(), Ok(expected));

    let mut names = Vec::new();
    view.walk_tables(|table, context| names.push((table.relname(), context)));
    assert_eq!(names, [("b", Context::Select), ("a", Context::Select)]);

    // Below a node, only what is there is known.
    let mut names = Vec::new();
    let select = view.stmts().find_map(|stmt| stmt.stmt()?.as_select_stmt()).expect("a SELECT");
    for item in select.from_clause() {
        item.walk_tables(|table, _| names.push(table.relname()));
    }
    assert_eq!(names, ["a", "b"]);

    let tree = pg::parse(sql).expect("parses");
    let mut names = Vec::new();
    let select = tree.stmts().next().and_then(NodeRef::as_select_stmt).expect("a SELECT");
    for item in &select.from_clause {
        item.walk_tables(|table, _| names.push(table.relname.clone()));
    }
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn a_table_in_a_header_is_not_found() {
    let mut odd = make::and_expr(make::bool_const(true), make::bool_const(false));
    odd.xpr = Some(Box::new(make::range_var(None, "t").into()));
    pg::Node::from(odd).walk_tables(|table, _| panic!("{table:?}"));
    pg::Node::default().walk_tables(|table, _| panic!("{table:?}"));
}

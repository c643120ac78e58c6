//! Changes of an owned tree, each from the SQL to the changed SQL. The same ones are measured beside other libraries.

use std::hint::black_box;
use std::ops::ControlFlow;

use pg_ast::protobuf::InsertStmt;
use pg_ast::{Node, NodeMut, ParseResult, VisitMut, make};

/// A change, by its name.
pub type Change = (&'static str, fn(&str));

/// The changes, in the order of the table's columns.
pub const CHANGES: [Change; 8] = [
    ("nothing", |sql| print(&parse(sql))),
    ("rename by nodes_mut", |sql| {
        let mut tree = parse(sql);
        tree.nodes_mut().for_each(|node| {
            if let NodeMut::RangeVar(table) = node {
                table.relname.push_str("_7");
            }
        });
        print(&tree);
    }),
    ("rename by walk_mut", |sql| {
        let mut tree = parse(sql);
        let _ = tree.walk_mut(|node| {
            if let NodeMut::RangeVar(table) = node {
                table.relname.push_str("_7");
            }
            ControlFlow::<()>::Continue(())
        });
        print(&tree);
    }),
    ("rename by walk_tables_mut", |sql| {
        let mut tree = parse(sql);
        tree.walk_tables_mut(|table, _| table.relname.push_str("_7"));
        print(&tree);
    }),
    ("append a target", |sql| {
        let mut tree = parse(sql);
        for stmt in tree.stmts_mut() {
            if let Some(select) = stmt.as_select_stmt_mut() {
                select.target_list.push(make::res_target(None, make::column_ref(["extra"])).into());
            }
        }
        print(&tree);
    }),
    ("one constant", |sql| {
        let mut tree = parse(sql);
        let _ = tree.visit_mut(&mut FirstConstant);
        print(&tree);
    }),
    ("all constants", |sql| {
        let mut tree = parse(sql);
        let mut number = 0;
        tree.transform(|node| {
            if node.as_a_const().is_none() {
                return node;
            }
            number += 1;
            make::param_ref(number).into()
        });
        print(&tree);
    }),
    ("cut VALUES in two", |sql| {
        let mut tree = parse(sql);
        let Some(rows) = rows(&mut tree) else { return print(&tree) };
        let second = rows.split_off(rows.len() / 2);
        print(&tree);
        if let Some(rows) = self::rows(&mut tree) {
            *rows = second;
        }
        print(&tree);
    }),
];

fn parse(sql: &str) -> ParseResult {
    pg_ast::parse(black_box(sql)).expect("parses")
}

fn print(tree: &ParseResult) {
    drop(black_box(pg_ast::deparse(black_box(tree)).expect("prints")));
}

/// Puts a parameter in place of the first constant.
struct FirstConstant;

impl VisitMut for FirstConstant {
    type Break = ();

    fn visit_node(&mut self, slot: &mut Node) -> ControlFlow<()> {
        if slot.as_a_const().is_some() {
            *slot = make::param_ref(1).into();
            return ControlFlow::Break(());
        }
        self.visit_slot(slot)
    }
}

/// Returns the rows of an `INSERT`, if there are several.
fn rows(tree: &mut ParseResult) -> Option<&mut Vec<Node>> {
    let insert: &mut InsertStmt = tree.stmts_mut().find_map(Node::as_insert_stmt_mut)?;
    let select = insert.select_stmt.as_mut()?.as_select_stmt_mut()?;
    Some(&mut select.values_lists).filter(|rows| rows.len() > 1)
}

//! SQL that is printed, parsed again and compared: `DeparseOptions::checked`. `changed.rs` has changes of all kinds.

use pg_ast::{DeparseOptions, ParserOptions};

use super::pg::protobuf::List;
use super::pg::{self, view};
use crate::common::on_thread;

fn checked() -> DeparseOptions {
    DeparseOptions::default().checked(true)
}

/// Each column has the source, which is compared once: with the column that is printed with it.
#[test]
fn the_source_of_several_columns_is_compared() {
    let mut tree = view::parse("UPDATE t SET (a, b) = (SELECT 1, 2 FROM x)").expect("parses");
    tree.edit(|mut stmts, _| {
        stmts.walk_tables_mut(|table, _| {
            if table.view().relname() == "x" {
                table.set_relpersistence("t");
            }
        });
    });
    let error = tree.deparse_with(checked()).expect_err("another tree");
    assert!(error.message().ends_with("another RangeVar.relpersistence"), "{error}");
}

/// The default limits depend on the length of the text, which blanks and comments make longer, and others may have been chosen.
#[test]
fn a_tree_may_be_larger_than_that_of_sql_from_strangers() {
    let columns: Vec<_> = (0..130).map(|column| format!("c{column}")).collect();
    let columns = columns.join(", ");
    let sql = format!("UPDATE t SET ({columns}) = ROW ({columns}){}", " ".repeat(8_000));
    let plain = pg::parse(&sql).expect("parses").deparse().expect("prints");
    assert_eq!(pg::parse(&sql).expect("parses").deparse_with(checked()).as_ref(), Ok(&plain));
    assert_eq!(view::parse(&sql).expect("parses").deparse_with(checked()), Ok(plain));

    let deep = format!("SELECT a{}", " + a".repeat(7_000));
    on_thread(256 << 10, move || {
        let tree = view::parse_with(&deep, ParserOptions::default().max_depth(20_000));
        let tree = tree.expect("parses");
        let printed = tree.deparse_with(checked());
        assert!(printed == tree.deparse(), "{:.200}", format!("{printed:?}"));
    });
}

/// A view has no empty lists, so it has a text where the tree has none.
#[test]
fn what_is_refused_is_refused_when_it_is_checked() {
    let sql = "CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; END";
    let mut tree = pg::parse(sql).expect("parses");
    for stmt in tree.stmts_mut() {
        if let Some(pg::NodeMut::CreateFunctionStmt(create)) = stmt.to_mut() {
            create.sql_body = Some(Box::new(List::default().into()));
        }
    }
    let plain = tree.deparse().expect_err("an empty list");
    assert_eq!(tree.deparse_with(checked()), Err(plain));
}

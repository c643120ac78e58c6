use std::hint::black_box;

use peer_protocol::{Function, Peer, Sql};
use pg_ast::protobuf::ResTarget;
use pg_ast::{NodeEnum, NodeMut, ParseResult, make};

pub struct Measured;

impl Peer for Measured {
    type Tree = pg_ast::ParseResult;

    const FUNCTIONS: &[Function] = &Function::ALL;

    fn parse(sql: &Sql) -> Option<Self::Tree> {
        pg_ast::parse(&sql.text).ok()
    }

    fn walk(sql: &Sql) -> bool {
        pg_ast::parse(&sql.text).is_ok_and(|tree| black_box(tree.nodes().count()) > 0)
    }

    fn check(sql: &Sql) -> bool {
        black_box(pg_ast::check(&sql.text)).is_ok()
    }

    fn deparse(tree: &Self::Tree) -> bool {
        black_box(pg_ast::deparse(tree)).is_ok()
    }

    fn fingerprint(sql: &Sql) -> bool {
        black_box(pg_ast::fingerprint(&sql.text)).is_ok()
    }

    fn fingerprint_tree(tree: &Self::Tree) -> bool {
        black_box(tree.fingerprint());
        true
    }

    fn normalize(sql: &Sql) -> bool {
        black_box(pg_ast::normalize(&sql.text)).is_ok()
    }

    fn change(function: Function, sql: &Sql) -> bool {
        let Ok(mut tree) = pg_ast::parse(&sql.text) else { return false };
        changed(function, &mut tree) > 0 && black_box(tree.deparse()).is_ok()
    }
}

/// Returns the number of changes.
fn changed(function: Function, tree: &mut ParseResult) -> i32 {
    let mut count = 0;
    let most = if function == Function::OneParameter { 1 } else { i32::MAX };
    match function {
        Function::RenameTables => {
            let mut nodes = tree.nodes_mut();
            while let Some(node) = nodes.next() {
                if let NodeMut::RangeVar(table) = node {
                    "renamed".clone_into(&mut table.relname);
                    count += 1;
                }
            }
        }
        Function::AppendTarget => {
            for stmt in tree.stmts_mut() {
                let select = stmt.as_select_stmt_mut().filter(|it| !it.target_list.is_empty());
                let Some(select) = select else { continue };
                let target = ResTarget {
                    val: Some(Box::new(make::param_ref(1).into())),
                    ..ResTarget::default()
                };
                select.target_list.push(target.into());
                count += 1;
            }
        }
        Function::OneParameter | Function::AllParameters => {
            tree.transform(|node| match node.node {
                Some(NodeEnum::AConst(_)) if count < most => {
                    count += 1;
                    make::param_ref(count).into()
                }
                _ => node,
            });
        }
        Function::CutValues => {
            for stmt in tree.stmts_mut() {
                let Some(insert) = stmt.as_insert_stmt_mut() else { continue };
                let source = insert.select_stmt.as_mut().and_then(|it| it.node.as_mut());
                let Some(NodeEnum::SelectStmt(select)) = source else { continue };
                let rows = &mut select.values_lists;
                if rows.len() > 1 {
                    drop(rows.split_off(rows.len() / 2));
                    count += 1;
                }
            }
        }
        _ => {}
    }
    count
}

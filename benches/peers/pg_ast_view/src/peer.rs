use std::hint::black_box;

use peer_protocol::{Function, Peer, Sql};
use pg_ast::protobuf::{ParamRef, ResTarget};
use pg_ast::view::edit::{Arena, New, NodeMut, StmtsMut};
use pg_ast::view::{self, Node};

use crate::rewriter;

pub struct Measured;

impl Peer for Measured {
    type Tree = view::Tree;

    const FUNCTIONS: &[Function] =
        &[Function::Parse, Function::Walk, Function::Deparse, Function::FingerprintTree];

    fn parse(sql: &Sql) -> Option<Self::Tree> {
        view::parse(&sql.text).ok()
    }

    fn walk(sql: &Sql) -> bool {
        view::parse(&sql.text).is_ok_and(|tree| black_box(tree.nodes().count()) > 0)
    }

    fn deparse(tree: &Self::Tree) -> bool {
        black_box(tree.deparse()).is_ok()
    }

    fn fingerprint_tree(tree: &Self::Tree) -> bool {
        black_box(tree.fingerprint());
        true
    }

    fn rewrite(function: Function, sql: &Sql) -> Vec<String> {
        let plan = match function {
            Function::RewriteTuned => rewriter::tuned(&sql.text),
            _ => rewriter::ported(&sql.text),
        };
        plan.map(|(_, plan)| plan.texts).unwrap_or_default()
    }

    fn change(function: Function, sql: &Sql) -> bool {
        match function {
            Function::RewritePorted => return black_box(rewriter::ported(&sql.text)).is_ok(),
            Function::RewriteTuned => return black_box(rewriter::tuned(&sql.text)).is_ok(),
            _ => {}
        }
        let Ok(mut tree) = view::parse(&sql.text) else { return false };
        let count = tree.edit(|stmts, arena| changed(function, stmts, arena));
        count > 0 && black_box(tree.deparse()).is_ok()
    }
}

fn parameter<'t>(arena: &Arena<'t>, number: i32) -> New<'t, ParamRef> {
    let mut parameter = arena.make::<ParamRef>();
    parameter.as_mut().set_number(number);
    parameter
}

/// Returns the number of changes.
fn changed<'t>(function: Function, mut stmts: StmtsMut<'_, 't>, arena: &Arena<'t>) -> i32 {
    let mut count = 0;
    let most = if function == Function::OneParameter { 1 } else { i32::MAX };
    match function {
        Function::RenameTables => {
            let mut nodes = stmts.nodes_mut();
            while let Some(mut slot) = nodes.next() {
                if let Some(NodeMut::RangeVar(mut table)) = slot.get_mut() {
                    table.set_relname("renamed");
                    count += 1;
                }
            }
        }
        Function::AppendTarget => {
            for mut stmt in stmts.iter_mut() {
                if let Some(NodeMut::SelectStmt(mut select)) = stmt.stmt_mut().get_mut()
                    && !select.view().target_list().is_empty()
                {
                    let mut target = arena.make::<ResTarget>();
                    target.as_mut().val_mut().set(parameter(arena, 1));
                    select.target_list_mut().push(target);
                    count += 1;
                }
            }
        }
        Function::OneParameter | Function::AllParameters => {
            let mut nodes = stmts.nodes_mut();
            while let Some(mut slot) = nodes.next() {
                if let Some(Node::AConst(_)) = slot.get() {
                    count += 1;
                    slot.set(parameter(arena, count));
                    if count == most {
                        break;
                    }
                }
            }
        }
        Function::CutValues => {
            for mut stmt in stmts.iter_mut() {
                let mut place = stmt.stmt_mut();
                let Some(NodeMut::InsertStmt(mut insert)) = place.get_mut() else { continue };
                let mut source = insert.select_stmt_mut();
                let Some(NodeMut::SelectStmt(mut select)) = source.get_mut() else { continue };
                let mut rows = select.values_lists_mut();
                if rows.len() > 1 {
                    let _ = rows.split_off(rows.len() / 2);
                    count += 1;
                }
            }
        }
        _ => {}
    }
    count
}

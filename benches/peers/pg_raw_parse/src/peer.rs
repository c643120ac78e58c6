use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

use peer_protocol::{Function, Peer, Sql};
use pg_raw_parse::transform::{Transform as _, TransformClosure};
use pg_raw_parse::{NodeMut, deparse_stmts, make, parse, walk};

use crate::rewriter;

pub struct Measured;

impl Peer for Measured {
    type Tree = pg_raw_parse::ParseResult;

    const FUNCTIONS: &[Function] = &[Function::Parse, Function::Deparse, Function::Normalize];

    /// The tree stays in C's memory.
    fn parse(sql: &Sql) -> Option<Self::Tree> {
        pg_raw_parse::parse(&sql.text).ok()
    }

    fn deparse(tree: &Self::Tree) -> bool {
        black_box(pg_raw_parse::deparse_stmts(tree.iter())).is_ok()
    }

    fn normalize(sql: &Sql) -> bool {
        black_box(pg_raw_parse::normalize::normalize(&sql.text)).is_ok()
    }

    /// It changes a copy of the statement in C. Walks panic at most utility statements.
    fn rewrite(_: Function, sql: &Sql) -> Vec<String> {
        rewriter::rewrite(&sql.text).map(|(_, plan)| plan.texts).unwrap_or_default()
    }

    fn change(function: Function, sql: &Sql) -> bool {
        catch_unwind(AssertUnwindSafe(|| changed(function, &sql.text))).unwrap_or(false)
    }
}

fn changed(function: Function, sql: &str) -> bool {
    match function {
        Function::RewritePorted | Function::RewriteTuned => {
            return black_box(rewriter::rewrite(sql)).is_ok();
        }
        Function::Copy => return black_box(rewriter::copy(sql)).is_ok(),
        _ => {}
    }
    let Ok(tree) = parse(sql) else { return false };
    let mut count = 0;
    let stmts: Vec<_> = tree
        .iter()
        .map(|stmt| {
            make::owned(|mem| {
                let mut copy = mem.make_unique(stmt);
                match function {
                    Function::RenameTables => walk::walk_mut(copy.as_mut().into(), |node| {
                        if let NodeMut::RangeVar(table) = node {
                            table.set_relname(Some(mem.copy_string("renamed")));
                            count += 1;
                        }
                    }),
                    Function::AppendTarget => {
                        if let NodeMut::SelectStmt(mut select) = copy.as_mut().stmt_mut()
                            && !select.target_list().is_empty()
                        {
                            let parameter = mem.make_param_ref(1).uncast();
                            let target = mem.make_res_target(None, mem.empty(), parameter);
                            select.target_list_mut().push(mem, target);
                            count += 1;
                        }
                    }
                    Function::OneParameter | Function::AllParameters => {
                        let most = if function == Function::OneParameter { 1 } else { i32::MAX };
                        TransformClosure::new(|node| match &*node {
                            NodeMut::A_Const(_) if count < most => {
                                count += 1;
                                node.replace(mem.make_param_ref(count).uncast());
                                None
                            }
                            _ => Some(node),
                        })
                        .transform_raw_stmt(copy.as_mut());
                    }
                    // Its lists cannot be cut.
                    _ => {}
                }
                copy
            })
        })
        .collect();
    count > 0 && black_box(deparse_stmts(stmts.iter().map(|stmt| &**stmt))).is_ok()
}

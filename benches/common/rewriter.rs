//! What a sharding proxy does with a statement: it is parsed, walked, changed, printed, and split into several. Twice: as a
//! program is ported from another library that changes C trees, and as one that is written for pg_ast.
//!
//! The table `users` lacks a key in an `INSERT`; the key of `sharded` says on which shard a row is.

use pg_ast::protobuf::{self, FuncCall, InsertStmt, SelectStmt, UpdateStmt};
use pg_ast::view::edit::{Arena, InsertStmtMut, New, NodeMut, RawStmtMut, SelectStmtMut};
use pg_ast::view::{self, Kept, Node, Tree};
use pg_ast::{Error, Literal};

/// The results of a rewrite.
#[derive(Default)]
pub struct Plan {
    params: i32,
    unique_ids: usize,
    rewritten: bool,
    /// The SQL of all statements that were printed.
    pub texts: Vec<String>,
    /// The trees of statements that are sent instead.
    pub asts: Vec<Tree>,
    pub update: Option<Kept<UpdateStmt>>,
}

/// Rewrites the first statement, as a program does that was ported.
///
/// # Errors
///
/// The SQL is not valid.
pub fn ported(sql: &str) -> Result<(Tree, Plan), Error> {
    rewrite(sql, Way::Ported)
}

/// Rewrites the first statement with what pg_ast has for it.
///
/// # Errors
///
/// The SQL is not valid.
pub fn tuned(sql: &str) -> Result<(Tree, Plan), Error> {
    rewrite(sql, Way::Tuned)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Nodes are copied where the other library copies them.
    Ported,
    /// Nodes are moved where they can be, and one walk looks for all that is looked for.
    Tuned,
}

fn rewrite(sql: &str, way: Way) -> Result<(Tree, Plan), Error> {
    let mut tree = view::parse(sql)?;
    let mut plan = Plan::default();
    tree.edit(|mut stmts, arena| match stmts.iter_mut().next() {
        Some(stmt) => rewrite_stmt(stmt, arena, &mut plan, way),
        None => Ok(()),
    })?;
    Ok((tree, plan))
}

fn rewrite_stmt<'t>(
    mut stmt: RawStmtMut<'_, 't>,
    arena: &Arena<'t>,
    plan: &mut Plan,
    way: Way,
) -> Result<(), Error> {
    let Some(node) = stmt.view().stmt() else { return Ok(()) };
    let with_params = match node {
        Node::InsertStmt(_) | Node::SelectStmt(_) | Node::UpdateStmt(_) | Node::DeleteStmt(_) => {
            Some(node)
        }
        Node::PrepareStmt(prepare) => prepare.query(),
        Node::ExecuteStmt(_) | Node::ExplainStmt(_) => None,
        _ => return Ok(()),
    };
    // One walk finds the parameters and whether there is a call to replace.
    let mut has_calls = way == Way::Ported;
    if let Some(node) = with_params {
        let mut nodes = node.nodes();
        while let Some(node) = nodes.next() {
            match node {
                Node::ParamRef(param) => plan.params = plan.params.max(param.number()),
                Node::FuncCall(call) => has_calls |= is_unique_id(call),
                // Nothing that is looked for is below these.
                Node::ColumnRef(_) | Node::AConst(_) | Node::RangeVar(_) | Node::TypeName(_)
                    if way == Way::Tuned =>
                {
                    nodes.skip_children();
                }
                _ => {}
            }
        }
    } else {
        has_calls = true;
    }
    match stmt.stmt_mut().get_mut() {
        Some(NodeMut::InsertStmt(insert)) => add_key(insert, arena, plan),
        Some(NodeMut::PrepareStmt(mut prepare)) => {
            if let Some(NodeMut::InsertStmt(insert)) = prepare.query_mut().get_mut() {
                add_key(insert, arena, plan);
            }
        }
        _ => {}
    }
    if has_calls || plan.rewritten {
        replace_calls(&mut stmt, arena, plan);
    }
    match stmt.stmt_mut().get_mut() {
        Some(NodeMut::SelectStmt(mut select)) => {
            add_aggregates(&mut select, arena, plan);
            set_limit(&mut select, arena, plan, way)?;
        }
        Some(NodeMut::PrepareStmt(mut prepare)) => {
            prepare.set_name("__template");
            plan.texts.push(prepare.deparse()?);
            prepare.set_name("__proxy_1");
            plan.rewritten = true;
        }
        Some(NodeMut::ExecuteStmt(mut execute)) => {
            execute.params_mut().push(arena.float_const("8589934592"));
            execute.set_name("__proxy_1");
            plan.rewritten = true;
        }
        _ => {}
    }
    if plan.rewritten {
        plan.texts.push(stmt.deparse()?);
    }
    match stmt.stmt_mut().get_mut() {
        Some(NodeMut::InsertStmt(mut insert)) => match way {
            Way::Ported => split(insert.view(), plan),
            Way::Tuned => split_in_place(&mut insert, arena, plan),
        },
        Some(NodeMut::UpdateStmt(update)) => move_row(update.view(), plan, way),
        _ => Ok(()),
    }
}

fn is_unique_id(call: view::FuncCall<'_>) -> bool {
    call.names().eq(["app", "unique_id"])
}

fn unique_id<'t>(arena: &Arena<'t>) -> New<'t, FuncCall> {
    arena.func_call(["app", "unique_id"], [] as [New<'t>; 0])
}

fn replace_calls<'t>(stmt: &mut RawStmtMut<'_, 't>, arena: &Arena<'t>, plan: &mut Plan) {
    let mut place = stmt.stmt_mut();
    let mut nodes = place.nodes_mut();
    while let Some(mut slot) = nodes.next() {
        if let Some(Node::FuncCall(call)) = slot.get()
            && is_unique_id(call)
        {
            plan.unique_ids += 1;
            let number = plan.params + i32::try_from(plan.unique_ids).unwrap_or(i32::MAX);
            let int8 = arena.type_name(["pg_catalog", "int8"]);
            slot.set(arena.type_cast(arena.param_ref(number), int8));
            nodes.skip_children();
        }
    }
    plan.rewritten |= plan.unique_ids > 0;
}

/// Adds the key to an `INSERT` without it, and puts a call in place of its `DEFAULT`.
fn add_key<'t>(mut insert: InsertStmtMut<'_, 't>, arena: &Arena<'t>, plan: &mut Plan) {
    if insert.view().relation().is_none_or(|table| table.relname() != "users") {
        return;
    }
    let mut cols = insert.view().cols().iter().filter_map(Node::as_res_target);
    let place = cols.position(|target| target.name() == "id");
    if place.is_none() {
        insert.cols_mut().push(arena.insert_column("id"));
    }
    let mut source = insert.select_stmt_mut();
    let Some(NodeMut::SelectStmt(mut select)) = source.get_mut() else { return };
    for mut row in &mut select.values_lists_mut() {
        let Some(NodeMut::List(mut row)) = row.get_mut() else { continue };
        match place {
            None => row.push(unique_id(arena)),
            Some(place) => match row.slot(place) {
                Some(mut cell) if matches!(cell.get(), Some(Node::SetToDefault(_))) => {
                    cell.set(unique_id(arena));
                }
                _ => continue,
            },
        }
        plan.rewritten = true;
    }
}

fn call_of(node: Node<'_>) -> Option<view::FuncCall<'_>> {
    match node {
        Node::FuncCall(call) => Some(call),
        Node::TypeCast(cast) => call_of(cast.arg()?),
        Node::NullTest(test) => call_of(test.arg()?),
        _ => None,
    }
}

/// Makes the aggregate of one kind that is added for another one.
fn helper<'t>(call: view::FuncCall<'_>, kind: &str, arena: &Arena<'t>) -> New<'t, FuncCall> {
    let copy = |name| {
        let mut copy = arena.copy(call);
        copy.as_mut().funcname_mut().set(arena.names([name]));
        copy
    };
    if kind != "sumsq" {
        return copy(kind);
    }
    let mut sum = copy("sum");
    let Some(arg) = call.args().first() else { return sum };
    let cast = || arena.type_cast(arena.copy(arg), arena.type_name(["pg_catalog", "numeric"]));
    let square = arena.a_expr("*", cast(), cast());
    sum.as_mut().args_mut().set(arena.list([square]));
    sum
}

/// Adds the aggregates from which those of all shards are computed.
fn add_aggregates<'t>(select: &mut SelectStmtMut<'_, 't>, arena: &Arena<'t>, plan: &mut Plan) {
    let mut helpers = Vec::new();
    for (column, target) in select.view().target_list().iter().enumerate() {
        let call = target.as_res_target().and_then(|target| call_of(target.val()?));
        let Some(call) = call else { continue };
        let kinds: &[&str] = match call.names().next_back() {
            Some("avg") => &["count"],
            Some("stddev" | "variance") => &["count", "sum", "sumsq"],
            _ => continue,
        };
        for kind in kinds {
            let alias = format!("__{kind}_col{column}");
            helpers.push(arena.res_target(Some(&alias), helper(call, kind, arena)));
        }
    }
    if !helpers.is_empty() {
        select.target_list_mut().extend(helpers);
        plan.rewritten = true;
    }
}

fn number(node: Option<Node<'_>>) -> Option<i64> {
    match node? {
        Node::ParamRef(_) => Some(0),
        node => match node.literal()? {
            Literal::Integer(number) => Some(number),
            _ => None,
        },
    }
}

/// Asks each shard for all rows up to the end of the page.
fn set_limit<'t>(
    select: &mut SelectStmtMut<'_, 't>,
    arena: &Arena<'t>,
    plan: &mut Plan,
    way: Way,
) -> Result<(), Error> {
    let stmt = select.view();
    let (Some(limit), Some(offset)) = (number(stmt.limit_count()), number(stmt.limit_offset()))
    else {
        return Ok(());
    };
    if way == Way::Tuned {
        // The statement itself stays as it is: the clauses are put back.
        let count = select.limit_count_mut().replace(arena.int_const(limit + offset));
        let skipped = select.limit_offset_mut().take();
        plan.texts.push(select.deparse()?);
        if let (Some(count), Some(skipped)) = (count, skipped) {
            select.limit_count_mut().set(count);
            select.limit_offset_mut().set(skipped);
        }
        return Ok(());
    }
    let changed = Kept::<SelectStmt>::build(|arena| {
        let mut copy = arena.copy(stmt);
        copy.as_mut().limit_count_mut().set(arena.int_const(limit + offset));
        let _ = copy.as_mut().limit_offset_mut().take();
        copy
    });
    plan.texts.push(changed.deparse()?);
    Ok(())
}

/// Numbers the parameters of a row anew, and returns the old numbers.
fn renumber(mut nodes: view::edit::NodesMut<'_, '_>) -> Vec<i32> {
    let mut numbers = Vec::new();
    while let Some(mut slot) = nodes.next() {
        if let Some(NodeMut::ParamRef(mut param)) = slot.get_mut() {
            let number = param.view().number();
            let known = numbers.iter().position(|known| *known == number);
            let index = known.unwrap_or_else(|| {
                numbers.push(number);
                numbers.len() - 1
            });
            param.set_number(i32::try_from(index + 1).unwrap_or(i32::MAX));
        }
    }
    numbers
}

/// Prints an `INSERT` for each row.
fn split(insert: view::InsertStmt<'_>, plan: &mut Plan) -> Result<(), Error> {
    let mut splits = Vec::new();
    Kept::<InsertStmt>::try_build(|arena| {
        let mut copy = arena.copy(insert);
        let select = insert.select_stmt().and_then(Node::as_select_stmt);
        for row in select.into_iter().flat_map(pg_ast::view::SelectStmt::values_lists) {
            let mut row = arena.copy(row);
            let numbers = renumber(row.nodes_mut());
            let mut select = arena.make::<SelectStmt>();
            select.as_mut().values_lists_mut().push(row);
            copy.as_mut().select_stmt_mut().set(select);
            splits.push((numbers, copy.deparse()?));
        }
        Ok::<_, Error>(copy)
    })?;
    if splits.len() > 1 {
        plan.texts.extend(splits.into_iter().map(|(_, text)| text));
    }
    Ok(())
}

/// Like [`split`], with a copy of one row after the other in place of all of them.
fn split_in_place<'t>(
    insert: &mut InsertStmtMut<'_, 't>,
    arena: &Arena<'t>,
    plan: &mut Plan,
) -> Result<(), Error> {
    fn rows<'m, 't>(insert: &'m mut InsertStmtMut<'_, 't>) -> Option<SelectStmtMut<'m, 't>> {
        insert.select_stmt_mut().into_mut()?.into_type()
    }
    let Some(mut select) = rows(insert) else { return Ok(()) };
    if select.view().values_lists().len() < 2 {
        return Ok(());
    }
    let all = select.values_lists_mut().take();
    for row in all.view() {
        let mut row = arena.copy(row);
        renumber(row.nodes_mut());
        if let Some(mut select) = rows(insert) {
            select.values_lists_mut().set(arena.list([row]));
        }
        plan.texts.push(insert.deparse()?);
    }
    if let Some(mut select) = rows(insert) {
        select.values_lists_mut().set(all);
    }
    Ok(())
}

fn is_value(node: Option<Node<'_>>) -> bool {
    matches!(node, Some(Node::AConst(_) | Node::ParamRef(_)))
}

/// Makes the statements that move a row to another shard, if an `UPDATE` changes its key.
fn move_row(update: view::UpdateStmt<'_>, plan: &mut Plan, way: Way) -> Result<(), Error> {
    let Some(table) = update.relation().filter(|table| table.relname() == "sharded") else {
        return Ok(());
    };
    let mut targets = update.target_list().iter().filter_map(Node::as_res_target);
    let Some(key) = targets.find(|target| target.name() == "id") else { return Ok(()) };
    if !is_value(key.val()) {
        if let Some(value) = key.val() {
            plan.texts.push(value.deparse()?);
        }
        return Ok(());
    }
    let asts = if way == Way::Ported {
        let star = Kept::<SelectStmt>::build(|arena| {
            let mut select = arena.make::<SelectStmt>();
            let target = arena.res_target(None, arena.star());
            select.as_mut().target_list_mut().set(arena.list([target]));
            select.as_mut().from_clause_mut().set(arena.list([arena.copy(table)]));
            select
        });
        let select = Tree::build(|arena| {
            let mut select = arena.copy(star.view());
            if let Some(condition) = update.where_clause() {
                select.as_mut().where_clause_mut().set(arena.copy(condition));
            }
            renumber(select.nodes_mut());
            select.into()
        });
        let check = Tree::build(|arena| {
            let mut select = arena.copy(star.view());
            let column = arena.column_ref([key.name()]);
            if let Some(value) = key.val() {
                let condition = arena.a_expr("=", column, arena.copy(value));
                select.as_mut().where_clause_mut().set(condition);
            }
            renumber(select.nodes_mut());
            select.into()
        });
        [select, delete(update), check]
    } else {
        let query = |condition: &dyn for<'t> Fn(&Arena<'t>) -> Option<New<'t>>| {
            Tree::build(|arena| {
                let mut select = arena.select_stmt([arena.res_target(None, arena.star())]);
                select.as_mut().from_clause_mut().push(arena.copy(table));
                if let Some(mut condition) = condition(arena) {
                    renumber(condition.nodes_mut());
                    select.as_mut().where_clause_mut().set(condition);
                }
                select.into()
            })
        };
        let select = query(&|arena| Some(arena.copy(update.where_clause()?)));
        let check = query(&|arena| {
            let value = arena.copy(key.val()?);
            Some(arena.a_expr("=", arena.column_ref([key.name()]), value).into())
        });
        [select, delete(update), check]
    };
    for ast in asts {
        plan.texts.push(ast.deparse()?);
        plan.asts.push(ast);
    }
    // A program that was written for this would read it in the tree that it has.
    if way == Way::Ported {
        plan.update = Some(Kept::of(update));
    }
    Ok(())
}

fn delete(update: view::UpdateStmt<'_>) -> Tree {
    Tree::build(|arena| {
        let mut delete = arena.make::<protobuf::DeleteStmt>();
        if let (Some(table), Some(condition)) = (update.relation(), update.where_clause()) {
            delete.as_mut().relation_mut().set(arena.copy(table));
            delete.as_mut().where_clause_mut().set(arena.copy(condition));
        }
        renumber(delete.nodes_mut());
        delete.into()
    })
}

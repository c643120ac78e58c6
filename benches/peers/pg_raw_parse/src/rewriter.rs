//! What a sharding proxy does with a statement: it is parsed, walked, changed, printed, and split into several. See
//! `benches/common/rewriter.rs`, which does the same with pg_ast.

use pg_raw_parse::transform::{TransformClosure, transform_node};
use pg_raw_parse::{ConstValue, Error, Node, NodeMut, Owned, StmtList, deparse, make, nodes, walk};

/// The results of a rewrite.
#[derive(Default)]
pub struct Plan {
    params: i32,
    unique_ids: usize,
    rewritten: bool,
    /// The SQL of all statements that were printed.
    pub texts: Vec<String>,
    /// The trees of statements that are sent instead.
    asts: Vec<Owned<StmtList>>,
    update: Option<Owned<nodes::UpdateStmt>>,
}

impl Plan {
    fn print<'a, N: Into<Node<'a>>>(&mut self, node: N) -> Result<(), Error> {
        self.texts.push(deparse(node)?.as_str().to_owned());
        Ok(())
    }
}

/// Rewrites the first statement of a copy of the tree.
pub fn rewrite(sql: &str) -> Result<(Owned<StmtList>, Plan), Error> {
    let tree = pg_raw_parse::parse(sql)?.into_inner();
    let mut plan = Plan::default();
    let ast = make::try_owned(|mem| {
        let mut copy = mem.make_unique(&*tree);
        if let Some(stmt) = copy.as_mut().into_iter().next() {
            rewrite_stmt(stmt, mem, &mut plan)?;
        }
        Ok::<_, Error>(copy)
    })?;
    Ok((ast, plan))
}

/// Parses and copies, and no more.
pub fn copy(sql: &str) -> Result<Owned<StmtList>, Error> {
    let tree = pg_raw_parse::parse(sql)?.into_inner();
    Ok(make::owned(|mem| mem.make_unique(&*tree)))
}

fn rewrite_stmt<'m>(
    mut stmt: nodes::RawStmtMut<'m, '_>,
    mem: make::MemoryToken<'m>,
    plan: &mut Plan,
) -> Result<(), Error> {
    let with_params = match stmt.stmt() {
        node @ (Node::InsertStmt(_)
        | Node::SelectStmt(_)
        | Node::UpdateStmt(_)
        | Node::DeleteStmt(_)) => Some(node),
        Node::PrepareStmt(prepare) => Some(prepare.query()),
        Node::ExecuteStmt(_) | Node::ExplainStmt(_) => None,
        _ => return Ok(()),
    };
    if let Some(node) = with_params {
        walk::walk(node, |node| {
            if let Node::ParamRef(param) = node {
                plan.params = plan.params.max(param.number);
            }
        });
    }
    match stmt.stmt_mut() {
        NodeMut::InsertStmt(insert) => add_key(insert, mem, plan),
        NodeMut::PrepareStmt(mut prepare) => {
            if let NodeMut::InsertStmt(insert) = prepare.query_mut() {
                add_key(insert, mem, plan);
            }
        }
        _ => {}
    }
    let mut next = plan.params + 1;
    let mut unique_ids = 0;
    let mut transformer = TransformClosure::new(|node| match &*node {
        NodeMut::FuncCall(call) if is_unique_id(call) => {
            unique_ids += 1;
            node.replace(
                mem.make_type_cast(
                    mem.make_param_ref(next).uncast(),
                    mem.make_list(&[
                        mem.make_string(Some("pg_catalog")),
                        mem.make_string(Some("int8")),
                    ]),
                )
                .uncast(),
            );
            next += 1;
            None
        }
        _ => Some(node),
    });
    transform_node(stmt.stmt_mut(), &mut transformer);
    plan.unique_ids = unique_ids;
    plan.rewritten |= unique_ids > 0;
    if let NodeMut::SelectStmt(mut select) = stmt.stmt_mut() {
        add_aggregates(&mut select, mem, plan);
        set_limit(&select, plan)?;
    }
    match stmt.stmt_mut() {
        NodeMut::PrepareStmt(mut prepare) => {
            prepare.set_name(Some(mem.copy_string("__template")));
            plan.print(&*prepare)?;
            prepare.set_name(Some(mem.copy_string("__proxy_1")));
            plan.rewritten = true;
        }
        NodeMut::ExecuteStmt(mut execute) => {
            let id = mem.make_a_const(ConstValue::Float("8589934592")).uncast();
            execute.params_mut().push(mem, id);
            execute.set_name(Some(mem.copy_string("__proxy_1")));
            plan.rewritten = true;
        }
        _ => {}
    }
    if plan.rewritten {
        plan.print(&*stmt)?;
    }
    if let Node::InsertStmt(insert) = stmt.stmt() {
        split(insert, plan)?;
    }
    if let Node::UpdateStmt(update) = stmt.stmt() {
        move_row(update, plan)?;
    }
    Ok(())
}

fn is_unique_id(call: &nodes::FuncCall) -> bool {
    call.funcname().iter().filter_map(Node::as_str).eq(["app", "unique_id"])
}

fn unique_id(mem: make::MemoryToken<'_>) -> make::Unique<'_, &nodes::FuncCall> {
    mem.make_func_call(
        mem.make_list(&[
            mem.make_string(Some("app")).uncast(),
            mem.make_string(Some("unique_id")).uncast(),
        ]),
        mem.empty(),
        Default::default(),
    )
}

/// Adds the key to an `INSERT` without it, and puts a call in place of its `DEFAULT`.
fn add_key<'m>(
    mut insert: nodes::InsertStmtMut<'m, '_>,
    mem: make::MemoryToken<'m>,
    plan: &mut Plan,
) {
    if insert.relation().and_then(|table| table.relname()) != Some("users") {
        return;
    }
    let names: Vec<_> = insert
        .cols()
        .iter()
        .filter_map(|col| match col {
            Node::ResTarget(target) => target.name(),
            _ => None,
        })
        .collect();
    let place = names.iter().position(|name| *name == "id");
    if place.is_none() {
        insert
            .cols_mut()
            .push(mem, mem.make_res_target(Some("id"), mem.empty(), mem.none()).uncast());
    }
    let NodeMut::SelectStmt(mut select) = insert.select_stmt_mut() else { return };
    for list in select.values_lists_mut() {
        let mut list = list.expect_node_list();
        match place {
            None => list.push(mem, unique_id(mem).uncast()),
            Some(place) if matches!(list.get(place), Some(Node::SetToDefault(_))) => {
                list.set(place, unique_id(mem).uncast());
            }
            Some(_) => continue,
        }
        plan.rewritten = true;
    }
}

fn call_of(node: Node<'_>) -> Option<&nodes::FuncCall> {
    match node {
        Node::FuncCall(call) => Some(call),
        Node::TypeCast(cast) => call_of(cast.arg()),
        Node::NullTest(test) => call_of(test.arg()),
        _ => None,
    }
}

/// Adds the aggregates from which those of all shards are computed.
fn add_aggregates<'m>(
    select: &mut nodes::SelectStmtMut<'m, '_>,
    mem: make::MemoryToken<'m>,
    plan: &mut Plan,
) {
    let mut helpers = Vec::new();
    for (column, target) in select.target_list().iter().enumerate() {
        let Some(call) = call_of(target.val()) else { continue };
        let Some(name) = call.funcname().iter().filter_map(Node::as_str).last() else { continue };
        let kinds: &[&str] = match name {
            "avg" => &["count"],
            "stddev" | "variance" => &["count", "sum", "sumsq"],
            _ => continue,
        };
        for kind in kinds {
            let copy = |name| {
                let mut copy = mem.make_unique(call);
                let name = mem.make_list(&[mem.make_string(Some(name)).uncast()]);
                copy.as_mut().set_funcname(name);
                copy
            };
            let func = if *kind == "sumsq" {
                let mut sum = copy("sum");
                let mut name = mem.make_node::<nodes::TypeName>();
                name.as_mut().set_names(mem.make_list(&[
                    mem.make_string(Some("pg_catalog")),
                    mem.make_string(Some("numeric")),
                ]));
                let mut cast = mem.make_node::<nodes::TypeCast>();
                cast.as_mut().set_type_name(name.as_option());
                if let Some(arg) = sum.args().iter().next() {
                    cast.as_mut().set_arg(mem.make_unique(arg));
                }
                let square = mem.make_a_expr(
                    nodes::A_Expr_Kind::AEXPR_OP,
                    mem.make_list(&[mem.make_string(Some("*")).uncast()]),
                    mem.make_unique(Node::from(cast.as_ref())),
                    cast.uncast(),
                );
                sum.as_mut().set_args(mem.make_list(&[square.uncast()]));
                sum
            } else {
                copy(kind)
            };
            let alias = format!("__{kind}_col{column}");
            helpers.push(mem.make_res_target(Some(&alias), mem.empty(), func.uncast()));
        }
    }
    if !helpers.is_empty() {
        select.target_list_mut().extend(mem, mem.make_list(&helpers));
        plan.rewritten = true;
    }
}

fn number(node: Node<'_>) -> Option<i32> {
    match node {
        Node::A_Const(constant) => constant.val()?.numeric_value(),
        Node::ParamRef(_) => Some(0),
        _ => None,
    }
}

/// Asks each shard for all rows up to the end of the page.
fn set_limit(select: &nodes::SelectStmt, plan: &mut Plan) -> Result<(), Error> {
    let (Some(limit), Some(offset)) = (number(select.limit_count()), number(select.limit_offset()))
    else {
        return Ok(());
    };
    let select = make::owned(|mem| {
        let mut copy = mem.make_unique(select);
        let sum = mem.make_a_const(ConstValue::Integer(limit + offset)).uncast();
        copy.as_mut().set_limit_count(sum);
        copy.as_mut().set_limit_offset(mem.none());
        copy
    });
    plan.print(&*select)
}

/// Numbers the parameters anew, and returns the old numbers.
fn renumber(node: NodeMut<'_, '_>) -> Vec<i32> {
    let mut numbers = Vec::new();
    walk::walk_mut(node, |node| {
        if let NodeMut::ParamRef(param) = node {
            let number = param.number;
            let index = numbers.iter().position(|known| *known == number).unwrap_or_else(|| {
                numbers.push(number);
                numbers.len() - 1
            });
            param.set_number(index as i32 + 1);
        }
    });
    numbers
}

/// Prints an `INSERT` for each row.
fn split(insert: &nodes::InsertStmt, plan: &mut Plan) -> Result<(), Error> {
    let mut splits = Vec::new();
    make::try_owned(|mem| {
        let mut copy = mem.make_unique(insert);
        if let Node::SelectStmt(select) = insert.select_stmt() {
            for list in select.values_lists() {
                let mut row = mem.make_unique(list);
                let numbers = renumber(row.as_mut());
                let mut select = mem.make_node::<nodes::SelectStmt>();
                select.as_mut().set_values_lists(mem.make_list(&[row]));
                copy.as_mut().set_select_stmt(select.uncast());
                splits.push((numbers, deparse(&*copy)?.as_str().to_owned()));
            }
        }
        Ok::<_, Error>(copy)
    })?;
    if splits.len() > 1 {
        plan.texts.extend(splits.into_iter().map(|(_, text)| text));
    }
    Ok(())
}

fn is_value(node: Node<'_>) -> bool {
    matches!(node, Node::A_Const(_) | Node::ParamRef(_))
}

fn statement<'m>(
    mem: make::MemoryToken<'m>,
    stmt: make::Unique<'m, Node<'_>>,
) -> make::Unique<'m, &'m StmtList> {
    mem.make_list(&[mem.make_raw_stmt(stmt)])
}

/// Makes the statements that move a row to another shard, if an `UPDATE` changes its key.
fn move_row(update: &nodes::UpdateStmt, plan: &mut Plan) -> Result<(), Error> {
    let Some(table) = update.relation().filter(|table| table.relname() == Some("sharded")) else {
        return Ok(());
    };
    let Some(key) = update.target_list().into_iter().find(|target| target.name() == Some("id"))
    else {
        return Ok(());
    };
    if !is_value(key.val()) {
        let expr = make::owned(|mem| {
            let mut select = mem.make_node::<nodes::SelectStmt>();
            let value = mem.make_res_target(None, mem.empty(), mem.make_unique(key.val()));
            select.as_mut().set_target_list(mem.make_list(&[value]));
            mem.make_raw_stmt(select.uncast())
        });
        let text = deparse(&*expr)?;
        plan.texts.push(text.as_str().strip_prefix("SELECT ").unwrap_or_default().to_owned());
        return Ok(());
    }
    let star = make::owned(|mem| {
        let mut select = mem.make_node::<nodes::SelectStmt>();
        let star = mem.make_list(&[mem.make_node::<nodes::A_Star>().uncast()]);
        let star = mem.make_column_ref(star).uncast();
        select.as_mut().set_target_list(mem.make_list(&[mem.make_res_target(
            None,
            mem.empty(),
            star,
        )]));
        select.as_mut().set_from_clause(mem.make_list(&[mem.make_unique(table).uncast()]));
        select
    });
    let select = make::owned(|mem| {
        let mut select = mem.make_unique(&*star);
        select.as_mut().set_where_clause(mem.make_unique(update.where_clause()));
        renumber(select.as_mut().into());
        statement(mem, select.uncast())
    });
    let delete = make::owned(|mem| {
        let mut delete = mem.make_node::<nodes::DeleteStmt>();
        delete.as_mut().set_relation(mem.make_unique(update.relation()));
        delete.as_mut().set_where_clause(mem.make_unique(update.where_clause()));
        renumber(delete.as_mut().into());
        statement(mem, delete.uncast())
    });
    let check = make::owned(|mem| {
        let mut select = mem.make_unique(&*star);
        let column = mem.make_list(&[mem.make_string(key.name()).uncast()]);
        select.as_mut().set_where_clause(
            mem.make_a_expr(
                nodes::A_Expr_Kind::AEXPR_OP,
                mem.make_list(&[mem.make_string(Some("=")).uncast()]),
                mem.make_column_ref(column).uncast(),
                mem.make_unique(key.val()),
            )
            .uncast(),
        );
        renumber(select.as_mut().into());
        statement(mem, select.uncast())
    });
    for ast in [select, delete, check] {
        if let Some(stmt) = ast.first() {
            plan.print(stmt)?;
        }
        plan.asts.push(ast);
    }
    plan.update = Some(make::owned(|mem| mem.make_unique(update)));
    Ok(())
}

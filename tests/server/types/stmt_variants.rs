//! What is described of a statement: itself, or the query in it; and the same with parameters in the place of literals.

use super::pg::protobuf::node::Node as NodeEnum;
use super::pg::protobuf::{AExprKind, Node, ParseResult, RawStmt};
use super::pg::{make, parse};

/// So many literals of a statement are replaced in turn.
const IN_TURN: usize = 8;
/// So many literals of a statement are replaced at once: a few statements have thousands.
const AT_ONCE: usize = 60;

/// Returns the statement that rows or parameters are described of: the query of `EXPLAIN`, or the definition of a view.
fn described(stmt: NodeEnum) -> Option<NodeEnum> {
    let query = match stmt {
        NodeEnum::SelectStmt(mut select) => {
            let mut first = &mut *select;
            first.into_clause = None;
            while let Some(left) = &mut first.larg {
                left.into_clause = None;
                first = left;
            }
            return Some(NodeEnum::SelectStmt(select));
        }
        NodeEnum::InsertStmt(_)
        | NodeEnum::UpdateStmt(_)
        | NodeEnum::DeleteStmt(_)
        | NodeEnum::MergeStmt(_) => return Some(stmt),
        NodeEnum::ExplainStmt(explain) => explain.query,
        NodeEnum::PrepareStmt(prepare) => prepare.query,
        NodeEnum::DeclareCursorStmt(declare) => declare.query,
        NodeEnum::ViewStmt(view) => view.query,
        NodeEnum::CreateTableAsStmt(create) => create.query,
        NodeEnum::CopyStmt(copy) => copy.query,
        _ => None,
    };
    // `EXPLAIN CREATE TABLE .. AS SELECT ..` is the deepest.
    described(query?.node?)
}

fn only(stmt: NodeEnum) -> ParseResult {
    let stmt = Some(Box::new(Node { node: Some(stmt) }));
    ParseResult { stmts: vec![RawStmt { stmt, ..RawStmt::default() }], ..ParseResult::default() }
}

/// Replaces some literals, which are counted from 0; returns how many there are.
fn replace(tree: &mut ParseResult, is_replaced: impl Fn(usize) -> bool) -> usize {
    let mut last = 0;
    tree.transform(|node| {
        if let Some(NodeEnum::ParamRef(parameter)) = &node.node {
            last = last.max(parameter.number);
        }
        node
    });
    let mut count = 0;
    tree.transform(|node| {
        let Some(NodeEnum::AConst(_)) = &node.node else { return node };
        count += 1;
        if !is_replaced(count - 1) {
            return node;
        }
        last += 1;
        make::param_ref(last).into()
    });
    count
}

/// Returns the texts that are described of a statement, the one without other parameters first.
pub fn of(sql: &str, has_variants: bool) -> Vec<String> {
    let Ok(mut tree) = parse(sql) else { return Vec::new() };
    let Some(stmt) = tree.protobuf.stmts.pop().and_then(|it| it.stmt?.node) else { return Vec::new() };
    let is_whole = matches!(
        stmt,
        NodeEnum::SelectStmt(_)
            | NodeEnum::InsertStmt(_)
            | NodeEnum::UpdateStmt(_)
            | NodeEnum::DeleteStmt(_)
            | NodeEnum::MergeStmt(_)
    );
    // `INTO` stands in the first arm of a `UNION`.
    let has_into = sql.to_lowercase().contains("into") && matches!(stmt, NodeEnum::SelectStmt(_));
    let Some(stmt) = described(stmt) else { return Vec::new() };
    let tree = only(stmt);
    let mut texts = Vec::new();
    if is_whole && !has_into {
        texts.push(sql.to_owned());
    } else {
        texts.extend(tree.deparse());
    }
    if !has_variants || texts.is_empty() {
        return texts;
    }
    let count = replace(&mut tree.clone(), |_| false);
    let mut replaced = |is_replaced: &dyn Fn(usize) -> bool| {
        let mut tree = tree.clone();
        replace(&mut tree, is_replaced);
        // A parameter cannot be in the place of each literal.
        texts.extend(tree.deparse().ok().filter(|sql| parse(sql).is_ok()));
    };
    for index in 0..count.min(IN_TURN) {
        replaced(&|it| it == index);
    }
    if (2..=AT_ONCE).contains(&count) {
        replaced(&|_| true);
    }
    texts
}

/// Writes the parameters of sqlc as PostgreSQL's: `sqlc.arg(name)`, `sqlc.narg(name)` and `@name`. The error is what else it has.
pub fn without_macros(sql: &str) -> Result<String, &'static str> {
    if !sql.contains("sqlc.") && !sql.contains('@') {
        return Ok(sql.to_owned());
    }
    let mut tree = parse(sql).map_err(|_| "sqlc: no SQL")?;
    let (mut names, mut other) = (Vec::new(), None);
    let mut number = |name: String| {
        let index = names.iter().position(|it| *it == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        make::param_ref(i32::try_from(index + 1).expect("few")).into()
    };
    let mut is_changed = false;
    tree.transform(|node| {
        let name = match &node.node {
            Some(NodeEnum::FuncCall(call)) => {
                let parts: Vec<_> = call.funcname.iter().filter_map(Node::as_str).collect();
                let ["sqlc", macro_name] = parts[..] else { return node };
                if !["arg", "narg"].contains(&macro_name) {
                    other = Some("sqlc: another macro");
                    return node;
                }
                call.args.first().and_then(name_of)
            }
            Some(NodeEnum::AExpr(expr))
                if expr.kind() == AExprKind::AexprOp
                    && expr.lexpr.is_none()
                    && expr.name.iter().filter_map(Node::as_str).eq(["@"]) =>
            {
                expr.rexpr.as_deref().and_then(name_of)
            }
            _ => return node,
        };
        is_changed = true;
        match name {
            Some(name) => number(name),
            None => node,
        }
    });
    match other {
        Some(other) => Err(other),
        None if is_changed => tree.deparse().map_err(|_| "sqlc: not printed"),
        None => Ok(sql.to_owned()),
    }
}

fn name_of(node: &Node) -> Option<String> {
    match node.node.as_ref()? {
        NodeEnum::ColumnRef(column) => Some(column.fields.first()?.as_str()?.to_owned()),
        NodeEnum::AConst(_) => match node.literal()? {
            pg_ast::Literal::String(text) => Some(text.to_owned()),
            _ => None,
        },
        // `@name::type`
        _ => None,
    }
}

//! Names that others can redirect, where the path on which they are looked up is not known to be safe.

use pg_ast::protobuf::AExprKind;
use pg_ast::view::{Node, TypeName};

use crate::state::State;
use crate::stmt::Stmt;
use crate::{Finding, Rule};

pub(super) fn check(stmt: &Stmt<'_>, state: &State, node: Node<'_>, found: &mut Vec<Finding>) {
    if state.settings.safe_path.is_set() {
        return;
    }
    let finding = match node {
        Node::FuncCall(call) if call.funcname().len() == 1 => {
            Finding::of(Rule::UnqualifiedFunction, stmt.place(call))
                .help("write schema.function(..)")
        }
        Node::AExpr(expr) if expr.name().len() == 1 => {
            let operator = expr.name().strs().next_back().unwrap_or_default();
            let help = match expr.kind() {
                AExprKind::AexprOp => format!("write OPERATOR(pg_catalog.{operator})"),
                _ => format!(
                    "set search_path: this cannot name the schema of its operator {operator}"
                ),
            };
            Finding::of(Rule::UnqualifiedOperator, stmt.place(expr)).help(help)
        }
        Node::CaseExpr(case) if case.arg().is_some() => {
            let help = "write CASE WHEN .. OPERATOR(pg_catalog.=) .. THEN, or set search_path";
            Finding::of(Rule::UnqualifiedCase, stmt.place(case)).help(help)
        }
        Node::RangeVar(table)
            if table.schemaname().is_empty() && !stmt.is_with_query(table.relname()) =>
        {
            Finding::of(Rule::UnqualifiedName, stmt.place(table)).help("write schema.name")
        }
        // An aggregate, an operator, a collation.
        Node::DefineStmt(define) if define.defnames().len() == 1 => {
            Finding::of(Rule::UnqualifiedName, stmt.place(define)).help("write schema.name")
        }
        Node::TypeCast(cast) if cast.type_name().is_some_and(is_unqualified) => {
            let place = cast.type_name().map_or_else(|| stmt.place(cast), |it| stmt.place(it));
            Finding::of(Rule::UnqualifiedName, place).help("write schema.type")
        }
        _ => return,
    };
    found.push(finding);
}

fn is_unqualified(type_name: TypeName<'_>) -> bool {
    type_name.names().len() == 1
}

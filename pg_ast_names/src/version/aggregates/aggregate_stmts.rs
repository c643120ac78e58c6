//! Statements that are no queries: the expressions in them, and the queries.

use std::collections::HashMap;

use super::aggregate_calls::AggregateCheck;
use super::aggregate_places::ExprPlace;
use super::pg::protobuf::{AlterTableType, ConstrType};
use super::pg::view::{AlterTableCmd, Constraint, FuncCall, Node};
use super::resolver::{FoundList, NameResolver};

impl<'a> NameResolver<'a> {
    /// Reads a statement again, for calls that cannot be where they are, and for columns that are not grouped; its nodes are noted
    /// from a number on.
    pub(crate) fn check_aggregates(&mut self, stmt: Node<'a>, first: usize) {
        if self.is_lenient {
            return;
        }
        let mut columns = HashMap::new();
        for (address, list, index) in &self.nodes[first..] {
            if matches!(list, FoundList::Column) {
                columns.insert(*address, *index);
            }
        }
        let mark = self.mark();
        let mut check = AggregateCheck::new(self, columns);
        check.statement(stmt);
        if check.gave_up {
            self.forget_mistakes_since(mark);
        }
    }
}

impl<'a> AggregateCheck<'_, 'a> {
    fn statement(&mut self, stmt: Node<'a>) {
        let mut stack = vec![stmt];
        while let Some(node) = stack.pop() {
            match node {
                Node::SelectStmt(_)
                | Node::InsertStmt(_)
                | Node::UpdateStmt(_)
                | Node::DeleteStmt(_)
                | Node::MergeStmt(_) => self.query(node),
                Node::Constraint(constraint) => self.constraint(constraint),
                Node::IndexElem(element) => {
                    self.exprs(element.expr(), ExprPlace::IndexExpression);
                }
                Node::IndexStmt(index) => {
                    stack.extend(index.index_params());
                    self.exprs(index.where_clause(), ExprPlace::IndexPredicate);
                }
                Node::StatsElem(element) => self.exprs(element.expr(), ExprPlace::Statistics),
                Node::CreatePolicyStmt(policy) => {
                    self.exprs(policy.qual(), ExprPlace::Policy);
                    self.exprs(policy.with_check(), ExprPlace::Policy);
                }
                Node::AlterPolicyStmt(policy) => {
                    self.exprs(policy.qual(), ExprPlace::Policy);
                    self.exprs(policy.with_check(), ExprPlace::Policy);
                }
                Node::CreateTrigStmt(trigger) => {
                    self.exprs(trigger.when_clause(), ExprPlace::TriggerWhen);
                }
                Node::RuleStmt(rule) => {
                    self.exprs(rule.where_clause(), ExprPlace::Where);
                    stack.extend(rule.actions());
                }
                Node::PartitionElem(element) => {
                    self.exprs(element.expr(), ExprPlace::PartitionKey);
                }
                Node::FunctionParameter(parameter) => {
                    self.exprs(parameter.defexpr(), ExprPlace::Default);
                }
                Node::CallStmt(call) => {
                    let args = call.funccall().map(FuncCall::args).unwrap_or_default();
                    self.exprs(args, ExprPlace::CallArgument);
                }
                Node::ExecuteStmt(execute) => self.exprs(execute.params(), ExprPlace::Execute),
                Node::CopyStmt(copy) => {
                    self.exprs(copy.where_clause(), ExprPlace::CopyWhere);
                    stack.extend(copy.query());
                }
                Node::PartitionBoundSpec(bound) => {
                    let lists = [bound.listdatums(), bound.lowerdatums(), bound.upperdatums()];
                    self.exprs(lists.into_iter().flatten(), ExprPlace::PartitionBound);
                }
                Node::PublicationTable(table) => {
                    self.exprs(table.where_clause(), ExprPlace::Where);
                }
                Node::AlterTableCmd(cmd) => self.command(cmd, &mut stack),
                node => node.children(|child| stack.push(child)),
            }
        }
    }

    fn constraint(&mut self, constraint: Constraint<'a>) {
        let place = match constraint.contype() {
            ConstrType::ConstrDefault => ExprPlace::Default,
            ConstrType::ConstrGenerated => ExprPlace::Generated,
            _ => ExprPlace::Check,
        };
        self.exprs(constraint.raw_expr(), place);
        self.exprs(constraint.where_clause(), ExprPlace::IndexPredicate);
    }

    fn command(&mut self, cmd: AlterTableCmd<'a>, stack: &mut Vec<Node<'a>>) {
        match (cmd.subtype(), cmd.def()) {
            (AlterTableType::AtColumnDefault, Some(expr)) => self.expr(expr, ExprPlace::Default),
            (AlterTableType::AtAlterColumnType, Some(Node::ColumnDef(column))) => {
                self.exprs(column.raw_default(), ExprPlace::Transform);
            }
            (_, def) => stack.extend(def),
        }
    }
}

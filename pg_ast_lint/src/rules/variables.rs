//! Variables and parameters of functions in PL/pgSQL that are not used, not assigned, or not what they seem to be.

use core::ops::Range;
use std::collections::{HashMap, HashSet};

use pg_ast::NodeRef;
use pg_ast::plpgsql::{
    DataType, Datum, Decl, DeclType, Dno, Expr, Function, Param, Part, Stmt, TypeKind,
};
use pg_ast::protobuf::FunctionParameterMode;
use pg_ast_plpgsql::VariableUses;

use super::name_at;
use crate::{Finding, Rule};

/// Checks the variables of a function; `text` is its statement.
pub(super) fn check(
    text: &str,
    function: &Function,
    variables: &[VariableUses<'_>],
    found: &mut Vec<Finding>,
) {
    let facts = Facts::new(function);
    let is_callback = is_callback(variables);
    for variable in variables {
        let variable = Variable { text, function, facts: &facts, uses: variable };
        if let Some(decl) = facts.decls.get(&variable.uses.dno) {
            variable.declared(decl, found);
        } else if let Some(mode) = variable.uses.parameter
            && !(facts.is_stub || is_callback && is_input(mode))
        {
            variable.parameter(mode, found);
        }
    }
}

/// What the statements of a function say about its variables.
#[derive(Default)]
struct Facts<'a> {
    /// The declarations of variables, without aliases.
    decls: HashMap<Dno, &'a Decl>,
    /// The names in types such as `a%TYPE`.
    in_types: HashSet<String>,
    /// The places of `CALL`, in order, which may assign its arguments.
    calls: Vec<Range<usize>>,
    /// The offsets of assignments that do nothing else.
    assignments: HashSet<usize>,
    params: HashMap<Dno, &'a Param>,
    returns_query: bool,
    returns_next: bool,
    /// Whether it does nothing yet.
    is_stub: bool,
}

impl<'a> Facts<'a> {
    fn new(function: &'a Function) -> Self {
        let mut facts = Self { is_stub: is_stub(function), ..Self::default() };
        facts.params.extend(function.params.iter().filter_map(|param| Some((param.dno?, param))));
        facts.of_type(function.returns.as_ref());
        let mut has_handlers = false;
        let mut parts = function.parts();
        while let Some(part) = parts.next() {
            match part {
                Part::Decl(decl) if decl.kind != DeclType::Alias => {
                    facts.decls.insert(decl.dno, decl);
                }
                Part::DataType(ty) => facts.of_type(Some(ty)),
                Part::Call(stmt) => facts.calls.extend(stmt.range()),
                Part::Block(block) => has_handlers |= block.exceptions.is_some(),
                Part::Assign(stmt) if is_pure(&stmt.expr) => {
                    facts.assignments.extend(stmt.range().map(|it| it.start));
                }
                Part::ReturnQuery(_) => facts.returns_query = true,
                Part::ReturnNext(_) => facts.returns_next = true,
                _ => {}
            }
            if matches!(part, Part::Expr(_) | Part::DataType(_)) {
                parts.skip_children();
            }
        }
        // Whether an assignment fails may be what matters.
        if has_handlers {
            facts.assignments.clear();
        }
        facts.calls.sort_by_key(|call| call.start);
        facts
    }

    /// Notes the variable in a type such as `a%TYPE`.
    fn of_type(&mut self, ty: Option<&DataType>) {
        let Some((name, _)) = ty.and_then(|ty| ty.text.split_once('%')) else { return };
        let first = name.split('.').next().unwrap_or_default().trim();
        let name = match first.strip_prefix('"') {
            Some(quoted) => quoted.trim_end_matches('"').replace("\"\"", "\""),
            None => first.to_lowercase(),
        };
        self.in_types.insert(name);
    }

    fn is_in_call(&self, location: usize) -> bool {
        let behind = self.calls.partition_point(|call| call.start <= location);
        behind > 0 && location < self.calls[behind - 1].end
    }
}

/// Returns whether an expression has no effect.
fn is_pure(expr: &Expr) -> bool {
    !expr.tree.nodes().any(|node| matches!(node, NodeRef::FuncCall(_) | NodeRef::SubLink(_)))
}

/// Returns whether a function only returns a constant or raises an error.
fn is_stub(function: &Function) -> bool {
    let mut stmts = function.action.body.iter().filter(|stmt| !matches!(stmt, Stmt::Null(_)));
    let first = stmts.next();
    matches!(first, None | Some(Stmt::Raise(_) | Stmt::Return(_)))
        && stmts.all(|stmt| matches!(stmt, Stmt::Raise(_) | Stmt::Return(_)))
}

/// A variable of a function, and what is known about it.
#[derive(Clone, Copy)]
struct Variable<'a> {
    text: &'a str,
    function: &'a Function,
    facts: &'a Facts<'a>,
    uses: &'a VariableUses<'a>,
}

impl Variable<'_> {
    fn is_read(self) -> bool {
        !self.uses.reads.is_empty() || self.facts.in_types.contains(self.uses.name)
    }

    /// Returns whether it may be assigned.
    fn is_written(self) -> bool {
        !self.uses.writes.is_empty()
            || self.uses.reads.iter().any(|read| self.facts.is_in_call(read.location))
    }

    /// Returns whether its type may be a domain, so that an assignment can fail.
    fn may_check_values(self) -> bool {
        match self.function.datum(self.uses.dno) {
            Some(Datum::Var(var)) => var.notnull || var.datatype.unknown,
            Some(Datum::Rec(rec)) => rec.datatype.as_ref().is_none_or(|ty| ty.unknown),
            _ => true,
        }
    }

    /// Checks a variable that a block declares.
    fn declared(self, decl: &Decl, found: &mut Vec<Finding>) {
        let Some(range) = decl.range() else { return };
        let place = name_at(self.text, range.start);
        if !self.is_read() {
            let writes = &self.uses.writes;
            if writes.is_empty() {
                found.push(Finding::of(Rule::UnusedVariable, place).help("remove it"));
            } else if !self.may_check_values()
                && writes.iter().all(|it| self.facts.assignments.contains(&it.location))
            {
                let message = "the variable is assigned, but never read";
                found.push(Finding::new(Rule::UnusedVariable, place, message).help("remove it"));
            }
            return;
        }
        let has_value = match self.function.datum(self.uses.dno) {
            Some(Datum::Var(var)) => var.default_val.is_some(),
            Some(Datum::Rec(rec)) => rec.default_val.is_some(),
            _ => true,
        };
        let is_certain = self.uses.reads.iter().any(|read| read.is_certain);
        if decl.kind == DeclType::Variable && !has_value && is_certain && !self.is_written() {
            let help = "assign it, or write NULL where it is read";
            found.push(Finding::of(Rule::UnassignedVariable, place).help(help));
        }
    }

    fn parameter(self, mode: FunctionParameterMode, found: &mut Vec<Finding>) {
        let Some(param) = self.facts.params.get(&self.uses.dno) else { return };
        let (Some(_), Some(place)) = (&param.name, param.range()) else { return };
        match mode {
            _ if is_input(mode) => {
                // One of a pseudo-type may be there for its type.
                let is_for_type = param.datatype.ttype == TypeKind::Pseudo;
                if !self.is_read() && !is_for_type && !is_meant_to_be_unused(self.uses.name) {
                    found.push(Finding::of(Rule::UnusedParameter, place));
                }
            }
            FunctionParameterMode::FuncParamOut | FunctionParameterMode::FuncParamTable => {
                let is_row = mode == FunctionParameterMode::FuncParamOut
                    && !self.function.fn_retset
                    || self.facts.returns_next;
                if is_row && !self.facts.returns_query && !self.is_written() {
                    found.push(Finding::of(Rule::UnsetOutParameter, place).help("assign it"));
                }
            }
            _ => {}
        }
    }
}

/// Returns whether a function seems to have the parameters that its callers demand, whether it needs them or not.
fn is_callback(variables: &[VariableUses<'_>]) -> bool {
    let inputs = variables.iter().filter(|it| it.parameter.is_some_and(is_input));
    let mut unread = inputs.clone().filter(|it| it.reads.is_empty());
    let is_variadic =
        |it: &VariableUses<'_>| it.parameter == Some(FunctionParameterMode::FuncParamVariadic);
    inputs.clone().count() > 1 && unread.clone().count() == inputs.count()
        || unread.any(is_variadic)
}

fn is_input(mode: FunctionParameterMode) -> bool {
    matches!(
        mode,
        FunctionParameterMode::FuncParamIn
            | FunctionParameterMode::FuncParamDefault
            | FunctionParameterMode::FuncParamVariadic
    )
}

fn is_meant_to_be_unused(name: &str) -> bool {
    ["unused", "dummy", "ignore"].iter().any(|word| name.contains(word))
}

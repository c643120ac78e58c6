//! Where control goes in a function: whether its end is reached, and which statements are not.
//!
//! Statements come to the results of `pl_exec.c`: they end normally, leave a block or a loop (`PLPGSQL_RC_EXIT`), begin a
//! loop again (`PLPGSQL_RC_CONTINUE`), return, or raise an error.

use std::collections::HashMap;

use super::pg::plpgsql::{
    DataType, Expr, Function, Part, Stmt, StmtBlock, StmtCase, StmtExit, StmtIf, Stmts, Trigtype,
};
use super::pg::protobuf::{FunctionParameterMode, a_const};
use super::pg::seam::with_stack;
use super::pg::{NodeEnum, NodeRef};

/// Where control goes in a function; see [`flow()`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Flow<'a> {
    /// Whether control may reach the end of the body, that is, leave its outermost block without `RETURN`.
    pub end_is_reached: bool,
    /// The statements that are never reached: of each stretch of such ones, the first, in the order of the text. Those in an
    /// unreachable statement are not listed.
    pub unreachable: Vec<Part<'a>>,
}

/// `ERROR` of PostgreSQL's `elog.h`: from this level on, `RAISE` ends what it is in.
const ERROR: i32 = 21;

/// Returns whether PostgreSQL raises an error when control reaches the end without `RETURN`.
///
/// It does in functions that return a value, and in those for triggers. Others may end anywhere: procedures, `DO`, functions
/// that return a set or `void` or have parameters for results, and those for event triggers.
///
/// ```
/// use pg_ast::plpgsql;
///
/// let sql = "
///     CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN END';
///     CREATE FUNCTION g() RETURNS SETOF int LANGUAGE plpgsql AS 'BEGIN END';
///     CREATE FUNCTION h(OUT a int) LANGUAGE plpgsql AS 'BEGIN END'";
/// let parsed = plpgsql::parse(sql)?;
/// let functions = parsed.functions.iter().filter_map(|it| it.function.as_ref().ok());
/// let need: Vec<_> = functions.map(|function| pg_ast_plpgsql::needs_return(function)).collect();
/// assert_eq!(need, [true, false, false]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn needs_return(function: &Function) -> bool {
    let is_void = |ty: &DataType| ty.typname == "void" && !ty.unknown;
    let is_result = |mode| {
        matches!(
            mode,
            FunctionParameterMode::FuncParamOut
                | FunctionParameterMode::FuncParamInout
                | FunctionParameterMode::FuncParamTable
        )
    };
    // As `do_compile` adds a RETURN to the end.
    !(function.is_do
        || function.is_procedure
        || function.fn_retset
        || function.fn_is_trigger == Trigtype::EventTrigger
        || function.returns.as_ref().is_some_and(is_void)
        || function.params.iter().any(|param| is_result(param.mode)))
}

/// Finds out whether control may reach the end, and which statements it never reaches.
///
/// If the end is reached in a function that [needs a `RETURN`](needs_return()), PostgreSQL raises the error `control
/// reached end of function without RETURN`.
///
/// Conditions may hold or not, loops may run or not, and a handler may be reached. The condition `TRUE` holds: `WHILE true`
/// is a `LOOP`. No other constant is looked at. `ASSERT` and calls of functions may raise errors, or not.
///
/// ```
/// use pg_ast::plpgsql;
///
/// let sql = "CREATE FUNCTION sign(a int) RETURNS int LANGUAGE plpgsql AS $$
/// BEGIN
///     IF a > 0 THEN
///         RETURN 1;
///     ELSIF a < 0 THEN
///         RAISE EXCEPTION 'negative';
///         RETURN -1;
///     END IF;
/// END $$";
/// let parsed = plpgsql::parse(sql)?;
/// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
/// let flow = pg_ast_plpgsql::flow(function);
/// assert!(pg_ast_plpgsql::needs_return(function) && flow.end_is_reached);
/// assert_eq!(flow.unreachable.len(), 1);
/// assert_eq!(&sql[flow.unreachable[0].range().unwrap()], "RETURN -1;");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn flow(function: &Function) -> Flow<'_> {
    let mut walk = FlowWalk::default();
    let ends = walk.block(&function.action);
    walk.flow.end_is_reached |= ends;
    walk.flow
}

/// A labelled block, or a loop, around the statement.
struct Enclosing<'a> {
    label: Option<&'a str>,
    is_loop: bool,
    /// Whether an `EXIT` leaves it.
    is_left: bool,
}

#[derive(Default)]
struct FlowWalk<'a> {
    flow: Flow<'a>,
    enclosing: Vec<Enclosing<'a>>,
    /// The indices of those that are loops.
    loops: Vec<usize>,
    /// The indices of those with a label, by labels: the inner ones last.
    labels: HashMap<&'a str, Vec<usize>>,
}

impl<'a> FlowWalk<'a> {
    /// Goes through statements that are reached; returns whether the last one ends normally.
    fn stmts(&mut self, stmts: &'a Stmts) -> bool {
        for (index, stmt) in stmts.iter().enumerate() {
            if !with_stack(|| self.stmt(stmt)) {
                self.unreachable(&stmts[index + 1..]);
                return false;
            }
        }
        true
    }

    fn unreachable(&mut self, stmts: &'a [Stmt]) {
        self.flow.unreachable.extend(stmts.first().map(Part::from));
    }

    /// Returns whether a statement ends normally, so that the next one is reached.
    fn stmt(&mut self, stmt: &'a Stmt) -> bool {
        match stmt {
            Stmt::Block(block) => self.block(block),
            Stmt::If(stmt) => self.branches(stmt),
            Stmt::Case(stmt) => self.arms(stmt),
            Stmt::Loop(stmt) => self.body(stmt.label.as_deref(), &stmt.body),
            Stmt::While(stmt) => {
                let is_left = self.body(stmt.label.as_deref(), &stmt.body);
                is_left || !is_true(&stmt.cond)
            }
            Stmt::Fori(stmt) => self.may_run(stmt.label.as_deref(), &stmt.body),
            Stmt::Fors(stmt) => self.may_run(stmt.label.as_deref(), &stmt.body),
            Stmt::Forc(stmt) => self.may_run(stmt.label.as_deref(), &stmt.body),
            Stmt::ForeachA(stmt) => self.may_run(stmt.label.as_deref(), &stmt.body),
            Stmt::Dynfors(stmt) => self.may_run(stmt.label.as_deref(), &stmt.body),
            Stmt::Exit(stmt) => self.exit(stmt),
            Stmt::Return(_) => false,
            Stmt::Raise(stmt) => stmt.elog_level < ERROR,
            Stmt::ReturnNext(_)
            | Stmt::ReturnQuery(_)
            | Stmt::Assign(_)
            | Stmt::Assert(_)
            | Stmt::Execsql(_)
            | Stmt::Dynexecute(_)
            | Stmt::Getdiag(_)
            | Stmt::Open(_)
            | Stmt::Fetch(_)
            | Stmt::Close(_)
            | Stmt::Perform(_)
            | Stmt::Call(_)
            | Stmt::Commit(_)
            | Stmt::Rollback(_)
            | Stmt::Null(_) => true,
        }
    }

    fn block(&mut self, block: &'a StmtBlock) -> bool {
        let label = block.label.as_deref();
        if label.is_some() {
            self.enter(label, false);
        }
        let mut ends = self.stmts(&block.body);
        for handler in block.exceptions.iter().flat_map(|exceptions| &exceptions.exc_list) {
            ends |= self.stmts(&handler.action);
        }
        if label.is_some() {
            ends |= self.leave();
        }
        ends
    }

    fn branches(&mut self, stmt: &'a StmtIf) -> bool {
        let elsifs = stmt.elsif_list.iter().map(|elsif| (&elsif.cond, &elsif.stmts));
        let branches = core::iter::once((&stmt.cond, &stmt.then_body)).chain(elsifs);
        let (mut ends, holds) = self.conditional(branches);
        if holds {
            self.unreachable(&stmt.else_body);
        } else {
            ends |= self.stmts(&stmt.else_body);
        }
        ends
    }

    fn arms(&mut self, stmt: &'a StmtCase) -> bool {
        let arms = stmt.case_when_list.iter();
        let (mut ends, holds) = if stmt.t_expr.is_none() {
            self.conditional(arms.map(|when| (&when.written, &when.stmts)))
        } else {
            let ends = arms.fold(false, |ends, when| self.stmts(&when.stmts) | ends);
            (ends, false)
        };
        if holds {
            self.unreachable(&stmt.else_stmts);
        } else if stmt.have_else {
            ends |= self.stmts(&stmt.else_stmts);
        }
        // Without an ELSE, it is the error `case not found`.
        ends
    }

    /// Returns whether one of the branches ends normally, and whether one of them is taken in any case.
    fn conditional(
        &mut self,
        branches: impl Iterator<Item = (&'a Expr, &'a Stmts)>,
    ) -> (bool, bool) {
        let (mut ends, mut holds) = (false, false);
        for (cond, stmts) in branches {
            if holds {
                self.unreachable(stmts);
            } else {
                ends |= self.stmts(stmts);
                holds = is_true(cond);
            }
        }
        (ends, holds)
    }

    /// Goes through the body of a loop; returns whether an `EXIT` leaves it.
    fn body(&mut self, label: Option<&'a str>, body: &'a Stmts) -> bool {
        self.enter(label, true);
        self.stmts(body);
        self.leave()
    }

    /// Goes through a loop that ends by itself.
    fn may_run(&mut self, label: Option<&'a str>, body: &'a Stmts) -> bool {
        self.body(label, body);
        true
    }

    fn exit(&mut self, stmt: &'a StmtExit) -> bool {
        if stmt.is_exit {
            let target = match &stmt.label {
                Some(label) => self.labels.get(label.as_str()).and_then(|of| of.last()),
                None => self.loops.last(),
            };
            match target.and_then(|index| self.enclosing.get_mut(*index)) {
                Some(enclosing) => enclosing.is_left = true,
                // The name of the function is the label of what is around the outermost block.
                None => self.flow.end_is_reached = true,
            }
        }
        stmt.cond.as_ref().is_some_and(|cond| !is_true(cond))
    }

    fn enter(&mut self, label: Option<&'a str>, is_loop: bool) {
        let index = self.enclosing.len();
        self.enclosing.push(Enclosing { label, is_loop, is_left: false });
        if is_loop {
            self.loops.push(index);
        }
        if let Some(label) = label {
            self.labels.entry(label).or_default().push(index);
        }
    }

    /// Returns whether an `EXIT` leaves it.
    fn leave(&mut self) -> bool {
        let Some(enclosing) = self.enclosing.pop() else { return false };
        if enclosing.is_loop {
            self.loops.pop();
        }
        if let Some(of) = enclosing.label.and_then(|label| self.labels.get_mut(label)) {
            of.pop();
        }
        enclosing.is_left
    }
}

/// Returns whether a condition is the constant `TRUE`.
fn is_true(cond: &Expr) -> bool {
    let mut stmts = cond.tree.stmts();
    let (Some(NodeRef::SelectStmt(select)), None) = (stmts.next(), stmts.next()) else {
        return false;
    };
    let [target] = &select.target_list[..] else { return false };
    let Some(NodeEnum::ResTarget(target)) = &target.node else { return false };
    let Some(NodeEnum::AConst(constant)) = target.val.as_ref().and_then(|val| val.node.as_ref())
    else {
        return false;
    };
    // Without anything that could leave no row, or another one.
    matches!(&constant.val, Some(a_const::Val::Boolval(value)) if value.boolval)
        && select.from_clause.is_empty()
        && select.where_clause.is_none()
        && select.group_clause.is_empty()
        && select.having_clause.is_none()
        && select.limit_offset.is_none()
        && select.limit_count.is_none()
}

//! Which SQL the variables of a function have where dynamic SQL reads them.
//!
//! Statements are followed one after the other. After branches, a variable is known that has the same value in all of them. What
//! is assigned in a loop, or in a block with a label or with handlers, is known up to the end of that alone. Whatever `CALL` names
//! may be assigned by it: which arguments are for results, the catalog knows.

use core::convert::Infallible;
use core::ops::ControlFlow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::body::body_variables::variables;
use super::dynamic_parts::{PartsBuilder, Reads};
use super::dynamic_sql::{DynamicKind, DynamicPart};
use super::pg::plpgsql::{
    Datum, DeclType, Dno, Expr, Function, Part, Stmt, StmtBlock, StmtIf, Stmts, VisitFunction,
};
use super::pg::seam::with_stack;

/// The parts of an expression.
pub(crate) type Built<'a> = (DynamicKind, Arc<[DynamicPart<'a>]>);
/// The parts of the values that variables have.
pub(crate) type KnownSql<'a> = HashMap<Dno, Arc<[DynamicPart<'a>]>>;

/// No more variables than these are followed.
const MAX_VARIABLES: usize = 64;

/// Returns the parts of dynamic SQL, by its expression.
pub(crate) fn follow<'a>(
    function: &'a Function,
    reads: &Reads,
    called: &HashSet<Dno>,
    dynamic: &[&'a Expr],
) -> HashMap<*const Expr, Built<'a>> {
    let mut written: HashMap<i32, Vec<Dno>> = HashMap::new();
    for uses in variables(function) {
        for write in uses.writes {
            if let Ok(location) = i32::try_from(write.location) {
                written.entry(location).or_default().push(uses.dno);
            }
        }
    }
    let mut unsure = Unsure { written: &written, depth: 0, found: HashSet::new() };
    let ControlFlow::Continue(()) = function.visit(&mut unsure);
    let mut unsure = unsure.found;
    unsure.extend(called);
    let builder = PartsBuilder { function, variables: reads, known: &HashMap::new(), formats: 0 };
    let mut names = HashSet::new();
    for expr in dynamic {
        let (_, parts) = builder.build(expr);
        for part in parts.iter() {
            if let DynamicPart::Value(value) = part
                && names.len() < MAX_VARIABLES
            {
                names.extend(value.variables().iter().take(MAX_VARIABLES));
            }
        }
    }
    let mut follower = Follower {
        function,
        reads,
        written: &written,
        unsure: &unsure,
        called,
        followed: &names,
        built: HashMap::new(),
    };
    follower.block(&function.action, &mut KnownSql::new());
    follower.built
}

/// Finds the variables that are assigned in a loop, or in a block that may be left from within.
struct Unsure<'w> {
    written: &'w HashMap<i32, Vec<Dno>>,
    depth: usize,
    found: HashSet<Dno>,
}

fn is_unsure(part: Part<'_>) -> bool {
    match part {
        Part::Block(block) => block.label.is_some() || block.exceptions.is_some(),
        _ => part.is_loop(),
    }
}

impl<'a> VisitFunction<'a> for Unsure<'_> {
    type Break = Infallible;

    fn enter(&mut self, part: Part<'a>) -> ControlFlow<Infallible> {
        self.depth += usize::from(is_unsure(part));
        if self.depth > 0 && part.is_stmt() {
            let location = part.range().and_then(|range| i32::try_from(range.start).ok());
            let written = location.and_then(|location| self.written.get(&location));
            self.found.extend(written.into_iter().flatten());
        }
        ControlFlow::Continue(())
    }

    fn leave(&mut self, part: Part<'a>) -> ControlFlow<Infallible> {
        self.depth -= usize::from(is_unsure(part));
        ControlFlow::Continue(())
    }

    fn visit_expr(&mut self, _: &'a Expr, _: &'a Function) -> ControlFlow<Infallible> {
        ControlFlow::Continue(())
    }
}

struct Follower<'a, 'w> {
    function: &'a Function,
    reads: &'w Reads,
    written: &'w HashMap<i32, Vec<Dno>>,
    unsure: &'w HashSet<Dno>,
    called: &'w HashSet<Dno>,
    followed: &'w HashSet<Dno>,
    built: HashMap<*const Expr, Built<'a>>,
}

impl<'a> Follower<'a, '_> {
    fn build(&self, expr: &'a Expr, known: &KnownSql<'a>) -> Built<'a> {
        PartsBuilder { function: self.function, variables: self.reads, known, formats: 0 }
            .build(expr)
    }

    fn stmts(&mut self, stmts: &'a Stmts, known: &mut KnownSql<'a>) {
        for stmt in stmts {
            with_stack(|| self.stmt(stmt, known));
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt, known: &mut KnownSql<'a>) {
        if let Some(expr) = Part::from(stmt).dynamic() {
            let built = self.build(expr, known);
            self.built.insert(expr, built);
        }
        match stmt {
            Stmt::Block(block) => return self.block(block, known),
            Stmt::If(stmt) => return self.branches(stmt, known),
            Stmt::Case(stmt) => {
                let mut after = if stmt.have_else {
                    let mut state = known.clone();
                    self.stmts(&stmt.else_stmts, &mut state);
                    Some(state)
                } else {
                    None
                };
                for when in &stmt.case_when_list {
                    let mut state = known.clone();
                    self.stmts(&when.stmts, &mut state);
                    after = Some(both(after, state));
                }
                *known = after.unwrap_or_default();
                return;
            }
            Stmt::Loop(stmt) => return self.repeated(&stmt.body, known),
            Stmt::While(stmt) => return self.repeated(&stmt.body, known),
            Stmt::Fori(stmt) => return self.repeated(&stmt.body, known),
            Stmt::Fors(stmt) => return self.repeated(&stmt.body, known),
            Stmt::Forc(stmt) => return self.repeated(&stmt.body, known),
            Stmt::ForeachA(stmt) => return self.repeated(&stmt.body, known),
            Stmt::Dynfors(stmt) => return self.repeated(&stmt.body, known),
            Stmt::Call(_) => known.retain(|dno, _| !self.called.contains(dno)),
            Stmt::Assign(stmt) if self.followed.contains(&stmt.varno) => {
                let parts = self.build(&stmt.expr, known).1;
                self.assign(stmt.varno, parts, known);
                return;
            }
            _ => {}
        }
        let location = stmt.range().and_then(|range| i32::try_from(range.start).ok());
        for dno in location.and_then(|location| self.written.get(&location)).into_iter().flatten() {
            known.remove(dno);
        }
    }

    fn assign(&self, dno: Dno, parts: Arc<[DynamicPart<'a>]>, known: &mut KnownSql<'a>) {
        // A value that is read from elsewhere is known no better than the variable.
        let is_elsewhere = matches!(&parts[..], [] | [DynamicPart::Value(_)]);
        if is_elsewhere || !matches!(self.function.datum(dno), Some(Datum::Var(_))) {
            known.remove(&dno);
        } else {
            known.insert(dno, parts);
        }
    }

    fn block(&mut self, block: &'a StmtBlock, known: &mut KnownSql<'a>) {
        for decl in block.decls.iter().filter(|decl| decl.kind == DeclType::Variable) {
            if let Some(Datum::Var(var)) = self.function.datum(decl.dno)
                && self.followed.contains(&decl.dno)
            {
                match &var.default_val {
                    Some(value) => {
                        let parts = self.build(value, known).1;
                        self.assign(decl.dno, parts, known);
                    }
                    None => {
                        known.remove(&decl.dno);
                    }
                }
            }
        }
        let mut handled = known.clone();
        self.stmts(&block.body, known);
        if let Some(exceptions) = &block.exceptions {
            handled.retain(|dno, _| !self.unsure.contains(dno));
            for handler in &exceptions.exc_list {
                self.stmts(&handler.action, &mut handled.clone());
            }
        }
        if is_unsure(Part::Block(block)) {
            known.retain(|dno, _| !self.unsure.contains(dno));
        }
    }

    fn branches(&mut self, stmt: &'a StmtIf, known: &mut KnownSql<'a>) {
        let elsifs = stmt.elsif_list.iter().map(|elsif| &elsif.stmts);
        let mut after = None;
        for body in core::iter::once(&stmt.then_body).chain(elsifs).chain([&stmt.else_body]) {
            let mut state = known.clone();
            self.stmts(body, &mut state);
            after = Some(both(after, state));
        }
        *known = after.unwrap_or_default();
    }

    fn repeated(&mut self, body: &'a Stmts, known: &mut KnownSql<'a>) {
        known.retain(|dno, _| !self.unsure.contains(dno));
        self.stmts(body, &mut known.clone());
    }
}

/// Returns what is known after both of two branches.
fn both<'a>(one: Option<KnownSql<'a>>, mut other: KnownSql<'a>) -> KnownSql<'a> {
    if let Some(one) = one {
        other.retain(|dno, parts| one.get(dno).is_some_and(|it| Arc::ptr_eq(it, parts)));
    }
    other
}

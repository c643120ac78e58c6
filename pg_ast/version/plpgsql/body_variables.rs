//! Where variables are read and assigned.
//!
//! Names are looked up as PL/pgSQL's compiler does (`plpgsql_ns_lookup`): from the innermost block outwards, a name alone or
//! after the label of a block.

use core::convert::Infallible;
use core::ops::{ControlFlow, Range};
use std::collections::HashMap;

use super::super::super::plpgsql_tree::{
    Datum, Decl, DeclType, Exception, Expr, Function, StmtBlock, StmtForc, StmtFori,
};
use super::names::{NodeEnum, NodeRef, protobuf};
use super::{Dno, Part, Stmts, Target, VisitFunction};

/// A variable of a function, and where it is used; see [`Function::variables`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableUses<'a> {
    /// The number of the variable.
    pub dno: Dno,
    /// The name that it was declared with.
    pub name: &'a str,
    /// The place of its declaration, as byte offsets; `None` if it was not declared in the body: a parameter, a loop variable,
    /// or a variable of PL/pgSQL's own, such as `FOUND`.
    pub declared: Option<Range<usize>>,
    /// How it is passed, if it is a parameter.
    pub parameter: Option<protobuf::FunctionParameterMode>,
    /// Where it is read, in the order of the text.
    pub reads: Vec<VariableUse>,
    /// Where it is assigned, in the order of the text. An initial value is not an assignment.
    pub writes: Vec<VariableUse>,
}

/// A use of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableUse {
    /// The byte offset of the name in an expression; or of the statement that uses it, such as `FETCH` or `SELECT .. INTO`.
    pub location: usize,
    /// Whether it is the variable in any case. In SQL with tables, the name may be that of a column.
    pub is_certain: bool,
}

impl Function {
    /// Returns the variables by their numbers, with the places where they are read and assigned.
    ///
    /// Fields of a record count as the record. Rows, which have no name, and the variable that PL/pgSQL makes for a `CASE` are
    /// left out. Names in dynamic SQL are not seen, since it cannot use variables.
    ///
    /// ```
    /// let sql = "CREATE FUNCTION f(a int, b int) RETURNS int LANGUAGE plpgsql AS $$
    /// DECLARE
    ///     n int := a;
    ///     unused int;
    /// BEGIN
    ///     SELECT count(*) INTO n FROM t WHERE id = b;
    ///     RETURN n;
    /// END $$";
    /// let parsed = pg_ast::plpgsql::parse(sql)?;
    /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
    /// let variables = function.variables();
    /// let of = |name| variables.iter().find(|variable| variable.name == name).unwrap();
    /// assert_eq!((of("n").reads.len(), of("n").writes.len()), (1, 1));
    /// assert_eq!(&sql[of("unused").declared.clone().unwrap()], "unused int;");
    /// assert!(of("unused").reads.is_empty() && of("unused").writes.is_empty());
    /// assert!(of("a").reads[0].is_certain);
    /// // It might be a column of the table.
    /// assert!(!of("b").reads[0].is_certain);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn variables(&self) -> Vec<VariableUses<'_>> {
        let mut found = Resolver::new(self);
        let ControlFlow::Continue(()) = self.visit(&mut found);
        let mut uses = found.uses;
        uses.retain(|uses| !uses.name.starts_with(CASE_VARIABLE));
        uses
    }
}

/// What PL/pgSQL's own variables for `CASE` are called.
const CASE_VARIABLE: &str = "__Case__Variable_";

/// A block, or what else has names of its own.
struct NameScope<'a> {
    label: Option<&'a str>,
    /// The names that are declared in it.
    names: Vec<&'a str>,
}

/// The names that are visible at a place, and the uses that have been found.
struct Resolver<'a> {
    function: &'a Function,
    uses: Vec<VariableUses<'a>>,
    /// The index there of a variable, by its number.
    index: Vec<Option<usize>>,
    scopes: Vec<NameScope<'a>>,
    /// The scopes, by their labels: the inner ones last.
    labels: HashMap<&'a str, Vec<usize>>,
    /// The variables by name, each with its scope: the inner ones last.
    names: HashMap<&'a str, Vec<(usize, Dno)>>,
    blocks: Vec<&'a StmtBlock>,
    /// Whether names in the expression may be those of columns.
    has_tables: bool,
}

impl<'a> Resolver<'a> {
    fn new(function: &'a Function) -> Self {
        let mut resolver = Self {
            function,
            uses: Vec::new(),
            index: vec![None; function.datums.len()],
            scopes: Vec::new(),
            labels: HashMap::new(),
            names: HashMap::new(),
            blocks: Vec::new(),
            has_tables: false,
        };
        for (index, datum) in function.datums.iter().enumerate() {
            if matches!(datum, Datum::Var(_) | Datum::Rec(_) | Datum::Promise(_)) {
                resolver.index[index] = Some(resolver.uses.len());
                resolver.uses.push(VariableUses {
                    dno: datum.dno(),
                    name: datum.name(),
                    declared: datum.range(),
                    parameter: None,
                    reads: Vec::new(),
                    writes: Vec::new(),
                });
            }
        }
        let label = function.name.as_deref().map(|name| name.rsplit('.').next().unwrap_or(name));
        resolver.enter_scope(label);
        for param in &function.params {
            let Some(dno) = param.dno else { continue };
            if let Some(name) = &param.name {
                resolver.declare(name, dno);
            }
            if let Some(uses) = resolver.uses_of(dno) {
                uses.parameter = Some(param.mode);
            }
        }
        // PL/pgSQL's own variables, and the parameters by their numbers. Those of blocks have declarations.
        for datum in &function.datums {
            let is_own = matches!(datum, Datum::Promise(_))
                || [function.found_varno, function.new_varno, function.old_varno]
                    .contains(&Some(datum.dno()));
            if is_own {
                resolver.declare(datum.name(), datum.dno());
            }
        }
        resolver
    }

    fn enter_scope(&mut self, label: Option<&'a str>) {
        if let Some(label) = label {
            self.labels.entry(label).or_default().push(self.scopes.len());
        }
        self.scopes.push(NameScope { label, names: Vec::new() });
    }

    fn leave_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        if let Some(scopes) = scope.label.and_then(|label| self.labels.get_mut(label)) {
            scopes.pop();
        }
        for name in scope.names {
            if let Some(variables) = self.names.get_mut(name) {
                variables.pop();
            }
        }
    }

    fn declare(&mut self, name: &'a str, dno: Dno) {
        let scope = self.scopes.len().saturating_sub(1);
        self.names.entry(name).or_default().push((scope, dno));
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push(name);
        }
    }

    /// Returns the variable that a name means.
    fn lookup(&self, parts: &[&str]) -> Option<Dno> {
        let (first, rest) = parts.split_first()?;
        let variable = self.names.get(first).and_then(|variables| variables.last().copied());
        // A label is looked for only where a name follows it.
        let labelled = rest.first().and_then(|name| {
            let scopes = self.labels.get(first)?;
            let variables = self.names.get(name)?;
            let in_scope = |scope: &usize| {
                let mut of_scope = variables.iter().rev().filter(|(it, _)| it == scope);
                of_scope.next().copied()
            };
            scopes.iter().rev().find_map(in_scope)
        });
        match (variable, labelled) {
            (Some((scope, dno)), Some((of_label, labelled))) => {
                // In the same block, names of variables come before its label.
                Some(if scope >= of_label { dno } else { labelled })
            }
            (Some((_, dno)), None) | (None, Some((_, dno))) => Some(dno),
            (None, None) => None,
        }
    }

    /// Returns the uses of a variable; of the record, for a field.
    fn uses_of(&mut self, dno: Dno) -> Option<&mut VariableUses<'a>> {
        let dno = match self.function.datum(dno)? {
            Datum::Recfield(field) => field.recparentno,
            _ => dno,
        };
        let index = *self.index.get(dno.index())?;
        self.uses.get_mut(index?)
    }

    fn reads(&mut self, dno: Dno, location: i32, is_certain: bool) {
        if let (Some(uses), Ok(location)) = (self.uses_of(dno), usize::try_from(location)) {
            uses.reads.push(VariableUse { location, is_certain });
        }
    }

    fn writes(&mut self, dno: Dno, location: i32) {
        if let (Some(uses), Ok(location)) = (self.uses_of(dno), usize::try_from(location)) {
            uses.writes.push(VariableUse { location, is_certain: true });
        }
    }

    fn writes_target(&mut self, target: Option<&Target>, location: i32) {
        for dno in target.into_iter().flat_map(Target::dnos) {
            self.writes(*dno, location);
        }
    }

    /// Visits statements one by one.
    fn body(&mut self, body: &'a Stmts) -> ControlFlow<Infallible> {
        body.iter().try_for_each(|stmt| Part::from(stmt).visit(self.function, self))
    }

    fn column(&mut self, column: &protobuf::ColumnRef) {
        let parts = column.fields.iter().map_while(|field| match &field.node {
            Some(NodeEnum::String(name)) => Some(name.sval.as_str()),
            _ => None,
        });
        let parts: Vec<_> = parts.collect();
        if let Some(dno) = self.lookup(&parts) {
            self.reads(dno, column.location, !self.has_tables);
        }
    }

    fn parameter(&mut self, param: protobuf::ParamRef) {
        // All of them count, as in `do_compile`, also those for results.
        let index = usize::try_from(param.number).ok().and_then(|number| number.checked_sub(1));
        let found = index.and_then(|index| self.function.params.get(index));
        if let Some(dno) = found.and_then(|param| param.dno) {
            self.reads(dno, param.location, true);
        }
    }
}

impl<'a> VisitFunction<'a> for Resolver<'a> {
    type Break = Infallible;

    fn enter(&mut self, part: Part<'a>) -> ControlFlow<Infallible> {
        match part {
            Part::Block(block) => {
                self.blocks.push(block);
                self.enter_scope(block.label.as_deref());
            }
            Part::Assign(stmt) => self.writes(stmt.varno, stmt.location),
            Part::ForeachA(stmt) => self.writes(stmt.varno, stmt.location),
            Part::Fors(stmt) => self.writes_target(Some(&stmt.var), stmt.location),
            Part::Dynfors(stmt) => self.writes_target(Some(&stmt.var), stmt.location),
            Part::Execsql(stmt) => self.writes_target(stmt.target.as_ref(), stmt.location),
            Part::Dynexecute(stmt) => self.writes_target(stmt.target.as_ref(), stmt.location),
            // Which arguments of a CALL are for results, the catalog knows: they are read.
            Part::Open(stmt) => self.writes(stmt.curvar, stmt.location),
            Part::Close(stmt) => self.reads(stmt.curvar, stmt.location, true),
            Part::Fetch(stmt) => {
                self.reads(stmt.curvar, stmt.location, true);
                self.writes_target(stmt.target.as_ref(), stmt.location);
            }
            Part::Getdiag(stmt) => {
                for item in &stmt.diag_items {
                    self.writes(item.target, stmt.location);
                }
            }
            Part::Return(stmt) => {
                if let Some(dno) = stmt.retvarno {
                    self.reads(dno, stmt.location, true);
                }
            }
            Part::ReturnNext(stmt) => {
                if let Some(dno) = stmt.retvarno {
                    self.reads(dno, stmt.location, true);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn leave(&mut self, part: Part<'a>) -> ControlFlow<Infallible> {
        match part {
            Part::Block(_) => {
                self.blocks.pop();
                self.leave_scope();
            }
            // Not before: its own value does not see it.
            Part::Decl(decl) => self.declare(&decl.name, decl.dno),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn visit_decl(&mut self, decl: &'a Decl, function: &'a Function) -> ControlFlow<Infallible> {
        let arguments = match function.datum(decl.dno) {
            Some(Datum::Var(var)) if decl.kind == DeclType::Cursor => var.cursor_explicit_argrow,
            _ => None,
        };
        let Some(Datum::Row(row)) = arguments.and_then(|dno| function.datum(dno)) else {
            return self.visit_children(Part::Decl(decl), function);
        };
        self.enter_scope(None);
        for (name, dno) in row.fieldnames.iter().zip(&row.varnos) {
            self.declare(name, *dno);
        }
        let result = self.visit_children(Part::Decl(decl), function);
        self.leave_scope();
        result
    }

    fn visit_exception(
        &mut self,
        handler: &'a Exception,
        function: &'a Function,
    ) -> ControlFlow<Infallible> {
        self.enter_scope(None);
        let block = self.blocks.last().and_then(|block| block.exceptions.as_ref());
        if let Some(block) = block {
            self.declare("sqlstate", block.sqlstate_varno);
            self.declare("sqlerrm", block.sqlerrm_varno);
        }
        let result = self.visit_children(Part::Exception(handler), function);
        self.leave_scope();
        result
    }

    fn visit_stmt_fori(
        &mut self,
        stmt: &'a StmtFori,
        function: &'a Function,
    ) -> ControlFlow<Infallible> {
        // The bounds do not see the loop variable.
        for bound in
            [Some(&stmt.lower), Some(&stmt.upper), stmt.step.as_ref()].into_iter().flatten()
        {
            Part::Expr(bound).visit(function, self)?;
        }
        self.enter_scope(stmt.label.as_deref());
        self.declare(function.variable_name(stmt.var).unwrap_or_default(), stmt.var);
        self.writes(stmt.var, stmt.location);
        let result = self.body(&stmt.body);
        self.leave_scope();
        result
    }

    fn visit_stmt_forc(
        &mut self,
        stmt: &'a StmtForc,
        function: &'a Function,
    ) -> ControlFlow<Infallible> {
        self.reads(stmt.curvar, stmt.location, true);
        for argument in &stmt.args {
            Part::Expr(&argument.expr).visit(function, self)?;
        }
        // The loop declares its record.
        self.enter_scope(stmt.label.as_deref());
        for dno in stmt.var.dnos() {
            self.declare(function.variable_name(*dno).unwrap_or_default(), *dno);
        }
        self.writes_target(Some(&stmt.var), stmt.location);
        let result = self.body(&stmt.body);
        self.leave_scope();
        result
    }

    fn visit_expr(&mut self, expr: &'a Expr, _: &'a Function) -> ControlFlow<Infallible> {
        // Without tables, a name cannot be that of a column.
        self.has_tables = expr.tree.nodes().any(|node| {
            matches!(
                node,
                NodeRef::RangeVar(_)
                    | NodeRef::RangeSubselect(_)
                    | NodeRef::RangeFunction(_)
                    | NodeRef::RangeTableFunc(_)
                    | NodeRef::CommonTableExpr(_)
            )
        });
        for node in expr.tree.nodes() {
            match node {
                NodeRef::ColumnRef(column) => self.column(column),
                NodeRef::ParamRef(param) => self.parameter(*param),
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }
}

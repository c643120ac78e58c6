//! Where variables are read and assigned.
//!
//! Names are looked up as PL/pgSQL's compiler does (`plpgsql_ns_lookup`): from the innermost block outwards, a name alone or
//! after the label of a block.

use core::convert::Infallible;
use core::ops::{ControlFlow, Range};

use super::names_in_scope::NamesInScope;
use super::pg::plpgsql::{
    Datum, Decl, DeclType, Dno, Exception, Expr, Function, Part, StmtBlock, StmtForc, StmtFori,
    Stmts, Target, VisitFunction,
};
use super::pg::{NodeEnum, NodeRef, protobuf};

/// A variable of a function, and where it is used; see [`variables()`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableUses<'a> {
    /// The number of the variable.
    pub dno: Dno,
    /// The name that it was declared with.
    pub name: &'a str,
    /// The place of its declaration, as byte offsets: in the body, or in the list of parameters; `None` if it was not declared
    /// there: a loop variable, or a variable of PL/pgSQL's own, such as `FOUND`.
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

/// Returns the variables of a function by their numbers, with the places where they are read and assigned.
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
/// let variables = pg_ast_plpgsql::variables(function);
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
pub fn variables(function: &Function) -> Vec<VariableUses<'_>> {
    let mut ignore = |_: &_, _: Option<&_>| {};
    let mut found = Resolver::new(function, &mut ignore);
    let ControlFlow::Continue(()) = function.visit(&mut found);
    let mut uses = found.uses;
    uses.retain(|uses| uses.declared.is_some() || !uses.name.starts_with(CASE_VARIABLE));
    for uses in &mut uses {
        // A node has parts that are written before others, such as `WITH`.
        uses.reads.sort_by_key(|it| it.location);
        uses.writes.sort_by_key(|it| it.location);
    }
    uses
}

/// Calls `f` with each expression and statement of SQL, and the names that it can use: none if it is not analyzed before it
/// runs.
pub fn each_expr_in_scope<'a>(function: &'a Function, f: &mut SeeExpr<'_, 'a>) {
    let mut found = Resolver::new(function, f);
    let ControlFlow::Continue(()) = function.visit(&mut found);
}

/// What is called with an expression, and the names in its scope.
type SeeExpr<'f, 'a> = dyn FnMut(&'a Expr, Option<&NamesInScope<'a>>) + 'f;

/// What PL/pgSQL's own variables for `CASE` are called.
const CASE_VARIABLE: &str = "__Case__Variable_";

/// The names that are visible at a place, and the uses that have been found.
struct Resolver<'f, 'a> {
    function: &'a Function,
    see: &'f mut SeeExpr<'f, 'a>,
    uses: Vec<VariableUses<'a>>,
    /// The index there of a variable, by its number.
    index: Vec<Option<usize>>,
    names: NamesInScope<'a>,
    blocks: Vec<&'a StmtBlock>,
    /// Whether names in the expression may be those of columns.
    may_be_columns: bool,
}

impl<'f, 'a> Resolver<'f, 'a> {
    fn new(function: &'a Function, see: &'f mut SeeExpr<'f, 'a>) -> Self {
        let mut resolver = Self {
            function,
            see,
            uses: Vec::new(),
            index: vec![None; function.datums.len()],
            names: NamesInScope::new(function),
            blocks: Vec::new(),
            may_be_columns: false,
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
        for param in &function.params {
            if let Some(uses) = param.dno.and_then(|dno| resolver.uses_of(dno)) {
                uses.parameter = Some(param.mode);
            }
        }
        resolver
    }

    /// Returns the variable that a name in SQL means, as `resolve_column_ref` does.
    fn lookup(&self, column: &protobuf::ColumnRef) -> Option<Dno> {
        let mut parts = Vec::new();
        let mut is_all = false;
        for field in &column.fields {
            match &field.node {
                Some(NodeEnum::String(name)) => parts.push(name.sval.as_str()),
                _ => is_all = true,
            }
        }
        self.names.variable(&parts, is_all)
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
        if let Some(dno) = self.lookup(column) {
            self.reads(dno, column.location, !self.may_be_columns);
        }
    }

    fn parameter(&mut self, param: protobuf::ParamRef) {
        let name = format!("${}", param.number);
        if let Some((dno, _)) = self.names.lookup(&[&name]) {
            self.reads(dno, param.location, true);
        }
    }
}

impl<'a> VisitFunction<'a> for Resolver<'_, 'a> {
    type Break = Infallible;

    fn enter(&mut self, part: Part<'a>) -> ControlFlow<Infallible> {
        match part {
            Part::Block(block) => {
                self.blocks.push(block);
                self.names.open(block.label.as_deref());
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
                self.names.close();
            }
            // Not before: its own value does not see it.
            Part::Decl(decl) => self.names.declare(decl.dno, decl.name.as_str()),
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
        // Its name is the label of its parameters.
        self.names.open(Some(&decl.name));
        for (name, dno) in row.fieldnames.iter().zip(&row.varnos) {
            self.names.declare(*dno, name.as_str());
        }
        let result = self.visit_children(Part::Decl(decl), function);
        self.names.close();
        result
    }

    fn visit_exception(
        &mut self,
        handler: &'a Exception,
        function: &'a Function,
    ) -> ControlFlow<Infallible> {
        // The names are the block's own, from its first handler on.
        let block = self.blocks.last().and_then(|block| block.exceptions.as_ref());
        if let Some(block) = block
            && block.exc_list.first().is_some_and(|first| core::ptr::eq(first, handler))
        {
            self.names.declare(block.sqlstate_varno, "sqlstate");
            self.names.declare(block.sqlerrm_varno, "sqlerrm");
        }
        self.visit_children(Part::Exception(handler), function)
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
        self.names.open(stmt.label.as_deref());
        self.names.declare_by_its_name(stmt.var);
        self.writes(stmt.var, stmt.location);
        let result = self.body(&stmt.body);
        self.names.close();
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
        self.names.open(stmt.label.as_deref());
        for dno in stmt.var.dnos() {
            self.names.declare_by_its_name(*dno);
        }
        self.writes_target(Some(&stmt.var), stmt.location);
        let result = self.body(&stmt.body);
        self.names.close();
        result
    }

    fn visit_expr(&mut self, expr: &'a Expr, _: &'a Function) -> ControlFlow<Infallible> {
        // Other statements cannot use variables: PostgreSQL does not analyze them before it runs them.
        let is_analyzed = expr.tree.stmts().all(|stmt| {
            matches!(
                stmt,
                NodeRef::SelectStmt(_)
                    | NodeRef::InsertStmt(_)
                    | NodeRef::UpdateStmt(_)
                    | NodeRef::DeleteStmt(_)
                    | NodeRef::MergeStmt(_)
                    | NodeRef::PlassignStmt(_)
                    | NodeRef::CallStmt(_)
                    | NodeRef::ExplainStmt(_)
                    | NodeRef::CreateTableAsStmt(_)
                    | NodeRef::DeclareCursorStmt(_)
            )
        });
        (self.see)(expr, is_analyzed.then_some(&self.names));
        if !is_analyzed {
            return ControlFlow::Continue(());
        }
        // Without tables, and without what may name the columns of a result, a name cannot be that of a column.
        self.may_be_columns = expr.tree.nodes().any(|node| match node {
            NodeRef::RangeVar(_) => true,
            NodeRef::SelectStmt(select) => {
                !select.from_clause.is_empty()
                    || !select.sort_clause.is_empty()
                    || !select.group_clause.is_empty()
                    || !select.distinct_clause.is_empty()
            }
            _ => false,
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

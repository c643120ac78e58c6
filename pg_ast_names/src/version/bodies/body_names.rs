//! What names mean in the SQL of functions in PL/pgSQL.

use core::cell::RefCell;
use std::collections::BTreeMap;

use super::pg::NodeRef;
use super::pg::plpgsql::{Dno, Expr, Function, ResolveOption};
use super::pg::seam::read;
use super::pg_plpgsql::{NamesInScope, each_expr_in_scope};
use super::resolver::NameResolver;
use super::variable_conflicts::{BodyVariables, VariableConflict};
use crate::name_catalog::Catalog;
use crate::resolution::{ColumnUse, Resolution};

/// What the names of an expression or a statement of a function mean; see [`resolve_body`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyNames<'a> {
    /// The expression or the statement.
    pub expr: &'a Expr,
    /// What its names mean. Locations are byte offsets in the SQL that the function was parsed from, node indexes those of the
    /// expression's tree.
    pub names: Resolution,
    /// The variables that names are, by the locations of these.
    variables: BTreeMap<usize, Dno>,
}

impl BodyNames<'_> {
    /// Returns the number of the variable that a name [means](crate::ColumnMeaning::Variable): of the record, if it is a
    /// field of one.
    ///
    /// ```
    /// use pg_ast_names::{NoCatalog, resolve_body};
    ///
    /// let sql = "DO $$ DECLARE a int := 1; BEGIN DECLARE a int := a; BEGIN RAISE NOTICE '%', a; END; END $$";
    /// let parsed = pg_ast::plpgsql::parse(sql)?;
    /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
    /// let found = resolve_body(function, &NoCatalog);
    /// let variable = |of: usize| found[of].variable(&found[of].names.columns[0]).unwrap();
    /// // The value of the inner one is that of the outer one.
    /// assert_eq!(function.datum(variable(1)).unwrap().range().unwrap().start, 14);
    /// assert_eq!(function.datum(variable(2)).unwrap().range().unwrap().start, 40);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn variable(&self, column: &ColumnUse) -> Option<Dno> {
        self.variables.get(&column.location?).copied()
    }
}

/// The variables that an expression can use.
struct InBody<'n, 'a> {
    names: &'n NamesInScope<'a>,
    function: &'a Function,
    found: RefCell<BTreeMap<usize, Dno>>,
}

impl BodyVariables for InBody<'_, '_> {
    fn find(&self, parts: &[&str], is_star: bool) -> Option<String> {
        let dno = self.names.variable(parts, is_star)?;
        self.function.variable_name(dno).map(str::to_owned)
    }

    fn note(&self, parts: &[&str], is_star: bool, location: Option<usize>) {
        if let (Some(dno), Some(location)) = (self.names.variable(parts, is_star), location) {
            self.found.borrow_mut().insert(location, dno);
        }
    }

    fn conflict(&self) -> VariableConflict {
        match self.function.resolve_option {
            ResolveOption::Error => VariableConflict::Error,
            ResolveOption::Variable => VariableConflict::Variable,
            ResolveOption::Column => VariableConflict::Column,
        }
    }
}

/// Returns whether an expression creates a table.
fn creates(expr: &Expr) -> bool {
    let mut stmts = expr.tree.stmts();
    stmts.any(|stmt| matches!(stmt, NodeRef::CreateStmt(_) | NodeRef::CreateTableAsStmt(_)))
}

/// Returns what the names in each expression and statement of a function in PL/pgSQL mean.
///
/// A name can be that of a variable: a parameter, what the blocks and loops around the expression declare, with their labels
/// or the name of the function. One that a column has as well is a mistake, as PostgreSQL says when it runs the function, unless
/// `#variable_conflict` decides. A column of a table that the catalog does not know is not supposed to have the name of a variable.
/// What the statements do that are analyzed when they run, such as `CREATE TABLE`, cannot use variables.
///
/// Tables that a function creates, and those of a trigger that `REFERENCING` names, are not known; so what a function of
/// these kinds does not find is no mistake.
///
/// ```
/// use pg_ast::plpgsql;
/// use pg_ast_names::{ColumnMeaning, DdlCatalog, define, resolve_body};
///
/// let mut catalog = DdlCatalog::new();
/// define(&pg_ast::parse("CREATE TABLE t (a int, b int)")?, &mut catalog);
/// let sql = "CREATE FUNCTION f(n int) RETURNS int LANGUAGE plpgsql AS $$
/// BEGIN
///     RETURN (SELECT a FROM t WHERE b = n AND c > 1);
/// END $$";
/// let parsed = plpgsql::parse(sql)?;
/// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
/// let found = resolve_body(function, &catalog);
/// let meanings: Vec<_> = found[0].names.columns.iter().map(|column| &column.meaning).collect();
/// assert!(matches!(meanings[0], ColumnMeaning::Column(_)));
/// assert_eq!(meanings[2], &ColumnMeaning::Variable("n".to_owned()));
/// let mistake = &found[0].names.mistakes[0];
/// assert_eq!((mistake.to_string().as_str(), &sql[mistake.range(sql).unwrap()]), ("column \"c\" does not exist", "c"));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn resolve_body<'a>(function: &'a Function, catalog: &dyn Catalog) -> Vec<BodyNames<'a>> {
    let mut creates_tables = false;
    each_expr_in_scope(function, &mut |expr, _| creates_tables |= creates(expr));
    let is_lenient = creates_tables || function.new_varno.is_some();
    let mut found = Vec::new();
    each_expr_in_scope(function, &mut |expr, names| {
        let body = names.map(|names| InBody { names, function, found: RefCell::default() });
        let names = read(&expr.tree, |stmts| {
            let mut resolver = NameResolver::new(catalog);
            resolver.is_lenient = is_lenient;
            resolver.body = body.as_ref().map(|body| body as &dyn BodyVariables);
            resolver.stmts(stmts)
        });
        let variables = body.map(|body| body.found.into_inner()).unwrap_or_default();
        found.push(BodyNames { expr, names, variables });
    });
    found
}

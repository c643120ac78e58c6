//! What names mean in the SQL of functions in PL/pgSQL.

use core::convert::Infallible;
use core::ops::ControlFlow;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use super::names::NodeRef;
use super::plpgsql::{Datum, Expr, Function, Part, VisitFunction};
use super::resolver::NameResolver;
use crate::types::name_catalog::Catalog;
use crate::types::scopes::Resolution;

/// What the names of an expression or a statement of a function mean; see [`Function::resolve`](crate::plpgsql::Function::resolve).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyNames<'a> {
    /// The expression or the statement.
    pub expr: &'a Expr,
    /// What its names mean. Locations are byte offsets in the SQL that the function was parsed from, node indexes those of the
    /// expression's tree.
    pub names: Resolution,
}

/// The expressions of a function, and the names that can be before a variable.
#[derive(Default)]
struct BodyExprs<'a> {
    exprs: Vec<&'a Expr>,
    labels: Vec<&'a str>,
    /// Whether the function creates tables.
    creates: bool,
}

impl<'a> VisitFunction<'a> for BodyExprs<'a> {
    type Break = Infallible;

    fn enter(&mut self, part: Part<'a>) -> ControlFlow<Infallible> {
        let label = match part {
            Part::Block(stmt) => &stmt.label,
            Part::Fori(stmt) => &stmt.label,
            Part::Fors(stmt) => &stmt.label,
            Part::Forc(stmt) => &stmt.label,
            Part::Dynfors(stmt) => &stmt.label,
            Part::ForeachA(stmt) => &stmt.label,
            _ => &None,
        };
        self.labels.extend(label.as_deref());
        ControlFlow::Continue(())
    }

    fn visit_expr(&mut self, expr: &'a Expr, _: &'a Function) -> ControlFlow<Infallible> {
        self.exprs.push(expr);
        self.creates |= expr
            .tree
            .stmts()
            .any(|stmt| matches!(stmt, NodeRef::CreateStmt(_) | NodeRef::CreateTableAsStmt(_)));
        ControlFlow::Continue(())
    }
}

impl Function {
    /// Returns what the names in each expression and statement of the function mean.
    ///
    /// A name that is that of a variable and of a column in sight is the column's. In which block a variable is declared is not
    /// considered. Tables that a function creates, and those of a trigger that `REFERENCING` names, are not known; so what a function of
    /// these kinds does not find is no mistake.
    ///
    /// ```
    /// use pg_ast::plpgsql;
    /// use pg_ast::scopes::{ColumnMeaning, DdlCatalog};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// pg_ast::parse("CREATE TABLE t (a int, b int)")?.define(&mut catalog);
    /// let sql = "CREATE FUNCTION f(n int) RETURNS int LANGUAGE plpgsql AS $$
    /// BEGIN
    ///     RETURN (SELECT a FROM t WHERE b = n AND c > 1);
    /// END $$";
    /// let parsed = plpgsql::parse(sql)?;
    /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
    /// let found = function.resolve(&catalog);
    /// let meanings: Vec<_> = found[0].names.columns.iter().map(|column| &column.meaning).collect();
    /// assert!(matches!(meanings[0], ColumnMeaning::Column(_)));
    /// assert_eq!(meanings[2], &ColumnMeaning::Variable("n".to_owned()));
    /// let mistake = &found[0].names.mistakes[0];
    /// assert_eq!((mistake.to_string().as_str(), &sql[mistake.range(sql).unwrap()]), ("column \"c\" does not exist", "c"));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn resolve(&self, catalog: &dyn Catalog) -> Vec<BodyNames<'_>> {
        let mut found = BodyExprs::default();
        let ControlFlow::Continue(()) = self.visit(&mut found);
        let datums = self.datums.iter().filter(|datum| !matches!(datum, Datum::Row(_)));
        let variables = datums.map(Datum::name).chain(found.labels).chain(self.name.as_deref());
        let parameters = self.params.iter().filter_map(|param| param.name.as_deref());
        let variables: Rc<HashSet<_>> =
            Rc::new(variables.chain(parameters).map(Arc::from).collect());
        let is_lenient = found.creates || self.new_varno.is_some();
        let exprs = found.exprs.into_iter().map(|expr| {
            let names = expr.tree.protobuf.read(|stmts| {
                let mut resolver = NameResolver::new(catalog);
                resolver.is_lenient = is_lenient;
                resolver.variables = variables.clone();
                resolver.stmts(stmts.iter().copied())
            });
            BodyNames { expr, names }
        });
        exprs.collect()
    }
}

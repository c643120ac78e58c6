//! Dynamic SQL: how the text that `EXECUTE` runs is built.

use core::ops::{ControlFlow, Range};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::assigned_sql::follow;
use super::body::body_variables::variables;
use super::dynamic_parts::PartsBuilder;
use super::pg::NodeRef;
use super::pg::plpgsql::{Datum, Dno, Expr, Function, Part, StmtAssign, VisitFunction};
use super::safe_values::Safety;
use super::sql_skeleton::SqlSkeleton;

/// A statement whose SQL is a value: an `EXECUTE`, also in `FOR`, `OPEN` and `RETURN QUERY`; see [`dynamic_sql()`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Dynamic<'a> {
    /// The statement.
    pub stmt: Part<'a>,
    /// The expression with the SQL as its value.
    pub expr: &'a Expr,
    /// The expressions after `USING`: the values of `$1`, `$2`, .. in the SQL.
    pub params: &'a [Expr],
    /// How the SQL is built.
    pub kind: DynamicKind,
    parts: Arc<[DynamicPart<'a>]>,
}

/// How dynamic SQL is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DynamicKind {
    /// It is a constant.
    Literal,
    /// By a call of `format`.
    Format,
    /// By `||`, `concat` or `concat_ws`.
    Concat,
    /// It is the value of a variable. The parts are those of what was assigned to it, where that is known: the statements before
    /// it tell, or there is no other assignment.
    Variable,
    /// In another way, such as by another function.
    Other,
}

/// A piece of dynamic SQL, in the order of the SQL.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DynamicPart<'a> {
    /// SQL that is written in the function.
    #[non_exhaustive]
    Text {
        /// The SQL.
        sql: String,
        /// The byte offset of the constant that it is in.
        location: Option<usize>,
    },
    /// A value that is put in.
    Value(DynamicValue<'a>),
}

/// A value that is put into dynamic SQL.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DynamicValue<'a> {
    /// The expression; that in the parentheses, for `quote_ident(..)` and its like.
    pub node: NodeRef<'a>,
    /// How it is quoted.
    pub quoting: Quoting,
    /// Whether it cannot change the meaning of the SQL around it: it is quoted, or of a type such as `int` whose values are words
    /// of their own, or it is made of constants and of such values.
    ///
    /// A value that is not safe is one of a variable, of a parameter, of a column or of a function; or one that is quoted in other
    /// quotes, as in `'%L'`, or in a comment, or is read by `format` once more; or a number after a minus, since that of a
    /// negative one would begin a comment.
    pub is_safe: bool,
    /// Whether it is safe, if it is in its place.
    pub(crate) safety: Safety,
    pub(crate) variables: Arc<[Dno]>,
}

/// How a value is quoted that is put into dynamic SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quoting {
    /// As an identifier: by `%I`, `quote_ident`, or by its type, such as `regclass`.
    Ident,
    /// As a constant: by `%L`, `quote_literal` or `quote_nullable`.
    Literal,
    /// Not at all: by `%s` or `||`.
    None,
}

impl DynamicValue<'_> {
    /// Returns the variables and parameters in the expression.
    #[must_use]
    pub fn variables(&self) -> &[Dno] {
        &self.variables
    }
}

impl<'a> Dynamic<'a> {
    /// Returns the pieces of the SQL, in order.
    #[must_use]
    pub fn parts(&self) -> &[DynamicPart<'a>] {
        &self.parts
    }

    /// Returns the values that are put into the SQL.
    pub fn values(&self) -> impl Iterator<Item = &DynamicValue<'a>> {
        self.parts.iter().filter_map(|part| match part {
            DynamicPart::Value(value) => Some(value),
            DynamicPart::Text { .. } => None,
        })
    }

    /// Returns the values by which the SQL could be made another one (SQL injection): those that are not
    /// [safe](DynamicValue::is_safe).
    ///
    /// ```
    /// use pg_ast::plpgsql;
    ///
    /// let sql = "CREATE FUNCTION f(t text, c text, n int) RETURNS void LANGUAGE plpgsql AS $$
    /// BEGIN
    ///     EXECUTE format('SELECT %I FROM %s LIMIT %s', c, t, n);
    /// END $$";
    /// let parsed = plpgsql::parse(sql)?;
    /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
    /// let dynamic = &pg_ast_plpgsql::dynamic_sql(function)[0];
    /// let unsafe_values: Vec<_> = dynamic.unsafe_values().collect();
    /// assert_eq!(unsafe_values.len(), 1);
    /// assert_eq!(function.variable_name(unsafe_values[0].variables()[0]), Some("t"));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn unsafe_values(&self) -> impl Iterator<Item = &DynamicValue<'a>> {
        self.values().filter(|value| !value.is_safe)
    }

    /// Returns the SQL with placeholders for the values; see [`SqlSkeleton`].
    #[must_use]
    pub fn skeleton(&self) -> SqlSkeleton {
        SqlSkeleton::new(&self.parts)
    }

    /// Returns an identity of the parts, which statements share that run the same variable.
    pub(crate) fn parts_id(&self) -> *const DynamicPart<'a> {
        self.parts.as_ptr()
    }
}

/// Returns the dynamic SQL of a function, in the order of the text.
///
/// ```
/// use pg_ast::plpgsql;
/// use pg_ast_plpgsql::DynamicKind;
///
/// let sql = "CREATE FUNCTION f(t regclass, id int) RETURNS int LANGUAGE plpgsql AS $$
/// DECLARE result int;
/// BEGIN
///     EXECUTE 'SELECT n FROM ' || t || ' WHERE id = $1' INTO result USING id;
///     RETURN result;
/// END $$";
/// let parsed = plpgsql::parse(sql)?;
/// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
/// let [dynamic] = &pg_ast_plpgsql::dynamic_sql(function)[..] else { panic!() };
/// assert_eq!((dynamic.kind, dynamic.params.len()), (DynamicKind::Concat, 1));
///
/// let skeleton = dynamic.skeleton();
/// assert_eq!(skeleton.sql(), "SELECT n FROM dyn_1 WHERE id = $1");
/// assert_eq!(skeleton.parse()?.filter_columns(), [(None, "id".to_owned())]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn dynamic_sql(function: &Function) -> Vec<Dynamic<'_>> {
    let mut found = Statements::default();
    let ControlFlow::Continue(()) = function.visit(&mut found);
    if found.dynamic.is_empty() {
        return Vec::new();
    }
    let mut reads = HashMap::new();
    // Those that are named by a CALL, which may assign to them.
    let mut called = HashSet::new();
    // The only value that a variable has, by its number.
    let mut sources: HashMap<Dno, &Expr> = HashMap::new();
    for uses in variables(function) {
        for used in &uses.reads {
            reads.insert(used.location, (uses.dno, used.is_certain));
            let next = found.calls.partition_point(|call| call.start <= used.location);
            let call = next.checked_sub(1).and_then(|last| found.calls.get(last));
            if call.is_some_and(|call| call.contains(&used.location)) {
                called.insert(uses.dno);
            }
        }
        let default = match function.datum(uses.dno) {
            Some(Datum::Var(var)) => var.default_val.as_ref(),
            _ => None,
        };
        let source = match (default, &uses.writes[..]) {
            (Some(default), []) => Some(default),
            (None, [write]) => found.assigned.get(&write.location).map(|stmt| &stmt.expr),
            _ => None,
        };
        if let (Some(source), None) = (source, uses.parameter)
            && !called.contains(&uses.dno)
        {
            sources.insert(uses.dno, source);
        }
    }
    let known = HashMap::new();
    let builder = PartsBuilder { function, variables: &reads, known: &known, formats: 0 };
    let exprs: Vec<_> = found.dynamic.iter().map(|(_, expr, _)| *expr).collect();
    let mut followed = follow(function, &reads, &called, &exprs);
    let mut of_sources: HashMap<Dno, Arc<[DynamicPart<'_>]>> = HashMap::new();
    let dynamic = found.dynamic.into_iter().map(|(stmt, expr, params)| {
        let built = followed.remove(&core::ptr::from_ref(expr));
        let (kind, mut parts) = built.unwrap_or_else(|| builder.build(expr));
        let variable = match &parts[..] {
            [DynamicPart::Value(value)] if kind == DynamicKind::Variable => {
                value.variables().first().copied()
            }
            _ => None,
        };
        if let Some(dno) = variable
            && let Some(source) = sources.get(&dno)
        {
            let of_source = of_sources.entry(dno).or_insert_with(|| builder.build(source).1);
            if !of_source.is_empty() {
                parts = Arc::clone(of_source);
            }
        }
        Dynamic { stmt, expr, params, kind, parts }
    });
    dynamic.collect()
}

/// The statements that matter for dynamic SQL.
#[derive(Default)]
struct Statements<'a> {
    dynamic: Vec<(Part<'a>, &'a Expr, &'a [Expr])>,
    /// The assignments, by their locations.
    assigned: HashMap<usize, &'a StmtAssign>,
    /// The places of those that call a procedure, in order.
    calls: Vec<Range<usize>>,
}

impl<'a> VisitFunction<'a> for Statements<'a> {
    type Break = core::convert::Infallible;

    fn enter(&mut self, part: Part<'a>) -> ControlFlow<Self::Break> {
        if let (Some(expr), Some(params)) = (part.dynamic(), part.dynamic_params()) {
            self.dynamic.push((part, expr, params));
        }
        if let Part::Assign(stmt) = part
            && let Ok(location) = usize::try_from(stmt.location)
        {
            self.assigned.insert(location, stmt);
        }
        if let Part::Call(stmt) = part {
            self.calls.extend(stmt.range());
        }
        ControlFlow::Continue(())
    }

    fn visit_expr(&mut self, _: &'a Expr, _: &'a Function) -> ControlFlow<Self::Break> {
        ControlFlow::Continue(())
    }
}

//! The nodes that are made most often, around nodes that are there: what [`make`](crate::make) returns, as new nodes of an edit.

use super::super::names::protobuf::{self, List};
use super::super::names::protobuf::{
    AConst, AExpr, AExprKind, AStar, Alias, BoolExpr, BoolExprType, CoercionForm, ColumnRef,
    CommonTableExpr, DeleteStmt, FuncCall, InsertStmt, LimitOption, OverridingKind, ParamRef,
    RangeSubselect, RangeVar, ResTarget, SelectStmt, SetOperation, TypeCast, TypeName, UpdateStmt,
    WithClause, a_const,
};
use super::{Arena, New, NodeMut};
use crate::text::scanned_operator;

/// The location of a node without SQL.
const NOWHERE: i32 = -1;

/// Nodes as [`make`](crate::make) makes them, with new nodes for children: copies of other nodes
/// ([`copy`](Self::copy)), or nodes taken from their place.
///
/// ```
/// use pg_ast::view::{self, Tree};
///
/// let other = view::parse("UPDATE t SET a = 1 WHERE b = 2 OR c = 3")?;
/// let update = other.node().and_then(|node| node.as_update_stmt()).unwrap();
/// let tree = Tree::build(|arena| {
///     let mut select = arena.select_stmt([arena.res_target(None, arena.star())]);
///     let mut parts = select.as_mut();
///     parts.from_clause_mut().push(arena.copy(update.relation().unwrap()));
///     let is_new = arena.a_expr("=", arena.column_ref(["d"]), arena.param_ref(1));
///     let condition = arena.copy(update.where_clause().unwrap());
///     parts.where_clause_mut().set(arena.and_expr(condition, is_new));
///     select.into()
/// });
/// assert_eq!(tree.deparse()?, "SELECT * FROM t WHERE (b = 2 OR c = 3) AND d = $1");
/// # Ok::<(), pg_ast::Error>(())
/// ```
impl<'t> Arena<'t> {
    /// Makes a list of strings: a name in parts, outermost first.
    pub fn names<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> New<'t, List> {
        self.list(names.into_iter().map(|name| self.string(name)))
    }

    fn a_const(&self, value: Option<a_const::Val>) -> New<'t, AConst> {
        let mut new = self.make::<AConst>();
        let mut constant = new.as_mut();
        constant.set_isnull(value.is_none());
        constant.set_val(value);
        constant.set_location(NOWHERE);
        new
    }

    /// Makes a whole number; see [`make::int_const`](crate::make::int_const).
    pub fn int_const(&self, value: i64) -> New<'t, AConst> {
        match i32::try_from(value) {
            // As in the grammar, the digits of the least `int` do not fit without the sign.
            Ok(i32::MIN) | Err(_) => self.float_const(&value.to_string()),
            Ok(ival) => self.a_const(Some(a_const::Val::Ival(protobuf::Integer { ival }))),
        }
    }

    /// Makes a number of digits; see [`make::float_const`](crate::make::float_const).
    pub fn float_const(&self, digits: &str) -> New<'t, AConst> {
        let mut new = self.a_const(Some(a_const::Val::Fval(protobuf::Float::default())));
        if let Some(NodeMut::Float(mut value)) = new.as_mut().val_mut() {
            value.set_fval(digits);
        }
        new
    }

    /// Makes a string constant; a name is a [`string`](Self::string).
    pub fn string_const(&self, text: &str) -> New<'t, AConst> {
        let mut new = self.a_const(Some(a_const::Val::Sval(protobuf::String::default())));
        if let Some(NodeMut::String(mut value)) = new.as_mut().val_mut() {
            value.set_sval(text);
        }
        new
    }

    /// Makes `true` or `false`.
    pub fn bool_const(&self, value: bool) -> New<'t, AConst> {
        self.a_const(Some(a_const::Val::Boolval(protobuf::Boolean { boolval: value })))
    }

    /// Makes `NULL`.
    pub fn null_const(&self) -> New<'t, AConst> {
        self.a_const(None)
    }

    /// Makes a parameter, `$1` for 1.
    pub fn param_ref(&self, number: i32) -> New<'t, ParamRef> {
        let mut new = self.make::<ParamRef>();
        let mut parameter = new.as_mut();
        parameter.set_number(number);
        parameter.set_location(NOWHERE);
        new
    }

    /// Makes a column, from the parts of its name.
    pub fn column_ref<'a>(&self, name: impl IntoIterator<Item = &'a str>) -> New<'t, ColumnRef> {
        self.column(self.names(name))
    }

    fn column(&self, fields: New<'t, List>) -> New<'t, ColumnRef> {
        let mut new = self.make::<ColumnRef>();
        let mut column = new.as_mut();
        column.fields_mut().set(fields);
        column.set_location(NOWHERE);
        new
    }

    /// Makes `*`.
    pub fn star(&self) -> New<'t, ColumnRef> {
        self.column(self.list([self.make::<AStar>()]))
    }

    /// Makes a table.
    pub fn range_var(&self, schema: Option<&str>, name: &str) -> New<'t, RangeVar> {
        self.qualified(["", schema.unwrap_or_default(), name])
    }

    /// Makes a table, from the catalog, the schema and the name, each empty if there is none.
    pub(crate) fn qualified(&self, [catalog, schema, name]: [&str; 3]) -> New<'t, RangeVar> {
        let mut new = self.make::<RangeVar>();
        let mut table = new.as_mut();
        table.set_catalogname(catalog);
        table.set_schemaname(schema);
        table.set_relname(name);
        table.set_inh(true);
        table.set_relpersistence("p");
        table.set_location(NOWHERE);
        new
    }

    /// Makes an alias of a table.
    pub fn alias(&self, name: &str) -> New<'t, Alias> {
        let mut new = self.make::<Alias>();
        new.as_mut().set_aliasname(name);
        new
    }

    /// Makes a call of a function, from the parts of its name.
    pub fn func_call<'a, N: Into<New<'t>>>(
        &self,
        name: impl IntoIterator<Item = &'a str>,
        args: impl IntoIterator<Item = N>,
    ) -> New<'t, FuncCall> {
        let mut new = self.make::<FuncCall>();
        let mut call = new.as_mut();
        call.funcname_mut().set(self.names(name));
        call.args_mut().extend(args);
        call.set_funcformat(CoercionForm::CoerceExplicitCall);
        call.set_location(NOWHERE);
        new
    }

    /// Makes an operator between two expressions. `!=` is `<>`, as the scanner reads it.
    pub fn a_expr(
        &self,
        operator: &str,
        left: impl Into<New<'t>>,
        right: impl Into<New<'t>>,
    ) -> New<'t, AExpr> {
        let mut new = self.make::<AExpr>();
        let mut expr = new.as_mut();
        expr.set_kind(AExprKind::AexprOp);
        expr.name_mut().push(self.string(scanned_operator(operator)));
        expr.lexpr_mut().set(left);
        expr.rexpr_mut().set(right);
        expr.set_location(NOWHERE);
        new
    }

    fn bool_expr(&self, operator: BoolExprType) -> New<'t, BoolExpr> {
        let mut new = self.make::<BoolExpr>();
        let mut expr = new.as_mut();
        expr.set_boolop(operator);
        expr.set_location(NOWHERE);
        new
    }

    /// Adds an argument to an `AND` or `OR` on the left, as the grammar does, or makes a new one.
    fn joined(&self, operator: BoolExprType, left: New<'t>, right: New<'t>) -> New<'t, BoolExpr> {
        let mut new = match left.into_type::<BoolExpr>() {
            Ok(left) if left.view().boolop() == operator => left,
            other => {
                let mut new = self.bool_expr(operator);
                new.as_mut().args_mut().push(other.map_or_else(|node| node, New::from));
                new
            }
        };
        new.as_mut().args_mut().push(right);
        new
    }

    /// Makes `left AND right`; see [`make::and_expr`](crate::make::and_expr).
    pub fn and_expr(
        &self,
        left: impl Into<New<'t>>,
        right: impl Into<New<'t>>,
    ) -> New<'t, BoolExpr> {
        self.joined(BoolExprType::AndExpr, left.into(), right.into())
    }

    /// Makes `left OR right`; see [`make::or_expr`](crate::make::or_expr).
    pub fn or_expr(
        &self,
        left: impl Into<New<'t>>,
        right: impl Into<New<'t>>,
    ) -> New<'t, BoolExpr> {
        self.joined(BoolExprType::OrExpr, left.into(), right.into())
    }

    /// Makes `NOT expr`.
    pub fn not_expr(&self, expr: impl Into<New<'t>>) -> New<'t, BoolExpr> {
        let mut new = self.bool_expr(BoolExprType::NotExpr);
        new.as_mut().args_mut().push(expr);
        new
    }

    /// Makes the name of a type, from its parts.
    pub fn type_name<'a>(&self, name: impl IntoIterator<Item = &'a str>) -> New<'t, TypeName> {
        let mut new = self.make::<TypeName>();
        let mut parts = new.as_mut();
        parts.names_mut().set(self.names(name));
        parts.set_typemod(-1);
        parts.set_location(NOWHERE);
        new
    }

    /// Makes `arg::type_name`.
    pub fn type_cast(
        &self,
        arg: impl Into<New<'t>>,
        type_name: New<'t, TypeName>,
    ) -> New<'t, TypeCast> {
        let mut new = self.make::<TypeCast>();
        let mut cast = new.as_mut();
        cast.arg_mut().set(arg);
        cast.type_name_mut().set(type_name);
        cast.set_location(NOWHERE);
        new
    }

    /// Makes what a `SELECT` or `RETURNING` returns: `val`, or `val AS name`. In an `UPDATE`, `SET name = val`.
    pub fn res_target(&self, name: Option<&str>, val: impl Into<New<'t>>) -> New<'t, ResTarget> {
        let mut new = self.insert_column(name.unwrap_or_default());
        new.as_mut().val_mut().set(val);
        new
    }

    /// Makes a column that an `INSERT` names.
    pub fn insert_column(&self, name: &str) -> New<'t, ResTarget> {
        let mut new = self.make::<ResTarget>();
        let mut target = new.as_mut();
        target.set_name(name);
        target.set_location(NOWHERE);
        new
    }

    /// Makes `(subquery) AS name` of a `FROM`.
    pub fn range_subselect(
        &self,
        subquery: impl Into<New<'t>>,
        name: &str,
    ) -> New<'t, RangeSubselect> {
        let mut new = self.make::<RangeSubselect>();
        let mut item = new.as_mut();
        item.subquery_mut().set(subquery);
        item.alias_mut().set(self.alias(name));
        new
    }

    /// Makes a query of a `WITH`: `name AS (query)`.
    pub fn common_table_expr(
        &self,
        name: &str,
        query: impl Into<New<'t>>,
    ) -> New<'t, CommonTableExpr> {
        let mut new = self.make::<CommonTableExpr>();
        let mut cte = new.as_mut();
        cte.set_ctename(name);
        cte.set_ctematerialized(protobuf::CteMaterialize::Default);
        cte.ctequery_mut().set(query);
        cte.set_location(NOWHERE);
        new
    }

    /// Makes a `WITH` of these queries, or a `WITH RECURSIVE`.
    pub fn with_clause(
        &self,
        queries: impl IntoIterator<Item = New<'t, CommonTableExpr>>,
        recursive: bool,
    ) -> New<'t, WithClause> {
        let mut new = self.make::<WithClause>();
        let mut with = new.as_mut();
        with.ctes_mut().extend(queries);
        with.set_recursive(recursive);
        with.set_location(NOWHERE);
        new
    }

    /// Makes a `SELECT` of these targets, as [`res_target`](Self::res_target) makes them.
    pub fn select_stmt<N: Into<New<'t>>>(
        &self,
        target_list: impl IntoIterator<Item = N>,
    ) -> New<'t, SelectStmt> {
        let mut new = self.make::<SelectStmt>();
        let mut select = new.as_mut();
        select.target_list_mut().extend(target_list);
        select.set_limit_option(LimitOption::Default);
        select.set_op(SetOperation::SetopNone);
        new
    }

    /// Makes `VALUES` with these rows, each a [`list`](Self::list).
    pub fn values(&self, rows: impl IntoIterator<Item = New<'t, List>>) -> New<'t, SelectStmt> {
        let mut new = self.select_stmt([] as [New<'t>; 0]);
        new.as_mut().values_lists_mut().extend(rows);
        new
    }

    /// Makes `INSERT INTO relation (cols) source`. Without columns, it is for all of them.
    pub fn insert_stmt<N: Into<New<'t>>>(
        &self,
        relation: New<'t, RangeVar>,
        cols: impl IntoIterator<Item = N>,
        source: impl Into<New<'t>>,
    ) -> New<'t, InsertStmt> {
        let mut new = self.make::<InsertStmt>();
        let mut insert = new.as_mut();
        insert.relation_mut().set(relation);
        insert.cols_mut().extend(cols);
        insert.select_stmt_mut().set(source);
        insert.set_override(OverridingKind::OverridingNotSet);
        new
    }

    /// Makes `UPDATE relation SET ..` of these targets.
    pub fn update_stmt<N: Into<New<'t>>>(
        &self,
        relation: New<'t, RangeVar>,
        target_list: impl IntoIterator<Item = N>,
    ) -> New<'t, UpdateStmt> {
        let mut new = self.make::<UpdateStmt>();
        let mut update = new.as_mut();
        update.relation_mut().set(relation);
        update.target_list_mut().extend(target_list);
        new
    }

    /// Makes `DELETE FROM relation`.
    pub fn delete_stmt(&self, relation: New<'t, RangeVar>) -> New<'t, DeleteStmt> {
        let mut new = self.make::<DeleteStmt>();
        new.as_mut().relation_mut().set(relation);
        new
    }
}

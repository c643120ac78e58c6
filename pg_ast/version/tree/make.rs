//! Functions that make nodes, to build or change trees by hand.
//!
//! Each function returns the node that PostgreSQL's grammar makes for the same SQL, without a location (-1). A node
//! argument can be a [`Node`], or any message that these functions return.
//!
//! ```
//! use pg_ast::make;
//!
//! let mut tree = pg_ast::parse("SELECT * FROM users u WHERE active")?;
//! let select = tree.stmts_mut().find_map(|stmt| stmt.as_select_stmt_mut()).unwrap();
//!
//! let is_tenant = make::a_expr("=", make::column_ref(["u", "tenant_id"]), make::param_ref(1));
//! let before = *select.where_clause.take().unwrap();
//! select.where_clause = Some(Box::new(make::and_expr(before, is_tenant).into()));
//!
//! assert_eq!(
//!     pg_ast::deparse(&tree)?,
//!     "SELECT * FROM users u WHERE active AND u.tenant_id = $1"
//! );
//! # Ok::<(), pg_ast::Error>(())
//! ```

pub use super::make_stmts::{
    delete_stmt, insert_column, insert_stmt, list, range_subselect, res_target, select_stmt, tree,
    update_stmt, values,
};
use super::names::NodeEnum;
use super::names::protobuf;
use super::names::protobuf::{
    AConst, AExpr, AExprKind, AStar, Alias, BoolExpr, BoolExprType, CoercionForm, ColumnRef,
    FuncCall, Node, ParamRef, RangeVar, TypeCast, TypeName, a_const,
};
use crate::text::scanned_operator;

/// The location of a node without SQL.
pub(super) const NOWHERE: i32 = -1;

/// Converts the parts of a name, outermost first, to nodes.
fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Node> {
    names.into_iter().map(|name| string(name).into()).collect()
}

/// A string as a node: a name in a list of names. It is not a constant; see [`string_const`].
///
/// ```
/// use pg_ast::make;
///
/// assert_eq!(make::string("a").sval, "a");
/// ```
#[must_use]
pub fn string(text: impl Into<String>) -> protobuf::String {
    protobuf::String { sval: text.into() }
}

fn a_const(val: a_const::Val) -> AConst {
    AConst { isnull: false, location: NOWHERE, val: Some(val) }
}

/// A whole number.
///
/// As in PostgreSQL, a number that an `int` cannot hold is a `Float`, which keeps its digits.
///
/// Mirrors `makeIntConst` of `gram.y`, and `process_integer_literal` of `scan.l`.
///
/// ```
/// use pg_ast::make;
/// use pg_ast::protobuf::a_const::Val;
///
/// assert!(matches!(make::int_const(-7).val, Some(Val::Ival(int)) if int.ival == -7));
/// assert!(matches!(make::int_const(1 << 40).val, Some(Val::Fval(float)) if float.fval == "1099511627776"));
/// ```
#[must_use]
pub fn int_const(value: i64) -> AConst {
    a_const(match i32::try_from(value) {
        // The grammar reads the digits before the sign, and those of the least `int` do not fit.
        Ok(i32::MIN) | Err(_) => a_const::Val::Fval(protobuf::Float { fval: value.to_string() }),
        Ok(ival) => a_const::Val::Ival(protobuf::Integer { ival }),
    })
}

/// A number with a decimal point or an exponent, from its digits.
///
/// Mirrors `makeFloatConst` of `gram.y`.
///
/// ```
/// use pg_ast::make;
/// use pg_ast::protobuf::a_const::Val;
///
/// assert!(matches!(make::float_const("1.50").val, Some(Val::Fval(float)) if float.fval == "1.50"));
/// ```
#[must_use]
pub fn float_const(digits: impl Into<String>) -> AConst {
    a_const(a_const::Val::Fval(protobuf::Float { fval: digits.into() }))
}

/// A string constant, `'text'`.
///
/// Mirrors `makeStringConst` of `gram.y`.
///
/// ```
/// use pg_ast::make;
/// use pg_ast::protobuf::a_const::Val;
///
/// assert!(matches!(make::string_const("it's").val, Some(Val::Sval(text)) if text.sval == "it's"));
/// ```
#[must_use]
pub fn string_const(text: impl Into<String>) -> AConst {
    a_const(a_const::Val::Sval(string(text)))
}

/// `TRUE` or `FALSE`.
///
/// Mirrors `makeBoolAConst` of `gram.y`.
///
/// ```
/// use pg_ast::make;
/// use pg_ast::protobuf::a_const::Val;
///
/// assert!(matches!(make::bool_const(true).val, Some(Val::Boolval(value)) if value.boolval));
/// ```
#[must_use]
pub fn bool_const(value: bool) -> AConst {
    a_const(a_const::Val::Boolval(protobuf::Boolean { boolval: value }))
}

/// `NULL`.
///
/// Mirrors `makeNullAConst` of `gram.y`.
///
/// ```
/// assert!(pg_ast::make::null_const().isnull);
/// ```
#[must_use]
pub fn null_const() -> AConst {
    AConst { isnull: true, location: NOWHERE, val: None }
}

/// The parameter `$number`.
///
/// Mirrors `makeParamRef` of `gram.y`.
///
/// ```
/// assert_eq!(pg_ast::make::param_ref(1).number, 1);
/// ```
#[must_use]
pub fn param_ref(number: i32) -> ParamRef {
    ParamRef { number, location: NOWHERE }
}

/// A column, from its qualified name: `t.a` for `["t", "a"]`.
///
/// Mirrors `makeColumnRef` of `gram.y`.
///
/// ```
/// assert_eq!(pg_ast::make::column_ref(["t", "a"]).fields.len(), 2);
/// ```
#[must_use]
pub fn column_ref<'a>(name: impl IntoIterator<Item = &'a str>) -> ColumnRef {
    ColumnRef { fields: names(name), location: NOWHERE }
}

/// All columns, `*`, as in `SELECT *`.
///
/// ```
/// use pg_ast::{NodeEnum, make};
///
/// assert!(matches!(make::star().fields[0].node, Some(NodeEnum::AStar(_))));
/// ```
#[must_use]
pub fn star() -> ColumnRef {
    ColumnRef { fields: vec![AStar {}.into()], location: NOWHERE }
}

/// A table, with or without a schema.
///
/// Mirrors `makeRangeVar` of `nodes/makefuncs.c`.
///
/// ```
/// use pg_ast::make;
///
/// assert_eq!(make::range_var(Some("s"), "t").schemaname, "s");
/// assert_eq!(make::range_var(None, "t").schemaname, "");
/// ```
#[must_use]
pub fn range_var(schema: Option<&str>, name: &str) -> RangeVar {
    RangeVar {
        schemaname: schema.unwrap_or_default().to_owned(),
        relname: name.to_owned(),
        inh: true,
        // RELPERSISTENCE_PERMANENT
        relpersistence: "p".to_owned(),
        location: NOWHERE,
        ..RangeVar::default()
    }
}

/// The `AS name` of a table or subselect.
///
/// Mirrors `makeAlias` of `nodes/makefuncs.c`.
///
/// ```
/// assert_eq!(pg_ast::make::alias("t").aliasname, "t");
/// ```
#[must_use]
pub fn alias(name: &str) -> Alias {
    Alias { aliasname: name.to_owned(), colnames: Vec::new() }
}

/// A function call, from the qualified name of the function.
///
/// Mirrors `makeFuncCall` of `nodes/makefuncs.c`.
///
/// ```
/// use pg_ast::make;
///
/// let call = make::func_call(["lower"], [make::column_ref(["name"])]);
/// assert_eq!((call.funcname.len(), call.args.len()), (1, 1));
/// ```
#[must_use]
pub fn func_call<'a, T: Into<Node>>(
    name: impl IntoIterator<Item = &'a str>,
    args: impl IntoIterator<Item = T>,
) -> FuncCall {
    FuncCall {
        funcname: names(name),
        args: args.into_iter().map(Into::into).collect(),
        funcformat: CoercionForm::CoerceExplicitCall.into(),
        location: NOWHERE,
        ..FuncCall::default()
    }
}

/// An operator between two expressions. `!=` is `<>`, as the scanner reads it.
///
/// Mirrors `makeSimpleA_Expr` of `nodes/makefuncs.c`.
///
/// ```
/// use pg_ast::make;
///
/// let sum = make::a_expr("+", make::int_const(1), make::int_const(2));
/// assert_eq!(sum.name, [make::string("+").into()]);
/// ```
#[must_use]
// Some versions have more fields than these.
#[allow(clippy::needless_update)]
pub fn a_expr(operator: &str, left: impl Into<Node>, right: impl Into<Node>) -> AExpr {
    AExpr {
        kind: AExprKind::AexprOp.into(),
        name: names([scanned_operator(operator)]),
        lexpr: Some(Box::new(left.into())),
        rexpr: Some(Box::new(right.into())),
        location: NOWHERE,
        ..AExpr::default()
    }
}

/// Adds an argument to an `AND` or `OR` on the left, as the grammar does, or makes a new one.
fn bool_expr(operator: BoolExprType, left: Node, right: Node) -> BoolExpr {
    match left.node {
        Some(NodeEnum::BoolExpr(mut left)) if left.boolop() == operator => {
            left.args.push(right);
            left
        }
        _ => BoolExpr {
            xpr: None,
            boolop: operator.into(),
            args: vec![left, right],
            location: NOWHERE,
        },
    }
}

/// `left AND right`.
///
/// Mirrors `makeAndExpr` of `gram.y`: an `AND` on the left gets one more argument.
///
/// ```
/// use pg_ast::make;
///
/// let two = make::and_expr(make::column_ref(["a"]), make::column_ref(["b"]));
/// let three = make::and_expr(two, make::column_ref(["c"]));
/// assert_eq!(three.args.len(), 3);
/// ```
#[must_use]
pub fn and_expr(left: impl Into<Node>, right: impl Into<Node>) -> BoolExpr {
    bool_expr(BoolExprType::AndExpr, left.into(), right.into())
}

/// `left OR right`.
///
/// Mirrors `makeOrExpr` of `gram.y`: an `OR` on the left gets one more argument.
///
/// ```
/// use pg_ast::make;
///
/// let either = make::or_expr(make::column_ref(["a"]), make::column_ref(["b"]));
/// assert_eq!(either.args.len(), 2);
/// ```
#[must_use]
pub fn or_expr(left: impl Into<Node>, right: impl Into<Node>) -> BoolExpr {
    bool_expr(BoolExprType::OrExpr, left.into(), right.into())
}

/// `NOT expr`.
///
/// Mirrors `makeNotExpr` of `gram.y`.
///
/// ```
/// use pg_ast::make;
///
/// assert_eq!(make::not_expr(make::bool_const(true)).args.len(), 1);
/// ```
#[must_use]
pub fn not_expr(expr: impl Into<Node>) -> BoolExpr {
    BoolExpr {
        xpr: None,
        boolop: BoolExprType::NotExpr.into(),
        args: vec![expr.into()],
        location: NOWHERE,
    }
}

/// A type, from its qualified name. Types with keywords of their own, such as `int`, are `["pg_catalog", "int4"]`.
///
/// Mirrors `makeTypeNameFromNameList` of `nodes/makefuncs.c`.
///
/// ```
/// assert_eq!(pg_ast::make::type_name(["pg_catalog", "int4"]).names.len(), 2);
/// ```
#[must_use]
pub fn type_name<'a>(name: impl IntoIterator<Item = &'a str>) -> TypeName {
    TypeName { names: names(name), typemod: -1, location: NOWHERE, ..TypeName::default() }
}

/// `arg::type_name`.
///
/// Mirrors `makeTypeCast` of `gram.y`.
///
/// ```
/// use pg_ast::make;
///
/// let cast = make::type_cast(make::string_const("1"), make::type_name(["pg_catalog", "int4"]));
/// assert!(cast.arg.is_some() && cast.type_name.is_some());
/// ```
#[must_use]
pub fn type_cast(arg: impl Into<Node>, type_name: TypeName) -> TypeCast {
    TypeCast { arg: Some(Box::new(arg.into())), type_name: Some(type_name), location: NOWHERE }
}

//! Values that cannot change the meaning of the SQL that they are put into.

use super::super::super::plpgsql_tree::{DataType, Datum, Function};
use super::dynamic_parts::{Reads, builtin, constant_text};
use super::dynamic_sql::Quoting;
use super::format_specs::{FormatPiece, FormatSpecs};
use super::names::protobuf::{
    AExprKind, FuncCall, SqlValueFunctionOp, SubLink, SubLinkType, TypeName,
};
use super::names::{Node, NodeRef};
use crate::foundation::stack::with_stack;

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Safety {
    /// Any text.
    Unsafe,
    /// A word of its own, such as a number; or made of constants and such words.
    Safe,
    /// A name, in quotes where it needs some.
    Name,
}

/// Types whose values, as text, have no quotes, no spaces that matter, and no names.
const WORDS: [&str; 23] = [
    "int2",
    "int4",
    "int8",
    "oid",
    "xid",
    "xid8",
    "cid",
    "numeric",
    "float4",
    "float8",
    "bool",
    "date",
    "time",
    "timetz",
    "timestamp",
    "timestamptz",
    "interval",
    "uuid",
    "inet",
    "cidr",
    "bit",
    "varbit",
    "pg_lsn",
];

/// Types whose values are names in the catalog, printed with quotes.
const NAMES: [&str; 11] = [
    "regclass",
    "regproc",
    "regprocedure",
    "regoper",
    "regoperator",
    "regtype",
    "regrole",
    "regnamespace",
    "regcollation",
    "regconfig",
    "regdictionary",
];

/// Functions whose result is made of their arguments.
const MADE_OF_ARGUMENTS: [&str; 17] = [
    "array_agg",
    "array_append",
    "array_cat",
    "array_prepend",
    "array_to_string",
    "btrim",
    "concat",
    "concat_ws",
    "date_trunc",
    "lower",
    "max",
    "min",
    "string_agg",
    "to_char",
    "to_date",
    "to_timestamp",
    "upper",
];

/// Functions whose result is a number, a time, or quoted.
const SAFE_RESULTS: [&str; 27] = [
    "abs",
    "array_length",
    "array_lower",
    "array_upper",
    "ceil",
    "ceiling",
    "char_length",
    "clock_timestamp",
    "count",
    "currval",
    "extract",
    "floor",
    "hashtext",
    "lastval",
    "length",
    "make_date",
    "md5",
    "nextval",
    "now",
    "pg_backend_pid",
    "quote_ident",
    "quote_literal",
    "quote_nullable",
    "random",
    "round",
    "statement_timestamp",
    "txid_current",
];

fn of_type(name: &str) -> Safety {
    if NAMES.contains(&name) {
        Safety::Name
    } else if WORDS.contains(&name) {
        Safety::Safe
    } else {
        Safety::Unsafe
    }
}

/// Returns the name of a type of PostgreSQL's own.
fn type_name(ty: &TypeName) -> Option<&str> {
    let mut names = ty.names();
    let name = names.next_back()?;
    match (names.next_back(), names.next()) {
        (None | Some("pg_catalog"), None) => Some(name),
        _ => None,
    }
}

/// Returns whether values of a type are text, of any length.
pub(super) fn is_text(ty: &TypeName) -> bool {
    ty.array_bounds.is_empty()
        && ty.typmods.is_empty()
        && !ty.pct_type
        && matches!(type_name(ty), Some("text" | "varchar"))
}

impl Safety {
    pub(super) fn of(node: NodeRef<'_>, function: &Function, variables: &Reads) -> Self {
        Judge { function, variables }.node(node)
    }

    fn is_safe(self) -> bool {
        self != Self::Unsafe
    }

    fn safe(is_safe: bool) -> Self {
        if is_safe { Self::Safe } else { Self::Unsafe }
    }
}

struct Judge<'a> {
    function: &'a Function,
    variables: &'a Reads,
}

impl Judge<'_> {
    fn node(&self, node: NodeRef<'_>) -> Safety {
        with_stack(|| match node {
            NodeRef::ColumnRef(column) => self.variable(column.location),
            NodeRef::ParamRef(param) => self.variable(param.location),
            NodeRef::TypeCast(cast) => {
                let ty = cast.type_name.as_ref();
                let name = ty.filter(|ty| !ty.pct_type).and_then(type_name);
                match name.map_or(Safety::Unsafe, of_type) {
                    Safety::Unsafe => Safety::safe(self.all(cast.arg.as_deref())),
                    // The text of an array has quotes of its own.
                    Safety::Name if ty.is_some_and(|ty| !ty.array_bounds.is_empty()) => {
                        Safety::Unsafe
                    }
                    safety => safety,
                }
            }
            NodeRef::AExpr(expr) => {
                let operands = || {
                    let operands = [expr.lexpr.as_deref(), expr.rexpr.as_deref()];
                    self.all(operands.into_iter().flatten())
                };
                let name = expr.name.last().and_then(Node::as_str).unwrap_or_default();
                match expr.kind() {
                    AExprKind::AexprOp if matches!(name, "||" | "-" | "->" | "->>") => {
                        Safety::safe(operands())
                    }
                    AExprKind::AexprOp if matches!(name, "+" | "*" | "/" | "%") => Safety::Safe,
                    AExprKind::AexprNullif => Safety::safe(operands()),
                    // Comparisons.
                    AExprKind::AexprOp if !matches!(name, "=" | "<>" | "<" | ">" | "<=" | ">=") => {
                        Safety::Unsafe
                    }
                    _ => Safety::Safe,
                }
            }
            NodeRef::AConst(_)
            | NodeRef::BoolExpr(_)
            | NodeRef::NullTest(_)
            | NodeRef::BooleanTest(_) => Safety::Safe,
            // CURRENT_USER and CURRENT_SCHEMA are names without quotes.
            NodeRef::SqlvalueFunction(function) => {
                let is_name = matches!(
                    function.op(),
                    SqlValueFunctionOp::SvfopCurrentRole
                        | SqlValueFunctionOp::SvfopCurrentUser
                        | SqlValueFunctionOp::SvfopUser
                        | SqlValueFunctionOp::SvfopSessionUser
                        | SqlValueFunctionOp::SvfopCurrentCatalog
                        | SqlValueFunctionOp::SvfopCurrentSchema
                );
                Safety::safe(!is_name)
            }
            NodeRef::FuncCall(call) => self.call(call),
            NodeRef::CaseExpr(case) => {
                let results = case
                    .args
                    .iter()
                    .filter_map(|when| when.as_case_when().and_then(|when| when.result.as_deref()));
                Safety::safe(self.all(results.chain(case.defresult.as_deref())))
            }
            NodeRef::CoalesceExpr(expr) => Safety::safe(self.all(&expr.args)),
            NodeRef::MinMaxExpr(expr) => Safety::safe(self.all(&expr.args)),
            NodeRef::AArrayExpr(array) => Safety::safe(self.all(&array.elements)),
            NodeRef::CollateClause(clause) => Safety::safe(self.all(clause.arg.as_deref())),
            NodeRef::SubLink(link) => Safety::safe(self.subselect(link)),
            _ => Safety::Unsafe,
        })
    }

    fn all<'n>(&self, nodes: impl IntoIterator<Item = &'n Node>) -> bool {
        let mut nodes = nodes.into_iter().filter_map(Node::to_ref);
        nodes.all(|node| self.node(node).is_safe())
    }

    fn variable(&self, location: i32) -> Safety {
        let location = usize::try_from(location).ok();
        let found = location.and_then(|location| self.variables.get(&location));
        let Some((dno, true)) = found else { return Safety::Unsafe };
        match self.function.datum(*dno) {
            Some(Datum::Var(var) | Datum::Promise(var)) => of_variable(&var.datatype),
            _ => Safety::Unsafe,
        }
    }

    fn call(&self, call: &FuncCall) -> Safety {
        let Some(name) = builtin(call) else { return Safety::Unsafe };
        if SAFE_RESULTS.contains(&name) {
            return Safety::Safe;
        }
        // The order of an aggregate is not in its result.
        let is_made = MADE_OF_ARGUMENTS.contains(&name);
        Safety::safe(is_made && self.all(&call.args) || name == "format" && self.is_quoted(call))
    }

    /// Returns whether a call of `format` makes its result of constants and of quoted values.
    fn is_quoted(&self, call: &FuncCall) -> bool {
        let [template, args @ ..] = &call.args[..] else { return false };
        let Some(template) = template.as_a_const().and_then(constant_text) else { return false };
        let pieces = FormatSpecs::default().pieces(&template);
        let is_quoted = pieces.iter().all(|piece| match piece {
            FormatPiece::Text(_) => true,
            FormatPiece::Arg { quoting, .. } => *quoting != Quoting::None,
            FormatPiece::Wrong => false,
        });
        is_quoted || self.all(args)
    }

    fn subselect(&self, link: &SubLink) -> bool {
        match link.sub_link_type() {
            SubLinkType::ExprSublink | SubLinkType::ArraySublink => {
                let select = link.subselect.as_ref().and_then(|node| node.as_select_stmt());
                let Some([target]) = select.map(|select| &select.target_list[..]) else {
                    return false;
                };
                let value = target.as_res_target().and_then(|target| target.val.as_deref());
                value.is_some_and(|value| self.all([value]))
            }
            SubLinkType::ExistsSublink | SubLinkType::AllSublink | SubLinkType::AnySublink => true,
            _ => false,
        }
    }
}

fn of_variable(ty: &DataType) -> Safety {
    if ty.unknown {
        return Safety::Unsafe;
    }
    // The type of an array has this name, and so have other types.
    let name = if ty.typisarray { ty.typname.trim_start_matches('_') } else { &ty.typname };
    match of_type(name) {
        Safety::Name if ty.typisarray => Safety::Unsafe,
        safety => safety,
    }
}

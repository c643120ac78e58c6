//! The names that the columns of a query get by themselves.

use super::pg::protobuf::{AExprKind, SqlValueFunctionOp, SubLinkType, XmlExprOp};
use super::pg::seam::number_field;
use super::pg::view::{Node, SubLink};

/// The name of a column that nothing names.
const NO_NAME: &str = "?column?";

/// The name of the column that an expression becomes.
pub(crate) enum OutputName<'a> {
    Known(&'a str),
    /// That of the column which a query returns.
    OfQuery(SubLink<'a>),
}

impl<'a> OutputName<'a> {
    /// Returns the name, which is not that of a query's column.
    pub(crate) fn known(self) -> &'a str {
        match self {
            Self::Known(name) => name,
            Self::OfQuery(_) => NO_NAME,
        }
    }
}

/// Returns the name of the column that an expression becomes.
///
/// It is `FigureColname` of PostgreSQL's `parse_target.c`.
pub(crate) fn output_name(expr: Node<'_>) -> OutputName<'_> {
    use OutputName::{Known, OfQuery};
    let mut node = expr;
    // What a cast or a `CASE` would be called if what is inside has no better name.
    let mut weak = None;
    loop {
        node = match node {
            Node::ColumnRef(column) => {
                let last = column.fields().iter().rev().find_map(Node::as_str);
                return Known(last.or(weak).unwrap_or(NO_NAME));
            }
            Node::AIndirection(indirection) => {
                let last = indirection.indirection().iter().rev().find_map(Node::as_str);
                match (last, indirection.arg()) {
                    (Some(last), _) => return Known(last),
                    (None, Some(arg)) => arg,
                    (None, None) => break,
                }
            }
            Node::FuncCall(call) => {
                let name = call.funcname().last().and_then(Node::as_str);
                return Known(name.or(weak).unwrap_or(NO_NAME));
            }
            Node::AExpr(expr) => match expr.kind() {
                AExprKind::AexprNullif => return Known("nullif"),
                _ => break,
            },
            Node::TypeCast(cast) => {
                let name = cast.type_name().and_then(|name| name.names().last());
                weak = weak.or(name.and_then(Node::as_str));
                match cast.arg() {
                    Some(arg) => arg,
                    None => break,
                }
            }
            Node::CollateClause(clause) => match clause.arg() {
                Some(arg) => arg,
                None => break,
            },
            Node::CaseExpr(case) => {
                weak = weak.or(Some("case"));
                match case.defresult() {
                    Some(default) => default,
                    None => break,
                }
            }
            Node::SubLink(link) => match link.sub_link_type() {
                SubLinkType::ExistsSublink => return Known("exists"),
                SubLinkType::ArraySublink => return Known("array"),
                SubLinkType::ExprSublink => return OfQuery(link),
                _ => break,
            },
            _ => return Known(of_kind(node).or(weak).unwrap_or(NO_NAME)),
        };
    }
    Known(weak.unwrap_or(NO_NAME))
}

/// Returns the name of what is always called the same.
fn of_kind(node: Node<'_>) -> Option<&'static str> {
    Some(match node {
        Node::GroupingFunc(_) => "grouping",
        Node::AArrayExpr(_) => "array",
        Node::RowExpr(_) => "row",
        Node::CoalesceExpr(_) => "coalesce",
        Node::MinMaxExpr(expr) => match expr.op() {
            super::pg::protobuf::MinMaxOp::IsLeast => "least",
            _ => "greatest",
        },
        Node::SqlvalueFunction(function) => of_value(function.op())?,
        Node::XmlExpr(expr) => match expr.op() {
            XmlExprOp::IsXmlconcat => "xmlconcat",
            XmlExprOp::IsXmlelement => "xmlelement",
            XmlExprOp::IsXmlforest => "xmlforest",
            XmlExprOp::IsXmlparse => "xmlparse",
            XmlExprOp::IsXmlpi => "xmlpi",
            XmlExprOp::IsXmlroot => "xmlroot",
            _ => return None,
        },
        Node::XmlSerialize(_) => "xmlserialize",
        _ => match node.name() {
            "MergeSupportFunc" => "merge_action",
            "JsonParseExpr" => "json",
            "JsonScalarExpr" => "json_scalar",
            "JsonSerializeExpr" => "json_serialize",
            "JsonObjectConstructor" => "json_object",
            "JsonArrayConstructor" | "JsonArrayQueryConstructor" => "json_array",
            "JsonObjectAgg" => "json_objectagg",
            "JsonArrayAgg" => "json_arrayagg",
            "JsonFuncExpr" => match number_field(node, "op")? {
                0 => "json_exists",
                1 => "json_query",
                _ => "json_value",
            },
            _ => return None,
        },
    })
}

fn of_value(op: SqlValueFunctionOp) -> Option<&'static str> {
    use SqlValueFunctionOp as Op;
    Some(match op {
        Op::SvfopCurrentDate => "current_date",
        Op::SvfopCurrentTime | Op::SvfopCurrentTimeN => "current_time",
        Op::SvfopCurrentTimestamp | Op::SvfopCurrentTimestampN => "current_timestamp",
        Op::SvfopLocaltime | Op::SvfopLocaltimeN => "localtime",
        Op::SvfopLocaltimestamp | Op::SvfopLocaltimestampN => "localtimestamp",
        Op::SvfopCurrentRole => "current_role",
        Op::SvfopCurrentUser => "current_user",
        Op::SvfopUser => "user",
        Op::SvfopSessionUser => "session_user",
        Op::SvfopCurrentCatalog => "current_catalog",
        Op::SvfopCurrentSchema => "current_schema",
        Op::SqlvalueFunctionOpUndefined => return None,
    })
}

//! Parses the SQL of a node's range in a place that accepts such a node.

use pg_ast::{ParseMode, ParserOptions};

use super::pg::{self, Node, NodeEnum, NodeRef};
use crate::common::without_locations;

/// Returns the node that SQL parses to; `None` on an error, or for an unexpected result.
type Parsed = Option<Node>;

/// Parses the SQL of a node where most nodes of its type are: as an expression, a statement,
/// the name of a type, an item of `FROM`, a target. `None` if there is no such place.
pub fn usually(node: NodeRef<'_>, parent: Option<NodeRef<'_>>, text: &str) -> Option<Vec<Parsed>> {
    Some(match node {
        NodeRef::TypeName(_) => vec![type_name(text)],
        NodeRef::RangeVar(_)
        | NodeRef::JoinExpr(_)
        | NodeRef::RangeSubselect(_)
        | NodeRef::RangeFunction(_)
        | NodeRef::RangeTableSample(_)
        | NodeRef::RangeTableFunc(_) => {
            vec![select(&format!("SELECT FROM {text}"), |select| &select.from_clause)]
        }
        // One of several columns of `SET (a, b) = ..` is not a separate one.
        NodeRef::ResTarget(target) if target.val.as_deref().is_none_or(is_single) => {
            let target = || select(&format!("SELECT {text}"), |select| &select.target_list);
            match parent? {
                NodeRef::SelectStmt(_) => vec![target()],
                NodeRef::InsertStmt(_) | NodeRef::InferClause(_) => vec![target(), column(text)],
                NodeRef::UpdateStmt(_)
                | NodeRef::DeleteStmt(_)
                | NodeRef::MergeStmt(_)
                | NodeRef::OnConflictClause(_) => vec![target(), assignment(text)],
                _ if parent?.name() == "ReturningClause" => vec![target()],
                _ => return None,
            }
        }
        NodeRef::SortBy(_) => {
            vec![select(&format!("SELECT ORDER BY {text}"), |select| &select.sort_clause)]
        }
        NodeRef::SelectStmt(_)
        | NodeRef::InsertStmt(_)
        | NodeRef::UpdateStmt(_)
        | NodeRef::DeleteStmt(_)
        | NodeRef::MergeStmt(_) => vec![stmt(text)],
        _ if matches!(parent, Some(NodeRef::RawStmt(_))) => vec![stmt(text)],
        _ if EXPRESSIONS.contains(&node.name()) => vec![pg::parse_expr(text).ok()],
        _ => return None,
    })
}

const EXPRESSIONS: &[&str] = &[
    "A_ArrayExpr",
    "A_Const",
    "A_Expr",
    "A_Indirection",
    "BoolExpr",
    "BooleanTest",
    "CaseExpr",
    "CoalesceExpr",
    "CollateClause",
    "ColumnRef",
    "FuncCall",
    "GroupingFunc",
    "JsonArrayAgg",
    "JsonArrayConstructor",
    "JsonArrayQueryConstructor",
    "JsonFuncExpr",
    "JsonIsPredicate",
    "JsonObjectAgg",
    "JsonObjectConstructor",
    "JsonParseExpr",
    "JsonScalarExpr",
    "JsonSerializeExpr",
    "MergeSupportFunc",
    "MinMaxExpr",
    "NullTest",
    "ParamRef",
    "RowExpr",
    "SQLValueFunction",
    "SetToDefault",
    "SubLink",
    "TypeCast",
    "XmlExpr",
    "XmlSerialize",
];

/// Returns the special place where the grammar makes such a node, and the result of parsing the SQL there.
pub fn otherwise(
    node: NodeRef<'_>,
    parent: NodeRef<'_>,
    text: &str,
) -> Option<(&'static str, Parsed)> {
    Some(match (node, parent) {
        (NodeRef::AConst(_), NodeRef::VariableSetStmt(_)) => {
            let option = setting(&format!("SET XML OPTION {text}"));
            let option = option.filter(|option| is_same(node, option));
            ("SET x = on", option.or_else(|| setting(&format!("SET x = {text}"))))
        }
        (NodeRef::AConst(_), NodeRef::FuncCall(_)) => {
            let form = argument(&format!("normalize(x, {text})"), 1);
            let field = || argument(&format!("extract({text} FROM x)"), 0);
            ("extract(field FROM ..), normalize(.., form)", form.or_else(field))
        }
        (NodeRef::AConst(_), NodeRef::SelectStmt(_)) => ("LIMIT ALL", limit(text)),
        (NodeRef::AConst(_), NodeRef::TypeName(_)) => {
            ("interval '1' unit", first(literal(&format!("interval '1' {text}"))?.typmods))
        }
        (NodeRef::AConst(_), NodeRef::DefElem(_)) => ("ISOLATION LEVEL ..", isolation(text)),
        (NodeRef::TypeName(_), NodeRef::TypeCast(_)) => {
            // Without a space, because `N'a'` is not `N 'a'`.
            let before = || literal(&format!("{text}'1'"));
            ("interval '1' unit, bit '1'", literal(text).or_else(before).map(Node::from))
        }
        (NodeRef::TypeName(_), NodeRef::FunctionParameter(_) | NodeRef::CreateFunctionStmt(_)) => {
            ("a function's type", function_type(text))
        }
        (NodeRef::TypeCast(_), NodeRef::FuncCall(_)) => {
            ("substring(.. FOR n)", argument(&format!("substring(x FOR {text})"), 2))
        }
        (NodeRef::FuncCall(_), NodeRef::AExpr(_)) => ("a LIKE b ESCAPE c", pattern(text)),
        (NodeRef::AArrayExpr(_), NodeRef::AArrayExpr(_)) => ("ARRAY[[..]]", inner_array(text)),
        (NodeRef::CollateClause(_), _) => ("a column's COLLATE", collation(text)),
        (NodeRef::RangeVar(_), NodeRef::IntoClause(_)) => ("SELECT INTO", into(text)),
        (NodeRef::SelectStmt(_), NodeRef::ViewStmt(_)) => ("a recursive view", recursive(text)),
        (_, NodeRef::BoolExpr(_)) => ("NOT within", negated(text)),
        _ => return None,
    })
}

/// Returns the reason why the SQL of a range is never the node:
/// it is not contiguous, or is a word with another meaning.
pub fn nowhere(node: NodeRef<'_>, parent: NodeRef<'_>, text: &str) -> Option<&'static str> {
    let word = text.to_ascii_uppercase();
    match (node, parent) {
        (NodeRef::AConst(_), NodeRef::DefElem(_))
            if ["READ", "DEFERRABLE", "NOT"].contains(&&*word) =>
        {
            Some("a transaction's mode")
        }
        (NodeRef::AConst(_), NodeRef::TypeName(_)) if word.ends_with(" TO") => {
            Some("interval '1' hour TO second(n)")
        }
        (NodeRef::AConst(_) | NodeRef::TypeName(_), _) if word == "TABLE" => Some("RETURNS TABLE"),
        _ => None,
    }
}

pub fn is_same(node: NodeRef<'_>, again: &Node) -> bool {
    if let (NodeRef::RangeVar(table), Some(NodeEnum::RangeVar(again))) = (node, &again.node) {
        // TEMP is not allowed everywhere.
        let names = |table: &pg::protobuf::RangeVar| {
            let alias = without_locations(&table.alias);
            (table.catalogname.clone(), table.schemaname.clone(), table.relname.clone(), alias)
        };
        return names(table) == names(again);
    }
    let again = again.node.as_ref().map(NodeEnum::to_ref);
    without_locations(&again) == without_locations(&Some(node))
}

fn is_single(value: &Node) -> bool {
    value.as_multi_assign_ref().is_none()
}

fn first(nodes: Vec<Node>) -> Parsed {
    nodes.into_iter().next()
}

fn stmt(sql: &str) -> Parsed {
    let tree = pg::parse(sql).ok()?;
    tree.protobuf.stmts.first()?.stmt.as_deref().cloned()
}

fn expr<T>(text: &str, part: impl FnOnce(NodeEnum) -> Option<T>) -> Option<T> {
    part(pg::parse_expr(text).ok()?.node?)
}

fn select(sql: &str, list: impl FnOnce(&pg::protobuf::SelectStmt) -> &Vec<Node>) -> Parsed {
    list(stmt(sql)?.as_select_stmt()?).first().cloned()
}

fn type_name(text: &str) -> Parsed {
    let options = ParserOptions::default().mode(ParseMode::TypeName);
    let tree = pg::parse_with(text, options).ok()?;
    tree.protobuf.stmts.first()?.stmt.as_deref().cloned()
}

fn column(text: &str) -> Parsed {
    let insert = stmt(&format!("INSERT INTO t ({text}) VALUES (1)"))?;
    insert.as_insert_stmt()?.cols.first().cloned()
}

fn assignment(text: &str) -> Parsed {
    let update = stmt(&format!("UPDATE t SET {text}"))?;
    update.as_update_stmt()?.target_list.first().cloned()
}

fn setting(sql: &str) -> Parsed {
    stmt(sql)?.as_variable_set_stmt()?.args.first().cloned()
}

fn limit(text: &str) -> Parsed {
    stmt(&format!("SELECT LIMIT {text}"))?.as_select_stmt()?.limit_count.as_deref().cloned()
}

fn isolation(text: &str) -> Parsed {
    let begin = stmt(&format!("BEGIN ISOLATION LEVEL {text}"))?;
    begin.as_transaction_stmt()?.options.first()?.as_def_elem()?.arg.as_deref().cloned()
}

fn argument(call: &str, index: usize) -> Parsed {
    expr(call, |node| match node {
        NodeEnum::FuncCall(call) => call.args.into_iter().nth(index),
        _ => None,
    })
}

/// Returns the type of a literal.
fn literal(text: &str) -> Option<pg::protobuf::TypeName> {
    expr(text, |node| match node {
        NodeEnum::TypeCast(cast) => cast.type_name,
        _ => None,
    })
}

fn function_type(text: &str) -> Parsed {
    let function = stmt(&format!("CREATE FUNCTION f() RETURNS {text} RETURN 1"))?;
    function.as_create_function_stmt()?.return_type.clone().map(Node::from)
}

fn pattern(text: &str) -> Parsed {
    expr(&format!("x {text}"), |node| match node {
        NodeEnum::AExpr(expr) => expr.rexpr.map(|right| *right),
        _ => None,
    })
}

fn inner_array(text: &str) -> Parsed {
    expr(&format!("ARRAY[{text}]"), |node| match node {
        NodeEnum::AArrayExpr(array) => first(array.elements),
        _ => None,
    })
}

fn negated(text: &str) -> Parsed {
    expr(text, |node| match node {
        NodeEnum::BoolExpr(not) => first(not.args),
        _ => None,
    })
}

fn collation(text: &str) -> Parsed {
    let table = stmt(&format!("CREATE TABLE t (c text {text})"))?;
    let column = table.as_create_stmt()?.table_elts.first()?.as_column_def()?;
    column.coll_clause.clone().map(|collation| Node::from(*collation))
}

fn into(text: &str) -> Parsed {
    let select = stmt(&format!("SELECT INTO {text}"))?;
    let table = select.as_select_stmt()?.into_clause.as_ref()?.rel.clone();
    table.map(Node::from)
}

fn recursive(text: &str) -> Parsed {
    stmt(text)?.as_view_stmt()?.query.as_deref().cloned()
}

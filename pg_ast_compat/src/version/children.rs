//! The children of a node that PostgreSQL's walk over raw trees visits.

use super::protobuf::{self, Node};
use super::{NodeEnum, NodeRef, returning};

/// A field: a node, a message that is one, or several.
pub(super) trait Field<'a> {
    fn each(self, f: &mut dyn FnMut(NodeRef<'a>) -> bool) -> bool;
}

impl<'a> Field<'a> for &'a Node {
    fn each(self, f: &mut dyn FnMut(NodeRef<'a>) -> bool) -> bool {
        self.node.as_ref().is_some_and(|node| f(node.to_ref()))
    }
}

impl<'a, T> Field<'a> for &'a Box<T>
where
    &'a T: Field<'a>,
{
    fn each(self, f: &mut dyn FnMut(NodeRef<'a>) -> bool) -> bool {
        (&**self).each(f)
    }
}

impl<'a, T> Field<'a> for &'a Option<T>
where
    &'a T: Field<'a>,
{
    fn each(self, f: &mut dyn FnMut(NodeRef<'a>) -> bool) -> bool {
        self.as_ref().is_some_and(|field| field.each(f))
    }
}

impl<'a, T> Field<'a> for &'a Vec<T>
where
    &'a T: Field<'a>,
{
    fn each(self, f: &mut dyn FnMut(NodeRef<'a>) -> bool) -> bool {
        self.iter().any(|field| field.each(f))
    }
}

macro_rules! messages {
    ($($message:ident)*) => {$(
        impl<'a> Field<'a> for &'a protobuf::$message {
            fn each(self, f: &mut dyn FnMut(NodeRef<'a>) -> bool) -> bool {
                f(self.to_ref())
            }
        }
    )*};
}
messages! {
    Alias CollateClause FuncCall InferClause IntoClause JsonAggConstructor JsonBehavior JsonFormat JsonKeyValue
    JsonOutput JsonReturning JsonTablePathSpec JsonValueExpr OnConflictClause RangeVar SelectStmt TypeName
    WindowDef WithClause
}

/// Writes a match over the nodes that have children, each with its fields.
macro_rules! table {
    ($node:ident, $f:ident; $($variant:ident: $($field:ident)*;)*) => {
        match $node {
            $(NodeRef::$variant(node) => false $(|| (&node.$field).each($f))*,)*
            NodeRef::CaseExpr(case) => {
                (&case.arg).each($f)
                    || case.args.iter().any(|when| match &when.node {
                        Some(NodeEnum::CaseWhen(when)) => {
                            (&when.expr).each($f) || (&when.result).each($f)
                        }
                        _ => false,
                    })
                    || (&case.defresult).each($f)
            }
            _ => false,
        }
    };
}

/// Calls `f` with each child, until it returns true; returns whether it has.
///
/// Mirrors `raw_expression_tree_walker` of PostgreSQL's `src/backend/nodes/nodeFuncs.c` for the nodes that libpg_query lets
/// it walk.
pub(super) fn any<'a>(node: NodeRef<'a>, f: &mut dyn FnMut(NodeRef<'a>) -> bool) -> bool {
    let found = table! { node, f;
        RangeVar: alias;
        GroupingFunc: args;
        SubLink: testexpr subselect;
        RowExpr: args;
        CoalesceExpr: args;
        MinMaxExpr: args;
        XmlExpr: named_args args;
        JsonReturning: format;
        JsonValueExpr: raw_expr formatted_expr format;
        JsonParseExpr: expr output;
        JsonScalarExpr: expr output;
        JsonSerializeExpr: expr output;
        JsonConstructorExpr: args func coercion returning;
        JsonIsPredicate: expr;
        JsonArgument: val;
        JsonFuncExpr: context_item pathspec passing output on_empty on_error;
        JsonBehavior: expr;
        JsonTable: context_item pathspec passing columns on_error;
        JsonTableColumn: type_name on_empty on_error columns;
        JsonTablePathSpec: string;
        NullTest: arg;
        BooleanTest: arg;
        JoinExpr: larg rarg quals alias;
        IntoClause: rel;
        List: items;
        MergeWhenClause: condition target_list values;
        SelectStmt: distinct_clause into_clause target_list from_clause where_clause group_clause having_clause
            window_clause values_lists sort_clause limit_offset limit_count locking_clause with_clause larg rarg;
        PlassignStmt: indirection val;
        AExpr: lexpr rexpr;
        BoolExpr: args;
        FuncCall: args agg_order agg_filter over;
        NamedArgExpr: arg;
        AIndices: lidx uidx;
        AIndirection: arg indirection;
        AArrayExpr: elements;
        ResTarget: indirection val;
        MultiAssignRef: source;
        TypeCast: arg type_name;
        CollateClause: arg;
        SortBy: node;
        WindowDef: partition_clause order_clause start_offset end_offset;
        RangeSubselect: subquery alias;
        RangeFunction: functions alias coldeflist;
        RangeTableSample: relation args repeatable;
        RangeTableFunc: docexpr rowexpr namespaces columns alias;
        RangeTableFuncCol: colexpr coldefexpr;
        TypeName: typmods array_bounds;
        ColumnDef: type_name raw_default coll_clause;
        IndexElem: expr;
        GroupingSet: content;
        LockingClause: locked_rels;
        XmlSerialize: expr type_name;
        WithClause: ctes;
        InferClause: index_elems where_clause;
        OnConflictClause: infer target_list where_clause;
        CommonTableExpr: ctequery;
        JsonOutput: type_name returning;
        JsonKeyValue: key value;
        JsonObjectConstructor: output exprs;
        JsonArrayConstructor: output exprs;
        JsonAggConstructor: output agg_order agg_filter over;
        JsonObjectAgg: constructor arg;
        JsonArrayAgg: constructor arg;
        JsonArrayQueryConstructor: output query;
        InsertStmt: relation cols select_stmt on_conflict_clause with_clause;
        DeleteStmt: relation using_clause where_clause with_clause;
        UpdateStmt: relation target_list where_clause from_clause with_clause;
        MergeStmt: relation source_relation join_condition merge_when_clauses with_clause;
    };
    found || returning(node).iter().any(|target| target.each(f))
}

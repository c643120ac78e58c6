//! What was looked at in libpg_query's deparser, and needs no guard. `deparser.rs` finds what is not here.

use std::ops::RangeInclusive;

const ALL: RangeInclusive<u32> = 15..=u32::MAX;

/// Elements of lists that become a struct, in which versions, and what checks their type.
pub(super) const UNCHECKED: &[(RangeInclusive<u32>, &str, &str)] = &[
    (ALL, "deparseAExpr: ValUnion * linitial(a_expr->name)", "an Assert before it"),
    (ALL, "deparseFuncCall: A_Const * lsecond(func_call->args)", "an Assert before it"),
    (
        16..=u32::MAX,
        "deparseJsonObjectConstructor: JsonKeyValue * llast(json_object_constructor->exprs)",
        "our patch: all items have been printed by deparseJsonKeyValue(), which is guarded",
    ),
    (ALL, "deparseNumericOnlyList: ValUnion * lfirst(lc)", "deparseNumericOnly() looks at the tag"),
    (
        ALL,
        "deparsePublicationObjectList: PublicationObjSpec * lfirst(lc)",
        "the guard of the call checks all elements",
    ),
    (ALL, "deparseTypeName: deparseAConst(A_Const * lfirst(lc))", "IsA() before it"),
    (ALL, "deparseTypeName: deparseColumnRef(ColumnRef * lfirst(lc))", "IsA() before it"),
    (ALL, "deparseTypeName: deparseParamRef(ParamRef * lfirst(lc))", "IsA() before it"),
];

/// Functions and macros that the deparser calls, several in a line, and why they need no guard against NULL.
pub(super) const CALLED: &[(&str, &str)] = &[
    (
        "IsA boolVal castNode foreach_current_index intVal lfirst lfirst_node linitial \
         linitial_node list_nth llast lnext lsecond lthird lfourth nodeTag strVal",
        "they access nodes and lists, and the compiler checks each access",
    ),
    ("for_each_cell for_each_from", "they iterate over lists, which are guarded"),
    (
        "INTERVAL_MASK Min MemSet SQL_STR_DOUBLE TRIGGER_FOR_DELETE TRIGGER_FOR_INSERT \
         TRIGGER_FOR_TRUNCATE TRIGGER_FOR_UPDATE pg_toupper",
        "of numbers and characters",
    ),
    (
        "bms_add_member bms_free enlargeStringInfo palloc palloc0 pfree",
        "of the deparser's own memory",
    ),
    ("plain_text_before plain_trim", "of the text that is printed"),
    (
        "appendStringInfo appendStringInfoVA elog va_end va_start",
        "PostgreSQL's printf writes `(null)`",
    ),
    ("check_stack_depth", "it has no arguments"),
];

/// Functions that call each other as often as there are precedences at most, several in a line, and why.
pub(super) const BOUNDED: &[(&str, &str)] = &[(
    "patch_needs_left_parens patch_needs_right_parens",
    "each call of patch_needs_right_parens() is for a tighter operator",
)];

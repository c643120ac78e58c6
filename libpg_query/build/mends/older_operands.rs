//! Mends of the deparsers before 17: operands that lose their parentheses.
//!
//! See `c/older_operands.h`.

use std::ops::RangeInclusive;

use super::Mend;

const OPERANDS: &str = "an operand loses its parentheses";

/// A change of the deparser, in words that occur once in a function.
const fn mend(
    versions: RangeInclusive<u32>,
    function: &'static str,
    find: &'static str,
    replace: &'static str,
) -> Mend {
    mend_all(versions, function, 1, find, replace)
}

/// The same for words that occur `count` times.
const fn mend_all(
    versions: RangeInclusive<u32>,
    function: &'static str,
    count: usize,
    find: &'static str,
    replace: &'static str,
) -> Mend {
    Mend { file: "src/postgres_deparse.c", versions, function, find, count, replace, why: OPERANDS }
}

pub(super) const MENDS: &[Mend] = &[
    // "x = y", "x LIKE y" and so on.
    mend_all(
        15..=16,
        "deparseAExpr",
        11,
        "deparseExpr(str, a_expr->lexpr);",
        "OLDER_OPERAND(older_left_of(a_expr), deparseExpr(str, a_expr->lexpr));",
    ),
    mend(
        15..=16,
        "deparseAExpr",
        "IsA(a_expr->rexpr, A_Expr));",
        "IsA(a_expr->rexpr, A_Expr) || older_right_of(a_expr, a_expr->rexpr));",
    ),
    mend(
        15..=16,
        "deparseAExpr",
        "DISTINCT FROM \");\n\t\t\tdeparseExpr(str, a_expr->rexpr);",
        "DISTINCT FROM \");\n\t\t\tOLDER_OPERAND(older_right_of(a_expr, a_expr->rexpr), deparseExpr(str, a_expr->rexpr));",
    ),
    mend_all(
        15..=16,
        "deparseAExpr",
        2,
        "\t}\n\n\t\t\tdeparseExpr(str, a_expr->rexpr);",
        "\t}\n\n\t\t\tOLDER_OPERAND(older_right_of(a_expr, a_expr->rexpr), deparseExpr(str, a_expr->rexpr));",
    ),
    mend(
        15..=16,
        "deparseAExpr",
        "deparseExpr(str, linitial(n->args));",
        "OLDER_OPERAND(older_right_of(a_expr, linitial(n->args)) || (list_length(n->args) == 2 && IsA(linitial(n->args), BoolExpr)), deparseExpr(str, linitial(n->args)));",
    ),
    mend(
        15..=16,
        "deparseAExpr",
        "deparseExpr(str, lsecond(n->args));",
        "OLDER_OPERAND(older_right_of(a_expr, lsecond(n->args)), deparseExpr(str, lsecond(n->args)));",
    ),
    mend(
        15..=16,
        "deparseAExpr",
        "deparseExpr(str, lfirst(lc));",
        "OLDER_OPERAND(older_bound(a_expr, lfirst(lc)), deparseExpr(str, lfirst(lc)));",
    ),
    // The others.
    mend_all(
        15..=16,
        "deparseSubLink",
        2,
        "deparseExpr(str, sub_link->testexpr);",
        "OLDER_OPERAND(older_left(older_expr((Node *) sub_link).token, sub_link->testexpr), deparseExpr(str, sub_link->testexpr));",
    ),
    mend(
        15..=16,
        "deparseCollateClause",
        "IsA(collate_clause->arg, A_Expr)",
        "(IsA(collate_clause->arg, A_Expr) || older_left(OLDER_COLLATE, collate_clause->arg))",
    ),
    mend(
        15..=16,
        "deparseNullTest",
        "deparseExpr(str, (Node *) null_test->arg);",
        "OLDER_OPERAND(older_left(OLDER_IS, (Node *) null_test->arg), deparseExpr(str, (Node *) null_test->arg));",
    ),
    mend(
        15..=15,
        "deparseBooleanTest",
        "deparseExpr(str, (Node *) boolean_test->arg);",
        "OLDER_OPERAND(older_left(OLDER_IS, (Node *) boolean_test->arg), deparseExpr(str, (Node *) boolean_test->arg));",
    ),
    mend(
        16..=16,
        "deparseBooleanTest",
        "IsA(boolean_test->arg, BoolExpr)",
        "(IsA(boolean_test->arg, BoolExpr) || older_left(OLDER_IS, (Node *) boolean_test->arg))",
    ),
    mend(
        16..=16,
        "deparseJsonIsPredicate",
        "deparseExpr(str, j->expr);",
        "OLDER_OPERAND(older_left(OLDER_IS, j->expr), deparseExpr(str, j->expr));",
    ),
    mend(
        15..=16,
        "deparseXmlExpr",
        "deparseExpr(str, linitial(xml_expr->args));\n\t\t\tappendStringInfoString(str, \" IS DOCUMENT\");",
        "OLDER_OPERAND(older_left(OLDER_IS, linitial(xml_expr->args)), deparseExpr(str, linitial(xml_expr->args)));\n\t\t\tappendStringInfoString(str, \" IS DOCUMENT\");",
    ),
    mend(
        15..=16,
        "deparseFuncCall",
        "deparseExpr(str, linitial(func_call->args));\n\t\tappendStringInfoString(str, \" IS \");",
        "OLDER_OPERAND(older_left(OLDER_IS, linitial(func_call->args)), deparseExpr(str, linitial(func_call->args)));\n\t\tappendStringInfoString(str, \" IS \");",
    ),
    mend(
        15..=15,
        "deparseFuncCall",
        "deparseExpr(str, lsecond(func_call->args));\n\t\tappendStringInfoString(str, \" AT TIME ZONE \");",
        "OLDER_OPERAND(older_left(OLDER_AT, lsecond(func_call->args)), deparseExpr(str, lsecond(func_call->args)));\n\t\tappendStringInfoString(str, \" AT TIME ZONE \");",
    ),
    mend_all(
        16..=16,
        "deparseFuncCall",
        2,
        "IsA(e, A_Expr)",
        "(IsA(e, A_Expr) || older_left(OLDER_AT, (Node *) e))",
    ),
    mend(
        15..=16,
        "deparseFuncCall",
        "\" AT TIME ZONE \");\n\t\tdeparseExpr(str, linitial(func_call->args));",
        "\" AT TIME ZONE \");\n\t\tOLDER_OPERAND(older_right(OLDER_AT, linitial(func_call->args)), deparseExpr(str, linitial(func_call->args)));",
    ),
    mend(
        15..=16,
        "deparseTypeCast",
        "bool need_parens = false;",
        "bool need_parens = older_left(OLDER_ATOM, type_cast->arg);",
    ),
    mend(
        15..=16,
        "deparseAIndirection",
        "IsA(a_indirection->arg, RowExpr) ||",
        "!older_takes_indirection(a_indirection->arg) ||",
    ),
    // Where gram.y has a c_expr ...
    mend(16..=16, "deparseExpr", "\t\tcase T_SubLink:\n", "\n"),
    mend(
        16..=16,
        "deparseExpr",
        "case T_ColumnRef:",
        "case T_SubLink: deparseSubLink(str, castNode(SubLink, node)); break; case T_ColumnRef:",
    ),
    mend(
        15..=16,
        "deparseCExpr",
        "switch (nodeTag(node))",
        "if (!older_is_c_expr(node)) OLDER_OPERAND(true, deparseExpr(str, node)); else switch (nodeTag(node))",
    ),
    mend(
        15..=15,
        "deparseCExpr",
        "elog(ERROR, \"deparse: unpermitted node type in c_expr: %d\",\n\t\t\t\t (int) nodeTag(node));",
        "deparseExpr(str,\n\t\t\t\t node);",
    ),
    mend(
        15..=16,
        "deparseFuncCall",
        "\"xmlexists (\");\n\t\tdeparseExpr(str, linitial(func_call->args));",
        "\"xmlexists (\");\n\t\tOLDER_OPERAND(older_is_negative(linitial(func_call->args)), deparseCExpr(str, linitial(func_call->args)));",
    ),
    mend(
        15..=16,
        "deparseFuncCall",
        "\" PASSING \");\n\t\tdeparseExpr(str, lsecond(func_call->args));",
        "\" PASSING \");\n\t\tOLDER_OPERAND(older_is_negative(lsecond(func_call->args)), deparseCExpr(str, lsecond(func_call->args)));",
    ),
    mend(
        15..=16,
        "deparseRangeTableFunc",
        "deparseExpr(str, range_table_func->docexpr);",
        "OLDER_OPERAND(older_is_negative(range_table_func->docexpr), deparseCExpr(str, range_table_func->docexpr));",
    ),
    // ... and where it has a b_expr.
    mend(
        16..=16,
        "deparseBExpr",
        "if (IsA(node, XmlExpr)) {",
        "if (!older_is_b_expr(node)) { OLDER_OPERAND(true, deparseExpr(str, node)); return; } if (IsA(node, XmlExpr)) {",
    ),
    mend(
        15..=15,
        "deparseFuncCall",
        "deparseExpr(str, lsecond(func_call->args));\n\t\tappendStringInfoString(str, \" IN \");",
        "OLDER_OPERAND(!older_is_b_expr(lsecond(func_call->args)), deparseExpr(str, lsecond(func_call->args)));\n\t\tappendStringInfoString(str, \" IN \");",
    ),
    mend(
        15..=15,
        "deparseFuncCall",
        "\" IN \");\n\t\tdeparseExpr(str, linitial(func_call->args));",
        "\" IN \");\n\t\tOLDER_OPERAND(!older_is_b_expr(linitial(func_call->args)), deparseExpr(str, linitial(func_call->args)));",
    ),
    mend(
        15..=15,
        "deparseConstraint",
        "\"DEFAULT \");\n\t\t\tdeparseExpr(str, constraint->raw_expr);",
        "\"DEFAULT \");\n\t\t\tOLDER_OPERAND(!older_is_b_expr(constraint->raw_expr), deparseExpr(str, constraint->raw_expr));",
    ),
    mend(
        15..=16,
        "deparseXmlNamespaceList",
        "deparseExpr(str, res_target->val);",
        "OLDER_OPERAND(!older_is_b_expr(res_target->val), deparseExpr(str, res_target->val));",
    ),
    mend(
        15..=16,
        "deparseRangeTableFuncCol",
        "deparseExpr(str, range_table_func_col->colexpr);",
        "OLDER_OPERAND(!older_is_b_expr(range_table_func_col->colexpr), deparseExpr(str, range_table_func_col->colexpr));",
    ),
    mend(
        15..=16,
        "deparseRangeTableFuncCol",
        "deparseExpr(str, range_table_func_col->coldefexpr);",
        "OLDER_OPERAND(!older_is_b_expr(range_table_func_col->coldefexpr), deparseExpr(str, range_table_func_col->coldefexpr));",
    ),
];

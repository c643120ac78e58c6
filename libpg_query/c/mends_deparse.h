/*-------------------------------------------------------------------------
 *
 * mends_deparse.h
 *	  The functions that mends of libpg_query's deparser call; see
 *	  build/mends/ for the lines.
 *
 * deparse.c includes this file before the deparser, and mends_expressions.c and
 * mends_statements.c, which have the functions, after it: they call functions of
 * the deparser.
 *
 *-------------------------------------------------------------------------
 */
#ifndef MENDS_DEPARSE_H
#define MENDS_DEPARSE_H

/*
 * The deparser of 17 passes a DeparseState around, that of 16 a
 * StringInfo.  These names are the same for both, and in the mended lines.
 */
#if PG_VERSION_NUM >= 170000
struct DeparseState;
#define MEND_PARAM struct DeparseState *state
#define MEND state
#define mend_put(s) deparseAppendStringInfoString(state, s)
#define mend_putc(c) deparseAppendStringInfoChar(state, c)
#define mend_expr(node) deparseExpr(state, node, DEPARSE_NODE_CONTEXT_A_EXPR)
#else
#define MEND_PARAM StringInfo str
#define MEND str
#define mend_put(s) appendStringInfoString(str, s)
#define mend_putc(c) appendStringInfoChar(str, c)
#define mend_expr(node) deparseExpr(str, node)
#endif

/* Names, quoted only if the grammar requires it in that place. */
static const char *mend_col_id(const char *name);
static const char *mend_col_label(const char *name);
static const char *mend_param_name(const char *name);
static const char *mend_attr_option(const char *name);
static const char *mend_ident(const char *name);
static const char *mend_upper_name(const char *name);
static void mend_dotted_name(MEND_PARAM, const char *name);
static void mend_word_or_string(MEND_PARAM, const char *value);
static bool mend_is_do_quotable(const char *text);
static bool mend_is_dollar_quotable(const char *text);

/* Expressions */

/* OPERATOR(-) before a number; a sign would become part of the number. */
static inline bool
mend_is_minus_number(const A_Expr *expr)
{
	const A_Const *value = (const A_Const *) expr->rexpr;

	return expr->lexpr == NULL && list_length(expr->name) == 1 &&
		strcmp(strVal(linitial(expr->name)), "-") == 0 &&
		value != NULL && IsA(value, A_Const) && !value->isnull &&
		(IsA(&value->val, Integer) || IsA(&value->val, Float));
}

static bool mend_trim(MEND_PARAM, FuncCall *call);
static bool mend_needs_index_parens(Node *node);
static void mend_operator(MEND_PARAM, A_Expr *expr);
static bool mend_any_operator(MEND_PARAM, List *op);
static void mend_xml_whitespace(MEND_PARAM, XmlExpr *expr);
static bool mend_is_plain_bpchar(TypeName *name, A_Const *value);
static bool mend_is_generic_type(TypeName *name);
static void mend_interval(MEND_PARAM, Node *value, TypeName *name);
static void mend_typed_const(MEND_PARAM, TypeCast *cast);
#if PG_VERSION_NUM >= 160000
static void mend_before_unique(MEND_PARAM, JsonValueExpr *value);
#endif

/* Parentheses, which the deparser of 18 prints correctly */
#if PG_VERSION_NUM < 180000
static bool mend_is_b_expr(Node *node);
static bool mend_is_c_expr(Node *node);
static bool mend_needs_cast_parens(Node *node);
static void mend_enter_expr(void);
static void mend_operand_in(MEND_PARAM, Node *parent, Node *node, bool is_right, bool in_b_expr,
							bool has_parens);
static void mend_operand(MEND_PARAM, Node *parent, Node *node, bool is_right);
#endif
#if PG_VERSION_NUM >= 170000 && PG_VERSION_NUM < 180000
static void mend_left_operand(MEND_PARAM, A_Expr *expr, int context);
static void mend_right_operand(MEND_PARAM, A_Expr *expr, int context);
static void mend_between_bound(MEND_PARAM, A_Expr *expr, Node *node, bool is_lower);
static bool mend_needs_subscript_parens(A_Indirection *indirection);
#endif

/* Statements */
static void mend_target_relation(MEND_PARAM, RangeVar *relation);
static void mend_exclusion_where(MEND_PARAM, Constraint *constraint);
static bool mend_like_options(MEND_PARAM, TableLikeClause *like);
static bool mend_copy_options(MEND_PARAM, CopyStmt *stmt);
static bool mend_time_zone(MEND_PARAM, List *args);
static void mend_equals(MEND_PARAM, Node *arg);
static void mend_old_definition(MEND_PARAM, List *definition);
static void mend_grant_option(MEND_PARAM, DefElem *option);
static void mend_revoke_option(MEND_PARAM, DefElem *option);
static void mend_parameter_list(MEND_PARAM, List *names);
static void mend_object_type(MEND_PARAM, ObjectType type);
static void mend_object_name(MEND_PARAM, Node *name);
static void mend_utility_option_name(MEND_PARAM, const char *name);
static void mend_database_option_name(MEND_PARAM, const char *name);

#endif							/* MENDS_DEPARSE_H */

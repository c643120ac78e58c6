/*-------------------------------------------------------------------------
 *
 * patches.h
 *	  The functions that patches of libpg_query's deparser call; see
 *	  patches/ for the lines.
 *
 * deparse.c includes this file before the deparser, and the patches_*.c, which
 * have the functions, after it: they call functions of the deparser.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PATCHES_H
#define PATCHES_H

/* The deparsers of 15 and 16 print into a StringInfo; see patches/deparse.patch. */
#if PG_VERSION_NUM >= 170000
typedef struct DeparseState DeparseState;
#define patch_expr(node) deparseExpr(state, node, DEPARSE_NODE_CONTEXT_A_EXPR)
#else
typedef StringInfoData DeparseState;
#define deparseAppendStringInfoString(state, s) appendStringInfoString(state, s)
#define deparseAppendStringInfoChar(state, c) appendStringInfoChar(state, c)
#define patch_expr(node) deparseExpr(state, node)
#endif
#define patch_put(s) deparseAppendStringInfoString(state, s)
#define patch_putc(c) deparseAppendStringInfoChar(state, c)

/* Names, quoted only if the grammar requires it in that place. */
static const char *patch_col_id(const char *name);
static const char *patch_col_label(const char *name);
static const char *patch_param_name(const char *name);
static const char *patch_attr_option(const char *name);
static const char *patch_ident(const char *name);
static const char *patch_upper_name(const char *name);
static void patch_dotted_name(DeparseState *state, const char *name);
static void patch_word_or_string(DeparseState *state, const char *value);
static bool patch_is_do_quotable(const char *text);
static bool patch_is_dollar_quotable(const char *text);

/* Keywords as names */

/* The number of items of GROUP BY that are being printed, one in the other */
static __thread int patch_group_items;

static void patch_quote_merged(StringInfo str, int start);

static void patch_func_name(DeparseState *state, List *name);
static const char *patch_window_name(const char *name);
static bool patch_is_unbounded(Node *bound);
#if PG_VERSION_NUM >= 170000
static bool patch_is_nested_path(JsonTableColumn *column);
#endif
static void patch_def_type(DeparseState *state, TypeName *type);
static void patch_exclusion_operator(DeparseState *state, List *op);

/* Expressions */

/* OPERATOR(-) before a number; a sign would become part of the number. */
static inline bool
patch_is_minus_number(const A_Expr *expr)
{
	const A_Const *value = (const A_Const *) expr->rexpr;

	return expr->lexpr == NULL && list_length(expr->name) == 1 &&
		strcmp(strVal(linitial(expr->name)), "-") == 0 &&
		value != NULL && IsA(value, A_Const) && !value->isnull &&
		(IsA(&value->val, Integer) || IsA(&value->val, Float));
}

static void patch_integer(DeparseState *state, int64 value);
static void patch_star(DeparseState *state, ColumnRef *column);
static bool patch_locks_outside(const SelectStmt *stmt);
static bool patch_trim(DeparseState *state, FuncCall *call);
static bool patch_needs_index_parens(Node *node);
static void patch_operator(DeparseState *state, A_Expr *expr);
static bool patch_any_operator(DeparseState *state, List *op);
static void patch_xml_whitespace(DeparseState *state, XmlExpr *expr);
static bool patch_is_bare_type(TypeName *name, A_Const *value);
static bool patch_is_generic_type(TypeName *name);
static void patch_interval(DeparseState *state, Node *value, TypeName *name);
static void patch_typed_const(DeparseState *state, TypeCast *cast);
static void patch_as_c_expr(DeparseState *state, Node *node);
static void patch_type_by_name(DeparseState *state, TypeName *type);
#if PG_VERSION_NUM >= 160000
static void patch_before_unique(DeparseState *state, JsonValueExpr *value);
#endif

/* Parentheses, which the deparser of 18 prints correctly */
#if PG_VERSION_NUM < 180000
static bool patch_is_b_expr(Node *node);
static bool patch_is_c_expr(Node *node);
static void patch_operand(DeparseState *state, Node *parent, Node *node, bool is_right);
#endif
#if PG_VERSION_NUM < 170000
static void patch_blank(DeparseState *state);
static void patch_in_parens(DeparseState *state, Node *node);
static bool patch_needs_left_parens(Node *parent, Node *node);
static bool patch_needs_right_parens(Node *parent, Node *node);
static void patch_left_operand(DeparseState *state, A_Expr *expr);
static void patch_between_bound(DeparseState *state, A_Expr *expr, Node *node);
static void patch_as_b_expr(DeparseState *state, Node *node);
static bool patch_fits_b_expr(Node *node);
static bool patch_takes_subscript(Node *node);
#elif PG_VERSION_NUM < 180000
static bool patch_needs_cast_parens(Node *node);
static void patch_enter_expr(void);
static void patch_operand_in(DeparseState *state, Node *parent, Node *node, bool is_right,
							 bool in_b_expr, bool has_parens);
static void patch_left_operand(DeparseState *state, A_Expr *expr, int context);
static void patch_right_operand(DeparseState *state, A_Expr *expr, int context);
static void patch_between_bound(DeparseState *state, A_Expr *expr, Node *node, bool is_lower);
static bool patch_needs_subscript_parens(A_Indirection *indirection);
#endif

/* Statements */
static void patch_target_relation(DeparseState *state, RangeVar *relation);
static void patch_exclusion_where(DeparseState *state, Constraint *constraint);
static bool patch_like_options(DeparseState *state, TableLikeClause *like);
static bool patch_copy_options(DeparseState *state, CopyStmt *stmt);
static bool patch_time_zone(DeparseState *state, List *args);
static void patch_equals(DeparseState *state, Node *arg);
static void patch_old_definition(DeparseState *state, List *definition);
static bool patch_is_known_option(DefElem *option);
static void patch_grant_option(DeparseState *state, DefElem *option);
static void patch_revoke_option(DeparseState *state, DefElem *option);
static void patch_parameter_list(DeparseState *state, List *names);
static void patch_object_type(DeparseState *state, ObjectType type);
static void patch_object_name(DeparseState *state, Node *name);
static void patch_utility_option_name(DeparseState *state, const char *name);
static void patch_database_option_name(DeparseState *state, const char *name);

#endif							/* PATCHES_H */

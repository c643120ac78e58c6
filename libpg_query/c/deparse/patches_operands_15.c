/*-------------------------------------------------------------------------
 *
 * patches_operands_15.c
 *	  The functions that patches of libpg_query's deparser call: parentheses
 *	  in 15 and 16; see patches.h.
 *
 * These deparsers decide about some parentheses by the type of a node alone.
 * The functions add those that are missing, so that correct output is unchanged.
 *
 *-------------------------------------------------------------------------
 */
#if PG_VERSION_NUM < 170000

static void
patch_in_parens(DeparseState *state, Node *node)
{
	patch_putc('(');
	patch_expr(node);
	patch_putc(')');
}

/* Operands that the deparser itself parenthesises, before and after an operator */
static Node *
patch_unless_guarded(Node *operand)
{
	if (operand == NULL || IsA(operand, A_Expr) || IsA(operand, BoolExpr) || IsA(operand, NullTest))
		return NULL;
	if (PG_VERSION_NUM >= 160000 && IsA(operand, BooleanTest))
		return NULL;
	return operand;
}

/* The operand that an expression begins with, unless it is always in parentheses */
static Node *
patch_first_operand(Node *node)
{
	List	   *args = NIL;
	Node	   *arg;

	switch (nodeTag(node))
	{
		case T_A_Expr:
			arg = ((A_Expr *) node)->lexpr;
			switch (((A_Expr *) node)->kind)
			{
				case AEXPR_OP:
				case AEXPR_DISTINCT:
					return patch_unless_guarded(arg);
				case AEXPR_NULLIF:
					return NULL;
				default:
					return arg;
			}
		case T_NullTest:
			return (Node *) ((NullTest *) node)->arg;
		case T_BooleanTest:
			arg = (Node *) ((BooleanTest *) node)->arg;
			return PG_VERSION_NUM >= 160000 && arg != NULL && IsA(arg, BoolExpr) ? NULL : arg;
#if PG_VERSION_NUM >= 160000
		case T_JsonIsPredicate:
			return ((JsonIsPredicate *) node)->expr;
#endif
		case T_SubLink:
			return patch_token_precedence(node) != PREC_C_EXPR ? ((SubLink *) node)->testexpr : NULL;
		case T_BoolExpr:
			args = ((BoolExpr *) node)->boolop == NOT_EXPR ? NIL : ((BoolExpr *) node)->args;
			return args == NIL ? NULL : linitial(args);
		case T_XmlExpr:
			args = ((XmlExpr *) node)->op == IS_DOCUMENT ? ((XmlExpr *) node)->args : NIL;
			return args == NIL ? NULL : linitial(args);
		case T_CollateClause:
			arg = ((CollateClause *) node)->arg;
			break;
		case T_TypeCast:
			arg = ((TypeCast *) node)->arg;
			break;
		case T_FuncCall:
			args = ((FuncCall *) node)->args;
			if (patch_is_sql_call(node, "is_normalized", 2))
				return linitial(args);
			/* AT TIME ZONE, whose arguments are reversed */
			if (!patch_is_sql_call(node, "timezone", 2) || list_length(args) != 2)
				return NULL;
			arg = lsecond(args);
			break;
		default:
			return NULL;
	}
	return arg == NULL || IsA(arg, A_Expr) ? NULL : arg;
}

/* The operand that an expression ends with, unless it is always in parentheses */
static Node *
patch_last_operand(Node *node)
{
	Node	   *arg;

	if (patch_is_closed(node))
		return NULL;
	switch (nodeTag(node))
	{
		case T_A_Expr:
			arg = ((A_Expr *) node)->rexpr;
			switch (((A_Expr *) node)->kind)
			{
				case AEXPR_OP:
				case AEXPR_DISTINCT:
					return patch_unless_guarded(arg);
				case AEXPR_NULLIF:
					return NULL;
				case AEXPR_SIMILAR:
					/* a call with the pattern and the operand of ESCAPE */
					return arg != NULL && IsA(arg, FuncCall) && ((FuncCall *) arg)->args != NIL ?
						llast(((FuncCall *) arg)->args) : NULL;
				case AEXPR_NOT_DISTINCT:
				case AEXPR_LIKE:
				case AEXPR_ILIKE:
					return arg;
				default:
					/* the bounds of BETWEEN */
					return arg != NULL && IsA(arg, List) ? llast((List *) arg) : NULL;
			}
		case T_BoolExpr:
			return ((BoolExpr *) node)->args == NIL ? NULL : llast(((BoolExpr *) node)->args);
		case T_FuncCall:
			return patch_is_sql_call(node, "timezone", 2) ? linitial(((FuncCall *) node)->args) : NULL;
		default:
			return NULL;
	}
}

/* Returns whether an expression begins with its operator */
static bool
patch_is_prefix(Node *node)
{
	return (IsA(node, A_Expr) && ((A_Expr *) node)->kind == AEXPR_OP &&
			((A_Expr *) node)->lexpr == NULL) ||
		(IsA(node, BoolExpr) && ((BoolExpr *) node)->boolop == NOT_EXPR);
}

/*
 * Returns whether an operand needs parentheses before an operator:
 * otherwise the parser would give the operand's end to the operator.
 * That end may be some levels below, as NOT y is in "x LIKE NOT y".
 */
static bool
patch_needs_left_parens(Node *parent, Node *node)
{
	Precedence	outer = patch_token_precedence(parent);

	while (node != NULL)
	{
		Precedence	inner = patch_token_precedence(node);
		Node	   *last = patch_last_operand(node);

		if (inner == PREC_C_EXPR || patch_is_closed(node))
			return false;
		if (inner < outer || (inner == outer && !patch_is_associative(outer)))
			return true;
		if (!patch_is_prefix(node) && patch_needs_right_parens(node, last))
			return false;
		node = last;
	}
	return false;
}

/*
 * Returns whether an operand needs parentheses after an operator:
 * otherwise the operator would take the operand's beginning.  That
 * may also be some levels below, as x is in "x IS NULL || y".
 */
static bool
patch_needs_right_parens(Node *parent, Node *node)
{
	Precedence	outer = patch_token_precedence(parent);

	while (node != NULL && !patch_is_prefix(node))
	{
		Node	   *first = patch_first_operand(node);

		/* the other associative operators are left-associative */
		if (patch_token_precedence(node) <= outer)
			return true;
		if (patch_needs_left_parens(node, first))
			return false;
		node = first;
	}
	return false;
}

static void
patch_operand(DeparseState *state, Node *parent, Node *node, bool is_right)
{
	if (is_right ? patch_needs_right_parens(parent, node) : patch_needs_left_parens(parent, node))
		patch_in_parens(state, node);
	else
		patch_expr(node);
}

/* The left operand of an A_Expr, which the deparser may have parenthesised already */
static void
patch_left_operand(DeparseState *state, A_Expr *expr)
{
	bool		is_guarded = expr->kind == AEXPR_OP || expr->kind == AEXPR_DISTINCT;

	if (expr->kind == AEXPR_NULLIF || (is_guarded && patch_unless_guarded(expr->lexpr) == NULL))
		patch_expr(expr->lexpr);
	else
		patch_operand(state, (Node *) expr, expr->lexpr, false);
}

/* The bounds of BETWEEN: a "b_expr", ended by AND, and an "a_expr" */
static void
patch_between_bound(DeparseState *state, A_Expr *expr, Node *node)
{
	if (node == linitial((List *) expr->rexpr))
		patch_as_b_expr(state, node);
	else
		patch_operand(state, (Node *) expr, node, true);
}

/* Returns whether an expression, outside of parentheses, contains only what "b_expr" may. */
static bool
patch_fits_b_expr(Node *node)
{
	Node	   *first;
	Node	   *last;

	check_stack_depth();
	if (node == NULL)
		return true;
	if (!patch_is_b_expr(node))
		return false;
	first = patch_first_operand(node);
	last = patch_last_operand(node);
	return (patch_needs_left_parens(node, first) || patch_fits_b_expr(first)) &&
		(patch_needs_right_parens(node, last) || patch_fits_b_expr(last));
}

static void
patch_as_b_expr(DeparseState *state, Node *node)
{
	if (patch_fits_b_expr(node))
		patch_expr(node);
	else
		patch_in_parens(state, node);
}

/* Returns whether "[1]" or ".x" may follow; the deparser handles those of columns. */
static bool
patch_takes_subscript(Node *node)
{
	if (IsA(node, ColumnRef))
		return !IsA(llast(((ColumnRef *) node)->fields), A_Star);
	return IsA(node, ParamRef) ||
		(IsA(node, SubLink) && ((SubLink *) node)->subLinkType == EXPR_SUBLINK);
}

#endif							/* PG_VERSION_NUM < 170000 */

/*-------------------------------------------------------------------------
 *
 * patches_operands_17.c
 *	  The functions that patches of libpg_query's deparser call: parentheses
 *	  in 17; see patches.h.
 *
 *-------------------------------------------------------------------------
 */
#if PG_VERSION_NUM >= 170000 && PG_VERSION_NUM < 180000
/*
 * The operator before the expression being printed, within the same
 * parentheses, by its precedence plus one, or 0.  It would take the first
 * operand of an operator that binds more loosely.  The printer of an
 * operand sets it in patch_next, and every other expression begins with 0.
 */
static __thread int patch_left;
static __thread int patch_next;

static void
patch_enter_expr(void)
{
	patch_left = patch_next;
	patch_next = 0;
}

/* Returns whether an operator to the left would take the first operand of a closed node */
static bool
patch_is_taken(Node *node)
{
	return patch_left > (int) patch_token_precedence(node);
}

/* Returns whether the operand of a cast needs parentheses */
static bool
patch_needs_cast_parens(Node *node)
{
	if (patch_is_c_expr(node))
		return false;
	if (!patch_is_closed(node) || patch_is_taken(node))
		return true;
	patch_next = patch_left;
	return false;
}

/*
 * Prints an operand, in parentheses if it needs them.  "has_parens"
 * says that the deparser has already parenthesised it.
 */
static void
patch_operand_in(DeparseState *state, Node *parent, Node *node, bool is_right, bool in_b_expr,
				bool has_parens)
{
	bool		needs_parens = false;
	int			next = 0;

	if (node != NULL && !has_parens)
	{
		Precedence outer = patch_token_precedence(parent);
		Precedence inner = patch_rule_precedence(node);

		if (outer == PREC_C_EXPR)
			needs_parens = false;
		else if (!is_right && patch_is_closed(node))
			needs_parens = patch_is_taken(node);
		else if (inner != outer)
			needs_parens = inner < outer;
		else if (!patch_is_associative(outer))
			needs_parens = true;
		else
			needs_parens = is_right && outer != PREC_NOT && outer != PREC_SIGN;
		needs_parens = needs_parens || (in_b_expr && !patch_is_b_expr(node));
		if (!needs_parens && outer != PREC_C_EXPR)
			next = is_right ? (int) outer + 1 : patch_left;
	}
	if (needs_parens)
		patch_putc('(');
	patch_next = next;
	if (in_b_expr && !needs_parens && !has_parens && node != NULL && IsA(node, A_Expr))
	{
		check_stack_depth();
		patch_enter_expr();
		deparseAExpr(state, (A_Expr *) node, DEPARSE_NODE_CONTEXT_NONE);
	}
	else
		patch_expr(node);
	if (needs_parens)
		patch_putc(')');
}

static void
patch_operand(DeparseState *state, Node *parent, Node *node, bool is_right)
{
	patch_operand_in(state, parent, node, is_right, false, false);
}

/* Returns whether the deparser of 17 has already parenthesised an operand */
static bool
patch_has_parens(A_Expr *expr, Node *node)
{
	return (expr->kind == AEXPR_OP || expr->kind == AEXPR_DISTINCT) && needsParensAsBExpr(node);
}

/* The operands of an A_Expr; those of "b_expr" have no context. */
static void
patch_left_operand(DeparseState *state, A_Expr *expr, int context)
{
	bool		in_b_expr = context == DEPARSE_NODE_CONTEXT_NONE && expr->kind != AEXPR_NULLIF;

	patch_operand_in(state, (Node *) expr, expr->lexpr, false, in_b_expr,
					patch_has_parens(expr, expr->lexpr));
}

static void
patch_right_operand(DeparseState *state, A_Expr *expr, int context)
{
	bool		in_b_expr = context == DEPARSE_NODE_CONTEXT_NONE && expr->kind != AEXPR_NULLIF;

	if (expr->kind == AEXPR_OP_ANY || expr->kind == AEXPR_OP_ALL)
		patch_expr(expr->rexpr);
	else
		patch_operand_in(state, (Node *) expr, expr->rexpr, true, in_b_expr,
						patch_has_parens(expr, expr->rexpr));
}

/* The bounds of BETWEEN: a "b_expr", and an "a_expr" */
static void
patch_between_bound(DeparseState *state, A_Expr *expr, Node *node, bool is_lower)
{
	patch_operand_in(state, (Node *) expr, node, true, is_lower, false);
}

/* Returns whether subscripts need parentheses before them */
static bool
patch_needs_subscript_parens(A_Indirection *indirection)
{
	Node	   *arg = indirection->arg;

	if (IsA(arg, ParamRef))
		return false;
	if (IsA(arg, ColumnRef))
		return !IsA(linitial(indirection->indirection), A_Indices) ||
			IsA(llast(((ColumnRef *) arg)->fields), A_Star);
	return !(IsA(arg, SubLink) && ((SubLink *) arg)->subLinkType == EXPR_SUBLINK);
}

#endif							/* 17 */

/*-------------------------------------------------------------------------
 *
 * mends_precedence.c
 *	  The functions that mends of libpg_query's deparser call: parentheses
 *	  around operands, which the deparsers before that of 18 leave out in
 *	  many places; see mends_deparse.h.
 *
 *-------------------------------------------------------------------------
 */
#if PG_VERSION_NUM < 180000

/* The precedences of gram.y, from loose to tight */
typedef enum MendPrecedence
{
	MEND_OR,
	MEND_AND,
	MEND_NOT,
	MEND_IS,
	MEND_COMPARISON,
	MEND_BETWEEN,
	MEND_OPERATOR,
	MEND_PLUS,
	MEND_TIMES,
	MEND_POWER,
	MEND_AT,
	MEND_COLLATE,
	MEND_SIGN,
	MEND_C_EXPR
} MendPrecedence;

/* The precedence of an operator between two operands */
static MendPrecedence
mend_operator_precedence(List *op)
{
	const char *name;

	if (list_length(op) != 1)
		return MEND_OPERATOR;
	name = strVal(linitial(op));
	if (name[0] != '\0' && name[1] == '\0')
		switch (name[0])
		{
			case '<':
			case '>':
			case '=':
				return MEND_COMPARISON;
			case '+':
			case '-':
				return MEND_PLUS;
			case '*':
			case '/':
			case '%':
				return MEND_TIMES;
			case '^':
				return MEND_POWER;
			default:
				return MEND_OPERATOR;
		}
	if (strcmp(name, "<=") == 0 || strcmp(name, ">=") == 0 || strcmp(name, "<>") == 0)
		return MEND_COMPARISON;
	return MEND_OPERATOR;
}

/* The precedence of an operator before ANY and ALL, where LIKE is an operator, too */
static MendPrecedence
mend_subquery_precedence(List *op)
{
	const char *name;

	if (list_length(op) != 1)
		return MEND_OPERATOR;
	name = strVal(linitial(op));
	if (strcmp(name, "~~") == 0 || strcmp(name, "!~~") == 0 || strcmp(name, "~~*") == 0 ||
		strcmp(name, "!~~*") == 0)
		return MEND_BETWEEN;
	return mend_operator_precedence(op);
}

/* A function of the SQL standard with its own syntax */
static bool
mend_is_sql_call(Node *node, const char *name, int max_args)
{
	FuncCall   *call = (FuncCall *) node;

	return IsA(node, FuncCall) && call->funcformat == COERCE_SQL_SYNTAX &&
		list_length(call->funcname) == 2 && call->args != NIL &&
		list_length(call->args) <= max_args &&
		strcmp(strVal(linitial(call->funcname)), "pg_catalog") == 0 &&
		strcmp(strVal(lsecond(call->funcname)), name) == 0;
}

/* The precedence of the token that binds a node's operands */
static MendPrecedence
mend_token_precedence(Node *node)
{
	A_Expr	   *expr;
	SubLink    *sub_link;

	switch (nodeTag(node))
	{
		case T_A_Expr:
			expr = (A_Expr *) node;
			switch (expr->kind)
			{
				case AEXPR_OP:
					if (expr->lexpr != NULL)
						return mend_operator_precedence(expr->name);
					return mend_operator_precedence(expr->name) == MEND_PLUS &&
						!mend_is_minus_number(expr) ? MEND_SIGN : MEND_OPERATOR;
				case AEXPR_OP_ANY:
				case AEXPR_OP_ALL:
					return mend_subquery_precedence(expr->name);
				case AEXPR_DISTINCT:
				case AEXPR_NOT_DISTINCT:
					return MEND_IS;
				case AEXPR_NULLIF:
					return MEND_C_EXPR;
				default:
					return MEND_BETWEEN;
			}
		case T_BoolExpr:
			switch (((BoolExpr *) node)->boolop)
			{
				case AND_EXPR:
					return MEND_AND;
				case NOT_EXPR:
					return MEND_NOT;
				default:
					return MEND_OR;
			}
		case T_NullTest:
		case T_BooleanTest:
#if PG_VERSION_NUM >= 160000
		case T_JsonIsPredicate:
#endif
			return MEND_IS;
		case T_CollateClause:
			return MEND_COLLATE;
		case T_XmlExpr:
			return ((XmlExpr *) node)->op == IS_DOCUMENT ? MEND_IS : MEND_C_EXPR;
		case T_SubLink:
			sub_link = (SubLink *) node;
			if (sub_link->subLinkType == ANY_SUBLINK && sub_link->operName == NIL)
				return MEND_BETWEEN;
			if (sub_link->subLinkType == ANY_SUBLINK || sub_link->subLinkType == ALL_SUBLINK)
				return mend_subquery_precedence(sub_link->operName);
			return MEND_C_EXPR;
		case T_FuncCall:
			if (mend_is_sql_call(node, "timezone", 2))
				return MEND_AT;
			if (mend_is_sql_call(node, "is_normalized", 2))
				return MEND_IS;
			return MEND_C_EXPR;
		default:
			return MEND_C_EXPR;
	}
}

/* The precedence of the rule that reads a node: ANY and ALL have that of an operator. */
static MendPrecedence
mend_rule_precedence(Node *node)
{
	MendPrecedence token = mend_token_precedence(node);
	bool		is_subquery = (IsA(node, A_Expr) &&
							   (((A_Expr *) node)->kind == AEXPR_OP_ANY ||
								((A_Expr *) node)->kind == AEXPR_OP_ALL)) ||
		(IsA(node, SubLink) && ((SubLink *) node)->operName != NIL && token != MEND_C_EXPR);

	return is_subquery ? Min(token, MEND_OPERATOR) : token;
}

/* "c_expr" in gram.y, or a cast, which binds as tightly */
static bool
mend_is_c_expr(Node *node)
{
	return !IsA(node, SetToDefault) && !mend_is_sql_call(node, "overlaps", 4) &&
		mend_rule_precedence(node) == MEND_C_EXPR;
}

/* "b_expr" in gram.y, except for conditions on the operands */
static bool
mend_is_b_expr(Node *node)
{
	if (IsA(node, A_Expr))
		switch (((A_Expr *) node)->kind)
		{
			case AEXPR_OP:
			case AEXPR_DISTINCT:
			case AEXPR_NOT_DISTINCT:
			case AEXPR_NULLIF:
				return true;
			default:
				return false;
		}
	return (IsA(node, XmlExpr) && ((XmlExpr *) node)->op == IS_DOCUMENT) ||
		mend_is_c_expr(node);
}

/*
 * Returns whether nothing after a node can become a part
 * of it: it ends in a word, a name or its own parenthesis.
 */
static bool
mend_is_closed(Node *node)
{
	switch (nodeTag(node))
	{
		case T_A_Expr:
			return ((A_Expr *) node)->kind == AEXPR_OP_ANY ||
				((A_Expr *) node)->kind == AEXPR_OP_ALL ||
				((A_Expr *) node)->kind == AEXPR_IN;
		case T_NullTest:
		case T_BooleanTest:
		case T_CollateClause:
		case T_SubLink:
#if PG_VERSION_NUM >= 160000
		case T_JsonIsPredicate:
#endif
			return true;
		case T_XmlExpr:
			return ((XmlExpr *) node)->op == IS_DOCUMENT;
		default:
			return mend_is_sql_call(node, "is_normalized", 2);
	}
}

/*
 * The operator before the expression being printed, within the same
 * parentheses, by its precedence plus one, or 0.  It would take the first
 * operand of an operator that binds more loosely.  The printer of an
 * operand sets it in mend_next, and every other expression begins with 0.
 */
static __thread int mend_left;
static __thread int mend_next;

static void
mend_enter_expr(void)
{
	mend_left = mend_next;
	mend_next = 0;
}

/* Returns whether an operator to the left would take the first operand of a closed node */
static bool
mend_is_taken(Node *node)
{
	return mend_left > (int) mend_token_precedence(node);
}

/* Returns whether the operand of a cast needs parentheses */
static bool
mend_needs_cast_parens(Node *node)
{
	if (mend_is_c_expr(node))
		return false;
	if (!mend_is_closed(node) || mend_is_taken(node))
		return true;
	mend_next = mend_left;
	return false;
}

/*
 * Prints an operand, in parentheses if it needs them.  "has_parens"
 * says that the deparser has already parenthesised it.
 */
static void
mend_operand_in(MEND_PARAM, Node *parent, Node *node, bool is_right, bool in_b_expr,
				bool has_parens)
{
	bool		needs_parens = false;
	int			next = 0;

	if (node != NULL && !has_parens)
	{
		MendPrecedence outer = mend_token_precedence(parent);
		MendPrecedence inner = mend_rule_precedence(node);

		if (outer == MEND_C_EXPR)
			needs_parens = false;
		else if (!is_right && mend_is_closed(node))
			needs_parens = mend_is_taken(node);
		else if (inner != outer)
			needs_parens = inner < outer;
		else if (outer == MEND_IS || outer == MEND_COMPARISON || outer == MEND_BETWEEN)
			/* these are not associative */
			needs_parens = true;
		else
			needs_parens = is_right && outer != MEND_NOT && outer != MEND_SIGN;
		needs_parens = needs_parens || (in_b_expr && !mend_is_b_expr(node));
		if (!needs_parens && outer != MEND_C_EXPR)
			next = is_right ? (int) outer + 1 : mend_left;
	}
	if (needs_parens)
		mend_putc('(');
	mend_next = next;
	if (in_b_expr && !needs_parens && !has_parens && node != NULL && IsA(node, A_Expr))
	{
		mend_enter_expr();
		deparseAExpr(MEND, (A_Expr *) node, DEPARSE_NODE_CONTEXT_NONE);
	}
	else
		mend_expr(node);
	if (needs_parens)
		mend_putc(')');
}

static void
mend_operand(MEND_PARAM, Node *parent, Node *node, bool is_right)
{
	mend_operand_in(MEND, parent, node, is_right, false, false);
}

#if PG_VERSION_NUM >= 170000
/* Returns whether the deparser of 17 has already parenthesised an operand */
static bool
mend_has_parens(A_Expr *expr, Node *node)
{
	return (expr->kind == AEXPR_OP || expr->kind == AEXPR_DISTINCT) && needsParensAsBExpr(node);
}

/* The operands of an A_Expr; those of "b_expr" have no context. */
static void
mend_left_operand(MEND_PARAM, A_Expr *expr, int context)
{
	bool		in_b_expr = context == DEPARSE_NODE_CONTEXT_NONE && expr->kind != AEXPR_NULLIF;

	mend_operand_in(MEND, (Node *) expr, expr->lexpr, false, in_b_expr,
					mend_has_parens(expr, expr->lexpr));
}

static void
mend_right_operand(MEND_PARAM, A_Expr *expr, int context)
{
	bool		in_b_expr = context == DEPARSE_NODE_CONTEXT_NONE && expr->kind != AEXPR_NULLIF;

	if (expr->kind == AEXPR_OP_ANY || expr->kind == AEXPR_OP_ALL)
		mend_expr(expr->rexpr);
	else
		mend_operand_in(MEND, (Node *) expr, expr->rexpr, true, in_b_expr,
						mend_has_parens(expr, expr->rexpr));
}

/* The bounds of BETWEEN: a "b_expr", and an "a_expr" */
static void
mend_between_bound(MEND_PARAM, A_Expr *expr, Node *node, bool is_lower)
{
	mend_operand_in(MEND, (Node *) expr, node, true, is_lower, false);
}

/* Returns whether subscripts need parentheses before them */
static bool
mend_needs_subscript_parens(A_Indirection *indirection)
{
	Node	   *arg = indirection->arg;

	if (IsA(arg, ParamRef))
		return false;
	if (IsA(arg, ColumnRef))
		return !IsA(linitial(indirection->indirection), A_Indices);
	return !(IsA(arg, SubLink) && ((SubLink *) arg)->subLinkType == EXPR_SUBLINK);
}
#endif							/* PG_VERSION_NUM >= 170000 */

#endif							/* PG_VERSION_NUM < 180000 */

/*-------------------------------------------------------------------------
 *
 * patches_precedence.c
 *	  The functions that patches of libpg_query's deparser call: precedences,
 *	  for the parentheses around operands, which the deparsers before that of
 *	  18 leave out in many places; see patches.h.
 *
 *-------------------------------------------------------------------------
 */
#if PG_VERSION_NUM < 180000

/* The precedences of gram.y, from loose to tight */
typedef enum Precedence
{
	PREC_OR,
	PREC_AND,
	PREC_NOT,
	PREC_IS,
	PREC_COMPARISON,
	PREC_BETWEEN,
	PREC_OPERATOR,
	PREC_PLUS,
	PREC_TIMES,
	PREC_POWER,
	PREC_AT,
	PREC_COLLATE,
	PREC_SIGN,
	PREC_C_EXPR
} Precedence;

/* The precedence of an operator between two operands */
static Precedence
patch_operator_precedence(List *op)
{
	const char *name;

	if (list_length(op) != 1)
		return PREC_OPERATOR;
	name = strVal(linitial(op));
	if (name[0] != '\0' && name[1] == '\0')
		switch (name[0])
		{
			case '<':
			case '>':
			case '=':
				return PREC_COMPARISON;
			case '+':
			case '-':
				return PREC_PLUS;
			case '*':
			case '/':
			case '%':
				return PREC_TIMES;
			case '^':
				return PREC_POWER;
			default:
				return PREC_OPERATOR;
		}
	if (strcmp(name, "<=") == 0 || strcmp(name, ">=") == 0 || strcmp(name, "<>") == 0)
		return PREC_COMPARISON;
	return PREC_OPERATOR;
}

/* The precedence of an operator before ANY and ALL, where LIKE is an operator, too */
static Precedence
patch_subquery_precedence(List *op)
{
	const char *name;

	if (list_length(op) != 1)
		return PREC_OPERATOR;
	name = strVal(linitial(op));
	if (strcmp(name, "~~") == 0 || strcmp(name, "!~~") == 0 || strcmp(name, "~~*") == 0 ||
		strcmp(name, "!~~*") == 0)
		return PREC_BETWEEN;
	return patch_operator_precedence(op);
}

static bool
patch_is_associative(Precedence precedence)
{
	return precedence != PREC_IS && precedence != PREC_COMPARISON && precedence != PREC_BETWEEN;
}

/* A function of the SQL standard with its own syntax */
static bool
patch_is_sql_call(Node *node, const char *name, int max_args)
{
	FuncCall   *call = (FuncCall *) node;

	return IsA(node, FuncCall) && call->funcformat == COERCE_SQL_SYNTAX &&
		list_length(call->funcname) == 2 && call->args != NIL &&
		list_length(call->args) <= max_args &&
		strcmp(strVal(linitial(call->funcname)), "pg_catalog") == 0 &&
		strcmp(strVal(lsecond(call->funcname)), name) == 0;
}

/* The precedence of the token that binds a node's operands */
static Precedence
patch_token_precedence(Node *node)
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
						return patch_operator_precedence(expr->name);
					return patch_operator_precedence(expr->name) == PREC_PLUS &&
						!patch_is_minus_number(expr) ? PREC_SIGN : PREC_OPERATOR;
				case AEXPR_OP_ANY:
				case AEXPR_OP_ALL:
					return patch_subquery_precedence(expr->name);
				case AEXPR_DISTINCT:
				case AEXPR_NOT_DISTINCT:
					return PREC_IS;
				case AEXPR_NULLIF:
					return PREC_C_EXPR;
				default:
					return PREC_BETWEEN;
			}
		case T_BoolExpr:
			switch (((BoolExpr *) node)->boolop)
			{
				case AND_EXPR:
					return PREC_AND;
				case NOT_EXPR:
					return PREC_NOT;
				default:
					return PREC_OR;
			}
		case T_NullTest:
		case T_BooleanTest:
#if PG_VERSION_NUM >= 160000
		case T_JsonIsPredicate:
#endif
			return PREC_IS;
		case T_CollateClause:
			return PREC_COLLATE;
		case T_XmlExpr:
			return ((XmlExpr *) node)->op == IS_DOCUMENT ? PREC_IS : PREC_C_EXPR;
		case T_SubLink:
			sub_link = (SubLink *) node;
			if (sub_link->subLinkType == ANY_SUBLINK && sub_link->operName == NIL)
				return PREC_BETWEEN;
			if (sub_link->subLinkType == ANY_SUBLINK || sub_link->subLinkType == ALL_SUBLINK)
				return patch_subquery_precedence(sub_link->operName);
			return PREC_C_EXPR;
		case T_FuncCall:
			if (patch_is_sql_call(node, "timezone", 2))
				return PREC_AT;
			if (patch_is_sql_call(node, "is_normalized", 2))
				return PREC_IS;
			return PREC_C_EXPR;
		default:
			return PREC_C_EXPR;
	}
}

/* The precedence of the rule that reads a node: ANY and ALL have that of an operator. */
static Precedence
patch_rule_precedence(Node *node)
{
	Precedence token = patch_token_precedence(node);
	bool		is_subquery = (IsA(node, A_Expr) &&
							   (((A_Expr *) node)->kind == AEXPR_OP_ANY ||
								((A_Expr *) node)->kind == AEXPR_OP_ALL)) ||
		(IsA(node, SubLink) && ((SubLink *) node)->operName != NIL && token != PREC_C_EXPR);

	return is_subquery ? Min(token, PREC_OPERATOR) : token;
}

/* "c_expr" in gram.y, or a cast, which binds as tightly */
static bool
patch_is_c_expr(Node *node)
{
	return !IsA(node, SetToDefault) && !patch_is_sql_call(node, "overlaps", 4) &&
		patch_rule_precedence(node) == PREC_C_EXPR;
}

/* "b_expr" in gram.y, except for conditions on the operands */
static bool
patch_is_b_expr(Node *node)
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
		patch_is_c_expr(node);
}

/*
 * Returns whether nothing after a node can become a part
 * of it: it ends in a word, a name or its own parenthesis.
 */
static bool
patch_is_closed(Node *node)
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
			return patch_is_sql_call(node, "is_normalized", 2);
	}
}

#endif							/* PG_VERSION_NUM < 180000 */

/*-------------------------------------------------------------------------
 *
 * older_operands.h
 *	  Which operands need parentheses, for deparsers that guess.
 *
 * Before 18, libpg_query's deparser puts parentheses around
 * some operands by their node type alone.  "(1 = x) = ANY
 * (SELECT 2)" loses them, and becomes another expression.  The
 * functions here know the precedences of gram.y.  The mends
 * (see build/mends) use them to add parentheses to those that
 * the deparser writes, so that correct output is unchanged.
 *
 * They accept trees of any shape, and assume nothing about them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef OLDER_OPERANDS_H
#define OLDER_OPERANDS_H

#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"

/* The precedences of gram.y, lowest first. */
typedef enum OlderPrecedence
{
	OLDER_OR,
	OLDER_AND,
	OLDER_NOT,					/* right-associative */
	OLDER_IS,					/* IS, ISNULL, NOTNULL: not associative */
	OLDER_COMPARISON,			/* < > = <= >= <>: not associative */
	OLDER_BETWEEN,				/* BETWEEN, IN, LIKE, ILIKE, SIMILAR: not associative */
	OLDER_OPERATOR,				/* all other operators */
	OLDER_ADD,
	OLDER_MULTIPLY,
	OLDER_POWER,
	OLDER_AT,					/* AT TIME ZONE */
	OLDER_COLLATE,
	OLDER_SIGN,					/* unary + and -: right-associative */
	OLDER_ATOM					/* not divisible by an operator */
} OlderPrecedence;

/* The properties of an expression that the functions below need. */
typedef struct OlderExpr
{
	OlderPrecedence token;		/* of its operator */
	bool		closed;			/* its end cannot be continued: "x IS NULL" */
	bool		prefix;			/* begins with its operator */
	const Node *left;			/* its first and last operand, unless that is an atom or */
	const Node *right;			/* ... always in parentheses */
} OlderExpr;

static inline bool
older_is_word(const List *list, int n, const char *word)
{
	const Node *node = n < list_length(list) ? (const Node *) list->elements[n].ptr_value : NULL;

	return node != NULL && IsA(node, String) && strVal(node) != NULL &&
		strcmp(strVal(node), word) == 0;
}

/* Returns whether a call has its own syntax: "x AT TIME ZONE y". */
static inline bool
older_is_syntax(const FuncCall *call, const char *name)
{
	return call->funcformat == COERCE_SQL_SYNTAX && list_length(call->funcname) == 2 &&
		older_is_word(call->funcname, 0, "pg_catalog") && older_is_word(call->funcname, 1, name);
}

static OlderPrecedence
older_operator(const List *name, bool subquery)
{
	static const struct
	{
		const char *name;
		OlderPrecedence precedence;
	}			operators[] = {
		{"+", OLDER_ADD}, {"-", OLDER_ADD},
		{"*", OLDER_MULTIPLY}, {"/", OLDER_MULTIPLY}, {"%", OLDER_MULTIPLY},
		{"^", OLDER_POWER},
		{"<", OLDER_COMPARISON}, {">", OLDER_COMPARISON}, {"=", OLDER_COMPARISON},
		{"<=", OLDER_COMPARISON}, {">=", OLDER_COMPARISON}, {"<>", OLDER_COMPARISON},
		/* written as LIKE and so on, but only before ANY and ALL */
		{"~~", OLDER_BETWEEN}, {"!~~", OLDER_BETWEEN}, {"~~*", OLDER_BETWEEN}, {"!~~*", OLDER_BETWEEN},
	};

	/* OPERATOR(schema.+) is like any other operator */
	if (list_length(name) == 1)
		for (int i = 0; i < (int) lengthof(operators); i++)
			if ((subquery || operators[i].precedence != OLDER_BETWEEN) &&
				older_is_word(name, 0, operators[i].name))
				return operators[i].precedence;
	return OLDER_OPERATOR;
}

/* Operands that the deparser itself parenthesises, before and after an operator. */
static inline const Node *
older_unless_guarded(const Node *operand)
{
	if (operand == NULL || IsA(operand, A_Expr) || IsA(operand, BoolExpr) || IsA(operand, NullTest))
		return NULL;
	if (PG_VERSION_NUM >= 160000 && IsA(operand, BooleanTest))
		return NULL;
	return operand;
}

static OlderExpr
older_a_expr(const A_Expr *expr)
{
	const Node *left = expr->lexpr;
	const Node *right = expr->rexpr;

	switch (expr->kind)
	{
		case AEXPR_OP:
			if (left == NULL)
				return (OlderExpr) {older_operator(expr->name, false) == OLDER_ADD &&
					!mend_is_minus_number(expr) ? OLDER_SIGN : OLDER_OPERATOR,
					false, true, NULL, older_unless_guarded(right)};
			return (OlderExpr) {older_operator(expr->name, false), false, false,
				older_unless_guarded(left), older_unless_guarded(right)};
		case AEXPR_OP_ANY:
		case AEXPR_OP_ALL:
			return (OlderExpr) {older_operator(expr->name, true), true, false, left, NULL};
		case AEXPR_DISTINCT:
			return (OlderExpr) {OLDER_IS, false, false,
				older_unless_guarded(left), older_unless_guarded(right)};
		case AEXPR_NOT_DISTINCT:
			return (OlderExpr) {OLDER_IS, false, false, left, right};
		case AEXPR_NULLIF:
			return (OlderExpr) {OLDER_ATOM, true, false, NULL, NULL};
		case AEXPR_IN:
			return (OlderExpr) {OLDER_BETWEEN, true, false, left, NULL};
		case AEXPR_SIMILAR:
			/* a call with the pattern and the operand of ESCAPE */
			right = IsA(right, FuncCall) && ((const FuncCall *) right)->args != NIL ?
				llast(((const FuncCall *) right)->args) : NULL;
			return (OlderExpr) {OLDER_BETWEEN, false, false, left, right};
		case AEXPR_LIKE:
		case AEXPR_ILIKE:
			return (OlderExpr) {OLDER_BETWEEN, false, false, left, right};
		default:
			/* the bounds of BETWEEN */
			right = IsA(right, List) ? llast((const List *) right) : NULL;
			return (OlderExpr) {OLDER_BETWEEN, false, false, left, right};
	}
}

static OlderExpr
older_bool_expr(const BoolExpr *expr)
{
	const Node *left = expr->args == NIL ? NULL : linitial(expr->args);
	const Node *right = expr->args == NIL ? NULL : llast(expr->args);

	switch (expr->boolop)
	{
		case OR_EXPR:
			return (OlderExpr) {OLDER_OR, false, false, left, right};
		case AND_EXPR:
			return (OlderExpr) {OLDER_AND, false, false, left, right};
		default:
			return (OlderExpr) {OLDER_NOT, false, true, NULL, right};
	}
}

static OlderExpr
older_expr(const Node *node)
{
	OlderExpr	atom = {OLDER_ATOM, true, false, NULL, NULL};

	/* a postfix operator */
#define OLDER_POSTFIX(token, operand) ((OlderExpr) {token, true, false, (const Node *) (operand), NULL})

	if (node == NULL)
		return atom;
	switch (nodeTag(node))
	{
		case T_A_Expr:
			return older_a_expr((const A_Expr *) node);
		case T_BoolExpr:
			return older_bool_expr((const BoolExpr *) node);
		case T_NullTest:
			return OLDER_POSTFIX(OLDER_IS, ((const NullTest *) node)->arg);
		case T_BooleanTest:
			return OLDER_POSTFIX(OLDER_IS, PG_VERSION_NUM >= 160000 &&
								IsA(((const BooleanTest *) node)->arg, BoolExpr) ?
								NULL : ((const BooleanTest *) node)->arg);
#if PG_VERSION_NUM >= 160000
		case T_JsonIsPredicate:
			return OLDER_POSTFIX(OLDER_IS, ((const JsonIsPredicate *) node)->expr);
#endif
		case T_CollateClause:
			return OLDER_POSTFIX(OLDER_COLLATE, IsA(((const CollateClause *) node)->arg, A_Expr) ?
								NULL : ((const CollateClause *) node)->arg);
		case T_TypeCast:
			/* CAST(x AS y), or parenthesised */
			return OLDER_POSTFIX(OLDER_ATOM, IsA(((const TypeCast *) node)->arg, A_Expr) ?
								NULL : ((const TypeCast *) node)->arg);
		case T_XmlExpr:
			{
				const XmlExpr *xml = (const XmlExpr *) node;

				if (xml->op != IS_DOCUMENT || xml->args == NIL)
					return atom;
				return OLDER_POSTFIX(OLDER_IS, linitial(xml->args));
			}
		case T_SubLink:
			{
				const SubLink *link = (const SubLink *) node;

				if (link->subLinkType != ANY_SUBLINK && link->subLinkType != ALL_SUBLINK)
					return atom;
				/* without an operator it is IN */
				return OLDER_POSTFIX(link->operName == NIL ? OLDER_BETWEEN :
									older_operator(link->operName, true), link->testexpr);
			}
		case T_FuncCall:
			{
				const FuncCall *call = (const FuncCall *) node;

				/* AT TIME ZONE, whose arguments are reversed */
				if (older_is_syntax(call, "timezone") && list_length(call->args) == 2)
					return (OlderExpr) {OLDER_AT, false, false, IsA(lsecond(call->args), A_Expr) ?
						NULL : lsecond(call->args), linitial(call->args)};
				if (older_is_syntax(call, "is_normalized") && call->args != NIL)
					return OLDER_POSTFIX(OLDER_IS, linitial(call->args));
				return atom;
			}
		default:
			return atom;
	}
#undef OLDER_POSTFIX
}

static inline bool
older_is_associative(OlderPrecedence precedence)
{
	return precedence != OLDER_IS && precedence != OLDER_COMPARISON && precedence != OLDER_BETWEEN;
}

static bool older_right(OlderPrecedence precedence, const Node *operand);

/*
 * Returns whether an operand needs parentheses before an operator:
 * otherwise the parser would give the operand's end to the operator.
 * That end may be some levels below, as NOT y is in "x LIKE NOT y".
 */
static bool
older_left(OlderPrecedence precedence, const Node *operand)
{
	for (;;)
	{
		OlderExpr	expr = older_expr(operand);

		if (expr.closed)
			return false;
		if (expr.token < precedence)
			return true;
		if (expr.token == precedence && !older_is_associative(precedence))
			return true;
		if (expr.right == NULL || (!expr.prefix && older_right(expr.token, expr.right)))
			return false;
		operand = expr.right;
	}
}

/*
 * Returns whether an operand needs parentheses after an operator:
 * otherwise the operator would take the operand's beginning.  That
 * may also be some levels below, as x is in "x IS NULL || y".
 */
static bool
older_right(OlderPrecedence precedence, const Node *operand)
{
	for (;;)
	{
		OlderExpr	expr = older_expr(operand);

		if (expr.prefix)
			return false;
		/* the other associative operators are left-associative */
		if (expr.token <= precedence)
			return true;
		if (expr.left == NULL || older_left(expr.token, expr.left))
			return false;
		operand = expr.left;
	}
}

/* The operands of an A_Expr that the deparser does not check itself. */
static inline bool
older_left_of(const A_Expr *expr)
{
	if (expr->kind == AEXPR_OP || expr->kind == AEXPR_DISTINCT || expr->kind == AEXPR_NULLIF)
		return false;
	return older_left(older_expr((const Node *) expr).token, expr->lexpr);
}

static inline bool
older_right_of(const A_Expr *expr, const Node *operand)
{
	return older_right(older_expr((const Node *) expr).token, operand);
}

/* Returns whether an expression may be gram.y's c_expr. */
static inline bool
older_is_c_expr(const Node *node)
{
	return older_expr(node).token == OLDER_ATOM &&
		!IsA(node, TypeCast) && !IsA(node, SetToDefault) &&
		!(IsA(node, FuncCall) && older_is_syntax((const FuncCall *) node, "overlaps"));
}

/*
 * Returns whether an expression may be gram.y's b_expr: outside
 * of parentheses, it contains nothing that requires an a_expr.
 */
static bool
older_is_b_expr(const Node *node)
{
	OlderExpr	parts;

	check_stack_depth();
	if (node == NULL)
		return true;
	if (IsA(node, A_Expr))
	{
		const A_Expr *expr = (const A_Expr *) node;

		switch (expr->kind)
		{
			case AEXPR_NULLIF:
				return true;
			case AEXPR_OP:
			case AEXPR_DISTINCT:
			case AEXPR_NOT_DISTINCT:
				parts = older_expr(node);
				return (parts.left == NULL || older_left(parts.token, parts.left) ||
						older_is_b_expr(parts.left)) &&
					(parts.right == NULL || older_right(parts.token, parts.right) ||
					 older_is_b_expr(parts.right));
			default:
				return false;
		}
	}
	if (IsA(node, XmlExpr) && ((const XmlExpr *) node)->op == IS_DOCUMENT)
		return older_left(OLDER_IS, older_expr(node).left) || older_is_b_expr(older_expr(node).left);
	if (IsA(node, TypeCast))
		return older_left(OLDER_ATOM, older_expr(node).left) || older_is_b_expr(older_expr(node).left);
	return older_is_c_expr(node);
}

/* A number that is written with a sign, which is not a c_expr. */
static inline bool
older_is_negative(const Node *node)
{
	const A_Const *constant = (const A_Const *) node;

	if (node == NULL || !IsA(node, A_Const) || constant->isnull)
		return false;
	if (IsA(&constant->val, Integer))
		return constant->val.ival.ival < 0;
	return IsA(&constant->val, Float) && constant->val.fval.fval != NULL &&
		constant->val.fval.fval[0] == '-';
}

/* Returns whether "[1]" or ".x" may follow without parentheses; the deparser handles those of columns. */
static inline bool
older_takes_indirection(const Node *node)
{
	return IsA(node, ParamRef) || IsA(node, ColumnRef) ||
		(IsA(node, SubLink) && ((const SubLink *) node)->subLinkType == EXPR_SUBLINK);
}

/* The bounds of BETWEEN: a b_expr, ended by AND, and an a_expr. */
static inline bool
older_bound(const A_Expr *expr, const Node *bound)
{
	const List *bounds = (const List *) expr->rexpr;

	if (bounds->elements[0].ptr_value == bound)
		return !older_is_b_expr(bound);
	return older_right(OLDER_BETWEEN, bound);
}

/* A call of the deparser, in parentheses if necessary. */
#define OLDER_PUT(c) appendStringInfoChar(str, c)
#define OLDER_PUTS(s) appendStringInfoString(str, s)
#define OLDER_OPERAND(needs_parens, call) \
	do { \
		bool		older_parens = (needs_parens); \
		\
		if (older_parens) \
			OLDER_PUT('('); \
		call; \
		if (older_parens) \
			OLDER_PUT(')'); \
	} while (0)

#endif							/* OLDER_OPERANDS_H */

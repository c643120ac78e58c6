/*-------------------------------------------------------------------------
 *
 * mend_operands.h
 *	  Which operands need parentheses, for deparsers that guess.
 *
 * Before 18, libpg_query's deparser puts parentheses around some operands by
 * their node type alone.  "(1 = x) = ANY (SELECT 2)" loses its own, and is
 * another expression afterwards.  The functions here know the precedences of
 * gram.y.  The mends (see build/mends) ask them for parentheses in addition
 * to those that the deparser writes, so that a text that was right stays as
 * it is.
 *
 * They look at trees of any shape, so nothing is taken for granted of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef MEND_OPERANDS_H
#define MEND_OPERANDS_H

#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"

/* The precedences of gram.y, from the lowest on. */
typedef enum MendPrecedence
{
	MEND_OR,
	MEND_AND,
	MEND_NOT,					/* right-associative */
	MEND_IS,					/* IS, ISNULL, NOTNULL: not associative */
	MEND_COMPARISON,			/* < > = <= >= <>: not associative */
	MEND_BETWEEN,				/* BETWEEN, IN, LIKE, ILIKE, SIMILAR: not associative */
	MEND_OPERATOR,				/* all other operators */
	MEND_ADD,
	MEND_MULTIPLY,
	MEND_POWER,
	MEND_AT,					/* AT TIME ZONE */
	MEND_COLLATE,
	MEND_SIGN,					/* unary + and -: right-associative */
	MEND_ATOM					/* what no operator can take apart */
} MendPrecedence;

/* What the functions below need to know of an expression. */
typedef struct MendExpr
{
	MendPrecedence token;		/* of its operator */
	bool		closed;			/* nothing at its end can go on: "x IS NULL" */
	bool		prefix;			/* begins with its operator */
	const Node *left;			/* what it begins with and ends with, unless that is an atom or */
	const Node *right;			/* ... in parentheses in any case */
} MendExpr;

static inline bool
mend_is_word(const List *list, int n, const char *word)
{
	const Node *node = n < list_length(list) ? (const Node *) list->elements[n].ptr_value : NULL;

	return node != NULL && IsA(node, String) && strVal(node) != NULL &&
		strcmp(strVal(node), word) == 0;
}

/* Whether a call is written by a syntax of its own: "x AT TIME ZONE y". */
static inline bool
mend_is_syntax(const FuncCall *call, const char *name)
{
	return call->funcformat == COERCE_SQL_SYNTAX && list_length(call->funcname) == 2 &&
		mend_is_word(call->funcname, 0, "pg_catalog") && mend_is_word(call->funcname, 1, name);
}

static MendPrecedence
mend_operator(const List *name, bool subquery)
{
	static const struct
	{
		const char *name;
		MendPrecedence precedence;
	}			operators[] = {
		{"+", MEND_ADD}, {"-", MEND_ADD},
		{"*", MEND_MULTIPLY}, {"/", MEND_MULTIPLY}, {"%", MEND_MULTIPLY},
		{"^", MEND_POWER},
		{"<", MEND_COMPARISON}, {">", MEND_COMPARISON}, {"=", MEND_COMPARISON},
		{"<=", MEND_COMPARISON}, {">=", MEND_COMPARISON}, {"<>", MEND_COMPARISON},
		/* written as LIKE and so on, but only in front of ANY and ALL */
		{"~~", MEND_BETWEEN}, {"!~~", MEND_BETWEEN}, {"~~*", MEND_BETWEEN}, {"!~~*", MEND_BETWEEN},
	};

	/* OPERATOR(schema.+) is an operator like any other */
	if (list_length(name) == 1)
		for (int i = 0; i < (int) lengthof(operators); i++)
			if ((subquery || operators[i].precedence != MEND_BETWEEN) &&
				mend_is_word(name, 0, operators[i].name))
				return operators[i].precedence;
	return MEND_OPERATOR;
}

/* Operands that the deparser itself puts into parentheses, in front of and behind an operator. */
static inline const Node *
mend_unless_guarded(const Node *operand)
{
	if (operand == NULL || IsA(operand, A_Expr) || IsA(operand, BoolExpr) || IsA(operand, NullTest))
		return NULL;
	if (PG_VERSION_NUM >= 160000 && IsA(operand, BooleanTest))
		return NULL;
	return operand;
}

static MendExpr
mend_a_expr(const A_Expr *expr)
{
	const Node *left = expr->lexpr;
	const Node *right = expr->rexpr;

	switch (expr->kind)
	{
		case AEXPR_OP:
			if (left == NULL)
				return (MendExpr) {mend_operator(expr->name, false) == MEND_ADD ? MEND_SIGN : MEND_OPERATOR,
					false, true, NULL, mend_unless_guarded(right)};
			return (MendExpr) {mend_operator(expr->name, false), false, false,
				mend_unless_guarded(left), mend_unless_guarded(right)};
		case AEXPR_OP_ANY:
		case AEXPR_OP_ALL:
			return (MendExpr) {mend_operator(expr->name, true), true, false, left, NULL};
		case AEXPR_DISTINCT:
			return (MendExpr) {MEND_IS, false, false,
				mend_unless_guarded(left), mend_unless_guarded(right)};
		case AEXPR_NOT_DISTINCT:
			return (MendExpr) {MEND_IS, false, false, left, right};
		case AEXPR_NULLIF:
			return (MendExpr) {MEND_ATOM, true, false, NULL, NULL};
		case AEXPR_IN:
			return (MendExpr) {MEND_BETWEEN, true, false, left, NULL};
		case AEXPR_SIMILAR:
			/* a call that has the pattern, and what follows ESCAPE */
			right = IsA(right, FuncCall) && ((const FuncCall *) right)->args != NIL ?
				llast(((const FuncCall *) right)->args) : NULL;
			return (MendExpr) {MEND_BETWEEN, false, false, left, right};
		case AEXPR_LIKE:
		case AEXPR_ILIKE:
			return (MendExpr) {MEND_BETWEEN, false, false, left, right};
		default:
			/* the bounds of BETWEEN */
			right = IsA(right, List) ? llast((const List *) right) : NULL;
			return (MendExpr) {MEND_BETWEEN, false, false, left, right};
	}
}

static MendExpr
mend_bool_expr(const BoolExpr *expr)
{
	const Node *left = expr->args == NIL ? NULL : linitial(expr->args);
	const Node *right = expr->args == NIL ? NULL : llast(expr->args);

	switch (expr->boolop)
	{
		case OR_EXPR:
			return (MendExpr) {MEND_OR, false, false, left, right};
		case AND_EXPR:
			return (MendExpr) {MEND_AND, false, false, left, right};
		default:
			return (MendExpr) {MEND_NOT, false, true, NULL, right};
	}
}

static MendExpr
mend_expr(const Node *node)
{
	MendExpr	atom = {MEND_ATOM, true, false, NULL, NULL};

	/* a postfix operator */
#define MEND_POSTFIX(token, operand) ((MendExpr) {token, true, false, (const Node *) (operand), NULL})

	if (node == NULL)
		return atom;
	switch (nodeTag(node))
	{
		case T_A_Expr:
			return mend_a_expr((const A_Expr *) node);
		case T_BoolExpr:
			return mend_bool_expr((const BoolExpr *) node);
		case T_NullTest:
			return MEND_POSTFIX(MEND_IS, ((const NullTest *) node)->arg);
		case T_BooleanTest:
			return MEND_POSTFIX(MEND_IS, PG_VERSION_NUM >= 160000 &&
								IsA(((const BooleanTest *) node)->arg, BoolExpr) ?
								NULL : ((const BooleanTest *) node)->arg);
#if PG_VERSION_NUM >= 160000
		case T_JsonIsPredicate:
			return MEND_POSTFIX(MEND_IS, ((const JsonIsPredicate *) node)->expr);
#endif
		case T_CollateClause:
			return MEND_POSTFIX(MEND_COLLATE, IsA(((const CollateClause *) node)->arg, A_Expr) ?
								NULL : ((const CollateClause *) node)->arg);
		case T_TypeCast:
			/* CAST(x AS y), or in parentheses */
			return MEND_POSTFIX(MEND_ATOM, IsA(((const TypeCast *) node)->arg, A_Expr) ?
								NULL : ((const TypeCast *) node)->arg);
		case T_XmlExpr:
			{
				const XmlExpr *xml = (const XmlExpr *) node;

				if (xml->op != IS_DOCUMENT || xml->args == NIL)
					return atom;
				return MEND_POSTFIX(MEND_IS, linitial(xml->args));
			}
		case T_SubLink:
			{
				const SubLink *link = (const SubLink *) node;

				if (link->subLinkType != ANY_SUBLINK && link->subLinkType != ALL_SUBLINK)
					return atom;
				/* without an operator it is IN */
				return MEND_POSTFIX(link->operName == NIL ? MEND_BETWEEN :
									mend_operator(link->operName, true), link->testexpr);
			}
		case T_FuncCall:
			{
				const FuncCall *call = (const FuncCall *) node;

				/* AT TIME ZONE, whose arguments are the other way round, and AT LOCAL */
				if (mend_is_syntax(call, "timezone") && list_length(call->args) == 2)
					return (MendExpr) {MEND_AT, false, false, IsA(lsecond(call->args), A_Expr) ?
						NULL : lsecond(call->args), linitial(call->args)};
				if (PG_VERSION_NUM >= 170000 && mend_is_syntax(call, "timezone") &&
					list_length(call->args) == 1)
					return MEND_POSTFIX(MEND_AT, IsA(linitial(call->args), A_Expr) ?
										NULL : linitial(call->args));
				if (mend_is_syntax(call, "is_normalized") && call->args != NIL)
					return MEND_POSTFIX(MEND_IS, linitial(call->args));
				return atom;
			}
		default:
			return atom;
	}
#undef MEND_POSTFIX
}

static inline bool
mend_is_associative(MendPrecedence precedence)
{
	return precedence != MEND_IS && precedence != MEND_COMPARISON && precedence != MEND_BETWEEN;
}

static bool mend_right(MendPrecedence precedence, const Node *operand);

/*
 * Whether an operand needs parentheses in front of an operator: the parser
 * would give the operand's end to the operator otherwise.  What ends it may
 * stand some levels below, as NOT y does in "x LIKE NOT y".
 */
static bool
mend_left(MendPrecedence precedence, const Node *operand)
{
	for (;;)
	{
		MendExpr	expr = mend_expr(operand);

		if (expr.closed)
			return false;
		if (expr.token < precedence)
			return true;
		if (expr.token == precedence && !mend_is_associative(precedence))
			return true;
		if (expr.right == NULL || (!expr.prefix && mend_right(expr.token, expr.right)))
			return false;
		operand = expr.right;
	}
}

/*
 * Whether an operand needs parentheses behind an operator: the operator would
 * take the operand's beginning otherwise.  That may stand some levels below,
 * too, as x does in "x IS NULL || y".
 */
static bool
mend_right(MendPrecedence precedence, const Node *operand)
{
	for (;;)
	{
		MendExpr	expr = mend_expr(operand);

		if (expr.prefix)
			return false;
		/* all that associate at all do so to the left */
		if (expr.token <= precedence)
			return true;
		if (expr.left == NULL || mend_left(expr.token, expr.left))
			return false;
		operand = expr.left;
	}
}

/* The operands of an A_Expr, where the deparser has no look at them itself. */
static inline bool
mend_left_of(const A_Expr *expr)
{
	if (expr->kind == AEXPR_OP || expr->kind == AEXPR_DISTINCT || expr->kind == AEXPR_NULLIF)
		return false;
	return mend_left(mend_expr((const Node *) expr).token, expr->lexpr);
}

static inline bool
mend_right_of(const A_Expr *expr, const Node *operand)
{
	return mend_right(mend_expr((const Node *) expr).token, operand);
}

/* Whether an expression may stand where gram.y has a c_expr. */
static inline bool
mend_is_c_expr(const Node *node)
{
	return mend_expr(node).token == MEND_ATOM &&
		!IsA(node, TypeCast) && !IsA(node, SetToDefault) &&
		!(IsA(node, FuncCall) && mend_is_syntax((const FuncCall *) node, "overlaps"));
}

/*
 * Whether an expression may stand where gram.y has a b_expr: within it, there
 * is nothing that only an a_expr can have, outside of parentheses.
 */
static bool
mend_is_b_expr(const Node *node)
{
	MendExpr	parts;

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
				parts = mend_expr(node);
				return (parts.left == NULL || mend_left(parts.token, parts.left) ||
						mend_is_b_expr(parts.left)) &&
					(parts.right == NULL || mend_right(parts.token, parts.right) ||
					 mend_is_b_expr(parts.right));
			default:
				return false;
		}
	}
	if (IsA(node, XmlExpr) && ((const XmlExpr *) node)->op == IS_DOCUMENT)
		return mend_left(MEND_IS, mend_expr(node).left) || mend_is_b_expr(mend_expr(node).left);
	if (IsA(node, TypeCast))
		return mend_left(MEND_ATOM, mend_expr(node).left) || mend_is_b_expr(mend_expr(node).left);
	return mend_is_c_expr(node);
}

/* A number that is written with a sign, which is no c_expr. */
static inline bool
mend_is_negative(const Node *node)
{
	const A_Const *constant = (const A_Const *) node;

	if (node == NULL || !IsA(node, A_Const) || constant->isnull)
		return false;
	if (IsA(&constant->val, Integer))
		return constant->val.ival.ival < 0;
	return IsA(&constant->val, Float) && constant->val.fval.fval != NULL &&
		constant->val.fval.fval[0] == '-';
}

/* Whether "[1]" or ".x" may follow without parentheses; those of columns are seen by the deparser. */
static inline bool
mend_takes_indirection(const Node *node)
{
	return IsA(node, ParamRef) || IsA(node, ColumnRef) ||
		(IsA(node, SubLink) && ((const SubLink *) node)->subLinkType == EXPR_SUBLINK);
}

/* The bounds of BETWEEN: a b_expr, which AND ends, and an a_expr. */
static inline bool
mend_bound(const A_Expr *expr, const Node *bound)
{
	const List *bounds = (const List *) expr->rexpr;

	if (bounds->elements[0].ptr_value == bound)
		return !mend_is_b_expr(bound);
	return mend_right(MEND_BETWEEN, bound);
}

/* A call of the deparser, in parentheses if need be. */
#if PG_VERSION_NUM >= 170000
#define MEND_PUT(c) deparseAppendStringInfoChar(state, c)
#define MEND_PUTS(s) deparseAppendStringInfoString(state, s)
#else
#define MEND_PUT(c) appendStringInfoChar(str, c)
#define MEND_PUTS(s) appendStringInfoString(str, s)
#endif
#define MEND_OPERAND(needs_parens, call) \
	do { \
		bool		mend_parens = (needs_parens); \
		\
		if (mend_parens) \
			MEND_PUT('('); \
		call; \
		if (mend_parens) \
			MEND_PUT(')'); \
	} while (0)

#endif							/* MEND_OPERANDS_H */

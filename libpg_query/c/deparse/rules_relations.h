/*
 * The rules for tables where statements name them, and for FROM; see rules.h.
 */
#ifndef RULES_RELATIONS_H
#define RULES_RELATIONS_H

/* ----- Names of tables ----- */

static inline RangeVar *
rule_range_var(RangeVar *relation)
{
	RULE(relation == NULL || relation->catalogname == NULL || relation->schemaname != NULL,
		 "a RangeVar with catalogname, not schemaname,");
	return relation;
}

/* "relation_expr" in gram.y */
static inline RangeVar *
rule_relation_expr(RangeVar *relation)
{
	RULE(relation == NULL || relation->alias == NULL, "an alias of a table that takes none");
	return rule_range_var(relation);
}

/* "qualified_name" in gram.y; that of a type is printed without "inh". */
static inline RangeVar *
rule_qualified_name(RangeVar *relation, bool is_type)
{
	RULE(relation == NULL || relation->inh || is_type, "ONLY before a table that takes none");
	return rule_relation_expr(relation);
}

/* What ALTER is about: tables take ONLY. */
static inline RangeVar *
rule_altered_relation(RangeVar *relation, ObjectType type)
{
	if (type == OBJECT_TABLE || type == OBJECT_FOREIGN_TABLE || type == OBJECT_TABCONSTRAINT)
		return rule_relation_expr(relation);
	return rule_qualified_name(relation, type == OBJECT_TYPE);
}

/* "relation_expr_opt_alias" in gram.y */
static inline RangeVar *
rule_target_relation(RangeVar *relation)
{
	RULE(relation == NULL || relation->alias == NULL || relation->alias->colnames == NIL,
		 "an alias with columns of a table that is written to");
	return rule_range_var(relation);
}

/* "insert_target" in gram.y */
static inline RangeVar *
rule_insert_target(RangeVar *relation)
{
	RULE(relation == NULL || relation->inh, "ONLY before a table that takes none");
	return rule_target_relation(relation);
}

/*
 * Most places have a qualified_name.  Those of the others call deparseRelation:
 * see patches/deparse_rules.patch.
 */
#define deparseRelation(state, relation, context) (deparseRangeVar)(state, relation, context)
#define GUARD_NAME(form, relation, context) GUARD_PASTE(GUARD_NAME_, form)(relation, context)
#define GUARD_NAME_DECLARATION(relation, context) relation
#define GUARD_NAME_CALL(relation, context) \
	rule_qualified_name(relation, (context) == DEPARSE_NODE_CONTEXT_CREATE_TYPE || \
						(context) == DEPARSE_NODE_CONTEXT_ALTER_TYPE)
#define deparseRangeVar(state, relation, context) \
	deparseRangeVar(state, GUARD_NAME(GUARD_FORM(GUARD_FIRST_##state), relation, context), context)

/* ----- FROM ----- */

static inline JoinExpr *
rule_join(JoinExpr *join)
{
	int			conditions = (join->isNatural ? 1 : 0) + (join->quals != NULL ? 1 : 0) +
		(join->usingClause != NIL ? 1 : 0);

	RULE(conditions == 1 || (conditions == 0 && join->jointype == JOIN_INNER),
		 conditions == 0 ? "JoinExpr without quals" : "JoinExpr with two conditions");
	RULE(join->join_using_alias == NULL ||
		 (join->usingClause != NIL && join->join_using_alias->colnames == NIL),
		 "JoinExpr with such a join_using_alias");
	return join;
}

/* Neither a default, nor constraints and the like. */
static inline bool
rule_is_only_typed(const ColumnDef *column)
{
#if PG_VERSION_NUM >= 160000
	if (column->storage_name != NULL)
		return false;
#endif
	return column->constraints == NIL && column->raw_default == NULL && column->fdwoptions == NIL &&
		column->compression == NULL;
}

/* "TableFuncElementList" in gram.y: columns that have a name and a type. */
static inline void
rule_typed_columns(const List *columns)
{
	RULE_EACH(ColumnDef, column, columns, column->colname != NULL && column->typeName != NULL,
			  "ColumnDef without colname and typeName");
	RULE_EACH(ColumnDef, column, columns, rule_is_only_typed(column),
			  "a column of a function or a type with more than a type");
}

/* "func_expr_windowless" in gram.y, of those that deparseFuncExprWindowless leaves to deparseExpr */
static inline Node *
rule_function(Node *node)
{
	switch (nodeTag(node))
	{
		case T_A_Expr:
			RULE(((A_Expr *) node)->kind == AEXPR_NULLIF, "an operator in place of a function");
			break;
#if PG_VERSION_NUM >= 160000
		case T_JsonObjectConstructor:
		case T_JsonArrayConstructor:
		case T_JsonArrayQueryConstructor:
		case T_JsonObjectAgg:
		case T_JsonArrayAgg:
#endif
#if PG_VERSION_NUM >= 170000
		case T_JsonParseExpr:
		case T_JsonScalarExpr:
		case T_JsonSerializeExpr:
		case T_JsonFuncExpr:
		case T_MergeSupportFunc:
#endif
			break;
		default:
			rule_failed("another expression in place of a function", __LINE__);
	}
	return node;
}

/* "func_expr_windowless" in gram.y */
static inline Node *
rule_windowless(Node *node)
{
	const FuncCall *call = (const FuncCall *) node;

	RULE(node == NULL || !IsA(node, FuncCall) ||
		 (call->over == NULL && call->agg_filter == NULL && !call->agg_within_group),
		 "a function with OVER or FILTER in this place");
	return node;
}
#define deparseFuncExprWindowless(state, node) \
	deparseFuncExprWindowless(state, BY_RULE(state, rule_windowless, node))

static inline RangeFunction *
rule_range_function(RangeFunction *range)
{
	ListCell   *cell;

	RULE(range->is_rowsfrom || list_length(range->functions) == 1,
		 "a RangeFunction with other functions, not ROWS FROM,");
	foreach(cell, range->functions)
	{
		List	   *function = castNode(List, lfirst(cell));

		RULE(list_length(function) == 2, "a function in FROM without a list of columns");
		RULE(range->is_rowsfrom || list_nth(function, 1) == NULL,
			 "a RangeFunction with columns of a function, not ROWS FROM,");
		rule_typed_columns(castNode(List, list_nth(function, 1)));
	}
	rule_typed_columns(range->coldeflist);
	RULE(range->coldeflist == NIL || range->alias == NULL || range->alias->colnames == NIL,
		 "a RangeFunction with coldeflist and other names of columns");
	return range;
}
#define deparseRangeFunction(state, range) \
	deparseRangeFunction(state, BY_RULE(state, rule_range_function, range))

#endif							/* RULES_RELATIONS_H */

/*
 * The rules for expressions, queries and SET; see rules.h.
 */
#ifndef RULES_EXPRESSIONS_H
#define RULES_EXPRESSIONS_H

static inline RowExpr *
rule_row(RowExpr *row)
{
	RULE(row->row_format != COERCE_IMPLICIT_CAST || list_length(row->args) >= 2,
		 "a RowExpr without ROW and a second item");
	return row;
}
#define deparseRowExpr(state, row) deparseRowExpr(state, BY_RULE(state, rule_row, row))

static inline BoolExpr *
rule_bool(BoolExpr *expr)
{
	RULE(list_length(expr->args) >= 2 || expr->boolop == NOT_EXPR,
		 "a BoolExpr without a second operand");
	RULE(list_length(expr->args) == 1 || expr->boolop != NOT_EXPR,
		 "NOT with another number of operands");
	return expr;
}
#define deparseBoolExpr(state, expr) deparseBoolExpr(state, BY_RULE(state, rule_bool, expr))

static inline A_Indirection *
rule_indirection(A_Indirection *node)
{
	RULE(list_length(node->indirection) > 0, "A_Indirection without indirection");
	return node;
}
#define deparseAIndirection(state, node) \
	deparseAIndirection(state, BY_RULE(state, rule_indirection, node))

/* A star is the last of the fields.  Most have none, so that this is no part of the callers. */
static pg_noinline void
rule_star(const List *fields, const ListCell *cell)
{
	RULE(lnext(fields, cell) == NULL, "something behind a star");
}

/* Between parentheses, the grammar takes it for a query of rows, which is a SubLink. */
static inline bool
rule_is_query(const Node *node)
{
	return node != NULL && IsA(node, SubLink) && ((const SubLink *) node)->subLinkType == EXPR_SUBLINK;
}

/*
 * The names of operators that are words of their own, which are printed.  Most
 * are symbols, so that this is no part of the caller.
 */
static pg_noinline void
rule_operator_word(const A_Expr *expr)
{
	const char *word = NULL;

	switch (expr->kind)
	{
		case AEXPR_DISTINCT:
		case AEXPR_NOT_DISTINCT:
		case AEXPR_NULLIF:
			word = "=";
			break;
		case AEXPR_BETWEEN:
			word = "BETWEEN";
			break;
		case AEXPR_NOT_BETWEEN:
			word = "NOT BETWEEN";
			break;
		case AEXPR_BETWEEN_SYM:
			word = "BETWEEN SYMMETRIC";
			break;
		case AEXPR_NOT_BETWEEN_SYM:
			word = "NOT BETWEEN SYMMETRIC";
			break;
		default:
			break;
	}
	RULE(expr->lexpr != NULL, "A_Expr without lexpr");
	if (expr->kind == AEXPR_OP_ANY || expr->kind == AEXPR_OP_ALL)
	{
		RULE(!rule_is_query(expr->rexpr), "an array that is a query");
		return;
	}
	if (expr->kind == AEXPR_IN)
	{
		const List *items = castNode(List, expr->rexpr);

		RULE(list_length(items) != 1 || !rule_is_query(list_nth(items, 0)), "IN of a list with one query");
	}
	RULE(list_length(expr->name) == 1, "A_Expr with such a name");
	RULE(word == NULL || strcmp(strVal(list_nth(expr->name, 0)), word) == 0,
		 "A_Expr with such a name");
	/* the deparser of 18 asserts it */
	RULE(expr->kind < AEXPR_BETWEEN ||
		 (expr->rexpr != NULL && IsA(expr->rexpr, List) &&
		  list_length((const List *) expr->rexpr) == 2), "BETWEEN without two bounds");
}

static inline void
rule_operator(const A_Expr *expr)
{
#if PG_VERSION_NUM < 170000
	/* the deparsers of these versions know operators behind their operand */
	RULE(expr->rexpr != NULL, "A_Expr without rexpr");
#endif
	if (expr->kind != AEXPR_OP)
		rule_operator_word(expr);
}

/*
 * Does the scanner read these characters of operators as one operator?  It makes comments and
 * another operator of some, cuts long ones, and leaves a sign at the end to an operand.
 */
static inline bool
rule_is_one_operator(const char *op)
{
	size_t		length = strlen(op);
	char		last = op[length - 1];

	if (length == 1)
		return true;
	return length < NAMEDATALEN && strcmp(op, "=>") != 0 && strcmp(op, "!=") != 0 &&
		strstr(op, "--") == NULL && strstr(op, "/*") == NULL &&
		((last != '+' && last != '-') || strcspn(op, "~!@#%^&|`?") < length);
}

/* Returns the end of digits, which underscores may part. */
static inline const char *
rule_digits_end(const char *c)
{
	while ((*c >= '0' && *c <= '9') || *c == '_')
		c++;
	return c;
}

/* The text of a number that is no Integer: what the scanner reads as one, with a sign. */
static inline const char *
rule_number(const char *text)
{
	const char *start = text + (*text == '-');
	const char *end = rule_digits_end(start);

	if (end == start + 1 && *start == '0' && ((*end | 0x20) == 'x' || (*end | 0x20) == 'o' || (*end | 0x20) == 'b'))
		for (end++; (*end >= '0' && *end <= '9') || ((*end | 0x20) >= 'a' && (*end | 0x20) <= 'f') || *end == '_';)
			end++;
	else
	{
		if (*end == '.')
			end = rule_digits_end(end + 1);
		RULE(end - start > (*start == '.'), "such a number");
		if ((*end | 0x20) == 'e')
		{
			const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');

			end = rule_digits_end(exponent);
			RULE(end > exponent, "such a number");
		}
	}
	RULE(*start != '_' && *end == '\0' && end > start, "such a number");
	return text;
}

/* What only some calls have, so that this is no part of the caller. */
static pg_noinline void
rule_special_call(const FuncCall *call)
{
	bool		has_args = list_length(call->args) > 0;

	RULE(has_args || !call->func_variadic, "VARIADIC without args");
	RULE(has_args || !call->agg_distinct, "DISTINCT without args");
	RULE(has_args || call->agg_within_group || call->agg_order == NIL, "ORDER BY without args");
	RULE(!has_args || !call->agg_star, "a star with args");
	RULE(!call->agg_within_group || call->agg_order != NIL, "WITHIN GROUP without agg_order");
}

/* The function is called as functions are. */
static inline void
rule_plain_call(const FuncCall *call)
{
	RULE(call->funcformat != COERCE_SQL_SYNTAX, "a FuncCall in its own syntax");
	/* "|" instead of "||": one branch */
	if (call->func_variadic | call->agg_distinct | call->agg_star | call->agg_within_group ||
		call->agg_order != NIL)
		rule_special_call(call);
}

/* The first argument of EXTRACT is a word. */
static inline void
rule_extract(FuncCall *call)
{
	const Node *field = list_nth(call->args, 0);

	RULE(rule_is_const(field, T_String) || (field != NULL && IsA(field, ParamRef)),
		 "EXTRACT without a field");
}

/* The second one of NORMALIZE and IS NORMALIZED is a form. */
static inline Node *
rule_normal_form(FuncCall *call)
{
	A_Const    *form = castNode(A_Const, list_nth(call->args, 1));
	const char *name;

	RULE(rule_is_const(form, T_String), "NORMALIZE with such a form");
	name = form->val.sval.sval;
	RULE(strcmp(name, "NFC") == 0 || strcmp(name, "NFD") == 0 ||
		 strcmp(name, "NFKC") == 0 || strcmp(name, "NFKD") == 0,
		 "NORMALIZE with such a form");
	return (Node *) form;
}

/* A window has a name, or a definition. */
static inline const WindowDef *
rule_over(const WindowDef *window)
{
	RULE(window->name == NULL ||
		 (window->refname == NULL && window->partitionClause == NIL && window->orderClause == NIL &&
		  !(window->frameOptions & FRAMEOPTION_NONDEFAULT)), "OVER with a name and a definition");
	return window;
}

#if PG_VERSION_NUM >= 160000
static inline JsonObjectAgg *
rule_json_object_agg(JsonObjectAgg *call)
{
	RULE(call->constructor == NULL || call->constructor->agg_order == NIL, "JSON_OBJECTAGG with agg_order");
	return call;
}
#define deparseJsonObjectAgg(state, call) \
	deparseJsonObjectAgg(state, BY_RULE(state, rule_json_object_agg, call))
#endif

/* A cast to the type of a column has no SQL. */
static inline TypeCast *
rule_cast(TypeCast *cast)
{
	RULE(cast->typeName == NULL || !cast->typeName->pct_type, "a cast to %TYPE");
	return cast;
}
#define deparseTypeCast(state, cast, context) \
	deparseTypeCast(state, BY_RULE(state, rule_cast, cast), context)

static inline XmlSerialize *
rule_xml_serialize(XmlSerialize *call)
{
	const TypeName *type = call->typeName;

	RULE(type == NULL || (!type->setof && !type->pct_type && type->arrayBounds == NIL),
		 "XMLSERIALIZE with such a type");
	return call;
}
#define deparseXmlSerialize(state, call) \
	deparseXmlSerialize(state, BY_RULE(state, rule_xml_serialize, call))

static inline GroupingSet *
rule_grouping_set(GroupingSet *set)
{
	RULE((set->kind == GROUPING_SET_EMPTY) == (set->content == NIL),
		 "GroupingSet without content");
	return set;
}

static inline void
rule_xml(XmlExpr *expr)
{
	int			args = list_length(expr->args);
	const Node *last = args > 0 ? list_nth(expr->args, args - 1) : NULL;

	switch (expr->op)
	{
		case IS_XMLPARSE:
			RULE(args == 2 && rule_is_const(last, T_Boolean), "XMLPARSE with such args");
			break;
		case IS_XMLPI:
			RULE(args <= 1, "XMLPI with such args");
			break;
		case IS_XMLROOT:
			RULE(args == 3 && rule_is_const(last, T_Integer) &&
				 ((const A_Const *) last)->val.ival.ival >= XML_STANDALONE_YES &&
				 ((const A_Const *) last)->val.ival.ival <= XML_STANDALONE_OMITTED,
				 "XMLROOT with such args");
			break;
		case IS_DOCUMENT:
			RULE(args == 1, "IS DOCUMENT with such args");
			break;
		default:
			break;
	}
}

static inline CollateClause *
rule_collate(CollateClause *clause)
{
	RULE(clause->arg != NULL, "CollateClause without arg");
	return clause;
}

#if PG_VERSION_NUM >= 160000
static inline JsonFormat *
rule_json_format(JsonFormat *format)
{
	RULE(format != NULL, "a JSON value without format");
	return format;
}
#define deparseJsonFormat(state, format) \
	deparseJsonFormat(state, BY_RULE(state, rule_json_format, format))

/* It may have to be separated from WITH, see patch_quote_merged. */
static inline JsonIsPredicate *
rule_is_json(JsonIsPredicate *expr)
{
	patch_has_merged |= !expr->unique_keys;
	RULE(expr->format != NULL && expr->format->format_type == JS_FORMAT_DEFAULT,
		 "JsonIsPredicate with such a format");
	return expr;
}
#define deparseJsonIsPredicate(state, expr) \
	deparseJsonIsPredicate(state, BY_RULE(state, rule_is_json, expr))
#endif

#if PG_VERSION_NUM >= 170000
static inline JsonTableColumn *
rule_json_column(JsonTableColumn *column)
{
	const JsonFormat *format = column->format;

	switch (column->coltype)
	{
		case JTC_REGULAR:
		case JTC_EXISTS:
			RULE(format != NULL && format->format_type == JS_FORMAT_DEFAULT,
				 "JsonTableColumn with such a format");
			break;
		case JTC_FORMATTED:
			RULE(format != NULL && format->format_type != JS_FORMAT_DEFAULT,
				 "JsonTableColumn with such a format");
			break;
		default:
			RULE(format == NULL, "JsonTableColumn with such a format");
	}
	return column;
}
#define deparseJsonTableColumn(state, column) \
	deparseJsonTableColumn(state, BY_RULE(state, rule_json_column, column))

static inline JsonTablePathSpec *
rule_json_path(JsonTablePathSpec *path)
{
	RULE(rule_is_const(path->string, T_String), "JsonTablePathSpec without string");
	return path;
}
#define deparseJsonTablePathSpec(state, path) \
	deparseJsonTablePathSpec(state, BY_RULE(state, rule_json_path, path))
#endif

static inline IndexElem *
rule_index_elem(IndexElem *elem)
{
	RULE(elem->opclassopts == NIL || elem->opclass != NIL, "IndexElem without opclass");
	return elem;
}

/* ----- Queries ----- */

/* SELECT, and not VALUES, nor UNION. */
static inline void
rule_select(SelectStmt *stmt)
{
	const List *distinct = stmt->distinctClause;

	if (distinct != NIL)
	{
		RULE(stmt->targetList != NIL, "DISTINCT without targetList");
		/* DISTINCT without ON is a list of one NULL */
		RULE(list_nth(distinct, 0) != NULL || list_length(distinct) == 1,
			 "distinctClause with NULL and others");
	}
}

/* A query is of one kind: SELECT, VALUES, or two queries with UNION and the like between them. */
static inline void
rule_query(const SelectStmt *stmt)
{
	/* "|" instead of "||": one branch */
	bool		is_pair = (stmt->larg != NULL) | (stmt->rarg != NULL);
	bool		has_clauses = (stmt->targetList != NIL) | (stmt->fromClause != NIL) | (stmt->whereClause != NULL) |
		(stmt->intoClause != NULL) | (stmt->distinctClause != NIL) | (stmt->groupClause != NIL) |
		(stmt->havingClause != NULL) | (stmt->windowClause != NIL);

	if (stmt->op == SETOP_NONE)
		RULE(!is_pair && !(has_clauses && stmt->valuesLists != NIL), "a SelectStmt that is two queries");
	else
		RULE(!has_clauses && stmt->valuesLists == NIL, "a SelectStmt that is two queries");
	RULE(stmt->limitCount == NULL || stmt->limitOption == LIMIT_OPTION_COUNT ||
		 stmt->limitOption == LIMIT_OPTION_WITH_TIES, "limitCount without limitOption");
}

/* A target of SELECT and RETURNING; a star alone has no name. */
static inline ResTarget *
rule_target(ResTarget *target)
{
	RULE(target->indirection == NIL, "a target with indirection");
	if (target->name != NULL && target->val != NULL && IsA(target->val, ColumnRef))
	{
		const List *names = ((ColumnRef *) target->val)->fields;

		RULE(list_length(names) != 1 || !IsA(list_nth(names, 0), A_Star), "a star with a name");
	}
	return target;
}

/* SELECT INTO names a table, and nothing else of it. */
static inline IntoClause *
rule_select_into(IntoClause *into)
{
	RULE(into->colNames == NIL && into->accessMethod == NULL && into->options == NIL &&
		 into->onCommit == ONCOMMIT_NOOP && into->tableSpaceName == NULL && !into->skipData,
		 "SELECT INTO with more than a table");
	return into;
}

static inline void
rule_limit(SelectStmt *stmt)
{
	RULE(stmt->limitOption != LIMIT_OPTION_WITH_TIES ||
		 (stmt->limitCount != NULL && stmt->sortClause != NIL),
		 "WITH TIES without sortClause");
}

static inline CommonTableExpr *
rule_cte(CommonTableExpr *cte)
{
	const CTECycleClause *cycle = cte->cycle_clause;

	RULE(cycle == NULL || (cycle->cycle_mark_value != NULL && cycle->cycle_mark_default != NULL),
		 "CTECycleClause without cycle_mark_value and cycle_mark_default");
	RULE(cycle == NULL || cycle->cycle_col_list != NIL, "CTECycleClause without cycle_col_list");
	RULE(cte->search_clause == NULL || cte->search_clause->search_col_list != NIL,
		 "CTESearchClause without search_col_list");
	return cte;
}
#define deparseCommonTableExpr(state, cte) \
	deparseCommonTableExpr(state, BY_RULE(state, rule_cte, cte))

/* ----- SET ----- */

/*
 * (a, b) = ...: each column has the same source, its own number, and the
 * number of all.
 */
static inline List *
rule_set_clauses(List *targets)
{
	int			length = list_length(targets);
	int			i = 0;

	RULE(length > 0, "SET without columns");
	while (i < length)
	{
		ResTarget  *target = castNode(ResTarget, list_nth(targets, i));
		MultiAssignRef *first;

		i++;
		if (target->val == NULL || !IsA(target->val, MultiAssignRef))
			continue;
		first = (MultiAssignRef *) target->val;
		RULE(first->colno == 1 && first->ncolumns - 1 <= length - i && first->ncolumns >= 1,
			 "a MultiAssignRef without the others");
		for (int colno = 2; colno <= first->ncolumns; colno++, i++)
		{
			MultiAssignRef *other;

			target = castNode(ResTarget, list_nth(targets, i));
			RULE(target->val != NULL && IsA(target->val, MultiAssignRef),
				 "a MultiAssignRef without the others");
			other = (MultiAssignRef *) target->val;
			RULE(other->colno == colno && other->ncolumns == first->ncolumns,
				 "a MultiAssignRef without the others");
		}
	}
	return targets;
}
#define deparseSetClauseList(state, l) \
	deparseSetClauseList(state, BY_RULE(state, rule_set_clauses, l))

#endif							/* RULES_EXPRESSIONS_H */

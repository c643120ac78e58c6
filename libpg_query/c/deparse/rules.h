/*-------------------------------------------------------------------------
 *
 * rules.h
 *	  What PostgreSQL's grammar puts into every tree: the last guard of
 *	  deparse.c.
 *
 * The guards of deparse.c let the deparser print any tree without a crash.
 * What it prints may still be no SQL, or that of another tree: a list
 * without items is printed as nothing, and so is a node that is not
 * there.  These rules make that an error:
 *
 *	1. A list that the grammar calls "expr_list", "name_list" and so on has
 *	   an item, and each item is there.  The deparser's functions have the
 *	   names of the grammar's symbols, so that this holds for a function.
 *	2. A name is not empty.
 *	3. Fields that the grammar fills together agree.
 *
 * Each rule belongs to a function of the deparser, whose argument it
 * checks, or to a place in one (see patches/deparse_rules.patch).
 *
 *-------------------------------------------------------------------------
 */
#ifndef RULES_H
#define RULES_H

/*
 * Raise the error for a tree that no SQL has.
 */
static pg_noinline void
rule_failed(const char *what, int line)
{
	if (errstart(ERROR, TEXTDOMAIN))
	{
		errmsg_internal("deparse: %s has no SQL", what);
		errfinish(DEPARSER_FILE, line, NULL);
	}
	pg_unreachable();
}

#define RULE(condition, what) \
	do { \
		if (unlikely(!(condition))) \
			rule_failed(what, __LINE__); \
	} while (0)

/* The rule of each node of a list, which has this name in the condition. */
#define RULE_EACH(type, node, list, condition, what) \
	do { \
		ListCell   *rule_cell; \
\
		foreach(rule_cell, list) \
		{ \
			const type *node = castNode(type, lfirst(rule_cell)); \
\
			RULE(condition, what); \
		} \
	} while (0)

/* Is this a constant of this type? */
static inline bool
rule_is_const(const void *node, NodeTag type)
{
	const A_Const *value = node;

	return value != NULL && IsA(value, A_Const) && !value->isnull && nodeTag(&value->val) == type;
}

/* Is this the name of a type in pg_catalog? */
static inline bool
rule_is_system_type(const List *names, const char *type)
{
	return list_length(names) == 2 && strcmp(strVal(list_nth(names, 0)), "pg_catalog") == 0 &&
		strcmp(strVal(list_nth(names, 1)), type) == 0;
}

/* ----- 1. Lists ----- */

#define GUARD_FILLED(form, list) GUARD_PASTE(GUARD_FILLED_, form)(list)
#define GUARD_FILLED_DECLARATION(list) list
#define GUARD_FILLED_CALL(list) guard_filled(list, __LINE__)

static inline List *
guard_filled(const List *list, int line)
{
	if (unlikely(list == NIL || list->length == 0))
		rule_failed("a list without items", line);
	return (List *) list;
}

/* The name of an object and what it belongs to. */
static inline List *
rule_two_parts(List *list)
{
	RULE(list != NIL && list->length >= 2, "a name without its second part");
	return list;
}

/* A body, or a file and a symbol in it. */
static inline List *
rule_function_as(List *list)
{
	RULE(list != NIL && list->length >= 1 && list->length <= 2, "AS with such strings");
	return list;
}

#define GUARD_RULE(form, rule, arg) GUARD_PASTE(GUARD_RULE_, form)(rule, arg)
#define GUARD_RULE_DECLARATION(rule, arg) arg
#define GUARD_RULE_CALL(rule, arg) rule(arg)
#define BY_RULE(state, rule, arg) GUARD_RULE(GUARD_FORM(GUARD_FIRST_##state), rule, arg)
#define FILLED(state, list) GUARD_FILLED(GUARD_FORM(GUARD_FIRST_##state), list)

#define deparseAlterGenericOptions(state, l) deparseAlterGenericOptions(state, FILLED(state, l))
#define deparseAlterIdentityColumnOptionList(state, l) \
	deparseAlterIdentityColumnOptionList(state, FILLED(state, l))
#define deparseAnyName(state, l) deparseAnyName(state, FILLED(state, l))
#define deparseAnyNameSkipFirst(state, l) \
	deparseAnyNameSkipFirst(state, BY_RULE(state, rule_two_parts, l))
#define deparseAnyNameSkipLast(state, l) \
	deparseAnyNameSkipLast(state, BY_RULE(state, rule_two_parts, l))
#define deparseAnyNameList(state, l) deparseAnyNameList(state, FILLED(state, l))
#define deparseAnyOperator(state, l) deparseAnyOperator(state, FILLED(state, l))
#define deparseColumnList(state, l) deparseColumnList(state, FILLED(state, l))
#define deparseColumnListWithPeriod(state, l) \
	deparseColumnListWithPeriod(state, FILLED(state, l))
#define deparseDefinition(state, l) deparseDefinition(state, FILLED(state, l))
#define deparseExprList(state, l) deparseExprList(state, FILLED(state, l))
#define deparseFromList(state, l) deparseFromList(state, FILLED(state, l))
#define deparseFuncAs(state, l) deparseFuncAs(state, BY_RULE(state, rule_function_as, l))
#define deparseFuncName(state, l) deparseFuncName(state, FILLED(state, l))
#define deparseFunctionWithArgtypesList(state, l) \
	deparseFunctionWithArgtypesList(state, FILLED(state, l))
#define deparseGroupByList(state, l) deparseGroupByList(state, FILLED(state, l))
#define deparseHandlerName(state, l) deparseHandlerName(state, FILLED(state, l))
#define deparseNameList(state, l) deparseNameList(state, FILLED(state, l))
#define deparseNumericOnlyList(state, l) deparseNumericOnlyList(state, FILLED(state, l))
#define deparseOpclassItemList(state, l) deparseOpclassItemList(state, FILLED(state, l))
#define deparseOperatorDefList(state, l) deparseOperatorDefList(state, FILLED(state, l))
#define deparseQualifiedNameList(state, l) deparseQualifiedNameList(state, FILLED(state, l))
#define deparseRelOptions(state, l) deparseRelOptions(state, FILLED(state, l))
#define deparseRelationExprList(state, l) deparseRelationExprList(state, FILLED(state, l))
#define deparseRoleList(state, l) deparseRoleList(state, FILLED(state, l))
#define deparseTypeList(state, l) deparseTypeList(state, FILLED(state, l))
#define deparseVarList(state, l) deparseVarList(state, FILLED(state, l))
#define deparseXmlAttributeList(state, l) deparseXmlAttributeList(state, FILLED(state, l))
#define deparseXmlNamespaceList(state, l) deparseXmlNamespaceList(state, FILLED(state, l))

/* 3. is in the files that deparse.c includes behind this one. */

#endif							/* RULES_H */

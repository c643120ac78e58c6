/*-------------------------------------------------------------------------
 *
 * patches_names.c
 *	  The functions that patches of libpg_query's deparser call: keywords as
 *	  names; see patches.h.
 *
 * quote_identifier leaves unreserved keywords as they are.  Where one of them
 * begins another rule of the grammar, it needs quotes to be a name.
 *
 *-------------------------------------------------------------------------
 */

/*
 * The name of a called function.  The grammar takes OPERATOR ( for an operator in every
 * expression, CUBE ( and ROLLUP ( for a grouping set if an item of GROUP BY begins with it.
 */
static void
patch_func_name(DeparseState *state, List *name)
{
	const char *word = list_length(name) == 1 ? strVal(linitial(name)) : "";

	if (strcmp(word, "operator") == 0)
		patch_put("\"operator\"");
	else if (patch_group_items > 0 && strcmp(word, "cube") == 0)
		patch_put("\"cube\"");
	else if (patch_group_items > 0 && strcmp(word, "rollup") == 0)
		patch_put("\"rollup\"");
	else
		deparseFuncName(state, name);
}

/* "opt_existing_window_name" in gram.y, which is empty before these words */
static const char *
patch_window_name(const char *name)
{
	static const char *const words[] = {"groups", "partition", "range", "rows"};

	for (int i = 0; i < lengthof(words); i++)
		if (strcmp(name, words[i]) == 0)
			return psprintf("\"%s\"", name);
	return quote_identifier(name);
}

/* A bound of a frame that would be UNBOUNDED PRECEDING */
static bool
patch_is_unbounded(Node *bound)
{
	ColumnRef  *column = (ColumnRef *) bound;

	return bound != NULL && IsA(bound, ColumnRef) && list_length(column->fields) == 1 &&
		linitial(column->fields) != NULL && IsA(linitial(column->fields), String) &&
		strcmp(strVal(linitial(column->fields)), "unbounded") == 0;
}

/* The operator of EXCLUDE, after WITH: the scanner reads WITH ORDINALITY as another token. */
static void
patch_exclusion_operator(DeparseState *state, List *op)
{
	bool		is_ordinality = list_length(op) > 1 &&
		strcmp(strVal(linitial(op)), "ordinality") == 0;

	if (is_ordinality)
		patch_put("OPERATOR(");
	deparseAnyOperator(state, op);
	if (is_ordinality)
		patch_putc(')');
}

/* "func_type" in the value of a definition, where OPERATOR( begins an operator */
static void
patch_def_type(DeparseState *state, TypeName *type)
{
	ListCell   *cell;

	if (type->setof || type->typmods == NIL || list_length(type->names) != 1 ||
		strcmp(strVal(linitial(type->names)), "operator") != 0)
	{
		deparseTypeName(state, type);
		return;
	}
	patch_put("\"operator\"(");
	deparseExprList(state, type->typmods);
	patch_putc(')');
	foreach(cell, type->arrayBounds)
	{
		patch_putc('[');
		if (intVal(lfirst(cell)) != -1)
			patch_integer(state, intVal(lfirst(cell)));
		patch_putc(']');
	}
}

/*
 * A type that is an "any_name": what a table is OF, and a domain.  There,
 * pg_catalog.int4 is not INT.
 */
static void
patch_type_by_name(DeparseState *state, TypeName *type)
{
	RULE(type != NULL && !type->setof && !type->pct_type && type->typmods == NIL && type->arrayBounds == NIL,
		 "a type where its name has to be");
	if (list_length(type->names) != 2 || strcmp(strVal(linitial(type->names)), "pg_catalog") != 0)
		deparseAnyName(state, type->names);
	else
	{
		patch_put("pg_catalog.");
		patch_put(patch_col_label(strVal(lsecond(type->names))));
	}
}

#include "patches_merged.c"

#if PG_VERSION_NUM >= 170000
/* A column of JSON_TABLE that would be NESTED PATH */
static bool
patch_is_nested_path(JsonTableColumn *column)
{
	return column->name != NULL && strcmp(column->name, "nested") == 0 &&
		column->typeName != NULL && list_length(column->typeName->names) == 1 &&
		linitial(column->typeName->names) != NULL &&
		IsA(linitial(column->typeName->names), String) &&
		strcmp(strVal(linitial(column->typeName->names)), "path") == 0;
}
#endif

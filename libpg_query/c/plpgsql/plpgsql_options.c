/*-------------------------------------------------------------------------
 *
 * plpgsql_options.c
 *	  The checks of what follows the header of a function: COST 1 IMMUTABLE ..
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

/* The place of an option in the text. */
static int
option_position(const DefElem *option)
{
	Compile    *state = plpgsql_compile_state;

	/* the header may be elsewhere */
	if (option->location < 0 || state->header != state->outer.text)
		return 0;
	return errposition(plpgsql_count_characters(&state->outer, option->location));
}

/* Whether only functions have an option. */
static bool
is_of_functions(const char *name)
{
	static const char *const names[] = {
		"cost", "leakproof", "parallel", "rows", "strict", "support", "volatility", "window",
	};

	for (size_t i = 0; i < lengthof(names); i++)
	{
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

/* Whether the number of COST or ROWS is more than 0. */
static bool
is_positive(const Node *number)
{
	if (IsA(number, Float))
		return floatVal(number) > 0;
	return !IsA(number, Integer) || intVal(number) > 0;
}

/* The rules of each option, without looking into a database. */
static void
check_option(const DefElem *option, const CreateFunctionStmt *stmt)
{
	const char *name = option->defname;

	if (stmt->is_procedure && is_of_functions(name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("invalid attribute in procedure definition"),
				 option_position(option)));
	if (strcmp(name, "cost") == 0 && !is_positive(option->arg))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("COST must be positive")));
	if (strcmp(name, "rows") == 0 && !is_positive(option->arg))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ROWS must be positive")));
	if (strcmp(name, "rows") == 0 && (stmt->returnType == NULL || !stmt->returnType->setof))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ROWS is not applicable when function does not return a set")));
	if (strcmp(name, "parallel") == 0)
	{
		const char *value = strVal(option->arg);

		if (strcmp(value, "safe") != 0 && strcmp(value, "unsafe") != 0 &&
			strcmp(value, "restricted") != 0)
			ereport(ERROR,
					(errcode(ERRCODE_SYNTAX_ERROR),
					 errmsg("parameter \"parallel\" must be SAFE, RESTRICTED, or UNSAFE")));
	}
}

void
plpgsql_check_options(const List *options, const CreateFunctionStmt *stmt)
{
	const ListCell *cell;
	const DefElem *seen[32];
	int			count = 0;

	foreach(cell, options)
	{
		const DefElem *option = lfirst(cell);

		/* SET and RESET, which may be repeated */
		if (strcmp(option->defname, "set") == 0)
			continue;
		for (int i = 0; i < count; i++)
		{
			if (strcmp(seen[i]->defname, option->defname) == 0)
				ereport(ERROR,
						(errcode(ERRCODE_SYNTAX_ERROR),
						 errmsg("conflicting or redundant options"),
						 option_position(option)));
		}
		/* there are fewer names in the grammar */
		if (count < (int) lengthof(seen))
			seen[count++] = option;
		if (stmt != NULL)
			check_option(option, stmt);
	}
}

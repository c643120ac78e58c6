/*-------------------------------------------------------------------------
 *
 * plpgsql_typmods.c
 *	  Checks the modifiers of builtin types: varchar(10), numeric(10, 2).
 *
 * PostgreSQL calls a function of the type.  Those of the types
 * that every database has are few, and their limits are the same in all versions.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"

/* No more matter; a type with more is an error anyway. */
#define MOST_MODIFIERS 3

#define wrong_modifier(...) \
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg(__VA_ARGS__)))

/* The text of a modifier: a constant or a name. */
static const char *
modifier_text(const Node *modifier)
{
	if (IsA(modifier, A_Const))
	{
		const A_Const *constant = (const A_Const *) modifier;

		if (!constant->isnull && IsA(&constant->val, Integer))
			return psprintf("%d", intVal(&constant->val));
		if (!constant->isnull && IsA(&constant->val, Float))
			return constant->val.fval.fval;
		if (!constant->isnull && IsA(&constant->val, String))
			return strVal(&constant->val);
	}
	else if (IsA(modifier, ColumnRef))
	{
		const ColumnRef *name = (const ColumnRef *) modifier;

		if (list_length(name->fields) == 1 && IsA(linitial(name->fields), String))
			return strVal(linitial(name->fields));
	}
	ereport(ERROR,
			(errcode(ERRCODE_SYNTAX_ERROR),
			 errmsg("type modifiers must be simple constants or identifiers")));
	return NULL;
}

/* The number that is written in a modifier. */
static int
modifier_number(const char *text)
{
	const char *at = text;
	char	   *end;
	long		number;

	number = strtol(at, &end, 10);
	while (*end != '\0' && strchr(" \t\n\r\f\v", *end) != NULL)
		end++;
	if (end == text || *end != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"%s\"", "integer", text)));
	if (number < PG_INT32_MIN || number > PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("value \"%s\" is out of range for type %s", text, "integer")));
	return (int) number;
}

static void
check_length(const char *type, int length, int most)
{
	if (length < 1)
		wrong_modifier("length for type %s must be at least 1", type);
	if (length > most)
		wrong_modifier("length for type %s cannot exceed %d", type, most);
}

static void
check_precision(const char *type, const char *zone, int precision)
{
	if (precision < 0)
		wrong_modifier("%s(%d)%s precision must not be negative", type, precision, zone);
	if (precision > 6)
		ereport(WARNING,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s(%d)%s precision reduced to maximum allowed, %d", type, precision, zone, 6)));
}

static void
check_numeric(const int *numbers, int count)
{
	if (count > 2)
		wrong_modifier("invalid NUMERIC type modifier");
	if (numbers[0] < 1 || numbers[0] > 1000)
		wrong_modifier("NUMERIC precision %d must be between 1 and %d", numbers[0], 1000);
	if (count == 2 && (numbers[1] < -1000 || numbers[1] > 1000))
		wrong_modifier("NUMERIC scale %d must be between %d and %d", numbers[1], -1000, 1000);
}

/* The grammar itself has made the first one, the fields, unless the name is written as that of any type. */
static void
check_interval(const int *numbers, int count)
{
	if (count > 2)
		wrong_modifier("invalid INTERVAL type modifier");
	if (count == 2)
		check_precision("INTERVAL", "", numbers[1]);
}

void
plpgsql_check_typmods(Oid type, const TypeName *name)
{
	int			numbers[MOST_MODIFIERS];
	int			count = 0;
	ListCell   *cell;

	if (name->typmods == NIL)
		return;
	switch (type)
	{
		case BPCHAROID:
		case VARCHAROID:
		case BITOID:
		case VARBITOID:
		case NUMERICOID:
		case TIMEOID:
		case TIMETZOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case INTERVALOID:
			break;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_SYNTAX_ERROR),
					 errmsg("type modifier is not allowed for type \"%s\"",
							NameListToString(name->names))));
	}
	foreach(cell, name->typmods)
	{
		int			number = modifier_number(modifier_text(lfirst(cell)));

		if (count < MOST_MODIFIERS)
			numbers[count++] = number;
	}
	if (count != 1 && type != NUMERICOID && type != INTERVALOID)
		wrong_modifier("invalid type modifier");
	switch (type)
	{
		case BPCHAROID:
			check_length("char", numbers[0], MaxAttrSize);
			break;
		case VARCHAROID:
			check_length("varchar", numbers[0], MaxAttrSize);
			break;
		case BITOID:
			check_length("bit", numbers[0], MaxAttrSize * BITS_PER_BYTE);
			break;
		case VARBITOID:
			check_length("varbit", numbers[0], MaxAttrSize * BITS_PER_BYTE);
			break;
		case NUMERICOID:
			check_numeric(numbers, count);
			break;
		case TIMEOID:
			check_precision("TIME", "", numbers[0]);
			break;
		case TIMETZOID:
			check_precision("TIME", " WITH TIME ZONE", numbers[0]);
			break;
		case TIMESTAMPOID:
			check_precision("TIMESTAMP", "", numbers[0]);
			break;
		case TIMESTAMPTZOID:
			check_precision("TIMESTAMP", " WITH TIME ZONE", numbers[0]);
			break;
		case INTERVALOID:
			check_interval(numbers, count);
			break;
	}
}

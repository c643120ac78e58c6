/*-------------------------------------------------------------------------
 *
 * older_names.h
 *	  Names, types and options that the deparsers before 17 print wrongly.
 *
 * The mends (see build/mends) call these functions from the places
 * where the deparser prints something.  A name that needs no quotes
 * in its place gets none, so that correct output is unchanged.
 *
 *-------------------------------------------------------------------------
 */
#ifndef OLDER_NAMES_H
#define OLDER_NAMES_H

#include "common/keywords.h"
#include "common/kwlookup.h"
#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

/* The keywords that may be a name without quotes: gram.y's ColId, type_function_name, ... */
#define OLDER_COL_ID				((1 << UNRESERVED_KEYWORD) | (1 << COL_NAME_KEYWORD))
#define OLDER_TYPE_FUNCTION_NAME	((1 << UNRESERVED_KEYWORD) | (1 << TYPE_FUNC_NAME_KEYWORD))
#define OLDER_NON_RESERVED_WORD	(OLDER_COL_ID | OLDER_TYPE_FUNCTION_NAME)
#define OLDER_COL_LABEL			(OLDER_NON_RESERVED_WORD | (1 << RESERVED_KEYWORD))
#define OLDER_IDENT				0

/* Returns the name with quotes if it needs them. */
static const char *
older_name(const char *name, int keywords)
{
	const char *c = name;
	int			keyword;

	/* whether the scanner would return the same name */
	if ((*c >= 'a' && *c <= 'z') || *c == '_' || (*c & 0x80) != 0)
		do
			c++;
		while ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '$' ||
			   (*c & 0x80) != 0);
	if (*c != '\0' || c == name)
		return quote_identifier(name);
	keyword = ScanKeywordLookup(name, &ScanKeywords);
	if (keyword >= 0 && (keywords & (1 << ScanKeywordCategories[keyword])) == 0)
		return quote_identifier(name);
	return name;
}

/* A name, or the keyword DEFAULT, which the grammar reads as the name "default". */
static const char *
older_name_or_default(const char *name)
{
	return strcmp(name, "default") == 0 ? name : older_name(name, OLDER_COL_ID);
}

/* Returns whether an option's name may be in upper case, as the deparser writes it. */
static bool
older_is_plain_option(const char *name, int keywords)
{
	return older_name(name, keywords) == name ||
		/* additional keywords of EXPLAIN and similar statements */
		strcmp(name, "analyze") == 0 || strcmp(name, "analyse") == 0;
}

/* The options of CREATE DATABASE: a few keywords, and otherwise no keyword. */
static bool
older_is_plain_database_option(const char *name)
{
	return older_name(name, OLDER_IDENT) == name ||
		strcmp(name, "encoding") == 0 || strcmp(name, "location") == 0 ||
		strcmp(name, "owner") == 0 || strcmp(name, "tablespace") == 0 ||
		strcmp(name, "template") == 0;
}

/* Returns whether the list is not a number: the contents of the parentheses of gram.y's own types. */
static bool
older_is_iconst(const Node *node)
{
	return node != NULL && IsA(node, A_Const) && !((const A_Const *) node)->isnull &&
		IsA(&((const A_Const *) node)->val, Integer) && ((const A_Const *) node)->val.ival.ival >= 0;
}

/* Returns whether gram.y has a syntax for these modifiers of an interval. */
static bool
older_is_interval(const List *typmods)
{
	int			fields;
	bool		has_precision = list_length(typmods) == 2;

	if (typmods == NIL)
		return true;
	if (list_length(typmods) > 2 || !older_is_iconst(linitial(typmods)) ||
		(has_precision && !older_is_iconst(lsecond(typmods))))
		return false;
	if (has_precision &&
		((const A_Const *) lsecond(typmods))->val.ival.ival == INTERVAL_FULL_PRECISION)
		return false;
	fields = ((const A_Const *) linitial(typmods))->val.ival.ival;
	switch (fields)
	{
		case INTERVAL_MASK(YEAR):
		case INTERVAL_MASK(MONTH):
		case INTERVAL_MASK(DAY):
		case INTERVAL_MASK(HOUR):
		case INTERVAL_MASK(MINUTE):
		case INTERVAL_MASK(YEAR) | INTERVAL_MASK(MONTH):
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR):
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE):
		case INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE):
			return !has_precision;
		case INTERVAL_MASK(SECOND):
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
		case INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
		case INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
			return true;
		case INTERVAL_FULL_RANGE:
			return has_precision;
		default:
			return false;
	}
}

/*
 * Returns whether a type of pg_catalog must be written by its
 * catalog name, since gram.y's syntax for that name means
 * another type: "char" is char(1), and int has no modifiers.
 */
static bool
older_is_generic_type(const TypeName *type)
{
	static const char *const no_typmods[] = {"bool", "int2", "int4", "int8", "float4", "float8"};
	static const char *const one_iconst[] = {"bpchar", "varchar", "time", "timetz", "timestamp", "timestamptz"};
	const char *name = strVal(lsecond(type->names));

	if (type->pct_type || strcmp(name, "real") == 0)
		return true;
	if (strcmp(name, "bpchar") == 0 && type->typmods == NIL)
		return true;
	if (strcmp(name, "interval") == 0)
		return !older_is_interval(type->typmods);
	for (int i = 0; i < (int) lengthof(no_typmods); i++)
		if (strcmp(name, no_typmods[i]) == 0)
			return type->typmods != NIL;
	for (int i = 0; i < (int) lengthof(one_iconst); i++)
		if (strcmp(name, one_iconst[i]) == 0)
			return type->typmods != NIL &&
				(list_length(type->typmods) != 1 || !older_is_iconst(linitial(type->typmods)));
	return older_name(name, OLDER_COL_LABEL) != name;
}

/* interval(3) '1 day' has its modifier before the string, all others after it. */
static bool
older_is_interval_precision(const TypeName *type)
{
	return list_length(type->typmods) == 2 && older_is_iconst(linitial(type->typmods)) &&
		((const A_Const *) linitial(type->typmods))->val.ival.ival == INTERVAL_FULL_RANGE;
}

/* Returns whether it is an interval with modifiers after the string. */
static bool
older_is_interval_fields(const TypeName *type)
{
	return list_length(type->names) == 2 && type->typmods != NIL &&
		strcmp(strVal(linitial(type->names)), "pg_catalog") == 0 &&
		strcmp(strVal(lsecond(type->names)), "interval") == 0 &&
		older_is_interval(type->typmods) && !older_is_interval_precision(type);
}

/* Returns whether the body does not contain the end of $$ or $outer$. */
static bool
older_is_dollar_quotable(const char *text)
{
	const char *delimiter = strstr(text, "$$") == NULL ? "$$" : "$outer$";
	size_t		length = strlen(text);
	size_t		overlap = strlen(delimiter) - 1;

	if (strstr(text, delimiter) != NULL)
		return false;
	/* the end of the body and the first dollar after it */
	return length < overlap || memcmp(text + length - overlap, delimiter, overlap) != 0;
}

/* LIKE t INCLUDING ALL, with some options excluded again. */
static bool
older_like_excludes(bits32 options)
{
	/* the highest bit is not an option's */
	return options != CREATE_TABLE_LIKE_ALL && (options & (1 << 30)) != 0;
}

static void
older_like_excluding(StringInfo str, bits32 options)
{
	static const struct
	{
		bits32		option;
		const char *name;
	}			all[] = {
		{CREATE_TABLE_LIKE_COMMENTS, "COMMENTS"},
		{CREATE_TABLE_LIKE_COMPRESSION, "COMPRESSION"},
		{CREATE_TABLE_LIKE_CONSTRAINTS, "CONSTRAINTS"},
		{CREATE_TABLE_LIKE_DEFAULTS, "DEFAULTS"},
		{CREATE_TABLE_LIKE_GENERATED, "GENERATED"},
		{CREATE_TABLE_LIKE_IDENTITY, "IDENTITY"},
		{CREATE_TABLE_LIKE_INDEXES, "INDEXES"},
		{CREATE_TABLE_LIKE_STATISTICS, "STATISTICS"},
		{CREATE_TABLE_LIKE_STORAGE, "STORAGE"},
	};

	appendStringInfoString(str, "INCLUDING ALL ");
	for (int i = 0; i < (int) lengthof(all); i++)
		if ((options & all[i].option) == 0)
			appendStringInfo(str, "EXCLUDING %s ", all[i].name);
}

/* A constant true, by which the grammar represents a keyword. */
static bool
older_is_true(const Node *node)
{
	if (node != NULL && IsA(node, TypeCast))
		node = ((const TypeCast *) node)->arg;
	return node != NULL && IsA(node, A_Const) && IsA(&((const A_Const *) node)->val, Boolean) &&
		((const A_Const *) node)->val.boolval.boolval;
}

/* The words for a type of object, if the deparser has none. */
static const char *
older_object_type(ObjectType type)
{
	switch (type)
	{
		case OBJECT_ACCESS_METHOD:
			return "ACCESS METHOD ";
		case OBJECT_COLLATION:
			return "COLLATION ";
		case OBJECT_CONVERSION:
			return "CONVERSION ";
		case OBJECT_DATABASE:
			return "DATABASE ";
		case OBJECT_EXTENSION:
			return "EXTENSION ";
		case OBJECT_FDW:
			return "FOREIGN DATA WRAPPER ";
		case OBJECT_FOREIGN_SERVER:
			return "SERVER ";
		case OBJECT_INDEX:
			return "INDEX ";
		case OBJECT_PUBLICATION:
			return "PUBLICATION ";
		case OBJECT_ROLE:
			return "ROLE ";
		case OBJECT_STATISTIC_EXT:
			return "STATISTICS ";
		case OBJECT_SUBSCRIPTION:
			return "SUBSCRIPTION ";
		case OBJECT_TABLESPACE:
			return "TABLESPACE ";
		case OBJECT_TSCONFIGURATION:
			return "TEXT SEARCH CONFIGURATION ";
		case OBJECT_TSDICTIONARY:
			return "TEXT SEARCH DICTIONARY ";
		case OBJECT_TSPARSER:
			return "TEXT SEARCH PARSER ";
		case OBJECT_TSTEMPLATE:
			return "TEXT SEARCH TEMPLATE ";
		default:
			Assert(false);
			return "";
	}
}

/* Returns whether the deparser's own code can print an option of COPY. */
static bool
older_is_known_copy_option(const DefElem *option)
{
	const char *name = option->defname;
	const Node *arg = option->arg;
	bool		is_string = arg != NULL && IsA(arg, String);
	bool		is_list = arg != NULL && IsA(arg, List);

	if (strcmp(name, "format") == 0)
		return is_string && (strcmp(strVal(arg), "binary") == 0 || strcmp(strVal(arg), "csv") == 0 ||
							 strcmp(strVal(arg), "text") == 0);
	if (strcmp(name, "freeze") == 0 || strcmp(name, "header") == 0)
		return arg == NULL || IsA(arg, Boolean) || IsA(arg, Integer) ||
			(is_string && older_name(strVal(arg), OLDER_NON_RESERVED_WORD) == strVal(arg)) ||
			(is_string && (strcmp(strVal(arg), "true") == 0 || strcmp(strVal(arg), "false") == 0 ||
						   strcmp(strVal(arg), "on") == 0));
	if (strcmp(name, "delimiter") == 0 || strcmp(name, "null") == 0 || strcmp(name, "quote") == 0 ||
		strcmp(name, "escape") == 0 || strcmp(name, "encoding") == 0)
		return is_string;
	if (strcmp(name, "force_quote") == 0)
		return is_list || (arg != NULL && IsA(arg, A_Star));
	if (strcmp(name, "force_not_null") == 0 || strcmp(name, "force_null") == 0)
		return is_list;
	return true;
}

/*
 * COPY has two syntaxes for its options.  FREEZE and HEADER
 * of the old one, and only they, are booleans in the tree;
 * FREEZE and HEADER of the new one have no value, or a word.
 */
static bool
older_copy_has_boolean(const List *options)
{
	ListCell   *cell;

	foreach(cell, options)
	{
		const DefElem *option = castNode(DefElem, lfirst(cell));

		if (option->arg != NULL && IsA(option->arg, Boolean))
			return true;
	}
	return false;
}

static bool
older_copy_is_new(const List *options)
{
	ListCell   *cell;

	foreach(cell, options)
	{
		const DefElem *option = castNode(DefElem, lfirst(cell));

		if (strcmp(option->defname, "freeze") == 0 || strcmp(option->defname, "header") == 0)
			return true;
	}
	return false;
}

/* The options of roles that the deparser knows. */
static bool
older_is_role_option(const DefElem *option)
{
	return strcmp(option->defname, "admin") == 0 || strcmp(option->defname, "inherit") == 0 ||
		strcmp(option->defname, "set") == 0;
}

/*
 * The rest are parts of the deparser's own functions.
 * They call other functions of it, so they are macros.
 */

/* a blank, if the next word would otherwise become part of the last one */
#define OLDER_BLANK() \
	do { \
		if (str->len > 0 && str->data[str->len - 1] != ')' && str->data[str->len - 1] != '"') \
			appendStringInfoChar(str, ' '); \
	} while (0)

/* gram.y's AexprConst: a type precedes its constant */
#define OLDER_CONSTANT(node) \
	do { \
		TypeCast   *older_cast = (TypeCast *) (node); \
		bool		older_behind; \
		\
		if (!IsA(older_cast, TypeCast)) \
		{ \
			deparseExpr(str, (Node *) older_cast); \
			break; \
		} \
		if (list_length(older_cast->typeName->names) == 1 && \
			older_is_word(older_cast->typeName->names, 0, "point")) \
		{ \
			/* already written so */ \
			deparseExpr(str, (Node *) older_cast); \
			break; \
		} \
		older_behind = older_is_interval_fields(older_cast->typeName); \
		if (older_behind) \
			appendStringInfoString(str, "interval"); \
		else \
			deparseTypeName(str, older_cast->typeName); \
		appendStringInfoChar(str, ' '); \
		deparseExpr(str, older_cast->arg); \
		if (older_behind) \
			deparseIntervalTypmods(str, older_cast->typeName); \
	} while (0)

/* An option of COPY in its old syntax, except those that the deparser knows. */
#define OLDER_COPY_OPTION(option) \
	do { \
		const char *older_option = (option)->defname; \
		\
		if (strcmp(older_option, "format") == 0 && strcmp(strVal((option)->arg), "binary") == 0) \
			appendStringInfoString(str, "BINARY "); \
		else if (strcmp(older_option, "force_quote") == 0 && IsA((option)->arg, A_Star)) \
			appendStringInfoString(str, "FORCE QUOTE * "); \
		else if (strcmp(older_option, "force_not_null") == 0 || strcmp(older_option, "force_null") == 0) \
		{ \
			appendStringInfoString(str, older_option[6] == 'n' && older_option[7] == 'o' ? \
								   "FORCE NOT NULL " : "FORCE NULL "); \
			deparseColumnList(str, castNode(List, (option)->arg)); \
			appendStringInfoChar(str, ' '); \
		} \
		else \
		{ \
			Assert(strcmp(older_option, "delimiter") == 0 || strcmp(older_option, "null") == 0 || \
				   strcmp(older_option, "quote") == 0 || strcmp(older_option, "escape") == 0 || \
				   strcmp(older_option, "encoding") == 0); \
			deparseGenericDefElemName(str, older_option); \
			appendStringInfoChar(str, ' '); \
			deparseStringLiteral(str, strVal((option)->arg)); \
			appendStringInfoChar(str, ' '); \
		} \
	} while (0)

/* Any option of COPY in its new syntax. */
#define OLDER_ANY_COPY_OPTION(option) \
	do { \
		Node	   *older_arg = (option)->arg; \
		\
		appendStringInfoString(str, quote_identifier((option)->defname)); \
		if (older_arg != NULL) \
			appendStringInfoChar(str, ' '); \
		if (older_arg == NULL) \
			break; \
		if (IsA(older_arg, String)) \
			deparseOptBooleanOrString(str, strVal(older_arg)); \
		else if (IsA(older_arg, A_Star)) \
			appendStringInfoChar(str, '*'); \
		else if (IsA(older_arg, List)) \
		{ \
			appendStringInfoChar(str, '('); \
			deparseColumnList(str, (List *) older_arg); \
			appendStringInfoChar(str, ')'); \
		} \
		else \
			deparseNumericOnly(str, (union ValUnion *) older_arg); \
	} while (0)

#endif							/* OLDER_NAMES_H */

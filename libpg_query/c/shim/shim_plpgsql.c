/*-------------------------------------------------------------------------
 *
 * shim_plpgsql.c
 *	  Converts PL/pgSQL to JSON; see shim.h.
 *
 * libpg_query has functions that compile a CREATE FUNCTION or DO, and
 * functions that write the result as JSON, but only exports one that does
 * both for a script.  It raises errors that nothing catches, without their
 * locations, and its JSON is malformed for trigger functions.  So this file
 * includes the sources of the former, and has its own version of the latter.
 *
 * The state of PL/pgSQL's compiler is thread-local, and initialised
 * for each function; the state left by an error is never read.
 *
 *-------------------------------------------------------------------------
 */
#include "shim_internal.h"

#if PG_VERSION_NUM >= 160000
#include "gramparse.h"
#else
#include "parser/gramparse.h"
#endif

#include "lib/stringinfo.h"
#include "parser/parser.h"
#include "utils/memutils.h"

#include "entry_points.h"
#include "pg_query_json_plpgsql.h"

static char *function_to_json(PLpgSQL_function *function);
static PgQueryPlpgsqlParseResult unused_parse_plpgsql(const char *input);
static void unused_free_plpgsql(PgQueryPlpgsqlParseResult result);

#undef plpgsqlToJSON
#define plpgsqlToJSON function_to_json
#undef pg_query_parse_plpgsql
#define pg_query_parse_plpgsql unused_parse_plpgsql
#undef pg_query_free_plpgsql_parse_result
#define pg_query_free_plpgsql_parse_result unused_free_plpgsql

/*
 * The variables of a trigger (tg_op, ..) are "promises": variables whose
 * value is computed when read.  The included file lacks this case, and writes
 * an object's end without its beginning.  The struct is that of a variable.
 */
#define PLPGSQL_DTYPE_VAR PLPGSQL_DTYPE_PROMISE: case PLPGSQL_DTYPE_VAR
#include "src/pg_query_json_plpgsql.c"
#undef PLPGSQL_DTYPE_VAR

#include "src/pg_query_parse_plpgsql.c"

/* For an error in a function's body: the place of the body in the SQL. */
typedef struct Body
{
	const char *sql;
	const char *literal;		/* in sql; NULL if unknown */
} Body;

/* Returns the option with that name; the last one, as in libpg_query. */
static const DefElem *
find_option(const List *options, const char *name)
{
	const DefElem *found = NULL;
	const ListCell *cell;

	foreach(cell, options)
	{
		const DefElem *option = lfirst(cell);

		if (strcmp(option->defname, name) == 0)
			found = option;
	}
	return found;
}

/*
 * Returns the body of a PL/pgSQL function; NULL if the function is in
 * another language.  Without LANGUAGE, libpg_query assumes PL/pgSQL.
 */
static const char *
plpgsql_body(const Node *stmt)
{
	bool		is_do = IsA(stmt, DoStmt);
	const Node *sql_body = is_do ? NULL : ((const CreateFunctionStmt *) stmt)->sql_body;
	const List *options = is_do ? ((const DoStmt *) stmt)->args :
		((const CreateFunctionStmt *) stmt)->options;
	const DefElem *language = find_option(options, "language");
	const DefElem *body = find_option(options, "as");

	if (language ? strcmp(strVal(language->arg), "plpgsql") != 0 : sql_body != NULL)
		return NULL;
	if (sql_body != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("inline SQL function body only valid for language SQL")));
	if (body == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 is_do ? errmsg("no inline code specified") :
				 errmsg("no function body specified")));
	return is_do ? strVal(body->arg) : strVal(llast((const List *) body->arg));
}

/* Returns the literal with this value in a statement of the SQL. */
static const char *
find_literal(const char *sql, const RawStmt *stmt, const char *value)
{
	const char *start = sql + stmt->stmt_location;
	size_t		length = stmt->stmt_len ? (size_t) stmt->stmt_len : strlen(start);
	char	   *text = palloc0(length + 1);
	core_yy_extra_type extra;
	core_YYSTYPE token_value;
	YYLTYPE		location;
	core_yyscan_t scanner;
	int			token;

	memcpy(text, start, length);
	scanner = scanner_init(text, &extra, &ScanKeywords, ScanKeywordTokens);
	while ((token = core_yylex(&token_value, &location, scanner)) != 0)
	{
		if (token == SCONST && strcmp(token_value.str, value) == 0)
			return start + location;
	}
	return NULL;
}

static const char *
next_character(const char *at)
{
	do
		at++;
	while ((*at & 0xC0) == 0x80);
	return at;
}

/*
 * Converts a character position of the body to one of the SQL, both from
 * 1; 0 if unknown.  In a literal with escapes, it is that of the literal.
 */
static int
position_in_text(const Body *body, int position)
{
	const char *at = body->literal;
	bool		quoted;
	int			result = 1;

	if (at == NULL)
		return 0;
	quoted = *at == '\'';
	if (quoted || *at == '$')
	{
		at = quoted ? at + 1 : strchr(at + 1, '$') + 1;
		for (; position > 1 && *at != '\0'; position--)
		{
			/* a quote inside of quotes is doubled */
			if (quoted && *at == '\'' && at[1] == '\'')
				at++;
			at = next_character(at);
		}
	}
	for (const char *before = body->sql; before < at; before = next_character(before))
		result++;
	return result;
}

/*
 * PostgreSQL's own conversion from the body to the SQL starts from
 * the statement that the server executes, which libpg_query lacks.
 */
static void
place_error(void *arg)
{
	int			position = getinternalerrposition();

	if (position > 0)
	{
		internalerrposition(0);
		errposition(position_in_text(arg, position));
	}
}

static PLpgSQL_function *
compile(const char *sql, const RawStmt *raw)
{
	Node	   *stmt = raw->stmt;
	const char *source = plpgsql_body(stmt);
	Body		body = {.sql = sql};
	ErrorContextCallback callback = {
		.previous = error_context_stack,
		.callback = place_error,
		.arg = &body,
	};
	PLpgSQL_function *function;

	/* as in libpg_query */
	if (source == NULL)
		return palloc0(sizeof(PLpgSQL_function));

	body.literal = find_literal(sql, raw, source);
	error_context_stack = &callback;
	if (IsA(stmt, DoStmt))
		function = compile_do_stmt((DoStmt *) stmt);
	else
#if PG_VERSION_NUM >= 180000
		function = compile_create_function_stmt_via_callback((CreateFunctionStmt *) stmt);
#else
		function = compile_create_function_stmt((CreateFunctionStmt *) stmt);
#endif
	error_context_stack = callback.previous;

	/* 18 takes it from us, for a cache that does not exist */
	if (function->fn_cxt->parent == NULL)
		MemoryContextSetParent(function->fn_cxt, CurrentMemoryContext);
	return function;
}

/*
 * Functions and DO blocks are never part of
 * another statement that may contain PL/pgSQL.
 */
static void
append_functions(StringInfo out, const char *sql)
{
	MemoryContext call_context = CurrentMemoryContext;
	const List *stmts = raw_parser(sql, RAW_PARSE_DEFAULT);
	const ListCell *cell;

	appendStringInfoChar(out, '[');
	foreach(cell, stmts)
	{
		const RawStmt *raw = lfirst(cell);
		MemoryContext function_context;

		if (!IsA(raw->stmt, CreateFunctionStmt) && !IsA(raw->stmt, DoStmt))
			continue;
		function_context = AllocSetContextCreate(call_context, "shim function",
												 ALLOCSET_DEFAULT_SIZES);
		MemoryContextSwitchTo(function_context);
		if (out->len > 1)
			appendStringInfoChar(out, ',');
		appendStringInfoString(out, function_to_json(compile(sql, raw)));
		MemoryContextSwitchTo(call_context);
		MemoryContextDelete(function_context);
	}
	appendStringInfoChar(out, ']');
}

void
shim_plpgsql(const char *sql, size_t stack_bytes, ShimPlpgsql *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		StringInfoData json;

		initStringInfo(&json);
		append_functions(&json, sql);
		out->json = json.data;
		out->length = json.len;
	}
	SHIM_END_TRY(out);
}

SHIM_FREE(shim_plpgsql_free, ShimPlpgsql)

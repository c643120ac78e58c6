/*-------------------------------------------------------------------------
 *
 * plpgsql_parse.c
 *	  Parses SQL and the PL/pgSQL in it; see shim.h.
 *
 * The scanner, the grammar and the actions are PostgreSQL's, with the calls
 * of plpgsql_hooks.h.  The rest of its compiler, which needs a database, is
 * replaced: see plpgsql_header.c and plpgsql_types.c.
 *
 * The state of PL/pgSQL's compiler is thread-local, and initialised
 * for each function; the state left by an error is never read.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#include "parser/parser.h"
#include "utils/memutils.h"

/* ----- A body ----- */

/* For an error in the body. */
typedef struct Place
{
	Compile    *state;
#if PG_VERSION_NUM >= 180000
	yyscan_t	scanner;
#endif
} Place;

/* Sets the place of an error in the body, or tells the line near it. */
static void
place_error(void *arg)
{
	const Place *place = arg;
	Compile    *state = place->state;
	int			inner = state->error_place;

	state->error_place = -1;
	if (inner < 0)
	{
		int			position = geterrposition();

		if (position <= 0)
			position = getinternalerrposition();
		if (position > 0)
			inner = plpgsql_count_bytes(&state->body, position);
	}
	internalerrposition(0);
	internalerrquery(NULL);
	if (inner >= 0)
		errposition(plpgsql_count_characters(&state->outer, map_start(&state->map, inner)));
	else
#if PG_VERSION_NUM >= 180000
		errcontext("compilation of PL/pgSQL function \"%s\" near line %d",
				   plpgsql_error_funcname, plpgsql_latest_lineno(place->scanner));
#else
		errcontext("compilation of PL/pgSQL function \"%s\" near line %d",
				   plpgsql_error_funcname, plpgsql_latest_lineno());
#endif
}

void
plpgsql_run_grammar(PLpgSQL_function *function, const char *body)
{
	Place		place = {.state = plpgsql_compile_state};
	ErrorContextCallback callback = {
		.previous = error_context_stack,
		.callback = place_error,
		.arg = &place,
	};
	MemoryContext caller_context = MemoryContextSwitchTo(plpgsql_compile_tmp_cxt);
	int			failed;

#if PG_VERSION_NUM >= 180000
	place.scanner = plpgsql_scanner_init(body);
	MemoryContextSwitchTo(caller_context);
	error_context_stack = &callback;
	failed = plpgsql_yyparse(&function->action, place.scanner);
	plpgsql_scanner_finish(place.scanner);
#else
	plpgsql_scanner_init(body);
	MemoryContextSwitchTo(caller_context);
	error_context_stack = &callback;
	failed = plpgsql_yyparse();
	function->action = plpgsql_parse_result;
	plpgsql_scanner_finish();
#endif
	if (failed != 0)
		elog(ERROR, "plpgsql parser returned %d", failed);
	error_context_stack = callback.previous;
}

/* ----- The statement around it ----- */

static const DefElem *
find_option(const List *options, const char *name)
{
	const ListCell *cell;

	foreach(cell, options)
	{
		const DefElem *option = lfirst(cell);

		if (strcmp(option->defname, name) == 0)
			return option;
	}
	return NULL;
}

/*
 * Returns the body of a PL/pgSQL function, and finds its places;
 * NULL if the function is in another language.
 */
static const char *
find_body(Compile *state, const Node *stmt)
{
	bool		is_do = IsA(stmt, DoStmt);
	const Node *sql_body = is_do ? NULL : ((const CreateFunctionStmt *) stmt)->sql_body;
	const List *options = is_do ? ((const DoStmt *) stmt)->args :
		((const CreateFunctionStmt *) stmt)->options;
	const DefElem *language = find_option(options, "language");
	const DefElem *as = find_option(options, "as");
	const char *body;
	const char *literal;

	plpgsql_check_options(options, is_do ? NULL : (const CreateFunctionStmt *) stmt);
	if (language == NULL && !is_do && sql_body == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("no language specified")));
	if (language ? strcmp(strVal(language->arg), "plpgsql") != 0 : sql_body != NULL)
		return NULL;
	if (sql_body != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("inline SQL function body only valid for language SQL")));
	if (as == NULL)
		ereport(ERROR,
				(errcode(is_do ? ERRCODE_SYNTAX_ERROR : ERRCODE_INVALID_FUNCTION_DEFINITION),
				 is_do ? errmsg("no inline code specified") :
				 errmsg("no function body specified")));
	if (!is_do && list_length((const List *) as->arg) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("only one AS item needed for language \"%s\"", "plpgsql")));
	body = is_do ? strVal(as->arg) : strVal(linitial((const List *) as->arg));
	literal = state->outer.text + as->location;
	if (!is_do)
		literal = plpgsql_skip_blanks(literal + strlen("AS"));
	if (!plpgsql_map_literal(state->outer.text, literal, body, &state->map))
		elog(ERROR, "the literal with the body was not found");
	return body;
}

/* The map of a body that is the text itself. */
static void
map_text(const char *text, LocationMap *map)
{
	int			length = (int) strlen(text);
	MapPiece   *pieces = palloc(2 * sizeof(MapPiece));

	pieces[0] = (MapPiece) {0, 0, length};
	pieces[1] = (MapPiece) {length, length, 0};
	map->pieces = pieces + (length == 0);
	map->count = length == 0 ? 1 : 2;
	map->shift = 0;
	map->first = 0;
}

static PLpgSQL_function *
compile(Compile *state, const char *body)
{
	PLpgSQL_function *function;

	state->body = (CountedText) {.text = body};
	function = plpgsql_compile_body(body);
	function->location = map_start(&state->map, 0);
	function->end = map_end(&state->map, (int) strlen(body));
	return function;
}

/* A new state; only the counts of the outer text go on. */
static void
begin_function(Compile *state)
{
	CountedText outer = state->outer;
	MemoryContext context = state->context;
	MemoryContext scratch = state->scratch;
	const char *header = state->header;
	bool		shares_nodes = state->shares_nodes;

	memset(state, 0, sizeof(*state));
	state->outer = outer;
	state->context = context;
	state->scratch = scratch;
	state->header = header;
	state->shares_nodes = shares_nodes;
	state->error_place = -1;
	state->header_place = -1;
	MemoryContextReset(scratch);
	MemoryContextReset(plpgsql_compile_tmp_cxt);
	MemoryContextSwitchTo(context);
}

/* "body" is NULL unless it is a text of its own, without a literal around it. */
static void
add_function(Compile *state, const RawStmt *raw, const char *body, size_t stack_bytes,
			 ShimPlpgsqlFunction *out)
{
	out->stmt = raw;
	begin_function(state);
	state->raw = raw;
	PG_TRY();
	{
		shim_collect_warnings(state->context, &out->warnings);
		MemoryContextSwitchTo(plpgsql_compile_tmp_cxt);
		if (body != NULL)
			map_text(body, &state->map);
		else
			body = find_body(state, raw->stmt);
		MemoryContextSwitchTo(state->context);
		if (body != NULL)
			out->function = compile(state, body);
	}
	PG_CATCH();
	{
		STACK_WAS_UNWOUND(stack_bytes);
		out->error = shim_catch_error(state->context);
	}
	PG_END_TRY();
}

static bool
has_body(const RawStmt *raw)
{
	return IsA(raw->stmt, CreateFunctionStmt) || IsA(raw->stmt, DoStmt);
}

static void
begin(Compile *state, const char *outer, const char *header)
{
	state->outer.text = outer;
	state->header = header;
	state->context = CurrentMemoryContext;
	/* after an error, they are freed with the result */
	shim_enter_context(&state->scratch);
	MemoryContextSetParent(state->scratch, state->context);
	shim_enter_context(&plpgsql_compile_tmp_cxt);
	MemoryContextSetParent(plpgsql_compile_tmp_cxt, state->context);
	MemoryContextSwitchTo(state->context);
	plpgsql_compile_state = state;
}

static void
end(Compile *state, ShimPlpgsqlParse *out)
{
	plpgsql_compile_state = NULL;
	out->shares_nodes |= state->shares_nodes;
	MemoryContextSwitchTo(state->context);
	MemoryContextSetParent(plpgsql_compile_tmp_cxt, NULL);
	shim_free_context(plpgsql_compile_tmp_cxt);
	MemoryContextSetParent(state->scratch, NULL);
	shim_free_context(state->scratch);
	plpgsql_compile_tmp_cxt = NULL;
}

void
shim_plpgsql_parse(const char *sql, const ShimParseOptions *options, size_t stack_bytes,
				   ShimPlpgsqlParse *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		Compile		state = {0};
		ShimPlpgsqlFunction *functions;
		size_t		count = 0;
		const ListCell *cell;

		shim_collect_warnings(out->context, &out->warnings);
		(void) shim_use_options(options);
		out->stmts = parse_bytes(sql, strlen(sql), RAW_PARSE_DEFAULT, NULL, NULL);
		out->shares_nodes = parse_shares_nodes();
		foreach(cell, out->stmts)
			count += has_body(lfirst(cell));
		out->functions = functions = palloc0(Max(count, 1) * sizeof(ShimPlpgsqlFunction));
		begin(&state, sql, sql);
		foreach(cell, out->stmts)
		{
			if (has_body(lfirst(cell)))
				add_function(&state, lfirst(cell), NULL, stack_bytes, functions + out->count++);
		}
		end(&state, out);
	}
	SHIM_END_TRY(out);
	plpgsql_compile_state = NULL;
}

void
shim_plpgsql_body(const char *body, const char *header, const ShimParseOptions *options,
				  size_t stack_bytes, ShimPlpgsqlParse *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		Compile		state = {0};
		ShimPlpgsqlFunction *function;
		RawStmt    *raw = NULL;

		shim_collect_warnings(out->context, &out->warnings);
		(void) shim_use_options(options);
		if (header != NULL)
		{
			out->stmts = parse_bytes(header, strlen(header), RAW_PARSE_DEFAULT, NULL, NULL);
			out->shares_nodes = parse_shares_nodes();
			if (list_length(out->stmts) != 1 ||
				!IsA((raw = linitial(out->stmts))->stmt, CreateFunctionStmt))
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
						 errmsg("the header is not a CREATE FUNCTION or CREATE PROCEDURE")));
		}
		out->functions = function = palloc0(sizeof(ShimPlpgsqlFunction));
		begin(&state, body, header);
		add_function(&state, raw, body, stack_bytes, function);
		out->count = 1;
		end(&state, out);
	}
	SHIM_END_TRY(out);
	plpgsql_compile_state = NULL;
}

SHIM_FREE(shim_plpgsql_parse_free, ShimPlpgsqlParse)

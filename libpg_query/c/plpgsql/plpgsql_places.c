/*-------------------------------------------------------------------------
 *
 * plpgsql_places.c
 *	  Records the places of PL/pgSQL's nodes, and the trees of the SQL inside;
 *	  see plpgsql_hooks.h.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#include "lib/stringinfo.h"
#include "utils/memutils.h"

__thread Compile *plpgsql_compile_state;

bool
plpgsql_has_places(void)
{
	return plpgsql_compile_state != NULL;
}

/* ----- Tokens ----- */

void
plpgsql_note_token(int start, int length)
{
	Compile    *state = plpgsql_compile_state;

	if (state == NULL)
		return;
	state->before_token_end = state->token_end;
	state->token_end = start + length;
}

/* The next token will be the same one. */
void
plpgsql_untake_token(void)
{
	Compile    *state = plpgsql_compile_state;

	if (state != NULL)
		state->token_end = state->before_token_end;
}

int
plpgsql_start_at(int start)
{
	Compile    *state = plpgsql_compile_state;

	return state != NULL && start >= 0 ? map_start(&state->map, start) : -1;
}

static int
end_at(int end)
{
	Compile    *state = plpgsql_compile_state;

	return state != NULL && end >= 0 ? map_end(&state->map, end) : -1;
}

/* The offset after the last token before the grammar's next one. */
static int
token_end(bool has_next)
{
	Compile    *state = plpgsql_compile_state;

	if (state == NULL)
		return -1;
	return has_next ? state->before_token_end : state->token_end;
}

int
plpgsql_end_before(bool has_next)
{
	return end_at(token_end(has_next));
}

/* ----- Statements ----- */

PLpgSQL_stmt *
plpgsql_place_stmt(PLpgSQL_stmt *stmt, int start, bool has_next)
{
	if (stmt != NULL)
	{
		stmt->location = plpgsql_start_at(start);
		stmt->end = plpgsql_end_before(has_next);
	}
	return stmt;
}

void
plpgsql_end_block(PLpgSQL_stmt *block, int semicolon)
{
	if (semicolon >= 0)
		block->end = end_at(semicolon + 1);
}

PLpgSQL_stmt *
plpgsql_null_stmt(int lineno)
{
	PLpgSQL_stmt_null *stmt;

	if (plpgsql_compile_state == NULL)
		return NULL;
	stmt = palloc0(sizeof(PLpgSQL_stmt_null));
	stmt->cmd_type = PLPGSQL_STMT_NULL;
	stmt->lineno = lineno;
	return (PLpgSQL_stmt *) stmt;
}

bool
plpgsql_keep_written(PLpgSQL_case_when *when)
{
	if (plpgsql_compile_state == NULL)
		return false;
	when->written = palloc(sizeof(PLpgSQL_expr));
	*when->written = *when->expr;
	when->expr->tree = NULL;
	return true;
}

/* ----- Variables ----- */

static void
set_place(PLpgSQL_datum *datum, int location, int end)
{
	if (datum->dtype == PLPGSQL_DTYPE_RECFIELD)
		return;
	((PLpgSQL_variable *) datum)->location = location;
	((PLpgSQL_variable *) datum)->end = end;
}

void
plpgsql_place_datum(PLpgSQL_datum *datum, int start, bool has_next)
{
	if (plpgsql_compile_state != NULL)
		set_place(datum, plpgsql_start_at(start), plpgsql_end_before(has_next));
}

/* The variable of a loop has the place of its name, which was noted. */
PLpgSQL_datum *
plpgsql_place_loop_variable(PLpgSQL_datum *datum, int start)
{
	if (plpgsql_compile_state != NULL)
		set_place(datum, plpgsql_start_at(start), end_at(plpgsql_compile_state->loop_variable_end));
	return datum;
}

int
plpgsql_note_loop_variable(int lineno, bool has_next)
{
	if (plpgsql_compile_state != NULL)
		plpgsql_compile_state->loop_variable_end = token_end(has_next);
	return lineno;
}

void
plpgsql_start_decls(void)
{
	if (plpgsql_compile_state != NULL)
		plpgsql_compile_state->decls = NIL;
}

void
plpgsql_add_decl(PLpgSQL_decl_type kind, const char *name, int dno, int start, bool has_next)
{
	Compile    *state = plpgsql_compile_state;
	PLpgSQL_decl *decl;

	if (state == NULL)
		return;
	decl = palloc0(sizeof(PLpgSQL_decl));
	decl->kind = kind;
	decl->name = pstrdup(name);
	decl->dno = dno;
	PLACE_BEFORE(decl, start, has_next);
	state->decls = lappend(state->decls, decl);
	if (kind != PLPGSQL_DECL_ALIAS)
		set_place(plpgsql_Datums[dno], decl->location, decl->end);
	/* before 16, a cursor begins with its name */
	if (kind == PLPGSQL_DECL_CURSOR)
		((PLpgSQL_var *) plpgsql_Datums[dno])->default_val = NULL;
}

List *
plpgsql_take_decls(void)
{
	return plpgsql_compile_state != NULL ? plpgsql_compile_state->decls : NIL;
}

/* ----- Types and expressions ----- */

/* After the token that follows the type was taken back. */
PLpgSQL_type *
plpgsql_place_type(PLpgSQL_type *type, int start)
{
	Compile    *state = plpgsql_compile_state;

	if (state != NULL)
	{
		int			length = state->token_end - start;

		type->text = palloc0(length + 1);
		memcpy(type->text, state->body.text + start, length);
		PLACE_BEFORE(type, start, false);
	}
	return type;
}

PLpgSQL_expr *
plpgsql_place_expr(PLpgSQL_expr *expr, int start, int end)
{
	Compile    *state = plpgsql_compile_state;

	if (state != NULL)
	{
		expr->location = plpgsql_start_at(start);
		expr->end = end_at(end);
		state->expr = expr;
	}
	return expr;
}

bool
plpgsql_start_cursor_args(void)
{
	if (plpgsql_compile_state != NULL)
		plpgsql_compile_state->cursor_args = NIL;
	return false;
}

/* After the token that follows the argument. */
void
plpgsql_add_cursor_arg(const char *name, PLpgSQL_expr *expr, int start)
{
	Compile    *state = plpgsql_compile_state;
	PLpgSQL_cursor_arg *arg;

	if (state == NULL)
		return;
	arg = palloc0(sizeof(PLpgSQL_cursor_arg));
	arg->name = name != NULL ? pstrdup(name) : NULL;
	arg->expr = expr;
	arg->location = plpgsql_start_at(start);
	arg->end = expr->end;
	state->cursor_args = lappend(state->cursor_args, arg);
}

List *
plpgsql_take_cursor_args(void)
{
	return plpgsql_compile_state != NULL ? plpgsql_compile_state->cursor_args : NIL;
}

/* ----- The SQL inside ----- */

void
plpgsql_init_text(StringInfo text)
{
	Compile    *state = plpgsql_compile_state;
	MemoryContext caller_context = CurrentMemoryContext;

	if (state != NULL)
		MemoryContextSwitchTo(state->scratch);
	initStringInfo(text);
	MemoryContextSwitchTo(caller_context);
}

void
plpgsql_no_error_callback(void *arg)
{
}

/* For an error in a part of the body. */
typedef struct Part
{
	Compile    *state;
	const char *text;
	int			start;			/* in the body */
} Part;

static void
note_error_place(void *arg)
{
	const Part *part = arg;
	CountedText text = {.text = part->text};
	int			position = geterrposition();

	part->state->error_place = part->start;
	if (position > 0)
		part->state->error_place += plpgsql_count_bytes(&text, position);
	errposition(0);
}

/* Errors until error_context_stack is reset are in the part. */
#define BEGIN_PART(text, start) \
	Part		part = {plpgsql_compile_state, text, start}; \
	ErrorContextCallback callback = { \
		.previous = error_context_stack, \
		.callback = note_error_place, \
		.arg = &part, \
	}; \
	error_context_stack = &callback
#define END_PART() (error_context_stack = callback.previous)

static List *
parse_part(const char *text, RawParseMode mode, int start, int first)
{
	Compile    *state = plpgsql_compile_state;
	LocationMap map = state->map;
	List	   *trees;

	map.shift = start;
	map.first = first;
	trees = parse_mapped(text, mode, &map, state->scratch);
	state->shares_nodes |= parse_shares_nodes();
	MemoryContextReset(state->scratch);
	return trees;
}

void
plpgsql_parse_sql(const char *sql, RawParseMode mode, int start)
{
	Compile    *state = plpgsql_compile_state;
	MemoryContext caller_context;
	PLpgSQL_expr *expr;
	List	   *trees;

	if (state == NULL)
	{
		(void) raw_parser(sql, mode);
		return;
	}
	expr = state->expr;
	if (expr == NULL || expr->query != sql)
		elog(ERROR, "an expression has no place");
	caller_context = MemoryContextSwitchTo(state->context);
	BEGIN_PART(sql, start);
	/* "start" of PERFORM is one more, since SELECT is shorter */
	trees = parse_part(sql, mode, start, map_back(&state->map, expr->location));
	END_PART();
	if (trees != NIL)
	{
		expr->tree = linitial(trees);
		expr->tree->stmt_location = expr->location;
		expr->tree->stmt_len = expr->end - expr->location;
	}
	MemoryContextSwitchTo(caller_context);
}

PLpgSQL_type *
plpgsql_own_datatype(const char *text, int start)
{
	List	   *trees;
	TypeName   *name;
	Node	   *tree;
	PLpgSQL_type *type;

	BEGIN_PART(text, start);
	trees = parse_part(text, RAW_PARSE_TYPE_NAME, start, start);
	/* libpg_query treats it as a statement before 18 */
	tree = linitial(trees);
	name = (TypeName *) (IsA(tree, RawStmt) ? ((RawStmt *) tree)->stmt : tree);
	if (name->setof)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("invalid type name \"%s\"", text)));
	type = plpgsql_type_of(name);
	END_PART();
	return type;
}

/* ----- What PostgreSQL does in quadratic time ----- */

PLpgSQL_condition *
plpgsql_last_condition(PLpgSQL_condition *first)
{
	Compile    *state = plpgsql_compile_state;
	PLpgSQL_condition *last = first;

	if (state != NULL && state->first_condition == first)
		last = state->last_condition;
	while (last->next != NULL)
		last = last->next;
	if (state != NULL)
	{
		state->first_condition = first;
		state->last_condition = last;
	}
	return last;
}

int
plpgsql_line_at(const char *text, int location)
{
	Compile    *state = plpgsql_compile_state;
	int			low = 0;
	int			high;

	if (state->lines == NULL)
	{
		int			count = 0;
		int		   *lines;
		const char *at;

		for (at = text; (at = strchr(at, '\n')) != NULL; at++)
			count++;
		lines = MemoryContextAlloc(plpgsql_compile_tmp_cxt, (count + 1) * sizeof(int));
		count = 0;
		for (at = text; (at = strchr(at, '\n')) != NULL; at++)
			lines[count++] = at - text;
		state->lines = lines;
		state->line_count = count;
	}
	/* the number of lines that end before it */
	high = state->line_count;
	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (state->lines[middle] < location)
			low = middle + 1;
		else
			high = middle;
	}
	return low + 1;
}

/*-------------------------------------------------------------------------
 *
 * shim.c
 *	  A thread's state, errors and warnings, and parsing; see shim.h.
 *
 *-------------------------------------------------------------------------
 */
#include "shim_internal.h"

#include <limits.h>

#include "arena.h"
#include "stack_check.h"

#if PG_VERSION_NUM >= 160000
#include "utils/guc_hooks.h"
#endif
#if PG_VERSION_NUM < 180000
#include "tcop/tcopprot.h"
#endif

#include "mb/pg_wchar.h"
#include "utils/guc.h"
#include "utils/memutils.h"

/*
 * Stack reserved for the code below the last depth check: the
 * functions between two checks, and the reporting of the error itself.
 */
#define STACK_RESERVE (64 * 1024)

/* After this many warnings a call collects no more; see collect_warning. */
#define MAX_WARNINGS 1000

/* For errors without memory to describe them. */
const ShimError shim_out_of_memory = {
	.message = "out of memory",
	.sqlerrcode = ERRCODE_OUT_OF_MEMORY,
	.elevel = ERROR,
};

/* The output of collect_warning; context is NULL outside of calls. */
typedef struct Warnings
{
	MemoryContext context;
	const ShimError **tail;
	int			count;
} Warnings;

static __thread Warnings warnings;

__thread uintptr_t stack_floor;
__thread bool normalized_sql;

/* The contexts of freed results, for the next ones on this thread: a call of PL/pgSQL takes three. */
#define SPARE_CONTEXTS 3
static __thread MemoryContext spare_contexts[SPARE_CONTEXTS];
static __thread int spare_context_count;

static void collect_warning(ErrorData *edata);

bool
shim_thread_init(void)
{
	if (likely(TopMemoryContext != NULL))
		return true;

	if (!arena_thread_init())
		return false;
	SetDatabaseEncoding(PG_UTF8);
	emit_log_hook = collect_warning;
	return true;
}

void
shim_thread_exit(void)
{
	if (TopMemoryContext == NULL)
		return;

	shim_release_memory();
	arena_thread_exit();
	emit_log_hook = NULL;
}

void
shim_release_memory(void)
{
	while (spare_context_count > 0)
		MemoryContextDelete(spare_contexts[--spare_context_count]);
	arena_free_pool();
}

/*
 * Set this thread's state for one call.
 */
void
shim_enter(Frame *frame, size_t stack_bytes)
{
	size_t		usable = stack_bytes > STACK_RESERVE ? stack_bytes - STACK_RESERVE : 0;

	frame->stack_bytes = stack_bytes;
	frame->caller_context = CurrentMemoryContext;
	frame->max_stack_depth = max_stack_depth;
	frame->log_min_messages = log_min_messages;
	frame->backslash_quote = backslash_quote;
	frame->standard_conforming_strings = standard_conforming_strings;
	frame->escape_string_warning = escape_string_warning;
	frame->normalized_sql = normalized_sql;

	/* callers that want warnings call shim_collect_warnings; others do not pay for them */
	log_min_messages = ERROR;

	/* max_stack_depth is in kilobytes, and only used in messages */
	max_stack_depth = (int) Min(usable / 1024, (size_t) INT_MAX);
	assign_max_stack_depth(max_stack_depth, NULL);
	frame->stack_base = set_stack_base();

	/* "frame" is above the base that was just set */
	frame->stack_floor = stack_floor;
	stack_floor = (uintptr_t) frame - (uintptr_t) max_stack_depth * 1024;
	RESET_STACK_LEVELS();
}

/*
 * Restore the state.  This, like all code
 * outside of PG_TRY, must not raise errors.
 */
void
shim_leave(const Frame *frame)
{
	restore_stack_base(frame->stack_base);
	stack_floor = frame->stack_floor;
	max_stack_depth = frame->max_stack_depth;
	assign_max_stack_depth(frame->max_stack_depth, NULL);
	log_min_messages = frame->log_min_messages;
	backslash_quote = frame->backslash_quote;
	standard_conforming_strings = frame->standard_conforming_strings;
	escape_string_warning = frame->escape_string_warning;
	normalized_sql = frame->normalized_sql;
	memset(&warnings, 0, sizeof(warnings));
	MemoryContextSwitchTo(frame->caller_context);

	/*
	 * Warnings leave data there that elog.c frees piece by
	 * piece, unlike an arena; errors leave the copies
	 * since the last one.  No error is being reported now.
	 */
	if (!arena_is_empty(ErrorContext))
		MemoryContextReset(ErrorContext);
}

/*
 * Create the context of a result and switch to it.
 *
 * It has no parent, so that the result may move to another
 * thread: freeing the child would change a parent.
 */
void
shim_enter_context(MemoryContext *context)
{
	if (spare_context_count > 0)
		*context = spare_contexts[--spare_context_count];
	else
		*context = arena_create_pooled("shim");
	MemoryContextSwitchTo(*context);
}

void
shim_free_context(MemoryContext context)
{
	/*
	 * Spare memory is freed at the end of this thread; so its
	 * state must exist.  If there is no memory for that, leak.
	 */
	if (context == NULL || !shim_thread_init())
		return;
	if (spare_context_count == SPARE_CONTEXTS)
		MemoryContextDelete(context);
	else
	{
		MemoryContextReset(context);
		spare_contexts[spare_context_count++] = context;
	}
}

static const char *
copy_string(MemoryContext context, const char *string)
{
	return string ? MemoryContextStrdup(context, string) : NULL;
}

static ShimError *
describe(MemoryContext context, const ErrorData *edata)
{
	ShimError  *error = MemoryContextAllocZero(context, sizeof(ShimError));
	const char *funcname = edata->funcname;

#ifdef SHIM_SYMBOL_PREFIX
	/* the C compiler sees global functions by our names for them */
	if (funcname && strncmp(funcname, SHIM_SYMBOL_PREFIX, strlen(SHIM_SYMBOL_PREFIX)) == 0)
		funcname += strlen(SHIM_SYMBOL_PREFIX);
#endif

	error->message = copy_string(context, edata->message);
	error->detail = copy_string(context, edata->detail);
	error->hint = copy_string(context, edata->hint);
	error->context = copy_string(context, edata->context);
	error->filename = copy_string(context, edata->filename);
	error->funcname = copy_string(context, funcname);
	error->lineno = edata->lineno;
	error->cursorpos = edata->cursorpos;
	error->sqlerrcode = edata->sqlerrcode;
	error->elevel = edata->elevel;
	return error;
}

/*
 * The hook for messages that are not errors.  It also keeps them from stderr.
 *
 * A warning takes more memory than the SQL that causes it; hence
 * the limit, after which PostgreSQL does not even build one.
 */
static void
collect_warning(ErrorData *edata)
{
	edata->output_to_server = false;
	if (warnings.context == NULL || edata->elevel >= ERROR)
		return;

	*warnings.tail = describe(warnings.context, edata);
	warnings.tail = (const ShimError **) &(*warnings.tail)->next;
	if (++warnings.count >= MAX_WARNINGS)
		log_min_messages = ERROR;
}

void
shim_collect_warnings(MemoryContext context, const ShimError **list)
{
	warnings.context = context;
	warnings.tail = list;
	warnings.count = 0;

	/* NOTICE: an identifier was truncated to 63 bytes */
	log_min_messages = NOTICE;
}

/*
 * Convert the error that was just caught to data, and
 * leave the error subsystem.  To be called in PG_CATCH.
 *
 * Copying needs memory, and the error may
 * be out of memory, so this guards itself.
 */
const ShimError *
shim_catch_error(MemoryContext context)
{
	const ShimError *volatile error = &shim_out_of_memory;

	if (context != NULL)
	{
		PG_TRY();
		{
			MemoryContextSwitchTo(context);
			error = describe(context, CopyErrorData());
		}
		PG_CATCH();
		{
			/* report out of memory */
		}
		PG_END_TRY();
	}
	FlushErrorState();
	return error;
}

/*
 * RAW_PARSE_TYPE_NAME returns the parsed type without a
 * RawStmt.  (Before 18, libpg_query treats it as one.)
 */
static List *
only_raw_stmts(List *stmts)
{
	ListCell   *cell;

	foreach(cell, stmts)
	{
		if (!IsA(lfirst(cell), RawStmt))
		{
			RawStmt    *stmt = makeNode(RawStmt);

			stmt->stmt = lfirst(cell);
			lfirst(cell) = stmt;
		}
	}
	return stmts;
}

void
shim_parse(const char *sql, size_t length, const ShimParseOptions *options,
		   size_t stack_bytes, ShimParse *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		TokenPlaces *places = NULL;
		const void **log = options->ranges ? &out->range_log : NULL;

		shim_collect_warnings(out->context, &out->warnings);

		if (options->token_places)
			places = palloc0(TOKEN_PLACES(length) * sizeof(TokenPlaces));
		out->stmts = only_raw_stmts(parse_bytes(sql, length, shim_use_options(options), places, log));
		out->token_places = places;
		out->shares_nodes = parse_shares_nodes();
	}
	SHIM_END_TRY(out);
}

size_t
shim_parse_size(const ShimParse *parse)
{
	return parse->context != NULL ? arena_size(parse->context) : 0;
}

SHIM_FREE(shim_parse_free, ShimParse)

void
shim_ranges(const ShimParse *parse, size_t stack_bytes, ShimRanges *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		replay_ranges(parse, out);
	}
	SHIM_END_TRY(out);
}

SHIM_FREE(shim_ranges_free, ShimRanges)

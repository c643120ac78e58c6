/*-------------------------------------------------------------------------
 *
 * shim.c
 *	  The functions of the C library that Rust may call; see shim.h.
 *
 *-------------------------------------------------------------------------
 */
#include "shim.h"

#include <limits.h>
#include <signal.h>

#if PG_VERSION_NUM >= 160000
#include "gramparse.h"
#include "utils/guc_hooks.h"
#else
#include "parser/gramparse.h"
#endif
#if PG_VERSION_NUM < 180000
#include "tcop/tcopprot.h"
#endif

#include "guarded_deparse.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "parser/scansup.h"
#include "utils/guc.h"
#include "utils/memutils.h"

/*
 * Stack that is kept back for what runs below the last check of the depth:
 * the functions between two checks, and the reporting of the error itself.
 */
#define STACK_RESERVE (64 * 1024)

/* After so many warnings a call collects no more; see collect_warning. */
#define MAX_WARNINGS 1000

/*
 * The first block of a result's memory, which stays with the context when that
 * is reset: most statements need no other, and so no malloc.
 */
#define FIRST_BLOCK (64 * 1024)

/* For when there is no memory to describe an error in. */
static const ShimError out_of_memory = {
	.message = "out of memory",
	.sqlerrcode = ERRCODE_OUT_OF_MEMORY,
	.elevel = ERROR,
};

/* What one call changes of the thread's state, to be put back at its end. */
typedef struct Frame
{
	MemoryContext caller_context;
	pg_stack_base_t stack_base;
	int			max_stack_depth;
	int			log_min_messages;
} Frame;

/* Where collect_warning puts what it gets; context is NULL outside of calls. */
typedef struct Warnings
{
	MemoryContext context;
	const ShimError **tail;
	int			count;
} Warnings;

static __thread Warnings warnings;

/* The context of a freed result, for the next one on this thread. */
static __thread MemoryContext spare_context;

static void collect_warning(ErrorData *edata);

#ifdef SHIM_PROTOBUF_ORACLE
extern __thread sig_atomic_t pg_query_initialized;
#endif

bool
shim_thread_init(void)
{
	void	   *probe;

	if (likely(TopMemoryContext != NULL))
		return true;

	/*
	 * If MemoryContextInit finds no memory it ends the process, since it is
	 * what error reporting stands on.  Asking malloc for more than it needs
	 * tells us before.
	 */
	probe = malloc(4 * ALLOCSET_DEFAULT_INITSIZE);
	if (probe == NULL)
		return false;
	free(probe);

	MemoryContextInit();
	SetDatabaseEncoding(PG_UTF8);
	emit_log_hook = collect_warning;

#ifdef SHIM_PROTOBUF_ORACLE

	/*
	 * libpg_query's own initialisation creates a pthread key for each thread
	 * and never deletes one, so that a process has none left after about a
	 * thousand threads.  Ours has just done what it would do.
	 */
	pg_query_initialized = 1;
#endif
	return true;
}

void
shim_thread_exit(void)
{
	MemoryContext top = TopMemoryContext;

	if (top == NULL)
		return;

	/* As pg_query_free_top_memory_context does; none of this can throw. */
	MemoryContextSwitchTo(top);
	if (spare_context != NULL)
		MemoryContextDelete(spare_context);
	spare_context = NULL;
	MemoryContextDeleteChildren(top);

	/*
	 * Deleting a context of the default sizes only puts it on a list for
	 * reuse; so do it with the top one, too, and then empty that list.
	 */
	top->methods->delete_context(top);
#if PG_VERSION_NUM >= 180000
	AllocSetDeleteFreeList();
#else
	/* on that list, it is still there to tell which one */
	AllocSetDeleteFreeList(top);
#endif

	TopMemoryContext = NULL;
	CurrentMemoryContext = NULL;
	ErrorContext = NULL;
	emit_log_hook = NULL;
#ifdef SHIM_PROTOBUF_ORACLE
	pg_query_initialized = 0;
#endif
}

/*
 * Take over this thread's state for one call.
 */
static void
enter(Frame *frame, size_t stack_bytes)
{
	size_t		usable = stack_bytes > STACK_RESERVE ? stack_bytes - STACK_RESERVE : 0;

	frame->caller_context = CurrentMemoryContext;
	frame->max_stack_depth = max_stack_depth;
	frame->log_min_messages = log_min_messages;

	/* max_stack_depth is in kilobytes, and only used in messages */
	max_stack_depth = (int) Min(usable / 1024, (size_t) INT_MAX);
	assign_max_stack_depth(max_stack_depth, NULL);
	frame->stack_base = set_stack_base();
}

/*
 * Put everything back.  This, like all that runs outside of PG_TRY, must not
 * throw.
 */
static void
leave(const Frame *frame)
{
	restore_stack_base(frame->stack_base);
	max_stack_depth = frame->max_stack_depth;
	assign_max_stack_depth(frame->max_stack_depth, NULL);
	log_min_messages = frame->log_min_messages;
	memset(&warnings, 0, sizeof(warnings));
	MemoryContextSwitchTo(frame->caller_context);
}

/*
 * Make the context of a result and switch to it.
 *
 * It has no parent, so that the result may go to another thread: a parent
 * would be changed by whoever frees the child.
 */
static void
enter_context(MemoryContext *context)
{
	if (spare_context != NULL)
	{
		*context = spare_context;
		spare_context = NULL;
	}
	else
		*context = AllocSetContextCreate(NULL, "shim",
										 FIRST_BLOCK, FIRST_BLOCK, ALLOCSET_DEFAULT_MAXSIZE);
	MemoryContextSwitchTo(*context);
}

static void
free_context(MemoryContext context)
{
	/*
	 * What is spare is freed at this thread's end; so there has to be a state
	 * to be freed.  If there is no memory for that, leak.
	 */
	if (context == NULL || !shim_thread_init())
		return;
	if (spare_context != NULL)
		MemoryContextDelete(context);
	else
	{
		MemoryContextReset(context);
		spare_context = context;
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
	/* the C compiler knows global functions by the names we gave them */
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
 * The hook for messages that are no errors.  It keeps them from stderr, too.
 *
 * Finding the position of a warning takes time linear in the length of the
 * text, so a hostile text could make the work quadratic; hence the limit,
 * after which PostgreSQL does not even begin with a warning.
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

static void
collect_warnings_in(MemoryContext context, const ShimError **list)
{
	warnings.context = context;
	warnings.tail = list;
	warnings.count = 0;

	/* NOTICE: an identifier was cut down to 63 bytes */
	log_min_messages = NOTICE;
}

/*
 * Turn the error that has just been caught into data, and leave the error
 * subsystem.  To be called in PG_CATCH.
 *
 * Copying needs memory, and the lack of it may be what we were called for, so
 * this guards itself.
 */
static const ShimError *
catch_error(MemoryContext context)
{
	const ShimError *volatile error = &out_of_memory;

	if (context != NULL)
	{
		PG_TRY();
		{
			MemoryContextSwitchTo(context);
			error = describe(context, CopyErrorData());
		}
		PG_CATCH();
		{
			/* out of memory it is */
		}
		PG_END_TRY();
	}
	FlushErrorState();
	return error;
}

/*
 * The parsed type of RAW_PARSE_TYPE_NAME comes without a RawStmt around it.
 * (libpg_query takes it for one before 18.)
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
shim_parse(const char *sql, const ShimParseOptions *options,
		   size_t stack_bytes, ShimParse *out)
{
	Frame		frame;
	int			saved_backslash_quote;
	bool		saved_standard_conforming_strings;
	bool		saved_escape_string_warning;

	memset(out, 0, sizeof(*out));
	if (!shim_thread_init())
	{
		out->error = &out_of_memory;
		return;
	}

	enter(&frame, stack_bytes);
	saved_backslash_quote = backslash_quote;
	saved_standard_conforming_strings = standard_conforming_strings;
	saved_escape_string_warning = escape_string_warning;

	PG_TRY();
	{
		enter_context(&out->context);
		collect_warnings_in(out->context, &out->warnings);

		backslash_quote = options->backslash_quote;
		standard_conforming_strings = options->standard_conforming_strings;
		escape_string_warning = options->escape_string_warning;

		/* raw_parser uses the mode as an index */
		if (options->mode < RAW_PARSE_DEFAULT || options->mode > RAW_PARSE_PLPGSQL_ASSIGN3)
			elog(ERROR, "unknown parse mode %d", options->mode);

		out->stmts = only_raw_stmts(raw_parser(sql, (RawParseMode) options->mode));
	}
	PG_CATCH();
	{
		out->error = catch_error(out->context);
	}
	PG_END_TRY();

	backslash_quote = saved_backslash_quote;
	standard_conforming_strings = saved_standard_conforming_strings;
	escape_string_warning = saved_escape_string_warning;
	leave(&frame);
}

void
shim_parse_free(ShimParse *parse)
{
	free_context(parse->context);
	memset(parse, 0, sizeof(*parse));
}

/*
 * The options as the deparser wants them, with the comments whose place is in
 * [start, end).
 *
 * The offsets are compared as size_t, as libpg_query does it: a negative one
 * (a statement without location) is a very large one.
 */
static void
set_deparse_options(PostgresDeparseOpts *opts, const ShimDeparseOptions *options,
					PostgresDeparseComment *comments, size_t start, size_t end)
{
	opts->comment_count = 0;
	for (size_t i = 0; i < options->comment_count; i++)
	{
		size_t		location = options->comments[i].match_location;

		if (location >= start && location < end)
			opts->comments[opts->comment_count++] = &comments[i];
	}
}

/*
 * The counterpart of libpg_query's pg_query_deparse_protobuf_opts.
 */
static void
deparse_all(StringInfo str, const RawStmt *const *stmts, size_t count,
			const ShimDeparseOptions *options)
{
	PostgresDeparseOpts opts = {0};
	PostgresDeparseComment *comments = NULL;
	size_t		prev_end = 0;

#if PG_VERSION_NUM < 170000
	if (options->pretty_print || options->commas_start_of_line || options->comment_count > 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the deparser of PostgreSQL %d has no layouts and keeps no comments",
						PG_VERSION_NUM / 10000)));
#endif

	opts.pretty_print = options->pretty_print;
	opts.indent_size = options->indent_size;
	opts.max_line_length = options->max_line_length;
	opts.trailing_newline = options->trailing_newline;
	opts.commas_start_of_line = options->commas_start_of_line;

	if (options->comment_count > 0)
	{
		/* no overflow: the caller has an array of as large a struct */
		comments = palloc(sizeof(PostgresDeparseComment) * options->comment_count);
		opts.comments = palloc(sizeof(PostgresDeparseComment *) * options->comment_count);
		for (size_t i = 0; i < options->comment_count; i++)
		{
			comments[i].match_location = options->comments[i].match_location;
			comments[i].newlines_before_comment = options->comments[i].newlines_before;
			comments[i].newlines_after_comment = options->comments[i].newlines_after;
			/* the deparser only reads it */
			comments[i].str = (char *) options->comments[i].text;
			opts.comments[i] = &comments[i];
		}
		opts.comment_count = options->comment_count;
	}

	for (size_t i = 0; i < count; i++)
	{
		const RawStmt *stmt = stmts[i];
		bool		is_last = i == count - 1;

		if (stmt == NULL || !IsA(stmt, RawStmt))
			elog(ERROR, "a statement to deparse is no RawStmt");

		/* every statement gets the comments of its own part of the text */
		if (count > 1 && options->comment_count > 0)
		{
			size_t		end = is_last ? INT_MAX : (stmt->stmt_location + stmt->stmt_len);

			set_deparse_options(&opts, options, comments, prev_end, end);
			prev_end = end;
		}

		guarded_deparse(str, stmt, &opts);
		if (!is_last)
			appendStringInfoString(str, "; ");
	}
}

void
shim_deparse(const RawStmt *const *stmts, size_t count,
			 const ShimDeparseOptions *options,
			 size_t stack_bytes, ShimDeparse *out)
{
	Frame		frame;

	memset(out, 0, sizeof(*out));
	if (!shim_thread_init())
	{
		out->error = &out_of_memory;
		return;
	}

	enter(&frame, stack_bytes);
	PG_TRY();
	{
		StringInfoData str;

		enter_context(&out->context);
		initStringInfo(&str);

		/*
		 * The deparser looks at the last character of the text so far, and
		 * some malformed trees make it do so when there is none.
		 */
		appendStringInfoChar(&str, '\n');
		deparse_all(&str, stmts, count, options);
		out->text = str.data + 1;
		out->length = str.len - 1;
	}
	PG_CATCH();
	{
		out->error = catch_error(out->context);
	}
	PG_END_TRY();
	leave(&frame);
}

void
shim_deparse_free(ShimDeparse *deparse)
{
	free_context(deparse->context);
	memset(deparse, 0, sizeof(*deparse));
}

/*
 * The start of flex's private struct, for the length of the token just read:
 * the scanner exports no function for that.  libpg_query does the same.
 */
struct yyguts_t
{
	void	   *yyextra_r;
	FILE	   *yyin_r;
	FILE	   *yyout_r;
	size_t		yy_buffer_stack_top;
	size_t		yy_buffer_stack_max;
	struct yy_buffer_state *yy_buffer_stack;
	char		yy_hold_char;
	size_t		yy_n_chars;
	size_t		yyleng_r;
};

static int
keyword_kind(int token)
{
	switch (token)
	{
#define PG_KEYWORD(name, value, category, label) case value: return (category) + 1;
#include "parser/kwlist.h"
#undef PG_KEYWORD
		default:
			return 0;
	}
}

/*
 * Where the token ends.  What the scanner puts together from several rules
 * ends where it stopped; of the others flex knows the length.
 */
static int
token_end(int token, int start, const core_yy_extra_type *extra, core_yyscan_t scanner)
{
	switch (token)
	{
		case SCONST:
		case USCONST:
		case BCONST:
		case XCONST:
		case IDENT:
		case UIDENT:
		case C_COMMENT:
			return extra->yyllocend;
		default:
			return start + (int) ((struct yyguts_t *) scanner)->yyleng_r;
	}
}

static void
scan_all(const char *sql, ShimScan *out)
{
	core_yy_extra_type extra;
	core_YYSTYPE value;
	YYLTYPE		location;
	size_t		capacity = 64;
	size_t		count = 0;
	ShimToken  *tokens = palloc(sizeof(ShimToken) * capacity);
	core_yyscan_t scanner = scanner_init(sql, &extra, &ScanKeywords, ScanKeywordTokens);
	int			token;

#if PG_VERSION_NUM >= 180000
	/* before, only the grammar skips them */
	extra.return_comments = true;
#endif
	while ((token = core_yylex(&value, &location, scanner)) != 0)
	{
		if (count == capacity)
		{
			capacity *= 2;
			tokens = repalloc(tokens, sizeof(ShimToken) * capacity);
		}
		tokens[count++] = (ShimToken)
		{
			.start = location,
			.end = token_end(token, location, &extra, scanner),
			.token = token,
			.keyword_kind = keyword_kind(token),
		};
	}
	scanner_finish(scanner);

	out->tokens = tokens;
	out->count = count;
}

void
shim_scan(const char *sql, size_t stack_bytes, ShimScan *out)
{
	Frame		frame;

	memset(out, 0, sizeof(*out));
	if (!shim_thread_init())
	{
		out->error = &out_of_memory;
		return;
	}

	enter(&frame, stack_bytes);
	PG_TRY();
	{
		enter_context(&out->context);
		collect_warnings_in(out->context, &out->warnings);
		scan_all(sql, out);
	}
	PG_CATCH();
	{
		out->error = catch_error(out->context);
	}
	PG_END_TRY();
	leave(&frame);
}

void
shim_scan_free(ShimScan *scan)
{
	free_context(scan->context);
	memset(scan, 0, sizeof(*scan));
}

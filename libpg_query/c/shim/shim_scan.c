/*-------------------------------------------------------------------------
 *
 * shim_scan.c
 *	  Scans SQL into tokens; see shim.h.
 *
 *-------------------------------------------------------------------------
 */
#include "shim_internal.h"

#if PG_VERSION_NUM >= 160000
#include "gramparse.h"
#else
#include "parser/gramparse.h"
#endif

#include "parser/scansup.h"

#include "words.h"

/*
 * The start of flex's private struct, for the length of the last token:
 * the scanner exports no function for it.  libpg_query does the same.
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
 * Returns the end of the token.  A token that the scanner assembles from
 * several rules ends where it stopped; for others, flex has the length.
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

/* A scan that may continue after errors. */
typedef struct Scan
{
	core_yy_extra_type extra;
	core_yyscan_t scanner;
	core_YYSTYPE value;
	YYLTYPE		location;
	size_t		capacity;		/* of the tokens */
	size_t		mistake_capacity;
	int			end;			/* of the last token or error */
	bool		within;			/* the next token contains the last error */
	int			without_end;	/* the number of literals and comments without one */
	ShimScan   *out;
} Scan;

/* After this many unterminated literals and comments, the next one extends to the end of the input. */
#define MOST_WITHOUT_END 16

static void
add_token(Scan *scan, int token)
{
	ShimScan   *out = scan->out;
	ShimToken  *tokens = (ShimToken *) out->tokens;

	scan->end = token_end(token, scan->location, &scan->extra, scan->scanner);
	if (scan->within)
	{
		ShimMistake *mistakes = (ShimMistake *) out->mistakes;

		mistakes[out->mistake_count - 1].end = scan->end;
		scan->within = false;
		return;
	}
	if (out->count == scan->capacity)
	{
		size_t		capacity = scan->capacity == 0 ? 64 : scan->capacity * 2;

		tokens = tokens == NULL ? palloc(sizeof(ShimToken) * capacity)
			: repalloc(tokens, sizeof(ShimToken) * capacity);
		out->tokens = tokens;
		scan->capacity = capacity;
	}
	tokens[out->count] = (ShimToken)
	{
		.start = scan->location,
		.end = scan->end,
		.token = token,
		.keyword_kind = keyword_kind(token),
	};
	/* only after it is written: an error keeps those before it */
	out->count++;
}

static void
scan_tokens(Scan *scan)
{
	int			token;

	while ((token = core_yylex(&scan->value, &scan->location, scan->scanner)) != 0)
		add_token(scan, token);
}

/* Returns whether it is the SQL of an error. */
static bool
is_mistake(const ShimError *error)
{
	int			category = ERRCODE_TO_CATEGORY(error->sqlerrcode);

	return category != ERRCODE_INSUFFICIENT_RESOURCES &&
		category != ERRCODE_PROGRAM_LIMIT_EXCEEDED &&
		category != ERRCODE_INTERNAL_ERROR;
}

/* Records what the scanner has rejected, and continues the scan. */
static void
add_mistake(Scan *scan, const ShimError *error)
{
	ShimScan   *out = scan->out;
	ShimMistake *mistakes = (ShimMistake *) out->mistakes;
	GoesOn		goes_on;

	if (!scan->within)
	{
		/* all except blanks are tokens or errors */
		while (scanner_isspace(scan->extra.scanbuf[scan->end]))
			scan->end++;
		if (out->mistake_count == scan->mistake_capacity)
		{
			size_t		capacity = scan->mistake_capacity == 0 ? 4 : scan->mistake_capacity * 2;

			mistakes = mistakes == NULL ? palloc(sizeof(ShimMistake) * capacity)
				: repalloc(mistakes, sizeof(ShimMistake) * capacity);
			out->mistakes = mistakes;
			scan->mistake_capacity = capacity;
		}
		mistakes[out->mistake_count] = (ShimMistake) {.start = scan->end, .error = error};
		out->mistake_count++;
	}

	goes_on = scanner_go_on(scan->scanner, mistakes[out->mistake_count - 1].start,
							scan->without_end >= MOST_WITHOUT_END, &scan->end);
	/* the start of the SQL that messages quote */
	scan->location = scan->end;
	mistakes[out->mistake_count - 1].end = scan->end;
	scan->within = goes_on == GOES_ON_WITHIN;
	scan->without_end += goes_on == GOES_ON_AFTER_LINE;
}

/* Scans up to the next error, or to the end.  Returns the error, or NULL. */
static const ShimError *
scan_to_mistake(Scan *scan, size_t stack_bytes)
{
	const ShimError *volatile error = NULL;

	PG_TRY();
	{
		scan_tokens(scan);
	}
	PG_CATCH();
	{
		STACK_WAS_UNWOUND(stack_bytes);
		error = shim_catch_error(scan->out->context);
	}
	PG_END_TRY();
	return error;
}

static void
scan_all(const char *sql, bool lossy, size_t stack_bytes, ShimScan *out)
{
	Scan	   *scan = palloc0(sizeof(Scan));
	const ShimError *error;

	scan->out = out;
	scan->scanner = scanner_init(sql, &scan->extra, &ScanKeywords, ScanKeywordTokens);
#if PG_VERSION_NUM >= 180000
	/* before, only the grammar skips them */
	scan->extra.return_comments = true;
#endif
	if (!lossy)
		scan_tokens(scan);
	while (lossy && (error = scan_to_mistake(scan, stack_bytes)) != NULL)
	{
		if (!is_mistake(error))
		{
			out->error = error;
			break;
		}
		add_mistake(scan, error);
	}
	scanner_finish(scan->scanner);
}

void
shim_scan(const char *sql, bool lossy, bool normalized, size_t stack_bytes, ShimScan *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		normalized_sql = normalized;
		shim_collect_warnings(out->context, &out->warnings);
		scan_all(sql, lossy, stack_bytes, out);
	}
	SHIM_END_TRY(out);
}

SHIM_FREE(shim_scan_free, ShimScan)

bool
shim_is_reserved(const char *word, size_t length)
{
	int			keyword = length > 0 ? keyword_number(word, length) : -1;

	return keyword >= 0 && ScanKeywordCategories[keyword] != UNRESERVED_KEYWORD;
}

/*-------------------------------------------------------------------------
 *
 * shim_scan.c
 *	  Text to tokens; see shim.h.
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
	SHIM_TRY(out, stack_bytes);
	{
		shim_collect_warnings(out->context, &out->warnings);
		scan_all(sql, out);
	}
	SHIM_END_TRY(out);
}

void
shim_scan_free(ShimScan *scan)
{
	shim_free_context(scan->context);
	memset(scan, 0, sizeof(*scan));
}

bool
shim_is_reserved(const char *word, size_t length)
{
	int			keyword = length > 0 ? keyword_number(word, length) : -1;

	return keyword >= 0 && ScanKeywordCategories[keyword] != UNRESERVED_KEYWORD;
}

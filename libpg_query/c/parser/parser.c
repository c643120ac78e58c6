/*-------------------------------------------------------------------------
 *
 * parser.c
 *	  PostgreSQL's scanner, grammar and the functions they call most, as one unit.
 *
 * The compiler sees through the calls between these files, and
 * allocation is inlined into the grammar.  The scanner's handling of
 * words is replaced where PostgreSQL takes several passes over a word,
 * and where it takes several over the input; see scan_progress.h.
 *
 *-------------------------------------------------------------------------
 */
#define ARENA_INLINE
#include "arena.h"
#include "shim_internal.h"

#include "common/keywords.h"
#include "common/kwlookup.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "nodes/makefuncs.h"
#include "parser/scanner.h"
#include "parser/scansup.h"

#include "location_map.h"
#include "plpgsql_words.h"
#include "range_log.h"
#include "scan_fast.h"
#include "scan_progress.h"
#include "words.h"

#include "src_common_keywords.c"
#include "src_common_kwlookup.c"
#include "src_backend_nodes_list.c"
#include "src_backend_nodes_value.c"
#include "src_backend_nodes_makefuncs.c"
#include "src_backend_parser_scansup.c"

/* ----- Words ----- */

#include "keyword_tables.h"

/*
 * ScanKeywordLookup for a word with a known length other than 0.
 */
static inline int
keyword_lookup(const char *word, size_t length, const ScanKeywordList *keywords)
{
	/* PL/pgSQL has other keywords */
	if (unlikely(keywords != &ScanKeywords))
		return plpgsql_reserved_number(word, length, keywords);
	return keyword_number(word, length);
}

/* Eight bytes, with ASCII letters converted to lower case. */
static inline uint64
downcase_bytes(uint64 bytes)
{
	const uint64 ones = UINT64CONST(0x0101010101010101);
	uint64		ascii = bytes & (ones * 0x7F);
	/* the high bit of each byte is set if it is at least 'A', more than 'Z' */
	uint64		from_a = ascii + ones * (0x80 - 'A');
	uint64		from_z = ascii + ones * (0x7F - 'Z');
	uint64		capital = from_a & ~from_z & ~bytes & (ones * 0x80);

	return bytes | (capital >> 2);
}

/*
 * downcase_truncate_identifier for UTF-8, where only ASCII
 * letters change case, for a word in the scanner's buffer.
 */
static inline char *
downcase_word(const char *word, int length, bool warn)
{
	char	   *result = palloc(COPY_ROOM(length));

	for (int i = 0; i <= length; i += 8)
	{
		uint64		bytes;

		memcpy(&bytes, word + i, 8);
		bytes = downcase_bytes(bytes);
		memcpy(result + i, &bytes, 8);
	}
	result[length] = '\0';

	if (length >= NAMEDATALEN)
		truncate_identifier(result, length, warn);
	return result;
}

/* ----- The scanner ----- */

/* The input of parse_bytes, so that scanner_init need not search for its end. */
static __thread const char *input;
static __thread size_t input_length;
/* The output for its token places, or NULL. */
static __thread TokenPlaces *input_places;
/* The log of its tokens and rules, or NULL. */
static __thread RangeLog *input_log;
/* The same for the input being parsed. */
static __thread RangeLog *parse_log;
/* The map of its places, or NULL, in the same way ... */
static __thread const LocationMap *input_map;
static __thread const LocationMap *parse_map;
/* ... and the context for the memory of the scanner. */
static __thread MemoryContext input_scratch;

/*
 * Valid for one call: later input may be at the same address.
 */
static inline size_t
string_length(const char *string)
{
	if (string != input)
	{
		input_places = NULL;
		input_log = NULL;
		input_map = NULL;
		return strlen(string);
	}
	input = NULL;
	return input_length;
}

static inline TokenPlaces *
take_places(void)
{
	TokenPlaces *places = input_places;

	parse_log = input_log;
	parse_map = input_map;
	input_log = NULL;
	input_map = NULL;
	input_places = NULL;
	return places;
}

#define ScanKeywordLookup(word, keywords) \
	keyword_lookup(word, (word) == yytext ? (size_t) yyleng : strlen(word), keywords)
#define downcase_truncate_identifier(word, length, warn) downcase_word(word, length, warn)
#define strlen(string) string_length(string)
/* At the start of each rule's action; a patch adds the field. */
#define YY_USER_ACTION \
	if (unlikely(yyg->progress.stop != NULL)) \
		end_match(&yyg->progress, yy_cp, &yyg->yy_hold_char);
#include "src_backend_parser_scan.c"
#undef strlen
#undef ScanKeywordLookup
#undef downcase_truncate_identifier

GoesOn
scanner_go_on(void *scanner, int start, bool to_end, int *place)
{
	struct yyguts_t *yyg = scanner;
	char	   *text = yyg->yyextra_r->scanbuf;
	char	   *end = text + yyg->yyextra_r->scanbuflen;
	GoesOn		goes_on = GOES_ON_BEHIND;

	/* as flex does before it continues */
	*yyg->yy_c_buf_p = yyg->yy_hold_char;
	if (YY_START != INITIAL && yyg->yy_c_buf_p < end)
	{
		goes_on = GOES_ON_WITHIN;
		if (YY_START == xeu)
			BEGIN(xe);
	}
	else if (YY_START != INITIAL)
	{
		char	   *at = text + start;

		goes_on = GOES_ON_AFTER_LINE;
		while (at < end && (to_end || (*at != '\n' && *at != '\r')))
			at++;
		yyg->yy_c_buf_p = at;
		BEGIN(INITIAL);
	}
	/* PostgreSQL 16 rejects junk after a number with the first byte of it */
	while (yyg->yy_c_buf_p < end && (*yyg->yy_c_buf_p & 0xC0) == 0x80)
		yyg->yy_c_buf_p++;
	yyg->yy_hold_char = *yyg->yy_c_buf_p;
	*place = yyg->yy_c_buf_p - text;
	return goes_on;
}

/* These are the names of flex in scan.c, and of Bison in gram.c. */
#undef YY_USER_ACTION
#undef yylex
#undef yyextra
#undef yylloc
#undef yylval
#undef REDUCE
#undef YYSTYPE
#undef INITIAL

/* The scanner of versions before 18 returns comments, and the filter looks ahead at them. */
static inline bool
is_comment(int token)
{
#if PG_VERSION_NUM < 180000
	return token == SQL_COMMENT || token == C_COMMENT;
#else
	return false;
#endif
}

/* core_yylex without comments, which records the token's place if requested. */
static inline int
noting_yylex(core_YYSTYPE *value, YYLTYPE *location, core_yyscan_t scanner)
{
	const struct yyguts_t *state = scanner;
	TokenPlaces *places = state->progress.places;
	int			token;

	do
		token = core_yylex(value, location, scanner);
	while (unlikely(is_comment(token)));

	if (unlikely(places != NULL))
	{
		/* flex has put a NUL at the end of the token */
		size_t		end = state->yy_c_buf_p - state->yyextra_r->scanbuf;
		size_t		start = *location;

		if (places == PLACES_IN_LOG)
		{
			log_token(state->progress.log, EVENT_TOKEN | (uint32) token, *location, (int) end);
			return token;
		}
		if (token == 0)
			return token;
		places[start / 64].starts |= UINT64CONST(1) << (start % 64);
		places[end / 64].ends |= UINT64CONST(1) << (end % 64);
	}
	return token;
}

/*
 * Each column of SET (a, b) = ..  is a separate node, and points to the
 * same source.  Two more kinds of nodes point to what another one points
 * to: the arguments of a function, and the columns of a recursive view.
 * And what a function returns is a copy of the type of its only column, or a
 * row; columns are parameters with a mode of their own.
 */
static __thread bool shares_nodes;

#define T_MultiAssignRef (shares_nodes = true, T_MultiAssignRef)
#define T_ObjectWithArgs (shares_nodes = true, T_ObjectWithArgs)
#define T_ViewStmt (shares_nodes = true, T_ViewStmt)
#define FUNC_PARAM_TABLE (shares_nodes = true, FUNC_PARAM_TABLE)
#undef core_yylex
#define core_yylex noting_yylex
#include "grammar.h"

/* The grammar's actions see mapped places, the scanner does not. */
static int
grammar_errposition(int location, core_yyscan_t scanner)
{
	if (parse_map != NULL)
		location = map_back(parse_map, location);
	return scanner_errposition(location, scanner);
}

/* An alias whose name is the token's own string, which has a range, and no copy of it. */
static Alias *
make_alias(char *name, List *columns)
{
	Alias	   *alias = makeNode(Alias);

	alias->aliasname = name;
	alias->colnames = columns;
	return alias;
}

/* The names may be macros already, for the prefix. */
#pragma push_macro("makeAlias")
#undef makeAlias
#define makeAlias(name, columns) make_alias(name, columns)
#pragma push_macro("scanner_errposition")
#undef scanner_errposition
#define scanner_errposition(location, scanner) grammar_errposition(location, scanner)
#include "src_backend_parser_gram.c"
#pragma pop_macro("scanner_errposition")
#pragma pop_macro("makeAlias")
StaticAssertDecl(PARAM_OF_NORMALIZED == YYERRCODE, "the token of build/extensions.rs");
#undef T_MultiAssignRef
#undef T_ObjectWithArgs
#undef T_ViewStmt
#undef FUNC_PARAM_TABLE

/* Sets which grammar a scanner's tokens are for. */
static inline void
scan_for_grammar(core_yyscan_t scanner)
{
	if (normalized_sql)
		((struct yyguts_t *) scanner)->progress.parameter = PARAM_OF_NORMALIZED;
}

/* The scanner's memory is not needed after the parse. */
static core_yyscan_t
scanner_init_in_scratch(const char *text, core_yy_extra_type *extra,
						const ScanKeywordList *keywords, const uint16 *tokens)
{
	MemoryContext caller_context = CurrentMemoryContext;
	core_yyscan_t scanner;

	if (unlikely(input_scratch != NULL))
		MemoryContextSwitchTo(input_scratch);
	input_scratch = NULL;
	scanner = scanner_init(text, extra, keywords, tokens);
	MemoryContextSwitchTo(caller_context);
	scan_for_grammar(scanner);
	return scanner;
}

#pragma push_macro("scanner_init")
#undef scanner_init
#define scanner_init(text, extra, keywords, tokens) \
	scanner_init_in_scratch(text, extra, keywords, tokens)
#include "src_backend_parser_parser.c"
#pragma pop_macro("scanner_init")

#include "terminals.h"
#include "automaton.h"
#include "repair.h"
#include "complete.h"
#include "range_replay.h"

size_t
arena_log_position(const RangeLog *log)
{
	return log_position(log);
}

List *
parse_bytes(const char *sql, size_t length, RawParseMode mode, TokenPlaces *places,
			const void **log)
{
	RangeLog   *own_log = NULL;
	List	   *stmts;

	if (log != NULL)
	{
		*log = own_log = begin_log(length, mode != RAW_PARSE_DEFAULT);
		places = PLACES_IN_LOG;
	}
	input = sql;
	input_length = length;
	shares_nodes = false;
	input_places = places;
	input_log = own_log;
	stmts = raw_parser(sql, mode);
	if (own_log != NULL)
		end_log(own_log);
	return stmts;
}

List *
parse_mapped(const char *sql, RawParseMode mode, const LocationMap *map, MemoryContext scratch)
{
	shares_nodes = false;
	input = sql;
	input_length = strlen(sql);
	input_places = NULL;
	input_log = NULL;
	input_map = map;
	input_scratch = scratch;
	return raw_parser(sql, mode);
}

bool
parse_shares_nodes(void)
{
	return shares_nodes;
}

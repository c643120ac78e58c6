/*
 * Shared by the shim's own files: the start and the end of a call.
 */
#ifndef SHIM_INTERNAL_H
#define SHIM_INTERNAL_H

#include "shim.h"

#include "miscadmin.h"

#include "sanitizer.h"

/* The thread state that a call changes, and restores at its end. */
typedef struct Frame
{
	MemoryContext caller_context;
	pg_stack_base_t stack_base;
	uintptr_t	stack_floor;
	size_t		stack_bytes;	/* of this call */
	int			max_stack_depth;
	int			log_min_messages;
	int			backslash_quote;
	bool		standard_conforming_strings;
	bool		escape_string_warning;
	bool		normalized_sql;
} Frame;

/*
 * Whether the scanner and the grammar accept what libpg_query adds to those
 * of PostgreSQL for the texts of pg_stat_statements: parameters where only a
 * constant may stand, and words right after a parameter; in 15, also after a
 * number.
 */
extern __thread bool normalized_sql;

/* For errors without memory to describe them. */
extern const ShimError shim_out_of_memory;

extern void shim_enter(Frame *frame, size_t stack_bytes);
extern void shim_leave(const Frame *frame);
extern void shim_enter_context(MemoryContext *context);
extern void shim_free_context(MemoryContext context);
extern void shim_collect_warnings(MemoryContext context, const ShimError **list);

/* The number of TokenPlaces for this many bytes; a token may end after the last byte. */
#define TOKEN_PLACES(length) ((length) / 64 + 1)

/*
 * raw_parser for SQL that need not end in NUL, and contains none.  Raises
 * errors.  "places" is NULL, or zeroed, and receives the token places.  "log"
 * is NULL, or receives the data from which the ranges of nodes are derived.
 */
extern List *parse_bytes(const char *sql, size_t length, RawParseMode mode, TokenPlaces *places,
						 const void **log);

/*
 * raw_parser for a part of a literal's value: the places in the tree are those
 * in the text around the literal, but those of errors are in "sql".  The
 * scanner's memory is in "scratch".
 */
struct LocationMap;
extern List *parse_mapped(const char *sql, RawParseMode mode, const struct LocationMap *map,
						  MemoryContext scratch);

/* Find them, in the current context.  May raise an error. */
extern void replay_ranges(const ShimParse *parse, ShimRanges *out);

/* The functions of shim.h, which may raise errors. */
extern void grammar_terminals(const char *sql, RawParseMode mode, ShimTerminals *out);
extern void grammar_repair(const uint16 *terminals, size_t count, ShimRepair *out);
extern void grammar_derive(const char *sql, size_t length, RawParseMode mode, ShimDerivation *out);
extern void grammar_expect(const uint16 *terminals, size_t count, bool skip, const uint16 *asked,
						   ShimExpect *out);
extern void grammar_complete(const uint16 *terminals, size_t count, size_t place, ShimExpect *out);

/*
 * After an error of the scanner in a token that begins at "start": continue
 * the scan, and return where.  In a literal that may have an end, it
 * continues inside, and the next token is the literal; after one without an
 * end it continues after its first line, or at the end of the input.
 */
typedef enum GoesOn
{
	GOES_ON_BEHIND,
	GOES_ON_WITHIN,
	GOES_ON_AFTER_LINE,
} GoesOn;

extern GoesOn scanner_go_on(void *scanner, int start, bool to_end, int *place);

/* Returns whether a node of the last tree may have several parents. */
extern bool parse_shares_nodes(void);

/* Sets the scanner's settings, which shim_leave restores.  Returns the mode, if there is such a mode. */
static inline RawParseMode
shim_use_options(const ShimParseOptions *options)
{
	/* raw_parser uses the mode as an index */
	if (options->mode < RAW_PARSE_DEFAULT || options->mode > RAW_PARSE_PLPGSQL_ASSIGN3)
		elog(ERROR, "unknown parse mode %d", options->mode);
	backslash_quote = options->backslash_quote;
	standard_conforming_strings = options->standard_conforming_strings;
	escape_string_warning = options->escape_string_warning;
	normalized_sql = options->normalized;
	return (RawParseMode) options->mode;
}

/* To be called in PG_CATCH. */
extern const ShimError *shim_catch_error(MemoryContext context);

/*
 * The parts of every call: the thread's state, a memory
 * context for the result, and errors as data.  The code
 * between the two may raise an error; it must not return.
 */
#define SHIM_TRY(out, stack_bytes) \
	do { \
		Frame		shim_frame; \
		memset((out), 0, sizeof(*(out))); \
		if (!shim_thread_init()) \
		{ \
			(out)->error = &shim_out_of_memory; \
			break; \
		} \
		shim_enter(&shim_frame, (stack_bytes)); \
		PG_TRY(); \
		{ \
			shim_enter_context(&(out)->context);

#define SHIM_END_TRY(out) \
		} \
		PG_CATCH(); \
		{ \
			STACK_WAS_UNWOUND(shim_frame.stack_bytes); \
			(out)->error = shim_catch_error((out)->context); \
		} \
		PG_END_TRY(); \
		shim_leave(&shim_frame); \
	} while (0)

/* Defines the function that frees the result of a call. */
#define SHIM_FREE(function, type) \
	void \
	function(type *out) \
	{ \
		shim_free_context(out->context); \
		memset(out, 0, sizeof(*out)); \
	}

#endif							/* SHIM_INTERNAL_H */

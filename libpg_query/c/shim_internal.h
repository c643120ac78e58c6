/*
 * What the shim's own files share: how a call begins and ends.
 */
#ifndef SHIM_INTERNAL_H
#define SHIM_INTERNAL_H

#include "shim.h"

#include "miscadmin.h"

#include "sanitizer.h"

/* What one call changes of the thread's state, to be put back at its end. */
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
} Frame;

/* For when there is no memory to describe an error in. */
extern const ShimError shim_out_of_memory;

extern void shim_enter(Frame *frame, size_t stack_bytes);
extern void shim_leave(const Frame *frame);
extern void shim_enter_context(MemoryContext *context);
extern void shim_free_context(MemoryContext context);
extern void shim_collect_warnings(MemoryContext context, const ShimError **list);

/* How many of them a text of so many bytes has; a token may end after the last byte. */
#define TOKEN_PLACES(length) ((length) / 64 + 1)

/*
 * raw_parser of a text that need not end in NUL, and has none in it.  Throws.
 * "places" is NULL, or is zeroed, and gets those of the tokens.  "log" is
 * NULL, or gets what the ranges of nodes are found from.
 */
extern List *parse_bytes(const char *sql, size_t length, RawParseMode mode, TokenPlaces *places,
						 const void **log);

/* Find them, in the current context.  May throw. */
extern void replay_ranges(const ShimParse *parse, ShimRanges *out);

/* Those of shim.h, which may throw. */
extern void grammar_terminals(const char *sql, RawParseMode mode, ShimTerminals *out);
extern void grammar_repair(const uint16 *terminals, size_t count, ShimRepair *out);
extern void grammar_expect(const uint16 *terminals, size_t count, bool skip, ShimExpect *out);

/*
 * After an error of the scanner, in a token that begins at "start": make it go
 * on, and tell where.  In a literal that may have an end it goes on in there,
 * and the next token is the literal; one without is left where its first line
 * ends, or where the text does.
 */
typedef enum GoesOn
{
	GOES_ON_BEHIND,
	GOES_ON_WITHIN,
	GOES_ON_AFTER_LINE,
} GoesOn;

extern GoesOn scanner_go_on(void *scanner, int start, bool to_end, int *place);

/* Whether a node of the tree that it made last may have several parents. */
extern bool parse_shares_nodes(void);

/* What the scanner looks at.  shim_leave puts the settings back. */
static inline void
shim_use_options(const ShimParseOptions *options)
{
	backslash_quote = options->backslash_quote;
	standard_conforming_strings = options->standard_conforming_strings;
	escape_string_warning = options->escape_string_warning;
}

/* The same with all options. */
extern List *shim_raw_parser(const char *sql, size_t length, const ShimParseOptions *options,
							 TokenPlaces *places, const void **log);

/* To be called in PG_CATCH. */
extern const ShimError *shim_catch_error(MemoryContext context);

/*
 * What every call is made of: the thread's state, a memory context for the
 * result, and errors as data.  What stands between the two may throw; it must
 * not return.
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

#endif							/* SHIM_INTERNAL_H */

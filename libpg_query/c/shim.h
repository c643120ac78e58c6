/*-------------------------------------------------------------------------
 *
 * shim.h
 *	  The functions of the C library that Rust may call.
 *
 * PostgreSQL reports errors by longjmp, which must not cross a Rust frame.
 * Every function here therefore catches whatever is thrown below it and
 * hands it back as data.  Nothing else of the library is called from Rust.
 *
 * All state of the library is thread-local.  Results are not: each owns a
 * memory context without a parent, so that a result may be read and freed on
 * another thread than the one that made it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SHIM_H
#define SHIM_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"
#include "parser/parser.h"

/* The values of sqlerrcode that callers tell apart. */
typedef enum ShimSqlState
{
	SHIM_STATEMENT_TOO_COMPLEX = ERRCODE_STATEMENT_TOO_COMPLEX,
	SHIM_OUT_OF_MEMORY = ERRCODE_OUT_OF_MEMORY,
	SHIM_INTERNAL_ERROR = ERRCODE_INTERNAL_ERROR,
} ShimSqlState;

/*
 * An error or a warning.  Strings are NULL or NUL-terminated; they live as
 * long as the result that the struct was found in.
 */
typedef struct ShimError
{
	const char *message;
	const char *detail;
	const char *hint;
	const char *context;
	const char *filename;		/* of the C source, without folder */
	const char *funcname;		/* without the prefix of our symbols */
	int			lineno;
	int			cursorpos;		/* in characters, from 1; 0 if unknown */
	int			sqlerrcode;		/* made by MAKE_SQLSTATE */
	int			elevel;			/* WARNING, ERROR, ... */
	const struct ShimError *next;	/* the next warning, if any */
} ShimError;

/* The settings that change what the parser makes of a text. */
typedef struct ShimParseOptions
{
	RawParseMode mode;
	BackslashQuoteType backslash_quote;
	bool		standard_conforming_strings;
	bool		escape_string_warning;
	bool		token_places;	/* keep them for shim_normalize */
	bool		ranges;			/* note where the nodes are in the text */
} ShimParseOptions;

/*
 * Where the tokens of 64 bytes of a text start and end, as the scanner's core
 * finds them: a bit for each byte.
 */
typedef struct TokenPlaces
{
	uint64		starts;
	uint64		ends;
} TokenPlaces;

/* Where something is in a text: byte offsets, -1 for what no token makes. */
typedef struct ShimRange
{
	int			start;
	int			end;
} ShimRange;

/* Where a rule of the grammar is, or a token, and when it was there. */
typedef struct NotedRange
{
	ShimRange	range;
	const char *limit;			/* where the free memory began behind it */
	size_t		event;
} NotedRange;

/*
 * Of a node or list: which range is that of the rule that made it, and which
 * one is its own.  They differ if another rule has added to it.
 */
typedef struct ShimMark
{
	uint32		made;
	uint32		now;
} ShimMark;

/*
 * Behind the range of a rule that makes several nodes: those of its symbols,
 * after one that has this as its start, and their number as its end.
 */
#define SHIM_SYMBOLS (-2)

/* The ranges of nodes. */
typedef struct ShimRanges
{
	MemoryContext context;		/* owns all that follows; may be NULL */
	const ShimError *error;		/* NULL if all went well */
	const NotedRange *ranges;	/* what the marks count */
	size_t		count;
	const TokenPlaces *token_places;
	size_t		length;			/* of the text */
	void	   *replay;			/* for shim_string_range and shim_node_mark, one at a time */
} ShimRanges;

/* What shim_parse found. */
typedef struct ShimParse
{
	MemoryContext context;		/* owns all that follows; may be NULL */
	const List *stmts;			/* NULL if there is an error, or no statement */
	const ShimError *error;		/* NULL if all went well */
	const ShimError *warnings;	/* in the order they were raised */
	bool		shares_nodes;	/* whether a node may have several parents */
	const TokenPlaces *token_places;	/* NULL unless the options ask for them */
	const void *range_log;		/* for shim_ranges; NULL unless the options ask for ranges */
} ShimParse;

/* A comment to be put back by the deparser. */
typedef struct ShimComment
{
	int			match_location; /* goes before the first node at or after */
	int			newlines_before;
	int			newlines_after;
	const char *text;			/* with its delimiters */
} ShimComment;

/* How the deparser lays out its text. */
typedef struct ShimDeparseOptions
{
	const ShimComment *comments;
	size_t		comment_count;
	bool		pretty_print;
	bool		trailing_newline;
	bool		commas_start_of_line;
	int			indent_size;	/* 0 for the default */
	int			max_line_length;	/* 0 for the default */
} ShimDeparseOptions;

/* What shim_deparse made. */
typedef struct ShimDeparse
{
	MemoryContext context;		/* owns all that follows; may be NULL */
	const char *text;			/* NULL if there is an error */
	size_t		length;			/* of text, without its NUL */
	const ShimError *error;		/* NULL if all went well */
} ShimDeparse;

/* A token of the scanner, comments among them. */
typedef struct ShimToken
{
	int			start;			/* byte offsets into the text */
	int			end;
	int			token;			/* as in gram.h, and in the .proto's enum Token */
	int			keyword_kind;	/* as in the .proto's enum KeywordKind */
} ShimToken;

/* A part of a text that the scanner refuses. */
typedef struct ShimMistake
{
	int			start;			/* byte offsets into the text */
	int			end;			/* where the scan goes on */
	const ShimError *error;
} ShimMistake;

/* What shim_scan found. */
typedef struct ShimScan
{
	MemoryContext context;		/* owns all that follows; may be NULL */
	const ShimToken *tokens;
	size_t		count;
	const ShimMistake *mistakes;	/* of a lossy scan */
	size_t		mistake_count;
	const ShimError *error;		/* NULL if all went well; else the tokens are those before it */
	const ShimError *warnings;	/* in the order they were raised */
} ShimScan;

/* A token as the grammar gets it. */
typedef struct ShimTerminal
{
	uint16		symbol;			/* for shim_symbol */
	int			start;			/* byte offset into the text */
} ShimTerminal;

/* What shim_terminals found. */
typedef struct ShimTerminals
{
	MemoryContext context;		/* owns all that follows; may be NULL */
	const ShimTerminal *terminals;	/* up to the scanner's mistake, if there is one */
	size_t		count;
	const ShimError *error;		/* NULL if all went well */
} ShimTerminals;

/* Whether a terminal may come next. */
typedef enum ShimNext
{
	SHIM_NEXT_NOT,
	SHIM_NEXT,
	SHIM_NEXT_NAME,				/* a keyword that would only be a name there */
} ShimNext;

/* A symbol of the grammar that is no terminal, and the terminals that it was made of. */
typedef struct ShimMade
{
	const char *symbol;			/* its name, which is static */
	size_t		first;
	size_t		end;			/* the one behind its last */
} ShimMade;

/* What shim_expect found. */
typedef struct ShimExpect
{
	MemoryContext context;		/* owns all that follows; may be NULL */
	size_t		taken;			/* how many terminals the grammar took */
	const uint8 *next;			/* of each terminal, its ShimNext */
	size_t		next_count;
	const bool *becomes;		/* of each other symbol, whether an identifier may become it */
	size_t		becomes_count;
	const ShimMade *made;		/* tables, columns and the like before */
	size_t		made_count;
	const ShimError *error;		/* NULL if all went well */
} ShimExpect;

/* A change to terminals. */
typedef struct ShimChange
{
	size_t		index;			/* of the terminal that it is at, or their count */
	uint16		symbol;			/* what is put in before it, or 0 */
	bool		removes;		/* whether that terminal is left out */
} ShimChange;

/* What shim_repair found. */
typedef struct ShimRepair
{
	MemoryContext context;		/* owns all that follows; may be NULL */
	const ShimChange *changes;	/* in the order of their indexes */
	size_t		count;
	bool		complete;		/* whether the grammar takes what comes of them */
	const ShimError *error;		/* NULL if all went well */
} ShimRepair;

/*
 * A hash of a node and all below it, which must not throw.  It takes from
 * "nodes_left" what it has looked at, and stops where nothing is left.
 */
typedef uint64 (*ShimHashNode) (const Node *node, size_t *nodes_left);

/* What shim_normalize made. */
typedef struct ShimNormalize
{
	MemoryContext context;		/* owns all that follows; may be NULL */
	const char *text;			/* NULL if there is an error */
	size_t		length;			/* of text, without its NUL */
	const ShimError *error;		/* NULL if all went well */
} ShimNormalize;

/* What shim_plpgsql found. */
typedef struct ShimPlpgsql
{
	MemoryContext context;		/* owns all that follows; may be NULL */
	const char *json;			/* NULL if there is an error */
	size_t		length;			/* of json, without its NUL */
	const ShimError *error;		/* NULL if all went well */
} ShimPlpgsql;

/*
 * Set up the state of this thread, unless that has been done.  The other
 * functions do so themselves; false means that there is no memory for it.
 */
extern bool shim_thread_init(void);

/*
 * The memory of the last result that was freed on a thread stays with it, for
 * the next one: so many bytes of it at most.
 */
#define SHIM_KEPT_BYTES (4 * 1024 * 1024)

/* Give this thread's spare memory back. */
extern void shim_release_memory(void);

/* Free the state of this thread.  A later call sets it up again. */
extern void shim_thread_exit(void);

/*
 * In all of the following, "stack_bytes" is how much stack the caller
 * guarantees below the call.  Recursion that would need more ends in the
 * error ERRCODE_STATEMENT_TOO_COMPLEX.  "out" needs no initialisation, and is
 * to be freed with the matching function, whether there is an error or not.
 *
 * A text is a C string, unless its length is given: then it need not end in
 * NUL, but must not have one in it.
 */
extern void shim_parse(const char *sql, size_t length, const ShimParseOptions *options,
					   size_t stack_bytes, ShimParse *out);
extern void shim_parse_free(ShimParse *parse);

/* The bytes that a result holds, in use or not. */
extern size_t shim_parse_size(const ShimParse *parse);

/*
 * The ranges of a tree that was parsed for them, which stays as it is.  They
 * are valid as long as the tree is.
 */
extern void shim_ranges(const ShimParse *parse, size_t stack_bytes, ShimRanges *out);
extern void shim_ranges_free(ShimRanges *ranges);

/*
 * The range of what a string of the tree was made of: mostly one token.  There
 * is none if the string is PostgreSQL's own, as "pg_catalog".
 */
extern ShimRange shim_string_range(const ShimRanges *ranges, const char *string);

/* The mark of a node or list of the tree, not of what is a part of another node. */
extern ShimMark shim_node_mark(const ShimRanges *ranges, const void *node);

extern void shim_deparse(const RawStmt *const *stmts, size_t count,
						 const ShimDeparseOptions *options,
						 size_t stack_bytes, ShimDeparse *out);
extern void shim_deparse_free(ShimDeparse *deparse);

/*
 * A lossy scan goes on after what the scanner refuses: behind it, or, after a
 * literal or comment that has no end, in the next line.  After some of the
 * latter the next one reaches to the end of the text, since each takes a scan
 * up to there.
 */
extern void shim_scan(const char *sql, bool lossy, size_t stack_bytes, ShimScan *out);
extern void shim_scan_free(ShimScan *scan);

/*
 * The terminals of a text.  Of the options, the mode is the first terminal if
 * it is not the default.
 */
extern void shim_terminals(const char *sql, const ShimParseOptions *options,
						   size_t stack_bytes, ShimTerminals *out);
extern void shim_terminals_free(ShimTerminals *terminals);

/*
 * Takes terminals up to one that the grammar refuses, or leaves out those that
 * it refuses; and tells what may come after.
 */
extern void shim_expect(const uint16 *terminals, size_t count, bool skip,
						size_t stack_bytes, ShimExpect *out);
extern void shim_expect_free(ShimExpect *expect);

/* Finds few changes after which the grammar takes terminals. */
extern void shim_repair(const uint16 *terminals, size_t count, size_t stack_bytes,
						ShimRepair *out);
extern void shim_repair_free(ShimRepair *repair);

/* The name of a symbol in gram.y, which is static; NULL if there is none of that number. */
extern const char *shim_symbol(size_t symbol);

/*
 * Whether a word, which need not end in a NUL, is a keyword that is not free to
 * be any name.
 */
extern bool shim_is_reserved(const char *word, size_t length);

/*
 * "parse" is what shim_parse made of the same text with the same options, and
 * "token_places"; or NULL, then the text is parsed here.  A tree of more than "max_nodes" nodes is
 * an error of the kind ERRCODE_PROGRAM_LIMIT_EXCEEDED.
 */
extern void shim_normalize(const char *sql, const ShimParse *parse,
						   const ShimParseOptions *options,
						   bool utility_only, ShimHashNode hash_node,
						   size_t max_nodes, size_t stack_bytes, ShimNormalize *out);
extern void shim_normalize_free(ShimNormalize *normalize);

/*
 * Only with the feature plpgsql: a JSON array with an object for each CREATE
 * FUNCTION and DO of the text.  Statements of PL/pgSQL can be nested some
 * thousand deep: the stack of PL/pgSQL's grammar has a limit.  What recurses
 * over them does not look at the thread's stack, and needs up to 4 MB of it
 * without optimisation; so give it 16 MB.
 */
extern void shim_plpgsql(const char *sql, size_t stack_bytes, ShimPlpgsql *out);
extern void shim_plpgsql_free(ShimPlpgsql *plpgsql);

#endif							/* SHIM_H */

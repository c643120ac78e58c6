/*-------------------------------------------------------------------------
 *
 * shim.h
 *	  The functions of the C library that Rust may call.
 *
 * PostgreSQL reports errors by longjmp, which must not cross a Rust
 * frame.  Every function here therefore catches all errors below it
 * and returns them as data.  Rust calls nothing else of the library.
 *
 * All state of the library is thread-local.  Results are not:
 * each owns a memory context without a parent, so another
 * thread than the one that made it may read and free it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SHIM_H
#define SHIM_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"
#include "parser/parser.h"

/* The values of sqlerrcode that callers distinguish. */
typedef enum ShimSqlState
{
	SHIM_STATEMENT_TOO_COMPLEX = ERRCODE_STATEMENT_TOO_COMPLEX,
	SHIM_OUT_OF_MEMORY = ERRCODE_OUT_OF_MEMORY,
	SHIM_INTERNAL_ERROR = ERRCODE_INTERNAL_ERROR,
} ShimSqlState;

/*
 * An error or a warning.  Strings are NULL or NUL-terminated;
 * they live as long as the result that contains the struct.
 */
typedef struct ShimError
{
	const char *message;
	const char *detail;
	const char *hint;
	const char *context;
	const char *filename;		/* of the C source, without a folder */
	const char *funcname;		/* without the prefix of our symbols */
	int			lineno;
	int			cursorpos;		/* in characters, from 1; 0 if unknown */
	int			sqlerrcode;		/* from MAKE_SQLSTATE */
	int			elevel;			/* WARNING, ERROR, ... */
	const struct ShimError *next;	/* the next warning, if any */
} ShimError;

/* The settings that affect parsing. */
typedef struct ShimParseOptions
{
	RawParseMode mode;
	BackslashQuoteType backslash_quote;
	bool		standard_conforming_strings;
	bool		escape_string_warning;
	bool		normalized;		/* accept what libpg_query has for normalized SQL; see normalized_sql */
	bool		token_places;	/* record them for shim_normalize */
	bool		ranges;			/* record the ranges of nodes */
} ShimParseOptions;

/*
 * The starts and ends of the tokens in 64 bytes of the
 * input, as found by the scanner's core: one bit per byte.
 */
typedef struct TokenPlaces
{
	uint64		starts;
	uint64		ends;
} TokenPlaces;

/* A range of the input: byte offsets, -1 for nodes that no token makes. */
typedef struct ShimRange
{
	int			start;
	int			end;
} ShimRange;

/* The range of a grammar rule or a token, and its time. */
typedef struct RecordedRange
{
	ShimRange	range;
	const char *limit;			/* the start of the free memory after it */
	size_t		event;
} RecordedRange;

/*
 * For a node or list: the range of the rule that made it, and
 * its own range.  They differ if another rule has added to it.
 */
typedef struct ShimMark
{
	uint32		made;
	uint32		now;
} ShimMark;

/*
 * After the range of a rule that makes several nodes: those of its symbols,
 * after an entry that has this as its start, and their number as its end.
 */
#define SHIM_SYMBOLS (-2)

/* The ranges of nodes. */
typedef struct ShimRanges
{
	MemoryContext context;		/* owns the data below; may be NULL */
	const ShimError *error;		/* NULL on success */
	const RecordedRange *ranges;	/* indexed by the marks */
	size_t		count;
	const TokenPlaces *token_places;
	size_t		length;			/* of the input */
	void	   *replay;			/* for shim_string_range and shim_node_mark, one call at a time */
} ShimRanges;

/* The result of shim_parse. */
typedef struct ShimParse
{
	MemoryContext context;		/* owns the data below; may be NULL */
	const List *stmts;			/* NULL on error, or without statements */
	const ShimError *error;		/* NULL on success */
	const ShimError *warnings;	/* in the order of their occurrence */
	bool		shares_nodes;	/* whether a node may have several parents */
	const TokenPlaces *token_places;	/* NULL unless requested by the options */
	const void *range_log;		/* for shim_ranges; NULL unless requested by the options */
} ShimParse;

/* A comment for the deparser to insert. */
typedef struct ShimComment
{
	int			match_location; /* goes before the first node at or after this */
	int			newlines_before;
	int			newlines_after;
	const char *text;			/* with its delimiters */
} ShimComment;

/* The layout of deparsed SQL. */
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

/* The result of shim_deparse. */
typedef struct ShimDeparse
{
	MemoryContext context;		/* owns the data below; may be NULL */
	const char *text;			/* NULL on error */
	size_t		length;			/* of text, without its NUL */
	const ShimError *error;		/* NULL on success */
} ShimDeparse;

/* A token of the scanner; comments are tokens, too. */
typedef struct ShimToken
{
	int			start;			/* byte offsets into the input */
	int			end;
	int			token;			/* as in gram.h, and in the .proto's enum Token */
	int			keyword_kind;	/* as in the .proto's enum KeywordKind */
} ShimToken;

/* A part of the input that the scanner rejects. */
typedef struct ShimMistake
{
	int			start;			/* byte offsets into the input */
	int			end;			/* where the scan continues */
	const ShimError *error;
} ShimMistake;

/* The result of shim_scan. */
typedef struct ShimScan
{
	MemoryContext context;		/* owns the data below; may be NULL */
	const ShimToken *tokens;
	size_t		count;
	const ShimMistake *mistakes;	/* of a lossy scan */
	size_t		mistake_count;
	const ShimError *error;		/* NULL on success; otherwise the tokens are those before the error */
	const ShimError *warnings;	/* in the order of their occurrence */
} ShimScan;

/* A token as the grammar receives it. */
typedef struct ShimTerminal
{
	uint16		symbol;			/* for shim_symbol */
	int			start;			/* byte offsets into the input */
	int			end;
} ShimTerminal;

/* The result of shim_terminals. */
typedef struct ShimTerminals
{
	MemoryContext context;		/* owns the data below; may be NULL */
	const ShimTerminal *terminals;	/* up to the scanner's error, if there is one */
	size_t		count;
	const ShimError *error;		/* NULL on success */
} ShimTerminals;

/* Tells whether a terminal may come next. */
typedef enum ShimNext
{
	SHIM_NEXT_NOT,
	SHIM_NEXT,
	SHIM_NEXT_NAME,				/* a keyword that would only be a name there */
} ShimNext;

/* A nonterminal of the grammar, and the terminals that it was made of. */
typedef struct ShimMade
{
	const char *symbol;			/* its name, which is static */
	size_t		first;
	size_t		end;			/* the one after its last */
} ShimMade;

/* The result of shim_expect. */
typedef struct ShimExpect
{
	MemoryContext context;		/* owns the data below; may be NULL */
	size_t		taken;			/* the number of terminals that the grammar accepted */
	const uint8 *next;			/* the ShimNext of each terminal */
	size_t		next_count;
	const bool *becomes;		/* for each nonterminal, whether an identifier may become it */
	size_t		becomes_count;
	const ShimMade *made;		/* tables, names and queries of WITH */
	size_t		made_count;
	const ShimMade *under;		/* of shim_complete: all symbols that come before the identifier */
	size_t		under_count;
	const ShimError *error;		/* NULL on success */
} ShimExpect;

/* A change to terminals. */
typedef struct ShimChange
{
	size_t		index;			/* of the changed terminal, or the number of terminals */
	uint16		symbol;			/* the symbol to insert before it, or 0 */
	bool		removes;		/* whether to remove that terminal */
} ShimChange;

/* The result of shim_repair. */
typedef struct ShimRepair
{
	MemoryContext context;		/* owns the data below; may be NULL */
	const ShimChange *changes;	/* ordered by index */
	size_t		count;
	bool		complete;		/* whether the grammar accepts the result */
	const ShimError *error;		/* NULL on success */
} ShimRepair;

/* What the grammar did next. */
typedef enum ShimStepKind
{
	SHIM_STEP_TAKE,				/* took a terminal */
	SHIM_STEP_MISSING,			/* took one that is not there */
	SHIM_STEP_SKIP,				/* did not take a terminal */
	SHIM_STEP_MAKE,				/* made a symbol of the last ones, by a rule */
	SHIM_STEP_EXTEND,			/* the same, and the first of them is a list that it makes longer */
} ShimStepKind;

/*
 * No step is noted for a rule that only passes on another rule's symbol, nor for
 * a keyword that becomes one of a class.
 */
typedef struct ShimStep
{
	uint16		symbol;			/* the terminal, or the symbol made */
	uint8		kind;			/* a ShimStepKind */
	uint8		length;			/* of a rule: the number of its symbols */
} ShimStep;

/* The result of shim_derive. */
typedef struct ShimDerivation
{
	MemoryContext context;		/* owns the data below; may be NULL */
	const ShimTerminal *terminals;
	size_t		terminal_count;
	const ShimStep *steps;		/* each terminal is taken or skipped in one of them, in their order */
	size_t		step_count;
	const ShimError *error;		/* NULL on success; otherwise there is nothing else */
} ShimDerivation;

/*
 * Hashes a node and all nodes below it; must not raise errors.  It subtracts
 * the nodes that it has visited from "nodes_left", and stops at 0.
 */
typedef uint64 (*ShimHashNode) (const Node *node, size_t *nodes_left);

/*
 * Writes the nodes right below a node to "children", which has this much
 * room, and returns how many there are; must not raise errors.
 */
typedef size_t (*ShimChildren) (const Node *node, const Node **children, size_t room);

/* The result of shim_normalize. */
typedef struct ShimNormalize
{
	MemoryContext context;		/* owns the data below; may be NULL */
	const char *text;			/* NULL on error */
	size_t		length;			/* of text, without its NUL */
	bool		counts_all;		/* no parameter of the SQL is in a place that is not looked at */
	const ShimError *error;		/* NULL on success */
} ShimNormalize;

/* A CREATE FUNCTION, CREATE PROCEDURE or DO, and its body. */
typedef struct ShimPlpgsqlFunction
{
	const RawStmt *stmt;
	const struct PLpgSQL_function *function;	/* NULL on error, and for another language */
	const ShimError *error;		/* NULL on success; its cursor is in the whole text */
	const ShimError *warnings;	/* in the order of their occurrence; as well */
} ShimPlpgsqlFunction;

/* The result of shim_plpgsql_parse. */
typedef struct ShimPlpgsqlParse
{
	MemoryContext context;		/* owns the data below; may be NULL */
	const List *stmts;			/* NULL on error, or without statements */
	const ShimError *error;		/* of the SQL around the bodies; NULL on success */
	const ShimError *warnings;	/* of the SQL around the bodies */
	bool		shares_nodes;	/* whether a node may have several parents */
	const ShimPlpgsqlFunction *functions;
	size_t		count;
} ShimPlpgsqlParse;

/*
 * Initialise the state of this thread, unless that has been done.  The
 * other functions do so themselves; returns false if out of memory.
 */
extern bool shim_thread_init(void);

/*
 * Free this thread's spare memory: that of results that were freed
 * on it, for the next ones; see ARENA_POOL_BYTES.
 */
extern void shim_release_memory(void);

/* Free the state of this thread.  A later call initialises it again. */
extern void shim_thread_exit(void);

/*
 * In all functions below, "stack_bytes" is the stack that the caller
 * guarantees below the call.  Recursion that needs more ends in the
 * error ERRCODE_STATEMENT_TOO_COMPLEX.  "out" needs no initialisation,
 * and must be freed with the matching function, even after an error.
 *
 * SQL is a C string, unless its length is passed: then
 * it need not end in NUL, but must not contain one.
 */
extern void shim_parse(const char *sql, size_t length, const ShimParseOptions *options,
					   size_t stack_bytes, ShimParse *out);
extern void shim_parse_free(ShimParse *parse);

/* Returns the bytes that a result holds, used or not. */
extern size_t shim_parse_size(const ShimParse *parse);

/*
 * Finds the ranges of a tree that was parsed with ranges; the
 * tree is unchanged.  They are valid as long as the tree.
 */
extern void shim_ranges(const ShimParse *parse, size_t stack_bytes, ShimRanges *out);
extern void shim_ranges_free(ShimRanges *ranges);

/*
 * Returns the range that a string of the tree was made from: usually a
 * token.  PostgreSQL's own strings, such as "pg_catalog", have none.
 */
extern ShimRange shim_string_range(const ShimRanges *ranges, const char *string);

/* Returns the mark of a node or list of the tree that is not a part of another node. */
extern ShimMark shim_node_mark(const ShimRanges *ranges, const void *node);

extern void shim_deparse(const RawStmt *const *stmts, size_t count,
						 const ShimDeparseOptions *options,
						 size_t stack_bytes, ShimDeparse *out);
extern void shim_deparse_free(ShimDeparse *deparse);

/*
 * A lossy scan continues after input that the scanner rejects: right
 * after it or, after an unterminated literal or comment, on the next
 * line.  After some unterminated ones, the next one extends to the
 * end of the input, since each of them takes a scan up to there.
 *
 * Words right after a parameter are rejected unless the SQL is normalized.
 */
extern void shim_scan(const char *sql, bool lossy, bool normalized, size_t stack_bytes,
					  ShimScan *out);
extern void shim_scan_free(ShimScan *scan);

/*
 * Returns the terminals of SQL.  Of the options, a
 * mode other than the default is the first terminal.
 */
extern void shim_terminals(const char *sql, const ShimParseOptions *options,
						   size_t stack_bytes, ShimTerminals *out);
extern void shim_terminals_free(ShimTerminals *terminals);

/*
 * Accepts terminals up to one that the grammar rejects, or skips
 * the rejected ones; and returns the terminals that may follow if none
 * was rejected, or they were skipped.  To find all of them takes long:
 * "asked" points to the only one that is looked at, or is NULL.
 */
extern void shim_expect(const uint16 *terminals, size_t count, bool skip, const uint16 *asked,
						size_t stack_bytes, ShimExpect *out);
extern void shim_expect_free(ShimExpect *expect);

/*
 * Returns the same at a place where somebody is typing, whatever is unfinished
 * or wrong before and after it.  The terminal there is an identifier, which is
 * left out if none may come.  The last terminal is 0, the end.
 */
extern void shim_complete(const uint16 *terminals, size_t count, size_t place,
						  size_t stack_bytes, ShimExpect *out);

/* Finds a few changes that make the grammar accept the terminals. */
extern void shim_repair(const uint16 *terminals, size_t count, size_t stack_bytes,
						ShimRepair *out);
extern void shim_repair_free(ShimRepair *repair);

/*
 * Returns the terminals of SQL, and how the grammar derives them, with the
 * changes of shim_repair.  The SQL need not end in NUL, and contains none.
 */
extern void shim_derive(const char *sql, size_t length, const ShimParseOptions *options,
						size_t stack_bytes, ShimDerivation *out);
extern void shim_derivation_free(ShimDerivation *derivation);

/* Returns the name of a symbol in gram.y, which is static; NULL if the number does not exist. */
extern const char *shim_symbol(size_t symbol);

/*
 * Returns whether a word, which need not end in a
 * NUL, is a keyword that cannot be used as any name.
 */
extern bool shim_is_reserved(const char *word, size_t length);

/*
 * "parse" is the result of shim_parse for the same SQL with the same options,
 * and "token_places"; if NULL, the SQL is parsed here.  A tree of more than
 * "max_nodes" nodes is an error of the kind ERRCODE_PROGRAM_LIMIT_EXCEEDED.
 * If "children" is NULL, the result is libpg_query's.
 */
extern void shim_normalize(const char *sql, const ShimParse *parse,
						   const ShimParseOptions *options,
						   bool utility_only, ShimHashNode hash_node,
						   ShimChildren children, size_t max_nodes,
						   size_t stack_bytes, ShimNormalize *out);
extern void shim_normalize_free(ShimNormalize *normalize);

/*
 * Only with the feature plpgsql: the trees of SQL, and of all bodies in it
 * that are PL/pgSQL.  Each function has its own error.  All places, also of
 * the nodes of the SQL inside the bodies, are byte offsets in "sql".
 * PL/pgSQL's scanner and grammar do not check the stack; so provide 16 MB.
 */
extern void shim_plpgsql_parse(const char *sql, const ShimParseOptions *options,
							   size_t stack_bytes, ShimPlpgsqlParse *out);

/*
 * The same for a body alone.  "header" is a CREATE FUNCTION or PROCEDURE without
 * AS and LANGUAGE; if NULL, the body is that of a DO.  The places in the
 * function are byte offsets in "body", those in its parameters and "stmts" in "header".
 */
extern void shim_plpgsql_body(const char *body, const char *header,
							  const ShimParseOptions *options,
							  size_t stack_bytes, ShimPlpgsqlParse *out);
extern void shim_plpgsql_parse_free(ShimPlpgsqlParse *parse);

#endif							/* SHIM_H */

/*
 * The deparser of deparse.c.  It raises errors; only shim.c calls it.
 */
#ifndef GUARDED_DEPARSE_H
#define GUARDED_DEPARSE_H

#include "postgres_deparse.h"

#if PG_VERSION_NUM < 170000
/* That version's deparser has no options.  These are those of 17, set by shim.c. */
typedef struct PostgresDeparseComment
{
	int			match_location;
	int			newlines_before_comment;
	int			newlines_after_comment;
	char	   *str;
} PostgresDeparseComment;

typedef struct PostgresDeparseOpts
{
	PostgresDeparseComment **comments;
	size_t		comment_count;
	bool		pretty_print;
	int			indent_size;
	int			max_line_length;
	bool		trailing_newline;
	bool		commas_start_of_line;
} PostgresDeparseOpts;
#endif

/*
 * The comments of the options are sorted by their locations.  Those due
 * at the same location are printed in the order of their addresses.
 */
extern void guarded_deparse(StringInfo str, const struct RawStmt *stmt,
							PostgresDeparseOpts *opts);

/* A call of which the stack is checked. */
#ifdef __wasm__
#include "stack_recursion.h"
#define CHECK_STACK_FOR(call) __extension__ ({ check_stack_depth(); call; })
#else
#define CHECK_STACK_FOR(call) (check_stack_depth(), call)
#endif

#endif							/* GUARDED_DEPARSE_H */

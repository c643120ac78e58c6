/*-------------------------------------------------------------------------
 *
 * wasm_stack.c
 *	  The end of the levels of stack_levels.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stack_levels.h"

/* Not zero, for code that runs outside of a call. */
__thread int stack_levels_left = STACK_LEVELS;

/* As check_stack_depth does, whose hint is about the settings of a server. */
void
stack_too_deep(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
			 errmsg("stack depth limit exceeded")));
	pg_unreachable();
}

/*-------------------------------------------------------------------------
 *
 * stack_check.h
 *	  check_stack_depth inlined, for files that check often.
 *
 * This comparison may only err towards a call
 * of PostgreSQL's function, which then decides.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STACK_CHECK_H
#define STACK_CHECK_H

#include "postgres.h"

#include "miscadmin.h"

#include "stack_levels.h"

/* Above this, the stack of the current call is not too deep; see shim_enter. */
extern __thread uintptr_t stack_floor;

static inline void
check_stack_floor(void)
{
	char		here;

	if (unlikely((uintptr_t) &here < stack_floor))
		check_stack_depth();
}

/* See shim_normalize.c; here for the file of the walk, which includes this. */
extern __thread bool walk_was_incomplete;

#undef check_stack_depth
#define check_stack_depth() check_stack_floor()

#endif							/* STACK_CHECK_H */

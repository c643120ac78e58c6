/*-------------------------------------------------------------------------
 *
 * stack_check.h
 *	  check_stack_depth in place of a call, for files that check often.
 *
 * What is compared here errs on the side of PostgreSQL's function, which then
 * decides.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STACK_CHECK_H
#define STACK_CHECK_H

#include "postgres.h"

#include "miscadmin.h"

/* The stack of the call in progress is not too deep above this; see shim_enter. */
extern __thread uintptr_t stack_floor;

static inline void
check_stack_floor(void)
{
	char		here;

	if (unlikely((uintptr_t) &here < stack_floor))
		check_stack_depth();
}

#undef check_stack_depth
#define check_stack_depth() check_stack_floor()

#endif							/* STACK_CHECK_H */

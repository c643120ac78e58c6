/*-------------------------------------------------------------------------
 *
 * stack_depth.c
 *	  Sets the base of the stack, for versions before 18.
 *
 * libpg_query's copy of PostgreSQL's tcop/postgres.c has the
 * check of the stack depth, but not the functions that set
 * its reference point; so it never finds the stack too deep.
 * They are added here, to the file that has the variables.
 *
 *-------------------------------------------------------------------------
 */
#include "src/postgres/src_backend_tcop_postgres.c"

#include "miscadmin.h"

pg_stack_base_t
set_stack_base(void)
{
	pg_stack_base_t old = stack_base_ptr;

	/* any address in this frame is suitable */
	stack_base_ptr = (char *) &old;
	return old;
}

void
restore_stack_base(pg_stack_base_t base)
{
	stack_base_ptr = base;
}

void
assign_max_stack_depth(int newval, void *extra)
{
	max_stack_depth_bytes = newval * 1024L;
}

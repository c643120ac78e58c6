/*-------------------------------------------------------------------------
 *
 * stack_recursion.h
 *	  check_stack_depth for WebAssembly: it counts a level as well, until the
 *	  end of the block that it is in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STACK_RECURSION_H
#define STACK_RECURSION_H

#include "stack_check.h"

#undef check_stack_depth
#define check_stack_depth() check_stack_floor(); ENTER_STACK_LEVEL()

#endif							/* STACK_RECURSION_H */

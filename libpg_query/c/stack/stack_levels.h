/*-------------------------------------------------------------------------
 *
 * stack_levels.h
 *	  The number of levels that C code may recurse, in WebAssembly.
 *
 * There, most of a frame is on a stack of the engine, whose size nobody can
 * ask for, and which traps at its end.  So levels of recursion are counted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STACK_LEVELS_H
#define STACK_LEVELS_H

#ifdef __wasm__

/* See LIMITS.md; tests/wasm looks for shapes of SQL that need more stack than they may. */
#define STACK_LEVELS 500

extern __thread int stack_levels_left;
extern void stack_too_deep(void) __attribute__((noreturn));

/* Where no level has been entered: at the start of a call, and after an error, which leaves levels without counting. */
#define RESET_STACK_LEVELS() ((void) (stack_levels_left = STACK_LEVELS))

static inline void
leave_stack_level(const int *level)
{
	stack_levels_left = *level;
}

static inline int
enter_stack_level(void)
{
	if (__builtin_expect(stack_levels_left == 0, 0))
		stack_too_deep();
	return stack_levels_left--;
}

/* Counts a level, until the end of the block. */
#define ENTER_STACK_LEVEL() \
	const int	stack_level __attribute__((cleanup(leave_stack_level), unused)) = enter_stack_level()

#else

#define RESET_STACK_LEVELS() ((void) 0)
#define ENTER_STACK_LEVEL() ((void) 0)

#endif

#endif							/* STACK_LEVELS_H */

/*-------------------------------------------------------------------------
 *
 * wasm_setjmp.c
 *	  setjmp and longjmp for WebAssembly, by its exceptions.
 *
 * Clang rewrites a function that calls setjmp, and each call of longjmp
 * (-mllvm -wasm-enable-sjlj): a jump throws an exception with the tag
 * __c_longjmp, and every function that has called setjmp catches it, asks
 * whether the jump is to one of its own calls, and throws it again if not.  It
 * numbers these calls, the labels, from 1 on; a running function is known by
 * an address in its frame.
 *
 * The names are those that Clang calls.  They are weak: a program may have
 * them from elsewhere, such as wasi-sdk, or from another version.
 *
 *-------------------------------------------------------------------------
 */
#include <setjmp.h>

#define WEAK __attribute__((weak))

/* The exception of a jump, as Clang's code reads it. */
typedef struct Jump
{
	void	   *place;
	int			value;
} Jump;

/* The part of a jmp_buf that is used. */
typedef struct Place
{
	void	   *function;		/* the running function that called setjmp ... */
	unsigned int label;			/* ... and which of its calls that was */
	Jump		jump;
} Place;

_Static_assert(sizeof(Place) <= sizeof(jmp_buf), "a jmp_buf is too small");

/* Clang calls this in place of setjmp. */
WEAK void
__wasm_setjmp(Place *place, unsigned int label, void *function)
{
	place->function = function;
	place->label = label;
}

/* Returns the label of the call of setjmp in a running function that a jump leads to; 0 if it leads elsewhere. */
WEAK unsigned int
__wasm_setjmp_test(const Place *place, const void *function)
{
	return place->function == function ? place->label : 0;
}

/* Clang calls this in place of longjmp. */
WEAK void
__wasm_longjmp(Place *place, int value)
{
	place->jump.place = place;
	place->jump.value = value != 0 ? value : 1;
	/* 1 is the number of __c_longjmp */
	__builtin_wasm_throw(1, &place->jump);
}

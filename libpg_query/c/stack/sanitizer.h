/*
 * Information for AddressSanitizer, and what else an error leaves behind.
 */
#ifndef SANITIZER_H
#define SANITIZER_H

#include <stddef.h>

#include "stack_levels.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#endif

#ifdef ADDRESS_SANITIZER

extern void __asan_unpoison_memory_region(const volatile void *start, size_t size);

/*
 * To be called after a longjmp, with the bytes of stack
 * below.  The abandoned frames there still have their locals
 * marked as out of bounds.  The sanitizer clears the marks on
 * stacks that it knows to be the thread's, but not on ours.
 */
#define STACK_WAS_UNWOUND(bytes) \
	__asan_unpoison_memory_region((char *) __builtin_frame_address(0) - (bytes), (bytes))

#elif defined(__wasm__)

#define STACK_WAS_UNWOUND(bytes) RESET_STACK_LEVELS()

#else
#define STACK_WAS_UNWOUND(bytes) ((void) 0)
#endif

#endif							/* SANITIZER_H */

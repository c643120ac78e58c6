/*
 * What AddressSanitizer has to be told.
 */
#ifndef SANITIZER_H
#define SANITIZER_H

#include <stddef.h>

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
 * To be called where a longjmp has landed, with the bytes of stack below.  The
 * frames that were left still have their locals marked as out of bounds there.
 * The sanitizer itself clears the marks on the stack that it knows the thread
 * to have, but not on one of ours.
 */
#define STACK_WAS_UNWOUND(bytes) \
	__asan_unpoison_memory_region((char *) __builtin_frame_address(0) - (bytes), (bytes))

#else
#define STACK_WAS_UNWOUND(bytes) ((void) 0)
#endif

#endif							/* SANITIZER_H */

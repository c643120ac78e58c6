/*-------------------------------------------------------------------------
 *
 * words.h
 *	  Most words are no keywords, and this says so at once.
 *
 * PostgreSQL hashes every byte of a word to look it up.  Here its first and
 * last letter and its length choose one bit out of 4096, which is set where
 * there is such a keyword.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WORDS_H
#define WORDS_H

#include "postgres.h"

#define KEYWORD_BITS 4096

extern __thread uint64 keyword_bits[KEYWORD_BITS / 64];

/* Has to be called on each thread before the others. */
extern void keyword_bits_init(void);

/* Capital letters and small ones have the same lower five bits. */
static inline uint32
keyword_bit(const char *word, size_t length)
{
	return ((uint32) word[0] & 31) | ((uint32) word[length - 1] & 31) << 5 |
		((uint32) length & 3) << 10;
}

/* The word is not empty. */
static inline bool
may_be_keyword(const char *word, size_t length)
{
	uint32		bit = keyword_bit(word, length);

	return (keyword_bits[bit / 64] >> (bit % 64)) & 1;
}

#endif							/* WORDS_H */

/*-------------------------------------------------------------------------
 *
 * words.h
 *	  Which keywords a word may be, told at once.
 *
 * PostgreSQL hashes every byte of a word to look it up.  Here its first and
 * last letter and its length choose one of 4096 buckets.  Most are empty, and
 * few have more than one keyword.  The tables are made when this library is
 * built (build/words.rs).
 *
 *-------------------------------------------------------------------------
 */
#ifndef WORDS_H
#define WORDS_H

#include "postgres.h"

#include "common/keywords.h"

/*
 * The first keyword of each bucket, and for each keyword the next one of its
 * bucket: its number and 1, or 0 for none.
 */
extern const uint16 keyword_heads[];
extern const uint16 keyword_nexts[];

/* Capital letters and small ones have the same lower five bits.  The word is not empty. */
static inline uint32
keyword_bucket(const char *word, size_t length)
{
	return ((uint32) word[0] & 31) | ((uint32) word[length - 1] & 31) << 5 |
		((uint32) length & 3) << 10;
}

/* The word is not empty. */
static inline bool
may_be_keyword(const char *word, size_t length)
{
	return keyword_heads[keyword_bucket(word, length)] != 0;
}

/* Whether a word is this keyword, which is in small letters. */
static inline bool
is_keyword(const char *word, size_t length, const char *keyword)
{
	for (size_t i = 0; i < length; i++)
	{
		/* no other characters of a word become one of a keyword's */
		if (word[i] != keyword[i] && (word[i] | 0x20) != keyword[i])
			return false;
	}
	return keyword[length] == '\0';
}

/* The number of the keyword that the word is, or -1.  The word is not empty. */
static inline int
keyword_number(const char *word, size_t length)
{
	for (int next = keyword_heads[keyword_bucket(word, length)]; next != 0;
		 next = keyword_nexts[next - 1])
	{
		if (is_keyword(word, length, GetScanKeyword(next - 1, &ScanKeywords)))
			return next - 1;
	}
	return -1;
}

#endif							/* WORDS_H */

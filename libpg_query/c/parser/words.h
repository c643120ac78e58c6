/*-------------------------------------------------------------------------
 *
 * words.h
 *	  Finds the keywords that a word may be at once.
 *
 * PostgreSQL hashes every byte of a word to look it up.  Here its
 * first and last letter and its length select one of 4096
 * buckets.  Most are empty, and few have more than one keyword.
 * build/words.rs generates the tables when this library is built.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WORDS_H
#define WORDS_H

#include "postgres.h"

#include "common/keywords.h"

/*
 * The first keyword of each bucket, and for each keyword the
 * next one in its bucket: its number plus 1, or 0 for none.
 */
extern const uint16 keyword_heads[];
extern const uint16 keyword_nexts[];

/* Upper-case and lower-case letters have the same low five bits.  The word must not be empty. */
static inline uint32
keyword_bucket(const char *word, size_t length)
{
	return ((uint32) word[0] & 31) | ((uint32) word[length - 1] & 31) << 5 |
		((uint32) length & 3) << 10;
}

/* The word must not be empty. */
static inline bool
may_be_keyword(const char *word, size_t length)
{
	return keyword_heads[keyword_bucket(word, length)] != 0;
}

/* Returns whether a word is this keyword, which is in lower case. */
static inline bool
is_keyword(const char *word, size_t length, const char *keyword)
{
	for (size_t i = 0; i < length; i++)
	{
		/* no other characters of a word map to those of a keyword */
		if (word[i] != keyword[i] && (word[i] | 0x20) != keyword[i])
			return false;
	}
	return keyword[length] == '\0';
}

/* Returns the number of the keyword that equals the word, or -1.  The word must not be empty. */
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

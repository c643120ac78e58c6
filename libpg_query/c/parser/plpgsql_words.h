/*-------------------------------------------------------------------------
 *
 * plpgsql_words.h
 *	  Finds the keywords of PL/pgSQL.
 *
 * As words.h does it for those of SQL, with fewer buckets: the lists are short.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PLPGSQL_WORDS_H
#define PLPGSQL_WORDS_H

#include "words.h"

#include "plpgsql_keyword_tables.h"

/* The word must not be empty. */
static inline uint32
plpgsql_bucket(const char *word, size_t length)
{
	return (((uint32) word[0] & 31) * 4 + ((uint32) word[length - 1] & 31) + (uint32) length * 3) % 128;
}

/* Returns the number of the keyword in a list that equals the word, or -1.  The word must not be empty. */
static inline int
plpgsql_keyword_number(const char *word, size_t length, const ScanKeywordList *keywords,
					   const uint8 *heads, const uint8 *nexts)
{
	for (int next = heads[plpgsql_bucket(word, length)]; next != 0; next = nexts[next - 1])
	{
		if (is_keyword(word, length, GetScanKeyword(next - 1, keywords)))
			return next - 1;
	}
	return -1;
}

/* The scanner of SQL has those that are reserved, PL/pgSQL's own looks up the others. */
static inline int
plpgsql_reserved_number(const char *word, size_t length, const ScanKeywordList *keywords)
{
	return plpgsql_keyword_number(word, length, keywords, plpgsql_reserved_heads,
								  plpgsql_reserved_nexts);
}

static inline int
plpgsql_unreserved_number(const char *word, size_t length, const ScanKeywordList *keywords)
{
	return plpgsql_keyword_number(word, length, keywords, plpgsql_unreserved_heads,
								  plpgsql_unreserved_nexts);
}

#endif							/* PLPGSQL_WORDS_H */

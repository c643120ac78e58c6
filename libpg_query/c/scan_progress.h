/*-------------------------------------------------------------------------
 *
 * scan_progress.h
 *	  What keeps the scanner linear; a part of parser.c.
 *
 * Two things are quadratic in PostgreSQL's scanner.
 *
 * 1. Its rules for operators and for comments match a whole run of operator
 * characters, since that is how the longest match is made to be the right
 * one, and then give back what they did not want.  A text of "+" alone, or of
 * slash-star, is so read again for each token.  Here each of these matches is
 * made to end where the token does, by a blank put there for as long as the
 * match takes.  What the token is, and whether it is too long, is still up
 * to PostgreSQL's rules.
 *
 * 2. The place of each warning is counted in characters from the start of the
 * text.  Here the counting goes on from the last place.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCAN_PROGRESS_H
#define SCAN_PROGRESS_H

#include "postgres.h"

#include "shim_internal.h"

/* A shorter run of operator characters may as well be read again. */
#define SHORT_RUN 128

/* In place of those for a text whose tokens go to a log. */
static TokenPlaces no_places;
#define PLACES_IN_LOG (&no_places)

/* A part of flex's struct for a scanner, which is zeroed at first. */
typedef struct ScanProgress
{
	bool		long_runs;		/* there may be runs that are not short */
	char		replaced;		/* what stood at stop */
	char	   *stop;			/* where the blank is, or NULL */
	const char *signs_end;		/* tokens are single signs up to here */
	int			bytes;			/* up to here ... */
	int			characters;		/* ... there are as many characters */
	TokenPlaces *places;		/* where those of the tokens go, or NULL */
	RangeLog   *log;			/* the same if "places" is PLACES_IN_LOG */
} ScanProgress;

static inline bool
is_operator_char(char c)
{
	switch (c)
	{
		case '~': case '!': case '@': case '#': case '^': case '&': case '|':
		case '`': case '?': case '%':
		case '+': case '-': case '*': case '/': case '<': case '>': case '=':
			return true;
		default:
			return false;
	}
}

static inline bool
is_sign(char c)
{
	return c == '+' || c == '-';
}

/* A character with which an operator may end in a sign. */
static inline bool
allows_last_sign(char c)
{
	return is_operator_char(c) && !is_sign(c) && strchr("*/<>=", c) == NULL;
}

static inline bool
starts_comment(const char *at)
{
	return (at[0] == '/' && at[1] == '*') || (at[0] == '-' && at[1] == '-');
}

/*
 * Whether a text has a run of operator characters that is not short.  Such a
 * run is at one of the places that are looked at.
 */
static bool
has_long_run(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i += SHORT_RUN)
	{
		size_t		start = i;
		size_t		end = i;

		while (end < length && end - i < SHORT_RUN && is_operator_char(text[end]))
			end++;
		while (end > i && start > 0 && i - start < SHORT_RUN && is_operator_char(text[start - 1]))
			start--;
		if (end - start >= SHORT_RUN)
			return true;
	}
	return false;
}

/* End the match that is about to begin at "at". */
static void
stop_at(ScanProgress *progress, char *at)
{
	/* a run that ends by itself needs no help */
	if (is_operator_char(*at))
	{
		progress->stop = at;
		progress->replaced = *at;
		*at = ' ';
	}
}

/*
 * Before a match: end it where the token will end, if that is known.  "initial"
 * says that the scanner is between tokens, "in_comment" that it is in a
 * comment of the kind that nests.
 */
static pg_noinline void
begin_match(ScanProgress *progress, char *start, bool initial, bool in_comment)
{
	char	   *end = start;
	char	   *token_end;

	if (!is_operator_char(*start))
		return;
	if (start[0] == '/' && start[1] == '*')
	{
		if (initial || in_comment)
			stop_at(progress, start + 2);
		return;
	}
	/* a comment up to the end of the line is not given back */
	if (!initial || starts_comment(start))
		return;
	if (start < progress->signs_end)
	{
		stop_at(progress, start + 1);
		return;
	}

	/* An operator ends before a comment; see the rule {operator} of scan.l. */
	while (is_operator_char(*end) && !starts_comment(end))
		end++;
	token_end = end;
	if (end - start > 1 && is_sign(end[-1]))
	{
		const char *other = start;

		while (other < end && !allows_last_sign(*other))
			other++;
		if (other == end)
		{
			while (token_end - start > 1 && is_sign(token_end[-1]))
				token_end--;
			progress->signs_end = end;
		}
	}

	/* What is too long is left as it is, and ends in an error. */
	if (token_end - start < NAMEDATALEN)
		stop_at(progress, token_end);
}

/* After a match, which ended at "end"; flex has put a NUL there. */
static pg_noinline void
end_match(ScanProgress *progress, const char *end, char *hold_char)
{
	if (progress->stop == end)
		*hold_char = progress->replaced;
	else
		*progress->stop = progress->replaced;
	progress->stop = NULL;
}

/*
 * How many characters of UTF-8 there are before a place.  As PostgreSQL's
 * function does, it counts up to a NUL at most.  Some warnings have places a
 * few tokens before that of the last one.
 */
static int
characters_before(ScanProgress *progress, const char *text, int place)
{
	int			bytes = progress->bytes;
	int			characters = progress->characters;

	for (; bytes > place && bytes > 0; bytes--)
		characters -= (text[bytes - 1] & 0xC0) != 0x80;
	for (; bytes < place && text[bytes] != '\0'; bytes++)
		characters += (text[bytes] & 0xC0) != 0x80;
	progress->bytes = bytes;
	progress->characters = characters;
	return characters;
}

#endif							/* SCAN_PROGRESS_H */

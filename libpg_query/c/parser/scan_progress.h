/*-------------------------------------------------------------------------
 *
 * scan_progress.h
 *	  Keeps the scanner linear; a part of parser.c.
 *
 * Two things are quadratic in PostgreSQL's scanner.
 *
 * 1. Its rules for operators and for comments match an entire
 * run of operator characters, so that the longest match is the
 * right one, and then give back the rest.  Input of only "+", or
 * of slash-star, is thus read again for each token.  Here each of
 * these matches is made to end with the token, by a blank that is
 * inserted there during the match.  PostgreSQL's rules still
 * decide what the token is, and whether it is too long.
 *
 * 2. The location of each warning is counted in characters from the
 * start of the input.  Here the count continues from the last location.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCAN_PROGRESS_H
#define SCAN_PROGRESS_H

#include "postgres.h"

#include "shim_internal.h"

/* Reading a shorter run of operator characters again does no harm. */
#define SHORT_RUN 128

/* Replaces the places if tokens are recorded in a log. */
static TokenPlaces no_places;
#define PLACES_IN_LOG (&no_places)

/* A part of flex's struct for a scanner, zeroed at first. */
typedef struct ScanProgress
{
	bool		long_runs;		/* there may be long runs */
	char		replaced;		/* the original character at stop */
	char	   *stop;			/* the place of the blank, or NULL */
	const char *signs_end;		/* tokens are single signs up to here */
	int			bytes;			/* up to here ... */
	int			characters;		/* ... there are this many characters */
	TokenPlaces *places;		/* the token places, or NULL */
	RangeLog   *log;			/* the same if "places" is PLACES_IN_LOG */
	int			parameter;		/* the token of a parameter */
	bool		rejects_junk;	/* a word right after a parameter is an error */
} ScanProgress;

/*
 * The token of a parameter for the grammar of normalized SQL, which has it as
 * a terminal of its own (build/extensions.rs): Bison's token for mistakes,
 * which no scanner returns.
 */
#define PARAM_OF_NORMALIZED 256

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

/* A character that allows an operator to end in a sign. */
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
 * Returns whether the input has a long run of operator characters.
 * Such a run covers one of the places that are checked.
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
	/* a run that ends by itself needs no blank */
	if (is_operator_char(*at))
	{
		progress->stop = at;
		progress->replaced = *at;
		*at = ' ';
	}
}

/*
 * Before a match: end it with the token, if its end is
 * known.  "initial" is true if the scanner is between
 * tokens, "in_comment" if it is in a nesting comment.
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

	/* A token that is too long is unchanged, and causes an error. */
	if (token_end - start < NAMEDATALEN)
		stop_at(progress, token_end);
}

/* After a match, which ended at "end"; flex has written a NUL there. */
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
 * Returns the number of UTF-8 characters before a place.  Like
 * PostgreSQL's function, it stops at a NUL.  Some warnings
 * have places a few tokens before that of the last one.
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

/*-------------------------------------------------------------------------
 *
 * scan_fast.h
 *	  Tokens that need no flex tables; a part of parser.c.
 *
 * Blanks, words, quoted names, plain strings, plain numbers and some single
 * characters are most of the input.  Each of them can be recognised from its
 * characters and the next one, so the scanner need not look up each
 * character in a table of states.  Everything else is left to flex, and the
 * tokens found here are exactly those of its rules: the rule for words
 * continues with a word, and the state after a token is that of its rule.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCAN_FAST_H
#define SCAN_FAST_H

#include "postgres.h"

#define CHAR_BLANK 1
#define CHAR_WORD_START 2
#define CHAR_WORD 4
#define CHAR_ALONE 8			/* a token, whatever follows */

static const uint8 char_kinds[256] = {
	0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	1, 0, 0, 0, 4, 0, 0, 0, 8, 8, 0, 0, 8, 0, 0, 0,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 8, 0, 0, 0, 0,
	0, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 0, 8, 0, 6,
	0, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 0, 0, 0, 0, 0,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
};

static inline bool
char_is(char c, int kind)
{
	return (char_kinds[(unsigned char) c] & kind) != 0;
}

/* Returns the end of a word, or NULL if it may be the start of a string: b'1', U&"a". */
static inline char *
word_end(char *start)
{
	char	   *end = start + 1;

	while (char_is(*end, CHAR_WORD))
		end++;
	if (unlikely(end == start + 1 && (*end == '\'' || *end == '&')))
		return NULL;
	return end;
}

/* Returns the quote that ends the token at "start", or NULL if it is not plain. */
static inline char *
closing_quote(char *start, char quote)
{
	char	   *end = start + 1;

	while (*end != quote && *end != '\0')
		end++;
	if (*end == '\0' || end[1] == quote)
		return NULL;
	return end;
}

/* Returns whether a string may continue on another line, from the end of its first part. */
static inline bool
string_may_continue(const char *end)
{
	while (*end == ' ' || *end == '\t')
		end++;
	return *end == '\n' || *end == '\r' || *end == '\f' || *end == '\v' || *end == '-';
}

#if PG_VERSION_NUM < 180000
/*
 * Returns the place after the quote with which a string continues on another line, or NULL.
 *
 * libpg_query's rules of these versions know no comments between
 * the parts of a string: there, comments are tokens.
 */
static char *
string_continuation(char *at)
{
	bool		new_line = false;

	for (;; at++)
	{
		if (at[0] == '-' && at[1] == '-')
			while (*at != '\n' && *at != '\r' && *at != '\0')
				at++;
		if (*at == '\n' || *at == '\r')
			new_line = true;
		/* a vertical tab is a blank since 16 */
		else if (*at != ' ' && *at != '\t' && *at != '\f' &&
				 !(PG_VERSION_NUM >= 160000 && *at == '\v'))
			return new_line && *at == '\'' ? at + 1 : NULL;
	}
}

/* After the end of a string, in flex's state: continue in its next part, if there is one. */
static bool
continue_string(char **place, char *hold_char)
{
	char	   *next;

	**place = *hold_char;
	next = string_continuation(*place);
	if (next == NULL)
	{
		**place = '\0';
		return false;
	}
	*place = next;
	*hold_char = *next;
	return true;
}
#endif

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Returns the end of a number such as 12 or 1.2, or NULL if it may go on, or
 * may not fit an int32: these are left to flex.  Sets *is_integer, and for
 * an integer *value.
 */
static inline char *
number_end(char *start, bool *is_integer, int *value)
{
	char	   *end = start;
	uint32		number = 0;

	while (is_digit(*end))
		number = number * 10 + (*end++ - '0');
	*is_integer = *end != '.';
	if (*is_integer ? end > start + 9 : !is_digit(end[1]))
		return NULL;
	if (!*is_integer)
		for (end++; is_digit(*end); end++)
			;
	if (!char_is(*end, CHAR_BLANK | CHAR_ALONE) && *end != '\0')
		return NULL;
	*value = (int) number;
	return end;
}

/*
 * Parts of the input are copied eight bytes at a time.  The copy must have
 * room for the bytes after it, and the scanner's buffer as much after its end.
 */
#define COPY_SLACK 8
#define COPY_ROOM(length) (((Size) (length) / 8 + 1) * 8)

/* A copy of a part of the scanner's buffer. */
static inline char *
copy_between(const char *start, const char *end)
{
	Size		length = end - start;
	char	   *copy = palloc(COPY_ROOM(length));

	if (unlikely(length > 64))
		memcpy(copy, start, length);
	else
		for (Size i = 0; i <= length; i += 8)
			memcpy(copy + i, start + i, 8);
	copy[length] = '\0';
	return copy;
}

/* The token from yy_bp to "end", in flex's state; its end is recorded like the rules do. */
#define FAST_TOKEN(start, text, end) \
	do { \
		yy_bp = (text); \
		yy_cp = (end); \
		YY_DO_BEFORE_ACTION; \
		*(yylloc) = (start) - yyextra->scanbuf; \
	} while (0)

/*
 * At the start of the action of a number or a parameter: an error if a word
 * begins right after it, as in PostgreSQL's rules *_junk, which libpg_query
 * has removed.  It quotes the whole word, as the latest release of each
 * version does: others cut a character in two.  If "is_junk", the match ends
 * in a part of the word itself.
 */
#define REJECT_JUNK(is_junk, message) \
	do { \
		if (yyg->progress.rejects_junk && \
			((is_junk) || char_is(yyg->yy_hold_char, CHAR_WORD_START))) \
		{ \
			*yy_cp = yyg->yy_hold_char; \
			while (char_is(*yy_cp, CHAR_WORD)) \
				yy_cp++; \
			YY_DO_BEFORE_ACTION; \
			SET_YYLLOC(); \
			yyerror(message); \
		} \
	} while (0)

#define REJECT_PARAMETER_JUNK() REJECT_JUNK(false, "trailing junk after parameter")
#define REJECT_NUMBER_JUNK() REJECT_JUNK(false, "trailing junk after numeric literal")
/* 1e */
#define REJECT_EXPONENT() REJECT_JUNK(true, "trailing junk after numeric literal")
/* 1e+ */
#define REJECT_SIGN() \
	do { \
		if (yyg->progress.rejects_junk) \
		{ \
			SET_YYLLOC(); \
			yyerror("trailing junk after numeric literal"); \
		} \
	} while (0)

/* Between two matches, at yy_cp. */
#define SCAN_FAST() \
	do { \
		char	   *start; \
		char	   *end; \
		bool		is_integer; \
		int			number; \
\
		if (YY_START != INITIAL) \
			break; \
		while (char_is(*yy_cp, CHAR_BLANK)) \
			yy_cp++; \
		start = yy_bp = yy_cp; \
		if (char_is(*start, CHAR_WORD_START)) \
		{ \
			end = word_end(start); \
			if (unlikely(end == NULL)) \
				break; \
			FAST_TOKEN(start, start, end); \
			goto word; \
		} \
		if (char_is(*start, CHAR_ALONE)) \
		{ \
			FAST_TOKEN(start, start, start + 1); \
			return *start; \
		} \
		if (*start == '.' && start[1] != '.' && !(start[1] >= '0' && start[1] <= '9')) \
		{ \
			FAST_TOKEN(start, start, start + 1); \
			return '.'; \
		} \
		if (is_digit(*start)) \
		{ \
			end = number_end(start, &is_integer, &number); \
			if (end == NULL) \
				break; \
			FAST_TOKEN(start, start, end); \
			if (is_integer) \
			{ \
				yylval->ival = number; \
				return ICONST; \
			} \
			yylval->str = copy_between(start, end); \
			return FCONST; \
		} \
		if (*start == '"') \
		{ \
			char	   *name; \
\
			end = closing_quote(start, '"'); \
			if (end == NULL || end == start + 1) \
				break; \
			name = copy_between(start + 1, end); \
			FAST_TOKEN(start, end, end + 1); \
			if (end - start > NAMEDATALEN) \
				truncate_identifier(name, end - start - 1, true); \
			yylval->str = name; \
			yyextra->yyllocend = end + 1 - yyextra->scanbuf; \
			return IDENT; \
		} \
		if (*start == '\'' && yyextra->standard_conforming_strings) \
		{ \
			end = closing_quote(start, '\''); \
			if (end == NULL || string_may_continue(end + 1)) \
				break; \
			yylval->str = copy_between(start + 1, end); \
			FAST_TOKEN(start, end + 1, end + 1); \
			yyextra->yyllocend = end + 1 - yyextra->scanbuf; \
			return SCONST; \
		} \
	} while (0)

#endif							/* SCAN_FAST_H */

/*-------------------------------------------------------------------------
 *
 * plpgsql_literal.c
 *	  Finds the places of a literal's value in the text; see location_map.h.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#include "mb/pg_wchar.h"

/* The pieces found so far. */
typedef struct Pieces
{
	MapPiece   *pieces;
	size_t		count;
	size_t		room;
	int			inner;			/* the length of the value up to here */
} Pieces;

static void
add_piece(Pieces *pieces, int outer, int outer_length, int length)
{
	if (length == 0 && outer_length != 0)
		return;
	if (pieces->count == pieces->room)
	{
		pieces->room = pieces->room == 0 ? 16 : pieces->room * 2;
		pieces->pieces = pieces->pieces == NULL ? palloc(pieces->room * sizeof(MapPiece)) :
			repalloc(pieces->pieces, pieces->room * sizeof(MapPiece));
	}
	pieces->pieces[pieces->count++] = (MapPiece) {pieces->inner, outer, outer_length};
	pieces->inner += length;
}

/* Returns the place after blanks and comments. */
static const char *
skip_blanks(const char *at)
{
	for (;;)
	{
		if (at[0] == '-' && at[1] == '-')
			at += strcspn(at, "\n\r");
		else if (at[0] == '/' && at[1] == '*')
		{
			int			depth = 0;

			do
			{
				if (at[0] == '/' && at[1] == '*')
				{
					depth++;
					at += 2;
				}
				else if (at[0] == '*' && at[1] == '/')
				{
					depth--;
					at += 2;
				}
				else if (*at++ == '\0')
					return at - 1;
			} while (depth > 0);
		}
		else if (*at != '\0' && strchr(" \t\n\r\f\v", *at) != NULL)
			at++;
		else
			return at;
	}
}

/*
 * Returns the place after the quote with which a literal
 * continues on another line, or NULL; "at" is after a quote.
 */
static const char *
continuation(const char *at)
{
	bool		new_line = false;

	for (;; at++)
	{
		if (at[0] == '-' && at[1] == '-')
			at += strcspn(at, "\n\r");
		if (*at == '\n' || *at == '\r')
			new_line = true;
		else if (*at == '\0' || strchr(" \t\f\v", *at) == NULL)
			return new_line && *at == '\'' ? at + 1 : NULL;
	}
}

/* Reads up to "most" digits; returns their number. */
static int
read_digits(const char *at, int base, int most, pg_wchar *value)
{
	int			count = 0;

	*value = 0;
	for (; count < most; count++)
	{
		int			digit;

		if (at[count] >= '0' && at[count] <= '9')
			digit = at[count] - '0';
		else if (at[count] >= 'a' && at[count] <= 'f')
			digit = at[count] - 'a' + 10;
		else if (at[count] >= 'A' && at[count] <= 'F')
			digit = at[count] - 'A' + 10;
		else
			break;
		if (digit >= base)
			break;
		*value = *value * base + digit;
	}
	return count;
}

/* Returns the length of a character in UTF-8. */
static int
unicode_length(pg_wchar code)
{
	return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/* Reads a code point, or a half of one, after the character that begins an escape. */
static int
read_code(const char *at, bool unicode, pg_wchar *code)
{
	int			prefix = unicode ? at[0] == '+' : 1;
	int			digits = unicode ? (at[0] == '+' ? 6 : 4) : (at[0] == 'u' ? 4 : 8);

	return prefix + read_digits(at + prefix, 16, digits, code);
}

/* Returns the length of the escape at "at", and of what it stands for. */
static int
read_escape(const char *at, bool unicode, char escape, int *length)
{
	pg_wchar	code;
	int			digits;
	int			size;

	*length = 1;
	if (unicode ? at[1] != escape : at[1] == 'u' || at[1] == 'U')
	{
		size = 1 + read_code(at + 1, unicode, &code);
		if (is_utf16_surrogate_first(code) && at[size] == (unicode ? escape : '\\'))
		{
			pg_wchar	second;

			size += 1 + read_code(at + size + 1, unicode, &second);
			code = surrogate_pair_to_codepoint(code, second);
		}
		*length = unicode_length(code);
		return size;
	}
	if (unicode)
		return 2;
	if (at[1] == 'x')
	{
		digits = read_digits(at + 2, 16, 2, &code);
		return 2 + digits;
	}
	digits = read_digits(at + 1, 8, 3, &code);
	return digits > 0 ? 1 + digits : 2;
}

/* Returns the character after UESCAPE, or that which is meant without it; "at" is in a literal. */
static char
unicode_escape(const char *at)
{
	for (;;)
	{
		at = strchr(at, '\'');
		if (at == NULL)
			return '\\';
		if (at[1] == '\'')
			at += 2;
		else if (continuation(at + 1) != NULL)
			at = continuation(at + 1);
		else
			break;
	}
	at = skip_blanks(at + 1);
	for (const char *word = "uescape"; *word != '\0'; word++)
	{
		if ((*at++ | 0x20) != *word)
			return '\\';
	}
	at = skip_blanks(at);
	if (*at == 'e' || *at == 'E')
		at++;
	if (*at == '\'')
		return at[1];
	/* $$!$$, with or without a tag */
	if (*at == '$' && strchr(at + 1, '$') != NULL)
		return strchr(at + 1, '$')[1];
	return '\\';
}

bool
plpgsql_map_literal(const char *outer, const char *literal, const char *value, LocationMap *map)
{
	Pieces		pieces = {0};
	const char *at = literal;
	const char *run;
	bool		unicode = false;
	char		escape = '\0';
	int			length = (int) strlen(value);

	if (*at == '$')
	{
		const char *tag_end = strchr(at + 1, '$');

		if (tag_end == NULL)
			return false;
		run = at = tag_end + 1;
		if (strncmp(at, value, length) != 0)
			return false;
		at += length;
	}
	else
	{
		if (*at == 'U' || *at == 'u')
		{
			unicode = true;
			at += 2;
		}
		else if (*at == 'E' || *at == 'e' || !standard_conforming_strings)
		{
			escape = '\\';
			at += *at != '\'';
		}
		if (*at++ != '\'')
			return false;
		if (unicode)
			escape = unicode_escape(at);
		for (run = at;;)
		{
			int			size = 0;
			int			stands_for = 1;
			const char *next;

			if (*at == '\0')
				return false;
			if (at[0] == '\'' && at[1] == '\'')
				size = 2;
			else if (*at == '\'')
			{
				next = continuation(at + 1);
				add_piece(&pieces, run - outer, at - run, at - run);
				if (next == NULL)
				{
					run = at;
					break;
				}
				run = at = next;
				continue;
			}
			else if (*at == escape && escape != '\0')
				size = read_escape(at, unicode, escape, &stands_for);
			if (size == 0)
			{
				at++;
				continue;
			}
			add_piece(&pieces, run - outer, at - run, at - run);
			add_piece(&pieces, at - outer, size, stands_for);
			run = at += size;
		}
	}
	add_piece(&pieces, run - outer, at - run, at - run);
	if (pieces.inner != length)
		return false;
	/* the end, which is not a run */
	add_piece(&pieces, at - outer, 0, 0);
	map->pieces = pieces.pieces;
	map->count = pieces.count;
	map->shift = 0;
	map->first = 0;
	return true;
}

const char *
plpgsql_skip_blanks(const char *at)
{
	return skip_blanks(at);
}

int
plpgsql_count_characters(CountedText *text, int bytes)
{
	int			at = text->bytes;
	int			characters = text->characters;

	for (; at > bytes; at--)
		characters -= (text->text[at - 1] & 0xC0) != 0x80;
	for (; at < bytes && text->text[at] != '\0'; at++)
		characters += (text->text[at] & 0xC0) != 0x80;
	text->bytes = at;
	text->characters = characters;
	return characters + 1;
}

int
plpgsql_count_bytes(CountedText *text, int position)
{
	int			at = text->bytes;
	int			characters = text->characters;

	for (; at > 0 && characters > position - 1; at--)
		characters -= (text->text[at - 1] & 0xC0) != 0x80;
	for (; text->text[at] != '\0' && characters < position - 1; at++)
		characters += (text->text[at] & 0xC0) != 0x80;
	/* the rest of a character */
	for (; (text->text[at] & 0xC0) == 0x80; at++)
		;
	text->bytes = at;
	text->characters = characters;
	return at;
}

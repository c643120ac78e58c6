/*-------------------------------------------------------------------------
 *
 * deparse_plain.h
 *	  Text without a layout, which is written at once; a part of deparse.c.
 *
 * Only the end of a level tells how its parts fill lines, so they are
 * collected for a layout (deparse_parts.h).  Without one, blanks join all
 * of them: a part begins where the text ends, and nothing is collected.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DEPARSE_PLAIN_H
#define DEPARSE_PLAIN_H

/* Removes a blank from the end of the current part. */
static inline void
plain_trim(DeparseState *state)
{
	if (state->plain->len > state->part_start)
		removeTrailingSpaceFromStr(state->plain);
}

/* Begins a part, unless the current one is empty. */
static inline void
plain_part(DeparseState *state)
{
	StringInfo	str = state->plain;

	if (str->len == state->part_start)
		return;
	removeTrailingSpaceFromStr(str);
	if (str->data[str->len - 1] != '(')
		appendStringInfoChar(str, ' ');
	state->part_start = str->len;
}

/* Begins the parts that follow a keyword, or only separates them from those before. */
static inline void
plain_part_group(DeparseState *state, const char *keyword)
{
	plain_trim(state);
	plain_part(state);
	if (keyword != NULL)
	{
		appendStringInfoString(state->plain, keyword);
		plain_part(state);
	}
}

/* Returns the text that a character is appended to: no blank stands before these two. */
static inline StringInfo
plain_text_before(DeparseState *state, char next)
{
	StringInfo	str = state->plain;

	if (unlikely(next == ')' || next == ';') && str->len == state->part_start)
	{
		removeTrailingSpaceFromStr(str);
		state->part_start = str->len;
	}
	return str;
}

#endif							/* DEPARSE_PLAIN_H */

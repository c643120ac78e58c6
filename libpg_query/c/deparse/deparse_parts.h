/*-------------------------------------------------------------------------
 *
 * deparse_parts.h
 *	  The parts of a statement that the deparser prints, as linked lists; a part
 *	  of deparse.c.
 *
 * libpg_query's deparser collects its output in parts, which it joins
 * into lines at the end of a nesting level, and passes to the level
 * above.  It keeps them in arrays: joining a part moves all later ones,
 * and each level copies those below it and processes them again.  These
 * functions do the same with linked lists, in linear time.  They call the
 * deparser's own functions; patches remove the functions that they replace.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DEPARSE_PARTS_H
#define DEPARSE_PARTS_H

#if PG_VERSION_NUM >= 180000
#define PART_OPTIONS(state) ((state)->opts)
#else
#define PART_OPTIONS(state) (&(state)->opts)
#endif

#include "deparse_plain.h"

static void removeTrailingSpace(DeparseState *state);
static void deparseMarkCurrentPartNonMergable(DeparseState *state);
static StringInfo deparseGetCurrentStringInfo(DeparseState *state);
static void deparseAppendStringInfoString(DeparseState *state, const char *s);
static void deparseAppendStringInfoChar(DeparseState *state, char ch);

/* ----- Lists of parts ----- */

static void
parts_append(DeparseStatePartGroup *group, DeparseStatePart *part)
{
	part->prev = group->last;
	part->next = NULL;
	part->run_end = part;
	if (group->last != NULL)
		group->last->next = part;
	else
		group->first = part;
	group->last = part;
}

static void
parts_prepend(DeparseStatePartGroup *group, DeparseStatePart *part)
{
	part->prev = NULL;
	part->next = group->first;
	part->run_end = part;
	if (group->first != NULL)
		group->first->prev = part;
	else
		group->last = part;
	group->first = part;
}

/* Removes a part, and frees it. */
static void
parts_remove(DeparseStatePartGroup *group, DeparseStatePart *part)
{
	/* the rest of a run is a run */
	if (part->run_end != part)
		part->next->run_end = part->run_end;
	if (part->prev != NULL)
		part->prev->next = part->next;
	else
		group->first = part->next;
	if (part->next != NULL)
		part->next->prev = part->prev;
	else
		group->last = part->prev;
	freeDeparseStatePart(part);
}

/* Appends all parts of a group to another group. */
static void
parts_concat(DeparseStatePartGroup *to, DeparseStatePartGroup *from)
{
	if (from->first == NULL)
		return;
	from->first->prev = to->last;
	if (to->last != NULL)
		to->last->next = from->first;
	else
		to->first = from->first;
	to->last = from->last;
}

static bool
fits_on_line(DeparseState *state, const DeparseStatePart *line, int more)
{
	return line->indent + line->str->len + 1 + more <= PART_OPTIONS(state)->max_line_length;
}

/*
 * Returns whether a part stays on its own line, even if later levels
 * process it again: each level removes a blank from the end of each
 * line, so a part that is one blank too long may fit the next time.
 */
static bool
is_settled(DeparseState *state, const DeparseStatePart *line, const DeparseStatePart *part)
{
	int			length = part->str->len;

	if (line->str->len > 0 && line->str->data[line->str->len - 1] == ' ')
		return false;
	while (length > 0 && part->str->data[length - 1] == ' ')
		length--;
	return !line->mergeable || !part->mergeable || !fits_on_line(state, line, length);
}

/*
 * Joins parts into lines.
 *
 * The parts of the levels below are already joined.
 * Parts that are final, from a part up to its "run_end",
 * are skipped.  The last part of a list is not in such a
 * run, since it is removed if it is empty.
 */
static void
join_parts(DeparseState *state, DeparseStatePartGroup *group)
{
	DeparseStatePart *run = group->first;
	DeparseStatePart *line = run->run_end;

	while (line->next != NULL)
	{
		DeparseStatePart *part = line->next;

		removeTrailingSpaceFromStr(line->str);
		if (line->mergeable && part->mergeable && fits_on_line(state, line, part->str->len))
		{
			if (line->str->len > 0 && line->str->data[line->str->len - 1] != '(')
				appendStringInfoChar(line->str, ' ');
			appendStringInfoString(line->str, part->str->data);
			parts_remove(group, part);
		}
		else
		{
			bool		settled = part->next != NULL && is_settled(state, line, part);

			line = part->run_end;
			if (settled)
				run->run_end = line;
			else
				run = part;
		}
	}
}

/* ----- The deparser's functions ----- */

/* Returns the current group; there is at least one, with an empty part. */
static DeparseStatePartGroup *
deparseGetCurrentPartGroup(DeparseState *state)
{
	DeparseStateNestingLevel *level = state->current;

	if (level->part_groups == NIL)
	{
		DeparseStatePartGroup *group = palloc0(sizeof(DeparseStatePartGroup));

		parts_append(group, makeDeparseStatePart(state, level, group->indent_mode));
		level->part_groups = lappend(NIL, group);
	}
	return guard_last(level->part_groups, __LINE__);
}

static DeparseStatePart *
deparseGetCurrentPart(DeparseState *state)
{
	return guard_part(deparseGetCurrentPartGroup(state)->last, __LINE__);
}

static void
deparseRemoveTrailingEmptyPart(DeparseState *state)
{
	DeparseStatePart *last;

	if (state->plain != NULL)
		return;
	last = deparseGetCurrentPart(state);
	if (last->str->len == 0)
		parts_remove(deparseGetCurrentPartGroup(state), last);
}

/*
 * With "deduplicate", replaces a part that is
 * still empty: its indentation may differ.
 */
static void
deparseAppendPart(DeparseState *state, bool deduplicate)
{
	DeparseStatePartGroup *group;

	if (state->plain != NULL)
	{
		plain_part(state);
		return;
	}
	group = deparseGetCurrentPartGroup(state);
	if (deduplicate)
		deparseRemoveTrailingEmptyPart(state);
	parts_append(group, makeDeparseStatePart(state, state->current, group->indent_mode));
}

static void
deparseAppendPartGroup(DeparseState *state, const char *keyword, DeparsePartIndentMode indent_mode)
{
	DeparseStateNestingLevel *level = state->current;
	DeparseStatePartGroup *group;

	if (state->plain != NULL)
	{
		plain_part_group(state, keyword);
		return;
	}
	if (level->part_groups != NIL)
		removeTrailingSpace(state);
	group = palloc0(sizeof(DeparseStatePartGroup));
	group->keyword = keyword;
	group->indent_mode = indent_mode;
	parts_append(group, makeDeparseStatePart(state, level, indent_mode));
	level->part_groups = lappend(level->part_groups, group);
}

static int
compare_addresses(const void *a, const void *b)
{
	const PostgresDeparseComment *left = *(PostgresDeparseComment *const *) a;
	const PostgresDeparseComment *right = *(PostgresDeparseComment *const *) b;

	return left < right ? -1 : left > right;
}

static void
append_newlines(DeparseState *state, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (PART_OPTIONS(state)->pretty_print)
			deparseAppendPart(state, false);
		else
			deparseAppendStringInfoChar(state, '\n');
	}
}

static void
append_comment(DeparseState *state, const PostgresDeparseComment *comment)
{
	int			newlines_before = comment->newlines_before_comment;

	/* The layout has already begun a line. */
	if (PART_OPTIONS(state)->pretty_print && newlines_before > 0 &&
		deparseGetCurrentPartGroup(state)->keyword != NULL &&
		deparseGetCurrentStringInfo(state)->len == 0)
		newlines_before--;

	append_newlines(state, newlines_before);
	deparseAppendStringInfoString(state, comment->str);
	deparseMarkCurrentPartNonMergable(state);
	append_newlines(state, comment->newlines_after_comment);
}

/*
 * Appends the pending comments up to a location.
 *
 * They are sorted by their locations, see guarded_deparse.h,
 * so these are the next ones.  Those due at the same location
 * are in the caller's order, which is that of their addresses.
 */
static void
deparseAppendCommentsIfNeeded(DeparseState *state, int location)
{
	PostgresDeparseComment **comments = PART_OPTIONS(state)->comments + state->comments_done;
	size_t		left = PART_OPTIONS(state)->comment_count - state->comments_done;
	size_t		count = 0;
	bool		in_order = true;

	while (count < left && comments[count]->match_location <= location)
	{
		in_order &= count == 0 || comments[count - 1] < comments[count];
		count++;
	}
	if (!in_order)
	{
		PostgresDeparseComment **sorted = palloc(sizeof(*sorted) * count);

		memcpy(sorted, comments, sizeof(*sorted) * count);
		/* libc's, since the worst case of PostgreSQL's is quadratic */
		(qsort) (sorted, count, sizeof(*sorted), compare_addresses);
		comments = sorted;
	}
	state->comments_done += count;
	for (size_t i = 0; i < count; i++)
		append_comment(state, comments[i]);
}

static void
deparseEmit(DeparseState *state, StringInfo str)
{
	DeparseStatePartGroup *result = &state->result;

	if (state->plain != NULL)
	{
		removeTrailingSpaceFromStr(str);
		return;
	}
	/* An empty part at the end would become an empty line. */
	if (guard_part(result->last, __LINE__)->str->len == 0)
		parts_remove(result, result->last);

	while (result->first != NULL)
	{
		DeparseStatePart *part = result->first;

		appendStringInfoSpaces(str, part->indent);
		appendStringInfoString(str, part->str->data);
		removeTrailingSpaceFromStr(str);
		if (part->next != NULL)
			appendStringInfoChar(str, '\n');
		part->run_end = part;
		parts_remove(result, part);
	}

	if (PART_OPTIONS(state)->trailing_newline)
		appendStringInfoChar(str, '\n');
}

static DeparseStateNestingLevel *
deparseStateIncreaseNestingLevel(DeparseState *state)
{
	DeparseStateNestingLevel *parent = state->current;
	DeparseStateNestingLevel *level;

	if (state->plain != NULL)
	{
		plain_part(state);
		return NULL;
	}
	level = palloc0(sizeof(DeparseStateNestingLevel));
	if (parent != NULL)
	{
		int			indent_size = PART_OPTIONS(state)->indent_size;
		bool		indented = deparseGetCurrentPartGroup(state)->indent_mode != DEPARSE_PART_NO_INDENT;

		level->base_indent = parent->base_indent + (indented ? 2 : 1) * indent_size;
		/* an item with its own parts stays on its line */
		deparseMarkCurrentPartNonMergable(state);
	}
	state->current = level;
	return parent;
}

/* Inserts the keyword of a group before it, on the line of its first part if that is the only one. */
static void
put_keyword(DeparseState *state, DeparseStateNestingLevel *level, DeparseStatePartGroup *group)
{
	DeparseStatePart *keyword = makeDeparseStatePart(state, level, DEPARSE_PART_NO_INDENT);
	DeparseStatePart *first = group->first;

	appendStringInfoString(keyword->str, group->keyword);
	parts_prepend(group, keyword);
	if (first == group->last || group->indent_mode == DEPARSE_PART_NO_INDENT)
	{
		guard_part(first, __LINE__);
		if (first->str->len > 0)
		{
			appendStringInfoChar(keyword->str, ' ');
			appendStringInfoString(keyword->str, first->str->data);
		}
		parts_remove(group, first);
	}
}

static void
deparseStateDecreaseNestingLevel(DeparseState *state, DeparseStateNestingLevel *parent)
{
	DeparseStateNestingLevel *level = state->current;
	ListCell   *cell;

	if (state->plain != NULL)
	{
		plain_part(state);
		return;
	}
	Assert(level != NULL);
	foreach(cell, level->part_groups)
	{
		DeparseStatePartGroup *group = lfirst(cell);

		if (group->indent_mode == DEPARSE_PART_INDENT_AND_MERGE && group->first != NULL)
			join_parts(state, group);
		if (group->keyword != NULL)
			put_keyword(state, level, group);
		parts_concat(parent != NULL ? guard_last(parent->part_groups, __LINE__) : &state->result,
					 group);
		pfree(group);
	}
	list_free(level->part_groups);
	pfree(level);

	state->current = parent;
	if (parent != NULL)
	{
		/* the following text begins a line */
		deparseAppendPart(state, true);
		deparseMarkCurrentPartNonMergable(state);
	}
}

#endif							/* DEPARSE_PARTS_H */

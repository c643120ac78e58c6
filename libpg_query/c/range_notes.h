/*-------------------------------------------------------------------------
 *
 * range_notes.h
 *	  What is noted while a text is parsed whose nodes get ranges; a part of
 *	  parser.c.
 *
 * While the action of a rule runs, every chunk that is made belongs to that
 * rule, and gets the mark that is the number of its range.  Where the rule
 * is in the text, is known when the action has ended; see grammar_ranges.h.
 * What the scanner makes belongs to its token in the same way.
 *
 *-------------------------------------------------------------------------
 */
#ifndef RANGE_NOTES_H
#define RANGE_NOTES_H

#include "postgres.h"

#include "arena.h"
#include "shim_internal.h"

typedef struct RangeNotes
{
	Arena	   *arena;			/* where the nodes are made */
	ShimRange  *ranges;			/* the first one stands for no range */
	size_t		count;
	size_t		capacity;
	TokenPlaces *places;
	int			end;			/* of the token that the scanner has read last, ... */
	int			previous_end;	/* ... of the one before, ... */
	int			shifted_end;	/* ... and of the last one that the grammar has taken */
#if PG_VERSION_NUM < 180000
	/* where each symbol on the stack starts: its own place may be missing */
	int		   *starts;
	size_t		start_capacity;
#endif
} RangeNotes;

static RangeNotes *
begin_ranges(RangeNotes *notes, TokenPlaces *places)
{
	ShimRange	none = {-1, -1};

	memset(notes, 0, sizeof(*notes));
	notes->arena = (Arena *) CurrentMemoryContext;
	notes->places = places;
	notes->capacity = 256;
	notes->ranges = palloc(notes->capacity * sizeof(ShimRange));
	notes->ranges[0] = none;
	notes->count = 1;
#if PG_VERSION_NUM < 180000
	notes->start_capacity = 256;
	notes->starts = palloc(notes->start_capacity * sizeof(int));
#endif
	arena_set_mark(notes->arena, 1);
	return notes;
}

/* What is made from here on has no range. */
static void
end_ranges(const RangeNotes *notes, ShimRanges *ranges)
{
	ranges->ranges = notes->ranges;
	ranges->count = notes->count;
	arena_set_mark(notes->arena, 0);
}

static pg_noinline void
enlarge_ranges(RangeNotes *notes)
{
	notes->capacity *= 2;
	notes->ranges = repalloc(notes->ranges, notes->capacity * sizeof(ShimRange));
}

/* The next chunks get another mark than those before. */
static inline void
add_range(RangeNotes *notes, int start, int end)
{
	if (unlikely(notes->count == notes->capacity))
		enlarge_ranges(notes);
	notes->ranges[notes->count].start = start;
	notes->ranges[notes->count].end = end;
	notes->count++;
	arena_set_mark(notes->arena, (uint32) notes->count);
}

/* The scanner has read a token: what it has made on the way belongs to it. */
static inline void
note_token(RangeNotes *notes, int start, int end)
{
	notes->previous_end = notes->end;
	notes->end = end;
	if (notes->arena->mark_used)
		add_range(notes, start, end);
}

/*
 * U&'..' UESCAPE '!' is three tokens of the scanner's, and one of the grammar's,
 * which has just been made.
 */
static pg_noinline void
join_tokens(RangeNotes *notes, int start, bool looked_ahead)
{
	int			end = looked_ahead ? notes->previous_end : notes->end;

	for (int i = start + 1; i < end; i++)
	{
		notes->places[i / 64].starts &= ~(UINT64CONST(1) << (i % 64));
		notes->places[i / 64].ends &= ~(UINT64CONST(1) << (i % 64));
	}
	if (notes->arena->mark_used)
		add_range(notes, start, end);
}

#endif							/* RANGE_NOTES_H */

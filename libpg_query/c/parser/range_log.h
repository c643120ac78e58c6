/*-------------------------------------------------------------------------
 *
 * range_log.h
 *	  The events recorded during a parse with ranges; a part of
 *	  parser.c.
 *
 * These are each token and each rule, in the
 * grammar's order, and the end of the used memory
 * after it: a few stores, which cost next to nothing
 * compared with the parse.  The ranges themselves are
 * derived from these on request; see range_replay.h.
 *-------------------------------------------------------------------------
 */
#ifndef RANGE_LOG_H
#define RANGE_LOG_H

#include "postgres.h"

#include "arena.h"
#include "shim_internal.h"

/* The kind of an event, next to a number of 16 bits. */
#define EVENT_TOKEN 0			/* the scanner's number of the token */
#define EVENT_RULE 0x10000		/* the rule's */
#define EVENT_JOIN 0x20000		/* the tokens from one that starts there are one */
#define EVENT_MADE 0x40000		/* a node was made from an earlier token */
#define EVENT_AHEAD 0x80000		/* the grammar does not have the last token yet ... */
#define EVENT_GIVEN 0x100000	/* ... but does now */
#define EVENT_NUMBER 0xFFFF

typedef struct RangeEvent
{
	const char *free;			/* the start of the free memory after it */
	union
	{
		ShimRange	range;		/* of a token */
		const Node *value;		/* of a rule: its result, if that is a pointer (RULE_HAS_POINTER) */
	}			of;
	uint32		what;
	int			token;			/* of a rule: the grammar's next token, or YYEMPTY */
} RangeEvent;

typedef struct RangeSegment
{
	struct RangeSegment *next;
	size_t		first;			/* the number of its first event */
	size_t		count;			/* its capacity, and its length unless it is the last one */
	RangeEvent	events[FLEXIBLE_ARRAY_MEMBER];
} RangeSegment;

/* Events are numbered from 1. */
typedef struct RangeLog
{
	RangeEvent *next;			/* the place of the next one ... */
	RangeEvent *end;			/* ... ends here */
	RangeSegment *last;
	RangeSegment *first;
	Arena	   *arena;			/* the arena of the nodes */
	const char *start;			/* the start of the free memory at the beginning */
	const ArenaBlock *last_block;	/* the last block in which chunks were made */
	size_t		length;			/* of the text */
} RangeLog;

/* Not larger than a block that is kept for the next call. */
#define MAX_SEGMENT ((ARENA_LARGE - sizeof(RangeSegment)) / sizeof(RangeEvent))

/* The number of the next event. */
static inline size_t
log_position(const RangeLog *log)
{
	return log->last->first + (log->next - log->last->events);
}

static pg_noinline void
add_segment(RangeLog *log, size_t count)
{
	RangeSegment *segment = palloc(sizeof(RangeSegment) + count * sizeof(RangeEvent));

	segment->next = NULL;
	segment->first = log->last != NULL ? log_position(log) : 1;
	segment->count = count;
	if (log->last != NULL)
		log->last->next = segment;
	else
		log->first = segment;
	log->last = segment;
	log->next = segment->events;
	log->end = segment->events + count;
}

static inline RangeEvent *
add_event(RangeLog *log, uint32 what)
{
	RangeEvent *event;

	if (unlikely(log->next == log->end))
		add_segment(log, MAX_SEGMENT);
	event = log->next++;
	event->free = log->arena->free;
	event->what = what;
	return event;
}

static inline void
log_token(RangeLog *log, uint32 what, int start, int end)
{
	RangeEvent *event = add_event(log, what);

	event->of.range.start = start;
	event->of.range.end = end;
}

static RangeLog *
begin_log(size_t length, bool has_mode)
{
	RangeLog   *log = palloc0(sizeof(RangeLog));

	log->arena = (Arena *) CurrentMemoryContext;
	log->length = length;
	/* a token has some five characters, and causes two events */
	add_segment(log, Min(length / 2 + 16, MAX_SEGMENT));
	log->start = log->arena->free;
	log->arena->log = log;
	/* the token that represents a mode of the parser has no location */
	if (has_mode)
		log_token(log, EVENT_TOKEN, -1, -1);
	return log;
}

/* From here on, new chunks have no range. */
static void
end_log(RangeLog *log)
{
	log->last_block = log->arena->current;
	log->last->count = log->next - log->last->events;
}

/*
 * A token that was read before, which may be followed by another one now.
 * The token of U&'..' is made from it, and from UESCAPE '!' if that follows.
 */
static pg_noinline void
log_filtered(RangeLog *log, int start, bool is_unicode, bool looked_ahead)
{
	add_event(log, EVENT_GIVEN);
	if (is_unicode)
		log_token(log, looked_ahead ? EVENT_MADE : EVENT_JOIN, start, -1);
	if (looked_ahead)
		add_event(log, EVENT_AHEAD);
}

#endif							/* RANGE_LOG_H */

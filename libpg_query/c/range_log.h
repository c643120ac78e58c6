/*-------------------------------------------------------------------------
 *
 * range_log.h
 *	  What is noted while a text is parsed whose nodes get ranges; a part of
 *	  parser.c.
 *
 * That is each token and each rule, in the order in which the grammar has them,
 * and how far memory was used behind it: a few stores, which is next to nothing
 * beside the parse.  The ranges themselves are found from this when somebody
 * asks for them; see range_replay.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef RANGE_LOG_H
#define RANGE_LOG_H

#include "postgres.h"

#include "arena.h"
#include "shim_internal.h"

/* What an event is, beside a number of 16 bits. */
#define EVENT_TOKEN 0			/* the scanner's number of the token */
#define EVENT_RULE 0x10000		/* the rule's */
#define EVENT_JOIN 0x20000		/* the tokens since one that starts there are one */
#define EVENT_MADE 0x40000		/* something was made of a token that has been noted before */
#define EVENT_AHEAD 0x80000		/* the last token is not the grammar's as yet ... */
#define EVENT_GIVEN 0x100000	/* ... but is now */
#define EVENT_NUMBER 0xFFFF

typedef struct RangeEvent
{
	const char *free;			/* where the free memory began behind it */
	union
	{
		ShimRange	range;		/* of a token */
		const Node *value;		/* of a rule: its result, if that is a pointer */
	}			of;
	uint32		what;
	int			token;			/* of a rule: the grammar's next one, or YYEMPTY */
} RangeEvent;

typedef struct RangeSegment
{
	struct RangeSegment *next;
	size_t		first;			/* the number of its first event */
	size_t		count;			/* how many it has room for, and has, unless it is the last one */
	RangeEvent	events[FLEXIBLE_ARRAY_MEMBER];
} RangeSegment;

/* Events are numbered from 1 on. */
typedef struct RangeLog
{
	RangeEvent *next;			/* room for the next one ... */
	RangeEvent *end;			/* ... ends here */
	RangeSegment *last;
	RangeSegment *first;
	Arena	   *arena;			/* where the nodes are made */
	const char *start;			/* where the free memory began at first */
	const ArenaBlock *last_block;	/* where chunks were made at last */
	size_t		length;			/* of the text */
} RangeLog;

/* Not more than a block that is kept for the next text. */
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
	/* a token has some five characters, and takes two events */
	add_segment(log, Min(length / 2 + 16, MAX_SEGMENT));
	log->start = log->arena->free;
	log->arena->log = log;
	/* the token that stands for a mode of the parser is nowhere */
	if (has_mode)
		log_token(log, EVENT_TOKEN, -1, -1);
	return log;
}

/* What is made from here on has no range. */
static void
end_log(RangeLog *log)
{
	log->last_block = log->arena->current;
	log->last->count = log->next - log->last->events;
}

/*
 * A token that was read before, which may have another one behind it now.  One
 * of U&'..' is made of it, and of UESCAPE '!' if that is behind it.
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

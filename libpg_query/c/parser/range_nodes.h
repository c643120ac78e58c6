/*-------------------------------------------------------------------------
 *
 * range_nodes.h
 *	  The range in which a node was made, or to which it was widened; a part of
 *	  range_replay.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef RANGE_NODES_H
#define RANGE_NODES_H

/* A symbol on the stack. */
typedef struct PlacedSymbol
{
	ShimRange	range;			/* starts at -1 if no token makes it */
	int			sign;			/* its only character, or 0 */
	const Node *value;			/* of a rule */
} PlacedSymbol;

/* A node with its own range, because a rule has changed it. */
typedef struct WidenedNode
{
	const Node *node;
	uint32		range;
} WidenedNode;

typedef struct Replay
{
	const RangeLog *log;
	RecordedRange *ranges;			/* the first one means no range */
	size_t		count;
	size_t		capacity;
	size_t		event;			/* the number of the current event */
	const char *free;			/* the start of the free memory after it, ... */
	const char *last;			/* ... and after the last range */
	bool		begun;			/* a block was begun since the last range */
	size_t	   *beginnings;		/* the events before which blocks began, ... */
	size_t		beginning_count;	/* ... which are still to come */
	PlacedSymbol *stack;
	size_t		depth;			/* including tokens that the grammar has not shifted yet */
	size_t		stack_capacity;
	bool		ahead;			/* the last one is not even the next one */
	TokenPlaces *places;
	WidenedNode *widened;		/* a hash table */
	size_t		widened_count;
	size_t		widened_capacity;	/* a power of two */
	const ArenaBlock **blocks;
	Size		block_count;
	size_t		sought;			/* the last range that was requested */
} Replay;

/* ----- Chunks ----- */

/* The chunks made since the last range belong to this one. */
static void
add_range(Replay *replay, ShimRange range)
{
	RecordedRange *recorded;

	if (replay->count == replay->capacity)
	{
		replay->capacity *= 2;
		replay->ranges = repalloc(replay->ranges, replay->capacity * sizeof(RecordedRange));
	}
	recorded = &replay->ranges[replay->count++];
	recorded->range = range;
	recorded->limit = replay->last = replay->free;
	recorded->event = replay->event;
	replay->begun = false;
}

static void
add_range_between(Replay *replay, int start, int end)
{
	ShimRange	range = {start, end};

	add_range(replay, range);
}

/* Returns whether a chunk was made since the last range. */
static inline bool
has_made(const Replay *replay)
{
	return replay->free != replay->last || replay->begun;
}

/* Returns whether it was made in the current event. */
static bool
is_new(const Replay *replay, const Node *node)
{
	const ArenaBlock *block = arena_block_of(node);

	return block->first_event == replay->event ||
		((const char *) node >= replay->last && (const char *) block <= replay->last);
}

/* A chunk to look up. */
typedef struct SoughtChunk
{
	const char *start;
	size_t		event;			/* that of its block */
	size_t		next_event;		/* that of the next block */
} SoughtChunk;

/* Returns whether a range was recorded after the chunk was made. */
static inline bool
is_behind(const RecordedRange *recorded, const SoughtChunk *chunk)
{
	return recorded->event >= chunk->event &&
		(recorded->event >= chunk->next_event || recorded->limit > chunk->start);
}

/* Returns the number of the range in which a chunk was made; 0 if in none. */
static size_t
range_of_chunk(Replay *replay, const void *pointer)
{
	const ArenaBlock *block = arena_block_of(pointer);
	const RecordedRange *ranges = replay->ranges;
	SoughtChunk chunk = {pointer, block->first_event, SIZE_MAX};
	size_t		low = replay->sought;
	size_t		high = low;
	size_t		step = 1;

	if (block->large)
		chunk.next_event = 0;
	else if (block != replay->log->last_block && block->next != NULL)
		chunk.next_event = block->next->first_event;

	/* the chunk is usually close to the previous one: between low and high */
	if (is_behind(&ranges[low], &chunk))
	{
		for (; step <= high && is_behind(&ranges[high - step], &chunk); step *= 2)
			high -= step;
		low = step <= high ? high - step + 1 : 0;
	}
	else
	{
		for (low++; low + step <= replay->count && !is_behind(&ranges[low + step - 1], &chunk);
			 step *= 2)
			low += step;
		high = Min(low + step - 1, replay->count);
	}
	while (low < high)
	{
		size_t		middle = low + (high - low) / 2;

		if (is_behind(&ranges[middle], &chunk))
			high = middle;
		else
			low = middle + 1;
	}
	if (low == replay->count)
		return 0;
	replay->sought = low;
	return low;
}

/* ----- Nodes that were changed ----- */

/* Returns the place of a node in the table, or the one for it. */
static WidenedNode *
find_widened(const Replay *replay, const Node *node)
{
	size_t		mask = replay->widened_capacity - 1;
	uint64		spread = (uint64) (uintptr_t) node * UINT64CONST(0x9E3779B97F4A7C15);
	size_t		place = (size_t) (spread >> 32) & mask;

	while (replay->widened[place].node != NULL && replay->widened[place].node != node)
		place = (place + 1) & mask;
	return &replay->widened[place];
}

static void
enlarge_widened(Replay *replay)
{
	WidenedNode *old = replay->widened;
	size_t		old_capacity = replay->widened_capacity;

	replay->widened_capacity = old_capacity * 2;
	replay->widened = palloc0(replay->widened_capacity * sizeof(WidenedNode));
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].node != NULL)
			*find_widened(replay, old[i].node) = old[i];
	pfree(old);
}

/* Widens the nodes that a rule has changed to the range of the rule. */
static void
widen(Replay *replay, const Node *changed, ShimRange whole)
{
	WidenedNode *widened = find_widened(replay, changed);

	/* from the second time on, it has its own range */
	if (widened->node != NULL)
	{
		replay->ranges[widened->range].range = whole;
		return;
	}
	widened->node = changed;
	widened->range = (uint32) replay->count;
	add_range(replay, whole);
	if (++replay->widened_count > replay->widened_capacity / 2)
		enlarge_widened(replay);
}

static size_t
range_of_node(Replay *replay, const Node *node)
{
	const WidenedNode *widened = find_widened(replay, node);

	return widened->node != NULL ? widened->range : range_of_chunk(replay, node);
}

#endif							/* RANGE_NODES_H */

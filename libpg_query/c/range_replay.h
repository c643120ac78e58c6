/*-------------------------------------------------------------------------
 *
 * range_replay.h
 *	  Where the rules of the grammar, and what they made, are in the text; a
 *	  part of parser.c.
 *
 * What was noted while the text was parsed (range_log.h) is gone through once
 * more, with a stack of symbols that have places in place of values.  While
 * the action of a rule ran, every chunk that was made belonged to that rule;
 * what the scanner made belongs to its token in the same way.  Chunks follow
 * each other, so that where the memory in use ended behind an event says which
 * chunks were made until then.
 *
 * A rule begins where the first of its symbols does that is anywhere, and ends
 * with the last token that has been shifted.  Three things make it more exact:
 *
 * 1. A rule that gives back a node, or a list, of one of its symbols after it
 * has added to it makes this as wide as itself: ORDER BY widens the SelectStmt.
 * A rule that only passes it on does not, nor do parentheses.  One that gives it
 * back as the item of a new list does as well, if it has added to it.
 *
 * 2. What such a rule makes besides is in what is left of it: an alias behind
 * its table, an item behind the list that it is appended to.
 *
 * 3. What an empty rule makes has no range.
 *
 * Of a rule that makes several nodes, the ranges of its symbols are kept as
 * well, behind its own: which of the nodes is made of which symbols, is for who
 * knows the nodes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef RANGE_REPLAY_H
#define RANGE_REPLAY_H

/* A symbol on the stack. */
typedef struct PlacedSymbol
{
	ShimRange	range;			/* from -1 on if no token makes it */
	int			sign;			/* the character that is all of it, or 0 */
	const Node *value;			/* of a rule */
} PlacedSymbol;

/* A node that has a range of its own, since a rule has changed it. */
typedef struct WidenedNode
{
	const Node *node;
	uint32		range;
} WidenedNode;

typedef struct Replay
{
	const RangeLog *log;
	NotedRange *ranges;			/* the first one stands for no range */
	size_t		count;
	size_t		capacity;
	size_t		event;			/* the number of the one that is gone through */
	const char *free;			/* where the free memory began behind it, ... */
	const char *last;			/* ... and behind the last range */
	bool		begun;			/* a block was begun since the last range */
	size_t	   *beginnings;		/* the events before which blocks were begun, ... */
	size_t		beginning_count;	/* ... as far as they are still to come */
	PlacedSymbol *stack;
	size_t		depth;			/* with the tokens that the grammar has not taken yet */
	size_t		stack_capacity;
	bool		ahead;			/* the last one is not even its next one */
	TokenPlaces *places;
	WidenedNode *widened;		/* a hash table */
	size_t		widened_count;
	size_t		widened_capacity;	/* a power of two */
	const ArenaBlock **blocks;
	Size		block_count;
	size_t		sought;			/* the last range that was looked for */
} Replay;

/* A rule whose action has run. */
typedef struct ReplayedRule
{
	const PlacedSymbol *symbols;
	int			length;			/* in symbols */
	ShimRange	whole;
	const Node *value;
	int			flags;
} ReplayedRule;

/* ----- Chunks ----- */

/* What was made since the last range is in this one. */
static void
add_range(Replay *replay, ShimRange range)
{
	NotedRange *noted;

	if (replay->count == replay->capacity)
	{
		replay->capacity *= 2;
		replay->ranges = repalloc(replay->ranges, replay->capacity * sizeof(NotedRange));
	}
	noted = &replay->ranges[replay->count++];
	noted->range = range;
	noted->limit = replay->last = replay->free;
	noted->event = replay->event;
	replay->begun = false;
}

static void
add_range_between(Replay *replay, int start, int end)
{
	ShimRange	range = {start, end};

	add_range(replay, range);
}

/* Whether something was made since the last range. */
static inline bool
has_made(const Replay *replay)
{
	return replay->free != replay->last || replay->begun;
}

/* Whether it was made in the event that is gone through. */
static bool
is_new(const Replay *replay, const Node *node)
{
	const ArenaBlock *block = arena_block_of(node);

	return block->first_event == replay->event ||
		((const char *) node >= replay->last && (const char *) block <= replay->last);
}

/* A chunk that is looked for. */
typedef struct SoughtChunk
{
	const char *start;
	size_t		event;			/* that of its block */
	size_t		next_event;		/* that of the next block */
} SoughtChunk;

/* Whether a range was noted when the chunk had been made. */
static inline bool
is_behind(const NotedRange *noted, const SoughtChunk *chunk)
{
	return noted->event >= chunk->event &&
		(noted->event >= chunk->next_event || noted->limit > chunk->start);
}

/* The number of the range that a chunk was made in; 0 if it was in none. */
static size_t
range_of_chunk(Replay *replay, const void *pointer)
{
	const ArenaBlock *block = arena_block_of(pointer);
	const NotedRange *ranges = replay->ranges;
	SoughtChunk chunk = {pointer, block->first_event, SIZE_MAX};
	size_t		low = replay->sought;
	size_t		high = low;
	size_t		step = 1;

	if (block->large)
		chunk.next_event = 0;
	else if (block != replay->log->last_block && block->next != NULL)
		chunk.next_event = block->next->first_event;

	/* what is looked for is mostly close to what was before: one of those from low up to high */
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

/* The place of a node in the table, or the one where it would be. */
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

/* Makes what a rule has changed as wide as the rule. */
static void
widen(Replay *replay, const Node *changed, ShimRange whole)
{
	WidenedNode *widened = find_widened(replay, changed);

	/* a range of its own is there from the second time on */
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

/* ----- Rules ----- */

/* Which one of its symbols an older node comes from that a rule has given back. */
static int
symbol_of(const ReplayedRule *rule, const Node *node)
{
	for (int i = 1; i < rule->length; i++)
		if (rule->symbols[i].value == node)
			return i;
	return 0;
}

static bool
is_one_of(const PlacedSymbol *symbol, const char *characters)
{
	return symbol->sign != 0 && strchr(characters, symbol->sign) != NULL;
}

/* Whether a rule has anything but one of its symbols and parentheses around it. */
static bool
has_more(const ReplayedRule *rule, int symbol)
{
	for (int i = 0; i < rule->length; i++)
		if (i != symbol && rule->symbols[i].range.start >= 0 &&
			!is_one_of(&rule->symbols[i], "()"))
			return true;
	return false;
}

/* What is left of a rule beside one of its symbols that it begins or ends with. */
static ShimRange
beside(const ReplayedRule *rule, int symbol)
{
	const PlacedSymbol *symbols = rule->symbols;
	ShimRange	rest = rule->whole;

	if (symbols[symbol].range.start < 0)
		return rest;
	if (symbols[symbol].range.start == rest.start)
	{
		int			next = symbol + 1;

		while (next < rule->length &&
			   (symbols[next].range.start < 0 || is_one_of(&symbols[next], ",;.")))
			next++;
		if (next < rule->length)
			rest.start = symbols[next].range.start;
	}
	else if (symbols[symbol].range.end == rest.end)
		for (int i = 0; i < symbol; i++)
			if (symbols[i].range.start >= 0)
				rest.end = symbols[i].range.end;
	return rest;
}

/* Of a rule that has made several nodes, or has changed one and made others. */
static void
note_parts(Replay *replay, const ReplayedRule *rule, const Node *changed, int symbol)
{
	ShimRange	made = rule->whole;

	if (changed != NULL)
	{
		if (has_more(rule, symbol) ||
			replay->ranges[range_of_node(replay, changed)].range.start < 0)
			made = beside(rule, symbol);
		else
			changed = NULL;
	}
	if (has_made(replay))
	{
		add_range(replay, made);
		if ((rule->flags & RULE_MAKES_SEVERAL) != 0)
		{
			add_range_between(replay, SHIM_SYMBOLS, rule->length);
			for (int i = 0; i < rule->length; i++)
				add_range(replay, rule->symbols[i].range);
		}
	}
	if (changed != NULL)
		widen(replay, changed, rule->whole);
}

/* A rule that has made nodes, or may have changed one. */
static void
note_rule(Replay *replay, const ReplayedRule *rule)
{
	const Node *result = rule->value;

	if ((rule->flags & RULE_CHANGES_ITEM) != 0)
		result = linitial((const List *) result);
	if ((rule->flags & (RULE_CHANGES | RULE_CHANGES_ITEM)) != 0 && rule->length > 0 &&
		result != NULL && !is_new(replay, result))
	{
		int			symbol = symbol_of(rule, result);

		/* an item is put behind a list, and nothing is made */
		if (symbol == 0 && !has_made(replay))
			widen(replay, result, rule->whole);
		else
			note_parts(replay, rule, result, symbol);
	}
	else if (has_made(replay))
	{
		if ((rule->flags & RULE_MAKES_SEVERAL) != 0)
			note_parts(replay, rule, NULL, 0);
		else
			add_range(replay, rule->whole);
	}
}

/* ----- Events ----- */

static pg_noinline void
enlarge_stack(Replay *replay)
{
	replay->stack_capacity *= 2;
	replay->stack = repalloc(replay->stack, replay->stack_capacity * sizeof(PlacedSymbol));
}

static void
replay_token(Replay *replay, ShimRange range, int number)
{
	PlacedSymbol *symbol;

	/* the end of the text has no length */
	if (number == 0)
		range.end = range.start;
	if (range.end > range.start)
	{
		replay->places[range.start / 64].starts |= UINT64CONST(1) << (range.start % 64);
		replay->places[range.end / 64].ends |= UINT64CONST(1) << (range.end % 64);
	}
	if (has_made(replay))
		add_range(replay, range);
	symbol = &replay->stack[replay->depth++];
	symbol->range = range;
	symbol->sign = number <= UCHAR_MAX ? number : 0;
	symbol->value = NULL;
}

/* The last tokens, from one that starts there on, are one. */
static void
replay_join(Replay *replay, int start)
{
	int			end = replay->stack[replay->depth - 1].range.end;

	while (replay->depth > 1 && replay->stack[replay->depth - 1].range.start > start)
		replay->depth--;
	replay->stack[replay->depth - 1].range.end = end;
	for (int i = start + 1; i < end; i++)
	{
		replay->places[i / 64].starts &= ~(UINT64CONST(1) << (i % 64));
		replay->places[i / 64].ends &= ~(UINT64CONST(1) << (i % 64));
	}
	if (has_made(replay))
		add_range_between(replay, start, end);
}

/* Something was made of a token that another one follows. */
static void
replay_made(Replay *replay, int start)
{
	for (size_t i = replay->depth; i > 0 && replay->stack[i - 1].range.start >= start; i--)
		if (replay->stack[i - 1].range.start == start && has_made(replay))
			add_range(replay, replay->stack[i - 1].range);
}

static inline void
replay_rule(Replay *replay, const RangeEvent *event)
{
	uint32		number = event->what & EVENT_NUMBER;
	int			length = grammar_rules[number].length;
	int			flags = grammar_flags[number];
	int			waiting = (event->token != YYEMPTY) + replay->ahead;
	PlacedSymbol *end = replay->stack + replay->depth - waiting;
	PlacedSymbol *result = end - length;
	ShimRange	whole = {-1, -1};
	int			sign = length == 1 ? result->sign : 0;

	/* from the first one that is anywhere to the last one */
	for (int i = 0; i < length && whole.start < 0; i++)
		whole.start = result[i].range.start;
	for (int i = length - 1; i >= 0 && whole.end < 0; i--)
		whole.end = result[i].range.end;

	if (flags != 0 || has_made(replay))
	{
		ReplayedRule rule = {
			.symbols = result,
			.length = length,
			.whole = whole,
			.value = event->of.value,
			.flags = flags,
		};

		note_rule(replay, &rule);
	}
	/* what waits comes behind the result */
	if (length != 1)
		memmove(result + 1, end, waiting * sizeof(PlacedSymbol));
	replay->depth -= length - 1;
	result->range = whole;
	result->sign = sign;
	result->value = event->of.value;
}

static void
replay_event(Replay *replay, const RangeEvent *event)
{
	replay->free = event->free;
	if (unlikely(replay->depth == replay->stack_capacity))
		enlarge_stack(replay);
	while (unlikely(replay->beginning_count > 0 && *replay->beginnings <= replay->event))
	{
		replay->beginnings++;
		replay->beginning_count--;
		replay->begun = true;
	}
	if ((event->what & EVENT_RULE) != 0)
		replay_rule(replay, event);
	else if (likely(event->what <= EVENT_NUMBER))
		replay_token(replay, event->of.range, (int) event->what);
	else if ((event->what & EVENT_JOIN) != 0)
		replay_join(replay, event->of.range.start);
	else if ((event->what & EVENT_MADE) != 0)
		replay_made(replay, event->of.range.start);
	else
		replay->ahead = (event->what & EVENT_AHEAD) != 0;
}

static int
compare_events(const void *a, const void *b)
{
	size_t		left = *(const size_t *) a;
	size_t		right = *(const size_t *) b;

	return (left > right) - (left < right);
}

/* The events before which blocks were begun, in order. */
static void
find_beginnings(Replay *replay)
{
	replay->beginnings = palloc(replay->block_count * sizeof(size_t));
	for (Size i = 0; i < replay->block_count; i++)
		if (replay->blocks[i]->first_event > 0)
			replay->beginnings[replay->beginning_count++] = replay->blocks[i]->first_event;
	(qsort) (replay->beginnings, replay->beginning_count, sizeof(size_t), compare_events);
}

void
replay_ranges(const ShimParse *parse, ShimRanges *out)
{
	const RangeLog *log = parse->range_log;
	Replay	   *replay = palloc0(sizeof(Replay));

	replay->log = log;
	replay->capacity = log_position(log) / 2 + 16;
	replay->ranges = palloc(replay->capacity * sizeof(NotedRange));
	replay->stack_capacity = YYINITDEPTH;
	replay->stack = palloc(replay->stack_capacity * sizeof(PlacedSymbol));
	replay->widened_capacity = 64;
	replay->widened = palloc0(replay->widened_capacity * sizeof(WidenedNode));
	replay->places = palloc0(TOKEN_PLACES(log->length) * sizeof(TokenPlaces));
	replay->blocks = arena_blocks(parse->context, &replay->block_count);
	find_beginnings(replay);

	/* what was there before is nowhere */
	replay->free = log->start;
	add_range_between(replay, -1, -1);
	for (const RangeSegment *segment = log->first; segment != NULL; segment = segment->next)
		for (size_t i = 0; i < segment->count; i++)
		{
			replay->event = segment->first + i;
			replay_event(replay, &segment->events[i]);
		}

	out->ranges = replay->ranges;
	out->count = replay->count;
	out->token_places = replay->places;
	out->length = log->length;
	out->replay = replay;
}

ShimMark
shim_node_mark(const ShimRanges *ranges, const void *node)
{
	Replay	   *replay = ranges->replay;
	const WidenedNode *widened = find_widened(replay, node);
	ShimMark	mark;

	mark.made = mark.now = (uint32) range_of_chunk(replay, node);
	if (widened->node != NULL)
		mark.now = widened->range;
	return mark;
}

ShimRange
shim_string_range(const ShimRanges *ranges, const char *string)
{
	Replay	   *replay = ranges->replay;

	if (arena_find_block(replay->blocks, replay->block_count, string) == NULL)
		return ranges->ranges[0].range;
	return ranges->ranges[range_of_chunk(replay, string)].range;
}

#endif							/* RANGE_REPLAY_H */

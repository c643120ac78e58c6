/*-------------------------------------------------------------------------
 *
 * range_replay.h
 *	  The ranges of the grammar's rules, and of the nodes they made; a
 *	  part of parser.c.
 *
 * The events of the parse (range_log.h) are processed once more,
 * with a stack of symbols that have ranges instead of values.
 * All chunks made during the action of a rule belong to that
 * rule; chunks that the scanner made belong to their token in
 * the same way.  Chunks are consecutive, so the end of the used
 * memory after an event tells which chunks were made until then.
 *
 * A rule begins at the first of its symbols that has a location, and ends
 * with the last shifted token.  Three additions make this more exact:
 *
 * 1. A rule that returns a node or list of one of its symbols after
 * adding to it widens it to its own range: ORDER BY widens the SelectStmt.
 * A rule that only passes it on does not, nor do parentheses.  A rule that
 * returns it as the item of a new list also does, if it has added to it.
 *
 * 2. Other nodes that such a rule makes have the rest of its range: an
 * alias after its table, an item after the list that it is appended to.
 *
 * 3. The nodes of an empty rule have no range.
 *
 * For a rule that makes several nodes, the ranges of its
 * symbols are kept as well, after its own: code that knows
 * the nodes finds out which one is made from which symbols.
 *
 *-------------------------------------------------------------------------
 */
#ifndef RANGE_REPLAY_H
#define RANGE_REPLAY_H

#include "range_nodes.h"

/* A rule after its action. */
typedef struct ReplayedRule
{
	const PlacedSymbol *symbols;
	int			length;			/* in symbols */
	ShimRange	whole;
	const Node *value;
	int			flags;
} ReplayedRule;

/* ----- Rules ----- */

/* Returns the symbol from which a rule has taken an older node that it returns. */
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

/* Returns whether a rule has more than one of its symbols and parentheses around it. */
static bool
has_more(const ReplayedRule *rule, int symbol)
{
	for (int i = 0; i < rule->length; i++)
		if (i != symbol && rule->symbols[i].range.start >= 0 &&
			!is_one_of(&rule->symbols[i], "()"))
			return true;
	return false;
}

/* Returns the rest of a rule without the symbol that it begins or ends with. */
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

/* For a rule that has made several nodes, or has changed one and made others. */
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

		/* an item is appended to a list, and no node is made */
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

	/* the end of the input has no length */
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

/* The last tokens, from one that starts there, are one. */
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

/* A node was made from a token that another one follows. */
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
	const Node *value = (flags & RULE_HAS_POINTER) != 0 ? event->of.value : NULL;

	/* from the first to the last one with a location */
	for (int i = 0; i < length && whole.start < 0; i++)
		whole.start = result[i].range.start;
	for (int i = length - 1; i >= 0 && whole.end < 0; i--)
		whole.end = result[i].range.end;

	if ((flags & ~RULE_HAS_POINTER) != 0 || has_made(replay))
	{
		ReplayedRule rule = {
			.symbols = result,
			.length = length,
			.whole = whole,
			.value = value,
			.flags = flags,
		};

		note_rule(replay, &rule);
	}
	/* waiting tokens follow the result */
	if (length != 1)
		memmove(result + 1, end, waiting * sizeof(PlacedSymbol));
	replay->depth -= length - 1;
	result->range = whole;
	result->sign = sign;
	result->value = value;
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

/* The events before which blocks began, in order. */
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
	replay->ranges = palloc(replay->capacity * sizeof(RecordedRange));
	replay->stack_capacity = YYINITDEPTH;
	replay->stack = palloc(replay->stack_capacity * sizeof(PlacedSymbol));
	replay->widened_capacity = 64;
	replay->widened = palloc0(replay->widened_capacity * sizeof(WidenedNode));
	replay->places = palloc0(TOKEN_PLACES(log->length) * sizeof(TokenPlaces));
	replay->blocks = arena_blocks(parse->context, &replay->block_count);
	find_beginnings(replay);

	/* older chunks have no range */
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

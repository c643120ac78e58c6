/*-------------------------------------------------------------------------
 *
 * grammar_ranges.h
 *	  Where the rules of the grammar, and what they make, are in the text; a
 *	  part of parser.c.
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
#ifndef GRAMMAR_RANGES_H
#define GRAMMAR_RANGES_H

#include "port/pg_bitutils.h"

/* What is known of a rule from its action; see build/grammar.rs. */
#define RULE_CHANGES 1			/* its value may be a node of a symbol's, changed */
#define RULE_MAKES_SEVERAL 2	/* it makes more than one node */
#define RULE_CHANGES_ITEM 4		/* its value is a list of a node of a symbol's, changed */

/* No rule has as many symbols. */
#define MAX_SYMBOLS 32

/*
 * A rule whose action has run.  Its first symbol has become its result, and the
 * others are still there.
 */
typedef struct NotedRule
{
	const Symbol *bottom;		/* what is below it on the stack */
	size_t		index;			/* the place of its result on the stack */
	int			length;			/* in symbols */
	int			start;			/* -1 if no token makes it */
	int			flags;
	const char *text;
} NotedRule;

#if PG_VERSION_NUM < 180000
/* Where a symbol starts; "index" is its place on the stack. */
static inline int *
symbol_start(RangeNotes *notes, size_t index)
{
	if (unlikely(index >= notes->start_capacity))
	{
		notes->start_capacity = Max(notes->start_capacity * 2, index + 1);
		notes->starts = repalloc(notes->starts, notes->start_capacity * sizeof(int));
	}
	return notes->starts + index;
}
#endif

/* A token has been shifted; the one that stands for a mode of the parser is nowhere. */
static inline void
note_shift(RangeNotes *notes, size_t index, int start, core_yyscan_t scanner)
{
	notes->shifted_end = pg_yyget_extra(scanner)->have_lookahead ?
		notes->previous_end : notes->end;
#if PG_VERSION_NUM < 180000
	*symbol_start(notes, index) = notes->shifted_end > start ? start : -1;
#endif
}

/* Where the last token ends that does so at a place or before it. */
static int
end_before(const TokenPlaces *places, int place)
{
	int			word = place / 64;
	uint64		ends = places[word].ends & (~UINT64CONST(0) >> (63 - place % 64));

	while (ends == 0 && word > 0)
		ends = places[--word].ends;
	return ends != 0 ? word * 64 + pg_leftmost_one_pos64(ends) : 0;
}

/* Where each symbol of a rule is. */
static void
find_symbols(RangeNotes *notes, const NotedRule *rule, ShimRange *symbols)
{
	int			next = -1;		/* the start of the symbol behind it that is anywhere */

	for (int i = rule->length - 1; i >= 0; i--)
	{
		int			start;

#if PG_VERSION_NUM < 180000
		start = *symbol_start(notes, rule->index + i);
#else
		start = rule->bottom[1 + i].location;
#endif
		/* this one's place is that of the rule by now */
		if (i == 0 && next == rule->start)
			start = -1;
		symbols[i].start = symbols[i].end = start;
		if (start < 0)
			continue;
		symbols[i].end = next < 0 ? notes->shifted_end : end_before(notes->places, next);
		next = start;
	}
}

static inline bool
is_one_of(ShimRange range, const char *text, const char *characters)
{
	return range.end == range.start + 1 && strchr(characters, text[range.start]) != NULL;
}

/* Which one of its symbols an older node comes from that a rule has given back. */
static int
symbol_of(const NotedRule *rule, const Node *node)
{
	for (int i = 1; i < rule->length; i++)
		if (rule->bottom[1 + i].value.node == node)
			return i;
	/* the value of this one has been replaced already */
	return 0;
}

/* Whether a rule has anything but one of its symbols and parentheses around it. */
static bool
has_more(const NotedRule *rule, const ShimRange *symbols, int symbol)
{
	for (int i = 0; i < rule->length; i++)
		if (i != symbol && symbols[i].start >= 0 && !is_one_of(symbols[i], rule->text, "()"))
			return true;
	return false;
}

/* What is left of a rule beside one of its symbols that it begins or ends with. */
static ShimRange
beside(const NotedRule *rule, const ShimRange *symbols, int symbol, ShimRange whole)
{
	ShimRange	rest = whole;

	if (symbols[symbol].start < 0)
		return whole;
	if (symbols[symbol].start == whole.start)
	{
		int			next = symbol + 1;

		while (next < rule->length &&
			   (symbols[next].start < 0 || is_one_of(symbols[next], rule->text, ",;.")))
			next++;
		if (next == rule->length)
			return whole;
		rest.start = symbols[next].start;
	}
	else if (symbols[symbol].end == whole.end)
		for (int i = 0; i < symbol; i++)
			if (symbols[i].start >= 0)
				rest.end = symbols[i].end;
	return rest;
}

/* Makes what a rule has changed as wide as the rule. */
static inline void
widen(RangeNotes *notes, ArenaMark *mark, ShimRange whole)
{
	/* a range of its own is there from the second time on */
	if (mark->now != mark->made)
		notes->ranges[mark->now] = whole;
	else
	{
		mark->now = (uint32) notes->count;
		add_range(notes, whole.start, whole.end);
	}
}

/* Of a rule that has made several nodes, or has changed one and made others. */
static pg_noinline void
note_parts(RangeNotes *notes, const NotedRule *rule, ShimRange whole, ArenaMark *changed,
		   int symbol)
{
	ShimRange	made = whole;
	ShimRange	symbols[MAX_SYMBOLS];

	find_symbols(notes, rule, symbols);
	if (changed != NULL)
	{
		if (notes->ranges[changed->now].start < 0 || has_more(rule, symbols, symbol))
			made = beside(rule, symbols, symbol, whole);
		else
			changed = NULL;
	}
	if (notes->arena->mark_used)
	{
		add_range(notes, made.start, made.end);
		if ((rule->flags & RULE_MAKES_SEVERAL) != 0)
		{
			add_range(notes, SHIM_SYMBOLS, rule->length);
			for (int i = 0; i < rule->length; i++)
				add_range(notes, symbols[i].start, symbols[i].end);
		}
	}
	if (changed != NULL)
		widen(notes, changed, whole);
}

/* A rule that has made nodes, or may have changed one. */
static inline void
note_rule(RangeNotes *notes, const NotedRule *rule)
{
	const Node *result = rule->bottom[1].value.node;
	ShimRange	whole = {rule->start, rule->start < 0 ? -1 : notes->shifted_end};

	if (unlikely((rule->flags & RULE_CHANGES_ITEM) != 0))
		result = linitial((const List *) result);
	if ((rule->flags & (RULE_CHANGES | RULE_CHANGES_ITEM)) != 0 && rule->length > 0 &&
		result != NULL && ARENA_MARK(result)->made != notes->count)
	{
		int			symbol = symbol_of(rule, result);

		/* an item is put behind a list, and nothing is made */
		if (symbol == 0 && !notes->arena->mark_used)
			widen(notes, ARENA_MARK(result), whole);
		else
			note_parts(notes, rule, whole, ARENA_MARK(result), symbol);
	}
	else if (notes->arena->mark_used)
	{
		if ((rule->flags & RULE_MAKES_SEVERAL) != 0)
			note_parts(notes, rule, whole, NULL, 0);
		else
			add_range(notes, whole.start, whole.end);
	}
}

#endif							/* GRAMMAR_RANGES_H */

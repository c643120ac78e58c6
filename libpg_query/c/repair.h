/*-------------------------------------------------------------------------
 *
 * repair.h
 *	  A text with mistakes as one that the grammar takes.
 *
 * Where a terminal is refused, one is put in before it, or it is left out, or
 * another one stands in its place: whichever lets most of what follows be
 * taken.  At the end, what is open is closed.  Like automaton.h, this is a
 * part of parser.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef REPAIR_H
#define REPAIR_H

/* How many terminals behind a mistake decide what is done about it. */
#define REPAIR_AHEAD 6
/* A text has so many changes at most, so that the time is linear. */
#define REPAIR_MOST 64
/* And so many terminals are put in at its end. */
#define REPAIR_CLOSE 64

typedef struct Repair
{
	Automaton	automaton;
	const uint16 *terminals;
	size_t		count;
	ShimRepair *out;
	size_t		room;
} Repair;

static void
repair_note(Repair *repair, size_t index, int terminal, bool removes)
{
	ShimChange *changes = (ShimChange *) repair->out->changes;

	if (repair->out->count == repair->room)
	{
		repair->room *= 2;
		repair->out->changes = changes = repalloc(changes, repair->room * sizeof(ShimChange));
	}
	changes[repair->out->count++] = (ShimChange)
	{
		.index = index,
		.symbol = terminal,
		.removes = removes,
	};
}

/* Whether something that stands in a text may be put in: not the end, and no token that is none. */
static bool
can_be_put_in(int terminal)
{
	const char *name = grammar_symbols[terminal];
	size_t		length = strlen(name);

	return terminal != YYTRANSLATE(0) && terminal != YYTRANSLATE(';') &&
		terminal != YYTRANSLATE(UIDENT) && terminal != YYTRANSLATE(USCONST) &&
		strncmp(name, "MODE_", 5) != 0 &&
		!(length > 3 && strcmp(name + length - 3, "_LA") == 0);
}

/* How many of the next terminals are taken on a trial, up to some. */
static int
repair_ahead(Trial trial, const Repair *repair, size_t index)
{
	int			ahead = 0;

	while (ahead < REPAIR_AHEAD && index + ahead < repair->count &&
		   trial_take(&trial, repair->terminals[index + ahead]))
		ahead++;
	/* the end of the text is as good as many */
	if (ahead < REPAIR_AHEAD && index + ahead == repair->count && trial_take(&trial, YYTRANSLATE(0)))
		ahead = REPAIR_AHEAD;
	return ahead;
}

/* The names of things first: a keyword changes more. */
static int
repair_cost(int terminal)
{
	const char *name = grammar_symbols[terminal];

	if (terminal == YYTRANSLATE(IDENT))
		return 0;
	if (name[0] == '\'')
		return 1;
	if (terminal == YYTRANSLATE(ICONST) || terminal == YYTRANSLATE(SCONST))
		return 2;
	return 3;
}

/* Does what is best about the terminal that is refused, and goes on behind it. */
static size_t
repair_mistake(Repair *repair, size_t index)
{
	int			best = -1;		/* the terminal put in, or -1 */
	bool		removes = true;
	int			best_ahead = repair_ahead(trial_begin(&repair->automaton), repair, index + 1);
	int			best_cost = 4;

	for (int terminal = 0; terminal < YYNTOKENS; terminal++)
	{
		Trial		trial = trial_begin(&repair->automaton);

		if (!can_be_put_in(terminal) || !trial_take(&trial, terminal))
			continue;
		for (int replaces = 0; replaces < 2; replaces++)
		{
			int			ahead = repair_ahead(trial, repair, index + replaces);
			/* what is refused is worth more than what is made up */
			int			cost = repair_cost(terminal) + replaces * 3;

			if (ahead > best_ahead || (ahead == best_ahead && cost < best_cost))
			{
				best = terminal;
				removes = replaces;
				best_ahead = ahead;
				best_cost = cost;
			}
		}
	}
	/* one that is put in has to help what is there */
	if (best >= 0 && !removes && best_ahead == 0)
		best = -1;
	if (best < 0)
		removes = true;

	repair_note(repair, index, best < 0 ? 0 : best, removes);
	if (best >= 0)
		automaton_try(&repair->automaton, best);
	return index + removes;
}

/* What is tried in front of the last terminal that closes a text. */
static int
repair_closers(int *closers)
{
	static const int tokens[] = {
		IDENT, ')', ']', '=', ICONST, SCONST, THEN, END_P, ON, TO, AS, IS, DROP, FROM, '(', VALUES,
		SELECT,
	};

	for (int i = 0; i < lengthof(tokens); i++)
		closers[i] = YYTRANSLATE(tokens[i]);
	return lengthof(tokens);
}

#define REPAIR_CLOSERS 17

/* Finds up to "depth" terminals after which the text may end; the first is returned, or -1. */
static int
repair_end(const Trial *start, int depth)
{
	int			closers[REPAIR_CLOSERS];
	int			count = repair_closers(closers);

	for (int i = -1; i < (depth > 1 ? count : YYNTOKENS); i++)
	{
		Trial		trial = *start;
		int			terminal = depth > 1 ? (i < 0 ? -1 : closers[i]) : (i < 0 ? closers[0] : i);

		if (terminal < 0 || !can_be_put_in(terminal) || !trial_take(&trial, terminal))
			continue;
		if (depth > 1 ? repair_end(&trial, depth - 1) >= 0 : trial_take(&trial, YYTRANSLATE(0)))
			return terminal;
	}
	return -1;
}

/* Closes what is open at the end. */
static bool
repair_close(Repair *repair)
{
	for (int closed = 0; closed < REPAIR_CLOSE; closed++)
	{
		Trial		trial = trial_begin(&repair->automaton);
		Trial		end = trial;
		int			closers[REPAIR_CLOSERS];
		int			count = repair_closers(closers);
		int			next = -1;

		if (trial_take(&end, YYTRANSLATE(0)))
			return true;
		for (int depth = 1; depth <= 3 && next < 0; depth++)
			next = repair_end(&trial, depth);
		/* none so near: one step, and again */
		for (int i = 0; i < count && next < 0; i++)
		{
			end = trial;
			if (trial_take(&end, closers[i]))
				next = closers[i];
		}
		/* or anything that has a name behind it */
		for (int terminal = 0; terminal < YYNTOKENS && next < 0; terminal++)
		{
			end = trial;
			if (can_be_put_in(terminal) && trial_take(&end, terminal) && trial_take(&end, closers[0]))
				next = terminal;
		}
		if (next < 0 || !automaton_try(&repair->automaton, next))
			return false;
		repair_note(repair, repair->count, next, false);
	}
	return false;
}

/* A text that the grammar takes; see shim.h. */
void
grammar_repair(const uint16 *terminals, size_t count, ShimRepair *out)
{
	Repair		repair = {.terminals = terminals, .count = count, .out = out, .room = 16};
	size_t		index = 0;

	out->changes = palloc(repair.room * sizeof(ShimChange));
	automaton_begin(&repair.automaton, NULL);
	while (index < count)
	{
		repair.automaton.taken = index;
		if (automaton_try(&repair.automaton, terminals[index]))
			index++;
		else if (out->count < REPAIR_MOST)
			index = repair_mistake(&repair, index);
		else
		{
			/* beyond that, all is left out that does not fit */
			repair_note(&repair, index, 0, true);
			index++;
		}
	}
	repair.automaton.taken = count;
	out->complete = repair_close(&repair);
}

#endif							/* REPAIR_H */

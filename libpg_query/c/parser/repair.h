/*-------------------------------------------------------------------------
 *
 * repair.h
 *	  Changes SQL with errors to SQL that the grammar accepts.
 *
 * When a terminal is rejected, one is inserted before it, or it
 * is removed, or replaced: whichever lets most of the following
 * terminals be accepted.  At the end, open constructs are
 * closed.  Like automaton.h, this is a part of parser.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef REPAIR_H
#define REPAIR_H

/* The number of terminals after an error that decide on its repair. */
#define REPAIR_AHEAD 6
/* The maximum number of changes, so that the time is linear. */
#define REPAIR_MOST 64
/*
 * The maximum number of the automaton's steps to search for repairs,
 * and again for the end: beyond it rejected terminals are removed, and
 * constructs closed by what is accepted first.
 */
#define REPAIR_STEPS 60000
/* The maximum number of terminals inserted at the end. */
#define REPAIR_CLOSE 64
/*
 * The end is searched for before each of the first of these, and then before
 * each of the second: what is not near after some steps rarely is
 * after the next one.
 */
#define REPAIR_SEARCHED 4
#define REPAIR_SEARCHED_EACH 16

typedef struct Repair
{
	Automaton	automaton;
	const uint16 *terminals;
	size_t		count;
	ShimRepair *out;
	size_t		room;
	size_t		left;			/* of REPAIR_STEPS */
	/* for each terminal, REPAIR_NEVER or what it costs to insert it; known from the first mistake on */
	uint8		costs[YYNTOKENS];
	bool		knows_costs;
} Repair;

#define REPAIR_NEVER 255

static inline void
repair_step(Repair *repair, ShimStepKind kind, int terminal)
{
	if (repair->automaton.derivation != NULL)
		automaton_note_step(&repair->automaton, (ShimStep) {.kind = kind, .symbol = terminal});
}

static void
repair_note(Repair *repair, size_t index, int terminal, bool removes)
{
	ShimChange *changes = (ShimChange *) repair->out->changes;

	if (removes)
		repair_step(repair, SHIM_STEP_SKIP, repair->terminals[index]);
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

/* Returns whether a terminal may be inserted: not the end, and not a token that SQL cannot contain. */
static bool
can_be_put_in(int terminal)
{
	const char *name = grammar_symbols[terminal];
	size_t		length = strlen(name);

	return terminal != YYTRANSLATE(0) && terminal != YYTRANSLATE(';') &&
		terminal != TERMINAL_OF_NORMALIZED &&
		terminal != YYTRANSLATE(UIDENT) && terminal != YYTRANSLATE(USCONST) &&
		strncmp(name, "MODE_", 5) != 0 &&
		!(length > 3 && strcmp(name + length - 3, "_LA") == 0);
}

/* Returns how many of the next terminals are accepted after a trial, up to a limit. */
static int
repair_ahead(const Trial *start, const Repair *repair, size_t index)
{
	int			ahead = 0;
	Trial		trial;

	trial_copy(&trial, start);
	while (ahead < REPAIR_AHEAD && index + ahead < repair->count &&
		   trial_take(&trial, repair->terminals[index + ahead]))
		ahead++;
	/* the end of the input counts like many terminals */
	if (ahead < REPAIR_AHEAD && index + ahead == repair->count && trial_take(&trial, YYTRANSLATE(0)))
		ahead = REPAIR_AHEAD;
	return ahead;
}

/* Returns whether the steps since "start" were too many. */
static bool
repair_is_spent(const Repair *repair, size_t start)
{
	return repair->automaton.steps - start > repair->left;
}

/* Names first: a keyword changes more. */
static int
repair_cost(int terminal)
{
	const char *name = grammar_symbols[terminal];

	if (!can_be_put_in(terminal))
		return REPAIR_NEVER;
	if (terminal == YYTRANSLATE(IDENT))
		return 0;
	if (name[0] == '\'')
		return 1;
	if (terminal == YYTRANSLATE(ICONST) || terminal == YYTRANSLATE(SCONST))
		return 2;
	return 3;
}

/* Most SQL has no mistake, and needs no costs. */
static void
repair_costs(Repair *repair)
{
	if (repair->knows_costs)
		return;
	for (int terminal = 0; terminal < YYNTOKENS; terminal++)
		repair->costs[terminal] = repair_cost(terminal);
	repair->knows_costs = true;
}

/*
 * Returns whether a terminal may be inserted after a trial, which takes
 * it then.  One that would only be a name there is none: an identifier
 * is accepted instead, and costs less.
 */
static bool
repair_takes(const Repair *repair, Trial *trial, int terminal)
{
	return repair->costs[terminal] != REPAIR_NEVER && trial_take(trial, terminal) &&
		(terminal == YYTRANSLATE(IDENT) || !is_only_name(trial_state(trial)));
}

/* Applies the best repair for the rejected terminal, and continues after it. */
static size_t
repair_mistake(Repair *repair, size_t index)
{
	int			best = -1;		/* the inserted terminal, or -1 */
	bool		removes = true;
	int			best_ahead;
	int			best_cost = 4;
	size_t		start = repair->automaton.steps;
	int			after[YYNTOKENS];
	Trial		trial;

	repair_costs(repair);
	trial_begin(&trial, &repair->automaton);
	best_ahead = repair_ahead(&trial, repair, index + 1);
	trial_all_terminals(&trial, after, NULL);
	for (int terminal = 0; terminal < YYNTOKENS && !repair_is_spent(repair, start); terminal++)
	{
		if (after[terminal] == 0)
			continue;
		trial_begin(&trial, &repair->automaton);
		if (!repair_takes(repair, &trial, terminal))
			continue;
		for (int replaces = 0; replaces < 2; replaces++)
		{
			int			ahead = repair_ahead(&trial, repair, index + replaces);
			/* keeping the rejected terminal is worth more than an invented one */
			int			cost = repair->costs[terminal] + replaces * 3;

			if (ahead > best_ahead || (ahead == best_ahead && cost < best_cost))
			{
				best = terminal;
				removes = replaces;
				best_ahead = ahead;
				best_cost = cost;
			}
		}
	}
	/* an inserted terminal must help the existing ones */
	if (best >= 0 && !removes && best_ahead == 0)
		best = -1;
	if (best < 0)
		removes = true;

	repair->left -= Min(repair->left, repair->automaton.steps - start);
	repair_note(repair, index, best < 0 ? 0 : best, removes);
	if (best >= 0)
	{
		automaton_try(&repair->automaton, best);
		repair_step(repair, SHIM_STEP_MISSING, best);
	}
	return index + removes;
}

/* The terminals to try before the last one that closes a construct. */
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

/* Finds up to "depth" terminals after which the input may end; returns the first one, or -1. */
static int
repair_end(const Repair *repair, const Trial *start, int depth, size_t steps)
{
	int			closers[REPAIR_CLOSERS];
	int			count = repair_closers(closers);
	int			after[YYNTOKENS];

	if (repair_is_spent(repair, steps))
		return -1;
	if (depth == 1)
		trial_all_terminals(start, after, NULL);
	for (int i = -1; i < (depth > 1 ? count : YYNTOKENS) && !repair_is_spent(repair, steps); i++)
	{
		Trial		trial;
		int			terminal = depth > 1 ? (i < 0 ? -1 : closers[i]) : (i < 0 ? closers[0] : i);

		if (terminal < 0 || (depth == 1 && after[terminal] == 0))
			continue;
		trial_copy(&trial, start);
		if (!repair_takes(repair, &trial, terminal))
			continue;
		if (depth > 1 ? repair_end(repair, &trial, depth - 1, steps) >= 0 : trial_take(&trial, YYTRANSLATE(0)))
			return terminal;
	}
	return -1;
}

/* Closes open constructs at the end. */
static bool
repair_close(Repair *repair)
{
	/* with the rules that the end of the input makes */
	if (automaton_try(&repair->automaton, YYTRANSLATE(0)))
		return true;
	repair_costs(repair);
	for (int closed = 0; closed < REPAIR_CLOSE; closed++)
	{
		bool		is_searched = closed < REPAIR_SEARCHED || closed % REPAIR_SEARCHED_EACH == 0;
		size_t		start = repair->automaton.steps;
		Trial		trial;
		Trial		end;
		int			closers[REPAIR_CLOSERS];
		int			count = repair_closers(closers);
		int			after[YYNTOKENS];
		int			next = -1;

		trial_begin(&trial, &repair->automaton);
		trial_all_terminals(&trial, after, NULL);
		if (after[YYTRANSLATE(0)] != 0)
			return automaton_try(&repair->automaton, YYTRANSLATE(0));
		for (int depth = 1; depth <= (is_searched ? 3 : 1) && next < 0 && repair->left > 0; depth++)
			next = repair_end(repair, &trial, depth, start);
		repair->left -= Min(repair->left, repair->automaton.steps - start);
		/* none so near: one step, and again */
		for (int i = 0; i < count && next < 0; i++)
			if (after[closers[i]] != 0)
				next = closers[i];
		/* or any terminal that a name follows */
		for (int terminal = 0; terminal < YYNTOKENS && next < 0 && repair->left > 0; terminal++)
		{
			if (after[terminal] == 0)
				continue;
			trial_copy(&end, &trial);
			if (repair_takes(repair, &end, terminal) && trial_take(&end, closers[0]))
				next = terminal;
		}
		if (next < 0 || !automaton_try(&repair->automaton, next))
			return false;
		repair_step(repair, SHIM_STEP_MISSING, next);
		repair_note(repair, repair->count, next, false);
	}
	return false;
}

/* Repairs SQL so that the grammar accepts it, and notes the steps if "derivation" is not NULL. */
static void
repair_run(const uint16 *terminals, size_t count, ShimRepair *out, ShimDerivation *derivation)
{
	Repair		repair;
	size_t		index = 0;

	/* all of it except what is large and mostly not needed */
	repair.terminals = terminals;
	repair.count = count;
	repair.out = out;
	repair.room = 16;
	repair.left = REPAIR_STEPS;
	repair.knows_costs = false;
	out->changes = palloc(repair.room * sizeof(ShimChange));
	automaton_begin(&repair.automaton, NULL);
	repair.automaton.derivation = derivation;
	while (index < count)
	{
		repair.automaton.taken = index;
		if (automaton_try(&repair.automaton, terminals[index]))
		{
			repair_step(&repair, SHIM_STEP_TAKE, terminals[index]);
			index++;
		}
		/* no change makes room */
		else if (out->count < REPAIR_MOST && repair.left > 0 && !repair.automaton.is_full)
			index = repair_mistake(&repair, index);
		else
		{
			/* beyond that, all rejected terminals are removed */
			repair_note(&repair, index, 0, true);
			index++;
		}
	}
	repair.automaton.taken = count;
	repair.left = REPAIR_STEPS;
	out->complete = !repair.automaton.is_full && repair_close(&repair);
}

/* See shim.h. */
void
grammar_repair(const uint16 *terminals, size_t count, ShimRepair *out)
{
	repair_run(terminals, count, out, NULL);
}

/* A parameter is one, whichever grammar it was for. */
static void
name_parameters(ShimTerminals *all, ShimDerivation *out)
{
	ShimTerminal *terminals = (ShimTerminal *) all->terminals;
	ShimStep   *steps = (ShimStep *) out->steps;

	if (!normalized_sql)
		return;
	for (size_t index = 0; index < all->count; index++)
		if (terminals[index].symbol == TERMINAL_OF_NORMALIZED)
			terminals[index].symbol = YYTRANSLATE(PARAM);
	for (size_t index = 0; index < out->step_count; index++)
		if (steps[index].symbol == TERMINAL_OF_NORMALIZED)
			steps[index].symbol = YYTRANSLATE(PARAM);
}

/* See shim.h. */
void
grammar_derive(const char *sql, size_t length, RawParseMode mode, ShimDerivation *out)
{
	ShimTerminals all = {0};
	ShimRepair	repair = {0};
	uint16	   *terminals;

	input = sql;
	input_length = length;
	input_places = NULL;
	input_log = NULL;
	input_map = NULL;
	grammar_terminals(sql, mode, &all);
	terminals = palloc(Max(all.count, 1) * sizeof(uint16));
	for (size_t index = 0; index < all.count; index++)
		terminals[index] = all.terminals[index].symbol;
	repair_run(terminals, all.count, &repair, out);
	out->terminals = all.terminals;
	out->terminal_count = all.count;
	name_parameters(&all, out);
}

#endif							/* REPAIR_H */

/*-------------------------------------------------------------------------
 *
 * complete.h
 *	  What may come at a place where somebody is typing.
 *
 * SQL is unfinished there: brackets and CASE are open, and commas
 * have nothing after them.  Where a terminal is rejected, the upper
 * part of the stack is given up: down to a symbol after which the
 * terminal, perhaps with a name before it, continues the statement.
 * Unlike repair.h, this needs no terminals that close what is open,
 * and keeps all that was noted.  A part of parser.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef COMPLETE_H
#define COMPLETE_H

/* The number of terminals after a mistake that decide how to continue. */
#define COMPLETE_AHEAD 16
/* The maximum number of symbols of the stack at which that is tried, so that the time is linear. */
#define COMPLETE_MOST 512
/* What it costs to look for what is made at a mistake, in such symbols. */
#define COMPLETE_PENDING 16

typedef struct Complete
{
	Automaton	automaton;
	const uint16 *terminals;
	size_t		count;
	size_t		place;			/* the index of the name that is being typed */
	int			left;			/* how many symbols may still be tried */

	/* the stack before the place, and the number of symbols noted */
	AutomatonSymbol *symbols;
	size_t		depth;
	size_t		made_count;
} Complete;

/* A way to continue after a mistake. */
typedef struct Continuation
{
	size_t		kept;			/* the number of symbols that stay, or 0 to skip the terminal */
	bool		named;			/* whether a name comes after them */
	bool		closed;			/* and a parenthesis */
	size_t		reach;			/* the terminal up to which all are accepted */
} Continuation;

/* Returns the next terminal that a trial rejects, up to a limit.  The name at the place may be missing. */
static size_t
complete_reach(const Trial *start, const Complete *complete, size_t index, size_t limit)
{
	Trial		trial;

	trial_copy(&trial, start);
	for (; index < limit; index++)
	{
		if (index == complete->place)
		{
			Trial		named;

			trial_copy(&named, &trial);
			if (trial_take(&named, complete->terminals[index]))
				trial_copy(&trial, &named);
		}
		else if (!trial_take(&trial, complete->terminals[index]))
			break;
	}
	return index;
}

/*
 * Looks for the uppermost symbol of a stack after which the terminals from
 * "index" on are accepted further than "best" reaches, or as far if "ties".
 */
static Continuation
complete_below(Complete *complete, Automaton *automaton, size_t index, size_t limit,
			   Continuation best, bool ties)
{
	for (size_t kept = automaton->depth; kept > 0 && complete->left > 0; kept--)
	{
		complete->left--;
		for (int way = 0; way < 4; way++)
		{
			Continuation from = {.kept = kept, .named = way & 1, .closed = way & 2};
			Trial		trial;

			trial_begin(&trial, automaton);
			trial.kept = kept;
			if (from.named && !trial_take(&trial, YYTRANSLATE(IDENT)))
				continue;
			if (from.closed && !trial_take(&trial, YYTRANSLATE(')')))
				continue;
			from.reach = complete_reach(&trial, complete, index, limit);
			if (from.reach > index &&
				(from.reach > best.reach || (from.reach == best.reach && best.kept == 0 && ties)))
				best = from;
		}
		/* nothing below continues further */
		if (best.kept > 0 && best.reach == limit)
			break;
	}
	return best;
}

/* Continues after some symbols of the stack. */
static void
complete_continue(Automaton *automaton, Continuation from)
{
	uint32		end = automaton->end;

	automaton->depth = from.kept;
	/* what was rejected may be allowed now */
	automaton->accepted++;
	/* they consist of no terminals, so that nothing is noted of them */
	if (from.named)
		automaton_try(automaton, YYTRANSLATE(IDENT));
	automaton->end = end;
	if (from.closed)
		automaton_try(automaton, YYTRANSLATE(')'));
	automaton->end = end;
}

/*
 * Notes what only the next terminal would make, if that is missing
 * or wrong: the table in CREATE TRIGGER g BEFORE UPDATE OF _ ON t.
 */
static void
complete_pending(Complete *complete)
{
	Automaton	pending = complete->automaton;
	int			next = -1;

	for (int terminal = 0; terminal < YYNTOKENS; terminal++)
	{
		Trial		trial;
		uint8		made = 0;

		trial_begin(&trial, &pending);
		trial.notes = true;
		if (terminal == TERMINAL_OF_NORMALIZED || !trial_take(&trial, terminal))
			continue;
		for (int i = 0; i < trial.made_count; i++)
			made |= grammar_symbol_flags[trial.made[i]];
		if ((made & SYMBOL_IS_NOTED) && next < 0)
			next = terminal;
		if (made & SYMBOL_IS_TABLE)
		{
			next = terminal;
			break;
		}
	}
	if (next < 0)
		return;
	pending.symbols = palloc(pending.depth * sizeof(AutomatonSymbol));
	memcpy(pending.symbols, complete->automaton.symbols, pending.depth * sizeof(AutomatonSymbol));
	pending.capacity = pending.depth;
	pending.replaced = NULL;
	pending.replaced_room = 0;
	automaton_try(&pending, next);
	/* there may be more of them now */
	complete->automaton.room = pending.room;
	pfree(pending.symbols);
}

/*
 * Continues at the place, if the terminals after it have another meaning than
 * they had, and are accepted further than "reach" then, or as far: the FROM in
 * substring(_ FROM t WHERE a.
 */
static bool
complete_again(Complete *complete, size_t limit, size_t reach)
{
	Automaton  *automaton = &complete->automaton;
	Automaton	before = *automaton;
	Continuation from = {.reach = reach};

	if (complete->symbols == NULL)
		return false;
	before.symbols = complete->symbols;
	before.depth = before.capacity = complete->depth;
	before.taken = before.end = complete->place;
	/* the stack is not kept for a second time */
	complete->symbols = NULL;
	from = complete_below(complete, &before, complete->place + 1, limit, from, true);
	if (from.kept == 0)
		return false;
	*automaton = before;
	automaton->out->made_count = complete->made_count;
	complete_continue(automaton, from);
	return true;
}

/* Decides how to continue at a rejected terminal, and returns the terminal to continue with. */
static size_t
complete_mistake(Complete *complete, size_t index)
{
	Trial		trial;
	size_t		limit = Min(index + COMPLETE_AHEAD, complete->count);
	Continuation best = {0};
	bool		is_end = index + 1 == complete->count;

	trial_begin(&trial, &complete->automaton);
	best.reach = complete_reach(&trial, complete, index + 1, limit);
	/* an unfinished statement has no end, and keeps what it has; a word may be half a keyword */
	if (!is_end)
		best = complete_below(complete, &complete->automaton, index, limit, best,
							  complete->terminals[index] != YYTRANSLATE(IDENT));
	if (index > complete->place + 1 && complete_again(complete, limit, best.reach))
		return complete->place + 1;
	if (best.kept == 0 && !is_end)
		return index + 1;
	if (complete->left >= COMPLETE_PENDING)
	{
		complete->left -= COMPLETE_PENDING;
		complete_pending(complete);
	}
	if (best.kept == 0)
		return index + 1;
	complete_continue(&complete->automaton, best);
	return index;
}

/* Keeps the stack at the place, and returns the symbols there that a name is part of. */
static void
complete_place(Complete *complete, const Trial *name, ShimExpect *out)
{
	const Automaton *automaton = &complete->automaton;
	Size		size = Max(automaton->depth, 1) * sizeof(AutomatonSymbol);
	/* the name is on top */
	size_t		count = name->kept + (name->count > 0 ? name->count - 1 : 0);
	ShimMade   *under = palloc(Max(count, 1) * sizeof(ShimMade));

	for (size_t i = 0; i < count; i++)
	{
		AutomatonSymbol symbol = i < name->kept ? automaton->symbols[i]
			: name->above[i - name->kept];

		under[i].symbol = grammar_symbols[grammar_entered[symbol.state]];
		under[i].first = symbol.first;
		if (i > 0)
			under[i - 1].end = symbol.first;
	}
	if (count > 0)
		under[count - 1].end = automaton->taken;
	out->under = under;
	out->under_count = count;

	complete->symbols = palloc(size);
	memcpy(complete->symbols, automaton->symbols, automaton->depth * sizeof(AutomatonSymbol));
	complete->depth = automaton->depth;
	complete->made_count = out->made_count;
}

/* Returns what may come at a place; see shim.h. */
void
grammar_complete(const uint16 *terminals, size_t count, size_t place, ShimExpect *out)
{
	Complete	complete = {
		.terminals = terminals,
		.count = count,
		.place = place,
		.left = COMPLETE_MOST,
	};
	Automaton  *automaton = &complete.automaton;
	size_t		mended = count; /* the terminal that is accepted only after a mistake */

	automaton_begin(automaton, out);
	for (size_t index = 0; index < count;)
	{
		automaton->taken = index;
		if (index == place)
		{
			Trial		name;

			automaton_expect(automaton, out, &name);
			complete_place(&complete, &name, out);
			/* no name may come there, or somebody types a keyword */
			automaton_try(automaton, terminals[index]);
			index++;
		}
		else if (automaton_try(automaton, terminals[index]))
		{
			if (index < place && index != mended)
				out->taken++;
			index++;
		}
		else
		{
			size_t		next = complete_mistake(&complete, index);

			if (next == index)
				mended = index;
			index = next;
		}
	}
}

#endif							/* COMPLETE_H */

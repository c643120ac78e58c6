/*-------------------------------------------------------------------------
 *
 * automaton.h
 *	  PostgreSQL's grammar without its actions: what may come next.
 *
 * It runs on terminals, which are the grammar's own numbers of
 * tokens.  It accepts what the parser accepts, until an action raises
 * an error.  A part of parser.c, which has the grammar's tables.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AUTOMATON_H
#define AUTOMATON_H

/* The automaton's data about a symbol: build/grammar.rs has the names */
#define SYMBOL_IS_KEYWORD 1
#define SYMBOL_IS_CHECKED 2
#define SYMBOL_IS_NOTED 4
#define SYMBOL_IS_TABLE 8

#include "grammar_names.h"

/* A symbol on the stack: the state after it, and its first terminal. */
typedef struct AutomatonSymbol
{
	int			state;
	uint32		first;
} AutomatonSymbol;

typedef struct Automaton
{
	AutomatonSymbol *symbols;
	size_t		depth;
	size_t		capacity;
	/* the symbols that the next terminal replaces, the uppermost first, until it is accepted */
	AutomatonSymbol *replaced;
	size_t		replaced_room;
	bool		is_full;		/* there was no room for a symbol */
	uint32		taken;			/* the number of terminals before the next one */
	uint32		end;			/* after the last of those that it accepted */
	uint32		no_name;		/* the index after the last one that function names lack: '*', '[' */
	size_t		steps;			/* the number of actions looked up on trial */
	uint32		accepted;		/* the number of terminals accepted */
	bool		knows_refused;	/* a terminal was rejected */
	ShimExpect *out;			/* the output, or NULL */
	size_t		room;			/* its capacity */
	ShimDerivation *derivation; /* the steps, or NULL */
	size_t		steps_room;		/* their capacity */
	/* for each terminal, one more than "accepted" when it was last rejected; known from the first time on */
	uint32		refused[YYNTOKENS];
} Automaton;

/* The maximum number of symbols made between two tokens without reading the stack below. */
#define AUTOMATON_ABOVE 64

/*
 * The grammar's action for a terminal in a state: the next state, or
 * less than 0 for a rule, or 0 if the terminal is not allowed there.
 */
static int
automaton_action(int state, int terminal)
{
	const GrammarState *from = &grammar_states[state];

	/* nothing follows the end */
	if (state == YYFINAL)
		return 0;
	if (from->entry != GRAMMAR_NO_ENTRY)
	{
		const GrammarEntry *entry = grammar_find(grammar_entries, from, terminal);

		if (entry != NULL)
			return entry->action;
	}
	return -from->default_rule;
}

static int
automaton_go(int rule, int below)
{
	return grammar_go(grammar_entries, &grammar_rules[rule], below);
}

/* Makes room for another symbol; false if the parser would have no room either. */
static bool
automaton_grow(Automaton *automaton)
{
	if (automaton->depth < automaton->capacity)
		return true;
	if (automaton->capacity >= YYMAXDEPTH)
	{
		automaton->is_full = true;
		return false;
	}
	automaton->capacity = Min(automaton->capacity * 2, YYMAXDEPTH);
	automaton->symbols = repalloc(automaton->symbols,
								  automaton->capacity * sizeof(AutomatonSymbol));
	return true;
}

/*
 * A stack on top of an automaton's stack, which it does not change:
 * the lowest "kept" symbols of that, and its own states above them.
 */
typedef struct Trial
{
	Automaton  *automaton;
	size_t		kept;
	int			count;
	AutomatonSymbol above[AUTOMATON_ABOVE];
	/* the first symbol that it has made, if requested */
	bool		notes;
	int			made_count;
	uint16		made[AUTOMATON_ABOVE];
} Trial;

static void
trial_begin(Trial *trial, Automaton *automaton)
{
	/* the stack is not read before it is written */
	trial->automaton = automaton;
	trial->kept = automaton->depth;
	trial->count = 0;
	trial->notes = false;
	trial->made_count = 0;
}

/* Copies a trial: of its stack, what is used. */
static void
trial_copy(Trial *to, const Trial *from)
{
	to->automaton = from->automaton;
	to->kept = from->kept;
	to->count = from->count;
	memcpy(to->above, from->above, from->count * sizeof(from->above[0]));
	to->notes = from->notes;
	to->made_count = from->made_count;
	memcpy(to->made, from->made, from->made_count * sizeof(from->made[0]));
}

static int
trial_state(const Trial *trial)
{
	return trial->count > 0 ? trial->above[trial->count - 1].state
		: trial->automaton->symbols[trial->kept - 1].state;
}

/* Pushes a symbol; false if there is no room. */
static bool
trial_push(Trial *trial, AutomatonSymbol symbol)
{
	if (trial->count == AUTOMATON_ABOVE)
		return false;
	trial->above[trial->count++] = symbol;
	return true;
}

/* Applies a rule; false if the symbol that it makes is rejected. */
static bool
trial_reduce(Trial *trial, int rule)
{
	AutomatonSymbol symbol = {0, trial->automaton->taken};
	int			length = grammar_rules[rule].length;
	int			made = grammar_made[rule];

	if (length > trial->count)
	{
		trial->kept -= length - trial->count;
		trial->count = 0;
		symbol.first = trial->automaton->symbols[trial->kept].first;
	}
	else if (length > 0)
	{
		trial->count -= length;
		symbol.first = trial->above[trial->count].first;
	}
	if ((grammar_symbol_flags[made] & SYMBOL_IS_CHECKED) && symbol.first < trial->automaton->no_name)
		return false;
	if (trial->notes && trial->made_count < AUTOMATON_ABOVE)
		trial->made[trial->made_count++] = made;
	symbol.state = automaton_go(rule, trial_state(trial));
	return trial_push(trial, symbol);
}

/* Returns whether a terminal can come next.  It is on the trial's stack then. */
static bool
trial_take(Trial *trial, int terminal)
{
	for (;;)
	{
		int			action = automaton_action(trial_state(trial), terminal);

		trial->automaton->steps++;
		if (action == 0)
			return false;
		if (action > 0)
			return trial_push(trial, (AutomatonSymbol) {action, trial->automaton->taken});
		if (!trial_reduce(trial, -action))
			return false;
	}
}

/* The maximum number of states for which a group of terminals knows its rule, and of groups in groups. */
#define TRIAL_KNOWN 32
#define TRIAL_GROUPS 8

/*
 * Finds which of the terminals can come next: the state after each is
 * in "after", which is 0 for the others.  Notes the symbols that are
 * made before one of them, if requested.
 *
 * Before most terminals the same symbols are made, possibly as many
 * as the stack has; so those with the same rules go together.
 */
static void
trial_all(const Trial *start, const uint16 *terminals, int count, int *after, bool *becomes, int groups)
{
	Trial		trial;
	uint16		group[YYNTOKENS];
	uint16		others[YYNTOKENS];
	int			known[TRIAL_KNOWN][2];
	int			known_count = 0;

	trial_copy(&trial, start);
	memcpy(group, terminals, count * sizeof(uint16));
	while (count > 0)
	{
		int			state = trial_state(&trial);
		int			rule = 0;
		int			left = 0;
		int			others_count = 0;
		bool		is_taken = false;

		/* in the same state, the same terminals have the same rule again */
		for (int i = 0; i < known_count && rule == 0; i++)
			if (known[i][0] == state)
				rule = known[i][1];
		trial.automaton->steps += rule == 0 ? count : 1;
		if (rule == 0)
		{
			for (int i = 0; i < count; i++)
			{
				int			action = automaton_action(state, group[i]);

				if (action > 0 && trial.count < AUTOMATON_ABOVE)
				{
					after[group[i]] = action;
					is_taken = true;
				}
				else if (action < 0 && (rule == 0 || rule == -action))
				{
					rule = -action;
					group[left++] = group[i];
				}
				else if (action < 0)
					others[others_count++] = group[i];
			}
			for (int i = 0; is_taken && becomes != NULL && i < trial.made_count; i++)
				becomes[trial.made[i]] = true;
			if (groups < TRIAL_GROUPS)
				trial_all(&trial, others, others_count, after, becomes, groups + 1);
			else
				for (int i = 0; i < others_count; i++)
				{
					Trial		alone;

					trial_copy(&alone, &trial);
					if (!trial_take(&alone, others[i]))
						continue;
					after[others[i]] = trial_state(&alone);
					for (int j = 0; becomes != NULL && j < alone.made_count; j++)
						becomes[alone.made[j]] = true;
				}
			count = left;
			if (known_count < TRIAL_KNOWN)
			{
				known[known_count][0] = state;
				known[known_count++][1] = rule;
			}
		}
		if (count == 0 || !trial_reduce(&trial, rule))
			return;
	}
}

/*
 * The parameter of normalized SQL is accepted where the grammar has it, but
 * never offered: nobody writes such SQL.
 */
#define TERMINAL_OF_NORMALIZED YYTERROR

/* Does the same for all terminals. */
static void
trial_all_terminals(const Trial *start, int *after, bool *becomes)
{
	uint16		terminals[YYNTOKENS];
	int			count = 0;

	for (int terminal = 0; terminal < YYNTOKENS; terminal++)
	{
		if (terminal != TERMINAL_OF_NORMALIZED)
			terminals[count++] = terminal;
		after[terminal] = 0;
	}
	trial_all(start, terminals, count, after, becomes, 0);
}

/*
 * Returns whether the terminal just accepted can only be a name:
 * its state only turns it into one of the keyword classes.
 */
static bool
is_only_name(int state)
{
	int			made = grammar_made[grammar_states[state].default_rule];

	return grammar_states[state].entry == GRAMMAR_NO_ENTRY &&
		(grammar_symbol_flags[made] & SYMBOL_IS_KEYWORD);
}

static void
automaton_begin(Automaton *automaton, ShimExpect *out)
{
	/* "refused" is large, and mostly not needed */
	memset(automaton, 0, offsetof(Automaton, refused));
	automaton->symbols = palloc(256 * sizeof(AutomatonSymbol));
	automaton->depth = 1;
	automaton->capacity = 256;
	automaton->out = out;
	automaton->symbols[0] = (AutomatonSymbol) {0, 0};
	if (out != NULL)
	{
		automaton->room = 16;
		out->made = palloc(automaton->room * sizeof(ShimMade));
	}
}

static void
automaton_note(Automaton *automaton, int made, uint32 first)
{
	ShimExpect *out = automaton->out;
	ShimMade   *notes = (ShimMade *) out->made;

	if (out->made_count == automaton->room)
	{
		automaton->room *= 2;
		out->made = notes = repalloc(notes, automaton->room * sizeof(ShimMade));
	}
	notes[out->made_count++] = (ShimMade)
	{
		.symbol = grammar_symbols[made],
		.first = first,
		.end = automaton->end,
	};
}

#include "derivation.h"

/* Keeps the symbols from "below" to "low" of a stack of "depth" symbols, of which those from "low" on are kept. */
static inline void
automaton_keep(Automaton *automaton, size_t depth, size_t low, size_t below)
{
	if (unlikely(depth - below > automaton->replaced_room))
	{
		size_t		room = automaton->replaced_room = (depth - below) * 2 + 16;

		automaton->replaced = automaton->replaced == NULL
			? palloc(room * sizeof(AutomatonSymbol))
			: repalloc(automaton->replaced, room * sizeof(AutomatonSymbol));
	}
	for (; low > below; low--)
		automaton->replaced[depth - low] = automaton->symbols[low - 1];
}

/* Accepts the next terminal, if it is allowed there and there is room for it; or changes nothing. */
static bool
automaton_try(Automaton *automaton, int terminal)
{
	size_t		depth = automaton->depth;
	size_t		low = depth;	/* below, the stack is as it was */
	size_t		made_count = automaton->out != NULL ? automaton->out->made_count : 0;
	size_t		step_count = automaton->derivation != NULL ? automaton->derivation->step_count : 0;
	int			action;

	if (unlikely(automaton->knows_refused) &&
		automaton->refused[terminal] == automaton->accepted + 1)
		return false;
	while ((action = automaton_action(automaton->symbols[automaton->depth - 1].state, terminal)) < 0)
	{
		int			rule = -action;
		int			length = grammar_rules[rule].length;
		int			flags = grammar_symbol_flags[grammar_made[rule]];
		size_t		below = automaton->depth - length;
		AutomatonSymbol *symbol;

		if (below < low)
		{
			automaton_keep(automaton, depth, low, below);
			low = below;
		}
		if (length == 0 && !automaton_grow(automaton))
			goto rejected;
		symbol = &automaton->symbols[below];
		if (length == 0)
			symbol->first = automaton->taken;
		if (unlikely(flags & SYMBOL_IS_CHECKED) && symbol->first < automaton->no_name)
		{
			action = 0;
			goto rejected;
		}
		if (automaton->out != NULL && (flags & SYMBOL_IS_NOTED) && symbol->first < automaton->end)
			automaton_note(automaton, grammar_made[rule], symbol->first);
		symbol->state = automaton_go(rule, symbol[-1].state);
		automaton->depth = below + 1;
		if (automaton->derivation != NULL)
			automaton_note_rule(automaton, rule);
	}
	if (action > 0 && automaton_grow(automaton))
	{
		automaton->symbols[automaton->depth++] = (AutomatonSymbol) {action, automaton->taken};
		automaton->accepted++;
		automaton->end = automaton->taken + 1;
		if (terminal == YYTRANSLATE('*') || terminal == YYTRANSLATE('['))
			automaton->no_name = automaton->end;
		return true;
	}

rejected:
	/* rules were applied before one of the states after them rejected it */
	for (; low < depth; low++)
		automaton->symbols[low] = automaton->replaced[depth - 1 - low];
	automaton->depth = depth;
	if (automaton->out != NULL)
		automaton->out->made_count = made_count;
	if (automaton->derivation != NULL)
		automaton->derivation->step_count = step_count;
	/* if there is no room, it may be accepted later */
	if (action == 0)
	{
		if (!automaton->knows_refused)
			memset(automaton->refused, 0, sizeof(automaton->refused));
		automaton->knows_refused = true;
		automaton->refused[terminal] = automaton->accepted + 1;
	}
	return false;
}

/* Returns the terminals that may come next, and in "name" the stack with a name, if that may. */
static void
automaton_expect(Automaton *automaton, ShimExpect *out, Trial *name)
{
	Size		symbols = lengthof(grammar_symbols);
	bool	   *becomes = palloc0(symbols * sizeof(bool));
	uint8	   *next = palloc0(YYNTOKENS);
	int			after[YYNTOKENS];

	trial_begin(name, automaton);
	trial_all_terminals(name, after, NULL);
	for (int terminal = 0; terminal < YYNTOKENS; terminal++)
		if (after[terminal] != 0)
			next[terminal] = is_only_name(after[terminal]) ? SHIM_NEXT_NAME : SHIM_NEXT;

	/* the symbols that an identifier there may become, whatever follows */
	if (trial_take(name, YYTRANSLATE(IDENT)))
	{
		name->notes = true;
		trial_all_terminals(name, after, becomes);
	}
	else
		trial_begin(name, automaton);

	out->next = next;
	out->next_count = YYNTOKENS;
	out->becomes = becomes + YYNTOKENS;
	out->becomes_count = symbols - YYNTOKENS;
}

/* Returns whether a terminal may come next. */
static void
automaton_ask(Automaton *automaton, ShimExpect *out, uint16 terminal)
{
	Trial		trial;
	uint8	   *next = palloc0(terminal + 1);

	trial_begin(&trial, automaton);
	if (trial_take(&trial, terminal))
		next[terminal] = is_only_name(trial_state(&trial)) ? SHIM_NEXT_NAME : SHIM_NEXT;
	out->next = next;
	out->next_count = terminal + 1;
}

/* Returns the terminals that may follow; see shim.h. */
void
grammar_expect(const uint16 *terminals, size_t count, bool skip, const uint16 *asked,
			   ShimExpect *out)
{
	Automaton	automaton;
	Trial		name;

	automaton_begin(&automaton, out);
	for (size_t index = 0; index < count; index++)
	{
		automaton.taken = index;
		if (automaton_try(&automaton, terminals[index]))
			out->taken++;
		else if (!skip)
			break;
	}

	if (!skip && out->taken < count)
		return;
	automaton.taken = count;
	if (asked == NULL)
		automaton_expect(&automaton, out, &name);
	else
		automaton_ask(&automaton, out, *asked);
}

const char *
shim_symbol(size_t symbol)
{
	return symbol < lengthof(grammar_symbols) ? grammar_symbols[symbol] : NULL;
}

#endif							/* AUTOMATON_H */

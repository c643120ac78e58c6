/*-------------------------------------------------------------------------
 *
 * derivation.h
 *	  The steps by which the automaton derives terminals; a part of
 *	  automaton.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DERIVATION_H
#define DERIVATION_H

static void
automaton_note_step(Automaton *automaton, ShimStep step)
{
	ShimDerivation *derivation = automaton->derivation;
	ShimStep   *steps = (ShimStep *) derivation->steps;

	if (derivation->count == automaton->steps_room)
	{
		automaton->steps_room = automaton->steps_room * 2 + 64;
		steps = steps == NULL ? palloc(automaton->steps_room * sizeof(ShimStep))
			: repalloc(steps, automaton->steps_room * sizeof(ShimStep));
		derivation->steps = steps;
	}
	steps[derivation->count++] = step;
}

static void
automaton_note_rule(Automaton *automaton, int rule)
{
	int			made = grammar_made[rule];
	ShimStep	step = {.kind = SHIM_STEP_MAKE, .of = rule, .symbol = made, .length = grammar_rules[rule].length};

	step.keeps = grammar_rules[rule].keeps;
	step.extends = grammar_extends[rule];
	step.is_keyword = (grammar_symbol_flags[made] & SYMBOL_IS_KEYWORD) != 0;
	automaton_note_step(automaton, step);
}

#endif							/* DERIVATION_H */

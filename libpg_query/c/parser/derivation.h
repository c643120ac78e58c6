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

static inline void
automaton_note_step(Automaton *automaton, ShimStep step)
{
	ShimDerivation *derivation = automaton->derivation;
	ShimStep   *steps = (ShimStep *) derivation->steps;

	if (unlikely(derivation->step_count == automaton->steps_room))
	{
		automaton->steps_room = automaton->steps_room * 2 + 64;
		steps = steps == NULL ? palloc(automaton->steps_room * sizeof(ShimStep))
			: repalloc(steps, automaton->steps_room * sizeof(ShimStep));
		derivation->steps = steps;
	}
	steps[derivation->step_count++] = step;
}

static inline void
automaton_note_rule(Automaton *automaton, int rule)
{
	const ShimDerivation *derivation = automaton->derivation;
	int			made = grammar_made[rule];
	int			length = grammar_rules[rule].length;

	if (length == 1 && (grammar_symbol_flags[made] & SYMBOL_IS_KEYWORD))
		return;
	/* a rule right before has made the symbol that this one keeps */
	if (grammar_rules[rule].keeps && derivation->step_count > 0 &&
		derivation->steps[derivation->step_count - 1].kind >= SHIM_STEP_MAKE)
		return;
	automaton_note_step(automaton, (ShimStep)
						{
							.symbol = made,
							.kind = grammar_extends[rule] ? SHIM_STEP_EXTEND : SHIM_STEP_MAKE,
							.length = length,
						});
}

#endif							/* DERIVATION_H */

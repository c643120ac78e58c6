/*-------------------------------------------------------------------------
 *
 * shim_expect.c
 *	  Returns what the grammar would accept; see shim.h and automaton.h.
 *
 *-------------------------------------------------------------------------
 */
#include "shim_internal.h"

void
shim_terminals(const char *sql, const ShimParseOptions *options, size_t stack_bytes,
			   ShimTerminals *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		grammar_terminals(sql, shim_use_options(options), out);
	}
	SHIM_END_TRY(out);
}

SHIM_FREE(shim_terminals_free, ShimTerminals)

void
shim_expect(const uint16 *terminals, size_t count, bool skip, const uint16 *asked,
			size_t stack_bytes, ShimExpect *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		grammar_expect(terminals, count, skip, asked, out);
	}
	SHIM_END_TRY(out);
}

void
shim_complete(const uint16 *terminals, size_t count, size_t place, size_t stack_bytes,
			  ShimExpect *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		grammar_complete(terminals, count, place, out);
	}
	SHIM_END_TRY(out);
}

SHIM_FREE(shim_expect_free, ShimExpect)

void
shim_repair(const uint16 *terminals, size_t count, size_t stack_bytes, ShimRepair *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		grammar_repair(terminals, count, out);
	}
	SHIM_END_TRY(out);
}

SHIM_FREE(shim_repair_free, ShimRepair)

void
shim_derive(const char *sql, size_t length, const ShimParseOptions *options, size_t stack_bytes,
			ShimDerivation *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		grammar_derive(sql, length, shim_use_options(options), out);
	}
	SHIM_END_TRY(out);
}

SHIM_FREE(shim_derivation_free, ShimDerivation)

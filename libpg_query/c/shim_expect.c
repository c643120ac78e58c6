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
		shim_use_options(options);
		if (options->mode < RAW_PARSE_DEFAULT || options->mode > RAW_PARSE_PLPGSQL_ASSIGN3)
			elog(ERROR, "unknown parse mode %d", options->mode);
		grammar_terminals(sql, (RawParseMode) options->mode, out);
	}
	SHIM_END_TRY(out);
}

void
shim_terminals_free(ShimTerminals *terminals)
{
	shim_free_context(terminals->context);
	memset(terminals, 0, sizeof(*terminals));
}

void
shim_expect(const uint16 *terminals, size_t count, bool skip, size_t stack_bytes, ShimExpect *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		grammar_expect(terminals, count, skip, out);
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

void
shim_expect_free(ShimExpect *expect)
{
	shim_free_context(expect->context);
	memset(expect, 0, sizeof(*expect));
}

void
shim_repair(const uint16 *terminals, size_t count, size_t stack_bytes, ShimRepair *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		grammar_repair(terminals, count, out);
	}
	SHIM_END_TRY(out);
}

void
shim_repair_free(ShimRepair *repair)
{
	shim_free_context(repair->context);
	memset(repair, 0, sizeof(*repair));
}
